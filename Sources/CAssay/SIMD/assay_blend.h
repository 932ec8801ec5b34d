/* Blends by the highest bits of a mask. GCC 12 compiles _mm_blendv_epi8 and _mm256_blendv_epi8 to comparisons of plain
 * chars with 0, which are always false if chars are unsigned (-funsigned-char); clang does not. See vendor-notes.md. */
#ifndef ASSAY_BLEND_H
#define ASSAY_BLEND_H

#include <immintrin.h>

/* The bytes of `other` where the highest bit of the mask is set, and those of `one` elsewhere. */
__attribute__((target("sse4.1"), always_inline)) static inline __m128i blend_bytes_128(__m128i one, __m128i other,
                                                                                       __m128i mask)
{
#if defined(__CHAR_UNSIGNED__) && !defined(__clang__)
    const __m128i chosen = _mm_cmpgt_epi8(_mm_setzero_si128(), mask);
    return _mm_or_si128(_mm_and_si128(chosen, other), _mm_andnot_si128(chosen, one));
#else
    return _mm_blendv_epi8(one, other, mask);
#endif
}

__attribute__((target("avx2"), always_inline)) static inline __m256i blend_bytes_256(__m256i one, __m256i other,
                                                                                     __m256i mask)
{
#if defined(__CHAR_UNSIGNED__) && !defined(__clang__)
    const __m256i chosen = _mm256_cmpgt_epi8(_mm256_setzero_si256(), mask);
    return _mm256_or_si256(_mm256_and_si256(chosen, other), _mm256_andnot_si256(chosen, one));
#else
    return _mm256_blendv_epi8(one, other, mask);
#endif
}

#endif
