/* A simple JSON reader for comparison with the fast one: it builds a tree, compares all names pairwise, and follows
   a path from the top for each column. */
#ifndef ASSAY_TEST_JSON_REFERENCE_H
#define ASSAY_TEST_JSON_REFERENCE_H

#include "assay/json.h"

#include "test.h"

typedef struct plain_value {
    assay_json_kind kind;
    uint32_t place, end;
    uint8_t *text; /* of a string, unescaped */
    size_t text_count;
    uint8_t *name; /* of a member */
    size_t name_count;
    struct plain_value *first; /* child */
    struct plain_value *next;  /* sibling */
} plain_value;

typedef struct plain_reader {
    const uint8_t *bytes;
    uint32_t at, end;
    assay_json_mistake mistake;
} plain_reader;

static inline void plain_free(plain_value *value)
{
    while (value != NULL) {
        plain_value *next = value->next;
        plain_free(value->first);
        free(value->text);
        free(value->name);
        free(value);
        value = next;
    }
}

static inline bool plain_fail(plain_reader *it, uint32_t place, assay_json_mistake_code code)
{
    it->mistake = (assay_json_mistake){place, code};
    return false;
}

/* The current byte, or −1 at the end. */
static inline int plain_peek(const plain_reader *it) { return it->at < it->end ? it->bytes[it->at] : -1; }

static inline void plain_space(plain_reader *it)
{
    int byte;
    while ((byte = plain_peek(it)) == ' ' || byte == '\t' || byte == '\r' || byte == '\n') it->at++;
}

static inline int plain_hex(const plain_reader *it, uint32_t at)
{
    int unit = 0;
    for (uint32_t i = at; i < at + 4; i++) {
        if (i >= it->end) return -1;
        const char *digits = "0123456789abcdef";
        const int byte = it->bytes[i] >= 'A' && it->bytes[i] <= 'F' ? it->bytes[i] + 32 : it->bytes[i];
        const char *digit = byte == 0 ? NULL : strchr(digits, byte);
        if (digit == NULL) return -1;
        unit = 16 * unit + (int)(digit - digits);
    }
    return unit;
}

static inline void plain_append(uint8_t *text, size_t *count, uint32_t scalar)
{
    if (scalar < 0x80) {
        text[(*count)++] = (uint8_t)scalar;
    } else {
        const int more = scalar < 0x800 ? 1 : scalar < 0x10000 ? 2 : 3;
        static const uint8_t first[] = {0, 0xC0, 0xE0, 0xF0};
        text[(*count)++] = (uint8_t)(first[more] | scalar >> (6 * more));
        for (int i = more - 1; i >= 0; i--) text[(*count)++] = (uint8_t)(0x80 | (scalar >> (6 * i) & 63));
    }
}

static inline bool plain_string(plain_reader *it, uint8_t **text, size_t *count)
{
    const uint32_t quote = it->at++;
    *text = malloc(it->end - quote + 8);
    if (*text == NULL) abort();
    *count = 0;
    for (;;) {
        const int byte = plain_peek(it);
        if (byte < 0) return plain_fail(it, quote, ASSAY_JSON_UNCLOSED_STRING);
        if (byte < ' ') return plain_fail(it, it->at, ASSAY_JSON_CONTROL);
        it->at++;
        if (byte == '"') return true;
        if (byte != '\\') {
            (*text)[(*count)++] = (uint8_t)byte;
            continue;
        }
        const uint32_t backslash = it->at - 1;
        const int letter = plain_peek(it);
        if (letter < 0) return plain_fail(it, quote, ASSAY_JSON_UNCLOSED_STRING);
        it->at++;
        const char *letters = "\"\\/bfnrt", *meanings = "\"\\/\b\f\n\r\t";
        const char *found = letter == 0 ? NULL : strchr(letters, letter);
        if (found != NULL) {
            (*text)[(*count)++] = (uint8_t)meanings[found - letters];
            continue;
        }
        const int unit = letter == 'u' ? plain_hex(it, it->at) : -1;
        if (unit < 0) return plain_fail(it, backslash, ASSAY_JSON_BAD_ESCAPE);
        it->at += 4;
        uint32_t scalar = (uint32_t)unit;
        if (unit >= 0xD800 && unit <= 0xDFFF) {
            const bool has_other = it->at + 1 < it->end && it->bytes[it->at] == '\\' && it->bytes[it->at + 1] == 'u';
            const int other = has_other ? plain_hex(it, it->at + 2) : -1;
            if (unit >= 0xDC00 || other < 0xDC00 || other > 0xDFFF) {
                return plain_fail(it, backslash, ASSAY_JSON_LONE_SURROGATE);
            }
            scalar = 0x10000 + (uint32_t)(unit - 0xD800) * 0x400 + (uint32_t)(other - 0xDC00);
            it->at += 6;
        }
        plain_append(*text, count, scalar);
    }
}

static inline bool plain_continues(int byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           byte == '.' || byte == '+' || byte == '-' || byte == '_';
}

static inline bool plain_digits(plain_reader *it)
{
    const uint32_t start = it->at;
    while (plain_peek(it) >= '0' && plain_peek(it) <= '9') it->at++;
    return it->at > start;
}

static inline bool plain_number(plain_reader *it)
{
    const uint32_t start = it->at;
    bool is_good = true;
    if (plain_peek(it) == '-') it->at++;
    if (plain_peek(it) == '0')
        it->at++;
    else
        is_good = plain_digits(it);
    if (is_good && plain_peek(it) == '.') {
        it->at++;
        is_good = plain_digits(it);
    }
    if (is_good && (plain_peek(it) == 'e' || plain_peek(it) == 'E')) {
        it->at++;
        if (plain_peek(it) == '+' || plain_peek(it) == '-') it->at++;
        is_good = plain_digits(it);
    }
    return (is_good && !plain_continues(plain_peek(it))) || plain_fail(it, start, ASSAY_JSON_BAD_NUMBER);
}

static inline bool plain_read(plain_reader *it, unsigned depth, plain_value *value);

static inline bool plain_has_name(const plain_value *object, const plain_value *member)
{
    for (const plain_value *other = object->first; other != NULL && other != member; other = other->next) {
        if (other->name_count == member->name_count && memcmp(other->name, member->name, member->name_count) == 0) {
            return true;
        }
    }
    return false;
}

static inline bool plain_children(plain_reader *it, unsigned depth, plain_value *value)
{
    const bool is_object = value->kind == ASSAY_JSON_OBJECT;
    const int close = is_object ? '}' : ']';
    if (depth == 128) return plain_fail(it, it->at, ASSAY_JSON_TOO_DEEP);
    it->at++;
    plain_space(it);
    if (plain_peek(it) == close) {
        it->at++;
        return true;
    }
    plain_value **last = &value->first;
    for (;;) {
        plain_value *child = calloc(1, sizeof *child);
        if (child == NULL) abort();
        *last = child;
        last = &child->next;
        if (is_object) {
            const uint32_t quote = it->at;
            if (plain_peek(it) != '"') return plain_fail(it, quote, ASSAY_JSON_EXPECTED_NAME);
            if (!plain_string(it, &child->name, &child->name_count)) return false;
            if (plain_has_name(value, child)) return plain_fail(it, quote, ASSAY_JSON_DUPLICATE_NAME);
            plain_space(it);
            if (plain_peek(it) != ':') return plain_fail(it, it->at, ASSAY_JSON_EXPECTED_COLON);
            it->at++;
            plain_space(it);
        }
        if (!plain_read(it, depth + 1, child)) return false;
        plain_space(it);
        if (plain_peek(it) == close) {
            it->at++;
            return true;
        }
        if (plain_peek(it) != ',') {
            return plain_fail(it, it->at, is_object ? ASSAY_JSON_EXPECTED_BRACE : ASSAY_JSON_EXPECTED_BRACKET);
        }
        it->at++;
        plain_space(it);
    }
}

static inline bool plain_word(plain_reader *it, plain_value *value)
{
    static const struct {
        const char *word;
        assay_json_kind kind;
    } words[] = {{"true", ASSAY_JSON_BOOLEAN}, {"false", ASSAY_JSON_BOOLEAN}, {"null", ASSAY_JSON_NULL}};
    const int byte = plain_peek(it);
    if (byte == '+' || byte == '.') return plain_fail(it, it->at, ASSAY_JSON_BAD_NUMBER);
    if (!plain_continues(byte)) return plain_fail(it, it->at, ASSAY_JSON_EXPECTED_VALUE);
    for (size_t i = 0; i < 3; i++) {
        const uint32_t length = (uint32_t)strlen(words[i].word);
        if (it->end - it->at < length || memcmp(it->bytes + it->at, words[i].word, length) != 0) continue;
        if (it->at + length < it->end && plain_continues(it->bytes[it->at + length])) continue;
        it->at += length;
        value->kind = words[i].kind;
        return true;
    }
    return plain_fail(it, it->at, ASSAY_JSON_BAD_LITERAL);
}

static inline bool plain_read(plain_reader *it, unsigned depth, plain_value *value)
{
    value->place = it->at;
    const int byte = plain_peek(it);
    bool is_good;
    if (byte == '{' || byte == '[') {
        value->kind = byte == '{' ? ASSAY_JSON_OBJECT : ASSAY_JSON_ARRAY;
        is_good = plain_children(it, depth, value);
    } else if (byte == '"') {
        value->kind = ASSAY_JSON_STRING;
        is_good = plain_string(it, &value->text, &value->text_count);
    } else if (byte == '-' || (byte >= '0' && byte <= '9')) {
        value->kind = ASSAY_JSON_NUMBER;
        is_good = plain_number(it);
    } else {
        is_good = plain_word(it, value);
    }
    value->end = it->at;
    return is_good;
}

/* The tree of a line [start, end) without its terminator, or NULL with the error. */
static inline plain_value *plain_line(const uint8_t *bytes, uint32_t start, uint32_t end, assay_json_mistake *mistake)
{
    plain_reader it = {bytes, start, end, {0, ASSAY_JSON_NO_MISTAKE}};
    plain_value *value = calloc(1, sizeof *value);
    if (value == NULL) abort();
    plain_space(&it);
    bool is_good = true;
    if (it.at == end) {
        is_good = plain_fail(&it, start, ASSAY_JSON_BLANK);
    } else if (plain_peek(&it) != '{') {
        is_good = plain_fail(&it, it.at, ASSAY_JSON_NOT_OBJECT);
    } else if ((is_good = plain_read(&it, 0, value))) {
        plain_space(&it);
        if (it.at != end) is_good = plain_fail(&it, it.at, ASSAY_JSON_TEXT_AFTER);
    }
    *mistake = it.mistake;
    if (is_good) return value;
    plain_free(value);
    return NULL;
}

/* Receives the values at a path. */
typedef void plain_visit(void *context, assay_json_kind kind, const plain_value *value, uint32_t place,
                         const uint32_t *indexes);

/* The unescaped key that begins at *at. Moves *at to the end of the key. */
static inline size_t plain_key(const char *path, size_t *at, uint8_t *key)
{
    size_t count = 0;
    for (; path[*at] != '\0' && strchr(".[]", path[*at]) == NULL; (*at)++) {
        if (path[*at] == '\\' && path[*at + 1] != '\0' && strchr(".[]\\", path[*at + 1]) != NULL) (*at)++;
        key[count++] = (uint8_t)path[*at];
    }
    return count;
}

static inline const plain_value *plain_member(const plain_value *object, const uint8_t *key, size_t count)
{
    if (object->kind != ASSAY_JSON_OBJECT) return NULL;
    const plain_value *member = object->first;
    while (member != NULL && (member->name_count != count || memcmp(member->name, key, count) != 0)) {
        member = member->next;
    }
    return member;
}

/* `place` is the offset of the surrounding element, for absent members. */
static inline void plain_follow(const plain_value *value, const char *path, uint32_t place, uint32_t *indexes,
                                unsigned lists, plain_visit *visit, void *context)
{
    if (*path == '\0') {
        visit(context, value->kind, value, value->place, indexes);
    } else if (*path == '[') {
        if (value->kind == ASSAY_JSON_NULL) return;
        if (value->kind != ASSAY_JSON_ARRAY) {
            indexes[lists] = ASSAY_JSON_NOT_A_LIST;
            visit(context, value->kind, value, value->place, indexes);
            indexes[lists] = 0;
            return;
        }
        for (const plain_value *element = value->first; element != NULL; element = element->next) {
            plain_follow(element, path + 2, element->place, indexes, lists + 1, visit, context);
            indexes[lists]++;
        }
        indexes[lists] = 0;
    } else {
        if (*path == '.') path++;
        uint8_t key[256];
        size_t at = 0;
        const size_t count = plain_key(path, &at, key);
        const plain_value *member = plain_member(value, key, count);
        if (member != NULL) {
            plain_follow(member, path + at, place, indexes, lists, visit, context);
            return;
        }
        /* Absent, unless the rest of the path contains a list. */
        bool has_lists = false;
        for (size_t i = at; path[i] != '\0'; i++) {
            if (path[i] == '\\' && path[i + 1] != '\0')
                i++;
            else
                has_lists |= path[i] == '[';
        }
        if (!has_lists) visit(context, ASSAY_JSON_ABSENT, NULL, place, indexes);
    }
}

static inline void plain_evaluate(const plain_value *line, const char *name, uint32_t record, plain_visit *visit,
                                  void *context)
{
    uint32_t indexes[ASSAY_JSON_LISTS] = {0};
    bool has_lists = false;
    for (size_t i = 0; name[i] != '\0'; i++) {
        if (name[i] == '\\' && name[i + 1] != '\0')
            i++;
        else
            has_lists |= name[i] == '[';
    }
    const plain_value *literal = has_lists ? NULL : plain_member(line, (const uint8_t *)name, strlen(name));
    if (literal != NULL) {
        visit(context, literal->kind, literal, literal->place, indexes);
    } else if (name[0] == '\0') {
        visit(context, ASSAY_JSON_ABSENT, NULL, record, indexes);
    } else {
        plain_follow(line, name, record, indexes, 0, visit, context);
    }
}

#endif
