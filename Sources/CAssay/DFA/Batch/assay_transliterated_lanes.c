/* Runs many values of a pattern that distinguishes non-ASCII characters.
 *
 * The values are copied side by side, padded to the same number of rounds, and transliterated together
 * (assay_transliteration.h), which needs no state. Then they run in lanes through the stride-2 table. */
#include "DFA/Batch/assay_transliterated_lanes.h"
#include "DFA/Batch/assay_transliteration.h"
#include "Dispatch/assay_kernels.h"

enum {
    /* Twice as many as go side by side: what has just been stored cannot be loaded at once in other pieces. */
    GROUP = 2 * LANES,
    /* Up to so many bytes are copied without a call. */
    SHORT_COPY = 32,
    FILLER = 0x80,
};

/* The first and the last `size` bytes of a value of `size` to twice as many. */
static inline __attribute__((always_inline)) void copy_ends(const uint8_t *value, size_t count, size_t size,
                                                            uint8_t *text)
{
    uint8_t first[SHORT_COPY / 2];
    uint8_t last[SHORT_COPY / 2];
    memcpy(first, value, size);
    memcpy(last, value + count - size, size);
    memcpy(text, first, size);
    memcpy(text + count - size, last, size);
}

/* Copies a value, short ones without a call. */
static inline void copy_value(const uint8_t *value, size_t count, uint8_t *text)
{
    if (count > SHORT_COPY) {
        memcpy(text, value, count);
    } else if (count >= 16) {
        copy_ends(value, count, 16, text);
    } else if (count >= 8) {
        copy_ends(value, count, 8, text);
    } else if (count >= 4) {
        copy_ends(value, count, 4, text);
    } else {
        for (size_t i = 0; i < count; i++) text[i] = value[i];
    }
}

/* Copies a value and fills it up to `size` bytes. Up to ROUND bytes behind them are overwritten. */
static inline void lay_out(const uint8_t *bytes, assay_cell cell, uint8_t *text, size_t size)
{
    copy_value(bytes + cell.start, cell.length, text);
    if (size - cell.length > ROUND) {
        memset(text + cell.length, FILLER, size - cell.length);
        return;
    }
    uint8_t filler[ROUND];
    memset(filler, FILLER, sizeof filler);
    memcpy(text + cell.length, filler, sizeof filler);
}

static inline void run_lanes(const batch_job *job, const uint8_t *text, size_t size, size_t *states)
{
    for (int i = 0; i < LANES; i++) states[i] = job->dfa->start;
    for (size_t at = 0; at < size; at += ROUND) {
#pragma GCC unroll 8
        for (size_t i = 0; i < LANES; i++) {
            uint64_t word;
            memcpy(&word, text + i * size + at, ROUND);
            states[i] = step_round(job->stride2, states[i], word);
        }
    }
}

/* Judges up to GROUP rows, the last of which has the most rounds. */
static void judge_group(const batch_job *job, const uint16_t *rows, size_t count)
{
    uint8_t text[GROUP * MOST_ROUNDS * ROUND + ROUND];
    size_t states[GROUP];
    const size_t size = rounds_of(job->cells[rows[count - 1]].length) * ROUND;
    const size_t lanes = count <= LANES ? LANES : GROUP;
    for (size_t i = 0; i < lanes; i++) {
        lay_out(job->bytes, job->cells[rows[i < count ? i : count - 1]], text + i * size, size);
    }
    assay_kernels_current()->transliterate(job->stride2->transliteration, text, lanes * size);
    for (size_t i = 0; i < count; i += LANES) run_lanes(job, text + i * size, size, states + i);
    for (size_t i = 0; i < count; i++) settle(job, rows[i], (uint8_t)states[i]);
}

void assay_dfa_judge_transliterated(const batch_job *job, const uint16_t *rows, size_t count)
{
    for (size_t i = 0; i < count; i += GROUP) {
        judge_group(job, rows + i, count - i < GROUP ? count - i : GROUP);
    }
}
