/* assay_block_portable.h: 64 bytes as eight words, in plain C (SIMD within a register). assay_block_avx2.h documents
 * the interface. */
#ifndef ASSAY_BLOCK_PORTABLE_H
#define ASSAY_BLOCK_PORTABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "SIMD/assay_bits.h"

#define BLOCK_TARGET
#define BLOCK_INLINE static inline

enum { block_flatten_slack = 0 };

/* Byte i of a word is its bits 8i to 8i + 7, on machines of either byte order. */
typedef struct block {
    uint64_t words[8];
} block;

BLOCK_INLINE block block_load(const uint8_t *bytes)
{
    block data;
    memcpy(data.words, bytes, sizeof data.words);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int i = 0; i < 8; i++) data.words[i] = __builtin_bswap64(data.words[i]);
#endif
    return data;
}

/* Gathers the top bits of eight bytes: the product moves them into the highest byte. */
BLOCK_INLINE uint64_t gather_top_bits(uint64_t word) { return ((word >> 7) * 0x0102040810204080u) >> 56; }

BLOCK_INLINE uint64_t block_matches(block data, uint8_t byte)
{
    const uint64_t low_bits = 0x0101010101010101u, seven_bits = 0x7F7F7F7F7F7F7F7Fu;
    uint64_t mask = 0;
    for (int i = 0; i < 8; i++) {
        uint64_t difference = data.words[i] ^ (low_bits * byte);
        /* Sets the top bit of exactly the bytes with difference 0. No carry leaves a byte. */
        uint64_t zeros = ~(((difference & seven_bits) + seven_bits) | difference | seven_bits);
        mask |= gather_top_bits(zeros) << (8 * i);
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
    const uint64_t low_bits = 0x0101010101010101u, seven_bits = 0x7F7F7F7F7F7F7F7Fu;
    uint64_t mask = 0;
    for (int i = 0; i < 8; i++) {
        /* Adding 0x100 − byte carries into the eighth bit if the lower seven bits reach byte − 0x80; the eighth bit of
         * the byte itself must also be set. No carry leaves a byte. */
        uint64_t reached = (data.words[i] & seven_bits) + low_bits * (0x100u - byte);
        mask |= gather_top_bits(reached & data.words[i] & ~seven_bits) << (8 * i);
    }
    return mask;
}

BLOCK_INLINE uint64_t block_string_stops(block data)
{
    const uint64_t seven_bits = 0x7F7F7F7F7F7F7F7Fu;
    uint64_t control = 0;
    for (int i = 0; i < 8; i++) {
        /* Adding 0x60 carries into the eighth bit if the lower seven bits are 0x20 or more. No carry leaves a byte. */
        const uint64_t reached = ((data.words[i] & seven_bits) + 0x6060606060606060u) | data.words[i];
        control |= gather_top_bits(~reached & ~seven_bits) << (8 * i);
    }
    return control | block_matches_either(data, '"', '\\');
}

BLOCK_INLINE bool block_is_ascii(block data)
{
    uint64_t any = 0;
    for (int i = 0; i < 8; i++) any |= data.words[i];
    return (any & 0x8080808080808080u) == 0;
}

BLOCK_INLINE uint64_t block_prefix_xor(uint64_t mask) { return prefix_xor_by_shifts(mask); }

BLOCK_INLINE uint32_t block_count_ones(uint64_t mask) { return count_ones_by_adding(mask); }

BLOCK_INLINE void block_flatten(uint32_t *target, uint32_t base, uint64_t mask, uint32_t ones)
{
    (void)ones;
    flatten_one_by_one(target, base, mask);
}

#endif
