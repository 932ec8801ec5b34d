/* Paths: column names, compiled into a tree. */
#include "JSON/assay_json.h"

#include <stdlib.h>
#include <string.h>

#include "Bytes/assay_hash.h"
#include "assay_error.h"

static bool refuse(assay_path_reader *reader, const char *mistake)
{
    reader->mistake = mistake;
    return false;
}

bool assay_path_read(assay_path_reader *reader, uint8_t *key)
{
    const assay_text name = reader->name;
    const bool is_first = reader->at == 0;
    reader->key_count = 0;
    for (; reader->at < name.count; reader->at++) {
        uint8_t byte = name.bytes[reader->at];
        if (byte == '.' || byte == '[' || byte == ']') break;
        if (byte == '\\' && reader->at + 1 < name.count) {
            const uint8_t next = name.bytes[reader->at + 1];
            if (next == '.' || next == '[' || next == ']' || next == '\\') {
                byte = next;
                reader->at++;
            }
        }
        key[reader->key_count++] = byte;
    }
    reader->is_end = reader->at == name.count;
    if (reader->key_count == 0 && !(is_first && reader->is_end)) {
        return refuse(reader, reader->is_end || name.bytes[reader->at] == '.' ? "a name is missing in the path"
                                                                              : "a name is missing before the bracket");
    }
    for (; reader->at < name.count && name.bytes[reader->at] == '['; reader->at += 2) {
        if (reader->at + 1 == name.count || name.bytes[reader->at + 1] != ']') {
            return refuse(reader, "a [ in a path is followed by ]; one that belongs to a name is written \\[");
        }
        if (reader->lists == ASSAY_JSON_LISTS) return refuse(reader, "a path has at most four []");
        reader->lists++;
    }
    reader->is_end = reader->at == name.count;
    if (reader->is_end) return true;
    if (name.bytes[reader->at] != '.') {
        return refuse(reader, name.bytes[reader->at] == ']'
                                  ? "a ] in a path follows [; one that belongs to a name is written \\]"
                                  : "a . is missing behind the []");
    }
    reader->at++;
    return true;
}

static size_t slot_of(const assay_json_paths *paths, uint32_t parent, uint64_t hash)
{
    return (size_t)assay_hash_mix(hash, parent) & paths->edge_mask;
}

/* The slot of a key below a node, or the free slot where it belongs. The table always has free slots. */
static json_edge *find_slot(const assay_json_paths *paths, uint32_t parent, const uint8_t *key, size_t length,
                            uint64_t hash)
{
    size_t slot = slot_of(paths, parent, hash);
    for (;; slot = (slot + 1) & paths->edge_mask) {
        json_edge *edge = &paths->edges[slot];
        if (edge->child == JSON_OUTSIDE) return edge;
        if (edge->hash == hash && edge->parent == parent && edge->length == length &&
            memcmp(paths->text + edge->key, key, length) == 0) {
            return edge;
        }
    }
}

uint32_t assay_json_find_key(const assay_json_paths *paths, uint32_t parent, const uint8_t *key, size_t length,
                             uint64_t hash)
{
    return parent == JSON_OUTSIDE ? JSON_OUTSIDE : find_slot(paths, parent, key, length, hash)->child;
}

/* The state of the compilation of one name. */
typedef struct compilation {
    assay_json_paths *paths;
    assay_text name;
    uint32_t column;
    size_t at;
    const char *mistake; /* the error at offset `at` of the name */
} compilation;

static uint32_t new_node(assay_json_paths *paths, uint32_t lists)
{
    const uint32_t number = (uint32_t)paths->node_count++;
    paths->nodes[number] = (json_node){.direct = JSON_NONE, .element = JSON_OUTSIDE, .lists = lists};
    for (int role = 0; role < JSON_ROLES; role++) paths->nodes[number].links[role] = JSON_NONE;
    return number;
}

/* The node below `parent` for the key in the last `length` bytes of the text. Removes the bytes of known keys. */
static uint32_t go_to_key(assay_json_paths *paths, uint32_t parent, size_t length)
{
    const size_t key = paths->text_count - length;
    const uint64_t hash = assay_hash_bytes(paths->text + key, length);
    json_edge *edge = find_slot(paths, parent, paths->text + key, length, hash);
    if (edge->child != JSON_OUTSIDE) {
        paths->text_count = key;
    } else {
        *edge = (json_edge){hash, parent, new_node(paths, paths->nodes[parent].lists), key, length};
    }
    return edge->child;
}

static void add_link(assay_json_paths *paths, uint32_t node, json_role role, uint32_t column)
{
    uint32_t *head = &paths->nodes[node].links[role];
    paths->links[paths->link_count] = (json_link){column, *head};
    *head = (uint32_t)paths->link_count++;
}

/* The node of the elements of the list at `node`. */
static uint32_t go_to_elements(compilation *it, uint32_t node)
{
    assay_json_paths *paths = it->paths;
    if (paths->nodes[node].element == JSON_OUTSIDE) {
        const uint32_t element = new_node(paths, paths->nodes[node].lists + 1);
        paths->nodes[node].element = element;
    }
    node = paths->nodes[node].element;
    add_link(paths, node, JSON_BELOW, it->column);
    return node;
}

static bool compile_name(compilation *it)
{
    assay_json_paths *paths = it->paths;
    json_name_facts *facts = &paths->facts[it->column];
    uint32_t node = JSON_TOP, last_list = JSON_OUTSIDE;
    assay_path_reader reader = {.name = it->name};
    bool is_one_key = true;
    while (!reader.is_end) {
        if (!assay_path_read(&reader, paths->text + paths->text_count)) {
            it->at = reader.at;
            it->mistake = reader.mistake;
            return false;
        }
        is_one_key = is_one_key && reader.is_end && reader.key_count == it->name.count;
        paths->text_count += reader.key_count;
        node = go_to_key(paths, node, reader.key_count);
        while (paths->nodes[node].lists < reader.lists) node = last_list = go_to_elements(it, node);
    }
    add_link(paths, node, JSON_ENDS, it->column);
    facts->lists = paths->nodes[node].lists;
    if (facts->lists > 0 && node != last_list) add_link(paths, last_list, JSON_OWN, it->column);
    if (facts->lists == 0 && !is_one_key) {
        facts->has_two_ways = true;
        memcpy(paths->text + paths->text_count, it->name.bytes, it->name.count);
        paths->text_count += it->name.count;
        add_link(paths, go_to_key(paths, JSON_TOP, it->name.count), JSON_LITERAL, it->column);
    }
    return true;
}

/* Finds the nodes that only set the cell of one plain column, as most nodes do. */
static void find_direct(assay_json_paths *paths)
{
    for (size_t i = 0; i < paths->node_count; i++) {
        json_node *node = &paths->nodes[i];
        const uint32_t link = node->links[JSON_ENDS];
        if (link == JSON_NONE || paths->links[link].next != JSON_NONE) continue;
        if (node->links[JSON_LITERAL] != JSON_NONE || node->element != JSON_OUTSIDE) continue;
        const uint32_t column = paths->links[link].column;
        if (paths->facts[column].lists == 0 && !paths->facts[column].has_two_ways) node->direct = column;
    }
}

/* Allocates for the worst case: each key needs a node and text, each list a node, and each literal name a node and
 * text. */
static bool reserve(assay_json_paths *paths, const assay_text *names, size_t count)
{
    size_t text = 1, parts = 2;
    for (size_t i = 0; i < count; i++) {
        text += 2 * names[i].count;
        parts += 2;
        for (size_t k = 0; k < names[i].count; k++) {
            parts += names[i].bytes[k] == '.' || names[i].bytes[k] == '[';
        }
    }
    size_t slots = 4;
    while (slots < 2 * parts) slots *= 2;
    paths->count = count;
    paths->edge_mask = slots - 1;
    if (parts >= UINT32_MAX / 4) return false;
    paths->facts = calloc(count + 1, sizeof *paths->facts);
    paths->nodes = malloc(parts * sizeof *paths->nodes);
    /* Each part adds at most one link, and each column at most three more. */
    paths->links = malloc((parts + 3 * count) * sizeof *paths->links);
    paths->edges = calloc(slots, sizeof *paths->edges);
    paths->text = malloc(text);
    return paths->facts != NULL && paths->nodes != NULL && paths->links != NULL && paths->edges != NULL &&
           paths->text != NULL;
}

assay_json_paths *assay_json_paths_create(const assay_text *names, size_t count, size_t *bad, assay_error *error)
{
    *bad = 0;
    assay_json_paths *paths = calloc(1, sizeof *paths);
    if (paths == NULL || !reserve(paths, names, count)) {
        assay_json_paths_free(paths);
        assay_error_no_memory(error);
        return NULL;
    }
    new_node(paths, 0);
    new_node(paths, 0);
    /* In descending order, because new links become the first of their list. */
    for (size_t i = count; i-- > 0;) {
        compilation it = {.paths = paths, .name = names[i], .column = (uint32_t)i};
        if (compile_name(&it)) continue;
        *bad = i;
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, it.at, "%s", it.mistake);
        assay_json_paths_free(paths);
        return NULL;
    }
    find_direct(paths);
    return paths;
}

void assay_json_paths_read_null(assay_json_paths *paths) { paths->reads_null = true; }

void assay_json_paths_free(assay_json_paths *paths)
{
    if (paths == NULL) return;
    free(paths->facts);
    free(paths->nodes);
    free(paths->links);
    free(paths->edges);
    free(paths->text);
    free(paths);
}

unsigned assay_json_paths_depth(const assay_json_paths *paths, size_t column) { return paths->facts[column].lists; }
