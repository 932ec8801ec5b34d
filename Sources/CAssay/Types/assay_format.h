/* strptime-like formats such as "%d/%m/%Y". */
#ifndef ASSAY_FORMAT_H
#define ASSAY_FORMAT_H

#include "Types/assay_prefilter.h"
#include "Types/assay_value.h"

/* A format, compiled. Immutable. */
typedef struct assay_format assay_format;

/* For DATE, TIME or DATETIME. NULL with *error filled, its offset inside `text`. */
assay_format *assay_format_create(assay_text text, assay_kind kind, assay_error *error);
void assay_format_free(assay_format *format);

/* How many digits a value must have so that it can be read in one way only. 0 where each number ends at something else: 1/2/2000
 * is clear by %d/%m/%Y, and 1122000 by %d%m%Y is not. */
size_t assay_format_least_digits(const assay_format *format);

/* Writes a prefilter for the format, if it has only numbers of the date and of the clock. */
void assay_format_write_prefilter(const assay_format *format, assay_prefilter *into);

/* Reads the whole text or answers false. */
bool assay_format_parse(const assay_format *format, const uint8_t *bytes, size_t count, assay_value *value);

#endif
