/* Reading strings byte by byte, and unescaping. */
#include "Bytes/assay_scalars.h"
#include "JSON/assay_json.h"

#include <string.h>

/* The value of a hexadecimal digit plus one; 0: not a digit. */
static const uint8_t hex_digits[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* The UTF-16 unit of a \uXXXX escape at `at`, or -1. Stops at the control character after the record at the latest,
 * because that is not a digit. */
static int32_t unit_of(const uint8_t *at)
{
    if (at[0] != '\\' || at[1] != 'u') return -1;
    int32_t unit = 0;
    for (int i = 2; i < 6; i++) {
        if (hex_digits[at[i]] == 0) return -1;
        unit = unit << 4 | (hex_digits[at[i]] - 1);
    }
    return unit;
}

const uint8_t *assay_json_escape_end(const uint8_t *at)
{
    switch (at[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return at + 2;
    case 'u': {
        const int32_t unit = unit_of(at);
        if (unit < 0) return NULL;
        if (unit < 0xD800 || unit > 0xDFFF) return at + 6;
        if (unit > 0xDBFF) return NULL;
        const int32_t low = unit_of(at + 6);
        return low >= 0xDC00 && low <= 0xDFFF ? at + 12 : NULL;
    }
    default:
        return NULL;
    }
}

const uint8_t *assay_json_string_end(assay_json_reader *reader, const uint8_t *quote, bool *has_escapes)
{
    *has_escapes = false;
    const uint8_t *at = quote + 1;
    for (;;) {
        while (*at != '"' && *at != '\\' && *at >= ' ') at++;
        if (*at == '"') return at;
        if (*at != '\\') {
            return at == reader->end ? assay_json_fail(reader, quote, ASSAY_JSON_UNCLOSED_STRING)
                                     : assay_json_fail(reader, at, ASSAY_JSON_CONTROL);
        }
        const uint8_t *next = assay_json_escape_end(at);
        if (next == NULL) {
            if (unit_of(at) >= 0) return assay_json_fail(reader, at, ASSAY_JSON_LONE_SURROGATE);
            /* A backslash at the end of the record means that the string is unclosed. */
            return at + 1 == reader->end ? assay_json_fail(reader, quote, ASSAY_JSON_UNCLOSED_STRING)
                                         : assay_json_fail(reader, at, ASSAY_JSON_BAD_ESCAPE);
        }
        *has_escapes = true;
        at = next;
    }
}

static uint32_t four_digits(const uint8_t *at)
{
    uint32_t unit = 0;
    for (int i = 0; i < 4; i++) unit = unit << 4 | (hex_digits[at[i]] - 1u);
    return unit;
}

/* Reads the character of \uXXXX at *from, or of two such escapes that are a surrogate pair, and advances *from. Half of
 * a pair, which may occur only in JSON in a cell of a table, becomes U+FFFD. */
static uint32_t read_scalar(const uint8_t **from, const uint8_t *end)
{
    const uint32_t unit = four_digits(*from + 2);
    *from += 6;
    if (unit < 0xD800 || unit > 0xDFFF) return unit;
    if (unit < 0xDC00 && end - *from >= 6 && (*from)[0] == '\\' && (*from)[1] == 'u') {
        const uint32_t other = four_digits(*from + 2);
        if (other >= 0xDC00 && other <= 0xDFFF) {
            *from += 6;
            return 0x10000 + ((unit - 0xD800) << 10) + (other - 0xDC00);
        }
    }
    return 0xFFFD;
}

static uint8_t short_escape(uint8_t letter)
{
    switch (letter) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return letter;
    }
}

size_t assay_json_unescape(const uint8_t *bytes, size_t count, uint8_t *target)
{
    const uint8_t *from = bytes, *end = bytes + count;
    size_t length = 0;
    while (from < end) {
        const uint8_t *escape = *from == '\\' ? from : memchr(from, '\\', (size_t)(end - from));
        const size_t plain = (size_t)((escape == NULL ? end : escape) - from);
        memcpy(target + length, from, plain);
        length += plain;
        if (escape == NULL) break;
        from = escape;
        if (from[1] == 'u') {
            length += put_character(read_scalar(&from, end), target + length);
        } else {
            target[length++] = short_escape(from[1]);
            from += 2;
        }
    }
    return length;
}
