#include "Profile/profile_keys.h"

#include "Bytes/assay_hash.h"
#include "Memory/assay_grow.h"

#include <stdlib.h>
#include <string.h>

/* The capacity of the first array, and the number of hashes whose table fits in the second-level cache. */
enum { min_capacity = 1024, part_hashes = 1 << 13, max_part_bits = 9 };

static unsigned zeros_of(uint64_t hash) { return hash == 0 ? 64 : (unsigned)__builtin_clzll(hash); }

/* ---------------------------------------------------------------------------------------------------------------
 * Removing duplicates
 * ------------------------------------------------------------------------------------------------------------- */

/* Copies the different hashes to `to`, which may be `from`, and returns their number. `slots`: 1 << bits, more than
   `count`. */
static size_t copy_different(const uint64_t *from, size_t count, uint64_t *to, uint64_t *slots, unsigned bits,
                             uint64_t *visited)
{
    const size_t mask = ((size_t)1 << bits) - 1;
    size_t found = 0;
    memset(slots, 0, sizeof *slots << bits);
    for (size_t i = 0; i < count; i++) {
        const uint64_t hash = from[i];
        size_t at = (size_t)(assay_hash_place(hash) >> (64 - bits));
        size_t steps = 1;
        for (; slots[at] != 0 && slots[at] != hash; steps++) at = (at + 1) & mask;
        *visited += steps;
        if (slots[at] == hash) continue;
        slots[at] = hash;
        to[found++] = hash;
    }
    return found;
}

/* The bits of a table of at least twice `count` slots. */
static unsigned table_bits(size_t count)
{
    unsigned bits = 4;
    while ((size_t)1 << bits < 2 * count) bits++;
    return bits;
}

/* Removes the duplicates of a small number of hashes. */
static bool reduce_part(profile_keys *keys)
{
    const unsigned bits = table_bits(keys->count);
    uint64_t *slots = malloc(sizeof *slots << bits);
    if (slots == NULL) return false;
    keys->count = copy_different(keys->hashes, keys->count, keys->hashes, slots, bits, &keys->visited);
    free(slots);
    return true;
}

/* Removes the duplicates of many hashes. They are first distributed to parts by their low bits. */
static bool reduce_parts(profile_keys *keys)
{
    unsigned part_bits = 1;
    while (part_bits < max_part_bits && keys->count >> part_bits > part_hashes) part_bits++;
    const size_t parts = (size_t)1 << part_bits;
    size_t ends[1 << max_part_bits] = {0}, max = 0, start = 0;
    for (size_t i = 0; i < keys->count; i++) ends[keys->hashes[i] & (parts - 1)]++;
    for (size_t part = 0; part < parts; part++) {
        const size_t count = ends[part];
        max = count > max ? count : max;
        ends[part] = start; /* the end of the hashes that were copied so far */
        start += count;
    }
    const unsigned bits = table_bits(max);
    uint64_t *ordered = malloc(keys->count * sizeof *ordered), *slots = malloc(sizeof *slots << bits);
    if (ordered == NULL || slots == NULL) {
        free(ordered);
        free(slots);
        return false;
    }
    for (size_t i = 0; i < keys->count; i++) ordered[ends[keys->hashes[i] & (parts - 1)]++] = keys->hashes[i];
    keys->count = start = 0;
    for (size_t part = 0; part < parts; part++) {
        keys->count += copy_different(ordered + start, ends[part] - start, keys->hashes + keys->count, slots,
                                      table_bits(ends[part] - start), &keys->visited);
        start = ends[part];
    }
    free(ordered);
    free(slots);
    return true;
}

/* Drops the hashes with fewer than `zeros` leading zeros. */
static void drop(profile_keys *keys)
{
    size_t kept = 0, distinct = 0;
    for (size_t i = 0; i < keys->count; i++) {
        const uint64_t hash = keys->hashes[i];
        if (zeros_of(hash) < keys->zeros) continue;
        keys->hashes[kept++] = hash;
        distinct += i < keys->distinct;
    }
    keys->count = kept;
    keys->distinct = distinct;
}

bool profile_keys_settle(profile_keys *keys)
{
    if (keys->distinct == keys->count) return true;
    if (!(keys->count <= part_hashes ? reduce_part(keys) : reduce_parts(keys))) return false;
    keys->distinct = keys->count;
    while (keys->count > keys->max) {
        keys->zeros++;
        drop(keys);
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Adding
 * ------------------------------------------------------------------------------------------------------------- */

/* The maximum capacity. The quarter beyond `max` bounds how often duplicates are removed. */
static size_t max_capacity(const profile_keys *keys)
{
    const size_t limit = keys->max + keys->max / 3 + 1;
    return limit < min_capacity ? min_capacity : limit;
}

static bool resize(profile_keys *keys, size_t capacity)
{
    if (!assay_resize(&keys->hashes, sizeof *keys->hashes, capacity)) return false;
    keys->capacity = capacity;
    return true;
}

/* Makes room in a full array: removes duplicates, and enlarges the array if few were removed. */
static bool make_room(profile_keys *keys)
{
    if (keys->capacity == 0) return resize(keys, min_capacity);
    if (!profile_keys_settle(keys)) return false;
    const size_t limit = max_capacity(keys);
    if (keys->distinct <= keys->capacity / 2 || keys->capacity >= limit) return true;
    return resize(keys, keys->capacity < limit / 4 ? 4 * keys->capacity : limit);
}

/* Adds hashes whose totals are counted. Hash 0 is replaced by 1, because it marks free slots. */
static bool keep(profile_keys *keys, const uint64_t *hashes, size_t count)
{
    for (size_t first = 0; first < count;) {
        if (keys->count == keys->capacity && !make_room(keys)) return false;
        const size_t room = keys->capacity - keys->count;
        const size_t end = count - first < room ? count : first + room;
        size_t kept = keys->count;
        for (size_t i = first; i < end; i++) {
            const uint64_t hash = hashes[i] == 0 ? 1 : hashes[i];
            keys->hashes[kept] = hash;
            kept += zeros_of(hash) >= keys->zeros;
        }
        keys->count = kept;
        first = end;
    }
    return true;
}

bool profile_keys_add(profile_keys *keys, const uint64_t *hashes, size_t count)
{
    for (size_t i = 0; i < count; i++) keys->totals[zeros_of(hashes[i])]++;
    return keep(keys, hashes, count);
}

bool profile_keys_merge(profile_keys *into, const profile_keys *from)
{
    for (unsigned zeros = 0; zeros <= 64; zeros++) into->totals[zeros] += from->totals[zeros];
    if (from->zeros > into->zeros) {
        into->zeros = from->zeros;
        drop(into);
    }
    /* Duplicates are removed once, at the end, if all hashes fit. */
    const size_t both = into->count + from->count, limit = max_capacity(into);
    const size_t needed = both < limit ? both : limit;
    if (needed > into->capacity && !resize(into, needed)) return false;
    return keep(into, from->hashes, from->count);
}

uint64_t profile_keys_duplicates(const profile_keys *keys)
{
    uint64_t total = 0;
    for (unsigned zeros = keys->zeros; zeros <= 64; zeros++) total += keys->totals[zeros];
    return total - keys->count;
}
