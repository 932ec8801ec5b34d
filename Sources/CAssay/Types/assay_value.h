/* A cell's text, understood: what a type makes of it. */
#ifndef ASSAY_VALUE_H
#define ASSAY_VALUE_H

#include "Types/assay_decimal.h"
#include "Types/assay_list.h"

/* Digits after a decimal point, without trailing zeros: equal fractions have equal digits, and comparing them as text
   compares them as numbers. */
typedef struct assay_fraction {
    const uint8_t *digits;
    size_t count;
} assay_fraction;

/* Which members count depends on the kind of the type. Points into the text it was read from. */
typedef struct assay_value {
    assay_decimal decimal; /* integer, number */
    /* boolean: 0 or 1. date: days since 1970-01-01. time: seconds since midnight. datetime: seconds since
       1970-01-01T00:00:00, in UTC if it has a zone. year: the year. yearmonth: months since 0000-01. duration: its
       seconds, unsigned. */
    int64_t whole;
    int64_t months;          /* duration: its months, unsigned */
    int sign;                /* duration: −1, 0, 1 */
    bool has_zone;           /* datetime */
    bool too_large;          /* duration: well-formed, but beyond what is compared */
    assay_fraction fraction; /* of the second; its sign is that of the value */
    assay_list_text text;    /* list, array, object: as it stands */
} assay_value;

/* How two values stand to each other. */
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
