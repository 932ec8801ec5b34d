/* assay_characters.h: surrogates, escapes and units of UTF-16 and UTF-32. See Bytes/assay_scalars.h for UTF-8. */
#ifndef ASSAY_CHARACTERS_H
#define ASSAY_CHARACTERS_H

#include "Bytes/assay_scalars.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool is_surrogate(uint32_t point) { return point >> 11 == 0xD800 >> 11; }
static inline bool is_high_surrogate(uint32_t point) { return point >> 10 == 0xD800 >> 10; }
static inline bool is_low_surrogate(uint32_t point) { return point >> 10 == 0xDC00 >> 10; }

/* U+DC00 + b represents the undecodable byte b. */
static inline uint32_t escape_of(uint8_t byte) { return 0xDC00u + byte; }
static inline bool is_escape(uint32_t point) { return point >> 8 == 0xDC; }

/* The representation of an odd byte b at the end of UTF-16: U+0000 + b in an overlong form of three bytes. Not a
 * surrogate, because encoders would write it as a unit. */
enum { ODD_BYTE_LENGTH = 3 };

static inline size_t put_odd_byte(uint8_t byte, uint8_t *out)
{
    out[0] = 0xE0;
    out[1] = (uint8_t)(0x80 | byte >> 6);
    out[2] = (uint8_t)(0x80 | (byte & 0x3F));
    return ODD_BYTE_LENGTH;
}

/* Whether the bytes begin with an odd byte, or with a part of its representation. */
static inline bool may_be_odd_byte(const uint8_t *bytes, size_t count)
{
    return count > 0 && bytes[0] == 0xE0 && (count < 2 || (bytes[1] & 0xFC) == 0x80) &&
           (count < 3 || is_continuation(bytes[2]));
}

static inline uint8_t odd_byte_at(const uint8_t *bytes) { return (uint8_t)character_of_three(bytes); }

static inline uint32_t unit16_at(const uint8_t *bytes, bool is_big_endian)
{
    return is_big_endian ? (uint32_t)bytes[0] << 8 | bytes[1] : (uint32_t)bytes[1] << 8 | bytes[0];
}

static inline uint32_t unit32_at(const uint8_t *bytes, bool is_big_endian)
{
    const uint32_t first = unit16_at(bytes, is_big_endian), second = unit16_at(bytes + 2, is_big_endian);
    return is_big_endian ? first << 16 | second : second << 16 | first;
}

static inline void put_unit16(uint32_t unit, bool is_big_endian, uint8_t *out)
{
    out[is_big_endian] = (uint8_t)unit;
    out[!is_big_endian] = (uint8_t)(unit >> 8);
}

static inline void put_unit32(uint32_t unit, bool is_big_endian, uint8_t *out)
{
    put_unit16(is_big_endian ? unit >> 16 : unit & 0xFFFF, is_big_endian, out);
    put_unit16(is_big_endian ? unit & 0xFFFF : unit >> 16, is_big_endian, out + 2);
}

static inline uint32_t point_of_pair(uint32_t high, uint32_t low)
{
    return 0x10000u + ((high & 0x3FF) << 10) + (low & 0x3FF);
}

#endif
