/* Patterns: the checks on the text that need no parser, and the release.
 *
 *     text ──► length, leading (*…), folded ranges ──► assay_pattern_code.c: PCRE2's code
 *                                                 └──► assay_without_pcre2.c: only a DFA
 *
 * The DFA and the metered form are not constructed here, but when values need them (assay_pattern_dfa.c,
 * assay_metered.c). */
#include "Patterns/assay_pcre2.h"

#include <stdlib.h>
#include <string.h>

uint64_t assay_pattern_folded(const uint8_t *text, size_t count, uint32_t options)
{
    size_t range = 0;
    const uint64_t span = assay_pattern_folded_span(text, count, options, ASSAY_PATTERN_FOLDED_MAX, &range);
    return span > ASSAY_PATTERN_FOLDED_MAX ? 0 : span;
}

enum {
    KNOWN_OPTIONS = ((ASSAY_PATTERN_LINEAR_TIME << 1) - 1) | ASSAY_PATTERN_ONLY_DFA | ASSAY_PATTERN_LAZY_DFA |
                    ASSAY_PATTERN_GREEDY_DFA
};

assay_pattern *assay_pattern_new(const uint8_t *text, size_t count, uint32_t options, size_t max_bytes,
                                 assay_error *error)
{
    if ((options & ~(uint32_t)KNOWN_OPTIONS) != 0) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "the options 0x%x are not options of a pattern", options);
        return NULL;
    }
    if (count == 0) text = assay_empty_value; /* `text` may be NULL then, but memchr and memcmp need a pointer */
    /* Check the length first, because the scans of the text below take time proportional to it. */
    if (max_bytes == 0) max_bytes = ASSAY_PATTERN_BYTES_MAX;
    if (count > max_bytes) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, max_bytes,
                         "a pattern may have %zu bytes, and this one has %zu", max_bytes, count);
        return NULL;
    }
    assay_pattern_refusal refusal = assay_pattern_refused_start(text, count);
    if (refusal.advice != NULL) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, refusal.offset, "a pattern may not set (*%s): %s",
                         refusal.name, refusal.advice);
        return NULL;
    }
    size_t range = 0;
    if (assay_pattern_folds_too_much(text, count, options, ASSAY_PATTERN_FOLDED_MAX, &range)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, range,
                         "ranges that ignore case may have %d characters in all; write (?-i:...) around large ones",
                         (int)ASSAY_PATTERN_FOLDED_MAX);
        return NULL;
    }
    assay_pattern *pattern = calloc(1, sizeof *pattern + count);
    if (pattern == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    pattern->options = options;
    pattern->count = count;
    if (count > 0) memcpy(pattern->text, text, count);
    return pattern;
}

void assay_pattern_free(assay_pattern *pattern)
{
    if (pattern == NULL) return;
#ifdef ASSAY_PCRE2
    const assay_form *form = atomic_load_explicit(&pattern->form, memory_order_acquire);
    if (form != NULL && form != &pattern->interpreted) {
        assay_code_free(form->code);
        free((assay_form *)form);
    }
    pcre2_code_free(pattern->interpreted.code);
#endif
    assay_plan_free(atomic_load_explicit(&pattern->plan, memory_order_acquire));
    assay_metered_free(atomic_load_explicit(&pattern->metered, memory_order_acquire));
    free(pattern);
}

size_t assay_pattern_jit_size(const assay_pattern *pattern) { return assay_pattern_form(pattern)->jit_size; }
