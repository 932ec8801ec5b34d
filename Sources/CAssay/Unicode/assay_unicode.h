/* The properties of a Unicode scalar. */
#ifndef ASSAY_UNICODE_H
#define ASSAY_UNICODE_H

#include "Unicode/unicode_tables.h"

#include <stdbool.h>

/* Returns the properties of a scalar, packed by Tools/generate-tables.py. builtin_idna.c reads the other fields. */
static inline uint32_t assay_unicode_properties(uint32_t scalar)
{
    if (scalar < 0x80) return unicode_ascii[scalar];
    size_t low = unicode_pages[scalar >> 8];
    size_t high = unicode_pages[(scalar >> 8) + 1] + 1u;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (unicode_starts[middle] <= scalar) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return unicode_values[low];
}

/* Canonical_Combining_Class; 0: a starter. */
static inline unsigned assay_unicode_combining_class(uint32_t properties) { return properties >> 13 & 255; }

/* Whether NFC never changes a scalar, regardless of its neighbors (NFC_Quick_Check=Yes, and a starter). */
static inline bool assay_unicode_is_stable(uint32_t properties) { return (properties >> 13 & 511) == 0; }

#endif
