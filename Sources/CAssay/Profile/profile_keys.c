#include "Profile/profile_keys.h"

#include "Bytes/assay_hash.h"

#include <stdlib.h>

static unsigned zeros_of(uint64_t hash) { return hash == 0 ? 64 : (unsigned)__builtin_clzll(hash); }

/* The slot of a hash, or the free slot where it belongs. */
static uint64_t *slot_of(profile_keys *keys, uint64_t hash)
{
    size_t at = profile_keys_place(keys, hash);
    keys->visited++;
    while (keys->slots[at] != 0 && keys->slots[at] != hash) {
        at = (at + 1) & (keys->capacity - 1);
        keys->visited++;
    }
    return &keys->slots[at];
}

/* Moves the hashes with at least `zeros` leading zeros to a table of `capacity` slots. */
static bool rebuild(profile_keys *keys, size_t capacity)
{
    const profile_keys old = *keys;
    keys->slots = calloc(capacity, sizeof *keys->slots);
    if (keys->slots == NULL) {
        keys->slots = old.slots;
        return false;
    }
    keys->capacity = capacity;
    keys->count = 0;
    for (size_t at = 0; at < old.capacity; at++) {
        if (old.slots[at] == 0 || zeros_of(old.slots[at]) < keys->zeros) continue;
        *slot_of(keys, old.slots[at]) = old.slots[at];
        keys->count++;
    }
    free(old.slots);
    return true;
}

static bool keep(profile_keys *keys, uint64_t hash)
{
    if (zeros_of(hash) < keys->zeros) return true;
    if (4 * (keys->count + 1) > 3 * keys->capacity) {
        if (!rebuild(keys, keys->capacity == 0 ? 1024 : 2 * keys->capacity)) return false;
    }
    uint64_t *slot = slot_of(keys, hash);
    if (*slot != 0) return true;
    if (keys->count == keys->max) {
        keys->zeros++;
        return rebuild(keys, keys->capacity) && keep(keys, hash);
    }
    *slot = hash;
    keys->count++;
    return true;
}

bool profile_keys_add(profile_keys *keys, uint64_t hash)
{
    keys->totals[zeros_of(hash)]++;
    return keep(keys, hash == 0 ? 1 : hash);
}

bool profile_keys_merge(profile_keys *into, const profile_keys *from)
{
    for (unsigned zeros = 0; zeros <= 64; zeros++) into->totals[zeros] += from->totals[zeros];
    if (from->zeros > into->zeros) {
        into->zeros = from->zeros;
        if (into->capacity > 0 && !rebuild(into, into->capacity)) return false;
    }
    /* Not in slot order, because that would fill the beginning of a smaller table first, and each search would pass all
       of its full slots. An odd step visits every slot once and spreads the first hashes over the whole table. */
    const size_t step = 0x9E3779B1;
    for (size_t i = 0; i < from->capacity; i++) {
        const uint64_t hash = from->slots[i * step & (from->capacity - 1)];
        if (hash != 0 && !keep(into, hash)) return false;
    }
    return true;
}

uint64_t profile_keys_duplicates(const profile_keys *keys)
{
    uint64_t total = 0;
    for (unsigned zeros = keys->zeros; zeros <= 64; zeros++) total += keys->totals[zeros];
    return total - keys->count;
}
