/* Counts duplicates in a column, among all values or, if more than `max` are distinct, among the values with hashes
   that begin with `zeros` zero bits. Wegman's adaptive sampling; Flajolet: "On adaptive sampling" (1990).

   The hashes are appended to an array, from which duplicates are removed when it is full and at the end. A table that
   is searched for each value would be larger than the caches, and would take ten times as long. */
#ifndef ASSAY_PROFILE_KEYS_H
#define ASSAY_PROFILE_KEYS_H

#include "assay/profile.h"

#include <stdbool.h>

typedef struct profile_keys {
    uint64_t *hashes; /* NULL: no hashes yet */
    size_t count, capacity;
    size_t distinct; /* the first hashes, up to this number, are different */
    size_t max;
    unsigned zeros;      /* hashes with fewer leading zeros are dropped */
    uint64_t totals[65]; /* the number of values added, by leading zeros of the hash */
    uint64_t visited;    /* the number of slots read, for tests */
} profile_keys;

/* Add hashes. Return false if memory runs out. Amortized O(1) for each hash. */
bool profile_keys_add(profile_keys *keys, const uint64_t *hashes, size_t count);
bool profile_keys_merge(profile_keys *into, const profile_keys *from);

/* Removes the duplicates, after which `count` is the number of different hashes that are kept. Must be called before
   profile_keys_duplicates(). Returns false if memory runs out; the hashes are unchanged. */
bool profile_keys_settle(profile_keys *keys);
uint64_t profile_keys_duplicates(const profile_keys *keys);

#endif
