/* Characters of well-formed UTF-8, and kinds of them. */
#ifndef ASSAY_REPAIR_CHARACTERS_H
#define ASSAY_REPAIR_CHARACTERS_H

#include "assay/core.h"

/* The character at the front; *length is its bytes. */
static inline uint32_t character_at(const uint8_t *bytes, size_t *length)
{
    const uint32_t first = bytes[0];
    if (first < 0x80) return *length = 1, first;
    if (first < 0xE0) return *length = 2, (first & 0x1F) << 6 | (bytes[1] & 0x3Fu);
    if (first < 0xF0) return *length = 3, (first & 0xF) << 12 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu);
    *length = 4;
    return (first & 7) << 18 | (bytes[1] & 0x3Fu) << 12 | (bytes[2] & 0x3Fu) << 6 | (bytes[3] & 0x3Fu);
}

/* The character that ends before `end`, which is not the front of the text. */
static inline uint32_t character_before(const uint8_t *end, size_t *length)
{
    size_t back = 1;
    while ((end[-(ptrdiff_t)back] & 0xC0) == 0x80) back++;
    return character_at(end - back, length);
}

/* White_Space (Unicode 15, PropList.txt). */
static inline bool is_white_space(uint32_t character)
{
    if (character < 0x80) return character == ' ' || (character >= '\t' && character <= '\r');
    switch (character) {
    case 0x85:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
        return true;
    default:
        return character >= 0x2000 && character <= 0x200A;
    }
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
