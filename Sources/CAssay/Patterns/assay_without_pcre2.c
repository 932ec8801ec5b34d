/* Builds without PCRE2: a DFA checks all values of every pattern, and patterns without one are refused. Replaces the
 * files that only call PCRE2. */
#include "Patterns/assay_pcre2.h"

#ifndef ASSAY_PCRE2
#include "Patterns/assay_syntax_check.h"

assay_pattern *assay_pattern_create(const uint8_t *text, size_t count, uint32_t options, size_t max_bytes,
                                    assay_error *error)
{
    assay_pattern *pattern = assay_pattern_new(text, count, options, max_bytes, error);
    if (pattern == NULL) return NULL;
    pattern->interpreted.jit_refusal = "this build has no PCRE2";
    pattern->interpreted.costs = ASSAY_WORK_COSTS_NONE;
    atomic_init(&pattern->form, &pattern->interpreted);
    /* Other engines do not exist, so the DFA replaces them. */
    pattern->options &= ~(uint32_t)(ASSAY_PATTERN_NO_DFA | ASSAY_PATTERN_NO_JIT);
    assay_syntax_mistake mistake;
    const bool is_valid = assay_syntax_check(pattern->text, count, options, &mistake);
    if (!is_valid && mistake.because == NULL) {
        assay_error_no_memory(error);
    } else if (!is_valid) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, mistake.offset, "%s", mistake.because);
    } else if ((options & ASSAY_PATTERN_ONLY_DFA) != 0 || assay_pattern_require_linear(pattern, error)) {
        return pattern;
    }
    assay_pattern_free(pattern);
    return NULL;
}

size_t assay_pattern_code_size(const assay_pattern *pattern)
{
    /* An instruction takes 12 bytes (assay_thompson.h). */
    return (size_t)assay_pattern_get_dfa(pattern).instructions * 12;
}

const char *assay_pattern_jit_refusal(const assay_pattern *pattern) { return pattern->interpreted.jit_refusal; }

/* Every pattern has its form from the beginning. */
const assay_form *assay_pattern_make_form(const assay_pattern *pattern) { return &pattern->interpreted; }

int assay_pattern_interpret_early(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value,
                                  size_t count)
{
    (void)pattern, (void)scratch, (void)value, (void)count;
    return PCRE2_ERROR_MATCHLIMIT;
}

bool assay_engine_has_jit(void) { return false; }
size_t assay_pattern_viable_prefix(const uint8_t *text, size_t text_count, uint32_t options, const uint8_t *value,
                                   size_t count)
{
    (void)text, (void)text_count, (void)options, (void)value, (void)count;
    return SIZE_MAX;
}

/* A DFA takes linear time for every value. */
bool assay_pattern_find_witness(const assay_pattern *pattern, assay_witness *witness)
{
    (void)pattern;
    *witness = (assay_witness){.growth = ASSAY_GROWTH_NOT_FOUND};
    return true;
}
#endif
