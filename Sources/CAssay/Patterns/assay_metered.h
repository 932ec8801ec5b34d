/* Metered matching, the second and last run of PCRE2 (assay_work.h): a pattern compiled again with a callout before
 * each item (PCRE2_AUTO_CALLOUT), for the few values that exceed the limit of a plain run.
 *
 *     (a*)\1b     callouts   ₀( ₁a* ₃) ₄\1 ₆b ₇        subject   aaaaaaaaaa…
 *                                                      position  ──────►
 * Each callout charges for the work since the previous one: a step, and the bytes by which the position has advanced.
 * Work that may not move the position is charged in advance: a back reference by the length of the text it refers to,
 * X{1000} by the bytes that it may examine before it fails. The charges therefore bound the time for every pattern and
 * value, and are the same on every machine. */
#ifndef ASSAY_METERED_H
#define ASSAY_METERED_H

#include "Patterns/assay_budget.h"
#include "Patterns/assay_work.h"

typedef struct assay_metered assay_metered;

/* The state of one run: how many ticks it may still spend, and the item that runs. Belongs to a scratch. */
typedef struct assay_meter {
    const assay_metered *metered;
    uint64_t left;
    uint64_t reserve;   /* additional ticks that it may spend, if the lease has them */
    assay_lease *lease; /* NULL: no budget */
    size_t position;    /* in the value, at the latest callout */
    uint32_t step;      /* ticks of a callout */
    uint32_t byte;      /* ticks for each byte that the item now running advances by */
    bool moves_back;    /* that item is a look-behind */
} assay_meter;

/* Compiles a text that PCRE2 has already accepted, with the same flags and callouts. `folds`: a part of it ignores
 * case. Returns NULL when out of memory, and an object without code if the pattern is too large with callouts
 * (assay_metered_has_code). Immutable; free with assay_metered_free. */
assay_metered *assay_metered_create(const uint8_t *text, size_t count, uint32_t flags, bool folds);
void assay_metered_free(assay_metered *metered);

#endif
