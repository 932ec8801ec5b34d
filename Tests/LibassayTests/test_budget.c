/* Budgets of calls: calls end soon, values beyond the budget are undecided and counted, and the other verdicts are
   unchanged. */
#include "support.h"

#include <time.h>

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

enum { PATTERNS = 1000, FEW_ROWS = 300, LONG_VALUE = 400 };

/* The ticks that the patterns may use: a fraction of the work that they need. */
#define MANY_PATTERNS_TICKS UINT64_C(25000000)

/* Consecutive values of one length. */
static char *long_values(int32_t *offsets)
{
    char *bytes = malloc((size_t)FEW_ROWS * LONG_VALUE);
    for (size_t i = 0; i < (size_t)FEW_ROWS * LONG_VALUE; i++) bytes[i] = "ab1-"[i * i % 7 % 4];
    for (int32_t row = 0; row <= FEW_ROWS; row++) offsets[row] = row * LONG_VALUE;
    return bytes;
}

static uint64_t count_findings(const assay_result *result, const char *rule)
{
    assay_cursor cursor = {0};
    assay_finding findings[64];
    uint64_t count = 0;
    for (size_t got; (got = assay_result_findings(result, &cursor, findings, sizeof *findings, 64)) > 0;) {
        for (size_t i = 0; i < got; i++) count += strcmp(findings[i].rule, rule) == 0;
    }
    return count;
}

/* Without a budget this takes fifteen times as long, because each pattern makes an automaton for its first long
   value. */
static void test_many_patterns(void)
{
    char *text = malloc(200 * PATTERNS);
    size_t count = (size_t)sprintf(text, "{fields: [");
    for (int i = 0; i < PATTERNS; i++) {
        count +=
            (size_t)sprintf(text + count, "{name: c%d, constraints: {pattern: '(?:[a-z\\p{L}]|%d|-){3,%d}x%d?'}},\n", i,
                            i, 20 + i % 80, i);
    }
    count += (size_t)sprintf(text + count, "]}");
    assay_rules *rules = must_parse(text);
    int32_t offsets[FEW_ROWS + 1];
    char *bytes = long_values(offsets);
    char(*names)[8] = malloc(sizeof *names * PATTERNS);
    assay_column *columns = calloc(PATTERNS, sizeof *columns);
    for (int i = 0; i < PATTERNS; i++) {
        sprintf(names[i], "c%d", i);
        columns[i] = (assay_column){.size = sizeof *columns,
                                    .name = names[i],
                                    .layout = ASSAY_LAYOUT_OFFSETS32,
                                    .bytes = (const uint8_t *)bytes,
                                    .byte_count = (size_t)FEW_ROWS * LONG_VALUE,
                                    .offsets = offsets};
    }
    double longest = 0;
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        assay_options options = {.size = sizeof options, .threads = threads, .budget_ticks = MANY_PATTERNS_TICKS};
        assay_result *result = NULL;
        const double start = seconds();
        CHECK(assay_rules_check_columns(rules, columns, PATTERNS, FEW_ROWS, &options, &result) == NULL);
        const double took = seconds() - start;
        if (took > longest) longest = took;
        assay_totals totals;
        assay_result_totals(result, &totals, sizeof totals);
        CHECK_EQUAL(totals.records, FEW_ROWS);
        CHECK_EQUAL(totals.rejected, FEW_ROWS);
        CHECK_EQUAL(totals.undecided, FEW_ROWS);
        CHECK_EQUAL(assay_result_over_budget(result), FEW_ROWS);
        CHECK_EQUAL(count_findings(result, "budget"), FEW_ROWS);
        CHECK(assay_result_ticks(result) <= MANY_PATTERNS_TICKS);
        const uint64_t *over = assay_result_rows(result, ASSAY_ROWS_OVER_BUDGET);
        for (size_t row = 0; row < FEW_ROWS; row++) CHECK(has_bit(over, row));
        assay_result_free(result);
    }
    /* A ratio, because memcheck takes thirty times as long. */
    const assay_options unlimited = {.size = sizeof unlimited, .threads = 1};
    assay_result *complete = NULL;
    const double start = seconds();
    CHECK(assay_rules_check_columns(rules, columns, PATTERNS, FEW_ROWS, &unlimited, &complete) == NULL);
    const double took = seconds() - start;
    if (!CHECK(longest < took / 2)) fprintf(stderr, "    %f s of %f s\n", longest, took);
    CHECK_EQUAL(assay_result_over_budget(complete), 0);
    assay_result_free(complete);
    assay_rules_free(rules);
    free(columns);
    free(names);
    free(bytes);
    free(text);
}

/* A pattern whose work can explode. The bounds for its values are far above those of the call. */
static void test_time(void)
{
    assay_rules *rules = must_compile("(?:(a+)+\\1|a)*b");
    enum { ROWS = 400, BYTES = 16384 };
    char *bytes = malloc((size_t)ROWS * BYTES);
    memset(bytes, 'a', (size_t)ROWS * BYTES);
    int64_t offsets[ROWS + 1];
    for (int64_t row = 0; row <= ROWS; row++) offsets[row] = row * BYTES;
    const assay_column column = {.size = sizeof column,
                                 .layout = ASSAY_LAYOUT_OFFSETS64,
                                 .bytes = (const uint8_t *)bytes,
                                 .byte_count = (size_t)ROWS * BYTES,
                                 .offsets = offsets};
    assay_options options = {.size = sizeof options, .threads = 1, .budget_nanoseconds = 50000000};
    assay_result *result = NULL;
    const double start = seconds();
    CHECK(assay_rules_check_column(rules, 0, &column, ROWS, &options, &result) == NULL);
    const double took = seconds() - start;
    if (!CHECK(took < 1)) fprintf(stderr, "    %f s\n", took);
    CHECK(assay_result_over_budget(result) > 0);
    assay_totals totals;
    assay_result_totals(result, &totals, sizeof totals);
    CHECK_EQUAL(totals.clean, 0);
    assay_result_free(result);
    assay_rules_free(rules);
    free(bytes);
}

/* A table of texts that a test writes cell by cell. */
typedef struct table {
    size_t rows, width;
    const char *const *names;
    uint8_t *bytes[8];
    int32_t *offsets[8];
    assay_column columns[8];
} table;

static const char *const names[] = {"s", "n", "e", "l", "d", "r"};
enum { WIDTH = 6 };

static size_t put_cell(test_random *random, size_t column, char *to)
{
    static const char *const words[] = {"ab", "a1", "é", "-", "B", "abab", " ", "x@y.org"};
    char *start = to;
    if (test_random_below(random, 12) == 0) return 0;
    switch (column) {
    case 1:
        return (size_t)sprintf(to, "%d", (int)test_random_below(random, 300) - 100);
    case 2:
        return (size_t)sprintf(to, "u%u@example%s", test_random_below(random, 9),
                               test_random_below(random, 3) ? ".org" : "");
    case 3:
        for (uint32_t i = test_random_below(random, 9); i > 0; i--)
            to += sprintf(to, "%u,", test_random_below(random, 9));
        return (size_t)(to + sprintf(to, "1") - start);
    case 4:
        return (size_t)sprintf(to, "20%02u-%02u-11", test_random_below(random, 60), test_random_below(random, 14));
    default:
        for (uint32_t i = test_random_below(random, 6); i > 0; i--)
            to += sprintf(to, "%s", words[test_random_below(random, 8)]);
        return (size_t)(to - start);
    }
}

static table make_table(test_random *random, size_t rows)
{
    table made = {.rows = rows, .width = WIDTH, .names = names};
    for (size_t c = 0; c < WIDTH; c++) {
        made.bytes[c] = malloc(rows * 48 + 1);
        made.offsets[c] = malloc((rows + 1) * sizeof(int32_t));
        size_t at = 0;
        for (size_t row = 0; row < rows; row++) {
            made.offsets[c][row] = (int32_t)at;
            at += put_cell(random, c, (char *)made.bytes[c] + at);
        }
        made.offsets[c][rows] = (int32_t)at;
        made.columns[c] = (assay_column){.size = sizeof(assay_column),
                                         .name = names[c],
                                         .layout = ASSAY_LAYOUT_OFFSETS32,
                                         .bytes = made.bytes[c],
                                         .byte_count = at,
                                         .offsets = made.offsets[c]};
    }
    return made;
}

static void free_table(table *table)
{
    for (size_t c = 0; c < table->width; c++) free(table->bytes[c]), free(table->offsets[c]);
}

/* Rules of all kinds, each present or absent. */
static size_t write_rules(test_random *random, char *text)
{
    static const char *const fields[] = {
        "{name: s, constraints: {pattern: '[a-zé]*(?:-[a-z0-9]+)*', maxLength: 6}}",
        "{name: s, constraints: {pattern: '(a|b|)[^-]*\\1.*', required: true}}",
        "{name: n, type: integer, constraints: {minimum: -50, maximum: 150}}",
        "{name: e, format: email, constraints: {required: true}}",
        "{name: e, constraints: {enum: [u1@example.org, u2@example.org, u3@example, x]}}",
        "{name: l, type: list, itemType: integer}",
        "{name: d, type: date}",
        "{name: r, repair: [trim, lower, {missing: ['-']}], constraints: {required: true, maxLength: 7}}",
        "{name: r, repair: [{replace: 'ab', with: 'x'}], constraints: {pattern: 'x*[a-z0-9@. é-]*'}}",
    };
    static const size_t starts[] = {0, 2, 3, 5, 6, 7, 9};
    static const char *const rows[] = {
        "{id: one, check: 'n > 3 || s.size() < 4'}",
        "{id: two, check: 'l.all(x, x < 7)'}",
        "{id: three, check: 'l.map(x, x + n).exists(x, x == 11) || has(d)'}",
        "{id: four, check: \"s.matches('(a|b)\\\\\\\\1') || e.startsWith('u1')\"}",
        "{id: five, check: 'n / (n - 2) < 100', severity: warn}",
    };
    char *start = text;
    text += sprintf(text, "fields:\n");
    for (size_t c = 0; c < WIDTH; c++) {
        const size_t kind = starts[c] + test_random_below(random, (uint32_t)(starts[c + 1] - starts[c]));
        text += sprintf(text, "  - %s\n", fields[kind]);
    }
    text += sprintf(text, "rows:\n  - {id: zero, check: 'has(n) || has(s)'}\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (test_random_below(random, 3) > 0) text += sprintf(text, "  - %s\n", rows[i]);
    }
    return (size_t)(text - start);
}

/* The findings of a result as text, row by row. */
typedef struct listed {
    char *text;
    size_t *ends; /* by row */
} listed;

static listed list(const assay_result *result, size_t rows)
{
    listed list = {.text = malloc(rows * 900 + 900), .ends = calloc(rows + 1, sizeof *list.ends)};
    assay_cursor cursor = {0};
    assay_finding finding;
    size_t at = 0;
    size_t row = 0;
    while (assay_result_findings(result, &cursor, &finding, sizeof finding, 1) == 1) {
        while (row < finding.record - 1) list.ends[row++] = at;
        if (strcmp(finding.rule, "budget") == 0) {
            CHECK(strcmp(finding.code, "undecided") == 0);
            CHECK(strcmp(finding.message, "was not judged to the end: the budget of the call is spent") == 0);
            CHECK(finding.column == NULL);
            continue;
        }
        at += (size_t)sprintf(list.text + at, "%s %s;", finding.rule, finding.code);
    }
    while (row < rows) list.ends[row++] = at;
    return list;
}

static void free_list(listed *list) { free(list->text), free(list->ends); }

static const char *row_of(const listed *list, size_t row, size_t *count)
{
    const size_t from = row == 0 ? 0 : list->ends[row - 1];
    *count = list->ends[row] - from;
    return list->text + from;
}

/* Whether the findings of a row are a subsequence of another list. */
static bool is_part(const char *some, size_t count, const char *all, size_t all_count)
{
    size_t at = 0;
    for (size_t i = 0; i < count;) {
        size_t end = i;
        while (some[end] != ';') end++;
        const size_t length = end + 1 - i;
        while (at < all_count && (at + length > all_count || memcmp(all + at, some + i, length) != 0)) {
            while (all[at] != ';') at++;
            at++;
        }
        if (at >= all_count) return false;
        at += length;
        i = end + 1;
    }
    return true;
}

static assay_result *check(const assay_rules *rules, const table *table, const assay_options *options)
{
    assay_result *result = NULL;
    assay_fault *fault = assay_rules_check_columns(rules, table->columns, table->width, table->rows, options, &result);
    if (fault != NULL) fprintf(stderr, "%s\n", fault->text);
    CHECK(fault == NULL);
    assay_fault_free(fault);
    return result;
}

/* Compares a result under a budget with one without: rows within the budget must have the same findings, other rows
   a part of them. */
static void compare(const assay_result *found, const listed *right, size_t rows)
{
    listed listed = list(found, rows);
    const uint64_t *over = assay_result_rows(found, ASSAY_ROWS_OVER_BUDGET);
    const uint64_t *rejected = assay_result_rows(found, ASSAY_ROWS_REJECTED);
    const uint64_t *undecided = assay_result_rows(found, ASSAY_ROWS_UNDECIDED);
    uint64_t count = 0;
    for (size_t row = 0; row < rows; row++) {
        size_t one = 0, other = 0;
        const char *here = row_of(&listed, row, &one);
        const char *there = row_of(right, row, &other);
        if (!has_bit(over, row)) {
            if (!CHECK(one == other && memcmp(here, there, one) == 0)) {
                fprintf(stderr, "    row %zu: %.*s against %.*s\n", row, (int)one, here, (int)other, there);
            }
            continue;
        }
        count++;
        CHECK(has_bit(rejected, row) && has_bit(undecided, row));
        if (!CHECK(is_part(here, one, there, other))) {
            fprintf(stderr, "    row %zu: %.*s of %.*s\n", row, (int)one, here, (int)other, there);
        }
    }
    CHECK_EQUAL(count, assay_result_over_budget(found));
    CHECK_EQUAL(count, count_findings(found, "budget"));
    free_list(&listed);
}

static void test_agreement(void)
{
    test_random random = test_random_of(7);
    char text[4096];
    const unsigned long rounds = test_rounds(64);
    uint64_t partly = 0;
    for (unsigned long round = 0; round < rounds; round++) {
        const size_t count = write_rules(&random, text);
        table table = make_table(&random, 1 + test_random_below(&random, round % 4 == 0 ? 9000 : 700));
        assay_options options = {.size = sizeof options, .threads = 1};
        assay_rules *rules = must_parse(text);
        if (rules == NULL) fprintf(stderr, "%.*s\n", (int)count, text);
        assay_result *plain = check(rules, &table, &options);
        CHECK(assay_result_rows(plain, ASSAY_ROWS_OVER_BUDGET) == NULL);
        CHECK_EQUAL(assay_result_ticks(plain), 0);
        listed right = list(plain, table.rows);
        uint64_t used = 0;
        for (options.threads = 1; options.threads <= 4; options.threads += 3) {
            options.budget_ticks = UINT64_MAX / 2;
            assay_result *generous = check(rules, &table, &options);
            CHECK_EQUAL(assay_result_over_budget(generous), 0);
            compare(generous, &right, table.rows);
            assay_totals one, other;
            assay_result_totals(plain, &one, sizeof one), assay_result_totals(generous, &other, sizeof other);
            CHECK(memcmp(&one, &other, sizeof one) == 0);
            used = assay_result_ticks(generous);
            CHECK(used > 0);
            assay_result_free(generous);
        }
        for (unsigned part = 0; part <= 12; part++) {
            options.budget_ticks = 1 + used / 12 * part;
            options.threads = part % 3 == 2 ? 4 : 1;
            assay_result *cut = check(rules, &table, &options);
            compare(cut, &right, table.rows);
            CHECK(assay_result_ticks(cut) <= options.budget_ticks);
            partly += assay_result_over_budget(cut) > 0 && assay_result_over_budget(cut) < table.rows;
            /* For a table of this size, the first check builds all automata. */
            if (options.threads == 1 && table.rows > 2100) {
                assay_result *again = check(rules, &table, &options);
                CHECK(memcmp(assay_result_rows(cut, ASSAY_ROWS_OVER_BUDGET),
                             assay_result_rows(again, ASSAY_ROWS_OVER_BUDGET), (table.rows + 63) / 64 * 8) == 0);
                assay_result_free(again);
            }
            assay_result_free(cut);
        }
        assay_result_free(plain);
        assay_rules_free(rules);
        free_list(&right);
        free_table(&table);
    }
    CHECK(partly > 0);
}

/* A list that is built for each element takes memory that grows with the square of the cell. */
static void test_memory(void)
{
    assay_rules *rules = must_parse("fields: [{name: l, type: list, itemType: integer}]\n"
                                    "rows: [{id: x, check: 'l.map(x, l.map(y, x + y)).size() > 0'}]");
    /* Rows of two kinds. */
    const uint8_t *pointers[40];
    size_t lengths[40];
    char pair[] = "1,1", many[80];
    size_t at = 0;
    for (int i = 0; i < 40; i++) at += (size_t)sprintf(many + at, i == 0 ? "1" : ",1");
    for (int row = 0; row < 40; row++) {
        pointers[row] = (const uint8_t *)(row % 2 == 0 ? pair : many);
        lengths[row] = strlen(row % 2 == 0 ? pair : many);
    }
    const assay_column column = {
        .size = sizeof column, .name = "l", .layout = ASSAY_LAYOUT_POINTERS, .pointers = pointers, .lengths = lengths};
    assay_options options = {.size = sizeof options, .threads = 1, .budget_bytes = 8192};
    assay_result *result = NULL;
    CHECK(assay_rules_check_columns(rules, &column, 1, 40, &options, &result) == NULL);
    CHECK_EQUAL(assay_result_over_budget(result), 20);
    const uint64_t *over = assay_result_rows(result, ASSAY_ROWS_OVER_BUDGET);
    for (size_t row = 0; row < 40; row++) CHECK(has_bit(over, row) == (row % 2 == 1));
    CHECK(rejected_are(result, "0101010101010101010101010101010101010101"));
    options.budget_bytes = 1 << 20;
    CHECK(assay_rules_check_columns(rules, &column, 1, 40, &options, &result) == NULL);
    CHECK_EQUAL(assay_result_over_budget(result), 0);
    assay_result_free(result);
    assay_rules_free(rules);
}

/* CSV in memory has the same message. Also tests an options struct of an older program, without the newer members. */
static void test_csv(void)
{
    assay_rules *rules = must_parse("{fields: [{name: a, constraints: {pattern: '(x|y)\\1'}}], primaryKey: a}");
    char text[40000];
    size_t count = (size_t)sprintf(text, "a\n");
    for (int i = 0; i < 9000; i++) count += (size_t)sprintf(text + count, "%s\n", i % 3 == 0 ? "xx" : "yx");
    assay_options options = {.size = sizeof options, .threads = 1, .budget_ticks = UINT64_MAX};
    assay_result *result = NULL;
    CHECK(assay_rules_check_csv(rules, (const uint8_t *)text, count, &options, &result) == NULL);
    const uint64_t half = options.budget_ticks = assay_result_ticks(result) / 2;
    CHECK_EQUAL(assay_result_over_budget(result), 0);
    assay_result_free(result);
    CHECK(assay_rules_check_csv(rules, (const uint8_t *)text, count, &options, &result) == NULL);
    const uint64_t over = assay_result_over_budget(result);
    CHECK(over > 0 && over < 9000);
    CHECK_EQUAL(count_findings(result, "budget"), over);
    assay_totals totals;
    assay_result_totals(result, &totals, sizeof totals);
    CHECK_EQUAL(totals.undecided, over);
    CHECK_EQUAL(totals.clean, 1);
    CHECK(assay_result_ticks(result) <= half);
    assay_result_free(result);
    options.size = offsetof(assay_options, budget_ticks);
    CHECK(assay_rules_check_csv(rules, (const uint8_t *)text, count, &options, &result) == NULL);
    CHECK_EQUAL(assay_result_over_budget(result), 0);
    assay_result_free(result);
    assay_rules_free(rules);
}

/* Rows that share values, each of which is checked once. */
static void test_dictionary(void)
{
    assay_rules *rules = must_parse("fields: [{name: v, constraints: {pattern: '(a|b)\\1*c'}}]");
    enum { ROWS = 5000, VALUES = 500 };
    int32_t indices[ROWS];
    int32_t offsets[VALUES + 1];
    char *bytes = malloc(VALUES * 100);
    for (int32_t i = 0; i < VALUES; i++) memset(bytes + i * 100, i % 2 == 0 ? 'a' : 'b', 100), offsets[i] = i * 100;
    offsets[VALUES] = VALUES * 100;
    for (int32_t i = 0; i < ROWS; i++) indices[i] = i % VALUES;
    const void *value_buffers[] = {NULL, offsets, bytes};
    struct ArrowArray values = {.length = VALUES, .n_buffers = 3, .buffers = value_buffers, .release = release_array};
    const void *index_buffers[] = {NULL, indices};
    struct ArrowArray array = {
        .length = ROWS, .n_buffers = 2, .buffers = index_buffers, .dictionary = &values, .release = release_array};
    struct ArrowSchema value_schema = {.format = "u", .release = release_schema};
    struct ArrowSchema schema = {.format = "i",
                                 .name = "v",
                                 .flags = ARROW_FLAG_NULLABLE,
                                 .dictionary = &value_schema,
                                 .release = release_schema};
    assay_options options = {.size = sizeof options, .threads = 1, .budget_ticks = UINT64_MAX};
    assay_result *result = NULL;
    CHECK(assay_rules_check_arrow_column(rules, 0, &schema, &array, &options, &result) == NULL);
    CHECK_EQUAL(assay_result_over_budget(result), 0);
    options.budget_ticks = assay_result_ticks(result) / 2;
    assay_result_free(result);
    CHECK(assay_rules_check_arrow_column(rules, 0, &schema, &array, &options, &result) == NULL);
    const uint64_t over = assay_result_over_budget(result);
    if (!CHECK(over > 0 && over < ROWS)) fprintf(stderr, "    %llu\n", (unsigned long long)over);
    CHECK_EQUAL(count_findings(result, "budget"), over);
    CHECK_EQUAL(count_findings(result, "v.pattern"), ROWS - over);
    assay_result_free(result);
    assay_rules_free(rules);
    free(bytes);
}

int main(void)
{
    test_dictionary();
    test_csv();
    test_memory();
    test_agreement();
    test_time();
    test_many_patterns();
    return test_result();
}
