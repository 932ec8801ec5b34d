/* assay_bytes_blocks.h: counting and finding bytes, 64 at a time. Included by assay_kernels_*.c after an
   assay_block_*.h. */

#include "Bytes/assay_prefetch.h"
#include "SIMD/assay_byte_set.h"

#include <string.h>

BLOCK_TARGET static size_t bytes_count_blocks(const uint8_t *bytes, size_t count, uint8_t byte)
{
    size_t found = 0;
    size_t i = 0;
    for (; count - i >= 64; i += 64) found += block_count_ones(block_matches(block_load(bytes + i), byte));
    for (; i < count; i++) found += bytes[i] == byte;
    return found;
}

BLOCK_TARGET static bool bytes_are_ascii_blocks(const uint8_t *bytes, size_t count)
{
    size_t i = 0;
    while (count - i >= 64 && block_is_ascii(block_load(bytes + i))) i += 64;
    while (i < count && bytes[i] < 0x80) i++;
    return i == count;
}

BLOCK_TARGET static size_t bytes_in_set_blocks(const uint8_t *bytes, size_t from, size_t count,
                                               const assay_byte_set *set)
{
    size_t i = from;
#ifdef BLOCK_HAS_SETS
    /* The prefetch distance, after the first 128 bytes of a run. A prefetch in a short run slows the scan down, because
       the hardware prefetcher continues from the prefetched line and loads the bytes in between late. */
    enum { AHEAD = 2048 };
    const block_set members = block_set_of(set);
    for (; count - i >= 128; i += 128) {
        if (i > from) {
            assay_prefetch(bytes + i, AHEAD);
            assay_prefetch(bytes + i, AHEAD + 64);
        }
        if (!block_have_members(block_load(bytes + i), block_load(bytes + i + 64), &members)) break;
    }
    for (; count - i >= 64; i += 64) {
        const uint64_t others = ~block_members(block_load(bytes + i), &members);
        if (others != 0) return i + (size_t)__builtin_ctzll(others);
    }
    if (i < count && count >= 64) {
        /* Reread the last 64 bytes of the text; the mask removes bytes before i, which are members. */
        const uint64_t last = ~block_members(block_load(bytes + count - 64), &members) & UINT64_MAX << (i + 64 - count);
        return last == 0 ? count : count - 64 + (size_t)__builtin_ctzll(last);
    }
#endif
    while (i < count && assay_byte_set_has(set, bytes[i])) i++;
    return i;
}
