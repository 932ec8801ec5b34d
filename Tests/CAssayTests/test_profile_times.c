/* The extremes and placeholders of dates and times, compared with single values. */
#include "test_profile_support.h"

#include "Types/assay_type.h"

/* assay_profile_add_times(), value by value. */
static void add_times_plainly(assay_profile_times *times, const assay_type *type, const uint8_t *bytes,
                              const assay_cell *cells, size_t count, const uint64_t *skip, uint64_t record)
{
    const assay_kind kind = assay_type_kind(type);
    const int64_t units = kind == ASSAY_KIND_DATE ? 1 : 86400;
    for (size_t row = 0; row < count; row++) {
        if (skip[row / 64] >> row % 64 & 1) continue;
        assay_value value = {0};
        CHECK(assay_type_parse(type, bytes + cells[row].start, cells[row].length, &value));
        if (value.integer < times->first) times->first = value.integer;
        if (value.integer > times->last) times->last = value.integer;
        times->zoned += value.has_zone;
        bool is_placeholder = false;
        for (size_t i = 0; kind != ASSAY_KIND_TIME && i < ASSAY_PLACEHOLDER_DAYS; i++) {
            const int64_t start = assay_profile_placeholder_day(i) * units;
            if (value.integer < start || value.integer >= start + units) continue;
            is_placeholder = true;
            times->days[i].values++;
            if (record + row < times->days[i].first_record) times->days[i].first_record = record + row;
        }
        if (is_placeholder) continue;
        if (value.integer < times->first_other) times->first_other = value.integer;
        if (value.integer > times->last_other) times->last_other = value.integer;
    }
}

/* Compares times that are read without parsing with parsed ones. */
static void check_times(void)
{
    static const struct {
        assay_kind kind;
        const char *format;
    } types[] = {{ASSAY_KIND_DATE, NULL},
                 {ASSAY_KIND_DATETIME, NULL},
                 {ASSAY_KIND_TIME, NULL},
                 {ASSAY_KIND_DATE, "%d.%m.%Y"},
                 {ASSAY_KIND_DATETIME, "%d.%m.%Y %H:%M:%S"},
                 {ASSAY_KIND_DATE, "%m/%d/%Y"},
                 {ASSAY_KIND_DATETIME, "%H:%M %Y%m%d"},
                 {ASSAY_KIND_DATETIME, "%Y-%m-%dT%H:%M:%S%z"}};
    static const char *const days[] = {"0001-01-01", "1753-01-01", "1899-12-30", "1900-01-01", "1970-01-01",
                                       "9999-12-31", "0000-01-01", "1899-12-31", "1969-12-31", "9998-12-31"};
    test_random random = test_random_of(27);
    enum { ROWS = 200 };
    for (size_t kind = 0; kind < sizeof types / sizeof types[0]; kind++) {
        assay_error error;
        const char *format = types[kind].format;
        const assay_text text = {(const uint8_t *)format, format == NULL ? 0 : strlen(format)};
        assay_type *type =
            assay_type_create(&(assay_type_description){.kind = types[kind].kind, .format = text}, &error);
        CHECK(type != NULL);
        for (unsigned round = 0; round < test_rounds(2000); round++) {
            char bytes[ROWS * 40];
            assay_cell cells[ROWS];
            uint64_t skip[4] = {0};
            uint32_t used = 0;
            assay_profile_times found = assay_profile_no_times(), expected = assay_profile_no_times();
            const uint32_t years = round % 3 == 0 ? 9999 : round % 3 == 1 ? 100 : 1, first = round % 3 == 0 ? 0 : 1950;
            for (size_t row = 0; row < ROWS; row++) {
                const unsigned year = first + test_random_below(&random, years), hour = test_random_below(&random, 24);
                const unsigned month = 1 + test_random_below(&random, 12), day = 1 + test_random_below(&random, 28);
                const unsigned minute = test_random_below(&random, 60), second = test_random_below(&random, 60);
                const char *known = days[test_random_below(&random, 10)];
                const bool is_known = test_random_below(&random, 8) == 0;
                static const char *const zones[] = {"", "", "Z", "+02:00", "-11:30", ".5", ".25Z"};
                char date[16], time[16];
                snprintf(date, sizeof date, "%04u-%02u-%02u", year % 10000, month, day);
                snprintf(time, sizeof time, "%02u:%02u:%02u", hour, minute, second);
                if (is_known) memcpy(date, known, 10);
                cells[row].start = used;
                if (kind == 5) {
                    used += (uint32_t)snprintf(bytes + used, 40, "%.2s/%.2s/%.4s", date + 5, date + 8, date);
                } else if (kind == 6) {
                    used += (uint32_t)snprintf(bytes + used, 40, "%.5s %.4s%.2s%.2s", time, date, date + 5, date + 8);
                } else if (kind == 7) {
                    static const char *const offsets[] = {"Z",         "+02:00", "-1130", "+05",
                                                          "+02:00:00", "+23:59", "-2359"};
                    const char *offset = offsets[test_random_below(&random, round % 4 == 0 ? 7 : 3)];
                    const unsigned from = test_random_below(&random, 9) > 0 || hour > 9 ? 0 : 1;
                    used += (uint32_t)snprintf(bytes + used, 40, "%sT%s%s", date, time + from, offset);
                } else if (format != NULL) {
                    used += (uint32_t)snprintf(bytes + used, 40, "%.2s.%.2s.%.4s", date + 8, date + 5, date);
                    if (kind == 4) used += (uint32_t)snprintf(bytes + used, 20, " %s", time);
                } else if (kind == 0) {
                    used += (uint32_t)snprintf(bytes + used, 40, "%s", date);
                } else if (kind == 1) {
                    used += (uint32_t)snprintf(bytes + used, 40, "%sT%s%s", date, time,
                                               zones[round % 2 == 0 ? 0 : test_random_below(&random, 7)]);
                } else {
                    used +=
                        (uint32_t)snprintf(bytes + used, 40, "%s%s", time, test_random_below(&random, 9) ? "" : ".75");
                }
                cells[row].length = used - cells[row].start;
                if (test_random_below(&random, 10) == 0) skip[row / 64] |= UINT64_C(1) << row % 64;
            }
            for (size_t from = 0; from < ROWS; from += 64) {
                const size_t rest = ROWS - from < 64 ? ROWS - from : 64;
                assay_profile_add_times(&found, type, (const uint8_t *)bytes, cells + from, rest, skip + from / 64,
                                        (assay_profile_rows){7 + from, NULL, NULL});
                add_times_plainly(&expected, type, (const uint8_t *)bytes, cells + from, rest, skip + from / 64,
                                  7 + from);
            }
            CHECK(memcmp(&found, &expected, sizeof found) == 0);
        }
        assay_type_free(type);
    }
}

int main(void)
{
    check_times();
    return test_result();
}
