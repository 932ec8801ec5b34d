/* Writing and coarsening shapes, and testing whether a value has a shape. */
#ifndef ASSAY_PROFILE_SHAPE_H
#define ASSAY_PROFILE_SHAPE_H

#include "assay/profile.h"

#include <stdbool.h>

/* Converts a shape from level 0 to level 1 and returns its length. Leaves a shape that already has runs unchanged. */
size_t profile_shape_with_runs(const uint8_t *shape, size_t length, uint8_t runs[ASSAY_SHAPE_BYTES]);

/* Writes the shape of a value at level 0 and returns its length. Shapes that are too long are truncated if `is_cut` is
   true, and get runs otherwise. */
size_t profile_write_full(const uint8_t *value, size_t count, bool is_cut, uint8_t *shape);

/* The ASCII values of a shape of level 0, as a range per byte. The sum of a byte and `to_lowest` is at least 128 if the
   byte is not below the range; the sum with `to_beyond` is at least 128 if it is above the range. */
typedef struct profile_bounds {
    uint8_t to_lowest[ASSAY_SHAPE_BYTES], to_beyond[ASSAY_SHAPE_BYTES];
    size_t length;
    bool is_cut; /* the shape is truncated: only longer values have it */
} profile_bounds;

/* Returns false if the shape has characters that are not a range of ASCII. */
bool profile_shape_bounds(const uint8_t *shape, size_t length, profile_bounds *bounds);
/* Whether an ASCII value has the shape. */
bool profile_is_within(const uint8_t *value, size_t count, const profile_bounds *bounds);

/* The high bits of eight bytes, which are set in non-ASCII bytes. */
static const uint64_t profile_high_bits = UINT64_C(0x8080808080808080);

#endif
