/* Dates, times and time zones. */
#include "Types/Builtin/builtin_tests.h"

#include "Types/assay_calendar.h"
#include "Types/assay_temporal.h"

#include <time.h>

/* The value of two digits, or −1 for other bytes. */
static int two_digits(const uint8_t *bytes)
{
    if (!is_digit(bytes[0]) || !is_digit(bytes[1])) return -1;
    return (bytes[0] - '0') * 10 + (bytes[1] - '0');
}

/* ---------------------------------------------------------------------------------------------------------------
 * Dates, and their relation to a day
 * ------------------------------------------------------------------------------------------------------------- */

enum { DATE_PAST, DATE_FUTURE, DATE_MIN_AGE, DATE_MAX_AGE, DATE_ON };

/* A day as year × 10 000 + month × 100 + day, for the calculation of ages. */
static int64_t calendar_number(int64_t days)
{
    int64_t shifted = days + 719468;
    int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    int64_t day_of_era = shifted - era * 146097;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153;
    int64_t day = day_of_year - (153 * month + 2) / 5 + 1;
    month = month < 10 ? month + 3 : month - 9;
    return (year_of_era + era * 400 + (month <= 2)) * 10000 + month * 100 + day;
}

static assay_verdict date_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    assay_value date;
    if (!assay_date_parse(value, count, &date)) return ASSAY_FAIL;
    int64_t today = type->setting;
    if (builtin_given(type, DATE_PAST) && date.integer >= today) return ASSAY_FAIL;
    if (builtin_given(type, DATE_FUTURE) && date.integer <= today) return ASSAY_FAIL;
    if (!builtin_given(type, DATE_MIN_AGE) && !builtin_given(type, DATE_MAX_AGE)) return ASSAY_PASS;
    /* A person born on 29 February is a year older on 1 March of other years. Dates in the future have no age. */
    if (date.integer > today) return ASSAY_FAIL;
    int64_t age = (calendar_number(today) - calendar_number(date.integer)) / 10000;
    if (builtin_given(type, DATE_MIN_AGE) && age < type->numbers[DATE_MIN_AGE]) return ASSAY_FAIL;
    return builtin_verdict(!builtin_given(type, DATE_MAX_AGE) || age <= type->numbers[DATE_MAX_AGE]);
}

bool builtin_date_prepare(assay_builtin *type, assay_error *error)
{
    if (builtin_given(type, DATE_PAST) && builtin_given(type, DATE_FUTURE)) {
        return builtin_refuse(type, DATE_FUTURE, error, "no day is in the past and in the future");
    }
    if (builtin_given(type, DATE_MIN_AGE) && builtin_given(type, DATE_MAX_AGE) &&
        type->numbers[DATE_MIN_AGE] > type->numbers[DATE_MAX_AGE]) {
        return builtin_refuse(type, DATE_MAX_AGE, error, "the highest age is not less than the lowest");
    }
    type->test = date_test;
    type->setting = builtin_given(type, DATE_ON) ? type->numbers[DATE_ON] : (int64_t)time(NULL) / ASSAY_SECONDS_PER_DAY;
    return true;
}

/* The reason why YYYY-MM-DD is not a day of the calendar. */
static builtin_reason calendar_reason(const uint8_t *value)
{
    int month = two_digits(value + 5);
    int day = two_digits(value + 8);
    int century = two_digits(value);
    int year = two_digits(value + 2);
    if (value[4] != '-' || value[7] != '-' || month < 0 || day < 0 || century < 0 || year < 0) return REASON_NONE;
    if (month < 1 || month > 12) return REASON_MONTH;
    if (day >= 1 && day <= assay_days_in_month(century * 100 + year, month)) return REASON_NONE;
    return month == 2 && day == 29 ? REASON_LEAP_DAY : REASON_DAY;
}

builtin_reason builtin_date_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    if (!has_shape) return REASON_NONE;
    assay_value date;
    if (!assay_date_parse(value, count, &date)) return calendar_reason(value);
    if (builtin_given(type, DATE_PAST) && date.integer >= type->setting) return REASON_NOT_PAST;
    if (builtin_given(type, DATE_FUTURE) && date.integer <= type->setting) return REASON_NOT_FUTURE;
    return REASON_AGE;
}

/* Checks YYYY-Www or YYYY-Www-d. A year has 53 weeks if it starts on a Thursday, or is a leap year that starts on a
   Wednesday. */
assay_verdict builtin_week_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch, (void)count;
    int64_t year = two_digits(value) * 100 + two_digits(value + 2);
    int week = two_digits(value + 6);
    if (week < 53) return builtin_verdict(week > 0);
    int64_t weekday = ((assay_days_from_date(year, 1, 1) + 3) % 7 + 7) % 7; /* 0: Monday */
    return builtin_verdict(week == 53 && (weekday == 3 || (weekday == 2 && assay_is_leap_year(year))));
}

assay_verdict builtin_ordinal_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                   size_t count)
{
    (void)type, (void)scratch, (void)count;
    int64_t year = two_digits(value) * 100 + two_digits(value + 2);
    int day = (value[5] - '0') * 100 + two_digits(value + 6);
    return builtin_verdict(day >= 1 && day <= 365 + assay_is_leap_year(year));
}

/* ---------------------------------------------------------------------------------------------------------------
 * Times, RFC 3339 section 5.6
 * ------------------------------------------------------------------------------------------------------------- */

enum { TIME_NO_LEAP_SECOND, TIME_UPPER_CASE, TIME_BASIC_OFFSET, TIME_LOCAL, DATETIME_SPACE };

typedef struct clock_time {
    int minutes; /* since midnight UTC; may be below 0 or beyond a day */
    bool is_leap_second;
} clock_time;

/* Reads Z, ±hh:mm, and ±hhmm and ±hh if the type allows them. Returns false for other bytes. */
static bool read_offset(const assay_builtin *type, const uint8_t *bytes, size_t count, int *minutes)
{
    *minutes = 0;
    if (count == 0) return builtin_given(type, TIME_LOCAL);
    if (count == 1) return bytes[0] == 'Z' || (bytes[0] == 'z' && !builtin_given(type, TIME_UPPER_CASE));
    if (bytes[0] != '+' && bytes[0] != '-') return false;
    bool has_colon = count == 6 && bytes[3] == ':';
    bool is_basic = count == 3 || count == 5;
    if (!has_colon && !(is_basic && builtin_given(type, TIME_BASIC_OFFSET))) return false;
    int hour = two_digits(bytes + 1);
    int minute = count == 3 ? 0 : two_digits(bytes + (has_colon ? 4 : 3));
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return false;
    *minutes = (hour * 60 + minute) * (bytes[0] == '-' ? -1 : 1);
    return true;
}

static bool read_time(const assay_builtin *type, const uint8_t *bytes, size_t count, clock_time *result)
{
    if (count < 8 || bytes[2] != ':' || bytes[5] != ':') return false;
    int hour = two_digits(bytes);
    int minute = two_digits(bytes + 3);
    int second = two_digits(bytes + 6);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
    size_t at = 8;
    if (at < count && bytes[at] == '.') {
        size_t digits = 0;
        assay_fraction_read(bytes + 9, count - 9, &digits);
        if (digits == 0) return false;
        at += 1 + digits;
    }
    int offset = 0;
    if (!read_offset(type, bytes + at, count - at, &offset)) return false;
    result->minutes = hour * 60 + minute - offset;
    result->is_leap_second = second == 60;
    if (second < 60) return true;
    /* Leap seconds are at 23:59:60 UTC (RFC 3339, 5.7). */
    return !builtin_given(type, TIME_NO_LEAP_SECOND) && (result->minutes + 2 * 1440) % 1440 == 1439;
}

static assay_verdict time_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    clock_time unused;
    return builtin_verdict(read_time(type, value, count, &unused));
}

static assay_verdict datetime_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                   size_t count)
{
    (void)scratch;
    assay_value date;
    clock_time clock;
    if (count < 19 || !assay_date_parse(value, 10, &date)) return ASSAY_FAIL;
    bool parts = value[10] == 'T' || (value[10] == 't' && !builtin_given(type, TIME_UPPER_CASE)) ||
                 (value[10] == ' ' && builtin_given(type, DATETIME_SPACE));
    if (!parts || !read_time(type, value + 11, count - 11, &clock)) return ASSAY_FAIL;
    if (!clock.is_leap_second) return ASSAY_PASS;
    /* A leap second must be on the last day of a month in UTC. */
    int64_t day = date.integer + (clock.minutes < 0 ? -1 : clock.minutes >= 1440 ? 1 : 0);
    return builtin_verdict(calendar_number(day + 1) % 100 == 1);
}

bool builtin_time_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    type->test = time_test;
    return true;
}

bool builtin_datetime_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    type->test = datetime_test;
    return true;
}

builtin_reason builtin_time_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    (void)has_shape;
    if (count < 8 || value[2] != ':' || value[5] != ':') return REASON_NONE;
    int hour = two_digits(value);
    int minute = two_digits(value + 3);
    int second = two_digits(value + 6);
    if (hour < 0 || minute < 0 || second < 0) return REASON_NONE;
    if (hour > 23) return REASON_HOUR;
    if (minute > 59) return REASON_MINUTE;
    if (second > 60 - builtin_given(type, TIME_NO_LEAP_SECOND)) return REASON_SECOND;
    /* If only the offset is missing, only digits and a point remain. */
    size_t end = 8;
    while (end < count && (is_digit(value[end]) || (value[end] == '.' && end == 8))) end++;
    if (end == count && value[end - 1] != '.' && !builtin_given(type, TIME_LOCAL)) return REASON_NO_OFFSET;
    int offset;
    bool has_offset = read_offset(type, value + end, count - end, &offset);
    return second == 60 && has_offset ? REASON_LEAP_SECOND : REASON_NONE;
}

builtin_reason builtin_datetime_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    if (count < 10) return REASON_NONE;
    builtin_reason reason = calendar_reason(value);
    if (reason != REASON_NONE || count < 11) return reason;
    bool parts = builtin_lower(value[10]) == 't' || (value[10] == ' ' && builtin_given(type, DATETIME_SPACE));
    return parts ? builtin_time_reason(type, value + 11, count - 11, has_shape) : REASON_NONE;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Durations
 * ------------------------------------------------------------------------------------------------------------- */

enum { DURATION_GAPS, DURATION_FRACTION, DURATION_SIGN };

bool builtin_duration_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    const char *second = builtin_given(type, DURATION_FRACTION) ? "[0-9]++(?:[.,][0-9]++)?S" : "[0-9]++S";
    if (builtin_given(type, DURATION_SIGN)) builtin_append(type, "[+-]?");
    builtin_append(type, "P(?:[0-9]++W|(?!\\z)");
    if (builtin_given(type, DURATION_GAPS)) {
        builtin_append(type, "(?:[0-9]++Y)?(?:[0-9]++M)?(?:[0-9]++D)?(?:T(?!\\z)(?:[0-9]++H)?(?:[0-9]++M)?(?:");
        builtin_append(type, second);
        builtin_append(type, ")?)?)");
        return true;
    }
    /* RFC 3339, appendix A, does not allow gaps between the largest and the smallest unit. */
    builtin_append(type, "(?:[0-9]++D|[0-9]++M(?:[0-9]++D)?|[0-9]++Y(?:[0-9]++M(?:[0-9]++D)?)?)?");
    builtin_append(type, "(?:T(?:[0-9]++H(?:[0-9]++M(?:");
    builtin_append(type, second);
    builtin_append(type, ")?)?|[0-9]++M(?:");
    builtin_append(type, second);
    builtin_append(type, ")?|");
    builtin_append(type, second);
    builtin_append(type, "))?)");
    return true;
}
