/* assay_block_avx2.h: 64 bytes as two 32-byte registers. The interface that every assay_block_*.h gives:
 *
 *     block_load(bytes)              reads 64 bytes, at any alignment
 *     block_matches(block, byte)     bit i: byte i equals `byte`
 *     block_is_ascii(block)          no byte is 0x80 or above
 *     block_prefix_xor(mask)         see assay_bits.h
 *     block_count_ones(mask)
 *     block_flatten(target, base, mask, ones)   target[0 .. ones) = base + index of each one; may write up to
 *                                    64 + block_flatten_slack values in all
 */
#ifndef ASSAY_BLOCK_H
#define ASSAY_BLOCK_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#define BLOCK_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt,pclmul")))
#define BLOCK_INLINE static inline __attribute__((always_inline)) BLOCK_TARGET

enum { block_flatten_slack = 8 };

typedef struct block {
    __m256i low;
    __m256i high;
} block;

BLOCK_INLINE block block_load(const uint8_t *bytes)
{
    return (block){_mm256_loadu_si256((const __m256i *)(const void *)bytes),
                   _mm256_loadu_si256((const __m256i *)(const void *)(bytes + 32))};
}

BLOCK_INLINE uint64_t join_halves(__m256i low, __m256i high)
{
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

BLOCK_INLINE uint64_t block_matches(block data, uint8_t byte)
{
    __m256i wanted = _mm256_set1_epi8((char)byte);
    return join_halves(_mm256_cmpeq_epi8(data.low, wanted), _mm256_cmpeq_epi8(data.high, wanted));
}

BLOCK_INLINE bool block_is_ascii(block data) { return _mm256_movemask_epi8(_mm256_or_si256(data.low, data.high)) == 0; }

/* A carry-less product with all ones adds up (by xor) all lower bits. */
BLOCK_INLINE uint64_t block_prefix_xor(uint64_t mask)
{
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)mask), _mm_set1_epi8((char)0xFF), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

BLOCK_INLINE uint32_t block_count_ones(uint64_t mask) { return (uint32_t)__builtin_popcountll(mask); }

/* In steps of four without asking, which is cheaper than a mispredicted loop end: a typical block of 64 bytes holds two
 * to six fields. TZCNT, unlike the builtin, is defined for 0. */
BLOCK_INLINE void block_flatten(uint32_t *target, uint32_t base, uint64_t mask, uint32_t ones)
{
    uint32_t written = 0;
    do {
        for (uint32_t i = 0; i < 4; i++) {
            target[written + i] = base + (uint32_t)_tzcnt_u64(mask);
            mask &= mask - 1;
        }
        written += 4;
    } while (written < ones);
}

#endif
