/* A look is a prefilter: it finds the values that a list of repairs may change. False positives are allowed, false
 * negatives are not.
 *
 *     " Anna"  "anna"  "N/A"  "null"  "bo"          [trim, lower, {missing: [N/A]}]
 *      ✓        ╎       ✓      ╎       ╎
 *
 * " Anna" begins with a blank and has a capital. "N/A" has capitals, and the length and the ends of a word in the list.
 *
 * If no repair changes the original value, the list does not change it. So each repair adds its own conditions:
 *     bytes at the start or end, ranges of bytes anywhere, lengths of words, a pattern of unchanged values, a search.
 * Values with matching bytes are then examined character by character, because é and É share a lead byte. */
#ifndef ASSAY_REPAIR_LOOK_H
#define ASSAY_REPAIR_LOOK_H

#include "Columns/assay_column_view.h"
#include "assay/repair.h"

enum {
    REPAIR_MAX_RANGES = 8,
    REPAIR_MAX_CHECKS = 8,
};

enum {
    LOOK_FIRST = 1,    /* a value that begins with this byte may change */
    LOOK_LAST = 2,     /* a value that ends with this byte may change */
    LOOK_WORD = 4,     /* a word begins with this byte */
    LOOK_WORD_END = 8, /* a word ends with this byte */
    LOOK_QUOTE = 16,   /* a quotation mark begins with this byte */
    LOOK_HIGH = 32,    /* a character that begins with this byte, 0xD8 or above, may change */
};

/* Each character below this limit, of one or two bytes, has its own bit in `changing`. For all others, the first byte,
 * 0xD8 or above, decides (LOOK_HIGH). */
enum { LOOK_CHARACTERS = 0x600 };

/* A check that finds unchanged values of a column. */
typedef struct repair_look_check {
    const assay_check *check;
    bool stays_if_failed; /* values that fail are unchanged; otherwise values that pass */
} repair_look_check;

typedef struct repair_look {
    bool is_idle;  /* no conditions on bytes or words */
    bool is_blind; /* every value may change */
    bool empty_may_change;
    bool finds_two_spaces;                   /* values with two consecutive spaces may change */
    bool finds_ends;                         /* values that trim changes may change */
    bool is_rough;                           /* values with matching bytes may change, regardless of characters */
    uint64_t changing[LOOK_CHARACTERS / 64]; /* bit c: a value with the character c may change */
    uint8_t bytes[256];                      /* LOOK_… */
    uint64_t word_lengths;                   /* bit n: a word has n bytes; bit 63: 63 or more */
    size_t range_count;
    uint8_t range_first[REPAIR_MAX_RANGES];
    uint8_t range_span[REPAIR_MAX_RANGES]; /* the last byte minus the first */
    size_t check_count;
    repair_look_check checks[REPAIR_MAX_CHECKS];
    /* The checks and patterns that the look owns. */
    size_t owned_count;
    assay_check *owned_checks[REPAIR_MAX_CHECKS];
    assay_pattern *owned_patterns[REPAIR_MAX_CHECKS];
} repair_look;

/* Creates the look of a list. Returns false if memory runs out. */
bool repair_look_create(repair_look *look, const assay_repairs *repairs);
void repair_look_clear(repair_look *look);

/* The following functions are in repair_look_conditions.c. */

/* Declares that values with a byte from `first` to `last` must be examined character by character. */
void repair_look_add_range(repair_look *look, uint8_t first, uint8_t last);

/* Declares that values with such a byte may change, so that no value is examined character by character. */
void repair_look_add_rough_range(repair_look *look, uint8_t first, uint8_t last);

/* Declares that the repair does not change values that match a pattern. Returns false if memory runs out. */
bool repair_look_add_pattern(repair_look *look, const char *pattern);
void repair_look_add_check(repair_look *look, const assay_check *check, bool stays_if_failed);

/* Writes a mask of the rows that may change to `may`. Skipped rows are not included. `verdicts` is scratch memory for
 * checks. */
void repair_look_at(const repair_look *look, assay_scratch *scratch, const assay_column_view *column, uint64_t *may,
                    assay_verdict_masks verdicts);

#endif
