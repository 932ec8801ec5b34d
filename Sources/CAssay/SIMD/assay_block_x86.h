/* assay_block_x86.h: operations that AVX2 and AVX-512 share. Included by assay_block_avx2.h and assay_block_avx512.h,
 * which also define block_low and block_high, the halves of a block, for assay_utf8_avx2.h. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define BLOCK_HAS_SETS 1
#define BLOCK_HAS_HALVES 1

/* Sheng, a DFA with states that fit into a register (DFA/Scalar/assay_dfa_scalar.c). All lanes of `states` contain
 * the same state, so one PSHUFB selects the next one from the row of a byte. The loads of rows do not depend on the
 * state. */
BLOCK_TARGET static uint8_t sheng_blocks(const uint8_t *rows, const uint8_t *bytes, size_t count, uint8_t state)
{
    __m128i states = _mm_set1_epi8((char)state);
    for (size_t i = 0; i < count; i += 8) {
#pragma GCC unroll 8
        for (size_t j = 0; j < 8; j++) {
            __m128i row = _mm_loadu_si128((const __m128i *)(const void *)(rows + 16 * (size_t)bytes[i + j]));
            states = _mm_shuffle_epi8(row, states);
        }
    }
    return (uint8_t)_mm_extract_epi8(states, 0);
}

BLOCK_TARGET static uint8_t sheng_stride2_blocks(const uint16_t *offsets, const uint8_t *rows, const uint8_t *bytes,
                                                 size_t count, uint8_t state)
{
    __m128i states = _mm_set1_epi8((char)state);
    for (size_t i = 0; i < count; i += 8) {
#pragma GCC unroll 2
        for (size_t j = 0; j < 8; j += 4) {
            uint32_t word;
            memcpy(&word, bytes + i + j, sizeof word);
            __m128i row = _mm_loadu_si128((const __m128i *)(const void *)(rows + offsets[(uint16_t)word]));
            __m128i next = _mm_loadu_si128((const __m128i *)(const void *)(rows + offsets[word >> 16]));
            states = _mm_shuffle_epi8(next, _mm_shuffle_epi8(row, states));
        }
    }
    return (uint8_t)_mm_extract_epi8(states, 0);
}

/* The carry-less product with all ones: bit i of the result is the xor of bits 0 to i (as in simdjson). */
BLOCK_INLINE uint64_t block_prefix_xor(uint64_t mask)
{
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)mask), _mm_set1_epi8((char)0xFF), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

BLOCK_INLINE uint32_t block_count_ones(uint64_t mask) { return (uint32_t)__builtin_popcountll(mask); }
