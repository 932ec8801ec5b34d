#include "Types/assay_json_text.h"

#include "Bytes/assay_ascii.h"
#include "JSON/assay_json.h"

/* More than any sensible document needs. Deeper texts are undecided. */
enum { json_depth = 4096 };

size_t assay_json_text_skip_space(const uint8_t *bytes, size_t count, size_t at)
{
    while (at < count && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\n' || bytes[at] == '\r')) at++;
    return at;
}

/* Each `skip_` function returns the offset after the token at `at`, or SIZE_MAX if no such token begins there. */
static size_t skip_digits(const uint8_t *bytes, size_t count, size_t at)
{
    size_t start = at;
    while (at < count && is_digit(bytes[at])) at++;
    return at == start ? SIZE_MAX : at;
}

static size_t skip_number(const uint8_t *bytes, size_t count, size_t at)
{
    if (bytes[at] == '-') at++;
    if (at < count && bytes[at] == '0') {
        at++;
    } else if ((at = skip_digits(bytes, count, at)) == SIZE_MAX) {
        return SIZE_MAX;
    }
    if (at < count && bytes[at] == '.' && (at = skip_digits(bytes, count, at + 1)) == SIZE_MAX) return SIZE_MAX;
    if (at < count && (bytes[at] | 0x20) == 'e') {
        at++;
        if (at < count && (bytes[at] == '+' || bytes[at] == '-')) at++;
        at = skip_digits(bytes, count, at);
    }
    return at;
}

static size_t skip_string(const uint8_t *bytes, size_t count, size_t at)
{
    for (at++; at < count; at++) {
        if (bytes[at] == '"') return at + 1;
        if (bytes[at] < 0x20) return SIZE_MAX;
        if (bytes[at] != '\\') continue;
        if (++at == count) return SIZE_MAX;
        if (!is_one_of(bytes[at], "\"\\/bfnrtu")) return SIZE_MAX;
        if (bytes[at] != 'u') continue;
        for (size_t i = 1; i <= 4; i++) {
            if (at + i >= count || !is_hex_digit(bytes[at + i])) return SIZE_MAX;
        }
        at += 4;
    }
    return SIZE_MAX;
}

static size_t skip_word(const uint8_t *bytes, size_t count, size_t at)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if (count - at >= length && memcmp(bytes + at, words[i], length) == 0) return at + length;
    }
    return SIZE_MAX;
}

size_t assay_json_text_skip_scalar(const uint8_t *bytes, size_t count, size_t at)
{
    if (at >= count) return SIZE_MAX;
    if (bytes[at] == '"') return skip_string(bytes, count, at);
    if (bytes[at] == '-' || is_digit(bytes[at])) return skip_number(bytes, count, at);
    return skip_word(bytes, count, at);
}

/* Skips the name and the colon of an object member, and the white space after each. */
static size_t skip_name(const uint8_t *bytes, size_t count, size_t at)
{
    if (at >= count || bytes[at] != '"') return SIZE_MAX;
    at = skip_string(bytes, count, at);
    if (at == SIZE_MAX) return SIZE_MAX;
    at = assay_json_text_skip_space(bytes, count, at);
    return at < count && bytes[at] == ':' ? assay_json_text_skip_space(bytes, count, at + 1) : SIZE_MAX;
}

uint8_t assay_json_text_opening(const uint8_t *bytes, size_t count)
{
    const size_t at = assay_json_text_skip_space(bytes, count, 0);
    return at < count ? bytes[at] : 0;
}

/* This is not recursive. For each open bracket, one bit records whether it opened an object. */
assay_verdict assay_json_text_evaluate(const uint8_t *bytes, size_t count, size_t *members)
{
    uint8_t objects[json_depth / 8];
    size_t depth = 0;
    size_t outermost = 0;
    size_t at = assay_json_text_skip_space(bytes, count, 0);
    for (;;) {
        /* A value must begin here. */
        if (at >= count) return ASSAY_FAIL;
        outermost += depth == 1;
        bool opens = bytes[at] == '{' || bytes[at] == '[';
        if (opens) {
            bool is_object = bytes[at] == '{';
            if (depth == json_depth) return ASSAY_UNDECIDED;
            objects[depth / 8] =
                (uint8_t)((objects[depth / 8] & ~(1u << depth % 8)) | (unsigned)is_object << depth % 8);
            depth++;
            at = assay_json_text_skip_space(bytes, count, at + 1);
            if (at >= count) return ASSAY_FAIL;
            if (bytes[at] != (is_object ? '}' : ']')) {
                if (is_object && (at = skip_name(bytes, count, at)) == SIZE_MAX) return ASSAY_FAIL;
                continue;
            }
        } else if ((at = assay_json_text_skip_scalar(bytes, count, at)) == SIZE_MAX) {
            return ASSAY_FAIL;
        }
        /* The value has ended, and may be the last one in its array or object. */
        for (;;) {
            at = assay_json_text_skip_space(bytes, count, at);
            if (depth == 0) {
                if (members != NULL) *members = outermost;
                return at == count ? ASSAY_PASS : ASSAY_FAIL;
            }
            if (at >= count) return ASSAY_FAIL;
            bool is_object = (objects[(depth - 1) / 8] >> (depth - 1) % 8 & 1) != 0;
            if (bytes[at] == ',') {
                at = assay_json_text_skip_space(bytes, count, at + 1);
                if (is_object && (at = skip_name(bytes, count, at)) == SIZE_MAX) return ASSAY_FAIL;
                break;
            }
            if (bytes[at] != (is_object ? '}' : ']')) return ASSAY_FAIL;
            depth--;
            at++;
        }
    }
}

assay_json_text_reader assay_json_text_read(const uint8_t *bytes, size_t count)
{
    return (assay_json_text_reader){.at = bytes, .end = bytes + count};
}

int assay_json_text_next(assay_json_text_reader *reader)
{
    if (reader->unit_at < reader->unit_count) return reader->unit[reader->unit_at++];
    if (reader->at == reader->end) return -1;
    if (*reader->at != '\\') return *reader->at++;
    /* Decode one escape. A surrogate pair is two escapes for one character, so decode both: `unit` has room for it. */
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
