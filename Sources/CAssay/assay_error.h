/* Filling an assay_error: one line at each place that refuses something. */
#ifndef ASSAY_ERROR_H
#define ASSAY_ERROR_H

#include "assay/core.h"

#if defined(__GNUC__)
#define ASSAY_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define ASSAY_FORMAT(text, first)
#endif

/* Fills *error unless it is NULL. `format` as in printf; a message that is too long is cut. */
void assay_error_fill(assay_error *error, assay_status status, int32_t engine_code, size_t offset, const char *format,
                      ...) ASSAY_FORMAT(5, 6);

/* The same for an allocation that failed. */
void assay_error_no_memory(assay_error *error);

#endif
