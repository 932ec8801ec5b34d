/* Shapes: sequences of names in objects.
 *
 * The parser compares a name with the name that last followed the same sequence. This file handles names that differ. A
 * known sequence is found by its hash; a new sequence becomes a shape if its names are distinct. Objects with too many
 * or too long names have no shape, and assay_json_names.c checks them for duplicate names. */
#include "Memory/assay_grow.h"
#include "JSON/assay_json.h"

#include <stdlib.h>
#include <string.h>

#include "Bytes/assay_hash.h"

static uint32_t empty_shapes(const assay_json_reader *reader) { return 1 + (uint32_t)reader->paths->node_count; }

void assay_json_clear_shapes(assay_json_reader *reader)
{
    reader->shapes[0] = (json_shape){.words = {1, 0}};
    for (uint32_t node = 0; node < reader->paths->node_count; node++) {
        reader->shapes[1 + node] = (json_shape){.words = {1, 0}, .node = node};
    }
    reader->shape_count = empty_shapes(reader);
    reader->shape_text_count = 0;
    memset(reader->shape_slots, 0, JSON_SHAPE_SLOTS * sizeof *reader->shape_slots);
}

/* The slot of the shape that follows `parent` with this text, or a free slot. At most a quarter is in use. */
static uint32_t *find_slot(const assay_json_reader *reader, uint32_t parent, const uint8_t *text, uint32_t length,
                           uint64_t hash)
{
    uint32_t slot = (uint32_t)assay_hash_mix(hash, parent) % JSON_SHAPE_SLOTS;
    for (;; slot = (slot + 1) % JSON_SHAPE_SLOTS) {
        const uint32_t number = reader->shape_slots[slot];
        const json_shape *shape = &reader->shapes[number];
        if (number == 0 || (shape->parent == parent && shape->length == length &&
                            memcmp(reader->shape_text + shape->text, text, length) == 0)) {
            return &reader->shape_slots[slot];
        }
    }
}

static const uint8_t *shape_name(const assay_json_reader *reader, const json_shape *shape)
{
    return reader->shape_text + shape->name;
}

static bool has_name(const assay_json_reader *reader, uint32_t number, const uint8_t *name, uint32_t length,
                     uint64_t hash)
{
    for (; reader->shapes[number].names > 0; number = reader->shapes[number].parent) {
        const json_shape *shape = &reader->shapes[number];
        if (shape->hash == hash && shape->name_length == length &&
            memcmp(shape_name(reader, shape), name, length) == 0) {
            return true;
        }
    }
    return false;
}

static void fill_words(json_shape *shape, const uint8_t *text)
{
    uint8_t bytes[16] = {0}, masks[16] = {0};
    const size_t count = shape->length < 16 ? shape->length : 16;
    memcpy(bytes, text, count);
    memset(masks, 0xFF, count);
    memcpy(shape->words, bytes, sizeof bytes);
    memcpy(shape->masks, masks, sizeof masks);
}

static bool reserve_names(assay_json_reader *reader, size_t more)
{
    const size_t needed = reader->name_count + more;
    if (needed <= reader->name_capacity) return true;
    const size_t capacity = needed < 64 ? 64 : needed * 2;
    if (capacity > UINT32_MAX || !assay_resize(&reader->names, sizeof *reader->names, capacity)) return false;
    reader->name_capacity = (uint32_t)capacity;
    return true;
}

static bool reserve_unescaped(assay_json_reader *reader, size_t more)
{
    return assay_grow(&reader->unescaped, &reader->unescaped_capacity, 1, reader->unescaped_count + more);
}

/* Changes the names of an object from a shape to a list. */
static bool leave_shapes(assay_json_reader *reader, json_level *level)
{
    uint32_t number = level->shape;
    if (!reserve_names(reader, reader->shapes[number].names)) return false;
    level->shape = 0;
    level->names = reader->name_count;
    for (; reader->shapes[number].names > 0; number = reader->shapes[number].parent) {
        const json_shape *shape = &reader->shapes[number];
        /* The place is not needed, because the names of a shape are distinct, so this is not a duplicate. */
        reader->names[reader->name_count++] =
            (json_name){.hash = shape->hash, .bytes = shape_name(reader, shape), .length = shape->name_length};
    }
    return true;
}

static const uint8_t *no_memory(assay_json_reader *reader)
{
    reader->is_out_of_memory = true;
    return NULL;
}

const uint8_t *assay_json_read_name(assay_json_reader *reader, json_level *level, const uint8_t *at, uint32_t *node)
{
    if (*at != '"') return assay_json_fail(reader, at, ASSAY_JSON_EXPECTED_NAME);
    bool has_escapes;
    const uint8_t *close = assay_json_string_end(reader, at, &has_escapes);
    if (close == NULL) return NULL;
    const uint8_t *end = close + 1;
    const uint32_t text_length = (uint32_t)(end - at);
    const uint32_t place = (uint32_t)(at - reader->bytes);

    uint32_t *slot = NULL;
    if (level->shape != 0 && text_length <= JSON_SHAPE_NAME_BYTES) {
        slot = find_slot(reader, level->shape, at, text_length, assay_hash_bytes(at, text_length));
        if (*slot != 0) {
            reader->shapes[level->shape].next = *slot;
            level->shape = *slot;
            *node = reader->shapes[*slot].node;
            return end;
        }
    }

    const uint8_t *name = at + 1;
    uint32_t length = text_length - 2;
    if (has_escapes) {
        if (!reserve_unescaped(reader, length)) return no_memory(reader);
        uint8_t *target = reader->unescaped + reader->unescaped_count;
        length = (uint32_t)assay_json_unescape(name, length, target);
        name = target;
    }
    const uint64_t hash = assay_hash_bytes(name, length);
    *node = assay_json_find_key(reader->paths, level->content, name, length, hash);

    const uint32_t parent = level->shape;
    if (slot != NULL && reader->shapes[parent].names < JSON_SHAPE_NAMES &&
        reader->shape_count < empty_shapes(reader) + JSON_SHAPES &&
        reader->shape_text_count + 2 * JSON_SHAPE_NAME_BYTES <= JSON_SHAPE_TEXT) {
        if (has_name(reader, parent, name, length, hash)) return assay_json_fail(reader, at, ASSAY_JSON_DUPLICATE_NAME);
        json_shape *shape = &reader->shapes[reader->shape_count];
        *shape = (json_shape){.length = text_length,
                              .text = reader->shape_text_count,
                              .node = *node,
                              .parent = parent,
                              .names = reader->shapes[parent].names + 1,
                              .name = reader->shape_text_count + (has_escapes ? text_length : 1),
                              .name_length = length,
                              .hash = hash};
        memcpy(reader->shape_text + shape->text, at, text_length);
        memcpy(reader->shape_text + shape->name, name, length);
        reader->shape_text_count += text_length + (has_escapes ? length : 0);
        fill_words(shape, at);
        *slot = reader->shape_count++;
        reader->shapes[parent].next = *slot;
        level->shape = *slot;
        return end;
    }

    if (parent != 0 && !leave_shapes(reader, level)) return no_memory(reader);
    if (!reserve_names(reader, 1)) return no_memory(reader);
    json_name *entry = &reader->names[reader->name_count++];
    *entry = (json_name){.hash = hash, .bytes = name, .length = length, .place = place};
    if (has_escapes) {
        /* Store an offset, because `unescaped` moves when it grows. */
        entry->bytes = NULL;
        entry->start = (uint32_t)reader->unescaped_count;
        reader->unescaped_count += length;
    }
    return end;
}
