/* Judges single values: which engine, and in which order.
 *
 *     value ──► DFA, scalar or lazy ──unknown──► PCRE2, plain ──gave up──► DFA, made now ──► PCRE2, metered ──► undecided
 *
 * Columns take the same steps after the batch forms of the DFA (assay_pattern_column.c). */
#include "Patterns/assay_pcre2.h"

int assay_pattern_interpret(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    /* The interpreter starts with 20 KiB for frames and grows with the value; for short values it mostly stays
       there. */
    if (count > 256) scratch->heap_may_be_large = true;
    return pcre2_match(pattern->code, value, count, 0, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, scratch->match_data,
                       scratch->context);
}

/* Tries the cheapest first: the DFA, which takes linear time; then a metered run, if the plain limit was lower than the
   value is allowed, or if JIT ran out of stack, since the interpreter's can grow. −47 (match limit) under the whole
   limit is final: the value is undecided. */
int assay_pattern_settle(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count,
                         int rc)
{
    scratch->heap_may_be_large = true;
    assay_dfa *dfa = assay_pattern_need_dfa(pattern);
    dfa_answer answer = DFA_UNKNOWN;
    if (dfa != NULL) answer = assay_dfa_judge(dfa, value, count);
    if (dfa == NULL) answer = assay_pattern_judge_lazily(pattern, scratch, value, count);
    if (answer != DFA_UNKNOWN) return answer == DFA_PASS ? MATCHED : PCRE2_ERROR_NOMATCH;
    const bool has_no_stack = rc == PCRE2_ERROR_JIT_STACKLIMIT;
    if (has_no_stack || (rc == PCRE2_ERROR_MATCHLIMIT && scratch->match_limit_lowered)) {
        rc = assay_metered_match(pattern, scratch, value, count, rc);
    }
    /* The pattern is too large for callouts, so the interpreter runs under the plain limit. */
    if (rc == PCRE2_ERROR_JIT_STACKLIMIT && pattern->interpreter_may_retry && scratch->match_limit > 0) {
        rc = assay_pattern_interpret(pattern, scratch, value, count);
    }
    if (rc < PCRE2_ERROR_NOMATCH) scratch->engine_code = rc;
    return rc;
}

bool assay_pattern_prefers_dfa(const assay_pattern *pattern, const assay_dfa *dfa, size_t count)
{
    return pattern->jit_size == 0 || assay_dfa_is_fast(dfa, count);
}

assay_verdict assay_pattern_match_short(const assay_pattern *pattern, const uint8_t *value, size_t count)
{
    assay_dfa *dfa = assay_pattern_dfa_so_far(pattern);
    if (dfa == NULL || !assay_pattern_prefers_dfa(pattern, dfa, count)) return ASSAY_UNDECIDED;
    const dfa_answer answer = assay_dfa_judge(dfa, value, count);
    if (answer == DFA_UNKNOWN) return ASSAY_UNDECIDED;
    return answer == DFA_PASS ? ASSAY_PASS : ASSAY_FAIL;
}

assay_verdict assay_pattern_match(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value,
                                  size_t count)
{
    if (count == 0) value = assay_empty_value;
    const assay_lazy_program *lazy = atomic_load_explicit(&pattern->lazy, memory_order_acquire);
    const bool is_for_prefilter = lazy != NULL && count > SHORT_BLOCK && assay_pattern_dfa_so_far(pattern) != NULL;
    assay_verdict quick = is_for_prefilter ? ASSAY_UNDECIDED : assay_pattern_match_short(pattern, value, count);
    if (quick != ASSAY_UNDECIDED) return quick;
    if (assay_pattern_awaits_dfa(pattern)) {
        /* Makes the DFA, if this value is long or enough others were before it. */
        assay_pattern_expect(pattern, 1, count, count);
        quick = assay_pattern_match_short(pattern, value, count);
        if (quick != ASSAY_UNDECIDED) return quick;
    }
    lazy = atomic_load_explicit(&pattern->lazy, memory_order_acquire);
    dfa_answer answer = DFA_UNKNOWN;
    if (assay_pattern_prefers_lazy(pattern, lazy)) answer = assay_pattern_judge_lazily(pattern, scratch, value, count);
    if (answer != DFA_UNKNOWN) return answer == DFA_PASS ? ASSAY_PASS : ASSAY_FAIL;
    assay_scratch_for(scratch, pattern);
    const size_t blocks = assay_scratch_blocks(count);
    if (blocks != scratch->limit_blocks) assay_scratch_set_limit(scratch, blocks);
    int rc = PCRE2_ERROR_MATCHLIMIT;
    if (assay_scratch_admits(scratch, pattern, value, count)) {
        rc = pattern->jit_size > 0
                 ? pcre2_jit_match(pattern->code, value, count, 0, 0, scratch->match_data, scratch->context)
                 : assay_pattern_interpret(pattern, scratch, value, count);
    }
    if (rc < PCRE2_ERROR_NOMATCH) rc = assay_pattern_settle(pattern, scratch, value, count, rc);
    if (scratch->heap_may_be_large) assay_scratch_trim_heap(scratch);
    if (rc >= MATCHED) return ASSAY_PASS;
    return rc == PCRE2_ERROR_NOMATCH ? ASSAY_FAIL : ASSAY_UNDECIDED;
}
