/* assay_json.h: what the files of this folder share: the compiled paths, and the state of a reader.
 *
 *     assay_json_paths.c         names ──► a tree of nodes
 *     assay_json_rows_blocks.h   the parser, compiled once for each processor path
 *     assay_json_shapes.c        which names follow one another: most names are recognised by one comparison
 *     assay_json_names.c         names that stand twice, where shapes do not help
 *     assay_json_values.c        values to columns, where there is more to do than to write one cell
 *     assay_json_strings.c       escapes
 *     assay_json_reader.c        a slice from its beginning to its end, and what the caller asks about it
 */
#ifndef ASSAY_JSON_INTERNAL_H
#define ASSAY_JSON_INTERNAL_H

#include "assay/json.h"

enum {
    JSON_DEPTH = 128,      /* the deepest nesting that is accepted */
    JSON_NOWHERE = 0,      /* the node of values that nobody asks for; its members are nobody's, too */
    JSON_TOP = 1,          /* the node of the object of a line */
    JSON_SHAPES = 1024,    /* beside the empty shapes */
    JSON_SHAPE_NAMES = 64, /* the most names in a shape */
    JSON_SHAPE_NAME_BYTES = 256,
    JSON_SHAPE_TEXT = 64 * 1024,
    JSON_SHAPE_SLOTS = 4 * JSON_SHAPES,
};
#define JSON_NONE UINT32_MAX

/* What a node has to do with columns: heads of lists of links. */
typedef enum json_role {
    JSON_ENDS,    /* a path of the column ends here */
    JSON_LITERAL, /* the column's name, as it stands, is this key of the top object */
    JSON_OWN, /* this is the last [] in the path, and keys follow: each element has one value, perhaps an absent one */
    JSON_BELOW, /* this is one of the [] in the path */
    JSON_ROLES,
} json_role;

/* A position in the tree of all paths.
 *
 *     email, items[], items[].price       top ── email
 *                                          └──── items ── [] ── price */
typedef struct json_node {
    uint32_t direct;  /* the plain column whose cell is all there is to write, or JSON_NONE */
    uint32_t element; /* the node of the elements of a list here, or JSON_NOWHERE */
    uint32_t lists;   /* how many [] lead here */
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
    uint32_t child; /* JSON_NOWHERE: a free slot */
    size_t key;     /* in the text */
    size_t length;
} json_edge;

typedef struct json_name_facts {
    uint32_t lists;
    bool has_two_ways; /* also as it stands */
} json_name_facts;

struct assay_json_paths {
    size_t count;
    json_name_facts *facts; /* of each column */
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

/* The node of a key below a node, or JSON_NOWHERE. `hash` is assay_hash_bytes of the key. */
uint32_t assay_json_find_key(const assay_json_paths *paths, uint32_t parent, const uint8_t *key, size_t length,
                             uint64_t hash);

/* A sequence of names from the beginning of an object, all different: the parent's sequence and one more name.
 *
 *     {"id":1,"name":"A"}   (empty) ── "id" ── "name"
 *     {"id":2,"tag":"x"}                  └─── "tag"
 *
 * Names are compared as they are written, quotes and escapes included, so that it takes no unescaping to recognise one. */
typedef struct json_shape {
    uint64_t words[2]; /* the first 16 bytes of the text, zeros behind its end */
    uint64_t masks[2]; /* ones where the text is; both 0 and words[0] 1: nothing compares equal */
    uint32_t length;   /* of the text with its quotes */
    uint32_t text;     /* in the text of the shapes */
    uint32_t next;     /* the shape that was last seen to follow, or 0 */
    uint32_t node;     /* what the paths ask of this member */
    uint32_t parent;
    uint32_t names; /* how many */
    uint32_t name;  /* unescaped, in the text of the shapes */
    uint32_t name_length;
    uint64_t hash; /* of the unescaped name */
} json_shape;

/* A name of an object whose shape is not known. */
typedef struct json_name {
    uint64_t hash;
    const uint8_t *bytes; /* in the buffer or in the text of the shapes; NULL: at `start` of unescaped names */
    uint32_t start;
    uint32_t length;
    uint32_t place; /* of its opening quote */
} json_name;

/* An object or array that is not closed yet. */
typedef struct json_level {
    uint32_t value;   /* its own node */
    uint32_t content; /* the node below which its members are looked up, or the node of its elements */
    uint32_t
        shape; /* of an object: its names up to now; 0: they are in the list of names, from `names` on; else JSON_NONE */
    uint32_t names;
    uint32_t start;   /* in the buffer */
    uint32_t index;   /* of an array: of the element */
    uint32_t element; /* of an array: where the element starts in the buffer */
    bool is_array;
} json_level;

/* A column of the slice. A list column uses all of it, a plain one has a value for each row. */
typedef struct json_column {
    assay_cell *cells;
    uint32_t *places;
    uint8_t *kinds;
    uint32_t *rows;
    uint32_t *indexes;
    size_t count;
    size_t capacity;
    size_t mark; /* `count` when the element began: nothing has been added to a JSON_OWN column if it is so again */
    uint32_t literal_row; /* 1 + the last row that has the name as it stands */
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
    uint64_t *unnamed; /* the rows with a value that is in no column */
    assay_json_mistake *mistakes;
    size_t row_capacity;

    /* The row. */
    uint32_t row;
    const uint8_t *end; /* where a control character stands, so that no token goes on behind it */
    assay_json_mistake mistake;
    bool has_unnamed;
    bool is_out_of_memory;
    uint32_t depth; /* levels[depth − 1] is the innermost */
    json_level levels[JSON_DEPTH];
    uint32_t indexes[ASSAY_JSON_LISTS];

    /* Shapes. 0 is no shape; 1 + n is the empty one below node n; then come all others. */
    json_shape *shapes;
    uint32_t shape_count;
    uint32_t *shape_slots; /* a hash table of (parent, text) */
    uint8_t *shape_text;
    uint32_t shape_text_count;

    /* Names of objects without shape. */
    json_name *names;
    uint32_t name_count;
    uint32_t name_capacity;
    uint8_t *unescaped;
    size_t unescaped_count;
    size_t unescaped_capacity;
    uint32_t *name_slots;
    size_t name_slot_capacity;
};

/* Notes the mistake, or a name that stood twice before it. Returns NULL, for the functions that return the end of what they read. */
const uint8_t *assay_json_fail(assay_json_reader *reader, const uint8_t *place, assay_json_mistake_code code);

/* Takes back what the row, which turned out to be malformed, has brought to the columns, and keeps its mistake. */
void assay_json_reject_row(assay_json_reader *reader);

/* Forgets all shapes. */
void assay_json_clear_shapes(assay_json_reader *reader);

/* Reads a name that is not the one foreseen, and gives the level its new shape. Returns the end of the name and in *node what is
 * asked of its value; NULL: a mistake or no memory. */
const uint8_t *assay_json_read_name(assay_json_reader *reader, json_level *level, const uint8_t *at, uint32_t *node);

/* The place of the first name that the innermost object without shape has a second time, or JSON_NONE. Spoils the order of
 * its names. Without memory it takes longer. */
uint32_t assay_json_find_duplicate(assay_json_reader *reader, const json_level *level);

const uint8_t *assay_json_name_bytes(const assay_json_reader *reader, const json_name *name);

/* The end of an escape that begins at a backslash; NULL: it is invalid or half of a surrogate pair. A pair is one escape. */
const uint8_t *assay_json_escape_end(const uint8_t *at);

/* Reads a string byte by byte. Returns its closing quote, or NULL with the mistake noted. */
const uint8_t *assay_json_string_end(assay_json_reader *reader, const uint8_t *quote, bool *has_escapes);

/* Writes what a well-formed string means; never longer than the string. Returns how many bytes. */
size_t assay_json_unescape(const uint8_t *bytes, size_t count, uint8_t *target);

/* Brings a value to the columns that its node asks for, if that is not one plain column. */
void assay_json_put(assay_json_reader *reader, uint32_t node, assay_json_kind kind, assay_cell cell, uint32_t place);

/* Around each element of a list that paths go through. */
void assay_json_begin_element(assay_json_reader *reader, uint32_t node, uint32_t index);
void assay_json_end_element(assay_json_reader *reader, uint32_t node, uint32_t place);

static inline bool assay_json_is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

#endif
