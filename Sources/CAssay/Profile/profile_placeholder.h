/* Counts numbers and days that often stand for missing ones. */
#ifndef ASSAY_PROFILE_PLACEHOLDER_H
#define ASSAY_PROFILE_PLACEHOLDER_H

#include "assay/profile.h"

void profile_placeholders_begin(assay_profile_placeholders *placeholders);
void profile_placeholders_merge(assay_profile_placeholders *into, const assay_profile_placeholders *from);

/* Adds a number that is a placeholder, or returns false. */
bool profile_placeholders_add_rare(assay_profile_placeholders *placeholders, double number, uint64_t times,
                                   uint64_t record);

/* Adds a day that is a placeholder, or returns false. */
bool profile_placeholders_add_day(assay_profile_times *times, int64_t day, uint64_t record);

/* Whether a number may be a placeholder: a whole number from -9 to 0, or one that ends in 99. Accepts all placeholders,
   and spares most other numbers the comparison with each of these. */
static inline bool profile_may_be_placeholder(double number)
{
    if (!(number >= -99999 && number <= 9999999999)) return false;
    const int64_t integer = (int64_t)number;
    const int64_t rest = integer % 100;
    return (rest == 99 || rest == -99 || (integer >= -9 && integer <= 0)) && (double)integer == number;
}

/* Adds a number that is not a placeholder. */
static inline void profile_placeholders_widen(assay_profile_placeholders *placeholders, double number)
{
    if (number < placeholders->min_other) placeholders->min_other = number;
    if (number > placeholders->max_other) placeholders->max_other = number;
}

/* Adds a finite number that occurs `times` times. */
static inline void profile_placeholders_add(assay_profile_placeholders *placeholders, double number, uint64_t times,
                                            uint64_t record)
{
    if (profile_may_be_placeholder(number) && profile_placeholders_add_rare(placeholders, number, times, record)) {
        return;
    }
    profile_placeholders_widen(placeholders, number);
}

#endif
