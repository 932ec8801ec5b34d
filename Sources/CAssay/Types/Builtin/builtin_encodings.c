/* Encodings of bytes as text: base64, tokens in base64, hexadecimal digits. */
#include "Types/Builtin/builtin_tests.h"

/* Whether the unused bits of the last character before the padding are zeros (RFC 4648, 3.5). */
static bool has_no_loose_bits(uint8_t last, size_t missing)
{
    static const char two_free[] = "AEIMQUYcgkosw048";
    static const char four_free[] = "AQgw";
    if (missing == 0) return true;
    return strchr(missing == 1 ? two_free : four_free, last) != NULL;
}

static bool is_base64_byte(uint8_t byte, char plus, char slash)
{
    uint8_t lower = byte | 0x20;
    return (lower >= 'a' && lower <= 'z') || is_digit(byte) || byte == (uint8_t)plus || byte == (uint8_t)slash;
}

enum { BASE64_LOOSE, BASE64_UNPADDED };

static assay_verdict base64_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    size_t padding = 0;
    while (padding < 2 && padding < count && value[count - 1 - padding] == '=') padding++;
    size_t length = count - padding;
    for (size_t i = 0; i < length; i++) {
        if (!is_base64_byte(value[i], '+', '/')) return ASSAY_FAIL;
    }
    size_t missing = (4 - length % 4) % 4;
    if (missing == 3) return ASSAY_FAIL;
    if (padding != missing && !(padding == 0 && builtin_given(type, BASE64_UNPADDED))) return ASSAY_FAIL;
    return builtin_verdict(builtin_given(type, BASE64_LOOSE) || missing == 0 ||
                           has_no_loose_bits(value[length - 1], missing));
}

bool builtin_base64_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    type->test = base64_test;
    return true;
}

static bool is_base64url(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_base64_byte(bytes[i], '-', '_')) return false;
    }
    size_t missing = (4 - count % 4) % 4;
    return missing == 0 || (missing < 3 && has_no_loose_bits(bytes[count - 1], missing));
}

assay_verdict builtin_base64url_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                     size_t count)
{
    (void)type, (void)scratch;
    size_t padding = 0;
    while (padding < 2 && padding < count && value[count - 1 - padding] == '=') padding++;
    if (padding > 0 && count % 4 != 0) return ASSAY_FAIL;
    return builtin_verdict(is_base64url(value, count - padding));
}

/* Whether the first decoded byte is "{": its first six bits are the character "e", and the other two begin a character
   from "w" on. */
static bool is_object_start(const uint8_t *bytes, size_t count)
{
    if (count < 3 || bytes[0] != 'e') return false;
    return (bytes[1] >= 'w' && bytes[1] <= 'z') || is_digit(bytes[1]) || bytes[1] == '-' || bytes[1] == '_';
}

/* Checks a token of RFC 7515, 3.1: three parts. The first is an object, which starts with "{" (and nearly always with
   {"). */
assay_verdict builtin_jwt_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch;
    size_t part = 0;
    for (size_t start = 0, at = 0;; at++) {
        if (at < count && value[at] != '.') continue;
        if (!is_base64url(value + start, at - start)) return ASSAY_FAIL;
        /* An unsecured token has an empty signature (RFC 7519, 6); header and claims are never empty. */
        if (at == start && part < 2) return ASSAY_FAIL;
        if (part == 0 && !is_object_start(value, at)) return ASSAY_FAIL;
        part++;
        start = at + 1;
        if (at == count) return builtin_verdict(part == 3);
    }
}

enum { HEX_LENGTH, HEX_EVEN };

static assay_verdict hex_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch, (void)value;
    if (builtin_given(type, HEX_EVEN) && count % 2 != 0) return ASSAY_FAIL;
    return builtin_verdict(!builtin_given(type, HEX_LENGTH) || (int64_t)count == type->numbers[HEX_LENGTH]);
}

bool builtin_hex_prepare(assay_builtin *type, assay_error *error)
{
    if (builtin_given(type, HEX_EVEN) && builtin_given(type, HEX_LENGTH) && type->numbers[HEX_LENGTH] % 2 != 0) {
        return builtin_refuse(type, HEX_LENGTH, error, "an odd length is not even");
    }
    type->test = hex_test;
    return true;
}
