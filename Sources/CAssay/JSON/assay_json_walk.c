/* Visits all scalars of one object with their paths, to find the columns of a file. */
#include "JSON/assay_json.h"

#include <stdlib.h>
#include <string.h>

/* An open object or array. */
typedef struct walk_level {
    size_t path; /* the length of its path */
    unsigned lists;
    bool is_array;
    bool is_nameless; /* its contents have no path */
} walk_level;

typedef struct walker {
    const uint8_t *at;
    char *path; /* has room for the longest path: two bytes per byte of the line and two per level */
    size_t path_count;
    void (*visit)(void *context, const char *path, size_t path_count, assay_json_kind kind);
    void *context;
    size_t depth;
    walk_level levels[JSON_DEPTH + 1];
} walker;

static const uint8_t *string_end(const uint8_t *quote)
{
    const uint8_t *at = quote + 1;
    while (*at != '"') at += *at == '\\' ? 2 : 1;
    return at + 1;
}

/* Appends a name to the path of its object. Returns false if no path can contain the name. */
static bool append_name(walker *walk, const uint8_t *quote, const uint8_t *end, uint8_t *name)
{
    const size_t length = assay_json_unescape(quote + 1, (size_t)(end - quote) - 2, name);
    const bool is_top = walk->depth == 1;
    if (!is_top) walk->path[walk->path_count++] = '.';
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '.' || name[i] == '[' || name[i] == ']' || name[i] == '\\') {
            walk->path[walk->path_count++] = '\\';
        }
        walk->path[walk->path_count++] = (char)name[i];
    }
    return is_top || length > 0;
}

/* Opens an object or array. */
static void enter(walker *walk, bool is_nameless)
{
    const walk_level *outer = &walk->levels[walk->depth];
    walk_level level = {walk->path_count, outer->lists, *walk->at == '[', is_nameless};
    if (level.is_array) {
        level.lists++;
        level.is_nameless |= level.lists > ASSAY_JSON_LISTS;
        walk->path[walk->path_count++] = '[';
        walk->path[walk->path_count++] = ']';
        level.path = walk->path_count;
    }
    walk->levels[++walk->depth] = level;
    walk->at++;
}

static assay_json_kind pass_scalar(walker *walk)
{
    switch (*walk->at) {
    case '"':
        walk->at = string_end(walk->at);
        return ASSAY_JSON_STRING;
    case 't':
    case 'n':
        walk->at += 4;
        return walk->at[-4] == 't' ? ASSAY_JSON_BOOLEAN : ASSAY_JSON_NULL;
    case 'f':
        walk->at += 5;
        return ASSAY_JSON_BOOLEAN;
    default:
        while (*walk->at == '-' || *walk->at == '+' || *walk->at == '.' || (*walk->at | 0x20) == 'e' ||
               (*walk->at >= '0' && *walk->at <= '9')) {
            walk->at++;
        }
        return ASSAY_JSON_NUMBER;
    }
}

/* Visits all scalars. The line must be well-formed, so that the first byte of a token determines its kind. */
static void visit_all(walker *walk, uint8_t *name)
{
    while (assay_json_is_space(*walk->at)) walk->at++;
    do {
        const walk_level *level = &walk->levels[walk->depth];
        const uint8_t byte = *walk->at;
        if (assay_json_is_space(byte) || byte == ',' || byte == ':') {
            walk->at++;
            continue;
        }
        if (byte == '}' || byte == ']') {
            walk->at++;
            walk->depth--;
            continue;
        }
        bool is_nameless = level->is_nameless;
        walk->path_count = level->path;
        if (walk->depth > 0 && !level->is_array) {
            const uint8_t *end = string_end(walk->at);
            is_nameless |= !append_name(walk, walk->at, end, name);
            walk->at = end;
            while (assay_json_is_space(*walk->at) || *walk->at == ':') walk->at++;
        }
        if (*walk->at == '{' || *walk->at == '[') {
            /* A path cannot continue after an empty name. */
            enter(walk, is_nameless || (walk->depth > 0 && walk->path_count == 0));
        } else {
            const assay_json_kind kind = pass_scalar(walk);
            if (!is_nameless) walk->visit(walk->context, walk->path, walk->path_count, kind);
        }
    } while (walk->depth > 0);
}

/* Reads the line as the only record of a batch. */
static assay_status check(uint8_t *bytes, uint32_t count)
{
    assay_json_paths *paths = assay_json_paths_create(NULL, 0, &(size_t){0}, NULL);
    assay_json_reader *reader = paths == NULL ? NULL : assay_json_reader_create(paths);
    assay_record records[2] = {{0, count, 0, 0}, {count, count, 0, 0}};
    const assay_batch batch = {.records = records, .record_count = 1, .consumed = count};
    uint32_t used = count;
    assay_status status = reader == NULL ? ASSAY_NO_MEMORY : assay_json_read(reader, &batch, bytes, &used, 0, 1, NULL);
    if (status == ASSAY_OK && assay_json_malformed(reader)[0] != 0) status = ASSAY_BAD_DESCRIPTION;
    assay_json_reader_free(reader);
    assay_json_paths_free(paths);
    return status;
}

assay_status assay_json_walk(const uint8_t *line, size_t count,
                             void (*visit)(void *context, const char *path, size_t path_count, assay_json_kind kind),
                             void *context)
{
    if (count >= UINT32_MAX / 4) return ASSAY_TOO_LARGE;
    uint8_t *bytes = malloc(2 * count + 1);
    walker *walk = malloc(sizeof *walk);
    char *path = malloc(2 * count + 2 * JSON_DEPTH);
    uint8_t *name = malloc(count + 1);
    assay_status status = ASSAY_NO_MEMORY;
    if (bytes != NULL && walk != NULL && path != NULL && name != NULL) {
        if (count > 0) memcpy(bytes, line, count);
        status = check(bytes, (uint32_t)count);
        if (status == ASSAY_OK) {
            walk->at = bytes;
            walk->path = path;
            walk->path_count = 0;
            walk->visit = visit;
            walk->context = context;
            walk->depth = 0;
            walk->levels[0] = (struct walk_level){0};
            visit_all(walk, name);
        }
    }
    free(bytes);
    free(walk);
    free(path);
    free(name);
    return status;
}
