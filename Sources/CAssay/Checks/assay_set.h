/* A fixed set of values in a hash table. Immutable after creation. */
#ifndef ASSAY_SET_H
#define ASSAY_SET_H

#include "Types/assay_type.h"

typedef struct assay_set assay_set;

/* Copies the texts. The type must outlive the set. Returns NULL with *error filled if a text is not of the type
   (offset: its index) or memory runs out. */
assay_set *assay_set_create(const assay_type *type, const assay_text *values, size_t count, assay_error *error);
void assay_set_free(assay_set *set);

/* Returns whether the set contains a value. O(length), for an object O(length × log length), for any size of the set.
   `bytes` must not be NULL. UNDECIDED: an array or object, and no memory to compare it. */
assay_verdict assay_set_evaluate(const assay_set *set, const uint8_t *bytes, size_t count);

#endif
