/* Many values through an automaton, several at a time.
 *
 * A lookup waits for the one before it, five cycles or more; those of other values do not. So eight values go side by
 * side, two bytes a step, eight bytes a round, each filled up with bytes that change nothing:
 *
 *     lane 0    anna@exa mple.org
 *     lane 1    bo@examp le.org··
 *     lane 2    cy@x.org ········
 *
 * To fill up little, the values are taken in the order of their lengths. */
#include "Automata/assay_automaton.h"
#include "Automata/assay_automaton_tables.h"

#include <stdlib.h>
#include <string.h>

enum {
    LANES = 8,
    ROUND = 8,
    PAIRS = ROUND / 2,
    /* Longer values are left open. */
    most_rounds = 32,
};

/* ---------------------------------------------------------------------------------------------------------------
 * The tables
 * ------------------------------------------------------------------------------------------------------------- */

static size_t pair_symbol(const assay_automaton *automaton, unsigned byte)
{
    return byte < 128         ? automaton->ascii_symbol_of[byte]
           : byte == past_end ? (size_t)automaton->ascii_symbols + 1
                              : automaton->ascii_symbols;
}

/* `byte` is one that has the symbol. */
static uint8_t state_after(const assay_automaton *automaton, uint8_t state, unsigned byte)
{
    if (byte == past_end) return state;
    if (byte >= 0x80) return state == state_dead ? state_dead : state_deferred;
    return automaton->next[(byte << automaton->shift) + state];
}

static pair_tables *make_pairs(const assay_automaton *automaton)
{
    const size_t symbols = pair_symbols(automaton);
    const unsigned shift = automaton->shift;
    pair_tables *pairs = malloc(sizeof *pairs + (symbols * symbols << shift));
    if (pairs == NULL) return NULL;
    uint8_t symbol_of[256];
    uint8_t byte_of[128 + more_symbols];
    for (unsigned byte = 0; byte < 256; byte++) {
        symbol_of[byte] = (uint8_t)pair_symbol(automaton, byte);
        byte_of[symbol_of[byte]] = (uint8_t)byte;
    }
    for (unsigned one = 0; one < 256; one++) {
        for (unsigned other = 0; other < 256; other++) {
            const uint8_t bytes[2] = {(uint8_t)one, (uint8_t)other};
            uint16_t index;
            memcpy(&index, bytes, sizeof index);
            pairs->rows[index] = (uint16_t)((symbol_of[one] * symbols + symbol_of[other]) << shift);
        }
    }
    for (size_t one = 0; one < symbols; one++) {
        for (size_t other = 0; other < symbols; other++) {
            uint8_t *row = pairs->next + ((one * symbols + other) << shift);
            for (uint32_t state = 0; state < automaton->states; state++) {
                const uint8_t middle = state_after(automaton, (uint8_t)state, byte_of[one]);
                row[state] = state_after(automaton, middle, byte_of[other]);
            }
        }
    }
    return pairs;
}

bool assay_automaton_prepare_rows(assay_automaton *automaton)
{
    if (atomic_load_explicit(&automaton->pairs, memory_order_acquire) != NULL) return true;
    pair_tables *made = make_pairs(automaton);
    if (made == NULL) return false;
    pair_tables *expected = NULL;
    if (!atomic_compare_exchange_strong_explicit(&automaton->pairs, &expected, made, memory_order_acq_rel,
                                                 memory_order_acquire)) {
        free(made); /* another thread was faster */
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Lanes
 * ------------------------------------------------------------------------------------------------------------- */

typedef struct lane {
    const uint8_t *value;
    size_t whole_rounds; /* of bytes of the value alone */
    uint64_t rest;       /* the last bytes, filled up */
} lane;

static inline size_t rounds_of(size_t count) { return (count + ROUND - 1) / ROUND; }

/* The `count` bytes before `end`, 0 to 7, in front of bytes that change nothing, as they would stand in memory. The buffer begins at
   `bytes`: what stands before the value is read too, where there is enough of it, and shifted out. */
static inline uint64_t load_rest(const uint8_t *bytes, size_t end, size_t count)
{
    uint64_t word;
    if (__builtin_expect(end >= ROUND, 1)) {
        memcpy(&word, bytes + end - ROUND, ROUND);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        return word << (8 * (ROUND - 1 - count)) << 8 | UINT64_MAX >> (8 * count);
#else
        return word >> (8 * (ROUND - 1 - count)) >> 8 | UINT64_MAX << (8 * count);
#endif
    }
    uint8_t few[ROUND];
    memset(few, past_end, sizeof few);
    memcpy(few, bytes + end - count, count);
    memcpy(&word, few, ROUND);
    return word;
}

static inline lane lane_of(const uint8_t *bytes, assay_cell cell)
{
    return (lane){.value = bytes + cell.start,
                  .whole_rounds = cell.length / ROUND,
                  .rest = load_rest(bytes, (size_t)cell.start + cell.length, cell.length % ROUND)};
}

/* Runs all lanes from `start` through so many rounds. */
static inline void run_lanes(const pair_tables *pairs, uint8_t start, const lane *lanes, size_t rounds, uint8_t *final)
{
    static const uint64_t nothing = UINT64_MAX;
    size_t states[LANES];
    for (int i = 0; i < LANES; i++) states[i] = start;
    for (size_t round = 0; round < rounds; round++) {
        uint16_t steps[LANES][PAIRS];
#pragma GCC unroll 8
        for (int i = 0; i < LANES; i++) {
            const void *from = round == lanes[i].whole_rounds ? (const void *)&lanes[i].rest : &nothing;
            if (round < lanes[i].whole_rounds) from = lanes[i].value + round * ROUND;
            memcpy(steps[i], from, ROUND);
        }
#pragma GCC unroll 4
        for (int step = 0; step < PAIRS; step++) {
#pragma GCC unroll 8
            for (int i = 0; i < LANES; i++) states[i] = pairs->next[pairs->rows[steps[i][step]] + states[i]];
        }
        size_t any = 0;
        for (int i = 0; i < LANES; i++) any |= states[i];
        if (any <= state_deferred) break; /* each is dead or deferred, and stays so */
    }
    for (int i = 0; i < LANES; i++) final[i] = (uint8_t)states[i];
}

/* ---------------------------------------------------------------------------------------------------------------
 * Rows
 * ------------------------------------------------------------------------------------------------------------- */

/* Writes the row numbers in the order of their rounds (a counting sort); those of longer values stay open. */
static size_t sort_rows(const assay_cell *cells, uint64_t rows, uint8_t *order, uint64_t *open)
{
    uint8_t starts[most_rounds + 2] = {0};
    uint64_t taken = 0;
    for (uint64_t rest = rows; rest != 0; rest &= rest - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(rest);
        const size_t rounds = rounds_of(cells[row].length);
        if (rounds > most_rounds) continue;
        starts[rounds + 1]++;
        taken |= UINT64_C(1) << row;
    }
    *open = rows & ~taken;
    for (size_t i = 1; i <= most_rounds; i++) starts[i] = (uint8_t)(starts[i] + starts[i - 1]);
    for (uint64_t rest = taken; rest != 0; rest &= rest - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(rest);
        order[starts[rounds_of(cells[row].length)]++] = (uint8_t)row;
    }
    return (size_t)__builtin_popcountll(taken);
}

/* Whether all 64 values take about as many rounds, so that there is nothing to sort. */
static bool are_alike(const assay_cell *cells)
{
    uint32_t shortest = UINT32_MAX;
    uint32_t longest = 0;
    for (int row = 0; row < 64; row++) {
        shortest = cells[row].length < shortest ? cells[row].length : shortest;
        longest = cells[row].length > longest ? cells[row].length : longest;
    }
    return rounds_of(longest) <= rounds_of(shortest) + 1 && rounds_of(longest) <= most_rounds;
}

static size_t order_rows(const assay_cell *cells, uint64_t rows, uint8_t *order, uint64_t *open)
{
    if (rows != UINT64_MAX || !are_alike(cells)) return sort_rows(cells, rows, order, open);
    for (int row = 0; row < 64; row++) order[row] = (uint8_t)row;
    *open = 0;
    return 64;
}

void assay_automaton_rows(const assay_automaton *automaton, const uint8_t *bytes, const assay_cell *cells,
                          uint64_t rows, uint64_t *failed, uint64_t *open)
{
    const pair_tables *pairs = atomic_load_explicit(&automaton->pairs, memory_order_acquire);
    const uint8_t start = automaton->start;
    const uint8_t first_accepting = automaton->first_accepting;
    uint8_t order[64];
    uint64_t failed_rows = 0;
    uint64_t open_rows = 0;
    const size_t count = order_rows(cells, rows, order, &open_rows);
    for (size_t from = 0; from < count; from += LANES) {
        const size_t used = count - from < LANES ? count - from : LANES;
        lane lanes[LANES];
        uint32_t longest = 0;
        for (size_t i = 0; i < LANES; i++) {
            const assay_cell cell = i < used ? cells[order[from + i]] : (assay_cell){0, 0};
            lanes[i] = lane_of(bytes, cell);
            longest = cell.length > longest ? cell.length : longest;
        }
        uint8_t final[LANES];
        run_lanes(pairs, start, lanes, rounds_of(longest), final);
        for (size_t i = 0; i < used; i++) {
            failed_rows |= (uint64_t)(final[i] < first_accepting) << order[from + i];
            open_rows |= (uint64_t)(final[i] == state_deferred) << order[from + i];
        }
    }
    *failed = failed_rows & ~open_rows;
    *open = open_rows;
}
