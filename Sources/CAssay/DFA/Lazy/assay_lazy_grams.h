/* The filter of a search for many words, or for other alternatives that begin with many different bytes: hashes of
 * n-grams, at some of the places only (after S. Wu and U. Manber, A fast algorithm for multi-pattern searching, 1994).
 *
 * The first `window` bytes of a match are one of some thousand strings. If they are more than a gram of four bytes, one
 * of their grams begins at every `stride`th place of the text, so that the other places need not be examined:
 *
 *     windows of seven bytes   connect  refused                  stride 4: one of the four grams of each is there
 *     text    cou‸ld n‸ot c‸onne‸ct      places examined         "onne" is a gram of "connect"
 *                      connect           compared by the hash of the window
 *
 * Case is ignored by setting the bit in which ASCII letters differ, in text and windows. Plain C, so that every
 * processor path has this filter. */
#ifndef ASSAY_LAZY_GRAMS_H
#define ASSAY_LAZY_GRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lazy_grams lazy_grams;

/* The minimum and maximum bytes of a window. */
enum { lazy_window_min = 3, lazy_window_max = 8 };

/* The bits that are set in each byte of text, and of windows. */
static const uint8_t lazy_grams_fold = 0x20;

/* Constructs the filter of `count` windows of `bytes` bytes, the first one lowest, with lazy_grams_fold set. NULL: out
 * of memory. Free with free(). O(count). */
lazy_grams *lazy_grams_create(const uint64_t *windows, size_t count, uint32_t bytes);

/* Returns the number of places between two that are examined. */
uint32_t lazy_grams_stride(const lazy_grams *grams);

/* Returns the first place from `from` on at which a window may begin, or `count`. O(count). */
size_t lazy_grams_find(const lazy_grams *grams, const uint8_t *text, size_t from, size_t count);

#endif
