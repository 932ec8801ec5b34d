/* Shapes made coarser. */
#ifndef ASSAY_PROFILE_SHAPE_H
#define ASSAY_PROFILE_SHAPE_H

#include "assay/profile.h"

/* Writes a shape of level 0 as it is at level 1, and returns its length. One that has runs already stays. */
size_t profile_shape_with_runs(const uint8_t *shape, size_t length, uint8_t runs[ASSAY_SHAPE_BYTES]);

/* Writes the shape of a value, as far as it is told character by character, and returns its length. */
size_t profile_write_beginning(const uint8_t *value, size_t count, uint8_t shape[ASSAY_SHAPE_BYTES]);

#endif
