/* assay_exponent.h: how large or small a number may be that values are compared with. */
#ifndef ASSAY_EXPONENT_H
#define ASSAY_EXPONENT_H

#include "Types/assay_value.h"

#include <stdint.h>

/* Values may be written with any exponent, and those beyond ±2^57 all count as one (assay_decimal.h). A bound far inside of that
 * is compared with every value as it is. 10^15: what nobody has ever meant, and easy to say. */
static inline bool assay_exponent_is_comparable(const assay_value *value)
{
    const int64_t most = INT64_C(1000000000000000);
    return value->decimal.exponent <= most && value->decimal.exponent >= -most;
}

static const char assay_exponent_message[] = "out of range: exponents are from -10^15 to 10^15";

#endif
