/* The properties of a record that a batch stores in addition to its bounds. */
#include "Records/assay_scan_account.h"

#include <string.h>

#include "Records/assay_batch.h"

/* Counts terminators, and CR LF as one. No record begins with the LF of a CR LF, because CR LF ends a record as a
   whole. */
static uint32_t count_mixed_terminators(const uint8_t *bytes, uint32_t count)
{
    uint32_t lines = 0;
    bool after_cr = false;
    for (uint32_t i = 0; i < count; i++) {
        lines += bytes[i] == '\r' || (bytes[i] == '\n' && !after_cr);
        after_cr = bytes[i] == '\r';
    }
    return lines;
}

uint32_t assay_count_lines(const uint8_t *bytes, size_t count, bool cr_ends)
{
    return cr_ends ? count_mixed_terminators(bytes, (uint32_t)count) : (uint32_t)assay_bytes_count(bytes, count, '\n');
}

/* Whether a field contains bytes that may make its cell differ from it: quotes, escapes or skipped spaces. */
static bool has_marks(const assay_dialect *dialect, const uint8_t *bytes, uint32_t count)
{
    if (dialect->quoting && memchr(bytes, dialect->quote, count) != NULL) return true;
    if (dialect->escape != 0 && memchr(bytes, dialect->escape, count) != NULL) return true;
    return dialect->skip_initial_space && (memchr(bytes, ' ', count) != NULL || memchr(bytes, '\t', count) != NULL);
}

void assay_scan_account(assay_scan_state *scan)
{
    assay_batch *batch = scan->batch;
    const uint32_t row = batch->record_count - 1;
    const uint8_t *bytes = scan->bytes + batch->records[row].start;
    const uint32_t count = batch->records[row].end - batch->records[row].start;
    batch->lines += assay_count_lines(bytes, count, scan->dialect.cr_ends);
    if (batch->records[row].flags & ASSAY_RECORD_COMMENT) {
        assay_batch_set_bit(batch->comments, row);
        batch->comment_count++;
    } else if (has_marks(&scan->dialect, bytes, count)) {
        assay_batch_set_bit(batch->quoted, row);
    }
    assay_batch_set_bit(batch->utf8_unverified, row);
}
