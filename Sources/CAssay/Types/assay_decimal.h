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
 *     -001,250.00e3      digits → "1,25", span = 4
 *        └──┘            sign = −1, exponent = 7: the value is −0.125 × 10^7
 *
 * Separators stay inside the span and are stepped over. Leading and trailing zeros are outside it, so two numbers are
 * equal exactly if sign, exponent and digits are. Zero has sign 0 and no digits. Exponents written beyond ±2^57 all
 * count as one: nothing could hold that many zeros. */
typedef struct assay_decimal {
    assay_decimal_form form;
    int sign; /* −1, 0, 1; of an infinity too */
    const uint8_t *digits;
    size_t span;
    int64_t exponent;
} assay_decimal;

/* How a number may be written. */
typedef struct assay_decimal_style {
    assay_text point; /* empty: whole numbers only, no exponent, no NaN, no INF */
    assay_text group; /* empty: none */
    bool allow_extra;
} assay_decimal_style;

bool assay_decimal_parse(const assay_decimal_style *style, const uint8_t *bytes, size_t count, assay_decimal *decimal);

/* −1, 0 or 1. Neither may be NaN. O(digits). */
int assay_decimal_compare(const assay_decimal *left, const assay_decimal *right);

/* The digits before the point, or `most` if that is less. `*is_whole`: there are none but zeros behind it. */
uint64_t assay_decimal_whole_part(const assay_decimal *decimal, uint64_t most, bool *is_whole);

/* Equal numbers have equal hashes. */
uint64_t assay_decimal_hash(const assay_decimal *decimal);

#endif
