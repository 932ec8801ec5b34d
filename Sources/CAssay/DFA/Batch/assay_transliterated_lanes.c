/* Runs the values of a pattern that distinguishes non-ASCII characters.
 *
 * Values are copied one after another and padded to the same number of rounds, because transliteration overwrites them.
 * They are then transliterated together and run in lanes. With values of up to two rounds:
 *
 *     text    Zoë·············   José García···   Anna············        16 bytes each; · is FILLER
 *             lane 0             lane 1           lane 2
 *
 * The padding differs from that of assay_dfa_batch.c: a continuation byte, which transliteration does not change. */
#include "DFA/Batch/assay_transliterated_lanes.h"
#include "DFA/Batch/assay_transliteration.h"
#include "Dispatch/assay_kernels.h"

enum {
    /* Two sets of lanes are prepared before the first one runs, so that stores of pieces have left the store buffer
       when words across them are loaded (store-to-load forwarding would fail). */
    GROUP = 2 * LANES,
    /* The maximum length of values that are copied without a call of memcpy. */
    SHORT_COPY = 32,
    FILLER = 0x80, /* a continuation byte: changes no state, and is no lead byte */
};

/* Copies a value of `size` to 2 × `size` bytes as its first and its last `size` bytes, which may overlap: two moves
   without a loop, for a constant size. */
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

/* Copies a value of any length. */
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

/* Copies a value to text[0 .. size) and fills the rest. May write up to ROUND bytes after that, which belong to the
 * next lane, written later, or to the slack at the end of the text. */
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

/* Runs LANES values of `size` bytes each, one after another in `text`. */
static inline __attribute__((always_inline)) void run_lanes(const batch_job *job, bool by_pairs, const uint8_t *text,
                                                            size_t size, size_t *states)
{
    for (int i = 0; i < LANES; i++) states[i] = job->dfa->start;
    for (size_t at = 0; at < size; at += ROUND) {
#pragma GCC unroll 8
        for (size_t i = 0; i < LANES; i++) {
            uint64_t word;
            memcpy(&word, text + i * size + at, ROUND);
            states[i] = step_round(job->tables, by_pairs, states[i], word);
        }
    }
}

/* Checks up to GROUP rows. They are sorted, so the last one has the maximum number of rounds and sets the size of all
 * lanes. Lanes without a row repeat the last row. */
static void match_group(const batch_job *job, const uint16_t *rows, size_t count)
{
    uint8_t text[GROUP * MAX_ROUNDS * ROUND + ROUND];
    size_t states[GROUP];
    const size_t size = rounds_of(job->column.cells[rows[count - 1]].length) * ROUND;
    const size_t lanes = count <= LANES ? LANES : GROUP;
    for (size_t i = 0; i < lanes; i++) {
        lay_out(job->column.bytes, job->column.cells[rows[i < count ? i : count - 1]], text + i * size, size);
    }
    assay_kernels_current()->transliterate(job->tables->transliteration, text, lanes * size);
    for (size_t i = 0; i < count; i += LANES) {
        if (job->tables->by_pairs) {
            run_lanes(job, true, text + i * size, size, states + i);
        } else {
            run_lanes(job, false, text + i * size, size, states + i);
        }
    }
    for (size_t i = 0; i < count; i++) settle(job, rows[i], (uint8_t)states[i]);
}

void assay_dfa_match_transliterated(const batch_job *job, const uint16_t *rows, size_t count)
{
    for (size_t i = 0; i < count; i += GROUP) {
        match_group(job, rows + i, count - i < GROUP ? count - i : GROUP);
    }
}
