/* The generated tables of Unicode characters (Generated/table_unicode.c), in the edition that `assay types` prints.
 * Their readers are assay_unicode.h, assay_normal_form.h and assay_letter_case.h. */
#ifndef ASSAY_UNICODE_TABLES_H
#define ASSAY_UNICODE_TABLES_H

#include <stddef.h>
#include <stdint.h>

/* Properties of scalars, by ranges. */
extern const uint32_t unicode_starts[];
extern const uint32_t unicode_values[]; /* see assay_unicode.h */
extern const uint32_t unicode_ascii[];  /* the properties of ASCII */
/* Per page of 256 scalars, and once at the end, the index of the range that contains the first scalar. */
extern const uint16_t unicode_pages[];

/* Canonical decompositions, ordered by scalar. `second` is 0 in decompositions to one scalar, which never compose
   again. */
typedef struct unicode_decomposition {
    uint32_t scalar;
    uint32_t first;
    uint32_t second;
} unicode_decomposition;

extern const unicode_decomposition unicode_decompositions[];
extern const size_t unicode_decomposition_count;
/* The indexes in unicode_decompositions of pairs that compose, ordered by first and second. */
extern const uint16_t unicode_compositions[];
extern const size_t unicode_composition_count;

/* The scalars with a compatibility decomposition, in ascending order. The text of the i-th one, completely decomposed,
   is unicode_compatible_texts from [starts[i]] to [starts[i + 1]]. */
extern const uint32_t unicode_compatible_scalars[];
extern const uint16_t unicode_compatible_starts[];
extern const uint32_t unicode_compatible_texts[];
extern const size_t unicode_compatible_count;

/* Non-ASCII letters with another case: each `step`-th scalar from `first` to `last`, in ascending order. */
typedef struct unicode_case_run {
    uint32_t first;
    uint32_t last;
    uint32_t step;
    int32_t difference; /* the other letter minus the letter */
} unicode_case_run;

extern const unicode_case_run unicode_to_capital[];
extern const size_t unicode_to_capital_count;
extern const unicode_case_run unicode_to_small[];
extern const size_t unicode_to_small_count;

/* The zeros of all decimal digits (Nd), in ascending order. Nine more digits follow each. */
extern const uint32_t unicode_zeros[];
extern const size_t unicode_zero_count;

#endif
