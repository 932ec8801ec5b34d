/* The alphabet of a DFA, compressed to equivalence classes: characters that no class of the pattern distinguishes share
 * one symbol (byte classes in RE2 and regex-automata; here classes of characters).
 *
 *     [a-z]+@[a-z.]+     symbols   a-z   @   .   all others */
#ifndef ASSAY_ALPHABET_H
#define ASSAY_ALPHABET_H

#include "Regex/Syntax/assay_character_set.h"

enum { symbols_max = 250, symbol_sets_max = 128 };

/* Which sets characters are in: bit i of word i / 64. */
typedef struct symbol_members {
    uint64_t words[symbol_sets_max / 64];
} symbol_members;

typedef struct assay_alphabet {
    uint32_t count;
    uint32_t ascii_count; /* those of ASCII characters come first */
    /* Two stages: the symbol of character c up to U+FFFF is stage2[stage1[c / 64] * 64 + c % 64]. */
    uint16_t stage1[character_blocks];
    uint8_t *stage2;
    uint32_t stage2_blocks;
    /* the symbol of all characters above U+FFFF */
    uint8_t above_bmp;
    bool above_bmp_is_known;
    /* All characters from U+0080 on have the symbol `above_bmp`, and it is known. */
    bool non_ascii_is_one_symbol;
    /* By symbol: the sets that contain it. For an unknown `above_bmp`: those that may. */
    symbol_members members[symbols_max];
} assay_alphabet;

/* `count`: at most symbol_sets_max. false: more than there are numbers for, or out of memory; *because says which. Free
   it in either case. */
bool assay_alphabet_build(assay_alphabet *alphabet, const assay_character_set *const *sets, uint32_t count,
                          const char **because);
void assay_alphabet_free(assay_alphabet *alphabet);

static inline bool assay_alphabet_is_in(const assay_alphabet *alphabet, uint32_t symbol, uint32_t set)
{
    return (alphabet->members[symbol].words[set / 64] >> (set % 64) & 1) != 0;
}

#endif
