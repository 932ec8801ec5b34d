/* assay_json_rows_blocks.h: the parser of JSON Lines. Included by assay_kernels_*.c after an assay_block_*.h.
 *
 * The parser reads each line once, from token to token, without recursion. The common members are handled here: a name
 * that was predicted (assay_json_shapes.c), with a value that is one cell of one plain column. Other members need a
 * call.
 *
 *     {"id":1,"name":"Anna"}⏎
 *      ├──┤ ↑                 one comparison of 16 bytes; the value begins after the colon
 *             ├────┤ ├──┤     a string ends at the first quote, backslash or control character of 64 bytes
 *                           ↑ a control character follows the record and ends every token
 *
 * The parser may read up to 64 bytes after a record. */
#include "JSON/assay_json.h"

#include <string.h>

BLOCK_INLINE uint64_t json_load(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Whether the bytes at `at`, in a record that ends at `end`, are the name of a shape. */
BLOCK_INLINE bool json_is_text_of(const json_shape *shape, const uint8_t *at, const uint8_t *end, const uint8_t *texts)
{
    const uint64_t one = (json_load(at) & shape->masks[0]) ^ shape->words[0];
    const uint64_t other = (json_load(at + 8) & shape->masks[1]) ^ shape->words[1];
    if ((one | other) != 0) return false;
    if (shape->length <= 16) return true;
    return end - at >= (ptrdiff_t)shape->length && memcmp(at + 16, texts + shape->text + 16, shape->length - 16) == 0;
}

/* The first byte from `at` on that is not white space. */
BLOCK_INLINE const uint8_t *json_skip_space(const uint8_t *at, const uint8_t *end)
{
    if (__builtin_expect(*at > ' ', 1)) return at;
    if (*at == ' ' && at[1] > ' ') return at + 1;
    while (at < end && assay_json_is_space(*at)) at++;
    return at;
}

/* The closing quote, or NULL after storing an error. */
BLOCK_TARGET static const uint8_t *json_string_rest(assay_json_reader *reader, const uint8_t *quote, const uint8_t *at,
                                                    bool *has_escapes)
{
    for (;;) {
        const uint64_t stops = block_string_stops(block_load(at));
        if (stops == 0) {
            at += 64;
            continue;
        }
        at += __builtin_ctzll(stops);
        if (*at == '"') return at;
        /* Let the plain function find the error. */
        if (*at != '\\') return assay_json_string_end(reader, quote, has_escapes);
        *has_escapes = true;
        /* Escapes often follow each other, because some writers escape all non-ASCII letters. */
        do {
            at = assay_json_escape_end(at);
            if (at == NULL) return assay_json_string_end(reader, quote, has_escapes);
        } while (*at == '\\');
    }
}

/* The closing quote of a string. Fast for short strings without escapes; calls json_string_rest() for others. */
BLOCK_INLINE const uint8_t *json_string(assay_json_reader *reader, const uint8_t *quote, bool *has_escapes)
{
    const uint8_t *at = quote + 1;
    const uint64_t stops = block_string_stops(block_load(at));
    *has_escapes = false;
    if (__builtin_expect(stops != 0, 1)) {
        at += __builtin_ctzll(stops);
        if (__builtin_expect(*at == '"', 1)) return at;
    } else {
        at += 64;
    }
    return json_string_rest(reader, quote, at, has_escapes);
}

BLOCK_INLINE const uint8_t *json_digits(const uint8_t *at)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (;; at += 8) {
        /* Digits become 0 to 9. Adding 0x76 to a larger value sets the top bit or carries, which affects only later
         * bytes. */
        const uint64_t values = json_load(at) ^ 0x3030303030303030u;
        const uint64_t others = ((values + 0x7676767676767676u) | values) & 0x8080808080808080u;
        if (others != 0) return at + (__builtin_ctzll(others) >> 3);
    }
#else
    while (*at >= '0' && *at <= '9') at++;
    return at;
#endif
}

/* Whether a byte after a number or word makes it invalid, because it seems to continue it. */
BLOCK_INLINE bool json_continues(uint8_t byte)
{
    return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') || byte == '.' ||
           byte == '+' || byte == '-' || byte == '_';
}

/* The end of a number, or NULL if it is invalid. */
BLOCK_INLINE const uint8_t *json_number(const uint8_t *at)
{
    if (*at == '-') at++;
    const uint8_t *first = at;
    at = json_digits(at);
    if (at == first || (*first == '0' && at > first + 1)) return NULL;
    if (*at == '.') {
        first = at + 1;
        at = json_digits(first);
        if (at == first) return NULL;
    }
    if ((*at | 0x20) == 'e') {
        at++;
        if (*at == '+' || *at == '-') at++;
        first = at;
        at = json_digits(first);
        if (at == first) return NULL;
    }
    return json_continues(*at) ? NULL : at;
}

/* The end of true, false or null, or NULL. */
BLOCK_INLINE const uint8_t *json_literal(const uint8_t *at)
{
    size_t length = 4;
    if (memcmp(at, "true", 4) != 0 && memcmp(at, "null", 4) != 0) {
        if (memcmp(at, "false", 5) != 0) return NULL;
        length = 5;
    }
    return json_continues(at[length]) ? NULL : at + length;
}

/* Stores the error for a token that is not a value. */
BLOCK_TARGET static const uint8_t *json_no_value(assay_json_reader *reader, const uint8_t *at)
{
    const assay_json_mistake_code code = *at == '.' || *at == '+' ? ASSAY_JSON_BAD_NUMBER
                                         : json_continues(*at)    ? ASSAY_JSON_BAD_LITERAL
                                                                  : ASSAY_JSON_EXPECTED_VALUE;
    return assay_json_fail(reader, at, code);
}

BLOCK_INLINE void json_put(assay_json_reader *reader, uint32_t number, assay_json_kind kind, uint32_t start,
                           uint32_t length, uint32_t place)
{
    const uint32_t direct = reader->paths->nodes[number].direct;
    if (__builtin_expect(direct == JSON_NONE, 0)) {
        assay_json_put(reader, number, kind, (assay_cell){start, length}, place);
        return;
    }
    const json_column *column = &reader->columns[direct];
    column->cells[reader->row] = (assay_cell){start, length};
    column->places[reader->row] = place;
    column->kinds[reader->row] = (uint8_t)kind;
}

BLOCK_TARGET static void json_put_escaped(assay_json_reader *reader, uint32_t number, uint32_t start, uint32_t length)
{
    const uint32_t target = reader->used;
    const size_t written = assay_json_unescape(reader->bytes + start, length, reader->bytes + target);
    reader->used += (uint32_t)written;
    json_put(reader, number, ASSAY_JSON_STRING, target, (uint32_t)written, start - 1);
}

/* Reads the object that begins at `at`. Returns its end, or NULL after storing an error or if memory runs out. */
BLOCK_TARGET static const uint8_t *json_object(assay_json_reader *reader, const uint8_t *at)
{
    const uint8_t *const bytes = reader->bytes, *const end = reader->end;
    const uint8_t *const texts = reader->shape_text;
    json_shape *const shapes = reader->shapes;
    json_level *level = NULL;
    uint32_t depth = 0;
    uint32_t node = JSON_TOP; /* the node of the next value */

object:
    if (depth == JSON_DEPTH) return assay_json_fail(reader, at, ASSAY_JSON_TOO_DEEP);
    level = &reader->levels[depth++];
    reader->depth = depth;
    level->value = node;
    level->content = node;
    level->shape = 1 + node;
    level->start = (uint32_t)(at - bytes);
    level->is_array = false;
    at = json_skip_space(at + 1, end);
    if (*at == '}') goto close;

name : {
    const uint32_t next = shapes[level->shape].next;
    const json_shape *shape = &shapes[next];
    if (__builtin_expect(json_is_text_of(shape, at, end, texts), 1)) {
        level->shape = next;
        node = shape->node;
        at += shape->length;
    } else {
        at = assay_json_read_name(reader, level, at, &node);
        if (at == NULL) return NULL;
    }
    at = json_skip_space(at, end);
    if (__builtin_expect(*at != ':', 0)) return assay_json_fail(reader, at, ASSAY_JSON_EXPECTED_COLON);
    at = json_skip_space(at + 1, end);
}

value : {
    const uint32_t place = (uint32_t)(at - bytes);
    const uint8_t byte = *at;
    if (byte == '"') {
        bool has_escapes;
        const uint8_t *close = json_string(reader, at, &has_escapes);
        if (close == NULL) return NULL;
        const uint32_t length = (uint32_t)(close - at) - 1;
        at = close + 1;
        if (node == JSON_OUTSIDE) {
            reader->has_unnamed = true;
        } else if (has_escapes) {
            json_put_escaped(reader, node, place + 1, length);
        } else {
            json_put(reader, node, ASSAY_JSON_STRING, place + 1, length, place);
        }
    } else if (byte == '-' || (byte >= '0' && byte <= '9')) {
        const uint8_t *start = at;
        at = json_number(at);
        if (at == NULL) return assay_json_fail(reader, start, ASSAY_JSON_BAD_NUMBER);
        if (node == JSON_OUTSIDE) {
            reader->has_unnamed = true;
        } else {
            json_put(reader, node, ASSAY_JSON_NUMBER, place, (uint32_t)(at - start), place);
        }
    } else if (byte == '{') {
        goto object;
    } else if (byte == '[') {
        goto array;
    } else {
        const uint8_t *next = json_literal(at);
        if (next == NULL) return json_no_value(reader, at);
        const bool is_null = byte == 'n';
        if (node == JSON_OUTSIDE) {
            reader->has_unnamed |= !is_null;
        } else {
            json_put(reader, node, is_null ? ASSAY_JSON_NULL : ASSAY_JSON_BOOLEAN, place,
                     is_null ? 0 : (uint32_t)(next - at), place);
        }
        at = next;
    }
}

behind:
    at = json_skip_space(at, end);
    if (level->is_array) goto behind_element;
    if (*at == ',') {
        at = json_skip_space(at + 1, end);
        goto name;
    }
    if (*at != '}') return assay_json_fail(reader, at, ASSAY_JSON_EXPECTED_BRACE);

close:
    at++;
    if (__builtin_expect(level->shape == 0, 0)) {
        const uint32_t duplicate = assay_json_find_duplicate(reader, level);
        reader->name_count = level->names;
        if (duplicate != JSON_NONE) {
            level->shape = JSON_NONE; /* the names are already checked */
            return assay_json_fail(reader, bytes + duplicate, ASSAY_JSON_DUPLICATE_NAME);
        }
    }
    if (level->value != JSON_OUTSIDE && depth > 1) {
        json_put(reader, level->value, ASSAY_JSON_OBJECT, level->start, (uint32_t)(at - bytes) - level->start,
                 level->start);
    }
    goto leave;

array:
    if (depth == JSON_DEPTH) return assay_json_fail(reader, at, ASSAY_JSON_TOO_DEEP);
    level = &reader->levels[depth++];
    reader->depth = depth;
    level->value = node;
    node = reader->paths->nodes[node].element;
    level->content = node;
    level->shape = JSON_NONE;
    level->start = (uint32_t)(at - bytes);
    level->index = 0;
    level->is_array = true;
    at = json_skip_space(at + 1, end);
    if (*at == ']') goto close_array;

element:
    level->element = (uint32_t)(at - bytes);
    if (node != JSON_OUTSIDE) assay_json_begin_element(reader, node, level->index);
    goto value;

behind_element:
    if (level->content != JSON_OUTSIDE) assay_json_end_element(reader, level->content, level->element);
    if (*at == ',') {
        at = json_skip_space(at + 1, end);
        node = level->content;
        level->index++;
        goto element;
    }
    if (*at != ']') return assay_json_fail(reader, at, ASSAY_JSON_EXPECTED_BRACKET);

close_array:
    at++;
    if (level->value != JSON_OUTSIDE) {
        json_put(reader, level->value, ASSAY_JSON_ARRAY, level->start, (uint32_t)(at - bytes) - level->start,
                 level->start);
    }

leave:
    reader->depth = --depth;
    if (depth == 0) return at;
    level = &reader->levels[depth - 1];
    goto behind;
}

/* Reads a row. Returns false after storing an error or if memory runs out. */
BLOCK_TARGET static bool json_row(assay_json_reader *reader, const uint8_t *start)
{
    const uint8_t *at = json_skip_space(start, reader->end);
    reader->depth = 0;
    reader->has_unnamed = false;
    reader->name_count = 0;
    reader->unescaped_count = 0;
    if (at == reader->end) return assay_json_fail(reader, start, ASSAY_JSON_BLANK) != NULL;
    if (*at != '{') return assay_json_fail(reader, at, ASSAY_JSON_NOT_OBJECT) != NULL;
    at = json_object(reader, at);
    if (at == NULL) return false;
    at = json_skip_space(at, reader->end);
    return at == reader->end || assay_json_fail(reader, at, ASSAY_JSON_TEXT_AFTER) != NULL;
}

BLOCK_TARGET static void json_rows_blocks(assay_json_reader *reader)
{
    const assay_record *records = reader->batch->records + reader->first;
    for (uint32_t row = 0; row < reader->count; row++) {
        if (reader->skip != NULL && (reader->skip[row / 64] >> (row % 64) & 1) != 0) continue;
        uint32_t end = records[row].end;
        if (end > records[row].start && reader->bytes[end - 1] == '\n') end--;
        if (end > records[row].start && reader->bytes[end - 1] == '\r') end--;
        reader->row = row;
        reader->end = reader->bytes + end;
        const uint32_t used = reader->used;
        const uint8_t kept = reader->bytes[end];
        reader->bytes[end] = '\n';
        const bool is_good = json_row(reader, reader->bytes + records[row].start);
        reader->bytes[end] = kept;
        if (reader->is_out_of_memory) return;
        if (__builtin_expect(!is_good, 0)) {
            reader->used = used;
            assay_json_reject_row(reader);
        } else if (reader->has_unnamed) {
            reader->unnamed[row / 64] |= UINT64_C(1) << (row % 64);
        }
    }
}
