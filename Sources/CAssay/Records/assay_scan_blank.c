/* Blank lines: whether they are records. */
#include "Records/assay_batch.h"
#include "Records/assay_scan_state.h"

#include <string.h>

/* Returns the end of the line at `start` if the line is blank or a comment. Returns `start` for other lines, and if the
 * buffer ends before the line or before the answer is known. */
static uint32_t skipped_line_end(const assay_scan_state *scan, uint32_t start)
{
    const uint8_t *bytes = scan->bytes;
    const bool cr_ends = scan->dialect.cr_ends;
    uint32_t i = start;
    if (i == scan->count) return start;
    if (scan->dialect.comment != 0 && bytes[i] == scan->dialect.comment) {
        if (cr_ends) {
            while (i < scan->count && bytes[i] != '\n' && bytes[i] != '\r') i++;
        } else {
            const uint8_t *found = memchr(bytes + i, '\n', scan->count - i);
            i = found == NULL ? scan->count : (uint32_t)(found - bytes);
        }
        if (i == scan->count) return scan->is_last ? i : start;
    }
    if (bytes[i] == '\n') return i + 1;
    if (bytes[i] != '\r') return start;
    if (i + 1 == scan->count) return scan->is_last && cr_ends ? i + 1 : start;
    if (bytes[i + 1] == '\n') return i + 2;
    return cr_ends ? i + 1 : start;
}

/* Whether more bytes can make the line at `start` a blank line, a comment, or the mark that ends the input. The bytes
 * in the buffer do not yet make it one. */
static bool is_open(const assay_scan_state *scan, uint32_t start)
{
    if (scan->is_last) return false;
    const uint8_t byte = scan->bytes[start];
    if (scan->dialect.comment != 0 && byte == scan->dialect.comment) return true;
    return start + 1 == scan->count && (byte == '\r' || (scan->dialect.end_mark && byte == ASSAY_END_MARK));
}

assay_blank_meaning assay_scan_blank(assay_scan_state *scan, uint32_t start)
{
    const bool is_mark = scan->bytes[start] == ASSAY_END_MARK;
    if (!is_mark && scan->dialect.blank_lines == ASSAY_BLANK_RECORDS) return ASSAY_BLANK_IS_RECORD;
    if (!is_mark && scan->dialect.blank_lines == ASSAY_BLANK_KEPT) {
        return skipped_line_end(scan, start) > start ? ASSAY_BLANK_IS_KEPT
               : is_open(scan, start)                ? ASSAY_BLANK_UNDECIDED
                                                     : ASSAY_BLANK_IS_RECORD;
    }
    const uint32_t limit =
        scan->limits.record_bytes < ASSAY_BLANK_BYTES ? scan->limits.record_bytes : ASSAY_BLANK_BYTES;
    if (scan->count - start > limit) return ASSAY_BLANK_IS_RECORD;
    uint32_t end = scan->blank_end > start ? scan->blank_end : start;
    const uint32_t known = end;
    for (uint32_t next; (next = skipped_line_end(scan, end)) > end;) end = next;
    scan->blank_end = end;
    scan->visited += end - known;
    const bool ends_in_mark = scan->dialect.end_mark && end + 1 == scan->count && scan->bytes[end] == ASSAY_END_MARK;
    if (scan->is_last) return end == scan->count || ends_in_mark ? ASSAY_BLANK_IS_KEPT : ASSAY_BLANK_IS_RECORD;
    return end == scan->count || is_open(scan, end) ? ASSAY_BLANK_UNDECIDED : ASSAY_BLANK_IS_RECORD;
}
