/* Counts values with characters that often result from a mistake. */
#ifndef ASSAY_PROFILE_TEXT_H
#define ASSAY_PROFILE_TEXT_H

#include "Bytes/assay_hash.h"
#include "assay/profile.h"

#include <stdbool.h>

/* Begins without anomalies. */
void profile_text_begin(assay_profile_anomalies *anomalies);

/* Adds a value with a byte that profile_text_may_have_anomaly() looks for. O(bytes). */
void profile_text_add(assay_profile_anomalies *anomalies, const uint8_t *value, size_t count, uint64_t record);

void profile_text_merge(assay_profile_anomalies *into, const assay_profile_anomalies *from);

/* Whether a text has the form of an HTML entity at its front: &amp; &#233; &#xE9; or another name of HTML 4. */
bool profile_text_begins_with_entity(const uint8_t *text, size_t count);

/* A nonzero result means that a byte of the word is below 0x20, is 0x7F or is '&' (Bit Twiddling Hacks: "Determine if a
   word has a byte less than n"). */
static inline uint64_t profile_text_rare_ascii(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t ampersand = word ^ ones * '&', delete = word ^ ones * 0x7F;
    return (((word - ones * 0x20) & ~word) | ((ampersand - ones) & ~ampersand) | ((delete - ones) & ~delete)) &
           ones * 0x80;
}

/* A nonzero result means that a byte of the word is C2, D8, E2 or EF, which begin all anomalous characters. */
static inline uint64_t profile_text_rare_lead(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    /* C2 and E2 differ in one bit. */
    const uint64_t two = (word | ones * 0x20) ^ ones * 0xE2, three = word ^ ones * 0xD8, four = word ^ ones * 0xEF;
    return (((two - ones) & ~two) | ((three - ones) & ~three) | ((four - ones) & ~four)) & ones * 0x80;
}

/* Whether a value that is not empty may have an anomaly. Costs a few instructions for eight bytes, because it runs for
   every value. */
static inline bool profile_text_may_have_anomaly(const uint8_t *value, size_t count, bool is_ascii)
{
    if (count < 8) {
        uint64_t word = assay_hash_load(value, count);
        /* Only the low three bytes are from a value of up to three bytes. */
        if (count < 4) word |= UINT64_C(0x2020202020000000);
        return (profile_text_rare_ascii(word) | (is_ascii ? 0 : profile_text_rare_lead(word))) != 0;
    }
    /* The last eight bytes overlap those before. */
    const uint64_t last = assay_hash_load(value + count - 8, 8);
    uint64_t rare = profile_text_rare_ascii(last);
    if (is_ascii) {
        for (size_t at = 0; at + 8 < count; at += 8) rare |= profile_text_rare_ascii(assay_hash_load(value + at, 8));
        return rare != 0;
    }
    rare |= profile_text_rare_lead(last);
    for (size_t at = 0; at + 8 < count; at += 8) {
        const uint64_t word = assay_hash_load(value + at, 8);
        rare |= profile_text_rare_ascii(word) | profile_text_rare_lead(word);
    }
    return rare != 0;
}

#endif
