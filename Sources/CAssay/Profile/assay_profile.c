/* The profile of a column: creation and results. */
#include "Profile/profile_placeholder.h"
#include "Profile/profile_state.h"
#include "Profile/profile_text.h"

#include <math.h>
#include <stdlib.h>

assay_profile *assay_profile_create(const assay_profile_options *options)
{
    assay_profile *profile = calloc(1, sizeof *profile);
    if (profile == NULL) return NULL;
    profile->options = *options;
    profile->values.max = options->values;
    profile->shapes.max = options->shapes;
    profile->keys.max = options->keys;
    profile->counts.first_no_integer = profile->counts.first_no_number = profile->counts.first_padded = UINT64_MAX;
    profile->counts.first_twice_encoded = UINT64_MAX;
    profile_text_begin(&profile->anomalies);
    profile_placeholders_begin(&profile->placeholders);
    profile->known_shape_bits = 4;
    while (profile->known_shape_bits < profile_max_known_shape_bits &&
           UINT32_C(1) << profile->known_shape_bits < 2 * options->shapes) {
        profile->known_shape_bits++;
    }
    profile->known_shapes = calloc((size_t)1 << profile->known_shape_bits, sizeof *profile->known_shapes);
    profile->lengths = assay_histogram_create();
    profile->numbers = assay_histogram_create();
    if (profile->known_shapes != NULL && profile->lengths != NULL && profile->numbers != NULL) return profile;
    assay_profile_free(profile);
    return NULL;
}

void assay_profile_free(assay_profile *profile)
{
    if (profile == NULL) return;
    profile_table_clear(&profile->values);
    profile_table_clear(&profile->shapes);
    assay_distinct_free(profile->sketch);
    free(profile->known_values);
    free(profile->known_shapes);
    free(profile->keys.hashes);
    assay_histogram_free(profile->lengths);
    assay_histogram_free(profile->numbers);
    free(profile);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Results
 * ------------------------------------------------------------------------------------------------------------- */

void assay_profile_get_counts(const assay_profile *profile, assay_profile_counts *counts)
{
    *counts = profile->counts;
    counts->distinct_is_exact = !profile->values.is_full;
    counts->distinct =
        profile->values.is_full ? assay_distinct_estimate(profile->sketch) : (double)profile->values.count;
    counts->duplicates = profile_keys_duplicates(&profile->keys);
    counts->key_share = profile->keys.zeros;
    if (profile->options.keys > 0 && profile->keys.zeros == 0) {
        counts->distinct = (double)profile->keys.count;
        counts->distinct_is_exact = true;
    }
}

const assay_profile_anomalies *assay_profile_get_anomalies(const assay_profile *profile) { return &profile->anomalies; }

const assay_profile_placeholders *assay_profile_get_placeholders(const assay_profile *profile)
{
    return &profile->placeholders;
}

const assay_histogram *assay_profile_lengths(const assay_profile *profile) { return profile->lengths; }
const assay_histogram *assay_profile_numbers(const assay_profile *profile) { return profile->numbers; }

static assay_text large_integer(const assay_profile *profile, const profile_integer *integer, bool is_extreme)
{
    const bool is_exact = is_extreme && !profile->has_large_fraction;
    return (assay_text){integer->text, is_exact ? integer->count : 0};
}

assay_text assay_profile_min_integer(const assay_profile *profile)
{
    return large_integer(profile, &profile->min, fabs(assay_histogram_minimum(profile->numbers)) >= 0x1p53);
}

assay_text assay_profile_max_integer(const assay_profile *profile)
{
    return large_integer(profile, &profile->greatest, fabs(assay_histogram_maximum(profile->numbers)) >= 0x1p53);
}

uint64_t assay_profile_word_count(const assay_profile *profile, size_t index) { return profile->words[index]; }

static assay_profile_item item_of(const profile_table *table, size_t index)
{
    const profile_entry *entry = &table->entries[index];
    return (assay_profile_item){
        {table->texts + entry->text, entry->length}, entry->count, entry->first_record, entry->is_cut};
}

size_t assay_profile_value_count(const assay_profile *profile) { return profile->values.count; }

assay_profile_item assay_profile_value(const assay_profile *profile, size_t index)
{
    return item_of(&profile->values, index);
}

unsigned assay_profile_shape_level(const assay_profile *profile) { return profile->shape_level; }
size_t assay_profile_shape_count(const assay_profile *profile) { return profile->shapes.count; }

assay_profile_item assay_profile_shape(const assay_profile *profile, size_t index)
{
    return item_of(&profile->shapes, index);
}
