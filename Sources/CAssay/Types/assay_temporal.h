/* Dates and times in their ISO 8601 forms, and functions shared with strptime-like formats. */
#ifndef ASSAY_TEMPORAL_H
#define ASSAY_TEMPORAL_H

#include "Types/assay_value.h"

/* Each function reads the whole text, or returns false. Only ASCII digits, no leading or trailing spaces.
 *
 *   date       YYYY-MM-DD, a day of the calendar, years 0000 to 9999
 *   time       hh:mm:ss[.f+], no 24:00:00, no second 60, no zone
 *   datetime   date T time [Z|±hh:mm], zone up to 23:59
 *   year       YYYY
 *   yearmonth  YYYY-MM
 *   duration   [-]PnYnMnDTnHnMn[.f+]S, at least one part, and one after a T */
bool assay_date_parse(const uint8_t *bytes, size_t count, assay_value *value);
bool assay_time_parse(const uint8_t *bytes, size_t count, assay_value *value);
bool assay_datetime_parse(const uint8_t *bytes, size_t count, assay_value *value);
bool assay_year_parse(const uint8_t *bytes, size_t count, assay_value *value);
bool assay_yearmonth_parse(const uint8_t *bytes, size_t count, assay_value *value);
bool assay_duration_parse(const uint8_t *bytes, size_t count, assay_value *value);

/* The digits at the start of the bytes as a fraction. *length becomes their number. */
assay_fraction assay_fraction_read(const uint8_t *bytes, size_t count, size_t *length);
assay_order assay_fraction_compare(assay_fraction left, assay_fraction right);

/* The order of XML Schema part 2, 3.2.6.2: adds both durations to four dates, which have following months of different
   lengths. UNORDERED if the four results disagree. */
assay_order assay_duration_compare(const assay_value *left, const assay_value *right);

#endif
