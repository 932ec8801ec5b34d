#include "Profile/profile_placeholder.h"

#include <math.h>

static const int64_t numbers[ASSAY_PLACEHOLDER_NUMBERS] = {
    -99999, -9999, -999, -99, -9, -1, 0, 999, 9999, 99999, 999999, 9999999, 99999999, 999999999, 9999999999};

/* 0001-01-01 and 1753-01-01 (the earliest dates of ISO 8601 and SQL Server), 1899-12-30 (day 0 of spreadsheets),
   1900-01-01, 1970-01-01 (day 0 of Unix) and 9999-12-31. */
static const int64_t days[ASSAY_PLACEHOLDER_DAYS] = {-719162, -79257, -25569, -25567, 0, 2932896};

double assay_profile_placeholder_number(size_t index) { return (double)numbers[index]; }

int64_t assay_profile_placeholder_day(size_t index) { return days[index]; }

static const assay_profile_placeholder no_value = {0, UINT64_MAX};

static void add(assay_profile_placeholder *placeholder, uint64_t values, uint64_t record)
{
    placeholder->values += values;
    if (record < placeholder->first_record) placeholder->first_record = record;
}

void profile_placeholders_begin(assay_profile_placeholders *placeholders)
{
    for (size_t i = 0; i < ASSAY_PLACEHOLDER_NUMBERS; i++) placeholders->numbers[i] = no_value;
    placeholders->min_other = INFINITY;
    placeholders->max_other = -INFINITY;
}

void profile_placeholders_merge(assay_profile_placeholders *into, const assay_profile_placeholders *from)
{
    for (size_t i = 0; i < ASSAY_PLACEHOLDER_NUMBERS; i++) {
        add(&into->numbers[i], from->numbers[i].values, from->numbers[i].first_record);
    }
    if (from->min_other < into->min_other) into->min_other = from->min_other;
    if (from->max_other > into->max_other) into->max_other = from->max_other;
}

bool profile_placeholders_add_rare(assay_profile_placeholders *placeholders, double number, uint64_t times,
                                   uint64_t record)
{
    for (size_t i = 0; i < ASSAY_PLACEHOLDER_NUMBERS; i++) {
        if ((double)numbers[i] == number) {
            add(&placeholders->numbers[i], times, record);
            return true;
        }
    }
    return false;
}

assay_profile_times assay_profile_no_times(void)
{
    assay_profile_times times = {
        .first = INT64_MAX, .last = INT64_MIN, .first_other = INT64_MAX, .last_other = INT64_MIN};
    for (size_t i = 0; i < ASSAY_PLACEHOLDER_DAYS; i++) times.days[i] = no_value;
    return times;
}

void assay_profile_merge_times(assay_profile_times *into, const assay_profile_times *from, uint64_t times)
{
    if (from->first < into->first) into->first = from->first;
    if (from->last > into->last) into->last = from->last;
    if (from->first_other < into->first_other) into->first_other = from->first_other;
    if (from->last_other > into->last_other) into->last_other = from->last_other;
    into->zoned += times * from->zoned;
    for (size_t i = 0; i < ASSAY_PLACEHOLDER_DAYS; i++) {
        add(&into->days[i], times * from->days[i].values, from->days[i].first_record);
    }
}

bool profile_placeholders_add_day(assay_profile_times *times, int64_t day, uint64_t record)
{
    for (size_t i = 0; i < ASSAY_PLACEHOLDER_DAYS; i++) {
        if (days[i] == day) {
            add(&times->days[i], 1, record);
            return true;
        }
    }
    return false;
}
