/* Numbers of a column outside some ranges. */
#include "assay/numbers.h"

#include "Dispatch/assay_kernels.h"

#include <string.h>

size_t assay_number_size(assay_number_form form)
{
    switch (form) {
    case ASSAY_NUMBER_INT8:
    case ASSAY_NUMBER_UINT8:
        return 1;
    case ASSAY_NUMBER_INT16:
    case ASSAY_NUMBER_UINT16:
        return 2;
    case ASSAY_NUMBER_INT32:
    case ASSAY_NUMBER_UINT32:
    case ASSAY_NUMBER_FLOAT32:
        return 4;
    case ASSAY_NUMBER_INT64:
    case ASSAY_NUMBER_UINT64:
    case ASSAY_NUMBER_FLOAT64:
        return 8;
    case ASSAY_NUMBER_INT128:
        return 16;
    }
    return 0;
}

/* Loads one number of any form. */
static assay_number load(assay_number_form form, const uint8_t *at)
{
    assay_number number = {.integer = 0};
    switch (form) {
#define LOAD(form, type, member)                                                                                       \
    case form: {                                                                                                       \
        type value;                                                                                                    \
        memcpy(&value, at, sizeof value);                                                                              \
        number.member = value;                                                                                         \
        break;                                                                                                         \
    }
        LOAD(ASSAY_NUMBER_INT8, int8_t, integer)
        LOAD(ASSAY_NUMBER_INT16, int16_t, integer)
        LOAD(ASSAY_NUMBER_INT32, int32_t, integer)
        LOAD(ASSAY_NUMBER_INT64, int64_t, integer)
        LOAD(ASSAY_NUMBER_INT128, assay_wide_number, wide)
        LOAD(ASSAY_NUMBER_UINT8, uint8_t, natural)
        LOAD(ASSAY_NUMBER_UINT16, uint16_t, natural)
        LOAD(ASSAY_NUMBER_UINT32, uint32_t, natural)
        LOAD(ASSAY_NUMBER_UINT64, uint64_t, natural)
        LOAD(ASSAY_NUMBER_FLOAT32, float, real)
        LOAD(ASSAY_NUMBER_FLOAT64, double, real)
#undef LOAD
    }
    return number;
}

/* Whether left ≤ right. False for NaN. */
static bool is_at_most(assay_number_form form, assay_number left, assay_number right)
{
    switch (form) {
    case ASSAY_NUMBER_INT8:
    case ASSAY_NUMBER_INT16:
    case ASSAY_NUMBER_INT32:
    case ASSAY_NUMBER_INT64:
        return left.integer <= right.integer;
    case ASSAY_NUMBER_UINT8:
    case ASSAY_NUMBER_UINT16:
    case ASSAY_NUMBER_UINT32:
    case ASSAY_NUMBER_UINT64:
        return left.natural <= right.natural;
    case ASSAY_NUMBER_FLOAT32:
    case ASSAY_NUMBER_FLOAT64:
        return left.real <= right.real;
    case ASSAY_NUMBER_INT128:
        return left.wide.high != right.wide.high ? left.wide.high < right.wide.high : left.wide.low <= right.wide.low;
    }
    return false;
}

/* Whether a number is in one of many ranges, by a binary search for the last range that begins at or before it. */
static bool is_inside(assay_number_form form, assay_number number, const assay_number_range *ranges, size_t count)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (is_at_most(form, ranges[middle].low, number)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && is_at_most(form, number, ranges[low - 1].high);
}

/* Up to this number of ranges, one vectorized pass per range is faster than a search per number. */
enum { numbers_max_passes = 8 };

bool assay_numbers_outside(assay_number_form form, const void *values, size_t count, const assay_number_range *ranges,
                           size_t range_count, uint64_t *outside)
{
    const size_t words = assay_mask_words(count);
    for (size_t i = 0; i < words; i++) outside[i] = ~(uint64_t)0;
    if (count % 64 != 0) outside[words - 1] = ((uint64_t)1 << (count % 64)) - 1;
    if (range_count <= numbers_max_passes) {
        const assay_kernels *kernels = assay_kernels_current();
        for (size_t i = 0; i < range_count; i++) kernels->numbers_outside(form, values, count, &ranges[i], outside);
    } else {
        const uint8_t *at = values;
        const size_t size = assay_number_size(form);
        for (size_t i = 0; i < count; i++, at += size) {
            const bool inside = is_inside(form, load(form, at), ranges, range_count);
            outside[i / 64] &= ~((uint64_t)inside << (i % 64));
        }
    }
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++) any |= outside[i];
    return any != 0;
}

bool assay_numbers_fractional(assay_number_form form, const void *values, size_t count, uint64_t *fractional)
{
    const size_t words = assay_mask_words(count);
    for (size_t i = 0; i < words; i++) fractional[i] = 0;
    const uint8_t *at = values;
    const size_t size = assay_number_size(form);
    uint64_t any = 0;
    for (size_t i = 0; i < count; i++, at += size) {
        const double value = load(form, at).real;
        /* From 2^52 on, all numbers are whole. The comparisons are false for NaN, whose conversion is undefined. */
        const bool is_small = value > -0x1p52 && value < 0x1p52;
        const uint64_t bit = is_small && (double)(int64_t)value != value;
        fractional[i / 64] |= bit << (i % 64);
        any |= bit;
    }
    return any != 0;
}
