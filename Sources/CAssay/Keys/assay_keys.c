/* The set of keys: a list in insertion order, 32 bytes per key, and a hash table with open addressing, 8 bytes per
 * slot.
 *
 *     slots    · (hash 3a…, entry 2) · · (hash 9c…, entry 1) ·        at, or shortly after, the index in the high bits
 *                             │                       │               of the hash
 *     entries                 └───▸ [1] hash of 128 bits, record, place
 *                     [0] …
 *
 * Most of the time is memory latency, because each key is at a random place. So the randomly accessed part is small:
 * 128 MiB for ten million keys. Keys are only appended, and compared only if 32 bits of the hash are equal. When the
 * table grows, slots keep their order, so that the sequential read of the old table is a sequential write of the new
 * one. */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#endif

#include "assay/keys.h"

#include <stdlib.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

enum {
    first_capacity = 1024,
    /* The maximum load, in sixteenths. At this load, a search for an absent key reads four slots on average. */
    max_taken = 10,
    /* Prefetch distances, in records, for slots and for the entries in them: about the latency of memory. */
    slots_ahead = 32,
    entries_ahead = 16,
    /* The capacity of the first segment of the list, in keys. Each further segment has twice the capacity of the one
       before. */
    first_segment = 1024,
    max_segments = 23,
};

/* Slots store 32 bits of the hash, which must suffice to find their place in a larger table. */
static const uint64_t max_capacity = UINT64_C(1) << 32;

#if defined(__linux__)
/* Allocations of at least this size use pages of 2 MiB. The slots of a large set are on random pages, so with pages of
   4 KiB, page faults and TLB misses would take most of the time. */
static const size_t large = (size_t)4 << 20;
#endif

typedef struct key_slot {
    uint32_t hash;  /* the high bits of the key's hash */
    uint32_t entry; /* the number of the key in the list, from 1; 0: free slot */
} key_slot;

struct assay_keys {
    key_slot *slots;
    size_t capacity; /* of slots, a power of two */
    size_t count;
    size_t max_bytes;
    int shift; /* `hash.low >> shift` is the first slot to search */
    assay_key *segments[max_segments];
};

/* Returns zeroed memory, or NULL. Large blocks use physical memory only after the first write. */
static void *make_zeros(size_t bytes)
{
#if defined(__linux__)
    if (bytes >= large) {
        void *zeros = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (zeros == MAP_FAILED) return NULL;
        madvise(zeros, bytes, MADV_HUGEPAGE);
        return zeros;
    }
#endif
    return calloc(1, bytes);
}

static void free_zeros(void *zeros, size_t bytes)
{
#if defined(__linux__)
    if (zeros != NULL && bytes >= large) {
        munmap(zeros, bytes);
        return;
    }
#endif
    (void)bytes;
    free(zeros);
}

static int shift_of(size_t capacity) { return 64 - __builtin_ctzll(capacity); }

static size_t segment_bytes(int segment) { return ((size_t)first_segment << segment) * sizeof(assay_key); }

/* The segment of the list that contains the key with this index. */
static int segment_of(size_t index) { return 63 - __builtin_clzll(index / first_segment + 1); }

static assay_key *entry(const assay_keys *set, size_t index)
{
    const int segment = segment_of(index);
    return &set->segments[segment][index - (((size_t)1 << segment) - 1) * first_segment];
}

assay_keys *assay_keys_create(size_t max_bytes)
{
    assay_keys *set = calloc(1, sizeof *set);
    if (set == NULL) return NULL;
    set->slots = make_zeros(first_capacity * sizeof *set->slots);
    set->segments[0] = make_zeros(segment_bytes(0));
    set->capacity = first_capacity;
    set->shift = shift_of(first_capacity);
    set->max_bytes = max_bytes;
    if (set->slots == NULL || set->segments[0] == NULL) {
        assay_keys_free(set);
        return NULL;
    }
    return set;
}

void assay_keys_free(assay_keys *set)
{
    if (set == NULL) return;
    free_zeros(set->slots, set->capacity * sizeof *set->slots);
    for (int i = 0; i < max_segments; i++) free_zeros(set->segments[i], segment_bytes(i));
    free(set);
}

size_t assay_keys_count(const assay_keys *set) { return set->count; }

static uint32_t slot_hash(assay_key_hash hash) { return (uint32_t)(hash.low >> 32); }

static size_t first_place(const assay_keys *set, assay_key_hash hash) { return (size_t)(hash.low >> set->shift); }

/* The slot of the key with this hash, or the free one where it belongs. */
static key_slot *slot_of(const assay_keys *set, assay_key_hash hash)
{
    size_t place = first_place(set, hash);
    for (;;) {
        key_slot *slot = &set->slots[place];
        if (slot->entry == 0) return slot;
        if (slot->hash == slot_hash(hash)) {
            const assay_key *key = entry(set, slot->entry - 1);
            if (key->hash.low == hash.low && key->hash.high == hash.high) return slot;
        }
        place = (place + 1) & (set->capacity - 1);
    }
}

/* Moves the slots to a table of `capacity` slots. Both tables exist at the same time. */
static bool move_slots(assay_keys *set, size_t capacity)
{
    key_slot *slots = make_zeros(capacity * sizeof *slots);
    if (slots == NULL) return false;
    const int shift = shift_of(capacity);
    for (size_t old = 0; old < set->capacity; old++) {
        const key_slot slot = set->slots[old];
        if (slot.entry == 0) continue;
        size_t place = (size_t)((uint64_t)slot.hash << 32 >> shift);
        while (slots[place].entry != 0) place = (place + 1) & (capacity - 1);
        slots[place] = slot;
    }
    free_zeros(set->slots, set->capacity * sizeof *slots);
    set->slots = slots;
    set->capacity = capacity;
    set->shift = shift;
    return true;
}

/* Makes room for `more` keys. The first table is not subject to `max_bytes`, so that splitting keys into ever smaller
   sets terminates. */
static bool reserve(assay_keys *set, size_t more)
{
    const size_t count = set->count + more;
    size_t capacity = set->capacity;
    while (count * 16 > capacity * max_taken) capacity *= 2;
    if (capacity > max_capacity) return false;
    const size_t slots = capacity + (capacity == set->capacity ? 0 : set->capacity);
    const size_t bytes = slots * sizeof *set->slots + count * sizeof(assay_key);
    if (capacity > first_capacity && bytes > set->max_bytes) return false;
    for (int segment = 0; count > 0 && segment <= segment_of(count - 1); segment++) {
        if (set->segments[segment] != NULL) continue;
        set->segments[segment] = make_zeros(segment_bytes(segment));
        if (set->segments[segment] == NULL) return false;
    }
    return capacity == set->capacity || move_slots(set, capacity);
}

void assay_keys_reserve(assay_keys *set, size_t more)
{
    if (more <= SIZE_MAX / 1024) (void)reserve(set, more);
}

/* The first slot to search for a hash. */
static const key_slot *first_slot(const assay_keys *set, assay_key_hash hash)
{
    return &set->slots[first_place(set, hash)];
}

/* The entry of the first slot, or NULL if it cannot be the entry of this hash. Only for prefetching. */
static const assay_key *first_entry(const assay_keys *set, assay_key_hash hash)
{
    const key_slot slot = *first_slot(set, hash);
    return slot.entry != 0 && slot.hash == slot_hash(hash) ? entry(set, slot.entry - 1) : NULL;
}

/* Claims all keys of a record if all are free, and returns true. Otherwise writes the holder of each key to `holders`,
   or zeros for a free key. */
static bool claim(assay_keys *set, const assay_key *keys, size_t each, assay_key *holders)
{
    bool is_free = true;
    for (size_t i = 0; i < each; i++) {
        is_free &= keys[i].record == 0 || slot_of(set, keys[i].hash)->entry == 0;
    }
    for (size_t i = 0; i < each; i++) {
        if (keys[i].record == 0) {
            if (!is_free) holders[i] = (assay_key){{0, 0}, 0, 0};
            continue;
        }
        key_slot *slot = slot_of(set, keys[i].hash);
        if (is_free) {
            *entry(set, set->count) = keys[i];
            set->count++;
            *slot = (key_slot){slot_hash(keys[i].hash), (uint32_t)set->count};
        } else {
            holders[i] = slot->entry == 0 ? (assay_key){{0, 0}, 0, 0} : *entry(set, slot->entry - 1);
        }
    }
    return is_free;
}

assay_status assay_keys_claim(assay_keys *set, const assay_key *keys, size_t records, size_t each, assay_key *holders,
                              uint64_t *refused)
{
    if (!reserve(set, records * each)) return ASSAY_NO_MEMORY;
    for (size_t word = 0; word < assay_mask_words(records); word++) refused[word] = 0;
    /* Prefetch in the loops and not in a function, because GCC drops calls of functions that only prefetch. */
    const size_t ahead = slots_ahead * each;
    for (size_t i = 0; i < records * each && i < ahead; i++) __builtin_prefetch(first_slot(set, keys[i].hash), 1);
    for (size_t record = 0; record < records; record++) {
        const size_t first = record * each + ahead;
        for (size_t i = first; i < first + each && i < records * each; i++) {
            __builtin_prefetch(first_slot(set, keys[i].hash), 1);
        }
        if (claim(set, keys + record * each, each, holders + record * each)) continue;
        refused[record / 64] |= UINT64_C(1) << record % 64;
    }
    return ASSAY_OK;
}

/* Uses the high half of the hash, because the sets use the low half for slots. */
static size_t shard_of(assay_key_hash hash, size_t shards) { return (size_t)hash.high & (shards - 1); }

void assay_keys_shard(const assay_key *keys, size_t records, size_t each, size_t shards, assay_key *sorted,
                      uint32_t *indices, size_t *starts)
{
    for (size_t shard = 0; shard <= shards; shard++) starts[shard] = 0;
    for (size_t record = 0; record < records; record++) {
        const assay_key *key = &keys[record * each];
        if (key->record != 0) starts[shard_of(key->hash, shards) + 1]++;
    }
    for (size_t shard = 0; shard < shards; shard++) starts[shard + 1] += starts[shard];
    for (size_t record = 0; record < records; record++) {
        const assay_key *key = &keys[record * each];
        if (key->record == 0) continue;
        const size_t place = starts[shard_of(key->hash, shards)]++;
        sorted[place] = *key;
        indices[place] = (uint32_t)record;
    }
    /* Each start has advanced to the start of the next shard. Shift them back. */
    for (size_t shard = shards; shard > 0; shard--) starts[shard] = starts[shard - 1];
    starts[0] = 0;
}

void assay_keys_take_out_held(const assay_keys *set, const assay_key_hash *hashes, size_t count, uint64_t *rows)
{
    for (size_t row = 0; row < count && row < slots_ahead; row++) {
        __builtin_prefetch(first_slot(set, hashes[row]));
    }
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1) {
            const size_t row = word * 64 + (size_t)__builtin_ctzll(bits);
            /* Prefetch rows ahead without testing their bits, because `hashes` has an entry for every row. */
            if (row + slots_ahead < count) __builtin_prefetch(first_slot(set, hashes[row + slots_ahead]));
            if (row + entries_ahead < count) __builtin_prefetch(first_entry(set, hashes[row + entries_ahead]));
            if (slot_of(set, hashes[row])->entry != 0) rows[word] &= ~(bits & -bits);
        }
    }
}

size_t assay_keys_bytes(const assay_keys *set)
{
    return set->capacity * sizeof *set->slots + set->count * sizeof(assay_key);
}

const assay_key *assay_keys_find(const assay_keys *set, assay_key_hash hash)
{
    const key_slot *slot = slot_of(set, hash);
    return slot->entry == 0 ? NULL : entry(set, slot->entry - 1);
}

const assay_key *assay_keys_next(const assay_keys *set, size_t *place)
{
    return *place < set->count ? entry(set, (*place)++) : NULL;
}
