/* Regular expressions of ECMA-262 (2024) with the flag u, which JSON Schema requires. Reads an expression in one pass,
 * and checks the references \k<name> and \1 at the end. */
#include "Types/Builtin/builtin_idna.h"
#include "Types/Builtin/builtin_tests.h"

#include "Bytes/assay_scalars.h"
#include "Patterns/assay_scratch.h"

/* Limits on the depth of groups and the number of names. Expressions beyond them are undecided. */
enum { ecma_depth = 1024, ecma_names = 256 };

typedef struct ecma_reader {
    const uint8_t *bytes;
    size_t count;
    size_t at;
    uint64_t groups;  /* the number of capture groups */
    uint64_t largest; /* the largest numbered back reference */
    assay_text names[ecma_names];
    size_t name_count;
    assay_text referenced[ecma_names];
    size_t referenced_count;
    bool overflow;
} ecma_reader;

static bool ends(const ecma_reader *reader) { return reader->at == reader->count; }

/* The byte `ahead` bytes after the current place, or 0 after the end. */
static uint8_t peek(const ecma_reader *reader, size_t ahead)
{
    return reader->count - reader->at > ahead ? reader->bytes[reader->at + ahead] : 0;
}

static bool take(ecma_reader *reader, uint8_t byte)
{
    if (ends(reader) || reader->bytes[reader->at] != byte) return false;
    reader->at++;
    return true;
}

/* Reads digits. Large numbers saturate above UINT32_MAX. Returns false if no digit follows. */
static bool read_number(ecma_reader *reader, uint64_t *number)
{
    size_t start = reader->at;
    *number = 0;
    for (; is_digit(peek(reader, 0)); reader->at++) {
        if (*number < UINT32_MAX) *number = *number * 10 + (uint64_t)(peek(reader, 0) - '0');
    }
    return reader->at > start;
}

/* Reads exactly `digits` hexadecimal digits, or any number and a closing brace if `digits` is 0. */
static bool read_hex(ecma_reader *reader, size_t digits, uint32_t *scalar)
{
    size_t read = 0;
    *scalar = 0;
    for (; digits == 0 || read < digits; read++, reader->at++) {
        uint8_t byte = peek(reader, 0);
        if (!is_hex_digit(byte)) break;
        *scalar = *scalar * 16 + hex_value(byte);
        if (*scalar > 0x10FFFF) return false;
    }
    return digits == 0 ? read > 0 && take(reader, '}') : read == digits;
}

/* Reads four digits after \u. Two escapes of a surrogate pair are one character (RegExpUnicodeEscapeSequence). */
static bool read_code_unit(ecma_reader *reader, uint32_t *scalar)
{
    if (!read_hex(reader, 4, scalar)) return false;
    if (*scalar < 0xD800 || *scalar > 0xDBFF || peek(reader, 0) != '\\' || peek(reader, 1) != 'u') return true;
    const size_t before = reader->at;
    uint32_t low = 0;
    reader->at += 2;
    if (read_hex(reader, 4, &low) && low >= 0xDC00 && low <= 0xDFFF) {
        *scalar = 0x10000 + ((*scalar - 0xD800) << 10) + (low - 0xDC00);
    } else {
        reader->at = before;
    }
    return true;
}

/* Reads a character. Returns false at the end. The text must be well-formed UTF-8. */
static bool read_scalar(ecma_reader *reader, uint32_t *scalar)
{
    if (ends(reader)) return false;
    size_t length;
    *scalar = character_at(reader->bytes + reader->at, &length);
    reader->at += length;
    return true;
}

/* Reads a character of a name, which may be escaped as \u0061 or \u{61}. */
static bool read_name_character(ecma_reader *reader, uint32_t *scalar)
{
    if (!take(reader, '\\')) return read_scalar(reader, scalar);
    if (!take(reader, 'u')) return false;
    return take(reader, '{') ? read_hex(reader, 0, scalar) : read_code_unit(reader, scalar);
}

/* Reads a name and the closing bracket (RegExpIdentifierName). */
static bool read_name(ecma_reader *reader, assay_text *name)
{
    const uint32_t zero_width_non_joiner = 0x200C;
    const uint32_t zero_width_joiner = 0x200D;
    size_t start = reader->at;
    while (!ends(reader) && peek(reader, 0) != '>') {
        bool is_first = reader->at == start;
        uint32_t scalar = 0;
        if (!read_name_character(reader, &scalar)) return false;
        if (scalar == '$' || scalar == '_' || builtin_starts_identifier(scalar)) continue;
        bool is_joiner = scalar == zero_width_non_joiner || scalar == zero_width_joiner;
        if (is_first || !(is_joiner || builtin_continues_identifier(scalar))) return false;
    }
    *name = (assay_text){reader->bytes + start, reader->at - start};
    return name->count > 0 && take(reader, '>');
}

/* Whether two names are equal after decoding their escapes (CapturingGroupName). */
static bool same_name(assay_text left, assay_text right)
{
    if (left.count == right.count && memcmp(left.bytes, right.bytes, left.count) == 0) return true;
    if (memchr(left.bytes, '\\', left.count) == NULL && memchr(right.bytes, '\\', right.count) == NULL) return false;
    /* Only these members are used, so the others stay uninitialized. */
    ecma_reader one;
    ecma_reader other;
    one.bytes = left.bytes, one.count = left.count, one.at = 0;
    other.bytes = right.bytes, other.count = right.count, other.at = 0;
    while (!ends(&one) && !ends(&other)) {
        uint32_t first = 0;
        uint32_t second = 0;
        if (!read_name_character(&one, &first) || !read_name_character(&other, &second)) return false;
        if (first != second) return false;
    }
    return ends(&one) && ends(&other);
}

static bool is_among(const assay_text *names, size_t count, assay_text name)
{
    for (size_t i = 0; i < count; i++) {
        if (same_name(names[i], name)) return true;
    }
    return false;
}

static void note(ecma_reader *reader, assay_text *names, size_t *count, assay_text name)
{
    if (*count == ecma_names) {
        reader->overflow = true;
    } else {
        names[(*count)++] = name;
    }
}

/* Reads \p{…}. Does not check the property name, because the set of properties depends on the edition of Unicode. */
static bool read_property(ecma_reader *reader)
{
    if (!take(reader, '{')) return false;
    size_t words = 0;
    do {
        size_t start = reader->at;
        while (is_letter(peek(reader, 0)) || is_digit(peek(reader, 0)) || peek(reader, 0) == '_') reader->at++;
        if (reader->at == start) return false;
        words++;
    } while (words < 2 && take(reader, '='));
    return take(reader, '}');
}

/* Reads an escape after the backslash, inside or outside a class. `*scalar` becomes its character, or UINT32_MAX if it
   does not represent exactly one character. */
static bool read_escape(ecma_reader *reader, bool in_class, uint32_t *scalar)
{
    *scalar = UINT32_MAX;
    uint8_t byte = peek(reader, 0);
    reader->at++;
    if (is_one_of(byte, "dDsSwW")) return true;
    if (byte == 'p' || byte == 'P') return read_property(reader);
    if (is_one_of(byte, "fnrtv")) {
        static const char controls[] = {'f', '\f', 'n', '\n', 'r', '\r', 't', '\t', 'v', '\v'};
        for (size_t i = 0; i < sizeof controls; i += 2) {
            if ((uint8_t)controls[i] == byte) *scalar = (uint8_t)controls[i + 1];
        }
        return true;
    }
    if (is_one_of(byte, "^$\\.*+?()[]{}|/") || (in_class && byte == '-')) {
        *scalar = byte;
        return true;
    }
    if (in_class && byte == 'b') {
        *scalar = '\b';
        return true;
    }
    switch (byte) {
    case 'c':
        byte = peek(reader, 0);
        *scalar = byte & 31;
        reader->at += byte != 0;
        return is_letter(byte);
    case 'x':
        return read_hex(reader, 2, scalar);
    case 'u':
        return take(reader, '{') ? read_hex(reader, 0, scalar) : read_code_unit(reader, scalar);
    case '0':
        *scalar = 0;
        return !is_digit(peek(reader, 0));
    default:
        break;
    }
    if (in_class) return false;
    if (byte == 'k') {
        assay_text name;
        if (!take(reader, '<') || !read_name(reader, &name)) return false;
        note(reader, reader->referenced, &reader->referenced_count, name);
        return true;
    }
    if (byte < '1' || byte > '9') return false;
    reader->at--;
    uint64_t number = 0;
    bool is_number = read_number(reader, &number);
    if (number > reader->largest) reader->largest = number;
    return is_number;
}

/* Reads a character of a class, or an escape for several characters. */
static bool read_class_atom(ecma_reader *reader, uint32_t *scalar)
{
    if (take(reader, '\\')) return !ends(reader) && read_escape(reader, true, scalar);
    return read_scalar(reader, scalar);
}

/* Reads a class after the opening bracket. "[]" never matches, and "[^]" matches every character. */
static bool read_class(ecma_reader *reader)
{
    take(reader, '^');
    while (!ends(reader)) {
        if (take(reader, ']')) return true;
        uint32_t first = 0;
        if (!read_class_atom(reader, &first)) return false;
        if (peek(reader, 0) != '-' || peek(reader, 1) == ']') continue;
        reader->at++;
        if (ends(reader)) return false; /* the class is not closed */
        uint32_t last = 0;
        if (!read_class_atom(reader, &last) || first > last || last == UINT32_MAX) return false;
    }
    return false;
}

/* Reads "{2}", "{2,}" or "{2,5}", after the opening brace. */
static bool read_counts(ecma_reader *reader)
{
    uint64_t min = 0;
    uint64_t max = UINT64_MAX;
    if (!read_number(reader, &min)) return false;
    if (take(reader, ',')) {
        if (peek(reader, 0) != '}' && !read_number(reader, &max)) return false;
    }
    return take(reader, '}') && min <= max;
}

/* Reads the start of a group, after the parenthesis. */
static bool read_group(ecma_reader *reader, bool *is_assertion)
{
    *is_assertion = false;
    if (!take(reader, '?')) {
        reader->groups++;
        return true;
    }
    if (take(reader, ':')) return true;
    *is_assertion = true;
    if (take(reader, '=') || take(reader, '!')) return true;
    if (!take(reader, '<')) return false;
    if (take(reader, '=') || take(reader, '!')) return true;
    *is_assertion = false;
    assay_text name;
    if (!read_name(reader, &name) || is_among(reader->names, reader->name_count, name)) return false;
    note(reader, reader->names, &reader->name_count, name);
    reader->groups++;
    return true;
}

/* Reads one piece of the expression. `*can_repeat` becomes whether a quantifier may follow. */
static bool read_piece(ecma_reader *reader, bool *can_repeat, uint8_t *assertions, size_t *depth)
{
    uint8_t byte = reader->bytes[reader->at++];
    bool repeated = *can_repeat;
    *can_repeat = false;
    switch (byte) {
    case '|':
    case '^':
    case '$':
        return true;
    case '(': {
        bool is_assertion = false;
        if (!read_group(reader, &is_assertion)) return false;
        reader->overflow |= *depth == ecma_depth;
        if (reader->overflow) return false;
        unsigned bit = 1u << *depth % 8;
        assertions[*depth / 8] = (uint8_t)((assertions[*depth / 8] & ~bit) | (is_assertion ? bit : 0));
        ++*depth;
        return true;
    }
    case ')':
        if (*depth == 0) return false;
        --*depth;
        *can_repeat = (assertions[*depth / 8] >> *depth % 8 & 1) == 0;
        return true;
    case '*':
    case '+':
    case '?':
    case '{':
        if (!repeated || (byte == '{' && !read_counts(reader))) return false;
        take(reader, '?');
        return true;
    case ']':
    case '}':
        return false;
    case '[':
        *can_repeat = true;
        return read_class(reader);
    case '\\':
        if (ends(reader)) return false;
        if (take(reader, 'b') || take(reader, 'B')) return true;
        *can_repeat = true;
        return read_escape(reader, false, &(uint32_t){0});
    default:
        *can_repeat = true;
        return true;
    }
}

assay_verdict builtin_ecma_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type;
    ecma_reader reader = {.bytes = value, .count = count};
    uint8_t assertions[ecma_depth / 8];
    size_t depth = 0;
    bool can_repeat = false;
    bool passes = true;
    while (passes && !ends(&reader)) passes = read_piece(&reader, &can_repeat, assertions, &depth);
    if (reader.overflow) {
        assay_scratch_set_engine_code(scratch, 0);
        return ASSAY_UNDECIDED;
    }
    passes = passes && depth == 0 && reader.largest <= reader.groups;
    for (size_t i = 0; passes && i < reader.referenced_count; i++) {
        passes = is_among(reader.names, reader.name_count, reader.referenced[i]);
    }
    return builtin_verdict(passes);
}
