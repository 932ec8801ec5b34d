/* Levels: a DFA for values of which it is known how many bytes are still to come.
 *
 * Seen from the end of a value most states are alike. With thirty bytes to come nothing that began as a date can be one;
 * with ten to come an e-mail address need not count the letters since its last dot. So each level, a number of bytes to come,
 * has classes of states of its own, mostly two or three, and the step from one level to the next is so small a table that
 * processors look up sixteen bytes or more of it at once. Values go side by side, aligned at their ends:
 *
 *     level    10 9 8 7 6 5 4 3 2 1 0
 *     row 0     2 0 2 6 - 1 1 - 2 2 ✓      a row begins in class `start` of the level where its first byte is
 *     row 1           2 0 2 6 - 1 1 ✗
 *
 * States that only differ in how much of a word such as "https://" was there are different at every level. So where all right
 * values begin with one of a few words, these are compared first (assay_literal_prefixes.h), and only what follows goes through levels.
 */
#ifndef ASSAY_SHUFFLE_DFA_H
#define ASSAY_SHUFFLE_DFA_H

#include "DFA/Shuffle/assay_literal_prefixes.h"

enum {
    segment_layers = 8, /* levels gone down at once */
    layers_max = 96,
    layer_symbols_max = 15,
    layer_states_max = 32,
    shuffle_entries = 16, /* of a table */
    layer_tables_max = 16,
    layer_few_tables = 8,
    nibble_maps_max = 3,
    nibble_map_rectangles = 8, /* of a map */
    layer_no_row = 255,        /* leads to class 0 */
};

/* How many entries of the tables of a step a processor looks up at once. */
enum { shuffle_narrow = shuffle_entries, shuffle_wide = 64 };

/* Classes of the last level. Class 0 of every level has no way to be right. */
enum { layer_failed = 0, layer_passed = 1, layer_unknown = 2 };

/* The symbol of bytes beyond ASCII. */
enum { layer_non_ascii_symbol = layer_symbols_max };

/* ASCII bytes to symbols. The bytes of a symbol form rectangles in the table of ASCII, as A to O and a to o do: bit r of
 * lower[byte % 16] & upper[byte / 16] says whether the byte lies in rectangle r. It lies in one at most, whose symbol is in
 * one of the other tables, by the lower or the upper half of these bits. Bytes in none are symbol 0, which is never right. */
typedef struct nibble_map {
    uint8_t lower[shuffle_entries];
    uint8_t upper[shuffle_entries];
    uint8_t by_lower_bits[shuffle_entries];
    uint8_t by_upper_bits[shuffle_entries];
    uint8_t rectangles;
} nibble_map;

/* From a level to the next: the place of a class and a symbol is class + row_of[symbol], and tables[place / 16][place % 16]
 * is the class there, if there is such a table, and 0 if not.
 *
 * Narrow ones: where there are few tables each but the first holds what it has otherwise than the one before (exclusive or): all
 * tables up to that of a place together give the class. Wide ones: there are 4, 8 or 16 tables, the last entry of which is 0, so
 * that a place behind them may be taken for that. */
typedef struct layer_step {
    uint8_t start[shuffle_entries]; /* all the same */
    uint8_t row_of[shuffle_entries];
    uint16_t first_table;
} layer_step;

typedef struct assay_shuffle_dfa {
    assay_literal_prefixes prefixes; /* of the values; the levels judge what follows. Without any they judge all */
    uint8_t longest;                 /* longer values are not for them */
    uint8_t width;                   /* those of a processor: shuffle_narrow or shuffle_wide */
    uint8_t maps;
    bool only_ascii;                                /* neither are values with other bytes; if not, these are wrong */
    uint8_t tables_of[layers_max / segment_layers]; /* how many each level of a stretch has */
    nibble_map map[nibble_maps_max];                /* narrow */
    uint8_t symbol_of[128];                         /* wide */
    layer_step steps[layers_max + 1];               /* by level; at level 0 only `start` counts */
    uint8_t tables[][shuffle_entries];
} assay_shuffle_dfa;

/* `entries`: those of the processor. NULL: too many classes to be faster than other ways, or no memory. Free with free(). */
assay_shuffle_dfa *assay_shuffle_dfa_create(const assay_dfa *dfa, uint8_t width);

#endif
