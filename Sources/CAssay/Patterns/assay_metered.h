/* Metered matching: a pattern compiled a second time, with a callout before each of its items (PCRE2_AUTO_CALLOUT), for
 * the few values that a plain run gives up.
 *
 *     (a*)\1b     callouts   ₀( ₁a* ₃) ₄\1 ₆b ₇        subject   aaaaaaaaaa…
 *                                                      position  ──────►
 *
 * Each callout charges what was done since the one before: a step, and the bytes that the position moved on. What moves
 * nothing is charged before it runs: a back reference by the length of what it refers to, X{1000} by the bytes it may look
 * at in vain. So the charges bound the time, whatever the pattern and the value, and are the same on every machine. */
#ifndef ASSAY_METERED_H
#define ASSAY_METERED_H

#include "Patterns/assay_work.h"

typedef struct assay_metered assay_metered;

/* What a run has left to spend, in ticks, and where it stands. Belongs to a scratch. */
typedef struct assay_meter {
    const assay_metered *metered;
    uint64_t left;
    size_t position;
    uint32_t step;
    uint32_t byte; /* what each byte costs that the item now running moves on */
    bool moves_back;
} assay_meter;

/* Compiles a text that was accepted before, with assay_compile's flags and callouts. `folds`: case is ignored somewhere. NULL: out
   of memory. Free it with assay_metered_free. */
assay_metered *assay_metered_create(const uint8_t *text, size_t count, uint32_t flags, bool folds);
void assay_metered_free(assay_metered *metered);

#endif
