/* Runs a DFA on one value: single values, and values of columns that the batch forms leave unknown.
 *
 * A table lookup has a latency of several cycles, and each step waits for the previous one. Three forms take fewer or
 * cheaper steps:
 *
 *   - stride 2: two bytes per lookup, by the small table that is constructed with the DFA, or by that of columns once
 *     it exists;
 *   - Sheng: with up to 16 states the transitions of a byte fit into a register, and a step is one byte shuffle
 *     (PSHUFB, TBL), which has a shorter latency than a load (Hyperscan's Sheng engine; T. Mytkowicz, M. Musuvathi, W.
 *     Schulte: Data-parallel finite-state machines, 2014);
 *   - acceleration: in a long value, a run of bytes that stay in a loop of states is skipped by a vectorized search for
 *     the first other byte (assay_dfa_tables.h).
 *
 * The choice of forms:
 *
 *     bytes            ASCII, or all non-ASCII alike      non-ASCII characters differ
 *     0 to 7           step_all                           step_all
 *     8 to 63          step_several                       step_several if stride 2 has their steps, else step_all
 *     64 to 256        run_long                           run_long if stride 2 has such steps, else step_all
 *     257 and more     run_long                           run_long, chunk by chunk
 *
 * Without a multi-byte form run_long replaces step_several. step_all is the reference: it handles every character, and
 * the others fall back to it in the quit state. */
#include "DFA/assay_dfa.h"
#include "DFA/assay_dfa_tables.h"
#include "Dispatch/assay_kernels.h"

#include <string.h>

enum {
    /* Above this length, values that are not ASCII are read in chunks, and the large table is constructed if there is
     * no other one. */
    LONG_VALUE = 256,
    CHUNK = 64, /* values from this length on are long runs; and a skip of this length is a long one */
    /* Bytes stepped through between attempts to accelerate: by default, after a long run, and at most. */
    MIDDLE_CHUNK = 32,
    SHORT_CHUNK = 16,
    LONG_CHUNK = 256,
    WORD = 8, /* the multi-byte forms step through multiples of this */
    LONGEST_PAUSE = 1024,
    STARTS_MIN = 20, /* from this length on, text that is not ASCII is divided into characters first */
};

/* ---------------------------------------------------------------------------------------------------------------
 * Steps
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns a bit for each byte that begins a character, of up to 64 bytes. */
static inline uint64_t character_starts(const uint8_t *bytes, size_t count)
{
    const uint64_t top = UINT64_C(0x8080808080808080);
    const uint64_t gather = UINT64_C(0x0102040810204080); /* moves the lowest bit of each byte to the top byte */
    uint64_t starts = 0;
    for (size_t i = 0; i < count; i += WORD) {
        /* The last word ends with the value. */
        const size_t from = i + WORD <= count ? i : count - WORD;
        uint64_t word;
        memcpy(&word, bytes + from, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        const uint64_t continuing = word & ~(word << 1) & top;
        starts |= ((continuing ^ top) >> 7) * gather >> 56 << from;
    }
    return starts;
}

/* Steps through the characters that begin in the first `count` bytes, at least WORD, one character a step. The three
 * bytes behind them must exist. The place of a character and the length of short ones depend on no branch, because
 * processors often predict it wrongly in words with some accents. *taken: the bytes of the characters. */
static inline __attribute__((always_inline)) size_t step_by_starts(const assay_dfa *dfa, unsigned shift, size_t state,
                                                                   const uint8_t *value, size_t count, size_t *taken)
{
    const symbol_table *non_ascii = dfa->non_ascii;
    const uint8_t *stage2 = non_ascii->stage2;
    const uint8_t *next = dfa->next + ((size_t)128 << shift);
    const uint8_t *last = value;
    for (size_t base = 0; base < count; base += 64) {
        const size_t from = count - base < WORD ? count - WORD : base;
        const uint8_t *bytes = value + from;
        uint64_t starts = character_starts(bytes, count - from < 64 ? count - from : 64);
        starts &= UINT64_MAX << (base - from); /* without the characters of the last step */
        for (; starts != 0; starts &= starts - 1) {
            const uint8_t *at = bytes + __builtin_ctzll(starts);
            const size_t lead = *at;
            last = at + (lead >= 0xC0);
            size_t block = non_ascii->block_of[lead];
            if (lead >= 0xE0) {
                last += 1 + (lead >= 0xF0);
                block = character_block(non_ascii->page_of, at);
            }
            const size_t symbol = stage2[non_ascii->stage1[block] * (size_t)block_characters + (*last & 0x3Fu)];
            state = (next + (symbol << shift))[state];
            if (state <= state_quit) return state;
        }
    }
    *taken = (size_t)(last + 1 - value);
    return state;
}

/* Steps through `count` bytes, one character per step; the last character must be complete. `shift` is a constant in
 * each caller, so that no step shifts by a variable. Stops early in the dead and the quit state. A truncated character,
 * which well-formed text does not have, leads to the dead state, so that no byte after the value is read. */
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
        if (count - i >= STARTS_MIN) {
            size_t taken = 0;
            state = step_by_starts(dfa, shift, state, value + i, count - i - 3, &taken);
            i += taken;
            continue;
        }
        const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (count - i < length) return state_dead;
        const size_t block = character_block(non_ascii->page_of, value + i);
        i += length;
        const size_t index = non_ascii->stage1[block] * (size_t)block_characters + (value[i - 1] & 0x3Fu);
        state = next_non_ascii[((size_t)non_ascii->stage2[index] << shift) + state];
    }
    return state;
}

/* Steps through `count` bytes, one character a step. The inner loop exists once for each width of rows. */
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

/* The multi-byte forms that a DFA has on the current processor path, loaded once for a value. */
typedef struct stepper {
    const assay_dfa *dfa;
    const assay_kernels *cpu;
    const column_tables *stride2; /* NULL: no large table of two bytes a step */
    bool sheng;                   /* there is a Sheng table, and an instruction for it */
} stepper;

static inline stepper stepper_of(const assay_dfa *dfa)
{
    const assay_kernels *cpu = assay_kernels_current();
    const column_tables *columns = atomic_load_explicit(&dfa->columns, memory_order_acquire);
    return (stepper){.dfa = dfa,
                     .cpu = cpu,
                     .stride2 = columns != NULL && columns->by_pairs && columns->takes_text ? columns : NULL,
                     .sheng = dfa->sheng != NULL && cpu->sheng != NULL};
}

static inline bool has_any(const stepper *by)
{
    return by->sheng || by->dfa->small_stride2 != NULL || by->stride2 != NULL;
}

/* Two bytes a step by the large table. `count` is even. */
static inline size_t step_stride2(const column_tables *stride2, size_t state, const uint8_t *value, size_t count)
{
    for (size_t i = 0; i < count; i += 2) {
        uint16_t pair;
        memcpy(&pair, value + i, sizeof pair);
        state = (stride2->next + stride2->rows[pair])[state];
    }
    return state;
}

/* Two bytes a step by the small table. `count` is a multiple of WORD. */
static inline size_t step_small_stride2(const small_stride2_tables *small_stride2, size_t state, const uint8_t *value,
                                        size_t count)
{
    for (size_t i = 0; i < count && state > state_quit; i += WORD) {
#pragma GCC unroll 4
        for (size_t j = i; j < i + WORD; j += 2) {
            const uint8_t *row =
                small_stride2->next + small_stride2->first[value[j]] + small_stride2->second[value[j + 1]];
            state = row[state];
        }
    }
    return state;
}

/* Steps through a multiple of WORD bytes by the fastest available form; has_any() must be true. Sheng over the rows of
 * the stride-2 table takes two bytes per shuffle, if they have 16 states; states within characters may make them
 * longer. */
static inline size_t step_words(const stepper *by, size_t state, const uint8_t *value, size_t count)
{
    const assay_dfa *dfa = by->dfa;
    const column_tables *stride2 = by->stride2;
    if (by->sheng && stride2 != NULL && stride2->are_sheng_rows) {
        return by->cpu->sheng_stride2(stride2->rows, stride2->next, value, count, (uint8_t)state);
    }
    if (by->sheng) return by->cpu->sheng(dfa->sheng[0], value, count, (uint8_t)state);
    if (stride2 != NULL) return step_stride2(stride2, state, value, count);
    return step_small_stride2(dfa->small_stride2, state, value, count);
}

/* Steps through WORD bytes or more. The last, incomplete word is padded with bytes that do not change the state:
 *
 *     value    anna@example.org,      17 bytes: two words and one byte
 *     last     ple.org,········       the last eight bytes, then padding; read from the comma: ",·······"
 *
 * If the result is the quit state, step_all must check these bytes instead. Inlined, because the call would cost a
 * noticeable part of a short value. */
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
 *
 * Alternates between skipping runs (accelerate) and stepping through chunks. Both adapt to the value: if attempts to
 * skip yield little, they become rarer, and if chunks contain non-ASCII characters, which make the multi-byte forms
 * quit, the next chunks use step_all at once. The worst case is therefore a constant factor above step_all, and linear.
 * ------------------------------------------------------------------------------------------------------------- */

/* The progress of one long value. */
typedef struct long_run {
    stepper by;
    const uint8_t *value;
    size_t count;
    size_t at;
    size_t state;
    size_t no_accel_before; /* no attempt to accelerate before this offset */
    size_t accel_pause;     /* length in bytes of the next pause after a short run */
    size_t no_chunk_before; /* no multi-byte step before this offset: there may be more non-ASCII characters */
    bool just_accelerated;  /* the last attempt skipped CHUNK bytes or more */
} long_run;

/* Skips a run of bytes that stay in the loop of the current state, if it has one, and computes the state at its end
   from the length of the run. After each run of fewer than CHUNK bytes the pause before the next attempt grows
   fourfold, up to LONGEST_PAUSE; a long run resets it. */
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

/* Extends the next `count` bytes to the end of their last character. */
static inline size_t complete_characters(const long_run *run, size_t count)
{
    const uint8_t *value = run->value + run->at;
    while (run->at + count < run->count && continues_character(value[count])) count++;
    return count;
}

/* Returns the number of bytes to step through before the next attempt to accelerate. It is bounded, because a chunk
 * with a non-ASCII character may have to be repeated. */
static inline size_t chunk_size(const long_run *run)
{
    size_t target = run->just_accelerated ? SHORT_CHUNK : MIDDLE_CHUNK;
    if (run->no_accel_before > run->at + target) target = run->no_accel_before - run->at;
    /* If all non-ASCII characters have one symbol, no chunk is repeated. */
    const size_t max = run->by.dfa->non_ascii == NULL ? LONG_CHUNK : CHUNK;
    if (target > max) target = max;
    return run->count - run->at < target ? run->count - run->at : target;
}

/* Steps through the next `target` bytes, which must exist, to the end of a character: several bytes per step if that
   does not quit, otherwise character by character. */
static inline void take_chunk(long_run *run, size_t target)
{
    /* If non-ASCII characters differ, states within them are known only to the tables for columns. */
    const size_t chunk = run->by.dfa->non_ascii == NULL ? target : complete_characters(run, target);
    if (chunk >= WORD && run->at >= run->no_chunk_before && has_any(&run->by)) {
        const size_t state = step_several(&run->by, run->state, run->value + run->at, chunk);
        if (state != state_quit) {
            run->state = state;
            run->at += chunk;
            return;
        }
        run->no_chunk_before = run->at + 4 * (size_t)CHUNK;
    }
    run->state = step_all(run->by.dfa, run->state, run->value + run->at, chunk);
    run->at += chunk;
}

/* Returns the final state of a long value. Stops early in the states that no character leaves: the dead state, the quit
   state and the sink. O(count). */
static size_t run_long(const stepper *by, const uint8_t *value, size_t count)
{
    long_run run = {.by = *by,
                    .value = value,
                    .count = count,
                    .state = by->dfa->start,
                    .no_accel_before = by->dfa->accel->count == 0 ? SIZE_MAX : 0,
                    .accel_pause = LONG_CHUNK};
    take_chunk(&run, count < SHORT_CHUNK ? count : SHORT_CHUNK); /* most values that do not match fail soon */
    while (run.at < count && run.state > state_quit && run.state != by->dfa->sink) {
        if (run.at >= run.no_accel_before && count - run.at >= MIDDLE_CHUNK) accelerate(&run);
        if (run.at < count) take_chunk(&run, chunk_size(&run));
    }
    return run.state;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Values
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether this one DFA has a multi-byte form on the current processor path. */
static inline bool has_tables(const assay_dfa *dfa)
{
    if (dfa->small_stride2 != NULL) return true;
    const stepper by = stepper_of(dfa);
    return has_any(&by);
}

bool assay_dfa_has_multibyte_forms(const assay_dfa *dfa)
{
    while (dfa != NULL && has_tables(dfa)) dfa = dfa->next_conjunct;
    return dfa == NULL;
}

/* The number of values from which the tables are worth their memory: each value gains some 50 ns. */
enum { ENOUGH_VALUES = 16384 };

/* The counter ends with the answer, so that later values only load it. */
bool assay_dfa_expect_value(assay_dfa *dfa)
{
    enum { HAS_TABLES = ENOUGH_VALUES + 1, HAS_NO_TABLES, ROUND = 64 };
    const uint32_t before = atomic_load_explicit(&dfa->values_expected, memory_order_relaxed);
    if (before > ENOUGH_VALUES) return before == HAS_TABLES;
    uint32_t after = before + 1;
    if (before == ENOUGH_VALUES) {
        for (assay_dfa *it = dfa; it != NULL; it = it->next_conjunct) assay_dfa_prepare_columns(it);
    }
    /* A column may have made the tables. */
    if (before % ROUND == 0)
        after = assay_dfa_has_multibyte_forms(dfa) ? HAS_TABLES : before < ENOUGH_VALUES ? after : HAS_NO_TABLES;
    /* Not an atomic addition: concurrent threads may lose some counts, which is harmless. */
    atomic_store_explicit(&dfa->values_expected, after, memory_order_relaxed);
    return after == HAS_TABLES;
}

bool assay_dfa_has_sheng(const assay_dfa *dfa)
{
    return dfa->sheng != NULL && dfa->non_ascii == NULL && assay_kernels_current()->sheng != NULL;
}

static inline dfa_answer answer_of(const assay_dfa *dfa, size_t state)
{
    if (state >= dfa->first_accepting) return DFA_PASS;
    return state == state_quit ? DFA_UNKNOWN : DFA_FAIL;
}

/* The following functions each check values of some lengths by one DFA. They are not inlined, so that short values save
 * only the registers that they use. */

/* One character a step. The width of most DFAs is tried first, without a call. */
static __attribute__((noinline)) dfa_answer match_by_characters(const assay_dfa *dfa, const uint8_t *value,
                                                                size_t count)
{
    const size_t state = __builtin_expect(dfa->shift == 4, 1) ? step_by(dfa, 4, dfa->start, value, count)
                                                              : step_all(dfa, dfa->start, value, count);
    return answer_of(dfa, state);
}

/* A long value of a DFA without any multi-byte form constructs the large table, which soon repays its cost. */
static __attribute__((noinline)) dfa_answer match_long(assay_dfa *dfa, const uint8_t *value, size_t count)
{
    stepper by = stepper_of(dfa);
    if (count > LONG_VALUE && !has_any(&by)) {
        assay_dfa_prepare_columns(dfa);
        by = stepper_of(dfa);
    }
    return answer_of(dfa, run_long(&by, value, count));
}

/* Announces a value that reads one character a step because there are no tables for columns. Their construction takes
 * place once, so that it does not matter if concurrent threads lose some counts. */
static void expect_tables(assay_dfa *dfa)
{
    const uint32_t before = atomic_load_explicit(&dfa->slow_values, memory_order_relaxed);
    if (before > ENOUGH_VALUES) return;
    if (before == ENOUGH_VALUES) assay_dfa_prepare_columns(dfa);
    atomic_store_explicit(&dfa->slow_values, before + 1, memory_order_relaxed);
}

/* 8 to 63 bytes. */
static __attribute__((noinline)) dfa_answer match_words(assay_dfa *dfa, const uint8_t *value, size_t count)
{
    const stepper by = stepper_of(dfa);
    if (!has_any(&by)) {
        expect_tables(dfa);
        return match_long(dfa, value, count);
    }
    const size_t state = step_several(&by, dfa->start, value, count);
    if (__builtin_expect(state == state_quit, 0)) return match_by_characters(dfa, value, count);
    return answer_of(dfa, state);
}

/* Up to LONG_VALUE bytes, if non-ASCII characters differ. Of the multi-byte forms, only the table of two bytes a step
 * may have states within such characters. */
static __attribute__((noinline)) dfa_answer match_text(assay_dfa *dfa, const uint8_t *value, size_t count)
{
    if (dfa_value_is_ascii(value, count)) {
        return count < CHUNK ? match_words(dfa, value, count) : match_long(dfa, value, count);
    }
    stepper by = stepper_of(dfa);
    if (by.stride2 == NULL) expect_tables(dfa);
    if (by.stride2 == NULL || by.stride2->transliteration != NULL) return match_by_characters(dfa, value, count);
    by.sheng = by.sheng && by.stride2->are_sheng_rows;
    if (count >= CHUNK) return answer_of(dfa, run_long(&by, value, count));
    const size_t state = step_several(&by, dfa->start, value, count);
    return state != state_quit ? answer_of(dfa, state) : match_by_characters(dfa, value, count);
}

/* By the table at the top of this file. Acceleration handles all characters, but saves time only in long values. */
static inline dfa_answer match_one(assay_dfa *dfa, const uint8_t *value, size_t count)
{
    if (count < WORD) return match_by_characters(dfa, value, count);
    if (dfa->non_ascii != NULL && count <= LONG_VALUE) return match_text(dfa, value, count);
    return count < CHUNK ? match_words(dfa, value, count) : match_long(dfa, value, count);
}

/* Checks a value by a chain and its lengths: FAIL if any fails, otherwise UNKNOWN if any is unknown. */
static __attribute__((noinline)) dfa_answer match_several(assay_dfa *dfa, const uint8_t *value, size_t count)
{
    const regex_lengths lengths = dfa->lengths;
    if (lengths.are_bounded && regex_lengths_exclude(lengths, count)) return DFA_FAIL;
    dfa_answer answer = DFA_PASS;
    for (; dfa != NULL && answer != DFA_FAIL; dfa = dfa->next_conjunct) {
        const dfa_answer here = match_one(dfa, value, count);
        if (here != DFA_PASS) answer = here;
    }
    if (answer != DFA_FAIL && lengths.are_bounded && !regex_lengths_fit(lengths, value, count)) answer = DFA_FAIL;
    return answer;
}

dfa_answer assay_dfa_match(assay_dfa *dfa, const uint8_t *value, size_t count)
{
    if (__builtin_expect(dfa->next_conjunct != NULL || dfa->lengths.are_bounded, 0)) {
        return match_several(dfa, value, count);
    }
    return match_one(dfa, value, count);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Parts of a search
 * ------------------------------------------------------------------------------------------------------------- */

dfa_part assay_dfa_match_part(const assay_dfa *dfa, const uint8_t *value, size_t *at, size_t count, unsigned parts)
{
    enum { PART = assay_dfa_part_bytes };
    const stepper by = stepper_of(dfa);
    const bool has_forms = has_any(&by);
    size_t state = dfa->start;
    size_t place = *at;
    for (unsigned part = 0; part < parts; part++) {
        size_t steps = count - place < PART ? count - place : PART;
        if (has_forms && steps >= WORD && (dfa->non_ascii == NULL || dfa_value_is_ascii(value + place, steps))) {
            state = step_several(&by, state, value + place, steps);
        } else {
            while (dfa->non_ascii != NULL && place + steps < count && continues_character(value[place + steps]))
                steps++;
            state = step_all(dfa, state, value + place, steps);
        }
        place += steps;
        if (state == dfa->sink) return DFA_PART_PASS;
        if (state == state_dead) return DFA_PART_FAIL;
        if (state == state_quit) return DFA_PART_UNKNOWN;
        if (place == count) return state >= dfa->first_accepting ? DFA_PART_PASS : DFA_PART_FAIL;
        *at = place;
        if (state == dfa->start) return DFA_PART_IDLE;
    }
    return DFA_PART_UNKNOWN;
}
