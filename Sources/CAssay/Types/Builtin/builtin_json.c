/* JSON as RFC 8259 has it. */
#include "Types/Builtin/builtin_tests.h"

#include "Patterns/assay_scratch.h"

/* Deeper than any document means; beyond it the answer is "undecided", not a crash. */
enum { json_depth = 4096 };

enum { JSON_OBJECT, JSON_ARRAY, JSON_NEWLINE };

/* A limit of ours, no engine's. */
static assay_verdict undecided(assay_scratch *scratch)
{
    assay_scratch_set_engine_code(scratch, 0);
    return ASSAY_UNDECIDED;
}

/* Each `skip_` function returns the place behind what stands at `at`, SIZE_MAX if that is not what stands there. */
static size_t skip_space(const uint8_t *bytes, size_t count, size_t at)
{
    while (at < count && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\n' || bytes[at] == '\r')) at++;
    return at;
}

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
        if (bytes[at] == 0 || strchr("\"\\/bfnrtu", bytes[at]) == NULL) return SIZE_MAX;
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

static size_t skip_scalar(const uint8_t *bytes, size_t count, size_t at)
{
    if (bytes[at] == '"') return skip_string(bytes, count, at);
    if (bytes[at] == '-' || is_digit(bytes[at])) return skip_number(bytes, count, at);
    return skip_word(bytes, count, at);
}

/* A member's name and colon. */
static size_t skip_name(const uint8_t *bytes, size_t count, size_t at)
{
    if (at >= count || bytes[at] != '"') return SIZE_MAX;
    at = skip_string(bytes, count, at);
    if (at == SIZE_MAX) return SIZE_MAX;
    at = skip_space(bytes, count, at);
    return at < count && bytes[at] == ':' ? skip_space(bytes, count, at + 1) : SIZE_MAX;
}

/* Without recursion: one bit for each open bracket says whether it is that of an object. */
static assay_verdict json_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    uint8_t objects[json_depth / 8];
    size_t depth = 0;
    size_t at = skip_space(value, count, 0);
    if (at == count) return ASSAY_FAIL;
    bool wants_object = builtin_given(type, JSON_OBJECT);
    bool wants_array = builtin_given(type, JSON_ARRAY);
    if (wants_object || wants_array) {
        if (!(value[at] == '{' && wants_object) && !(value[at] == '[' && wants_array)) return ASSAY_FAIL;
    }
    for (;;) {
        /* A value stands here. */
        if (at >= count) return ASSAY_FAIL;
        bool opens = value[at] == '{' || value[at] == '[';
        if (opens) {
            bool is_object = value[at] == '{';
            if (depth == json_depth) return undecided(scratch);
            objects[depth / 8] =
                (uint8_t)((objects[depth / 8] & ~(1u << depth % 8)) | (unsigned)is_object << depth % 8);
            depth++;
            at = skip_space(value, count, at + 1);
            if (at >= count) return ASSAY_FAIL;
            if (value[at] != (is_object ? '}' : ']')) {
                if (is_object && (at = skip_name(value, count, at)) == SIZE_MAX) return ASSAY_FAIL;
                continue;
            }
        } else if ((at = skip_scalar(value, count, at)) == SIZE_MAX) {
            return ASSAY_FAIL;
        }
        /* It has ended, and so may what holds it. */
        for (;;) {
            at = skip_space(value, count, at);
            if (depth == 0) return builtin_verdict(at == count);
            if (at >= count) return ASSAY_FAIL;
            bool is_object = (objects[(depth - 1) / 8] >> (depth - 1) % 8 & 1) != 0;
            if (value[at] == ',') {
                at = skip_space(value, count, at + 1);
                if (is_object && (at = skip_name(value, count, at)) == SIZE_MAX) return ASSAY_FAIL;
                break;
            }
            if (value[at] != (is_object ? '}' : ']')) return ASSAY_FAIL;
            depth--;
            at++;
        }
    }
}

bool builtin_json_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    type->test = json_test;
    type->may_end_in_newline = builtin_given(type, JSON_NEWLINE);
    return true;
}
