/* What an automaton consists of, for the files that run it. */
#ifndef ASSAY_DFA_TABLES_H
#define ASSAY_DFA_TABLES_H

#include "Bytes/assay_byte_set.h"
#include "DFA/Batch/assay_class_masks.h"
#include "DFA/Batch/assay_transliteration.h"
#include "DFA/Shuffle/assay_shuffle_dfa.h"
#include "Regex/Build/assay_minimal_dfa.h"

#include <stdatomic.h>
#include <string.h>

enum { shuffled_states = 16 };

/* Two bytes a step, for columns and long values. */
typedef struct pair_tables {
    assay_levels *levels;     /* NULL: none */
    assay_shapes *shapes;     /* NULL: none, or there are levels */
    assay_spelling *spelling; /* NULL: all characters beyond ASCII are alike */
    uint16_t rows[1 << 16];   /* by two bytes as they stand in memory: where their row begins in `next` */
    _Alignas(shuffled_states) uint8_t next[];
} pair_tables;

/* Two bytes a step, for single values: small enough to be made with the automaton, since a row is found by each byte and not
   by both. */
typedef struct step_tables {
    uint16_t first[256];  /* where the rows of the pairs begin that begin with a byte */
    uint16_t second[256]; /* and where, from there, the row of a pair that ends with one */
    uint8_t next[];
} step_tables;

/* The rows of characters, for patterns that tell those beyond ASCII apart: of character c it is that of the symbol
   kinds[block_of[c / 64] * 64 + c % 64]. All above U+FFFF are taken for the first one. */
typedef struct character_symbols {
    uint16_t block_of[character_blocks + 1];
    uint8_t kinds[];
} character_symbols;

/* Where in `block_of` a character beyond ASCII is, by its first two bytes. */
static inline size_t character_block(const uint8_t *character)
{
    const size_t lead = character[0];
    return lead < 0xE0 ? lead & 0x1F : lead < 0xF0 ? (lead & 0x0F) << 6 | (character[1] & 0x3Fu) : character_blocks;
}

/* States among which most bytes lead round and round, as those of (?:[a-z]{4})*: where a run of so many such bytes ends
   needs no steps to be known, only their number. A state that most bytes do not leave is a loop of one. */
typedef struct state_loop {
    assay_byte_set bytes;
    uint8_t length;
    uint8_t first; /* where its states begin in `looping` */
} state_loop;

enum { no_loop = UINT8_MAX, loops_max = 32 };

typedef struct loop_tables {
    uint8_t loop_of[states_max + 2]; /* by state; no_loop: none */
    uint8_t place_of[states_max + 2];
    uint8_t looping[states_max + 2];
    uint8_t count;
    state_loop loops[loops_max];
} loop_tables;

struct assay_automaton {
    uint32_t states;
    uint8_t start;
    uint8_t first_accepting;
    uint8_t shift; /* a row has 1 << shift states */
    uint8_t ascii_symbols;
    uint8_t ascii_symbol_of[128];
    uint8_t stand_ins;             /* so many of the symbols after those have a byte that stands for them */
    character_symbols *characters; /* NULL: all characters beyond ASCII are alike */
    loop_tables *loops;
    /* By byte and state, for automata of few states: one instruction a step where the processor has it. NULL: none. */
    uint8_t (*shuffles)[shuffled_states];
    step_tables *steps; /* NULL: they would be large */
    /* NULL until enough rows were asked for, or a long value: it is large, and most patterns see few values. Whoever comes
       first publishes it, and it never changes after that. */
    _Atomic(pair_tables *) pairs;
    _Atomic(uint32_t) rows_expected;
    /* What must hold of a value too, where one automaton for all parts of the pattern would be too large. NULL: nothing. */
    assay_automaton *besides;
    /* Rows, a column for each state: of each ASCII byte; then of each symbol or, where all characters beyond ASCII are
       alike, of each other byte. The first byte of a character is the step, the others change nothing. */
    uint8_t next[];
};

/* Besides ASCII a pair table tells two things apart: bytes that begin other characters, which lead to the deferred state
   where those are not alike, and bytes that change nothing: what values are filled up with, other bytes of characters. Then
   there are bytes that are in no text, and stand for symbols that no ASCII character has (assay_transliteration.h). */
enum { more_symbols = 2, past_end = 0xFF, first_stand_in = 0xF5, stand_ins_max = past_end - first_stand_in };

static inline size_t pair_symbols(const assay_automaton *automaton)
{
    return (size_t)automaton->ascii_symbols + more_symbols + automaton->stand_ins;
}

/* The size of the rows of a pair table. Where they begin must fit into 16 bits. */
enum { pair_bytes_max = 1 << 16 };

static inline size_t pair_bytes(const assay_automaton *automaton)
{
    return pair_symbols(automaton) * pair_symbols(automaton) << automaton->shift;
}

static inline bool is_stand_in(const assay_automaton *automaton, unsigned byte)
{
    return byte >= first_stand_in && byte - first_stand_in < automaton->stand_ins;
}

static inline bool continues_character(uint8_t byte) { return (byte & 0xC0) == 0x80; }

static inline size_t automaton_step(const assay_automaton *automaton, size_t row, size_t state)
{
    return automaton->next[(row << automaton->shift) + state];
}

/* The state after one byte, as the tables for several bytes have it: where characters beyond ASCII are not alike, these are
   deferred. */
static inline uint8_t automaton_byte_step(const assay_automaton *automaton, uint8_t state, uint8_t byte)
{
    if (byte < 0x80) return (uint8_t)automaton_step(automaton, byte, state);
    if (byte == past_end) return state;
    if (automaton->characters == NULL) return (uint8_t)automaton_step(automaton, byte, state);
    if (continues_character(byte)) return state;
    if (is_stand_in(automaton, byte)) {
        const size_t symbol = (size_t)automaton->ascii_symbols + (byte - first_stand_in);
        return (uint8_t)automaton_step(automaton, 128 + symbol, state);
    }
    return state == state_dead ? state_dead : state_deferred;
}

/* Whether so many bytes are all ASCII. */
static inline bool automaton_starts_ascii(const uint8_t *value, size_t count)
{
    uint64_t any = 0;
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        uint64_t word;
        memcpy(&word, value + i, sizeof word);
        any |= word;
    }
    for (; i < count; i++) any |= value[i];
    return (any & UINT64_C(0x8080808080808080)) == 0;
}

/* How characters beyond ASCII are respelled, where they are not all alike. Free with free(). NULL: out of memory. */
assay_spelling *assay_automaton_spelling(const assay_automaton *automaton);

/* Makes the tables of two bytes a step of this one automaton if they are not there yet, and if there is memory. */
void assay_automaton_prepare_pairs(assay_automaton *automaton);
void assay_automaton_free_pairs(assay_automaton *automaton);

/* Makes the tables of assay_automaton_value: `loops`, `shuffles` and `steps`. false: out of memory. */
bool assay_automaton_prepare_runs(assay_automaton *automaton);

#endif
