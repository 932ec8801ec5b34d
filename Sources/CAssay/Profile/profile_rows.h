/* The record numbers of the rows of a call. */
#ifndef ASSAY_PROFILE_ROWS_H
#define ASSAY_PROFILE_ROWS_H

#include "assay/profile.h"

/* The number of rows before this one that are not records. O(row). */
static inline uint64_t profile_non_records_before(const uint64_t *non_records, size_t row)
{
    if (non_records == NULL) return 0;
    uint64_t count = 0;
    for (size_t word = 0; word < row / 64; word++) count += (uint64_t)__builtin_popcountll(non_records[word]);
    if (row % 64 != 0) count += (uint64_t)__builtin_popcountll(non_records[row / 64] & ((UINT64_C(1) << row % 64) - 1));
    return count;
}

/* The record of value `index`. O(index). */
static inline uint64_t profile_record_of(const assay_profile_rows *rows, size_t index)
{
    const size_t row = rows->row_of == NULL ? index : rows->row_of[index];
    return rows->record + row - profile_non_records_before(rows->non_records, row);
}

#endif
