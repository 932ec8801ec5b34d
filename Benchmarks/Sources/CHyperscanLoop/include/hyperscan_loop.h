/* Hyperscan (or Vectorscan) in a loop over the values of a column: block mode, one scan for each value. */
#ifndef HYPERSCAN_LOOP_H
#define HYPERSCAN_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A database of 1 to 32 patterns. A value must match all patterns, which a single scan tests. Only one thread at a time
 * may use it. */
typedef struct hyperscan_patterns hyperscan_patterns;

/* Compiles patterns for full matches or for searches. Returns NULL if Hyperscan refuses a pattern, such as one with
 * look-around, or does not support this processor. */
hyperscan_patterns *hyperscan_patterns_create(const char *const *texts, const size_t *lengths, size_t count,
                                              bool is_search);
void hyperscan_patterns_free(hyperscan_patterns *patterns);

/* Counts the values that match all patterns; value i is bytes [offsets[i], offsets[i + 1]). The values must be UTF-8.
   */
size_t hyperscan_patterns_count(const hyperscan_patterns *patterns, const uint8_t *bytes, const int32_t *offsets,
                                size_t count);

#endif
