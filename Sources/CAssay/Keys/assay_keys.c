/* The set of keys: open addressing, 32 bytes a key, two in a line of the cache.
 *
 * A key stands at, or not far behind, the place that the high bits of its hash name. When the set grows, keys so keep their
 * order, and what is read in order is written in order. */
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
    /* Of sixteen places so many are taken at most: then four are looked at on average for a key that is not there. */
    most_taken = 10,
    /* How many records ahead their places are asked for: about the time that the memory takes. */
    prefetched_records = 16,
};

#if defined(__linux__)
/* From so many bytes on slots are asked for in pages of 2 MiB. Each place of a large set is on another page: of 4 KiB, first use
   and finding it again would take most of the time. */
static const size_t large = (size_t)4 << 20;
#endif

struct assay_keys {
    assay_key *slots;
    size_t capacity; /* a power of two */
    size_t count;
    size_t most_bytes;
    int shift; /* the hash's high bits by it are a place */
};

/* Free slots, or NULL. */
static assay_key *make_slots(size_t capacity)
{
#if defined(__linux__)
    const size_t bytes = capacity * sizeof(assay_key);
    if (bytes >= large) {
        void *slots = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (slots == MAP_FAILED) return NULL;
        madvise(slots, bytes, MADV_HUGEPAGE);
        return slots;
    }
#endif
    return calloc(capacity, sizeof(assay_key));
}

static void free_slots(assay_key *slots, size_t capacity)
{
#if defined(__linux__)
    if (slots != NULL && capacity * sizeof *slots >= large) {
        munmap(slots, capacity * sizeof *slots);
        return;
    }
#endif
    (void)capacity;
    free(slots);
}

assay_keys *assay_keys_create(size_t most_bytes)
{
    assay_keys *set = calloc(1, sizeof *set);
    assay_key *slots = make_slots(first_capacity);
    if (set == NULL || slots == NULL) {
        free(set);
        free_slots(slots, first_capacity);
        return NULL;
    }
    *set = (assay_keys){slots, first_capacity, 0, most_bytes, 64 - __builtin_ctzll(first_capacity)};
    return set;
}

void assay_keys_free(assay_keys *set)
{
    if (set == NULL) return;
    free_slots(set->slots, set->capacity);
    free(set);
}

size_t assay_keys_count(const assay_keys *set) { return set->count; }

static size_t first_place(const assay_keys *set, assay_key_hash hash) { return (size_t)(hash.low >> set->shift); }

/* The slot of the key with this hash, or the free one where it belongs. */
static assay_key *slot_of(const assay_keys *set, assay_key_hash hash)
{
    size_t place = first_place(set, hash);
    for (;;) {
        assay_key *slot = &set->slots[place];
        if (slot->record == 0 || (slot->hash.low == hash.low && slot->hash.high == hash.high)) return slot;
        place = (place + 1) & (set->capacity - 1);
    }
}

/* Makes room for so many keys more. The old slots and the new ones are there at once. */
static bool reserve(assay_keys *set, size_t more)
{
    size_t capacity = set->capacity;
    while ((set->count + more) * 16 > capacity * most_taken) capacity *= 2;
    if (capacity == set->capacity) return true;
    if ((capacity + set->capacity) * sizeof *set->slots > set->most_bytes) return false;
    assay_key *slots = make_slots(capacity);
    if (slots == NULL) return false;
    const assay_keys old = *set;
    set->slots = slots;
    set->capacity = capacity;
    set->shift = 64 - __builtin_ctzll(capacity);
    for (size_t place = 0; place < old.capacity; place++) {
        if (old.slots[place].record != 0) *slot_of(set, old.slots[place].hash) = old.slots[place];
    }
    free_slots(old.slots, old.capacity);
    return true;
}

void assay_keys_reserve(assay_keys *set, size_t more)
{
    if (more <= SIZE_MAX / 1024) (void)reserve(set, more);
}

static void prefetch(const assay_keys *set, const assay_key *keys, size_t each)
{
    for (size_t i = 0; i < each; i++) __builtin_prefetch(&set->slots[first_place(set, keys[i].hash)], 1);
}

/* Whether all keys of a record are free. If so, they are taken; else it is written who holds them. */
static bool claim(assay_keys *set, const assay_key *keys, size_t each, assay_key *holders)
{
    bool is_free = true;
    for (size_t i = 0; i < each; i++) {
        is_free &= keys[i].record == 0 || slot_of(set, keys[i].hash)->record == 0;
    }
    for (size_t i = 0; i < each; i++) {
        if (keys[i].record == 0) {
            if (!is_free) holders[i] = (assay_key){{0, 0}, 0, 0};
            continue;
        }
        assay_key *slot = slot_of(set, keys[i].hash);
        if (is_free) {
            *slot = keys[i];
            set->count++;
        } else {
            holders[i] = *slot;
        }
    }
    return is_free;
}

assay_status assay_keys_claim(assay_keys *set, const assay_key *keys, size_t records, size_t each, assay_key *holders,
                              uint64_t *refused)
{
    if (!reserve(set, records * each)) return ASSAY_NO_MEMORY;
    for (size_t word = 0; word < assay_mask_words(records); word++) refused[word] = 0;
    for (size_t record = 0; record < records && record < prefetched_records; record++) {
        prefetch(set, keys + record * each, each);
    }
    for (size_t record = 0; record < records; record++) {
        if (record + prefetched_records < records) prefetch(set, keys + (record + prefetched_records) * each, each);
        if (claim(set, keys + record * each, each, holders + record * each)) continue;
        refused[record / 64] |= UINT64_C(1) << record % 64;
    }
    return ASSAY_OK;
}

void assay_keys_take_out_held(const assay_keys *set, const assay_key_hash *hashes, size_t count, uint64_t *rows)
{
    for (size_t row = 0; row < count && row < prefetched_records; row++) {
        __builtin_prefetch(&set->slots[first_place(set, hashes[row])]);
    }
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1) {
            const size_t row = word * 64 + (size_t)__builtin_ctzll(bits);
            /* Some row ahead, whether or not it is asked for: its hash is there. */
            if (row + prefetched_records < count) {
                __builtin_prefetch(&set->slots[first_place(set, hashes[row + prefetched_records])]);
            }
            if (slot_of(set, hashes[row])->record != 0) rows[word] &= ~(bits & -bits);
        }
    }
}

size_t assay_keys_bytes(const assay_keys *set) { return set->capacity * sizeof *set->slots; }

const assay_key *assay_keys_find(const assay_keys *set, assay_key_hash hash)
{
    const assay_key *slot = slot_of(set, hash);
    return slot->record == 0 ? NULL : slot;
}

const assay_key *assay_keys_next(const assay_keys *set, size_t *place)
{
    while (*place < set->capacity) {
        const assay_key *slot = &set->slots[(*place)++];
        if (slot->record != 0) return slot;
    }
    return NULL;
}
