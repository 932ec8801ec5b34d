/* Executes a DFA on one value.
 *
 * A table lookup has a latency of five cycles or more, and each step waits for the one before. Three ways to take fewer
 * steps:
 *
 *   - stride 2: two bytes a lookup, by the small table that is made with the DFA, or by that of columns once it exists;
 *   - Sheng: with up to 16 states the transitions of a byte fit into a register, and a step is one shuffle of one cycle
 *     (Hyperscan's Sheng engine; Mytkowicz, Musuvathi, Schulte: Data-parallel finite-state machines, 2014);
 *   - acceleration: in a long value, a run of bytes that keep to a loop of states is skipped at once, 128 bytes in a few
 *     instructions. */
#include "DFA/assay_dfa.h"
#include "DFA/assay_dfa_tables.h"
#include "Dispatch/assay_kernels.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Steps
 * ------------------------------------------------------------------------------------------------------------- */

/* Steps through `count` bytes that end with a character. `shift` is a constant: a shift by a variable takes three times
   as long. A character that is cut off, which well-formed text does not have, ends it. */
static inline __attribute__((always_inline)) size_t step_by(const assay_dfa *dfa, unsigned shift, size_t state,
                                                            const uint8_t *value, size_t count)
{
    const uint8_t *next = dfa->next;
    const symbol_table *non_ascii = dfa->non_ascii;
    if (non_ascii == NULL) {
        for (size_t i = 0; i < count && state > state_quit; i++) state = next[((size_t)value[i] << shift) + state];
        return state;
    }
    const uint8_t *next_non_ascii = next + ((size_t)128 << shift);
    for (size_t i = 0; i < count && state > state_quit;) {
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
        const size_t index = non_ascii->stage1[block] * (size_t)block_characters + (value[i - 1] & 0x3Fu);
        state = next_non_ascii[((size_t)non_ascii->stage2[index] << shift) + state];
    }
    return state;
}

/* One byte a step. The shift depends on the number of states, so the inner loop exists three times. */
static size_t step_all(const assay_dfa *dfa, size_t state, const uint8_t *value, size_t count)
{
    switch (dfa->shift) {
    case 4:
        return step_by(dfa, 4, state, value, count);
    case 6:
        return step_by(dfa, 6, state, value, count);
    default:
        return step_by(dfa, 8, state, value, count);
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

/* The multi-byte tables that a DFA has on this processor. */
typedef struct stepper {
    const assay_dfa *dfa;
    const assay_kernels *cpu;
    const stride2_tables *stride2; /* NULL: none */
    bool sheng;                    /* there is a Sheng table, and an instruction for it */
} stepper;

static inline stepper stepper_of(const assay_dfa *dfa)
{
    const assay_kernels *cpu = assay_kernels_current();
    return (stepper){.dfa = dfa,
                     .cpu = cpu,
                     .stride2 = atomic_load_explicit(&dfa->stride2, memory_order_acquire),
                     .sheng = dfa->sheng != NULL && cpu->sheng != NULL};
}

static inline bool has_any(const stepper *by)
{
    return by->sheng || by->dfa->small_stride2 != NULL || by->stride2 != NULL;
}

static inline size_t step_stride2(const stride2_tables *stride2, size_t state, const uint8_t *value, size_t count)
{
    for (size_t i = 0; i < count; i += 2) {
        uint16_t pair;
        memcpy(&pair, value + i, sizeof pair);
        state = stride2->next[stride2->rows[pair] + state];
    }
    return state;
}

static inline size_t step_small_stride2(const small_stride2_tables *small_stride2, size_t state, const uint8_t *value,
                                        size_t count)
{
    for (size_t i = 0; i < count && state > state_quit; i += WORD) {
#pragma GCC unroll 4
        for (size_t j = i; j < i + WORD; j += 2) {
            state = small_stride2
                        ->next[(size_t)small_stride2->first[value[j]] + small_stride2->second[value[j + 1]] + state];
        }
    }
    return state;
}

static inline size_t step_words(const stepper *by, size_t state, const uint8_t *value, size_t count)
{
    const assay_dfa *dfa = by->dfa;
    const stride2_tables *stride2 = by->stride2;
    if (by->sheng && stride2 != NULL) {
        return by->cpu->sheng_stride2(stride2->rows, stride2->next, value, count, (uint8_t)state);
    }
    if (by->sheng) return by->cpu->sheng(dfa->sheng[0], value, count, (uint8_t)state);
    if (stride2 != NULL) return step_stride2(stride2, state, value, count);
    return step_small_stride2(dfa->small_stride2, state, value, count);
}

/* Steps through a word or more, the last word padded with bytes that change nothing. Quit state: step_all must judge
   these bytes. Inlined: a call would make a short value a sixth slower. */
static inline __attribute__((always_inline)) size_t step_several(const stepper *by, size_t state, const uint8_t *value,
                                                                 size_t count)
{
    const size_t rest = count % WORD;
    if (count > rest) state = step_words(by, state, value, count - rest);
    if (rest == 0) return state;
    uint8_t last[2 * WORD];
    memcpy(last, value + count - WORD, WORD);
    memset(last + WORD, padding_byte, WORD);
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
    /* Before this place it does not pay to look for a loop, or to try chunks without non-ASCII characters. */
    size_t no_accel_before;
    size_t accel_pause;
    size_t no_chunk_before;
    bool just_accelerated; /* a long run in a loop has just ended */
} long_run;

/* Skips a run of bytes that keep to a loop. Where runs are short, it is tried less and less often. */
static inline void accelerate(long_run *run)
{
    const accel_tables *accel = run->by.dfa->accel;
    const uint8_t number = accel->loop_of[run->state];
    run->just_accelerated = false;
    if (number == accel_none) return;
    const accel_loop *loop = &accel->loops[number];
    const size_t end = run->by.cpu->bytes_in_set(run->value, run->at, run->count, &loop->bytes);
    const size_t taken = end - run->at;
    run->at = end;
    if (loop->length > 1) {
        const size_t index = (accel->index_of[run->state] + taken) % loop->length;
        run->state = accel->loop_states[loop->first + index];
    }
    run->just_accelerated = taken >= CHUNK;
    if (run->just_accelerated) {
        run->accel_pause = SHORT_CHUNK;
        return;
    }
    run->no_accel_before = run->at + run->accel_pause;
    if (run->accel_pause < LONGEST_PAUSE) run->accel_pause *= 4;
}

/* The next `count` bytes, and the rest of their last character. */
static inline size_t whole_characters(const long_run *run, size_t count)
{
    const uint8_t *value = run->value + run->at;
    while (run->at + count < run->count && continues_character(value[count])) count++;
    return count;
}

/* Up to where a loop will be looked for again, but not so many that much is lost if they are in vain. */
static inline size_t chunk_size(const long_run *run)
{
    size_t wanted = run->just_accelerated ? SHORT_CHUNK : CHUNK;
    if (run->no_accel_before > run->at + wanted) wanted = run->no_accel_before - run->at;
    /* A chunk with a non-ASCII character may have to be gone through again. */
    const size_t most = run->by.dfa->non_ascii == NULL ? LONG_CHUNK : CHUNK;
    if (wanted > most) wanted = most;
    return run->count - run->at < wanted ? run->count - run->at : wanted;
}

/* Steps through the next chunk: several bytes a step if it is ASCII, else character by character. */
static inline void take_chunk(long_run *run)
{
    const size_t chunk = chunk_size(run);
    if (chunk >= WORD && run->at >= run->no_chunk_before && has_any(&run->by)) {
        const size_t state = step_several(&run->by, run->state, run->value + run->at, chunk);
        if (state != state_quit) {
            run->state = state;
            run->at += chunk;
            return;
        }
        run->no_chunk_before = run->at + 4 * (size_t)CHUNK; /* there may be more of them */
    }
    const assay_dfa *dfa = run->by.dfa;
    const size_t steps = dfa->non_ascii == NULL ? chunk : whole_characters(run, chunk);
    run->state = step_all(dfa, run->state, run->value + run->at, steps);
    run->at += steps;
}

/* A value of CHUNK bytes or more: accelerates where a loop of states is found, and steps through chunks between.
 * Ends early in the dead and the quit state. Linear in the value. */
static size_t run_long(const stepper *by, const uint8_t *value, size_t count)
{
    long_run run = {.by = *by,
                    .value = value,
                    .count = count,
                    .state = by->dfa->start,
                    .no_accel_before = by->dfa->accel->count == 0 ? SIZE_MAX : 0,
                    .accel_pause = LONG_CHUNK};
    while (run.at < count && run.state > state_quit) {
        if (run.at >= run.no_accel_before && count - run.at >= CHUNK) accelerate(&run);
        if (run.at < count) take_chunk(&run);
    }
    return run.state;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Values
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether several bytes a step are possible on this processor. */
static inline bool has_tables(const assay_dfa *dfa)
{
    if (dfa->small_stride2 != NULL) return true;
    return dfa->sheng != NULL && assay_kernels_current()->sheng != NULL;
}

bool assay_dfa_is_fast(const assay_dfa *dfa, size_t count)
{
    if (count <= SHORT_VALUE || count > LIMITED_VALUE) return true;
    while (dfa != NULL && has_tables(dfa)) dfa = dfa->next_conjunct;
    return dfa == NULL;
}

/* Whether a value is worth more than single-byte steps. Where non-ASCII characters differ, the faster ways know ASCII
   only, except for acceleration, which pays in long values alone. */
static inline bool is_worth_a_run(const assay_dfa *dfa, const uint8_t *value, size_t count)
{
    if (count < WORD) return false;
    return count > LIMITED_VALUE || dfa->non_ascii == NULL || dfa_value_is_ascii(value, count);
}

/* The state after the whole value, by the fastest way that its length allows. */
static inline __attribute__((always_inline)) size_t final_state(assay_dfa *dfa, const uint8_t *value, size_t count)
{
    if (!is_worth_a_run(dfa, value, count)) return step_all(dfa, dfa->start, value, count);
    stepper by = stepper_of(dfa);
    if (count < CHUNK && has_any(&by)) {
        const size_t state = step_several(&by, dfa->start, value, count);
        return state != state_quit ? state : step_all(dfa, dfa->start, value, count);
    }
    if (count > LIMITED_VALUE && !has_any(&by)) {
        assay_dfa_prepare_stride2(dfa);
        by = stepper_of(dfa);
    }
    return run_long(&by, value, count);
}

static inline __attribute__((always_inline)) dfa_answer judge_one(assay_dfa *dfa, const uint8_t *value, size_t count)
{
    const size_t state = final_state(dfa, value, count);
    if (state >= dfa->first_accepting) return DFA_PASS;
    return state == state_quit ? DFA_UNKNOWN : DFA_FAIL;
}

/* Out of line, with its own copy of judge_one: most patterns have one DFA. */
static __attribute__((noinline)) dfa_answer judge_several(assay_dfa *dfa, const uint8_t *value, size_t count)
{
    dfa_answer answer = DFA_PASS;
    for (; dfa != NULL && answer != DFA_FAIL; dfa = dfa->next_conjunct) {
        const dfa_answer here = judge_one(dfa, value, count);
        if (here != DFA_PASS) answer = here;
    }
    return answer;
}

/* Of several conjuncts each must pass. */
dfa_answer assay_dfa_judge(assay_dfa *dfa, const uint8_t *value, size_t count)
{
    if (__builtin_expect(dfa->next_conjunct != NULL, 0)) return judge_several(dfa, value, count);
    return judge_one(dfa, value, count);
}
