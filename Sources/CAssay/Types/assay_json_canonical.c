/* Canonical forms of JSON values, as bytes.
 *
 *     {"b": [1.0, "x"], "a": 2, "a": 3}   ──►   { "a ┆ +3 ┆ "b ┆ [ +1 ┆ "x ┆ ┆ ┆
 *
 * Each string, number, array and object ends with a byte that does not occur in UTF-8 (┆), so that no form is a prefix
 * of another.
 *
 *     string   "  the unescaped text
 *     number   +  or −, the exponent, the digits without leading and trailing zeros; zero is only 0
 *     array    [  the elements
 *     object   {  the members, each a string and a value, ordered by name; only the last member of each name
 *     true, false, null   t, f, n */
#include "Types/assay_json_text.h"

#include "Bytes/assay_ascii.h"
#include "Types/assay_decimal.h"
#include "JSON/assay_json.h"

#include <stdlib.h>
#include <string.h>

enum {
    END = 0xFF,
    TOO_DEEP = 'D', /* replaces an array or object beyond ASSAY_JSON_LEVELS */
    /* The max number of bytes of a form per byte of the text: 1e-5 has 13, including ten for the exponent. */
    MAX_GROWTH = 4,
    SHORTEST_MEMBER = 4, /* "":0 */
};

/* The bytes of a value in a text. */
typedef struct json_span {
    const uint8_t *bytes;
    size_t count;
} json_span;

/* A written member. */
typedef struct json_member {
    const uint8_t *bytes;
    size_t name_count;
    size_t count; /* including the value */
} json_member;

typedef struct json_writer {
    uint8_t *end;         /* the end of the written bytes */
    json_member *members; /* the end of the members of all open objects */
    uint8_t *room;        /* scratch memory for ordering members */
} json_writer;

/* Skips white space. */
static void trim(json_span *rest)
{
    const size_t space = assay_json_text_skip_space(rest->bytes, rest->count, 0);
    rest->bytes += space;
    rest->count -= space;
}

static void drop(json_span *rest, size_t count)
{
    rest->bytes += count;
    rest->count -= count;
    trim(rest);
}

/* Skips an array or object. Not recursive, because the depth is unbounded here. */
static void drop_container(json_span *rest)
{
    size_t depth = 0, at = 0;
    do {
        const uint8_t byte = rest->bytes[at];
        if (byte == '{' || byte == '[') depth++;
        if (byte == '}' || byte == ']') depth--;
        at = byte == '"' ? assay_json_text_skip_scalar(rest->bytes, rest->count, at) : at + 1;
    } while (depth > 0);
    drop(rest, at);
}

static json_span take_scalar(json_span *rest)
{
    const json_span scalar = {rest->bytes, assay_json_text_skip_scalar(rest->bytes, rest->count, 0)};
    drop(rest, scalar.count);
    return scalar;
}

static void write_string(json_writer *writer, json_span string)
{
    *writer->end++ = '"';
    writer->end += assay_json_unescape(string.bytes + 1, string.count - 2, writer->end);
    *writer->end++ = END;
}

static void write_number(json_writer *writer, json_span number)
{
    static const assay_decimal_style style = {.point = {(const uint8_t *)".", 1}};
    assay_decimal decimal;
    if (!assay_decimal_parse(&style, number.bytes, number.count, &decimal) || decimal.sign == 0) {
        *writer->end++ = '0';
        return;
    }
    *writer->end++ = decimal.sign < 0 ? '-' : '+';
    uint64_t exponent = (uint64_t)decimal.exponent;
    for (; exponent >= 0x80; exponent >>= 7) *writer->end++ = (uint8_t)(exponent | 0x80);
    *writer->end++ = (uint8_t)exponent;
    for (size_t i = 0; i < decimal.span; i++) {
        if (is_digit(decimal.digits[i])) *writer->end++ = decimal.digits[i];
    }
    *writer->end++ = END;
}

/* Compares members by name, and members with the same name by place. */
static int compare_members(const void *left, const void *right)
{
    const json_member *one = left, *other = right;
    const size_t common = one->name_count < other->name_count ? one->name_count : other->name_count;
    const int order = memcmp(one->bytes, other->bytes, common); /* no name is a prefix of another */
    if (order != 0) return order;
    return one->bytes < other->bytes ? -1 : one->bytes > other->bytes;
}

static bool have_one_name(const json_member *one, const json_member *other)
{
    return one->name_count == other->name_count && memcmp(one->bytes, other->bytes, one->name_count) == 0;
}

static bool are_in_order(const json_member *members, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (compare_members(&members[i - 1], &members[i]) > 0 || have_one_name(&members[i - 1], &members[i])) {
            return false;
        }
    }
    return true;
}

/* Sorts the `count` members written last, and keeps only the last member of each name. */
static void order_members(json_writer *writer, uint8_t *start, json_member *members, size_t count)
{
    if (are_in_order(members, count)) return;
    qsort(members, count, sizeof *members, compare_members);
    uint8_t *end = writer->room;
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count && have_one_name(&members[i], &members[i + 1])) continue;
        memcpy(end, members[i].bytes, members[i].count);
        end += members[i].count;
    }
    const size_t size = (size_t)(end - writer->room);
    memcpy(start, writer->room, size);
    writer->end = start + size;
}

static void write_value(json_writer *writer, json_span *rest, int level);

static void write_array(json_writer *writer, json_span *rest, int level)
{
    *writer->end++ = '[';
    drop(rest, 1);
    while (*rest->bytes != ']') {
        write_value(writer, rest, level);
        if (*rest->bytes == ',') drop(rest, 1);
    }
    drop(rest, 1);
    *writer->end++ = END;
}

static void write_object(json_writer *writer, json_span *rest, int level)
{
    *writer->end++ = '{';
    uint8_t *const start = writer->end;
    json_member *const members = writer->members;
    drop(rest, 1);
    while (*rest->bytes != '}') {
        json_member *member = writer->members++;
        member->bytes = writer->end;
        write_string(writer, take_scalar(rest));
        member->name_count = (size_t)(writer->end - member->bytes);
        drop(rest, 1);
        write_value(writer, rest, level);
        member->count = (size_t)(writer->end - member->bytes);
        if (*rest->bytes == ',') drop(rest, 1);
    }
    drop(rest, 1);
    order_members(writer, start, members, (size_t)(writer->members - members));
    writer->members = members;
    *writer->end++ = END;
}

/* Writes a value. `level` is the number of open arrays and objects around it. */
static void write_value(json_writer *writer, json_span *rest, int level)
{
    const uint8_t first = *rest->bytes;
    if (first == '[' || first == '{') {
        if (level == ASSAY_JSON_LEVELS) {
            *writer->end++ = TOO_DEEP;
            drop_container(rest);
        } else if (first == '[') {
            write_array(writer, rest, level + 1);
        } else {
            write_object(writer, rest, level + 1);
        }
        return;
    }
    const json_span scalar = take_scalar(rest);
    if (first == '"') {
        write_string(writer, scalar);
    } else if (first == '-' || is_digit(first)) {
        write_number(writer, scalar);
    } else {
        *writer->end++ = first;
    }
}

size_t assay_json_text_canonical_max(size_t count) { return count * MAX_GROWTH; }

uint8_t *assay_json_text_canonical(const uint8_t *bytes, size_t count, size_t *canonical_count)
{
    const size_t max = assay_json_text_canonical_max(count);
    const size_t members = count / SHORTEST_MEMBER * sizeof(json_member);
    if (count > SIZE_MAX / 32) return NULL;
    uint8_t *room = malloc(members + 2 * max);
    if (room == NULL) return NULL;
    uint8_t *const written = room + members;
    json_writer writer = {.end = written, .members = (json_member *)(void *)room, .room = written + max};
    json_span rest = {bytes, count};
    trim(&rest);
    write_value(&writer, &rest, 0);
    *canonical_count = (size_t)(writer.end - written);
    memmove(room, written, *canonical_count);
    return room;
}
