/* RE2 in a loop over the values of a column, in the usual way: without captures. */
#ifndef RE2_LOOP_H
#define RE2_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One or more compiled patterns. A value must match all patterns. Only one thread at a time may use them. */
typedef struct re2_patterns re2_patterns;

/* Compiles patterns for full matches or for searches. Returns NULL if RE2 refuses a pattern, such as one with
 * look-around. */
re2_patterns *re2_patterns_create(const char *const *texts, const size_t *lengths, size_t count, bool is_search);
void re2_patterns_free(re2_patterns *patterns);

/* Counts the values that match all patterns; value i is bytes [offsets[i], offsets[i + 1]). */
size_t re2_patterns_count(const re2_patterns *patterns, const uint8_t *bytes, const int32_t *offsets, size_t count);

#ifdef __cplusplus
}
#endif
#endif
