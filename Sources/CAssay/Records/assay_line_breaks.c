/* Cells with line breaks. If a quote on a later line happens to close a stray quote, the record is well-formed: only
 * the number of lines in one of the cells reveals the error. */
#include "Records/assay_batch.h"

void assay_batch_count_line_breaks(const assay_batch *batch, const assay_dialect *dialect, const uint8_t *bytes,
                                   uint32_t first, uint32_t count, const uint64_t *skip, assay_line_breaks *found)
{
    const uint32_t delimiter_bytes = assay_dialect_delimiter_bytes(dialect);
    for (size_t entry = first; (entry = assay_mask_next(batch->quoted, (size_t)first + count, entry)) < first + count;
         entry++) {
        const size_t row = entry - first;
        if (skip[row / 64] >> (row % 64) & 1) continue;
        const assay_record *record = &batch->records[entry];
        const uint32_t fields = assay_batch_field_count(batch, (uint32_t)entry);
        const uint32_t *ends = batch->field_ends + record->first_field;
        uint32_t start = record->start;
        if (assay_count_lines(bytes + start, ends[fields - 1] - start, dialect->cr_ends) == 0) continue;
        for (uint32_t field = 0; field < fields; field++) {
            const uint32_t lines = 1 + assay_count_lines(bytes + start, ends[field] - start, dialect->cr_ends);
            if (lines > 1) {
                found->cells++;
                found->lines += lines;
            }
            if (lines > 1 && lines > found->max_lines) {
                found->max_lines = lines;
                found->entry = (uint32_t)entry;
                found->field = field;
                found->start = start;
            }
            start = ends[field] + delimiter_bytes;
        }
    }
}
