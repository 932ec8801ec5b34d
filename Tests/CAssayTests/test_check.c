/* Checks of lengths, sets and ranges: single values and columns must have the same verdicts. */
#include "Types/assay_type.h"
#include "test.h"

#define T(literal)                                                                                                     \
    {                                                                                                                  \
        (const uint8_t *)(literal), sizeof(literal) - 1                                                                \
    }
#define TEXT(literal) ((assay_text)T(literal))

static assay_scratch *scratch;

static assay_text text_of(const char *text) { return (assay_text){(const uint8_t *)text, strlen(text)}; }

static assay_type *type_of(assay_kind kind)
{
    assay_type_description description = {.kind = kind};
    return assay_type_create(&description, NULL);
}

static assay_verdict verdict_on(const assay_check *check, assay_text text)
{
    uint8_t *copy = malloc(text.count == 0 ? 1 : text.count);
    if (text.count > 0) memcpy(copy, text.bytes, text.count);
    assay_verdict verdict = assay_check_value(check, scratch, copy, text.count);
    free(copy);
    return verdict;
}

/* ------------------------------------------------------------------------------------------------------------- */

typedef struct length_case {
    assay_text text;
    size_t bytes, scalars, utf16;
    size_t characters; /* SIZE_MAX: not tested */
} length_case;

static const length_case lengths[] = {
    {T(""), 0, 0, 0, 0},
    {T("a"), 1, 1, 1, 1},
    {T("abcdefgh"), 8, 8, 8, 8},
    {T("abcdefghi"), 9, 9, 9, 9},
    {T("a\0b"), 3, 3, 3, 3},
    {T("a\r\nb\r\n"), 6, 6, 6, 4},
    {T("\r\r\n\n\r"), 5, 5, 5, 4},
    {T("é"), 2, 1, 1, SIZE_MAX},
    {T("e\xcc\x81"), 3, 2, 2, SIZE_MAX},
    {T("€"), 3, 1, 1, SIZE_MAX},
    {T("😀"), 4, 1, 2, SIZE_MAX},
    {T("abcdefg😀é€abcdefgh"), 24, 18, 19, SIZE_MAX},
    {T("😀😀😀😀😀"), 20, 5, 10, SIZE_MAX},
};

static void test_lengths(void)
{
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t expected[4] = {lengths[i].scalars, lengths[i].bytes, lengths[i].utf16, lengths[i].characters};
        for (int unit = 0; unit < 4; unit++) {
            for (size_t minimum = 0; minimum < 22; minimum++) {
                for (size_t maximum = 0; maximum < 23; maximum++) {
                    size_t max = maximum == 22 ? SIZE_MAX : maximum;
                    assay_check *check = assay_check_create_length(minimum, max, (assay_length_unit)unit);
                    assay_verdict verdict = verdict_on(check, lengths[i].text);
                    bool passes = expected[unit] >= minimum && expected[unit] <= max;
                    assay_verdict right = expected[unit] == SIZE_MAX ? ASSAY_UNDECIDED
                                          : passes                   ? ASSAY_PASS
                                                                     : ASSAY_FAIL;
                    if (!CHECK(verdict == right)) fprintf(stderr, "    length case %zu, unit %d\n", i, unit);
                    assay_check_free(check);
                }
            }
        }
    }
    CHECK(assay_scratch_engine_code(scratch) == 0);
}

/* Random text with a known number of scalars, to test decisions before the end of the text. */
static void test_random_lengths(void)
{
    static const char *const scalars[] = {"a", "é", "€", "😀"};
    test_random random = test_random_of(99);
    for (int round = 0; round < 20000; round++) {
        uint8_t text[400];
        size_t count = 0;
        size_t number = test_random_below(&random, 90);
        size_t units = 0;
        uint32_t kinds = 1 + test_random_below(&random, 4);
        for (size_t i = 0; i < number; i++) {
            uint32_t kind = test_random_below(&random, kinds);
            memcpy(text + count, scalars[kind], kind + 1);
            count += kind + 1;
            units += kind == 3 ? 2 : 1;
        }
        size_t minimum = test_random_below(&random, 100);
        size_t maximum = minimum + test_random_below(&random, 40);
        for (int unit = 0; unit < 3; unit += 2) {
            size_t length = unit == ASSAY_LENGTH_SCALARS ? number : units;
            assay_check *check = assay_check_create_length(minimum, maximum, (assay_length_unit)unit);
            bool passes = length >= minimum && length <= maximum;
            CHECK(verdict_on(check, (assay_text){text, count}) == (passes ? ASSAY_PASS : ASSAY_FAIL));
            assay_check_free(check);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------- */

static void test_string_sets(void)
{
    assay_type *string = type_of(ASSAY_KIND_STRING);
    assay_error error = {0};
    static const assay_text few[] = {T("DE"), T("FR"), T(""), T("a\0b"), T("DE"), T("Österreich")};
    assay_check *check = assay_check_create_set(string, few, 6, &error);
    static const assay_text in[] = {T("DE"), T("FR"), T(""), T("a\0b"), T("Österreich")};
    static const assay_text out[] = {T("de"), T("D"), T("DEU"), T("a"), T("a\0c"), T("DE "), T("osterreich"), T("\0")};
    for (size_t i = 0; i < 5; i++) CHECK(verdict_on(check, in[i]) == ASSAY_PASS);
    for (size_t i = 0; i < 8; i++) CHECK(verdict_on(check, out[i]) == ASSAY_FAIL);
    assay_check_free(check);

    check = assay_check_create_set(string, NULL, 0, &error); /* the empty set */
    CHECK(verdict_on(check, TEXT("")) == ASSAY_FAIL);
    assay_check_free(check);

    /* Many values, of every length around the steps of the hash. */
    enum { MANY = 10000 };
    static char storage[MANY][40];
    static assay_text many[MANY];
    for (int i = 0; i < MANY; i++) {
        int width = 1 + i % 30;
        snprintf(storage[i], sizeof storage[i], "%0*d", width, i * 2);
        many[i] = text_of(storage[i]);
    }
    check = assay_check_create_set(string, many, MANY, &error);
    for (int i = 0; i < MANY; i++) {
        CHECK(verdict_on(check, many[i]) == ASSAY_PASS);
        char other[40];
        snprintf(other, sizeof other, "%0*d", 1 + i % 30, i * 2 + 1); /* odd, so never in the set */
        CHECK(verdict_on(check, text_of(other)) == ASSAY_FAIL);
    }
    assay_check_free(check);
    assay_type_free(string);
}

static void test_logical_sets(void)
{
    assay_error error = {0};
    assay_type *number = type_of(ASSAY_KIND_NUMBER);
    static const assay_text numbers[] = {T("1"), T("2.50"), T("-0"), T("NaN"), T("INF"), T("1e3")};
    assay_check *check = assay_check_create_set(number, numbers, 6, &error);
    static const char *const in[] = {"1.0", "+1", "01", "10e-1", "2.5", "0", "-0.0", "nan", "inf", "1000", "1000.000"};
    static const char *const out[] = {"1.1", "-1", "2.51", "-INF", "x", "", "1e4", "0.1"};
    for (size_t i = 0; i < sizeof in / sizeof in[0]; i++) CHECK(verdict_on(check, text_of(in[i])) == ASSAY_PASS);
    for (size_t i = 0; i < sizeof out / sizeof out[0]; i++) CHECK(verdict_on(check, text_of(out[i])) == ASSAY_FAIL);
    assay_check_free(check);
    static const assay_text wrong[] = {T("1"), T("2"), T("three")};
    CHECK(assay_check_create_set(number, wrong, 3, &error) == NULL);
    CHECK(error.status == ASSAY_BAD_DESCRIPTION && error.offset == 2);
    CHECK(strcmp(error.message, "\"three\" is not of the type") == 0);
    assay_type_free(number);

    assay_type *boolean = type_of(ASSAY_KIND_BOOLEAN);
    static const assay_text truth[] = {T("true")};
    check = assay_check_create_set(boolean, truth, 1, &error);
    CHECK(verdict_on(check, TEXT("1")) == ASSAY_PASS);
    CHECK(verdict_on(check, TEXT("0")) == ASSAY_FAIL);
    CHECK(verdict_on(check, TEXT("yes")) == ASSAY_FAIL);
    assay_check_free(check);
    assay_type_free(boolean);

    assay_type *datetime = type_of(ASSAY_KIND_DATETIME);
    static const assay_text instants[] = {T("2024-02-29T12:00:00Z")};
    check = assay_check_create_set(datetime, instants, 1, &error);
    CHECK(verdict_on(check, TEXT("2024-02-29T13:00:00.000+01:00")) == ASSAY_PASS);
    CHECK(verdict_on(check, TEXT("2024-02-29T12:00:00")) == ASSAY_FAIL);
    CHECK(verdict_on(check, TEXT("2024-02-29T12:00:00.001Z")) == ASSAY_FAIL);
    assay_check_free(check);
    assay_type_free(datetime);

    assay_type *duration = type_of(ASSAY_KIND_DURATION);
    static const assay_text spans[] = {T("P1Y"), T("PT1H"), T("-PT0S"), T("P1D")};
    check = assay_check_create_set(duration, spans, 4, &error);
    CHECK(verdict_on(check, TEXT("P12M")) == ASSAY_PASS);
    CHECK(verdict_on(check, TEXT("PT60M")) == ASSAY_PASS);
    CHECK(verdict_on(check, TEXT("PT0.0S")) == ASSAY_PASS);
    CHECK(verdict_on(check, TEXT("PT24H")) == ASSAY_PASS);
    CHECK(verdict_on(check, TEXT("-PT1H")) == ASSAY_FAIL);
    CHECK(verdict_on(check, TEXT("P365D")) == ASSAY_FAIL);
    assay_check_free(check);
    assay_type_free(duration);
}

/* ------------------------------------------------------------------------------------------------------------- */

typedef struct range_case {
    assay_kind kind;
    const char *lower;
    bool above;
    const char *upper;
    bool below;
    const char *value;
    bool passes;
} range_case;

/* Macros, because constants of another enum would not have the type assay_kind. */
#define NUMBER ASSAY_KIND_NUMBER
#define INTEGER ASSAY_KIND_INTEGER
#define DATE ASSAY_KIND_DATE
#define TIME ASSAY_KIND_TIME
#define DATETIME ASSAY_KIND_DATETIME
#define YEAR ASSAY_KIND_YEAR
#define YEARMONTH ASSAY_KIND_YEARMONTH
#define DURATION ASSAY_KIND_DURATION

static const range_case ranges[] = {
    {NUMBER, "0", false, "1", false, "0", true},
    {NUMBER, "0", false, "1", false, "1.0", true},
    {NUMBER, "0", false, "1", false, "1.0000000000000000000000000000001", false},
    {NUMBER, "0", true, "1", false, "-0", false},
    {NUMBER, "0", true, "1", false, "1e-300", true},
    {NUMBER, "0", false, "1", true, "1", false},
    {NUMBER, "0", false, "1", true, "0.99999999999999999999999", true},
    {NUMBER, "0", false, "", false, "INF", true},
    {NUMBER, "0", false, "INF", true, "INF", false},
    {NUMBER, "-INF", false, "INF", false, "-inf", true},
    {NUMBER, "-INF", false, "INF", false, "NaN", false},
    {NUMBER, "", false, "", false, "NaN", true}, /* there is no bound that it could violate */
    {NUMBER, "0", false, "", false, "x", false},
    /* The largest possible bounds, and values far beyond. */
    {NUMBER, "", false, "1e999999999999999", false, "1e9223372036854775807", false},
    {NUMBER, "", false, "1e999999999999999", false, "1.1e999999999999999", false},
    {NUMBER, "", false, "1e999999999999999", false, "1000e999999999999996", true},
    {NUMBER, "1e-999999999999999", false, "", false, "1e-99999999999999999999", false},
    {NUMBER, "1e-999999999999999", false, "", false, "-1e99999999999999999999", false},
    {INTEGER, "-5", false, "5", false, "-5", true},
    {INTEGER, "-5", false, "5", false, "6", false},
    {INTEGER, "99999999999999999999", false, "", false, "100000000000000000000", true},
    {DATE, "2024-01-01", false, "2024-12-31", false, "2024-12-31", true},
    {DATE, "2024-01-01", false, "2024-12-31", false, "2025-01-01", false},
    {DATE, "2024-01-01", true, "", false, "2024-01-01", false},
    {TIME, "08:00:00", false, "17:00:00", true, "16:59:59.9999999999", true},
    {TIME, "08:00:00", false, "17:00:00", true, "17:00:00.0", false},
    {TIME, "08:00:00.5", false, "", false, "08:00:00.49", false},
    {TIME, "08:00:00.5", false, "", false, "08:00:00.50", true},
    {DATETIME, "2024-01-01T00:00:00Z", false, "", false, "2024-01-01T00:30:00+01:00", false},
    {DATETIME, "2024-01-01T00:00:00Z", false, "", false, "2024-01-01T01:00:00+01:00", true},
    {DATETIME, "2024-01-01T00:00:00Z", false, "", false, "2025-01-01T00:00:00", false}, /* no zone: not comparable */
    {DATETIME, "2024-01-01T00:00:00", false, "", false, "2025-01-01T00:00:00", true},
    {DATETIME, "2024-01-01T00:00:00", false, "", false, "2025-01-01T00:00:00Z", false},
    {YEAR, "1900", false, "2100", false, "1899", false},
    {YEAR, "1900", false, "2100", false, "2100", true},
    {YEARMONTH, "2023-12", true, "", false, "2024-01", true},
    {YEARMONTH, "2023-12", true, "", false, "2023-12", false},
    {DURATION, "P1M", false, "", false, "P30D", false}, /* ambiguous */
    {DURATION, "P1M", false, "", false, "P32D", true},
    {DURATION, "P1M", false, "P1Y", false, "P12M", true},
    {DURATION, "", false, "P1Y", true, "P12M", false},
    {DURATION, "PT0S", true, "", false, "-PT1S", false},
    {DURATION, "PT0S", true, "", false, "PT0.001S", true},
};

static void test_ranges(void)
{
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const range_case *it = &ranges[i];
        assay_type *type = type_of(it->kind);
        assay_error error = {0};
        assay_check *check = assay_check_create_range(type, (assay_bound){text_of(it->lower), it->above},
                                                      (assay_bound){text_of(it->upper), it->below}, 0, &error);
        if (!CHECK(check != NULL) ||
            !CHECK(verdict_on(check, text_of(it->value)) == (it->passes ? ASSAY_PASS : ASSAY_FAIL))) {
            fprintf(stderr, "    %s .. %s: %s %s\n", it->lower, it->upper, it->value, error.message);
        }
        assay_check_free(check);
        assay_type_free(type);
    }
}

static void test_range_refusals(void)
{
    static const struct {
        assay_kind kind;
        const char *lower;
        const char *upper;
        size_t offset;
        const char *words;
    } refusals[] = {
        {ASSAY_KIND_STRING, "a", "b", 0, "no order"},
        {ASSAY_KIND_BOOLEAN, "true", "false", 0, "no order"},
        {NUMBER, "x", "1", 0, "\"x\" is not of the type"},
        {NUMBER, "0", "1,0", 1, "\"1,0\" is not of the type"},
        {NUMBER, "NaN", "", 0, "values cannot be compared with it"},
        {NUMBER, "", "1e9223372036854775807", 1, "exponents are from -10^15 to 10^15"},
        {NUMBER, "1e-1000000000000002", "", 0, "exponents are from -10^15 to 10^15"},
        {NUMBER, "-0.1e1000000000000001", "", 0, "exponents are from -10^15 to 10^15"},
        {DATE, "2024-02-30", "", 0, "not of the type"},
        {DATETIME, "2024-01-01T00:00:00Z", "2024-01-01T00:00:00", 1, "zone"},
        {DURATION, "", "P99999999999999999Y", 1, "values cannot be compared with it"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        assay_type *type = type_of(refusals[i].kind);
        assay_error error = {0};
        assay_check *check = assay_check_create_range(type, (assay_bound){text_of(refusals[i].lower), false},
                                                      (assay_bound){text_of(refusals[i].upper), false}, 0, &error);
        CHECK(check == NULL);
        CHECK(error.status == ASSAY_BAD_DESCRIPTION);
        CHECK_EQUAL(error.offset, refusals[i].offset);
        if (!CHECK(strstr(error.message, refusals[i].words) != NULL)) fprintf(stderr, "    %s\n", error.message);
        assay_check_free(check);
        assay_type_free(type);
    }
}

/* ------------------------------------------------------------------------------------------------------------- */

/* A divisor, a value, and whether the value is a multiple of the divisor. */
typedef struct multiple_case {
    const char *divisor;
    const char *value;
    bool is_multiple;
} multiple_case;

static const multiple_case multiple_cases[] = {
    {"1", "0", true},
    {"1", "-0.0", true},
    {"1", "7", true},
    {"1", "-7.000", true},
    {"1", "7.5", false},
    {"1", "1e308", true},
    {"1", "1e99999999999999999999", true},
    {"1", "1e-99999999999999999999", false},
    {"1", "15e-1", false},
    {"1", "150e-1", true},
    {"3", "9", true},
    {"3", "10", false},
    {"3", "1e40", false},
    {"3", "111111111111111111111111111111", true},
    {"3", "111111111111111111111111111112", false},
    {"0.01", "1.15", true},
    {"0.01", "1.155", false},
    {"0.01", "1.15000", true},
    {"0.05", "1.12", false},
    {"0.05", "1.25", true},
    {"1e-8", "12391239123", true},
    {"1e-8", "0.000000015", false},
    {"0.123456789", "1e308", false},
    {"0.123456789", "0.370370367", true},
    {"1.5", "4.5", true},
    {"1.5", "4", false},
    {"120", "240", true},
    {"120", "60", false},
    {"16", "1e3", false},
    {"16", "1e4", true},
    {"4294967295", "8589934590", true},
    {"4294967295", "8589934591", false},
    {"4294967295000", "4294967295e3", true},
    {"2", "NaN", false},
    {"2", "INF", false},
    {"2", "x", false},
    {"2", "", false},
};

static void test_multiples(void)
{
    assay_type *type = type_of(ASSAY_KIND_NUMBER);
    for (size_t i = 0; i < sizeof multiple_cases / sizeof multiple_cases[0]; i++) {
        const multiple_case *one = &multiple_cases[i];
        assay_check *check = assay_check_create_multiple(type, text_of(one->divisor), NULL);
        if (!CHECK(check != NULL)) continue;
        const assay_verdict verdict = verdict_on(check, text_of(one->value));
        if (!CHECK(verdict == (one->is_multiple ? ASSAY_PASS : ASSAY_FAIL))) {
            fprintf(stderr, "    %s of %s\n", one->value, one->divisor);
        }
        assay_check_free(check);
    }
    const char *refused[] = {
        "", "0", "0.00", "-1", "x", "NaN", "INF", "4294967296", "99999999999", "1.2345678901", "1e1000000000000001"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assay_error error;
        if (!CHECK(assay_check_create_multiple(type, text_of(refused[i]), &error) == NULL)) {
            fprintf(stderr, "    %s\n", refused[i]);
        }
    }
    assay_type_free(type);
    assay_type *boolean = type_of(ASSAY_KIND_BOOLEAN);
    assay_error error;
    CHECK(assay_check_create_multiple(boolean, text_of("2"), &error) == NULL);
    assay_type_free(boolean);
}

static void test_columns(void)
{
    static const char *const words[] = {"1", "2.5", "DE",  "",    "2024-02-29", "é€😀",
                                        "x", "-7",  "NaN", "P1D", "true",       "\r\n"};
    enum { ROWS = 150 };
    uint8_t bytes[4096];
    assay_cell cells[ROWS];
    uint32_t used = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const char *word = words[(i * 7) % (sizeof words / sizeof words[0])];
        uint32_t length = (uint32_t)strlen(word);
        memcpy(bytes + used, word, length);
        cells[i] = (assay_cell){used, length};
        used += length;
    }
    assay_type *number = type_of(NUMBER);
    assay_type *string = type_of(ASSAY_KIND_STRING);
    assay_type *date = type_of(DATE);
    static const assay_text allowed[] = {T("DE"), T("x")};
    assay_check *checks[] = {
        assay_check_create_type(number, 0),
        assay_check_create_type(date, 0),
        assay_check_create_type(string, 0),
        assay_check_create_set(string, allowed, 2, NULL),
        assay_check_create_range(number, (assay_bound){TEXT("0"), false}, (assay_bound){TEXT("2"), false}, 0, NULL),
        assay_check_create_length(1, 3, ASSAY_LENGTH_SCALARS),
        assay_check_create_length(2, 4, ASSAY_LENGTH_CHARACTERS),
        assay_check_create_length(1, SIZE_MAX, ASSAY_LENGTH_UTF16),
    };
    test_random random = test_random_of(5);
    for (size_t c = 0; c < sizeof checks / sizeof checks[0]; c++) {
        for (size_t count = 0; count <= ROWS; count++) {
            uint64_t skip[3];
            for (int w = 0; w < 3; w++) {
                skip[w] = (uint64_t)test_random_below(&random, UINT32_MAX) << 32 |
                          (count % 5 == 0 ? UINT32_MAX : test_random_below(&random, UINT32_MAX));
            }
            bool with_skip = count % 3 != 0;
            uint64_t failed[4];
            uint64_t undecided[4];
            memset(failed, 0xAA, sizeof failed);
            memset(undecided, 0xAA, sizeof undecided);
            assay_check_column(checks[c], scratch, bytes, cells, count, with_skip ? skip : NULL, failed, undecided);
            for (size_t row = 0; row < assay_mask_words(count) * 64; row++) {
                assay_verdict expected = ASSAY_PASS;
                if (row < count && !(with_skip && (skip[row / 64] >> (row % 64) & 1))) {
                    expected = assay_check_value(checks[c], scratch, bytes + cells[row].start, cells[row].length);
                }
                CHECK((failed[row / 64] >> (row % 64) & 1) == (expected == ASSAY_FAIL));
                CHECK((undecided[row / 64] >> (row % 64) & 1) == (expected == ASSAY_UNDECIDED));
            }
            CHECK(failed[assay_mask_words(count)] == 0xAAAAAAAAAAAAAAAAu);
        }
        assay_check_free(checks[c]);
    }
    assay_type_free(number);
    assay_type_free(string);
    assay_type_free(date);
}

/* Dates and times in their ISO 8601 forms have failure reasons, like the built-in types. The message itself
   describes errors of the form. */
static void test_reasons_of_time(void)
{
    static const struct {
        assay_kind kind;
        const char *value, *reason;
    } cases[] = {
        {ASSAY_KIND_DATE, "2023-02-29", "leap-day"},
        {ASSAY_KIND_DATE, "1980-02-31", "day"},
        {ASSAY_KIND_DATE, "1980-13-01", "month"},
        {ASSAY_KIND_DATE, " 1980-12-01", "space-around"},
        {ASSAY_KIND_DATE, "31.02.1980", "-"},
        {ASSAY_KIND_DATE, "", "-"},
        {ASSAY_KIND_DATE, "1980-12-1", "-"},
        {ASSAY_KIND_DATE, "1980-12-01T00:00:00", "-"},
        {ASSAY_KIND_TIME, "24:00:00", "hour"},
        {ASSAY_KIND_TIME, "23:59:60", "second"},
        {ASSAY_KIND_TIME, "23:59:59\n", "line-end"},
        {ASSAY_KIND_TIME, "12:00:00Z", "-"},
        {ASSAY_KIND_TIME, " 12:00:00+01:00", "-"},
        {ASSAY_KIND_DATETIME, "2023-02-29T00:00:00", "leap-day"},
        {ASSAY_KIND_DATETIME, "2024-02-29T00:60:00Z", "minute"},
        {ASSAY_KIND_DATETIME, "2016-12-31T23:59:60Z", "second"},
        {ASSAY_KIND_DATETIME, "2024-02-29 00:00:00", "-"},
        {ASSAY_KIND_DATETIME, "2024-02-29T00:00:00+0100", "-"},
        {ASSAY_KIND_YEAR, "24 ", "-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assay_type *type = type_of(cases[i].kind);
        assay_check *check = assay_check_create_type(type, 0);
        const assay_text value = text_of(cases[i].value);
        CHECK(assay_check_has_reasons(check) == (cases[i].kind != ASSAY_KIND_YEAR));
        CHECK(verdict_on(check, value) == ASSAY_FAIL);
        const assay_failure_reason *reason = assay_check_failure_reason(check, scratch, value.bytes, value.count);
        const char *name = reason == NULL ? "-" : reason->name;
        if (!CHECK(strcmp(name, cases[i].reason) == 0)) fprintf(stderr, "    %s: %s\n", cases[i].value, name);
        const assay_cell cell = {0, (uint32_t)value.count};
        const uint64_t failed = 1;
        uint8_t found = 77;
        assay_check_failure_reasons(check, scratch, value.bytes, &cell, 1, &failed, &found);
        CHECK(found == (reason == NULL ? 0 : reason - assay_failure_reason_at(0) + 1));
        assay_check_free(check);
        assay_type_free(type);
    }
    const assay_type_description with_format = {.kind = ASSAY_KIND_DATE, .format = TEXT("%d.%m.%Y")};
    assay_type *type = assay_type_create(&with_format, NULL);
    assay_check *check = assay_check_create_type(type, 0);
    CHECK(!assay_check_has_reasons(check));
    assay_check_free(check);
    assay_type_free(type);
}

int main(void)
{
    scratch = assay_scratch_create(NULL);
    test_lengths();
    test_random_lengths();
    test_string_sets();
    test_logical_sets();
    test_ranges();
    test_range_refusals();
    test_multiples();
    test_columns();
    test_reasons_of_time();
    assay_scratch_free(scratch);
    return test_result();
}
