/* Writing and coarsening shapes, and keys of values with equal shapes. */
#ifndef ASSAY_PROFILE_SHAPE_H
#define ASSAY_PROFILE_SHAPE_H

#include "assay/profile.h"

#include <stdbool.h>

/* Converts a shape from level 0 to level 1 and returns its length. Leaves a shape that already has runs unchanged. */
size_t profile_shape_with_runs(const uint8_t *shape, size_t length, uint8_t runs[ASSAY_SHAPE_BYTES]);

/* Writes the shape of a value at level 0 and returns its length. Shapes that are too long are truncated if `is_cut` is
   true, and get runs otherwise. */
size_t profile_write_full(const uint8_t *value, size_t count, bool is_cut, uint8_t *shape);

/* The maximum length of a whole shape in characters. */
enum { profile_whole_length = 32 };

/* The high bits of eight bytes, which are set in non-ASCII bytes. */
static const uint64_t profile_high_bits = UINT64_C(0x8080808080808080);

#endif
