#include "Types/assay_list.h"

#include "Bytes/assay_ascii.h"
#include "Bytes/assay_hash.h"
#include "Types/assay_json_text.h"
#include "Types/assay_type_single.h"
#include "JSON/assay_json.h"

#include <stdlib.h>

/* The max length of an item with escapes that is read as a value. */
enum { max_escaped = 1024 };

/* ---------------------------------------------------------------------------------------------------------------
 * Iteration
 * ------------------------------------------------------------------------------------------------------------- */

typedef enum list_step { LIST_ITEM, LIST_END, LIST_BROKEN } list_step;

typedef struct list_item {
    const uint8_t *bytes; /* without the quotes of a JSON string */
    size_t count;
    uint8_t opening; /* the first byte of a JSON item */
    bool has_escapes;
} list_item;

typedef struct list_cursor {
    const assay_list *list;
    assay_list_text text;
    size_t at; /* SIZE_MAX: after the last item */
    bool has_begun;
} list_cursor;

static list_cursor begin(const assay_list *list, assay_list_text text)
{
    return (list_cursor){.list = list, .text = text};
}

/* The place of the next delimiter, or the end of the text. */
static size_t find_delimiter(const list_cursor *cursor)
{
    const assay_text delimiter = cursor->list->delimiter;
    const uint8_t *bytes = cursor->text.bytes;
    size_t at = cursor->at;
    while (cursor->text.count - at >= delimiter.count) {
        const size_t places = cursor->text.count - at - delimiter.count + 1;
        const uint8_t *found = memchr(bytes + at, delimiter.bytes[0], places);
        if (found == NULL) break;
        at = (size_t)(found - bytes);
        if (memcmp(found, delimiter.bytes, delimiter.count) == 0) return at;
        at++;
    }
    return cursor->text.count;
}

static list_step next_written(list_cursor *cursor, list_item *item)
{
    if (cursor->at == SIZE_MAX || cursor->text.count == 0) return LIST_END;
    const size_t end = find_delimiter(cursor);
    *item = (list_item){cursor->text.bytes + cursor->at, end - cursor->at, 0, false};
    cursor->at = end == cursor->text.count ? SIZE_MAX : end + cursor->list->delimiter.count;
    return LIST_ITEM;
}

static list_step next_in_json(list_cursor *cursor, list_item *item)
{
    const uint8_t *bytes = cursor->text.bytes;
    const size_t count = cursor->text.count;
    size_t at = assay_json_text_skip_space(bytes, count, cursor->at);
    if (!cursor->has_begun && (at >= count || bytes[at++] != '[')) return LIST_BROKEN;
    if (!cursor->has_begun) at = assay_json_text_skip_space(bytes, count, at);
    if (at < count && bytes[at] == ']') {
        return assay_json_text_skip_space(bytes, count, at + 1) == count ? LIST_END : LIST_BROKEN;
    }
    if (cursor->has_begun) {
        if (at >= count || bytes[at] != ',') return LIST_BROKEN;
        at = assay_json_text_skip_space(bytes, count, at + 1);
    }
    cursor->has_begun = true;
    const size_t end = assay_json_text_skip_scalar(bytes, count, at);
    if (end == SIZE_MAX) return LIST_BROKEN;
    cursor->at = end;
    const bool is_string = bytes[at] == '"';
    *item = (list_item){bytes + at + is_string, end - at - 2 * (size_t)is_string, bytes[at], false};
    item->has_escapes = is_string && item->count > 0 && memchr(item->bytes, '\\', item->count) != NULL;
    return LIST_ITEM;
}

static list_step next(list_cursor *cursor, list_item *item)
{
    return cursor->text.is_json ? next_in_json(cursor, item) : next_written(cursor, item);
}

/* ---------------------------------------------------------------------------------------------------------------
 * One item
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether the JSON type of an item is suitable for its type. */
static bool suits(const assay_list *list, const list_item *item)
{
    switch (list->item_kind) {
    case ASSAY_KIND_INTEGER:
    case ASSAY_KIND_NUMBER:
        return item->opening == '-' || is_digit(item->opening);
    case ASSAY_KIND_BOOLEAN:
        return item->opening == 't' || item->opening == 'f';
    default:
        return item->opening == '"';
    }
}

/* Reads an item that is not a string. The value points into `room` or into the item. */
static assay_verdict read_item(const assay_list *list, const list_item *item, uint8_t room[max_escaped],
                               assay_value *value)
{
    const uint8_t *bytes = item->bytes;
    size_t count = item->count;
    if (item->has_escapes) {
        if (count > max_escaped) return ASSAY_UNDECIDED;
        count = assay_json_unescape(bytes, count, room);
        bytes = room;
    }
    return assay_type_parse_single(list->item, bytes, count, value) ? ASSAY_PASS : ASSAY_FAIL;
}

assay_verdict assay_list_evaluate(const assay_list *list, assay_list_text text, size_t *items)
{
    list_cursor cursor = begin(list, text);
    list_item item;
    size_t found = 0;
    assay_verdict verdict = ASSAY_PASS;
    list_step step;
    while ((step = next(&cursor, &item)) == LIST_ITEM) {
        found++;
        if (text.is_json && !suits(list, &item)) return ASSAY_FAIL;
        if (list->item == NULL) continue;
        uint8_t room[max_escaped];
        assay_value value;
        const assay_verdict one = read_item(list, &item, room, &value);
        if (one == ASSAY_FAIL) return ASSAY_FAIL;
        if (one == ASSAY_UNDECIDED) verdict = ASSAY_UNDECIDED;
    }
    if (step == LIST_BROKEN) return ASSAY_FAIL;
    if (items != NULL) *items = found;
    return verdict;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Equality
 * ------------------------------------------------------------------------------------------------------------- */

/* The next byte of a string, with or without escapes. */
static int next_byte(const list_item *item, assay_json_text_reader *reader)
{
    if (item->has_escapes) return assay_json_text_next(reader);
    return reader->at == reader->end ? -1 : *reader->at++;
}

static bool same_string(const list_item *left, const list_item *right)
{
    assay_json_text_reader one = assay_json_text_read(left->bytes, left->count);
    assay_json_text_reader other = assay_json_text_read(right->bytes, right->count);
    for (;;) {
        const int byte = next_byte(left, &one);
        if (byte != next_byte(right, &other)) return false;
        if (byte < 0) return true;
    }
}

static bool same_item(const assay_list *list, const list_item *left, const list_item *right)
{
    if (list->item == NULL) return same_string(left, right);
    uint8_t left_room[max_escaped], right_room[max_escaped];
    assay_value one, other;
    return read_item(list, left, left_room, &one) == ASSAY_PASS &&
           read_item(list, right, right_room, &other) == ASSAY_PASS &&
           assay_type_equal_singles(list->item, &one, &other);
}

bool assay_list_equal(const assay_list *list, assay_list_text left, assay_list_text right)
{
    list_cursor one = begin(list, left), other = begin(list, right);
    for (;;) {
        list_item item, twin;
        const list_step step = next(&one, &item);
        if (step != next(&other, &twin)) return false;
        if (step != LIST_ITEM) return true;
        if (!same_item(list, &item, &twin)) return false;
    }
}

uint64_t assay_list_hash(const assay_list *list, assay_list_text text)
{
    list_cursor cursor = begin(list, text);
    list_item item;
    uint64_t hash = 0;
    while (next(&cursor, &item) == LIST_ITEM) {
        if (list->item == NULL) {
            assay_json_text_reader reader = assay_json_text_read(item.bytes, item.count);
            for (int byte; (byte = next_byte(&item, &reader)) >= 0;) hash = assay_hash_mix(hash, (uint64_t)byte);
            hash = assay_hash_mix(hash, 256);
        } else {
            uint8_t room[max_escaped];
            assay_value value;
            if (read_item(list, &item, room, &value) != ASSAY_PASS) continue;
            hash = assay_hash_mix(hash, assay_type_hash_single(list->item, &value));
        }
    }
    return hash;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Visiting
 * ------------------------------------------------------------------------------------------------------------- */

bool assay_list_visit(const assay_list *list, assay_list_text text,
                      void (*visit)(void *context, const uint8_t *bytes, size_t count), void *context)
{
    list_cursor cursor = begin(list, text);
    list_item item;
    while (next(&cursor, &item) == LIST_ITEM) {
        if (!item.has_escapes) {
            visit(context, item.bytes, item.count);
            continue;
        }
        uint8_t *room = malloc(item.count);
        if (room == NULL) return false;
        visit(context, room, assay_json_unescape(item.bytes, item.count, room));
        free(room);
    }
    return true;
}
