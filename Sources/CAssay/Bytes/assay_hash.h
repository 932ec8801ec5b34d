/* Hashes of 64 bits. Each word of eight bytes is multiplied to 128 bits, whose halves are folded, so that every bit of it reaches the
   whole hash (the step of wyhash, by Wang Yi).

   assay_hash_bytes is another function in each process, so that nobody can prepare texts whose hashes are equal, or places in a table
   that are: what comes of it must not decide about results. */
#ifndef ASSAY_HASH_H
#define ASSAY_HASH_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern _Atomic uint64_t assay_hash_chosen_seed; /* 0: not chosen yet */
uint64_t assay_hash_choose_seed(void);

/* A random number, the same for the life of the process. Any thread may call it. */
static inline uint64_t assay_hash_seed(void)
{
    const uint64_t seed = atomic_load_explicit(&assay_hash_chosen_seed, memory_order_relaxed);
    return seed != 0 ? seed : assay_hash_choose_seed();
}

static inline uint64_t assay_hash_fold(uint64_t left, uint64_t right)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 product;
    const product whole = (product)left * right;
    return (uint64_t)whole ^ (uint64_t)(whole >> 64);
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

/* Where a hash that anybody can compute belongs in a table: nobody can tell. */
static inline uint64_t assay_hash_place(uint64_t hash)
{
    /* Twice: one product leaves steps between hashes that are alike. */
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
    uint64_t hash = assay_hash_mix(assay_hash_seed(), count);
    for (; count > 8; bytes += 8, count -= 8) hash = assay_hash_mix(hash, assay_hash_load(bytes, 8));
    return assay_hash_mix(hash, assay_hash_load(bytes, count));
}

#endif
