/* The beginning and end of a scan, shared by the plain and the fast scanner. */
#include "Records/assay_scan_state.h"

#include <string.h>

#include "Records/assay_batch.h"
#include "Records/assay_scan_line.h"

/* Empties the batch without freeing memory. */
static void forget(assay_batch *batch)
{
    const size_t words = assay_mask_words(batch->record_count);
    memset(batch->quoted, 0, words * sizeof *batch->quoted);
    memset(batch->utf8_unverified, 0, words * sizeof *batch->utf8_unverified);
    if (batch->comment_count > 0) memset(batch->comments, 0, words * sizeof *batch->comments);
    batch->comment_count = 0;
    batch->record_count = 0;
    batch->field_count = 0;
    batch->lines = 0;
}

bool assay_scan_begin(assay_scan_state *scan, assay_batch *batch, const assay_dialect *dialect,
                      const assay_record_limits *limits, const uint8_t *bytes, size_t count, uint32_t max_records,
                      bool is_last, bool continues)
{
    forget(batch);
    batch->consumed = 0;
    *scan = (assay_scan_state){
        .batch = batch,
        .bytes = bytes,
        .dialect = *dialect,
        .limits = *limits,
        .max_records = max_records,
        .is_last = is_last,
        .has_options =
            dialect->delimiter2 != 0 || dialect->escape != 0 || dialect->comment != 0 || dialect->skip_initial_space,
        .marks = {'\n', '\r', dialect->delimiter, dialect->quote, dialect->escape},
        .block_start = (uint32_t)INT32_MAX + 1, /* after the end of every buffer */
    };
    for (size_t i = 0; i < ASSAY_SCAN_MARKS; i++) scan->is_mark[scan->marks[i]] = true;
    if (count > INT32_MAX) {
        scan->status = ASSAY_TOO_LARGE;
        return false;
    }
    scan->count = (uint32_t)count;
    if (continues && count > 0 && max_records > 0) {
        return assay_scan_take_line(scan, 0, ASSAY_RECORD_CONTINUATION);
    }
    return count > 0;
}

/* The layout of a record: its number of fields and its flags. */
static uint64_t layout_of(const assay_record *record)
{
    return (uint64_t)record->flags << 32 | (record[1].first_field - record->first_field);
}

/* The records, among `count` (at most 64), with another layout than their predecessor. `*layout` is the layout of the
 * previous record. */
static uint64_t find_layout_changes(const assay_record *records, uint32_t count, uint64_t *layout)
{
    uint64_t changes = 0;
    for (uint32_t row = 0; row < count; row++) {
        const uint64_t here = layout_of(&records[row]);
        changes |= (uint64_t)(here != *layout) << row;
        *layout = here;
    }
    return changes;
}

assay_status assay_scan_end(assay_scan_state *scan)
{
    assay_batch *batch = scan->batch;
    if (scan->status != ASSAY_OK) {
        scan->position = 0;
        forget(batch);
    }
    batch->consumed = scan->position;
    batch->records[batch->record_count] = (assay_record){batch->consumed, batch->consumed, batch->field_count, 0};
    uint64_t layout = batch->record_count > 0 ? layout_of(batch->records) : 0;
    batch->min_fields = (uint32_t)layout;
    for (uint32_t first = 0; first < batch->record_count; first += 64) {
        const uint32_t left = batch->record_count - first;
        uint64_t changes = find_layout_changes(batch->records + first, left < 64 ? left : 64, &layout);
        batch->layout_changes[first / 64] = changes;
        for (; changes != 0; changes &= changes - 1) {
            const uint32_t fields = assay_batch_field_count(batch, first + (uint32_t)__builtin_ctzll(changes));
            if (fields < batch->min_fields) batch->min_fields = fields;
        }
    }
    return scan->status;
}
