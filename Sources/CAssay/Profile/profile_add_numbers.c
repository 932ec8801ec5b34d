/* Adding the numbers of a group of rows together. */
#include "Dispatch/assay_kernels.h"
#include "Profile/profile_group.h"
#include "Profile/profile_histogram.h"
#include "Profile/profile_numbers.h"
#include "Profile/profile_placeholder.h"

#include <string.h>

enum { form_tables = 4 };
_Static_assert(profile_group_rows / form_tables <= UINT8_MAX, "a count fits in a byte");

/* The forms of the numbers of a group, with their counts. */
typedef struct group_forms {
    /* Successive numbers count in different tables, because a count that was stored last is slow to load. */
    uint8_t counts[form_tables][profile_number_forms];
    bool is_known[profile_number_forms];
    uint16_t firsts[profile_group_rows]; /* the index of the first number of each form that occurs */
    uint16_t forms[profile_group_rows];  /* the forms that occur */
    size_t count;
} group_forms;

static void count_forms(group_forms *forms, const profile_numbers *numbers)
{
    memset(forms->counts, 0, sizeof forms->counts);
    memset(forms->is_known, 0, sizeof forms->is_known);
    forms->count = 0;
    for (size_t i = 0; i < numbers->count; i++) {
        const uint16_t form = numbers->forms[i];
        forms->counts[i % form_tables][form]++;
        if (forms->is_known[form]) continue;
        forms->is_known[form] = true;
        forms->firsts[forms->count] = (uint16_t)i;
        forms->forms[forms->count++] = form;
    }
}

static size_t count_of(const group_forms *forms, unsigned form)
{
    size_t count = 0;
    for (size_t table = 0; table < form_tables; table++) count += forms->counts[table][form];
    return count;
}

/* Whether the shapes of all forms have a place. */
static bool are_known(const assay_profile *profile, const group_forms *forms)
{
    bool are_known = true;
    for (size_t i = 0; i < forms->count; i++) are_known &= profile->number_shapes[forms->forms[i]] != 0;
    return are_known || profile->shape_level > 1;
}

/* Adds the lengths and shapes of the numbers, and counts those with a point. */
static void add_forms(assay_profile *profile, const group_forms *forms, const profile_numbers *numbers,
                      const profile_records *records, profile_parts *to)
{
    assay_profile_counts *counts = &profile->counts;
    size_t with_point = 0;
    for (size_t i = 0; i < forms->count; i++) {
        const unsigned form = forms->forms[i], length = profile_form_length(form);
        const size_t many = count_of(forms, form), row = numbers->rows[forms->firsts[i]];
        to->lengths[length] += many;
        if (length > to->max_length) to->max_length = length;
        if (profile_form_fraction(form) > 0) {
            with_point += many;
            if (counts->first_no_integer > records->rows->record) {
                profile_note_first(&counts->first_no_integer, profile_record_in(records, row));
            }
        }
        if (profile->shape_level > 1) continue;
        profile_entry *entry = &profile->shapes.entries[profile->number_shapes[form] - 1];
        entry->count += many;
        if (entry->first_record > records->rows->record) {
            profile_note_first(&entry->first_record, profile_record_in(records, row));
        }
    }
    counts->values += numbers->count;
    counts->numbers += numbers->count;
    counts->integers += numbers->count - with_point;
    counts->leading_zeros += numbers->leading_zeros;
}

static void add_extremes(assay_profile *profile, const profile_numbers *numbers, const profile_records *records)
{
    assay_profile_placeholders *placeholders = &profile->placeholders;
    double others[profile_group_rows], range[2] = {placeholders->min_other, placeholders->max_other};
    size_t count = 0;
    for (size_t i = 0; i < numbers->count; i++) {
        const double number = numbers->values[i];
        others[count] = number;
        const bool is_placeholder =
            numbers->is_rare[i] && profile_may_be_placeholder(number) &&
            profile_placeholders_add_rare(placeholders, number, 1, profile_record_in(records, numbers->rows[i]));
        count += !is_placeholder;
    }
    profile_widen_range(range, others, count);
    placeholders->min_other = range[0];
    placeholders->max_other = range[1];
}

bool profile_add_numbers(assay_profile *profile, const assay_column_view *group, const profile_records *records,
                         uint64_t *there, profile_parts *to)
{
    profile_numbers numbers;
    group_forms forms;
    uint64_t others[profile_group_rows / 64];
    memcpy(others, there, sizeof others);
    assay_kernels_current()->profile_numbers(&numbers, group, others, profile->options.decimal);
    count_forms(&forms, &numbers);
    /* The other path adds new shapes. */
    if (!are_known(profile, &forms)) return true;
    memcpy(there, others, sizeof others);
    for (size_t i = 0; i < numbers.count; i++) {
        __builtin_prefetch(profile_register(profile->sketch, numbers.hashes[i]), 1);
    }
    add_forms(profile, &forms, &numbers, records, to);
    add_extremes(profile, &numbers, records);
    if (!profile_histogram_add_each(profile->numbers, numbers.values, numbers.count)) return false;
    for (size_t i = 0; i < numbers.count; i++) profile_sketch(profile->sketch, numbers.hashes[i]);
    return profile->options.keys == 0 || profile_keys_add(&profile->keys, numbers.hashes, numbers.count);
}
