/* Numbers in common notations. */
#ifndef ASSAY_PROFILE_NUMBER_H
#define ASSAY_PROFILE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum profile_number_kind { PROFILE_NO_NUMBER, PROFILE_NUMBER, PROFILE_INTEGER } profile_number_kind;

/* Reads a sign, digits with or without groups of three, a decimal separator with digits on at least one side, and an
   exponent. `group` 0: no groups. */
profile_number_kind profile_read_number(const uint8_t *text, size_t count, uint8_t decimal, uint8_t group,
                                        double *number, bool *has_leading_zero);

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
