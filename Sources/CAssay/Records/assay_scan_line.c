/* Physical lines, for records with untrusted quotes and for the rest of records that are too long. A line is one field,
 * because a split by untrusted quotes would be a guess. */
#include "Records/assay_scan_line.h"

#include <string.h>

#include "Bytes/assay_utf8.h"
#include "Records/assay_batch.h"
#include "Records/assay_scan_account.h"

/* The first terminator at or after `position`, or the end of the buffer. Reads no bytes after the terminator: a search
 * for LF alone would read the whole buffer for each line of a file with CR terminators. */
static uint32_t terminator_position(const assay_scan_state *scan, uint32_t position)
{
    const uint8_t *bytes = scan->bytes;
    if (!scan->dialect.cr_ends) {
        const uint8_t *found = memchr(bytes + position, '\n', scan->count - position);
        return found == NULL ? scan->count : (uint32_t)(found - bytes);
    }
    while (position < scan->count && bytes[position] != '\n' && bytes[position] != '\r') position++;
    return position;
}

/* terminator_position() for dialects with an escape. If the buffer is not the last and ends with a pending escape, or
 * with an escape and a CR, `*end` is before the escape, so that the next piece begins with it. Otherwise `*end` is the
 * end of the buffer. */
static uint32_t unescaped_terminator_position(const assay_scan_state *scan, uint32_t from, uint32_t *end)
{
    const uint8_t *bytes = scan->bytes;
    const uint8_t escape = scan->dialect.escape;
    const bool cr_ends = scan->dialect.cr_ends;
    /* Begin at the run of escapes before `from`, because its length decides whether `from` is escaped. */
    uint32_t i = from;
    if (i > scan->position && bytes[i - 1] == '\r') i--;
    while (i > scan->position && bytes[i - 1] == escape) i--;
    *end = scan->count;
    for (; i < scan->count; i++) {
        if (bytes[i] == escape) {
            const uint32_t first = i++;
            const bool is_cr = i < scan->count && bytes[i] == '\r';
            if (is_cr) i++;
            if (i >= scan->count) {
                if (!scan->is_last) *end = first;
                break;
            }
            i -= is_cr && bytes[i] != '\n';
        } else if (i >= from && (bytes[i] == '\n' || (cr_ends && bytes[i] == '\r'))) {
            return i;
        }
    }
    return *end;
}

bool assay_scan_take_line(assay_scan_state *scan, uint32_t from, uint32_t flags)
{
    const uint8_t *bytes = scan->bytes;
    uint32_t start = scan->position;
    uint32_t buffer_end = scan->count;
    uint32_t field_end = scan->dialect.escape == 0 ? terminator_position(scan, from)
                                                   : unescaped_terminator_position(scan, from, &buffer_end);
    uint32_t end = field_end;
    bool terminated = field_end < buffer_end;
    if (terminated) {
        end++;
        if (bytes[field_end] == '\r') {
            if (end < scan->count) {
                end += bytes[end] == '\n';
            } else if (!scan->is_last) {
                /* The next buffer decides between CR and CR LF. It begins with the terminator. */
                terminated = false;
                end--;
            }
        } else if (field_end > start && bytes[field_end - 1] == '\r') {
            field_end--;
        }
    }
    const bool continues = !terminated && !scan->is_last;
    if (continues && end == scan->count) {
        /* Do not split a character, because pieces are encoded one by one. */
        end -= (uint32_t)utf8_unfinished(bytes + start, end - start);
        field_end = end;
    }
    if (end == start) return false;

    if (!(flags & ASSAY_RECORD_CONTINUATION) && (continues || end - start > scan->limits.record_bytes)) {
        flags = ASSAY_RECORD_TOO_LONG;
    }
    if (continues) flags |= ASSAY_RECORD_CONTINUED;

    assay_batch *batch = scan->batch;
    if (!assay_batch_reserve_fields(batch, batch->field_count, 1) ||
        !assay_batch_reserve_records(batch, batch->record_count, 1)) {
        scan->status = ASSAY_NO_MEMORY;
        return false;
    }
    batch->records[batch->record_count++] = (assay_record){start, end, batch->field_count, flags};
    batch->field_ends[batch->field_count++] = field_end;
    scan->visited += end - start;
    assay_scan_account(scan);
    scan->position = end;
    return true;
}
