/* Columns: one field of many records, as cells without their quotes. */
#include "assay/core.h"

#include <string.h>

#include "Dispatch/assay_kernels.h"
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

static bool is_skipped(const assay_dialect *dialect, const uint8_t *bytes, uint32_t start, uint32_t end)
{
    while (start < end && assay_dialect_skips(dialect, bytes[start])) start++;
    return start == end;
}

/* What a byte after the escape means: itself, but for the letters that MySQL, PostgreSQL and ClickHouse write. */
static uint8_t unescaped(uint8_t escape, uint8_t byte)
{
    static const char letters[] = "0bfnrtvZ";
    static const uint8_t meant[] = {0, '\b', '\f', '\n', '\r', '\t', '\v', 0x1A};
    const char *letter = escape == '\\' && byte != 0 ? strchr(letters, byte) : NULL;
    return letter == NULL ? byte : meant[letter - letters];
}

/* Whether a field is NULL, for which `\N` stands. Asked before escapes are undone, because `\\N` is text. */
static bool is_null(const assay_dialect *dialect, const uint8_t *bytes, uint32_t start, uint32_t end)
{
    while (start < end && assay_dialect_skips(dialect, bytes[start])) start++;
    return dialect->escape == '\\' && end - start == 2 && bytes[start] == '\\' && bytes[start + 1] == 'N';
}

/* The same as unquote in a dialect with an escape or initial spaces, for any field:
 *
 *     "a \"b\" c"  ──►  a "b" c
 *     a\\b\,c      ──►  a\b,c
 *     \N           ──►  \N            alone, so that it can be told from N
 *
 * A malformed field comes out as it does there. */
static assay_cell undo(const assay_dialect *dialect, uint8_t *bytes, uint32_t *used, uint32_t start, uint32_t end)
{
    const uint8_t quote = dialect->quote, escape = dialect->escape;
    const bool has_escape = escape != 0;
    while (start < end && assay_dialect_skips(dialect, bytes[start])) start++;
    if (is_null(dialect, bytes, start, end)) return (assay_cell){start, end - start};
    bool is_inside = dialect->quoting && start < end && bytes[start] == quote;
    start += is_inside;

    uint32_t i = start;
    while (i < end && !(has_escape && bytes[i] == escape) && !(is_inside && bytes[i] == quote)) i++;
    const bool is_escape = i < end && has_escape && bytes[i] == escape;
    if (i == end || (!is_escape && is_skipped(dialect, bytes, i + 1, end))) return (assay_cell){start, i - start};

    const uint32_t target = *used;
    uint32_t length = i - start;
    memcpy(bytes + target, bytes + start, length);
    while (i < end) {
        uint8_t byte = bytes[i++];
        if (has_escape && byte == escape && i < end) {
            byte = unescaped(escape, bytes[i++]);
        } else if (is_inside && byte == quote) {
            if (i < end && bytes[i] == quote) {
                i++;
            } else {
                is_inside = false;
                if (is_skipped(dialect, bytes, i, end)) break;
                continue;
            }
        }
        bytes[target + length++] = byte;
    }
    *used = target + length;
    return (assay_cell){target, length};
}

/* Bits [first, first + count) of a mask, up to 64 of them, which need not begin a word. What is behind them may be set. */
static uint64_t bits_of(const uint64_t *mask, uint32_t first, uint32_t count)
{
    const uint32_t word = first / 64, shift = first % 64;
    uint64_t bits = mask[word] >> shift;
    if (shift + count > 64) bits |= mask[word + 1] << (64 - shift);
    return count < 64 ? bits & ((UINT64_C(1) << count) - 1) : bits;
}

/* The first fields of records of `width` fields each. What ends before one is another record, whose terminator may be two
 * bytes. */
static void gather_first(const assay_record *records, const uint32_t *end, uint32_t count, uint32_t width,
                         assay_cell *cells)
{
    for (uint32_t row = 0; row < count; row++, end += width) {
        cells[row] = (assay_cell){records[row].start, *end - records[row].start};
    }
}

/* A later field: it begins behind the delimiter where the one before it ends. */
static inline assay_cell later_field(const uint32_t *end, uint32_t delimiter_bytes)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    /* The two ends as one number, and so the cell: half as many instructions. */
    assay_cell cell;
    uint64_t number;
    memcpy(&number, end - 1, sizeof number);
    number += delimiter_bytes - ((uint64_t)delimiter_bytes << 32) - (number << 32);
    memcpy(&cell, &number, sizeof cell);
    return cell;
#else
    return (assay_cell){end[-1] + delimiter_bytes, end[0] - end[-1] - delimiter_bytes};
#endif
}

static void gather_later(const uint32_t *end, uint32_t count, uint32_t width, uint32_t delimiter_bytes,
                         assay_cell *cells)
{
#pragma GCC unroll 4
    for (uint32_t row = 0; row < count; row++, end += width) cells[row] = later_field(end, delimiter_bytes);
}

/* One field of records that all have as many fields as the first of them, which may be too few. */
static void gather_alike(const assay_batch *batch, uint32_t field, uint32_t first, uint32_t count,
                         uint32_t delimiter_bytes, assay_cell *cells)
{
    const uint32_t width = assay_batch_field_count(batch, first);
    const assay_record *records = batch->records + first;
    const uint32_t *ends = batch->field_ends + records[0].first_field;
    if (field >= width) {
        for (uint32_t row = 0; row < count; row++) cells[row] = (assay_cell){records[row].start, 0};
    } else if (field == 0) {
        gather_first(records, ends, count, width, cells);
    } else {
        gather_later(ends + field, count, width, delimiter_bytes, cells);
    }
}

/* The first record after `index` with another number of fields, or `end`. What else is wrong with a record does not matter here. */
static uint32_t next_width(const assay_batch *batch, uint32_t index, uint32_t end)
{
    const uint32_t width = assay_batch_field_count(batch, index);
    do {
        index = assay_batch_next_layout(batch, index, end);
    } while (index < end && assay_batch_field_count(batch, index) == width);
    return index;
}

/* One field of records that are alike in long runs. */
static void gather_runs(const assay_batch *batch, uint32_t field, uint32_t first, uint32_t count,
                        uint32_t delimiter_bytes, assay_cell *cells)
{
    for (uint32_t row = 0; row < count;) {
        const uint32_t next = next_width(batch, first + row, first + count) - first;
        gather_alike(batch, field, first + row, next - row, delimiter_bytes, cells + row);
        row = next;
    }
}

/* One field of any records. */
static void gather_each(const assay_batch *batch, uint32_t field, uint32_t first, uint32_t count,
                        uint32_t delimiter_bytes, assay_cell *cells)
{
    const assay_record *records = batch->records + first;
    const uint32_t *ends = batch->field_ends + field;
    if (field > 0 && field < batch->fewest_fields) {
#pragma GCC unroll 4
        for (uint32_t row = 0; row < count; row++) {
            cells[row] = later_field(ends + records[row].first_field, delimiter_bytes);
        }
        return;
    }
    for (uint32_t row = 0; row < count; row++) {
        const uint32_t start = records[row].start, first_field = records[row].first_field;
        if (field >= records[row + 1].first_field - first_field) {
            cells[row] = (assay_cell){start, 0};
        } else if (field == 0) {
            cells[row] = (assay_cell){start, ends[first_field] - start};
        } else {
            cells[row] = later_field(ends + first_field, delimiter_bytes);
        }
    }
}

/* Whether runs of records that are alike are so short that finding them costs more than looking at each record. */
static bool has_short_runs(const assay_batch *batch, uint32_t first, uint32_t count)
{
    const uint32_t word = first / 64, words = (first + count - 1) / 64 + 1 - word;
    return assay_mask_count(batch->layout_changes + word, words) > count / 32;
}

void assay_batch_gather(const assay_batch *batch, const assay_dialect *dialect, uint8_t *bytes, uint32_t *used,
                        uint32_t field, uint32_t first, uint32_t count, const uint64_t *skip, assay_cell *cells)
{
    const uint32_t delimiter_bytes = assay_dialect_delimiter_bytes(dialect);
    const bool undoes_more = dialect->escape != 0 || dialect->skip_initial_space;
    if (count > 64 && has_short_runs(batch, first, count)) {
        gather_each(batch, field, first, count, delimiter_bytes, cells);
    } else {
        gather_runs(batch, field, first, count, delimiter_bytes, cells);
    }
    for (uint32_t row = 0; row < count; row += 64, first += 64, cells += 64) {
        const uint32_t rows = count - row < 64 ? count - row : 64;
        const uint64_t skipped = skip == NULL ? 0 : bits_of(skip, row, rows);
        for (uint64_t rest = skipped; rest != 0; rest &= rest - 1) {
            const uint32_t at = (uint32_t)__builtin_ctzll(rest);
            cells[at] = (assay_cell){batch->records[first + at].start, 0};
        }
        for (uint64_t rest = bits_of(batch->quoted, first, rows) & ~skipped; rest != 0; rest &= rest - 1) {
            assay_cell *cell = &cells[__builtin_ctzll(rest)];
            if (cell->length == 0) continue;
            if (undoes_more) {
                *cell = undo(dialect, bytes, used, cell->start, cell->start + cell->length);
            } else if (bytes[cell->start] == dialect->quote) {
                *cell = unquote(bytes, used, dialect->quote, cell->start, cell->start + cell->length);
            }
        }
    }
}

void assay_batch_mask_nulls(const assay_batch *batch, const assay_dialect *dialect, const uint8_t *bytes,
                            uint32_t field, uint32_t first, uint32_t count, const uint64_t *skip, uint64_t *mask)
{
    memset(mask, 0, assay_mask_words(count) * sizeof *mask);
    if (dialect->escape != '\\') return;
    const uint32_t delimiter_bytes = assay_dialect_delimiter_bytes(dialect);
    for (uint32_t row = 0; row < count; row += 64) {
        const uint32_t rows = count - row < 64 ? count - row : 64;
        const uint64_t skipped = skip == NULL ? 0 : bits_of(skip, row, rows);
        /* Records without an escape cannot have one. */
        for (uint64_t rest = bits_of(batch->quoted, first + row, rows) & ~skipped; rest != 0; rest &= rest - 1) {
            const uint32_t at = (uint32_t)__builtin_ctzll(rest);
            const assay_record *record = &batch->records[first + row + at];
            if (field >= record[1].first_field - record->first_field) continue;
            const uint32_t *end = &batch->field_ends[record->first_field + field];
            const uint32_t start = field == 0 ? record->start : end[-1] + delimiter_bytes;
            if (is_null(dialect, bytes, start, *end)) mask[row / 64] |= UINT64_C(1) << at;
        }
    }
}

bool assay_cells_from_offsets32(const int32_t *offsets, size_t count, size_t bytes_count, assay_cell *cells,
                                bool *has_empty)
{
    if (has_empty != NULL) *has_empty = false;
    /* Arrow lets the offsets of an empty column be absent. */
    if (count == 0) return true;
    if (offsets[0] < 0 || offsets[count] < 0 || (size_t)offsets[count] > bytes_count) return false;
    /* First and last are in range, so all are if none descends. The loop goes through, so that it can be vectorised. */
    bool descends = false;
    bool is_empty = false;
    for (size_t i = 0; i < count; i++) {
        descends |= offsets[i + 1] < offsets[i];
        is_empty |= offsets[i + 1] == offsets[i];
        cells[i] = (assay_cell){(uint32_t)offsets[i], (uint32_t)offsets[i + 1] - (uint32_t)offsets[i]};
    }
    if (has_empty != NULL) *has_empty = is_empty;
    return !descends;
}

bool assay_cells_from_views(const assay_string_view *views, size_t count, const assay_view_source *source,
                            assay_cell *cells, assay_view_texts *texts)
{
    return assay_kernels_current()->cells_from_views(views, count, source, cells, texts);
}
