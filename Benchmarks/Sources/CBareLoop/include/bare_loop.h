/* The yardstick: the least that PCRE2 asks of somebody who wants to know how many values match.
 *
 * One pcre2_jit_match for each value, match data and JIT stack made once. No UTF-8 check, no limits, no verdicts kept:
 * Assay does all of that, and is compared with a loop that does not. */
#ifndef BARE_LOOP_H
#define BARE_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A compiled pattern and what matching needs. One thread at a time. */
typedef struct bare_pattern bare_pattern;

/* Full match, UTF, the compile options that Assay uses, so that both answer the same question. NULL: it does not compile,
 * or there is no JIT here. */
bare_pattern *bare_pattern_create(const char *text, size_t count);
void bare_pattern_free(bare_pattern *pattern);

/* One value. */
bool bare_pattern_matches(const bare_pattern *pattern, const uint8_t *value, size_t count);

/* How many of the values match; value i is bytes [offsets[i], offsets[i + 1]). */
size_t bare_pattern_count(const bare_pattern *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count);

/* How many of the values match all of several patterns, which are asked in turn until one does not match. */
size_t bare_pattern_count_all(bare_pattern *const *patterns, size_t pattern_count, const uint8_t *bytes,
                              const int32_t *offsets, size_t count);

/* The same as bare_pattern_count by pcre2_match, which checks that each value is UTF-8 and then runs the same machine code. */
size_t bare_pattern_count_safely(const bare_pattern *pattern, const uint8_t *bytes, const int32_t *offsets,
                                 size_t count);

/* The version of PCRE2, such as "10.42 2022-12-11". A buffer of at least 64. */
void bare_engine_version(char *version);

/* How many bytes are line feeds, by memchr. */
size_t bare_count_lines(const uint8_t *bytes, size_t count);

#endif
