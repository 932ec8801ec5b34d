/* The DFA of a pattern, made once it pays: that takes as long as thousands of values do, and many patterns see only a
 * few. Until then PCRE2 judges, with the same verdicts. */
#include "Patterns/assay_class_resolver.h"
#include "Patterns/assay_pcre2.h"

#include <stdlib.h>

enum {
    /* With the ten patterns of Benchmarks/export.rules.yaml, DFAs and their tables have paid after about 3 500 rows
       (assay clean under callgrind, with and without --no-dfa). It is sooner, since whoever has that many mostly has
       many more. */
    ENOUGH_VALUES = 2048,
    /* So many bytes count as one value more, so that long ones, which may take PCRE2 long, do not wait for thousands. */
    COUNTED_BYTES = 64,
    /* A longer value does not wait at all: PCRE2 may take many milliseconds for it. */
    LONG_VALUE = 256,
};

bool assay_pattern_refuse_dfa(assay_pattern *pattern, assay_dfa_refusal refusal)
{
    assay_dfa_refusal *copy = malloc(sizeof *copy);
    if (copy == NULL) return false;
    *copy = refusal;
    assay_dfa_refusal *before = NULL;
    if (!atomic_compare_exchange_strong_explicit(&pattern->refusal, &before, copy, memory_order_acq_rel,
                                                 memory_order_relaxed)) {
        free(copy); /* another thread was faster */
    }
    return true;
}

/* `rows`: of the column that is about to be judged. If they are worth tables, the DFA has them before other threads
 * see it, so that none makes the same ones. */
static void make(assay_pattern *pattern, size_t rows)
{
    all_characters all = {.bytes = NULL};
    const assay_class_resolver finder = {assay_resolve_class, &all};
    assay_dfa_refusal refusal;
    assay_dfa *made = assay_dfa_create(pattern->text, pattern->count, pattern->options, &finder, &refusal);
    free(all.bytes);
    if (made == NULL) {
        /* Without memory it stays open, and PCRE2 goes on judging. */
        assay_pattern_refuse_dfa(pattern, refusal);
        return;
    }
    assay_dfa_expect_rows(made, rows);
    assay_dfa *before = NULL;
    if (!atomic_compare_exchange_strong_explicit(&pattern->dfa, &before, made, memory_order_acq_rel,
                                                 memory_order_relaxed)) {
        assay_dfa_free(made);
    }
}

/* A pattern is shared as one that nobody changes. What changes here is atomic, and seen in nothing but speed. */
static assay_pattern *changeable(const assay_pattern *pattern) { return (assay_pattern *)pattern; }

void assay_pattern_expect(const assay_pattern *shared, size_t values, size_t bytes, size_t longest)
{
    if (!assay_pattern_awaits_dfa(shared)) return;
    assay_pattern *pattern = changeable(shared);
    const size_t more = values + bytes / COUNTED_BYTES;
    const size_t before = atomic_load_explicit(&pattern->expected, memory_order_relaxed);
    if (longest <= LONG_VALUE && before < ENOUGH_VALUES && more < ENOUGH_VALUES - before) {
        /* Threads that count at once may lose some: no matter. */
        atomic_store_explicit(&pattern->expected, (uint32_t)(before + more), memory_order_relaxed);
        return;
    }
    if (!atomic_exchange_explicit(&pattern->is_being_made, true, memory_order_relaxed)) make(pattern, values);
}

assay_dfa *assay_pattern_need_dfa(const assay_pattern *pattern)
{
    if (assay_pattern_awaits_dfa(pattern)) make(changeable(pattern), 0);
    return assay_pattern_dfa_so_far(pattern);
}

assay_pattern_dfa assay_pattern_get_dfa(const assay_pattern *pattern)
{
    const assay_dfa *dfa = assay_pattern_need_dfa(pattern);
    if (dfa != NULL) return (assay_pattern_dfa){.states = assay_dfa_state_count(dfa)};
    const assay_dfa_refusal *refusal = atomic_load_explicit(&pattern->refusal, memory_order_acquire);
    if (refusal == NULL) return (assay_pattern_dfa){.refusal = "out of memory"};
    return (assay_pattern_dfa){.refusal = refusal->because, .refusal_offset = refusal->offset};
}
