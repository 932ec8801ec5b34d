/* assay_block_neon.h: 64 bytes as four 16-byte registers of an ARM64 processor. The interface is told in
 * assay_block_avx2.h. */
#ifndef ASSAY_BLOCK_H
#define ASSAY_BLOCK_H

#include <arm_neon.h>
#include <stdbool.h>
#include <stdint.h>

#include "Processors/assay_bits.h"

#define BLOCK_TARGET
#define BLOCK_INLINE static inline __attribute__((always_inline))

enum { block_flatten_slack = 0 };

typedef struct block {
    uint8x16_t quarters[4];
} block;

BLOCK_INLINE block block_load(const uint8_t *bytes)
{
    block data;
    for (int i = 0; i < 4; i++) data.quarters[i] = vld1q_u8(bytes + 16 * i);
    return data;
}

/* NEON cannot gather sign bits. Each matching byte keeps the one bit of its place in a group of eight; adding
 * neighbours three times then leaves one byte a group. */
BLOCK_INLINE uint64_t block_matches(block data, uint8_t byte)
{
    static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t place = vld1q_u8(places);
    uint8x16_t wanted = vdupq_n_u8(byte);
    uint8x16_t kept[4];
    for (int i = 0; i < 4; i++) kept[i] = vandq_u8(vceqq_u8(data.quarters[i], wanted), place);
    uint8x16_t sum = vpaddq_u8(vpaddq_u8(kept[0], kept[1]), vpaddq_u8(kept[2], kept[3]));
    sum = vpaddq_u8(sum, sum);
    return vgetq_lane_u64(vreinterpretq_u64_u8(sum), 0);
}

BLOCK_INLINE bool block_is_ascii(block data)
{
    uint8x16_t any =
        vorrq_u8(vorrq_u8(data.quarters[0], data.quarters[1]), vorrq_u8(data.quarters[2], data.quarters[3]));
    return vmaxvq_u8(any) < 0x80;
}

BLOCK_INLINE uint64_t block_prefix_xor(uint64_t mask) { return prefix_xor_by_shifts(mask); }

BLOCK_INLINE uint32_t block_count_ones(uint64_t mask) { return (uint32_t)vaddv_u8(vcnt_u8(vcreate_u8(mask))); }

BLOCK_INLINE void block_flatten(uint32_t *target, uint32_t base, uint64_t mask, uint32_t ones)
{
    (void)ones;
    flatten_one_by_one(target, base, mask);
}

#endif
