/* The records that start in one part of a buffer, for readers that split a file into blocks.
 *
 * A reader does not know whether a block begins inside quotes. The reader guesses that the block begins outside quotes,
 * scans from the first line start on, and checks the guess later. Records after a record start do not depend on earlier
 * bytes. So if the previous block ends at one of the record starts found, all records from that start on are correct.
 * After a wrong guess, the scan usually finds a correct start soon: the quote that closes the field then follows other
 * characters of a field, and a quote in the middle of a field is data.
 *
 * Source: Ge et al., Speculative Distributed CSV Data Parsing for Big Data Analytics, SIGMOD 2019 */
#include <string.h>

#include "Records/assay_batch.h"
#include "Records/assay_scan_state.h"

/* The position after the first terminator at or after `position`, regardless of quotes; `count` if the buffer contains
 * no complete terminator. */
static uint32_t line_end(const assay_dialect *dialect, const uint8_t *bytes, uint32_t count, uint32_t position)
{
    if (!dialect->cr_ends) {
        const uint8_t *found = position < count ? memchr(bytes + position, '\n', count - position) : NULL;
        return found == NULL ? count : (uint32_t)(found - bytes) + 1;
    }
    while (position < count && bytes[position] != '\n' && bytes[position] != '\r') position++;
    if (position < count) position++;
    if (position > 0 && position < count && bytes[position - 1] == '\r' && bytes[position] == '\n') position++;
    return position;
}

size_t assay_scan_guess(const assay_dialect *dialect, const uint8_t *bytes, size_t count, size_t position)
{
    if (position == 0) return 0;
    return line_end(dialect, bytes, (uint32_t)count, (uint32_t)position - 1);
}

static bool ends_continued(const assay_batch *batch)
{
    return batch->record_count > 0 && (batch->records[batch->record_count - 1].flags & ASSAY_RECORD_CONTINUED) != 0;
}

/* The first entry that starts at or after `position`, or the number of entries. */
static uint32_t entry_from(const assay_batch *batch, uint32_t position)
{
    uint32_t low = 0, high = batch->record_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (batch->records[middle].start < position) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void clear_bits_from(uint64_t *mask, uint32_t first, uint32_t end)
{
    for (uint32_t row = first; row < end; row++) mask[row / 64] &= ~(UINT64_C(1) << row % 64);
}

/* Removes the entries from `first` on. `first` must be at least 1. */
static void drop_from(assay_scan_state *scan, uint32_t first)
{
    assay_batch *batch = scan->batch;
    const uint32_t end = batch->record_count;
    if (first == end) return;
    const assay_record next = batch->records[first];
    batch->lines -= assay_count_lines(scan->bytes + next.start, scan->position - next.start, scan->dialect.cr_ends);
    batch->comment_count = assay_batch_comments_before(batch, first);
    clear_bits_from(batch->quoted, first, end);
    clear_bits_from(batch->utf8_unverified, first, end);
    clear_bits_from(batch->comments, first, end);
    batch->record_count = first;
    batch->field_count = next.first_field;
    scan->position = next.start;
}

assay_status assay_scan_until(assay_batch *batch, const assay_dialect *dialect, const assay_record_limits *limits,
                              const uint8_t *bytes, size_t count, size_t end, bool is_last, bool continues)
{
    if (end >= count || end == 0) {
        return assay_scan(batch, dialect, limits, bytes, count, UINT32_MAX - 1, is_last, continues);
    }
    assay_scan_state scan;
    /* First scan only to the end of the line at `end`, because usually a record ends there and no bytes are scanned in
     * vain. */
    const uint32_t first_end = line_end(dialect, bytes, (uint32_t)count, (uint32_t)end - 1);
    const uint32_t max = UINT32_MAX - 1;
    const bool is_all = first_end == count;
    bool has_more =
        assay_scan_begin(&scan, batch, dialect, limits, bytes, first_end, max, is_last && is_all, continues);
    if (has_more) assay_scan_rest_fast(&scan);
    const bool is_cut = ends_continued(batch);
    if (scan.status == ASSAY_OK && !is_all && (scan.position < end || is_cut)) {
        /* A scan cannot resume a record that it took in part, so scan again from the beginning. */
        if (is_cut || (continues && batch->record_count == 0)) {
            has_more = assay_scan_begin(&scan, batch, dialect, limits, bytes, count, max, is_last, continues);
        } else {
            scan.count = (uint32_t)count;
            scan.is_last = is_last;
        }
        if (has_more) assay_scan_rest_fast(&scan);
        if (scan.status == ASSAY_OK) drop_from(&scan, entry_from(batch, (uint32_t)end));
    }
    return assay_scan_end(&scan);
}
