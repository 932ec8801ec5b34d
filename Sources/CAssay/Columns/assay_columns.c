/* Columns: one field of many records, as cells without their quotes. */
#include "assay/core.h"

#include <string.h>

#include "Dispatch/assay_kernels.h"
#include "Records/assay_batch.h"

/* The text of the quoted field [start, end), which must begin with a quote. If the field contains more quotes, the text
 * is written to the free bytes:
 *
 *     "a ""b"" c"  ──►  a "b" c
 *
 * The text of malformed fields is as the state machine reads them: `"ab"cd` is abcd, and the unclosed `"ab` is ab. */
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

/* The meaning of a byte after the escape: the byte, except for letters of MySQL, PostgreSQL and ClickHouse. */
static uint8_t unescaped(uint8_t escape, uint8_t byte)
{
    static const char letters[] = "0bfnrtvZ";
    static const uint8_t meant[] = {0, '\b', '\f', '\n', '\r', '\t', '\v', 0x1A};
    const char *letter = escape == '\\' && byte != 0 ? strchr(letters, byte) : NULL;
    return letter == NULL ? byte : meant[letter - letters];
}

/* Whether a field is NULL, written as `\N`. Must be tested before escapes are decoded, because `\\N` is text. */
static bool is_null(const assay_dialect *dialect, const uint8_t *bytes, uint32_t start, uint32_t end)
{
    while (start < end && assay_dialect_skips(dialect, bytes[start])) start++;
    return dialect->escape == '\\' && end - start == 2 && bytes[start] == '\\' && bytes[start + 1] == 'N';
}

/* unquote() for any field in a dialect with an escape or initial spaces:
 *
 *     "a \"b\" c"  ──►  a "b" c
 *     a\\b\,c      ──►  a\b,c
 *     \N           ──►  \N            as the whole field, so that NULL differs from N
 *
 * The text of malformed fields is as the state machine reads them. */
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

/* Bits [first, first + count) of a mask. `count` is at most 64, and `first` may be any bit. Later bits of the mask may
 * be set. */
static uint64_t bits_of(const uint64_t *mask, uint32_t first, uint32_t count)
{
    const uint32_t word = first / 64, shift = first % 64;
    uint64_t bits = mask[word] >> shift;
    if (shift + count > 64) bits |= mask[word + 1] << (64 - shift);
    return count < 64 ? bits & ((UINT64_C(1) << count) - 1) : bits;
}

/* The first fields of records of `width` fields each. Their starts are those of the records, because the terminator
 * before a record may have one or two bytes. */
static void gather_first(const assay_record *records, const uint32_t *end, uint32_t count, uint32_t width,
                         assay_cell *cells)
{
    for (uint32_t row = 0; row < count; row++, end += width) {
        cells[row] = (assay_cell){records[row].start, *end - records[row].start};
    }
}

/* A field after the first one, which begins after the delimiter at the end of the field before. */
static inline assay_cell later_field(const uint32_t *end, uint32_t delimiter_bytes)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    /* Load both ends and store the cell as one 64-bit number, which takes half the instructions. */
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

/* One field of records with the same number of fields, which may be too small for the field. */
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

/* The first record after `index` with another number of fields, or `end`. Ignores differences in flags. */
static uint32_t next_width(const assay_batch *batch, uint32_t index, uint32_t end)
{
    const uint32_t width = assay_batch_field_count(batch, index);
    do {
        index = assay_batch_next_layout(batch, index, end);
    } while (index < end && assay_batch_field_count(batch, index) == width);
    return index;
}

/* One field of records that have the same layout in long runs. */
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
    if (field > 0 && field < batch->min_fields) {
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

/* Whether runs of records with the same layout are so short that finding them costs more than reading each record. */
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

size_t assay_batch_mask_null_texts(const assay_batch *batch, const assay_dialect *dialect, const uint8_t *bytes,
                                   uint32_t field, uint32_t first, uint32_t count, const uint64_t *skip,
                                   const assay_cell *cells, uint64_t *mask)
{
    memset(mask, 0, assay_mask_words(count) * sizeof *mask);
    if (dialect->escape != '\\') return 0;
    size_t found = 0;
    for (uint32_t row = 0; row < count; row += 64) {
        const uint32_t rows = count - row < 64 ? count - row : 64;
        const uint64_t skipped = skip == NULL ? 0 : bits_of(skip, row, rows);
        for (uint64_t rest = bits_of(batch->quoted, first + row, rows) & ~skipped; rest != 0; rest &= rest - 1) {
            const uint32_t at = row + (uint32_t)__builtin_ctzll(rest);
            if (cells[at].length != 2 || memcmp(bytes + cells[at].start, "\\N", 2) != 0) continue;
            /* The cell of NULL is in the field; a cell with the text `\N` is in the free bytes. */
            const assay_record *record = &batch->records[first + at];
            if (cells[at].start + 2 == batch->field_ends[record->first_field + field]) continue;
            mask[at / 64] |= UINT64_C(1) << (at % 64);
            found++;
        }
    }
    return found;
}

bool assay_cells_from_offsets32(const int32_t *offsets, size_t count, size_t bytes_count, assay_cell *cells,
                                bool *has_empty)
{
    if (has_empty != NULL) *has_empty = false;
    /* Arrow allows empty columns without offsets. */
    if (count == 0) return true;
    if (offsets[0] < 0 || offsets[count] < 0 || (size_t)offsets[count] > bytes_count) return false;
    /* The first and last offset are in range, so all are in range if no offset descends. The loop has no early exit, so
     * that it can be vectorized. */
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
