/* Support for the tests of patterns. */
#ifndef ASSAY_TEST_PATTERN_SUPPORT_H
#define ASSAY_TEST_PATTERN_SUPPORT_H

#include "assay/core.h"

#include "test.h"

/* Text with its length, so that it may contain NUL: T("a\0b") in tables, TEXT("a\0b") in expressions. */
#define T(literal)                                                                                                     \
    {                                                                                                                  \
        (const uint8_t *)(literal), sizeof(literal) - 1                                                                \
    }
#define TEXT(literal) ((assay_text)T(literal))

/* The engines, as options. */
static const uint32_t engines[] = {0, ASSAY_PATTERN_NO_DFA, ASSAY_PATTERN_NO_JIT};
enum { ENGINES = sizeof engines / sizeof engines[0] };

/* A pattern with its DFA, if it can have one. Otherwise the DFA is built only after thousands of values. */
static inline assay_pattern *create_full_match(assay_text text, uint32_t options, size_t max_bytes, assay_error *error)
{
    assay_pattern *pattern = assay_pattern_create(text.bytes, text.count, options, max_bytes, error);
    if (pattern != NULL) assay_pattern_get_dfa(pattern);
    return pattern;
}

static inline assay_pattern *compiled(assay_text text, uint32_t options)
{
    assay_error error = {0};
    assay_pattern *pattern = create_full_match(text, options, 0, &error);
    if (pattern == NULL) fprintf(stderr, "    %.*s: %s\n", (int)text.count, (const char *)text.bytes, error.message);
    return pattern;
}

/* The verdict on a copy of the value with exactly its length, so that sanitizers detect reads beyond it. */
static inline assay_verdict single_verdict(const assay_pattern *pattern, assay_scratch *scratch, assay_text value)
{
    uint8_t *copy = malloc(value.count == 0 ? 1 : value.count);
    if (value.count > 0) memcpy(copy, value.bytes, value.count);
    assay_verdict verdict = assay_pattern_match(pattern, scratch, copy, value.count);
    free(copy);
    return verdict;
}

static inline char verdict_letter(assay_verdict verdict)
{
    return verdict == ASSAY_PASS ? 'P' : verdict == ASSAY_FAIL ? 'F' : 'U';
}

#endif
