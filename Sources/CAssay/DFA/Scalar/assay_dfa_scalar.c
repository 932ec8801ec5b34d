/* One value through an automaton.
 *
 * A lookup waits for the one before it, five cycles or more. There are three ways past that:
 *
 *   - two bytes a lookup, by tables small enough to be made with the automaton, or by those of columns where they are there;
 *   - where states are few, a step is one shuffle of a cycle: the table fits into registers, one for each byte or each pair;
 *   - of a long value, a run of bytes that lead round in a loop of states is taken at once, 128 bytes in a few instructions. */
#include "DFA/assay_dfa.h"
#include "DFA/assay_dfa_tables.h"
#include "Dispatch/assay_kernels.h"

#include <string.h>

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

/* ---------------------------------------------------------------------------------------------------------------
 * Several bytes a step
 * ------------------------------------------------------------------------------------------------------------- */

enum {
    /* Up to here a step for each byte is faster than a call of PCRE2's machine code. */
    SHORT_VALUE = 24,
    /* Up to here the machine code, where it is faster, cannot take long either, whatever the pattern. */
    LIMITED_VALUE = 256,
    CHUNK = 64,
    SHORT_CHUNK = 16,
    LONG_CHUNK = 256,
    WORD = 8,
    LONGEST_PAUSE = 1024,
};

/* The ways to take several bytes a step that an automaton has on this processor. */
typedef struct stepper {
    const assay_automaton *automaton;
    const assay_cpu_path *cpu;
    const pair_tables *pairs; /* NULL: none */
    bool shuffles;            /* there are shuffles, and an instruction for them */
} stepper;

static inline stepper stepper_of(const assay_automaton *automaton)
{
    const assay_cpu_path *cpu = assay_cpu_current();
    return (stepper){.automaton = automaton,
                     .cpu = cpu,
                     .pairs = atomic_load_explicit(&automaton->pairs, memory_order_acquire),
                     .shuffles = automaton->shuffles != NULL && cpu->bytes_shuffle != NULL};
}

static inline bool has_any(const stepper *by)
{
    return by->shuffles || by->automaton->steps != NULL || by->pairs != NULL;
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

static inline size_t step_twos(const step_tables *steps, size_t state, const uint8_t *value, size_t count)
{
    for (size_t i = 0; i < count && state > state_deferred; i += WORD) {
#pragma GCC unroll 4
        for (size_t j = i; j < i + WORD; j += 2) {
            state = steps->next[(size_t)steps->first[value[j]] + steps->second[value[j + 1]] + state];
        }
    }
    return state;
}

static inline size_t step_words(const stepper *by, size_t state, const uint8_t *value, size_t count)
{
    const assay_automaton *automaton = by->automaton;
    const pair_tables *pairs = by->pairs;
    if (by->shuffles && pairs != NULL) {
        return by->cpu->pairs_shuffle(pairs->rows, pairs->next, value, count, (uint8_t)state);
    }
    if (by->shuffles) return by->cpu->bytes_shuffle(automaton->shuffles[0], value, count, (uint8_t)state);
    if (pairs != NULL) return step_pairs(pairs, state, value, count);
    return step_twos(automaton->steps, state, value, count);
}

/* Steps through a word or more, the last word filled up with bytes that change nothing. Deferred: there is something for
   step_all in it. A call would take a short value longer by a sixth. */
static inline __attribute__((always_inline)) size_t step_several(const stepper *by, size_t state, const uint8_t *value,
                                                                 size_t count)
{
    const size_t rest = count % WORD;
    if (count > rest) state = step_words(by, state, value, count - rest);
    if (rest == 0) return state;
    uint8_t last[2 * WORD];
    memcpy(last, value + count - WORD, WORD);
    memset(last + WORD, past_end, WORD);
    return step_words(by, state, last + WORD - rest, WORD);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Long values
 * ------------------------------------------------------------------------------------------------------------- */

typedef struct long_run {
    stepper by;
    const uint8_t *value;
    size_t count;
    size_t at;
    size_t state;
    /* Before this place it does not pay to look for a loop, or to try chunks without characters beyond ASCII. */
    size_t no_loop_before;
    size_t loop_pause;
    size_t no_chunk_before;
    bool leaves_loop; /* a long run in a loop has just ended */
} long_run;

/* Takes a run of bytes that go round in a loop. Where runs are short, it is tried more and more seldom. */
static inline void take_loop(long_run *run)
{
    const loop_tables *loops = run->by.automaton->loops;
    const uint8_t number = loops->loop_of[run->state];
    run->leaves_loop = false;
    if (number == no_loop) return;
    const state_loop *loop = &loops->loops[number];
    const size_t end = run->by.cpu->bytes_in_set(run->value, run->at, run->count, &loop->bytes);
    const size_t taken = end - run->at;
    run->at = end;
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
    if (run->loop_pause < LONGEST_PAUSE) run->loop_pause *= 4;
}

/* So many bytes of those to come, and what is missing of the last character. */
static inline size_t whole_characters(const long_run *run, size_t count)
{
    const uint8_t *value = run->value + run->at;
    while (run->at + count < run->count && continues_character(value[count])) count++;
    return count;
}

/* Up to where a loop will be looked for again, but not so many that much is lost if they are in vain. */
static inline size_t chunk_size(const long_run *run)
{
    size_t wanted = run->leaves_loop ? SHORT_CHUNK : CHUNK;
    if (run->no_loop_before > run->at + wanted) wanted = run->no_loop_before - run->at;
    /* A chunk with a character beyond ASCII may have to be gone through again. */
    const size_t most = run->by.automaton->characters == NULL ? LONG_CHUNK : CHUNK;
    if (wanted > most) wanted = most;
    return run->count - run->at < wanted ? run->count - run->at : wanted;
}

static inline void take_chunk(long_run *run)
{
    const size_t chunk = chunk_size(run);
    if (chunk >= WORD && run->at >= run->no_chunk_before && has_any(&run->by)) {
        const size_t state = step_several(&run->by, run->state, run->value + run->at, chunk);
        if (state != state_deferred) {
            run->state = state;
            run->at += chunk;
            return;
        }
        run->no_chunk_before = run->at + 4 * (size_t)CHUNK; /* there may be more of them */
    }
    const assay_automaton *automaton = run->by.automaton;
    const size_t steps = automaton->characters == NULL ? chunk : whole_characters(run, chunk);
    run->state = step_all(automaton, run->state, run->value + run->at, steps);
    run->at += steps;
}

static size_t run_long(const stepper *by, const uint8_t *value, size_t count)
{
    long_run run = {.by = *by,
                    .value = value,
                    .count = count,
                    .state = by->automaton->start,
                    .no_loop_before = by->automaton->loops->count == 0 ? SIZE_MAX : 0,
                    .loop_pause = LONG_CHUNK};
    while (run.at < count && run.state > state_deferred) {
        if (run.at >= run.no_loop_before && count - run.at >= CHUNK) take_loop(&run);
        if (run.at < count) take_chunk(&run);
    }
    return run.state;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Values
 * ------------------------------------------------------------------------------------------------------------- */

static inline bool has_tables_for_steps(const assay_automaton *automaton)
{
    if (automaton->steps != NULL) return true;
    return automaton->shuffles != NULL && assay_cpu_current()->bytes_shuffle != NULL;
}

bool assay_automaton_is_fast(const assay_automaton *automaton, size_t count)
{
    if (count <= SHORT_VALUE || count > LIMITED_VALUE) return true;
    while (automaton != NULL && has_tables_for_steps(automaton)) automaton = automaton->besides;
    return automaton == NULL;
}

/* Whether there is something better for a value than steps of one byte. Where characters beyond ASCII are not alike, the
   ways past those know ASCII only, but for loops, which are worth looking for in long values alone. */
static inline bool is_worth_a_run(const assay_automaton *automaton, const uint8_t *value, size_t count)
{
    if (count < WORD) return false;
    return count > LIMITED_VALUE || automaton->characters == NULL || automaton_starts_ascii(value, count);
}

static inline __attribute__((always_inline)) size_t final_state(assay_automaton *automaton, const uint8_t *value,
                                                                size_t count)
{
    if (!is_worth_a_run(automaton, value, count)) return step_all(automaton, automaton->start, value, count);
    stepper by = stepper_of(automaton);
    if (count < CHUNK && has_any(&by)) {
        const size_t state = step_several(&by, automaton->start, value, count);
        return state != state_deferred ? state : step_all(automaton, automaton->start, value, count);
    }
    if (count > LIMITED_VALUE && !has_any(&by)) {
        assay_automaton_prepare_pairs(automaton);
        by = stepper_of(automaton);
    }
    return run_long(&by, value, count);
}

static inline __attribute__((always_inline)) automaton_answer judge_one(assay_automaton *automaton,
                                                                        const uint8_t *value, size_t count)
{
    const size_t state = final_state(automaton, value, count);
    if (state >= automaton->first_accepting) return AUTOMATON_PASS;
    return state == state_deferred ? AUTOMATON_OPEN : AUTOMATON_FAIL;
}

/* Out of line, and with a copy of its own of what judges one: most patterns have one automaton. */
static __attribute__((noinline)) automaton_answer judge_several(assay_automaton *automaton, const uint8_t *value,
                                                                size_t count)
{
    automaton_answer answer = AUTOMATON_PASS;
    for (; automaton != NULL && answer != AUTOMATON_FAIL; automaton = automaton->besides) {
        const automaton_answer here = judge_one(automaton, value, count);
        if (here != AUTOMATON_PASS) answer = here;
    }
    return answer;
}

automaton_answer assay_automaton_value(assay_automaton *automaton, const uint8_t *value, size_t count)
{
    if (__builtin_expect(automaton->besides != NULL, 0)) return judge_several(automaton, value, count);
    return judge_one(automaton, value, count);
}
