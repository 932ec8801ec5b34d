/* The shapes of a column, with their counts. */
#include "Profile/profile_state.h"

#include "Bytes/assay_hash.h"

#include <string.h>

bool profile_coarsen(assay_profile *profile)
{
    profile_table fine = profile->shapes;
    profile->shapes = (profile_table){.max = fine.max};
    memset(profile->known_shapes, 0, sizeof *profile->known_shapes << profile->known_shape_bits);
    memset(profile->number_shapes, 0, sizeof profile->number_shapes);
    bool is_good = true;
    profile->shape_level = profile->options.has_no_runs ? 2 : profile->shape_level + 1;
    if (profile->shape_level == 1) {
        /* profile_add_shape() may coarsen again, because there can be too many shapes with runs. This ends the loop. */
        for (uint32_t i = 0; is_good && i < fine.count && profile->shape_level == 1; i++) {
            const profile_entry *entry = &fine.entries[i];
            uint8_t runs[ASSAY_SHAPE_BYTES];
            const size_t length = profile_shape_with_runs(fine.texts + entry->text, entry->length, runs);
            is_good = profile_add_shape(profile, runs, length, entry->count, entry->first_record);
        }
    }
    profile_table_clear(&fine);
    return is_good;
}

bool profile_add_shape(assay_profile *profile, const uint8_t *shape, size_t length, uint64_t count, uint64_t record)
{
    const uint64_t hash = assay_hash_bytes(shape, length);
    profile_entry *entry = profile_table_find(&profile->shapes, hash);
    profile->last_shape = 0;
    if (entry != NULL) {
        entry->count += count;
        profile_note_first(&entry->first_record, record);
    } else if (profile->shapes.count < profile->shapes.max) {
        if (!profile_table_add(&profile->shapes, hash, shape, length, false, count, record, NULL, NULL)) return false;
        entry = &profile->shapes.entries[profile->shapes.count - 1];
    } else {
        const bool is_fine = profile->shape_level == 0;
        if (!profile_coarsen(profile)) return false;
        if (!is_fine || profile->shape_level > 1) return true;
        uint8_t runs[ASSAY_SHAPE_BYTES];
        return profile_add_shape(profile, runs, profile_shape_with_runs(shape, length, runs), count, record);
    }
    profile->last_shape = (uint32_t)(entry - profile->shapes.entries) + 1;
    return true;
}

/* The place of the shape of a value without ASCII characters. All longer values have the same shape. */
static profile_known_shape *high_shape_place(assay_profile *profile, size_t scalars)
{
    static const uint64_t classes[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    return profile_shape_place(profile, classes,
                               scalars > profile_whole_length ? profile_whole_length + 1 : (uint32_t)scalars);
}

/* Adds the shape of a value `times` times. */
bool profile_add_shape_of(assay_profile *profile, const profile_cell *value, uint64_t times)
{
    if (profile->shape_level > 1) return true;
    uint32_t *known = value->has_ascii ? value->shape : &high_shape_place(profile, value->scalars)->shape;
    if (known != NULL && *known > 0) {
        profile_entry *entry = &profile->shapes.entries[*known - 1];
        entry->count += times;
        profile_note_first(&entry->first_record, value->record);
        if (value->shape != NULL) *value->shape = *known;
        return true;
    }
    uint8_t shape[ASSAY_SHAPE_BYTES];
    const size_t length = profile->shape_level > 0
                              ? assay_profile_write_shape(value->text, value->count, 1, shape)
                              : profile_write_full(value->text, value->count, profile->options.has_no_runs, shape);
    if (!profile_add_shape(profile, shape, length, times, value->record)) return false;
    if (known != NULL) *known = profile->last_shape;
    if (value->shape != NULL) *value->shape = profile->last_shape;
    return true;
}
