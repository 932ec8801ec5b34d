/* assay_block_sse2.h: 64 bytes as four 16-byte registers, for any x86-64. assay_block_avx2.h documents the interface.
 * SSE2 has no byte shuffle (PSHUFB came with SSSE3), so there are no byte sets. */
#ifndef ASSAY_BLOCK_SSE2_H
#define ASSAY_BLOCK_SSE2_H

#include <emmintrin.h>
#include <stdbool.h>
#include <stdint.h>

#include "SIMD/assay_bits.h"

#define BLOCK_TARGET
#define BLOCK_INLINE static inline __attribute__((always_inline))

enum { block_flatten_slack = 0 };

typedef struct block {
    __m128i quarters[4];
} block;

BLOCK_INLINE block block_load(const uint8_t *bytes)
{
    block data;
    for (int i = 0; i < 4; i++) data.quarters[i] = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * i));
    return data;
}

BLOCK_INLINE uint64_t block_matches(block data, uint8_t byte)
{
    __m128i needle = _mm_set1_epi8((char)byte);
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t bits = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(data.quarters[i], needle));
        mask |= (uint64_t)bits << (16 * i);
    }
    return mask;
}

BLOCK_INLINE uint64_t block_matches_either(block data, uint8_t one, uint8_t other)
{
    return block_matches(data, one) | block_matches(data, other);
}

BLOCK_INLINE bool block_has(block data, uint8_t byte) { return block_matches(data, byte) != 0; }

BLOCK_INLINE uint64_t block_from(block data, uint8_t byte)
{
    __m128i minimum = _mm_set1_epi8((char)byte);
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++) {
        __m128i reached = _mm_cmpeq_epi8(_mm_max_epu8(data.quarters[i], minimum), data.quarters[i]);
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(reached) << (16 * i);
    }
    return mask;
}

BLOCK_INLINE uint64_t block_string_stops(block data)
{
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++) {
        const __m128i quarter = data.quarters[i];
        const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(quarter, _mm_set1_epi8(0x1F)), quarter);
        const __m128i marks =
            _mm_or_si128(_mm_cmpeq_epi8(quarter, _mm_set1_epi8('"')), _mm_cmpeq_epi8(quarter, _mm_set1_epi8('\\')));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_or_si128(control, marks)) << (16 * i);
    }
    return mask;
}

BLOCK_INLINE bool block_is_ascii(block data)
{
    __m128i any = _mm_or_si128(_mm_or_si128(data.quarters[0], data.quarters[1]),
                               _mm_or_si128(data.quarters[2], data.quarters[3]));
    return _mm_movemask_epi8(any) == 0;
}

BLOCK_INLINE uint64_t block_prefix_xor(uint64_t mask) { return prefix_xor_by_shifts(mask); }

BLOCK_INLINE uint32_t block_count_ones(uint64_t mask) { return count_ones_by_adding(mask); }

BLOCK_INLINE void block_flatten(uint32_t *target, uint32_t base, uint64_t mask, uint32_t ones)
{
    (void)ones;
    flatten_one_by_one(target, base, mask);
}

#endif
