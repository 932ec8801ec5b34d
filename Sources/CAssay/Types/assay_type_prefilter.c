/* The prefilters of the types (see assay_prefilter.h). */
#include "Types/assay_calendar.h"
#include "Types/assay_type.h"

/* The bounds of ranges must be less than this, because prefilters support at most 15 digits. */
static const uint64_t too_large = UINT64_C(1000000000000000);

static bool has_usual_point(const assay_type *type)
{
    const assay_text point = assay_type_style(type)->point;
    return assay_type_kind(type) == ASSAY_KIND_NUMBER && point.count == 1 && point.bytes[0] == '.';
}

void assay_type_write_prefilter(const assay_type *type, assay_prefilter *into)
{
    if (assay_type_format(type) != NULL) {
        assay_format_write_prefilter(assay_type_format(type), into);
        return;
    }
    switch (assay_type_kind(type)) {
    case ASSAY_KIND_INTEGER:
    case ASSAY_KIND_NUMBER:
        assay_prefilter_add(into, has_usual_point(type) ? "[+-]?[0-9]+(?:\\.[0-9]+)?" : "[+-]?[0-9]+");
        break;
    case ASSAY_KIND_DATE:
        assay_prefilter_add(into, PREFILTER_DATE);
        break;
    case ASSAY_KIND_TIME:
        assay_prefilter_add(into, PREFILTER_TIME);
        break;
    case ASSAY_KIND_DATETIME:
        assay_prefilter_add(into, PREFILTER_DATE "T" PREFILTER_TIME PREFILTER_ZONE "?");
        break;
    case ASSAY_KIND_YEAR:
        assay_prefilter_add(into, "[0-9]{4}");
        break;
    case ASSAY_KIND_YEARMONTH:
        assay_prefilter_add(into, "[0-9]{4}-(?:0[1-9]|1[0-2])");
        break;
    case ASSAY_KIND_STRING:
    case ASSAY_KIND_BOOLEAN: /* few words, so a prefilter does not save time */
    case ASSAY_KIND_DURATION:
    case ASSAY_KIND_LIST:
    case ASSAY_KIND_ARRAY:
    case ASSAY_KIND_OBJECT:
        break;
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Ranges
 * ------------------------------------------------------------------------------------------------------------- */

/* A range of magnitudes of whole numbers with the same sign. Empty if first > last. */
typedef struct magnitudes {
    uint64_t first;
    uint64_t last; /* or prefilter_unbounded */
} magnitudes;

/* The magnitudes of the numbers with the sign `sign` between two bounds. `near` is the bound closer to zero. */
static magnitudes magnitudes_between(const assay_type_bound *near, const assay_type_bound *far, int sign)
{
    static const magnitudes none = {1, 0};
    magnitudes found = {0, prefilter_unbounded};
    if (!near->is_open && near->value.decimal.sign * sign >= 0) {
        const assay_decimal *decimal = &near->value.decimal;
        bool is_integer = true;
        if (decimal->form != ASSAY_DECIMAL_FINITE) return none;
        found.first = assay_decimal_integer_part(decimal, too_large, &is_integer);
        found.first += !is_integer || near->exclusive;
    }
    if (!far->is_open) {
        const assay_decimal *decimal = &far->value.decimal;
        bool is_integer = true;
        if (decimal->sign * sign < 0) return none;
        if (decimal->form != ASSAY_DECIMAL_FINITE) return found;
        const uint64_t integer = assay_decimal_integer_part(decimal, too_large, &is_integer);
        if (is_integer && far->exclusive && integer == 0) return none;
        found.last = integer - (integer == too_large || (is_integer && far->exclusive));
    }
    return found.first < too_large ? found : none;
}

static void add_magnitudes(assay_prefilter *into, magnitudes found, bool has_fractions)
{
    assay_prefilter_add(into, "(?:");
    assay_prefilter_add_numbers(into, found.first, found.last, 0);
    if (has_fractions && found.first < found.last) {
        /* Without the last number, because numbers with this whole part and a fraction are beyond it. */
        const uint64_t last = found.last == prefilter_unbounded ? prefilter_unbounded : found.last - 1;
        assay_prefilter_add(into, "|");
        assay_prefilter_add_numbers(into, found.first, last, 0);
        assay_prefilter_add(into, "\\.[0-9]+");
    }
    assay_prefilter_add(into, ")");
}

static void add_number_range(const assay_type *type, const assay_type_bound *lower, const assay_type_bound *upper,
                             assay_prefilter *into)
{
    const magnitudes positive = magnitudes_between(lower, upper, 1);
    const magnitudes negative = magnitudes_between(upper, lower, -1);
    const bool has_both = positive.first <= positive.last && negative.first <= negative.last;
    if (positive.first <= positive.last) add_magnitudes(into, positive, has_usual_point(type));
    if (has_both) assay_prefilter_add(into, "|");
    if (negative.first <= negative.last) {
        assay_prefilter_add(into, "-");
        add_magnitudes(into, negative, has_usual_point(type));
    }
}

/* The first year that begins on `day` (since 1970) or later. */
static int64_t first_year_from(int64_t day)
{
    int64_t year = 1970 + day / (day < 0 ? 365 : 366) - 2; /* a lower estimate */
    if (year < 0) year = 0;
    while (assay_days_from_date(year, 1, 1) < day) year++;
    return year;
}

static void add_years(int64_t first, int64_t last, assay_prefilter *into)
{
    if (first < 0) first = 0;
    if (last > 9999) last = 9999;
    if (first > last) return;
    assay_prefilter_add_numbers(into, (uint64_t)first, (uint64_t)last, 4);
}

void assay_type_write_range_prefilter(const assay_type *type, const assay_type_bound *lower,
                                      const assay_type_bound *upper, assay_prefilter *into)
{
    if (assay_type_format(type) != NULL) return;
    switch (assay_type_kind(type)) {
    case ASSAY_KIND_INTEGER:
    case ASSAY_KIND_NUMBER:
        add_number_range(type, lower, upper, into);
        break;
    case ASSAY_KIND_DATE: {
        /* The years with all days in the range. */
        const int64_t first = lower->is_open ? 0 : first_year_from(lower->value.integer + lower->exclusive);
        const int64_t after =
            upper->is_open ? 10000 : first_year_from(upper->value.integer + !upper->exclusive + 1) - 1;
        add_years(first, after - 1, into);
        if (into->count > 0) assay_prefilter_add(into, "-" PREFILTER_DAY);
        break;
    }
    case ASSAY_KIND_YEAR:
        add_years(lower->is_open ? 0 : lower->value.integer + lower->exclusive,
                  upper->is_open ? 9999 : upper->value.integer - upper->exclusive, into);
        break;
    case ASSAY_KIND_STRING:
    case ASSAY_KIND_BOOLEAN:
    case ASSAY_KIND_TIME:
    case ASSAY_KIND_DATETIME:
    case ASSAY_KIND_YEARMONTH:
    case ASSAY_KIND_DURATION:
    case ASSAY_KIND_LIST:
    case ASSAY_KIND_ARRAY:
    case ASSAY_KIND_OBJECT:
        break;
    }
}
