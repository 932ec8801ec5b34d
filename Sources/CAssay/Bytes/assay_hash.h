/* 64-bit hashes. Each word of eight bytes is multiplied to 128 bits, and the two halves are XORed, so that every input
   bit affects the whole hash (the step of wyhash, by Wang Yi).

   assay_hash_bytes() is seeded per process, so that input cannot be prepared to have equal hashes or equal places in a
   table. Results must not depend on its values, because they differ from run to run. */
#ifndef ASSAY_HASH_H
#define ASSAY_HASH_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern _Atomic uint64_t assay_hash_chosen_seed; /* 0: not chosen yet */
uint64_t assay_hash_choose_seed(void);

/* The seed of the process: random and constant. Any thread may call this function. */
static inline uint64_t assay_hash_seed(void)
{
    const uint64_t seed = atomic_load_explicit(&assay_hash_chosen_seed, memory_order_relaxed);
    return seed != 0 ? seed : assay_hash_choose_seed();
}

static inline uint64_t assay_hash_fold(uint64_t left, uint64_t right)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 product;
    const product full = (product)left * right;
    return (uint64_t)full ^ (uint64_t)(full >> 64);
#else
    const uint64_t mask = UINT32_MAX;
    const uint64_t low = (left & mask) * (right & mask), high = (left >> 32) * (right >> 32);
    const uint64_t one = (left >> 32) * (right & mask) + (low >> 32),
                   other = (left & mask) * (right >> 32) + (one & mask);
    return (low & mask | other << 32) ^ (high + (one >> 32) + (other >> 32));
#endif
}

static inline uint64_t assay_hash_mix(uint64_t hash, uint64_t word)
{
    return assay_hash_fold(hash ^ word, UINT64_C(0x9E3779B97F4A7C15));
}

/* The table place of an unseeded hash. It depends on the seed, so that input cannot be prepared to collide. */
static inline uint64_t assay_hash_place(uint64_t hash)
{
    /* Two rounds, because after one product, similar hashes are still at regular distances. */
    const uint64_t seed = assay_hash_seed();
    return assay_hash_mix(assay_hash_mix(seed, hash), seed);
}

static inline uint64_t assay_hash_load(const uint8_t *bytes, size_t count)
{
    uint64_t word = 0;
    if (count >= 8) {
        memcpy(&word, bytes, 8);
        return word;
    }
    if (count >= 4) {
        /* Two overlapping halves cover every byte and read no bytes outside the value. */
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
    uint64_t hash = assay_hash_mix(assay_hash_seed(), count);
    for (; count > 8; bytes += 8, count -= 8) hash = assay_hash_mix(hash, assay_hash_load(bytes, 8));
    return assay_hash_mix(hash, assay_hash_load(bytes, count));
}

#endif
