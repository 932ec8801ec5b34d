#include "Patterns/assay_plan.h"

#include <stdlib.h>

/* Lengths in bytes. build/thresholds/paths measured the first one; the others were measured by hand, with searches for
 * one, three and ten words. */
enum {
    /* Up to this length, one step for each byte takes less time than a call of JIT code. */
    STEPS_MAX = 24,
    /* PCRE2 is never the first engine for longer values, because its time can grow faster than linearly. */
    LIMITED_MAX = 256,
    /* A search with a filter: up to this length, the DFA is faster than the filter, by shuffles or by other forms. */
    UNFILTERED_BY_SHENG = 64,
    UNFILTERED_BY_TABLES = 32,
    /* The same for columns, with and without shuffles. */
    UNFILTERED_BY_SHUFFLES = 80,
    UNFILTERED_IN_LANES = 24,
    /* Up to this length, lanes take less time than a filter that finds a candidate in one of CANDIDATES_RARE values:
     * 0.25 ns per byte against 40 ns to check it. A sample of the column decides. */
    SAMPLED_MAX = 192,
    SAMPLE = 32,
    CANDIDATES_RARE = 4,
};

/* For a pattern with look-aheads, the lazy DFA runs twice over each value and takes longer than JIT. It then checks
 * only the values that exceed PCRE2's limit. */
static pattern_engine lazy_or_pcre2(const assay_plan *plan, bool has_jit)
{
    if (plan->lazy == NULL) return ENGINE_PCRE2;
    return has_jit && assay_lazy_program_runs_twice(plan->lazy) ? ENGINE_PCRE2 : ENGINE_LAZY;
}

void assay_plan_choose(assay_plan *plan, bool has_jit)
{
    const pattern_engine others = lazy_or_pcre2(plan, has_jit);
    const bool is_fast = plan->dfa != NULL && (!has_jit || assay_dfa_has_multibyte_forms(plan->dfa));
    plan->middle_max = LIMITED_MAX;
    plan->skips = plan->lazy != NULL && assay_lazy_program_prefilter(plan->lazy) != NULL;
    plan->confirms = plan->skips && plan->dfa != NULL && !assay_dfa_is_chain(plan->dfa) ? plan->dfa : NULL;
    if (plan->dfa == NULL) {
        plan->for_short = plan->for_middle = plan->for_long = others;
    } else if (plan->lazy != NULL) {
        plan->short_max = assay_dfa_has_sheng(plan->dfa) ? UNFILTERED_BY_SHENG
                          : is_fast                      ? UNFILTERED_BY_TABLES
                                                         : STEPS_MAX;
        plan->for_short = ENGINE_DFA;
        /* With look-aheads, the lazy DFA only skips, and the other DFA checks the rest. */
        plan->for_middle = plan->for_long = others == ENGINE_LAZY ? ENGINE_LAZY : ENGINE_DFA;
    } else {
        plan->short_max = STEPS_MAX;
        plan->for_short = plan->for_long = ENGINE_DFA;
        plan->for_middle = is_fast ? ENGINE_DFA : ENGINE_PCRE2;
    }
    if (plan->for_short == ENGINE_DFA) {
        const bool is_for_all = !plan->skips && plan->for_middle == ENGINE_DFA && plan->for_long == ENGINE_DFA;
        plan->dfa_below = is_for_all ? SIZE_MAX : plan->short_max + 1;
    }
}

/* Whether the rows have at most `limit` bytes on average. The cells of skipped rows may have any content. */
static bool are_short(const assay_column_view *column, size_t limit)
{
    const assay_cell *cells = column->cells;
    const uint64_t *skip = column->skip;
    const size_t count = column->count;
    size_t bytes = 0;
    size_t rows = 0;
    for (size_t row = 0; row < count; row++) {
        if (skip != NULL && (skip[row / 64] >> (row % 64) & 1) != 0) continue;
        bytes += cells[row].length;
        rows++;
    }
    return bytes <= limit * rows;
}

/* Whether the filter of a search finds candidates in many values of a column, which must not be empty. */
static bool has_many_candidates(const assay_plan *plan, const assay_column_view *column)
{
    const size_t step = column->count / SAMPLE + 1;
    size_t sampled = 0;
    size_t found = 0;
    for (size_t row = 0; row < column->count; row += step) {
        if (column->skip != NULL && (column->skip[row / 64] >> (row % 64) & 1) != 0) continue;
        const assay_cell cell = column->cells[row];
        size_t start = 0;
        found += assay_lazy_search(plan->lazy, NULL, column->bytes + cell.start, cell.length, cell.length, &start) !=
                 DFA_FAIL;
        sampled++;
    }
    return found * CANDIDATES_RARE >= sampled;
}

pattern_engine assay_plan_for_column(const assay_plan *plan, bool has_jit, const assay_column_view *column)
{
    if (plan->dfa == NULL) return lazy_or_pcre2(plan, has_jit);
    if (plan->lazy == NULL) return ENGINE_DFA;
    if (!assay_dfa_can_match_rows(plan->dfa)) return lazy_or_pcre2(plan, has_jit);
    const bool has_shuffles = assay_dfa_has_shuffles(plan->dfa);
    if (are_short(column, has_shuffles ? UNFILTERED_BY_SHUFFLES : UNFILTERED_IN_LANES)) return ENGINE_DFA;
    if (plan->skips && are_short(column, SAMPLED_MAX) && has_many_candidates(plan, column)) return ENGINE_DFA;
    return lazy_or_pcre2(plan, has_jit);
}

void assay_plan_free(assay_plan *plan)
{
    if (plan == NULL) return;
    assay_dfa_free(plan->dfa);
    assay_lazy_program_free(plan->lazy);
    free(plan);
}
