/* A shuffle DFA: a DFA indexed by the number of bytes remaining, run by SIMD shuffles on 64 values at once.
 *
 * Many processors look up sixteen bytes or more in a table of sixteen or more entries with one instruction, a shuffle.
 * Shuffle-based DFAs (Mytkowicz, Musuvathi, Schulte: Data-parallel finite-state machines, 2014; Hyperscan's Sheng) let
 * the lanes of that instruction be the states of one DFA on one input. Here the lanes are values: all take a step of
 * the same table at once. That needs tables of few states, and this is what is new: the DFA is minimised anew for each
 * number of bytes remaining.
 *
 * Seen from the end of a value most states are equivalent. With thirty bytes remaining no value that began as a date
 * can match; with ten remaining an e-mail address need not count the letters since its last dot. So each number of
 * bytes remaining, a layer, has states of its own, mostly two or three, and the transition from one layer to the next
 * is a small table. Values are aligned at their ends:
 *
 *     layer    10 9 8 7 6 5 4 3 2 1 0
 *     row 0     2 0 2 6 - 1 1 - 2 2 ✓      a row begins in state `start` of the layer of its first byte
 *     row 1           2 0 2 6 - 1 1 ✗
 *
 * States that differ only in how much of a literal such as "https://" was read differ in every layer. So where all
 * matching values begin with one of a few literals, these are compared first (assay_literal_prefixes.h), and the layers
 * judge the rest. / */
#ifndef ASSAY_SHUFFLE_DFA_H
#define ASSAY_SHUFFLE_DFA_H

#include "DFA/Shuffle/assay_literal_prefixes.h"

enum {
    segment_layers = 8, /* a segment: the layers that one call runs */
    layers_max = 96,
    layer_symbols_max = 15,
    layer_states_max = 32,
    shuffle_entries = 16, /* of a table */
    layer_tables_max = 16,
    layer_few_tables = 8,
    nibble_maps_max = 3,
    nibble_map_rectangles = 8, /* of a map */
    layer_no_row = 255,        /* leads to state 0 */
};

/* How many entries of the tables of a step one instruction of the processor looks up. */
enum { shuffle_narrow = shuffle_entries, shuffle_wide = 64 };

/* States of layer 0. State 0 of every layer cannot match any more. */
enum { layer_failed = 0, layer_passed = 1, layer_unknown = 2 };

/* The symbol of non-ASCII bytes. */
enum { layer_non_ascii_symbol = layer_symbols_max };

/* ASCII bytes to symbols, by their two nibbles ("vectorized classification" in simdjson, "shufti" in Hyperscan). The
 * bytes of a symbol form rectangles in the table of ASCII, as A to O and a to o do: bit r of lower[byte % 16] &
 * upper[byte / 16] says whether the byte lies in rectangle r. It lies in one at most, whose symbol is in one of the
 * other tables, by the lower or the upper half of these bits. Bytes in none have symbol 0, which never matches. */
typedef struct nibble_map {
    uint8_t lower[shuffle_entries];
    uint8_t upper[shuffle_entries];
    uint8_t by_lower_bits[shuffle_entries];
    uint8_t by_upper_bits[shuffle_entries];
    uint8_t rectangles;
} nibble_map;

/* From a layer to the next: the index of a state and a symbol is state + row_of[symbol], and tables[index / 16][index %
 * 16] is the next state, or 0 if there is no such table.
 *
 * Narrow (16 entries a lookup): where there are few tables they are delta-encoded, each but the first being the
 * exclusive or with the one before, so that the tables up to that of an index together give the state. Wide (64
 * entries): there are 4, 8 or 16 tables, the last entry of which is 0, and an index beyond them finds that entry. */
typedef struct layer_step {
    uint8_t start[shuffle_entries]; /* all the same */
    uint8_t row_of[shuffle_entries];
    uint16_t first_table;
} layer_step;

typedef struct assay_shuffle_dfa {
    assay_literal_prefixes prefixes; /* the layers judge what follows them; none: the whole value */
    uint8_t longest;                 /* the longest value that it judges */
    uint8_t width;                   /* shuffle_narrow or shuffle_wide */
    uint8_t maps;
    bool only_ascii;                                /* values with other bytes are left to others; if not, they fail */
    uint8_t tables_of[layers_max / segment_layers]; /* by segment: how many each of its layers has */
    nibble_map map[nibble_maps_max];                /* narrow */
    uint8_t symbol_of[128];                         /* wide */
    layer_step steps[layers_max + 1];               /* by layer; at layer 0 only `start` counts */
    uint8_t tables[][shuffle_entries];
} assay_shuffle_dfa;

/* `width`: that of the processor. NULL: too many states to be faster than lanes, or no memory. Free with free(). */
assay_shuffle_dfa *assay_shuffle_dfa_create(const assay_dfa *dfa, uint8_t width);

#endif
