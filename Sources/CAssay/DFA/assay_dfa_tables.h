/* The tables of a DFA, private to the files that make and execute them.
 *
 *     table           indexed by                     a step takes    serves
 *     next            byte or symbol, then state     one byte        any value; all other tables are made from it
 *     small_stride2   each of two bytes, then state  two bytes       single values
 *     columns         one or two bytes, then state   two bytes       columns, and long values; made on demand
 *     sheng           byte, then state: a register   one byte        single values, DFAs of up to 16 states (Hyperscan)
 *     accel           loops of states                a run of bytes  long values (regex-automata, Hyperscan)
 *     shuffle_dfa     bytes remaining, then state    one byte        columns, with AVX2 or AVX-512; made with `columns`
 *     class_masks     length of the value            16 bytes        columns without a shuffle DFA; made with `columns`
 *
 * States keep the numbers of the minimal DFA in all tables but the last two: 0 dead, 1 quit, accepting ones last. Rows
 * are for bytes and columns for states, so that the rows of a byte are found before the state is known and only one
 * lookup depends on the step before. */
#ifndef ASSAY_DFA_TABLES_H
#define ASSAY_DFA_TABLES_H

#include "DFA/Batch/assay_class_masks.h"
#include "DFA/Batch/assay_transliteration.h"
#include "DFA/Shuffle/assay_shuffle_dfa.h"
#include "Regex/Determinize/assay_minimal_dfa.h"
#include "Regex/Syntax/assay_regex_lengths.h"
#include "SIMD/assay_byte_set.h"

#include <stdatomic.h>
#include <string.h>

enum { sheng_states = 16 };

/* The tables for columns and long values, with two bytes per step (stride 2) or, if that table would be too large, with
 * one. A lookup in `rows` maps two bytes to a row for any state, so it does not lengthen the chain of dependent loads;
 * a lookup in `next` makes the step:
 *
 *     value    "42…"   ──► rows['4' '2'] = the start of the row (digit, digit)
 *     state s          ──► next[that + s] = the state after both
 *
 * Pairs with equal rows share one, because most pairs lead to the dead state: the pairs of a list of words are those in
 * its words. `rows` takes 128 KiB for two bytes, `next` up to 64 KiB. Most patterns check too few values to repay that,
 * so the tables are constructed on demand. */
typedef struct column_tables {
    assay_shuffle_dfa *shuffle_dfa;         /* NULL: no shuffle DFA */
    assay_class_masks *class_masks;         /* NULL: no class masks, or there is a shuffle DFA */
    assay_transliteration *transliteration; /* NULL: the steps take the bytes of all characters */
    const uint8_t *next;                    /* behind `rows`, in the same allocation */
    bool by_pairs;                          /* two bytes per step */
    bool are_sheng_rows;                    /* the rows have 16 states */
    bool takes_text;                        /* false: only transliterated text */
    /* by_pairs: by two bytes, loaded as a native 16-bit number; otherwise by one byte */
    _Alignas(sheng_states) uint16_t rows[];
} column_tables;

/* Two bytes per step, for single values. The row of a pair is first[one] + second[other], with 1 KiB in place of the
 * 128 KiB of `rows` and one more addition. `next` takes at most 16 KiB, so it is constructed together with the DFA. */
typedef struct small_stride2_tables {
    uint16_t first[256];  /* the start of the rows of pairs with this first byte */
    uint16_t second[256]; /* the offset from there of the row with this second byte */
    uint8_t next[];
} small_stride2_tables;

/* The symbols of non-ASCII characters, copied from the alphabet (assay_alphabet.h): the symbol of a character is
 * stage2[stage1[character_block(page_of, character)] * 64 + its last six bits]. */
typedef struct symbol_table {
    uint8_t page_of[character_pages];
    uint32_t blocks;        /* the number of entries of stage1 */
    uint32_t rows;          /* the number of rows of stage2 */
    uint8_t *stage2;        /* behind stage1, in the same allocation */
    uint16_t block_of[256]; /* by the first byte of characters of one or two bytes: their block */
    uint16_t stage1[];
} symbol_table;

/* A loop of states in which certain bytes stay, such as the four states of (?:[a-z]{4})*. In a run of such bytes the
 * final state follows from the length of the run, so the run is skipped by a search for the first other byte (state
 * acceleration). regex-automata and Hyperscan accelerate single states that loop to themselves: here a loop of length
 * 1.
 *
 *     (?:[a-z]{4})*     loop   s₀ → s₁ → s₂ → s₃ → s₀     bytes   a to z
 *                       at s₁, a run of 103 letters ends in s₀: (1 + 103) % 4 = 0 */
typedef struct accel_loop {
    assay_byte_set bytes; /* lead from each state of the loop to the next one */
    uint8_t length;
    uint8_t first; /* its states are loop_states[first .. first + length) */
} accel_loop;

enum { accel_none = UINT8_MAX, accel_max = 32 };

typedef struct accel_tables {
    uint8_t loop_of[states_max + 2];  /* by state: its loop, or accel_none */
    uint8_t index_of[states_max + 2]; /* by state: its place in the loop */
    uint8_t loop_states[states_max + 2];
    uint8_t count;
    accel_loop loops[accel_max];
} accel_tables;

enum { no_sink = 256 };

struct assay_dfa {
    uint32_t states;
    uint8_t start;
    uint8_t first_accepting; /* states from here on accept */
    uint16_t sink;           /* an accepting state that no character leaves, or no_sink */
    uint8_t shift;           /* a row has 1 << shift columns: 16, 64 or 256 */
    uint8_t ascii_symbols;   /* symbols of ASCII characters, which come first */
    uint8_t ascii_symbol_of[128];
    uint8_t proxies;         /* the number of other symbols with a proxy byte */
    symbol_table *non_ascii; /* NULL: all non-ASCII characters have one symbol */
    accel_tables *accel;
    /* By byte and state: a row of 16 is a transition function in one register (Sheng). NULL: more states. */
    uint8_t (*sheng)[sheng_states];
    small_stride2_tables *small_stride2; /* NULL: it would be large */
    /* NULL until there are enough rows or a long value. The first thread to finish publishes its tables with release
     * order, and others free theirs; after that the pointer never changes. Readers load it with acquire order. */
    _Atomic(column_tables *) columns;
    _Atomic(uint32_t) rows_expected;
    _Atomic(uint32_t) values_expected; /* single ones */
    _Atomic(uint32_t) slow_values;     /* those that read one character a step without the tables for columns */
    /* The lengths of matching values, a conjunct that the first DFA of a chain checks for all. */
    regex_lengths lengths;
    bool only_ascii_matches; /* no value with other characters passes this DFA */
    /* The rest of a chain: the DFA of further conjuncts of the pattern, which must also accept the value. Owned. NULL:
     * the end of the chain. */
    assay_dfa *next_conjunct;
    /* The transition table, next[(row << shift) + state].

           rows 0 to 127      ASCII bytes
           rows 128 and up    if non_ascii is NULL: bytes 80 to FF; lead bytes step, continuation bytes keep the state
                              else: symbols, found by decoding a character with symbol_table */
    uint8_t next[];
};

/* A byte that changes no state, and occurs in no UTF-8 text. */
enum { padding_byte = 0xFF };

static inline bool continues_character(uint8_t byte) { return (byte & 0xC0) == 0x80; }

static inline size_t dfa_step(const assay_dfa *dfa, size_t row, size_t state)
{
    return dfa->next[(row << dfa->shift) + state];
}

/* Returns the state after one byte, as all multi-byte tables define it. If non-ASCII characters differ, one byte cannot
 * determine its character, so lead bytes quit; step_all or transliteration then handles the value. The dead state leads
 * only to itself, because no character can make the value match. */
static inline uint8_t dfa_byte_step(const assay_dfa *dfa, uint8_t state, uint8_t byte)
{
    if (byte < 0x80) return (uint8_t)dfa_step(dfa, byte, state);
    if (byte == padding_byte) return state;
    if (dfa->non_ascii == NULL) return (uint8_t)dfa_step(dfa, byte, state);
    if (continues_character(byte)) return state;
    return state == state_dead ? state_dead : state_quit;
}

/* Whether `count` bytes are all ASCII. Tests eight at a time, without SIMD, because it is called for single values
 * only. The return within the loop also keeps compilers from vectorizing it. */
static inline bool dfa_value_is_ascii(const uint8_t *value, size_t count)
{
    const uint64_t signs = UINT64_C(0x8080808080808080);
    uint64_t word = 0;
    if (count < sizeof word) {
        for (size_t i = 0; i < count; i++) word |= value[i];
        return (word & signs) == 0;
    }
    for (size_t i = 0; i + sizeof word < count; i += sizeof word) {
        memcpy(&word, value + i, sizeof word);
        if ((word & signs) != 0) return false;
    }
    memcpy(&word, value + count - sizeof word, sizeof word);
    return (word & signs) == 0;
}

/* Constructs the transliteration tables of a DFA. Its non_ascii must not be NULL. Free with free(). NULL: out of
 * memory. */
assay_transliteration *assay_transliteration_create(const assay_dfa *dfa);

/* The maximum size of `next` of column_tables: offsets of its rows must fit into 16 bits. */
enum { column_next_max = 1 << 16 };

/* Limits on the tables for columns, by which tests choose their form. */
typedef struct column_limits {
    size_t next_max;       /* bytes of `next` for two bytes per step; if it would take more, the steps take one byte */
    unsigned inner_states; /* states within characters; if there would be more, values are transliterated */
} column_limits;

static const column_limits column_limits_usual = {column_next_max, states_max};

/* Constructs the tables for columns of one DFA for the current processor path. NULL: out of memory. */
column_tables *assay_column_tables_create(const assay_dfa *dfa, column_limits limits);
void assay_column_tables_free(column_tables *tables);

/* Constructs the tables for columns of this one DFA, not of its chain, unless they exist or memory runs out.
 * Thread-safe. */
void assay_dfa_prepare_columns(assay_dfa *dfa);
void assay_dfa_free_columns(assay_dfa *dfa);

/* Constructs the tables of assay_dfa_match: `accel`, `sheng` and `small_stride2`. Returns false when out of memory. */
bool assay_dfa_prepare_scalar(assay_dfa *dfa);

#endif
