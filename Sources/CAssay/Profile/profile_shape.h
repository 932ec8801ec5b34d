/* Shapes made coarser. */
#ifndef ASSAY_PROFILE_SHAPE_H
#define ASSAY_PROFILE_SHAPE_H

#include "assay/profile.h"

#include <stdbool.h>

/* Writes a shape of level 0 as it is at level 1, and returns its length. One that has runs already stays. */
size_t profile_shape_with_runs(const uint8_t *shape, size_t length, uint8_t runs[ASSAY_SHAPE_BYTES]);

/* Writes the shape of a value at level 0, and returns its length. `is_cut`: one that is too long is cut off, and has no runs. */
size_t profile_write_whole(const uint8_t *value, size_t count, bool is_cut, uint8_t *shape);

/* The values of a shape of level 0, byte by byte: what is added to a byte makes 128 or more of the least of its class, and of what
   lies beyond its last. */
typedef struct profile_bounds {
    uint8_t to_least[ASSAY_SHAPE_BYTES], to_beyond[ASSAY_SHAPE_BYTES];
    size_t length;
    bool is_cut; /* longer values have the shape, too */
} profile_bounds;

/* false: the shape has characters that are no range of ASCII. */
bool profile_shape_bounds(const uint8_t *shape, size_t length, profile_bounds *bounds);
/* Whether a value of ASCII has the shape. */
bool profile_is_within(const uint8_t *value, size_t count, const profile_bounds *bounds);

/* Of eight bytes: those that are not ASCII. */
static const uint64_t profile_high_bits = UINT64_C(0x8080808080808080);

#endif
