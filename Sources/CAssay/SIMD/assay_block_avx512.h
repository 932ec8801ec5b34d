/* assay_block_avx512.h: 64 bytes as one register. assay_block_avx2.h documents the interface. */
#ifndef ASSAY_BLOCK_AVX512_H
#define ASSAY_BLOCK_AVX512_H

#include <immintrin.h>

#include "SIMD/assay_byte_set.h"
#include "SIMD/assay_prefix_filter.h"

#define BLOCK_TARGET                                                                                                   \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi,bmi2,popcnt,pclmul")))
#define BLOCK_INLINE static inline __attribute__((always_inline)) BLOCK_TARGET

#include "SIMD/assay_block_x86.h"

enum { block_flatten_slack = 8 };

typedef __m512i block;

BLOCK_INLINE block block_load(const uint8_t *bytes) { return _mm512_loadu_si512((const void *)bytes); }

BLOCK_INLINE __m256i block_low(block data) { return _mm512_castsi512_si256(data); }
BLOCK_INLINE __m256i block_high(block data) { return _mm512_extracti64x4_epi64(data, 1); }

BLOCK_INLINE uint64_t block_matches(block data, uint8_t byte)
{
    return _mm512_cmpeq_epi8_mask(data, _mm512_set1_epi8((char)byte));
}

BLOCK_INLINE uint64_t block_matches_either(block data, uint8_t one, uint8_t other)
{
    return block_matches(data, one) | block_matches(data, other);
}

BLOCK_INLINE bool block_has(block data, uint8_t byte) { return block_matches(data, byte) != 0; }

BLOCK_INLINE uint64_t block_from(block data, uint8_t byte)
{
    return _mm512_cmpge_epu8_mask(data, _mm512_set1_epi8((char)byte));
}

BLOCK_INLINE uint64_t block_string_stops(block data)
{
    return _mm512_cmplt_epu8_mask(data, _mm512_set1_epi8(0x20)) | block_matches_either(data, '"', '\\');
}

BLOCK_INLINE block block_join(block one, block other) { return _mm512_or_si512(one, other); }

BLOCK_INLINE bool block_is_ascii(block data) { return _mm512_movepi8_mask(data) == 0; }

/* An assay_byte_set in registers. */
typedef struct block_set {
    __m512i digits;
    __m512i places;
    __m512i non_ascii; /* 0x80 in each byte, which tests the top bit, or 0 */
} block_set;

BLOCK_INLINE block_set block_set_of(const assay_byte_set *set)
{
    const __m128i places = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, (char)128, 0, 0, 0, 0, 0, 0, 0, 0);
    return (block_set){
        _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)set->digits)),
        _mm512_broadcast_i32x4(places),
        _mm512_set1_epi8(set->non_ascii ? (char)0x80 : 0),
    };
}

/* A shuffle by a byte above 7F gives 0, so only the second test makes non-ASCII bytes members. */
BLOCK_INLINE uint64_t block_members(block data, const block_set *set)
{
    const __m512i upper = _mm512_and_si512(_mm512_srli_epi16(data, 4), _mm512_set1_epi8(15));
    const __m512i digits = _mm512_shuffle_epi8(set->digits, data);
    return _mm512_test_epi8_mask(digits, _mm512_shuffle_epi8(set->places, upper)) |
           _mm512_test_epi8_mask(data, set->non_ascii);
}

BLOCK_INLINE bool block_have_members(block one, block other, const block_set *set)
{
    return (block_members(one, set) & block_members(other, set)) == UINT64_MAX;
}

typedef struct block_filter {
    const uint8_t *place;
    bool pair_is_rare;
    __m512i lower[prefix_bytes];
    __m512i upper[prefix_bytes];
} block_filter;

BLOCK_INLINE block_filter block_filter_of(const assay_prefix_filter *filter)
{
    block_filter tables;
    tables.place = filter->place;
    tables.pair_is_rare = filter->pair_is_rare;
    for (int i = 0; i < prefix_bytes; i++) {
        tables.lower[i] = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)filter->lower[i]));
        tables.upper[i] = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)filter->upper[i]));
    }
    return tables;
}

BLOCK_INLINE __m512i buckets_of(const uint8_t *bytes, const block_filter *filter, int table)
{
    const __m512i nibble = _mm512_set1_epi8(15);
    const __m512i data = _mm512_loadu_si512((const void *)(bytes + filter->place[table]));
    const __m512i lower = _mm512_shuffle_epi8(filter->lower[table], _mm512_and_si512(data, nibble));
    const __m512i upper =
        _mm512_shuffle_epi8(filter->upper[table], _mm512_and_si512(_mm512_srli_epi16(data, 4), nibble));
    return _mm512_and_si512(lower, upper);
}

BLOCK_INLINE uint64_t block_candidates(const uint8_t *bytes, const block_filter *filter)
{
    __m512i buckets = _mm512_and_si512(buckets_of(bytes, filter, 0), buckets_of(bytes, filter, 1));
    if (filter->pair_is_rare && _mm512_test_epi8_mask(buckets, buckets) == 0) return 0;
    buckets = _mm512_and_si512(buckets, buckets_of(bytes, filter, 2));
    buckets = _mm512_and_si512(buckets, buckets_of(bytes, filter, 3));
    return _mm512_test_epi8_mask(buckets, buckets);
}

BLOCK_INLINE uint64_t block_replace(uint8_t *bytes, block data, const uint8_t *table)
{
    const __m512i found = _mm512_permutexvar_epi8(data, block_load(table)); /* by the last six bits */
    const uint64_t replaced = _mm512_mask_test_epi8_mask(block_from(data, 0xC0), found, found);
    _mm512_mask_storeu_epi8(bytes, replaced, found);
    return replaced;
}

/* VPCOMPRESSB moves the indices of the ones together, as bytes; eight at a time are widened to 32 bits and stored.
 * The loop runs only for blocks with more than eight fields. */
BLOCK_INLINE void block_flatten(uint32_t *target, uint32_t base, uint64_t mask, uint32_t ones)
{
    static const uint8_t counting[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                         16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                         32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                         48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m256i from = _mm256_set1_epi32((int)base);
    const __m512i places = _mm512_maskz_compress_epi8(mask, block_load(counting));
    __m128i next = _mm512_castsi512_si128(places);
    _mm256_storeu_si256((__m256i *)(void *)target, _mm256_add_epi32(_mm256_cvtepu8_epi32(next), from));
    if (__builtin_expect(ones <= 8, 1)) return;
    uint8_t all[64];
    _mm512_storeu_si512((void *)all, places);
    for (uint32_t written = 8; written < ones; written += 8) {
        next = _mm_loadl_epi64((const __m128i *)(const void *)(all + written));
        _mm256_storeu_si256((__m256i *)(void *)(target + written), _mm256_add_epi32(_mm256_cvtepu8_epi32(next), from));
    }
}

#endif
