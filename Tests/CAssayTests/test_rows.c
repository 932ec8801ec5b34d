/* Columns of values: compares short numbers with the general parser, dates with the date parser, and comparisons and
   parts with simple loops. Tests arithmetic at its bounds. */
#include "assay/rows.h"
#include "test.h"

#include "Types/assay_calendar.h"

enum { ROWS = 1000, WORDS = (ROWS + 63) / 64 };

static assay_type *made(assay_kind kind, const char *format)
{
    assay_type_description description = {.kind = kind};
    description.format = (assay_text){(const uint8_t *)format, strlen(format)};
    description.decimal_char = description.group_char = (assay_text){(const uint8_t *)"", 0};
    assay_error error = {0};
    assay_type *type = assay_type_create(&description, &error);
    if (!CHECK(type != NULL)) exit(test_result());
    return type;
}

static bool is_set(const uint64_t *mask, size_t row) { return (mask[row / 64] >> row % 64 & 1) != 0; }

/* A column of consecutive texts. */
typedef struct text_column {
    uint8_t bytes[ROWS * 64];
    uint32_t count;
    assay_cell cells[ROWS];
    size_t rows;
} text_column;

static void add(text_column *column, const char *text)
{
    const size_t length = strlen(text);
    memcpy(column->bytes + column->count, text, length);
    column->cells[column->rows++] = (assay_cell){column->count, (uint32_t)length};
    column->count += (uint32_t)length;
}

static int64_t scaled(int64_t number, unsigned digits)
{
    for (unsigned i = 0; i < digits; i++) number *= 10;
    return number;
}

static void random_number(test_random *random, char *text)
{
    static const char *const forms[] = {"%s%d", "%s%d.%d", "%s0%d.%d0", "%s%d.%de1", "%s.%d", "%s%d.", "+%s%d.%d"};
    const char *sign = test_random_below(random, 3) == 0 ? "-" : "";
    const uint32_t form = test_random_below(random, 6);
    const int one = (int)test_random_below(random, test_random_below(random, 2) ? 1000000000 : 1000);
    snprintf(text, 64, forms[form], sign, one, (int)test_random_below(random, 1000000));
}

static void test_numbers(test_random *random)
{
    assay_type *type = made(ASSAY_KIND_NUMBER, "");
    for (int round = 0; round < 50; round++) {
        static text_column column;
        int64_t values[ROWS];
        uint8_t scales[ROWS];
        uint64_t uncomputed[WORDS] = {0}, skip[WORDS] = {0};
        column.count = 0;
        column.rows = 0;
        while (column.rows < ROWS) {
            char text[64];
            random_number(random, text);
            add(&column, text);
        }
        skip[3] = 0xF0;
        assay_row_values(type, column.bytes, column.cells, ROWS, skip, values, scales, uncomputed);
        for (size_t i = 0; i < ROWS; i++) {
            assay_row_exact exact;
            const bool is_number =
                assay_row_exact_value(type, column.bytes + column.cells[i].start, column.cells[i].length, &exact);
            if (is_set(skip, i)) {
                CHECK(values[i] == 0 && !is_set(uncomputed, i));
            } else if (CHECK(is_number && !is_set(uncomputed, i))) {
                /* Equal by value: the short form keeps trailing zeros. */
                const unsigned max = scales[i] > exact.scale ? scales[i] : (unsigned)exact.scale;
                CHECK(scaled(values[i], max - scales[i]) == scaled((int64_t)exact.low, max - (unsigned)exact.scale));
            }
        }
        const unsigned scale = assay_row_align(values, scales, ROWS, uncomputed);
        CHECK(scale <= ASSAY_ROW_MAX_SCALE);
    }
    assay_type_free(type);
}

static void test_bounds(void)
{
    assay_type *type = made(ASSAY_KIND_INTEGER, "");
    static text_column column;
    static const char *const texts[] = {"padding-padding-padding",
                                        "999999999999999999",
                                        "1000000000000000000",
                                        "-999999999999999999",
                                        "9999999999999999",
                                        "99999999999999999",
                                        "-9999999999999999",
                                        "0",
                                        "x"};
    static const int64_t expected[] = {
        0, 999999999999999999, 0, -999999999999999999, 9999999999999999, 99999999999999999, -9999999999999999, 0, 0};
    static const bool is_other[] = {true, false, true, false, false, false, false, false, true};
    const size_t rows = sizeof texts / sizeof *texts;
    for (size_t i = 0; i < rows; i++) add(&column, texts[i]);
    int64_t values[16];
    uint64_t uncomputed[1] = {0};
    assay_row_values(type, column.bytes, column.cells, rows, NULL, values, NULL, uncomputed);
    for (size_t i = 0; i < rows; i++) {
        CHECK_EQUAL(values[i], expected[i]);
        CHECK_EQUAL(is_set(uncomputed, i), is_other[i]);
    }
    assay_row_exact exact;
    CHECK(assay_row_exact_value(type, (const uint8_t *)"-18446744073709551616", 21, &exact));
    CHECK(exact.high == -1 && exact.low == 0);
    CHECK(assay_row_exact_value(type, (const uint8_t *)"99999999999999999999999999999999999999", 38, &exact));
    CHECK(exact.high == 0x4B3B4CA85A86C47A && exact.low == 0x098A223FFFFFFFFF);
    CHECK(!assay_row_exact_value(type, (const uint8_t *)"100000000000000000000000000000000000000", 39, &exact));
    assay_type_free(type);

    const int64_t left[] = {INT64_MAX, INT64_MIN, 7, INT64_MIN, -7, 1}, right[] = {1, 1, 0, -1, 2, 0};
    int64_t result[6];
    static const uint64_t expect[] = {9, 2, 8, 0x2C, 0x2C};
    for (int operator= ASSAY_ROW_ADD; operator<= ASSAY_ROW_MODULO; operator++) {
        uint64_t mask[1] = {0};
        assay_row_compute((assay_row_operator) operator, left, right, 6, result, mask);
        CHECK_EQUAL(mask[0], expect[operator]);
    }
    CHECK(result[4] == -1);
}

static void test_times(void)
{
    assay_type *date = made(ASSAY_KIND_DATE, "");
    assay_type *german = made(ASSAY_KIND_DATE, "%d.%m.%Y");
    for (int64_t year = 0; year < 10000; year += 7) {
        for (int month = 1; month <= 12; month++) {
            const int day = assay_days_in_month(year, month);
            char iso[32], other[32];
            snprintf(iso, sizeof iso, "%04d-%02d-%02d", (int)year, month, day);
            snprintf(other, sizeof other, "%02d.%02d.%04d", day, month, (int)year);
            assay_cell cell = {0, 10};
            int64_t one = 1, two = 2, part = -1;
            uint64_t uncomputed[1] = {0};
            assay_row_values(date, (const uint8_t *)iso, &cell, 1, NULL, &one, NULL, uncomputed);
            assay_row_values(german, (const uint8_t *)other, &cell, 1, NULL, &two, NULL, uncomputed);
            CHECK(one == two && uncomputed[0] == 0);
            one += 12345;
            assay_row_parts(ASSAY_ROW_YEAR, &one, 1, &part);
            CHECK_EQUAL(part, year);
            assay_row_parts(ASSAY_ROW_MONTH, &one, 1, &part);
            CHECK_EQUAL(part, month - 1);
            assay_row_parts(ASSAY_ROW_DAY, &one, 1, &part);
            CHECK_EQUAL(part, day);
            assay_row_parts(ASSAY_ROW_HOUR, &one, 1, &part);
            CHECK_EQUAL(part, 3);
        }
    }
    int64_t time = 0, part = -1;
    assay_row_parts(ASSAY_ROW_DAY_OF_WEEK, &time, 1, &part);
    CHECK_EQUAL(part, 4);
    time = -1;
    assay_row_parts(ASSAY_ROW_SECOND, &time, 1, &part);
    CHECK_EQUAL(part, 59);
    assay_type_free(date);
    assay_type_free(german);

    assay_type *datetime = made(ASSAY_KIND_DATETIME, ""), *duration = made(ASSAY_KIND_DURATION, "");
    assay_row_exact exact;
    const char *text = "2026-01-01T00:00:00.25+01:00";
    CHECK(assay_row_exact_value(datetime, (const uint8_t *)text, strlen(text), &exact));
    CHECK(exact.seconds == 1767222000 && exact.nanoseconds == 250000000);
    CHECK(assay_row_exact_value(duration, (const uint8_t *)"-PT1.5S", 7, &exact));
    CHECK(exact.seconds == -2 && exact.nanoseconds == 500000000);
    CHECK(!assay_row_exact_value(duration, (const uint8_t *)"P1M", 3, &exact));
    assay_type_free(datetime);
    assay_type_free(duration);
}

static void test_texts(test_random *random)
{
    static text_column one, other;
    one.count = other.count = 0;
    one.rows = other.rows = 0;
    for (size_t i = 0; i < ROWS; i++) {
        char left[8] = {0}, right[8] = {0};
        for (uint32_t k = test_random_below(random, 7); k > 0; k--) left[k - 1] = "ab"[test_random_below(random, 2)];
        for (uint32_t k = test_random_below(random, 4); k > 0; k--) right[k - 1] = "ab"[test_random_below(random, 2)];
        add(&one, left);
        add(&other, right);
        const assay_row_texts l = {one.bytes, one.cells + i}, r = {other.bytes, other.cells + i};
        uint64_t mask[1];
        assay_row_compare_texts(ASSAY_ROW_EQUAL, l, r, 1, mask);
        CHECK_EQUAL(mask[0], strcmp(left, right) == 0);
        assay_row_compare_texts(ASSAY_ROW_LESS, l, r, 1, mask);
        CHECK_EQUAL(mask[0], strcmp(left, right) < 0);
        assay_row_compare_texts(ASSAY_ROW_LESS_OR_EQUAL, l, r, 1, mask);
        CHECK_EQUAL(mask[0], strcmp(left, right) <= 0);
        assay_row_find(ASSAY_ROW_ANYWHERE, l, r, 1, mask);
        CHECK_EQUAL(mask[0], strstr(left, right) != NULL);
        assay_row_find(ASSAY_ROW_AT_START, l, r, 1, mask);
        CHECK_EQUAL(mask[0], strncmp(left, right, strlen(right)) == 0);
        assay_row_find(ASSAY_ROW_AT_END, l, r, 1, mask);
        CHECK_EQUAL(mask[0], strlen(right) <= strlen(left) && strcmp(left + strlen(left) - strlen(right), right) == 0);
    }
    const assay_cell cell = {0, 6};
    int64_t size = 0;
    assay_row_sizes((assay_row_texts){(const uint8_t *)"a\xC3\xBC\xE2\x82\xAC", &cell}, 1, &size);
    CHECK_EQUAL(size, 3);
}

int main(void)
{
    test_random random = test_random_of(2026);
    test_numbers(&random);
    test_bounds();
    test_times();
    test_texts(&random);
    return test_result();
}
