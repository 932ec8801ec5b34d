/* The short numbers of a group of rows. */
#ifndef ASSAY_PROFILE_NUMBERS_H
#define ASSAY_PROFILE_NUMBERS_H

#include "Profile/profile_number.h"
#include "Profile/profile_values.h"

/* The values that profile_read_short_number() reads, of up to sixteen bytes with their sign. */
typedef struct profile_numbers {
    size_t count, leading_zeros;
    uint16_t rows[profile_group_rows];
    uint16_t forms[profile_group_rows];
    double values[profile_group_rows];
    uint64_t hashes[profile_group_rows]; /* assay_profile_hash */
    bool is_rare[profile_group_rows];    /* may be a placeholder */
} profile_numbers;

/* The parts of a form: 0 to 2 for no sign, - and +; the digits before the point; 0 for integers, otherwise 1 + the
   digits after the point. */
enum { profile_form_digits = 17, profile_form_fractions = 18 };
_Static_assert(profile_number_forms == 3 * profile_form_digits * profile_form_fractions, "a form for each combination");

static inline unsigned profile_form_sign(unsigned form)
{
    return form / (profile_form_digits * profile_form_fractions);
}
static inline unsigned profile_form_integer_digits(unsigned form)
{
    return form / profile_form_fractions % profile_form_digits;
}
static inline unsigned profile_form_fraction(unsigned form) { return form % profile_form_fractions; }

/* The length of the numbers of a form. The point has the length of the additional 1. */
static inline unsigned profile_form_length(unsigned form)
{
    return (profile_form_sign(form) > 0) + profile_form_integer_digits(form) + profile_form_fraction(form);
}

#endif
