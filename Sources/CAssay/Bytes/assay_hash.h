/* Hashing for sets of allowed values. Not against an adversary: the values that could collide with one another are
   those of the rules, and a cell is only ever compared with them. */
#ifndef ASSAY_HASH_H
#define ASSAY_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t assay_hash_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 32);
}

static inline uint64_t assay_hash_load(const uint8_t *bytes, size_t count)
{
    uint64_t word = 0;
    if (count >= 8) {
        memcpy(&word, bytes, 8);
        return word;
    }
    if (count >= 4) {
        /* Two overlapping halves: no byte is missed and none beyond the value is read. */
        uint32_t low = 0;
        uint32_t high = 0;
        memcpy(&low, bytes, 4);
        memcpy(&high, bytes + count - 4, 4);
        return low | (uint64_t)high << 32;
    }
    if (count > 0) word = bytes[0] | (uint64_t)bytes[count / 2] << 8 | (uint64_t)bytes[count - 1] << 16;
    return word;
}

static inline uint64_t assay_hash_bytes(const uint8_t *bytes, size_t count)
{
    uint64_t hash = assay_hash_mix(UINT64_C(0x243F6A8885A308D3), count);
    for (; count > 8; bytes += 8, count -= 8) hash = assay_hash_mix(hash, assay_hash_load(bytes, 8));
    return assay_hash_mix(hash, assay_hash_load(bytes, count));
}

#endif
