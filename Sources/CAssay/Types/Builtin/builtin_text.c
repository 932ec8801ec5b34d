/* Texts with a form of their own: encodings, documents, names, passwords. */
#include "Types/Builtin/builtin_tests.h"

#include "Checks/assay_length.h"
#include "Types/Tables/builtin_tables.h"

/* ---------------------------------------------------------------------------------------------------------------
 * Encodings
 * ------------------------------------------------------------------------------------------------------------- */

/* No bits are left over: the last character before the padding ends in zeros (RFC 4648, 3.5). */
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
    return (lower >= 'a' && lower <= 'z') || builtin_is_digit(byte) || byte == (uint8_t)plus || byte == (uint8_t)slash;
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

/* RFC 7515, 3.1: three parts; the first is of an object, which starts with "{" (and nearly always with {"). */
assay_verdict builtin_jwt_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch;
    size_t part = 0;
    for (size_t start = 0, at = 0;; at++) {
        if (at < count && value[at] != '.') continue;
        if (!is_base64url(value + start, at - start)) return ASSAY_FAIL;
        /* An unsecured token has an empty signature (RFC 7519, 6); header and claims are never empty. */
        if (at == start && part < 2) return ASSAY_FAIL;
        if (part == 0 && (value[0] != 'e' || at < 4)) return ASSAY_FAIL;
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
    (void)error;
    type->test = hex_test;
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * JSON, RFC 8259
 * ------------------------------------------------------------------------------------------------------------- */

/* Deeper than any document means; beyond it the answer is "undecided", not a crash. */
enum { json_depth = 4096 };

enum { JSON_OBJECT, JSON_ARRAY, JSON_NEWLINE };

/* Each `skip_` function returns the place behind what stands at `at`, SIZE_MAX if that is not what stands there. */
static size_t skip_space(const uint8_t *bytes, size_t count, size_t at)
{
    while (at < count && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\n' || bytes[at] == '\r')) at++;
    return at;
}

static size_t skip_digits(const uint8_t *bytes, size_t count, size_t at)
{
    size_t start = at;
    while (at < count && builtin_is_digit(bytes[at])) at++;
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

static bool is_hex(uint8_t byte) { return builtin_is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f'); }

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
            if (at + i >= count || !is_hex(bytes[at + i])) return SIZE_MAX;
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
    if (bytes[at] == '-' || builtin_is_digit(bytes[at])) return skip_number(bytes, count, at);
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
    (void)scratch;
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
            if (depth == json_depth) return ASSAY_UNDECIDED;
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

/* A pattern that this library would run. */
assay_verdict builtin_regex_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    assay_error error;
    uint32_t options = ASSAY_PATTERN_NO_JIT; /* no machine code for a pattern that is never run */
    assay_pattern *pattern = assay_pattern_create(value, count, options | type->pattern_options, 0, &error);
    if (pattern == NULL) return error.status == ASSAY_NO_MEMORY ? ASSAY_UNDECIDED : ASSAY_FAIL;
    assay_pattern_free(pattern);
    return ASSAY_PASS;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Names
 * ------------------------------------------------------------------------------------------------------------- */

/* Names that Windows keeps for devices, also with an extension. */
static bool is_device(const uint8_t *value, size_t count)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul"};
    size_t length = 0;
    while (length < count && value[length] != '.') length++;
    while (length > 0 && value[length - 1] == ' ') length--;
    if (length == 3 || length == 4) {
        uint8_t lower[4];
        for (size_t i = 0; i < length; i++) lower[i] = builtin_lower(value[i]);
        for (size_t i = 0; length == 3 && i < 4; i++) {
            if (memcmp(lower, devices[i], 3) == 0) return true;
        }
        bool port = memcmp(lower, "com", 3) == 0 || memcmp(lower, "lpt", 3) == 0;
        return length == 4 && port && lower[3] >= '1' && lower[3] <= '9';
    }
    return false;
}

assay_verdict builtin_file_name_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                     size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(value[count - 1] != '.' && value[count - 1] != ' ' && !is_device(value, count));
}

enum { USERNAME_MIN, USERNAME_MAX };

bool builtin_username_prepare(assay_builtin *type, assay_error *error)
{
    size_t min = builtin_given(type, USERNAME_MIN) ? (size_t)type->numbers[USERNAME_MIN] : 3;
    size_t max = builtin_given(type, USERNAME_MAX) ? (size_t)type->numbers[USERNAME_MAX] : 32;
    if (min > max || max == 0) {
        return builtin_refuse(type, builtin_given(type, USERNAME_MIN) ? USERNAME_MIN : USERNAME_MAX, error,
                              "the longest is not shorter than the shortest");
    }
    type->fewest = min;
    type->most = max;
    return true;
}

enum { SEMVER_PREFIX };

#define SEMVER_NUMBER "(?:0|[1-9][0-9]*+)"
#define SEMVER_PART "(?:" SEMVER_NUMBER "(?![0-9A-Za-z-])|[0-9]*+[A-Za-z-][0-9A-Za-z-]*+)"

bool builtin_semver_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    if (builtin_given(type, SEMVER_PREFIX)) builtin_append(type, "v?");
    builtin_append(type, SEMVER_NUMBER "\\." SEMVER_NUMBER "\\." SEMVER_NUMBER "(?:-" SEMVER_PART "(?:\\." SEMVER_PART
                                       ")*+)?(?:\\+[0-9A-Za-z-]++(?:\\.[0-9A-Za-z-]++)*+)?");
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Passwords
 * ------------------------------------------------------------------------------------------------------------- */

enum {
    PASSWORD_MIN,
    PASSWORD_MAX,
    PASSWORD_LOWER,
    PASSWORD_UPPER,
    PASSWORD_DIGIT,
    PASSWORD_SYMBOL,
    PASSWORD_COMMON,
    PASSWORD_BLOCKED,
};

static bool is_common(const uint8_t *value, size_t count)
{
    uint8_t lower[64];
    if (count > builtin_passwords.longest || count > sizeof lower) return false;
    for (size_t i = 0; i < count; i++) lower[i] = builtin_lower(value[i]);
    return builtin_words_find(&builtin_passwords, lower, count) >= 0;
}

/* Whether the word stands in the value, in either case. */
static bool contains(const uint8_t *value, size_t count, assay_text word)
{
    for (size_t at = 0; at + word.count <= count; at++) {
        size_t same = 0;
        while (same < word.count && builtin_lower(value[at + same]) == builtin_lower(word.bytes[same])) same++;
        if (same == word.count) return true;
    }
    return false;
}

static assay_verdict password_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                   size_t count)
{
    (void)scratch;
    size_t min = builtin_given(type, PASSWORD_MIN) ? (size_t)type->numbers[PASSWORD_MIN] : 8;
    size_t max = builtin_given(type, PASSWORD_MAX) ? (size_t)type->numbers[PASSWORD_MAX] : 128;
    assay_length_rule length = {min, max, ASSAY_LENGTH_SCALARS};
    if (assay_length_judge(&length, value, count) != ASSAY_PASS) return ASSAY_FAIL;
    if (!builtin_given(type, PASSWORD_COMMON) && is_common(value, count)) return ASSAY_FAIL;
    assay_text rest = type->texts[PASSWORD_BLOCKED];
    assay_text word;
    while (builtin_next_word(&rest, &word)) {
        if (contains(value, count, word)) return ASSAY_FAIL;
    }
    return ASSAY_PASS;
}

bool builtin_password_prepare(assay_builtin *type, assay_error *error)
{
    if (builtin_given(type, PASSWORD_MIN) && builtin_given(type, PASSWORD_MAX) &&
        type->numbers[PASSWORD_MIN] > type->numbers[PASSWORD_MAX]) {
        return builtin_refuse(type, PASSWORD_MAX, error, "the longest is not shorter than the shortest");
    }
    /* One scan for each class, none inside another. */
    if (builtin_given(type, PASSWORD_LOWER)) builtin_append(type, "(?=\\P{Ll}*+\\p{Ll})");
    if (builtin_given(type, PASSWORD_UPPER)) builtin_append(type, "(?=\\P{Lu}*+\\p{Lu})");
    if (builtin_given(type, PASSWORD_DIGIT)) builtin_append(type, "(?=\\P{Nd}*+\\p{Nd})");
    if (builtin_given(type, PASSWORD_SYMBOL))
        builtin_append(type, "(?=[\\p{L}\\p{M}\\p{N}\\p{Z}]*+[^\\p{L}\\p{M}\\p{N}\\p{Z}])");
    builtin_append(type, "(?:[ -~]++|[^\\p{Cc}\\p{Cn}]++)*+");
    type->test = password_test;
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Text
 * ------------------------------------------------------------------------------------------------------------- */

enum { TEXT_LINES, TEXT_MIN, TEXT_MAX };

static assay_verdict text_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    size_t min = builtin_given(type, TEXT_MIN) ? (size_t)type->numbers[TEXT_MIN] : 0;
    size_t max = builtin_given(type, TEXT_MAX) ? (size_t)type->numbers[TEXT_MAX] : SIZE_MAX;
    assay_length_rule length = {min, max, ASSAY_LENGTH_SCALARS};
    return assay_length_judge(&length, value, count);
}

bool builtin_text_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    /* The joiners U+200C and U+200D are part of words and of emoji, and tags (U+E0020 …) of flags. */
    builtin_append(type, builtin_given(type, TEXT_LINES) ? "(?:[\\t -~\\x{200C}\\x{200D}]++|\\r?\\n|"
                                                         : "(?:[ -~\\x{200C}\\x{200D}]++|");
    builtin_append(type, "[^\\p{Cc}\\p{Cf}\\p{Cn}\\p{Co}\\p{Zl}\\p{Zp}]++)*+");
    if (builtin_given(type, TEXT_MIN) || builtin_given(type, TEXT_MAX)) type->test = text_test;
    return true;
}
