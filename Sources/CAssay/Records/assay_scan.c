/* The fast scanner: blocks of 64 bytes as long as records are well-formed, the state machine for the others. */
#include "Dispatch/assay_kernels.h"
#include "Records/assay_scan_state.h"

void assay_scan_rest_fast(assay_scan_state *scan)
{
    const assay_kernels *path = assay_kernels_current();
    scan->find_marks = path->find_marks;
    /* Blocks know LF only, no more of a dialect than its delimiter and its quote, and no limit that a blank line may exceed. */
    const bool is_limit_short = scan->limits.record_bytes < assay_scan_min_length(scan);
    if (scan->dialect.cr_ends || scan->has_options || is_limit_short) {
        assay_scan_rest_plain(scan);
        return;
    }
    do {
        path->scan_blocks(scan);
        if (scan->status != ASSAY_OK) return;
        /* The record here is odd, or the buffer ends within it. After a runaway the lines that it swallowed are read
         * by the state machine alone, which knows how to do that in linear time. */
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
