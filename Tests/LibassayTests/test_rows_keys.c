/* Row rules and keys over tables in memory: columns, CSV, parts of a table, streams. */
#include "support.h"

#include <stdlib.h>

enum { MAX_ROWS = 8 };

/* A column of texts; NULL is a missing value. */
typedef struct texts {
    const uint8_t *pointers[MAX_ROWS];
    size_t lengths[MAX_ROWS];
} texts;

static assay_column column_of(const char *name, texts *texts, const char *const *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        texts->pointers[i] = (const uint8_t *)values[i];
        texts->lengths[i] = values[i] == NULL ? 0 : strlen(values[i]);
    }
    return (assay_column){.size = sizeof(assay_column),
                          .name = name,
                          .layout = ASSAY_LAYOUT_POINTERS,
                          .pointers = texts->pointers,
                          .lengths = texts->lengths};
}

/* Compares all findings, a line for each: record, column, rule, code, message. */
static bool findings_are(const assay_result *result, const char *expected)
{
    char found[4096] = "";
    assay_cursor cursor = {0};
    assay_finding finding;
    while (assay_result_findings(result, &cursor, &finding, sizeof finding, 1) == 1) {
        const size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%llu %s %s %s: %s\n", (unsigned long long)finding.record,
                 finding.column == NULL ? "-" : finding.column, finding.rule, finding.code, finding.message);
    }
    if (strcmp(found, expected) == 0) return true;
    fprintf(stderr, "    expected\n%s    found\n%s", expected, found);
    return false;
}

static const char row_rules[] = "fields:\n"
                                "  - {name: start, type: date}\n"
                                "  - {name: end, type: date}\n"
                                "  - {name: share, type: number}\n"
                                "rows:\n"
                                "  - {id: dates, check: end >= start, message: ends before it starts}\n"
                                "  - {id: half, check: 10 / int(share) > 4, severity: warn}\n";

static void rows_of_columns(void)
{
    assay_rules *rules = must_parse(row_rules);
    static const char *const starts[] = {"2026-01-02", "2026-01-02", NULL, "soon", "2026-01-02"};
    static const char *const ends[] = {"2026-01-02", "2026-01-01", "2026-01-01", "2026-01-01", ""};
    static const char *const shares[] = {"2", "1", "0", "5", "x"};
    texts memory[3];
    const assay_column columns[] = {column_of("start", &memory[0], starts, 5), column_of("end", &memory[1], ends, 5),
                                    column_of("share", &memory[2], shares, 5)};
    assay_result *result = NULL;
    CHECK(assay_rules_check_columns(rules, columns, 3, 5, NULL, &result) == NULL);
    CHECK(findings_are(result, "2 - dates row: ends before it starts\n"
                               "3 - half undecided: cannot be decided: a part of 10 / int(share) > 4 has no value, as "
                               "after a division by zero, or one that does not fit\n"
                               "4 start start.type type: is not a date (YYYY-MM-DD)\n"
                               "4 - half row: does not fulfil 10 / int(share) > 4\n"
                               "5 share share.type type: is not a number\n"));
    assay_tally *tally = assay_tally_create();
    assay_tally_add(tally, result);
    assay_rule_count count = {0};
    const size_t rules_counted = assay_tally_count(tally);
    CHECK(assay_tally_get(tally, rules_counted - 2, &count, sizeof count));
    CHECK(count.column == NULL && strcmp(count.rule, "dates") == 0);
    CHECK_EQUAL(count.failed, 1);
    CHECK(assay_tally_get(tally, rules_counted - 1, &count, sizeof count));
    CHECK(strcmp(count.rule, "half") == 0 && count.severity == ASSAY_SEVERITY_WARN);
    CHECK_EQUAL(count.failed, 1);
    CHECK_EQUAL(count.undecided, 1);
    assay_tally_free(tally);
    CHECK(rejected_are(result, "01011"));
    /* A single column: a row rule that needs other columns is rejected, and one that needs only this column runs. */
    CHECK(refused(assay_rules_check_column(rules, 1, &columns[1], 5, NULL, &result), ASSAY_FAULT_COLUMNS,
                  "the row rule 'dates' also needs the column 'start', but columns are checked separately"));
    CHECK(assay_rules_check_column(rules, 2, &columns[2], 4, NULL, &result) == NULL);
    CHECK(rejected_are(result, "0000"));
    assay_rules_free(rules);
}

/* A rule that exceeds the work or memory for a row is undecided, and its finding names the limit. */
static void limits_of_rows(void)
{
    assay_rules *rules =
        must_parse("fields: [{name: l, type: list, itemType: integer}, {name: n, type: integer}]\n"
                   "limits: {row-rule-bytes: 2K}\n"
                   "rows:\n"
                   "  - {id: space, check: \"l.map(x, l).size() > 0\"}\n"
                   "  - {id: time, check: \"l.all(a, l.all(b, l.all(c, l.all(d, l.all(e, l.all(f, f > 0))))))\"}\n");
    static const char *const lists[] = {"1,2", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25",
                                        "3"};
    static const char *const numbers[] = {"1", "2", "3"};
    texts memory[2];
    const assay_column columns[] = {column_of("l", &memory[0], lists, 3), column_of("n", &memory[1], numbers, 3)};
    assay_result *result = NULL;
    const char *const expected = "2 - space undecided: cannot be decided: l.map(x, l).size() > 0 takes over 2048 bytes "
                                 "of memory (limit row-rule-bytes)\n"
                                 "2 - time undecided: cannot be decided: l.all(a, l.all(b, l.all(c, l.all(d, l.all(e, "
                                 "l.all(f, f > 0\xe2\x80\xa6 takes over "
                                 "1000000 steps\n";
    CHECK(assay_rules_check_columns(rules, columns, 2, 3, NULL, &result) == NULL);
    CHECK(findings_are(result, expected));
    CHECK(rejected_are(result, "010"));
    CHECK(assay_rules_check_column(rules, 0, &columns[0], 3, NULL, &result) == NULL);
    CHECK(findings_are(result, expected));
    CHECK(rejected_are(result, "010"));
    assay_rules_free(rules);
}

/* A column that is absent from the table has no value in any row, as in files. */
static void missing_columns(void)
{
    assay_rules *rules = must_parse("fields: [{name: a, type: integer}, {name: b, type: integer}]\n"
                                    "fieldsMatch: partial\n"
                                    "primaryKey: [a, b]\n"
                                    "rows: [{id: less, check: a < b}, {id: has, check: has(b) || a > 1}]\n");
    static const char *const values[] = {"1", "2"};
    texts memory;
    const assay_column column = column_of("a", &memory, values, 2);
    assay_result *result = NULL;
    CHECK(assay_rules_check_columns(rules, &column, 1, 2, NULL, &result) == NULL);
    CHECK(findings_are(result, "1 - has row: does not fulfil has(b) || a > 1\n"
                               "2 - primaryKey primaryKey: lacks a part of the primary key\n"));
    CHECK(rejected_are(result, "11"));
    assay_rules_free(rules);
}

static void keys_of_columns(void)
{
    static const char *const ids[] = {"1", "01", "2", "x", "3", NULL};
    static const char *const mails[] = {"a", "b", "b", "c", "c", "d"};
    texts memory[2];
    const assay_column columns[] = {column_of("id", &memory[0], ids, 6), column_of("mail", &memory[1], mails, 6)};
    assay_result *result = NULL;
    assay_rules *first = must_parse("fields: [{name: id, type: integer}, {name: mail, constraints: {unique: true}}]\n"
                                    "primaryKey: id\n");
    const assay_options later = {.size = sizeof later, .first_record = 10};
    CHECK(assay_rules_check_columns(first, columns, 2, 6, &later, &result) == NULL);
    /* Record 12 was rejected for its id, so its mail is available. Record 14 has an invalid id. */
    CHECK(findings_are(result, "12 id primaryKey unique: equals record 11\n"
                               "14 id id.type type: is not an integer\n"
                               "16 id primaryKey primaryKey: is missing, and is the primary key\n"));
    CHECK(rejected_are(result, "010101"));
    CHECK(assay_rules_check_column(first, 1, &columns[1], 6, NULL, &result) == NULL);
    CHECK(rejected_are(result, "001010"));
    assay_rules_free(first);

    assay_rules *none = must_parse("fields: [{name: id, type: integer}, {name: mail}]\n"
                                   "uniqueKeys: [[mail], [id, mail]]\nkeep: none\n");
    CHECK(assay_rules_check_columns(none, columns, 2, 6, NULL, &result) == NULL);
    CHECK(findings_are(result, "2 mail uniqueKeys.1 unique: equals record 3\n"
                               "3 mail uniqueKeys.1 unique: equals record 2\n"
                               "4 id id.type type: is not an integer\n"));
    CHECK(rejected_are(result, "011100"));
    CHECK(refused(assay_rules_check_column(none, 0, &columns[0], 6, NULL, &result), ASSAY_FAULT_COLUMNS,
                  "the key 'uniqueKeys.2' also needs the column 'mail'"));
    assay_seen_keys *seen = NULL;
    CHECK(refused(assay_seen_keys_create(none, 0, &seen), ASSAY_FAULT_RULES, "'keep: none'"));
    CHECK(seen == NULL);
    assay_rules_free(none);
}

/* The record that `keep` prefers, and the order that the library returns for callers that compare keys. */
static void preferred_records(void)
{
    static const char *const ids[] = {"1", "1", "2", "2", "1", "3"};
    static const char *const numbers[] = {"9", "10", NULL, "-5", "010", "x"};
    texts memory[2];
    const assay_column columns[] = {column_of("id", &memory[0], ids, 6), column_of("n", &memory[1], numbers, 6)};
    static const struct {
        const char *keep, *rejected, *named;
    } cases[] = {
        {"last", "111001",
         "1 id primaryKey unique: equals record 5\n2 id primaryKey unique: equals record 5\n"
         "3 id primaryKey unique: equals record 4\n"},
        {"{max: n}", "101011",
         "1 id primaryKey unique: equals record 2\n3 id primaryKey unique: equals record 4\n"
         "5 id primaryKey unique: equals record 2\n"},
        {"{min: n}", "011011",
         "2 id primaryKey unique: equals record 1\n3 id primaryKey unique: equals record 4\n"
         "5 id primaryKey unique: equals record 1\n"},
    };
    assay_result *result = NULL;
    assay_seen_keys *seen = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[160];
        snprintf(text, sizeof text, "{fields: [{name: id}, {name: n, type: integer}], primaryKey: id, keep: %s}",
                 cases[i].keep);
        assay_rules *rules = must_parse(text);
        CHECK(assay_rules_check_columns(rules, columns, 2, 6, NULL, &result) == NULL);
        snprintf(text, sizeof text, "%s6 n n.type type: is not an integer\n", cases[i].named);
        CHECK(findings_are(result, text));
        CHECK(rejected_are(result, cases[i].rejected));
        snprintf(text, sizeof text, "'keep: %s': the records to keep are known only after the last record",
                 cases[i].keep);
        CHECK(refused(assay_seen_keys_create(rules, 0, &seen), ASSAY_FAULT_RULES, text) && seen == NULL);
        const uint8_t secret[16] = {1};
        const assay_options options = {.size = sizeof options, .key_secret = secret};
        CHECK(assay_rules_check_columns(rules, columns, 2, 6, &options, &result) == NULL);
        struct ArrowArray array;
        struct ArrowSchema schema;
        CHECK(assay_result_export_keys(result, &array, &schema) == NULL);
        CHECK_EQUAL(schema.n_children, i == 0 ? 1 : 2);
        if (i > 0) {
            CHECK(strcmp(schema.children[1]->name, "keep") == 0 && strcmp(schema.children[1]->format, "Z") == 0);
            CHECK_EQUAL(*(const uint8_t *)array.children[1]->buffers[0], 0x1b);
            CHECK_EQUAL(array.children[1]->null_count, 2);
            const int64_t *ends = array.children[1]->buffers[1];
            const uint8_t *bytes = array.children[1]->buffers[2];
            const size_t nine = (size_t)(ends[1] - ends[0]);
            const int order = memcmp(bytes + ends[0], bytes + ends[1], nine);
            CHECK(i == 1 ? order > 0 : order < 0);
            CHECK(ends[5] - ends[4] == ends[2] - ends[1]);
            CHECK(memcmp(bytes + ends[4], bytes + ends[1], (size_t)(ends[2] - ends[1])) == 0);
        }
        array.release(&array);
        schema.release(&schema);
        assay_result_free(result);
        assay_rules_free(rules);
    }
}

/* Tables that are parts of one table. */
static void keys_of_parts(void)
{
    assay_rules *rules = must_parse("fields: [{name: id, constraints: {unique: true}}]");
    assay_rules *other = must_parse("fields: [{name: id, constraints: {unique: true}}]");
    static const char *const values[] = {"a", "b", "a"};
    texts memory;
    assay_column column = column_of("id", &memory, values, 3);
    assay_seen_keys *seen = NULL;
    CHECK(refused(assay_seen_keys_create(NULL, 0, &seen), ASSAY_FAULT_ARGUMENT, "'rules' is NULL"));
    CHECK(refused(assay_seen_keys_create(rules, 0, NULL), ASSAY_FAULT_ARGUMENT, "'seen' is NULL"));
    CHECK(assay_seen_keys_create(rules, 0, &seen) == NULL);
    assay_options options = {.size = sizeof options, .seen = seen};
    assay_result *result = NULL;
    CHECK(assay_rules_check_columns(rules, &column, 1, 3, &options, &result) == NULL);
    CHECK(rejected_are(result, "001"));
    options.first_record = 3;
    CHECK(assay_rules_check_columns(rules, &column, 1, 2, &options, &result) == NULL);
    CHECK(findings_are(result, "4 id id.unique unique: equals record 1\n5 id id.unique unique: equals record 2\n"));
    CHECK(rejected_are(result, "11"));
    CHECK(refused(assay_rules_check_columns(other, &column, 1, 2, &options, &result), ASSAY_FAULT_ARGUMENT,
                  "made for other rules"));
    CHECK(refused(assay_rules_check_csv(rules, (const uint8_t *)"id\n", 3, &options, &result), ASSAY_FAULT_ARGUMENT,
                  "CSV is a table of its own"));
    assay_seen_keys_free(seen);
    assay_seen_keys_free(NULL);
    /* A program that was built before keys were added to the options. */
    options = (assay_options){.size = offsetof(assay_options, key_memory), .seen = (assay_seen_keys *)1};
    CHECK(assay_rules_check_columns(rules, &column, 1, 3, &options, &result) == NULL);
    CHECK(rejected_are(result, "001"));
    assay_rules_free(other);
    assay_rules_free(rules);
}

/* More keys than fit into the memory. CSV text then continues in a temporary file. */
static void memory_of_keys(void)
{
    enum { ROWS = 20000, DIGITS = 5 };
    assay_rules *rules = must_parse("fields: [{name: id, constraints: {unique: true}}]");
    char *text = malloc(ROWS * (DIGITS + 1) + 4);
    int32_t *offsets = malloc((ROWS + 1) * sizeof *offsets);
    memcpy(text, "id\n", 3);
    for (int row = 0; row < ROWS; row++) {
        snprintf(text + 3 + row * (DIGITS + 1), DIGITS + 2, "%05d\n", row % (ROWS - 1));
        offsets[row] = row * (DIGITS + 1);
    }
    offsets[ROWS] = ROWS * (DIGITS + 1);
    const assay_column column = {.size = sizeof column,
                                 .name = "id",
                                 .layout = ASSAY_LAYOUT_OFFSETS32,
                                 .bytes = (const uint8_t *)text + 3,
                                 .byte_count = ROWS * (DIGITS + 1),
                                 .offsets = offsets};
    assay_options options = {.size = sizeof options, .key_memory = 100000};
    assay_result *result = NULL;
    for (options.threads = 1; options.threads <= 3; options.threads++) {
        CHECK(refused(assay_rules_check_columns(rules, &column, 1, ROWS, &options, &result), ASSAY_FAULT_MEMORY,
                      "the keys of the records need more than the 100000 bytes that they may take"));
    }
    assay_totals totals;
    CHECK(assay_rules_check_csv(rules, (const uint8_t *)text, 3 + ROWS * (DIGITS + 1), &options, &result) == NULL);
    assay_result_totals(result, &totals, sizeof totals);
    CHECK_EQUAL(totals.rejected, 1);
    assay_result_free(result);
    options.key_memory = 0;
    for (options.threads = 1; options.threads <= 4; options.threads++) {
        CHECK(assay_rules_check_columns(rules, &column, 1, ROWS, &options, &result) == NULL);
        assay_result_totals(result, &totals, sizeof totals);
        CHECK_EQUAL(totals.rejected, 1);
        CHECK(findings_are(result, "20000 id id.unique unique: equals record 1\n"));
        assay_result_free(result);
    }

    /* Findings of keys take memory as well. */
    for (int row = 0; row < ROWS; row++) memcpy(text + 3 + row * (DIGITS + 1), "00007", DIGITS);
    options.threads = 1;
    CHECK(assay_rules_check_columns(rules, &column, 1, ROWS, &options, &result) == NULL);
    assay_result_totals(result, &totals, sizeof totals);
    CHECK_EQUAL(totals.rejected, ROWS - 1);
    assay_result_free(result);
    options.key_memory = 200000;
    CHECK(refused(assay_rules_check_columns(rules, &column, 1, ROWS, &options, &result), ASSAY_FAULT_MEMORY,
                  "the keys of the records need more than the 200000 bytes that they may take"));
    free(text);
    free(offsets);
    assay_rules_free(rules);
}

/* Keys that another program compares. */
static void hashes_of_keys(void)
{
    assay_rules *rules = must_parse("fields: [{name: id, type: integer, constraints: {unique: true}}, {name: n}]\n"
                                    "primaryKey: [id, n]");
    static const char *const ids[] = {"7", "007", "x", "8", NULL};
    static const char *const ns[] = {"a", "b", "a", NULL, "a"};
    texts memory[2];
    const assay_column columns[] = {column_of("id", &memory[0], ids, 5), column_of("n", &memory[1], ns, 5)};
    const uint8_t secret[16] = {1, 2, 3};
    assay_options options = {.size = sizeof options, .key_secret = secret};
    assay_result *result = NULL;
    uint8_t first[16];
    for (int run = 0; run < 2; run++) {
        CHECK(assay_rules_check_columns(rules, columns, 2, 5, &options, &result) == NULL);
        struct ArrowArray array;
        struct ArrowSchema schema;
        CHECK(assay_result_export_keys(result, &array, &schema) == NULL);
        CHECK(schema.n_children == 2 && strcmp(schema.children[0]->name, "id.unique") == 0);
        CHECK(strcmp(schema.children[1]->name, "primaryKey") == 0 && strcmp(schema.children[1]->format, "w:16") == 0);
        const uint8_t *hashes = array.children[0]->buffers[1];
        CHECK(memcmp(hashes, hashes + 16, 16) == 0);
        CHECK_EQUAL(*(const uint8_t *)array.children[0]->buffers[0], 3);
        CHECK_EQUAL(array.children[0]->null_count, 3);
        hashes = array.children[1]->buffers[1];
        CHECK(memcmp(hashes, hashes + 16, 16) != 0);
        if (run == 0) memcpy(first, hashes, 16);
        CHECK(memcmp(first, hashes, 16) == 0);
        array.release(&array);
        schema.release(&schema);
        CHECK_EQUAL(assay_result_rejected_by(result, "id"), 1);
        CHECK_EQUAL(assay_result_rejected_by(result, "n"), 0);
        CHECK(rejected_are(result, "00111"));
    }
    struct ArrowArray array;
    struct ArrowSchema schema;
    CHECK(assay_rules_check_columns(rules, columns, 2, 5, NULL, &result) == NULL);
    CHECK(refused(assay_result_export_keys(result, &array, &schema), ASSAY_FAULT_ARGUMENT, "the result has no keys"));
    assay_result_free(result);
    assay_seen_keys *seen = NULL;
    CHECK(assay_seen_keys_create(rules, 0, &seen) == NULL);
    options.seen = seen;
    CHECK(refused(assay_rules_check_columns(rules, columns, 2, 5, &options, &result), ASSAY_FAULT_ARGUMENT,
                  "both seen and key_secret"));
    assay_seen_keys_free(seen);
    assay_rules_free(rules);
    /* Columns of nulls can have any length. */
    rules = must_parse("fields: [{name: n, constraints: {unique: true}}]\nrows: [{check: has(n)}]");
    options = (assay_options){.size = sizeof options, .key_secret = secret};
    static const int64_t lengths[] = {1, (int64_t)1 << 40};
    for (int i = 0; i < 2; i++) {
        const int64_t rows = lengths[i];
        struct ArrowSchema type = {.format = "n", .name = "n", .release = release_schema}, *types[] = {&type};
        struct ArrowSchema table = {.format = "+s", .n_children = 1, .children = types, .release = release_schema};
        struct ArrowArray nulls = {.length = rows, .null_count = rows, .release = release_array},
                          *children[] = {&nulls};
        const void *buffers[] = {NULL};
        struct ArrowArray batch = {.length = rows,
                                   .n_buffers = 1,
                                   .buffers = buffers,
                                   .n_children = 1,
                                   .children = children,
                                   .release = release_array};
        for (int is_given_out = 0; is_given_out < 2; is_given_out++) {
            options.key_secret = is_given_out ? secret : NULL;
            assay_fault *fault = assay_rules_check_arrow_table(rules, &table, &batch, &options, &result);
            if (rows == 1) {
                CHECK(fault == NULL);
                CHECK(rejected_are(result, "1"));
            } else {
                CHECK(refused(fault, ASSAY_FAULT_ARGUMENT, "rows are more than"));
            }
        }
    }
    assay_rules_free(rules);
}

static void rows_and_keys_of_csv(void)
{
    assay_rules *rules = must_parse("fields: [{name: id, constraints: {unique: true}}, {name: n, type: integer}]\n"
                                    "uniqueKeys: [[id, n]]\n"
                                    "rows: [{id: positive, check: n > 0, message: is not positive}]\n");
    static const char csv[] = "id,n\na,1\nb,0\na,2\n";
    assay_result *result = NULL;
    CHECK(assay_rules_check_csv(rules, (const uint8_t *)csv, strlen(csv), NULL, &result) == NULL);
    CHECK(findings_are(result, "2 - positive row: is not positive\n3 id id.unique unique: equals record 1 (line 2)\n"));
    assay_tally *tally = assay_tally_create();
    assay_tally_add(tally, result);
    const char *const counted[] = {"n.type", "positive", "id.unique", "uniqueKeys.1"};
    assay_rule_count count;
    for (size_t i = 0; i < 4; i++) {
        CHECK(assay_tally_get(tally, i, &count, sizeof count));
        CHECK(strcmp(count.rule, counted[i]) == 0);
        CHECK_EQUAL(count.failed, i == 1 || i == 2);
        CHECK((count.column == NULL) == (i == 1 || i == 3));
    }
    assay_tally_free(tally);
    CHECK_EQUAL(assay_result_rejected_by(result, "n"), 0);
    assay_result_free(result);
    assay_rules_free(rules);
}

/* References of a table to itself are decided after the last record. A referenced file must exist. */
static void references_of_columns(void)
{
    static const char *const ids[] = {"1", "2", "03", "4", "4"};
    static const char *const bosses[] = {NULL, "1", "5", "3", "1"};
    texts memory[2];
    const assay_column columns[] = {column_of("id", &memory[0], ids, 5), column_of("boss", &memory[1], bosses, 5)};
    assay_result *result = NULL;
    assay_rules *own = must_parse("fields: [{name: id, type: integer}, {name: boss, type: integer}]\n"
                                  "primaryKey: id\n"
                                  "foreignKeys: [{fields: boss, reference: {fields: id}}]\n");
    CHECK(assay_rules_check_columns(own, columns, 2, 5, NULL, &result) == NULL);
    CHECK(findings_are(result, "3 boss foreignKeys.1 foreignKey: is not in 'id' of a clean record\n"
                               "4 boss foreignKeys.1 foreignKey: is not in 'id' of a clean record\n"
                               "5 id primaryKey unique: equals record 4\n"));
    CHECK_EQUAL(assay_result_rejected_by(result, "boss"), 2);
    CHECK(rejected_are(result, "00111"));
    assay_seen_keys *seen = NULL;
    CHECK(
        refused(assay_seen_keys_create(own, 0, &seen), ASSAY_FAULT_RULES,
                "the foreign key 'foreignKeys.1' refers to the table itself: the records to keep are known only after "
                "the last record"));
    static const uint8_t secret[16] = {1};
    const assay_options hashed = {.size = sizeof hashed, .key_secret = secret};
    CHECK(
        refused(assay_rules_check_columns(own, columns, 2, 5, &hashed, &result), ASSAY_FAULT_RULES,
                "the foreign key 'foreignKeys.1' refers to the table itself: the records to keep are known only after "
                "the last record"));
    CHECK(refused(assay_rules_check_column(own, 1, &columns[1], 5, NULL, &result), ASSAY_FAULT_COLUMNS,
                  "the foreign key 'foreignKeys.1' also needs the column 'id', but columns are checked separately"));
    static const char named[] = "fields: [{name: id}]\n"
                                "foreignKeys: [{fields: id, reference: {resource: /none/none.csv, fields: id}}]\n";
    assay_rules *file = NULL;
    CHECK(assay_rules_parse_trusted(named, strlen(named), NULL, &file) == NULL);
    CHECK(refused(assay_rules_check_column(file, 0, &columns[0], 5, NULL, &result), ASSAY_FAULT_INPUT,
                  "cannot open /none/none.csv: No such file or directory"));
    assay_references *references = NULL;
    CHECK(assay_references_create(own, 0, &references) == NULL);
    const assay_options others = {.size = sizeof others, .references = references};
    CHECK(refused(assay_rules_check_column(file, 0, &columns[0], 5, &others, &result), ASSAY_FAULT_ARGUMENT,
                  "assay_options.references was made for other rules"));
    assay_references_free(references);
    assay_rules *referenced = NULL;
    CHECK(refused(assay_rules_of_reference(file, 1, &referenced), ASSAY_FAULT_ARGUMENT,
                  "there is no foreign key 1: the rules have 1"));
    CHECK(assay_rules_of_reference(file, 0, &referenced) == NULL);
    CHECK(assay_rules_check_column(referenced, 0, &columns[0], 5, &hashed, &result) == NULL);
    struct ArrowArray array;
    struct ArrowSchema schema;
    CHECK(assay_result_export_keys(result, &array, &schema) == NULL);
    CHECK(strcmp(schema.children[0]->name, "foreignKeys.1") == 0);
    array.release(&array);
    schema.release(&schema);
    assay_result_free(result);
    assay_rules_free(referenced);
    assay_rules_free(file);
    assay_rules_free(own);
}

/* Row rules skip rows with an invalid value in a dictionary, also in the second word of a mask. */
static void rows_of_dictionaries(void)
{
    enum { ROWS = 66 };
    assay_rules *rules = must_parse("fields: [{name: n, type: integer}]\n"
                                    "rows: [{id: small, check: n < 5, message: is not small}]\n");
    static const int32_t ends[] = {0, 1, 5, 6};
    const void *texts[] = {NULL, ends, "3soon7"};
    struct ArrowArray dictionary = {.length = 3, .n_buffers = 3, .buffers = texts, .release = release_array};
    struct ArrowSchema type = {.format = "u", .release = release_schema};
    int8_t indices[ROWS] = {[0] = 2, [64] = 1, [65] = 2};
    const void *places[] = {NULL, indices};
    struct ArrowArray array = {.length = ROWS,
                               .n_buffers = 2,
                               .buffers = places,
                               .dictionary = &dictionary,
                               .release = release_array},
                      *arrays[] = {&array};
    struct ArrowSchema column = {.format = "c", .name = "n", .dictionary = &type, .release = release_schema},
                       *columns[] = {&column};
    const void *validity[] = {NULL};
    struct ArrowArray batch = {.length = ROWS,
                               .n_buffers = 1,
                               .buffers = validity,
                               .n_children = 1,
                               .children = arrays,
                               .release = release_array};
    struct ArrowSchema table = {.format = "+s", .n_children = 1, .children = columns, .release = release_schema};
    assay_result *result = NULL;
    CHECK(assay_rules_check_arrow_table(rules, &table, &batch, NULL, &result) == NULL);
    CHECK(findings_are(result, "1 - small row: is not small\n"
                               "65 n n.type type: is not an integer\n"
                               "66 - small row: is not small\n"));
    assay_result_free(result);
    assay_rules_free(rules);
}

/* Rules on the whole table are refused for tables in memory and for CSV, and ignored for single records and columns. */
static void rules_on_the_table(void)
{
    assay_rules *rules = must_parse("fields: [{name: n, type: integer}]\n"
                                    "table: [{id: enough, check: count() > 5}]\n");
    static const char *const words = "the rule 'enough' under 'table' is about the whole table";
    static const char *const numbers[] = {"1", "x"};
    texts memory;
    const assay_column column = column_of("n", &memory, numbers, 2);
    assay_result *result = NULL;
    CHECK(refused(assay_rules_check_columns(rules, &column, 1, 2, NULL, &result), ASSAY_FAULT_RULES, words));
    CHECK(refused(assay_rules_check_columns(rules, &column, 1, 0, NULL, &result), ASSAY_FAULT_RULES, words));
    CHECK(refused(assay_rules_check_csv(rules, (const uint8_t *)"n\n1\n", 4, NULL, &result), ASSAY_FAULT_RULES, words));
    const void *validity[] = {NULL};
    struct ArrowArray batch = {.n_buffers = 1, .buffers = validity, .release = release_array};
    struct ArrowSchema table = {.format = "+s", .release = release_schema};
    CHECK(refused(assay_rules_check_arrow_table(rules, &table, &batch, NULL, &result), ASSAY_FAULT_RULES, words));
    CHECK(assay_rules_check_columns(rules, &column, 1, 1, NULL, &result) == NULL);
    CHECK(rejected_are(result, "0"));
    CHECK(assay_rules_check_column(rules, 0, &column, 2, NULL, &result) == NULL);
    CHECK(rejected_are(result, "01"));
    size_t length = 1;
    const uint8_t *one = (const uint8_t *)"1";
    CHECK(assay_rules_accepts(rules, &one, &length));
    assay_rules_free(rules);
}

int main(void)
{
    rows_of_columns();
    rules_on_the_table();
    limits_of_rows();
    rows_of_dictionaries();
    missing_columns();
    keys_of_columns();
    preferred_records();
    keys_of_parts();
    memory_of_keys();
    hashes_of_keys();
    rows_and_keys_of_csv();
    references_of_columns();
    return test_result();
}
