/* The fast scanner: blocks of 64 bytes for well-formed records, the state machine for other records. */
#include "Dispatch/assay_kernels.h"
#include "Records/assay_scan_state.h"

void assay_scan_rest_fast(assay_scan_state *scan)
{
    const assay_kernels *path = assay_kernels_current();
    scan->find_marks = path->find_marks;
    /* The block scanner does not support bare CR as a terminator, dialects with more than a delimiter and a quote, or
     * record limits below the length of a blank line and one byte more (see take_records()). */
    const bool is_limit_short = scan->limits.record_bytes < assay_scan_min_length(scan);
    if (scan->dialect.cr_ends || scan->has_options || is_limit_short) {
        assay_scan_rest_plain(scan);
        return;
    }
    do {
        path->scan_blocks(scan);
        if (scan->status != ASSAY_OK) return;
        /* The record at this position is not well-formed, or the buffer ends inside it. After a runaway, only the state
         * machine reads the lines before `reach`, because only it rereads them in linear time. */
        do {
            if (!assay_scan_one(scan)) return;
        } while (scan->position < scan->reach);
    } while (true);
}

assay_status assay_scan(assay_batch *batch, const assay_dialect *dialect, const assay_record_limits *limits,
                        const uint8_t *bytes, size_t count, uint32_t max_records, bool is_last, bool continues)
{
    assay_scan_state scan;
    if (assay_scan_begin(&scan, batch, dialect, limits, bytes, count, max_records, is_last, continues)) {
        assay_scan_rest_fast(&scan);
    }
    return assay_scan_end(&scan);
}
