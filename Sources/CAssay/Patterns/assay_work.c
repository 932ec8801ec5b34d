/* Computes limits from costs, and finds values with work that no limit bounds: see assay_work.h. */
#include "Patterns/assay_work.h"

#include "Bytes/assay_scalars.h"

enum {
    /* The maximum ticks of a plain run: nominally 10 ms, and 64 ns more for each byte. It runs first because it is
       faster than a metered run, which calls back at every item. */
    PLAIN_TICKS = 10000000,
    PLAIN_TICKS_PER_BYTE = 64,
    /* A plain run with fewer counts than this would usually reach its limit and waste its time. Short values of
     * ordinary patterns take some 10 counts, and their bound is low only because each could be that of a whole loop: a
     * line with a browser's name takes 30, a path 7. */
    WORTHWHILE_COUNTS = 64,
    WORTHWHILE_SHORT_COUNTS = 8,
    SHORT_BYTES = 256,
    /* The maximum steps of a value are match_base × MAX_BASES + match_per_byte / MAX_PART_OF_BYTES × its bytes. With
       the default limits, 64 KiB take less than 100 ms, and 1 MiB less than a second (Scripts/check-thresholds.py
       bounds the first). */
    MAX_BASES = 400,
    MAX_PART_OF_BYTES = 4,
};

static uint64_t smaller(uint64_t one, uint64_t other) { return one < other ? one : other; }
static uint64_t larger(uint64_t one, uint64_t other) { return one > other ? one : other; }

uint64_t assay_work_steps(const assay_match_limits *limits, const assay_work_costs *costs, size_t bytes)
{
    if (bytes > UINT32_MAX) bytes = UINT32_MAX; /* so that the products below cannot overflow */
    const uint64_t base = limits->match_base;
    const uint64_t for_bytes = (uint64_t)limits->match_per_byte * bytes;
    const uint64_t max = base * MAX_BASES + for_bytes / MAX_PART_OF_BYTES;
    const uint64_t once = base + for_bytes;
    if (once >= max) return max > base ? max : base;
    return costs->searches > 1 ? smaller(once * costs->searches, max) : once;
}

static uint64_t plain_ticks(size_t bytes) { return PLAIN_TICKS + (uint64_t)PLAIN_TICKS_PER_BYTE * bytes; }

uint64_t assay_work_max(const assay_match_limits *limits, const assay_work_costs *costs, size_t bytes)
{
    return plain_ticks(bytes) + assay_work_steps(limits, costs, bytes) * ASSAY_WORK_STEP;
}

/* The steps between two counts. Each may examine the whole value, or the reach of the pattern. */
uint64_t assay_work_count(const assay_work_costs *costs, size_t bytes)
{
    if (bytes > UINT32_MAX) bytes = UINT32_MAX;
    const uint64_t look = (uint64_t)costs->byte * smaller(bytes, costs->reach);
    const uint64_t straight = costs->step + look * costs->uncounted;
    const uint64_t iterations = costs->loops != 0 ? (uint64_t)bytes + 1 : 1;
    const uint64_t starts = costs->counts_each_start != 0 ? (uint64_t)bytes + 1 : 1;
    return (look + straight * iterations) * starts;
}

/* The ticks of a plain run, divided by the maximum cost of one count. */
uint32_t assay_work_match_limit(const assay_match_limits *limits, const assay_work_costs *costs, size_t bytes,
                                bool *is_lowered)
{
    const uint64_t steps = assay_work_steps(limits, costs, bytes);
    const uint64_t target = larger(steps, 1);
    const uint64_t max = plain_ticks(bytes) / assay_work_count(costs, bytes);
    *is_lowered = max < target;
    const uint64_t worthwhile = bytes <= SHORT_BYTES ? WORTHWHILE_SHORT_COUNTS : WORTHWHILE_COUNTS;
    if (max < target && max < worthwhile) return 0;
    return (uint32_t)smaller(smaller(target, max), UINT32_MAX);
}

enum { INDICATOR_BYTES = 4 };

static bool is_regional_indicator(const uint8_t *at)
{
    return at[0] == 0xF0 && at[1] == 0x9F && at[2] == 0x87 && at[3] >= 0xA6;
}

/* A row that is too long covers a whole stride, and therefore the character at its end. */
bool assay_work_has_long_row(const uint8_t *value, size_t count)
{
    const size_t stride = (size_t)ASSAY_WORK_REGIONAL_INDICATORS * INDICATOR_BYTES;
    for (size_t place = stride; place < count; place += stride) {
        size_t from = place;
        while (from > place - INDICATOR_BYTES && is_continuation(value[from])) from--;
        if (count - from < INDICATOR_BYTES || !is_regional_indicator(value + from)) continue;
        size_t to = from + INDICATOR_BYTES;
        while (from >= INDICATOR_BYTES && to - from <= stride &&
               is_regional_indicator(value + from - INDICATOR_BYTES)) {
            from -= INDICATOR_BYTES;
        }
        while (count - to >= INDICATOR_BYTES && to - from <= stride && is_regional_indicator(value + to)) {
            to += INDICATOR_BYTES;
        }
        if (to - from > stride) return true;
    }
    return false;
}
