/* assay_rules_accepts on single records, compared with the findings of assay_rules_check_columns on all of them. */
#include "support.h"

/* Fields that use each kind of check, in each position. */
static const char *const documents[] = {
    "fields: [{name: v}]",
    "fields: [{name: v, constraints: {required: true}}]",
    "{missingValues: ['', NA, '-'], fields: [{name: v, type: integer, constraints: {required: true}}]}",
    "{missingValues: [], fields: [{name: v, constraints: {minLength: 1}}]}",
    "{missingValues: ['NA'], fields: [{name: v, type: number, constraints: {minimum: -2, maximum: 100}}]}",
    "fields: [{name: v, missingValues: ['0', none], type: integer}]",
    "fields: [{name: v, type: date, constraints: {minimum: 2024-01-01}}]",
    "fields: [{name: v, type: date, format: '%d.%m.%Y'}]",
    "fields: [{name: v, type: datetime}]",
    "fields: [{name: v, type: time}]",
    "fields: [{name: v, type: boolean}]",
    "fields: [{name: v, type: number, decimalChar: ',', groupChar: '.'}]",
    "fields: [{name: v, type: list, constraints: {maxLength: 2}}]",
    "fields: [{name: v, type: array}]",
    "fields: [{name: v, type: string, format: email}]",
    "fields: [{name: v, type: string, format: uuid}]",
    "fields: [{name: v, type: integer, categories: ['1', '2', '12']}]",
    "fields: [{name: v, constraints: {enum: [a, b, ä, 'NA'], maxLength: 1}}]",
    "fields: [{name: v, constraints: {pattern: '[a-zäé]+'}}]",
    "fields: [{name: v, constraints: {pattern: '(a+)+\\1b'}}]",
    "fields: [{name: v, lengthUnit: characters, constraints: {minLength: 2, maxLength: 3}}]",
    "fields: [{name: v, rules: [{id: w, pattern: '[0-9]+', severity: warn}, {id: x, pattern: '..', options: "
    "[search]}]}]",
    "fields: [{name: v, constraints: {pattern: '[a-z]+'}}]\nlimits: {match-per-byte: 100}",
    "fields: [{name: v, type: integer}]\nrows: [{id: small, check: 'v < 10'}]",
};

static const char *const values[] = {
    NULL,
    "",
    "0",
    "-2",
    "-3",
    "12",
    "100",
    "101",
    "1e2",
    "+7.25",
    "1.234,5",
    "NA",
    "-",
    "a",
    "ab",
    "abc",
    "abcd",
    "ä",
    "äé",
    "b",
    "e\xCC\x81"
    "e",
    "true",
    " 1",
    "[1]",
    "{}",
    "none",
    "2024-02-29",
    "2023-02-29",
    "29.02.2024",
    "12:30:00",
    "a,b",
    "a,b,c",
    "\xFF",
    "a\xC3",
    "2024-02-29T12:30:00Z",
    "a@example.org",
    "a@example",
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "aab",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "a text of more than sixty-four bytes, of which "
    "no check needs the last ones: ä",
};
enum { VALUES = sizeof values / sizeof values[0] };

static void check_document(const char *text)
{
    assay_rules *rules = NULL;
    assay_fault *fault = assay_rules_parse(text, strlen(text), "test", &rules);
    if (!CHECK(fault == NULL)) {
        fprintf(stderr, "%s\n", fault->text);
        assay_fault_free(fault);
        return;
    }
    size_t lengths[VALUES];
    for (size_t i = 0; i < VALUES; i++) lengths[i] = values[i] == NULL ? 0 : strlen(values[i]);
    const assay_column column = {.size = sizeof column,
                                 .name = "v",
                                 .layout = ASSAY_LAYOUT_POINTERS,
                                 .pointers = (const uint8_t *const *)values,
                                 .lengths = lengths};
    assay_result *result = NULL;
    if (CHECK(assay_rules_check_columns(rules, &column, 1, VALUES, NULL, &result) == NULL)) {
        bool has_finding[VALUES] = {false};
        assay_cursor cursor = {0};
        assay_finding findings[16];
        for (size_t count = 1; count > 0;) {
            count = assay_result_findings(result, &cursor, findings, sizeof findings[0], 16);
            for (size_t i = 0; i < count; i++) has_finding[findings[i].record - 1] = true;
        }
        /* Twice, because a pattern may change its engine. */
        for (int round = 0; round < 2; round++) {
            for (size_t i = 0; i < VALUES; i++) {
                const uint8_t *value = (const uint8_t *)values[i];
                if (CHECK(assay_rules_accepts(rules, &value, &lengths[i]) == !has_finding[i])) continue;
                fprintf(stderr, "    %s: %s\n", text, values[i] == NULL ? "null" : values[i]);
            }
        }
        assay_result_free(result);
    }
    assay_rules_free(rules);
}

/* All fields count, also behind missing ones. */
static void test_several_fields(void)
{
    assay_rules *rules = must_parse("fields: [{name: a, type: integer}, {name: b}, {name: c, type: date}]");
    const char *const records[][3] = {{"1", "x", "2024-01-01"},
                                      {NULL, NULL, NULL},
                                      {"x", "x", "2024-01-01"},
                                      {NULL, "x", "2024-13-01"},
                                      {"1", "\xFF", ""}};
    static const bool expected[] = {true, true, false, false, false};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        size_t lengths[3];
        for (size_t k = 0; k < 3; k++) lengths[k] = records[i][k] == NULL ? 0 : strlen(records[i][k]);
        CHECK(assay_rules_accepts(rules, (const uint8_t *const *)records[i], lengths) == expected[i]);
    }
    assay_rules_free(rules);
}

int main(void)
{
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) check_document(documents[i]);
    test_several_fields();
    return test_result();
}
