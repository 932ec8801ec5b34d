/* Scalars of well-formed UTF-8, and which are white space. */
#ifndef ASSAY_SCALARS_H
#define ASSAY_SCALARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
