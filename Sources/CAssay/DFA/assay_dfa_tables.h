/* The tables of a DFA, for the files that execute it.
 *
 *     next            one byte a step: a row for each byte or symbol, a column for each state
 *     small_stride2   two bytes a step, rows found by each byte:  single values
 *     stride2         two bytes a step, rows found by both bytes: columns, long values (made when they pay)
 *     sheng           a register of 16 states for each byte, a step is one shuffle: single values (Hyperscan's Sheng engine)
 *     accel           loops that runs of bytes stay in: long values (state acceleration, as in Hyperscan and regex-automata)
 *     shuffle_dfa     the DFA indexed by remaining length: columns with AVX2 or AVX-512 */
#ifndef ASSAY_DFA_TABLES_H
#define ASSAY_DFA_TABLES_H

#include "DFA/Batch/assay_class_masks.h"
#include "DFA/Batch/assay_transliteration.h"
#include "DFA/Shuffle/assay_shuffle_dfa.h"
#include "Regex/Build/assay_minimal_dfa.h"
#include "SIMD/assay_byte_set.h"

#include <stdatomic.h>
#include <string.h>

enum { sheng_states = 16 };

/* Two bytes a step (a stride-2 table), for columns and long values. */
typedef struct stride2_tables {
    assay_shuffle_dfa *shuffle_dfa;         /* NULL: none */
    assay_class_masks *class_masks;         /* NULL: none, or there is a shuffle DFA */
    assay_transliteration *transliteration; /* NULL: all non-ASCII characters have one symbol */
    uint16_t rows[1 << 16];                 /* by two bytes as they stand in memory: where their row begins in `next` */
    _Alignas(sheng_states) uint8_t next[];
} stride2_tables;

/* Two bytes a step, for single values. Rows are found by each byte, not by both, so that the table is small enough to
   be made with the DFA. */
typedef struct small_stride2_tables {
    uint16_t first[256];  /* where the rows of pairs begin whose first byte is this one */
    uint16_t second[256]; /* the offset from there of the row whose second byte is this one */
    uint8_t next[];
} small_stride2_tables;

/* The symbols of non-ASCII characters, in two stages: that of character c is stage2[stage1[c / 64] * 64 + c % 64]. All
   characters above U+FFFF share the last entry of stage1. */
typedef struct symbol_table {
    uint16_t stage1[character_blocks + 1];
    uint8_t stage2[];
} symbol_table;

/* Where in `stage1` a non-ASCII character is, by its first two bytes. */
static inline size_t character_block(const uint8_t *character)
{
    const size_t lead = character[0];
    return lead < 0xE0 ? lead & 0x1F : lead < 0xF0 ? (lead & 0x0F) << 6 | (character[1] & 0x3Fu) : character_blocks;
}

/* A loop of states that most bytes keep to, such as the four of (?:[a-z]{4})*. Where a run of such bytes ends follows
   from its length alone, so that the run is skipped, not stepped through. A state that most bytes do not leave is a
   loop of one. */
typedef struct accel_loop {
    assay_byte_set bytes;
    uint8_t length;
    uint8_t first; /* where its states begin in `loop_states` */
} accel_loop;

enum { accel_none = UINT8_MAX, accel_max = 32 };

typedef struct accel_tables {
    uint8_t loop_of[states_max + 2]; /* by state; accel_none: none */
    uint8_t index_of[states_max + 2];
    uint8_t loop_states[states_max + 2];
    uint8_t count;
    accel_loop loops[accel_max];
} accel_tables;

struct assay_dfa {
    uint32_t states;
    uint8_t start;
    uint8_t first_accepting;
    uint8_t shift; /* a row has 1 << shift states */
    uint8_t ascii_symbols;
    uint8_t ascii_symbol_of[128];
    uint8_t proxies;         /* how many further symbols have a proxy byte */
    symbol_table *non_ascii; /* NULL: all non-ASCII characters have one symbol */
    accel_tables *accel;
    /* By byte and state, for DFAs of up to 16 states. NULL: more states. */
    uint8_t (*sheng)[sheng_states];
    small_stride2_tables *small_stride2; /* NULL: it would be large */
    /* NULL until enough rows, or a long value, asked for it: it is large, and most patterns see few values. The first
       thread to make it publishes it; after that it never changes. */
    _Atomic(stride2_tables *) stride2;
    _Atomic(uint32_t) rows_expected;
    /* The DFA of further conjuncts of the pattern, which must accept the value too, where one DFA for all would be too
       large. NULL: none. */
    assay_dfa *next_conjunct;
    /* Rows with a column for each state: one for each ASCII byte, then one for each symbol or, where all non-ASCII
       characters have one symbol, for each other byte. The first byte of a character takes the step, its other bytes
       change nothing. */
    uint8_t next[];
};

/* A stride-2 table has the ASCII symbols and two more: the lead byte of a non-ASCII character, which leads to the quit
   state where those characters differ, and a byte that changes nothing (continuation bytes, and the padding of short
   values). Then come proxy bytes, which occur in no UTF-8 text and represent symbols that no ASCII character has
   (assay_transliteration.h). */
enum { extra_symbols = 2, padding_byte = 0xFF, first_proxy = 0xF5, proxies_max = padding_byte - first_proxy };

static inline size_t stride2_symbols(const assay_dfa *dfa)
{
    return (size_t)dfa->ascii_symbols + extra_symbols + dfa->proxies;
}

/* The most bytes that the rows of a stride-2 table take: their offsets must fit into 16 bits. */
enum { stride2_bytes_max = 1 << 16 };

static inline size_t stride2_bytes(const assay_dfa *dfa)
{
    return stride2_symbols(dfa) * stride2_symbols(dfa) << dfa->shift;
}

static inline bool is_proxy(const assay_dfa *dfa, unsigned byte)
{
    return byte >= first_proxy && byte - first_proxy < dfa->proxies;
}

static inline bool continues_character(uint8_t byte) { return (byte & 0xC0) == 0x80; }

static inline size_t dfa_step(const assay_dfa *dfa, size_t row, size_t state)
{
    return dfa->next[(row << dfa->shift) + state];
}

/* The state after one byte, as the multi-byte tables have it: where non-ASCII characters differ, they lead to the quit
   state. */
static inline uint8_t dfa_byte_step(const assay_dfa *dfa, uint8_t state, uint8_t byte)
{
    if (byte < 0x80) return (uint8_t)dfa_step(dfa, byte, state);
    if (byte == padding_byte) return state;
    if (dfa->non_ascii == NULL) return (uint8_t)dfa_step(dfa, byte, state);
    if (continues_character(byte)) return state;
    if (is_proxy(dfa, byte)) {
        const size_t symbol = (size_t)dfa->ascii_symbols + (byte - first_proxy);
        return (uint8_t)dfa_step(dfa, 128 + symbol, state);
    }
    return state == state_dead ? state_dead : state_quit;
}

/* Whether so many bytes are all ASCII. */
static inline bool dfa_value_is_ascii(const uint8_t *value, size_t count)
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

/* How non-ASCII characters are transliterated, where they are not all alike. Free with free(). NULL: out of memory. */
assay_transliteration *assay_transliteration_create(const assay_dfa *dfa);

/* Makes the stride-2 table of this one DFA if it does not exist yet and there is memory. */
void assay_dfa_prepare_stride2(assay_dfa *dfa);
void assay_dfa_free_stride2(assay_dfa *dfa);

/* Makes the tables of assay_dfa_judge: `accel`, `sheng` and `small_stride2`. false: out of memory. */
bool assay_dfa_prepare_scalar(assay_dfa *dfa);

#endif
