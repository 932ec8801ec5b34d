/* assay_exponent.h: the range of exponents in rules that values are compared with. */
#ifndef ASSAY_EXPONENT_H
#define ASSAY_EXPONENT_H

#include "Types/assay_value.h"

#include <stdint.h>

/* Whether a bound can be compared with every value. Values may have any exponent, but exponents beyond ±2^57 are all
 * equal (assay_decimal.h), so bounds must be far below this limit. 10^15 exceeds any plausible exponent and is easy to
 * state in a message. */
static inline bool assay_exponent_is_comparable(const assay_value *value)
{
    const int64_t max = INT64_C(1000000000000000);
    return value->decimal.exponent <= max && value->decimal.exponent >= -max;
}

static const char assay_exponent_message[] = "out of range: exponents are from -10^15 to 10^15";

#endif
