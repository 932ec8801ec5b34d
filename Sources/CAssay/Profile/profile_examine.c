/* Counts the properties of single values. */
#include "Profile/profile_encoded.h"
#include "Profile/profile_histogram.h"
#include "Profile/profile_placeholder.h"
#include "Profile/profile_state.h"
#include "Profile/profile_text.h"

#include <string.h>

void profile_widen(assay_profile *profile, const profile_integer *integer)
{
    if (integer->count == 0) return;
    if (profile->min.count == 0 || profile_integer_is_less(integer, &profile->min)) profile->min = *integer;
    if (profile->greatest.count == 0 || profile_integer_is_less(&profile->greatest, integer))
        profile->greatest = *integer;
}

static bool add_numbers(assay_profile *profile, profile_parts *from)
{
    const size_t count = from->number_count;
    from->number_count = 0;
    return profile_histogram_add_each(profile->numbers, from->numbers, count);
}

/* Adds a number to the histogram, or to `to` for later. */
bool profile_count_number(assay_profile *profile, double number, uint64_t times, profile_parts *to)
{
    if (times != 1) return profile_histogram_add(profile->numbers, number, times);
    to->numbers[to->number_count++] = number;
    return to->number_count < profile_group_rows || add_numbers(profile, to);
}

static bool add_number(assay_profile *profile, const profile_cell *value, uint64_t times, profile_parts *to)
{
    double number = 0;
    bool has_leading_zero = false;
    profile_number_kind kind = PROFILE_NO_NUMBER;
    if (profile_may_begin_number(profile, value->text[0])) {
        kind = profile_read_number(value->text, value->count, profile->options.decimal, profile->options.group, &number,
                                   &has_leading_zero);
    }
    assay_profile_counts *counts = &profile->counts;
    if (kind != PROFILE_INTEGER) profile_note_first(&counts->first_no_integer, value->record);
    if (kind == PROFILE_NO_NUMBER) {
        profile_note_first(&counts->first_no_number, value->record);
        return true;
    }
    counts->numbers += times;
    if (kind == PROFILE_INTEGER) counts->integers += times;
    if (has_leading_zero) counts->leading_zeros += times;
    if (number - number != 0) { /* infinite or NaN, because all other differences are 0 */
        counts->beyond += times;
        return true;
    }
    profile_placeholders_add(&profile->placeholders, number, times, value->record);
    /* The extremes of large integers keep all digits, because a double would round them. */
    if ((number >= 0x1p53 || number <= -0x1p53) && kind == PROFILE_INTEGER) {
        profile_integer integer;
        profile_integer_read(&integer, value->text, value->count);
        profile_widen(profile, &integer);
    } else if (number >= 0x1p53 || number <= -0x1p53) {
        profile->has_large_fraction = true;
    }
    return profile_count_number(profile, number, times, to);
}

profile_cell profile_cell_of(const uint8_t *text, size_t count, unsigned facts, uint64_t record)
{
    profile_cell cell = {text, count, count, facts, true, NULL, record};
    if ((facts & profile_is_high) == 0) return cell;
    const profile_text_facts read = profile_text_read(text, count);
    cell.scalars = read.scalars;
    cell.has_ascii = read.has_ascii;
    if (read.has_rare_lead) cell.facts |= profile_is_rare;
    return cell;
}

/* Updates all parts of the profile except the distinct values, and the count of `word` (profile_word_of), for a value
   that occurs `times` times. */
bool profile_examine(assay_profile *profile, const profile_cell *value, size_t word, uint64_t times, profile_parts *to)
{
    assay_profile_counts *counts = &profile->counts;
    const uint8_t *text = value->text;
    const size_t count = value->count;
    if (value->scalars < profile_short_length) {
        to->lengths[value->scalars] += times;
        if (value->scalars > to->max_length) to->max_length = value->scalars;
    } else if (!profile_histogram_add(profile->lengths, (double)value->scalars, times)) {
        return false;
    }
    if ((value->facts & profile_is_high) != 0) {
        counts->not_ascii += times;
        if (profile_is_twice_encoded(text, count)) {
            counts->twice_encoded += times;
            profile_note_first(&counts->first_twice_encoded, value->record);
        }
    }
    if ((value->facts & profile_is_padded) != 0) {
        counts->padded += times;
        profile_note_first(&counts->first_padded, value->record);
    }
    if ((value->facts & profile_is_rare) != 0) profile_text_add(&profile->anomalies, text, count, times, value->record);
    if (word < profile_word_count) {
        profile->words[word] += times;
        counts->words += times;
    } else if (!profile->options.has_no_numbers && !add_number(profile, value, times, to)) {
        return false;
    }
    return profile_add_shape_of(profile, value, times);
}

void profile_parts_begin(profile_parts *of)
{
    memset(of->lengths, 0, sizeof of->lengths);
    of->max_length = of->number_count = 0;
}

/* Adds the counts that are kept during a call. */
bool profile_parts_add(assay_profile *profile, profile_parts *from)
{
    for (size_t length = 1; length <= from->max_length; length++) {
        const uint64_t times = from->lengths[length];
        if (times > 0 && !profile_histogram_add(profile->lengths, (double)length, times)) return false;
    }
    return add_numbers(profile, from);
}
