/* Two values of JSON compared, both well-formed. */
#include "Types/assay_json_text.h"

#include "Bytes/assay_ascii.h"
#include "Types/assay_decimal.h"
#include "JSON/assay_json.h"

assay_json_text_reader assay_json_text_read(const uint8_t *bytes, size_t count)
{
    return (assay_json_text_reader){.at = bytes, .end = bytes + count};
}

int assay_json_text_next(assay_json_text_reader *reader)
{
    if (reader->unit_at < reader->unit_count) return reader->unit[reader->unit_at++];
    if (reader->at == reader->end) return -1;
    if (*reader->at != '\\') return *reader->at++;
    /* One escape, or two that are a surrogate pair: any other two would come to five bytes or more. */
    const size_t left = (size_t)(reader->end - reader->at);
    const uint8_t *at = reader->at;
    const bool is_scalar = at[1] == 'u';
    const bool is_high = is_scalar && (at[2] | 0x20) == 'd' && hex_value(at[3]) >= 8 && hex_value(at[3]) < 12;
    const bool is_pair =
        is_high && left >= 12 && at[6] == '\\' && at[7] == 'u' && (at[8] | 0x20) == 'd' && hex_value(at[9]) >= 12;
    const size_t count = is_pair ? 12 : is_scalar ? 6 : 2;
    reader->unit_count = assay_json_unescape(at, count, reader->unit);
    reader->unit_at = 1;
    reader->at += count;
    return reader->unit[0];
}

/* A value in a text. */
typedef struct json_span {
    const uint8_t *bytes;
    size_t count;
} json_span;

static bool equal(json_span left, json_span right);

/* Moves behind white space. */
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

/* The value that a text begins with, without what follows it; moves the text behind it. */
static json_span take_value(json_span *rest)
{
    size_t depth = 0, at = 0;
    do {
        const uint8_t byte = rest->bytes[at];
        if (byte == '{' || byte == '[') {
            depth++;
            at++;
        } else if (byte == '}' || byte == ']') {
            depth--;
            at++;
        } else if (byte == ',' || byte == ':' || assay_json_is_space(byte)) {
            at++;
        } else {
            at = assay_json_text_skip_scalar(rest->bytes, rest->count, at);
        }
    } while (depth > 0);
    const json_span value = {rest->bytes, at};
    drop(rest, at);
    return value;
}

static bool same_string(json_span left, json_span right)
{
    assay_json_text_reader one = assay_json_text_read(left.bytes + 1, left.count - 2);
    assay_json_text_reader other = assay_json_text_read(right.bytes + 1, right.count - 2);
    for (;;) {
        const int byte = assay_json_text_next(&one);
        if (byte != assay_json_text_next(&other)) return false;
        if (byte < 0) return true;
    }
}

static bool same_number(json_span left, json_span right)
{
    static const assay_decimal_style style = {.point = {(const uint8_t *)".", 1}};
    assay_decimal one, other;
    if (!assay_decimal_parse(&style, left.bytes, left.count, &one)) return false;
    if (!assay_decimal_parse(&style, right.bytes, right.count, &other)) return false;
    return assay_decimal_compare(&one, &other) == 0;
}

/* What is between the brackets of an array or object. */
static json_span content(json_span value)
{
    json_span rest = {value.bytes + 1, value.count - 2};
    trim(&rest);
    return rest;
}

static void drop_comma(json_span *rest)
{
    if (rest->count > 0) drop(rest, 1);
}

static bool same_elements(json_span left, json_span right)
{
    left = content(left);
    right = content(right);
    while (left.count > 0 && right.count > 0) {
        if (!equal(take_value(&left), take_value(&right))) return false;
        drop_comma(&left);
        drop_comma(&right);
    }
    return left.count == right.count;
}

typedef struct json_member {
    json_span name;
    json_span value;
} json_member;

static json_member take_member(json_span *rest)
{
    json_member member;
    member.name = take_value(rest);
    drop(rest, 1);
    member.value = take_value(rest);
    drop_comma(rest);
    return member;
}

/* Whether some member has this name; *value is then that of the last one. */
static bool find(json_span members, json_span name, json_span *value)
{
    bool is_found = false;
    while (members.count > 0) {
        const json_member member = take_member(&members);
        if (!same_string(member.name, name)) continue;
        *value = member.value;
        is_found = true;
    }
    return is_found;
}

static bool same_members(json_span left, json_span right)
{
    left = content(left);
    right = content(right);
    json_span value;
    for (json_span rest = right; rest.count > 0;) {
        if (!find(left, take_member(&rest).name, &value)) return false;
    }
    for (json_span rest = left; rest.count > 0;) {
        const json_member member = take_member(&rest);
        /* Of a name that occurs twice the last one counts, on both sides. */
        json_span again;
        if (find(rest, member.name, &again)) continue;
        if (!find(right, member.name, &value) || !equal(member.value, value)) return false;
    }
    return true;
}

static bool equal(json_span left, json_span right)
{
    const uint8_t first = left.bytes[0], other = right.bytes[0];
    const bool is_number = first == '-' || is_digit(first);
    if (is_number && (other == '-' || is_digit(other))) return same_number(left, right);
    if (first != other) return false;
    if (first == '"') return same_string(left, right);
    if (first == '[') return same_elements(left, right);
    if (first == '{') return same_members(left, right);
    return true; /* true, false, null: their first letters tell */
}

bool assay_json_text_equal(const uint8_t *left, size_t left_count, const uint8_t *right, size_t right_count)
{
    json_span one = {left, left_count}, other = {right, right_count};
    trim(&one);
    trim(&other);
    return equal(take_value(&one), take_value(&other));
}
