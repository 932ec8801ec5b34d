#include "Unicode/assay_letter_case.h"

#include "Unicode/unicode_tables.h"

static uint32_t mapped(const unicode_case_run *runs, size_t count, uint32_t scalar)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const unicode_case_run *run = &runs[middle];
        if (scalar < run->first) {
            high = middle;
        } else if (scalar > run->last) {
            low = middle + 1;
        } else {
            return (scalar - run->first) % run->step == 0 ? (uint32_t)((int32_t)scalar + run->difference) : scalar;
        }
    }
    return scalar;
}

uint32_t assay_letter_to_capital(uint32_t scalar)
{
    if (scalar < 0x80) return scalar >= 'a' && scalar <= 'z' ? scalar - 0x20 : scalar;
    return mapped(unicode_to_capital, unicode_to_capital_count, scalar);
}

uint32_t assay_letter_to_small(uint32_t scalar)
{
    if (scalar < 0x80) return scalar >= 'A' && scalar <= 'Z' ? scalar + 0x20 : scalar;
    return mapped(unicode_to_small, unicode_to_small_count, scalar);
}

uint32_t assay_digit_to_ascii(uint32_t scalar)
{
    if (scalar < 0x80) return scalar;
    size_t low = 0;
    size_t high = unicode_zero_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (unicode_zeros[middle] <= scalar) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const uint32_t digit = low > 0 ? scalar - unicode_zeros[low - 1] : 10;
    return digit < 10 ? '0' + digit : scalar;
}
