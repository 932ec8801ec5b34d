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

typedef __mmask64 block_hits;

BLOCK_INLINE block_hits block_join_hits(block_hits one, block_hits other) { return _kor_mask64(one, other); }
BLOCK_INLINE bool block_has_hits(block_hits hits) { return !_kortestz_mask64_u8(hits, hits); }
BLOCK_INLINE uint64_t block_hits_mask(block_hits hits) { return hits; }

/* The tables of a place, in registers. */
typedef struct block_table {
    __m512i lower;
    __m512i upper;
} block_table;

BLOCK_INLINE block_table block_table_of(const assay_prefix_filter *filter, int table)
{
    return (block_table){
        _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)filter->lower[table])),
        _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)filter->upper[table])),
    };
}

BLOCK_INLINE __m512i buckets_of(__m512i data, const block_table *table)
{
    const __m512i nibble = _mm512_set1_epi8(15);
    const __m512i lower = _mm512_shuffle_epi8(table->lower, _mm512_and_si512(data, nibble));
    const __m512i upper = _mm512_shuffle_epi8(table->upper, _mm512_and_si512(_mm512_srli_epi16(data, 4), nibble));
    return _mm512_and_si512(lower, upper);
}

/* A stage in registers: the offsets of the bytes that it looks up, and their tables or what they are compared with. */
typedef struct block_stage {
    size_t place[prefix_bytes];
    block_table tables[prefix_bytes];
    __m512i fold[2];
    __m512i value[2];
} block_stage;

BLOCK_INLINE block_stage block_stage_of(const assay_prefix_filter *filter, prefix_stage stage)
{
    block_stage made;
#pragma GCC unroll 4
    for (int i = 0; i < prefix_stage_tables(stage); i++) {
        made.place[i] = filter->place[i];
        if (prefix_stage_compares(stage)) {
            made.fold[i] = _mm512_set1_epi8((char)filter->fold[i]);
            made.value[i] = _mm512_set1_epi8((char)filter->value[i]);
        } else {
            made.tables[i] = block_table_of(filter, i);
        }
    }
    return made;
}

BLOCK_INLINE block_hits block_first_stage(const uint8_t *bytes, const block_stage *needle, prefix_stage stage)
{
    const __m512i one = block_load(bytes + needle->place[0]);
    if (stage == PREFIX_ONE_COMPARED) {
        return _mm512_cmpeq_epi8_mask(_mm512_or_si512(one, needle->fold[0]), needle->value[0]);
    }
    if (stage == PREFIX_PAIR_COMPARED) {
        const __mmask64 equal = _mm512_cmpeq_epi8_mask(_mm512_or_si512(one, needle->fold[0]), needle->value[0]);
        const __m512i other = block_load(bytes + needle->place[1]);
        return _mm512_mask_cmpeq_epi8_mask(equal, _mm512_or_si512(other, needle->fold[1]), needle->value[1]);
    }
    __m512i buckets = buckets_of(one, &needle->tables[0]);
#pragma GCC unroll 4
    for (int i = 1; i < prefix_stage_tables(stage); i++) {
        buckets = _mm512_and_si512(buckets, buckets_of(block_load(bytes + needle->place[i]), &needle->tables[i]));
    }
    return _mm512_test_epi8_mask(buckets, buckets);
}

/* The places whose bytes are in a common bucket. Bytes after the first `rest` ones count as zeros, and are not
 * accessed. */
BLOCK_INLINE uint64_t block_candidates_at_end(const uint8_t *bytes, size_t rest, const assay_prefix_filter *filter)
{
    __m512i buckets = _mm512_set1_epi8((char)0xFF);
#pragma GCC unroll 4
    for (int i = 0; i < prefix_bytes; i++) {
        const size_t place = filter->place[i];
        const size_t left = rest > place ? rest - place : 0;
        const __mmask64 mask = left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
        const block_table table = block_table_of(filter, i);
        buckets = _mm512_and_si512(buckets, buckets_of(_mm512_maskz_loadu_epi8(mask, bytes + place), &table));
    }
    return _mm512_test_epi8_mask(buckets, buckets);
}

#define BLOCK_HAS_MASKED_LOADS 1

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
