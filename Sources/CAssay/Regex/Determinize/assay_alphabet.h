/* The alphabet of a DFA: characters compressed to equivalence classes, called symbols. Characters that no class of the
 * pattern distinguishes share one symbol. RE2 and regex-automata compress bytes in this way; here the DFA is built over
 * characters, and only its tables are over bytes.
 *
 *     [a-z]+@[a-z.]+     sets        [a-z]  @   [a-z.]
 *                        symbol 0      -    -     -       all others
 *                        symbol 1      -    -     yes     .
 *                        symbol 2      -    yes   -       @
 *                        symbol 3     yes   -     yes     a to z
 *
 * The subset construction then follows four transitions from each state in place of 1.1 million. Symbols are numbered
 * in the order of the lowest character of each, so those of ASCII characters come first. */
#ifndef ASSAY_ALPHABET_H
#define ASSAY_ALPHABET_H

#include "Regex/Syntax/assay_character_set.h"

/* A symbol fits into a byte, and symbols_max itself means that there is no symbol. */
enum { symbols_max = 250, symbol_sets_max = 192 };

/* Pages of characters above U+FFFF, by the bits 12 and up of a character. The first sixteen are those of the basic
 * multilingual plane, and unused. */
enum { page_blocks = 64, character_pages = end_of_characters / block_characters / page_blocks };

/* The sets that contain a character, which define its symbol: bit i % 64 of word i / 64 for set i. */
typedef struct symbol_members {
    uint64_t words[symbol_sets_max / 64];
} symbol_members;

typedef struct assay_alphabet {
    uint32_t count;
    uint32_t ascii_count; /* those of ASCII characters come first */
    /* A two-stage table, as Unicode libraries use for properties: the symbol of character c up to U+FFFF is
       stage2[stage1[c / 64] * 64 + c % 64]. Blocks of 64 characters with equal symbols share a row of stage2, and most
       blocks of most patterns do. For characters above U+FFFF there is one more stage: most pages of 64 blocks are
       alike, and share their part of stage1 (see character_block).

           stage1   block of c   0  1  2  3  4 …                 U+0000  U+0040  U+0080  U+00C0  U+0100 …
                    row          0  1  2  2  2 …
           stage2   row 0   0 0 0 0 … 1 0 0 …                    . is 1
                    row 1   2 0 0 … 3 3 … 3 0 0 0 0 0            @ is 2, a to z are 3
                    row 2   0 0 0 0 …
     */
    uint16_t *stage1;
    uint32_t stage1_blocks; /* character_blocks, and page_blocks for each different page */
    uint8_t page_of[character_pages];
    uint8_t *stage2;
    uint32_t stage2_blocks;
    /* The symbol of all characters above U+FFFF if a set does not know them: it is then theirs alone, and leads to the
     * quit state wherever it could matter. symbols_max: all sets know them. */
    uint32_t unknown;
    /* All characters from U+0080 on have this symbol, and it is not unknown: the DFA can run on bytes without decoding
       UTF-8. symbols_max: they differ. */
    uint32_t non_ascii_symbol;
    /* By symbol: the sets that contain it. For `unknown`: the sets that may contain it. */
    symbol_members members[symbols_max];
} assay_alphabet;

/* The index into `stage1` of a non-ASCII character, from the bytes before its last one: bits 6 and up of the character.
   The last six bits are those of its last byte, so a lookup needs no full decoding. */
static inline size_t character_block(const uint8_t *page_of, const uint8_t *character)
{
    const size_t lead = character[0];
    if (lead < 0xE0) return lead & 0x1F;
    const size_t second = character[1] & 0x3Fu;
    if (lead < 0xF0) return (lead & 0x0F) << 6 | second;
    return character_blocks + (size_t)page_of[(lead & 7) << 6 | second] * page_blocks + (character[2] & 0x3Fu);
}

/* Builds the alphabet of `count` sets, at most symbol_sets_max. Returns false if there are more than symbols_max
 * symbols or no memory; *because contains the reason. Call assay_alphabet_free in either case. O(blocks × sets), plus
 * O(sets) for each character in a new row and each bound at which membership changes. */
bool assay_alphabet_build(assay_alphabet *alphabet, const assay_character_set *const *sets, uint32_t count,
                          const char **because);
void assay_alphabet_free(assay_alphabet *alphabet);

/* Whether the characters of a symbol are in a set. */
static inline bool assay_alphabet_is_in(const assay_alphabet *alphabet, uint32_t symbol, uint32_t set)
{
    return (alphabet->members[symbol].words[set / 64] >> (set % 64) & 1) != 0;
}

#endif
