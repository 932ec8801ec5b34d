/* The plan of a pattern: which engine judges which of its values. It is made once, when the DFAs are, and is the one place
 * that chooses among engines. Which form of a DFA runs (shuffles, lanes, Sheng …) is decided by the DFA itself, from the
 * processor and from the tables that it has.
 *
 *     values       up to short_max bytes   up to middle_max bytes   longer
 *     engine       for_short               for_middle               for_long        a single value
 *                  ◄───────── the average decides: assay_plan_for_column ─────────►  a column
 *
 * A value that the chosen engine leaves unknown goes to the next one: DFA, lazy DFA, PCRE2. All of them give the same
 * verdict. */
#ifndef ASSAY_PLAN_H
#define ASSAY_PLAN_H

#include "DFA/Lazy/assay_lazy_dfa.h"
#include "DFA/assay_dfa.h"

typedef enum pattern_engine {
    ENGINE_PCRE2, /* by JIT if the pattern has machine code, otherwise by the interpreter */
    ENGINE_DFA,
    ENGINE_LAZY,
} pattern_engine;

/* Owns its DFAs. Immutable once published, but for the tables that a DFA makes on demand. */
typedef struct assay_plan {
    assay_dfa *dfa;            /* NULL: the pattern has none, because of `refusal` */
    assay_lazy_program *lazy;  /* NULL: it has none, or `dfa` is always faster */
    assay_dfa_refusal refusal; /* because == NULL: it has a DFA */
    bool leaves_above_bmp;     /* either DFA leaves values in which characters above U+FFFF could matter */
    pattern_engine for_short;
    pattern_engine for_middle;
    pattern_engine for_long;
    size_t short_max;
    size_t middle_max;
    /* Engines other than the lazy DFA get values of a search, if they are not short, from where assay_lazy_skip has skipped to. */
    bool skips;
} assay_plan;

/* Chooses the engines of a plan whose DFAs are known. `has_jit`: PCRE2 judges by machine code. */
void assay_plan_choose(assay_plan *plan, bool has_jit);

/* The engine of a single value of `count` bytes. */
static inline pattern_engine assay_plan_for_value(const assay_plan *plan, size_t count)
{
    return count <= plan->short_max ? plan->for_short : count <= plan->middle_max ? plan->for_middle : plan->for_long;
}

/* Returns the engine of a column, or of a part of one. ENGINE_PCRE2 with `skips`: each value is skipped, and the rest goes to the
   DFA first, if there is one. O(1), or O(count) if there are two DFAs to choose from. The bytes of the
   values are not read. */
pattern_engine assay_plan_for_column(const assay_plan *plan, bool has_jit, const assay_column_view *column);

/* NULL is allowed. */
void assay_plan_free(assay_plan *plan);

#endif
