/* Values that are not just one cell of a plain column: elements of lists, several columns with one path, and names that
 * are both a path and a key. */
#include "Memory/assay_grow.h"
#include "JSON/assay_json.h"

#include <stdlib.h>

/* Reserves room for one more element in the five arrays of a column. */
static bool reserve_element(json_column *column)
{
    if (column->count < column->capacity) return true;
    const size_t capacity = column->capacity < 256 ? 256 : column->capacity * 2;
    if (!assay_resize(&column->cells, sizeof *column->cells, capacity) ||
        !assay_resize(&column->places, sizeof *column->places, capacity) ||
        !assay_resize(&column->kinds, sizeof *column->kinds, capacity) ||
        !assay_resize(&column->rows, sizeof *column->rows, capacity) ||
        !assay_resize(&column->indexes, ASSAY_JSON_LISTS * sizeof *column->indexes, capacity)) {
        return false;
    }
    column->capacity = capacity;
    return true;
}

/* Adds an element with the first `lists` indexes. */
static void add_element(assay_json_reader *reader, json_column *column, uint32_t lists, assay_json_kind kind,
                        assay_cell cell, uint32_t place)
{
    if (!reserve_element(column)) {
        reader->is_out_of_memory = true;
        return;
    }
    const size_t at = column->count++;
    column->cells[at] = cell;
    column->places[at] = place;
    column->kinds[at] = (uint8_t)kind;
    column->rows[at] = reader->row;
    for (uint32_t i = 0; i < ASSAY_JSON_LISTS; i++) {
        column->indexes[ASSAY_JSON_LISTS * at + i] = i < lists ? reader->indexes[i] : 0;
    }
}

static void set_cell(const assay_json_reader *reader, json_column *column, assay_json_kind kind, assay_cell cell,
                     uint32_t place)
{
    column->cells[reader->row] = cell;
    column->places[reader->row] = place;
    column->kinds[reader->row] = (uint8_t)kind;
}

void assay_json_put(assay_json_reader *reader, uint32_t number, assay_json_kind kind, assay_cell cell, uint32_t place)
{
    const assay_json_paths *paths = reader->paths;
    const json_node *node = &paths->nodes[number];
    const json_link *link;
    reader->has_unnamed |= kind != ASSAY_JSON_NULL && kind < ASSAY_JSON_OBJECT && node->links[JSON_ENDS] == JSON_NONE &&
                           node->links[JSON_LITERAL] == JSON_NONE;
    for (uint32_t i = node->links[JSON_ENDS]; i != JSON_NONE; i = link->next) {
        link = &paths->links[i];
        json_column *column = &reader->columns[link->column];
        if (paths->facts[link->column].lists > 0) {
            add_element(reader, column, node->lists, kind, cell, place);
        } else if (column->literal_row != reader->row + 1) {
            set_cell(reader, column, kind, cell, place);
        }
    }
    /* A literal name takes precedence over a path, in any order of the members. */
    for (uint32_t i = node->links[JSON_LITERAL]; i != JSON_NONE; i = link->next) {
        link = &paths->links[i];
        json_column *column = &reader->columns[link->column];
        column->literal_row = reader->row + 1;
        set_cell(reader, column, kind, cell, place);
    }
    /* A value in place of a list is one element without an index, so that the rules of the list check it. */
    if (node->element != JSON_OUTSIDE && kind != ASSAY_JSON_ARRAY && (kind != ASSAY_JSON_NULL || paths->reads_null)) {
        const json_node *element = &paths->nodes[node->element];
        reader->indexes[element->lists - 1] = ASSAY_JSON_NOT_A_LIST;
        for (uint32_t i = element->links[JSON_BELOW]; i != JSON_NONE; i = link->next) {
            link = &paths->links[i];
            add_element(reader, &reader->columns[link->column], element->lists, kind, cell, place);
        }
    }
}

void assay_json_begin_element(assay_json_reader *reader, uint32_t number, uint32_t index)
{
    const json_node *node = &reader->paths->nodes[number];
    reader->indexes[node->lists - 1] = index;
    const json_link *link;
    for (uint32_t i = node->links[JSON_OWN]; i != JSON_NONE; i = link->next) {
        link = &reader->paths->links[i];
        reader->columns[link->column].mark = reader->columns[link->column].count;
    }
}

void assay_json_end_element(assay_json_reader *reader, uint32_t number, uint32_t place)
{
    const json_node *node = &reader->paths->nodes[number];
    const json_link *link;
    for (uint32_t i = node->links[JSON_OWN]; i != JSON_NONE; i = link->next) {
        link = &reader->paths->links[i];
        json_column *column = &reader->columns[link->column];
        /* An element without the rest of the path has one absent value, so that rules such as `required` check it. */
        if (column->count != column->mark) continue;
        add_element(reader, column, node->lists, ASSAY_JSON_ABSENT, (assay_cell){place, 0}, place);
    }
}
