/* Transliteration of non-ASCII characters, so that a table over single bytes can run on any script.
 *
 * If a pattern distinguishes non-ASCII characters, a byte-indexed DFA would have to decode UTF-8 in its states and need
 * many more states. Instead, values are rewritten before they run: the lead byte of each character becomes a byte that
 * represents its equivalence class (assay_alphabet.h); its other bytes remain, and do not change the state.
 *
 *     Zoë   5A 6F C3 AB   ──►   5A 6F 61 AB   if a pattern does not distinguish ë from a
 *                 └─ë─┘               └─┘
 * A class with ASCII characters is represented by one of them, others by a proxy byte. Proxies are first the bytes that
 * occur in no UTF-8 text, then lead bytes, of which transliterated text has none. Classes without a proxy become the
 * lead byte C2, which leads to the quit state.
 *
 * The mapping has no state, so it is vectorized over whole batches: if all characters of a lead byte are equivalent, 64
 * bytes take one lookup. */
#ifndef ASSAY_TRANSLITERATION_H
#define ASSAY_TRANSLITERATION_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    transliteration_entries = 1 << 14,
    proxies_in_no_text = 12, /* F5 to FE, C0, C1 */
    proxies_max = proxies_in_no_text + 0xF4 - 0xC2,
    quitting_byte = 0xC2,
};

static inline uint8_t proxy_byte(unsigned number)
{
    return (uint8_t)(number < 10                   ? 0xF5 + number
                     : number < proxies_in_no_text ? 0xC0 + number - 10
                                                   : 0xC3 + number - proxies_in_no_text);
}

typedef struct assay_transliteration {
    /* By the last six bits of a lead byte: the representative of all characters that begin with it, if they share one.
     * 0: they differ, and the tables below decide. */
    uint8_t by_lead[64];
    uint8_t by_pair[transliteration_entries]; /* two-byte characters, by both bytes */
    /* Longer characters, by their first two bytes. Of three bytes: the row of `by_last`, with columns for the last six
     * bits of the third one. Of four: the start of their page in `pages`, which has that row by the third byte. */
    uint16_t rows[transliteration_entries];
    const uint16_t *pages; /* behind by_last, in the same allocation */
    uint8_t by_last[][64];
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

/* Returns the representative of a character of three or four bytes. */
static inline uint8_t transliteration_of_longer(const assay_transliteration *transliteration, const uint8_t *character)
{
    const size_t row = transliteration->rows[transliteration_index(character)];
    const size_t third = character[2] & 0x3Fu;
    if (character[0] < 0xF0) return transliteration->by_last[row][third];
    return transliteration->by_last[transliteration->pages[row + third]][character[3] & 0x3Fu];
}

#endif
