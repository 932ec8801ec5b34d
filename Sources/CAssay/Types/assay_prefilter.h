/* Accepting prefilters: patterns that match most valid values of a type, so that the code of the type checks only the
 * other values.
 *
 *     anna.lee@example.org      matches the prefilter of email  ──►  passes
 *     anna@xn--bcher-kva.ch     does not match                  ──►  the code of the type decides
 *
 * Every matching value is valid; other values may also be valid. (Prefilters of search engines are the opposite: they
 * reject.) The patterns are simple enough for a shuffle DFA, which checks 64 values at once (DFA/Shuffle), in at most a
 * fifth of the time, without PCRE2. test_prefilter.c compares the prefilters with the types. */
#ifndef ASSAY_PREFILTER_H
#define ASSAY_PREFILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { prefilter_capacity = 2000 };

/* No upper bound. */
static const uint64_t prefilter_unbounded = UINT64_MAX;

/* Whether a longer value that matches is valid. */
typedef bool assay_prefilter_confirm(const uint8_t *value, size_t count);

/* A prefilter. All zeros: an empty one. */
typedef struct assay_prefilter {
    size_t count;                     /* the length of the pattern; 0: no prefilter */
    size_t max;                       /* the max length of values that are valid if they match; 0: unlimited */
    assay_prefilter_confirm *confirm; /* decides longer values that match; NULL: longer values are undecided */
    bool is_too_long;
    char pattern[prefilter_capacity];
} assay_prefilter;

/* Appends to the pattern. Drops a prefilter that becomes too long. */
void assay_prefilter_add(assay_prefilter *into, const char *text);

/* Appends a literal byte, or an ASCII letter in either case. Call it once per byte of a non-ASCII character. */
void assay_prefilter_add_letter(assay_prefilter *into, uint8_t byte);

/* Appends a group of all numbers from `lower` to `upper`. The range must not be empty. `upper` must have at most 15
 * digits or be prefilter_unbounded. `digits` is the number of digits of each number; 0: no leading zeros. */
void assay_prefilter_add_numbers(assay_prefilter *into, uint64_t lower, uint64_t upper, unsigned digits);

/* All days of a year except 29 February. */
#define PREFILTER_DAY                                                                                                  \
    "(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
#define PREFILTER_DATE "[0-9]{4}-" PREFILTER_DAY
#define PREFILTER_TIME "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?"
#define PREFILTER_ZONE "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"

/* Host names. Without two consecutive hyphens, no label is an IDNA label. The last label begins with a letter, so that
 * it is not a number. */
#define PREFILTER_LABEL "[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*"
#define PREFILTER_LAST_LABEL "[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"

#endif
