/* Hashes of values, and the sketch that estimates the number of distinct ones. */
#ifndef ASSAY_PROFILE_DISTINCT_H
#define ASSAY_PROFILE_DISTINCT_H

#include "Bytes/assay_hash.h"
#include "assay/profile.h"

struct assay_distinct {
    unsigned precision;
    uint8_t registers[];
};

/* assay_hash_bytes() with a constant seed, because profiles must be the same in each process. */
static inline uint64_t profile_hash_begin(size_t count) { return assay_hash_mix(UINT64_C(0x243F6A8885A308D3), count); }

/* The finalizer of MurmurHash3, because the sketch depends on every bit. */
static inline uint64_t profile_hash_end(uint64_t hash)
{
    hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
    hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ hash >> 33;
}

/* assay_profile_hash(). */
static inline uint64_t profile_hash(const uint8_t *value, size_t count)
{
    uint64_t hash = profile_hash_begin(count);
    for (; count > 8; value += 8, count -= 8) hash = assay_hash_mix(hash, assay_hash_load(value, 8));
    return profile_hash_end(assay_hash_mix(hash, assay_hash_load(value, count)));
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* profile_hash() of 1 to 16 bytes without branches, because the lengths of short values are unpredictable. Reads eight
   bytes before the end of the value. */
static inline uint64_t profile_hash_short(const uint8_t *value, size_t count)
{
    const bool is_long = count > 8;
    const uint8_t *end = value + count;
    const size_t kept = is_long ? count - 8 : count;
    uint64_t first = 0, last = 0;
    memcpy(&first, is_long ? value : end - 8, sizeof first);
    memcpy(&last, end - 8, sizeof last);
    /* assay_hash_load(end - kept, kept) */
    const uint64_t word = last >> (64 - 8 * kept);
    const uint64_t four = (word & UINT32_MAX) | (last & ~(uint64_t)UINT32_MAX);
    const uint64_t three = (word & 0xFF) | (word >> 8 * (kept / 2) & 0xFF) << 8 | last >> 56 << 16;
    const uint64_t rest = kept >= 4 ? four : three;
    const uint64_t begin = profile_hash_begin(count);
    const uint64_t next = assay_hash_mix(begin, first);
    return profile_hash_end(assay_hash_mix(is_long ? next : begin, rest));
}
#else
static inline uint64_t profile_hash_short(const uint8_t *value, size_t count) { return profile_hash(value, count); }
#endif

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
    *entry = rank > *entry ? rank : *entry; /* a branch would be unpredictable */
}

#endif
