/* Work: the bound on the time that PCRE2 may take for one value.
 *
 * PCRE2's match limit counts steps, but one step may cost far more than another. The interpreter counts entries into
 * groups and backtracking points, and between two counts it may examine the whole value: `.*` runs to its end, `\1`
 * compares half of the value. JIT counts even less: not the iterations of `(?:...)*`, and not a `.*x` that finds no x.
 * PCRE2 therefore checks a value in up to two runs:
 *
 *     plain      under a match limit so low that even the most expensive steps stay within a fixed amount of work
 *     metered    the same pattern compiled with callouts, which charge for the work that each step did
 *                (assay_metered.h); used if the plain run gives up, or if its limit would be too low to be useful
 *
 * Work is counted in ticks, nominally a nanosecond, and never timed: a verdict is the same on every machine. */
#ifndef ASSAY_WORK_H
#define ASSAY_WORK_H

#include "assay/core.h"

/* The maximum costs of the steps of a pattern, in ticks. Plain data, compared by memcmp: patterns with equal costs
 * share limits. */
typedef struct assay_work_costs {
    uint32_t step;      /* a step that examines no byte of the value: straight through the compiled pattern */
    uint32_t byte;      /* for each byte of the value that an item examines */
    uint32_t reach;     /* the maximum number of bytes that an item examines (assay_pattern_reach.h) */
    uint32_t uncounted; /* further items that may each examine the whole value before the next count; JIT only */
    uint32_t loops;     /* 1: they may do so in each iteration of a group, of which there is one per byte; JIT only */
    uint32_t searches;  /* a factor on the limit of a value: a search begins at many places */
    /* 1: PCRE2 restarts its count at each start, in searches that cannot be wrapped (assay_pattern.c). All members are
     * numbers of one size, so that memcmp does not compare padding. */
    uint32_t counts_each_start;
} assay_work_costs;

/* Returns the limit of a value of `bytes` bytes, in the steps of assay_match_limits. */
uint64_t assay_work_steps(const assay_match_limits *limits, const assay_work_costs *costs, size_t bytes);

/* Returns PCRE2's match limit for a plain run; 0: it would be too low to be useful, so the metered run must follow.
 * *is_lowered: the limit is lower than that of assay_work_steps, so a metered run may decide a value that exceeds this
 * one. */
uint32_t assay_work_match_limit(const assay_match_limits *limits, const assay_work_costs *costs, size_t bytes,
                                bool *is_lowered);

/* Returns the maximum ticks that one count of PCRE2's match limit may cost in a plain run over a value of `bytes`
 * bytes. */
uint64_t assay_work_count(const assay_work_costs *costs, size_t bytes);

/* Returns the maximum ticks for a value of `bytes` bytes, in a plain and a metered run. */
uint64_t assay_work_max(const assay_match_limits *limits, const assay_work_costs *costs, size_t bytes);

enum {
    /* A step of assay_match_limits: a callout from machine code and back. */
    ASSAY_WORK_STEP = 16,
    /* Ticks for each byte of a value that a simple item, such as [a-z]* or `.`, examines. */
    ASSAY_WORK_BYTE = 2,
    /* The same for a case-insensitive back reference, and for \X, which looks up properties of each character and
     * counts back over regional indicators (see below). */
    ASSAY_WORK_FOLDED_BYTE = 4,
    ASSAY_WORK_GRAPHEME_BYTE = 24,
};

/* Pairs of regional indicators (U+1F1E6 to U+1F1FF) are flags. To find the start of a pair, \X counts back over all
 * preceding ones, at each indicator of a row: work that callouts do not see. Patterns with \X do not receive values
 * with more than this many in a row. */
enum { ASSAY_WORK_REGIONAL_INDICATORS = 64 };

/* Whether a value has more than this many in a row. Examines one place in 256 bytes, and the surroundings of
 * indicators. */
bool assay_work_has_long_row(const uint8_t *value, size_t count);

/* Ticks for each byte that a class examines, by the length of its text: many ranges beyond ASCII are a chain of
   comparisons. */
static inline uint32_t assay_work_class(size_t length) { return ASSAY_WORK_BYTE + (uint32_t)(length / 8); }

/* Ticks for a new interpreter frame of `bytes` bytes, which is copied from the previous one. */
static inline uint32_t assay_work_frame(size_t bytes) { return (uint32_t)(bytes / 8); }

#endif
