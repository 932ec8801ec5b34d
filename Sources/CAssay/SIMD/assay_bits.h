/* assay_bits.h: operations on 64-bit masks for paths without an instruction for them. */
#ifndef ASSAY_BITS_H
#define ASSAY_BITS_H

#include <stdint.h>

/* Each bit becomes the parity of itself and all lower bits. If the ones are quotes, the result is "inside quotes".
 *
 *     quotes   ..1...1..1.1.     (lowest bit at the left)
 *     result   ..1111...11..     */
static inline uint64_t prefix_xor_by_shifts(uint64_t mask)
{
    mask ^= mask << 1;
    mask ^= mask << 2;
    mask ^= mask << 4;
    mask ^= mask << 8;
    mask ^= mask << 16;
    mask ^= mask << 32;
    return mask;
}

/* Counts ones by adding neighbors, because the compiler's builtin would be a call without a popcount instruction. */
static inline uint32_t count_ones_by_adding(uint64_t mask)
{
    mask -= (mask >> 1) & 0x5555555555555555u;
    mask = (mask & 0x3333333333333333u) + ((mask >> 2) & 0x3333333333333333u);
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (uint32_t)((mask * 0x0101010101010101u) >> 56);
}

/* Writes base + i to `target` for every bit i of the mask, in ascending order. O(ones). */
static inline void flatten_one_by_one(uint32_t *target, uint32_t base, uint64_t mask)
{
    while (mask != 0) {
        *target++ = base + (uint32_t)__builtin_ctzll(mask);
        mask &= mask - 1;
    }
}

#endif
