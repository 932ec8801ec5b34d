/* Shapes made coarser. */
#ifndef ASSAY_PROFILE_SHAPE_H
#define ASSAY_PROFILE_SHAPE_H

#include "assay/profile.h"

/* Writes a shape of level 0 as it is at level 1, and returns its length. One that has runs already stays. */
size_t profile_shape_with_runs(const uint8_t *shape, size_t length, uint8_t runs[ASSAY_SHAPE_BYTES]);

/* Writes the shape of a value at level 0, and returns its length. `is_cut`: one that is too long is cut off, and has no runs.
   `*is_last`, if it was set: whether it begins as `last` does. */
size_t profile_write_whole(const uint8_t *value, size_t count, bool is_cut, const uint8_t *last, uint8_t *shape,
                           bool *is_last);

#endif
