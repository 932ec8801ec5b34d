/* assay/json.h: extraction of values from JSON Lines, column by column. It continues assay/core.h and
 * follows the rules for every function there.
 *
 *     records ──► assay_json_read ──► columns ──► checks
 *     (one line each)                 (assay_cell, kinds, places)
 *
 * A record is one physical line, split by assay_scan with '\n' as the delimiter and no quoting, and must be one JSON
 * object (RFC 8259) in well-formed UTF-8. The whole line is checked, including values outside all paths. As RFC 7493
 * (I-JSON) requires, an object must not contain a name twice, and an escape must not be half of a surrogate pair,
 * because readers disagree about both. */
#ifndef ASSAY_JSON_H
#define ASSAY_JSON_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kind of the value at a path. */
typedef enum ASSAY_CLOSED_ENUM assay_json_kind {
    ASSAY_JSON_ABSENT = 0,
    ASSAY_JSON_NULL = 1,
    ASSAY_JSON_STRING = 2,
    ASSAY_JSON_NUMBER = 3,
    ASSAY_JSON_BOOLEAN = 4,
    ASSAY_JSON_OBJECT = 5,
    ASSAY_JSON_ARRAY = 6,
} assay_json_kind;

/* The reason why a line is malformed. */
typedef enum ASSAY_CLOSED_ENUM assay_json_mistake_code {
    ASSAY_JSON_NO_MISTAKE = 0,
    ASSAY_JSON_BLANK = 1,            /* only white space */
    ASSAY_JSON_NOT_OBJECT = 2,       /* the first byte is not { */
    ASSAY_JSON_EXPECTED_VALUE = 3,   /* place: the byte where a value was expected */
    ASSAY_JSON_EXPECTED_NAME = 4,    /* place: the byte that should begin a quoted name */
    ASSAY_JSON_EXPECTED_COLON = 5,   /* place: the byte that should be the colon */
    ASSAY_JSON_EXPECTED_BRACE = 6,   /* place: the byte after a member, not a comma and not } */
    ASSAY_JSON_EXPECTED_BRACKET = 7, /* place: the byte after an element, not a comma and not ] */
    ASSAY_JSON_BAD_ESCAPE = 8,       /* place: the backslash */
    ASSAY_JSON_CONTROL = 9,          /* place: the control character in a string */
    ASSAY_JSON_UNCLOSED_STRING = 10, /* place: its opening quote */
    ASSAY_JSON_BAD_NUMBER = 11,      /* place: its first byte */
    ASSAY_JSON_BAD_LITERAL = 12,     /* place: its first byte */
    ASSAY_JSON_TOO_DEEP = 13,        /* place: the bracket that opens level 129 */
    ASSAY_JSON_TEXT_AFTER = 14,      /* place: the first byte after the object */
    ASSAY_JSON_LONE_SURROGATE = 15,  /* place: the backslash of an escape that is half of a surrogate pair */
    ASSAY_JSON_DUPLICATE_NAME = 16,  /* place: the opening quote of the second name */
} assay_json_mistake_code;

/* The first mistake of a line. */
typedef struct assay_json_mistake {
    uint32_t
        place; /* offset in the buffer; the end of the line, before its terminator, if something is missing there */
    assay_json_mistake_code code;
} assay_json_mistake;

/* Returns the text that follows "the line ", such as "is blank" or "is not valid JSON: a value is expected".
 * NUL-terminated, static storage; empty for ASSAY_JSON_NO_MISTAKE. */
ASSAY_API const char *assay_json_mistake_text(assay_json_mistake_code code);

/* The paths that are read from each line: one column for each name. Compiled; any number of threads may use one
 * object. */
typedef struct assay_json_paths assay_json_paths;

#define ASSAY_JSON_LISTS 4 /* max number of [] in a path */

/* A reader of the name of a field as a path: keys that are separated by dots. [] after a key means each element of the
 * list at that key.
 *
 *     email   address.city   tags[]   items[].price   m[][]
 *
 * A dot, a bracket or a backslash in a key must be preceded by a backslash; a backslash before other characters is
 * literal. The empty name is the empty key. Initialize a reader with its name alone: {.name = name}. */
typedef struct assay_path_reader {
    assay_text name;
    size_t at;           /* the next byte of the name */
    size_t key_count;    /* the length of the last key in bytes */
    unsigned lists;      /* the number of [] read so far */
    bool is_end;         /* the last key was the last of the path */
    const char *mistake; /* static storage */
} assay_path_reader;

/* Reads one key, unescaped, to `key`, which must have room for the remaining bytes of the name, and the [] after it.
 * Returns false if the name is not a path, because of a missing key before a dot, [ without ], or more than four [];
 * the reader then contains the mistake and its place. Must not be called at the end. */
ASSAY_API bool assay_path_read(assay_path_reader *reader, uint8_t *key);

/* Compiles names as paths. Keys are compared unescaped, byte for byte. If an object has a key that is equal to the
 * complete name of a path without [], including its dots and backslashes, the name means this key in that object. In
 * other objects, the name is a path. Names may repeat.
 *
 * Returns NULL when out of memory, or for an invalid path. Then *error is filled, with its offset inside
 * names[*bad]. */
ASSAY_API assay_json_paths *assay_json_paths_create(const assay_text *names, size_t count, size_t *bad,
                                                    assay_error *error);
ASSAY_API void assay_json_paths_free(assay_json_paths *paths);

/* Lets readers treat null in place of a list as a value that is not a list. By default, null is an absent list. Call it
 * before the first reader is created. */
ASSAY_API void assay_json_paths_read_null(assay_json_paths *paths);

/* Returns the number of [] in name `column`. 0: a plain column, which has one value per row. Otherwise a list column,
 * which has any number. */
ASSAY_API unsigned assay_json_paths_depth(const assay_json_paths *paths, size_t column);

/* The columns of a slice, and the memory to extract them. Scratch: used by one thread at a time. */
typedef struct assay_json_reader assay_json_reader;

/* Borrows the paths, which must outlive the reader. Returns NULL when out of memory. */
ASSAY_API assay_json_reader *assay_json_reader_create(const assay_json_paths *paths);
ASSAY_API void assay_json_reader_free(assay_json_reader *reader);

/* Reads records [first, first + count), except the rows whose bit is set in `skip` (may be NULL).
 *
 * Strings with escapes are unescaped into the free bytes after `*used`, which must be batch->consumed at first and is
 * advanced. `bytes` must have room for twice the consumed bytes, which suffices for all slices of a batch, because
 * unescaping never lengthens. The byte after a record is overwritten temporarily and then restored.
 *
 * The rows must be well-formed UTF-8; unescaped texts are then well-formed. The batch and the buffer are borrowed for
 * the call.
 *
 * Returns ASSAY_NO_MEMORY, after which the reader is empty but usable, otherwise ASSAY_OK. O(bytes), or O(bytes × log
 * names) for objects with deliberately colliding names. */
ASSAY_API assay_status assay_json_read(assay_json_reader *reader, const assay_batch *batch, uint8_t *bytes,
                                       uint32_t *used, uint32_t first, uint32_t count, const uint64_t *skip);

/* The following functions concern the latest slice, and their results are valid until the next read. Row i is record
 * first + i. */

/* Returns the rows that have a string, number or Boolean outside all paths. */
ASSAY_API const uint64_t *assay_json_unnamed(const assay_json_reader *reader);

/* Returns the rows that are blank, not valid JSON or not an object, or that contain a name twice in an object or half
 * of a surrogate pair. These rows and skipped rows have no values. */
ASSAY_API const uint64_t *assay_json_malformed(const assay_json_reader *reader);
ASSAY_API assay_json_mistake assay_json_mistake_at(const assay_json_reader *reader, uint32_t row);

/* Return the values of a column: by row for a plain column, by element for a list column. May be NULL if there are
 * no values.
 *
 *     cells    the text of a string, unescaped and without its quotes; the text of a number, true, false, an object or
 *              an array; null and absent: {place of the value, 0}
 *     kinds    assay_json_kind
 *     places   the place of the value in the buffer, with its quote; absent: the start of the record or
 *              of the list's element */
ASSAY_API const assay_cell *assay_json_cells(const assay_json_reader *reader, size_t column);
ASSAY_API const uint8_t *assay_json_kinds(const assay_json_reader *reader, size_t column);
ASSAY_API const uint32_t *assay_json_places(const assay_json_reader *reader, size_t column);

#define ASSAY_JSON_NOT_A_LIST 0xFFFFFFFFu /* in place of an index */

/* Returns the number of elements of a list column, which are in the order of the text.
 *
 *     {"items":[{"price":1},{}],"tags":null,"m":3}
 *     items[].price   row 0, index 0: number 1;   row 0, index 1: absent
 *     tags[]          no elements, as for a list without elements and for an absent list
 *     m[]             row 0, index ASSAY_JSON_NOT_A_LIST: number 3 */
ASSAY_API size_t assay_json_element_count(const assay_json_reader *reader, size_t column);
/* Returns the row of each element. */
ASSAY_API const uint32_t *assay_json_element_rows(const assay_json_reader *reader, size_t column);
/* Returns the indexes of each element in its lists, ASSAY_JSON_LISTS numbers from 0, outermost list first; unused ones
 * are 0. */
ASSAY_API const uint32_t *assay_json_element_indexes(const assay_json_reader *reader, size_t column);

/* Sets the bit of each value of a column whose kind is in `kinds`, and clears the other bits. `kinds` has the bit
 * 1 << kind for each of its kinds. The mask has one bit per row or, for a list column, per element. */
ASSAY_API void assay_json_kind_mask(const assay_json_reader *reader, size_t column, unsigned kinds, uint64_t *mask);

/* Calls `visit` for each scalar in an object, in order, with its path in the syntax of assay_json_paths_create: the
 * path of each element of a list is `tags[]`. `path` is not NUL-terminated and is valid only during the call. Values
 * that no path can name (an empty key inside another, a fifth list), empty objects and empty lists are omitted. Returns
 * ASSAY_BAD_DESCRIPTION, without a visit, if the line is malformed; ASSAY_NO_MEMORY or ASSAY_TOO_LARGE, otherwise
 * ASSAY_OK. The line must be well-formed UTF-8; otherwise the paths may be malformed. */
ASSAY_API assay_status assay_json_walk(const uint8_t *ASSAY_COUNTED_BY(count) line, size_t count,
                                       void (*visit)(void *context, const char *path, size_t path_count,
                                                     assay_json_kind kind),
                                       void *context);

/* Returns the place at which a member can be added to the well-formed object of a line: the offset of its last }.
 * *is_empty: whether it has no members. Returns SIZE_MAX if the last byte of [start, end) except white space is not
 * }. */
ASSAY_API size_t assay_json_object_end(const uint8_t *bytes, size_t start, size_t end, bool *is_empty);

#ifdef __cplusplus
}
#endif
#endif
