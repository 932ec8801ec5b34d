/* Transliteration of non-ASCII characters, so that a table over single bytes can run on any script.
 *
 * If a pattern distinguishes non-ASCII characters, a byte-indexed DFA would have to decode UTF-8 in its states and need
 * many more states. Instead, values are rewritten before they run: the lead byte of each character becomes a byte that
 * represents its equivalence class (assay_alphabet.h); its other bytes remain, and do not change the state.
 *
 *     Zoë   5A 6F C3 AB   ──►   5A 6F 61 AB   if a pattern does not distinguish ë from a
 *                 └─ë─┘               └─┘
 * A class with ASCII characters is represented by one of them, others by a proxy byte (F5 to FE, in no UTF-8 text).
 * Classes without a proxy keep a lead byte, which leads to the quit state.
 *
 * The mapping has no state, so it is vectorized over whole batches: if all characters of a lead byte are equivalent, 64
 * bytes take one lookup. */
#ifndef ASSAY_TRANSLITERATION_H
#define ASSAY_TRANSLITERATION_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { transliteration_entries = 1 << 14 };

typedef struct assay_transliteration {
    /* By the last six bits of a lead byte: the representative of all characters that begin with it, if they share one.
     * 0: they differ, and the tables below decide. */
    uint8_t by_lead[64];
    uint8_t by_pair[transliteration_entries]; /* two-byte characters, by both bytes */
    /* Longer characters, by their first two bytes: the start of their row in `by_last`. Its columns are the last six
     * bits of the third byte. All four-byte characters share one row, in which all columns are equal. */
    uint16_t rows[transliteration_entries];
    uint8_t by_last[];
} assay_transliteration;

/* Returns the index of a character in by_pair and rows: its first two bytes as a native 16-bit number, masked to five
 * bits of the first and six of the second. The masked bits are not moved together, which saves shifts and leaves gaps
 * in the tables. Either byte order gives distinct indices below transliteration_entries. */
static inline size_t transliteration_index(const uint8_t *character)
{
    const uint8_t telling[2] = {0x1F, 0x3F};
    uint16_t mask;
    uint16_t bytes;
    memcpy(&mask, telling, sizeof mask);
    memcpy(&bytes, character, sizeof bytes);
    return bytes & mask;
}

#endif
