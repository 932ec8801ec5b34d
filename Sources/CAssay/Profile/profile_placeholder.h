/* Counts numbers and days that often stand for missing ones. */
#ifndef ASSAY_PROFILE_PLACEHOLDER_H
#define ASSAY_PROFILE_PLACEHOLDER_H

#include "assay/profile.h"

void profile_placeholders_begin(assay_profile_placeholders *placeholders);
void profile_placeholders_merge(assay_profile_placeholders *into, const assay_profile_placeholders *from);

/* Adds a number that is a placeholder, or returns false. */
bool profile_placeholders_add_rare(assay_profile_placeholders *placeholders, double number, uint64_t record);

/* Adds a day that is a placeholder, or returns false. */
bool profile_placeholders_add_day(assay_profile_times *times, int64_t day, uint64_t record);

/* Adds a finite number. */
static inline void profile_placeholders_add(assay_profile_placeholders *placeholders, double number, uint64_t record)
{
    /* All placeholders are 0, negative, or at least 999. */
    if ((number <= 0 || number >= 999) && profile_placeholders_add_rare(placeholders, number, record)) return;
    if (number < placeholders->min_other) placeholders->min_other = number;
    if (number > placeholders->max_other) placeholders->max_other = number;
}

#endif
