/* Numbers outside ranges: every form and processor path against a plain comparison. */
#include "assay/numbers.h"
#include "assay/rows.h"
#include "test.h"
#include "test_paths.h"

#include <float.h>
#include <math.h>

static test_random dice;

static uint64_t word(void)
{
    return (uint64_t)test_random_below(&dice, UINT32_MAX) << 32 | test_random_below(&dice, UINT32_MAX);
}

/* A number as its bits, in the first bytes. Near a few edges, or any bits. */
static void make(assay_number_form form, uint8_t *bytes)
{
    const size_t size = assay_number_size(form);
    if (form == ASSAY_NUMBER_FLOAT32 || form == ASSAY_NUMBER_FLOAT64) {
        static const double edges[] = {0,      -0.0,     1,        -1,     0.5,       DBL_MIN,      DBL_MAX,   -DBL_MAX,
                                       5e-324, FLT_MAX,  -FLT_MAX, 0x1p52, -0x1p52,   0x1p53,       0x1p63,    1e-45,
                                       100.25, INFINITY, NAN,      -NAN,   -INFINITY, 0x1p51 + 0.5, 16777216.0};
        double value = edges[test_random_below(&dice, sizeof edges / sizeof edges[0])];
        const uint32_t kind = test_random_below(&dice, 4);
        if (kind == 0) value += (double)test_random_below(&dice, 8) - 4;
        if (kind == 1) {
            const uint64_t bits = word();
            memcpy(&value, &bits, sizeof value);
        }
        if (form == ASSAY_NUMBER_FLOAT64) {
            memcpy(bytes, &value, 8);
        } else {
            const float single = kind == 1 || fabs(value) <= FLT_MAX ? (float)value : (float)copysign(1, value);
            memcpy(bytes, &single, 4);
        }
        return;
    }
    uint64_t low = word(), high = word();
    const uint32_t kind = test_random_below(&dice, 4);
    if (kind > 0) {
        /* Around zero and around the limits of a form. */
        static const int shifts[] = {0, 7, 8, 15, 16, 31, 32, 63};
        const int shift = shifts[test_random_below(&dice, 8)];
        const uint64_t edge = ((uint64_t)1 << shift) - 1;
        low = (kind == 1 ? edge : kind == 2 ? 0 - edge : 0) + test_random_below(&dice, 7) - 3;
        high = test_random_below(&dice, 4) == 0 ? high : low >> 63 != 0 ? ~(uint64_t)0 : 0;
    }
    memcpy(bytes, &low, size < 8 ? size : 8);
    if (size == 16) memcpy(bytes + 8, &high, 8);
}

/* The member for the form. Little-endian machines only, as is the rest of this test. */
static assay_number number_of(assay_number_form form, const uint8_t *bytes)
{
    assay_number number = {.integer = 0};
#define OF(form, type, member)                                                                                         \
    if (form_is == form) {                                                                                             \
        type value;                                                                                                    \
        memcpy(&value, bytes, sizeof value);                                                                           \
        number.member = value;                                                                                         \
    }
    const assay_number_form form_is = form;
    OF(ASSAY_NUMBER_INT8, int8_t, integer)
    OF(ASSAY_NUMBER_INT16, int16_t, integer)
    OF(ASSAY_NUMBER_INT32, int32_t, integer)
    OF(ASSAY_NUMBER_INT64, int64_t, integer)
    OF(ASSAY_NUMBER_INT128, assay_wide_number, wide)
    OF(ASSAY_NUMBER_UINT8, uint8_t, natural)
    OF(ASSAY_NUMBER_UINT16, uint16_t, natural)
    OF(ASSAY_NUMBER_UINT32, uint32_t, natural)
    OF(ASSAY_NUMBER_UINT64, uint64_t, natural)
    OF(ASSAY_NUMBER_FLOAT32, float, real)
    OF(ASSAY_NUMBER_FLOAT64, double, real)
#undef OF
    return number;
}

/* −1, 0, 1; 2 for NaN. */
static int compare(assay_number_form form, assay_number left, assay_number right)
{
    if (form == ASSAY_NUMBER_FLOAT32 || form == ASSAY_NUMBER_FLOAT64) {
        if (isnan(left.real) || isnan(right.real)) return 2;
        return left.real < right.real ? -1 : left.real > right.real;
    }
    if (form == ASSAY_NUMBER_INT128) {
        if (left.wide.high != right.wide.high) return left.wide.high < right.wide.high ? -1 : 1;
        return left.wide.low < right.wide.low ? -1 : left.wide.low > right.wide.low;
    }
    if (form >= ASSAY_NUMBER_UINT8) return left.natural < right.natural ? -1 : left.natural > right.natural;
    return left.integer < right.integer ? -1 : left.integer > right.integer;
}

enum { max_values = 400, max_ranges = 24 };

/* Ascending ranges without overlaps: the sorted numbers in pairs. */
static size_t make_ranges(assay_number_form form, assay_number_range *ranges)
{
    assay_number numbers[2 * max_ranges];
    size_t count = 0;
    const size_t wanted = 2 * test_random_below(&dice, test_random_below(&dice, 3) == 0 ? max_ranges : 3);
    while (count < wanted) {
        uint8_t bytes[16];
        make(form, bytes);
        const assay_number number = number_of(form, bytes);
        if (compare(form, number, number) != 0) continue;
        size_t at = count++;
        for (; at > 0 && compare(form, number, numbers[at - 1]) < 0; at--) numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
    size_t made = 0;
    for (size_t i = 0; i + 1 < count; i += 2) {
        if (made > 0 && compare(form, ranges[made - 1].high, numbers[i]) == 0) continue;
        ranges[made++] = (assay_number_range){numbers[i], numbers[i + 1]};
    }
    return made;
}

static void check_form(assay_number_form form, unsigned long rounds)
{
    const size_t size = assay_number_size(form);
    static uint8_t memory[16 * max_values + 16];
    for (unsigned long round = 0; round < rounds; round++) {
        const size_t count = test_random_below(&dice, max_values);
        uint8_t *values = memory + test_random_below(&dice, 16);
        for (size_t i = 0; i < count; i++) make(form, values + i * size);
        assay_number_range ranges[max_ranges];
        const size_t range_count = make_ranges(form, ranges);
        uint64_t expected[max_values / 64 + 1] = {0}, fractions[max_values / 64 + 1] = {0};
        bool any = false, any_fraction = false;
        for (size_t i = 0; i < count; i++) {
            const assay_number number = number_of(form, values + i * size);
            bool inside = false;
            for (size_t j = 0; j < range_count; j++) {
                const int low = compare(form, number, ranges[j].low), high = compare(form, number, ranges[j].high);
                if (low >= 0 && low <= 1 && high <= 0) inside = true;
            }
            expected[i / 64] |= (uint64_t)!inside << (i % 64);
            any = any || !inside;
            if (form >= ASSAY_NUMBER_FLOAT32) {
                const bool is_fraction = isfinite(number.real) && floor(number.real) != number.real;
                fractions[i / 64] |= (uint64_t)is_fraction << (i % 64);
                any_fraction = any_fraction || is_fraction;
            }
        }
        const size_t bytes = 8 * assay_mask_words(count);
        uint64_t outside[max_values / 64 + 1];
        memset(outside, 0xAA, sizeof outside);
        CHECK(assay_numbers_outside(form, values, count, ranges, range_count, outside) == any);
        CHECK(memcmp(outside, expected, bytes) == 0);
        if (form < ASSAY_NUMBER_FLOAT32) continue;
        memset(outside, 0xAA, sizeof outside);
        CHECK(assay_numbers_fractional(form, values, count, outside) == any_fraction);
        CHECK(memcmp(outside, fractions, bytes) == 0);
    }
}

/* The shortest decimal number that rounds to a number, as a whole number of up to 17 digits and a power of ten. */
static void shortest(double number, bool is_single, long long *digits, int *exponent)
{
    char text[40];
    for (int places = 0; places < 17; places++) {
        snprintf(text, sizeof text, "%.*e", places, number);
        const double back = is_single ? (double)strtof(text, NULL) : strtod(text, NULL);
        if (back == number) break;
    }
    char *at = text;
    *digits = 0;
    *exponent = 0;
    const bool is_negative = *at == '-';
    bool is_fraction = false;
    for (at += is_negative; *at != 'e'; at++) {
        if (*at == '.') {
            is_fraction = true;
            continue;
        }
        *digits = *digits * 10 + (*at - '0');
        if (is_fraction) --*exponent;
    }
    *exponent += atoi(at + 1);
    while (*digits != 0 && *digits % 10 == 0) {
        *digits /= 10;
        ++*exponent;
    }
    if (*digits == 0) *exponent = 0;
    if (is_negative) *digits = -*digits;
}

/* Values of row rules: the decimal number with the fewest digits, or no value. */
static void check_real_rows(assay_number_form form, unsigned long rounds)
{
    enum { count = 200 };
    const size_t size = assay_number_size(form);
    const assay_row_unit unit = {.factor = 1, .divisor = 1};
    unsigned long read = 0;
    for (unsigned long round = 0; round < rounds; round++) {
        uint8_t memory[8 * count], scales[count];
        int64_t values[count];
        uint64_t unread[count / 64 + 1];
        for (size_t i = 0; i < count; i++) {
            make(form, memory + i * size);
            if (test_random_below(&dice, 3) == 0) continue;
            /* Most numbers of tables have a few decimal places. */
            static const double powers[] = {1, 10, 100, 1000, 1e6, 1e7};
            const double real =
                ((double)test_random_below(&dice, 2000000) - 1000000) / powers[test_random_below(&dice, 6)];
            const float single = (float)real;
            if (size == 4) {
                memcpy(memory + i * size, &single, 4);
            } else {
                memcpy(memory + i * size, &real, 8);
            }
        }
        assay_row_numbers(form, &unit, memory, count, values, scales, unread);
        for (size_t i = 0; i < count; i++) {
            const double number = number_of(form, memory + i * size).real;
            if (unread[i / 64] >> (i % 64) & 1) {
                CHECK(values[i] == 0 && scales[i] == 0);
                continue;
            }
            read++;
            long long digits = 0;
            int exponent = 0;
            shortest(number, size == 4, &digits, &exponent);
            long long found = values[i];
            int place = -(int)scales[i];
            while (found != 0 && found % 10 == 0) {
                found /= 10;
                place++;
            }
            CHECK(found == digits && (found == 0 || place == exponent));
        }
    }
    CHECK(read > rounds * count / 4);
}

/* Counts of units: floor(number / divisor) · factor, if it fits and there is no remainder. */
static void check_integer_rows(assay_number_form form, unsigned long rounds)
{
    enum { count = 200 };
    static const int64_t divisors[] = {1, 1000, 1000000, 1000000000, 86400000, 7}, factors[] = {1, 86400};
    const size_t size = assay_number_size(form);
    for (unsigned long round = 0; round < rounds; round++) {
        const assay_row_unit unit = {.factor = factors[test_random_below(&dice, 2)],
                                     .divisor = divisors[test_random_below(&dice, 6)],
                                     .rounds_down = test_random_below(&dice, 2) == 0,
                                     .scale = (uint8_t)test_random_below(&dice, 3)};
        uint8_t memory[16 * count], scales[count];
        int64_t values[count];
        uint64_t unread[count / 64 + 1];
        for (size_t i = 0; i < count; i++) make(form, memory + i * size);
        assay_row_numbers(form, &unit, memory, count, values, scales, unread);
        for (size_t i = 0; i < count; i++) {
            const assay_number number = number_of(form, memory + i * size);
            bool fits = true;
            if (form == ASSAY_NUMBER_INT128) fits = number.wide.high == ((int64_t)number.wide.low < 0 ? -1 : 0);
            if (form == ASSAY_NUMBER_UINT64) fits = number.natural <= INT64_MAX;
            int64_t value = form == ASSAY_NUMBER_INT128 ? (int64_t)number.wide.low : number.integer;
            int64_t quotient = value / unit.divisor;
            if (quotient * unit.divisor > value) quotient--;
            fits = fits && (unit.rounds_down || value % unit.divisor == 0);
            fits = fits && quotient <= INT64_MAX / unit.factor && quotient >= INT64_MIN / unit.factor;
            CHECK((unread[i / 64] >> (i % 64) & 1) == !fits);
            CHECK(values[i] == (fits ? quotient * unit.factor : 0) && scales[i] == unit.scale);
        }
    }
}

/* Texts of integers, one after the other, as printf writes them. */
static void check_texts(assay_number_form form, unsigned long rounds)
{
    enum { count = 200, start = 7 };
    const size_t size = assay_number_size(form);
    for (unsigned long round = 0; round < rounds; round++) {
        uint8_t memory[8 * count + 8], *values = memory + test_random_below(&dice, 8);
        uint8_t text[ASSAY_NUMBER_MAX_TEXT * count], expected[ASSAY_NUMBER_MAX_TEXT * count + 1];
        assay_cell cells[count];
        uint64_t skip[count / 64 + 1];
        for (size_t i = 0; i < count; i++) make(form, values + i * size);
        for (size_t i = 0; i < count / 64 + 1; i++) skip[i] = word() & word();
        size_t end = 0;
        const size_t written = assay_numbers_write(form, values, count, skip, text, start, cells);
        for (size_t i = 0; i < count; i++) {
            const assay_number number = number_of(form, values + i * size);
            const size_t first = end;
            char *at = (char *)expected + end;
            if (skip[i / 64] >> (i % 64) & 1) {
            } else if (form >= ASSAY_NUMBER_UINT8) {
                end += (size_t)snprintf(at, ASSAY_NUMBER_MAX_TEXT + 1, "%llu", (unsigned long long)number.natural);
            } else {
                end += (size_t)snprintf(at, ASSAY_NUMBER_MAX_TEXT + 1, "%lld", (long long)number.integer);
            }
            CHECK(cells[i].start == start + first && cells[i].length == end - first);
        }
        CHECK(written == end && memcmp(text, expected, end) == 0);
    }
}

int main(void)
{
    static const size_t sizes[] = {1, 2, 4, 8, 16, 1, 2, 4, 8, 4, 8};
    for (size_t path = 0; test_select_cpu(path); path++) {
        for (int form = ASSAY_NUMBER_INT8; form <= ASSAY_NUMBER_FLOAT64; form++) {
            dice = test_random_of((uint64_t)(100 * path) + (uint64_t)form);
            CHECK_EQUAL(assay_number_size((assay_number_form)form), sizes[form]);
            /* About a million numbers of each form in the long test. */
            check_form((assay_number_form)form, test_rounds(5000));
        }
    }
    for (int form = ASSAY_NUMBER_INT8; form < ASSAY_NUMBER_FLOAT32; form++) {
        check_integer_rows((assay_number_form)form, test_rounds(5000));
    }
    for (int form = ASSAY_NUMBER_INT8; form < ASSAY_NUMBER_FLOAT32; form++) {
        if (form != ASSAY_NUMBER_INT128) check_texts((assay_number_form)form, test_rounds(5000));
    }
    check_real_rows(ASSAY_NUMBER_FLOAT32, test_rounds(5000));
    check_real_rows(ASSAY_NUMBER_FLOAT64, test_rounds(5000));
    return test_result();
}
