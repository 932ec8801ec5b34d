/* The baseline: the minimal PCRE2 code that counts the matching values.
 *
 * It calls pcre2_jit_match once per value; match data and JIT stack are made once. It has no UTF-8 check and no limits,
 * and keeps no verdicts, although Assay does all of this. */
#ifndef BARE_LOOP_H
#define BARE_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A compiled pattern with its match data. Only one thread at a time may use it. */
typedef struct bare_pattern bare_pattern;

/* Compiles a pattern for UTF text with the compile options of Assay, so that the answers are comparable: for full
 * matches, or for searches, then with the start optimizations of PCRE2. Returns NULL if the pattern is invalid or JIT
 * is unavailable. */
bare_pattern *bare_pattern_create(const char *text, size_t count, bool is_search);
void bare_pattern_free(bare_pattern *pattern);

/* Returns whether one value matches. */
bool bare_pattern_matches(const bare_pattern *pattern, const uint8_t *value, size_t count);

/* Counts the values that match; value i is bytes [offsets[i], offsets[i + 1]). */
size_t bare_pattern_count(const bare_pattern *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count);

/* Counts the values that match all of several patterns. Stops at the first pattern that fails. */
size_t bare_pattern_count_all(bare_pattern *const *patterns, size_t pattern_count, const uint8_t *bytes,
                              const int32_t *offsets, size_t count);

/* Counts with pcre2_match, which validates the UTF-8 of each value and then runs the same machine code. */
size_t bare_pattern_count_safely(const bare_pattern *pattern, const uint8_t *bytes, const int32_t *offsets,
                                 size_t count);

/* Writes the version of PCRE2, such as "10.42 2022-12-11". The buffer must have at least 64 bytes. */
void bare_engine_version(char *version);

/* Counts the line feeds with memchr. */
size_t bare_count_lines(const uint8_t *bytes, size_t count);

#endif
