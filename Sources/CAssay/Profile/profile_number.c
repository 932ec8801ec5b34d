#include "Profile/profile_number.h"

#include "Bytes/assay_ascii.h"

#include <stdlib.h>
#include <string.h>

/* The first nineteen significant digits, and the power of ten that they are multiplied by. */
typedef struct reading {
    uint64_t digits;
    unsigned kept;
    int exponent;
} reading;

static void add_digit(reading *to, uint8_t digit, bool is_fraction)
{
    if (to->kept < 19) {
        to->digits = 10 * to->digits + (uint64_t)(digit - '0');
        to->kept += to->digits > 0;
        to->exponent -= is_fraction;
    } else if (!is_fraction && to->exponent < 100000) {
        to->exponent++;
    }
}

const double profile_powers_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double value_of(reading from, bool is_negative)
{
    double value = 0;
    if (from.digits >> 53 == 0 && from.exponent >= -22 && from.exponent <= 22) {
        /* Both operands are exact, so the result is rounded once (Clinger, "How to read floating point numbers
           accurately", 1990). */
        value = from.exponent < 0 ? (double)from.digits / profile_powers_of_ten[-from.exponent]
                                  : (double)from.digits * profile_powers_of_ten[from.exponent];
    } else {
        char text[48];
        char *at = text + sizeof text;
        *--at = '\0';
        const bool is_small = from.exponent < 0;
        for (unsigned rest = (unsigned)(is_small ? -from.exponent : from.exponent); rest > 0; rest /= 10) {
            *--at = (char)('0' + rest % 10);
        }
        if (*at == '\0') *--at = '0';
        if (is_small) *--at = '-';
        *--at = 'e';
        for (uint64_t rest = from.digits; rest > 0; rest /= 10) *--at = (char)('0' + rest % 10);
        value = from.digits == 0 ? 0 : strtod(at, NULL);
    }
    return is_negative ? -value : value;
}

profile_number_kind profile_read_number(const uint8_t *text, size_t count, uint8_t decimal, uint8_t group,
                                        double *number, bool *has_leading_zero)
{
    size_t at = 0;
    const bool is_negative = count > 0 && text[0] == '-';
    if (count > 0 && (text[0] == '-' || text[0] == '+')) at++;
    reading read = {0, 0, 0};
    const size_t first = at;
    size_t digits = 0;
    size_t in_group = 0;
    bool has_groups = false;
    for (; at < count; at++) {
        if (is_digit(text[at])) {
            add_digit(&read, text[at], false);
            digits++;
            in_group++;
        } else if (group != 0 && text[at] == group) {
            if (has_groups ? in_group != 3 : in_group == 0 || in_group > 3) return PROFILE_NO_NUMBER;
            has_groups = true;
            in_group = 0;
        } else {
            break;
        }
    }
    /* A separator after a leading 0 is a decimal separator, as is the separator of a number with an exponent. */
    if (has_groups && (in_group != 3 || text[first] == '0')) return PROFILE_NO_NUMBER;
    *has_leading_zero = digits > 1 && text[first] == '0';
    if (at == count) {
        if (digits == 0) return PROFILE_NO_NUMBER;
        *number = value_of(read, is_negative);
        return PROFILE_INTEGER;
    }
    if (text[at] == decimal) {
        for (at++; at < count && is_digit(text[at]); at++) {
            add_digit(&read, text[at], true);
            digits++;
        }
    }
    if (digits == 0) return PROFILE_NO_NUMBER;
    if (at < count && !has_groups && (text[at] | 0x20) == 'e') {
        at++;
        const bool is_small = at < count && text[at] == '-';
        if (at < count && (text[at] == '-' || text[at] == '+')) at++;
        if (at == count) return PROFILE_NO_NUMBER;
        int exponent = 0;
        for (; at < count && is_digit(text[at]); at++) {
            if (exponent < 100000) exponent = 10 * exponent + (text[at] - '0');
        }
        read.exponent += is_small ? -exponent : exponent;
    }
    if (at < count) return PROFILE_NO_NUMBER;
    *number = value_of(read, is_negative);
    return PROFILE_NUMBER;
}

void profile_integer_read(profile_integer *integer, const uint8_t *text, size_t count)
{
    integer->count = 0;
    const bool is_negative = text[0] == '-';
    size_t written = 0;
    if (is_negative) integer->text[written++] = '-';
    for (size_t at = 0; at < count; at++) {
        if (!is_digit(text[at]) || (text[at] == '0' && written == is_negative)) continue;
        if (written == sizeof integer->text) return;
        integer->text[written++] = text[at];
    }
    integer->count = (uint16_t)written;
}

bool profile_integer_is_less(const profile_integer *one, const profile_integer *other)
{
    const bool is_negative = one->text[0] == '-';
    if (is_negative != (other->text[0] == '-')) return is_negative;
    const bool is_smaller =
        one->count != other->count ? one->count < other->count : memcmp(one->text, other->text, one->count) < 0;
    const bool is_equal = one->count == other->count && memcmp(one->text, other->text, one->count) == 0;
    return !is_equal && is_smaller != is_negative;
}
