/* Shared by the files that run lanes (assay_dfa_batch.c, assay_transliterated_lanes.c): a round of one lane, and the
 * output of verdicts. */
#ifndef ASSAY_DFA_LANES_H
#define ASSAY_DFA_LANES_H

#include "DFA/assay_dfa.h"
#include "DFA/assay_dfa_tables.h"

enum {
    LANES = 8, /* values in parallel: their states take half of the general registers of x86-64 */
    ROUND = 8, /* bytes of a value that one load reads */
    PAIRS = ROUND / 2,
    /* Values longer than 256 bytes remain unknown, because assay_dfa_match accelerates them. */
    MAX_ROUNDS = 32,
};

/* A column that one DFA checks, and its two result masks. All borrowed. The functions take the rows as a parameter and
 * do not read `column.skip`. */
typedef struct batch_job {
    const assay_dfa *dfa;
    const column_tables *tables;
    assay_column_view column;
    uint64_t *failed;
    uint64_t *unknown;
} batch_job;

static inline size_t rounds_of(size_t count) { return (count + ROUND - 1) / ROUND; }

/* Runs the steps of one round. It needs no tests, because the dead and the quit state lead to themselves. `by_pairs` is
 * tables->by_pairs, a constant in each loop. */
static inline __attribute__((always_inline)) size_t step_round(const column_tables *tables, bool by_pairs, size_t state,
                                                               uint64_t word)
{
    const uint8_t *next = tables->next;
    if (by_pairs) {
        uint16_t pairs[PAIRS];
        memcpy(pairs, &word, sizeof pairs);
#pragma GCC unroll 4
        for (int i = 0; i < PAIRS; i++) state = next[tables->rows[pairs[i]] + state];
    } else {
        uint8_t bytes[ROUND];
        memcpy(bytes, &word, sizeof bytes);
#pragma GCC unroll 8
        for (int i = 0; i < ROUND; i++) state = next[tables->rows[bytes[i]] + state];
    }
    return state;
}

static inline void set_bit(uint64_t *mask, uint16_t row) { mask[row / 64] |= UINT64_C(1) << (row % 64); }

/* Records the verdict of a row after its value ended in state `final`. A pass sets no bit. */
static inline void settle(const batch_job *job, uint16_t row, uint8_t final)
{
    if (final >= job->dfa->first_accepting) return;
    set_bit(final == state_quit ? job->unknown : job->failed, row);
}

#endif
