/* Writing repaired values as CSV and JSON. */
#include "assay/repair.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Values of CSV
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether a byte ends a field or record, unless it is quoted or escaped. */
static bool is_structure(const assay_dialect *dialect, uint8_t byte)
{
    return byte == dialect->delimiter || byte == '\n' || byte == '\r';
}

static bool is_blank(const assay_dialect *dialect, uint8_t byte)
{
    return dialect->skip_initial_space && (byte == ' ' || byte == '\t');
}

/* Whether a value has another meaning without quotes. */
static bool needs_quotes(const assay_dialect *dialect, const uint8_t *value, size_t count, bool is_first)
{
    if (count == 0) return false;
    if (is_blank(dialect, value[0]) || is_blank(dialect, value[count - 1])) return true;
    if (is_first && dialect->comment != 0 && value[0] == dialect->comment) return true;
    for (size_t i = 0; i < count; i++) {
        if (is_structure(dialect, value[i]) || value[i] == dialect->quote) return true;
        if (dialect->escape != 0 && value[i] == dialect->escape) return true;
    }
    return false;
}

bool assay_csv_can_write(const assay_dialect *dialect, const uint8_t *value, size_t count, bool is_first)
{
    if (dialect->quoting || count == 0) return true;
    if (is_blank(dialect, value[0])) return false;
    if (is_first && dialect->comment != 0 && value[0] == dialect->comment) return false;
    if (dialect->escape != 0) return true;
    for (size_t i = 0; i < count; i++) {
        if (is_structure(dialect, value[i])) return false;
    }
    return true;
}

static size_t write_escaped(const assay_dialect *dialect, const uint8_t *value, size_t count, uint8_t *out)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_structure(dialect, value[i]) || value[i] == dialect->escape) out[used++] = dialect->escape;
        out[used++] = value[i];
    }
    return used;
}

size_t assay_csv_write(const assay_dialect *dialect, const uint8_t *value, size_t count, bool was_quoted, bool is_first,
                       bool is_only, uint8_t *out)
{
    if (!dialect->quoting) {
        if (dialect->escape != 0) return write_escaped(dialect, value, count, out);
        if (count > 0) memcpy(out, value, count);
        return count;
    }
    /* Quote the only field of a record if it is empty, because the record would otherwise be a blank line. */
    const bool is_quoted = count == 0 ? is_only : was_quoted || needs_quotes(dialect, value, count, is_first);
    if (!is_quoted) {
        if (count > 0) memcpy(out, value, count);
        return count;
    }
    size_t used = 0;
    out[used++] = dialect->quote;
    for (size_t i = 0; i < count; i++) {
        const bool is_escape = dialect->escape != 0 && value[i] == dialect->escape;
        if (value[i] == dialect->quote || is_escape) out[used++] = value[i];
        out[used++] = value[i];
    }
    out[used++] = dialect->quote;
    return used;
}

bool assay_csv_fits(const assay_dialect *dialect, const uint8_t *value, size_t count, bool is_first, size_t old_count,
                    size_t max)
{
    if (dialect == NULL) return count <= max;
    if (count < max / 2) return true; /* fits even with every byte doubled and two quotes */
    if (!dialect->quoting) {
        size_t escapes = 0;
        for (size_t i = 0; dialect->escape != 0 && i < count; i++) {
            escapes += is_structure(dialect, value[i]) || value[i] == dialect->escape;
        }
        return count + escapes <= max;
    }
    /* The new value is quoted if the old one was, and the old one fits. */
    if (!needs_quotes(dialect, value, count, is_first)) return count + 2 <= max || count <= old_count;
    size_t doubled = 0;
    for (size_t i = 0; i < count; i++) {
        doubled += value[i] == dialect->quote || (dialect->escape != 0 && value[i] == dialect->escape);
    }
    return count + doubled + 2 <= max;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Values of JSON
 * ------------------------------------------------------------------------------------------------------------- */

static bool is_digit(const uint8_t *at, const uint8_t *end) { return at < end && *at >= '0' && *at <= '9'; }

/* Whether a text is a JSON number (RFC 8259, section 6). */
static bool is_number(const uint8_t *at, size_t count)
{
    const uint8_t *end = at + count;
    if (at < end && *at == '-') at++;
    if (!is_digit(at, end)) return false;
    if (*at == '0') {
        at++;
    } else {
        while (is_digit(at, end)) at++;
    }
    if (at < end && *at == '.') {
        at++;
        if (!is_digit(at, end)) return false;
        while (is_digit(at, end)) at++;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-')) at++;
        if (!is_digit(at, end)) return false;
        while (is_digit(at, end)) at++;
    }
    return at == end;
}

static bool equals(const uint8_t *value, size_t count, const char *text)
{
    return count == strlen(text) && memcmp(value, text, count) == 0;
}

static bool is_boolean(const uint8_t *value, size_t count)
{
    return equals(value, count, "true") || equals(value, count, "false");
}

bool assay_json_can_write(assay_json_literals literals, const uint8_t *value, size_t count)
{
    if (literals == ASSAY_JSON_NO_LITERALS || count == 0) return true;
    return literals == ASSAY_JSON_NUMBERS ? is_number(value, count) : is_boolean(value, count);
}

size_t assay_json_write(uint8_t kind, bool is_literal, const uint8_t *value, size_t count, uint8_t *out)
{
    const bool may_be_literal = kind == 'n' ? is_literal : kind != '"';
    if (may_be_literal && (is_boolean(value, count) || is_number(value, count))) {
        memcpy(out, value, count);
        return count;
    }
    static const char digits[] = "0123456789abcdef";
    size_t used = 0;
    out[used++] = '"';
    for (size_t i = 0; i < count; i++) {
        const uint8_t byte = value[i];
        if (byte == '"' || byte == '\\') {
            out[used++] = '\\';
            out[used++] = byte;
        } else if (byte >= 0x20) {
            out[used++] = byte;
        } else if (byte == '\n' || byte == '\r' || byte == '\t') {
            out[used++] = '\\';
            out[used++] = byte == '\n' ? 'n' : byte == '\r' ? 'r' : 't';
        } else {
            memcpy(out + used, "\\u00", 4);
            out[used + 4] = (uint8_t)digits[byte >> 4];
            out[used + 5] = (uint8_t)digits[byte & 15];
            used += 6;
        }
    }
    out[used++] = '"';
    return used;
}

uint32_t assay_json_scalar_end(const uint8_t *bytes, uint32_t start, uint32_t end)
{
    uint32_t at = start;
    if (at < end && bytes[at] == '"') {
        for (at++; at < end && bytes[at] != '"'; at++) {
            if (bytes[at] == '\\') at++;
        }
        return at < end ? at + 1 : end;
    }
    while (at < end && bytes[at] != ',' && bytes[at] != '}' && bytes[at] != ']' && bytes[at] != ' ' &&
           bytes[at] != '\t' && bytes[at] != '\r' && bytes[at] != '\n') {
        at++;
    }
    return at;
}
