/* Codes: letter case, and separators between characters. */
#include "Repairs/Canonical/repair_canonical.h"

bool canonical_upper(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical, (void)scratch;
    for (size_t i = 0; i < in.count; i++) put(out, upper_byte(in.bytes[i]));
    return true;
}

bool canonical_lower(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical, (void)scratch;
    for (size_t i = 0; i < in.count; i++) put(out, lower_byte(in.bytes[i]));
    return true;
}

/* Writes a code in capitals without spaces and hyphens. Returns false for other characters than letters and digits. */
static bool write_compact(assay_text in, repair_text *out)
{
    for (size_t i = 0; i < in.count;) {
        const size_t separator = separator_at(in, i);
        if (separator == 0 && !is_digit(in.bytes[i]) && !is_letter(in.bytes[i])) return false;
        if (separator == 0) put(out, upper_byte(in.bytes[i]));
        i += separator == 0 ? 1 : separator;
    }
    return true;
}

bool canonical_code(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical, (void)scratch;
    return write_compact(in, out);
}

bool canonical_digits(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical, (void)scratch;
    if (!write_compact(in, out)) return false;
    for (size_t i = 0; i < out->count; i++) {
        if (!is_digit(out->bytes[i])) return false;
    }
    return true;
}

bool canonical_isbn(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    /* Without hyphens, because their places depend on tables of the International ISBN Agency. */
    return canonical_code(canonical, scratch, in, out);
}

bool canonical_issn(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)scratch;
    if (!write_compact(in, out) || out->count != 8) return false;
    if (canonical->is_compact) return true;
    memmove(out->bytes + 5, out->bytes + 4, 4);
    out->bytes[4] = '-';
    out->count++;
    return true;
}

/* Writes 8-4-4-4-12 lowercase hexadecimal digits. Accepts braces, the prefix urn:uuid: and values without hyphens. */
bool canonical_uuid(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical, (void)scratch;
    static const char urn[] = "urn:uuid:";
    const size_t urn_length = sizeof urn - 1;
    if (in.count > urn_length) {
        size_t same = 0;
        while (same < urn_length && lower_byte(in.bytes[same]) == (uint8_t)urn[same]) same++;
        if (same == urn_length) in = (assay_text){in.bytes + urn_length, in.count - urn_length};
    }
    if (in.count > 2 && in.bytes[0] == '{' && in.bytes[in.count - 1] == '}') {
        in = (assay_text){in.bytes + 1, in.count - 2};
    }
    if (in.count != 36 && in.count != 32) return false;
    for (size_t i = 0, digits = 0; i < in.count; i++) {
        const bool is_place = digits == 8 || digits == 12 || digits == 16 || digits == 20;
        if (in.count == 36 && (i == 8 || i == 13 || i == 18 || i == 23)) {
            if (in.bytes[i] != '-') return false;
            continue;
        }
        if (!is_hex_digit(in.bytes[i])) return false;
        if (is_place) put(out, '-');
        put(out, lower_byte(in.bytes[i]));
        digits++;
    }
    return true;
}

/* Writes lowercase hexadecimal digits with colons between octets. */
bool canonical_mac(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical, (void)scratch;
    size_t digits = 0;
    uint8_t separator = 0;
    size_t since = 0, each = 0;
    for (size_t i = 0; i < in.count; i++) {
        const uint8_t byte = in.bytes[i];
        if (is_hex_digit(byte)) {
            if (digits > 0 && digits % 2 == 0) put(out, ':');
            put(out, lower_byte(byte));
            digits++;
            since++;
            continue;
        }
        if (!is_one_of(byte, ":-.") || (separator != 0 && byte != separator)) return false;
        if (each == 0) each = since;
        if (since != each || since != (byte == '.' ? 4 : 2)) return false;
        separator = byte;
        since = 0;
    }
    return (each == 0 || since == each) && (digits == 12 || digits == 16);
}

/* Writes #rrggbb or #rrggbbaa in lowercase. */
bool canonical_hex_color(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical, (void)scratch;
    const bool is_short = in.count == 4 || in.count == 5;
    if (in.count == 0 || in.bytes[0] != '#' || !(is_short || in.count == 7 || in.count == 9)) return false;
    put(out, '#');
    for (size_t i = 1; i < in.count; i++) {
        if (!is_hex_digit(in.bytes[i])) return false;
        put(out, lower_byte(in.bytes[i]));
        if (is_short) put(out, lower_byte(in.bytes[i]));
    }
    return true;
}

/* Writes the case of RFC 5646 section 2.1.1, such as de-Latn-DE. All subtags after a single letter or digit are
   lowercase. */
bool canonical_language_tag(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical, (void)scratch;
    bool is_behind_single = false;
    for (size_t i = 0, part = 0; i < in.count; part++) {
        size_t length = 0;
        while (i + length < in.count && !is_one_of(in.bytes[i + length], "-_")) length++;
        const uint8_t *bytes = in.bytes + i;
        const bool are_letters = length > 0 && is_letter(bytes[0]);
        const bool is_region = part > 0 && !is_behind_single && length == 2;
        const bool is_script = part > 0 && !is_behind_single && length == 4 && are_letters;
        for (size_t j = 0; j < length; j++) {
            put(out, is_region || (is_script && j == 0) ? upper_byte(bytes[j]) : lower_byte(bytes[j]));
        }
        if (length == 1) is_behind_single = true;
        i += length;
        if (i < in.count) {
            put(out, '-');
            i++;
        }
    }
    return true;
}

/* Writes type and subtype in lowercase (RFC 9110 section 8.3.1). Does not change parameters. */
bool canonical_mime_type(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical, (void)scratch;
    bool is_parameter = false;
    for (size_t i = 0; i < in.count; i++) {
        is_parameter |= in.bytes[i] == ';';
        put(out, is_parameter ? in.bytes[i] : lower_byte(in.bytes[i]));
    }
    return true;
}
