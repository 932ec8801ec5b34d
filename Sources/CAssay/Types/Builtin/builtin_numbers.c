/* Numbers in common notations. */
#include "Types/Builtin/builtin_tests.h"

#include "Types/Builtin/builtin_tables.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Integers
 * ------------------------------------------------------------------------------------------------------------- */

enum { INTEGER_BITS, INTEGER_UNSIGNED, INTEGER_PLUS, INTEGER_LEADING_ZEROS };

/* Whether the digits are a number within the range of `bits` bits. The max magnitude is one greater if `negative`. */
static bool fits(const uint8_t *digits, size_t count, int64_t bits, bool is_signed, bool negative)
{
    while (count > 0 && digits[0] == '0') {
        digits++;
        count--;
    }
    if (count > 20) return false;
    uint64_t bound = UINT64_MAX >> (64 - (bits - is_signed));
    if (is_signed && negative) bound++;
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t digit = digits[i] - (uint64_t)'0';
        if (number > (UINT64_MAX - digit) / 10) return false;
        number = number * 10 + digit;
    }
    return number <= bound;
}

static assay_verdict integer_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    bool has_sign = !is_digit(value[0]);
    return builtin_verdict(fits(value + has_sign, count - has_sign, type->numbers[INTEGER_BITS],
                                !builtin_given(type, INTEGER_UNSIGNED), value[0] == '-'));
}

bool builtin_integer_prepare(assay_builtin *type, assay_error *error)
{
    bool unsign = builtin_given(type, INTEGER_UNSIGNED);
    bool plus = builtin_given(type, INTEGER_PLUS);
    int64_t bits = type->numbers[INTEGER_BITS];
    if (builtin_given(type, INTEGER_BITS)) {
        if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
            return builtin_refuse(type, INTEGER_BITS, error, "8, 16, 32 or 64");
        }
        type->test = integer_test;
    }
    builtin_append(type, unsign ? (plus ? "[+]?" : "") : (plus ? "[+-]?" : "-?"));
    builtin_append(type, builtin_given(type, INTEGER_LEADING_ZEROS) ? "[0-9]++" : "(?:0|[1-9][0-9]*+)");
    return true;
}

assay_verdict builtin_port_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(fits(value, count, 16, false, false));
}

/* ---------------------------------------------------------------------------------------------------------------
 * Decimals, money, percentages
 * ------------------------------------------------------------------------------------------------------------- */

/* Indexes of options. Decimals, money and percentages share the first four. */
enum { DECIMAL_POINT, DECIMAL_GROUP, DECIMAL_PRECISION, DECIMAL_SCALE, MONEY_CURRENCY = 4, PERCENT_BOUNDED = 4 };

static assay_text point_of(const assay_builtin *type)
{
    return builtin_given(type, DECIMAL_POINT) ? type->texts[DECIMAL_POINT] : (assay_text){(const uint8_t *)".", 1};
}

/* Appends the pattern of a number. Refuses separators that would make a text ambiguous. */
static bool append_number(assay_builtin *type, const char *fraction, assay_error *error)
{
    static const char *const names[] = {"space", "nbsp", "narrow", "apostrophe", "comma"};
    static const char *const texts[] = {" ", "\xC2\xA0", "\xE2\x80\xAF", "'", ","};
    for (size_t option = DECIMAL_POINT; option <= DECIMAL_GROUP; option++) {
        for (size_t i = 0; i < 5; i++) {
            if (builtin_is(type->texts[option], names[i])) {
                type->texts[option] = (assay_text){(const uint8_t *)texts[i], strlen(texts[i])};
            }
        }
        for (size_t i = 0; i < type->texts[option].count; i++) {
            uint8_t byte = type->texts[option].bytes[i];
            if (is_digit(byte) || byte == '-' || byte == '+') {
                return builtin_refuse(type, option, error, "a separator holds no digit and no sign");
            }
        }
    }
    assay_text point = point_of(type);
    assay_text group = type->texts[DECIMAL_GROUP];
    if (point.count == group.count && memcmp(point.bytes, group.bytes, point.count) == 0) {
        return builtin_refuse(type, DECIMAL_GROUP, error, "point and group are the same");
    }
    builtin_append(type, "-?(?:0|[1-9][0-9]*+");
    if (group.count > 0) {
        builtin_append(type, "(?!");
        builtin_append_quoted(type, group);
        builtin_append(type, "[0-9])|[1-9][0-9]{0,2}(?:");
        builtin_append_quoted(type, group);
        builtin_append(type, "[0-9]{3})+");
    }
    builtin_append(type, ")(?:");
    builtin_append_quoted(type, point);
    builtin_append(type, fraction);
    builtin_append(type, ")?");
    return true;
}

/* Whether a number fits SQL's NUMERIC(precision, scale): at most `scale` digits after the point, at most precision −
   scale before it. Ignores other characters. */
static bool has_precision(const assay_builtin *type, const uint8_t *value, size_t count)
{
    assay_text point = point_of(type);
    int64_t before = 0;
    int64_t after = 0;
    bool in_fraction = false;
    for (size_t i = 0; i < count; i++) {
        if (is_digit(value[i])) {
            if (in_fraction) {
                after++;
            } else if (before > 0 || value[i] != '0') {
                before++;
            }
        } else if (count - i >= point.count && memcmp(value + i, point.bytes, point.count) == 0) {
            in_fraction = true;
        }
    }
    bool has_scale = builtin_given(type, DECIMAL_SCALE);
    int64_t scale = has_scale ? type->numbers[DECIMAL_SCALE] : 0;
    if (has_scale && after > scale) return false;
    if (!builtin_given(type, DECIMAL_PRECISION)) return true;
    int64_t precision = type->numbers[DECIMAL_PRECISION];
    return has_scale ? before <= precision - scale : before + after <= precision;
}

static assay_verdict decimal_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    return builtin_verdict(has_precision(type, value, count));
}

/* Whether scale and precision are consistent, if both are given. */
static bool check_precision(assay_builtin *type, assay_error *error)
{
    if (!builtin_given(type, DECIMAL_SCALE) || !builtin_given(type, DECIMAL_PRECISION)) return true;
    if (type->numbers[DECIMAL_SCALE] <= type->numbers[DECIMAL_PRECISION]) return true;
    return builtin_refuse(type, DECIMAL_SCALE, error, "the scale is not more than the precision");
}

bool builtin_decimal_prepare(assay_builtin *type, assay_error *error)
{
    if (builtin_given(type, DECIMAL_SCALE) || builtin_given(type, DECIMAL_PRECISION)) type->test = decimal_test;
    return check_precision(type, error) && append_number(type, "[0-9]++", error);
}

/* The number of digits between the point and `end`; 0 without a point. */
static int fraction_digits(const assay_builtin *type, const uint8_t *value, size_t end)
{
    size_t start = end;
    while (start > 0 && is_digit(value[start - 1])) start--;
    assay_text point = point_of(type);
    bool has_point = start >= point.count && memcmp(value + start - point.count, point.bytes, point.count) == 0;
    return has_point ? (int)(end - start) : 0;
}

static assay_verdict money_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    bool is_first = value[0] >= 'A' && value[0] <= 'Z';
    const uint8_t *code = is_first ? value : value + count - 3;
    if (!builtin_letters_find(builtin_currencies, code, 3, false)) return ASSAY_FAIL;
    if (!builtin_given(type, DECIMAL_SCALE)) {
        size_t end = is_first ? count : count - 3 - (value[count - 4] == ' ');
        int digits = builtin_words_find(&builtin_currency_digits, code, 3);
        if (fraction_digits(type, value, end) > (digits < 0 ? 2 : digits)) return ASSAY_FAIL;
    }
    return builtin_verdict(!builtin_given(type, DECIMAL_PRECISION) || has_precision(type, value, count));
}

bool builtin_money_prepare(assay_builtin *type, assay_error *error)
{
    /* Without a scale, ISO 4217 defines the digits of the currency. */
    int64_t scale = builtin_given(type, DECIMAL_SCALE) ? type->numbers[DECIMAL_SCALE] : 9;
    if (scale > 9) return builtin_refuse(type, DECIMAL_SCALE, error, "no currency has more than 9 digits");
    if (!check_precision(type, error)) return false;
    char digits[] = "[0-9]{1,2}";
    digits[8] = (char)('0' + scale);
    const char *fraction = scale == 0 ? "(?!)" : digits;
    char currency[64] = "[A-Z]{3}";
    if (builtin_given(type, MONEY_CURRENCY)) {
        assay_text rest = type->texts[MONEY_CURRENCY];
        assay_text word;
        size_t used = 0;
        while (builtin_next_word(&rest, &word)) {
            bool known = word.count == 3 && builtin_letters_find(builtin_currencies, word.bytes, 3, false);
            if (!known || used > 40)
                return builtin_refuse(type, MONEY_CURRENCY, error, "ten codes of ISO 4217 at most");
            currency[used] = used == 0 ? '(' : '|';
            memcpy(currency + used + 1, word.bytes, 3);
            used += 4;
        }
        memcpy(currency + used, ")", 2);
    }
    type->test = money_test;
    builtin_append(type, "(?:");
    builtin_append(type, currency);
    builtin_append(type, " ?)(?=[0-9-])");
    if (!append_number(type, fraction, error)) return false;
    builtin_append(type, "|");
    if (!append_number(type, fraction, error)) return false;
    builtin_append(type, " ?");
    builtin_append(type, currency);
    return true;
}

builtin_reason builtin_money_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    if (!has_shape) return REASON_NONE;
    bool is_first = value[0] >= 'A' && value[0] <= 'Z';
    const uint8_t *code = is_first ? value : value + count - 3;
    if (!builtin_letters_find(builtin_currencies, code, 3, false)) return REASON_CURRENCY;
    bool is_precise = has_precision(type, value, count);
    return builtin_given(type, DECIMAL_SCALE) || !is_precise ? REASON_PRECISION : REASON_MINOR_UNITS;
}

/* Whether a percentage is from 0 % to 100 %. */
static bool is_bounded_percentage(const assay_builtin *type, const uint8_t *value, size_t count)
{
    if (value[0] == '-') return false;
    size_t digits = 0;
    while (is_digit(value[digits])) digits++;
    assay_text point = point_of(type);
    bool has_point = count - digits >= point.count && memcmp(value + digits, point.bytes, point.count) == 0;
    for (size_t i = digits; i < count && !has_point; i++) {
        if (is_digit(value[i])) return false; /* a second group, so the number is at least a thousand */
    }
    if (digits < 3) return true;
    if (digits > 3 || value[0] != '1') return false;
    for (size_t i = 1; i < count; i++) {
        if (is_digit(value[i]) && value[i] != '0') return false;
    }
    return true;
}

static assay_verdict percent_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    if (builtin_given(type, PERCENT_BOUNDED) && !is_bounded_percentage(type, value, count)) return ASSAY_FAIL;
    return builtin_verdict(has_precision(type, value, count));
}

bool builtin_percent_prepare(assay_builtin *type, assay_error *error)
{
    bool is_narrower = builtin_given(type, PERCENT_BOUNDED) || builtin_given(type, DECIMAL_SCALE);
    if (is_narrower || builtin_given(type, DECIMAL_PRECISION)) type->test = percent_test;
    if (!check_precision(type, error) || !append_number(type, "[0-9]++", error)) return false;
    builtin_append(type, "[ \\x{A0}\\x{202F}]?%");
    return true;
}

builtin_reason builtin_percent_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    if (!has_shape) return REASON_NONE;
    bool is_outside = builtin_given(type, PERCENT_BOUNDED) && !is_bounded_percentage(type, value, count);
    return is_outside ? REASON_RANGE : REASON_PRECISION;
}
