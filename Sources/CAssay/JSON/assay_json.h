/* assay_json.h: the declarations shared in this folder: compiled paths, and the state of a reader.
 *
 *     assay_json_paths.c         names ──► a tree of nodes
 *     assay_json_rows_blocks.h   the parser, compiled once per processor path
 *     assay_json_shapes.c        sequences of names: most names are recognized by one comparison
 *     assay_json_names.c         duplicate names in objects without a shape
 *     assay_json_values.c        values of columns that need more than one cell per row
 *     assay_json_strings.c       escapes
 *     assay_json_mistake.c       malformed lines
 *     assay_json_reader.c        reading a slice, and access to the results
 */
#ifndef ASSAY_JSON_INTERNAL_H
#define ASSAY_JSON_INTERNAL_H

#include "assay/json.h"

enum {
    JSON_DEPTH = 128,      /* the max nesting depth */
    JSON_OUTSIDE = 0,      /* the node of values outside all paths; their members are also outside */
    JSON_TOP = 1,          /* the node of the object of a line */
    JSON_SHAPES = 1024,    /* the max number of shapes, without the empty ones */
    JSON_SHAPE_NAMES = 64, /* the max number of names in a shape */
    JSON_SHAPE_NAME_BYTES = 256,
    JSON_SHAPE_TEXT = 64 * 1024,
    JSON_SHAPE_SLOTS = 4 * JSON_SHAPES,
};
#define JSON_NONE UINT32_MAX

/* The relation of a node to columns. A node has a list of links for each role. */
typedef enum json_role {
    JSON_ENDS,    /* a path of the column ends here */
    JSON_LITERAL, /* the name of the column, taken literally, is this key of the top object */
    JSON_OWN,     /* the last [] of the path, before further keys: each element has one value, which may be absent */
    JSON_BELOW,   /* any [] of the path */
    JSON_ROLES,
} json_role;

/* A position in the tree of all paths.
 *
 *     email, items[], items[].price       top ── email
 *                                          └──── items ── [] ── price */
typedef struct json_node {
    uint32_t direct;  /* the plain column, if a value only sets one cell; otherwise JSON_NONE */
    uint32_t element; /* the node of the elements, if the value is a list; or JSON_OUTSIDE */
    uint32_t lists;   /* the number of [] before this node */
    uint32_t links[JSON_ROLES];
} json_node;

typedef struct json_link {
    uint32_t column;
    uint32_t next; /* JSON_NONE: the last */
} json_link;

/* A key below a node. */
typedef struct json_edge {
    uint64_t hash;
    uint32_t parent;
    uint32_t child; /* JSON_OUTSIDE: a free slot */
    size_t key;     /* the offset in `text` */
    size_t length;
} json_edge;

typedef struct json_name_facts {
    uint32_t lists;
    bool has_two_ways; /* the name is a path or, taken literally, a key of the top object */
} json_name_facts;

struct assay_json_paths {
    size_t count;
    json_name_facts *facts; /* by column */
    json_node *nodes;
    size_t node_count;
    json_link *links;
    size_t link_count;
    json_edge *edges;
    size_t edge_mask;
    uint8_t *text;
    size_t text_count;
    bool reads_null; /* null in place of a list is a value */
};

/* The node of a key below a node, or JSON_OUTSIDE. `hash` must be assay_hash_bytes() of the key. */
uint32_t assay_json_find_key(const assay_json_paths *paths, uint32_t parent, const uint8_t *key, size_t length,
                             uint64_t hash);

/* A sequence of distinct names from the beginning of an object: the parent's sequence and one more name.
 *
 *     {"id":1,"name":"A"}   (empty) ── "id" ── "name"
 *     {"id":2,"tag":"x"}                  └─── "tag"
 *
 * Names are compared with their quotes and escapes, so that the parser recognizes a name without unescaping it. */
typedef struct json_shape {
    uint64_t words[2]; /* the first 16 bytes of the text, padded with zeros */
    uint64_t masks[2]; /* ones for the bytes of the text; both 0, with words[0] 1, in a shape that never matches */
    uint32_t length;   /* the length of the text with its quotes */
    uint32_t text;     /* the offset in `shape_text` */
    uint32_t next;     /* the shape that last followed this one, or 0 */
    uint32_t node;     /* the node of this member */
    uint32_t parent;
    uint32_t names; /* the number of names */
    uint32_t name;  /* the offset of the unescaped name in `shape_text` */
    uint32_t name_length;
    uint64_t hash; /* the hash of the unescaped name */
} json_shape;

/* A name in an object without a shape. */
typedef struct json_name {
    uint64_t hash;
    const uint8_t *bytes; /* in the buffer or in `shape_text`; NULL: at offset `start` of `unescaped` */
    uint32_t start;
    uint32_t length;
    uint32_t place; /* the offset of the opening quote in the buffer */
} json_name;

/* An object or array that is not closed yet. */
typedef struct json_level {
    uint32_t value;   /* the node of the object or array */
    uint32_t content; /* the parent node of the members, or the node of the elements */
    uint32_t shape;   /* the names of an object so far; 0: they are in a list, from `names` on; JSON_NONE: an array */
    uint32_t names;
    uint32_t start;   /* the offset in the buffer */
    uint32_t index;   /* the index of the current element of an array */
    uint32_t element; /* the offset of the current element of an array in the buffer */
    bool is_array;
} json_level;

/* A column of the slice. A list column uses all members; a plain column has one value per row. */
typedef struct json_column {
    assay_cell *cells;
    uint32_t *places;
    uint8_t *kinds;
    uint32_t *rows;
    uint32_t *indexes;
    size_t count;
    size_t capacity;
    size_t mark;          /* `count` at the beginning of the element, to detect that the element added no values */
    uint32_t literal_row; /* 1 + the last row that has the literal name as a key */
} json_column;

struct assay_json_reader {
    const assay_json_paths *paths;
    json_column *columns;

    /* The slice. */
    const assay_batch *batch;
    uint8_t *bytes;
    const uint64_t *skip;
    uint32_t used;
    uint32_t first;
    uint32_t count;
    uint64_t *malformed;
    uint64_t *unnamed; /* the rows with a value outside all columns */
    assay_json_mistake *mistakes;
    size_t row_capacity;

    /* The row. */
    uint32_t row;
    const uint8_t *end; /* the control character after the record, which ends every token */
    assay_json_mistake mistake;
    bool has_unnamed;
    bool is_out_of_memory;
    uint32_t depth; /* levels[depth − 1] is the innermost */
    json_level levels[JSON_DEPTH];
    uint32_t indexes[ASSAY_JSON_LISTS];

    /* Shapes. Shape 0 never matches; 1 + n is the empty shape below node n; the other shapes follow. */
    json_shape *shapes;
    uint32_t shape_count;
    uint32_t *shape_slots; /* a hash table of (parent, text) */
    uint8_t *shape_text;
    uint32_t shape_text_count;

    /* Names of open objects without a shape. */
    json_name *names;
    uint32_t name_count;
    uint32_t name_capacity;
    uint8_t *unescaped;
    size_t unescaped_count;
    size_t unescaped_capacity;
    uint32_t *name_slots;
    size_t name_slot_capacity;
};

/* Stores the error, or a duplicate name before it. Returns NULL, for use in functions that return the end of the input
 * that they read. */
const uint8_t *assay_json_fail(assay_json_reader *reader, const uint8_t *place, assay_json_mistake_code code);

/* Removes the values of a malformed row from the columns, and stores its error. */
void assay_json_reject_row(assay_json_reader *reader);

/* Removes all shapes except the empty ones. */
void assay_json_clear_shapes(assay_json_reader *reader);

/* Reads a name other than the predicted one, and updates the shape of the level. Returns the end of the name, and in
 * *node the node of its value. Returns NULL after an error or if memory runs out. */
const uint8_t *assay_json_read_name(assay_json_reader *reader, json_level *level, const uint8_t *at, uint32_t *node);

/* The place of the first duplicate name in the innermost object without a shape, or JSON_NONE. May reorder the names of
 * the object. Takes longer if memory runs out. */
uint32_t assay_json_find_duplicate(assay_json_reader *reader, const json_level *level);

const uint8_t *assay_json_name_bytes(const assay_json_reader *reader, const json_name *name);

/* The end of an escape that begins at a backslash, or NULL if it is invalid or half of a surrogate pair. A pair counts
 * as one escape. */
const uint8_t *assay_json_escape_end(const uint8_t *at);

/* Reads a string byte by byte. Returns its closing quote, or NULL after storing an error. */
const uint8_t *assay_json_string_end(assay_json_reader *reader, const uint8_t *quote, bool *has_escapes);

/* Unescapes a well-formed string. Returns the number of bytes written, which is at most `count`. */
size_t assay_json_unescape(const uint8_t *bytes, size_t count, uint8_t *target);

/* Writes a value to the columns of a node, for nodes other than those of one plain column. */
void assay_json_put(assay_json_reader *reader, uint32_t node, assay_json_kind kind, assay_cell cell, uint32_t place);

/* Must be called around each element of a list that a path passes through. */
void assay_json_begin_element(assay_json_reader *reader, uint32_t node, uint32_t index);
void assay_json_end_element(assay_json_reader *reader, uint32_t node, uint32_t place);

static inline bool assay_json_is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

#endif
