/* Texts with special rules: names, versions, passwords, plain text. */
#include "Types/Builtin/builtin_tests.h"

#include "Bytes/assay_length.h"
#include "Bytes/assay_scalars.h"
#include "Types/Builtin/builtin_tables.h"

/* ---------------------------------------------------------------------------------------------------------------
 * Names
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether a name is reserved for a device in Windows, with or without an extension: con, prn, aux, nul, conin$,
   conout$, and com and lpt with a digit from 1 to 9; the digits 1 to 3 may be superscript. */
static bool is_device(const uint8_t *value, size_t count)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul", "conin$", "conout$"};
    uint8_t lower[7];
    size_t length = 0;
    while (length < count && value[length] != '.') length++;
    while (length > 0 && value[length - 1] == ' ') length--;
    if (length > sizeof lower) return false;
    for (size_t i = 0; i < length; i++) lower[i] = builtin_lower(value[i]);
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        if (builtin_is((assay_text){lower, length}, devices[i])) return true;
    }
    if (length < 4 || (memcmp(lower, "com", 3) != 0 && memcmp(lower, "lpt", 3) != 0)) return false;
    if (length == 4) return lower[3] >= '1' && lower[3] <= '9';
    /* U+00B9, U+00B2, U+00B3 */
    return length == 5 && lower[3] == 0xC2 && (lower[4] == 0xB9 || lower[4] == 0xB2 || lower[4] == 0xB3);
}

assay_verdict builtin_file_name_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                     size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(value[count - 1] != '.' && value[count - 1] != ' ' && !is_device(value, count));
}

builtin_reason builtin_file_name_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    (void)type;
    if (!has_shape) return REASON_NONE;
    return is_device(value, count) ? REASON_DEVICE : REASON_DOT_END;
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
    type->min = min;
    type->max = max;
    return true;
}

enum { SEMVER_PREFIX };

#define SEMVER_NUMBER "(?:0|[1-9][0-9]*+)"
#define SEMVER_PART "(?:" SEMVER_NUMBER "|[0-9]*+[A-Za-z-][0-9A-Za-z-]*+)"

bool builtin_semver_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    if (builtin_given(type, SEMVER_PREFIX)) builtin_append(type, "v?");
    builtin_append(type, SEMVER_NUMBER "\\." SEMVER_NUMBER "\\." SEMVER_NUMBER "(?:-" SEMVER_PART "(?:\\." SEMVER_PART
                                       ")*)?(?:\\+[0-9A-Za-z-]++(?:\\.[0-9A-Za-z-]++)*+)?");
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

/* Whether the value contains the word, ignoring ASCII case. */
static bool contains(const uint8_t *value, size_t count, assay_text word)
{
    for (size_t at = 0; at + word.count <= count; at++) {
        size_t same = 0;
        while (same < word.count && builtin_lower(value[at + same]) == builtin_lower(word.bytes[same])) same++;
        if (same == word.count) return true;
    }
    return false;
}

static size_t password_min(const assay_builtin *type)
{
    return builtin_given(type, PASSWORD_MIN) ? (size_t)type->numbers[PASSWORD_MIN] : 8;
}

static size_t password_max(const assay_builtin *type)
{
    return builtin_given(type, PASSWORD_MAX) ? (size_t)type->numbers[PASSWORD_MAX] : 128;
}

static assay_verdict password_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                   size_t count)
{
    (void)scratch;
    assay_length_rule length = {password_min(type), password_max(type), ASSAY_LENGTH_SCALARS};
    if (assay_length_evaluate(&length, value, count) != ASSAY_PASS) return ASSAY_FAIL;
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
    /* One scan per class. The scans are not nested, so the work stays linear. */
    if (builtin_given(type, PASSWORD_LOWER)) builtin_append(type, "(?=\\P{Ll}*\\p{Ll})");
    if (builtin_given(type, PASSWORD_UPPER)) builtin_append(type, "(?=\\P{Lu}*\\p{Lu})");
    if (builtin_given(type, PASSWORD_DIGIT)) builtin_append(type, "(?=\\P{Nd}*\\p{Nd})");
    if (builtin_given(type, PASSWORD_SYMBOL))
        builtin_append(type, "(?=[\\p{L}\\p{M}\\p{N}\\p{Z}]*[^\\p{L}\\p{M}\\p{N}\\p{Z}])");
    builtin_append(type, "(?:[ -~]++|[^\\p{Cc}\\p{Cn}]++)*+");
    type->test = password_test;
    return true;
}

builtin_reason builtin_password_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    size_t scalars = 0;
    for (size_t i = 0; i < count; i++) scalars += !is_continuation(value[i]);
    if (scalars < password_min(type)) return REASON_TOO_SHORT;
    if (scalars > password_max(type)) return REASON_TOO_LONG;
    if (!has_shape) return REASON_NO_KIND;
    return !builtin_given(type, PASSWORD_COMMON) && is_common(value, count) ? REASON_COMMON : REASON_BLOCKED;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Text
 * ------------------------------------------------------------------------------------------------------------- */

enum { TEXT_LINES, TEXT_MIN, TEXT_MAX };

static bool is_selector(uint32_t character)
{
    return (character >= 0x180B && character <= 0x180F) || (character >= 0xFE00 && character <= 0xFE0F) ||
           (character >= 0xE0100 && character <= 0xE01EF);
}

/* Whether a character is in BUILTIN_FILLERS. Not in a class of the pattern, because that makes the pattern 1.5 times as
   expensive. */
static bool is_filler(uint32_t character)
{
    return character == 0x34F || character == 0x115F || character == 0x1160 || character == 0x17B4 ||
           character == 0x17B5 || character == 0x3164 || character == 0xFFA0;
}

/* Whether a character is a joiner, which belongs to words and emoji, or the Braille blank. */
static bool is_blank(uint32_t character) { return character == 0x200C || character == 0x200D || character == 0x2800; }

/* Whether the value contains a lead byte of fillers or variation selectors. */
static bool may_hide(const uint8_t *value, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        found |= value[i] == 0xCD || value[i] == 0xE1 || value[i] == 0xE3 || value[i] == 0xEF || value[i] == 0xF3;
    }
    return found;
}

/* Whether a value is empty or has a visible character, has no fillers, and has no variation selector at its start or
   after a space. */
static bool is_seen(const uint8_t *value, size_t count)
{
    const bool is_fully_visible = !may_hide(value, count);
    bool has_seen = count == 0;
    bool is_behind_space = true;
    size_t length;
    for (size_t i = 0; i < count && !(has_seen && is_fully_visible); i += length) {
        const uint32_t character = character_at(value + i, &length);
        const bool is_space = is_white_space(character);
        const bool selects = character > 0x7F && is_selector(character);
        if ((selects && is_behind_space) || is_filler(character)) return false;
        has_seen |= !is_space && !selects && !is_blank(character);
        is_behind_space = is_space;
    }
    return has_seen;
}

static assay_verdict text_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    if (!is_seen(value, count)) return ASSAY_FAIL;
    size_t min = builtin_given(type, TEXT_MIN) ? (size_t)type->numbers[TEXT_MIN] : 0;
    size_t max = builtin_given(type, TEXT_MAX) ? (size_t)type->numbers[TEXT_MAX] : SIZE_MAX;
    assay_length_rule length = {min, max, ASSAY_LENGTH_SCALARS};
    return min == 0 && max == SIZE_MAX ? ASSAY_PASS : assay_length_evaluate(&length, value, count);
}

bool builtin_text_prepare(assay_builtin *type, assay_error *error)
{
    if (builtin_given(type, TEXT_MIN) && builtin_given(type, TEXT_MAX) &&
        type->numbers[TEXT_MIN] > type->numbers[TEXT_MAX]) {
        return builtin_refuse(type, TEXT_MAX, error, "the longest is not shorter than the shortest");
    }
    /* The joiners U+200C and U+200D are part of words and emoji. Tags are part of flags such as that of Wales, and
       invisible elsewhere. Signs around or before numbers and verses are visible format characters
       (Prepended_Concatenation_Mark). */
    builtin_append(type, builtin_given(type, TEXT_LINES) ? "(?:[\\t -~\\x{200C}\\x{200D}]++|\\r?\\n|"
                                                         : "(?:[ -~\\x{200C}\\x{200D}]++|");
    builtin_append(type, "[\\x{600}-\\x{605}\\x{6DD}\\x{70F}\\x{890}\\x{891}\\x{8E2}\\x{110BD}\\x{110CD}]|");
    builtin_append(type, "[^\\p{Cc}\\p{Cf}\\p{Cn}\\p{Co}\\p{Zl}\\p{Zp}\\x{1F3F4}]++|"
                         "\\x{1F3F4}(?:[\\x{E0030}-\\x{E0039}\\x{E0061}-\\x{E007A}]{3,6}\\x{E007F})?)*+");
    type->test = text_test;
    return true;
}
