/* assay_utf16_avx2.h: UTF-16 in AVX2. Included by assay_kernels_avx2.c and _avx512.c after their assay_block_*.h.
 *     utf16_narrow(in, is_big_endian, out)        converts 32 ASCII units to 32 bytes; false: not all are ASCII
 *     utf16_group(shuffles, in, is_big_endian, out)   converts utf16_group_units units and returns the number of bytes,
 *                                                 after which it may write 15 more; 0: surrogates */
#include "Encodings/assay_utf16_shuffles.h"
#include "SIMD/assay_blend.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCK_HAS_UTF16 1
enum { utf16_group_units = 16 };

BLOCK_INLINE __m256i utf16_load(const uint8_t *in, bool is_big_endian)
{
    const __m256i units = _mm256_loadu_si256((const __m256i *)(const void *)in);
    return is_big_endian ? _mm256_or_si256(_mm256_slli_epi16(units, 8), _mm256_srli_epi16(units, 8)) : units;
}

BLOCK_INLINE bool utf16_narrow(const uint8_t *in, bool is_big_endian, uint8_t *out)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)in);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(in + 32));
    const __m256i others = _mm256_set1_epi16(is_big_endian ? (short)0x80FF : (short)0xFF80);
    if (!_mm256_testz_si256(_mm256_or_si256(low, high), others)) return false;
    if (is_big_endian) {
        low = _mm256_srli_epi16(low, 8);
        high = _mm256_srli_epi16(high, 8);
    }
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xD8);
    _mm256_storeu_si256((__m256i *)(void *)out, packed);
    return true;
}

/* Stores the bytes of `lanes` that the shuffle keeps. */
BLOCK_INLINE void utf16_store(__m128i lanes, const uint8_t *shuffle, uint8_t *out)
{
    const __m128i order = _mm_loadu_si128((const __m128i *)(const void *)shuffle);
    _mm_storeu_si128((__m128i *)(void *)out, _mm_shuffle_epi8(lanes, order));
}

/* 16 units below 800. */
BLOCK_INLINE size_t utf16_put_short(const assay_utf16_shuffles *shuffles, __m256i units, uint8_t *out)
{
    const __m256i lead = _mm256_or_si256(_mm256_srli_epi16(units, 6), _mm256_set1_epi16(0xC0));
    const __m256i trail = _mm256_or_si256(_mm256_and_si256(units, _mm256_set1_epi16(0x3F)), _mm256_set1_epi16(0x80));
    const __m256i is_two = _mm256_cmpgt_epi16(units, _mm256_set1_epi16(0x7F));
    const __m256i lanes = blend_bytes_256(units, _mm256_or_si256(lead, _mm256_slli_epi16(trail, 8)), is_two);
    const uint32_t twos =
        (uint32_t)_mm256_movemask_epi8(_mm256_packs_epi16(is_two, _mm256_setzero_si256())); /* bits 0–7 and 16–23 */
    const uint32_t first = twos & 0xFF, second = twos >> 16 & 0xFF;
    const size_t middle = 8 + (size_t)__builtin_popcount(first);
    utf16_store(_mm256_castsi256_si128(lanes), shuffles->of_8[first], out);
    utf16_store(_mm256_extracti128_si256(lanes, 1), shuffles->of_8[second], out + middle);
    return middle + 8 + (size_t)__builtin_popcount(second);
}

/* 8 units without surrogates. */
BLOCK_INLINE size_t utf16_put_long(const assay_utf16_shuffles *shuffles, __m128i eight, uint8_t *out)
{
    const __m256i units = _mm256_cvtepu16_epi32(eight);
    const __m256i six = _mm256_set1_epi32(0x3F), continued = _mm256_set1_epi32(0x80);
    const __m256i trail = _mm256_or_si256(_mm256_and_si256(units, six), continued);
    const __m256i middle = _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi32(units, 6), six), continued);
    const __m256i two = _mm256_or_si256(_mm256_or_si256(_mm256_srli_epi32(units, 6), _mm256_set1_epi32(0xC0)),
                                        _mm256_slli_epi32(trail, 8));
    const __m256i three = _mm256_or_si256(_mm256_or_si256(_mm256_srli_epi32(units, 12), _mm256_set1_epi32(0xE0)),
                                          _mm256_or_si256(_mm256_slli_epi32(middle, 8), _mm256_slli_epi32(trail, 16)));
    const __m256i from_two = _mm256_cmpgt_epi32(units, _mm256_set1_epi32(0x7F));
    const __m256i from_three = _mm256_cmpgt_epi32(units, _mm256_set1_epi32(0x7FF));
    const __m256i lanes = blend_bytes_256(blend_bytes_256(units, two, from_two), three, from_three);
    const uint32_t twos = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(from_two));
    const uint32_t threes = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(from_three));
    const uint32_t first = (twos & 15) | (threes & 15) << 4, second = twos >> 4 | (threes & 0xF0);
    const size_t half = 4 + (size_t)__builtin_popcount(first);
    utf16_store(_mm256_castsi256_si128(lanes), shuffles->of_4[first], out);
    utf16_store(_mm256_extracti128_si256(lanes, 1), shuffles->of_4[second], out + half);
    return half + 4 + (size_t)__builtin_popcount(second);
}

BLOCK_INLINE size_t utf16_group(const assay_utf16_shuffles *shuffles, const uint8_t *in, bool is_big_endian,
                                uint8_t *out)
{
    const __m256i units = utf16_load(in, is_big_endian);
    if (_mm256_testz_si256(units, _mm256_set1_epi16((short)0xF800))) return utf16_put_short(shuffles, units, out);
    const __m256i top = _mm256_and_si256(units, _mm256_set1_epi16((short)0xF800));
    const __m256i surrogates = _mm256_cmpeq_epi16(top, _mm256_set1_epi16((short)0xD800));
    if (!_mm256_testz_si256(surrogates, surrogates)) return 0;
    const size_t middle = utf16_put_long(shuffles, _mm256_castsi256_si128(units), out);
    return middle + utf16_put_long(shuffles, _mm256_extracti128_si256(units, 1), out + middle);
}
