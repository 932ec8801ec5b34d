/* Merging the profiles of workers. */
#include "Profile/profile_placeholder.h"
#include "Profile/profile_state.h"
#include "Profile/profile_text.h"

static bool merge_values(assay_profile *into, const assay_profile *from)
{
    if (from->values.is_full) {
        if (!profile_make_sketch(into) || !profile_settle(into)) return false;
        for (uint32_t i = 0; i < into->values.count; i++) profile_pour(into->sketch, &into->values.entries[i]);
        profile_table_clear(&into->values);
        into->values.is_full = true;
        assay_distinct_merge(into->sketch, from->sketch);
        return true;
    }
    for (uint32_t i = 0; i < from->values.count; i++) {
        const profile_entry *entry = &from->values.entries[i];
        const uint32_t count = into->values.count;
        if (!profile_add_value(into, entry->hash, from->values.texts + entry->text, entry->length, entry->is_cut,
                               entry->count, entry->first_record)) {
            return false;
        }
        /* The same value may be added again after the merge. */
        if (into->values.count > count) into->values.entries[count].is_word = entry->is_word;
    }
    return true;
}

static bool merge_shapes(assay_profile *into, const assay_profile *from)
{
    while (into->shape_level < from->shape_level) {
        if (!profile_coarsen(into)) return false;
    }
    for (uint32_t i = 0; i < from->shapes.count && into->shape_level < 2; i++) {
        const profile_entry *entry = &from->shapes.entries[i];
        const uint8_t *text = from->shapes.texts + entry->text;
        size_t length = entry->length;
        uint8_t runs[ASSAY_SHAPE_BYTES];
        if (into->shape_level > from->shape_level) {
            length = profile_shape_with_runs(text, length, runs);
            text = runs;
        }
        if (!profile_add_shape(into, text, length, entry->count, entry->first_record)) return false;
    }
    return true;
}

assay_status assay_profile_merge(assay_profile *into, const assay_profile *from)
{
    assay_profile_counts *counts = &into->counts;
    const assay_profile_counts *more = &from->counts;
    counts->values += more->values;
    counts->missing += more->missing;
    counts->words += more->words;
    counts->padded += more->padded;
    counts->not_ascii += more->not_ascii;
    counts->twice_encoded += more->twice_encoded;
    profile_note_first(&counts->first_twice_encoded, more->first_twice_encoded);
    counts->integers += more->integers;
    counts->numbers += more->numbers;
    counts->leading_zeros += more->leading_zeros;
    counts->beyond += more->beyond;
    profile_note_first(&counts->first_no_integer, more->first_no_integer);
    profile_note_first(&counts->first_no_number, more->first_no_number);
    profile_note_first(&counts->first_padded, more->first_padded);
    profile_text_merge(&into->anomalies, &from->anomalies);
    profile_placeholders_merge(&into->placeholders, &from->placeholders);
    for (size_t i = 0; i < profile_word_count; i++) into->words[i] += from->words[i];
    profile_widen(into, &from->min);
    profile_widen(into, &from->greatest);
    into->has_large_fraction |= from->has_large_fraction;
    /* The values of `from` that have not been looked at. Those of `into` remain in its table. */
    if (from->is_deferred && !profile_examine_table(into, &from->values)) return ASSAY_NO_MEMORY;
    const bool is_good = merge_values(into, from) && merge_shapes(into, from) &&
                         profile_keys_merge(&into->keys, &from->keys) &&
                         assay_histogram_merge(into->lengths, from->lengths) == ASSAY_OK &&
                         assay_histogram_merge(into->numbers, from->numbers) == ASSAY_OK;
    return is_good ? ASSAY_OK : ASSAY_NO_MEMORY;
}
