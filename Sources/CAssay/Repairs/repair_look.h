/* A look at values: which of them a list of repairs may change. It may say so of one that stays, and never overlooks one.
 *
 *     " Anna"  "anna"  "N/A"  "null"  "bo"          [trim, lower, {missing: [N/A]}]
 *      ✓        ╎       ✓      ╎       ╎            first byte a blank, a capital; three bytes and an N
 *
 * If no repair changes the value as it came, the list does not. So each repair adds what it looks for:
 *     bytes at the start or end, ranges of bytes anywhere, lengths of words, a pattern of what stays, a search for what goes.
 * Values with bytes that are looked for are then looked at character by character, since é is no capital. */
#ifndef ASSAY_REPAIR_LOOK_H
#define ASSAY_REPAIR_LOOK_H

#include "Columns/assay_column_view.h"
#include "assay/repair.h"

enum {
    REPAIR_MOST_RANGES = 8,
    REPAIR_MOST_CHECKS = 8,
};

enum {
    LOOK_FIRST = 1,    /* a value that begins with this byte may change */
    LOOK_LAST = 2,     /* one that ends with it */
    LOOK_WORD = 4,     /* a word begins with it */
    LOOK_WORD_END = 8, /* a word ends with it */
    LOOK_QUOTE = 16,   /* a quote begins with it */
    LOOK_HIGH = 32,    /* of bytes from 0xD8 on: a character that begins with it may change */
};

/* Characters below are told one by one, in two bytes; what begins with 0xD8 or more is told by that byte. */
enum { LOOK_CHARACTERS = 0x600 };

/* A check that says of a column what stays. */
typedef struct repair_look_check {
    const assay_check *check;
    bool stays_if_failed; /* else: if it passes */
} repair_look_check;

typedef struct repair_look {
    bool is_idle;  /* no byte and no word is looked for */
    bool is_blind; /* nothing is known: every value may change */
    bool empty_may_change;
    bool finds_two_spaces;                   /* values with two spaces side by side may change */
    bool finds_ends;                         /* what trim takes off */
    bool is_rough;                           /* ranges say all that is known */
    uint64_t changing[LOOK_CHARACTERS / 64]; /* bit c: a value with the character c may change */
    uint8_t bytes[256];                      /* LOOK_… */
    uint64_t word_lengths;                   /* bit n: a word has n bytes; bit 63: 63 or more */
    size_t range_count;
    uint8_t range_first[REPAIR_MOST_RANGES];
    uint8_t range_span[REPAIR_MOST_RANGES]; /* its last byte less its first */
    size_t check_count;
    repair_look_check checks[REPAIR_MOST_CHECKS];
    /* Made for the look alone. */
    size_t owned_count;
    assay_check *owned_checks[REPAIR_MOST_CHECKS];
    assay_pattern *owned_patterns[REPAIR_MOST_CHECKS];
} repair_look;

/* Makes the look of a list. False: no memory. */
bool repair_look_create(repair_look *look, const assay_repairs *repairs);
void repair_look_clear(repair_look *look);

/* Values with a byte from `first` to `last` may change, whatever their characters. */
void repair_look_add_rough_range(repair_look *look, uint8_t first, uint8_t last);

/* Of values that match a pattern, the repair changes none. False: no memory. */
bool repair_look_add_pattern(repair_look *look, const char *pattern);
void repair_look_add_check(repair_look *look, const assay_check *check, bool stays_if_failed);

/* Writes to `may` which rows that are not skipped may change. `verdicts` is room for the verdicts of checks. */
void repair_look_at(const repair_look *look, assay_scratch *scratch, const assay_column_view *column, uint64_t *may,
                    assay_verdict_masks verdicts);

#endif
