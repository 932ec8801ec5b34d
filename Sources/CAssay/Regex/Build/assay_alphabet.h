/* Symbols: what the transitions of an automaton are over. Characters that no item tells apart share one. */
#ifndef ASSAY_ALPHABET_H
#define ASSAY_ALPHABET_H

#include "Regex/Syntax/assay_character_set.h"

enum { symbols_max = 250, symbol_sets_max = 128 };

/* Which sets characters are in: bit i of word i / 64. */
typedef struct symbol_members {
    uint64_t words[symbol_sets_max / 64];
} symbol_members;

typedef struct assay_symbols {
    uint32_t count;
    uint32_t ascii_count; /* those of ASCII characters come first */
    /* Of characters from U+0080 to U+FFFF and in the end of all: kinds[block_of[c / 64] * 64 + c % 64]. */
    uint16_t block_of[character_blocks];
    uint8_t *kinds;
    uint32_t kind_blocks;
    /* Of all characters above U+FFFF. */
    uint8_t beyond;
    bool beyond_is_known;
    /* All characters from U+0080 on have the symbol `beyond`, and it is known. */
    bool beyond_ascii_is_alike;
    /* By symbol. Of an unknown `beyond`: the sets that its characters may be in. */
    symbol_members members[symbols_max];
} assay_symbols;

/* `count`: at most symbol_sets_max. false: more than there are numbers for, or out of memory; *because says which. Free
   it in either case. */
bool assay_symbols_fill(assay_symbols *symbols, const assay_character_set *const *sets, uint32_t count,
                        const char **because);
void assay_symbols_free(assay_symbols *symbols);

static inline bool assay_symbols_are_in(const assay_symbols *symbols, uint32_t symbol, uint32_t set)
{
    return (symbols->members[symbol].words[set / 64] >> (set % 64) & 1) != 0;
}

#endif
