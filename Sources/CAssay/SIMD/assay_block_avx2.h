/* assay_block_avx2.h: 64 bytes as two 32-byte registers. The interface that every assay_block_*.h defines:
 *
 *     block_load(bytes)              reads 64 bytes, at any alignment
 *     block_matches(block, byte)     bit i: byte i equals `byte`
 *     block_matches_either(block, one, other)   bit i: byte i equals one of the two
 *     block_has(block, byte)         whether a byte equals `byte`
 *     block_from(block, byte)        bit i: byte i is `byte` or above; `byte` is at least 0x80
 *     block_string_stops(block)      bit i: byte i is a quote, a backslash or a control character, below 0x20
 *     block_is_ascii(block)          no byte is 0x80 or above
 *     block_join(one, other)         the bitwise or (with BLOCK_HAS_HALVES only)
 *     block_prefix_xor(mask)         see assay_bits.h
 *     block_count_ones(mask)
 *     block_flatten(target, base, mask, ones)   target[0 .. ones) = base + index of each one; may write up to
 *                                    64 + block_flatten_slack values in all
 * and, with BLOCK_HAS_SETS, where the processor has a byte shuffle:
 *     block_set_of(set)              an assay_byte_set in registers
 *     block_members(block, &set)     bit i: byte i is in the set
 *     block_have_members(one, other, &set)   whether all bytes of both are in the set
 *     block_stage_of(filter, stage)  a stage of an assay_prefix_filter in registers
 *     block_first_stage(bytes, &wanted, stage)   block_hits: the places that it finds, from bytes[0] on; reads
 *                                    64 + longest - 1 bytes
 *     block_has_hits(hits), block_join_hits(one, other), block_hits_mask(hits)
 *     block_candidates_at_end(bytes, rest, filter)   bit i: a match may begin at bytes[i]; reads only `rest` bytes
 *                                    (with BLOCK_HAS_MASKED_LOADS only)
 *     block_replace(bytes, block, table)   where a byte is 0xC0 or above and table[byte - 0xC0] not 0, writes that to
 *                                    bytes[i] and sets bit i
 *     sheng_blocks, sheng_stride2_blocks   see assay_kernels.h
 */
#ifndef ASSAY_BLOCK_AVX2_H
#define ASSAY_BLOCK_AVX2_H

#include <immintrin.h>

#include "SIMD/assay_blend.h"
#include "SIMD/assay_byte_set.h"
#include "SIMD/assay_prefix_filter.h"

#define BLOCK_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt,pclmul")))
#define BLOCK_INLINE static inline __attribute__((always_inline)) BLOCK_TARGET

#include "SIMD/assay_block_x86.h"

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

BLOCK_INLINE __m256i block_low(block data) { return data.low; }
BLOCK_INLINE __m256i block_high(block data) { return data.high; }

BLOCK_INLINE uint64_t join_halves(__m256i low, __m256i high)
{
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

BLOCK_INLINE uint64_t block_matches(block data, uint8_t byte)
{
    __m256i needle = _mm256_set1_epi8((char)byte);
    return join_halves(_mm256_cmpeq_epi8(data.low, needle), _mm256_cmpeq_epi8(data.high, needle));
}

BLOCK_INLINE uint64_t block_matches_either(block data, uint8_t one, uint8_t other)
{
    __m256i needle = _mm256_set1_epi8((char)one), too = _mm256_set1_epi8((char)other);
    return join_halves(_mm256_or_si256(_mm256_cmpeq_epi8(data.low, needle), _mm256_cmpeq_epi8(data.low, too)),
                       _mm256_or_si256(_mm256_cmpeq_epi8(data.high, needle), _mm256_cmpeq_epi8(data.high, too)));
}

BLOCK_INLINE bool block_has(block data, uint8_t byte)
{
    __m256i needle = _mm256_set1_epi8((char)byte);
    __m256i matches = _mm256_or_si256(_mm256_cmpeq_epi8(data.low, needle), _mm256_cmpeq_epi8(data.high, needle));
    return !_mm256_testz_si256(matches, matches);
}

BLOCK_INLINE uint64_t block_from(block data, uint8_t byte)
{
    __m256i minimum = _mm256_set1_epi8((char)byte);
    return join_halves(_mm256_cmpeq_epi8(_mm256_max_epu8(data.low, minimum), data.low),
                       _mm256_cmpeq_epi8(_mm256_max_epu8(data.high, minimum), data.high));
}

BLOCK_INLINE __m256i string_stops_of_half(__m256i data)
{
    const __m256i control = _mm256_cmpeq_epi8(_mm256_min_epu8(data, _mm256_set1_epi8(0x1F)), data);
    const __m256i marks = _mm256_or_si256(_mm256_cmpeq_epi8(data, _mm256_set1_epi8('"')),
                                          _mm256_cmpeq_epi8(data, _mm256_set1_epi8('\\')));
    return _mm256_or_si256(control, marks);
}

BLOCK_INLINE uint64_t block_string_stops(block data)
{
    return join_halves(string_stops_of_half(data.low), string_stops_of_half(data.high));
}

typedef struct block_set {
    __m256i digits;
    __m256i places;
    __m256i non_ascii; /* 0x80 in each byte, which tests the top bit, or 0 */
} block_set;

BLOCK_INLINE block_set block_set_of(const assay_byte_set *set)
{
    const __m128i places = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, (char)128, 0, 0, 0, 0, 0, 0, 0, 0);
    return (block_set){
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)set->digits)),
        _mm256_broadcastsi128_si256(places),
        _mm256_set1_epi8(set->non_ascii ? (char)0x80 : 0),
    };
}

/* Returns zero for each byte that is not in the set. A shuffle by a byte above 7F gives 0, so only the second test
 * makes non-ASCII bytes members. */
BLOCK_INLINE __m256i members_of_half(__m256i data, const block_set *set)
{
    __m256i upper = _mm256_and_si256(_mm256_srli_epi16(data, 4), _mm256_set1_epi8(15));
    __m256i ascii = _mm256_and_si256(_mm256_shuffle_epi8(set->digits, data), _mm256_shuffle_epi8(set->places, upper));
    return _mm256_or_si256(ascii, _mm256_and_si256(data, set->non_ascii));
}

BLOCK_INLINE uint64_t block_members(block data, const block_set *set)
{
    __m256i zero = _mm256_setzero_si256();
    return ~join_halves(_mm256_cmpeq_epi8(members_of_half(data.low, set), zero),
                        _mm256_cmpeq_epi8(members_of_half(data.high, set), zero));
}

BLOCK_INLINE bool block_have_members(block one, block other, const block_set *set)
{
    __m256i min_of_one = _mm256_min_epu8(members_of_half(one.low, set), members_of_half(one.high, set));
    __m256i min_of_other = _mm256_min_epu8(members_of_half(other.low, set), members_of_half(other.high, set));
    __m256i minimum = _mm256_min_epu8(min_of_one, min_of_other);
    return _mm256_movemask_epi8(_mm256_cmpeq_epi8(minimum, _mm256_setzero_si256())) == 0;
}

typedef block block_hits; /* a byte that is not 0 is a hit */

BLOCK_INLINE block_hits block_join_hits(block_hits one, block_hits other)
{
    return (block_hits){_mm256_or_si256(one.low, other.low), _mm256_or_si256(one.high, other.high)};
}

BLOCK_INLINE bool block_has_hits(block_hits hits)
{
    const __m256i any = _mm256_or_si256(hits.low, hits.high);
    return !_mm256_testz_si256(any, any);
}

BLOCK_INLINE uint64_t block_hits_mask(block_hits hits)
{
    const __m256i zero = _mm256_setzero_si256();
    return ~join_halves(_mm256_cmpeq_epi8(hits.low, zero), _mm256_cmpeq_epi8(hits.high, zero));
}

/* The tables of a place, in registers. */
typedef struct block_table {
    __m256i lower;
    __m256i upper;
} block_table;

BLOCK_INLINE block_table block_table_of(const assay_prefix_filter *filter, int table)
{
    return (block_table){
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)filter->lower[table])),
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)filter->upper[table])),
    };
}

BLOCK_INLINE __m256i buckets_of_half(__m256i data, const block_table *table)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i lower = _mm256_shuffle_epi8(table->lower, _mm256_and_si256(data, nibble));
    const __m256i upper = _mm256_shuffle_epi8(table->upper, _mm256_and_si256(_mm256_srli_epi16(data, 4), nibble));
    return _mm256_and_si256(lower, upper);
}

/* A stage in registers: the offsets of the bytes that it looks up, and their tables or what they are compared with. */
typedef struct block_stage {
    size_t place[prefix_bytes];
    block_table tables[prefix_bytes];
    __m256i fold[2];
    __m256i value[2];
} block_stage;

BLOCK_INLINE block_stage block_stage_of(const assay_prefix_filter *filter, prefix_stage stage)
{
    block_stage made;
#pragma GCC unroll 4
    for (int i = 0; i < prefix_stage_tables(stage); i++) {
        made.place[i] = filter->place[i];
        if (prefix_stage_compares(stage)) {
            made.fold[i] = _mm256_set1_epi8((char)filter->fold[i]);
            made.value[i] = _mm256_set1_epi8((char)filter->value[i]);
        } else {
            made.tables[i] = block_table_of(filter, i);
        }
    }
    return made;
}

BLOCK_INLINE __m256i hits_of_half(__m256i data, const block_stage *needle, int place, prefix_stage stage)
{
    if (!prefix_stage_compares(stage)) return buckets_of_half(data, &needle->tables[place]);
    return _mm256_cmpeq_epi8(_mm256_or_si256(data, needle->fold[place]), needle->value[place]);
}

BLOCK_INLINE block_hits block_first_stage(const uint8_t *bytes, const block_stage *needle, prefix_stage stage)
{
    block data = block_load(bytes + needle->place[0]);
    block_hits hits = {hits_of_half(data.low, needle, 0, stage), hits_of_half(data.high, needle, 0, stage)};
#pragma GCC unroll 4
    for (int i = 1; i < prefix_stage_tables(stage); i++) {
        data = block_load(bytes + needle->place[i]);
        hits.low = _mm256_and_si256(hits.low, hits_of_half(data.low, needle, i, stage));
        hits.high = _mm256_and_si256(hits.high, hits_of_half(data.high, needle, i, stage));
    }
    return hits;
}

BLOCK_INLINE block block_join(block one, block other)
{
    return (block){_mm256_or_si256(one.low, other.low), _mm256_or_si256(one.high, other.high)};
}

BLOCK_INLINE bool block_is_ascii(block data) { return _mm256_movemask_epi8(_mm256_or_si256(data.low, data.high)) == 0; }

BLOCK_INLINE uint32_t replace_half(uint8_t *bytes, __m256i data, const uint8_t *table)
{
    __m256i found[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        const __m128i quarter = _mm_loadu_si128((const __m128i *)(const void *)(table + 16 * i));
        found[i] =
            _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(quarter), _mm256_and_si256(data, _mm256_set1_epi8(15)));
    }
    /* Bits 4 and 5 of a byte select the quarter of the table; shifted to the top bit they control the blends. */
    const __m256i is_odd = _mm256_slli_epi16(data, 3);
    const __m256i lower = blend_bytes_256(found[0], found[1], is_odd);
    const __m256i upper = blend_bytes_256(found[2], found[3], is_odd);
    const __m256i either = blend_bytes_256(lower, upper, _mm256_slli_epi16(data, 2));
    const __m256i has_row = _mm256_cmpeq_epi8(_mm256_max_epu8(data, _mm256_set1_epi8((char)0xC0)), data);
    const __m256i stays = _mm256_cmpeq_epi8(_mm256_and_si256(either, has_row), _mm256_setzero_si256());
    _mm256_storeu_si256((__m256i *)(void *)bytes, blend_bytes_256(either, data, stays));
    return ~(uint32_t)_mm256_movemask_epi8(stays);
}

BLOCK_INLINE uint64_t block_replace(uint8_t *bytes, block data, const uint8_t *table)
{
    const uint64_t low = replace_half(bytes, data.low, table);
    return low | (uint64_t)replace_half(bytes + 32, data.high, table) << 32;
}

/* Writes five indices unconditionally, which is cheaper than a mispredicted end of a loop as long as few blocks of 64
 * bytes have more fields; then four at a time. TZCNT, unlike the builtin, is defined for 0. As in simdjson's
 * flatten_bits. */
BLOCK_INLINE void block_flatten(uint32_t *target, uint32_t base, uint64_t mask, uint32_t ones)
{
    uint32_t written = 0;
    for (; written < 5; written++, mask &= mask - 1) target[written] = base + (uint32_t)_tzcnt_u64(mask);
    while (__builtin_expect(written < ones, 0)) {
        for (uint32_t end = written + 4; written < end; written++, mask &= mask - 1) {
            target[written] = base + (uint32_t)_tzcnt_u64(mask);
        }
    }
}

#endif
