/* Constructs the tables of assay_dfa_scalar.c from `next`: the loops for acceleration, the Sheng rows and the small
 * stride-2 table. They are constructed together with the DFA, so each is bounded: by the 128 × states transitions, by 4
 * KiB and by 16 KiB.
 *
 * Loops: each state has a main successor, the one that most ASCII bytes lead to. Following main successors from any
 * state ends in a loop, or in a state without one.
 *
 *     (?:[a-z]{4};)*     main successors   s₀ → s₁ → s₂ → s₃ → s₄ → s₀       only ';' leaves s₄
 *                        dropped, because no byte stays in the loop
 *     (?:[a-z]{4})*      s₀ → s₁ → s₂ → s₃ → s₀                              bytes: a to z */
#include "DFA/assay_dfa_tables.h"
#include "Dispatch/assay_kernels.h"

#include <stdlib.h>
#include <string.h>

/* Returns the state that most ASCII bytes lead to, or state_dead if all lead to the dead or the quit state. In a tie,
 * the state itself is preferred, because a loop of length one takes all bytes that stay. */
static uint32_t main_successor(const assay_dfa *dfa, uint32_t state)
{
    uint8_t bytes[states_max + 2] = {0};
    uint32_t way = state_dead;
    for (size_t byte = 0; byte < 128; byte++) {
        const uint32_t to = (uint32_t)dfa_step(dfa, byte, state);
        if (to <= state_quit) continue;
        bytes[to]++;
        if (way == state_dead || bytes[to] > bytes[way] || (bytes[to] == bytes[way] && to == state)) way = to;
    }
    return way;
}

/* Whether all non-ASCII characters leave a state unchanged. Consecutive equal blocks are examined once. */
static bool non_ascii_stays(const assay_dfa *dfa, uint32_t state)
{
    const symbol_table *non_ascii = dfa->non_ascii;
    if (non_ascii == NULL) return dfa_step(dfa, 0xC2, state) == state;
    for (uint32_t block = ascii_blocks; block < non_ascii->blocks; block++) {
        if (block > ascii_blocks && non_ascii->stage1[block] == non_ascii->stage1[block - 1]) continue;
        const uint8_t *stage2 = non_ascii->stage2 + non_ascii->stage1[block] * (size_t)block_characters;
        for (size_t i = 0; i < block_characters; i++) {
            if (dfa_step(dfa, 128 + (size_t)stage2[i], state) != state) return false;
        }
    }
    return true;
}

/* Adds the loop of main successors through `state`, unless no byte stays in it. A byte stays in the loop if it leads
 * from each state to the next one. A run counts non-ASCII characters in bytes although each is one step, so only a loop
 * of length one may include them. Dropped loops leave their states in loop_states, to be overwritten. */
static void add_loop(const assay_dfa *dfa, accel_tables *accel, uint32_t state, const uint32_t *successors)
{
    if (accel->count == accel_max) return;
    accel_loop *loop = &accel->loops[accel->count];
    const uint32_t used = accel->count == 0 ? 0 : loop[-1].first + loop[-1].length;
    *loop = (accel_loop){.first = (uint8_t)used};
    uint32_t at = state;
    do {
        accel->loop_states[used + loop->length] = (uint8_t)at;
        loop->length++;
        at = successors[at];
    } while (at != state);
    bool has_any = false;
    for (size_t byte = 0; byte < 128; byte++) {
        bool is_cyclic = true;
        for (uint32_t i = 0; i < loop->length && is_cyclic; i++) {
            const uint8_t one = accel->loop_states[used + i];
            is_cyclic = dfa_step(dfa, byte, one) == successors[one];
        }
        if (is_cyclic) assay_byte_set_add(&loop->bytes, (uint8_t)byte);
        has_any = has_any || is_cyclic;
    }
    loop->bytes.non_ascii = loop->length == 1 && non_ascii_stays(dfa, state);
    if (!has_any && !loop->bytes.non_ascii) return;
    for (uint32_t i = 0; i < loop->length; i++) {
        accel->loop_of[accel->loop_states[used + i]] = accel->count;
        accel->index_of[accel->loop_states[used + i]] = (uint8_t)i;
    }
    accel->count++;
}

/* Finds all loops. Each state has at most one main successor, so every walk is visited once: a walk that meets a state
   seen in the same walk has closed a new loop; one that meets a state of an earlier walk has not. O(states × 128). */
static void find_loops(const assay_dfa *dfa, accel_tables *accel)
{
    uint32_t successors[states_max + 2];
    uint32_t seen_from[states_max + 2] = {0};
    memset(accel->loop_of, accel_none, sizeof accel->loop_of);
    for (uint32_t state = 0; state < dfa->states; state++) {
        successors[state] = state > state_quit ? main_successor(dfa, state) : state_dead;
    }
    for (uint32_t from = state_quit + 1; from < dfa->states; from++) {
        uint32_t at = from;
        while (at != state_dead && seen_from[at] == 0) {
            seen_from[at] = from;
            at = successors[at];
        }
        if (at != state_dead && seen_from[at] == from) add_loop(dfa, accel, at, successors);
    }
}

/* Row b is the transition function of byte b: 16 states in one register. */
static void fill_sheng(assay_dfa *dfa)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        for (uint32_t state = 0; state < dfa->states; state++) {
            dfa->sheng[byte][state] = dfa_byte_step(dfa, (uint8_t)state, (uint8_t)byte);
        }
    }
}

/* The symbols of the small stride-2 table that are not those of ASCII. */
enum { extra_symbols = 2 };

/* Fills the small stride-2 table. Its symbols are those of ASCII, one for all other bytes that step, and one for bytes
 * that do not change the state. It has no proxy bytes, because single values are not transliterated. */
static void fill_small_stride2(const assay_dfa *dfa, small_stride2_tables *small_stride2)
{
    const size_t symbols = (size_t)dfa->ascii_symbols + extra_symbols;
    uint8_t byte_of[128 + extra_symbols];
    for (unsigned byte = 0; byte < 256; byte++) {
        const bool keeps_state = byte == padding_byte || (dfa->non_ascii == NULL && continues_character((uint8_t)byte));
        const size_t symbol = byte < 128 ? dfa->ascii_symbol_of[byte] : (size_t)dfa->ascii_symbols + keeps_state;
        byte_of[symbol] = (uint8_t)byte;
        small_stride2->first[byte] = (uint16_t)(symbol * symbols << dfa->shift);
        small_stride2->second[byte] = (uint16_t)(symbol << dfa->shift);
    }
    byte_of[dfa->ascii_symbols] = 0xC2; /* any lead byte; the loop above ended with FE, which occurs in no text */
    /* First the pairs of a byte and padding, which are single steps; all others are compositions of two of these. */
    const size_t nothing = small_stride2->second[padding_byte];
    for (size_t one = 0; one < symbols; one++) {
        uint8_t *alone = small_stride2->next + small_stride2->first[byte_of[one]] + nothing;
        for (uint32_t state = 0; state < dfa->states; state++) {
            alone[state] = dfa_byte_step(dfa, (uint8_t)state, byte_of[one]);
        }
    }
    for (size_t one = 0; one < symbols; one++) {
        const uint8_t *middle = small_stride2->next + small_stride2->first[byte_of[one]] + nothing;
        for (size_t other = 0; other < symbols; other++) {
            const uint8_t *last = small_stride2->next + small_stride2->first[byte_of[other]] + nothing;
            uint8_t *both =
                small_stride2->next + small_stride2->first[byte_of[one]] + small_stride2->second[byte_of[other]];
            for (uint32_t state = 0; state < dfa->states; state++) both[state] = last[middle[state]];
        }
    }
}

enum { SMALL_STRIDE2_MAX = 1 << 14 };

bool assay_dfa_prepare_scalar(assay_dfa *dfa)
{
    dfa->accel = calloc(1, sizeof *dfa->accel);
    if (dfa->accel == NULL) return false;
    find_loops(dfa, dfa->accel);
    /* A Sheng is as fast as the small stride-2 table, which takes up to 16 KiB: date, country and e-mail take the same
     * time with and without the table. DFAs of up to 16 states therefore get it only on processors without a byte
     * shuffle. */
    const bool has_sheng = dfa->states <= sheng_states && assay_kernels_current()->sheng != NULL;
    const size_t symbols = (size_t)dfa->ascii_symbols + extra_symbols;
    const size_t step_bytes = symbols * symbols << dfa->shift;
    if (!has_sheng && step_bytes <= SMALL_STRIDE2_MAX) {
        dfa->small_stride2 = calloc(1, sizeof *dfa->small_stride2 + step_bytes);
        if (dfa->small_stride2 == NULL) return false;
        fill_small_stride2(dfa, dfa->small_stride2);
    }
    if (dfa->states > sheng_states) return true;
    dfa->sheng = calloc(256, sizeof *dfa->sheng);
    if (dfa->sheng == NULL) return false;
    fill_sheng(dfa);
    return true;
}
