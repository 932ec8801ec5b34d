/* Physical lines: what is left of a record whose quotes cannot be believed, or that is too long. It is one field, since a split
 * that rests on those quotes would be a guess. */
#include "Records/assay_scan_line.h"

#include <string.h>

#include "Records/assay_batch.h"
#include "Records/assay_scan_account.h"

/* The first terminator at or after `position`; the end of the buffer if there is none. Looks no further than that: a search for
 * LF alone would go through the whole buffer for each line of a file that has only CR. */
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

bool assay_scan_take_line(assay_scan_state *scan, uint32_t from, uint32_t flags)
{
    const uint8_t *bytes = scan->bytes;
    uint32_t start = scan->position;
    uint32_t field_end = terminator_position(scan, from);
    uint32_t end = field_end;
    bool terminated = field_end < scan->count;
    if (terminated) {
        end++;
        if (bytes[field_end] == '\r') {
            if (end < scan->count) {
                end += bytes[end] == '\n';
            } else if (!scan->is_last) {
                /* CR, or CR LF? It waits for the next buffer, which then begins with the terminator. */
                terminated = false;
                end--;
            }
        } else if (field_end > start && bytes[field_end - 1] == '\r') {
            field_end--;
        }
    }
    if (end == start) return false;

    const bool continues = !terminated && !scan->is_last;
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
