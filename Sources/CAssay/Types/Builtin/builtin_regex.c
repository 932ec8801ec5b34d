/* Patterns that this library would run.
 *
 *     [a-z]+(?<n>\d)     is simple    ──►  passes here
 *     (?<=a|bc)d{2,}     is not       ──►  PCRE2 compiles it, or does not
 *
 * Compiling takes a microsecond and more, so patterns that are plainly right are recognized first. What is recognized
 * is a subset of what PCRE2 takes; test_builtin.c compiles whatever passes. */
#include "Types/Builtin/builtin_tests.h"

#include "Patterns/assay_pattern_features.h"
#include "Patterns/assay_scratch.h"

/* Far from any bound of PCRE2 on compiled size (a class of two letters takes 33 bytes) and nesting. */
enum { REGEX_FOLDED_MOST = 0x20000 };

enum { simple_count = 500, simple_depth = 50, simple_repeat = 200 };

typedef struct regex_text {
    const uint8_t *at;
    const uint8_t *end;
    bool has_name; /* a second name might be the same */
} regex_text;

static bool takes(regex_text *reader, char byte)
{
    if (reader->at == reader->end || *reader->at != (uint8_t)byte) return false;
    reader->at++;
    return true;
}

/* Behind a backslash: \d and the like, or a sign that then means itself. */
static bool read_escaped(regex_text *reader)
{
    if (reader->at == reader->end) return false;
    uint8_t byte = *reader->at++;
    return is_one_of(byte, "dDwWsStnr") || is_one_of(byte, ".*+?()[]{}|^$\\/-@#&:,;=!'\"%~<> ");
}

/* Behind "[": letters, digits, ranges of them, other signs. */
static bool read_class(regex_text *reader)
{
    if (reader->at < reader->end && is_one_of(*reader->at, ":.=")) return false; /* a class of POSIX, or half of one */
    takes(reader, '^');
    if (takes(reader, ']')) return false; /* means itself there; not told apart here */
    while (reader->at < reader->end) {
        uint8_t byte = *reader->at++;
        bool is_word = is_letter(byte) || is_digit(byte);
        if (byte == ']') return true;
        if (byte == '\\') {
            if (!read_escaped(reader)) return false;
            if (reader->at < reader->end && *reader->at == '-') return false; /* \d-z is a mistake, \.-z a range */
            continue;
        }
        if (!is_word && !is_one_of(byte, "_.,;:@#%&!?*+/=~^$|(){}<>'\" ")) {
            return byte == '-' && takes(reader, ']'); /* at the end */
        }
        if (reader->at + 1 >= reader->end || reader->at[0] != '-' || reader->at[1] == ']') continue;
        uint8_t last = reader->at[1];
        if (!is_word || !(is_letter(last) || is_digit(last)) || last < byte) return false;
        reader->at += 2;
        if (reader->at < reader->end && *reader->at == '-') return false;
    }
    return false;
}

/* Digits of a repetition. */
static bool read_count(regex_text *reader, unsigned *number)
{
    const uint8_t *start = reader->at;
    *number = 0;
    while (reader->at < reader->end && reader->at - start < 3 && is_digit(*reader->at)) {
        *number = *number * 10 + (unsigned)(*reader->at++ - '0');
    }
    return reader->at > start && *number <= simple_repeat;
}

/* Whatever may repeat the item before it. A group is not counted out: its copies would add up. */
static bool read_repetition(regex_text *reader, bool is_group)
{
    if (takes(reader, '{')) {
        unsigned least;
        unsigned most;
        if (is_group || !read_count(reader, &least)) return false;
        if (takes(reader, ',') && reader->at < reader->end && *reader->at != '}') {
            if (!read_count(reader, &most) || most < least) return false;
        }
        if (!takes(reader, '}')) return false;
    } else if (!takes(reader, '?') && !takes(reader, '*') && !takes(reader, '+')) {
        return true;
    }
    if (!takes(reader, '?')) takes(reader, '+'); /* lazy or possessive */
    return true;
}

/* Behind "(": nothing, "?:" or one name. */
static bool read_opening(regex_text *reader)
{
    if (!takes(reader, '?')) return true;
    if (takes(reader, ':')) return true;
    if (!takes(reader, '<') || reader->has_name) return false;
    reader->has_name = true;
    const uint8_t *start = reader->at;
    while (reader->at < reader->end && reader->at - start < 20 &&
           (is_letter(*reader->at) || (reader->at > start && is_digit(*reader->at)))) {
        reader->at++;
    }
    return reader->at > start && takes(reader, '>');
}

static bool is_simple(const uint8_t *value, size_t count)
{
    if (count > simple_count) return false;
    regex_text reader = {value, value + count, false};
    unsigned depth = 0;
    while (reader.at < reader.end) {
        uint8_t byte = *reader.at++;
        bool is_group = false;
        switch (byte) {
        case '|':
        case '^':
        case '$':
            continue; /* nothing to repeat: a repetition behind it is read as an item, and is none */
        case '(':
            if (++depth > simple_depth || !read_opening(&reader)) return false;
            continue;
        case ')':
            if (depth-- == 0) return false;
            is_group = true;
            break;
        case '[':
            if (!read_class(&reader)) return false;
            break;
        case '\\':
            if (!read_escaped(&reader)) return false;
            break;
        default:
            if (byte < ' ' || byte == 0x7F || is_one_of(byte, "*+?{")) return false;
            while (byte >= 0xC0 && reader.at < reader.end && *reader.at >= 0x80 && *reader.at < 0xC0) reader.at++;
        }
        if (!read_repetition(&reader, is_group)) return false;
    }
    return depth == 0;
}

assay_verdict builtin_regex_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    if (is_simple(value, count)) return ASSAY_PASS;
    /* A millisecond for one value is much where a column has millions, and one of 20 bytes may ask for eight of all characters
       whose case is ignored. */
    size_t range = 0;
    if (assay_pattern_folds_too_much(value, count, (type->pattern_options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0,
                                     REGEX_FOLDED_MOST, &range)) {
        assay_scratch_set_engine_code(scratch, 0);
        return ASSAY_UNDECIDED;
    }
    assay_error error;
    /* No machine code and no DFA for a pattern that is never run, unless it is one that only machine code gets
       right: the interpreter refuses those. How this check itself runs says nothing about that. */
    uint32_t options = (type->pattern_options & ~(uint32_t)ASSAY_PATTERN_NO_JIT) | ASSAY_PATTERN_NO_DFA;
    assay_pattern *pattern = assay_pattern_create(value, count, options | ASSAY_PATTERN_NO_JIT, 0, &error);
    if (pattern == NULL && error.status != ASSAY_NO_MEMORY) {
        pattern = assay_pattern_create(value, count, options, 0, &error);
    }
    if (pattern == NULL && error.status != ASSAY_NO_MEMORY) return ASSAY_FAIL;
    if (pattern == NULL) {
        assay_scratch_set_engine_code(scratch, 0);
        return ASSAY_UNDECIDED;
    }
    assay_pattern_free(pattern);
    return ASSAY_PASS;
}
