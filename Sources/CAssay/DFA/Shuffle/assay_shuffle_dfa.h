/* A shuffle DFA: a DFA indexed by the number of bytes remaining, run by SIMD shuffles on 64 values at once.
 *
 *     DFA ──► literal prefixes ──► symbols ──► layers, minimized one by one ──► tables ──► assay_shuffle_dfa_<path>.h
 *
 * A byte shuffle (PSHUFB, VPERMB) looks up sixteen or more bytes in a table of sixteen or more entries with one
 * instruction. Published shuffle DFAs (T. Mytkowicz, M. Musuvathi, W. Schulte: Data-parallel finite-state machines,
 * 2014; Hyperscan's Sheng) use the lanes of that instruction as the states of one DFA on one input. Here the lanes are
 * values: all take a step of the same table at once. This needs tables of few states. The DFA is therefore minimized
 * separately for each number of bytes remaining, which is new, as far as we know.
 *
 * Seen from the end of a value, most states are equivalent. With thirty bytes remaining no value that began as a date
 * can match; with ten remaining an e-mail address need not count the letters since its last dot. Each number of bytes
 * remaining, a layer, therefore has its own states, usually two or three, and the transition from one layer to the next
 * is a small table. Values are aligned at their ends:
 *
 *     layer    10 9 8 7 6 5 4 3 2 1 0
 *     row 0     2 0 2 6 - 1 1 - 2 2 ✓      a row begins in state `start` of the layer of its first byte
 *     row 1           2 0 2 6 - 1 1 ✗
 * In layer n two states of the DFA are equivalent if every string of exactly n bytes leads from them to the same
 * verdict. Layers are computed from the last one backwards, each by one step of Moore's refinement, for the states in
 * which a value can be with n bytes remaining.
 *
 * States that differ only in how much of a literal such as "https://" was read differ in every layer. If all matching
 * values begin with one of a few literals, these are therefore compared first (assay_literal_prefixes.h), and the
 * layers check the rest. */
#ifndef ASSAY_SHUFFLE_DFA_H
#define ASSAY_SHUFFLE_DFA_H

#include "DFA/Shuffle/assay_literal_prefixes.h"

struct byte_dfa;

enum {
    segment_layers = 8, /* a segment: the layers that run with one number of tables */
    layers_max = 96,    /* longest values, in bytes */
    layer_symbols_max =
        63,                /* symbols are an index into what one instruction looks up, and one is for non-ASCII bytes */
    layer_states_max = 32, /* states of one layer */
    shuffle_entries = 16,  /* entries of a table: what PSHUFB looks up */
    layer_tables_max = 16, /* tables of a step: an index is a byte */
    layer_few_tables = 8,  /* max delta-encoded tables: an index below 128 has no sign bit */
    nibble_maps_max = 3,   /* maps from bytes to symbols */
    nibble_map_rectangles = 8, /* rectangles of a map, a bit each */
    layer_no_row = 255,        /* the row of a symbol without transitions: leads to state 0 */
};

/* The number of table entries that one instruction of the processor looks up. */
enum { shuffle_narrow = shuffle_entries, shuffle_wide = 64 };

/* States of layer 0. State 0 of every layer cannot match any more. */
enum { layer_failed = 0, layer_passed = 1, layer_unknown = 2 };

/* The symbol of non-ASCII bytes, if values with such bytes are left to the lanes. All other symbols are lower. */
enum { narrow_non_ascii_symbol = shuffle_narrow - 1, wide_non_ascii_symbol = shuffle_wide - 1 };

/* Bytes to symbols, by their two nibbles ("vectorized classification" in simdjson, "shufti" in Hyperscan).
 *
 * In a table with a row for each upper nibble and a column for each lower one, the bytes of a symbol form rectangles,
 * sets of rows × sets of columns:
 *
 *     [A-Za-z]     0 1 2 3 4 5 6 7 8 9 A B C D E F     rectangle 0   rows 4, 6   columns 1 to F
 *         row 4    @ A B C D E F G H I J K L M N O     rectangle 1   rows 5, 7   columns 0 to A
 *         row 5    P Q R S T U V W X Y Z [ \ ] ^ _
 *         row 6    ` a b c d e f g h i j k l m n o
 *         row 7    p q r s t u v w x y z { | } ~
 *
 * Bit r of lower[byte % 16] & upper[byte / 16] is set if the byte is in rectangle r. Symbols do not overlap, so it is
 * in at most one rectangle. The bits themselves, with at most one set, are the index of its symbol: rectangles 0 to 3
 * in by_lower_bits, 4 to 7 in by_upper_bits. Bytes outside all rectangles have symbol 0, which never matches. */
typedef struct nibble_map {
    uint8_t lower[shuffle_entries];
    uint8_t upper[shuffle_entries];
    uint8_t by_lower_bits[shuffle_entries];
    uint8_t by_upper_bits[shuffle_entries];
    uint8_t rectangles;
} nibble_map;

/* The step from a layer to the next, for a state and a symbol:
 *
 *     index = state + row_of[symbol]        next state = tables[index / 16][index % 16], or 0 if there is no such table
 *
 *     states 0, 1, 2     row_of a = 0     entries     0 2 0 1 1 0 …      a:  0 → 0, 1 → 2, 2 → 0
 *                        row_of b = 2                 └─a─┘              b:  0 → 0, 1 → 1, 2 → 1
 *                                                         └─b─┘
 *
 * Rows of symbols overlap if they agree, which reduces the number of tables. In every layer state 0 leads to state 0.
 *
 * Narrow (16 entries per lookup): a shuffle uses four bits of an index, and its sign. Up to layer_few_tables tables are
 * delta-encoded: each but the first contains the exclusive or with the previous one. The runner subtracts 16 × number
 * from the index for each table; a negative difference gives 0, so the exclusive or of all lookups is that of tables 0
 * to index / 16, which is the requested entry. With more tables, each lookup counts only if the index is in its table.
 *
 * Wide (64 entries): there are 4, 8 or 16 tables, the last entry of which is 0, and an index beyond the tables finds
 * that entry. */
typedef struct layer_step {
    uint8_t start[shuffle_entries]; /* all the same */
    uint8_t row_of[shuffle_wide];   /* by symbol */
    uint16_t first_table;
} layer_step;

/* Immutable. One allocation; first_table is an index into `tables`. */
typedef struct assay_shuffle_dfa {
    assay_literal_prefixes prefixes; /* the layers check the text after them; no prefixes: the whole value */
    uint8_t longest;                 /* the maximum length of its values */
    uint8_t width;                   /* shuffle_narrow or shuffle_wide */
    uint8_t maps;
    bool only_ascii; /* values with other bytes are left to the lanes */
    bool
        non_ascii_may_match; /* so values without a prefix are left to the lanes if other bytes are among their first */
    uint8_t tables_of[layers_max / segment_layers]; /* by segment: the number of tables of each layer */
    nibble_map map[nibble_maps_max];                /* narrow */
    uint8_t symbol_of[256];                         /* wide */
    layer_step steps[layers_max + 1];               /* by layer: to the one below; layer 0 has only `start` */
    uint8_t tables[][shuffle_entries];
} assay_shuffle_dfa;

/* Constructs the shuffle DFA of one DFA (not of its chain), whose steps over bytes are `bytes`. `width`: shuffle_width
 * of the processor path (assay_kernels.h). NULL: the DFA needs too many symbols, states or tables to be faster than
 * lanes, or there is no memory. Free with free(). O(layers × states × symbols), less if consecutive layers are
 * equal. */
assay_shuffle_dfa *assay_shuffle_dfa_create(const assay_dfa *dfa, const struct byte_dfa *bytes, uint8_t width);

#endif
