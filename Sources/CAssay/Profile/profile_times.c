/* The times of a column. */
#include "Profile/profile_placeholder.h"
#include "Profile/profile_rows.h"
#include "Types/assay_calendar.h"
#include "Types/assay_format.h"
#include "Types/assay_type.h"

/* A date or time as one number, so that the order of the numbers is the order of the times.
 *
 *     year (14 bits) │ month (4) │ day (5) │ hour (5) │ minute (6) │ second (6)
 */
enum { second_bits = 6, minute_bits = 6, hour_bits = 5, day_bits = 5, month_bits = 4 };
enum { minute_shift = second_bits, hour_shift = minute_shift + minute_bits, day_shift = hour_shift + hour_bits };
enum { month_shift = day_shift + day_bits, year_shift = month_shift + month_bits };

static inline uint64_t two_digits(const uint8_t *text) { return text[0] * 10u + text[1] - '0' * 11u; }

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

/* Finds the places of the parts in most values of a type: those of a format, or of the usual notation of ISO 8601. */
static bool find_places(const assay_type *type, assay_time_places *places)
{
    enum { none = UINT8_MAX };
    const assay_kind kind = assay_type_kind(type);
    if (assay_type_format(type) != NULL) {
        if (!assay_format_places(assay_type_format(type), places)) return false;
    } else if (kind == ASSAY_KIND_DATE) {
        *places = (assay_time_places){10, 0, 5, 8, none, none, none, ZONE_NEVER};
    } else if (kind == ASSAY_KIND_TIME) {
        *places = (assay_time_places){8, none, none, none, 0, 3, 6, ZONE_NEVER};
    } else {
        *places = (assay_time_places){19, 0, 5, 8, 11, 14, 17, ZONE_PERHAPS};
    }
    const bool has_date = places->year != none && places->month != none && places->day != none;
    const bool has_time = places->hour != none && places->minute != none;
    switch (kind) {
    case ASSAY_KIND_DATE:
        return has_date && !has_time;
    case ASSAY_KIND_TIME:
        return has_time && places->second != none && places->year == none && places->month == none &&
               places->day == none;
    case ASSAY_KIND_DATETIME:
        return has_date && has_time;
    default:
        return false;
    }
}

static inline uint64_t two_bytes(const uint8_t *text) { return (uint64_t)text[0] << 8 | text[1]; }

/* The digits of the date, or of a time of day, in an order in which a later one is greater. */
static inline uint64_t digits_of(const assay_time_places *places, const uint8_t *text, bool is_time)
{
    if (is_time) {
        return two_bytes(text + places->hour) << 32 | two_bytes(text + places->minute) << 16 |
               two_bytes(text + places->second);
    }
    const uint8_t *year = text + places->year;
    return two_bytes(year) << 48 | two_bytes(year + 2) << 32 | two_bytes(text + places->month) << 16 |
           two_bytes(text + places->day);
}

/* Whether the digits of a date may be those of a placeholder: January 1, December 30 or 31. Accepts all of them, and
   days that begin with a space. */
static inline bool may_be_placeholder(uint64_t digits)
{
    const uint64_t day = digits & UINT32_MAX, first = '0' << 24 | '1' << 16 | '0' << 8 | '1';
    const uint64_t last = '1' << 24 | '2' << 16 | '3' << 8 | '0';
    return day == first || day >= last || (day & 0xFF00) == ' ' << 8;
}

static uint64_t pack(const assay_time_places *places, const uint8_t *text)
{
    uint64_t packed = 0;
    if (places->year != UINT8_MAX) {
        const uint8_t *year = text + places->year;
        packed = (two_digits(year) * 100 + two_digits(year + 2)) << year_shift |
                 two_digits(text + places->month) << month_shift | two_digits(text + places->day) << day_shift;
    }
    if (places->hour != UINT8_MAX) {
        packed |= two_digits(text + places->hour) << hour_shift | two_digits(text + places->minute) << minute_shift;
    }
    if (places->second != UINT8_MAX) packed |= two_digits(text + places->second);
    return packed;
}

/* Whether a value with an offset from UTC, which moves it by less than a day, is between known times, and not near the
 * day of a placeholder. */
static bool is_between(const assay_profile_times *times, const assay_time_places *places, const uint8_t *text)
{
    const uint8_t *year = text + places->year, *month = text + places->month, *day = text + places->day;
    const uint64_t date = two_digits(month) * 100 + two_digits(day);
    if (*day == ' ' || date <= 102 || date >= 1229) return false;
    const int64_t local = assay_days_from_date((int64_t)(two_digits(year) * 100 + two_digits(year + 2)),
                                               (int)two_digits(month), (int)two_digits(day));
    return (local - 1) * ASSAY_SECONDS_PER_DAY >= times->first_other &&
           (local + 2) * ASSAY_SECONDS_PER_DAY <= times->last_other;
}

/* The form of a value, by its length and the byte after the parts that have a place. */
typedef enum time_form {
    FORM_PLAIN,  /* the parts with a place, without a zone */
    FORM_UTC,    /* the same with Z */
    FORM_OFFSET, /* the same with an offset from UTC */
    FORM_OTHER,
} time_form;

static inline time_form form_of(const assay_time_places *places, const uint8_t *text, size_t length)
{
    if (length == places->length) return places->zone == ZONE_ALWAYS ? FORM_OTHER : FORM_PLAIN;
    if (length < places->length || places->zone == ZONE_NEVER) return FORM_OTHER;
    const uint8_t next = text[places->length];
    if (next == 'Z' && length == places->length + 1) return FORM_UTC;
    return next == '+' || next == '-' ? FORM_OFFSET : FORM_OTHER;
}

void assay_profile_add_times(assay_profile_times *times, const assay_type *type, const uint8_t *bytes,
                             const assay_cell *cells, size_t count, const uint64_t *skip, assay_profile_rows rows)
{
    const assay_kind kind = assay_type_kind(type);
    const bool is_time = kind == ASSAY_KIND_TIME;
    assay_time_places places = {0};
    const bool has_places = find_places(type, &places);
    /* The extremes of the packed values, which are unpacked once, and the digits of their days. Most values are between
       these days. */
    uint64_t min = UINT64_MAX, greatest = 0, min_digits = UINT64_MAX, max_digits = 0;
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t bits = assay_mask_rest(skip, count, word); bits != 0; bits &= bits - 1) {
            const size_t row = word * 64 + (size_t)__builtin_ctzll(bits);
            const uint8_t *text = bytes + cells[row].start;
            const size_t length = cells[row].length;
            const time_form form = has_places ? form_of(&places, text, length) : FORM_OTHER;
            if (form == FORM_OFFSET && is_between(times, &places, text)) {
                times->zoned++;
                continue;
            }
            if (form != FORM_PLAIN && form != FORM_UTC) {
                add_time(times, type, text, length, &rows, row);
                continue;
            }
            const uint64_t digits = digits_of(&places, text, is_time);
            if (!is_time && may_be_placeholder(digits)) {
                add_time(times, type, text, length, &rows, row);
                continue;
            }
            times->zoned += form == FORM_UTC;
            if (digits > min_digits && digits < max_digits) continue;
            const uint64_t packed = pack(&places, text);
            if (packed < min) min = packed;
            if (packed > greatest) greatest = packed;
            if (digits < min_digits) min_digits = digits;
            if (digits > max_digits) max_digits = digits;
        }
    }
    if (min > greatest) return;
    const int64_t first = unpacked(kind, min), last = unpacked(kind, greatest);
    widen(times, first);
    widen(times, last);
    widen_others(times, first);
    widen_others(times, last);
}
