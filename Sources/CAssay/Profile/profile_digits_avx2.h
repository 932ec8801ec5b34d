/* profile_digits_avx2.h: digits of numbers in a register. Included by assay_kernels_avx2.c and _avx512.c after an
 * assay_block_*.h. */
#include "Profile/profile_classes.h"

#define PROFILE_HAS_DIGITS 1

/* A bit for each of the `kept` bytes that is a digit, and in *points for each that is `point`. *digits: the values of
   the digits; 0 for all other bytes. */
BLOCK_TARGET static inline unsigned profile_digits(profile_sixteen bytes, profile_sixteen kept, uint8_t point,
                                                   profile_sixteen *digits, unsigned *points)
{
    const __m128i text = (__m128i)bytes, values = _mm_sub_epi8(text, _mm_set1_epi8('0'));
    const __m128i nine = _mm_set1_epi8(9);
    const __m128i are_digits = _mm_and_si128((__m128i)kept, _mm_cmpeq_epi8(_mm_min_epu8(values, nine), values));
    const __m128i are_points = _mm_and_si128((__m128i)kept, _mm_cmpeq_epi8(text, _mm_set1_epi8((char)point)));
    *points = (unsigned)_mm_movemask_epi8(are_points);
    *digits = (profile_sixteen)_mm_and_si128(values, are_digits);
    return (unsigned)_mm_movemask_epi8(are_digits);
}

/* The number of sixteen digits, after the bytes of `front` are moved by one toward the end. */
BLOCK_TARGET static inline uint64_t profile_digits_value(profile_sixteen digits, profile_sixteen front)
{
    const __m128i moved = _mm_slli_si128((__m128i)digits, 1);
    const __m128i all = _mm_blendv_epi8((__m128i)digits, moved, (__m128i)front);
    const __m128i pairs = _mm_maddubs_epi16(all, _mm_set1_epi16(1 << 8 | 10));
    const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
    const __m128i eights = _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10000));
    const uint64_t both = (uint64_t)_mm_cvtsi128_si64(eights);
    return (both & UINT32_MAX) * 100000000 + (both >> 32);
}
