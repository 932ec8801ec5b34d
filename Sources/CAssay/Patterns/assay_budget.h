/* The budget of a call, and the lease of a scratch.
 *
 * Without a budget, a check costs one additional test per column. The loops over PCRE2 do not change, because another
 * function runs under a budget. */
#ifndef ASSAY_BUDGET_H
#define ASSAY_BUDGET_H

#include "assay/core.h"

/* The part of a budget that one thread has taken. */
typedef struct assay_lease {
    assay_budget *budget; /* NULL: no budget */
    uint64_t left;        /* ticks; 0 permanently after the budget is exhausted */
    bool is_spent;
    bool counts_matching_only; /* the construction of automata and compilation are not charged */
    /* The first cell of the current column for which PCRE2 had no ticks left, or NULL. */
    const assay_cell *stopped_at;
    size_t first_over; /* see assay_scratch_take_first_over */
} assay_lease;

/* Takes a new lease that adds at least `ticks`, and charges `ticks`. Returns false if the budget is exhausted. */
bool assay_lease_renew(assay_lease *lease, uint64_t ticks);

static inline bool assay_lease_spend(assay_lease *lease, uint64_t ticks)
{
    if (lease->budget == NULL) return true;
    if (ticks > lease->left) return assay_lease_renew(lease, ticks);
    lease->left -= ticks;
    return true;
}

/* Charges an automaton or a compilation after its construction. */
static inline void assay_lease_spend_once(assay_lease *lease, uint64_t ticks)
{
    if (!lease->counts_matching_only) (void)assay_lease_spend(lease, ticks);
}

/* Returns the lease, which is the first member of a scratch, for code that does not know the other members. */
static inline assay_lease *assay_scratch_lease(assay_scratch *scratch) { return (assay_lease *)scratch; }

enum {
    /* Ticks for each byte that a DFA reads, in addition to those for each value. */
    ASSAY_BUDGET_DFA_BYTE = 2,
    /* Ticks for each instruction of an automaton that the construction of a state visits. */
    ASSAY_BUDGET_VISIT = 8,
    /* Ticks of a metered run that are charged at once. */
    ASSAY_BUDGET_GRANT = 1 << 16,
};

#endif
