/* Outputs: copies records unchanged to one of two buffers. Adjacent records with the same target are copied at once;
 * because most files are almost entirely clean, this is usually a single copy. */
#include "assay/core.h"
#include "assay/json.h"

#include <string.h>

/* The first row after `row` with a bit that differs from `is_rejected`, or `count`. */
static uint32_t run_end(const uint64_t *rejects, uint32_t count, uint32_t row, bool is_rejected)
{
    const uint64_t flip = is_rejected ? ~(uint64_t)0 : 0;
    uint32_t i = row / 64;
    uint64_t differs = (rejects[i] ^ flip) & (~(uint64_t)0 << (row % 64));
    while (differs == 0) {
        if ((uint64_t)++i * 64 >= count) return count;
        differs = rejects[i] ^ flip;
    }
    const uint32_t found = i * 64 + (uint32_t)__builtin_ctzll(differs);
    return found < count ? found : count;
}

void assay_emit_records(const assay_batch *batch, const uint8_t *bytes, uint32_t first, uint32_t count,
                        const uint64_t *rejects, const uint64_t *drops, uint8_t *clean, size_t *clean_count,
                        uint8_t *rejected, size_t *rejected_count)
{
    const assay_record *records = batch->records + first;
    size_t clean_used = 0, rejected_used = 0;
    for (uint32_t row = 0; row < count;) {
        const bool is_rejected = rejects[row / 64] >> (row % 64) & 1;
        uint32_t next = run_end(rejects, count, row, is_rejected);
        if (drops != NULL) {
            const bool is_dropped = drops[row / 64] >> (row % 64) & 1;
            const uint32_t end = run_end(drops, count, row, is_dropped);
            if (is_dropped || end < next) next = end;
            if (is_dropped) {
                row = next;
                continue;
            }
        }
        /* Records are adjacent: each begins at the end of the one before. */
        const uint32_t start = records[row].start;
        const size_t length = records[next - 1].end - start;
        if (is_rejected) {
            memcpy(rejected + rejected_used, bytes + start, length);
            rejected_used += length;
        } else {
            /* `clean` may begin at or before `bytes`. The target is then never after the source, so it overwrites only
             * bytes that are already copied. */
            memmove(clean + clean_used, bytes + start, length);
            clean_used += length;
        }
        row = next;
    }
    *clean_count = clean_used;
    *rejected_count = rejected_used;
}

/* The length of a record's terminator. */
static size_t terminator_count(const uint8_t *bytes, const assay_record *record, bool cr_ends)
{
    const uint32_t length = record->end - record->start;
    if (length == 0) return 0;
    const uint8_t *last = bytes + record->end - 1;
    if (*last == '\r') return cr_ends;
    if (*last != '\n') return 0;
    return length > 1 && last[-1] == '\r' ? 2 : 1;
}

static uint8_t *put(uint8_t *out, const uint8_t *bytes, size_t count)
{
    memcpy(out, bytes, count);
    return out + count;
}

size_t assay_emit_annotated(const assay_batch *batch, const uint8_t *bytes, uint32_t first, uint32_t count,
                            const uint64_t *rejects, bool cr_ends, bool objects, const assay_pieces *notes,
                            uint8_t *annotated)
{
    uint8_t *out = annotated;
    size_t next = 0;
    for (size_t row = assay_mask_next(rejects, count, 0); row < count; row = assay_mask_next(rejects, count, row + 1)) {
        const assay_record *record = &batch->records[first + row];
        const size_t note = next == 0 ? 0 : notes->ends[next - 1], note_end = notes->ends[next];
        next++;
        if (record->flags & ASSAY_RECORD_CONTINUED) {
            /* Copy the pieces of an overlong record unchanged. Only the last piece is annotated. */
            out = put(out, bytes + record->start, record->end - record->start);
            continue;
        }
        size_t place = record->end - terminator_count(bytes, record, cr_ends), from = note;
        if (objects && note_end > note) {
            bool is_empty = false;
            place = assay_json_object_end(bytes, record->start, record->end, &is_empty);
            if (is_empty) from++;
        }
        out = put(out, bytes + record->start, place - record->start);
        out = put(out, notes->bytes + from, note_end - from);
        out = put(out, bytes + place, record->end - place);
    }
    return (size_t)(out - annotated);
}
