/* The budget of a call. Each thread that works for the call takes leases from it. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "Patterns/assay_pcre2.h"

#include <stdlib.h>
#include <time.h>

struct assay_budget {
    uint64_t ticks;
    _Atomic(uint64_t) left;
    _Atomic(int) end;  /* an assay_budget_end */
    uint64_t deadline; /* nanoseconds of the monotonic clock; UINT64_MAX: no deadline */
};

enum {
    /* Bounds of a lease in ticks. The clock is read when a lease is taken. A tick is nominally a nanosecond, so with
     * the largest leases a thread reads the clock about once per millisecond. */
    LEASE_MAX = 1 << 20,
    LEASE_MIN = 1 << 12,
    /* A lease is the remaining budget divided by this number, within the bounds above, so that other threads can also
     * take leases. */
    LEASE_PART = 64,
};

static uint64_t now(void)
{
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0) return 0;
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

assay_budget *assay_budget_create(uint64_t ticks, uint64_t nanoseconds)
{
    assay_budget *budget = calloc(1, sizeof *budget);
    if (budget == NULL) return NULL;
    budget->ticks = ticks;
    atomic_init(&budget->left, ticks);
    atomic_init(&budget->end, ASSAY_BUDGET_LEFT);
    const uint64_t start = now();
    budget->deadline = nanoseconds < UINT64_MAX - start ? start + nanoseconds : UINT64_MAX;
    return budget;
}

void assay_budget_free(assay_budget *budget) { free(budget); }

assay_budget_end assay_budget_ended_by(const assay_budget *budget)
{
    return (assay_budget_end)atomic_load_explicit(&budget->end, memory_order_relaxed);
}

uint64_t assay_budget_used(const assay_budget *budget)
{
    return budget->ticks - atomic_load_explicit(&budget->left, memory_order_relaxed);
}

/* Ends the budget. Only the first reason is recorded. */
static void finish(assay_budget *budget, assay_budget_end end)
{
    int none = ASSAY_BUDGET_LEFT;
    atomic_compare_exchange_strong_explicit(&budget->end, &none, end, memory_order_relaxed, memory_order_relaxed);
}

void assay_budget_end_for_memory(assay_budget *budget) { finish(budget, ASSAY_BUDGET_MEMORY); }

static bool is_over(assay_budget *budget)
{
    if (budget->deadline != UINT64_MAX && now() >= budget->deadline) finish(budget, ASSAY_BUDGET_TIME);
    return assay_budget_ended_by(budget) != ASSAY_BUDGET_LEFT;
}

static uint64_t bounded_lease(uint64_t left)
{
    const uint64_t part = left / LEASE_PART;
    return part > LEASE_MAX ? LEASE_MAX : part < LEASE_MIN ? LEASE_MIN : part;
}

/* Takes `needed` ticks, and more as a lease if `as_lease`. Returns the number taken; 0: the budget is exhausted. */
static uint64_t take(assay_budget *budget, uint64_t needed, bool as_lease)
{
    if (is_over(budget)) return 0;
    uint64_t left = atomic_load_explicit(&budget->left, memory_order_relaxed);
    for (;;) {
        if (needed > left) {
            finish(budget, ASSAY_BUDGET_WORK);
            return 0;
        }
        uint64_t taken = needed;
        if (as_lease) {
            const uint64_t more = bounded_lease(left);
            taken = left - needed < more ? left : needed + more;
        }
        if (atomic_compare_exchange_weak_explicit(&budget->left, &left, left - taken, memory_order_relaxed,
                                                  memory_order_relaxed)) {
            return taken;
        }
    }
}

bool assay_budget_spend(assay_budget *budget, uint64_t ticks)
{
    return ticks == 0 ? !is_over(budget) : take(budget, ticks, false) != 0;
}

bool assay_lease_renew(assay_lease *lease, uint64_t ticks)
{
    if (lease->is_spent) return false;
    const uint64_t taken = take(lease->budget, ticks - lease->left, true);
    if (taken == 0) {
        lease->is_spent = true;
        lease->left = 0;
        return false;
    }
    lease->left += taken - ticks;
    return true;
}

void assay_scratch_end_lease(assay_scratch *scratch)
{
    assay_lease *lease = &scratch->lease;
    if (lease->budget == NULL || lease->left == 0) return;
    atomic_fetch_add_explicit(&lease->budget->left, lease->left, memory_order_relaxed);
    lease->left = 0;
}

void assay_scratch_set_budget(assay_scratch *scratch, assay_budget *budget)
{
    assay_scratch_end_lease(scratch);
    scratch->lease = (assay_lease){.budget = budget, .first_over = SIZE_MAX};
}

bool assay_scratch_spend(assay_scratch *scratch, uint64_t ticks) { return assay_lease_spend(&scratch->lease, ticks); }

void assay_scratch_refund(assay_scratch *scratch, uint64_t ticks)
{
    if (scratch->lease.budget != NULL && !scratch->lease.is_spent) scratch->lease.left += ticks;
}

void assay_scratch_note_over(assay_scratch *scratch, size_t row)
{
    if (row < scratch->lease.first_over) scratch->lease.first_over = row;
}

size_t assay_scratch_first_over(const assay_scratch *scratch) { return scratch->lease.first_over; }

assay_verdict assay_pattern_match_counting(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value,
                                           size_t count, uint64_t *ticks)
{
    const assay_lease own = scratch->lease;
    assay_budget endless = {.deadline = UINT64_MAX};
    scratch->lease = (assay_lease){.budget = &endless, .left = UINT64_MAX / 2, .counts_matching_only = true};
    const assay_verdict verdict = assay_pattern_match(pattern, scratch, value, count);
    *ticks = UINT64_MAX / 2 - scratch->lease.left;
    scratch->lease = own;
    return verdict;
}

size_t assay_scratch_take_first_over(assay_scratch *scratch)
{
    const size_t first = scratch->lease.first_over;
    scratch->lease.first_over = SIZE_MAX;
    return first;
}
