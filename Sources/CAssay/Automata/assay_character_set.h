/* Which characters an item of a pattern, such as [a-z] or \p{L}, matches. */
#ifndef ASSAY_CHARACTER_SET_H
#define ASSAY_CHARACTER_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    wide_leads = 30, /* the lead bytes C2 .. DF of the characters U+0080 .. U+07FF */
    first_wide_lead = 0xC2,
};

typedef struct assay_character_set {
    uint64_t ascii[2];         /* bit c: U+0000 .. U+007F */
    uint64_t wide[wide_leads]; /* bit b of word l: the character of bytes C2 + l, 80 + b */
    bool beyond;               /* may match characters above U+07FF; which ones is not known */
} assay_character_set;

static inline void assay_character_set_add(assay_character_set *set, uint32_t character)
{
    if (character < 0x80) {
        set->ascii[character / 64] |= UINT64_C(1) << (character % 64);
    } else if (character < 0x800) {
        set->wide[character / 64 - 2] |= UINT64_C(1) << (character % 64);
    }
}

/* Fills `set` with the characters that `item`, the text of one item, matches under `options` (ASSAY_PATTERN_…). With
   `narrow` it is known that none above U+00FF is among them. false: it could not be found out. */
typedef bool assay_character_set_finder(const uint8_t *item, size_t count, uint32_t options, bool narrow,
                                        assay_character_set *set);

#endif
