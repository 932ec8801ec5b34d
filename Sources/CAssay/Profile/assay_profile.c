/* The profile of a column: one pass over the values, in groups of 256 rows. */
#include "assay/profile.h"

#include "Bytes/assay_hash.h"
#include "Bytes/assay_scalars.h"
#include "Bytes/assay_utf8.h"
#include "Columns/assay_column_view.h"
#include "Profile/profile_distinct.h"
#include "Profile/profile_keys.h"
#include "Profile/profile_number.h"
#include "Profile/profile_placeholder.h"
#include "Profile/profile_shape.h"
#include "Profile/profile_table.h"
#include "Profile/profile_text.h"
#include "Types/assay_type.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Texts that often mean "no value". */
static const char missing_words[][20] = {
    "NA",     "N/A",    "n/a",    "N/a",  "na",   "NaN",        "nan",
    "NAN",    "NULL",   "null",   "Null", "None", "none",       "nil",
    "-",      "--",     "---",    ".",    "?",    "#N/A",       "\\N",
    "(null)", "<null>", "<NULL>", "n.a.", "N.A.", "0000-00-00", "0000-00-00 00:00:00",
};
enum {
    word_count = sizeof missing_words / sizeof missing_words[0],
    longest_word = 6,
    date_length = 10,
    longest_date = 19
};

/* `group_rows` must be a multiple of 64. */
enum { group_rows = 256, prefetched = 12, short_length = 256 };

struct assay_profile {
    assay_profile_options options;
    assay_profile_counts counts;
    assay_profile_anomalies anomalies;
    assay_profile_placeholders placeholders;
    uint64_t words[word_count];
    profile_table values;
    assay_distinct *sketch; /* NULL: `values` counts them exactly */
    profile_keys keys;
    profile_table shapes;
    unsigned shape_level;
    /* The last shape and its index in `shapes`, because most columns repeat it. */
    uint8_t last_shape[ASSAY_SHAPE_BYTES];
    size_t last_length;
    uint32_t last_index;
    /* The bounds of the last shape, computed when it repeats. */
    bool has_bounds;
    profile_bounds bounds;
    assay_histogram *lengths;
    assay_histogram *numbers;
    /* The extremes of the integers beyond ±2^53. */
    profile_integer min, greatest;
    bool has_large_fraction; /* a number beyond ±2^53 with a decimal separator or an exponent */
};

/* The number of values of each length in one call. */
typedef struct length_counts {
    uint32_t counts[short_length];
} length_counts;

assay_profile *assay_profile_create(const assay_profile_options *options)
{
    assay_profile *profile = calloc(1, sizeof *profile);
    if (profile == NULL) return NULL;
    profile->options = *options;
    profile->values.max = options->values;
    profile->shapes.max = options->shapes;
    profile->keys.max = options->keys;
    profile->last_length = SIZE_MAX;
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

static bool add_value(assay_profile *profile, uint64_t hash, const uint8_t *text, size_t length, bool is_cut,
                      uint64_t count, uint64_t record)
{
    if (profile->values.is_full) {
        assay_distinct_add(profile->sketch, hash);
        return true;
    }
    /* The sketch must exist before the table overflows, because pour() adds the hashes of all entries to it. */
    if (profile->values.count == profile->values.max && !make_sketch(profile)) return false;
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
    profile->last_length = SIZE_MAX;
    profile->has_bounds = false;
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
    memcpy(profile->last_shape, shape, length);
    profile->last_length = length;
    profile->has_bounds = false;
    profile->last_index = (uint32_t)(entry - profile->shapes.entries);
    return true;
}

static bool add_shape_of(assay_profile *profile, const uint8_t *value, size_t count, bool is_ascii, uint64_t record)
{
    if (profile->shape_level > 1) return true;
    const bool has_runs = profile->shape_level > 0;
    if (profile->has_bounds && is_ascii && profile_is_within(value, count, &profile->bounds)) {
        profile->shapes.entries[profile->last_index].count++;
        return true;
    }
    uint8_t shape[ASSAY_SHAPE_BYTES];
    const size_t length = has_runs ? assay_profile_write_shape(value, count, 1, shape)
                                   : profile_write_full(value, count, profile->options.has_no_runs, shape);
    if (length == profile->last_length && memcmp(shape, profile->last_shape, length) == 0) {
        if (!has_runs && !profile->has_bounds) {
            profile->has_bounds = profile_shape_bounds(shape, length, &profile->bounds);
        }
        profile->shapes.entries[profile->last_index].count++;
        return true;
    }
    return add_shape(profile, shape, length, 1, record);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Single values
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether the length and the first byte allow one of the missing words, because comparing all values with all words
   takes long. Must accept every word of `missing_words`. */
static bool may_be_word(const uint8_t *value, size_t count)
{
    const uint8_t first = value[0];
    if (first == '-') return count == 1 || (count <= 3 && value[1] == '-');
    if (first == '.') return count == 1;
    if (first == '0') return (count == date_length || count == longest_date) && value[4] == '-';
    return count <= longest_word && (first == 'N' || first == 'n' || first == '?' || first == '#' || first == '\\' ||
                                     first == '(' || first == '<');
}

/* The index of a word that means "no value", or `word_count`. */
static size_t word_of(const uint8_t *value, size_t count)
{
    if (!may_be_word(value, count)) return word_count;
    size_t i = 0;
    /* Every word is shorter than its array and ends with a NUL. */
    while (i < word_count && (missing_words[i][0] != (char)value[0] || memcmp(missing_words[i], value, count) != 0 ||
                              missing_words[i][count] != '\0')) {
        i++;
    }
    return i;
}

static void widen(assay_profile *profile, const profile_integer *integer)
{
    if (integer->count == 0) return;
    if (profile->min.count == 0 || profile_integer_is_less(integer, &profile->min)) profile->min = *integer;
    if (profile->greatest.count == 0 || profile_integer_is_less(&profile->greatest, integer))
        profile->greatest = *integer;
}

static bool add_number(assay_profile *profile, const uint8_t *value, size_t count, uint64_t record)
{
    double number = 0;
    bool has_leading_zero = false;
    const uint8_t first = value[0];
    const bool may_be =
        (first >= '0' && first <= '9') || first == '-' || first == '+' || first == profile->options.decimal;
    const profile_number_kind kind = may_be ? profile_read_number(value, count, profile->options.decimal,
                                                                  profile->options.group, &number, &has_leading_zero)
                                            : PROFILE_NO_NUMBER;
    assay_profile_counts *counts = &profile->counts;
    if (kind != PROFILE_INTEGER) note_first(&counts->first_no_integer, record);
    if (kind == PROFILE_NO_NUMBER) {
        note_first(&counts->first_no_number, record);
        return true;
    }
    counts->numbers++;
    counts->integers += kind == PROFILE_INTEGER;
    counts->leading_zeros += has_leading_zero;
    if (number - number != 0) { /* infinite or NaN, because all other differences are 0 */
        counts->beyond++;
        return true;
    }
    profile_placeholders_add(&profile->placeholders, number, record);
    /* The extremes of large integers keep all digits, because a double would round them. */
    if ((number >= 0x1p53 || number <= -0x1p53) && kind == PROFILE_INTEGER) {
        profile_integer integer;
        profile_integer_read(&integer, value, count);
        widen(profile, &integer);
    } else if (number >= 0x1p53 || number <= -0x1p53) {
        profile->has_large_fraction = true;
    }
    return assay_histogram_add(profile->numbers, number, 1) == ASSAY_OK;
}

/* The number of continuation bytes in eight bytes, which have bit 7 and not bit 6. */
static size_t continuations(uint64_t word)
{
    const uint64_t high = word & profile_high_bits;
    return high == 0 ? 0 : (size_t)__builtin_popcountll(high & ~(word << 1));
}

static size_t scalars_of(const uint8_t *value, size_t count)
{
    size_t more = 0;
    size_t at = 0;
    for (; at + 8 <= count; at += 8) more += continuations(assay_hash_load(value + at, 8));
    for (; at < count; at++) more += is_continuation(value[at]);
    return count - more;
}

/* The byte of a non-ASCII character in windows-1252 or ISO-8859-1, or 0 if both lack the character. */
static uint8_t western_byte(uint32_t character)
{
    /* The characters of the bytes 80 to 9F in windows-1252; 0: an unused byte. */
    static const uint16_t high[32] = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                      0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                      0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
    if (character >= 0x80 && character <= 0xFF) return (uint8_t)character;
    for (uint8_t i = 0; i < 32; i++) {
        if (high[i] == character) return (uint8_t)(0x80 + i);
    }
    return 0;
}

/* Whether a decoded character makes double encoding probable. Other characters result from correct text: the end of
   "NESCAF\u00C9\u00AE", an accented capital and a sign, has the bytes of U+026E. */
static bool is_probable(uint32_t character)
{
    return (character >= 0xA0 && character <= 0x17F) || (character >= 0x386 && character <= 0x4FF) ||
           (character >= 0x5D0 && character <= 0x5EA) || (character >= 0x620 && character <= 0x6FF) ||
           (character >= 0x900 && character <= 0xD7FF) || (character >= 0xFE00 && character <= 0xFFFD) ||
           character >= 0x1F000;
}

/* Whether a non-ASCII text was probably encoded in UTF-8, read as windows-1252 and encoded again, such as
   Jos\u00C3\u00A9: all non-ASCII characters, as bytes of windows-1252, are well-formed UTF-8. */
static bool is_twice_encoded(const uint8_t *value, size_t count)
{
    bool has_any = false;
    for (size_t at = 0; at < count;) {
        size_t length = 0;
        if (value[at] < 0x80) {
            at++;
            continue;
        }
        uint8_t inner[4] = {western_byte(character_at(value + at, &length)), 0, 0, 0};
        at += length;
        const size_t target = inner[0] < 0xC2 ? 0 : inner[0] < 0xE0 ? 2 : inner[0] < 0xF0 ? 3 : 4;
        size_t found = 1;
        for (; found < target && at < count && value[at] >= 0x80; found++, at += length) {
            inner[found] = western_byte(character_at(value + at, &length));
        }
        if (target == 0 || found < target || assay_utf8_character(inner, target) != target) return false;
        if (!is_probable(character_at(inner, &length))) return false;
        has_any = true;
    }
    return has_any;
}

static bool is_blank(uint8_t byte) { return byte == ' ' || byte == '\t'; }

/* Updates all parts of the profile except the distinct values. `*is_word` becomes whether the value means "no
   value". */
static bool look_at(assay_profile *profile, const uint8_t *value, size_t count, bool is_ascii, uint64_t record,
                    length_counts *lengths, bool *is_word)
{
    assay_profile_counts *counts = &profile->counts;
    counts->values++;
    const size_t scalars = is_ascii ? count : scalars_of(value, count);
    if (scalars < short_length) {
        lengths->counts[scalars]++;
    } else if (assay_histogram_add(profile->lengths, (double)scalars, 1) != ASSAY_OK) {
        return false;
    }
    counts->not_ascii += !is_ascii;
    if (!is_ascii && is_twice_encoded(value, count)) {
        counts->twice_encoded++;
        note_first(&counts->first_twice_encoded, record);
    }
    if (is_blank(value[0]) || is_blank(value[count - 1])) {
        counts->padded++;
        note_first(&counts->first_padded, record);
    }
    if (profile_text_may_have_anomaly(value, count, is_ascii)) {
        profile_text_add(&profile->anomalies, value, count, record);
    }
    const size_t word = word_of(value, count);
    *is_word = word < word_count;
    if (*is_word) {
        profile->words[word]++;
        counts->words++;
    } else if (!profile->options.has_no_numbers && !add_number(profile, value, count, record)) {
        return false;
    }
    return add_shape_of(profile, value, count, is_ascii, record);
}

/* The number of rows before this one that are not records. */
static uint64_t non_records_before(const uint64_t *non_records, size_t row)
{
    if (non_records == NULL) return 0;
    uint64_t count = 0;
    for (size_t word = 0; word < row / 64; word++) count += (uint64_t)__builtin_popcountll(non_records[word]);
    if (row % 64 != 0) count += (uint64_t)__builtin_popcountll(non_records[row / 64] & ((UINT64_C(1) << row % 64) - 1));
    return count;
}

static uint64_t record_of(const assay_profile_rows *rows, size_t index)
{
    const size_t row = rows->row_of == NULL ? index : rows->row_of[index];
    return rows->record + row - non_records_before(rows->non_records, row);
}

/* Adds the rows of `there`, among the `group_rows` rows from `first` on. Bit 0 of `there` and of `words` is row
   `first`. */
static bool add_group(assay_profile *profile, const assay_column_view *column, size_t first,
                      const assay_profile_rows *rows, const uint64_t *there, length_counts *lengths, uint64_t *words)
{
    const assay_column_view group = assay_column_part(column, first, group_rows);
    const uint8_t *bytes = group.bytes;
    const assay_cell *cells = group.cells;
    uint64_t hashes[group_rows];
    uint16_t kept[group_rows];
    size_t found = 0;
    for (size_t word = 0; word < assay_mask_words(group.count); word++) {
        for (uint64_t bits = there[word]; bits != 0; bits &= bits - 1) {
            const size_t row = word * 64 + (size_t)__builtin_ctzll(bits);
            const assay_cell cell = cells[row];
            const uint8_t *value = bytes + cell.start;
            const uint64_t record = record_of(rows, first + row);
            uint64_t bytes_seen = 0;
            kept[found] = (uint16_t)row;
            hashes[found++] = profile_hash(value, cell.length, &bytes_seen);
            const bool is_ascii = (bytes_seen & profile_high_bits) == 0;
            bool is_word = false;
            if (!look_at(profile, value, cell.length, is_ascii, record, lengths, &is_word)) return false;
            if (is_word) words[word] |= bits & -bits;
        }
    }
    if (profile->options.keys > 0) {
        for (size_t i = 0; i < found; i++) {
            if (i + prefetched < found && profile->keys.capacity > 0) {
                __builtin_prefetch(&profile->keys.slots[hashes[i + prefetched] & (profile->keys.capacity - 1)], 1);
            }
            if (!profile_keys_add(&profile->keys, hashes[i])) return false;
        }
    }
    size_t i = 0;
    for (; i < found && !profile->values.is_full; i++) {
        if (i + prefetched < found) profile_table_prefetch(&profile->values, hashes[i + prefetched]);
        if (i + prefetched / 2 < found) profile_table_prefetch_entry(&profile->values, hashes[i + prefetched / 2]);
        /* `first_record` needs no update, because records arrive in ascending order. */
        profile_entry *known = profile_table_find(&profile->values, hashes[i]);
        if (known != NULL) {
            known->count++;
            continue;
        }
        const assay_cell cell = cells[kept[i]];
        const uint64_t record = record_of(rows, first + kept[i]);
        if (!add_value(profile, hashes[i], bytes + cell.start, cell.length, false, 1, record)) return false;
    }
    for (size_t at = i; at < found; at++) __builtin_prefetch(profile_register(profile->sketch, hashes[at]), 1);
    for (; i < found; i++) profile_sketch(profile->sketch, hashes[i]);
    return true;
}

static bool add_lengths(assay_profile *profile, const length_counts *lengths)
{
    for (unsigned length = 0; length < short_length; length++) {
        if (assay_histogram_add(profile->lengths, length, lengths->counts[length]) != ASSAY_OK) return false;
    }
    return true;
}

assay_status assay_profile_add(assay_profile *profile, const uint8_t *bytes, const assay_cell *cells, size_t count,
                               const uint64_t *skip, const uint64_t *nulls, assay_profile_rows rows, uint64_t *absent,
                               uint64_t *words)
{
    const assay_column_view column = {bytes, cells, count, skip};
    length_counts lengths = {{0}};
    for (size_t first = 0; first < count; first += group_rows) {
        const size_t rest = count - first < group_rows ? count - first : group_rows;
        uint64_t there[group_rows / 64] = {0};
        for (size_t word = 0; word < assay_mask_words(rest); word++) {
            const size_t at = first / 64 + word;
            const uint64_t requested = assay_column_rest(&column, at);
            uint64_t empty = nulls == NULL ? 0 : nulls[at] & requested;
            for (uint64_t bits = requested & ~empty; bits != 0; bits &= bits - 1) {
                if (cells[at * 64 + (size_t)__builtin_ctzll(bits)].length == 0) empty |= bits & -bits;
            }
            profile->counts.missing += (uint64_t)__builtin_popcountll(empty);
            absent[at] = ~(requested & ~empty);
            words[at] = 0;
            there[word] = requested & ~empty;
        }
        if (!add_group(profile, &column, first, &rows, there, &lengths, words + first / 64)) {
            return ASSAY_NO_MEMORY;
        }
    }
    return add_lengths(profile, &lengths) ? ASSAY_OK : ASSAY_NO_MEMORY;
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
        if (!make_sketch(into)) return false;
        for (uint32_t i = 0; i < into->values.count; i++) pour(into->sketch, &into->values.entries[i]);
        profile_table_clear(&into->values);
        into->values.is_full = true;
        assay_distinct_merge(into->sketch, from->sketch);
        return true;
    }
    for (uint32_t i = 0; i < from->values.count; i++) {
        const profile_entry *entry = &from->values.entries[i];
        if (!add_value(into, entry->hash, from->values.texts + entry->text, entry->length, entry->is_cut, entry->count,
                       entry->first_record)) {
            return false;
        }
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
    for (size_t i = 0; i < word_count; i++) into->words[i] += from->words[i];
    widen(into, &from->min);
    widen(into, &from->greatest);
    into->has_large_fraction |= from->has_large_fraction;
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

const char *assay_profile_word(size_t index) { return index < word_count ? missing_words[index] : NULL; }

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

void assay_profile_add_times(assay_profile_times *times, const assay_type *type, const uint8_t *bytes,
                             const assay_cell *cells, size_t count, const uint64_t *skip, assay_profile_rows rows)
{
    const assay_kind kind = assay_type_kind(type);
    const int64_t units = kind == ASSAY_KIND_DATE ? 1 : 86400;
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t bits = assay_mask_rest(skip, count, word); bits != 0; bits &= bits - 1) {
            const size_t row = word * 64 + (size_t)__builtin_ctzll(bits);
            const assay_cell cell = cells[row];
            assay_value value = {0};
            if (!assay_type_parse(type, bytes + cell.start, cell.length, &value)) continue;
            if (value.integer < times->first) times->first = value.integer;
            if (value.integer > times->last) times->last = value.integer;
            times->zoned += value.has_zone;
            /* All placeholders are up to 1970-01-01 or from 9999-12-31. */
            const bool may_be = value.integer < units || value.integer >= 2932896 * units;
            if (may_be && kind != ASSAY_KIND_TIME) {
                const int64_t day = value.integer / units - (value.integer % units < 0);
                if (profile_placeholders_add_day(times, day, record_of(&rows, row))) continue;
            }
            if (value.integer < times->first_other) times->first_other = value.integer;
            if (value.integer > times->last_other) times->last_other = value.integer;
        }
    }
}
