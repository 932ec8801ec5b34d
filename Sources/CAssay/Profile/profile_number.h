/* Numbers in common notations. */
#ifndef ASSAY_PROFILE_NUMBER_H
#define ASSAY_PROFILE_NUMBER_H

#include "Bytes/assay_digits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum profile_number_kind { PROFILE_NO_NUMBER, PROFILE_NUMBER, PROFILE_INTEGER } profile_number_kind;

/* Reads a sign, digits with or without groups of three, a decimal separator with digits on at least one side, and an
   exponent. `group` 0: no groups. */
profile_number_kind profile_read_number(const uint8_t *text, size_t count, uint8_t decimal, uint8_t group,
                                        double *number, bool *has_leading_zero);

/* A number of up to sixteen digits. */
typedef struct profile_short_number {
    double value;
    bool is_integer, has_leading_zero, may_be_placeholder;
    uint16_t form; /* differs for numbers with different shapes; less than profile_number_forms */
} profile_short_number;

enum { profile_number_forms = 3 * 17 * 18 };

extern const double profile_powers_of_ten[23];

/* profile_read_number() of [+-][digits][.digits] with up to sixteen bytes after the sign and a value of less than 2^53,
   read as words. Returns false for other texts, which may be numbers. `before`: the number of readable bytes before
   the end of the text. `is_wide`: other numbers of the column have more than eight bytes, so that a branch for shorter
   ones would be unpredictable. */
static inline bool profile_read_short_number(const uint8_t *text, size_t count, size_t before, uint8_t decimal,
                                             bool is_wide, profile_short_number *number)
{
#if ASSAY_HAS_DIGIT_WORDS
    const bool is_negative = text[0] == '-';
    const bool has_sign = is_negative || text[0] == '+';
    const size_t length = count - has_sign;
    assay_digits digits;
    /* The subtractions wrap around for a length of 0, so that a sign alone is not a number. */
    if (length - 1 < 8 && !is_wide) {
        if (before < 8 || !assay_read_eight_digits(text + count, length, decimal, &digits)) return false;
    } else {
        if (length - 1 >= 16 || before < 16) return false;
        if (!assay_read_sixteen_digits(text + count, length, decimal, &digits) || digits.value >> 53 != 0) return false;
    }
    const size_t integer_digits = length - digits.behind - digits.has_point;
    /* Both operands are exact, so the result is rounded once, as by profile_read_number(). */
    const double value = (double)(int64_t)digits.value;
    number->value = digits.behind == 0 ? value : value / profile_powers_of_ten[digits.behind];
    if (is_negative) number->value = -number->value;
    number->is_integer = !digits.has_point;
    /* A placeholder has one digit or ends in 99 (profile_may_be_placeholder). Zeros after the point do not matter. */
    number->may_be_placeholder = digits.value < 10 || digits.has_point || digits.value % 100 == 99;
    number->has_leading_zero = integer_digits > 1 && text[has_sign] == '0';
    const size_t sign = is_negative ? 1 : has_sign ? 2 : 0;
    number->form = (uint16_t)((sign * 17 + integer_digits) * 18 + (digits.has_point ? digits.behind + 1 : 0));
    return true;
#else
    (void)text, (void)count, (void)before, (void)decimal, (void)is_wide, (void)number;
    return false;
#endif
}

/* An integer beyond ±2^53, where doubles cannot represent every integer: "-" if it is negative, then digits. A finite
   double has at most 309 digits. */
typedef struct profile_integer {
    uint8_t text[310];
    uint16_t count; /* 0: no integer */
} profile_integer;

/* Copies the sign and digits of a text that is PROFILE_INTEGER. `count` becomes 0 if they do not fit. */
void profile_integer_read(profile_integer *integer, const uint8_t *text, size_t count);

/* Whether one integer is less than another. Both must be non-empty. */
bool profile_integer_is_less(const profile_integer *one, const profile_integer *other);

#endif
