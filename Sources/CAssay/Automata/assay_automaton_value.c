/* One value through an automaton.
 *
 * A lookup waits for the one before it, five cycles or more a byte. Where a value is long enough there are two ways past
 * that: a run of bytes that lead round in a loop of states is taken at once, 64 bytes in a few instructions; and the table
 * of an automaton of few states fits into registers, one for each byte, so that a step is one shuffle of a cycle. */
#include "Automata/assay_automaton.h"
#include "Automata/assay_automaton_tables.h"
#include "Processors/assay_cpu.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Tables
 * ------------------------------------------------------------------------------------------------------------- */

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

bool assay_automaton_prepare_runs(assay_automaton *automaton)
{
    automaton->loops = calloc(1, sizeof *automaton->loops);
    if (automaton->loops == NULL) return false;
    find_loops(automaton, automaton->loops);
    if (automaton->states > shuffled_states) return true;
    automaton->shuffles = calloc(256, sizeof *automaton->shuffles);
    if (automaton->shuffles == NULL) return false;
    fill_shuffles(automaton);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Steps
 * ------------------------------------------------------------------------------------------------------------- */

/* Steps through `count` bytes that end with a character. `shift` is a constant: a shift by a variable takes three times as
   long. A character that is cut off, which well-formed text does not have, ends it. */
static inline __attribute__((always_inline)) size_t step_by(const assay_automaton *automaton, unsigned shift,
                                                            size_t state, const uint8_t *value, size_t count)
{
    const uint8_t *next = automaton->next;
    const character_symbols *characters = automaton->characters;
    if (characters == NULL) {
        for (size_t i = 0; i < count && state > state_deferred; i++) state = next[((size_t)value[i] << shift) + state];
        return state;
    }
    const uint8_t *next_beyond = next + ((size_t)128 << shift);
    for (size_t i = 0; i < count && state > state_deferred;) {
        const size_t lead = value[i];
        if (lead < 0x80) {
            state = next[(lead << shift) + state];
            i++;
            continue;
        }
        const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (count - i < length) return state_dead;
        const size_t block = length == 2   ? lead & 0x1F
                             : length == 3 ? (lead & 0x0F) << 6 | (value[i + 1] & 0x3Fu)
                                           : character_blocks;
        i += length;
        const size_t place = characters->block_of[block] * (size_t)block_characters + (value[i - 1] & 0x3Fu);
        state = next_beyond[((size_t)characters->kinds[place] << shift) + state];
    }
    return state;
}

static size_t step_all(const assay_automaton *automaton, size_t state, const uint8_t *value, size_t count)
{
    switch (automaton->shift) {
    case 4:
        return step_by(automaton, 4, state, value, count);
    case 6:
        return step_by(automaton, 6, state, value, count);
    default:
        return step_by(automaton, 8, state, value, count);
    }
}

static inline size_t step_pairs(const pair_tables *pairs, size_t state, const uint8_t *value, size_t count)
{
    for (size_t i = 0; i < count; i += 2) {
        uint16_t pair;
        memcpy(&pair, value + i, sizeof pair);
        state = pairs->next[pairs->rows[pair] + state];
    }
    return state;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Long values
 * ------------------------------------------------------------------------------------------------------------- */

enum {
    /* Up to here a step for each byte is faster than a call of PCRE2's machine code. */
    SHORT_VALUE = 24,
    /* Up to here the machine code, where it is faster, cannot take long either, whatever the pattern. Beyond, two bytes a
       step are worth their tables. */
    LIMITED_VALUE = 256,
    /* From here on there is time to look for something better than steps. */
    LONG_VALUE = 16,
    CHUNK = 64,
    SHORT_CHUNK = 16,
    WORD = 8,
    LONGEST_PAUSE = 1024,
};

typedef struct long_run {
    const assay_automaton *automaton;
    const assay_cpu_path *cpu;
    const pair_tables *pairs;
    const uint8_t *value;
    size_t count;
    size_t at;
    size_t state;
    /* Before this place it does not pay to look for a loop, or to try chunks without characters beyond ASCII. */
    size_t no_loop_before;
    size_t loop_pause;
    size_t no_chunk_before;
    bool leaves_loop; /* a long run in a loop has just ended */
    bool shuffles;    /* there are shuffles, and an instruction for them */
} long_run;

/* Takes a run of bytes that go round in a loop. Where runs are short, it is tried more and more seldom. */
static inline void take_loop(long_run *run)
{
    const loop_tables *loops = run->automaton->loops;
    const uint8_t number = loops->loop_of[run->state];
    run->leaves_loop = false;
    if (number == no_loop) return;
    const state_loop *loop = &loops->loops[number];
    const size_t taken = run->cpu->bytes_in_set(run->value + run->at, run->count - run->at, &loop->bytes);
    run->at += taken;
    if (loop->length > 1) {
        const size_t place = (loops->place_of[run->state] + taken) % loop->length;
        run->state = loops->looping[loop->first + place];
    }
    run->leaves_loop = taken >= CHUNK;
    if (run->leaves_loop) {
        run->loop_pause = SHORT_CHUNK;
        return;
    }
    run->no_loop_before = run->at + run->loop_pause;
    if (run->loop_pause < LONGEST_PAUSE) run->loop_pause *= 2;
}

/* Steps through a chunk by tables for several bytes. false: there is a character beyond ASCII in it. */
static inline bool take_whole_chunk(long_run *run, size_t count)
{
    const assay_automaton *automaton = run->automaton;
    const uint8_t *bytes = run->value + run->at;
    const size_t state = run->shuffles
                             ? run->cpu->bytes_shuffle(automaton->shuffles[0], bytes, count, (uint8_t)run->state)
                             : step_pairs(run->pairs, run->state, bytes, count);
    if (state == state_deferred) return false;
    run->state = state;
    run->at += count;
    return true;
}

/* So many bytes of those to come, and what is missing of the last character. */
static inline size_t whole_characters(const long_run *run, size_t count)
{
    const uint8_t *value = run->value + run->at;
    while (run->at + count < run->count && continues_character(value[count])) count++;
    return count;
}

static inline void take_chunk(long_run *run)
{
    const size_t wanted = run->leaves_loop ? SHORT_CHUNK : CHUNK;
    const size_t chunk = run->count - run->at < wanted ? run->count - run->at : wanted;
    if (chunk >= WORD && run->at >= run->no_chunk_before && (run->shuffles || run->pairs != NULL)) {
        if (take_whole_chunk(run, chunk / WORD * WORD)) return;
        run->no_chunk_before = run->at + 4 * (size_t)CHUNK; /* there may be more of them */
    }
    const size_t steps = run->automaton->characters == NULL ? chunk : whole_characters(run, chunk);
    run->state = step_all(run->automaton, run->state, run->value + run->at, steps);
    run->at += steps;
}

static bool has_shuffles(const assay_automaton *automaton)
{
    return automaton->shuffles != NULL && assay_cpu_current()->bytes_shuffle != NULL;
}

static size_t run_long(assay_automaton *automaton, const uint8_t *value, size_t count)
{
    const bool shuffles = has_shuffles(automaton);
    if (!shuffles && count > LIMITED_VALUE) assay_automaton_prepare_pairs(automaton);
    long_run run = {.automaton = automaton,
                    .cpu = assay_cpu_current(),
                    .pairs = atomic_load_explicit(&automaton->pairs, memory_order_acquire),
                    .value = value,
                    .count = count,
                    .state = automaton->start,
                    .loop_pause = SHORT_CHUNK,
                    .shuffles = shuffles};
    while (run.at < count && run.state > state_deferred) {
        if (run.at >= run.no_loop_before) take_loop(&run);
        if (run.at < count) take_chunk(&run);
    }
    return run.state;
}

bool assay_automaton_is_fast(const assay_automaton *automaton, size_t count)
{
    return count <= SHORT_VALUE || count > LIMITED_VALUE || has_shuffles(automaton);
}

/* Whether there is something better for a value than steps. Where characters beyond ASCII are not alike, the ways past steps
   know ASCII only, but for loops, which are worth looking for in long values alone. */
static inline bool is_worth_a_run(const assay_automaton *automaton, const uint8_t *value, size_t count)
{
    if (count < LONG_VALUE) return false;
    return count > LIMITED_VALUE || automaton->characters == NULL || automaton_starts_ascii(value, count);
}

automaton_answer assay_automaton_value(assay_automaton *automaton, const uint8_t *value, size_t count)
{
    const size_t state = is_worth_a_run(automaton, value, count) ? run_long(automaton, value, count)
                                                                 : step_all(automaton, automaton->start, value, count);
    if (state >= automaton->first_accepting) return AUTOMATON_PASS;
    return state == state_deferred ? AUTOMATON_OPEN : AUTOMATON_FAIL;
}
