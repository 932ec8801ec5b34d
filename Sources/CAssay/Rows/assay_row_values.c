/* Cells as 64-bit numbers. */
#include "assay/rows.h"

#include "Bytes/assay_ascii.h"
#include "Bytes/assay_digits.h"
#include "Columns/assay_column_view.h"
#include "Types/assay_calendar.h"
#include "Types/assay_type.h"

#include <string.h>

static const int64_t powers_of_ten[ASSAY_ROW_MAX_SCALE + 1] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
    100000000000000000,
    1000000000000000000,
};

static bool is_set(const uint64_t *mask, size_t row) { return mask != NULL && (mask[row / 64] >> row % 64 & 1) != 0; }
static void set(uint64_t *mask, size_t row) { mask[row / 64] |= UINT64_C(1) << row % 64; }

/* ---------------------------------------------------------------------------------------------------------------
 * Numbers
 * ------------------------------------------------------------------------------------------------------------- */

#if ASSAY_HAS_DIGIT_WORDS
/* Reads [-][digits][.digits] with up to 16 bytes after the sign. 17 bytes before `end` must be readable. Returns false
   for other bytes. */
static bool short_number(const uint8_t *end, size_t length, bool has_point, int64_t *value, uint8_t *scale)
{
    const bool negative = end[-(ptrdiff_t)length] == '-';
    const size_t count = length - negative;
    const uint8_t point = has_point ? '.' : 0;
    assay_digits digits;
    /* Both subtractions wrap around for a count of 0, so that a sign alone is not a number. */
    if (count - 1 < 8) {
        if (!assay_read_eight_digits(end, count, point, &digits)) return false;
    } else if (count - 9 >= 8 || !assay_read_sixteen_digits(end, count, point, &digits)) {
        return false;
    }
    *value = negative ? -(int64_t)digits.value : (int64_t)digits.value;
    *scale = (uint8_t)digits.behind;
    return true;
}
#endif

/* An unsigned 128-bit number, high × 2^64 + low. 38 digits fit, because 10^38 is less than 2^127. */
typedef struct wide {
    uint64_t high, low;
} wide;

static wide times_ten_plus(wide number, unsigned digit)
{
    /* In parts of 32 bits, so that products fit in 64 bits. */
    uint64_t parts[4] = {number.low & 0xFFFFFFFF, number.low >> 32, number.high & 0xFFFFFFFF, number.high >> 32};
    uint64_t carry = digit;
    for (int i = 0; i < 4; i++) {
        parts[i] = parts[i] * 10 + carry;
        carry = parts[i] >> 32;
        parts[i] &= 0xFFFFFFFF;
    }
    return (wide){parts[3] << 32 | parts[2], parts[1] << 32 | parts[0]};
}

enum { max_digits = 38 };

/* Converts a decimal to a coefficient and the number of digits after the point. Returns false if it is not finite or
   has more than `max` digits before or after the point, or in all. */
static bool coefficient(const assay_decimal *decimal, unsigned max, wide *number, int32_t *scale)
{
    *number = (wide){0, 0};
    *scale = 0;
    if (decimal->form != ASSAY_DECIMAL_FINITE) return false;
    if (decimal->sign == 0) return true;
    int64_t count = 0;
    for (size_t i = 0; i < decimal->span; i++) {
        if (!is_digit(decimal->digits[i])) continue;
        if (++count > max) return false;
        *number = times_ten_plus(*number, decimal->digits[i] - (unsigned)'0');
    }
    const int64_t behind = count - decimal->exponent;
    if (behind > max || count - behind > max) return false;
    for (int64_t i = behind; i < 0; i++) *number = times_ten_plus(*number, 0);
    *scale = behind > 0 ? (int32_t)behind : 0;
    return true;
}

static bool number_value(const assay_type *type, const uint8_t *bytes, size_t count, int64_t *value, uint8_t *scale)
{
    assay_value parsed;
    wide number;
    int32_t behind = 0;
    if (!assay_type_parse(type, bytes, count, &parsed)) return false;
    if (!coefficient(&parsed.decimal, ASSAY_ROW_MAX_SCALE, &number, &behind)) return false;
    *value = parsed.decimal.sign < 0 ? -(int64_t)number.low : (int64_t)number.low;
    *scale = (uint8_t)behind;
    return true;
}

static void number_values(const assay_type *type, const assay_column_view *column, int64_t *values, uint8_t *scales,
                          uint64_t *uncomputed)
{
    const uint8_t *bytes = column->bytes;
    const assay_cell *cells = column->cells;
    const uint64_t *skip = column->skip;
    const size_t count = column->count;
    const assay_decimal_style *style = assay_type_style(type);
    const bool has_point = style->point.count == 1 && style->point.bytes[0] == '.';
    const bool is_short = ASSAY_HAS_DIGIT_WORDS && (has_point || style->point.count == 0);
    for (size_t i = 0; i < count; i++) {
        uint8_t scale = 0;
        values[i] = 0;
        if (!is_set(skip, i)) {
            const size_t length = cells[i].length, end = cells[i].start + length;
#if ASSAY_HAS_DIGIT_WORDS
            const bool done = is_short && length <= 17 && length > 0 && end >= 17 &&
                              short_number(bytes + end, length, has_point, &values[i], &scale);
#else
            const bool done = is_short;
#endif
            if (!done && !number_value(type, bytes + cells[i].start, length, &values[i], &scale)) set(uncomputed, i);
        }
        if (scales != NULL) scales[i] = scale;
    }
}

unsigned assay_row_align(int64_t *values, const uint8_t *scales, size_t count, uint64_t *uncomputed)
{
    unsigned max = 0, min = ASSAY_ROW_MAX_SCALE;
    for (size_t i = 0; i < count; i++) {
        if (scales[i] > max) max = scales[i];
        if (scales[i] < min) min = scales[i];
    }
    if (count == 0 || max == min) return max;
    for (size_t i = 0; i < count; i++) {
        if (__builtin_mul_overflow(values[i], powers_of_ten[max - scales[i]], &values[i])) {
            values[i] = 0;
            set(uncomputed, i);
        }
    }
    return max;
}

void assay_row_shift(const int64_t *values, size_t count, unsigned digits, int64_t *result, uint64_t *uncomputed)
{
    for (size_t i = 0; i < count; i++) {
        if (__builtin_mul_overflow(values[i], powers_of_ten[digits], &result[i])) {
            result[i] = 0;
            set(uncomputed, i);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Times
 * ------------------------------------------------------------------------------------------------------------- */

/* Converts a value to seconds, if its kind is a date, month or duration. Returns false if the result is not a whole
   number. */
static bool integer_value(assay_kind kind, const assay_value *value, int64_t *integer)
{
    if (value->fraction.count > 0 && kind != ASSAY_KIND_DATE) return false;
    switch (kind) {
    case ASSAY_KIND_DATE:
        *integer = value->integer * ASSAY_SECONDS_PER_DAY;
        return true;
    case ASSAY_KIND_YEARMONTH:
        *integer = assay_days_from_date(value->integer / 12, (int)(value->integer % 12) + 1, 1) * ASSAY_SECONDS_PER_DAY;
        return true;
    case ASSAY_KIND_DURATION:
        if (value->months != 0 || value->too_large) return false;
        *integer = value->sign * value->integer;
        return true;
    default:
        *integer = value->integer;
        return true;
    }
}

/* Seconds of YYYY-MM-DD, which must be a valid date. Calculates as assay_days_from_date(), but in 32 bits, and 400
   years later, so that no year is negative. */
static int64_t iso_date(const uint8_t *text)
{
    const uint32_t tens[3] = {text[0] * 10u + text[1], text[2] * 10u + text[3], text[5] * 10u + text[6]};
    const uint32_t month = tens[2] - '0' * 11u, day = text[8] * 10u + text[9] - '0' * 11u;
    const uint32_t year = tens[0] * 100 + tens[1] - '0' * 1111u + 400 - (month <= 2);
    const uint32_t from_march = month > 2 ? month - 3 : month + 9;
    const uint32_t days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * from_march + 2) / 5 + day - 1;
    return ((int64_t)days - 719468 - 146097) * ASSAY_SECONDS_PER_DAY;
}

void assay_row_values(const assay_type *type, const uint8_t *bytes, const assay_cell *cells, size_t count,
                      const uint64_t *skip, int64_t *values, uint8_t *scales, uint64_t *uncomputed)
{
    const assay_kind kind = assay_type_kind(type);
    if (kind == ASSAY_KIND_INTEGER || kind == ASSAY_KIND_NUMBER) {
        number_values(type, &(assay_column_view){bytes, cells, count, skip}, values, scales, uncomputed);
        return;
    }
    const bool is_iso_date = kind == ASSAY_KIND_DATE && assay_type_format(type) == NULL;
    for (size_t i = 0; i < count; i++) {
        values[i] = 0;
        if (is_set(skip, i)) continue;
        const uint8_t *text = bytes + cells[i].start;
        assay_value value = {.months = 0};
        if (is_iso_date && cells[i].length == 10) {
            values[i] = iso_date(text);
        } else if (!assay_type_parse(type, text, cells[i].length, &value) || !integer_value(kind, &value, &values[i])) {
            set(uncomputed, i);
        }
    }
}

bool assay_row_exact_value(const assay_type *type, const uint8_t *bytes, size_t count, assay_row_exact *exact)
{
    assay_value value = {.months = 0};
    *exact = (assay_row_exact){.high = 0};
    if (!assay_type_parse(type, bytes, count, &value)) return false;
    const assay_kind kind = assay_type_kind(type);
    if (kind == ASSAY_KIND_INTEGER || kind == ASSAY_KIND_NUMBER) {
        wide number;
        if (!coefficient(&value.decimal, max_digits, &number, &exact->scale)) return false;
        if (value.decimal.sign < 0) {
            /* The two's complement. The carry reaches the high half only if the low half is 0. */
            number.high = ~number.high + (number.low == 0);
            number.low = ~number.low + 1;
        }
        memcpy(&exact->high, &number.high, sizeof exact->high);
        exact->low = number.low;
        return true;
    }
    const assay_fraction fraction = value.fraction;
    if (fraction.count > 9 && kind != ASSAY_KIND_DATE) return false;
    value.fraction.count = 0;
    if (!integer_value(kind, &value, &exact->seconds)) return false;
    int32_t nanoseconds = 0;
    for (size_t i = 0; i < 9; i++) {
        nanoseconds = nanoseconds * 10 + (i < fraction.count ? fraction.digits[i] - '0' : 0);
    }
    /* Nanoseconds are never negative, so a negative fraction begins one second earlier. */
    if (kind == ASSAY_KIND_DURATION && value.sign < 0 && nanoseconds > 0) {
        exact->seconds -= 1;
        nanoseconds = 1000000000 - nanoseconds;
    }
    exact->nanoseconds = nanoseconds;
    return true;
}
