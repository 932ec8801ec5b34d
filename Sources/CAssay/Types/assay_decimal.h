/* Decimal numbers of any length, never rounded. */
#ifndef ASSAY_DECIMAL_H
#define ASSAY_DECIMAL_H

#include "assay/core.h"

typedef enum assay_decimal_form {
    ASSAY_DECIMAL_FINITE = 0,
    ASSAY_DECIMAL_INFINITE,
    ASSAY_DECIMAL_NAN,
} assay_decimal_form;

/* A number as a view of its text.
 *
 *     -1,250.00          digits → "1,25", span = 4
 *      └──┘              sign = −1, exponent = 4: the value is −0.125 × 10^4
 *
 * The span may contain separators, which readers skip. It does not contain leading and trailing zeros, so two numbers
 * are equal exactly if sign, exponent and digits are equal. Zero has sign 0 and no digits. All exponents beyond ±2^57
 * are equal, because no memory could store such a number of zeros. */
typedef struct assay_decimal {
    assay_decimal_form form;
    int sign; /* −1, 0, 1; also valid for infinities */
    const uint8_t *digits;
    size_t span;
    int64_t exponent;
} assay_decimal;

/* The accepted notation of numbers. */
typedef struct assay_decimal_style {
    assay_text point; /* empty: whole numbers only, no exponent, no NaN, no INF */
    assay_text group; /* empty: no groups */
    bool allow_extra;
} assay_decimal_style;

bool assay_decimal_parse(const assay_decimal_style *style, const uint8_t *bytes, size_t count, assay_decimal *decimal);

/* Returns −1, 0 or 1. The numbers must not be NaN. O(digits). */
int assay_decimal_compare(const assay_decimal *left, const assay_decimal *right);

/* Writes the digits of a number without separators: at most `span` bytes. Returns their number. */
size_t assay_decimal_write_digits(const assay_decimal *decimal, uint8_t *into);

/* The whole part of a number, at most `max`. `*is_integer` becomes whether all digits after the point are zeros. */
uint64_t assay_decimal_integer_part(const assay_decimal *decimal, uint64_t max, bool *is_integer);

/* Equal numbers have equal hashes. */
uint64_t assay_decimal_hash(const assay_decimal *decimal);

#endif
