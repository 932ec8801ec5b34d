/* Counts duplicates in a column, among all values or, if more than `max` are distinct, among the values with hashes
   that begin with `zeros` zero bits. Wegman's adaptive sampling; Flajolet: "On adaptive sampling" (1990). */
#ifndef ASSAY_PROFILE_KEYS_H
#define ASSAY_PROFILE_KEYS_H

#include "assay/profile.h"

typedef struct profile_keys {
    uint64_t *slots; /* hashes; 0: free. NULL: no slots yet */
    size_t capacity; /* a power of two */
    size_t count, max;
    unsigned zeros;      /* hashes with fewer leading zeros are dropped */
    uint64_t totals[65]; /* the number of values added, by leading zeros of the hash */
    uint64_t visited;    /* the number of slots read, for tests */
} profile_keys;

/* Returns false if memory runs out. */
bool profile_keys_add(profile_keys *keys, uint64_t hash);
bool profile_keys_merge(profile_keys *into, const profile_keys *from);
uint64_t profile_keys_duplicates(const profile_keys *keys);

#endif
