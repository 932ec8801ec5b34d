/* The plan of a pattern: the choice of engines for its values. It is created together with the DFAs, and is the only
 * place that chooses among engines. The DFA itself selects its form (shuffles, lanes, Sheng …) from the processor and
 * its tables.
 *
 *     values       up to short_max bytes   up to middle_max bytes   longer
 *     engine       for_short               for_middle               for_long        a single value
 *                  ◄───────── the average decides: assay_plan_for_column ─────────►  a column
 *
 * A value that the chosen engine leaves unknown is passed to the next of DFA, lazy DFA, PCRE2. All engines give the
 * same verdict. */
#ifndef ASSAY_PLAN_H
#define ASSAY_PLAN_H

#include "DFA/Lazy/assay_lazy_dfa.h"
#include "DFA/assay_dfa.h"

typedef enum pattern_engine {
    ENGINE_PCRE2, /* by JIT if the pattern has machine code, otherwise by the interpreter */
    ENGINE_DFA,
    ENGINE_LAZY,
} pattern_engine;

/* Owns its DFAs. Immutable after publication, except for the tables that a DFA constructs on demand. */
typedef struct assay_plan {
    assay_dfa *dfa;            /* NULL: the pattern has no DFA, because of `refusal` */
    assay_lazy_program *lazy;  /* NULL: no lazy DFA, or `dfa` is always faster */
    const assay_dfa *confirms; /* `dfa`, if it judges the candidates of the lazy DFA's filter; otherwise NULL */
    assay_dfa_refusal refusal; /* because == NULL: the pattern has a DFA */
    bool leaves_above_bmp;     /* a DFA leaves values in which characters above U+FFFF could matter */
    pattern_engine for_short;
    pattern_engine for_middle;
    pattern_engine for_long;
    size_t short_max;
    size_t middle_max;
    size_t dfa_below; /* shorter single values are for the DFA, without a filter */
    /* Engines other than the lazy DFA check longer values of a search from the place to which assay_lazy_search has
     * skipped. */
    bool skips;
} assay_plan;

/* Chooses the engines of a plan after its DFAs are set. `has_jit`: PCRE2 has machine code. */
void assay_plan_choose(assay_plan *plan, bool has_jit);

/* Returns the engine of a single value of `count` bytes. */
static inline pattern_engine assay_plan_for_value(const assay_plan *plan, size_t count)
{
    return count <= plan->short_max ? plan->for_short : count <= plan->middle_max ? plan->for_middle : plan->for_long;
}

/* Returns the engine of a column or of a part. ENGINE_PCRE2 with `skips`: each value is skipped first, and the rest is
 * passed to the DFA, if there is one, and then to PCRE2. O(1), or O(count) if there are two DFAs. */
pattern_engine assay_plan_for_column(const assay_plan *plan, bool has_jit, const assay_column_view *column);

/* NULL is allowed. */
void assay_plan_free(assay_plan *plan);

#endif
