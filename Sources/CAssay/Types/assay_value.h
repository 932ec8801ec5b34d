/* The values that types read from cells. */
#ifndef ASSAY_VALUE_H
#define ASSAY_VALUE_H

#include "Types/assay_decimal.h"
#include "Types/assay_list.h"

/* The digits after a decimal point, without trailing zeros, so that equal fractions have equal digits and the order of
   the digits as text is the numeric order. */
typedef struct assay_fraction {
    const uint8_t *digits;
    size_t count;
} assay_fraction;

/* A value. The valid members depend on the kind of the type. It points into the text from which it was read. */
typedef struct assay_value {
    assay_decimal decimal; /* integer, number */
    /* boolean: 0 or 1. date: days since 1970-01-01. time: seconds since midnight. datetime: seconds since
       1970-01-01T00:00:00, in UTC if it has a zone. year: the year. yearmonth: months since 0000-01. duration: its
       seconds, unsigned. */
    int64_t integer;
    int64_t months;          /* duration: its months, unsigned */
    int sign;                /* duration: −1, 0, 1 */
    bool has_zone;           /* datetime */
    bool too_large;          /* duration: well-formed, but beyond the comparable range */
    assay_fraction fraction; /* the fraction of the second, with the sign of the value */
    assay_list_text text;    /* list, array, object: the text of the cell */
} assay_value;

/* The order of two values. */
typedef enum assay_order {
    ASSAY_LESS = -1,
    ASSAY_EQUAL = 0,
    ASSAY_GREATER = 1,
    ASSAY_UNORDERED = 2, /* NaN, one datetime with and one without a zone, P1M and P30D */
} assay_order;

static inline assay_order assay_order_of(int64_t left, int64_t right)
{
    return left < right ? ASSAY_LESS : left > right ? ASSAY_GREATER : ASSAY_EQUAL;
}

#endif
