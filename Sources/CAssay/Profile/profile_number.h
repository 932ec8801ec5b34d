/* Numbers as people write them. */
#ifndef ASSAY_PROFILE_NUMBER_H
#define ASSAY_PROFILE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum profile_number_kind { PROFILE_NO_NUMBER, PROFILE_NUMBER, PROFILE_INTEGER } profile_number_kind;

/* Reads a sign, digits with or without groups of three, a decimal separator with digits on one side of it at least, and an
   exponent. `group` 0: no groups. */
profile_number_kind profile_read_number(const uint8_t *text, size_t count, uint8_t decimal, uint8_t group,
                                        double *number, bool *has_leading_zero);

#endif
