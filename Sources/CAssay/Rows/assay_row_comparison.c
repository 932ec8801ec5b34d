/* Comparisons of columns, 64 rows per word. The bytes of a column may be NULL if all texts are empty. The functions
 * return before calls with no bytes, because memcmp and memmem must not get NULL. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem, which is linear */
#endif
#include "assay/rows.h"

#include "Bytes/assay_scalars.h"

#include <string.h>

#define WRITE_MASK(condition)                                                                                          \
    for (size_t first = 0; first < count; first += 64) {                                                               \
        const size_t end = count - first < 64 ? count : first + 64;                                                    \
        uint64_t word = 0;                                                                                             \
        for (size_t i = first; i < end; i++) word |= (uint64_t)(condition) << (i - first);                             \
        mask[first / 64] = word;                                                                                       \
    }

void assay_row_compare(assay_row_relation relation, const int64_t *left, const int64_t *right, size_t count,
                       uint64_t *mask)
{
    switch (relation) {
    case ASSAY_ROW_EQUAL:
        WRITE_MASK(left[i] == right[i])
        break;
    case ASSAY_ROW_LESS:
        WRITE_MASK(left[i] < right[i])
        break;
    case ASSAY_ROW_LESS_OR_EQUAL:
        WRITE_MASK(left[i] <= right[i])
        break;
    }
}

static const uint8_t *text_at(assay_row_texts texts, size_t row) { return texts.bytes + texts.cells[row].start; }

/* Whether the `count` bytes before two places are equal; 1 ≤ count ≤ 8. Reads eight bytes before each place. */
static bool ends_are_equal(const uint8_t *left, const uint8_t *right, size_t count)
{
    uint64_t one, other;
    memcpy(&one, left - 8, sizeof one);
    memcpy(&other, right - 8, sizeof other);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (one ^ other) << 8 * (8 - count) == 0;
#else
    return (one ^ other) >> 8 * (8 - count) == 0;
#endif
}

static bool are_equal(assay_row_texts left, assay_row_texts right, size_t row)
{
    const size_t length = left.cells[row].length;
    if (length != right.cells[row].length) return false;
    /* Read eight bytes that end with the value, because most texts are shorter and a load is faster than memcmp. The
     * subtraction wraps around for an empty text, which excludes it. The start must be at 8 or later, because the bytes
     * before the buffer are not readable. */
    if (length - 1 < 8 && left.cells[row].start >= 8 && right.cells[row].start >= 8) {
        return ends_are_equal(text_at(left, row) + length, text_at(right, row) + length, length);
    }
    return length == 0 || memcmp(text_at(left, row), text_at(right, row), length) == 0;
}

/* The order of two texts, as a negative, zero or positive number. */
static int order_of(assay_row_texts left, assay_row_texts right, size_t row)
{
    const size_t one = left.cells[row].length, other = right.cells[row].length;
    const size_t common = one < other ? one : other;
    const int order = common == 0 ? 0 : memcmp(text_at(left, row), text_at(right, row), common);
    return order != 0 ? order : (one > other) - (one < other);
}

void assay_row_compare_texts(assay_row_relation relation, assay_row_texts left, assay_row_texts right, size_t count,
                             uint64_t *mask)
{
    switch (relation) {
    case ASSAY_ROW_EQUAL:
        WRITE_MASK(are_equal(left, right, i))
        break;
    case ASSAY_ROW_LESS:
        WRITE_MASK(order_of(left, right, i) < 0)
        break;
    case ASSAY_ROW_LESS_OR_EQUAL:
        WRITE_MASK(order_of(left, right, i) <= 0)
        break;
    }
}

static bool has_part(assay_row_place place, assay_row_texts left, assay_row_texts right, size_t row)
{
    const uint8_t *text = text_at(left, row), *part = text_at(right, row);
    const size_t count = left.cells[row].length, part_count = right.cells[row].length;
    if (part_count == 0) return true;
    if (part_count > count) return false;
    if (place == ASSAY_ROW_ANYWHERE) return memmem(text, count, part, part_count) != NULL;
    return memcmp(place == ASSAY_ROW_AT_START ? text : text + (count - part_count), part, part_count) == 0;
}

void assay_row_find(assay_row_place place, assay_row_texts left, assay_row_texts right, size_t count, uint64_t *mask)
{
    WRITE_MASK(has_part(place, left, right, i))
}

void assay_row_sizes(assay_row_texts texts, size_t count, int64_t *sizes)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *text = text_at(texts, i);
        int64_t size = 0;
        for (size_t k = 0; k < texts.cells[i].length; k++) size += !is_continuation(text[k]);
        sizes[i] = size;
    }
}
