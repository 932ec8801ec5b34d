/* The times of a column. */
#include "Profile/profile_placeholder.h"
#include "Profile/profile_rows.h"
#include "Types/assay_calendar.h"
#include "Types/assay_type.h"

/* A date or time as one number, so that the order of the numbers is the order of the times.
 *
 *     year (14 bits) │ month (4) │ day (5) │ hour (5) │ minute (6) │ second (6)
 */
enum { second_bits = 6, minute_bits = 6, hour_bits = 5, day_bits = 5, month_bits = 4 };
enum { minute_shift = second_bits, hour_shift = minute_shift + minute_bits, day_shift = hour_shift + hour_bits };
enum { month_shift = day_shift + day_bits, year_shift = month_shift + month_bits };

static uint64_t two_digits(const uint8_t *text) { return text[0] * 10u + text[1] - '0' * 11u; }

static uint64_t packed_date(const uint8_t *text)
{
    return (two_digits(text) * 100 + two_digits(text + 2)) << year_shift | two_digits(text + 5) << month_shift |
           two_digits(text + 8) << day_shift;
}

static uint64_t packed_time(const uint8_t *text)
{
    return two_digits(text) << hour_shift | two_digits(text + 3) << minute_shift | two_digits(text + 6);
}

/* Whether the day may be a placeholder: January 1, December 30 or 31. Accepts all placeholders. */
static bool may_be_placeholder(uint64_t packed)
{
    const uint64_t day = packed >> day_shift & ((1 << (month_bits + day_bits)) - 1);
    return day == (1 << day_bits | 1) || day >= (12 << day_bits | 30);
}

static uint64_t part(uint64_t packed, unsigned shift, unsigned bits) { return packed >> shift & ((1u << bits) - 1); }

/* The number of an assay_value. */
static int64_t unpacked(assay_kind kind, uint64_t packed)
{
    const int64_t seconds = (int64_t)(part(packed, hour_shift, hour_bits) * 3600 +
                                      part(packed, minute_shift, minute_bits) * 60 + part(packed, 0, second_bits));
    if (kind == ASSAY_KIND_TIME) return seconds;
    const int64_t days =
        assay_days_from_date((int64_t)(packed >> year_shift), (int)part(packed, month_shift, month_bits),
                             (int)part(packed, day_shift, day_bits));
    return kind == ASSAY_KIND_DATE ? days : days * ASSAY_SECONDS_PER_DAY + seconds;
}

static void widen(assay_profile_times *times, int64_t integer)
{
    if (integer < times->first) times->first = integer;
    if (integer > times->last) times->last = integer;
}

static void widen_others(assay_profile_times *times, int64_t integer)
{
    if (integer < times->first_other) times->first_other = integer;
    if (integer > times->last_other) times->last_other = integer;
}

/* Adds any value. */
static void add_time(assay_profile_times *times, const assay_type *type, const uint8_t *text, size_t count,
                     const assay_profile_rows *rows, size_t row)
{
    const assay_kind kind = assay_type_kind(type);
    const int64_t units = kind == ASSAY_KIND_DATE ? 1 : ASSAY_SECONDS_PER_DAY;
    assay_value value = {0};
    if (!assay_type_parse(type, text, count, &value)) return;
    widen(times, value.integer);
    times->zoned += value.has_zone;
    /* All placeholders are up to 1970-01-01 or from 9999-12-31. */
    const bool may_be = value.integer < units || value.integer >= 2932896 * units;
    if (may_be && kind != ASSAY_KIND_TIME) {
        const int64_t day = value.integer / units - (value.integer % units < 0);
        if (profile_placeholders_add_day(times, day, profile_record_of(rows, row))) return;
    }
    widen_others(times, value.integer);
}

/* Packs a value in the common notation of ISO 8601. Returns false for other notations. The value must be of the type.
   `*has_zone` becomes whether it ends in Z. */
static bool pack(assay_kind kind, const uint8_t *text, size_t count, uint64_t *packed, bool *has_zone)
{
    *has_zone = kind == ASSAY_KIND_DATETIME && count == 20 && text[19] == 'Z';
    switch (kind) {
    case ASSAY_KIND_DATE:
        if (count != 10) return false;
        *packed = packed_date(text);
        return true;
    case ASSAY_KIND_TIME:
        if (count != 8) return false;
        *packed = packed_time(text);
        return true;
    default:
        if (count != 19 && !*has_zone) return false;
        *packed = packed_date(text) | packed_time(text + 11);
        return true;
    }
}

void assay_profile_add_times(assay_profile_times *times, const assay_type *type, const uint8_t *bytes,
                             const assay_cell *cells, size_t count, const uint64_t *skip, assay_profile_rows rows)
{
    const assay_kind kind = assay_type_kind(type);
    const bool is_iso = assay_type_format(type) == NULL &&
                        (kind == ASSAY_KIND_DATE || kind == ASSAY_KIND_TIME || kind == ASSAY_KIND_DATETIME);
    /* The extremes of the packed values are unpacked once. */
    uint64_t min = UINT64_MAX, greatest = 0;
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t bits = assay_mask_rest(skip, count, word); bits != 0; bits &= bits - 1) {
            const size_t row = word * 64 + (size_t)__builtin_ctzll(bits);
            const uint8_t *text = bytes + cells[row].start;
            uint64_t packed = 0;
            bool has_zone = false;
            if (!is_iso || !pack(kind, text, cells[row].length, &packed, &has_zone) ||
                (kind != ASSAY_KIND_TIME && may_be_placeholder(packed))) {
                add_time(times, type, text, cells[row].length, &rows, row);
                continue;
            }
            times->zoned += has_zone;
            if (packed < min) min = packed;
            if (packed > greatest) greatest = packed;
        }
    }
    if (min > greatest) return;
    const int64_t first = unpacked(kind, min), last = unpacked(kind, greatest);
    widen(times, first);
    widen(times, last);
    widen_others(times, first);
    widen_others(times, last);
}
