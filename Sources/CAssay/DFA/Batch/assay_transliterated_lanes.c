/* Many values of a pattern that tells characters beyond ASCII apart.
 *
 * The values are copied side by side, filled up to rounds alike, and respelled all at once (assay_transliteration.h), which no state
 * has to be known for. Then they go through the tables of two bytes a step. */
#include "DFA/Batch/assay_dfa_lanes.h"
#include "DFA/Batch/assay_transliteration.h"
#include "Dispatch/assay_kernels.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------------------------
 * The spelling
 * ------------------------------------------------------------------------------------------------------------- */

/* By symbol: the byte that stands for it. A symbol that has none stands open, as the first bytes of characters do. */
static void find_representatives(const assay_dfa *dfa, uint8_t bytes[symbols_max])
{
    memset(bytes, 0xC2, symbols_max);
    for (unsigned byte = 0; byte < 128; byte++) bytes[dfa->ascii_symbol_of[byte]] = (uint8_t)byte;
    for (unsigned i = 0; i < dfa->proxies; i++) {
        bytes[dfa->ascii_symbols + i] = (uint8_t)(first_proxy + i);
    }
}

/* What all characters become that begin with these two bytes; 0: they are not alike. */
static uint8_t shared_representative(const assay_transliteration *transliteration, unsigned first, unsigned second)
{
    const uint8_t character[2] = {(uint8_t)first, (uint8_t)second};
    const size_t place = transliteration_index(character);
    if (first < 0xE0) return transliteration->by_pair[place];
    const uint8_t *row = transliteration->by_last + transliteration->rows[place];
    return memcmp(row, row + 1, block_characters - 1) == 0 ? row[0] : 0;
}

/* Finds the first bytes whose characters all become the same. */
static void find_leads(assay_transliteration *transliteration)
{
    for (unsigned first = 0xC0; first < 0x100; first++) {
        /* Second bytes that do not follow such a one in well-formed text do not count. */
        const unsigned from = first == 0xE0 ? 0xA0 : 0x80;
        const unsigned end = first == 0xED ? 0xA0 : 0xC0;
        const uint8_t one = shared_representative(transliteration, first, from);
        bool are_alike = true;
        for (unsigned second = from; second < end && are_alike; second++) {
            are_alike = shared_representative(transliteration, first, second) == one;
        }
        if (are_alike) transliteration->by_lead[first - 0xC0] = one;
    }
}

assay_transliteration *assay_transliteration_create(const assay_dfa *dfa)
{
    const symbol_table *non_ascii = dfa->non_ascii;
    const size_t places = (non_ascii->stage1[character_blocks] + (size_t)1) * block_characters;
    assay_transliteration *transliteration = calloc(1, sizeof *transliteration + places);
    if (transliteration == NULL) return NULL;
    uint8_t bytes[symbols_max];
    find_representatives(dfa, bytes);
    for (size_t place = 0; place < places; place++) transliteration->by_last[place] = bytes[non_ascii->stage2[place]];
    for (unsigned first = 0xC0; first < 0x100; first++) {
        for (unsigned second = 0x80; second < 0xC0; second++) {
            const uint8_t character[2] = {(uint8_t)first, (uint8_t)second};
            const size_t place = transliteration_index(character);
            const size_t row = non_ascii->stage1[character_block(character)] * (size_t)block_characters;
            if (first < 0xE0) {
                transliteration->by_pair[place] = transliteration->by_last[row + (second & 0x3F)];
            } else {
                transliteration->rows[place] = (uint16_t)row;
            }
        }
    }
    find_leads(transliteration);
    return transliteration;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Rows
 * ------------------------------------------------------------------------------------------------------------- */

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
