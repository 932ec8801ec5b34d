/* assay_block_neon.h: 64 bytes as four 16-byte registers of an ARM64 processor. assay_block_avx2.h documents the
 * interface. */
#ifndef ASSAY_BLOCK_NEON_H
#define ASSAY_BLOCK_NEON_H

#include <arm_neon.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "SIMD/assay_bits.h"
#include "SIMD/assay_byte_set.h"
#include "SIMD/assay_prefix_filter.h"

#define BLOCK_TARGET
#define BLOCK_INLINE static inline __attribute__((always_inline))

#define BLOCK_HAS_SETS 1

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

/* NEON has no instruction that gathers sign bits. Each matching byte, all ones, keeps the bit of its place in a group
 * of eight; three additions of neighbors then leave one byte per group. */
BLOCK_INLINE uint64_t gather_bits(const uint8x16_t *matches)
{
    static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t place = vld1q_u8(places);
    uint8x16_t kept[4];
    for (int i = 0; i < 4; i++) kept[i] = vandq_u8(matches[i], place);
    uint8x16_t sum = vpaddq_u8(vpaddq_u8(kept[0], kept[1]), vpaddq_u8(kept[2], kept[3]));
    sum = vpaddq_u8(sum, sum);
    return vgetq_lane_u64(vreinterpretq_u64_u8(sum), 0);
}

BLOCK_INLINE uint64_t block_matches(block data, uint8_t byte)
{
    uint8x16_t matches[4];
    for (int i = 0; i < 4; i++) matches[i] = vceqq_u8(data.quarters[i], vdupq_n_u8(byte));
    return gather_bits(matches);
}

BLOCK_INLINE uint64_t block_matches_either(block data, uint8_t one, uint8_t other)
{
    return block_matches(data, one) | block_matches(data, other);
}

BLOCK_INLINE bool block_has(block data, uint8_t byte) { return block_matches(data, byte) != 0; }

BLOCK_INLINE uint64_t block_from(block data, uint8_t byte)
{
    uint8x16_t matches[4];
    for (int i = 0; i < 4; i++) matches[i] = vcgeq_u8(data.quarters[i], vdupq_n_u8(byte));
    return gather_bits(matches);
}

BLOCK_INLINE uint64_t block_string_stops(block data)
{
    uint8x16_t stops[4];
    for (int i = 0; i < 4; i++) {
        const uint8x16_t quarter = data.quarters[i];
        const uint8x16_t marks = vorrq_u8(vceqq_u8(quarter, vdupq_n_u8('"')), vceqq_u8(quarter, vdupq_n_u8('\\')));
        stops[i] = vorrq_u8(marks, vcltq_u8(quarter, vdupq_n_u8(0x20)));
    }
    return gather_bits(stops);
}

typedef struct block_set {
    uint8x16_t digits;
    uint8x16_t places;
    uint8x16_t non_ascii; /* all ones or all zeros */
} block_set;

BLOCK_INLINE block_set block_set_of(const assay_byte_set *set)
{
    static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128};
    return (block_set){vld1q_u8(set->digits), vld1q_u8(places), vdupq_n_u8(set->non_ascii ? 0xFF : 0)};
}

/* Returns all ones for each byte that is in the set. */
BLOCK_INLINE uint8x16_t members_of_quarter(uint8x16_t data, const block_set *set)
{
    uint8x16_t lower = vqtbl1q_u8(set->digits, vandq_u8(data, vdupq_n_u8(15)));
    uint8x16_t upper = vqtbl1q_u8(set->places, vshrq_n_u8(data, 4));
    uint8x16_t beyond = vandq_u8(vcgeq_u8(data, vdupq_n_u8(0x80)), set->non_ascii);
    return vorrq_u8(vtstq_u8(lower, upper), beyond);
}

BLOCK_INLINE uint64_t block_members(block data, const block_set *set)
{
    uint8x16_t matches[4];
    for (int i = 0; i < 4; i++) matches[i] = members_of_quarter(data.quarters[i], set);
    return gather_bits(matches);
}

BLOCK_INLINE bool block_have_members(block one, block other, const block_set *set)
{
    uint8x16_t all = vdupq_n_u8(0xFF);
    for (int i = 0; i < 4; i++) {
        all = vandq_u8(all,
                       vandq_u8(members_of_quarter(one.quarters[i], set), members_of_quarter(other.quarters[i], set)));
    }
    return vminvq_u8(all) == 0xFF;
}

typedef block block_hits; /* a byte that is not 0 is a hit */

BLOCK_INLINE block_hits block_join_hits(block_hits one, block_hits other)
{
    for (int i = 0; i < 4; i++) one.quarters[i] = vorrq_u8(one.quarters[i], other.quarters[i]);
    return one;
}

BLOCK_INLINE bool block_has_hits(block_hits hits)
{
    const uint8x16_t any =
        vorrq_u8(vorrq_u8(hits.quarters[0], hits.quarters[1]), vorrq_u8(hits.quarters[2], hits.quarters[3]));
    return vmaxvq_u8(any) != 0;
}

BLOCK_INLINE uint64_t block_hits_mask(block_hits hits)
{
    for (int i = 0; i < 4; i++) hits.quarters[i] = vtstq_u8(hits.quarters[i], hits.quarters[i]);
    return gather_bits(hits.quarters);
}

/* The tables of a place, in registers. */
typedef struct block_table {
    uint8x16_t lower;
    uint8x16_t upper;
} block_table;

BLOCK_INLINE block_table block_table_of(const assay_prefix_filter *filter, int table)
{
    return (block_table){vld1q_u8(filter->lower[table]), vld1q_u8(filter->upper[table])};
}

BLOCK_INLINE uint8x16_t buckets_of_quarter(uint8x16_t data, const block_table *table)
{
    const uint8x16_t lower = vqtbl1q_u8(table->lower, vandq_u8(data, vdupq_n_u8(15)));
    const uint8x16_t upper = vqtbl1q_u8(table->upper, vshrq_n_u8(data, 4));
    return vandq_u8(lower, upper);
}

/* A stage in registers: the offsets of the bytes that it looks up, and their tables or what they are compared with. */
typedef struct block_stage {
    size_t place[prefix_bytes];
    block_table tables[prefix_bytes];
    uint8x16_t fold[2];
    uint8x16_t value[2];
} block_stage;

BLOCK_INLINE block_stage block_stage_of(const assay_prefix_filter *filter, prefix_stage stage)
{
    block_stage made;
#pragma GCC unroll 4
    for (int i = 0; i < prefix_stage_tables(stage); i++) {
        made.place[i] = filter->place[i];
        if (prefix_stage_compares(stage)) {
            made.fold[i] = vdupq_n_u8(filter->fold[i]);
            made.value[i] = vdupq_n_u8(filter->value[i]);
        } else {
            made.tables[i] = block_table_of(filter, i);
        }
    }
    return made;
}

BLOCK_INLINE uint8x16_t hits_of_quarter(uint8x16_t data, const block_stage *needle, int place, prefix_stage stage)
{
    if (!prefix_stage_compares(stage)) return buckets_of_quarter(data, &needle->tables[place]);
    return vceqq_u8(vorrq_u8(data, needle->fold[place]), needle->value[place]);
}

BLOCK_INLINE block_hits block_first_stage(const uint8_t *bytes, const block_stage *needle, prefix_stage stage)
{
    block data = block_load(bytes + needle->place[0]);
    block_hits hits;
    for (int k = 0; k < 4; k++) hits.quarters[k] = hits_of_quarter(data.quarters[k], needle, 0, stage);
#pragma GCC unroll 4
    for (int i = 1; i < prefix_stage_tables(stage); i++) {
        data = block_load(bytes + needle->place[i]);
        for (int k = 0; k < 4; k++) {
            hits.quarters[k] = vandq_u8(hits.quarters[k], hits_of_quarter(data.quarters[k], needle, i, stage));
        }
    }
    return hits;
}

BLOCK_INLINE uint64_t block_replace(uint8_t *bytes, block data, const uint8_t *table)
{
    const uint8x16x4_t rows = {{vld1q_u8(table), vld1q_u8(table + 16), vld1q_u8(table + 32), vld1q_u8(table + 48)}};
    uint8x16_t replaced[4];
    for (int i = 0; i < 4; i++) {
        /* TBL gives 0 for an index outside the table, so bytes below 0xC0 are not replaced. */
        const uint8x16_t found = vqtbl4q_u8(rows, vsubq_u8(data.quarters[i], vdupq_n_u8(0xC0)));
        replaced[i] = vtstq_u8(found, found);
        vst1q_u8(bytes + 16 * i, vbslq_u8(replaced[i], found, data.quarters[i]));
    }
    return gather_bits(replaced);
}

/* Sheng, a DFA with states that fit into a register (DFA/Scalar/assay_dfa_scalar.c): one TBL per step. */
BLOCK_TARGET static uint8_t sheng_blocks(const uint8_t *rows, const uint8_t *bytes, size_t count, uint8_t state)
{
    uint8x16_t states = vdupq_n_u8(state);
    for (size_t i = 0; i < count; i++) states = vqtbl1q_u8(vld1q_u8(rows + 16 * (size_t)bytes[i]), states);
    return vgetq_lane_u8(states, 0);
}

BLOCK_TARGET static uint8_t sheng_stride2_blocks(const uint16_t *offsets, const uint8_t *rows, const uint8_t *bytes,
                                                 size_t count, uint8_t state)
{
    uint8x16_t states = vdupq_n_u8(state);
    for (size_t i = 0; i < count; i += 2) {
        uint16_t pair;
        memcpy(&pair, bytes + i, sizeof pair);
        states = vqtbl1q_u8(vld1q_u8(rows + offsets[pair]), states);
    }
    return vgetq_lane_u8(states, 0);
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
