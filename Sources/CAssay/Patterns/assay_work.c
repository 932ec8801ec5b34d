#include "Patterns/assay_work.h"

enum {
    /* What a plain run may take at most, in ticks: 10 ms, and 64 ns more for each byte. It is asked first since it is two to
       five times as fast as a metered one. */
    PLAIN_TICKS = 10000000,
    PLAIN_TICKS_PER_BYTE = 64,
    /* A plain run that may take fewer counts mostly gives up, so its time would be lost. */
    WORTHWHILE_COUNTS = 64,
    /* A plain run may take a quarter of the steps: each of PCRE2's counts stands for several of the pattern's items. */
    ITEMS_PER_COUNT = 4,
    /* Searches have a multiple of the limit, but not more than so many steps, so that 64 KiB stay below 100 ms. */
    SEARCH_STEPS = 2000000,
    SEARCH_STEPS_PER_BYTE = 16,
};

static uint64_t smaller(uint64_t one, uint64_t other) { return one < other ? one : other; }
static uint64_t larger(uint64_t one, uint64_t other) { return one > other ? one : other; }

uint64_t assay_work_steps(const assay_match_limits *limits, const assay_work_costs *costs, size_t bytes)
{
    if (bytes > UINT32_MAX) bytes = UINT32_MAX; /* so that nothing here overflows */
    const uint64_t once = limits->match_base + (uint64_t)limits->match_per_byte * bytes;
    const uint64_t most = SEARCH_STEPS + (uint64_t)SEARCH_STEPS_PER_BYTE * bytes;
    if (costs->searches <= 1 || once >= most) return once;
    return smaller(once * costs->searches, most);
}

uint32_t assay_work_match_limit(const assay_match_limits *limits, const assay_work_costs *costs, size_t bytes,
                                bool *is_lowered)
{
    const uint64_t steps = assay_work_steps(limits, costs, bytes);
    const uint64_t wanted = larger(steps / ITEMS_PER_COUNT, 1);
    const uint64_t ticks = PLAIN_TICKS + (uint64_t)PLAIN_TICKS_PER_BYTE * bytes;
    const uint64_t straight = costs->step + (uint64_t)costs->byte * costs->scans * bytes;
    const uint64_t iterations = costs->loops != 0 ? (uint64_t)bytes + 1 : 1;
    const uint64_t starts = costs->counts_each_start != 0 ? (uint64_t)bytes + 1 : 1;
    const uint64_t most = ticks / straight / iterations / starts;
    *is_lowered = most < wanted;
    if (most < wanted && most < WORTHWHILE_COUNTS) return 0;
    return (uint32_t)smaller(smaller(wanted, most), UINT32_MAX);
}
