/* The proleptic Gregorian calendar, for the years 0000 to 9999 and any years that adding durations leads to. */
#ifndef ASSAY_CALENDAR_H
#define ASSAY_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

enum { ASSAY_SECONDS_PER_DAY = 86400 };

static inline bool assay_is_leap_year(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static inline int assay_days_in_month(int64_t year, int month)
{
    static const int8_t days[13] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month] + (month == 2 && assay_is_leap_year(year));
}

/* Days since 1970-01-01. Years begin in March here, so that the leap day is the last day of its year and the months
   before it have a regular period (153 days every five months). */
static inline int64_t assay_days_from_date(int64_t year, int month, int day)
{
    int64_t shifted = month <= 2 ? year - 1 : year;
    int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
    int64_t year_of_era = shifted - era * 400;
    int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

#endif
