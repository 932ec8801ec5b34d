/* The changes of a batch: byte ranges and the texts that replace them.
 *
 *     columns    name: rows 0, 2        day: rows 0, 1, 2        each ascending by row
 *     settled    0 name  0 day  1 day  2 name  2 day             by row (counting sort), then by place
 *     clean      records, with the texts of the changes between the unchanged bytes */
#include "Memory/assay_grow.h"
#include "assay/repair.h"

#include <stdlib.h>
#include <string.h>

struct assay_edits_memory {
    size_t capacity, text_capacity, settled_capacity;
    uint32_t *next; /* by entry: the index of its next change in `settled` */
    size_t next_capacity;
};

assay_edits *assay_edits_create(void)
{
    assay_edits *edits = calloc(1, sizeof *edits);
    if (edits == NULL) return NULL;
    edits->memory = calloc(1, sizeof *edits->memory);
    if (edits->memory == NULL) {
        free(edits);
        return NULL;
    }
    return edits;
}

void assay_edits_free(assay_edits *edits)
{
    if (edits == NULL) return;
    free(edits->memory->next);
    free(edits->memory);
    free(edits->items);
    free(edits->texts);
    free(edits->settled);
    free(edits);
}

void assay_edits_begin(assay_edits *edits)
{
    edits->count = edits->text_count = edits->settled_count = 0;
    edits->growth = 0;
}

/* Also reserves ASSAY_EDIT_MARGIN bytes after the texts, because put() reads this number of bytes for short texts. */
static bool reserve_texts(assay_edits *edits, size_t more)
{
    const size_t count = edits->text_count + more;
    return count <= ASSAY_REPAIR_MAX &&
           assay_grow(&edits->texts, &edits->memory->text_capacity, 1, count + ASSAY_EDIT_MARGIN);
}

static bool reserve_items(assay_edits *edits, size_t more)
{
    return assay_grow(&edits->items, &edits->memory->capacity, sizeof *edits->items, edits->count + more);
}

assay_status assay_edits_restore(assay_edits *edits, const assay_edit *items, size_t count, const uint8_t *texts,
                                 size_t text_count)
{
    assay_edits_begin(edits);
    if (!reserve_items(edits, count) || !reserve_texts(edits, text_count)) return ASSAY_NO_MEMORY;
    if (count > 0) memcpy(edits->items, items, count * sizeof *items);
    if (text_count > 0) memcpy(edits->texts, texts, text_count);
    edits->count = count;
    edits->text_count = text_count;
    return ASSAY_OK;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Adding
 * ------------------------------------------------------------------------------------------------------------- */

static size_t count_changed(const assay_changed_column *column)
{
    size_t count = 0;
    for (size_t word = 0; word < assay_mask_words(column->count); word++) {
        count += (size_t)__builtin_popcountll(column->changed[word]);
    }
    return count;
}

static inline void add(assay_edits *edits, const assay_changed_column *column, size_t row, uint32_t entry,
                       uint32_t start, uint32_t end, size_t length)
{
    edits->items[edits->count++] = (assay_edit){
        start, end, (uint32_t)edits->text_count, (uint32_t)length, entry, column->column, column->causes[row]};
    edits->text_count += length;
}

/* The bytes that may require quotes or escapes, as a table. */
static void find_special(const assay_dialect *dialect, bool *special)
{
    memset(special, 0, 256 * sizeof *special);
    special[dialect->delimiter] = special['\n'] = special['\r'] = special[dialect->quote] = true;
    if (dialect->escape != 0) special[dialect->escape] = true;
}

/* Copies a value. Returns false if it contains a special byte. */
static inline bool copy_plain(const bool *special, const uint8_t *value, size_t count, uint8_t *out)
{
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        found |= special[value[i]];
        out[i] = value[i];
    }
    return !found;
}

assay_status assay_edits_add_fields(assay_edits *edits, const assay_batch *batch, const uint8_t *bytes,
                                    const assay_dialect *dialect, uint32_t position, uint32_t first,
                                    const assay_changed_column *column)
{
    if (!reserve_items(edits, count_changed(column))) return ASSAY_NO_MEMORY;
    const uint32_t delimiter_bytes = assay_dialect_delimiter_bytes(dialect);
    /* Whether only special bytes can require quotes. */
    const bool is_usual = dialect->quoting && !dialect->skip_initial_space && (position > 0 || dialect->comment == 0);
    bool special[256];
    find_special(dialect, special);
    for (size_t word = 0; word < assay_mask_words(column->count); word++) {
        for (uint64_t rows = column->changed[word]; rows != 0; rows &= rows - 1) {
            const size_t row = 64 * word + (size_t)__builtin_ctzll(rows);
            const uint32_t entry = first + (uint32_t)row;
            const assay_record *record = &batch->records[entry];
            const uint32_t field = record->first_field + position;
            const uint32_t start = position == 0 ? record->start : batch->field_ends[field - 1] + delimiter_bytes;
            const uint32_t end = batch->field_ends[field];
            const assay_cell cell = column->cells[row];
            const uint8_t *value = column->bytes + cell.start;
            if (!reserve_texts(edits, 2 * (size_t)cell.length + 2)) return ASSAY_NO_MEMORY;
            uint8_t *out = edits->texts + edits->text_count;
            uint32_t from = start;
            while (dialect->skip_initial_space && from < end && (bytes[from] == ' ' || bytes[from] == '\t')) from++;
            const bool was_quoted = dialect->quoting && from < end && bytes[from] == dialect->quote;
            size_t length = cell.length;
            if (!is_usual || was_quoted || length == 0 || !copy_plain(special, value, length, out)) {
                const bool is_only = batch->records[entry + 1].first_field - record->first_field == 1;
                length = assay_csv_write(dialect, value, length, was_quoted, position == 0, is_only, out);
            }
            add(edits, column, row, entry, start, end, length);
        }
    }
    return ASSAY_OK;
}

assay_status assay_edits_add_scalars(assay_edits *edits, const assay_batch *batch, const uint8_t *bytes,
                                     const assay_json_style *style, const uint32_t *places, const uint32_t *rows,
                                     uint32_t first, const assay_changed_column *column)
{
    if (!reserve_items(edits, count_changed(column))) return ASSAY_NO_MEMORY;
    for (size_t word = 0; word < assay_mask_words(column->count); word++) {
        for (uint64_t changed = column->changed[word]; changed != 0; changed &= changed - 1) {
            const size_t row = 64 * word + (size_t)__builtin_ctzll(changed);
            const uint32_t entry = first + (rows == NULL ? (uint32_t)row : rows[row]);
            const uint32_t start = places[row];
            const uint32_t end = assay_json_scalar_end(bytes, start, batch->records[entry].end);
            const assay_cell cell = column->cells[row];
            if (!reserve_texts(edits, 6 * (size_t)cell.length + 4)) return ASSAY_NO_MEMORY;
            uint8_t *out = edits->texts + edits->text_count;
            size_t length = 4;
            if (cell.length == 0 && (style->has_no_text || (column->causes[row] & style->missing) != 0)) {
                memcpy(out, "null", length);
            } else {
                length =
                    assay_json_write(bytes[start], style->is_literal, column->bytes + cell.start, cell.length, out);
            }
            add(edits, column, row, entry, start, end, length);
        }
    }
    return ASSAY_OK;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Settling
 * ------------------------------------------------------------------------------------------------------------- */

static bool is_clean(const uint64_t *rejects, uint32_t entry) { return (rejects[entry / 64] >> (entry % 64) & 1) == 0; }

static int compare_places(const void *left, const void *right)
{
    const uint32_t one = ((const assay_edit *)left)->start, other = ((const assay_edit *)right)->start;
    return one < other ? -1 : one > other;
}

/* Sorts the changes of one entry by place. Their number is unbounded in JSON Lines. */
static void sort_places(assay_edit *edits, size_t count)
{
    enum { few = 16 };
    if (count > few) {
        qsort(edits, count, sizeof *edits, compare_places);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const assay_edit moved = edits[i];
        size_t to = i;
        for (; to > 0 && edits[to - 1].start > moved.start; to--) edits[to] = edits[to - 1];
        edits[to] = moved;
    }
}

/* Groups the changes by entry with a stable counting sort. Drops the changes of rejected entries. */
static void group(assay_edits *edits, uint32_t entries, const uint64_t *rejects)
{
    uint32_t *next = edits->memory->next;
    memset(next, 0, ((size_t)entries + 1) * sizeof *next);
    for (size_t i = 0; i < edits->count; i++) {
        const uint32_t entry = edits->items[i].entry;
        next[entry + 1] += is_clean(rejects, entry);
    }
    for (uint32_t entry = 0; entry < entries; entry++) next[entry + 1] += next[entry];
    edits->settled_count = next[entries];
    for (size_t i = 0; i < edits->count; i++) {
        const assay_edit *edit = &edits->items[i];
        if (is_clean(rejects, edit->entry)) edits->settled[next[edit->entry]++] = *edit;
    }
    /* Now next[entry] is the index of the first change of the following entry. */
}

assay_status assay_edits_settle(assay_edits *edits, uint32_t entries, const uint64_t *rejects, uint64_t *counts)
{
    edits->settled_count = 0;
    edits->growth = 0;
    if (edits->count == 0) return ASSAY_OK;
    struct assay_edits_memory *memory = edits->memory;
    if (!assay_grow(&memory->next, &memory->next_capacity, sizeof *memory->next, (size_t)entries + 1) ||
        !assay_grow(&edits->settled, &memory->settled_capacity, sizeof *edits->settled, edits->count)) {
        return ASSAY_NO_MEMORY;
    }
    group(edits, entries, rejects);
    assay_edit *settled = edits->settled;
    uint32_t place = 0;
    bool is_ascending = true;
    for (size_t i = 0; i < edits->settled_count; i++) {
        const assay_edit *edit = &settled[i];
        is_ascending &= edit->start >= place;
        place = edit->start;
        edits->growth += (int64_t)edit->length - (int64_t)(edit->end - edit->start);
        uint64_t *of_column = counts + (size_t)ASSAY_MAX_REPAIRS * edit->column;
        for (uint32_t causes = edit->causes; causes != 0; causes &= causes - 1) of_column[__builtin_ctz(causes)]++;
    }
    if (is_ascending) return ASSAY_OK;
    for (uint32_t entry = 0, from = 0; entry < entries; from = memory->next[entry++]) {
        sort_places(settled + from, memory->next[entry] - from);
    }
    return ASSAY_OK;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Writing
 * ------------------------------------------------------------------------------------------------------------- */

/* Appends bytes. Copies ASSAY_EDIT_MARGIN bytes for short texts, so that the size is a constant. */
static inline void put(uint8_t *out, size_t *used, const uint8_t *bytes, size_t count)
{
    if (count <= ASSAY_EDIT_MARGIN) {
        memcpy(out + *used, bytes, ASSAY_EDIT_MARGIN);
    } else {
        memcpy(out + *used, bytes, count);
    }
    *used += count;
}

void assay_emit_edited(const assay_batch *batch, const uint8_t *bytes, uint32_t count, const uint64_t *rejects,
                       const uint64_t *drops, const assay_edits *edits, uint8_t *clean, size_t *clean_count,
                       uint8_t *rejected, size_t *rejected_count)
{
    size_t used = 0, other = 0;
    const assay_edit *next = edits->settled, *last = next + edits->settled_count;
    uint32_t row = 0;
    while (row < count) {
        /* Records are adjacent, so the clean ones before the next rejected or dropped one are copied together. */
        const uint32_t next_reject = (uint32_t)assay_mask_next(rejects, count, row);
        const uint32_t next_drop = drops == NULL ? count : (uint32_t)assay_mask_next(drops, count, row);
        const uint32_t end = next_reject < next_drop ? next_reject : next_drop;
        if (end > row) {
            uint32_t from = batch->records[row].start;
            const uint32_t stop = batch->records[end - 1].end;
            for (; next < last && next->start <= stop; next++) {
                put(clean, &used, bytes + from, next->start - from);
                put(clean, &used, edits->texts + next->text, next->length);
                from = next->end;
            }
            put(clean, &used, bytes + from, stop - from);
        }
        if (end < next_drop && end < count) {
            const assay_record *record = &batch->records[end];
            memcpy(rejected + other, bytes + record->start, record->end - record->start);
            other += record->end - record->start;
        }
        row = end + 1;
    }
    *clean_count = used;
    *rejected_count = other;
}
