/* A fixed set of values with a hash table over them. Immutable once made. */
#ifndef ASSAY_SET_H
#define ASSAY_SET_H

#include "Types/assay_type.h"

typedef struct assay_set assay_set;

/* Copies the texts. The type must outlive the set. NULL with *error filled if a text is not of the type (offset: its
   index) or memory is short. */
assay_set *assay_set_create(const assay_type *type, const assay_text *values, size_t count, assay_error *error);
void assay_set_free(assay_set *set);

/* Whether a value is in it. O(length), of an object O(length × log length), whatever the size of the set. `bytes` is not NULL.
   UNDECIDED: an array or object, and no memory to compare it. */
assay_verdict assay_set_judge(const assay_set *set, const uint8_t *bytes, size_t count);

#endif
