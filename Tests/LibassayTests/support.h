/* Support for the tests of libassay. Each test is a program that is linked with the installed library. */
#ifndef ASSAY_LIBASSAY_SUPPORT_H
#define ASSAY_LIBASSAY_SUPPORT_H

#include "../CAssayTests/test.h"

#include <assay/assay.h>

static inline assay_rules *must_parse(const char *text)
{
    assay_rules *rules = NULL;
    assay_fault *fault = assay_rules_parse(text, strlen(text), "test", &rules);
    if (fault != NULL) fprintf(stderr, "%s\n", fault->text);
    CHECK(fault == NULL);
    assay_fault_free(fault);
    return rules;
}

static inline assay_rules *must_compile(const char *pattern)
{
    assay_rules *rules = NULL;
    CHECK(assay_rules_from_pattern(pattern, strlen(pattern), 0, &rules) == NULL);
    return rules;
}

/* Whether a call was rejected with this code and this message. Frees the fault. */
static inline bool refused(assay_fault *fault, assay_fault_code code, const char *words)
{
    if (fault == NULL) {
        fprintf(stderr, "    not refused: %s\n", words);
        return false;
    }
    const bool is_right = fault->code == code && strstr(fault->text, words) != NULL;
    if (!is_right) fprintf(stderr, "    refused as %d: %s\n", (int)fault->code, fault->text);
    assay_fault_free(fault);
    return is_right;
}

/* Release callbacks for structures whose memory belongs to the test. */
static inline void release_array(struct ArrowArray *array) { array->release = NULL; }
static inline void release_schema(struct ArrowSchema *schema) { schema->release = NULL; }

static inline bool has_bit(const uint64_t *words, size_t row) { return words[row / 64] >> (row % 64) & 1; }

/* The rejected rows of a result as text, such as "0110". Frees the result. */
static inline bool rejected_are(assay_result *result, const char *expected)
{
    if (result == NULL) return false;
    assay_totals totals;
    assay_result_totals(result, &totals, sizeof totals);
    bool same = totals.records == strlen(expected) && totals.clean + totals.rejected == totals.records;
    const uint64_t *rows = assay_result_rows(result, ASSAY_ROWS_REJECTED);
    for (size_t row = 0; same && row < totals.records; row++) same = has_bit(rows, row) == (expected[row] == '1');
    if (!same) {
        fprintf(stderr, "    expected %s, found ", expected);
        for (size_t row = 0; row < totals.records; row++) fputc(has_bit(rows, row) ? '1' : '0', stderr);
        fputc('\n', stderr);
    }
    assay_result_free(result);
    return same;
}

#endif
