#include "Profile/profile_table.h"
#include "Bytes/assay_scalars.h"
#include "Memory/assay_grow.h"

#include <stdlib.h>
#include <string.h>

void profile_table_clear(profile_table *table)
{
    free(table->entries);
    free(table->places);
    free(table->texts);
    *table = (profile_table){.max = table->max, .is_full = table->is_full};
}

static void place(profile_table *table, uint32_t index)
{
    const uint32_t mask = 2 * table->capacity - 1;
    uint32_t at = profile_table_place(table, table->entries[index].hash);
    while (table->places[at] != 0) at = (at + 1) & mask;
    table->places[at] = index + 1;
}

static bool grow(profile_table *table)
{
    const uint32_t capacity = table->capacity == 0 ? 16 : 2 * table->capacity;
    if (!assay_resize(&table->entries, sizeof *table->entries, capacity)) return false;
    uint32_t *places = calloc(2 * (size_t)capacity, sizeof *places);
    if (places == NULL) return false;
    free(table->places);
    table->places = places;
    table->capacity = capacity;
    for (uint32_t i = 0; i < table->count; i++) place(table, i);
    return true;
}

static bool keep_text(profile_table *table, profile_entry *entry, const uint8_t *text, size_t length)
{
    if (table->text_count + length > table->text_capacity) {
        const uint32_t capacity = 2 * table->text_capacity + 256;
        if (!assay_resize(&table->texts, 1, capacity)) return false;
        table->text_capacity = capacity;
    }
    entry->text = table->text_count;
    entry->length = (uint16_t)length;
    if (length > 0) memcpy(table->texts + table->text_count, text, length);
    table->text_count += (uint32_t)length;
    return true;
}

/* The longest prefix of at most `length` bytes that does not split a character. Reads the byte after it. */
static size_t complete_characters(const uint8_t *text, size_t length)
{
    while (length > 0 && is_continuation(text[length])) length--;
    return length;
}

bool profile_table_add(profile_table *table, uint64_t hash, const uint8_t *text, size_t length, bool is_cut,
                       uint64_t count, uint64_t record, void (*spill)(void *context, const profile_entry *entry),
                       void *context)
{
    profile_entry *known = profile_table_find(table, hash);
    if (known != NULL) {
        known->count += count;
        known->settled += count;
        if (record < known->first_record) known->first_record = record;
        return true;
    }
    if (table->count == table->max) {
        const profile_entry last = {.hash = hash, .count = count, .first_record = record};
        table->is_full = true;
        for (uint32_t i = 0; spill != NULL && i < table->count; i++) spill(context, &table->entries[i]);
        if (spill != NULL) spill(context, &last);
        profile_table_clear(table);
        return true;
    }
    if (table->count == table->capacity && !grow(table)) return false;
    profile_entry entry = {.hash = hash, .count = count, .first_record = record, .settled = count, .is_cut = is_cut};
    size_t kept = length;
    if (length > profile_text_bytes) {
        kept = complete_characters(text, profile_text_bytes);
        entry.is_cut = true;
    }
    if (!keep_text(table, &entry, text, kept)) return false;
    table->entries[table->count] = entry;
    place(table, table->count++);
    return true;
}
