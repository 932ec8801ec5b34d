/* Numbers with a decimal point, and without groups and leading zeros. */
#include "Repairs/Canonical/repair_canonical.h"

#include "Types/assay_digit_groups.h"

/* The accepted notation of a number. */
typedef struct number_style {
    assay_text point; /* empty: whole numbers only */
    assay_text group; /* empty: no groups */
    bool has_exponent;
} number_style;

static size_t text_at(assay_text in, size_t at, assay_text text)
{
    if (text.count == 0 || in.count - at < text.count) return 0;
    return memcmp(in.bytes + at, text.bytes, text.count) == 0 ? text.count : 0;
}

/* The length of a group separator, or 0. If the separator is a space, no-break spaces also match. */
static size_t group_at(assay_text in, size_t at, assay_text group)
{
    if (group.count == 1 && group.bytes[0] == ' ') return space_at(in, at);
    return text_at(in, at, group);
}

static size_t digits_at(assay_text in, size_t at)
{
    size_t count = 0;
    while (at + count < in.count && is_digit(in.bytes[at + count])) count++;
    return count;
}

/* Writes the digits before the point without group separators. Returns false if a group is incomplete. */
static bool write_groups(assay_text in, size_t *at, assay_text separator, repair_text *out, bool *has_groups)
{
    const uint8_t first_digit = *at < in.count ? in.bytes[*at] : 0;
    assay_digit_groups groups = {.count = 0};
    for (size_t separator_length = 0;;) {
        *at += separator_length;
        const size_t digits = digits_at(in, *at);
        put_bytes(out, in.bytes + *at, digits);
        *at += digits;
        assay_digit_groups_add(&groups, digits);
        separator_length = *at < in.count ? group_at(in, *at, separator) : 0;
        if (separator_length == 0) break;
    }
    *has_groups = groups.count > 1;
    return assay_digit_groups_are_complete(&groups, separator, first_digit);
}

/* Appends [sign] digits [. digits] [exponent] to `out`. Returns false for other texts. An exponent must not follow
 * groups, because the separator in 7.067E+08 is a decimal point. */
static bool write_number(number_style style, assay_text in, repair_text *out)
{
    in = without_spaces(in);
    size_t at = 0;
    const size_t start = out->count;
    const size_t minus = in.count > 0 ? dash_at(in, 0) : 0;
    /* Accept the hyphen and the minus sign U+2212, but not dashes. */
    const bool is_negative = minus == 1 || (minus == 3 && in.bytes[1] == 0x88);
    if (minus > 0 && !is_negative) return false;
    at += minus > 0 ? minus : in.count > 0 && in.bytes[0] == '+';
    if (is_negative) put(out, '-');
    const size_t digits_start = out->count;
    bool has_groups;
    if (!write_groups(in, &at, style.group, out, &has_groups)) return false;
    size_t zeros = 0;
    while (digits_start + zeros < out->count && out->bytes[digits_start + zeros] == '0') zeros++;
    size_t digits = out->count - digits_start;
    if (zeros > 0 && zeros == digits) zeros--;
    memmove(out->bytes + digits_start, out->bytes + digits_start + zeros, digits - zeros);
    out->count -= zeros;
    if (digits == 0) put(out, '0');
    const size_t point = at < in.count ? text_at(in, at, style.point) : 0;
    if (point > 0) {
        const size_t behind = digits_at(in, at + point);
        if (behind > 0) {
            put(out, '.');
            put_bytes(out, in.bytes + at + point, behind);
        }
        at += point + behind;
        digits += behind;
    }
    if (digits == 0) return false;
    bool is_zero = is_negative;
    for (size_t i = digits_start; i < out->count; i++) is_zero &= is_one_of(out->bytes[i], "0.");
    if (is_zero) {
        memmove(out->bytes + start, out->bytes + digits_start, out->count - digits_start);
        out->count -= digits_start - start;
    }
    if (at < in.count && style.has_exponent && !has_groups && (in.bytes[at] | 0x20) == 'e') {
        put(out, 'e');
        at++;
        if (at < in.count && in.bytes[at] == '-') put(out, '-');
        if (at < in.count && is_one_of(in.bytes[at], "+-")) at++;
        const size_t exponent = digits_at(in, at);
        if (exponent == 0) return false;
        put_bytes(out, in.bytes + at, exponent);
        at += exponent;
    }
    return at == in.count;
}

static number_style style_of(const repair_canonical *canonical)
{
    return (number_style){canonical->point, canonical->group, canonical->kind == ASSAY_KIND_NUMBER};
}

bool canonical_integer(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)scratch;
    return write_number(style_of(canonical), in, out);
}

bool canonical_number(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)scratch;
    return write_number(style_of(canonical), in, out);
}

/* Writes the number, a space and the code: 12.50 EUR. */
bool canonical_money(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)scratch;
    enum { code_length = 3 };
    in = without_spaces(in);
    if (in.count <= code_length) return false;
    const bool is_before = is_letter(in.bytes[0]);
    const assay_text code = {is_before ? in.bytes : in.bytes + in.count - code_length, code_length};
    const assay_text number = {is_before ? in.bytes + code_length : in.bytes, in.count - code_length};
    if (!write_number(style_of(canonical), number, out)) return false;
    put(out, ' ');
    for (size_t i = 0; i < code_length; i++) put(out, upper_byte(code.bytes[i]));
    return true;
}

bool canonical_percent(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)scratch;
    in = without_spaces(in);
    if (in.count == 0 || in.bytes[in.count - 1] != '%') return false;
    in.count--;
    if (!write_number(style_of(canonical), in, out)) return false;
    put(out, '%');
    return true;
}

bool canonical_lat_long(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)scratch;
    const uint8_t *comma = memchr(in.bytes, ',', in.count);
    if (comma == NULL) return false;
    const size_t before = (size_t)(comma - in.bytes);
    const number_style style = style_of(canonical);
    if (!write_number(style, (assay_text){in.bytes, before}, out)) return false;
    put(out, ',');
    return write_number(style, (assay_text){comma + 1, in.count - before - 1}, out);
}
