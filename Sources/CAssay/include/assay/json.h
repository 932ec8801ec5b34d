/* assay/json.h: values out of JSON Lines, column by column. It continues assay/core.h, whose house rules hold here too.
 *
 *     records ──► assay_json_read ──► columns ──► checks
 *     (one line each)                 (assay_cell, kinds, places)
 *
 * A record is one physical line, cut by assay_scan with '\n' as the delimiter and no quoting, and has to be one JSON object
 * (RFC 8259) in well-formed UTF-8. All of the line is judged, also what no path asks for. As RFC 7493 (I-JSON) demands, no object
 * has a name twice, and no escape is half of a surrogate pair: readers disagree about both. */
#ifndef ASSAY_JSON_H
#define ASSAY_JSON_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What stands at a path. */
typedef enum ASSAY_CLOSED_ENUM assay_json_kind {
    ASSAY_JSON_ABSENT = 0,
    ASSAY_JSON_NULL = 1,
    ASSAY_JSON_STRING = 2,
    ASSAY_JSON_NUMBER = 3,
    ASSAY_JSON_BOOLEAN = 4,
    ASSAY_JSON_OBJECT = 5,
    ASSAY_JSON_ARRAY = 6,
} assay_json_kind;

/* Why a line is malformed. */
typedef enum ASSAY_CLOSED_ENUM assay_json_mistake_code {
    ASSAY_JSON_NO_MISTAKE = 0,
    ASSAY_JSON_BLANK = 1,            /* nothing but white space */
    ASSAY_JSON_NOT_OBJECT = 2,       /* the first byte is no { */
    ASSAY_JSON_EXPECTED_VALUE = 3,   /* place: what stands where a value should be */
    ASSAY_JSON_EXPECTED_NAME = 4,    /* place: what stands where a name in quotes should be */
    ASSAY_JSON_EXPECTED_COLON = 5,   /* place: what stands there */
    ASSAY_JSON_EXPECTED_BRACE = 6,   /* place: what follows a member, neither a comma nor } */
    ASSAY_JSON_EXPECTED_BRACKET = 7, /* place: what follows an element, neither a comma nor ] */
    ASSAY_JSON_BAD_ESCAPE = 8,       /* place: the backslash */
    ASSAY_JSON_CONTROL = 9,          /* place: the control character in a string */
    ASSAY_JSON_UNCLOSED_STRING = 10, /* place: its opening quote */
    ASSAY_JSON_BAD_NUMBER = 11,      /* place: its first byte */
    ASSAY_JSON_BAD_LITERAL = 12,     /* place: its first byte */
    ASSAY_JSON_TOO_DEEP = 13,        /* place: the bracket that opens level 129 */
    ASSAY_JSON_TEXT_AFTER = 14,      /* place: what follows the object */
    ASSAY_JSON_LONE_SURROGATE = 15,  /* place: the backslash of an escape that is half of a surrogate pair */
    ASSAY_JSON_DUPLICATE_NAME = 16,  /* place: the opening quote of the second name */
} assay_json_mistake_code;

/* The first mistake of a line. */
typedef struct assay_json_mistake {
    uint32_t
        place; /* offset in the buffer; the end of the line, before its terminator, if something is missing there */
    assay_json_mistake_code code;
} assay_json_mistake;

/* What goes on behind "the line ", such as "is blank" or "is not valid JSON: a value is expected". NUL-terminated, static
 * storage; empty for ASSAY_JSON_NO_MISTAKE. */
ASSAY_API const char *assay_json_mistake_text(assay_json_mistake_code code);

/* What is asked of each line: one column for each name. Compiled; any number of threads may use it. */
typedef struct assay_json_paths assay_json_paths;

#define ASSAY_JSON_LISTS 4 /* the most [] in a path */

/* Reads the name of a field as a path into records: keys with dots between them, [] after a key for each element of the list there.
 *
 *     email   address.city   tags[]   items[].price   m[][]
 *
 * A dot, a bracket or a backslash of a key is written with a backslash before it; a backslash before anything else is itself. The empty
 * name is the empty key. A reader begins with its name alone: {.name = name}. */
typedef struct assay_path_reader {
    assay_text name;
    size_t at;           /* the byte of the name that is read next */
    size_t key_count;    /* the bytes of the last key */
    unsigned lists;      /* how many [] have been read */
    bool is_end;         /* the last key was the last of the path */
    const char *mistake; /* static storage */
} assay_path_reader;

/* Reads one key, unescaped, to `key`, which has room for the bytes that remain of the name, and the [] after it. False: the name is not
 * a path, because it has no key before a dot, [ without ] or more than four []; then the reader has the mistake, and where it is.
 * Not to be called at the end. */
ASSAY_API bool assay_path_read(assay_path_reader *reader, uint8_t *key);

/* A name is a path. Keys are compared unescaped, byte for byte. If an object has the name itself as a key, a name without
 * [] means that key in that object, with its dots and backslashes; the path is for the objects without it. Two names may be the same.
 *
 * NULL when out of memory, or for a bad path. Then *error is filled, its offset being inside names[*bad]. */
ASSAY_API assay_json_paths *assay_json_paths_create(const assay_text *names, size_t count, size_t *bad,
                                                    assay_error *error);
ASSAY_API void assay_json_paths_free(assay_json_paths *paths);

/* Reads null in place of a list as a value that is not a list. Otherwise it is an absent list. Before any reader is created. */
ASSAY_API void assay_json_paths_read_null(assay_json_paths *paths);

/* How many [] are in name `column`. 0: a plain column, which has one value a row. Else a list column, which has any number. */
ASSAY_API unsigned assay_json_paths_depth(const assay_json_paths *paths, size_t column);

/* The columns of a slice, and the memory to find them. Scratch: used by one thread at a time. */
typedef struct assay_json_reader assay_json_reader;

/* The paths are borrowed and must outlive the reader. NULL when out of memory. */
ASSAY_API assay_json_reader *assay_json_reader_create(const assay_json_paths *paths);
ASSAY_API void assay_json_reader_free(assay_json_reader *reader);

/* Reads records [first, first + count), except the rows whose bit is set in `skip` (may be NULL).
 *
 * Strings with escapes are unescaped into the free bytes after `*used`, which is batch->consumed at first and moves on.
 * `bytes` must have room for twice the consumed bytes; since unescaping never lengthens, that is enough for all slices of a
 * batch. The byte behind a record is overwritten for a while and then put back.
 *
 * Rows that are read must be well-formed UTF-8; what is unescaped then is, too. The batch and the buffer are borrowed for the
 * call.
 *
 * Returns ASSAY_NO_MEMORY, after which the reader holds nothing but may be used again, else ASSAY_OK. O(bytes), or O(bytes × log
 * names) for objects whose names collide on purpose. */
ASSAY_API assay_status assay_json_read(assay_json_reader *reader, const assay_batch *batch, uint8_t *bytes,
                                       uint32_t *used, uint32_t first, uint32_t count, const uint64_t *skip);

/* All that follows is about the last slice read, and valid until the next read. Row i is record first + i. */

/* The rows that have a string, number or Boolean to which no path leads. */
ASSAY_API const uint64_t *assay_json_unnamed(const assay_json_reader *reader);

/* The rows that are blank, no JSON, no object, or have a name twice in an object or half of a surrogate pair. They and skipped rows
 * have no values. */
ASSAY_API const uint64_t *assay_json_malformed(const assay_json_reader *reader);
ASSAY_API assay_json_mistake assay_json_mistake_at(const assay_json_reader *reader, uint32_t row);

/* The values of a column; of a plain one, row by row, of a list column, element by element. May be NULL where there are none.
 *
 *     cells    the text of a string, unescaped and without its quotes; a number, true or false, an object or an array as it
 *              stands; null and absent: {where it stands, 0}
 *     kinds    assay_json_kind
 *     places   where the value stands in the buffer, with its quote; absent: the start of the record or of the list's element
 */
ASSAY_API const assay_cell *assay_json_cells(const assay_json_reader *reader, size_t column);
ASSAY_API const uint8_t *assay_json_kinds(const assay_json_reader *reader, size_t column);
ASSAY_API const uint32_t *assay_json_places(const assay_json_reader *reader, size_t column);

#define ASSAY_JSON_NOT_A_LIST 0xFFFFFFFFu /* in place of an index */

/* The elements of a list column, in the order in which they stand.
 *
 *     {"items":[{"price":1},{}],"tags":null,"m":3}
 *     items[].price   row 0, index 0: number 1;   row 0, index 1: absent
 *     tags[]          nothing: so it is for null, for a list without elements, and if there is no such list
 *     m[]             row 0, index ASSAY_JSON_NOT_A_LIST: number 3 */
ASSAY_API size_t assay_json_element_count(const assay_json_reader *reader, size_t column);
/* The row of each. */
ASSAY_API const uint32_t *assay_json_element_rows(const assay_json_reader *reader, size_t column);
/* Where each stands in its lists, ASSAY_JSON_LISTS numbers from 0, outermost list first; unused ones are 0. */
ASSAY_API const uint32_t *assay_json_element_indexes(const assay_json_reader *reader, size_t column);

/* Sets exactly the bits of the values of a column whose kind is in `kinds`, a set with bit 1 << kind for each. The mask has
 * a bit for each row or, for a list column, for each element. */
ASSAY_API void assay_json_kind_mask(const assay_json_reader *reader, size_t column, unsigned kinds, uint64_t *mask);

/* Calls `visit` for each scalar in an object, in order, with its path as assay_json_paths_create takes it: elements of lists
 * as `tags[]`, and `tags[]` once for each element. `path` is not NUL-terminated and does not outlive the call. Values that no
 * path can name (an empty key inside another, a fifth list) are left out, and so are empty objects and lists.
 * Returns ASSAY_BAD_DESCRIPTION, without a visit, if the line is malformed; ASSAY_NO_MEMORY or ASSAY_TOO_LARGE, else ASSAY_OK.
 * The line must be well-formed UTF-8 for the paths to be so. */
ASSAY_API assay_status assay_json_walk(const uint8_t *ASSAY_COUNTED_BY(count) line, size_t count,
                                       void (*visit)(void *context, const char *path, size_t path_count,
                                                     assay_json_kind kind),
                                       void *context);

/* Where a member can be added to the well-formed object of a line: the offset of its last }, and whether it has no members yet.
 * SIZE_MAX if the last byte of [start, end) that is no white space is not }. */
ASSAY_API size_t assay_json_object_end(const uint8_t *bytes, size_t start, size_t end, bool *is_empty);

#ifdef __cplusplus
}
#endif
#endif
