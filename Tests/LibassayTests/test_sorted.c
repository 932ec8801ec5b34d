/* Sorted columns over tables in memory, compared with a plain implementation: columns of texts and Arrow columns, with
   several threads, and tables in parts. */
#include "support.h"

enum { ROWS = 20000, DIGITS = 8 };

static const char rules_text[] = "fields:\n"
                                 "  - {name: n, type: integer, constraints: {sorted: ascending}}\n"
                                 "  - {name: m, type: integer, constraints: {sorted: descending, strict: true}}\n";

/* A random table: two columns of numbers as values and as texts. −1 is a missing value, −2 a text that is no number. */
typedef struct table {
    int64_t values[2][ROWS];
    char texts[2][ROWS][DIGITS + 1];
    const uint8_t *pointers[2][ROWS];
    size_t lengths[2][ROWS];
    uint64_t validity[2][ROWS / 64 + 1];
    /* By row and column: the record that the row does not follow, or 0. */
    uint64_t holders[2][ROWS];
    bool rejected[ROWS];
} table;

static table sample;

static void fill(test_random *dice)
{
    memset(sample.validity, 0, sizeof sample.validity);
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < 2; column++) {
            int64_t value = column == 0 ? 1000 + row / 2 : 2000 + 2 * (ROWS - row);
            if (test_random_below(dice, 20) == 0) value += (int64_t)test_random_below(dice, 9) - 4;
            if (test_random_below(dice, 30) == 0) value = -1 - (int64_t)test_random_below(dice, 2);
            sample.values[column][row] = value;
            snprintf(sample.texts[column][row], DIGITS + 1, "%s", value == -1 ? "" : "x");
            if (value >= 0) {
                snprintf(sample.texts[column][row], DIGITS + 1, "%0*d", 5 + (int)test_random_below(dice, 2),
                         (int)value);
            }
            sample.pointers[column][row] = value == -1 ? NULL : (const uint8_t *)sample.texts[column][row];
            sample.lengths[column][row] = strlen(sample.texts[column][row]);
            if (value >= 0) sample.validity[column][row / 64] |= UINT64_C(1) << row % 64;
        }
    }
}

/* The plain implementation. With `has_texts`, −2 is a value of the wrong type; otherwise it is missing. */
static void evaluate(bool has_texts)
{
    int64_t last[2] = {-1, -1};
    uint64_t records[2] = {0, 0};
    memset(sample.holders, 0, sizeof sample.holders);
    for (int row = 0; row < ROWS; row++) {
        const int64_t n = sample.values[0][row];
        const int64_t m = sample.values[1][row];
        sample.rejected[row] = has_texts && (n == -2 || m == -2);
        if (sample.rejected[row]) continue;
        if (n >= 0 && records[0] > 0 && n < last[0]) sample.holders[0][row] = records[0];
        if (m >= 0 && records[1] > 0 && m >= last[1]) sample.holders[1][row] = records[1];
        sample.rejected[row] = sample.holders[0][row] > 0 || sample.holders[1][row] > 0;
        if (sample.rejected[row]) continue;
        for (int column = 0; column < 2; column++) {
            if (sample.values[column][row] < 0) continue;
            last[column] = sample.values[column][row];
            records[column] = (uint64_t)row + 1;
        }
    }
}

/* Compares the verdicts and the findings about order of the rows from `first` on. Frees the result. */
static bool is_right(assay_result *result, int first)
{
    if (result == NULL) return false;
    assay_totals totals;
    assay_result_totals(result, &totals, sizeof totals);
    const uint64_t *rows = assay_result_rows(result, ASSAY_ROWS_REJECTED);
    bool same = true;
    for (int row = 0; same && row < (int)totals.records; row++) {
        same = has_bit(rows, (size_t)row) == sample.rejected[first + row];
        if (!same) fprintf(stderr, "    row %d\n", first + row);
    }
    uint64_t found = 0;
    assay_cursor cursor = {0};
    assay_finding finding;
    while (same && assay_result_findings(result, &cursor, &finding, sizeof finding, 1) == 1) {
        if (strcmp(finding.code, "sorted") != 0) continue;
        const int column = strcmp(finding.rule, "n.sorted") == 0 ? 0 : 1;
        char message[80];
        snprintf(message, sizeof message, "is not in %s order after record %llu",
                 column == 0 ? "ascending" : "strictly descending",
                 (unsigned long long)sample.holders[column][finding.record - 1]);
        same = strcmp(message, finding.message) == 0 && strcmp(finding.column, column == 0 ? "n" : "m") == 0;
        if (!same) fprintf(stderr, "    record %llu: %s\n", (unsigned long long)finding.record, finding.message);
        found++;
    }
    uint64_t expected = 0;
    for (int row = first; row < first + (int)totals.records; row++) {
        expected += (uint64_t)(sample.holders[0][row] > 0) + (uint64_t)(sample.holders[1][row] > 0);
    }
    if (same && found != expected) {
        fprintf(stderr, "    %llu findings, expected %llu\n", (unsigned long long)found, (unsigned long long)expected);
        same = false;
    }
    assay_result_free(result);
    return same;
}

static assay_column column_of(int column, int first)
{
    return (assay_column){.size = sizeof(assay_column),
                          .name = column == 0 ? "n" : "m",
                          .layout = ASSAY_LAYOUT_POINTERS,
                          .pointers = sample.pointers[column] + first,
                          .lengths = sample.lengths[column] + first};
}

static void columns_and_parts(test_random *dice)
{
    assay_rules *rules = must_parse(rules_text);
    for (unsigned long round = 0; round < 1 + test_rounds(40); round++) {
        fill(dice);
        evaluate(true);
        for (uint32_t threads = 1; threads <= 4; threads++) {
            const assay_column columns[] = {column_of(0, 0), column_of(1, 0)};
            const assay_options options = {.size = sizeof options, .threads = threads};
            assay_result *result = NULL;
            CHECK(assay_rules_check_columns(rules, columns, 2, ROWS, &options, &result) == NULL);
            CHECK(is_right(result, 0));
        }
        assay_seen_keys *seen = NULL;
        CHECK(assay_seen_keys_create(rules, 0, &seen) == NULL);
        for (int first = 0; first < ROWS;) {
            int count = 1 + (int)test_random_below(dice, 9000);
            if (count > ROWS - first) count = ROWS - first;
            const assay_column columns[] = {column_of(1, first), column_of(0, first)};
            const assay_options options = {
                .size = sizeof options, .threads = 2, .first_record = (uint64_t)first, .seen = seen};
            assay_result *result = NULL;
            CHECK(assay_rules_check_columns(rules, columns, 2, (size_t)count, &options, &result) == NULL);
            CHECK(is_right(result, first));
            first += count;
        }
        assay_seen_keys_free(seen);
    }
    assay_rules_free(rules);
}

/* The same numbers as Arrow columns of int64, in which −2 is also missing. */
static void arrow(test_random *dice)
{
    assay_rules *rules = must_parse(rules_text);
    fill(dice);
    evaluate(false);
    struct ArrowSchema types[2];
    struct ArrowArray arrays[2];
    const void *buffers[2][2];
    struct ArrowSchema *children_types[2];
    struct ArrowArray *children[2];
    for (int column = 0; column < 2; column++) {
        types[column] =
            (struct ArrowSchema){.format = "l", .name = column == 0 ? "n" : "m", .flags = 2, .release = release_schema};
        buffers[column][0] = sample.validity[column];
        buffers[column][1] = sample.values[column];
        arrays[column] = (struct ArrowArray){
            .length = ROWS, .null_count = -1, .n_buffers = 2, .buffers = buffers[column], .release = release_array};
        children_types[column] = &types[column];
        children[column] = &arrays[column];
    }
    const void *validity[] = {NULL};
    struct ArrowArray batch = {.length = ROWS,
                               .n_buffers = 1,
                               .buffers = validity,
                               .n_children = 2,
                               .children = children,
                               .release = release_array};
    struct ArrowSchema table_type = {
        .format = "+s", .n_children = 2, .children = children_types, .release = release_schema};
    for (uint32_t threads = 1; threads <= 3; threads++) {
        const assay_options options = {.size = sizeof options, .threads = threads};
        assay_result *result = NULL;
        CHECK(assay_rules_check_arrow_table(rules, &table_type, &batch, &options, &result) == NULL);
        CHECK(is_right(result, 0));
    }
    const uint8_t secret[16] = {1};
    const assay_options options = {.size = sizeof options, .key_secret = secret};
    assay_result *result = NULL;
    CHECK(refused(assay_rules_check_arrow_table(rules, &table_type, &batch, &options, &result), ASSAY_FAULT_RULES,
                  "the rule 'n.sorted' compares each record with the earlier ones"));
    assay_rules_free(rules);
}

/* One column, CSV, and values of more bytes than are copied for other columns. */
static void others(void)
{
    assay_rules *rules = must_parse("fields: [{name: t, constraints: {sorted: ascending}}, {name: n}]");
    static char far[3][6000];
    for (int i = 0; i < 3; i++) {
        memset(far[i], 'x', sizeof far[i]);
        far[i][5999] = (char)("bac"[i]);
    }
    const uint8_t *pointers[] = {(const uint8_t *)far[0], (const uint8_t *)far[1], (const uint8_t *)"y",
                                 (const uint8_t *)far[2], NULL};
    const size_t lengths[] = {6000, 6000, 1, 6000, 0};
    const assay_column column = {
        .size = sizeof column, .name = "t", .layout = ASSAY_LAYOUT_POINTERS, .pointers = pointers, .lengths = lengths};
    assay_result *result = NULL;
    CHECK(assay_rules_check_column(rules, 0, &column, 5, NULL, &result) == NULL);
    CHECK(rejected_are(result, "01010"));
    static const char csv[] = "t,n\nb,1\na,2\n,3\nc,4\n";
    CHECK(assay_rules_check_csv(rules, (const uint8_t *)csv, strlen(csv), NULL, &result) == NULL);
    assay_cursor cursor = {0};
    assay_finding finding;
    CHECK_EQUAL(assay_result_findings(result, &cursor, &finding, sizeof finding, 1), 1);
    CHECK_EQUAL(finding.record, 2);
    CHECK(strcmp(finding.message, "is not in ascending order after record 1 (line 2)") == 0);
    assay_tally *tally = assay_tally_create();
    assay_tally_add(tally, result);
    assay_rule_count count = {0};
    bool is_counted = false;
    for (size_t i = 0; assay_tally_get(tally, i, &count, sizeof count); i++) {
        if (strcmp(count.rule, "t.sorted") == 0) is_counted = count.failed == 1 && strcmp(count.column, "t") == 0;
    }
    CHECK(is_counted);
    assay_tally_free(tally);
    assay_result_free(result);
    CHECK(!assay_rules_accepts(rules, pointers, lengths));
    assay_rules_free(rules);
}

int main(void)
{
    test_random dice = test_random_of(1);
    columns_and_parts(&dice);
    arrow(&dice);
    others();
    return test_result();
}
