/* The tables that single values are run by: see assay_dfa_scalar.c. */
#include "DFA/assay_dfa_tables.h"

#include <stdlib.h>
#include <string.h>

/* Where most ASCII bytes lead from a state; state_dead: nowhere. */
static uint32_t main_way(const assay_automaton *automaton, uint32_t state)
{
    uint8_t bytes[states_max + 2] = {0};
    uint32_t way = state_dead;
    for (size_t byte = 0; byte < 128; byte++) {
        const uint32_t to = (uint32_t)automaton_step(automaton, byte, state);
        if (to <= state_deferred) continue;
        bytes[to]++;
        if (way == state_dead || bytes[to] > bytes[way] || (bytes[to] == bytes[way] && to == state)) way = to;
    }
    return way;
}

/* Whether no character beyond ASCII leads away from a state. */
static bool stays_beyond_ascii(const assay_automaton *automaton, uint32_t state)
{
    const character_symbols *characters = automaton->characters;
    if (characters == NULL) return automaton_step(automaton, 0xC2, state) == state;
    for (uint32_t block = ascii_blocks; block <= character_blocks; block++) {
        if (block > ascii_blocks && characters->block_of[block] == characters->block_of[block - 1]) continue;
        const uint8_t *kinds = characters->kinds + characters->block_of[block] * (size_t)block_characters;
        for (size_t i = 0; i < block_characters; i++) {
            if (automaton_step(automaton, 128 + (size_t)kinds[i], state) != state) return false;
        }
    }
    return true;
}

/* The loop that begins and ends with `state`, whose states main ways lead through. */
static void add_loop(const assay_automaton *automaton, loop_tables *loops, uint32_t state, const uint32_t *main_ways)
{
    if (loops->count == loops_max) return;
    state_loop *loop = &loops->loops[loops->count];
    const uint32_t used = loops->count == 0 ? 0 : loop[-1].first + loop[-1].length;
    *loop = (state_loop){.first = (uint8_t)used};
    uint32_t at = state;
    do {
        loops->looping[used + loop->length] = (uint8_t)at;
        loop->length++;
        at = main_ways[at];
    } while (at != state);
    bool has_any = false;
    for (size_t byte = 0; byte < 128; byte++) {
        bool goes_round = true;
        for (uint32_t i = 0; i < loop->length && goes_round; i++) {
            const uint8_t one = loops->looping[used + i];
            goes_round = automaton_step(automaton, byte, one) == main_ways[one];
        }
        if (goes_round) assay_byte_set_add(&loop->bytes, (uint8_t)byte);
        has_any = has_any || goes_round;
    }
    loop->bytes.beyond_ascii = loop->length == 1 && stays_beyond_ascii(automaton, state);
    if (!has_any && !loop->bytes.beyond_ascii) return;
    for (uint32_t i = 0; i < loop->length; i++) {
        loops->loop_of[loops->looping[used + i]] = loops->count;
        loops->place_of[loops->looping[used + i]] = (uint8_t)i;
    }
    loops->count++;
}

/* Every state has one main way, so that following them from anywhere ends in a loop or a state that has none. */
static void find_loops(const assay_automaton *automaton, loop_tables *loops)
{
    uint32_t main_ways[states_max + 2];
    uint32_t seen_from[states_max + 2] = {0};
    memset(loops->loop_of, no_loop, sizeof loops->loop_of);
    for (uint32_t state = 0; state < automaton->states; state++) {
        main_ways[state] = state > state_deferred ? main_way(automaton, state) : state_dead;
    }
    for (uint32_t from = state_deferred + 1; from < automaton->states; from++) {
        uint32_t at = from;
        while (at != state_dead && seen_from[at] == 0) {
            seen_from[at] = from;
            at = main_ways[at];
        }
        if (at != state_dead && seen_from[at] == from) add_loop(automaton, loops, at, main_ways);
    }
}

static void fill_shuffles(assay_automaton *automaton)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        for (uint32_t state = 0; state < automaton->states; state++) {
            automaton->shuffles[byte][state] = automaton_byte_step(automaton, (uint8_t)state, (uint8_t)byte);
        }
    }
}

/* The rows of pairs of symbols: those of ASCII, all other bytes, and bytes that change nothing. */
static void fill_steps(const assay_automaton *automaton, step_tables *steps)
{
    const size_t symbols = (size_t)automaton->ascii_symbols + more_symbols;
    uint8_t byte_of[128 + more_symbols];
    for (unsigned byte = 0; byte < 256; byte++) {
        const bool changes_nothing =
            byte == past_end || (automaton->characters == NULL && continues_character((uint8_t)byte));
        const size_t symbol =
            byte < 128 ? automaton->ascii_symbol_of[byte] : (size_t)automaton->ascii_symbols + changes_nothing;
        byte_of[symbol] = (uint8_t)byte;
        steps->first[byte] = (uint16_t)(symbol * symbols << automaton->shift);
        steps->second[byte] = (uint16_t)(symbol << automaton->shift);
    }
    byte_of[automaton->ascii_symbols] = 0xC2; /* F5 to FE are in no text */
    /* A pair that ends with nothing is a step of one byte, and all others are made of two of these. */
    const size_t nothing = steps->second[past_end];
    for (size_t one = 0; one < symbols; one++) {
        uint8_t *alone = steps->next + steps->first[byte_of[one]] + nothing;
        for (uint32_t state = 0; state < automaton->states; state++) {
            alone[state] = automaton_byte_step(automaton, (uint8_t)state, byte_of[one]);
        }
    }
    for (size_t one = 0; one < symbols; one++) {
        const uint8_t *middle = steps->next + steps->first[byte_of[one]] + nothing;
        for (size_t other = 0; other < symbols; other++) {
            const uint8_t *last = steps->next + steps->first[byte_of[other]] + nothing;
            uint8_t *both = steps->next + steps->first[byte_of[one]] + steps->second[byte_of[other]];
            for (uint32_t state = 0; state < automaton->states; state++) both[state] = last[middle[state]];
        }
    }
}

enum { STEP_BYTES_MAX = 1 << 14 };

bool assay_automaton_prepare_runs(assay_automaton *automaton)
{
    automaton->loops = calloc(1, sizeof *automaton->loops);
    if (automaton->loops == NULL) return false;
    find_loops(automaton, automaton->loops);
    const size_t symbols = (size_t)automaton->ascii_symbols + more_symbols;
    const size_t step_bytes = symbols * symbols << automaton->shift;
    if (step_bytes <= STEP_BYTES_MAX) {
        automaton->steps = calloc(1, sizeof *automaton->steps + step_bytes);
        if (automaton->steps == NULL) return false;
        fill_steps(automaton, automaton->steps);
    }
    if (automaton->states > shuffled_states) return true;
    automaton->shuffles = calloc(256, sizeof *automaton->shuffles);
    if (automaton->shuffles == NULL) return false;
    fill_shuffles(automaton);
    return true;
}
