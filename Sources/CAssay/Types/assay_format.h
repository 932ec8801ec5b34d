/* strptime-like formats such as "%d/%m/%Y". */
#ifndef ASSAY_FORMAT_H
#define ASSAY_FORMAT_H

#include "Types/assay_prefilter.h"
#include "Types/assay_value.h"

/* A compiled format. Immutable. */
typedef struct assay_format assay_format;

/* Compiles a format for DATE, TIME or DATETIME. Returns NULL and fills *error on failure, with an offset in `text`. */
assay_format *assay_format_create(assay_text text, assay_kind kind, assay_error *error);
void assay_format_free(assay_format *format);

/* The min number of digits of an unambiguous value; 0 if numbers are not adjacent: 1/2/2000 is unambiguous
 * in %d/%m/%Y, but 1122000 in %d%m%Y is not. */
size_t assay_format_min_digits(const assay_format *format);

/* Writes a prefilter for the format, if it contains only numbers of dates and times. */
void assay_format_write_prefilter(const assay_format *format, assay_prefilter *into);

typedef enum assay_time_zone { ZONE_NEVER, ZONE_PERHAPS, ZONE_ALWAYS } assay_time_zone;

/* The places of the parts in each value of `length` bytes, before its zone: two digits, or four for the year. The first
   digit of the day may be a space. */
typedef struct assay_time_places {
    size_t length;
    uint8_t year, month, day, hour, minute, second; /* UINT8_MAX: absent */
    assay_time_zone zone;
} assay_time_places;

/* Returns false if the format has other parts, or parts without a fixed place. */
bool assay_format_places(const assay_format *format, assay_time_places *places);

/* Reads the whole text, or returns false. */
bool assay_format_parse(const assay_format *format, const uint8_t *bytes, size_t count, assay_value *value);

#endif
