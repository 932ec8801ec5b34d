/* Hyperscan (or Vectorscan) in a loop over the values of a column: block mode, one scan for each value. */
#ifndef HYPERSCAN_LOOP_H
#define HYPERSCAN_LOOP_H

#include <stddef.h>
#include <stdint.h>

/* One to 32 patterns in one database, all of which a value must match: a single scan looks for all of them. One thread
 * at a time. */
typedef struct hyperscan_patterns hyperscan_patterns;

/* NULL: Hyperscan refuses one of them, such as one with look-around, or this processor is too old for it. */
hyperscan_patterns *hyperscan_patterns_create(const char *const *texts, const size_t *lengths, size_t count);
void hyperscan_patterns_free(hyperscan_patterns *patterns);

/* How many of the values, which must be UTF-8, match all patterns; value i is bytes [offsets[i], offsets[i + 1]). */
size_t hyperscan_patterns_count(const hyperscan_patterns *patterns, const uint8_t *bytes, const int32_t *offsets,
                                size_t count);

#endif
