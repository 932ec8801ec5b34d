/* Transliteration of non-ASCII characters, for tables that know single bytes only: the lead byte of each character
 * becomes a byte that represents its equivalence class; its other bytes stay and change nothing.
 *
 *     Zoë   5A 6F C3 AB   ──►   5A 6F 61 AB   where a pattern does not distinguish ë from a
 *                 └─ë─┘               └─┘
 *
 * A class that has ASCII characters is represented by one of them, others by a proxy byte (F5 to FE, in no UTF-8
 * text). */
#ifndef ASSAY_TRANSLITERATION_H
#define ASSAY_TRANSLITERATION_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { transliteration_entries = 1 << 14 };

typedef struct assay_transliteration {
    /* By the last six bits of a lead byte: the representative of all its characters, where they share one, as those of
     * most scripts do. 0: they differ. */
    uint8_t by_lead[64];
    uint8_t by_pair[transliteration_entries]; /* two-byte characters, by both bytes */
    /* Longer characters, by their first two bytes: where their row begins in `by_last`, whose columns are the last six
     * bits of the third byte. */
    uint16_t rows[transliteration_entries];
    uint8_t by_last[];
} assay_transliteration;

/* The index of the first two bytes of a character, as they stand in memory: five bits of the first, six of the
 * second. */
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
