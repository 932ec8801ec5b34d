/* Durations: months and seconds, which have no fixed ratio. */
#include "Types/assay_calendar.h"
#include "Types/assay_temporal.h"

/* Durations beyond these bounds are well-formed but unordered. The bounds are more than eight billion years, and keep
   the sums below within 64 bits. */
static const int64_t months_bound = INT64_C(100000000000);
static const int64_t seconds_bound = INT64_C(1000000000000000000);

/* Adds number × unit to a total. Returns `bound` + 1 if the sum exceeds `bound`. */
static int64_t add_saturated(int64_t total, int64_t number, int64_t unit, int64_t bound)
{
    if (number > (bound - total) / unit) return bound + 1;
    return total + number * unit;
}

typedef struct part {
    char letter;
    bool in_time;
    bool is_months;
    int64_t unit;
} part;

static const part parts[] = {
    {'Y', false, true, 12},   {'M', false, true, 1},  {'D', false, false, 86400},
    {'H', true, false, 3600}, {'M', true, false, 60}, {'S', true, false, 1},
};

enum { part_count = sizeof parts / sizeof parts[0] };

bool assay_duration_parse(const uint8_t *bytes, size_t count, assay_value *value)
{
    size_t at = 0;
    bool negative = count > 0 && bytes[0] == '-';
    if (negative) at++;
    if (at >= count || bytes[at] != 'P') return false;
    at++;
    int64_t months = 0;
    int64_t seconds = 0;
    assay_fraction fraction = {NULL, 0};
    size_t next_part = 0;
    bool in_time = false;
    bool needs_part = true; /* after P, and again after T */
    while (at < count) {
        if (bytes[at] == 'T') {
            if (in_time) return false;
            in_time = true;
            needs_part = true;
            at++;
            continue;
        }
        size_t digits_at = at;
        int64_t number = 0;
        for (; at < count && bytes[at] >= '0' && bytes[at] <= '9'; at++) {
            number = number > seconds_bound / 10 ? seconds_bound + 1 : number * 10 + (bytes[at] - '0');
        }
        if (at == digits_at || at == count) return false;
        bool has_fraction = bytes[at] == '.';
        if (has_fraction) {
            size_t digits = 0;
            fraction = assay_fraction_read(bytes + at + 1, count - at - 1, &digits);
            at += 1 + digits;
            if (digits == 0 || at == count || bytes[at] != 'S') return false;
        }
        while (next_part < part_count &&
               (parts[next_part].letter != (char)bytes[at] || parts[next_part].in_time != in_time)) {
            next_part++;
        }
        if (next_part == part_count) return false; /* unknown, repeated or out of order */
        const part *read = &parts[next_part++];
        if (read->is_months) {
            months = months > months_bound ? months : add_saturated(months, number, read->unit, months_bound);
        } else {
            seconds = seconds > seconds_bound ? seconds : add_saturated(seconds, number, read->unit, seconds_bound);
        }
        needs_part = false;
        at++;
    }
    if (needs_part) return false;
    value->months = months;
    value->integer = seconds;
    value->fraction = fraction;
    value->too_large = months > months_bound || seconds > seconds_bound;
    bool is_zero = months == 0 && seconds == 0 && fraction.count == 0;
    value->sign = is_zero ? 0 : negative ? -1 : 1;
    return true;
}

/* The first second of a month (counted from 0000-01) plus a duration without its fraction, in seconds since 1970. */
static int64_t moved(int64_t month, const assay_value *duration)
{
    month += duration->sign * duration->months;
    int64_t year = month / 12;
    int64_t month_of_year = month % 12;
    if (month_of_year < 0) {
        month_of_year += 12;
        year--;
    }
    int64_t days = assay_days_from_date(year, (int)month_of_year + 1, 1);
    return days * ASSAY_SECONDS_PER_DAY + duration->sign * duration->integer;
}

/* The order of two signed fractions. */
static assay_order compare_signed_fractions(const assay_value *left, const assay_value *right)
{
    int left_sign = left->fraction.count > 0 ? left->sign : 0;
    int right_sign = right->fraction.count > 0 ? right->sign : 0;
    if (left_sign != right_sign) return assay_order_of(left_sign, right_sign);
    assay_order order = assay_fraction_compare(left->fraction, right->fraction);
    if (left_sign >= 0 || order == ASSAY_EQUAL) return order;
    return order == ASSAY_LESS ? ASSAY_GREATER : ASSAY_LESS;
}

assay_order assay_duration_compare(const assay_value *left, const assay_value *right)
{
    if (left->too_large || right->too_large) return ASSAY_UNORDERED;
    /* 1696-09, 1697-02, 1903-03, 1903-07: the following months have all combinations of lengths. */
    static const int64_t references[4] = {1696 * 12 + 8, 1697 * 12 + 1, 1903 * 12 + 2, 1903 * 12 + 6};
    assay_order order = ASSAY_EQUAL;
    for (int i = 0; i < 4; i++) {
        /* Whole seconds decide unless they are equal. A fraction moves a value away from its reference date, so it
           keeps the order of two values on the same side, and separates values on different sides further. */
        assay_order here = assay_order_of(moved(references[i], left), moved(references[i], right));
        if (here == ASSAY_EQUAL) here = compare_signed_fractions(left, right);
        if (i == 0) order = here;
        if (here != order) return ASSAY_UNORDERED;
    }
    return order;
}
