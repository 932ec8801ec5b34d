/* Checks single values: selects the engines and their order.
 *
 *     value ─► DFA, scalar or lazy ─unknown─► PCRE2, plain ─gave up─► DFA, made now ─► PCRE2, metered ─► undecided
 *
 * Columns take the same steps after the batch forms of the DFA (assay_pattern_column.c). */
#include "Patterns/assay_pcre2.h"

int assay_pattern_interpret(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    /* The interpreter starts with 20 KiB for frames and grows with the value; short values rarely need more. */
    if (count > 256) scratch->heap_may_be_large = true;
    return assay_interpret(pattern->interpreted.code, pattern->has_calls, (assay_text){value, count}, 0, 0,
                           scratch->match_data, scratch->context);
}

/* Checks a value by the lazy DFA. UNKNOWN: the plan has no lazy DFA, or it does not decide the value. `is_last`: PCRE2
 * cannot check it. */
static dfa_answer match_lazily(const assay_plan *plan, assay_scratch *scratch, const uint8_t *value, size_t count,
                               bool is_last)
{
    if (plan->lazy == NULL || !assay_scratch_has_caches(scratch)) return DFA_UNKNOWN;
    const uint64_t before = assay_lazy_caches_work(scratch->caches);
    const dfa_answer answer = is_last
                                  ? assay_lazy_match_as_last(plan->lazy, plan->confirms, scratch->caches, value, count)
                                  : assay_lazy_match(plan->lazy, plan->confirms, scratch->caches, value, count);
    const uint64_t visited = assay_lazy_caches_work(scratch->caches) - before;
    if (visited > 0) assay_lease_spend_once(&scratch->lease, ASSAY_BUDGET_VISIT * visited);
    return answer;
}

/* Tries the cheapest engine first: the DFA, which takes linear time; then a metered run, if the plain limit was lower
 * than the limit of the value, or if JIT ran out of stack, because the interpreter's can grow. −47 (match limit) under
 * the full limit is final: the value is undecided. */
int assay_pattern_settle(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count,
                         int rc)
{
    scratch->heap_may_be_large = true;
    const assay_plan *plan = assay_pattern_plan_for_settling(pattern, scratch);
    dfa_answer answer = DFA_UNKNOWN;
    if (!assay_lease_spend(&scratch->lease, (uint64_t)ASSAY_BUDGET_DFA_BYTE * count)) return rc;
    if (plan != NULL && plan->dfa != NULL) {
        answer = assay_dfa_match(plan->dfa, value, count);
    } else if (plan != NULL) {
        answer = match_lazily(plan, scratch, value, count, pattern->interpreted.code == NULL);
    }
    if (answer != DFA_UNKNOWN) return answer == DFA_PASS ? MATCHED : PCRE2_ERROR_NOMATCH;
    const bool has_no_stack = rc == PCRE2_ERROR_JIT_STACKLIMIT;
    if (has_no_stack || (rc == PCRE2_ERROR_MATCHLIMIT && scratch->match_limit_lowered)) {
        assay_scratch_make_jit_stack(scratch);
        rc = assay_metered_match(pattern, scratch, value, count, rc);
    }
    /* The pattern is too large for callouts, so the interpreter runs under the plain limit. */
    if (rc == PCRE2_ERROR_JIT_STACKLIMIT && pattern->interpreter_may_retry && scratch->match_limit > 0) {
        rc = assay_pattern_interpret(pattern, scratch, value, count);
    }
    if (rc < PCRE2_ERROR_NOMATCH) scratch->engine_code = rc;
    return rc;
}

static inline int match_plainly(const assay_pattern *pattern, const assay_form *form, assay_scratch *scratch,
                                const uint8_t *value, size_t count)
{
    if (form->jit_size == 0) return assay_pattern_interpret(pattern, scratch, value, count);
    int rc = pcre2_jit_match(form->code, value, count, 0, 0, scratch->match_data, scratch->context);
    if (__builtin_expect(rc == PCRE2_ERROR_JIT_STACKLIMIT, 0) && assay_scratch_make_jit_stack(scratch)) {
        rc = pcre2_jit_match(form->code, value, count, 0, 0, scratch->match_data, scratch->context);
    }
    return rc;
}

/* The maximum ticks per count for which a plain run precedes the metered one. */
static uint64_t max_of_a_count(size_t count) { return 4096 + 16 * (uint64_t)count; }

/* PCRE2 does not report how many counts a run took, only that a limit was not enough. The limit therefore starts small
 * and grows sixteenfold, and each run is charged by it. Patterns with possibly expensive counts begin with the metered
 * run, which is charged exactly; if it reaches its limit, the plain one decides as without a budget. All runs give
 * PCRE2's verdict, so that a verdict does not depend on the budget. */
int assay_pattern_match_charged(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value,
                                size_t count)
{
    assay_lease *lease = &scratch->lease;
    if (lease->is_spent) return PCRE2_ERROR_MATCHLIMIT;
    const assay_form *form = assay_pattern_form(pattern);
    assay_scratch_for(scratch, form);
    const size_t blocks = assay_scratch_blocks(count);
    if (blocks != scratch->limit_blocks) assay_scratch_set_limit(scratch, blocks);
    int rc = PCRE2_ERROR_MATCHLIMIT;
    if (assay_scratch_admits(scratch, pattern, value, count)) {
        const uint64_t each = assay_work_count(&form->costs, count);
        if (scratch->match_limit_lowered && each > max_of_a_count(count)) {
            assay_scratch_make_jit_stack(scratch);
            rc = assay_metered_match(pattern, scratch, value, count, rc);
            if (rc >= PCRE2_ERROR_NOMATCH) return rc;
            rc = PCRE2_ERROR_MATCHLIMIT;
        }
        uint64_t limit = (1024 + 8 * (uint64_t)count) / (each + 1) + 1;
        for (;; limit *= 16) {
            if (limit > scratch->match_limit) limit = scratch->match_limit;
            if (!assay_lease_spend(lease, limit * each)) break;
            pcre2_set_match_limit(scratch->context, (uint32_t)limit);
            rc = match_plainly(pattern, form, scratch, value, count);
            if (rc != PCRE2_ERROR_MATCHLIMIT || limit == scratch->match_limit) break;
        }
        pcre2_set_match_limit(scratch->context, scratch->match_limit);
    }
    if (rc < PCRE2_ERROR_NOMATCH && !lease->is_spent) rc = assay_pattern_settle(pattern, scratch, value, count, rc);
    return rc;
}

_Static_assert((int)DFA_PASS == ASSAY_PASS && (int)DFA_FAIL == ASSAY_FAIL && (int)DFA_UNKNOWN == ASSAY_UNDECIDED,
               "answers of a DFA are verdicts");

static inline assay_verdict verdict_of(dfa_answer answer) { return (assay_verdict)answer; }

/* Returns the engine of a single value. The plan prefers PCRE2 to a DFA that steps one byte at a time; after many such
 * values, the DFA gets the tables for columns, which are faster. */
static inline pattern_engine engine_for(const assay_plan *plan, size_t count)
{
    const pattern_engine engine = assay_plan_for_value(plan, count);
    if (engine != ENGINE_PCRE2 || plan->dfa == NULL) return engine;
    return assay_dfa_expect_value(plan->dfa) ? ENGINE_DFA : ENGINE_PCRE2;
}

static __attribute__((noinline)) assay_verdict match_long_by_dfa(const assay_plan *plan, const uint8_t *value,
                                                                 size_t count)
{
    if (engine_for(plan, count) != ENGINE_DFA) return ASSAY_UNDECIDED;
    return verdict_of(assay_dfa_match(plan->dfa, value, count));
}

assay_verdict assay_pattern_match_short(const assay_pattern *pattern, const uint8_t *value, size_t count)
{
    const assay_plan *plan = assay_pattern_plan_so_far(pattern);
    if (plan == NULL) return ASSAY_UNDECIDED;
    if (count >= plan->dfa_below) return match_long_by_dfa(plan, value, count);
    return verdict_of(assay_dfa_match(plan->dfa, value, count));
}

bool assay_pattern_passes_by_dfa(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value,
                                 size_t count)
{
    const assay_plan *plan = assay_pattern_plan_so_far(pattern);
    if (plan == NULL) {
        assay_pattern_expect(pattern, scratch, 1, count, count);
        plan = assay_pattern_plan_so_far(pattern);
        if (plan == NULL) return false;
    }
    if (count < plan->dfa_below) return assay_dfa_match(plan->dfa, value, count) == DFA_PASS;
    return match_long_by_dfa(plan, value, count) == ASSAY_PASS;
}

static __attribute__((noinline)) assay_verdict match_by_pcre2(const assay_pattern *pattern, assay_scratch *scratch,
                                                              const uint8_t *value, size_t count)
{
    int rc;
    if (scratch->lease.budget != NULL) {
        rc = assay_pattern_match_charged(pattern, scratch, value, count);
    } else {
        const assay_form *form = assay_pattern_form(pattern);
        assay_scratch_for(scratch, form);
        const size_t blocks = assay_scratch_blocks(count);
        if (blocks != scratch->limit_blocks) assay_scratch_set_limit(scratch, blocks);
        rc = PCRE2_ERROR_MATCHLIMIT;
        if (assay_scratch_admits(scratch, pattern, value, count)) {
            rc = match_plainly(pattern, form, scratch, value, count);
        }
        if (rc < PCRE2_ERROR_NOMATCH) rc = assay_pattern_settle(pattern, scratch, value, count, rc);
    }
    if (scratch->heap_may_be_large) assay_scratch_trim_heap(scratch);
    if (rc >= MATCHED) return ASSAY_PASS;
    return rc == PCRE2_ERROR_NOMATCH ? ASSAY_FAIL : ASSAY_UNDECIDED;
}

/* Checks a value that the plan, if there is one, does not leave to the DFA at once. */
static __attribute__((noinline)) assay_verdict match_by_plan(const assay_pattern *pattern, assay_scratch *scratch,
                                                             const uint8_t *value, size_t count)
{
    const assay_plan *plan = assay_pattern_plan_so_far(pattern);
    if (plan == NULL) {
        /* Construct the plan, if enough others preceded this value, or if it is long and not decided early. */
        assay_pattern_expect(pattern, scratch, 1, count, 0);
        const int rc = assay_pattern_match_first(pattern, scratch, value, count);
        if (rc >= PCRE2_ERROR_NOMATCH) return rc == PCRE2_ERROR_NOMATCH ? ASSAY_FAIL : ASSAY_PASS;
        assay_pattern_expect(pattern, scratch, 0, 0, count);
        plan = assay_pattern_plan_so_far(pattern);
    }
    if (plan != NULL) {
        /* JIT on the thread's stack takes a nanosecond more for each value. */
        if (scratch->wants_jit_stack) assay_scratch_make_jit_stack(scratch);
        const pattern_engine engine = engine_for(plan, count);
        dfa_answer answer = engine == ENGINE_LAZY ? match_lazily(plan, scratch, value, count, false) : DFA_UNKNOWN;
        if (answer == DFA_UNKNOWN && plan->skips && count > plan->short_max) {
            size_t start;
            const dfa_answer found = assay_lazy_search(plan->lazy, plan->confirms, value, count, count, &start);
            if (found != DFA_UNKNOWN) return verdict_of(found);
            value += start;
            count -= start;
        }
        if (engine == ENGINE_DFA) answer = assay_dfa_match(plan->dfa, value, count);
        if (answer != DFA_UNKNOWN) return verdict_of(answer);
    }
    return match_by_pcre2(pattern, scratch, value, count);
}

/* Short, because a DFA decides most values. */
assay_verdict assay_pattern_match(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value,
                                  size_t count)
{
    if (count == 0) value = assay_empty_value;
    const assay_plan *plan = assay_pattern_plan_so_far(pattern);
    if (plan == NULL || count >= plan->dfa_below) return match_by_plan(pattern, scratch, value, count);
    const dfa_answer answer = assay_dfa_match(plan->dfa, value, count);
    if (answer == DFA_UNKNOWN) return match_by_pcre2(pattern, scratch, value, count);
    return verdict_of(answer);
}
