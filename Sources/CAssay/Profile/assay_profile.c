/* The profile of a column: one pass over the values, in groups of 256 rows. */
#include "assay/profile.h"

#include "Bytes/assay_hash.h"
#include "Bytes/assay_length.h"
#include "Columns/assay_column_view.h"
#include "Dispatch/assay_kernels.h"
#include "Profile/profile_classes.h"
#include "Profile/profile_distinct.h"
#include "Profile/profile_encoded.h"
#include "Profile/profile_histogram.h"
#include "Profile/profile_keys.h"
#include "Profile/profile_number.h"
#include "Profile/profile_placeholder.h"
#include "Profile/profile_rows.h"
#include "Profile/profile_shape.h"
#include "Profile/profile_table.h"
#include "Profile/profile_text.h"
#include "Profile/profile_values.h"
#include "Profile/profile_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { group_rows = profile_group_rows, prefetched = 12, short_length = 256 };

/* A shape of earlier values, by their classes. */
typedef struct known_shape {
    uint64_t classes[4];
    uint32_t length;
    uint32_t shape; /* 1 + its index in `shapes`; 0: unknown */
} known_shape;

/* A value in `values`. The words of a value of up to 16 bytes contain it, those of others its first and last bytes. */
typedef struct known_value {
    uint64_t words[2];
    uint32_t length;
    uint32_t index; /* 1 + its index in `values`; 0: free */
} known_value;

enum { known_shape_bits = 7, max_known_value_bits = 12 };

struct assay_profile {
    assay_profile_options options;
    assay_profile_counts counts;
    assay_profile_anomalies anomalies;
    assay_profile_placeholders placeholders;
    uint64_t words[profile_word_count];
    profile_table values;
    bool is_deferred;          /* values in `values` are examined later */
    known_value *known_values; /* 1 << known_value_bits entries, or NULL */
    unsigned known_value_bits;
    assay_distinct *sketch; /* NULL: `values` counts them exactly */
    profile_keys keys;
    profile_table shapes;
    unsigned shape_level;
    uint32_t last_shape; /* 1 + the index of the shape that was counted last; 0: it has no index */
    /* Because writing and finding a shape takes long. */
    known_shape known_shapes[1 << known_shape_bits];
    /* 1 + the index of the shape of a short number; 0: unknown. */
    uint32_t number_shapes[profile_number_forms];
    assay_histogram *lengths;
    assay_histogram *numbers;
    /* The extremes of the integers beyond ±2^53. */
    profile_integer min, greatest;
    bool has_large_fraction; /* a number beyond ±2^53 with a decimal separator or an exponent */
};

/* The counts of one call, which are added to the histograms at its end. */
typedef struct parts {
    uint64_t lengths[short_length]; /* the number of values of each length */
    size_t max_length;
    double numbers[group_rows];
    size_t number_count;
} parts;

/* A value that is not empty. */
typedef struct cell_facts {
    const uint8_t *text;
    size_t count, scalars;
    unsigned facts;  /* profile_is_… */
    bool has_ascii;  /* some characters are ASCII */
    uint32_t *shape; /* the place of its shape (known_shapes, number_shapes); NULL: it has no place */
    uint64_t record;
} cell_facts;

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
    profile->lengths = assay_histogram_create();
    profile->numbers = assay_histogram_create();
    if (profile->lengths != NULL && profile->numbers != NULL) return profile;
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
    free(profile->keys.slots);
    assay_histogram_free(profile->lengths);
    assay_histogram_free(profile->numbers);
    free(profile);
}

static void note_first(uint64_t *first, uint64_t record)
{
    if (record < *first) *first = record;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Distinct values
 * ------------------------------------------------------------------------------------------------------------- */

static void pour(void *context, const profile_entry *entry) { assay_distinct_add(context, entry->hash); }

/* Creates the sketch, which replaces exact counting when `values` overflows. */
static bool make_sketch(assay_profile *profile)
{
    if (profile->sketch == NULL) profile->sketch = assay_distinct_create(profile->options.precision);
    return profile->sketch != NULL;
}

static bool settle(assay_profile *profile);

static bool add_value(assay_profile *profile, uint64_t hash, const uint8_t *text, size_t length, bool is_cut,
                      uint64_t count, uint64_t record)
{
    if (profile->values.is_full) {
        assay_distinct_add(profile->sketch, hash);
        return true;
    }
    /* The sketch must exist before the table overflows, because pour() adds the hashes of all entries to it. All
       values must have been looked at, because the table then discards them. */
    if (profile->values.count == profile->values.max && !(make_sketch(profile) && settle(profile))) return false;
    return profile_table_add(&profile->values, hash, text, length, is_cut, count, record, pour, profile->sketch);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Shapes
 * ------------------------------------------------------------------------------------------------------------- */

static bool add_shape(assay_profile *profile, const uint8_t *shape, size_t length, uint64_t count, uint64_t record);

/* Goes to the next level of shapes: recounts all shapes with runs, or discards them. */
static bool coarsen(assay_profile *profile)
{
    profile_table fine = profile->shapes;
    profile->shapes = (profile_table){.max = fine.max};
    memset(profile->known_shapes, 0, sizeof profile->known_shapes);
    memset(profile->number_shapes, 0, sizeof profile->number_shapes);
    bool is_good = true;
    profile->shape_level = profile->options.has_no_runs ? 2 : profile->shape_level + 1;
    if (profile->shape_level == 1) {
        /* add_shape() may coarsen again, because there can be too many shapes with runs. This ends the loop. */
        for (uint32_t i = 0; is_good && i < fine.count && profile->shape_level == 1; i++) {
            const profile_entry *entry = &fine.entries[i];
            uint8_t runs[ASSAY_SHAPE_BYTES];
            const size_t length = profile_shape_with_runs(fine.texts + entry->text, entry->length, runs);
            is_good = add_shape(profile, runs, length, entry->count, entry->first_record);
        }
    }
    profile_table_clear(&fine);
    return is_good;
}

static bool add_shape(assay_profile *profile, const uint8_t *shape, size_t length, uint64_t count, uint64_t record)
{
    const uint64_t hash = assay_hash_bytes(shape, length);
    profile_entry *entry = profile_table_find(&profile->shapes, hash);
    profile->last_shape = 0;
    if (entry != NULL) {
        entry->count += count;
        note_first(&entry->first_record, record);
    } else if (profile->shapes.count < profile->shapes.max) {
        if (!profile_table_add(&profile->shapes, hash, shape, length, false, count, record, NULL, NULL)) return false;
        entry = &profile->shapes.entries[profile->shapes.count - 1];
    } else {
        const bool is_fine = profile->shape_level == 0;
        if (!coarsen(profile)) return false;
        if (!is_fine || profile->shape_level > 1) return true;
        uint8_t runs[ASSAY_SHAPE_BYTES];
        return add_shape(profile, runs, profile_shape_with_runs(shape, length, runs), count, record);
    }
    profile->last_shape = (uint32_t)(entry - profile->shapes.entries) + 1;
    return true;
}

/* The place of a shape; NULL: it has no place. The shape is 0 if it is unknown. */
static inline uint32_t *shape_place(assay_profile *profile, const uint64_t classes[4], uint32_t length)
{
    const uint64_t mixed =
        (classes[0] + (classes[1] << 23 | classes[1] >> 41)) ^ (3 * classes[2] + classes[3]) ^ length;
    known_shape *known = &profile->known_shapes[mixed * UINT64_C(0x9E3779B97F4A7C15) >> (64 - known_shape_bits)];
    if (((known->classes[0] ^ classes[0]) | (known->classes[1] ^ classes[1]) | (known->classes[2] ^ classes[2]) |
         (known->classes[3] ^ classes[3]) | (known->length ^ length)) != 0) {
        *known = (known_shape){{classes[0], classes[1], classes[2], classes[3]}, length, 0};
    }
    return &known->shape;
}

/* The place of the shape of a value with classes. */
static inline uint32_t *shape_place_of(assay_profile *profile, const uint64_t classes[4], unsigned facts, size_t count)
{
    /* Only truncated shapes depend on the first characters alone. */
    const bool is_longer = count > profile_whole_length;
    if ((facts & profile_is_long) != 0 || (is_longer && !profile->options.has_no_runs)) return NULL;
    return shape_place(profile, classes, is_longer ? profile_whole_length + 1 : (uint32_t)count);
}

/* The place of the shape of a value without ASCII characters. All longer values have the same shape. */
static uint32_t *high_shape_place(assay_profile *profile, size_t scalars)
{
    static const uint64_t classes[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    return shape_place(profile, classes, scalars > profile_whole_length ? profile_whole_length + 1 : (uint32_t)scalars);
}

/* Adds the shape of a value `times` times. */
static bool add_shape_of(assay_profile *profile, const cell_facts *value, uint64_t times)
{
    if (profile->shape_level > 1) return true;
    uint32_t *known = value->has_ascii ? value->shape : high_shape_place(profile, value->scalars);
    if (known != NULL && *known > 0) {
        profile_entry *entry = &profile->shapes.entries[*known - 1];
        entry->count += times;
        note_first(&entry->first_record, value->record);
        return true;
    }
    uint8_t shape[ASSAY_SHAPE_BYTES];
    const size_t length = profile->shape_level > 0
                              ? assay_profile_write_shape(value->text, value->count, 1, shape)
                              : profile_write_full(value->text, value->count, profile->options.has_no_runs, shape);
    if (!add_shape(profile, shape, length, times, value->record)) return false;
    if (known != NULL) *known = profile->last_shape;
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Single values
 * ------------------------------------------------------------------------------------------------------------- */

static void widen(assay_profile *profile, const profile_integer *integer)
{
    if (integer->count == 0) return;
    if (profile->min.count == 0 || profile_integer_is_less(integer, &profile->min)) profile->min = *integer;
    if (profile->greatest.count == 0 || profile_integer_is_less(&profile->greatest, integer))
        profile->greatest = *integer;
}

static bool add_numbers(assay_profile *profile, parts *from)
{
    const size_t count = from->number_count;
    from->number_count = 0;
    return profile_histogram_add_each(profile->numbers, from->numbers, count);
}

/* Adds a number to the histogram, or to `to` for later. */
static bool count_number(assay_profile *profile, double number, uint64_t times, parts *to)
{
    if (times != 1) return profile_histogram_add(profile->numbers, number, times);
    to->numbers[to->number_count++] = number;
    return to->number_count < group_rows || add_numbers(profile, to);
}

static inline bool may_begin_number(const assay_profile *profile, uint8_t first)
{
    return (first >= '0' && first <= '9') || first == '-' || first == '+' || first == profile->options.decimal;
}

static bool add_number(assay_profile *profile, const cell_facts *value, uint64_t times, parts *to)
{
    double number = 0;
    bool has_leading_zero = false;
    profile_number_kind kind = PROFILE_NO_NUMBER;
    if (may_begin_number(profile, value->text[0])) {
        kind = profile_read_number(value->text, value->count, profile->options.decimal, profile->options.group, &number,
                                   &has_leading_zero);
    }
    assay_profile_counts *counts = &profile->counts;
    if (kind != PROFILE_INTEGER) note_first(&counts->first_no_integer, value->record);
    if (kind == PROFILE_NO_NUMBER) {
        note_first(&counts->first_no_number, value->record);
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
        widen(profile, &integer);
    } else if (number >= 0x1p53 || number <= -0x1p53) {
        profile->has_large_fraction = true;
    }
    return count_number(profile, number, times, to);
}

static cell_facts cell_of(const uint8_t *text, size_t count, unsigned facts, uint64_t record)
{
    cell_facts cell = {text, count, count, facts, true, NULL, record};
    if ((facts & profile_is_high) == 0) return cell;
    const profile_text_facts read = profile_text_read(text, count);
    cell.scalars = read.scalars;
    cell.has_ascii = read.has_ascii;
    if (read.has_rare_lead) cell.facts |= profile_is_rare;
    return cell;
}

/* Updates all parts of the profile except the distinct values, and the count of `word` (profile_word_of), for a value
   that occurs `times` times. */
static bool look_at(assay_profile *profile, const cell_facts *value, size_t word, uint64_t times, parts *to)
{
    assay_profile_counts *counts = &profile->counts;
    const uint8_t *text = value->text;
    const size_t count = value->count;
    if (value->scalars < short_length) {
        to->lengths[value->scalars] += times;
        if (value->scalars > to->max_length) to->max_length = value->scalars;
    } else if (!profile_histogram_add(profile->lengths, (double)value->scalars, times)) {
        return false;
    }
    if ((value->facts & profile_is_high) != 0) {
        counts->not_ascii += times;
        if (profile_is_twice_encoded(text, count)) {
            counts->twice_encoded += times;
            note_first(&counts->first_twice_encoded, value->record);
        }
    }
    if ((value->facts & profile_is_padded) != 0) {
        counts->padded += times;
        note_first(&counts->first_padded, value->record);
    }
    if ((value->facts & profile_is_rare) != 0) profile_text_add(&profile->anomalies, text, count, times, value->record);
    if (word < profile_word_count) {
        profile->words[word] += times;
        counts->words += times;
    } else if (!profile->options.has_no_numbers && !add_number(profile, value, times, to)) {
        return false;
    }
    return add_shape_of(profile, value, times);
}

static void begin_parts(parts *of)
{
    memset(of->lengths, 0, sizeof of->lengths);
    of->max_length = of->number_count = 0;
}

/* Adds the counts that are kept during a call. */
static bool add_parts(assay_profile *profile, parts *from)
{
    for (size_t length = 1; length <= from->max_length; length++) {
        const uint64_t times = from->lengths[length];
        if (times > 0 && !profile_histogram_add(profile->lengths, (double)length, times)) return false;
    }
    return add_numbers(profile, from);
}

/* Looks at the values in a table that have not been looked at. */
static bool look_at_table(assay_profile *profile, const profile_table *table)
{
    parts to;
    begin_parts(&to);
    for (uint32_t i = 0; i < table->count; i++) {
        const profile_entry *entry = &table->entries[i];
        if (entry->count == entry->settled) continue;
        const uint8_t *text = table->texts + entry->text;
        const unsigned facts = profile_edge_facts(text, entry->length) | profile_byte_facts(text, entry->length);
        const cell_facts value = cell_of(text, entry->length, facts, entry->first_record);
        const size_t word = entry->is_word ? profile_word_of(text, entry->length) : profile_word_count;
        if (!look_at(profile, &value, word, entry->count - entry->settled, &to)) return false;
    }
    return add_parts(profile, &to);
}

static bool settle(assay_profile *profile)
{
    if (!profile->is_deferred) return true;
    if (!look_at_table(profile, &profile->values)) return false;
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
    while (bits < max_known_value_bits && (UINT32_C(2) << bits) <= profile->options.values) bits++;
    /* Without memory, values are found by their hashes. */
    profile->known_values = calloc((size_t)1 << bits, sizeof *profile->known_values);
    profile->known_value_bits = bits;
}

assay_status assay_profile_settle(assay_profile *profile) { return settle(profile) ? ASSAY_OK : ASSAY_NO_MEMORY; }

/* The record numbers of the rows of a group. */
typedef struct group_records {
    const assay_profile_rows *rows;
    size_t first;
    bool are_in_order;                     /* row `row` of the group is record `rows->record + first + row` */
    uint64_t non_records[group_rows / 64]; /* the number of rows before each word of the group that are not records */
} group_records;

static group_records records_of(const assay_profile_rows *rows, size_t first, size_t count)
{
    group_records records = {rows, first, rows->non_records == NULL && rows->row_of == NULL, {0}};
    if (rows->non_records == NULL || rows->row_of != NULL) return records;
    records.non_records[0] = profile_non_records_before(rows->non_records, first);
    for (size_t word = 1; word < assay_mask_words(count); word++) {
        const uint64_t non_records = rows->non_records[first / 64 + word - 1];
        records.non_records[word] = records.non_records[word - 1] + (uint64_t)__builtin_popcountll(non_records);
    }
    return records;
}

/* profile_record_of() for a row of the group. */
static inline uint64_t record_in(const group_records *records, size_t row)
{
    const assay_profile_rows *rows = records->rows;
    const uint64_t record = rows->record + records->first + row;
    if (records->are_in_order) return record;
    if (rows->row_of != NULL) return profile_record_of(rows, records->first + row);
    const uint64_t non_records = rows->non_records[(records->first + row) / 64] & ((UINT64_C(1) << row % 64) - 1);
    return record - records->non_records[row / 64] - (uint64_t)__builtin_popcountll(non_records);
}

/* A group of values while it is added. */
typedef struct group_state {
    assay_column_view rows;
    group_records records;
    profile_values values;
    uint64_t *words; /* the mask of words for missing values */
} group_state;

/* Counts a number of a group, except its shape. */
static inline bool count_short_number(assay_profile *profile, const group_state *group, size_t row,
                                      const profile_short_number *number, parts *to)
{
    assay_profile_counts *counts = &profile->counts;
    counts->numbers++;
    counts->integers += number->is_integer;
    counts->leading_zeros += number->has_leading_zero;
    if (!number->is_integer && counts->first_no_integer > group->records.rows->record) {
        note_first(&counts->first_no_integer, record_in(&group->records, row));
    }
    if (number->may_be_placeholder) {
        profile_placeholders_add(&profile->placeholders, number->value, 1, record_in(&group->records, row));
    } else {
        profile_placeholders_widen(&profile->placeholders, number->value);
    }
    return count_number(profile, number->value, 1, to);
}

/* Looks at value `index` of a group. `shape`: the place of its shape, or NULL. */
static bool look_at_row(assay_profile *profile, group_state *group, size_t index, parts *to, uint32_t *shape)
{
    const size_t row = group->values.rows[index];
    const unsigned facts = group->values.facts[index];
    const assay_cell cell = group->rows.cells[row];
    const uint8_t *text = group->rows.bytes + cell.start;
    cell_facts value = cell_of(text, cell.length, facts, record_in(&group->records, row));
    value.shape = shape;
    const size_t word = (facts & profile_is_odd) != 0 ? profile_word_of(text, cell.length) : profile_word_count;
    if (word < profile_word_count) group->words[row / 64] |= UINT64_C(1) << row % 64;
    return look_at(profile, &value, word, 1, to);
}

/* The values from `first` to `end` of a group. This fast path must agree with look_at_row(). */
static bool look_at_rows(assay_profile *profile, group_state *group, size_t first, size_t end, parts *to)
{
    const bool has_numbers = !profile->options.has_no_numbers;
    const uint8_t decimal = profile->options.decimal;
    const uint64_t record = group->records.rows->record;
    for (size_t index = first; index < end; index++) {
        const unsigned facts = group->values.facts[index];
        const size_t row = group->values.rows[index], count = group->rows.cells[row].length;
        const size_t start = group->rows.cells[row].start;
        const uint8_t *text = group->rows.bytes + start;
        const bool has_shape = profile->shape_level < 2;
        const bool is_plain = (facts & ~(unsigned)profile_is_long) == 0 && count < short_length;
        profile_short_number number = {0, false, false, false, 0};
        const bool may_be_number = has_numbers && may_begin_number(profile, text[0]);
        const bool is_number =
            may_be_number && is_plain &&
            profile_read_short_number(text, count, start + count, decimal, to->max_length > 9, &number);
        uint32_t *shape = NULL;
        if (has_shape) {
            shape = is_number ? &profile->number_shapes[number.form]
                              : shape_place_of(profile, group->values.classes[index], facts, count);
        }
        /* Other values, shapes that are new, and the first value that is not a number. */
        if (!is_plain || (may_be_number && !is_number) || (has_shape && (shape == NULL || *shape == 0)) ||
            (has_numbers && !is_number &&
             (profile->counts.first_no_number > record || profile->counts.first_no_integer > record))) {
            if (!look_at_row(profile, group, index, to, shape)) return false;
            continue;
        }
        to->lengths[count]++;
        if (count > to->max_length) to->max_length = count;
        if (has_shape) {
            profile_entry *entry = &profile->shapes.entries[*shape - 1];
            entry->count++;
            if (entry->first_record > record) note_first(&entry->first_record, record_in(&group->records, row));
        }
        if (is_number && !count_short_number(profile, group, row, &number, to)) return false;
    }
    return true;
}

static bool add_keys_of(assay_profile *profile, const profile_values *values)
{
    const uint64_t *hashes = values->hashes;
    for (size_t i = 0; i < values->count; i++) {
        if (i + prefetched < values->count && profile->keys.capacity > 0) {
            profile_keys_prefetch(&profile->keys, hashes[i + prefetched]);
        }
        if (!profile_keys_add(&profile->keys, hashes[i])) return false;
    }
    return true;
}

static bool are_equal(const uint8_t *one, const uint8_t *other, size_t count)
{
    for (; count > 8; one += 8, other += 8, count -= 8) {
        if (assay_hash_load(one, 8) != assay_hash_load(other, 8)) return false;
    }
    return assay_hash_load(one, count) == assay_hash_load(other, count);
}

/* The place of a value, and its words; NULL: it has no place. `before`: the number of readable bytes before its end. */
static inline known_value *known_value_of(const assay_profile *profile, const uint8_t *text, size_t count,
                                          size_t before, uint64_t words[2])
{
    if (before < 16) return NULL;
    if (count <= 16) {
        const profile_sixteen bytes = profile_load(text + count - 16) & profile_ones_before(count);
        memcpy(words, &bytes, sizeof bytes);
    } else {
        words[0] = assay_hash_load(text, 8);
        words[1] = assay_hash_load(text + count - 8, 8);
    }
    const uint64_t mixed = (words[0] ^ (words[1] << 29 | words[1] >> 35)) + count;
    return &profile->known_values[mixed * UINT64_C(0x9E3779B97F4A7C15) >> (64 - profile->known_value_bits)];
}

/* Counts the values of a group that are in `known_values`, and clears their bits in `there`. */
static void count_known_values(assay_profile *profile, const assay_column_view *group, uint64_t *there, uint64_t *words)
{
    profile_entry *entries = profile->values.entries;
    for (size_t word = 0; word < assay_mask_words(group->count); word++) {
        uint64_t known_rows = 0;
        for (uint64_t bits = there[word]; bits != 0; bits &= bits - 1) {
            const assay_cell cell = group->cells[word * 64 + (size_t)__builtin_ctzll(bits)];
            const size_t count = cell.length, before = cell.start + count;
            const uint8_t *text = group->bytes + cell.start;
            uint64_t value[2];
            const known_value *known = known_value_of(profile, text, count, before, value);
            if (known == NULL || known->index == 0) continue;
            if (((known->words[0] ^ value[0]) | (known->words[1] ^ value[1]) | (known->length ^ count)) != 0) continue;
            profile_entry *entry = &entries[known->index - 1];
            if (count > 16 && !are_equal(text, profile->values.texts + entry->text, count)) continue;
            entry->count++;
            known_rows |= bits & -bits;
            if (entry->is_word) words[word] |= bits & -bits;
        }
        there[word] &= ~known_rows;
        profile->counts.values += (uint64_t)__builtin_popcountll(known_rows);
    }
}

/* Counts value `index` of a group among the distinct values. `*is_counted` becomes whether it will be looked at when
   the profile is settled. */
static bool count_value(assay_profile *profile, group_state *group, size_t index, bool *is_counted)
{
    const uint64_t hash = group->values.hashes[index];
    const size_t row = group->values.rows[index];
    const assay_cell cell = group->rows.cells[row];
    const uint8_t *text = group->rows.bytes + cell.start;
    profile_table *values = &profile->values;
    *is_counted = false;
    profile_entry *entry = profile_table_find(values, hash);
    if (entry == NULL) {
        if (!add_value(profile, hash, text, cell.length, false, 1, record_in(&group->records, row))) return false;
        if (values->is_full) return true;
        entry = &values->entries[values->count - 1];
        entry->is_word = (group->values.facts[index] & profile_is_odd) != 0 &&
                         profile_word_of(text, cell.length) < profile_word_count;
        entry->settled = 0;
    } else {
        /* `first_record` needs no update, because records arrive in ascending order. */
        entry->count++;
    }
    /* Different values with equal hashes are counted as one value, but have their own properties. */
    if (!profile->is_deferred || entry->is_cut || entry->length != cell.length ||
        !are_equal(text, values->texts + entry->text, cell.length)) {
        entry->settled++;
        return true;
    }
    *is_counted = true;
    if (profile->known_values != NULL) {
        uint64_t words[2];
        known_value *known = known_value_of(profile, text, cell.length, cell.start + (size_t)cell.length, words);
        const uint32_t place = (uint32_t)(entry - values->entries) + 1;
        if (known != NULL) *known = (known_value){{words[0], words[1]}, cell.length, place};
    }
    if (entry->is_word) group->words[row / 64] |= UINT64_C(1) << row % 64;
    return true;
}

/* Counts distinct values, and looks at those that have not been looked at and will not be later. */
static bool add_values(assay_profile *profile, group_state *group, parts *to)
{
    const uint64_t *hashes = group->values.hashes;
    const size_t found = group->values.count;
    size_t i = 0;
    for (; i < found && !profile->values.is_full; i++) {
        bool is_counted = false;
        if (i + prefetched < found) profile_table_prefetch(&profile->values, hashes[i + prefetched]);
        if (i + prefetched / 2 < found) profile_table_prefetch_entry(&profile->values, hashes[i + prefetched / 2]);
        if (!count_value(profile, group, i, &is_counted)) return false;
        if (!is_counted && !look_at_rows(profile, group, i, i + 1, to)) return false;
    }
    for (size_t at = i; at < found; at++) __builtin_prefetch(profile_register(profile->sketch, hashes[at]), 1);
    if (!look_at_rows(profile, group, i, found, to)) return false;
    for (; i < found; i++) profile_sketch(profile->sketch, hashes[i]);
    return true;
}

/* Adds the rows of `there`, among the `group_rows` rows from `first` on. Bit 0 of `there` and of `words` is row
   `first`. Changes `there`. */
static bool add_group(assay_profile *profile, const assay_column_view *column, size_t first,
                      const assay_profile_rows *rows, uint64_t *there, parts *to, uint64_t *words)
{
    group_state group;
    group.rows = assay_column_part(column, first, group_rows);
    if (profile->known_values != NULL && !profile->values.is_full) {
        count_known_values(profile, &group.rows, there, words);
        uint64_t rest = 0;
        for (size_t word = 0; word < group_rows / 64; word++) rest |= there[word];
        if (rest == 0) return true;
    }
    group.records = records_of(rows, first, group.rows.count);
    group.words = words;
    assay_kernels_current()->profile_values(&group.values, &group.rows, there);
    profile->counts.values += group.values.count;
    if (profile->options.keys > 0 && !add_keys_of(profile, &group.values)) return false;
    return add_values(profile, &group, to);
}

assay_status assay_profile_add(assay_profile *profile, const uint8_t *bytes, const assay_cell *cells, size_t count,
                               const uint64_t *skip, const uint64_t *nulls, assay_profile_rows rows, uint64_t *absent,
                               uint64_t *words)
{
    const assay_column_view column = {bytes, cells, count, skip};
    parts to;
    begin_parts(&to);
    for (size_t first = 0; first < count; first += group_rows) {
        const size_t rest = count - first < group_rows ? count - first : group_rows;
        uint64_t there[group_rows / 64] = {0};
        for (size_t word = 0; word < assay_mask_words(rest); word++) {
            const size_t at = first / 64 + word;
            const uint64_t requested = assay_column_rest(&column, at);
            uint64_t empty = nulls == NULL ? 0 : nulls[at] & requested;
            const size_t left = rest - word * 64;
            empty |= assay_length_empty_rows(cells + at * 64, left < 64 ? left : 64, requested & ~empty);
            if (empty != 0) profile->counts.missing += (uint64_t)__builtin_popcountll(empty);
            absent[at] = ~(requested & ~empty);
            words[at] = 0;
            there[word] = requested & ~empty;
        }
        if (!add_group(profile, &column, first, &rows, there, &to, words + first / 64)) {
            return ASSAY_NO_MEMORY;
        }
    }
    return add_parts(profile, &to) ? ASSAY_OK : ASSAY_NO_MEMORY;
}

void assay_profile_mix_hashes(const uint8_t *bytes, const assay_cell *cells, size_t count, const uint64_t *skip,
                              const uint64_t *nulls, uint64_t *hashes)
{
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t bits = assay_mask_rest(skip, count, word); bits != 0; bits &= bits - 1) {
            const size_t row = word * 64 + (size_t)__builtin_ctzll(bits);
            const bool is_null = nulls != NULL && (nulls[word] & bits & -bits) != 0;
            const uint64_t hash = is_null ? 0 : assay_profile_hash(bytes + cells[row].start, cells[row].length);
            hashes[row] = assay_hash_mix(hashes[row], hash);
        }
    }
}

assay_status assay_profile_add_keys(assay_profile *profile, const uint64_t *hashes, size_t count, const uint64_t *skip)
{
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t bits = assay_mask_rest(skip, count, word); bits != 0; bits &= bits - 1) {
            if (!profile_keys_add(&profile->keys, hashes[word * 64 + (size_t)__builtin_ctzll(bits)])) {
                return ASSAY_NO_MEMORY;
            }
        }
    }
    return ASSAY_OK;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Merging
 * ------------------------------------------------------------------------------------------------------------- */

static bool merge_values(assay_profile *into, const assay_profile *from)
{
    if (from->values.is_full) {
        if (!make_sketch(into) || !settle(into)) return false;
        for (uint32_t i = 0; i < into->values.count; i++) pour(into->sketch, &into->values.entries[i]);
        profile_table_clear(&into->values);
        into->values.is_full = true;
        assay_distinct_merge(into->sketch, from->sketch);
        return true;
    }
    for (uint32_t i = 0; i < from->values.count; i++) {
        const profile_entry *entry = &from->values.entries[i];
        const uint32_t count = into->values.count;
        if (!add_value(into, entry->hash, from->values.texts + entry->text, entry->length, entry->is_cut, entry->count,
                       entry->first_record)) {
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
        if (!coarsen(into)) return false;
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
        if (!add_shape(into, text, length, entry->count, entry->first_record)) return false;
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
    note_first(&counts->first_twice_encoded, more->first_twice_encoded);
    counts->integers += more->integers;
    counts->numbers += more->numbers;
    counts->leading_zeros += more->leading_zeros;
    counts->beyond += more->beyond;
    note_first(&counts->first_no_integer, more->first_no_integer);
    note_first(&counts->first_no_number, more->first_no_number);
    note_first(&counts->first_padded, more->first_padded);
    profile_text_merge(&into->anomalies, &from->anomalies);
    profile_placeholders_merge(&into->placeholders, &from->placeholders);
    for (size_t i = 0; i < profile_word_count; i++) into->words[i] += from->words[i];
    widen(into, &from->min);
    widen(into, &from->greatest);
    into->has_large_fraction |= from->has_large_fraction;
    /* The values of `from` that have not been looked at. Those of `into` remain in its table. */
    if (from->is_deferred && !look_at_table(into, &from->values)) return ASSAY_NO_MEMORY;
    const bool is_good = merge_values(into, from) && merge_shapes(into, from) &&
                         profile_keys_merge(&into->keys, &from->keys) &&
                         assay_histogram_merge(into->lengths, from->lengths) == ASSAY_OK &&
                         assay_histogram_merge(into->numbers, from->numbers) == ASSAY_OK;
    return is_good ? ASSAY_OK : ASSAY_NO_MEMORY;
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
