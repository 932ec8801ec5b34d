/* Outputs: records go to one of two buffers, unchanged. Neighbours that go the same way are copied at once; most
 * files are nearly all clean, so this is nearly always one copy of everything. */
#include "assay/core.h"

#include <string.h>

/* The first row after `row` whose bit differs from `is_rejected`, or `count`. */
static uint32_t run_end(const uint64_t *rejects, uint32_t count, uint32_t row, bool is_rejected)
{
    const uint64_t flip = is_rejected ? ~(uint64_t)0 : 0;
    uint32_t i = row / 64;
    uint64_t differs = (rejects[i] ^ flip) & (~(uint64_t)0 << (row % 64));
    while (differs == 0) {
        if ((uint64_t)++i * 64 >= count) return count;
        differs = rejects[i] ^ flip;
    }
    const uint32_t found = i * 64 + (uint32_t)__builtin_ctzll(differs);
    return found < count ? found : count;
}

void assay_emit_records(const assay_batch *batch, const uint8_t *bytes, uint32_t first, uint32_t count,
                        const uint64_t *rejects, uint8_t *clean, size_t *clean_count, uint8_t *rejected,
                        size_t *rejected_count)
{
    const assay_record *records = batch->records + first;
    size_t clean_used = 0, rejected_used = 0;
    for (uint32_t row = 0; row < count;) {
        const bool is_rejected = rejects[row / 64] >> (row % 64) & 1;
        const uint32_t next = run_end(rejects, count, row, is_rejected);
        /* Records lie side by side: the next one begins where this one ends. */
        const uint32_t start = records[row].start;
        const size_t length = records[next - 1].end - start;
        if (is_rejected) {
            memcpy(rejected + rejected_used, bytes + start, length);
            rejected_used += length;
        } else {
            memcpy(clean + clean_used, bytes + start, length);
            clean_used += length;
        }
        row = next;
    }
    *clean_count = clean_used;
    *rejected_count = rejected_used;
}
