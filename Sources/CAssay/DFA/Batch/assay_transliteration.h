/* How characters beyond ASCII are spelled for tables that know no more than bytes: the first byte of each becomes one that the
 * pattern takes for the same, the others stay and change nothing.
 *
 *     Zoë   5A 6F C3 AB   ──►   5A 6F 61 AB   to a pattern that knows letters ë is no other than a
 *                 └─ë─┘               └─┘ */
#ifndef ASSAY_TRANSLITERATION_H
#define ASSAY_TRANSLITERATION_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { transliteration_entries = 1 << 14 };

typedef struct assay_transliteration {
    /* By the last six bits of a first byte: what all characters become that begin with it, as those of most scripts do. 0: they
     * are not alike. */
    uint8_t by_lead[64];
    uint8_t by_pair[transliteration_entries]; /* by the bytes of a character of two */
    /* By the first bytes of a longer one: where its row begins in `by_last`, which is by the last six bits of its third byte. */
    uint16_t rows[transliteration_entries];
    uint8_t by_last[];
} assay_transliteration;

/* What the first two bytes of a character tell, as they stand in memory: five bits of the one, six of the other. */
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
