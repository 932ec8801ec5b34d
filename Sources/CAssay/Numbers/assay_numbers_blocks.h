/* assay_numbers_blocks.h: numbers outside one range. Included by assay_kernels_*.c after an assay_block_*.h.
 *
 * Each comparison becomes a byte of 0 or 1, because compilers vectorize such loops, and eight bytes become eight bits
 * by a multiplication. In most blocks all numbers are in the range, and the bytes are not converted. */
#include <string.h>

#include "assay/numbers.h"

/* Bit i of the result is the lowest bit of byte i. Each byte must be 0 or 1. The products of the multiplication do not
 * overlap, so no carry reaches the upper byte. */
BLOCK_TARGET static uint64_t numbers_word_of_bytes(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) {
        uint64_t eight = 0;
        for (int j = 0; j < 8; j++) eight |= (uint64_t)bytes[8 * i + j] << (8 * j);
        word |= (eight * 0x0102040810204080u >> 56) << (8 * i);
    }
    return word;
}

/* Clears the bits of the numbers in the range. memcpy, because the values may not be aligned. The last block may have
 * fewer than 64 numbers. */
#define NUMBERS_OUTSIDE(name, number, is_outside)                                                                      \
    BLOCK_TARGET static void name(const uint8_t *values, size_t count, number low, number high, uint64_t *outside)     \
    {                                                                                                                  \
        uint8_t bytes[64] = {0};                                                                                       \
        size_t first = 0;                                                                                              \
        for (; first + 64 <= count; first += 64, values += 64 * sizeof(number)) {                                      \
            uint8_t any = 0;                                                                                           \
            for (size_t i = 0; i < 64; i++) {                                                                          \
                number value;                                                                                          \
                memcpy(&value, values + i * sizeof value, sizeof value);                                               \
                bytes[i] = (uint8_t)(is_outside);                                                                      \
                any |= bytes[i];                                                                                       \
            }                                                                                                          \
            outside[first / 64] &= any == 0 ? 0 : numbers_word_of_bytes(bytes);                                        \
        }                                                                                                              \
        if (first == count) return;                                                                                    \
        memset(bytes, 0, sizeof bytes);                                                                                \
        for (size_t i = 0; i < count - first; i++) {                                                                   \
            number value;                                                                                              \
            memcpy(&value, values + i * sizeof value, sizeof value);                                                   \
            bytes[i] = (uint8_t)(is_outside);                                                                          \
        }                                                                                                              \
        outside[first / 64] &= numbers_word_of_bytes(bytes);                                                           \
    }

#define NUMBERS_BEYOND ((value < low) | (value > high))
/* Not the same as above: NaN is in no range. */
#define NUMBERS_NOT_WITHIN (((value >= low) & (value <= high)) ^ 1)
#define NUMBERS_WIDE_LESS(left, right)                                                                                 \
    (((left).high < (right).high) | (((left).high == (right).high) & ((left).low < (right).low)))
#define NUMBERS_WIDE_BEYOND (NUMBERS_WIDE_LESS(value, low) | NUMBERS_WIDE_LESS(high, value))

NUMBERS_OUTSIDE(numbers_outside_int8, int8_t, NUMBERS_BEYOND)
NUMBERS_OUTSIDE(numbers_outside_int16, int16_t, NUMBERS_BEYOND)
NUMBERS_OUTSIDE(numbers_outside_int32, int32_t, NUMBERS_BEYOND)
NUMBERS_OUTSIDE(numbers_outside_int64, int64_t, NUMBERS_BEYOND)
NUMBERS_OUTSIDE(numbers_outside_int128, assay_wide_number, NUMBERS_WIDE_BEYOND)
NUMBERS_OUTSIDE(numbers_outside_uint8, uint8_t, NUMBERS_BEYOND)
NUMBERS_OUTSIDE(numbers_outside_uint16, uint16_t, NUMBERS_BEYOND)
NUMBERS_OUTSIDE(numbers_outside_uint32, uint32_t, NUMBERS_BEYOND)
NUMBERS_OUTSIDE(numbers_outside_uint64, uint64_t, NUMBERS_BEYOND)
NUMBERS_OUTSIDE(numbers_outside_float32, float, NUMBERS_NOT_WITHIN)
NUMBERS_OUTSIDE(numbers_outside_float64, double, NUMBERS_NOT_WITHIN)

BLOCK_TARGET static void numbers_outside_blocks(assay_number_form form, const uint8_t *values, size_t count,
                                                const assay_number_range *range, uint64_t *outside)
{
    const assay_number low = range->low, high = range->high;
    switch (form) {
    case ASSAY_NUMBER_INT8:
        numbers_outside_int8(values, count, (int8_t)low.integer, (int8_t)high.integer, outside);
        return;
    case ASSAY_NUMBER_INT16:
        numbers_outside_int16(values, count, (int16_t)low.integer, (int16_t)high.integer, outside);
        return;
    case ASSAY_NUMBER_INT32:
        numbers_outside_int32(values, count, (int32_t)low.integer, (int32_t)high.integer, outside);
        return;
    case ASSAY_NUMBER_INT64:
        numbers_outside_int64(values, count, low.integer, high.integer, outside);
        return;
    case ASSAY_NUMBER_INT128:
        numbers_outside_int128(values, count, low.wide, high.wide, outside);
        return;
    case ASSAY_NUMBER_UINT8:
        numbers_outside_uint8(values, count, (uint8_t)low.natural, (uint8_t)high.natural, outside);
        return;
    case ASSAY_NUMBER_UINT16:
        numbers_outside_uint16(values, count, (uint16_t)low.natural, (uint16_t)high.natural, outside);
        return;
    case ASSAY_NUMBER_UINT32:
        numbers_outside_uint32(values, count, (uint32_t)low.natural, (uint32_t)high.natural, outside);
        return;
    case ASSAY_NUMBER_UINT64:
        numbers_outside_uint64(values, count, low.natural, high.natural, outside);
        return;
    case ASSAY_NUMBER_FLOAT32:
        numbers_outside_float32(values, count, (float)low.real, (float)high.real, outside);
        return;
    case ASSAY_NUMBER_FLOAT64:
        numbers_outside_float64(values, count, low.real, high.real, outside);
        return;
    }
}
