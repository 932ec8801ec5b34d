/* A bounded table of texts with their counts, for values and shapes. */
#ifndef ASSAY_PROFILE_TABLE_H
#define ASSAY_PROFILE_TABLE_H

#include "Bytes/assay_hash.h"
#include "assay/profile.h"

typedef struct profile_entry {
    uint64_t hash;
    uint64_t count;
    uint64_t first_record;
    uint64_t settled; /* in the table of values: how many of the values have been looked at */
    uint32_t text;    /* the offset in `texts` */
    uint16_t length;
    bool is_cut;
    bool is_word; /* in the table of values: a word for a missing value */
} profile_entry;

typedef struct profile_table {
    profile_entry *entries; /* in insertion order */
    uint32_t *places;       /* by hash: 1 + the index of an entry; 0: free */
    uint8_t *texts;
    uint32_t count, capacity, max;
    uint32_t text_count, text_capacity;
    bool is_full; /* more than `max` texts were added, and all were discarded */
} profile_table;

/* The maximum number of bytes kept per text. */
enum { profile_text_bytes = 96 };

/* Adds to the count of a text. Returns false if memory runs out. If the table overflows, it becomes full, after a call
   of `spill` for each text. */
bool profile_table_add(profile_table *table, uint64_t hash, const uint8_t *text, size_t length, bool is_cut,
                       uint64_t count, uint64_t record, void (*spill)(void *context, const profile_entry *entry),
                       void *context);
/* Frees all texts. */
void profile_table_clear(profile_table *table);

/* The first place to search for a hash. */
static inline uint32_t profile_table_place(const profile_table *table, uint64_t hash)
{
    return (uint32_t)assay_hash_place(hash) & (2 * table->capacity - 1);
}

/* The entry of a hash, or NULL. */
static inline profile_entry *profile_table_find(const profile_table *table, uint64_t hash)
{
    if (table->places == NULL) return NULL;
    const uint32_t mask = 2 * table->capacity - 1;
    for (uint32_t at = profile_table_place(table, hash);; at = (at + 1) & mask) {
        if (table->places[at] == 0) return NULL;
        profile_entry *entry = &table->entries[table->places[at] - 1];
        if (entry->hash == hash) return entry;
    }
}

/* Prefetch the place of a hash, and later, when that is loaded, its entry. */
static inline void profile_table_prefetch(const profile_table *table, uint64_t hash)
{
    if (table->capacity > 256) __builtin_prefetch(&table->places[profile_table_place(table, hash)]);
}

static inline void profile_table_prefetch_entry(const profile_table *table, uint64_t hash)
{
    if (table->capacity <= 256) return;
    const uint32_t place = table->places[profile_table_place(table, hash)];
    if (place > 0) __builtin_prefetch(&table->entries[place - 1], 1);
}

#endif
