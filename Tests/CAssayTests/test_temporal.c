/* Dates, times, durations: every day of eight centuries, and the nearest misses. */
#include "Types/assay_calendar.h"
#include "Types/assay_format.h"
#include "Types/assay_temporal.h"
#include "test.h"

typedef bool parse_function(const uint8_t *bytes, size_t count, assay_value *value);

static bool parsed(parse_function *parse, const char *text, assay_value *value)
{
    *value = (assay_value){0};
    size_t count = strlen(text);
    uint8_t *copy = malloc(count + 1); /* exactly as long for sanitizers, but never of size 0 */
    memcpy(copy, text, count);
    bool is_valid = parse(copy, count, value);
    value->fraction = (assay_fraction){NULL, value->fraction.count};
    free(copy);
    return is_valid;
}

/* Counts days one by one, with the Gregorian rule for leap years. */
static void test_every_day(void)
{
    static const int lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t day_number = 0;
    int64_t first = 0;
    bool is_first = true;
    for (int year = 1600; year <= 2400; year++) {
        bool leap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0);
        for (int month = 1; month <= 12; month++) {
            int length = lengths[month - 1] + (month == 2 && leap);
            for (int day = 0; day <= 32; day++) {
                char text[40];
                snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, day);
                assay_value value;
                bool exists = day >= 1 && day <= length;
                CHECK(parsed(assay_date_parse, text, &value) == exists);
                if (!exists) continue;
                if (is_first) first = value.integer;
                is_first = false;
                CHECK(value.integer - first == day_number);
                if (year == 1970 && month == 1 && day == 1) CHECK(value.integer == 0);
                day_number++;
            }
        }
    }
    /* The ends of the range: the year 0000 is a leap year before 0001, as in ISO 8601. */
    assay_value value;
    CHECK(parsed(assay_date_parse, "0000-02-29", &value) && value.integer == -719528 + 59);
    CHECK(parsed(assay_date_parse, "9999-12-31", &value) && value.integer == 2932896);
}

typedef struct validity {
    parse_function *parse;
    const char *text;
    bool valid;
} validity;

static const validity validities[] = {
    {assay_date_parse, "2024-02-29", true},
    {assay_date_parse, "2023-02-29", false},
    {assay_date_parse, "1900-02-29", false},
    {assay_date_parse, "2000-02-29", true},
    {assay_date_parse, "1990-02-30", false},
    {assay_date_parse, "2024-13-01", false},
    {assay_date_parse, "2024-00-01", false},
    {assay_date_parse, "2024-1-01", false},
    {assay_date_parse, "24-01-01", false},
    {assay_date_parse, "2024/01/01", false},
    {assay_date_parse, "2024-01-01 ", false},
    {assay_date_parse, " 2024-01-01", false},
    {assay_date_parse, "2024-01-01\n", false},
    {assay_date_parse, "20240101", false},
    {assay_date_parse, "12024-01-01", false},
    {assay_date_parse, "-024-01-01", false},
    {assay_date_parse, "", false},
    {assay_date_parse, "2024-01-0a", false},
    {assay_date_parse,
     "\xd9\xa2\xd9\xa0"
     "24-01",
     false},
    {assay_time_parse, "00:00:00", true},
    {assay_time_parse, "23:59:59", true},
    {assay_time_parse, "24:00:00", false},
    {assay_time_parse, "23:59:60", false},
    {assay_time_parse, "23:60:00", false},
    {assay_time_parse, "12:00", false},
    {assay_time_parse, "12:00:00.5", true},
    {assay_time_parse, "12:00:00.123456789012345", true},
    {assay_time_parse, "12:00:00.", false},
    {assay_time_parse, "12:00:00,5", false},
    {assay_time_parse, "12:00:00Z", false},
    {assay_time_parse, "1:00:00", false},
    {assay_time_parse, "12:00:00.5x", false},
    {assay_time_parse, "", false},
    {assay_datetime_parse, "2024-02-29T12:00:00", true},
    {assay_datetime_parse, "2024-02-29T12:00:00Z", true},
    {assay_datetime_parse, "2024-02-29T12:00:00.25Z", true},
    {assay_datetime_parse, "2024-02-29T12:00:00+05:30", true},
    {assay_datetime_parse, "2024-02-29T12:00:00.5-23:59", true},
    {assay_datetime_parse, "2024-02-29T12:00:00+24:00", false},
    {assay_datetime_parse, "2024-02-29T12:00:00+05:60", false},
    {assay_datetime_parse, "2024-02-29T12:00:00+0530", false},
    {assay_datetime_parse, "2024-02-29T12:00:00+05", false},
    {assay_datetime_parse, "2024-02-29 12:00:00", false},
    {assay_datetime_parse, "2024-02-29t12:00:00", false},
    {assay_datetime_parse, "2024-02-29T12:00:00z", false},
    {assay_datetime_parse, "2023-02-29T12:00:00", false},
    {assay_datetime_parse, "2024-02-29T24:00:00", false},
    {assay_datetime_parse, "2024-02-29T12:00", false},
    {assay_datetime_parse, "2024-02-29", false},
    {assay_datetime_parse, "2024-02-29T12:00:00ZZ", false},
    {assay_datetime_parse, "2024-02-29T12:00:00.Z", false},
    {assay_year_parse, "2024", true},
    {assay_year_parse, "0000", true},
    {assay_year_parse, "202", false},
    {assay_year_parse, "20240", false},
    {assay_year_parse, "-2024", false},
    {assay_year_parse, "", false},
    {assay_yearmonth_parse, "2024-02", true},
    {assay_yearmonth_parse, "2024-13", false},
    {assay_yearmonth_parse, "2024-00", false},
    {assay_yearmonth_parse, "2024-2", false},
    {assay_yearmonth_parse, "202402", false},
    {assay_yearmonth_parse, "", false},
    {assay_duration_parse, "P1Y2M3DT4H5M6.7S", true},
    {assay_duration_parse, "P1D", true},
    {assay_duration_parse, "PT0S", true},
    {assay_duration_parse, "-P1M", true},
    {assay_duration_parse, "PT1M", true},
    {assay_duration_parse, "P0000000000000000000000000000001Y", true},
    {assay_duration_parse, "P99999999999999999999999999Y", true},
    {assay_duration_parse, "P", false},
    {assay_duration_parse, "PT", false},
    {assay_duration_parse, "P1YT", false},
    {assay_duration_parse, "P1", false},
    {assay_duration_parse, "1D", false},
    {assay_duration_parse, "P1H", false},
    {assay_duration_parse, "PT1D", false},
    {assay_duration_parse, "P1M1Y", false},
    {assay_duration_parse, "P1Y1Y", false},
    {assay_duration_parse, "PT1.5M", false},
    {assay_duration_parse, "PT.5S", false},
    {assay_duration_parse, "PT1.S", false},
    {assay_duration_parse, "P-1D", false},
    {assay_duration_parse, "+P1D", false},
    {assay_duration_parse, "P1W", false},
    {assay_duration_parse, "p1d", false},
    {assay_duration_parse, "P1D ", false},
    {assay_duration_parse, "PT1S1M", false},
    {assay_duration_parse, "P1DT1HT1S", false},
    {assay_duration_parse, "", false},
    {assay_duration_parse, "-", false},
};

static void test_validity(void)
{
    for (size_t i = 0; i < sizeof validities / sizeof validities[0]; i++) {
        assay_value value;
        if (!CHECK(parsed(validities[i].parse, validities[i].text, &value) == validities[i].valid)) {
            fprintf(stderr, "    \"%s\"\n", validities[i].text);
        }
    }
}

static void test_instants(void)
{
    assay_value left;
    assay_value right;
    CHECK(parsed(assay_datetime_parse, "1970-01-01T00:00:00Z", &left) && left.integer == 0 && left.has_zone);
    CHECK(parsed(assay_datetime_parse, "1970-01-01T00:00:00", &left) && left.integer == 0 && !left.has_zone);
    CHECK(parsed(assay_datetime_parse, "2024-03-01T00:30:00+01:00", &left));
    CHECK(parsed(assay_datetime_parse, "2024-02-29T23:30:00Z", &right));
    CHECK(left.integer == right.integer);
    CHECK(parsed(assay_datetime_parse, "2024-02-29T18:00:00-05:30", &right));
    CHECK(left.integer == right.integer);
}

static assay_order order_of(const char *left_text, const char *right_text)
{
    assay_value left = {0};
    assay_value right = {0};
    CHECK(assay_duration_parse((const uint8_t *)left_text, strlen(left_text), &left));
    CHECK(assay_duration_parse((const uint8_t *)right_text, strlen(right_text), &right));
    return assay_duration_compare(&left, &right);
}

/* XML Schema part 2, 3.2.6.2, and its table that compares P1Y and P1M with days. */
static const struct {
    const char *left;
    assay_order order;
    const char *right;
} durations[] = {
    {"P1Y", ASSAY_GREATER, "P364D"},
    {"P1Y", ASSAY_UNORDERED, "P365D"},
    {"P1Y", ASSAY_UNORDERED, "P366D"},
    {"P1Y", ASSAY_LESS, "P367D"},
    {"P1M", ASSAY_GREATER, "P27D"},
    {"P1M", ASSAY_UNORDERED, "P28D"},
    {"P1M", ASSAY_UNORDERED, "P29D"},
    {"P1M", ASSAY_UNORDERED, "P30D"},
    {"P1M", ASSAY_UNORDERED, "P31D"},
    {"P1M", ASSAY_LESS, "P32D"},
    {"P5M", ASSAY_GREATER, "P149D"},
    {"P5M", ASSAY_UNORDERED, "P150D"},
    {"P5M", ASSAY_UNORDERED, "P153D"},
    {"P5M", ASSAY_LESS, "P154D"},
    {"P12M", ASSAY_EQUAL, "P1Y"},
    {"PT24H", ASSAY_EQUAL, "P1D"},
    {"PT60S", ASSAY_EQUAL, "PT1M"},
    {"-P1D", ASSAY_LESS, "PT0S"},
    {"-P0D", ASSAY_EQUAL, "PT0S"},
    {"-P1M", ASSAY_UNORDERED, "-P30D"},
    {"-P2D", ASSAY_LESS, "-P1D"},
    {"PT1.5S", ASSAY_GREATER, "PT1.49S"},
    {"PT1.5S", ASSAY_EQUAL, "PT1.500S"},
    {"-PT1.5S", ASSAY_LESS, "-PT1.4S"},
    {"-PT0.5S", ASSAY_LESS, "PT0.1S"},
    {"-PT0.9S", ASSAY_GREATER, "-PT1S"},
    {"PT0.9S", ASSAY_LESS, "PT1S"},
    {"PT1S", ASSAY_GREATER, "-PT0.9S"},
    {"P99999999999999999999Y", ASSAY_UNORDERED, "P1D"}, /* beyond the range of comparisons */
    {"P99999999999Y", ASSAY_UNORDERED, "P1D"},
    {"P8000000000Y", ASSAY_GREATER, "P1D"},
    {"PT999999999999999999S", ASSAY_GREATER, "PT999999999999999998S"},
};

static void test_durations(void)
{
    for (size_t i = 0; i < sizeof durations / sizeof durations[0]; i++) {
        assay_order order = order_of(durations[i].left, durations[i].right);
        assay_order reverse = order_of(durations[i].right, durations[i].left);
        bool right = CHECK(order == durations[i].order);
        right &= CHECK(reverse == (order == ASSAY_UNORDERED ? order : (assay_order) - (int)order));
        if (!right) fprintf(stderr, "    %s and %s\n", durations[i].left, durations[i].right);
    }
}

static bool format_reads(const assay_format *format, const char *text, assay_value *value)
{
    const size_t count = strlen(text);
    uint8_t *copy = malloc(count + 1);
    memcpy(copy, text, count);
    *value = (assay_value){0};
    const bool is_read = assay_format_parse(format, copy, count, value);
    free(copy);
    return is_read;
}

/* A value of full length is read by fixed positions, and the same value after a space by the general parser. Both
   must agree. */
static void test_fixed_formats(void)
{
    static const struct {
        const char *format, *value;
    } cases[] = {{"%d.%m.%Y", "31.12.1999"},   {"%m/%d/%Y", "12/31/1999"},       {"%e-%m-%y", " 5-02-69"},
                 {"%Y%%%m%%%d", "2000%02%29"}, {"on %d.%m.%Y", "on 05.11.2001"}, {"%d.%m.%Yz", "01.01.2000Z"}};
    static const char bytes[] = "0123456789./- %zZ";
    uint64_t state = test_random_of(1).state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char spaced[32];
        snprintf(spaced, sizeof spaced, " %s", cases[i].format);
        assay_error error;
        assay_format *fast = assay_format_create(
            (assay_text){(const uint8_t *)cases[i].format, strlen(cases[i].format)}, ASSAY_KIND_DATE, &error);
        assay_format *plain =
            assay_format_create((assay_text){(const uint8_t *)spaced, strlen(spaced)}, ASSAY_KIND_DATE, &error);
        size_t read = 0;
        for (size_t round = 0; round < 200000; round++) {
            char value[32] = " ";
            strcpy(value + 1, cases[i].value);
            const size_t count = strlen(value) - 1;
            for (size_t change = 0; change < round % 4; change++) {
                state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                const size_t place = 1 + (size_t)(state >> 33) % count;
                value[place] = bytes[(size_t)(state >> 45) % (sizeof bytes - 1)];
            }
            /* The format skips all spaces, and a day takes the last one. */
            if (value[1] == ' ' && cases[i].format[1] != 'e' && cases[i].format[1] != 'd') continue;
            if (value[1] == ' ' && (value[2] == ' ' || (value[3] >= '0' && value[3] <= '9'))) continue;
            assay_value one, other;
            const bool is_read = format_reads(fast, value + 1, &one);
            read += is_read;
            if (!CHECK(is_read == format_reads(plain, value, &other) && one.integer == other.integer)) {
                fprintf(stderr, "    %s by %s\n", value + 1, cases[i].format);
                break;
            }
        }
        CHECK(read >= 50000);
        assay_format_free(fast);
        assay_format_free(plain);
    }
}

/* The definition of a format: each number takes its longest possible length first. */
typedef struct plain_moment {
    int of[128]; /* by letter */
} plain_moment;

static bool reads_plainly(const char *format, const char *text, plain_moment *found)
{
    static const struct {
        char letter;
        int min, max, least, most;
    } numbers[] = {{'Y', 4, 4, 0, 9999}, {'m', 1, 2, 1, 12}, {'d', 1, 2, 1, 31},
                   {'H', 1, 2, 0, 23},   {'M', 1, 2, 0, 59}, {'S', 1, 2, 0, 59}};
    if (*format == 0) return *text == 0;
    if (*format == ' ') {
        size_t spaces = strspn(text, " ");
        while (spaces > 0 && !reads_plainly(format + 1, text + spaces, found)) spaces--;
        return spaces > 0;
    }
    if (*format != '%') return *text == *format && reads_plainly(format + 1, text + 1, found);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].letter != format[1]) continue;
        const bool is_padded = format[1] == 'd' && text[0] == ' ';
        const int max = is_padded ? 1 : numbers[i].max;
        for (int length = max; length >= (is_padded ? 1 : numbers[i].min); length--) {
            int number = 0, at = 0;
            const char *digits = text + is_padded;
            for (; at < length && digits[at] >= '0' && digits[at] <= '9'; at++) number = number * 10 + digits[at] - '0';
            if (at < length || number < numbers[i].least || number > numbers[i].most) continue;
            found->of[(size_t)format[1]] = number;
            if (reads_plainly(format + 2, digits + length, found)) return true;
        }
    }
    return false;
}

/* Compares readings of numbers with and without digits behind them with the definition. */
static void test_numbers_of_formats(void)
{
    static const char *const formats[] = {
        "%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %H:%M", "%d%m%Y", "%m/%d/%Y5%H", "%Y%m%d%H%M%S", "%H%M:%d-%Y/%m", "%d/%m/%Y:%H",
    };
    static const char alphabet[] = "0123459-./:T ";
    test_random random = test_random_of(83);
    size_t accepted = 0;
    for (size_t round = 0; round < test_rounds(200000); round++) {
        const char *format = formats[round % (sizeof formats / sizeof formats[0])];
        char text[64];
        size_t count = 0;
        for (const char *at = format; *at != 0; at++) {
            if (*at != '%') {
                text[count++] = *at;
                continue;
            }
            const unsigned digits = *++at == 'Y' ? 4 : 1 + test_random_below(&random, 2);
            for (unsigned i = 0; i < digits; i++)
                text[count++] = (char)('0' + test_random_below(&random, i == 0 ? 4 : 10));
        }
        for (uint32_t edits = test_random_below(&random, 3); edits > 0; edits--) {
            text[test_random_below(&random, (uint32_t)count)] =
                alphabet[test_random_below(&random, sizeof alphabet - 1)];
        }
        text[count] = 0;
        assay_error error;
        const assay_kind kind = strchr(format, 'H') != NULL ? ASSAY_KIND_DATETIME : ASSAY_KIND_DATE;
        assay_format *made = assay_format_create((assay_text){(const uint8_t *)format, strlen(format)}, kind, &error);
        if (!CHECK(made != NULL)) return;
        assay_value value = {0};
        const bool is_read = format_reads(made, text, &value);
        plain_moment found = {{0}};
        bool expected = reads_plainly(format, text, &found);
        expected = expected && found.of['d'] <= assay_days_in_month(found.of['Y'], found.of['m']);
        const int64_t days = assay_days_from_date(found.of['Y'], found.of['m'], found.of['d']);
        const int64_t seconds = found.of['H'] * 3600 + found.of['M'] * 60 + found.of['S'];
        const int64_t integer = kind == ASSAY_KIND_DATE ? days : days * ASSAY_SECONDS_PER_DAY + seconds;
        if (!CHECK(is_read == expected && (!is_read || value.integer == integer))) {
            fprintf(stderr, "    %s by %s\n", text, format);
        }
        accepted += is_read;
        assay_format_free(made);
    }
    CHECK(accepted > 100);
}

int main(void)
{
    test_every_day();
    test_validity();
    test_instants();
    test_durations();
    test_fixed_formats();
    test_numbers_of_formats();
    return test_result();
}
