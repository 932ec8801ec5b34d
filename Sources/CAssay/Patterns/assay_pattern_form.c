/* Decides when the machine code of a pattern is made. Making it takes up to five times as long as compiling the
 * pattern, and many patterns check only a few values. The interpreter therefore checks the first ones, with the same
 * verdicts:
 *
 *     values    1 ──► … ──► INTERPRETED_BYTES, a plan or a column ──► assay_pattern_make_form
 *
 * Threads never wait: several may make the form, and the first one to finish publishes it. */
#include "Patterns/assay_pcre2.h"

#ifdef ASSAY_PCRE2
#include <stdlib.h>

enum {
    /* The interpreter takes about as long for this number of bytes as the compiler takes to make machine code. */
    INTERPRETED_BYTES = 1024,
    /* The bytes that a value counts in addition to its own, and the times that the bytes of a search count, because
     * there a match begins at each. */
    VALUE_BYTES = 24,
    TIMES_OF_SEARCHES = 8,
    /* Longer values are not for the interpreter. */
    LONGEST = 1024,
    /* The maximum ticks of a value: those of a plan and machine code. */
    EARLY_TICKS = 1000000,
    /* With fewer counts, the interpreter would usually give up. A search needs two at each place, and more for a
     * choice among many alternatives. */
    USEFUL_COUNTS = 4,
    USEFUL_COUNTS_OF_PLACE = 2,
    ALTERNATIVES_OF_COUNT = 4,
};

const assay_form *assay_pattern_make_form(const assay_pattern *shared)
{
    /* The const is cast away: a pattern is shared as immutable, and this cache is atomic and changes no verdict. */
    assay_pattern *pattern = (assay_pattern *)shared;
    assay_form *made = malloc(sizeof *made);
    if (made != NULL) {
        *made = (assay_form){.code = pcre2_code_copy(pattern->interpreted.code), .costs = pattern->jit_costs};
        if (made->code != NULL) made->jit_size = assay_compile_to_machine_code(made->code);
        if (made->jit_size == 0) {
            assay_code_free(made->code);
            free(made);
            made = NULL;
        }
    }
    const assay_form *form = made != NULL ? made : &pattern->interpreted;
    const assay_form *before = NULL;
    ASSAY_CHAOS_POINT();
    if (atomic_compare_exchange_strong_explicit(&pattern->form, &before, form, memory_order_acq_rel,
                                                memory_order_acquire)) {
        return form;
    }
    if (made != NULL) assay_code_free(made->code);
    free(made);
    return before;
}

/* Returns the match limit of the interpreter under which each decided value is one that a plain run of either form
 * would also decide, so that a verdict does not depend on the number of earlier values: between two counts of the
 * interpreter, machine code counts at most once at each item. 0: so few that it would usually give up. */
static uint32_t early_limit(const assay_pattern *pattern, const assay_match_limits *limits, size_t count)
{
    bool is_lowered;
    const size_t bytes = assay_scratch_bytes(assay_scratch_blocks(count));
    const uint32_t by_jit = assay_work_match_limit(limits, &pattern->jit_costs, bytes, &is_lowered);
    const uint32_t interpreted = assay_work_match_limit(limits, &pattern->interpreted.costs, bytes, &is_lowered);
    uint64_t max = (by_jit < interpreted ? by_jit : interpreted) / (pattern->counted_items + 1);
    const uint64_t patience = EARLY_TICKS / assay_work_count(&pattern->interpreted.costs, count);
    if (patience < max) max = patience;
    const size_t of_place = USEFUL_COUNTS_OF_PLACE + pattern->alternatives / ALTERNATIVES_OF_COUNT;
    const size_t useful = pattern->is_wrapped ? of_place * count : USEFUL_COUNTS;
    return max > useful ? (uint32_t)max - 1 : 0;
}

int assay_pattern_interpret_early(const assay_pattern *shared, assay_scratch *scratch, const uint8_t *value,
                                  size_t count)
{
    assay_pattern *pattern = (assay_pattern *)shared;
    const uint32_t before = atomic_load_explicit(&pattern->interpreted_bytes, memory_order_relaxed);
    const bool is_early = count <= LONGEST && before < INTERPRETED_BYTES;
    if (!is_early || pattern->has_grapheme || scratch->lease.budget != NULL) return PCRE2_ERROR_MATCHLIMIT;
    /* Not an atomic addition: concurrent threads may lose some bytes, which is harmless. */
    const size_t bytes = VALUE_BYTES + (pattern->is_wrapped ? TIMES_OF_SEARCHES : 1) * count;
    atomic_store_explicit(&pattern->interpreted_bytes, before + (uint32_t)bytes, memory_order_relaxed);
    const uint32_t limit = early_limit(pattern, &scratch->limits, count);
    if (limit == 0) return PCRE2_ERROR_MATCHLIMIT;
    pcre2_set_match_limit(scratch->context, limit);
    scratch->limit_blocks = SIZE_MAX; /* the context no longer has the limit of any block */
    const int rc = assay_pattern_interpret(pattern, scratch, value, count);
    return rc < PCRE2_ERROR_NOMATCH ? PCRE2_ERROR_MATCHLIMIT : rc;
}

const char *assay_pattern_jit_refusal(const assay_pattern *pattern)
{
    if (assay_pattern_form(pattern)->jit_size > 0) return NULL;
    if (pattern->interpreted.jit_refusal != NULL) return pattern->interpreted.jit_refusal;
    /* pcre2_jit_compile returns PCRE2_ERROR_NOMEMORY in both cases. */
    return assay_engine_has_jit() ? "the pattern is too large for JIT" : "this host does not allow JIT";
}
#endif
