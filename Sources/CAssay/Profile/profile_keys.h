/* How many values of a column stand there more than once: of all, or of those whose hashes begin with so many zeros that what is
   different among them has room. Wegman's adaptive sampling; Flajolet: "On adaptive sampling" (1990). */
#ifndef ASSAY_PROFILE_KEYS_H
#define ASSAY_PROFILE_KEYS_H

#include "assay/profile.h"

typedef struct profile_keys {
    uint64_t *slots; /* hashes; 0: free. NULL while it is empty */
    size_t capacity; /* a power of two */
    size_t count, most;
    unsigned zeros;      /* hashes with fewer zeros in front are not kept */
    uint64_t totals[65]; /* by zeros in front: how many values were seen */
    uint64_t visited;    /* places that were looked at, for tests */
} profile_keys;

/* false: no memory. */
bool profile_keys_add(profile_keys *keys, uint64_t hash);
bool profile_keys_merge(profile_keys *into, const profile_keys *from);
uint64_t profile_keys_duplicates(const profile_keys *keys);

#endif
