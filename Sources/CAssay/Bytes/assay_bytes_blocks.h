/* assay_bytes_blocks.h: counting and finding bytes, 64 at a time. Included by assay_path_*.c after an assay_block_*.h. */

#include "Bytes/assay_byte_set.h"

BLOCK_TARGET static size_t bytes_count_blocks(const uint8_t *bytes, size_t count, uint8_t byte)
{
    size_t found = 0;
    size_t i = 0;
    for (; count - i >= 64; i += 64) found += block_count_ones(block_matches(block_load(bytes + i), byte));
    for (; i < count; i++) found += bytes[i] == byte;
    return found;
}

BLOCK_TARGET static size_t bytes_in_set_blocks(const uint8_t *bytes, size_t count, const assay_byte_set *set)
{
    size_t i = 0;
#ifdef BLOCK_HAS_SETS
    const block_set wanted = block_set_of(set);
    for (; count - i >= 64; i += 64) {
        const uint64_t others = ~block_members(block_load(bytes + i), &wanted);
        if (others != 0) return i + (size_t)__builtin_ctzll(others);
    }
#endif
    while (i < count && assay_byte_set_has(set, bytes[i])) i++;
    return i;
}
