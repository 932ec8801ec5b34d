/* More of the characters of well-formed UTF-8. */
#ifndef ASSAY_REPAIR_CHARACTERS_H
#define ASSAY_REPAIR_CHARACTERS_H

#include "Bytes/assay_scalars.h"
#include "assay/core.h"

/* The character that ends before `end`, which is not the front of the text. */
static inline uint32_t character_before(const uint8_t *end, size_t *length)
{
    size_t back = 1;
    while ((end[-(ptrdiff_t)back] & 0xC0) == 0x80) back++;
    return character_at(end - back, length);
}

/* Characters without width that stand between or around words. */
static inline bool is_zero_width(uint32_t character)
{
    return (character >= 0x200B && character <= 0x200D) || character == 0x2060 || character == 0xFEFF;
}

/* What trim takes off. */
static inline bool is_trimmed(uint32_t character) { return is_white_space(character) || is_zero_width(character); }

/* Bidi_Control (Unicode 15, PropList.txt): marks and embeddings that people paste without knowing. */
static inline bool is_direction_mark(uint32_t character)
{
    return character == 0x061C || character == 0x200E || character == 0x200F ||
           (character >= 0x202A && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069);
}

/* General category Cc. */
static inline bool is_control(uint32_t character)
{
    return character < 0x20 || (character >= 0x7F && character <= 0x9F);
}

#endif
