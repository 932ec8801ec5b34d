/* The budget of a call, and the lease that a scratch has.
 *
 * Without a budget a check costs one test more for each column. The loops over PCRE2 are unchanged: another function judges under a
 * budget. */
#ifndef ASSAY_BUDGET_H
#define ASSAY_BUDGET_H

#include "assay/core.h"

/* The part of a budget that one thread has at hand. */
typedef struct assay_lease {
    assay_budget *budget; /* NULL: no budget */
    uint64_t left;        /* ticks; 0 for good once the budget is spent */
    bool is_spent;
    bool counts_matching_only; /* automata and compilations are free */
    /* In the column that is judged: the first cell for which PCRE2 had no work left, or NULL. */
    const assay_cell *stopped_at;
    size_t first_over; /* see assay_scratch_take_first_over */
} assay_lease;

/* Takes a new lease of at least `ticks` more than is left, and charges `ticks`. false: the budget is spent. */
bool assay_lease_renew(assay_lease *lease, uint64_t ticks);

static inline bool assay_lease_spend(assay_lease *lease, uint64_t ticks)
{
    if (lease->budget == NULL) return true;
    if (ticks > lease->left) return assay_lease_renew(lease, ticks);
    lease->left -= ticks;
    return true;
}

/* Charges an automaton or a compilation after it was made. */
static inline void assay_lease_spend_once(assay_lease *lease, uint64_t ticks)
{
    if (!lease->counts_matching_only) (void)assay_lease_spend(lease, ticks);
}

/* The first member of a scratch, for code that does not know the others. */
static inline assay_lease *assay_scratch_lease(assay_scratch *scratch) { return (assay_lease *)scratch; }

enum {
    /* Ticks for each byte that a DFA reads, beside those for each value. */
    ASSAY_BUDGET_DFA_BYTE = 2,
    /* Ticks for each instruction of an automaton that is visited to make a state. */
    ASSAY_BUDGET_VISIT = 8,
    /* Ticks of a metered run that are charged at once. */
    ASSAY_BUDGET_GRANT = 1 << 16,
};

#endif
