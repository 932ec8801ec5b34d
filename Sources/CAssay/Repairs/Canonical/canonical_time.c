/* Dates, times and Booleans: read by the type or one of the formats, written as in ISO 8601 and JSON. */
#include "Repairs/Canonical/repair_canonical.h"

#include "Types/Builtin/builtin_reasons.h"
#include "Types/assay_calendar.h"
#include "Types/assay_type.h"

/* The max length of a written value, such as 1999-12-31T23:59:59.123456Z. */
enum { longest_time = 32 };

/* The inverse of assay_days_from_date() for the years 0000 to 9999. Returns false for other years. */
static bool date_of(int64_t days, int *year, int *month, int *day)
{
    const int64_t shifted = days + 719468;
    const int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const int64_t day_of_era = shifted - era * 146097;
    const int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t month_from_march = (5 * day_of_year + 2) / 153;
    *day = (int)(day_of_year - (153 * month_from_march + 2) / 5 + 1);
    *month = (int)(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
    const int64_t full_year = year_of_era + era * 400 + (*month <= 2);
    *year = (int)full_year;
    return full_year >= 0 && full_year <= 9999;
}

static void write_two(uint8_t *text, int number)
{
    text[0] = (uint8_t)('0' + number / 10);
    text[1] = (uint8_t)('0' + number % 10);
}

static bool write_date(int64_t days, repair_text *out)
{
    int year, month, day;
    if (!date_of(days, &year, &month, &day)) return false;
    uint8_t text[10];
    write_two(text, year / 100);
    write_two(text + 2, year % 100);
    text[4] = text[7] = '-';
    write_two(text + 5, month);
    write_two(text + 8, day);
    put_bytes(out, text, sizeof text);
    return true;
}

static void write_time(int64_t seconds, assay_fraction fraction, repair_text *out)
{
    uint8_t text[8];
    write_two(text, (int)(seconds / 3600));
    text[2] = text[5] = ':';
    write_two(text + 3, (int)(seconds / 60 % 60));
    write_two(text + 6, (int)(seconds % 60));
    put_bytes(out, text, sizeof text);
    if (fraction.count == 0) return;
    put(out, '.');
    put_bytes(out, fraction.digits, fraction.count);
}

static bool are_same(const assay_value *left, const assay_value *right)
{
    return left->integer == right->integer && left->has_zone == right->has_zone &&
           left->fraction.count == right->fraction.count &&
           (left->fraction.count == 0 ||
            memcmp(left->fraction.digits, right->fraction.digits, left->fraction.count) == 0);
}

static size_t digits_of(assay_text in)
{
    size_t count = 0;
    for (size_t i = 0; i < in.count; i++) count += in.bytes[i] >= '0' && in.bytes[i] <= '9';
    return count;
}

typedef enum reading { READ_BY_NONE, READ_IN_ONE_WAY, READ_DIFFERENTLY } reading;

/* Reads a value with all formats. */
static reading read_by_formats(const repair_canonical *canonical, assay_text in, assay_value *value)
{
    reading found = READ_BY_NONE;
    for (size_t i = 0; i < canonical->format_count; i++) {
        const size_t min = assay_format_min_digits(canonical->formats[i]);
        if (min > 0 && digits_of(in) < min) continue;
        assay_value one = {.sign = 0};
        if (!assay_format_parse(canonical->formats[i], in.bytes, in.count, &one)) continue;
        if (found != READ_BY_NONE && !are_same(value, &one)) return READ_DIFFERENTLY;
        *value = one;
        found = READ_IN_ONE_WAY;
    }
    return found;
}

/* Whether a value is already of the type. Formats never read such values. */
static bool is_of_type(const repair_canonical *canonical, assay_scratch *scratch, assay_text in)
{
    assay_value value;
    if (canonical->type != NULL) return assay_type_parse(canonical->type, in.bytes, in.count, &value);
    return assay_check_value(canonical->check, scratch, in.bytes, in.count) == ASSAY_PASS;
}

bool canonical_date(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    assay_value value;
    if (canonical->format_count == 0 || is_of_type(canonical, scratch, in)) return false;
    return read_by_formats(canonical, in, &value) == READ_IN_ONE_WAY && write_date(value.integer, out);
}

/* Writes T and Z in capitals, because RFC 3339 also allows lowercase. */
static bool write_capitals(const repair_canonical *canonical, assay_text in, repair_text *out)
{
    if (canonical->kind != ASSAY_KIND_STRING) return false;
    for (size_t i = 0; i < in.count; i++) {
        if (is_letter(in.bytes[i]) && !is_one_of(in.bytes[i], "TtZz")) return false;
        put(out, upper_byte(in.bytes[i]));
    }
    return true;
}

bool canonical_time(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    assay_value value;
    if (is_of_type(canonical, scratch, in)) return write_capitals(canonical, in, out);
    if (read_by_formats(canonical, in, &value) != READ_IN_ONE_WAY) return false;
    write_time(value.integer, value.fraction, out);
    return true;
}

bool canonical_datetime(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    assay_value value;
    if (is_of_type(canonical, scratch, in)) return write_capitals(canonical, in, out);
    if (read_by_formats(canonical, in, &value) != READ_IN_ONE_WAY) return false;
    int64_t seconds = value.integer % ASSAY_SECONDS_PER_DAY;
    if (seconds < 0) seconds += ASSAY_SECONDS_PER_DAY;
    if (!write_date((value.integer - seconds) / ASSAY_SECONDS_PER_DAY, out)) return false;
    put(out, 'T');
    write_time(seconds, value.fraction, out);
    if (value.has_zone) put(out, 'Z');
    return true;
}

const assay_failure_reason *canonical_time_reason(const repair_canonical *canonical, assay_scratch *scratch,
                                                  assay_text in)
{
    assay_value value;
    const reading found = read_by_formats(canonical, in, &value);
    if (found == READ_BY_NONE) return NULL;
    if (found == READ_DIFFERENTLY) return assay_failure_reason_at(REASON_AMBIGUOUS - 1);
    repair_text out = {NULL, 0, 0};
    const assay_failure_reason *reason = NULL;
    if (repair_text_reserve(&out, longest_time) && canonical->form(canonical, scratch, in, &out)) {
        reason = assay_check_failure_reason(canonical->check, scratch, out.bytes, out.count);
    }
    repair_text_free(&out);
    return reason;
}

bool canonical_boolean(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)scratch;
    assay_value value;
    if (!assay_type_parse(canonical->type, in.bytes, in.count, &value)) return false;
    put_text(out, value.integer != 0 ? "true" : "false");
    return true;
}
