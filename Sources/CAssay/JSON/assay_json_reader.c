/* The reader: memory, reading a slice, and access to the results. */
#include "JSON/assay_json.h"

#include <stdlib.h>
#include <string.h>

#include "Dispatch/assay_kernels.h"

assay_json_reader *assay_json_reader_create(const assay_json_paths *paths)
{
    assay_json_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->paths = paths;
    reader->columns = calloc(paths->count + 1, sizeof *reader->columns);
    reader->shapes = malloc((1 + paths->node_count + JSON_SHAPES) * sizeof *reader->shapes);
    reader->shape_slots = malloc(JSON_SHAPE_SLOTS * sizeof *reader->shape_slots);
    reader->shape_text = malloc(JSON_SHAPE_TEXT);
    if (reader->columns == NULL || reader->shapes == NULL || reader->shape_slots == NULL ||
        reader->shape_text == NULL) {
        assay_json_reader_free(reader);
        return NULL;
    }
    assay_json_clear_shapes(reader);
    return reader;
}

void assay_json_reader_free(assay_json_reader *reader)
{
    if (reader == NULL) return;
    for (size_t i = 0; reader->columns != NULL && i < reader->paths->count; i++) {
        json_column *column = &reader->columns[i];
        free(column->cells);
        free(column->places);
        free(column->kinds);
        free(column->rows);
        free(column->indexes);
    }
    free(reader->columns);
    free(reader->malformed);
    free(reader->unnamed);
    free(reader->mistakes);
    free(reader->shapes);
    free(reader->shape_slots);
    free(reader->shape_text);
    free(reader->names);
    free(reader->unescaped);
    free(reader->name_slots);
    free(reader);
}

static bool is_plain(const assay_json_reader *reader, size_t column) { return reader->paths->facts[column].lists == 0; }

/* Makes room for `count` rows. Discards the previous slice. */
static bool reserve_rows(assay_json_reader *reader, size_t count)
{
    if (count <= reader->row_capacity) return true;
    reader->row_capacity = 0;
    free(reader->malformed);
    free(reader->unnamed);
    free(reader->mistakes);
    reader->malformed = malloc(assay_mask_words(count) * sizeof *reader->malformed);
    reader->unnamed = malloc(assay_mask_words(count) * sizeof *reader->unnamed);
    reader->mistakes = malloc(count * sizeof *reader->mistakes);
    bool has_memory = reader->malformed != NULL && reader->unnamed != NULL && reader->mistakes != NULL;
    for (size_t i = 0; i < reader->paths->count && has_memory; i++) {
        if (!is_plain(reader, i)) continue;
        json_column *column = &reader->columns[i];
        free(column->cells);
        free(column->places);
        free(column->kinds);
        column->cells = malloc(count * sizeof *column->cells);
        column->places = malloc(count * sizeof *column->places);
        column->kinds = malloc(count * sizeof *column->kinds);
        has_memory = column->cells != NULL && column->places != NULL && column->kinds != NULL;
    }
    if (has_memory) reader->row_capacity = count;
    return has_memory;
}

static void begin(assay_json_reader *reader, uint32_t count)
{
    memset(reader->malformed, 0, assay_mask_words(count) * sizeof *reader->malformed);
    memset(reader->unnamed, 0, assay_mask_words(count) * sizeof *reader->unnamed);
    for (size_t i = 0; i < reader->paths->count; i++) {
        json_column *column = &reader->columns[i];
        column->count = 0;
        column->literal_row = 0;
        if (is_plain(reader, i)) memset(column->kinds, ASSAY_JSON_ABSENT, count);
    }
    /* Make room for other shapes, which may be more frequent. Only between slices, because the parser compares names
     * with existing shapes and keeps pointers into them. */
    if (reader->shape_count == 1 + reader->paths->node_count + JSON_SHAPES ||
        reader->shape_text_count + 2 * JSON_SHAPE_NAME_BYTES > JSON_SHAPE_TEXT) {
        assay_json_clear_shapes(reader);
    }
}

/* Fills the cells of rows without a value. */
static void fill_absent(assay_json_reader *reader)
{
    const assay_record *records = reader->batch->records + reader->first;
    for (size_t i = 0; i < reader->paths->count; i++) {
        json_column *column = &reader->columns[i];
        if (!is_plain(reader, i)) continue;
        column->count = reader->count;
        for (uint32_t row = 0; row < reader->count; row++) {
            if (column->kinds[row] != ASSAY_JSON_ABSENT) {
                const uint8_t *next = memchr(column->kinds + row, ASSAY_JSON_ABSENT, reader->count - row);
                if (next == NULL) break;
                row = (uint32_t)(next - column->kinds);
            }
            column->cells[row] = (assay_cell){records[row].start, 0};
            column->places[row] = records[row].start;
        }
    }
}

static void forget(assay_json_reader *reader)
{
    reader->count = 0;
    for (size_t i = 0; i < reader->paths->count; i++) reader->columns[i].count = 0;
}

assay_status assay_json_read(assay_json_reader *reader, const assay_batch *batch, uint8_t *bytes, uint32_t *used,
                             uint32_t first, uint32_t count, const uint64_t *skip)
{
    if (!reserve_rows(reader, count)) {
        forget(reader);
        return ASSAY_NO_MEMORY;
    }
    if (count == 0) {
        forget(reader);
        return ASSAY_OK;
    }
    begin(reader, count);
    reader->batch = batch;
    reader->skip = skip;
    reader->first = first;
    reader->count = count;
    /* The byte after the last record may be the first free byte. The parser overwrites it while it reads the record, so
     * skip it. The room still suffices, because unescaping shortens strings. */
    reader->used = *used == batch->consumed ? *used + 1 : *used;
    reader->is_out_of_memory = false;
    reader->bytes = bytes;
    /* The parser reads up to 64 bytes after a record. The buffer has room for twice the consumed bytes, so that at
     * least `size` bytes follow. Smaller batches are read in a copy, and their unescaped strings are copied back. */
    const uint32_t size = batch->consumed;
    uint8_t copy[128 + 64] = {0};
    if (size < 64) {
        memcpy(copy, bytes, *used);
        reader->bytes = copy;
    }
    assay_kernels_current()->json_rows(reader);
    if (size < 64) memcpy(bytes + *used, copy + *used, reader->used - *used);
    *used = reader->used;
    if (reader->is_out_of_memory) {
        forget(reader);
        return ASSAY_NO_MEMORY;
    }
    fill_absent(reader);
    return ASSAY_OK;
}

void assay_json_reject_row(assay_json_reader *reader)
{
    const uint32_t row = reader->row;
    reader->malformed[row / 64] |= UINT64_C(1) << (row % 64);
    reader->mistakes[row] = reader->mistake;
    for (size_t i = 0; i < reader->paths->count; i++) {
        json_column *column = &reader->columns[i];
        if (is_plain(reader, i)) {
            column->kinds[row] = ASSAY_JSON_ABSENT;
        } else {
            while (column->count > 0 && column->rows[column->count - 1] == row) column->count--;
        }
    }
}

const uint64_t *assay_json_malformed(const assay_json_reader *reader) { return reader->malformed; }
const uint64_t *assay_json_unnamed(const assay_json_reader *reader) { return reader->unnamed; }

assay_json_mistake assay_json_mistake_at(const assay_json_reader *reader, uint32_t row)
{
    if (row >= reader->count || (reader->malformed[row / 64] >> (row % 64) & 1) == 0) {
        return (assay_json_mistake){0, ASSAY_JSON_NO_MISTAKE};
    }
    return reader->mistakes[row];
}

const assay_cell *assay_json_cells(const assay_json_reader *reader, size_t column)
{
    return reader->columns[column].cells;
}

const uint8_t *assay_json_kinds(const assay_json_reader *reader, size_t column)
{
    return reader->columns[column].kinds;
}

const uint32_t *assay_json_places(const assay_json_reader *reader, size_t column)
{
    return reader->columns[column].places;
}

size_t assay_json_element_count(const assay_json_reader *reader, size_t column)
{
    return reader->columns[column].count;
}

const uint32_t *assay_json_element_rows(const assay_json_reader *reader, size_t column)
{
    return reader->columns[column].rows;
}

const uint32_t *assay_json_element_indexes(const assay_json_reader *reader, size_t column)
{
    return reader->columns[column].indexes;
}

void assay_json_kind_mask(const assay_json_reader *reader, size_t column, unsigned kinds, uint64_t *mask)
{
    const uint8_t *values = reader->columns[column].kinds;
    const size_t count = reader->columns[column].count;
    for (size_t i = 0; i < count; i += 64) {
        const size_t rows = count - i < 64 ? count - i : 64;
        uint64_t word = 0;
        /* Most columns have one kind. */
        if (memcmp(values + i, values + i + 1, rows - 1) == 0) {
            word = (kinds >> values[i] & 1) != 0 ? UINT64_MAX >> (64 - rows) : 0;
        } else {
            for (size_t k = 0; k < rows; k++) word |= (uint64_t)(kinds >> values[i + k] & 1) << k;
        }
        mask[i / 64] = word;
    }
}
