/* Reading and comparing decimal numbers.

       [+-]? ( digits [ point digits* ] | point digits ) ( [eE] [+-]? digits )?   |   NaN   |   -? INF

   This is Table Schema's number, which is XML Schema's double without rounding. The digits before the point may have
   complete groups, such as 1,234,567, if no exponent follows. */
#include "Types/assay_decimal.h"

#include "Bytes/assay_ascii.h"
#include "Bytes/assay_hash.h"
#include "Bytes/assay_utf8.h"
#include "Patterns/assay_categories.h"
#include "Types/assay_digit_groups.h"

#include <string.h>

/* The value of exponents beyond 2^57. It exceeds the exponent of any number that fits in memory, and adding a length to
   it cannot overflow. */
static const int64_t exponent_bound = INT64_C(1) << 61;

/* U+2212 in UTF-8. */
static const char minus_sign[] = "\xE2\x88\x92";

static bool starts_with(const uint8_t *bytes, size_t count, assay_text text)
{
    return text.count > 0 && text.count <= count && memcmp(bytes, text.bytes, text.count) == 0;
}

static bool equals_ignoring_case(const uint8_t *bytes, size_t count, const char *lower)
{
    if (count != strlen(lower)) return false;
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = bytes[i] >= 'A' && bytes[i] <= 'Z' ? (uint8_t)(bytes[i] | 0x20) : bytes[i];
        if (byte != (uint8_t)lower[i]) return false;
    }
    return true;
}

/* Reads digits, with group separators between two digits. Returns the number of bytes. Sets the first significant digit
   and the end of the last one. `*places` counts the digits from the first significant one on. */
static size_t read_digits(assay_text separator, const uint8_t *bytes, size_t count, assay_decimal *decimal,
                          int64_t *places, assay_digit_groups *groups)
{
    size_t at = 0;
    size_t start = 0;
    while (at < count) {
        if (!is_digit(bytes[at])) {
            const size_t after = at + separator.count;
            if (at == 0 || !starts_with(bytes + at, count - at, separator) || after >= count ||
                !is_digit(bytes[after])) {
                break;
            }
            assay_digit_groups_add(groups, at - start);
            at = start = after;
        }
        if (bytes[at] != '0') {
            if (decimal->digits == NULL) decimal->digits = bytes + at;
            decimal->span = (size_t)(bytes + at + 1 - decimal->digits);
        }
        if (decimal->digits != NULL) ++*places;
        at++;
    }
    if (start > 0) assay_digit_groups_add(groups, at - start); /* most numbers have no groups */
    return at;
}

/* The number of leading zeros of a fraction. */
static int64_t leading_zeros(const uint8_t *bytes, size_t count)
{
    int64_t zeros = 0;
    for (size_t i = 0; i < count && (bytes[i] == '0' || !is_digit(bytes[i])); i++) zeros += bytes[i] == '0';
    return zeros;
}

/* Reads [eE][+-]?digits. Returns the length, or 0 for other bytes. */
static size_t read_exponent(const uint8_t *bytes, size_t count, int64_t *exponent)
{
    size_t at = 0;
    if (at >= count || (bytes[at] | 0x20) != 'e') return 0;
    at++;
    bool negative = at < count && bytes[at] == '-';
    if (at < count && (bytes[at] == '-' || bytes[at] == '+')) at++;
    if (at >= count || !is_digit(bytes[at])) return 0;
    int64_t value = 0;
    for (; at < count && is_digit(bytes[at]); at++) {
        if (value < exponent_bound) value = value * 10 + (bytes[at] - '0');
        if (value > exponent_bound / 16) value = exponent_bound; /* because the next × 10 could overflow */
    }
    *exponent = negative ? -value : value;
    return at;
}

/* Reads the longest number at the start of the bytes. Returns its length, or 0 if the bytes do not start with a number
   or its groups are incomplete. */
static size_t read_number(const assay_decimal_style *style, const uint8_t *bytes, size_t count, assay_decimal *decimal)
{
    *decimal = (assay_decimal){.sign = 1};
    size_t at = 0;
    if (at < count && (bytes[at] == '+' || bytes[at] == '-')) {
        if (bytes[at] == '-') decimal->sign = -1;
        at++;
    }
    int64_t integer_places = 0;
    assay_digit_groups groups = {.count = 0};
    const size_t integer = read_digits(style->group, bytes + at, count - at, decimal, &integer_places, &groups);
    if (integer > 0 && !assay_digit_groups_are_complete(&groups, style->group, bytes[at])) return 0;
    const bool has_groups = groups.count > 1;
    at += integer;
    int64_t exponent = integer_places;
    size_t fraction = 0;
    if (starts_with(bytes + at, count - at, style->point)) {
        const uint8_t *start = bytes + at + style->point.count;
        size_t left = count - at - style->point.count;
        bool only_zeros_so_far = decimal->digits == NULL;
        int64_t fraction_places = 0;
        const assay_text no_separator = {NULL, 0};
        fraction = read_digits(no_separator, start, left, decimal, &fraction_places, &groups);
        if (integer > 0 || fraction > 0) at += style->point.count + fraction;
        if (only_zeros_so_far) exponent = -leading_zeros(start, fraction);
    }
    if (integer == 0 && fraction == 0) return 0;
    if (style->point.count > 0 && !has_groups) {
        int64_t written = 0;
        at += read_exponent(bytes + at, count - at, &written);
        exponent += written;
    }
    decimal->exponent = exponent;
    if (decimal->digits == NULL) {
        decimal->sign = 0;
        decimal->exponent = 0;
    }
    return at;
}

static bool read_special(const uint8_t *bytes, size_t count, assay_decimal *decimal)
{
    if (equals_ignoring_case(bytes, count, "nan")) {
        *decimal = (assay_decimal){.form = ASSAY_DECIMAL_NAN};
        return true;
    }
    bool negative = equals_ignoring_case(bytes, count, "-inf");
    if (!negative && !equals_ignoring_case(bytes, count, "inf")) return false;
    *decimal = (assay_decimal){.form = ASSAY_DECIMAL_INFINITE, .sign = negative ? -1 : 1};
    return true;
}

/* The character at the start of bytes, or U+FFFD for an ill-formed byte. */
static uint32_t character_in(const uint8_t *bytes, size_t count, size_t *length)
{
    if (bytes[0] < 0x80) {
        *length = 1;
        return bytes[0];
    }
    if (assay_utf8_character(bytes, count) > 0) return character_at(bytes, length);
    *length = 1;
    return 0xFFFD;
}

/* Whether a text ends with a letter. */
static bool ends_with_letter(const uint8_t *bytes, size_t count)
{
    if (count == 0) return false;
    size_t at = count - 1;
    while (at > 0 && count - at < 4 && is_continuation(bytes[at])) at--;
    size_t length = 0;
    return assay_character_is_letter(character_in(bytes + at, count - at, &length)) && at + length == count;
}

/* The length of a decimal or group separator of some language at the end of a text; 0 for other characters. */
static size_t separator_length_at_end(const uint8_t *bytes, size_t count)
{
    static const char *const separators[] = {
        ".",
        ",",
        "\xC2\xB7",     /* middle dot */
        "\xD9\xAB",     /* Arabic decimal separator */
        "\xD9\xAC",     /* Arabic thousands separator */
        "\xEF\xBC\x8C", /* fullwidth comma */
        "\xEF\xBC\x8E", /* fullwidth full stop */
    };
    for (size_t i = 0; i < sizeof separators / sizeof separators[0]; i++) {
        const size_t length = strlen(separators[i]);
        if (count >= length && memcmp(bytes + count - length, separators[i], length) == 0) return length;
    }
    return 0;
}

/* The start of the number in text such as "EUR -12.5" or "approx. 7 %": the first digit, or a sign or point directly
   before it. A point after a letter ends a word ("Nr.5" is 5). Returns `count` if the text has no digit. */
static size_t start_of_number(const assay_decimal_style *style, const uint8_t *bytes, size_t count)
{
    size_t digit = 0;
    while (digit < count && !is_digit(bytes[digit])) digit++;
    if (digit == count) return count;
    size_t start = digit;
    size_t point = style->point.count;
    if (point > 0 && point <= start && starts_with(bytes + start - point, point, style->point) &&
        !(bytes[start - 1] == '.' && ends_with_letter(bytes, start - point))) {
        start -= point;
    }
    if (start > 0 && (bytes[start - 1] == '-' || bytes[start - 1] == '+')) start--;
    return start;
}

/* The length of a dash at the start of a text: a hyphen, U+2010 to U+2015, U+2212 (the minus sign), U+FE63 or U+FF0D; 0
   if the text starts with another character. */
static size_t dash_length(const uint8_t *bytes, size_t count)
{
    if (count > 0 && bytes[0] == '-') return 1;
    if (count < 3) return 0;
    if (bytes[0] == 0xE2 && bytes[1] == 0x80) return bytes[2] >= 0x90 && bytes[2] <= 0x95 ? 3 : 0;
    return memcmp(bytes, minus_sign, 3) == 0 || memcmp(bytes, "\xEF\xB9\xA3", 3) == 0 ||
                   memcmp(bytes, "\xEF\xBC\x8D", 3) == 0
               ? 3
               : 0;
}

/* The length of a hyphen or minus sign at the start of a text; 0 if the text starts with another character. */
static size_t minus_length(const uint8_t *bytes, size_t count)
{
    if (count > 0 && bytes[0] == '-') return 1;
    return count >= 3 && memcmp(bytes, minus_sign, 3) == 0 ? 3 : 0;
}

/* Whether text before or after a number may change its value: a dash that may be a minus, or a parenthesis that is open
   at the end of the text before. A hyphen between two letters is part of a word. */
static bool changes_number(const uint8_t *bytes, size_t count, bool is_before)
{
    bool is_open = false;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '(') is_open = true;
        if (bytes[i] == ')') is_open = false;
        size_t dash = dash_length(bytes + i, count - i);
        bool is_in_word =
            dash > 0 && i > 0 && i + dash < count && is_letter(bytes[i - 1]) && is_letter(bytes[i + dash]);
        if (dash > 0 && !is_in_word) return true;
    }
    return is_before && is_open;
}

/* Whether text around a number has further digits, or fractions and other numbers, such as a half as one character.
   Superscripts and subscripts after a letter are part of a unit, such as a square metre. */
static bool has_number(const uint8_t *bytes, size_t count)
{
    bool is_after_letter = false;
    for (size_t at = 0; at < count;) {
        size_t length = 0;
        const uint32_t character = character_in(bytes + at, count - at, &length);
        const bool is_raised =
            character == 0xB9 || character == 0xB2 || character == 0xB3 || (character >= 0x2070 && character <= 0x2089);
        if (assay_character_is_number(character) && !(is_raised && is_after_letter)) return true;
        is_after_letter = assay_character_is_letter(character) || (is_raised && is_after_letter);
        at += length;
    }
    return false;
}

/* Whether the text before a number ends with a separator, so that the digits may be a fraction or a part of a group. A
   full stop after a letter ends a word. */
static bool may_continue(const uint8_t *bytes, size_t count)
{
    const size_t length = separator_length_at_end(bytes, count);
    if (length == 0) return false;
    return bytes[count - 1] != '.' || !ends_with_letter(bytes, count - 1);
}

/* Reads a number with text around it (bareNumber: false). The text must not contain digits. The sign must be directly
   before the number, or a minus at the start of the text: -€5 is −5. Ambiguous texts, such as 5- and (5), are not
   numbers. */
static bool read_amid_text(const assay_decimal_style *style, const uint8_t *bytes, size_t count, assay_decimal *decimal)
{
    size_t start = start_of_number(style, bytes, count);
    if (start == count) return false;
    size_t length = read_number(style, bytes + start, count - start, decimal);
    if (length == 0) return false;
    size_t end = start + length;
    if (has_number(bytes, start) || has_number(bytes + end, count - end) || may_continue(bytes, start)) return false;
    size_t from = 0;
    if (bytes[start] != '-' && bytes[start] != '+') {
        const bool has_minus_sign = start >= 3 && minus_length(bytes + start - 3, 3) == 3;
        if (has_minus_sign) start -= 3;
        if (!has_minus_sign) from = minus_length(bytes, start);
        if (has_minus_sign || from > 0) decimal->sign = -decimal->sign;
    }
    return !changes_number(bytes + from, start - from, true) && !changes_number(bytes + end, count - end, false);
}

bool assay_decimal_parse(const assay_decimal_style *style, const uint8_t *bytes, size_t count, assay_decimal *decimal)
{
    size_t length = read_number(style, bytes, count, decimal);
    if (length > 0 && length == count) return true;
    if (style->point.count > 0 && read_special(bytes, count, decimal)) return true;
    return style->allow_extra && read_amid_text(style, bytes, count, decimal);
}

/* Skips separators and returns the next digit of a span, or −1 after the last one. */
static int next_digit(const uint8_t **at, const uint8_t *end)
{
    while (*at < end && !is_digit(**at)) ++*at;
    return *at < end ? *(*at)++ : -1;
}

/* Compares the magnitudes of two numbers with the same exponent. The first different digit decides; if one number has
   more digits, it is greater. */
static int compare_digits(const assay_decimal *left, const assay_decimal *right)
{
    const uint8_t *left_at = left->digits;
    const uint8_t *right_at = right->digits;
    const uint8_t *left_end = left_at + left->span;
    const uint8_t *right_end = right_at + right->span;
    for (;;) {
        int left_digit = next_digit(&left_at, left_end);
        int right_digit = next_digit(&right_at, right_end);
        if (left_digit != right_digit) return left_digit < right_digit ? -1 : 1;
        if (left_digit < 0) return 0;
    }
}

int assay_decimal_compare(const assay_decimal *left, const assay_decimal *right)
{
    if (left->sign != right->sign) return left->sign < right->sign ? -1 : 1;
    if (left->sign == 0) return 0;
    if (left->form != right->form) return left->form == ASSAY_DECIMAL_INFINITE ? left->sign : -left->sign;
    if (left->form == ASSAY_DECIMAL_INFINITE) return 0;
    if (left->exponent != right->exponent) return left->exponent < right->exponent ? -left->sign : left->sign;
    return left->sign * compare_digits(left, right);
}

size_t assay_decimal_write_digits(const assay_decimal *decimal, uint8_t *into)
{
    if (decimal->span == 0) return 0;
    const uint8_t *at = decimal->digits;
    const uint8_t *end = at + decimal->span;
    size_t count = 0;
    for (int digit = next_digit(&at, end); digit >= 0; digit = next_digit(&at, end)) into[count++] = (uint8_t)digit;
    return count;
}

uint64_t assay_decimal_integer_part(const assay_decimal *decimal, uint64_t max, bool *is_integer)
{
    *is_integer = true;
    if (decimal->digits == NULL) return 0;
    const uint8_t *at = decimal->digits;
    const uint8_t *end = at + decimal->span;
    uint64_t integer = 0;
    for (int64_t place = 0; place < decimal->exponent && integer < max; place++) {
        const int digit = next_digit(&at, end);
        integer = integer * 10 + (uint64_t)(digit < 0 ? 0 : digit - '0');
    }
    *is_integer = decimal->exponent > 0 && next_digit(&at, end) < 0;
    return integer < max ? integer : max;
}

uint64_t assay_decimal_hash(const assay_decimal *decimal)
{
    uint64_t form_and_sign = (uint64_t)decimal->form * 8 + (uint64_t)(decimal->sign + 1);
    uint64_t hash = assay_hash_mix(form_and_sign, (uint64_t)decimal->exponent);
    if (decimal->span == 0) return hash;
    const uint8_t *at = decimal->digits;
    const uint8_t *end = at + decimal->span;
    for (int digit = next_digit(&at, end); digit >= 0; digit = next_digit(&at, end)) {
        hash = (hash ^ (uint64_t)digit) * UINT64_C(0x100000001B3); /* FNV-1a */
    }
    return assay_hash_mix(hash, 0);
}
