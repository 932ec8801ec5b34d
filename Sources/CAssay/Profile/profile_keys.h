/* Counts duplicates in a column, among all values or, if more than `max` are distinct, among the values with hashes
   that begin with `zeros` zero bits. Wegman's adaptive sampling; Flajolet: "On adaptive sampling" (1990). */
#ifndef ASSAY_PROFILE_KEYS_H
#define ASSAY_PROFILE_KEYS_H

#include "Bytes/assay_hash.h"
#include "assay/profile.h"

typedef struct profile_keys {
    uint64_t *slots; /* hashes; 0: free. NULL: no slots yet */
    size_t capacity; /* a power of two */
    size_t count, max;
    unsigned zeros;      /* hashes with fewer leading zeros are dropped */
    uint64_t totals[65]; /* the number of values added, by leading zeros of the hash */
    uint64_t visited;    /* the number of slots read, for tests */
} profile_keys;

/* The first slot in which to search for a hash: the high bits of its place, so that a larger table has the same order,
   and moving the hashes to it reads and writes memory in sequence. */
static inline size_t profile_keys_place(const profile_keys *keys, uint64_t hash)
{
    return (size_t)(assay_hash_place(hash) >> (__builtin_clzll(keys->capacity) + 1));
}

/* Prefetches the first slot in which profile_keys_add() will search for a hash. */
static inline void profile_keys_prefetch(const profile_keys *keys, uint64_t hash)
{
    __builtin_prefetch(&keys->slots[profile_keys_place(keys, hash)], 1);
}

/* Returns false if memory runs out. */
bool profile_keys_add(profile_keys *keys, uint64_t hash);
bool profile_keys_merge(profile_keys *into, const profile_keys *from);
uint64_t profile_keys_duplicates(const profile_keys *keys);

#endif
