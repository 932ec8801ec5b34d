/* Prefilters that accept: patterns that match most valid values of a type, so that the type's own code judges only the
 * rest.
 *
 *     anna.lee@example.org      matches the prefilter of email  ──►  passes
 *     anna@xn--bcher-kva.ch     does not                        ──►  the type's own code judges
 *
 * Every value that matches passes; a value that does not may pass too. (Prefilters of search engines work the other way
 * round: they reject.) They are so simple that a shuffle DFA judges 64 values at once (DFA/Shuffle), in a fifth of the
 * time or less; PCRE2 is never asked. test_prefilter.c compares them with the types. */
#ifndef ASSAY_PREFILTER_H
#define ASSAY_PREFILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { prefilter_capacity = 2000 };

/* No bound. */
static const uint64_t prefilter_unbounded = UINT64_MAX;

/* Whether matching is enough for a longer value. */
typedef bool assay_prefilter_confirm(const uint8_t *value, size_t count);

/* Starts as zeros. */
typedef struct assay_prefilter {
    size_t count;                     /* of the pattern; 0: there is none */
    size_t most;                      /* the longest value, in bytes, for which matching is enough; 0: any */
    assay_prefilter_confirm *confirm; /* NULL: longer values do not pass by it */
    bool is_too_long;
    char pattern[prefilter_capacity];
} assay_prefilter;

/* Appends. A prefilter that gets too long is dropped. */
void assay_prefilter_add(assay_prefilter *into, const char *text);

/* A byte that stands for itself, an ASCII letter in either case. Bytes of other characters come one after the other. */
void assay_prefilter_add_letter(assay_prefilter *into, uint8_t byte);

/* Appends all numbers from `lower` to `upper`, at least one, in a group. `upper` has 15 digits at most, or is
 * prefilter_unbounded. `digits`: how many each has; 0: those it takes. */
void assay_prefilter_add_numbers(assay_prefilter *into, uint64_t lower, uint64_t upper, unsigned digits);

/* All days of a year but 29 February. */
#define PREFILTER_DAY                                                                                                  \
    "(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
#define PREFILTER_DATE "[0-9]{4}-" PREFILTER_DAY
#define PREFILTER_TIME "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?"
#define PREFILTER_ZONE "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"

/* Host names. Without two hyphens in a row no label is one of IDNA, and a letter begins the last one, so that it is no
 * number. */
#define PREFILTER_LABEL "[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*"
#define PREFILTER_LAST_LABEL "[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"

#endif
