/* Masks: one bit per row. */
#include "Dispatch/assay_kernels.h"
#include "assay/core.h"

size_t assay_mask_count(const uint64_t *mask, size_t words) { return assay_kernels_current()->mask_count(mask, words); }

bool assay_mask_merge(uint64_t *target, const uint64_t *other, size_t words)
{
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++) {
        any |= other[i];
        target[i] |= other[i];
    }
    return any != 0;
}

size_t assay_mask_next(const uint64_t *mask, size_t count, size_t row)
{
    if (row >= count) return count;
    const size_t words = assay_mask_words(count);
    size_t i = row / 64;
    uint64_t word = mask[i] & (~(uint64_t)0 << (row % 64));
    while (word == 0) {
        if (++i == words) return count;
        word = mask[i];
    }
    const size_t found = i * 64 + (size_t)__builtin_ctzll(word);
    return found < count ? found : count;
}
