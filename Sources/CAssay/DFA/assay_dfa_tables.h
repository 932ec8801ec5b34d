/* What a DFA consists of, for the files that run it. */
#ifndef ASSAY_DFA_TABLES_H
#define ASSAY_DFA_TABLES_H

#include "Bytes/assay_byte_set.h"
#include "DFA/Batch/assay_class_masks.h"
#include "DFA/Batch/assay_transliteration.h"
#include "DFA/Shuffle/assay_shuffle_dfa.h"
#include "Regex/Build/assay_minimal_dfa.h"

#include <stdatomic.h>
#include <string.h>

enum { sheng_states = 16 };

/* Two bytes a step, for columns and long values. */
typedef struct stride2_tables {
    assay_shuffle_dfa *shuffle_dfa;         /* NULL: none */
    assay_class_masks *class_masks;         /* NULL: none, or there are levels */
    assay_transliteration *transliteration; /* NULL: all characters beyond ASCII are alike */
    uint16_t rows[1 << 16];                 /* by two bytes as they stand in memory: where their row begins in `next` */
    _Alignas(sheng_states) uint8_t next[];
} stride2_tables;

/* Two bytes a step, for single values: small enough to be made with the DFA, since a row is found by each byte and not
   by both. */
typedef struct small_stride2_tables {
    uint16_t first[256];  /* where the rows of the pairs begin that begin with a byte */
    uint16_t second[256]; /* and where, from there, the row of a pair that ends with one */
    uint8_t next[];
} small_stride2_tables;

/* The rows of characters, for patterns that tell those beyond ASCII apart: of character c it is that of the symbol
   kinds[stage1[c / 64] * 64 + c % 64]. All above U+FFFF are taken for the first one. */
typedef struct symbol_table {
    uint16_t stage1[character_blocks + 1];
    uint8_t stage2[];
} symbol_table;

/* Where in `stage1` a character beyond ASCII is, by its first two bytes. */
static inline size_t character_block(const uint8_t *character)
{
    const size_t lead = character[0];
    return lead < 0xE0 ? lead & 0x1F : lead < 0xF0 ? (lead & 0x0F) << 6 | (character[1] & 0x3Fu) : character_blocks;
}

/* States among which most bytes lead round and round, as those of (?:[a-z]{4})*: where a run of so many such bytes ends
   needs no steps to be known, only their number. A state that most bytes do not leave is a loop of one. */
typedef struct accel_loop {
    assay_byte_set bytes;
    uint8_t length;
    uint8_t first; /* where its states begin in `looping` */
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
    uint8_t proxies;         /* so many of the symbols after those have a byte that stands for them */
    symbol_table *non_ascii; /* NULL: all characters beyond ASCII are alike */
    accel_tables *accel;
    /* By byte and state, for DFAs of few states: one instruction a step where the processor has it. NULL: none. */
    uint8_t (*sheng)[sheng_states];
    small_stride2_tables *small_stride2; /* NULL: they would be large */
    /* NULL until enough rows were asked for, or a long value: it is large, and most patterns see few values. Whoever comes
       first publishes it, and it never changes after that. */
    _Atomic(stride2_tables *) stride2;
    _Atomic(uint32_t) rows_expected;
    /* What must hold of a value too, where one DFA for all parts of the pattern would be too large. NULL: nothing. */
    assay_dfa *next_conjunct;
    /* Rows, a column for each state: of each ASCII byte; then of each symbol or, where all characters beyond ASCII are
       alike, of each other byte. The first byte of a character is the step, the others change nothing. */
    uint8_t next[];
};

/* Besides ASCII a pair table tells two things apart: bytes that begin other characters, which lead to the deferred state
   where those are not alike, and bytes that change nothing: what values are filled up with, other bytes of characters. Then
   there are bytes that are in no text, and stand for symbols that no ASCII character has (assay_transliteration.h). */
enum { extra_symbols = 2, padding_byte = 0xFF, first_proxy = 0xF5, proxies_max = padding_byte - first_proxy };

static inline size_t stride2_symbols(const assay_dfa *dfa)
{
    return (size_t)dfa->ascii_symbols + extra_symbols + dfa->proxies;
}

/* The size of the rows of a pair table. Where they begin must fit into 16 bits. */
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

/* The state after one byte, as the tables for several bytes have it: where characters beyond ASCII are not alike, these are
   deferred. */
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

/* How characters beyond ASCII are respelled, where they are not all alike. Free with free(). NULL: out of memory. */
assay_transliteration *assay_transliteration_create(const assay_dfa *dfa);

/* Makes the tables of two bytes a step of this one DFA if they are not there yet, and if there is memory. */
void assay_dfa_prepare_stride2(assay_dfa *dfa);
void assay_dfa_free_stride2(assay_dfa *dfa);

/* Makes the tables of assay_dfa_judge: `loops`, `shuffles` and `steps`. false: out of memory. */
bool assay_dfa_prepare_scalar(assay_dfa *dfa);

#endif
