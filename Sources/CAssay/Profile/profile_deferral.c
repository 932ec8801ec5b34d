/* Distinct values, which may be examined after all are counted, because most columns repeat their values. */
#include "Profile/profile_state.h"

#include <stdlib.h>
#include <string.h>

void profile_pour(void *context, const profile_entry *entry) { assay_distinct_add(context, entry->hash); }

bool profile_make_sketch(assay_profile *profile)
{
    if (profile->sketch == NULL) profile->sketch = assay_distinct_create(profile->options.precision);
    return profile->sketch != NULL;
}

bool profile_add_value(assay_profile *profile, uint64_t hash, const uint8_t *text, size_t length, bool is_cut,
                       uint64_t count, uint64_t record)
{
    if (profile->values.is_full) {
        assay_distinct_add(profile->sketch, hash);
        return true;
    }
    /* The sketch must exist before the table overflows, because profile_pour() adds the hashes of all entries to it.
       All values must have been looked at, because the table then discards them. */
    if (profile->values.count == profile->values.max && !(profile_make_sketch(profile) && profile_settle(profile)))
        return false;
    return profile_table_add(&profile->values, hash, text, length, is_cut, count, record, profile_pour,
                             profile->sketch);
}

enum { visited_together = 256 };

/* Passes the values in a table that have not been examined to the function of the profile. */
static void visit_table(const assay_profile *profile, const profile_table *table)
{
    assay_cell cells[visited_together];
    uint64_t rows[visited_together], first_records[visited_together], words[visited_together / 64] = {0};
    assay_profile_deferred values = {table->texts, cells, rows, first_records, words, 0};
    for (uint32_t i = 0; i < table->count; i++) {
        const profile_entry *entry = &table->entries[i];
        if (entry->count == entry->settled) continue;
        cells[values.count] = (assay_cell){entry->text, entry->length};
        rows[values.count] = entry->count - entry->settled;
        first_records[values.count] = entry->first_record;
        words[values.count / 64] |= (uint64_t)entry->is_word << values.count % 64;
        if (++values.count < visited_together) continue;
        profile->visit(profile->visit_context, &values);
        values.count = 0;
        memset(words, 0, sizeof words);
    }
    if (values.count > 0) profile->visit(profile->visit_context, &values);
}

bool profile_examine_table(assay_profile *profile, const profile_table *table)
{
    if (profile->visit != NULL) visit_table(profile, table);
    profile_parts to;
    profile_parts_begin(&to);
    for (uint32_t i = 0; i < table->count; i++) {
        const profile_entry *entry = &table->entries[i];
        if (entry->count == entry->settled) continue;
        const uint8_t *text = table->texts + entry->text;
        const unsigned facts = profile_edge_facts(text, entry->length) | profile_byte_facts(text, entry->length);
        const profile_cell value = profile_cell_of(text, entry->length, facts, entry->first_record);
        const size_t word = entry->is_word ? profile_word_of(text, entry->length) : profile_word_count;
        if (!profile_examine(profile, &value, word, entry->count - entry->settled, &to)) return false;
    }
    return profile_parts_add(profile, &to);
}

bool profile_settle(assay_profile *profile)
{
    if (!profile->is_deferred) return true;
    if (!profile_examine_table(profile, &profile->values)) return false;
    for (uint32_t i = 0; i < profile->values.count; i++) {
        profile->values.entries[i].settled = profile->values.entries[i].count;
    }
    return true;
}

void assay_profile_defer(assay_profile *profile)
{
    profile->is_deferred = true;
    /* The detector of duplicates needs the hash of each value. */
    if (profile->options.keys > 0 || profile->known_values != NULL) return;
    unsigned bits = 6;
    while (bits < profile_max_known_value_bits && (UINT32_C(2) << bits) <= profile->options.values) bits++;
    /* Without memory, values are found by their hashes. */
    profile->known_values = calloc((size_t)1 << bits, sizeof *profile->known_values);
    profile->known_value_bits = bits;
}

void assay_profile_visit_deferred(assay_profile *profile, void *context,
                                  void (*visit)(void *context, const assay_profile_deferred *values))
{
    profile->visit = visit;
    profile->visit_context = context;
}

assay_status assay_profile_settle(assay_profile *profile)
{
    return profile_settle(profile) && profile_keys_settle(&profile->keys) ? ASSAY_OK : ASSAY_NO_MEMORY;
}
