/* assay/numbers.h: comparison of numbers in memory with ranges, without a detour through text. It continues
 * assay/core.h and follows the rules for every function there.
 *
 *     int64    7  -3  40  12      range 0 … 20      →  outside   0 1 1 0
 *
 * A date, a time or a decimal number of a column is also a number: a count of days, of units, or of its last digits.
 * The caller converts the bounds of a rule to numbers of the column, once. */
#ifndef ASSAY_NUMBERS_H
#define ASSAY_NUMBERS_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The form of the numbers of a column, in the byte order of the machine. */
typedef enum ASSAY_CLOSED_ENUM assay_number_form {
    ASSAY_NUMBER_INT8,
    ASSAY_NUMBER_INT16,
    ASSAY_NUMBER_INT32,
    ASSAY_NUMBER_INT64,
    ASSAY_NUMBER_INT128,
    ASSAY_NUMBER_UINT8,
    ASSAY_NUMBER_UINT16,
    ASSAY_NUMBER_UINT32,
    ASSAY_NUMBER_UINT64,
    ASSAY_NUMBER_FLOAT32,
    ASSAY_NUMBER_FLOAT64,
} assay_number_form;

/* A number of 128 bits in two's complement. */
typedef struct assay_wide_number {
    uint64_t low;
    int64_t high;
} assay_wide_number;

/* A number. The valid member depends on the form: `integer` for signed and `natural` for unsigned integers up to 64
 * bits, `wide` for 128 bits, `real` for floating-point numbers. */
typedef union assay_number {
    int64_t integer;
    uint64_t natural;
    double real;
    assay_wide_number wide;
} assay_number;

/* The numbers from `low` to `high`, both inclusive. Both must be numbers of the form that the range is used with. */
typedef struct assay_number_range {
    assay_number low, high;
} assay_number_range;

/* The bytes of one number. */
ASSAY_API size_t assay_number_size(assay_number_form form);

/* Sets the bits of the numbers outside all ranges, and clears the other bits. Returns whether any bit
 * is set. NaN is in no range; −0.0 equals 0.0.
 *
 * `ranges` must be ascending and must not overlap. `outside` has assay_mask_words(count) words. `values` needs no
 * alignment. O(count · log ranges). Any number of threads may use the same values and ranges. */
ASSAY_API bool assay_numbers_outside(assay_number_form form, const void *values, size_t count,
                                     const assay_number_range *ranges, size_t range_count, uint64_t *outside);

/* Sets the bits of the numbers that are not whole numbers, and clears those of the others. Returns whether any bit is
 * set. The bits of NaN and infinities are cleared. The form must be FLOAT32 or FLOAT64. O(count). */
ASSAY_API bool assay_numbers_fractional(assay_number_form form, const void *values, size_t count, uint64_t *fractional);

/* The maximum bytes of a number that assay_numbers_write() writes. */
enum { ASSAY_NUMBER_MAX_TEXT = 20 };

/* Writes integers of up to 64 bits in decimal, one after the other, except those whose bit in `skip` is set. Each cell
 * becomes the place of its text, counted from `start` bytes before `text`; cells of skipped numbers are empty. `text`
 * must have room for ASSAY_NUMBER_MAX_TEXT bytes per number. Returns the bytes written. O(count). */
ASSAY_API size_t assay_numbers_write(assay_number_form form, const void *values, size_t count, const uint64_t *skip,
                                     uint8_t *text, size_t start, assay_cell *ASSAY_COUNTED_BY(count) cells);

#ifdef __cplusplus
}
#endif

#endif
