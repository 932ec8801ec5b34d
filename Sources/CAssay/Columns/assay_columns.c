/* Columns: one field of many records, as cells without their quotes. */
#include "assay/core.h"

#include <string.h>

#include "Records/assay_batch.h"

/* The text of the quoted field [start, end), whose first byte is a quote. If quotes stand within it, the text is
 * written to the free bytes:
 *
 *     "a ""b"" c"  ──►  a "b" c
 *
 * Malformed fields come out as the state machine reads them: `"ab"cd` is abcd, and `"ab` without its end is ab. */
static assay_cell unquote(uint8_t *bytes, uint32_t *used, uint8_t quote, uint32_t start, uint32_t end)
{
    const uint32_t inner = start + 1;
    const uint8_t *found = memchr(bytes + inner, quote, end - inner);
    if (found == NULL) return (assay_cell){inner, end - inner};
    uint32_t at = (uint32_t)(found - bytes);
    if (at + 1 == end) return (assay_cell){inner, at - inner};

    const uint32_t target = *used;
    uint32_t length = 0, from = inner;
    /* `at` is a quote inside the quoted part. Each piece up to it is copied, with the quote if it is doubled. */
    while (at + 1 < end && bytes[at + 1] == quote) {
        memcpy(bytes + target + length, bytes + from, at + 1 - from);
        length += at + 1 - from;
        from = at + 2;
        found = memchr(bytes + from, quote, end - from);
        if (found == NULL) break;
        at = (uint32_t)(found - bytes);
    }
    uint32_t piece = (found == NULL ? end : at) - from;
    memcpy(bytes + target + length, bytes + from, piece);
    length += piece;
    if (found != NULL && at + 1 < end) {
        memcpy(bytes + target + length, bytes + at + 1, end - at - 1);
        length += end - at - 1;
    }
    *used = target + length;
    return (assay_cell){target, length};
}

static inline __attribute__((always_inline)) assay_cell cell_of(uint8_t *bytes, uint32_t *used, uint8_t quote,
                                                                bool may_be_quoted, uint32_t start, uint32_t end)
{
    if (may_be_quoted && start < end && bytes[start] == quote) return unquote(bytes, used, quote, start, end);
    return (assay_cell){start, end - start};
}

/* Whether `count` records have `fields` fields each: their first fields are then so far apart. */
static bool have_fields(const assay_record *records, uint32_t count, uint32_t fields)
{
    uint32_t difference = 0;
    for (uint32_t row = 0; row < count; row++) {
        difference |= (records[row + 1].first_field - records[row].first_field) ^ fields;
    }
    return difference == 0;
}

/* Records that have `fields` fields each: their ends lie so far apart, and nothing is decided for a row but quotes. */
static inline __attribute__((always_inline)) void gather_alike(const assay_batch *batch, bool may_be_quoted,
                                                               uint8_t quote, uint8_t *bytes, uint32_t *used,
                                                               uint32_t field, uint32_t first, uint32_t count,
                                                               uint32_t fields, assay_cell *cells)
{
    const assay_record *records = batch->records + first;
    const uint32_t *end = batch->field_ends + records[0].first_field + field;
    if (field == 0) {
        /* What ends before is another record, whose terminator may be two bytes. */
        for (uint32_t row = 0; row < count; row++, end += fields) {
            cells[row] = cell_of(bytes, used, quote, may_be_quoted, records[row].start, *end);
        }
    } else {
        for (uint32_t row = 0; row < count; row++, end += fields) {
            cells[row] = cell_of(bytes, used, quote, may_be_quoted, end[-1] + 1, *end);
        }
    }
}

/* Records of any kind. `skip` has their bits. */
static void gather_each(const assay_batch *batch, bool may_be_quoted, uint8_t quote, uint8_t *bytes, uint32_t *used,
                        uint32_t field, uint32_t first, uint32_t count, uint64_t skip, assay_cell *cells)
{
    for (uint32_t row = 0; row < count; row++) {
        const assay_record *record = &batch->records[first + row];
        if ((skip >> row & 1) || field >= assay_batch_field_count(batch, first + row)) {
            cells[row] = (assay_cell){record->start, 0};
            continue;
        }
        const uint32_t place = record->first_field + field;
        const uint32_t start = field == 0 ? record->start : batch->field_ends[place - 1] + 1;
        cells[row] = cell_of(bytes, used, quote, may_be_quoted, start, batch->field_ends[place]);
    }
}

void assay_batch_gather(const assay_batch *batch, const assay_dialect *dialect, uint8_t *bytes, uint32_t *used,
                        uint32_t field, uint32_t first, uint32_t count, const uint64_t *skip, assay_cell *cells)
{
    const bool may_be_quoted = dialect->quoting && batch->has_quotes;
    const uint8_t quote = dialect->quote;
    for (uint32_t row = 0; row < count; row += 64, first += 64, cells += 64) {
        const uint32_t rows = count - row < 64 ? count - row : 64;
        const uint64_t skipped = skip == NULL ? 0 : skip[row / 64];
        const uint32_t fields = assay_batch_field_count(batch, first);
        if (skipped != 0 || field >= fields || !have_fields(batch->records + first, rows, fields)) {
            gather_each(batch, may_be_quoted, quote, bytes, used, field, first, rows, skipped, cells);
        } else if (may_be_quoted) {
            gather_alike(batch, true, quote, bytes, used, field, first, rows, fields, cells);
        } else {
            gather_alike(batch, false, quote, bytes, used, field, first, rows, fields, cells);
        }
    }
}

bool assay_cells_from_offsets32(const int32_t *offsets, size_t count, size_t bytes_count, assay_cell *cells)
{
    /* Arrow lets the offsets of an empty column be absent. */
    if (count == 0) return true;
    if (offsets[0] < 0 || offsets[count] < 0 || (size_t)offsets[count] > bytes_count) return false;
    /* First and last are in range, so all are if none descends. The loop goes through, so that it can be vectorised. */
    bool descends = false;
    for (size_t i = 0; i < count; i++) {
        descends |= offsets[i + 1] < offsets[i];
        cells[i] = (assay_cell){(uint32_t)offsets[i], (uint32_t)offsets[i + 1] - (uint32_t)offsets[i]};
    }
    return !descends;
}
