/* Recursion before the first character. PCRE2's JIT does not count entries into recursion: for `(c|(?1)(?:a|))` it
 * descends to the end of its stack at each attempt, and a value of three bytes takes seconds under any match limit. The
 * interpreter reports such a loop. */
#ifndef ASSAY_PATTERN_RECURSION_H
#define ASSAY_PATTERN_RECURSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a group of the pattern may call itself before it has read a character. May report a pattern that does not;
 * never misses one. O(count). */
bool assay_pattern_may_recurse_left(const uint8_t *text, size_t count, uint32_t options);

#endif
