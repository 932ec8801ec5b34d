/* A group of rows while its values are added. */
#ifndef ASSAY_PROFILE_GROUP_H
#define ASSAY_PROFILE_GROUP_H

#include "Columns/assay_column_view.h"
#include "Profile/profile_rows.h"
#include "Profile/profile_state.h"

/* The record numbers of the rows of a group. */
typedef struct profile_records {
    const assay_profile_rows *rows;
    size_t first;
    bool are_in_order; /* row `row` of the group is record `rows->record + first + row` */
    uint64_t non_records[profile_group_rows /
                         64]; /* the number of rows before each word of the group that are not records */
} profile_records;

static inline profile_records profile_records_of(const assay_profile_rows *rows, size_t first, size_t count)
{
    profile_records records = {rows, first, rows->non_records == NULL && rows->row_of == NULL, {0}};
    if (rows->non_records == NULL || rows->row_of != NULL) return records;
    records.non_records[0] = profile_non_records_before(rows->non_records, first);
    for (size_t word = 1; word < assay_mask_words(count); word++) {
        const uint64_t non_records = rows->non_records[first / 64 + word - 1];
        records.non_records[word] = records.non_records[word - 1] + (uint64_t)__builtin_popcountll(non_records);
    }
    return records;
}

/* profile_record_of() for a row of the group. */
static inline uint64_t profile_record_in(const profile_records *records, size_t row)
{
    const assay_profile_rows *rows = records->rows;
    const uint64_t record = rows->record + records->first + row;
    if (records->are_in_order) return record;
    if (rows->row_of != NULL) return profile_record_of(rows, records->first + row);
    const uint64_t non_records = rows->non_records[(records->first + row) / 64] & ((UINT64_C(1) << row % 64) - 1);
    return record - records->non_records[row / 64] - (uint64_t)__builtin_popcountll(non_records);
}

/* Adds the short numbers of a group to a column that consists of numbers and has too many values to count them
   individually, and clears their rows in `there`. This fast path must agree with the other one. Returns false if memory
   runs out. */
bool profile_add_numbers(assay_profile *profile, const assay_column_view *group, const profile_records *records,
                         uint64_t *there, profile_parts *to);

#endif
