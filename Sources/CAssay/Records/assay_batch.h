/* assay_batch.h: growing a batch, and helpers for code that reads one. */
#ifndef ASSAY_BATCH_H
#define ASSAY_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/core.h"

/* Makes room for `more` field ends after the first `used`. Returns false, and leaves the batch unchanged, if memory
 * runs out. */
bool assay_batch_reserve_fields(assay_batch *batch, uint32_t used, uint32_t more);

/* Makes room for `more` records after the first `used`, and for the closing entry. */
bool assay_batch_reserve_records(assay_batch *batch, uint32_t used, uint32_t more);

static inline void assay_batch_set_bit(uint64_t *mask, uint32_t row) { mask[row / 64] |= (uint64_t)1 << (row % 64); }

/* Whether a byte before a field is a space or tab that the dialect skips. */
static inline bool assay_dialect_skips(const assay_dialect *dialect, uint8_t byte)
{
    return dialect->skip_initial_space && (byte == ' ' || byte == '\t') && byte != dialect->delimiter;
}

/* The number of fields of record `index`. */
static inline uint32_t assay_batch_field_count(const assay_batch *batch, uint32_t index)
{
    return batch->records[index + 1].first_field - batch->records[index].first_field;
}

/* The first record after `index` with a different number of fields or different flags, or `end`. */
static inline uint32_t assay_batch_next_layout(const assay_batch *batch, uint32_t index, uint32_t end)
{
    return (uint32_t)assay_mask_next(batch->layout_changes, end, index + 1);
}

#endif
