/* Numbers, compared with the general reader, and columns that are added in groups. */
#include "test_profile_support.h"

#include "Profile/profile_number.h"
#include "Profile/profile_numbers.h"
#include "Profile/profile_placeholder.h"
#include "Profile/profile_shape.h"

#include "Bytes/assay_digits.h"
#include "Columns/assay_column_view.h"
#include "Dispatch/assay_kernels.h"

#include <math.h>

static void check_numbers(void)
{
    static const struct {
        const char *text;
        char decimal, group;
        profile_number_kind kind;
        double value;
        bool has_leading_zero;
    } cases[] = {
        {"0", '.', 0, PROFILE_INTEGER, 0, false},
        {"7", '.', 0, PROFILE_INTEGER, 7, false},
        {"-17", '.', 0, PROFILE_INTEGER, -17, false},
        {"+3", '.', 0, PROFILE_INTEGER, 3, false},
        {"007", '.', 0, PROFILE_INTEGER, 7, true},
        {"00", '.', 0, PROFILE_INTEGER, 0, true},
        {"1.5", '.', 0, PROFILE_NUMBER, 1.5, false},
        {".5", '.', 0, PROFILE_NUMBER, 0.5, false},
        {"5.", '.', 0, PROFILE_NUMBER, 5, false},
        {"0.1", '.', 0, PROFILE_NUMBER, 0.1, false},
        {"-2.5e3", '.', 0, PROFILE_NUMBER, -2500, false},
        {"1E-7", '.', 0, PROFILE_NUMBER, 1e-7, false},
        {"123456789012345678901234567890", '.', 0, PROFILE_INTEGER, 123456789012345678901234567890.0, false},
        {"9007199254740993", '.', 0, PROFILE_INTEGER, 9007199254740992, false},
        {"0.000000000000000000000000000001234", '.', 0, PROFILE_NUMBER, 1.234e-30, false},
        {"1e308", '.', 0, PROFILE_NUMBER, 1e308, false},
        {"1,5", ',', 0, PROFILE_NUMBER, 1.5, false},
        {"1,234", '.', ',', PROFILE_INTEGER, 1234, false},
        {"1,234,567.5", '.', ',', PROFILE_NUMBER, 1234567.5, false},
        {"1.234,5", ',', '.', PROFILE_NUMBER, 1234.5, false},
        {"12,34", '.', ',', PROFILE_NO_NUMBER, 0, false},
        {"1234,567", '.', ',', PROFILE_NO_NUMBER, 0, false},
        {",123", '.', ',', PROFILE_NO_NUMBER, 0, false},
        {"1,234,", '.', ',', PROFILE_NO_NUMBER, 0, false},
        {"", '.', 0, PROFILE_NO_NUMBER, 0, false},
        {"-", '.', 0, PROFILE_NO_NUMBER, 0, false},
        {".", '.', 0, PROFILE_NO_NUMBER, 0, false},
        {"1e", '.', 0, PROFILE_NO_NUMBER, 0, false},
        {"1e+", '.', 0, PROFILE_NO_NUMBER, 0, false},
        {"1.2.3", '.', 0, PROFILE_NO_NUMBER, 0, false},
        {"7 ", '.', 0, PROFILE_NO_NUMBER, 0, false},
        {"0x10", '.', 0, PROFILE_NO_NUMBER, 0, false},
        {"1-2", '.', 0, PROFILE_NO_NUMBER, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double number = 0;
        bool has_leading_zero = false;
        const profile_number_kind kind =
            profile_read_number((const uint8_t *)cases[i].text, strlen(cases[i].text), (uint8_t)cases[i].decimal,
                                (uint8_t)cases[i].group, &number, &has_leading_zero);
        if (!CHECK(kind == cases[i].kind)) fprintf(stderr, "    %s\n", cases[i].text);
        if (kind == PROFILE_NO_NUMBER) continue;
        if (!CHECK(number == cases[i].value)) fprintf(stderr, "    %s: %.17g\n", cases[i].text, number);
        if (kind == PROFILE_INTEGER) CHECK(has_leading_zero == cases[i].has_leading_zero);
    }
}

/* Compares numbers that are read as words with the general reader. */
static void check_short_numbers(void)
{
    test_random random = test_random_of(23);
    static uint8_t forms[2][profile_number_forms][20];
    size_t found = 0, full = 0;
    for (unsigned round = 0; round < test_rounds(2000000); round++) {
        uint8_t text[64];
        static const char alphabets[][20] = {"0123456789", "0123456789.", "019.", "0123456789.-+e,", "/:.09- "};
        const char *alphabet = alphabets[test_random_below(&random, 5)];
        const uint32_t letters = (uint32_t)strlen(alphabet);
        for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)alphabet[test_random_below(&random, letters)];
        const size_t count = 1 + test_random_below(&random, 19), start = test_random_below(&random, 24);
        if (test_random_below(&random, 3) == 0) text[start] = round % 2 == 0 ? '-' : '+';
        const uint8_t decimal = round % 4 == 0 ? ',' : '.', group = round % 3 == 0 ? (decimal == '.' ? ',' : '.') : 0;
        double expected = 0;
        bool expected_zero = false;
        profile_short_number number;
        const bool is_short =
            profile_read_short_number(text + start, count, start + count, decimal, round % 2 == 0, &number);
        const profile_number_kind known =
            profile_read_number(text + start, count, decimal, group, &expected, &expected_zero);
        const bool has_sign = text[start] == '-' || text[start] == '+';
        size_t digits = has_sign;
        while (digits < count && text[start + digits] >= '0' && text[start + digits] <= '9') digits++;
        const size_t read = digits - has_sign;
        if (ASSAY_HAS_DIGIT_WORDS && digits == count && read > 0 && read < 16 && start + count >= 16) {
            full++;
            CHECK(is_short && number.is_integer);
        }
        if (!is_short) continue;
        found++;
        if (!CHECK((number.is_integer ? PROFILE_INTEGER : PROFILE_NUMBER) == known && number.value == expected &&
                   number.has_leading_zero == expected_zero)) {
            fprintf(stderr, "    %.*s: %.17g, expected %.17g\n", (int)count, (const char *)text + start, number.value,
                    expected);
        }
        CHECK(number.may_be_placeholder || !profile_may_be_placeholder(number.value));
        /* Equal forms must mean equal shapes. */
        uint8_t shape[ASSAY_SHAPE_BYTES];
        const size_t length = assay_profile_write_shape(text + start, count, 0, shape);
        CHECK(number.form < profile_number_forms && length <= 17);
        uint8_t *form = forms[decimal == ','][number.form];
        if (form[0] == 0) {
            form[0] = (uint8_t)length;
            memcpy(form + 1, shape, length);
        }
        CHECK(form[0] == length && memcmp(form + 1, shape, length) == 0);
    }
    CHECK(!ASSAY_HAS_DIGIT_WORDS || (found > full && full > 0));
}

/* Compares the numbers that each processor path reads with single ones. */
static void check_number_groups(void)
{
    static uint8_t bytes[32 * profile_group_rows];
    static assay_cell cells[profile_group_rows];
    static profile_numbers numbers;
    test_random random = test_random_of(41);
    size_t found = 0;
    for (unsigned round = 0; round < test_rounds(2000); round++) {
        const uint8_t decimal = round % 8 == 0 ? ',' : '.';
        const size_t rows = 1 + test_random_below(&random, profile_group_rows);
        uint32_t used = 0;
        for (size_t row = 0; row < rows; row++) {
            const size_t count = write_number(&random, (char *)bytes + used);
            cells[row] = (assay_cell){used, (uint32_t)count};
            used += (uint32_t)count;
        }
        uint64_t there[profile_group_rows / 64] = {0};
        for (size_t row = 0; row < rows; row++) {
            if (test_random_below(&random, 9) > 0) there[row / 64] |= UINT64_C(1) << row % 64;
        }
        const assay_column_view group = {bytes, cells, rows, NULL};
        for (size_t path = 0; assay_cpu_at(path) != NULL; path++) {
            CHECK(assay_cpu_select(assay_cpu_at(path)));
            uint64_t rest[profile_group_rows / 64];
            memcpy(rest, there, sizeof rest);
            assay_kernels_current()->profile_numbers(&numbers, &group, rest, decimal);
            size_t index = 0, leading_zeros = 0;
            for (size_t row = 0; row < rows; row++) {
                const uint64_t bit = UINT64_C(1) << row % 64;
                if ((there[row / 64] & bit) == 0) {
                    CHECK((rest[row / 64] & bit) == 0);
                    continue;
                }
                const uint8_t *text = bytes + cells[row].start;
                const size_t count = cells[row].length, end = cells[row].start + count;
                profile_short_number number;
                const bool is_number =
                    count <= 16 && end >= 16 && profile_read_short_number(text, count, end, decimal, true, &number);
                CHECK(((rest[row / 64] & bit) == 0) == is_number);
                if (!is_number) continue;
                CHECK_EQUAL(numbers.rows[index], row);
                CHECK_EQUAL(numbers.forms[index], number.form);
                CHECK_EQUAL(numbers.hashes[index], assay_profile_hash(text, count));
                CHECK(numbers.is_rare[index] || !profile_may_be_placeholder(number.value));
                CHECK_EQUAL(profile_form_length(number.form), count);
                CHECK_EQUAL(profile_form_fraction(number.form) == 0, number.is_integer);
                CHECK(memcmp(&numbers.values[index], &number.value, sizeof number.value) == 0);
                leading_zeros += number.has_leading_zero;
                index++;
            }
            CHECK_EQUAL(numbers.count, index);
            CHECK_EQUAL(numbers.leading_zeros, leading_zeros);
            found += index;
        }
        CHECK(assay_cpu_select(NULL));
    }
    CHECK(!ASSAY_HAS_DIGIT_WORDS || found > 0);
}

/* The filter before the comparison with all placeholders must accept each. */
static void check_placeholders(void)
{
    assay_profile_placeholders found;
    profile_placeholders_begin(&found);
    for (size_t i = 0; i < ASSAY_PLACEHOLDER_NUMBERS; i++) {
        profile_placeholders_add(&found, assay_profile_placeholder_number(i), i + 1, 7);
        CHECK_EQUAL(found.numbers[i].values, i + 1);
        CHECK_EQUAL(found.numbers[i].first_record, 7);
    }
    CHECK(found.min_other > found.max_other);
    static const double non_records[] = {-100000, -98, -8, -2, 1, 9, 99, 199, 998, 999.5, 99999999999, 1e300, -1e300};
    for (size_t i = 0; i < sizeof non_records / sizeof non_records[0]; i++) {
        profile_placeholders_begin(&found);
        profile_placeholders_add(&found, non_records[i], 3, 7);
        CHECK(found.min_other == non_records[i] && found.max_other == non_records[i]);
    }
}

/* Compares columns of numbers that are added in groups with columns whose values are counted individually. */
static void check_number_columns(void)
{
    enum { ROWS = 2048 };
    static uint8_t bytes[32 * ROWS];
    static assay_cell cells[ROWS];
    static uint64_t skip[ROWS / 64], absent[ROWS / 64], words[2][ROWS / 64], non_records[ROWS / 64];
    test_random random = test_random_of(42);
    for (unsigned round = 0; round < test_rounds(300); round++) {
        uint32_t used = 0;
        for (size_t row = 0; row < ROWS; row++) {
            const size_t count = write_number(&random, (char *)bytes + used);
            cells[row] = (assay_cell){used, (uint32_t)count};
            used += (uint32_t)count;
        }
        for (size_t word = 0; word < ROWS / 64; word++) {
            skip[word] = test_random_below(&random, 2) == 0 ? 0 : UINT64_C(1) << test_random_below(&random, 64);
            non_records[word] = skip[word];
        }
        assay_profile_options options = {.values = ROWS,
                                         .shapes = round % 5 == 0 ? 12 : 256,
                                         .keys = round % 2 == 0 ? 100 : 0,
                                         .precision = 10,
                                         .decimal = '.',
                                         .has_no_runs = round % 7 == 0};
        assay_profile *plain = assay_profile_create(&options);
        options.values = 16;
        assay_profile *parts[2] = {assay_profile_create(&options), assay_profile_create(&options)};
        assay_profile_defer(parts[0]);
        for (size_t from = 0; from < ROWS; from += 128) {
            const assay_profile_rows rows = {1 + from, round % 3 == 0 ? non_records + from / 64 : NULL, NULL};
            CHECK(assay_profile_add(plain, bytes, cells + from, 128, skip + from / 64, NULL, rows, absent, words[0],
                                    NULL) == ASSAY_OK);
            CHECK(assay_profile_add(parts[test_random_below(&random, 2)], bytes, cells + from, 128, skip + from / 64,
                                    NULL, rows, absent, words[1], NULL) == ASSAY_OK);
            CHECK(memcmp(words[0], words[1], 2 * sizeof words[0][0]) == 0);
        }
        CHECK(assay_profile_merge(parts[0], parts[1]) == ASSAY_OK);
        CHECK(assay_profile_settle(plain) == ASSAY_OK && assay_profile_settle(parts[0]) == ASSAY_OK);
        assay_profile_counts a, b;
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        assay_profile_get_counts(plain, &a);
        assay_profile_get_counts(parts[0], &b);
        CHECK(options.keys > 0 || fabs(a.distinct - b.distinct) <= 0.2 * a.distinct);
        a.distinct = b.distinct = 0;
        a.distinct_is_exact = b.distinct_is_exact = false;
        CHECK(memcmp(&a, &b, sizeof a) == 0);
        check_same_parts(plain, parts[0]);
        CHECK(same_items(plain, parts[0], true));
        assay_profile_free(plain);
        for (int i = 0; i < 2; i++) assay_profile_free(parts[i]);
    }
}

int main(void)
{
    check_numbers();
    check_short_numbers();
    check_number_groups();
    check_number_columns();
    check_placeholders();
    return test_result();
}
