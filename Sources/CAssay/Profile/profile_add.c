/* Adding the values of a column, in groups of 256 rows. */
#include "Bytes/assay_hash.h"
#include "Bytes/assay_length.h"
#include "Dispatch/assay_kernels.h"
#include "Profile/profile_classes.h"
#include "Profile/profile_group.h"
#include "Profile/profile_placeholder.h"
#include "Profile/profile_text.h"

#include <string.h>

enum { prefetched = 12 };

/* A group of values while it is added. */
typedef struct group_state {
    assay_column_view rows;
    profile_records records;
    profile_values values;
    uint64_t *words;    /* the mask of words for missing values */
    uint64_t *deferred; /* the mask of values that are examined later */
} group_state;

/* Counts a number of a group, except its shape. */
static inline bool count_short_number(assay_profile *profile, const group_state *group, size_t row,
                                      const profile_short_number *number, profile_parts *to)
{
    assay_profile_counts *counts = &profile->counts;
    counts->numbers++;
    counts->integers += number->is_integer;
    counts->leading_zeros += number->has_leading_zero;
    if (!number->is_integer && counts->first_no_integer > group->records.rows->record) {
        profile_note_first(&counts->first_no_integer, profile_record_in(&group->records, row));
    }
    if (number->may_be_placeholder) {
        profile_placeholders_add(&profile->placeholders, number->value, 1, profile_record_in(&group->records, row));
    } else {
        profile_placeholders_widen(&profile->placeholders, number->value);
    }
    return profile_count_number(profile, number->value, 1, to);
}

/* Looks at value `index` of a group. `shape`: the place of its shape, or NULL. */
static bool examine_row(assay_profile *profile, group_state *group, size_t index, profile_parts *to, uint32_t *shape)
{
    const size_t row = group->values.rows[index];
    const unsigned facts = group->values.facts[index];
    const assay_cell cell = group->rows.cells[row];
    const uint8_t *text = group->rows.bytes + cell.start;
    profile_cell value = profile_cell_of(text, cell.length, facts, profile_record_in(&group->records, row));
    value.shape = shape;
    const size_t word = (facts & profile_is_odd) != 0 ? profile_word_of(text, cell.length) : profile_word_count;
    if (word < profile_word_count) group->words[row / 64] |= UINT64_C(1) << row % 64;
    return profile_examine(profile, &value, word, 1, to);
}

/* Successive values with equal classes and lengths, which are counted together. The columns of dates, codes and hashes
   consist of them. */
typedef struct class_run {
    const uint64_t *classes; /* of the first value; NULL: no run */
    size_t length;
    uint32_t shape; /* 1 + its index in `shapes`; 0: no shapes */
    uint64_t count; /* of the values after the first one */
} class_run;

static inline bool continues_run(const class_run *run, const uint64_t classes[4], unsigned facts, size_t length)
{
    if (run->classes == NULL || facts != 0 || length != run->length) return false;
    const uint64_t *first = run->classes;
    return ((first[0] ^ classes[0]) | (first[1] ^ classes[1]) | (first[2] ^ classes[2]) | (first[3] ^ classes[3])) == 0;
}

static inline void end_run(assay_profile *profile, class_run *run, profile_parts *to)
{
    if (run->count > 0) {
        to->lengths[run->length] += run->count;
        if (run->shape > 0) profile->shapes.entries[run->shape - 1].count += run->count;
    }
    run->classes = NULL;
    run->count = 0;
}

static inline void add_length(profile_parts *to, size_t length)
{
    to->lengths[length]++;
    if (length > to->max_length) to->max_length = length;
}

/* Adds a row to a shape. `shape`: 1 + its index in `shapes`. */
static inline void add_to_shape(assay_profile *profile, uint32_t shape, const profile_records *records, size_t row)
{
    profile_entry *entry = &profile->shapes.entries[shape - 1];
    entry->count++;
    if (entry->first_record > records->rows->record) {
        profile_note_first(&entry->first_record, profile_record_in(records, row));
    }
}

/* Keeps the number of scalars of a value with its shape, unless another shape has replaced that. */
static void count_scalars(profile_known_shape *known, const uint64_t classes[4], const uint8_t *text, size_t count)
{
    if (memcmp(known->classes, classes, sizeof known->classes) != 0 || known->length != count) return;
    known->scalars = (uint16_t)profile_text_read(text, count).scalars;
}

/* The values from `first` to `end` of a group. This fast path must agree with examine_row(). */
static bool examine_rows(assay_profile *profile, group_state *group, size_t first, size_t end, profile_parts *to)
{
    const bool has_numbers = !profile->options.has_no_numbers;
    const uint8_t decimal = profile->options.decimal;
    const uint64_t record = group->records.rows->record;
    class_run run = {NULL, 0, 0, 0};
    for (size_t index = first; index < end; index++) {
        const unsigned facts = group->values.facts[index];
        const uint64_t *classes = group->values.classes[index];
        const size_t row = group->values.rows[index], count = group->rows.cells[row].length;
        if (continues_run(&run, classes, facts, count)) {
            run.count++;
            continue;
        }
        end_run(profile, &run, to);
        const size_t start = group->rows.cells[row].start;
        const uint8_t *text = group->rows.bytes + start;
        const bool has_shape = profile->shape_level < 2;
        const bool is_plain = (facts & ~(unsigned)profile_is_long) == 0 && count < profile_short_length;
        profile_short_number number = {0, false, false, false, 0};
        const bool may_be_number = has_numbers && profile_may_begin_number(profile, text[0]);
        const bool is_number =
            may_be_number && is_plain &&
            profile_read_short_number(text, count, start + count, decimal, to->max_length > 9, &number);
        profile_known_shape *known =
            has_shape && !is_number ? profile_shape_place_of(profile, classes, facts, count) : NULL;
        uint32_t *shape = is_number && has_shape ? &profile->number_shapes[number.form]
                          : known != NULL        ? &known->shape
                                                 : NULL;
        const bool is_first = has_numbers && !is_number &&
                              (profile->counts.first_no_number > record || profile->counts.first_no_integer > record);
        if (facts == profile_is_high && known != NULL && known->shape > 0 && known->scalars > 0 && !may_be_number &&
            !is_first) {
            profile->counts.not_ascii++;
            add_length(to, known->scalars);
            add_to_shape(profile, known->shape, &group->records, row);
            continue;
        }
        /* Other values, shapes that are new, and the first value that is not a number. */
        if (!is_plain || (may_be_number && !is_number) || (has_shape && (shape == NULL || *shape == 0)) || is_first) {
            if (!examine_row(profile, group, index, to, shape)) return false;
            if (facts == profile_is_high && known != NULL) count_scalars(known, classes, text, count);
            continue;
        }
        add_length(to, count);
        if (has_shape) add_to_shape(profile, *shape, &group->records, row);
        if (is_number && !count_short_number(profile, group, row, &number, to)) return false;
        /* Values with the classes of this one do not begin as numbers either. */
        if (!may_be_number && facts == 0) run = (class_run){classes, count, has_shape ? *shape : 0, 0};
    }
    end_run(profile, &run, to);
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
static inline profile_known_value *known_value_of(const assay_profile *profile, const uint8_t *text, size_t count,
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

/* Counts the values of a group that are in `known_values`, and moves their bits from `there` to `deferred`. */
static void count_known_values(assay_profile *profile, const assay_column_view *group, uint64_t *there, uint64_t *words,
                               uint64_t *deferred)
{
    profile_entry *entries = profile->values.entries;
    for (size_t word = 0; word < assay_mask_words(group->count); word++) {
        uint64_t known_rows = 0;
        for (uint64_t bits = there[word]; bits != 0; bits &= bits - 1) {
            const assay_cell cell = group->cells[word * 64 + (size_t)__builtin_ctzll(bits)];
            const size_t count = cell.length, before = cell.start + count;
            const uint8_t *text = group->bytes + cell.start;
            uint64_t value[2];
            const profile_known_value *known = known_value_of(profile, text, count, before, value);
            if (known == NULL || known->index == 0) continue;
            if (((known->words[0] ^ value[0]) | (known->words[1] ^ value[1]) | (known->length ^ count)) != 0) continue;
            profile_entry *entry = &entries[known->index - 1];
            if (count > 16 && !are_equal(text, profile->values.texts + entry->text, count)) continue;
            entry->count++;
            known_rows |= bits & -bits;
            if (entry->is_word) words[word] |= bits & -bits;
        }
        there[word] &= ~known_rows;
        deferred[word] |= known_rows;
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
        if (!profile_add_value(profile, hash, text, cell.length, false, 1, profile_record_in(&group->records, row)))
            return false;
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
    group->deferred[row / 64] |= UINT64_C(1) << row % 64;
    if (profile->known_values != NULL) {
        uint64_t words[2];
        profile_known_value *known =
            known_value_of(profile, text, cell.length, cell.start + (size_t)cell.length, words);
        const uint32_t place = (uint32_t)(entry - values->entries) + 1;
        if (known != NULL) *known = (profile_known_value){{words[0], words[1]}, cell.length, place};
    }
    if (entry->is_word) group->words[row / 64] |= UINT64_C(1) << row % 64;
    return true;
}

/* Counts distinct values, and looks at those that have not been looked at and will not be later. */
static bool add_values(assay_profile *profile, group_state *group, profile_parts *to)
{
    const uint64_t *hashes = group->values.hashes;
    const size_t found = group->values.count;
    size_t i = 0;
    for (; i < found && !profile->values.is_full; i++) {
        bool is_counted = false;
        if (i + prefetched < found) profile_table_prefetch(&profile->values, hashes[i + prefetched]);
        if (i + prefetched / 2 < found) profile_table_prefetch_entry(&profile->values, hashes[i + prefetched / 2]);
        if (!count_value(profile, group, i, &is_counted)) return false;
        if (!is_counted && !examine_rows(profile, group, i, i + 1, to)) return false;
    }
    for (size_t at = i; at < found; at++) __builtin_prefetch(profile_register(profile->sketch, hashes[at]), 1);
    if (!examine_rows(profile, group, i, found, to)) return false;
    for (; i < found; i++) profile_sketch(profile->sketch, hashes[i]);
    return true;
}

static bool is_zero(const uint64_t there[profile_group_rows / 64])
{
    uint64_t rest = 0;
    for (size_t word = 0; word < profile_group_rows / 64; word++) rest |= there[word];
    return rest == 0;
}

/* Adds the rows of `there`, among the `profile_group_rows` rows from `first` on. Bit 0 of the masks is row `first`.
   Changes `there`. */
static bool add_group(assay_profile *profile, const assay_column_view *column, size_t first,
                      const assay_profile_rows *rows, uint64_t *there, profile_parts *to, uint64_t *words,
                      uint64_t *deferred)
{
    group_state group;
    group.rows = assay_column_part(column, first, profile_group_rows);
    if (profile->known_values != NULL && !profile->values.is_full) {
        count_known_values(profile, &group.rows, there, words, deferred);
        if (is_zero(there)) return true;
    }
    group.records = profile_records_of(rows, first, group.rows.count);
    group.words = words;
    group.deferred = deferred;
    if (profile->values.is_full && !profile->options.has_no_numbers &&
        2 * profile->counts.numbers > profile->counts.values) {
        if (!profile_add_numbers(profile, &group.rows, &group.records, there, to)) return false;
        if (is_zero(there)) return true;
    }
    assay_kernels_current()->profile_values(&group.values, &group.rows, there);
    profile->counts.values += group.values.count;
    if (profile->options.keys > 0 && !profile_keys_add(&profile->keys, group.values.hashes, group.values.count)) {
        return false;
    }
    return add_values(profile, &group, to);
}

assay_status assay_profile_add(assay_profile *profile, const uint8_t *bytes, const assay_cell *cells, size_t count,
                               const uint64_t *skip, const uint64_t *nulls, assay_profile_rows rows, uint64_t *absent,
                               uint64_t *words, uint64_t *deferred)
{
    const assay_column_view column = {bytes, cells, count, skip};
    profile_parts to;
    profile_parts_begin(&to);
    for (size_t first = 0; first < count; first += profile_group_rows) {
        const size_t rest = count - first < profile_group_rows ? count - first : profile_group_rows;
        uint64_t there[profile_group_rows / 64] = {0}, later[profile_group_rows / 64] = {0};
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
        if (!add_group(profile, &column, first, &rows, there, &to, words + first / 64, later)) return ASSAY_NO_MEMORY;
        if (deferred != NULL) memcpy(deferred + first / 64, later, assay_mask_words(rest) * sizeof *later);
    }
    return profile_parts_add(profile, &to) ? ASSAY_OK : ASSAY_NO_MEMORY;
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
        uint64_t kept[64];
        size_t found = 0;
        for (uint64_t bits = assay_mask_rest(skip, count, word); bits != 0; bits &= bits - 1) {
            kept[found++] = hashes[word * 64 + (size_t)__builtin_ctzll(bits)];
        }
        if (!profile_keys_add(&profile->keys, kept, found)) return ASSAY_NO_MEMORY;
    }
    return ASSAY_OK;
}
