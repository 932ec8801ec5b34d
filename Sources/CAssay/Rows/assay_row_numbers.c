/* Numbers of columns as 64-bit values of rows. */
#include "assay/rows.h"

#include <string.h>

static void set(uint64_t *mask, size_t row) { mask[row / 64] |= UINT64_C(1) << row % 64; }

/* Divides and multiplies all values. Inlined with each usual divisor, because compilers replace a division by a
   constant. */
static inline __attribute__((always_inline)) void convert(int64_t *values, size_t count, int64_t divisor,
                                                          bool rounds_down, int64_t factor, uint64_t *unread)
{
    for (size_t i = 0; i < count; i++) {
        int64_t quotient = values[i] / divisor;
        const int64_t rest = values[i] % divisor;
        if (rest < 0) quotient--;
        const bool is_exact = rest == 0 || rounds_down;
        const bool fits = !__builtin_mul_overflow(quotient, factor, &quotient);
        if (!is_exact || !fits) set(unread, i);
        values[i] = is_exact && fits ? quotient : 0;
    }
}

static void convert_by(const assay_row_unit *unit, int64_t *values, size_t count, uint64_t *unread)
{
    const bool rounds_down = unit->rounds_down;
    switch (unit->divisor) {
    case 1:
        if (unit->factor != 1) convert(values, count, 1, rounds_down, unit->factor, unread);
        return;
    case 1000:
        convert(values, count, 1000, rounds_down, unit->factor, unread);
        return;
    case 1000000:
        convert(values, count, 1000000, rounds_down, unit->factor, unread);
        return;
    case 1000000000:
        convert(values, count, 1000000000, rounds_down, unit->factor, unread);
        return;
    default:
        convert(values, count, unit->divisor, rounds_down, unit->factor, unread);
        return;
    }
}

/* The smallest scale at which a number is a whole number of at most `digits` digits. A decimal number of so few digits
   is the only one that rounds to its floating-point number, so it has the digits of the shortest text. The quotient of
   two exact numbers is correctly rounded; for single precision, no such quotient is near enough to the middle of two
   numbers to be rounded twice. */
static bool decimal_of(double number, bool is_single, int64_t *value, uint8_t *scale)
{
    static const double powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    const double limit = is_single ? 1e6 : 1e15;
    for (size_t places = 0; places < sizeof powers / sizeof powers[0]; places++) {
        const double scaled = number * powers[places];
        /* False for NaN. */
        if (!(scaled > -limit && scaled < limit)) return false;
        const int64_t whole = (int64_t)(scaled + (scaled < 0 ? -0.5 : 0.5));
        const double back = (double)whole / powers[places];
        if ((is_single ? (double)(float)back : back) != number) continue;
        *value = whole;
        *scale = (uint8_t)places;
        return true;
    }
    return false;
}

static void read_reals(bool is_single, const uint8_t *at, size_t count, int64_t *values, uint8_t *scales,
                       uint64_t *unread)
{
    for (size_t i = 0; i < count; i++) {
        double number;
        float single;
        if (is_single) {
            memcpy(&single, at + 4 * i, sizeof single);
            number = (double)single;
        } else {
            memcpy(&number, at + 8 * i, sizeof number);
        }
        uint8_t scale = 0;
        values[i] = 0;
        if (!decimal_of(number, is_single, &values[i], &scale) || (scales == NULL && scale > 0)) {
            values[i] = 0;
            scale = 0;
            set(unread, i);
        }
        if (scales != NULL) scales[i] = scale;
    }
}

void assay_row_numbers(assay_number_form form, const assay_row_unit *unit, const void *numbers, size_t count,
                       int64_t *values, uint8_t *scales, uint64_t *unread)
{
    const uint8_t *at = numbers;
    memset(unread, 0, assay_mask_words(count) * sizeof *unread);
    switch (form) {
#define READ(form, type)                                                                                               \
    case form:                                                                                                         \
        for (size_t i = 0; i < count; i++) {                                                                           \
            type value;                                                                                                \
            memcpy(&value, at + i * sizeof value, sizeof value);                                                       \
            values[i] = value;                                                                                         \
        }                                                                                                              \
        break;
        READ(ASSAY_NUMBER_INT8, int8_t)
        READ(ASSAY_NUMBER_INT16, int16_t)
        READ(ASSAY_NUMBER_INT32, int32_t)
        READ(ASSAY_NUMBER_INT64, int64_t)
        READ(ASSAY_NUMBER_UINT8, uint8_t)
        READ(ASSAY_NUMBER_UINT16, uint16_t)
        READ(ASSAY_NUMBER_UINT32, uint32_t)
#undef READ
    case ASSAY_NUMBER_UINT64:
        for (size_t i = 0; i < count; i++) {
            uint64_t value;
            memcpy(&value, at + i * sizeof value, sizeof value);
            if (value > INT64_MAX) set(unread, i);
            values[i] = value > INT64_MAX ? 0 : (int64_t)value;
        }
        break;
    case ASSAY_NUMBER_INT128:
        for (size_t i = 0; i < count; i++) {
            assay_wide_number wide;
            memcpy(&wide, at + i * sizeof wide, sizeof wide);
            const bool fits = wide.high == 0 ? wide.low >> 63 == 0 : wide.high == -1 && wide.low >> 63 == 1;
            if (!fits) set(unread, i);
            memcpy(&values[i], &wide.low, sizeof wide.low);
            if (!fits) values[i] = 0;
        }
        break;
    case ASSAY_NUMBER_FLOAT32:
    case ASSAY_NUMBER_FLOAT64:
        read_reals(form == ASSAY_NUMBER_FLOAT32, at, count, values, scales, unread);
        return;
    }
    convert_by(unit, values, count, unread);
    if (scales != NULL) memset(scales, unit->scale, count);
}
