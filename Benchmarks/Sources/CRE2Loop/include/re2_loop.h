/* RE2 in a loop over the values of a column, as its users write it: anchored at both ends, no captures. */
#ifndef RE2_LOOP_H
#define RE2_LOOP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One or more compiled patterns, all of which a value must match. One thread at a time. */
typedef struct re2_patterns re2_patterns;

/* NULL: RE2 refuses one of them, such as one with look-around. */
re2_patterns *re2_patterns_create(const char *const *texts, const size_t *lengths, size_t count);
void re2_patterns_free(re2_patterns *patterns);

/* How many of the values match all patterns; value i is bytes [offsets[i], offsets[i + 1]). */
size_t re2_patterns_count(const re2_patterns *patterns, const uint8_t *bytes, const int32_t *offsets, size_t count);

#ifdef __cplusplus
}
#endif
#endif
