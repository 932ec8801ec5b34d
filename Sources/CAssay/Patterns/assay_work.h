/* Work: what bounds the time that PCRE2 may take for one value.
 *
 * PCRE2's match limit counts steps, and one step may cost far more than another. The interpreter counts entries into groups
 * and backtracking points, and each may look at the whole value: `.*` runs to its end, `\1` compares half of it. JIT leaves
 * out more: the iterations of `(?:...)*`, and a `.*x` that finds no x. So there are two ways to judge a value by PCRE2:
 *
 *     plain      under a match limit so low that even the dearest steps stay within a fixed time
 *     metered    the same pattern compiled with callouts, which charge what each step really did (assay_metered.h):
 *                asked if plain gives up, or could do too little to be worth a try
 *
 * Work is counted in ticks of about a nanosecond, the same on every machine. */
#ifndef ASSAY_WORK_H
#define ASSAY_WORK_H

#include "assay/core.h"

/* What the steps of a pattern may cost, in ticks. Plain data: two patterns with equal costs have equal limits. */
typedef struct assay_work_costs {
    uint32_t step;      /* a step that looks at no byte of the value: straight through the compiled pattern */
    uint32_t byte;      /* for each byte of the value that an item looks at */
    uint32_t uncounted; /* more items that may each look at the whole value before the next count; JIT only */
    uint32_t loops;     /* 1: so may all of them in as many iterations of a group as the value has bytes; JIT only */
    uint32_t searches;  /* how many times the limit a value may take: a search begins at many places */
    /* 1: PCRE2 counts anew at each start, in searches that cannot be wrapped (assay_pattern.c). Numbers and no bools, so that
       no padding stands in the way of memcmp. */
    uint32_t counts_each_start;
} assay_work_costs;

/* The limit of a value in steps (assay_match_limits): `bytes` is its length. */
uint64_t assay_work_steps(const assay_match_limits *limits, const assay_work_costs *costs, size_t bytes);

/* The match limit for a plain run; 0: it would be too low to be of use. *is_lowered: a metered run may know more. */
uint32_t assay_work_match_limit(const assay_match_limits *limits, const assay_work_costs *costs, size_t bytes,
                                bool *is_lowered);

enum {
    /* What a user knows as one step: a callout from machine code and back. */
    ASSAY_WORK_STEP = 16,
    /* Ticks for each byte of a value that a simple item, such as [a-z]* or `.`, runs over. */
    ASSAY_WORK_BYTE = 2,
    /* The same where a back reference ignores case, and for \X, which looks up each character. */
    ASSAY_WORK_FOLDED_BYTE = 4,
    ASSAY_WORK_GRAPHEME_BYTE = 12,
};

/* Ticks for each byte that a class of so many bytes of text runs over: a class of many ranges beyond ASCII is a chain of
   comparisons. */
static inline uint32_t assay_work_class(size_t length) { return ASSAY_WORK_BYTE + (uint32_t)(length / 8); }

/* Ticks for one more frame of the interpreter, of so many bytes, which is copied from the one before. */
static inline uint32_t assay_work_frame(size_t bytes) { return (uint32_t)(bytes / 8); }

#endif
