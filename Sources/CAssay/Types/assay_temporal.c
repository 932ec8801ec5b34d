#include "Types/assay_temporal.h"

#include "Bytes/assay_ascii.h"
#include "Types/assay_calendar.h"

#include <string.h>

static bool read_two(const uint8_t *bytes, int *number)
{
    if (!is_digit(bytes[0]) || !is_digit(bytes[1])) return false;
    *number = (bytes[0] - '0') * 10 + (bytes[1] - '0');
    return true;
}

static bool read_four(const uint8_t *bytes, int *number)
{
    int high = 0;
    int low = 0;
    if (!read_two(bytes, &high) || !read_two(bytes + 2, &low)) return false;
    *number = high * 100 + low;
    return true;
}

bool assay_date_parse(const uint8_t *bytes, size_t count, assay_value *value)
{
    int year = 0;
    int month = 0;
    int day = 0;
    if (count != 10 || bytes[4] != '-' || bytes[7] != '-') return false;
    if (!read_four(bytes, &year) || !read_two(bytes + 5, &month) || !read_two(bytes + 8, &day)) return false;
    if (month < 1 || month > 12 || day < 1 || day > assay_days_in_month(year, month)) return false;
    value->integer = assay_days_from_date(year, month, day);
    return true;
}

bool assay_time_parse(const uint8_t *bytes, size_t count, assay_value *value)
{
    int hour = 0;
    int minute = 0;
    int second = 0;
    if (count < 8 || bytes[2] != ':' || bytes[5] != ':') return false;
    if (!read_two(bytes, &hour) || !read_two(bytes + 3, &minute) || !read_two(bytes + 6, &second)) return false;
    if (hour > 23 || minute > 59 || second > 59) return false;
    value->integer = (int64_t)hour * 3600 + (int64_t)minute * 60 + second;
    if (count == 8) return true;
    if (bytes[8] != '.') return false;
    size_t digits = 0;
    value->fraction = assay_fraction_read(bytes + 9, count - 9, &digits);
    return digits > 0 && digits == count - 9;
}

/* Reads Z or ±hh:mm at the end of the bytes. Returns the length, or 0 for other bytes; assay_time_parse() then rejects
   an ill-formed zone. */
static size_t zone_at_end(const uint8_t *bytes, size_t count, int64_t *offset)
{
    *offset = 0;
    if (count > 0 && bytes[count - 1] == 'Z') return 1;
    if (count < 6) return 0;
    const uint8_t *zone = bytes + count - 6;
    int hour = 0;
    int minute = 0;
    if ((zone[0] != '+' && zone[0] != '-') || zone[3] != ':') return 0;
    if (!read_two(zone + 1, &hour) || !read_two(zone + 4, &minute) || hour > 23 || minute > 59) return 0;
    *offset = ((int64_t)hour * 60 + minute) * (zone[0] == '-' ? -60 : 60);
    return 6;
}

bool assay_datetime_parse(const uint8_t *bytes, size_t count, assay_value *value)
{
    if (count < 19 || bytes[10] != 'T' || !assay_date_parse(bytes, 10, value)) return false;
    int64_t days = value->integer;
    int64_t offset = 0;
    size_t zone = zone_at_end(bytes + 11, count - 11, &offset);
    if (!assay_time_parse(bytes + 11, count - 11 - zone, value)) return false;
    value->integer += days * ASSAY_SECONDS_PER_DAY - offset;
    value->has_zone = zone > 0;
    return true;
}

bool assay_year_parse(const uint8_t *bytes, size_t count, assay_value *value)
{
    int year = 0;
    if (count != 4 || !read_four(bytes, &year)) return false;
    value->integer = year;
    return true;
}

bool assay_yearmonth_parse(const uint8_t *bytes, size_t count, assay_value *value)
{
    int year = 0;
    int month = 0;
    if (count != 7 || bytes[4] != '-' || !read_four(bytes, &year) || !read_two(bytes + 5, &month)) return false;
    if (month < 1 || month > 12) return false;
    value->integer = (int64_t)year * 12 + month - 1;
    return true;
}

assay_fraction assay_fraction_read(const uint8_t *bytes, size_t count, size_t *length)
{
    size_t digits = 0;
    while (digits < count && is_digit(bytes[digits])) digits++;
    *length = digits;
    while (digits > 0 && bytes[digits - 1] == '0') digits--;
    return (assay_fraction){bytes, digits};
}

assay_order assay_fraction_compare(assay_fraction left, assay_fraction right)
{
    size_t shorter = left.count < right.count ? left.count : right.count;
    int difference = shorter > 0 ? memcmp(left.digits, right.digits, shorter) : 0;
    if (difference != 0) return difference < 0 ? ASSAY_LESS : ASSAY_GREATER;
    return left.count < right.count ? ASSAY_LESS : left.count > right.count ? ASSAY_GREATER : ASSAY_EQUAL;
}
