/* assay_mask_blocks.h: counting the set bits of masks. Included by assay_kernels_*.c after an assay_block_*.h. */

BLOCK_TARGET static size_t mask_count_blocks(const uint64_t *mask, size_t words)
{
    size_t ones = 0;
    for (size_t i = 0; i < words; i++) ones += block_count_ones(mask[i]);
    return ones;
}
