/* Patterns that say of most values of a type, many at once, that they are of it.
 *
 *     anna.lee@example.org      matches the sufficient pattern of email  ──►  passes
 *     anna@xn--bcher-kva.ch     does not                                 ──►  the type's own code judges
 *
 * Whatever matches passes; what does not may pass too. They are so plain that DFAs judge them side by side
 * (DFA/Shuffle/assay_shuffle_dfa.h), which takes a fifth of the time or less; PCRE2 is never asked. test_prefilter.c holds them
 * against the types. */
#ifndef ASSAY_PREFILTER_H
#define ASSAY_PREFILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { prefilter_capacity = 2000 };

/* No bound. */
static const uint64_t prefilter_unbounded = UINT64_MAX;

/* Says of a longer value that matches whether that is enough. */
typedef bool assay_prefilter_confirm(const uint8_t *value, size_t count);

/* Starts as zeros. */
typedef struct assay_prefilter {
    size_t count;                     /* of the pattern; 0: there is none */
    size_t most;                      /* bytes of a value for which matching is enough; 0: of any */
    assay_prefilter_confirm *confirm; /* NULL: nothing is said of longer ones */
    bool is_too_long;
    char pattern[prefilter_capacity];
} assay_prefilter;

/* Appends. What gets too long is no pattern at all. */
void assay_prefilter_add(assay_prefilter *into, const char *text);

/* A byte that stands for itself, an ASCII letter in either case. Bytes of other characters come one after the other. */
void assay_prefilter_add_letter(assay_prefilter *into, uint8_t byte);

/* Appends all numbers from `lower` to `upper`, at least one, in a group. `upper` has 15 digits at most, or is prefilter_unbounded.
 * `digits`: how many each has; 0: those it takes. */
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
