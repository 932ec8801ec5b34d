/* assay_digits.h: reads up to sixteen decimal digits as words, for rules over rows and for profiles. */
#ifndef ASSAY_DIGITS_H
#define ASSAY_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SIZEOF_INT128__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ASSAY_HAS_DIGIT_WORDS 1
__extension__ typedef unsigned __int128 assay_sixteen_bytes;

/* The value of eight digits. The first digit must be in the lowest byte. Joins digits to four pairs first.
   One multiplication weights the first and third pair with 1,000,000 and 100, the other one the second and fourth pair
   with 10,000 and 1. */
static inline uint64_t assay_eight_digits(uint64_t digits)
{
    digits = digits * 10 + (digits >> 8);
    return ((digits & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064) +
            (digits >> 16 & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x0000271000000001)) >>
           32;
}

/* Whether all bytes are digits. The high half of a digit is 3 and must still be 3 after 6 is added, because only the
   low halves 10 to 15 then carry. */
static inline bool assay_are_digits(uint64_t bytes)
{
    const uint64_t high = UINT64_C(0xF0F0F0F0F0F0F0F0);
    return ((bytes & high) | ((bytes + UINT64_C(0x0606060606060606)) & high) >> 4) == UINT64_C(0x3333333333333333);
}

/* The high bit of each byte that is the decimal point. */
static inline uint64_t assay_points_of(uint64_t bytes, uint8_t point)
{
    const uint64_t other = bytes ^ UINT64_C(0x0101010101010101) * point, low_bits = UINT64_C(0x7F7F7F7F7F7F7F7F);
    return ~(((other & low_bits) + low_bits) | other | low_bits);
}

/* Digits with at most one decimal point. */
typedef struct assay_digits {
    uint64_t value;  /* of all digits, without the point */
    unsigned behind; /* the number of digits after the point */
    bool has_point;
} assay_digits;

/* Reads one to eight bytes before `end` by moving the bytes before the point toward the end. Eight bytes before `end`
   must be readable. `point` 0: no point. Returns false for other bytes. */
static inline bool assay_read_eight_digits(const uint8_t *end, size_t count, uint8_t point, assay_digits *digits)
{
    uint64_t text;
    memcpy(&text, end - 8, sizeof text);
    const unsigned shift = 8 * (unsigned)(8 - count);
    text = (text >> shift << shift) | (UINT64_C(0x3030303030303030) & ((UINT64_C(1) << shift) - 1));
    const uint64_t points = point != 0 ? assay_points_of(text, point) : 0;
    digits->behind = 0;
    digits->has_point = points != 0;
    if (points != 0) {
        if (count == 1) return false;
        const unsigned at = (unsigned)__builtin_ctzll(points) / 8 * 8; /* in bits */
        const uint64_t before = (UINT64_C(1) << at) - 1;
        digits->behind = 7 - at / 8;
        text = (text & ~(before << 8 | 0xFF)) | (text & before) << 8 | 0x30;
    }
    digits->value = assay_eight_digits(text & UINT64_C(0x0F0F0F0F0F0F0F0F));
    return assay_are_digits(text);
}

/* assay_read_eight_digits() for one to sixteen bytes; sixteen bytes before `end` must be readable. */
static inline bool assay_read_sixteen_digits(const uint8_t *end, size_t count, uint8_t point, assay_digits *digits)
{
    const uint64_t zeros = UINT64_C(0x3030303030303030), digit_bits = UINT64_C(0x0F0F0F0F0F0F0F0F);
    assay_sixteen_bytes text;
    memcpy(&text, end - 16, sizeof text);
    const unsigned shift = 8 * (unsigned)(16 - count);
    const assay_sixteen_bytes one = 1;
    text = (text >> shift << shift) | (((assay_sixteen_bytes)zeros << 64 | zeros) & ((one << shift) - 1));
    const uint64_t low = point != 0 ? assay_points_of((uint64_t)text, point) : 0;
    const uint64_t high = point != 0 ? assay_points_of((uint64_t)(text >> 64), point) : 0;
    digits->behind = 0;
    digits->has_point = (low | high) != 0;
    if (digits->has_point) {
        if (count == 1) return false;
        const unsigned at = (low != 0 ? (unsigned)__builtin_ctzll(low) : 64 + (unsigned)__builtin_ctzll(high)) / 8 * 8;
        const assay_sixteen_bytes before = (one << at) - 1;
        digits->behind = 15 - at / 8;
        text = (text & ~(before << 8 | 0xFF)) | (text & before) << 8 | 0x30;
    }
    const uint64_t first = (uint64_t)text, last = (uint64_t)(text >> 64);
    digits->value = assay_eight_digits(first & digit_bits) * 100000000 + assay_eight_digits(last & digit_bits);
    return assay_are_digits(first) && assay_are_digits(last);
}
#else
#define ASSAY_HAS_DIGIT_WORDS 0
#endif

#endif
