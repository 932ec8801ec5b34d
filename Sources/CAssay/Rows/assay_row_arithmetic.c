/* Arithmetic on columns of 64-bit numbers. */
#include "assay/rows.h"

#include "Types/assay_calendar.h"

/* Each loop collects the bits of rows without a result in a word, and stores the word only if it is not zero. */
#define FOR_EACH_ROW(statement)                                                                                        \
    for (size_t first = 0; first < count; first += 64) {                                                               \
        const size_t end = count - first < 64 ? count : first + 64;                                                    \
        uint64_t word = 0;                                                                                             \
        for (size_t i = first; i < end; i++) {                                                                         \
            bool is_other = false;                                                                                     \
            statement word |= (uint64_t)is_other << (i - first);                                                       \
        }                                                                                                              \
        if (word != 0) uncomputed[first / 64] |= word;                                                                 \
    }

void assay_row_compute(assay_row_operator operation, const int64_t *left, const int64_t *right, size_t count,
                       int64_t *result, uint64_t *uncomputed)
{
    switch (operation) {
    case ASSAY_ROW_ADD:
        FOR_EACH_ROW({ is_other = __builtin_add_overflow(left[i], right[i], &result[i]); })
        break;
    case ASSAY_ROW_SUBTRACT:
        FOR_EACH_ROW({ is_other = __builtin_sub_overflow(left[i], right[i], &result[i]); })
        break;
    case ASSAY_ROW_MULTIPLY:
        FOR_EACH_ROW({ is_other = __builtin_mul_overflow(left[i], right[i], &result[i]); })
        break;
    /* A division by zero and INT64_MIN / -1 must not be executed, because they are undefined in C and trap on
     * x86-64. */
    case ASSAY_ROW_DIVIDE:
        FOR_EACH_ROW({
            is_other = right[i] == 0 || (left[i] == INT64_MIN && right[i] == -1);
            result[i] = is_other ? 0 : left[i] / right[i];
        })
        break;
    case ASSAY_ROW_MODULO:
        FOR_EACH_ROW({
            is_other = right[i] == 0 || (left[i] == INT64_MIN && right[i] == -1);
            result[i] = is_other ? 0 : left[i] % right[i];
        })
        break;
    }
}

/* Division rounded toward minus infinity. The divisor must be positive. */
static int64_t floor_divide(int64_t number, int64_t divisor) { return number / divisor - (number % divisor < 0); }

typedef struct civil_date {
    int64_t year;
    int month; /* 1 to 12 */
    int day;
} civil_date;

/* The inverse of assay_days_from_date(). Years begin in March, because then the leap day is the last day of a year:
 * 719468 days are from 0000-03-01 to 1970-01-01, and 146097 days are 400 years. */
static civil_date date_of_days(int64_t days)
{
    const int64_t shifted = days + 719468;
    const int64_t era = floor_divide(shifted, 146097);
    const int64_t day_of_era = shifted - era * 146097;
    const int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t from_march = (5 * day_of_year + 2) / 153;
    const int month = (int)(from_march < 10 ? from_march + 3 : from_march - 9);
    return (civil_date){era * 400 + year_of_era + (month <= 2), month,
                        (int)(day_of_year - (153 * from_march + 2) / 5 + 1)};
}

static int64_t part_of(assay_row_part part, int64_t time)
{
    const int64_t days = floor_divide(time, ASSAY_SECONDS_PER_DAY);
    const int64_t second = time - days * ASSAY_SECONDS_PER_DAY;
    const civil_date date = date_of_days(days);
    switch (part) {
    case ASSAY_ROW_YEAR:
        return date.year;
    case ASSAY_ROW_MONTH:
        return date.month - 1;
    case ASSAY_ROW_DAY:
        return date.day;
    case ASSAY_ROW_DAY_OF_WEEK:
        /* 1970-01-01 was a Thursday. */
        return days + 4 - 7 * floor_divide(days + 4, 7);
    case ASSAY_ROW_DAY_OF_YEAR:
        return days - assay_days_from_date(date.year, 1, 1);
    case ASSAY_ROW_HOUR:
        return second / 3600;
    case ASSAY_ROW_MINUTE:
        return second / 60 % 60;
    case ASSAY_ROW_SECOND:
        return second % 60;
    }
    return 0;
}

void assay_row_parts(assay_row_part part, const int64_t *times, size_t count, int64_t *result)
{
    for (size_t i = 0; i < count; i++) result[i] = part_of(part, times[i]);
}
