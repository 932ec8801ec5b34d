/* The bytes that each match of a search has at its first places. A candidate of the filter whose text has others is
 * refused in a few nanoseconds, without a DFA:
 *
 *     [sr]k_(?:live|test)_\w{24}      place    0    1  2   3    4    5    6   7  8 …
 *                                     bytes    s r  k  _   l t  e i  s v  e t _  \w … */
#ifndef ASSAY_LAZY_BEGINNING_H
#define ASSAY_LAZY_BEGINNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { lazy_beginning_max = 32, lazy_beginning_checks = 8 };

typedef struct lazy_beginning {
    uint32_t count;                     /* each match has at least this number of bytes */
    uint32_t checks;                    /* the number of examined places */
    bool is_match;                      /* text with these bytes in all places is a match; then all are examined */
    uint8_t places[lazy_beginning_max]; /* the examined places, those with the rarest bytes first */
    uint32_t places_of[256];            /* by byte: a bit for each place that may have it */
} lazy_beginning;

/* Whether a match may begin at `text`, where `left` bytes remain. */
static inline bool lazy_beginning_fits(const lazy_beginning *beginning, const uint8_t *text, size_t left)
{
    if (left < beginning->count) return false;
    for (uint32_t i = 0; i < beginning->checks; i++) {
        const uint8_t place = beginning->places[i];
        if ((beginning->places_of[text[place]] >> place & 1) == 0) return false;
    }
    return true;
}

#endif
