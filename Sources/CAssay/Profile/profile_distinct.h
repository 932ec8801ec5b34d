/* Hashes of values, and the sketch that estimates the number of distinct ones. */
#ifndef ASSAY_PROFILE_DISTINCT_H
#define ASSAY_PROFILE_DISTINCT_H

#include "Bytes/assay_hash.h"
#include "assay/profile.h"

struct assay_distinct {
    unsigned precision;
    uint8_t registers[];
};

/* assay_profile_hash(). `*bits` gains the OR of all words of the value, which shows whether it is ASCII. */
static inline uint64_t profile_hash(const uint8_t *value, size_t count, uint64_t *bits)
{
    /* assay_hash_bytes() with a constant seed, because profiles must be the same in each process. */
    uint64_t hash = assay_hash_mix(UINT64_C(0x243F6A8885A308D3), count);
    for (; count > 8; value += 8, count -= 8) {
        const uint64_t word = assay_hash_load(value, 8);
        *bits |= word;
        hash = assay_hash_mix(hash, word);
    }
    const uint64_t rest = assay_hash_load(value, count);
    *bits |= rest;
    hash = assay_hash_mix(hash, rest);
    /* The finalizer of MurmurHash3, because the sketch depends on every bit. */
    hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
    hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ hash >> 33;
}

static inline uint8_t *profile_register(assay_distinct *sketch, uint64_t hash)
{
    return &sketch->registers[hash >> (64 - sketch->precision)];
}

/* assay_distinct_add. */
static inline void profile_sketch(assay_distinct *sketch, uint64_t hash)
{
    /* A 1 after the remaining bits limits the count of leading zeros. */
    const uint64_t rest = hash << sketch->precision | (uint64_t)1 << (sketch->precision - 1);
    const uint8_t rank = (uint8_t)(__builtin_clzll(rest) + 1);
    uint8_t *entry = profile_register(sketch, hash);
    if (rank > *entry) *entry = rank;
}

#endif
