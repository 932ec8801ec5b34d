/* Compares profiles of columns with simple counts. Sketches must be within their stated error, and the result must
   not depend on how the rows are distributed. */
#include "assay/profile.h"
#include "test.h"

#include "Profile/profile_distinct.h"
#include "Profile/profile_histogram.h"
#include "Profile/profile_keys.h"
#include "Profile/profile_number.h"
#include "Profile/profile_numbers.h"
#include "Profile/profile_placeholder.h"
#include "Profile/profile_shape.h"
#include "Profile/profile_text.h"
#include "Profile/profile_values.h"

#include "Bytes/assay_digits.h"
#include "Columns/assay_column_view.h"
#include "Dispatch/assay_kernels.h"
#include "Types/assay_type.h"

#include <math.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Sketches
 * ------------------------------------------------------------------------------------------------------------- */

static void check_distinct(void)
{
    const uint32_t counts[] = {0, 1, 2, 10, 100, 1000, 5000, 20000, 100000, 500000, 2000000};
    for (unsigned precision = 10; precision <= 16; precision += 2) {
        const double error = 1.04 / (double)(1u << precision / 2);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            assay_distinct *one = assay_distinct_create(precision);
            assay_distinct *other = assay_distinct_create(precision);
            for (uint32_t value = 0; value < counts[i]; value++) {
                char text[32];
                const int length = snprintf(text, sizeof text, "customer-%u", value);
                const uint64_t hash = assay_profile_hash((const uint8_t *)text, (size_t)length);
                assay_distinct_add(value % 3 == 0 ? other : one, hash);
                if (value % 5 == 0) assay_distinct_add(one, hash);
            }
            assay_distinct_merge(one, other);
            const double found = assay_distinct_estimate(one);
            CHECK(fabs(found - counts[i]) <= 4 * error * counts[i] + 0.01);
            assay_distinct_free(one);
            assay_distinct_free(other);
        }
    }
}

static int compare_hashes(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Numbers as texts of several lengths: values that differ in only a few bytes must have different hashes. */
static void check_hashes(void)
{
    static const char *const forms[] = {"%07u",
                                        "%012u",
                                        "%016u",
                                        "%020u",
                                        "%028u",
                                        "https://shop.example/p/%05u",
                                        "DE-2024-0000-%07u",
                                        "A%011x",
                                        "%u",
                                        "user%u@example.org"};
    enum { COUNT = 200000 };
    uint64_t *hashes = malloc(COUNT * sizeof *hashes);
    for (size_t form = 0; form < sizeof forms / sizeof forms[0]; form++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            char text[64];
            const int length = snprintf(text, sizeof text, forms[form], i);
            hashes[i] = assay_profile_hash((const uint8_t *)text, (size_t)length);
        }
        qsort(hashes, COUNT, sizeof *hashes, compare_hashes);
        int equal = 0;
        for (uint32_t i = 1; i < COUNT; i++) equal += hashes[i] == hashes[i - 1];
        CHECK_EQUAL(equal, 0);
    }
    free(hashes);
}

/* Writes a random character, of well-formed UTF-8, and returns its length. */
static size_t write_character(test_random *random, uint8_t *text)
{
    static const char *const characters[] = {"a",
                                             "Z",
                                             "5",
                                             "-",
                                             " ",
                                             "&",
                                             "\x1F",
                                             "\x7F",
                                             "\t",
                                             "\xC2\xA0",
                                             "\xC3\xA9",
                                             "\xD8\x9C",
                                             "\xC5\x93",
                                             "\xE2\x80\x8B",
                                             "\xE6\x97\xA5",
                                             "\xEF\xBC\x8C",
                                             "\xF0\x9F\x98\x80"};
    const char *one = characters[test_random_below(random, sizeof characters / sizeof characters[0])];
    memcpy(text, one, strlen(one));
    return strlen(one);
}

/* Compares the values that each processor path collects with single calls and loops over the bytes. */
static void check_values(void)
{
    enum { LONGEST = 120 };
    static uint8_t bytes[16 + profile_group_rows * LONGEST];
    static assay_cell cells[profile_group_rows];
    static profile_values values;
    static struct {
        uint64_t classes[4];
        size_t count;
        uint8_t shape[ASSAY_SHAPE_BYTES];
    } known[4096];
    test_random random = test_random_of(21);
    size_t found = 0, compared = 0;
    for (unsigned round = 0; round < test_rounds(4000); round++) {
        uint32_t used = test_random_below(&random, 20);
        memset(bytes, (int)test_random_below(&random, 256), sizeof bytes);
        const size_t rows = 1 + test_random_below(&random, profile_group_rows);
        for (size_t row = 0; row < rows; row++) {
            cells[row].start = used;
            const uint32_t kind = test_random_below(&random, 4);
            const uint32_t many = 1 + test_random_below(&random, kind == 0 ? 29 : kind == 3 ? 70 : 20);
            for (uint32_t i = 0; i < many; i++) {
                if (test_random_below(&random, 4) == 0 && kind != 3)
                    used += (uint32_t)write_character(&random, bytes + used);
                else
                    bytes[used++] = (uint8_t) "a5-"[i % 3];
            }
            cells[row].length = used - cells[row].start;
            if (test_random_below(&random, 4) == 0) used += test_random_below(&random, 3);
        }
        uint64_t there[profile_group_rows / 64];
        for (size_t word = 0; word < profile_group_rows / 64; word++) {
            there[word] = assay_mask_rest(NULL, rows, word < assay_mask_words(rows) ? word : 0);
            if (round % 2 == 0) there[word] &= UINT64_C(0x5555555555555555) << test_random_below(&random, 2);
        }
        const assay_column_view group = {bytes, cells, rows, NULL};
        for (size_t path = 0; assay_cpu_at(path) != NULL; path++) {
            CHECK(assay_cpu_select(assay_cpu_at(path)));
            assay_kernels_current()->profile_values(&values, &group, there);
            size_t index = 0;
            for (size_t row = 0; row < rows; row++) {
                if ((there[row / 64] >> row % 64 & 1) == 0) continue;
                const uint8_t *text = bytes + cells[row].start;
                const size_t count = cells[row].length;
                const unsigned facts = values.facts[index], plain = profile_byte_facts(text, count);
                const bool is_long = cells[row].start + count < 16 || (count > 32 && (plain & profile_is_high) != 0);
                CHECK_EQUAL(values.rows[index], row);
                CHECK_EQUAL(values.hashes[index], assay_profile_hash(text, count));
                const bool has_leads = !is_long && (plain & profile_is_high) != 0;
                const unsigned leads = has_leads ? profile_lead_facts(text, count) : 0;
                if (is_long) {
                    /* Long values may have the facts of their first characters. */
                    CHECK((facts & ~(unsigned)profile_is_rare) ==
                          ((plain | profile_edge_facts(text, count) | profile_is_long) & ~(unsigned)profile_is_rare));
                    CHECK((plain & profile_is_rare & ~facts) == 0);
                } else {
                    CHECK_EQUAL(facts, plain | leads | profile_edge_facts(text, count));
                }
                if (!is_long) {
                    /* Equal classes must mean equal shapes. */
                    uint8_t shape[ASSAY_SHAPE_BYTES] = {0};
                    const uint64_t *classes = values.classes[index];
                    const size_t length = count > 32 ? 33 : count;
                    profile_write_full(text, count, true, shape);
                    const uint64_t mixed = ((classes[0] * 31 + classes[1]) * 31 + classes[2]) * 31 + classes[3];
                    const size_t slot = mixed * UINT64_C(0x9E3779B97F4A7C15) >> 52;
                    if (memcmp(known[slot].classes, classes, sizeof known[slot].classes) == 0 &&
                        known[slot].count == length) {
                        compared++;
                        CHECK(memcmp(known[slot].shape, shape, sizeof shape) == 0);
                    }
                    memcpy(known[slot].classes, classes, sizeof known[slot].classes);
                    memcpy(known[slot].shape, shape, sizeof shape);
                    known[slot].count = length;
                }
                index++;
            }
            CHECK_EQUAL(values.count, index);
            found += index;
        }
        CHECK(assay_cpu_select(NULL));
    }
    CHECK(found > 0 && compared > 0);
}

/* The facts at the edges must include all words and blanks. */
static void check_edges(void)
{
    for (size_t i = 0; assay_profile_word(i) != NULL; i++) {
        const char *word = assay_profile_word(i);
        CHECK((profile_edge_facts((const uint8_t *)word, strlen(word)) & profile_is_odd) != 0);
    }
    static const char *const padded[] = {" a", "a ", "\ta", "a\t", " ", "\t"}, *const non_records[] = {"a", "-1.5", "0",
                                                                                                       "N/A/N/A"};
    for (size_t i = 0; i < sizeof padded / sizeof padded[0]; i++) {
        CHECK_EQUAL(profile_edge_facts((const uint8_t *)padded[i], strlen(padded[i])), profile_is_padded);
    }
    for (size_t i = 0; i < sizeof non_records / sizeof non_records[0]; i++) {
        CHECK_EQUAL(profile_edge_facts((const uint8_t *)non_records[i], strlen(non_records[i])), 0);
    }
}

/* Compares the facts about values that are not ASCII with loops over the characters. */
static void check_text_facts(void)
{
    test_random random = test_random_of(26);
    for (unsigned round = 0; round < test_rounds(200000); round++) {
        uint8_t text[160];
        size_t count = 0, scalars = 0;
        const uint32_t many = 1 + test_random_below(&random, round % 4 == 0 ? 30 : 9);
        for (uint32_t i = 0; i < many; i++) count += write_character(&random, text + count);
        bool has_ascii = false, has_lead = false;
        for (size_t i = 0; i < count; i++) {
            has_ascii |= text[i] < 0x80;
            has_lead |= text[i] == 0xC2 || text[i] == 0xD8 || text[i] == 0xE2 || text[i] == 0xEF;
            scalars += (text[i] & 0xC0) != 0x80;
        }
        const profile_text_facts facts = profile_text_read(text, count);
        CHECK_EQUAL(facts.scalars, scalars);
        CHECK(facts.has_ascii == has_ascii && facts.has_rare_lead == has_lead);
    }
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Numbers of many magnitudes, or integers below 1024. */
static double next_number(test_random *random, int kind)
{
    const double full = test_random_below(random, 1024);
    if (kind == 0) return full;
    double number = (full - 300) * (1 + test_random_below(random, 1000) / 997.0);
    for (uint32_t i = test_random_below(random, 60); i > 0; i--) number *= kind == 1 ? 2.5 : 0.31;
    return number;
}

/* Means that would be wrong if intermediate sums were rounded. */
static void check_means(void)
{
    static const struct {
        size_t count;
        double numbers[4], mean;
    } cases[] = {
        {3, {1e17, 1, -1e17}, 1.0 / 3},
        {3, {-1e17, -1, 1e17}, -1.0 / 3},
        {4, {1e300, 2, -1e300, 1e-300}, 0.5},
        {2, {0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023}, 0x1.fffffffffffffp1023},
        {2, {-0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023}, 0},
        {2, {0x1p-1074, 0}, 0},                    /* half of the smallest number: to even */
        {2, {0x1p-1074, 0x1p-1073}, 0x1p-1073},    /* also to even */
        {3, {0x1p-1074, 0x1p-1074, 0}, 0x1p-1074}, /* two thirds of the smallest number */
        {2, {1, 1 + 0x1p-52}, 1},                  /* halfway between two numbers: to even */
        {2, {1 + 0x1p-52, 1 + 0x1p-51}, 1 + 0x1p-51},
        {4, {4, 0x1p-60, 0x1p-52, 0x1p-52}, 1 + 0x1p-52}, /* slightly more than half */
        {3, {3, 0x1.8p-51, 0x1p-100}, 1 + 0x1p-52},       /* also slightly more than half */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assay_histogram *histogram = assay_histogram_create();
        for (size_t k = 0; k < cases[i].count; k++) assay_histogram_add(histogram, cases[i].numbers[k], 1);
        if (!CHECK(assay_histogram_mean(histogram) == cases[i].mean)) {
            fprintf(stderr, "    case %zu: %a\n", i, assay_histogram_mean(histogram));
        }
        assay_histogram_free(histogram);
    }
}

/* Compares adding numbers together, and with counts, with adding them one by one. */
static void check_batches(void)
{
    test_random random = test_random_of(22);
    for (int round = 0; round < 200; round++) {
        double numbers[300];
        const size_t count = test_random_below(&random, 300);
        assay_histogram *one = assay_histogram_create(), *other = assay_histogram_create();
        for (size_t i = 0; i < count; i++) {
            numbers[i] = test_random_below(&random, 9) == 0 ? -0.0 : next_number(&random, round % 3);
            if (test_random_below(&random, 50) == 0) numbers[i] *= 0x1p-1070;
        }
        for (size_t i = 0; i < count; i++) CHECK(assay_histogram_add(one, numbers[i], 1) == ASSAY_OK);
        CHECK(profile_histogram_add_each(other, numbers, count / 2));
        CHECK(profile_histogram_add_each(other, numbers + count / 2, count - count / 2));
        for (size_t i = 0; i < count; i += 40) {
            for (int times = 0; times < 5; times++) CHECK(assay_histogram_add(one, numbers[i], 1) == ASSAY_OK);
            CHECK(profile_histogram_add(other, numbers[i], 5));
        }
        CHECK_EQUAL(assay_histogram_count(one), assay_histogram_count(other));
        if (count > 0) {
            CHECK(assay_histogram_minimum(one) == assay_histogram_minimum(other));
            CHECK(assay_histogram_maximum(one) == assay_histogram_maximum(other));
            CHECK(!signbit(assay_histogram_minimum(other)) || assay_histogram_minimum(other) != 0);
            CHECK(assay_histogram_mean(one) == assay_histogram_mean(other));
            for (int share = 0; share <= 100; share += 5) {
                CHECK(assay_histogram_quantile(one, share / 100.0, false) ==
                      assay_histogram_quantile(other, share / 100.0, false));
            }
        }
        assay_histogram_free(one);
        assay_histogram_free(other);
    }
    assay_histogram *many = assay_histogram_create();
    CHECK(profile_histogram_add(many, 3, UINT64_C(10000000001)));
    CHECK_EQUAL(assay_histogram_count(many), UINT64_C(10000000001));
    CHECK(assay_histogram_mean(many) == 3);
    assay_histogram_free(many);
}

/* Counts beyond 2^32, in which the high half of a count is separate. */
static void check_large_counts(void)
{
    assay_histogram *one = assay_histogram_create(), *other = assay_histogram_create();
    for (int i = 0; i < 3; i++) CHECK(assay_histogram_add(one, 3, UINT32_MAX) == ASSAY_OK);
    CHECK(assay_histogram_add(one, -700, UINT32_MAX) == ASSAY_OK);
    CHECK(profile_histogram_add(one, 700, UINT64_C(5) << 32));
    CHECK(profile_histogram_add_each(one, (const double[]){-700, 3, -700}, 3));
    const uint64_t count = UINT64_C(4) * UINT32_MAX + (UINT64_C(5) << 32) + 3;
    CHECK(assay_histogram_merge(other, one) == ASSAY_OK && assay_histogram_merge(other, one) == ASSAY_OK);
    CHECK_EQUAL(assay_histogram_count(other), 2 * count);
    for (int i = 0; i < 2; i++) {
        const assay_histogram *histogram = i == 0 ? one : other;
        uint64_t bars[2];
        assay_histogram_bars(histogram, bars, 2);
        CHECK_EQUAL(bars[0], (UINT64_C(1) << 32) * (uint64_t)(i + 1) + (uint64_t)(i + 1));
        CHECK_EQUAL(bars[0] + bars[1], count * (uint64_t)(i + 1));
        CHECK(assay_histogram_quantile(histogram, 0.1, true) == -700);
        CHECK(assay_histogram_quantile(histogram, 0.4, true) == 3);
        CHECK(assay_histogram_quantile(histogram, 0.5, true) == 700);
    }
    assay_histogram_free(one);
    assay_histogram_free(other);
}

static void check_histogram(void)
{
    test_random random = test_random_of(11);
    for (int round = 0; round < 60; round++) {
        const size_t count = 1 + test_random_below(&random, 3000);
        double *numbers = malloc(count * sizeof *numbers);
        assay_histogram *one = assay_histogram_create();
        assay_histogram *other = assay_histogram_create();
        assay_histogram *all = assay_histogram_create();
        long double sum = 0;
        for (size_t i = 0; i < count; i++) {
            numbers[i] = next_number(&random, round % 3);
            sum += numbers[i];
            CHECK(assay_histogram_add(i % 7 < 3 ? one : other, numbers[i], 1) == ASSAY_OK);
        }
        for (size_t i = count; i > 0; i--) CHECK(assay_histogram_add(all, numbers[i - 1], 1) == ASSAY_OK);
        CHECK(assay_histogram_merge(one, other) == ASSAY_OK);
        qsort(numbers, count, sizeof *numbers, compare);
        CHECK_EQUAL(assay_histogram_count(one), count);
        CHECK(assay_histogram_minimum(one) == numbers[0]);
        CHECK(assay_histogram_maximum(one) == numbers[count - 1]);
        /* Neither the order nor the distribution may change a single bit. */
        CHECK(assay_histogram_mean(one) == assay_histogram_mean(all));
        const double largest = fabs(numbers[0]) + fabs(numbers[count - 1]);
        CHECK(fabs(assay_histogram_mean(one) - (double)(sum / count)) <= 1e-12 * largest);
        for (int share = 0; share <= 100; share += 5) {
            const double found = assay_histogram_quantile(one, share / 100.0, round % 3 == 0);
            CHECK(found == assay_histogram_quantile(all, share / 100.0, round % 3 == 0));
            const double place = share / 100.0 * (double)count;
            size_t rank = (size_t)place;
            if ((double)rank < place) rank++;
            const double exact = numbers[rank == 0 ? 0 : rank - 1];
            if (round % 3 == 0) {
                CHECK(found == exact);
            } else {
                CHECK(fabs(found - exact) <= fabs(exact) / 1024);
            }
        }
        static const double shares[] = {0, 0.05, 0.05, 0.25, 0.5, 0.75, 0.95, 1};
        double quantiles[8];
        assay_histogram_quantiles(one, shares, 8, round % 3 == 0, quantiles);
        for (size_t i = 0; i < 8; i++) {
            CHECK(quantiles[i] == assay_histogram_quantile(all, shares[i], round % 3 == 0));
        }
        uint64_t bars[7];
        assay_histogram_bars(one, bars, 7);
        uint64_t total = 0;
        for (int i = 0; i < 7; i++) total += bars[i];
        CHECK_EQUAL(total, count);
        assay_histogram_free(one);
        assay_histogram_free(other);
        assay_histogram_free(all);
        free(numbers);
    }
    check_batches();
    check_large_counts();
    assay_histogram *empty = assay_histogram_create();
    CHECK(isnan(assay_histogram_mean(empty)));
    CHECK(isnan(assay_histogram_quantile(empty, 0.5, false)));
    double quantiles[2] = {1, 1};
    assay_histogram_quantiles(empty, (const double[]){0.1, 0.9}, 2, false, quantiles);
    CHECK(isnan(quantiles[0]) && isnan(quantiles[1]));
    assay_histogram_free(empty);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Numbers and shapes
 * ------------------------------------------------------------------------------------------------------------- */

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

/* Writes a number, or sometimes another text, and returns its length of at most 30 bytes. */
static size_t write_number(test_random *random, char *text)
{
    static const char *const others[] = {"n/a",        "-",   ".",   "+",    "1,5",  "1e3",  "a",
                                         "0000-00-00", "12 ", "007", "-999", "0",    "0.0",  "-9.00",
                                         "9999999999", ".5",  "5.",  "99.5", "+999", "1.2.3"};
    const uint32_t kind = test_random_below(random, 20);
    if (kind == 0) {
        return (size_t)snprintf(text, 31, "%s", others[test_random_below(random, sizeof others / sizeof others[0])]);
    }
    const char *sign = kind == 1 ? "+" : kind < 5 ? "-" : "";
    const unsigned digits = 1 + test_random_below(random, kind == 5 ? 18 : 7);
    const uint64_t number =
        ((uint64_t)test_random_below(random, UINT32_MAX) << 32 | test_random_below(random, UINT32_MAX)) %
        1000000000000000000;
    char all[32];
    snprintf(all, sizeof all, "%018llu", (unsigned long long)number);
    const unsigned after = kind % 2 == 0 ? test_random_below(random, digits + 1) : 0;
    if (after == 0) return (size_t)snprintf(text, 31, "%s%.*s", sign, (int)digits, all);
    return (size_t)snprintf(text, 31, "%s%.*s.%.*s", sign, (int)(digits - after), all, (int)after,
                            all + digits - after);
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

/* Runs of characters. */
#define RA "\xC1"
#define Ra "\xE1"
#define R9 "\xB9"
#define RU "\xD5"

static void check_shapes(void)
{
    static const struct {
        const char *value;
        unsigned level;
        const char *shape;
    } cases[] = {
        {"FR-2024-17", 0, "AA-9999-99"},
        {"FR-2024-17", 1, RA "-" R9 "-" R9},
        {"Anna Lee", 0, "Aaaa Aaa"},
        {"Anna Lee", 1, RA Ra " " RA Ra},
        {"Köln", 0, "AUaa"},
        {"山﨑 ユウキ", 1, RU " " RU},
        {"a\tb\x7f", 0, "a\3a\3"},
        {"--", 1, "--"},
        {"12345678901234567890123456789012", 0, "99999999999999999999999999999999"},
        {"123456789012345678901234567890123", 0, R9},
        {"", 0, ""},
        {"-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_", 0, "-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_\2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t shape[ASSAY_SHAPE_BYTES];
        const size_t length =
            assay_profile_write_shape((const uint8_t *)cases[i].value, strlen(cases[i].value), cases[i].level, shape);
        CHECK(length <= ASSAY_SHAPE_BYTES);
        if (!CHECK(length == strlen(cases[i].shape) && memcmp(shape, cases[i].shape, length) == 0)) {
            fprintf(stderr, "    %s at level %u: %.*s\n", cases[i].value, cases[i].level, (int)length, (char *)shape);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Columns
 * ------------------------------------------------------------------------------------------------------------- */

enum { max_rows = 6000 };

typedef struct column {
    uint8_t bytes[max_rows * 40];
    assay_cell cells[max_rows];
    size_t count;
    uint64_t skip[max_rows / 64 + 1];
    uint64_t nulls[max_rows / 64 + 1];
} column;

static void make_column(column *made, test_random *random, uint32_t different, bool is_long)
{
    made->count = test_random_below(random, max_rows);
    memset(made->skip, 0, sizeof made->skip);
    memset(made->nulls, 0, sizeof made->nulls);
    uint32_t at = 0;
    for (size_t row = 0; row < made->count; row++) {
        char text[40] = "";
        const uint32_t value = test_random_below(random, different);
        switch (test_random_below(random, 6)) {
        case 0:
            snprintf(text, sizeof text, "%u", value);
            break;
        case 1:
            snprintf(text, sizeof text, "%u.%02u", value, value % 100);
            break;
        case 2:
            snprintf(text, sizeof text, "A%u-b", value);
            break;
        case 3:
            snprintf(text, sizeof text, "%s", value % 4 == 0 ? "" : value % 4 == 1 ? "n/a" : "é x ");
            break;
        case 4:
            snprintf(text, sizeof text, "%0*u", 1 + (int)(value % 9), value);
            break;
        default:
            for (uint32_t i = 0; i < value % 30; i++) {
                text[i] = is_long ? "abAB12-_. "[test_random_below(random, 10)] : 'z';
            }
        }
        const size_t length = strlen(text);
        memcpy(made->bytes + at, text, length);
        made->cells[row] = (assay_cell){at, (uint32_t)length};
        at += (uint32_t)length;
        if (test_random_below(random, 20) == 0) made->skip[row / 64] |= UINT64_C(1) << row % 64;
        if (test_random_below(random, 30) == 0) made->nulls[row / 64] |= UINT64_C(1) << row % 64;
    }
}

/* Compares the profile with counts of each value, for which every value is compared with all earlier ones. */
static void check_plain(const column *given, const assay_profile *profile, const assay_profile_options *options)
{
    assay_profile_counts counts;
    assay_profile_get_counts(profile, &counts);
    size_t values = 0, missing = 0, different = 0, padded = 0, words = 0;
    uint64_t first_padded = UINT64_MAX;
    for (size_t row = 0; row < given->count; row++) {
        if (given->skip[row / 64] >> row % 64 & 1) continue;
        const assay_cell cell = given->cells[row];
        if (given->nulls[row / 64] >> row % 64 & 1 || cell.length == 0) {
            missing++;
            continue;
        }
        values++;
        const uint8_t *text = given->bytes + cell.start;
        if (text[0] == ' ' || text[cell.length - 1] == ' ') {
            padded++;
            if (first_padded == UINT64_MAX) first_padded = 100 + row;
        }
        words += cell.length == 3 && memcmp(text, "n/a", 3) == 0;
        bool is_new = true;
        for (size_t before = 0; before < row && is_new; before++) {
            const assay_cell other = given->cells[before];
            if ((given->skip[before / 64] | given->nulls[before / 64]) >> before % 64 & 1) continue;
            is_new = other.length != cell.length || memcmp(given->bytes + other.start, text, cell.length) != 0;
        }
        different += is_new;
    }
    CHECK_EQUAL(counts.values, values);
    CHECK_EQUAL(counts.missing, missing);
    CHECK_EQUAL(counts.padded, padded);
    CHECK_EQUAL(counts.first_padded, first_padded);
    CHECK(counts.words >= words); /* the profile also counts "-" */
    CHECK_EQUAL(counts.distinct_is_exact, different <= options->values || (options->keys > 0 && counts.key_share == 0));
    if (counts.distinct_is_exact) {
        CHECK_EQUAL((size_t)counts.distinct, different);
    } else {
        CHECK(fabs(counts.distinct - (double)different) <= 0.05 * (double)different);
    }
    if (options->keys > 0 && counts.key_share == 0) CHECK_EQUAL(counts.duplicates, values - different);
    CHECK_EQUAL(assay_histogram_count(assay_profile_lengths(profile)), values);
    uint64_t total = 0;
    for (size_t i = 0; i < assay_profile_shape_count(profile); i++) total += assay_profile_shape(profile, i).count;
    if (assay_profile_shape_level(profile) < 2) CHECK_EQUAL(total, values);
    total = 0;
    for (size_t i = 0; i < assay_profile_value_count(profile); i++) total += assay_profile_value(profile, i).count;
    if (different <= options->values) CHECK_EQUAL(total, values);
}

static void add(assay_profile *profile, const column *given, size_t first, size_t count)
{
    static uint64_t absent[max_rows / 64 + 1], words[max_rows / 64 + 1];
    const assay_profile_rows rows = {100 + first, NULL, NULL};
    CHECK(assay_profile_add(profile, given->bytes, given->cells + first, count, given->skip + first / 64,
                            given->nulls + first / 64, rows, absent, words) == ASSAY_OK);
}

static bool same_items(const assay_profile *one, const assay_profile *other, bool shapes)
{
    const size_t count = shapes ? assay_profile_shape_count(one) : assay_profile_value_count(one);
    if (count != (shapes ? assay_profile_shape_count(other) : assay_profile_value_count(other))) return false;
    for (size_t i = 0; i < count; i++) {
        const assay_profile_item item = shapes ? assay_profile_shape(one, i) : assay_profile_value(one, i);
        bool is_found = false;
        for (size_t j = 0; j < count && !is_found; j++) {
            const assay_profile_item same = shapes ? assay_profile_shape(other, j) : assay_profile_value(other, j);
            is_found = item.count == same.count && item.first_record == same.first_record &&
                       item.text.count == same.text.count &&
                       memcmp(item.text.bytes, same.text.bytes, item.text.count) == 0;
        }
        if (!is_found) return false;
    }
    return true;
}

static void check_columns(void)
{
    static column given;
    test_random random = test_random_of(5);
    const uint32_t sizes[] = {3, 50, 1000, 100000};
    for (int round = 0; round < 60; round++) {
        make_column(&given, &random, sizes[round % 4], round % 3 == 0);
        const assay_profile_options options = {.values = round % 2 ? 200 : 10000,
                                               .shapes = round % 5 ? 256 : 40,
                                               .keys = round % 3   ? 0
                                                       : round % 6 ? 100
                                                                   : 8000,
                                               .precision = 14,
                                               .decimal = '.',
                                               .group = 0};
        assay_profile *full = assay_profile_create(&options);
        add(full, &given, 0, given.count);
        CHECK(assay_profile_settle(full) == ASSAY_OK);
        check_plain(&given, full, &options);
        /* Distributes the slices to four workers, and merges these in another order. */
        assay_profile *parts[4];
        for (int i = 0; i < 4; i++) parts[i] = assay_profile_create(&options);
        for (size_t first = 0; first < given.count; first += 192) {
            const size_t rest = given.count - first;
            add(parts[test_random_below(&random, 4)], &given, first, rest < 192 ? rest : 192);
        }
        for (int i = 0; i < 3; i++) CHECK(assay_profile_merge(parts[3], parts[2 - i]) == ASSAY_OK);
        CHECK(assay_profile_settle(parts[3]) == ASSAY_OK);
        assay_profile_counts one, other;
        memset(&one, 0, sizeof one);
        memset(&other, 0, sizeof other);
        assay_profile_get_counts(full, &one);
        assay_profile_get_counts(parts[3], &other);
        CHECK(one.values == other.values && one.missing == other.missing && one.words == other.words);
        CHECK(one.integers == other.integers && one.numbers == other.numbers);
        CHECK(one.leading_zeros == other.leading_zeros && one.padded == other.padded);
        CHECK(one.first_no_number == other.first_no_number && one.first_no_integer == other.first_no_integer);
        CHECK(one.distinct == other.distinct && one.distinct_is_exact == other.distinct_is_exact);
        CHECK(one.duplicates == other.duplicates && one.key_share == other.key_share);
        CHECK_EQUAL(assay_profile_shape_level(full), assay_profile_shape_level(parts[3]));
        CHECK(same_items(full, parts[3], true));
        CHECK(same_items(full, parts[3], false));
        for (int i = 0; i < 4; i++) assay_profile_free(parts[i]);
        assay_profile_free(full);
    }
}

/* The shape of a value, character by character. */
static size_t plain_shape(const uint8_t *value, size_t count, uint8_t *shape)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t byte = value[i];
        if ((byte & 0xC0) == 0x80) continue;
        shape[length++] = byte >= 0xC0                 ? 'U'
                          : byte < 32 || byte == 127   ? 3
                          : byte >= '0' && byte <= '9' ? '9'
                          : byte >= 'A' && byte <= 'Z' ? 'A'
                          : byte >= 'a' && byte <= 'z' ? 'a'
                                                       : byte;
    }
    return length;
}

/* Compares repeated shapes, bytes next to the bounds of classes, and new shapes with the simple implementation. */
static void check_counted_shapes(void)
{
    static const char neighbors[] = "/09:@AZ[`az{ ~\x1f\x7f-\x01\xC3\xA9";
    test_random random = test_random_of(7);
    for (unsigned round = 0; round < test_rounds(3000); round++) {
        const bool has_no_runs = round % 2 == 1;
        const assay_profile_options options = {
            .values = 9, .shapes = 99, .precision = 4, .decimal = '.', .has_no_runs = has_no_runs};
        assay_profile *profile = assay_profile_create(&options);
        uint8_t bytes[40 * 48];
        assay_cell cells[40];
        uint32_t used = 0;
        const size_t length = 1 + test_random_below(&random, has_no_runs ? 40 : 32);
        for (unsigned row = 0; row < 40; row++) {
            /* Usually a copy of the previous value with one changed byte. */
            uint8_t *value = bytes + used;
            for (size_t i = 0; i < length; i++)
                value[i] = row == 0 ? (uint8_t) "aZ5-"[test_random_below(&random, 4)] : (value - length)[i];
            if (row > 0 && test_random_below(&random, 2) == 0) {
                value[test_random_below(&random, (uint32_t)length)] =
                    (uint8_t)neighbors[test_random_below(&random, sizeof neighbors - 3)];
            }
            if (length > 1 && test_random_below(&random, 16) == 0) memcpy(value + length - 2, "\xC3\xA9", 2);
            /* Replace incomplete characters. */
            for (size_t i = 0; i < length; i++) {
                if (value[i] < 0x80) continue;
                if (value[i] == 0xC3 && i + 1 < length && value[i + 1] == 0xA9)
                    i++;
                else
                    value[i] = '.';
            }
            cells[row] = (assay_cell){used, (uint32_t)length};
            used += (uint32_t)length;
        }
        const uint64_t none = 0;
        uint64_t absent = 0, words = 0;
        CHECK(assay_profile_add(profile, bytes, cells, 40, &none, NULL, (assay_profile_rows){1, NULL, NULL}, &absent,
                                &words) == ASSAY_OK);
        for (unsigned row = 0; row < 40; row++) {
            uint8_t shape[48], other[48];
            size_t count = plain_shape(bytes + cells[row].start, length, shape);
            if (count > 32) shape[32] = 2;
            count = count > 32 ? 33 : count;
            uint64_t expected = 0, found = 0;
            for (unsigned one = 0; one < 40; one++) {
                const size_t same = plain_shape(bytes + cells[one].start, length, other);
                if (same > 32) other[32] = 2;
                expected += (same > 32 ? 33 : same) == count && memcmp(shape, other, count) == 0;
            }
            for (size_t i = 0; i < assay_profile_shape_count(profile); i++) {
                const assay_profile_item item = assay_profile_shape(profile, i);
                if (item.text.count == count && memcmp(item.text.bytes, shape, count) == 0) found = item.count;
            }
            CHECK_EQUAL(found, expected);
        }
        assay_profile_free(profile);
    }
}

/* Compares the shapes of random values, at levels 0 and 1, with those of single calls. */
static void check_shapes_of_columns(void)
{
    enum { ROWS = 512, LONGEST = 52 };
    static uint8_t bytes[ROWS * LONGEST * 4];
    static assay_cell cells[ROWS];
    static uint8_t shapes[ROWS][ASSAY_SHAPE_BYTES];
    static size_t lengths[ROWS];
    test_random random = test_random_of(24);
    size_t levels[3] = {0};
    for (unsigned round = 0; round < test_rounds(800); round++) {
        uint32_t used = 0;
        for (unsigned row = 0; row < ROWS; row++) {
            cells[row].start = used;
            const uint32_t copied = row == 0 ? 0 : test_random_below(&random, row);
            if (row > 8 && test_random_below(&random, 16) != 0) {
                /* A copy, with another letter or digit at random. */
                memcpy(bytes + used, bytes + cells[copied].start, cells[copied].length);
                used += cells[copied].length;
                uint8_t *changed = bytes + cells[row].start + test_random_below(&random, cells[copied].length);
                if (*changed == 'a') *changed = 'k';
                if (*changed == '5') *changed = '0';
            } else {
                const uint32_t many = 1 + test_random_below(&random, round % 3 == 0 ? LONGEST : 20);
                const uint32_t kind = test_random_below(&random, 3);
                for (uint32_t i = 0; i < many; i++) {
                    if (kind == 0) {
                        used += (uint32_t)write_character(&random, bytes + used);
                    } else if (kind == 1) {
                        memcpy(bytes + used, "\xE6\x97\xA5", 3);
                        used += 3;
                    } else {
                        bytes[used++] = (uint8_t) "aaaa5-"[test_random_below(&random, 6)];
                    }
                }
            }
            cells[row].length = used - cells[row].start;
        }
        const assay_profile_options options = {
            .values = 9, .shapes = round % 5 == 0 ? 40 : 200, .precision = 4, .decimal = '.'};
        assay_profile *profile = assay_profile_create(&options);
        static const uint64_t none[ROWS / 64];
        uint64_t absent[ROWS / 64], words[ROWS / 64];
        for (size_t from = 0; from < ROWS; from += 128) {
            CHECK(assay_profile_add(profile, bytes, cells + from, 128, none, NULL,
                                    (assay_profile_rows){1 + from, NULL, NULL}, absent, words) == ASSAY_OK);
        }
        const unsigned level = assay_profile_shape_level(profile);
        levels[level]++;
        uint64_t total = 0;
        for (size_t i = 0; i < assay_profile_shape_count(profile); i++) total += assay_profile_shape(profile, i).count;
        CHECK_EQUAL(total, level < 2 ? ROWS : 0);
        if (level < 2) {
            for (unsigned row = 0; row < ROWS; row++) {
                lengths[row] =
                    assay_profile_write_shape(bytes + cells[row].start, cells[row].length, level, shapes[row]);
            }
            for (size_t i = 0; i < assay_profile_shape_count(profile); i++) {
                const assay_profile_item item = assay_profile_shape(profile, i);
                uint64_t count = 0, first = 0;
                for (unsigned row = 0; row < ROWS; row++) {
                    if (lengths[row] != item.text.count || memcmp(shapes[row], item.text.bytes, lengths[row]) != 0)
                        continue;
                    if (count++ == 0) first = 1 + row;
                }
                CHECK_EQUAL(item.count, count);
                CHECK_EQUAL(item.first_record, first);
            }
        }
        assay_profile_free(profile);
    }
    CHECK(levels[0] > 0 && levels[1] > 0);
}

static bool same_histograms(const assay_histogram *one, const assay_histogram *other)
{
    bool is_same = assay_histogram_count(one) == assay_histogram_count(other);
    if (!is_same || assay_histogram_count(one) == 0) return is_same;
    is_same &= assay_histogram_minimum(one) == assay_histogram_minimum(other);
    is_same &= assay_histogram_maximum(one) == assay_histogram_maximum(other);
    is_same &= assay_histogram_mean(one) == assay_histogram_mean(other);
    for (int share = 0; share <= 100; share += 4) {
        is_same &= assay_histogram_quantile(one, share / 100.0, false) ==
                   assay_histogram_quantile(other, share / 100.0, false);
    }
    return is_same;
}

static bool same_texts(assay_text one, assay_text other)
{
    return one.count == other.count && (one.count == 0 || memcmp(one.bytes, other.bytes, one.count) == 0);
}

/* Whether the results of two profiles are equal, except counts, shapes and values. */
static void check_same_parts(const assay_profile *one, const assay_profile *other)
{
    const assay_profile_anomalies *left = assay_profile_get_anomalies(one);
    const assay_profile_anomalies *right = assay_profile_get_anomalies(other);
    for (int kind = 0; kind < ASSAY_ANOMALIES; kind++) {
        CHECK_EQUAL(left->kinds[kind].values, right->kinds[kind].values);
        CHECK_EQUAL(left->kinds[kind].first_record, right->kinds[kind].first_record);
    }
    CHECK(left->max_lines == right->max_lines && left->max_lines_record == right->max_lines_record);
    const assay_profile_placeholders *these = assay_profile_get_placeholders(one);
    const assay_profile_placeholders *those = assay_profile_get_placeholders(other);
    for (size_t i = 0; i < ASSAY_PLACEHOLDER_NUMBERS; i++) {
        CHECK_EQUAL(these->numbers[i].values, those->numbers[i].values);
        CHECK_EQUAL(these->numbers[i].first_record, those->numbers[i].first_record);
    }
    CHECK(these->min_other == those->min_other && these->max_other == those->max_other);
    for (size_t i = 0; assay_profile_word(i) != NULL; i++) {
        CHECK_EQUAL(assay_profile_word_count(one, i), assay_profile_word_count(other, i));
    }
    CHECK(same_histograms(assay_profile_lengths(one), assay_profile_lengths(other)));
    CHECK(same_histograms(assay_profile_numbers(one), assay_profile_numbers(other)));
    CHECK(same_texts(assay_profile_min_integer(one), assay_profile_min_integer(other)));
    CHECK(same_texts(assay_profile_max_integer(one), assay_profile_max_integer(other)));
    CHECK_EQUAL(assay_profile_shape_level(one), assay_profile_shape_level(other));
}

/* Whether all results of two profiles are equal. */
static void check_same(const assay_profile *one, const assay_profile *other)
{
    assay_profile_counts a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    assay_profile_get_counts(one, &a);
    assay_profile_get_counts(other, &b);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    check_same_parts(one, other);
    CHECK(same_items(one, other, true));
    CHECK(same_items(one, other, false));
}

/* Compares profiles that look at repeated values once with profiles that look at each value. */
static void check_deferred(void)
{
    enum { ROWS = 1536, POOL = 400, LONGEST = 128 };
    static uint8_t bytes[64 + POOL * LONGEST];
    static assay_cell pool[POOL], cells[ROWS];
    static uint32_t row_of[ROWS];
    static uint64_t skip[ROWS / 64], nulls[ROWS / 64], non_records[ROWS / 64];
    static const char *const fixed[] = {"n/a",
                                        "-",
                                        "NULL",
                                        "007",
                                        "-999",
                                        "0",
                                        "9999",
                                        "12345678901234567890123",
                                        "1e400",
                                        "1.5",
                                        " 7",
                                        "a\nb",
                                        "&amp;",
                                        "Jos\xC3\x83\xC2\xA9",
                                        "-9007199254740993"};
    test_random random = test_random_of(25);
    size_t full = 0, deferred = 0;
    for (unsigned round = 0; round < test_rounds(2400); round++) {
        uint32_t used = test_random_below(&random, 20);
        const uint32_t different = 1 + test_random_below(&random, round % 4 == 0 ? POOL : 40);
        for (uint32_t i = 0; i < different; i++) {
            pool[i].start = used;
            const uint32_t kind = test_random_below(&random, 4);
            if (kind == 0) {
                const char *text = fixed[test_random_below(&random, sizeof fixed / sizeof fixed[0])];
                memcpy(bytes + used, text, strlen(text));
                used += (uint32_t)strlen(text);
            } else if (kind == 1) {
                used += (uint32_t)snprintf((char *)bytes + used, 32, "%u", test_random_below(&random, 1000000));
            } else if (kind == 2) {
                const uint32_t many = test_random_below(&random, 30);
                for (uint32_t k = 0; k < many; k++) used += (uint32_t)write_character(&random, bytes + used);
            } else {
                const uint32_t many = test_random_below(&random, LONGEST);
                for (uint32_t k = 0; k < many; k++) bytes[used++] = (uint8_t) "ab7"[k % 3];
            }
            pool[i].length = used - pool[i].start;
        }
        const assay_profile_options options = {.values = round % 3 == 0 ? 20 : 300,
                                               .shapes = round % 5 == 0 ? 10 : 200,
                                               .keys = round % 2 == 0 ? 50 : 0,
                                               .precision = 10,
                                               .decimal = '.',
                                               .has_no_runs = round % 7 == 0};
        assay_profile *plain = assay_profile_create(&options), *parts[3];
        for (int i = 0; i < 3; i++) parts[i] = assay_profile_create(&options);
        for (int i = 0; i < 3; i++) assay_profile_defer(parts[i]);
        for (uint32_t row = 0; row < ROWS; row++) {
            const uint32_t one = test_random_below(&random, different);
            cells[row] = pool[test_random_below(&random, 2) == 0 ? one : one % 5 % different];
            row_of[row] = row / 3;
        }
        for (size_t word = 0; word < ROWS / 64; word++) {
            skip[word] = non_records[word] = round % 2 == 0 ? UINT64_C(1) << test_random_below(&random, 64) : 0;
            /* Slices of a few rows, so that one part counts its values individually and another one does not. */
            if (round % 2 == 1 && word / 6 % 2 == 0) skip[word] = ~(UINT64_C(1) << test_random_below(&random, 64));
            nulls[word] = round % 3 == 0 ? UINT64_C(5) << test_random_below(&random, 61) : 0;
        }
        for (size_t from = 0; from < ROWS; from += 384) {
            uint64_t absent[2][6], words[2][6];
            const bool has_others = round % 4 == 2;
            const assay_profile_rows rows = {1 + from, has_others ? non_records + from / 64 : NULL,
                                             !has_others && round % 5 == 1 ? row_of : NULL};
            assay_profile *part = parts[test_random_below(&random, 3)];
            CHECK(assay_profile_add(plain, bytes, cells + from, 384, skip + from / 64, nulls + from / 64, rows,
                                    absent[0], words[0]) == ASSAY_OK);
            CHECK(assay_profile_add(part, bytes, cells + from, 384, skip + from / 64, nulls + from / 64, rows,
                                    absent[1], words[1]) == ASSAY_OK);
            CHECK(memcmp(absent[0], absent[1], sizeof absent[0]) == 0);
            CHECK(memcmp(words[0], words[1], sizeof words[0]) == 0);
            if (test_random_below(&random, 8) == 0) CHECK(assay_profile_settle(part) == ASSAY_OK);
            /* A merged profile may get more values. */
            if (test_random_below(&random, 8) == 0) {
                CHECK(assay_profile_merge(parts[0], parts[1]) == ASSAY_OK);
                assay_profile_free(parts[1]);
                parts[1] = assay_profile_create(&options);
                assay_profile_defer(parts[1]);
            }
        }
        CHECK(assay_profile_merge(parts[0], parts[1]) == ASSAY_OK);
        CHECK(assay_profile_merge(parts[2], parts[0]) == ASSAY_OK);
        CHECK(assay_profile_settle(plain) == ASSAY_OK && assay_profile_settle(parts[2]) == ASSAY_OK);
        check_same(plain, parts[2]);
        full += assay_profile_value_count(plain) == 0;
        deferred += assay_profile_value_count(plain) > 0;
        assay_profile_free(plain);
        for (int i = 0; i < 3; i++) assay_profile_free(parts[i]);
    }
    CHECK(full > 0 && deferred > 0);
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
            CHECK(assay_profile_add(plain, bytes, cells + from, 128, skip + from / 64, NULL, rows, absent, words[0]) ==
                  ASSAY_OK);
            CHECK(assay_profile_add(parts[test_random_below(&random, 2)], bytes, cells + from, 128, skip + from / 64,
                                    NULL, rows, absent, words[1]) == ASSAY_OK);
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

static void check_rows(void)
{
    /* A comment between two records; elements of lists. */
    const assay_cell cells[] = {{0, 1}, {1, 0}, {1, 2}, {3, 1}};
    const uint8_t *bytes = (const uint8_t *)"7 xy";
    const uint64_t skip = 2, non_records = 2;
    uint64_t absent = 0, words = 0;
    const assay_profile_options options = {.values = 9, .shapes = 9, .keys = 0, .precision = 10, .decimal = '.'};
    assay_profile *profile = assay_profile_create(&options);
    CHECK(assay_profile_add(profile, bytes, cells, 4, &skip, NULL, (assay_profile_rows){50, &non_records, NULL},
                            &absent, &words) == ASSAY_OK);
    assay_profile_counts counts;
    assay_profile_get_counts(profile, &counts);
    CHECK_EQUAL(counts.first_padded, 51);
    CHECK_EQUAL(absent & 15, 2);
    const uint32_t row_of[] = {0, 2, 2, 3};
    const uint64_t none = 0;
    CHECK(assay_profile_add(profile, bytes, cells, 4, &none, NULL, (assay_profile_rows){10, NULL, row_of}, &absent,
                            &words) == ASSAY_OK);
    assay_profile_get_counts(profile, &counts);
    CHECK_EQUAL(counts.first_padded, 12);
    CHECK_EQUAL(counts.missing, 1);
    assay_profile_free(profile);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Anomalies
 * ------------------------------------------------------------------------------------------------------------- */

/* Pieces of values, with the anomaly of each. */
static const struct {
    const char *text;
    unsigned length;
    int anomaly;
} pieces[] = {
    {"a", 1, -1},
    {" ", 1, -1},
    {"~", 1, -1},
    {"\t", 1, -1},
    {"\x1F", 1, ASSAY_ANOMALY_CONTROL},
    {"\x7F", 1, ASSAY_ANOMALY_CONTROL},
    {"\0", 1, ASSAY_ANOMALY_NUL},
    {"\n", 1, ASSAY_ANOMALY_LINE_BREAK},
    {"\r", 1, ASSAY_ANOMALY_LINE_BREAK},
    {"\r\n", 2, ASSAY_ANOMALY_LINE_BREAK},
    {"\xC2\x80", 2, ASSAY_ANOMALY_CONTROL},                           /* U+0080 */
    {"\xC2\x9F", 2, ASSAY_ANOMALY_CONTROL},                           /* U+009F */
    {"\xC2\xA0", 2, ASSAY_ANOMALY_NO_BREAK},                          /* U+00A0 */
    {"\xC2\xA1", 2, -1},                                              /* U+00A1 */
    {"\xC3\xA9", 2, -1},                                              /* U+00E9 */
    {"\xD8\x9B", 2, -1},                                              /* U+061B */
    {"\xD8\x9C", 2, ASSAY_ANOMALY_DIRECTION},                         /* U+061C */
    {"\xE2\x80\x86", 3, -1},                                          /* U+2006 */
    {"\xE2\x80\x87", 3, ASSAY_ANOMALY_NO_BREAK},                      /* U+2007 */
    {"\xE2\x80\x8B", 3, ASSAY_ANOMALY_ZERO_WIDTH},                    /* U+200B */
    {"\xE2\x80\x8E", 3, ASSAY_ANOMALY_DIRECTION},                     /* U+200E */
    {"\xE2\x80\x90", 3, -1},                                          /* U+2010 */
    {"\xE2\x80\xAE", 3, ASSAY_ANOMALY_DIRECTION},                     /* U+202E */
    {"\xE2\x80\xAF", 3, ASSAY_ANOMALY_NO_BREAK},                      /* U+202F */
    {"\xE2\x81\xA0", 3, ASSAY_ANOMALY_ZERO_WIDTH},                    /* U+2060 */
    {"\xE2\x81\xA9", 3, ASSAY_ANOMALY_DIRECTION},                     /* U+2069 */
    {"\xE2\x81\xAA", 3, -1},                                          /* U+206A */
    {"\xE6\x97\xA5", 3, -1},                                          /* U+65E5 */
    {"\xEF\xBB\xBF", 3, ASSAY_ANOMALY_ZERO_WIDTH},                    /* U+FEFF */
    {"\xEF\xBC\x8C", 3, -1},                                          /* U+FF0C */
    {"\xEF\xBF\xBD", 3, ASSAY_ANOMALY_REPLACEMENT},                   /* U+FFFD */
    {"\xF0\x9F\x98\x80", 4, -1},                                      /* U+1F600 */
    {"x\xE2\x80\x8D", 4, ASSAY_ANOMALY_ZERO_WIDTH},                   /* U+200D after a Latin letter */
    {"\xD9\x85\xE2\x80\x8C", 5, -1},                                  /* U+200C after an Arabic letter */
    {"\xE0\xA4\x95\xE2\x80\x8D", 6, -1},                              /* U+200D after a Devanagari letter */
    {"\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x80\x8D\xF0\x9F\x94\xA5", 13, -1}, /* a heart on fire */
    {"&", 1, -1},
    {"&amp;", 5, ASSAY_ANOMALY_ENTITY},
    {"&thetasym;", 10, ASSAY_ANOMALY_ENTITY},
    {"&thetasyms;", 11, -1},
    {"&Amp;", 5, -1},
    {"&;", 2, -1},
    {"&#;", 3, -1},
    {"&#233;", 6, ASSAY_ANOMALY_ENTITY},
    {"&#12345678;", 11, -1},
    {"&#x;", 4, -1},
    {"&#xE9;", 6, ASSAY_ANOMALY_ENTITY},
    {"&#XE9;", 6, ASSAY_ANOMALY_ENTITY},
    {"&#x110fff1;", 11, -1},
    {"&#E9;", 5, -1},
};

/* Values of random pieces, each separated by a letter, added to one profile or several that are merged. */
static void check_anomalies(void)
{
    enum { ROWS = 640, PIECES = sizeof pieces / sizeof pieces[0] };
    static uint8_t bytes[ROWS * 160];
    static assay_cell cells[ROWS];
    static const uint64_t none[ROWS / 64];
    test_random random = test_random_of(11);
    for (unsigned round = 0; round < test_rounds(100); round++) {
        uint64_t values[ASSAY_ANOMALIES] = {0}, first[ASSAY_ANOMALIES], max_lines = 0, max_record = UINT64_MAX;
        memset(first, 0xFF, sizeof first);
        uint32_t used = 0;
        for (unsigned row = 0; row < ROWS; row++) {
            cells[row].start = used;
            bool has[ASSAY_ANOMALIES] = {false};
            uint64_t lines = 1;
            const unsigned many = test_random_below(&random, 9);
            for (unsigned i = 0; i < many; i++) {
                /* Most values are plain. */
                const unsigned piece = test_random_below(&random, round % 2 == 0 || row % 8 == 0 ? PIECES : 4);
                memcpy(bytes + used, pieces[piece].text, pieces[piece].length);
                used += pieces[piece].length;
                if (pieces[piece].anomaly >= 0) has[pieces[piece].anomaly] = true;
                lines += pieces[piece].anomaly == ASSAY_ANOMALY_LINE_BREAK;
                if (test_random_below(&random, 4) != 0 || i + 1 < many) bytes[used++] = 'z';
            }
            cells[row].length = used - cells[row].start;
            for (int kind = 0; kind < ASSAY_ANOMALIES; kind++) {
                values[kind] += has[kind];
                if (has[kind] && first[kind] == UINT64_MAX) first[kind] = 7 + row;
            }
            if (lines > 1 && lines > max_lines) {
                max_lines = lines;
                max_record = 7 + row;
            }
        }
        const assay_profile_options options = {.values = 9, .shapes = 9, .precision = 4, .decimal = '.'};
        assay_profile *parts[3];
        for (int i = 0; i < 3; i++) parts[i] = assay_profile_create(&options);
        for (size_t from = 0; from < ROWS; from += 64) {
            uint64_t absent[2], words[2];
            CHECK(assay_profile_add(parts[test_random_below(&random, 3)], bytes, cells + from, 64, none, NULL,
                                    (assay_profile_rows){7 + from, NULL, NULL}, absent, words) == ASSAY_OK);
        }
        CHECK(assay_profile_merge(parts[1], parts[2]) == ASSAY_OK &&
              assay_profile_merge(parts[1], parts[0]) == ASSAY_OK);
        const assay_profile_anomalies *found = assay_profile_get_anomalies(parts[1]);
        for (int kind = 0; kind < ASSAY_ANOMALIES; kind++) {
            CHECK_EQUAL(found->kinds[kind].values, values[kind]);
            CHECK_EQUAL(found->kinds[kind].first_record, first[kind]);
        }
        CHECK_EQUAL(found->max_lines, max_lines);
        CHECK_EQUAL(found->max_lines_record, max_record);
        for (int i = 0; i < 3; i++) assay_profile_free(parts[i]);
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Times
 * ------------------------------------------------------------------------------------------------------------- */

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
                 {ASSAY_KIND_DATETIME, "%H:%M %Y%m%d"}};
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
            const uint32_t years = round % 3 == 0 ? 9999 : 100, first = round % 3 == 0 ? 0 : 1950;
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

/* ---------------------------------------------------------------------------------------------------------------
 * Keys
 * ------------------------------------------------------------------------------------------------------------- */

static profile_keys keys_of(test_random *random, size_t count, size_t max)
{
    profile_keys keys = {.max = max};
    for (size_t i = 0; i < count; i++) {
        const uint64_t high = test_random_below(random, UINT32_MAX);
        const uint64_t hash = high << 32 | test_random_below(random, UINT32_MAX);
        CHECK(profile_keys_add(&keys, &hash, 1));
    }
    return keys;
}

/* Hashes with equal low bits, equal high bits or equal differences must still have different slots. */
static void check_prepared_keys(void)
{
    static const uint64_t steps[] = {1, UINT64_C(1) << 20, UINT64_C(1) << 32, UINT64_C(1) << 44, UINT64_C(0x100000001)};
    enum { COUNT = 100000 };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        profile_keys keys = {.max = 1 << 20};
        for (uint64_t key = 1; key <= COUNT; key++) {
            const uint64_t hash = key * steps[i];
            CHECK(profile_keys_add(&keys, &hash, 1));
        }
        CHECK(profile_keys_settle(&keys));
        CHECK_EQUAL(keys.count, COUNT);
        if (!CHECK(keys.visited <= 16 * COUNT)) fprintf(stderr, "    %llu looks\n", (unsigned long long)keys.visited);
        free(keys.hashes);
    }
}

/* Merging the results of threads costs as much as adding the keys, for all sizes. */
static void check_merging_keys(void)
{
    const size_t counts[] = {10, 1000, 5000, 12000, 30000, 70000, 140000};
    const size_t number = sizeof counts / sizeof counts[0];
    test_random random = test_random_of(7);
    for (size_t i = 0; i < 2 * number * number; i++) {
        const size_t max = i % 2 == 0 ? 1 << 20 : 40000;
        profile_keys into = keys_of(&random, counts[i / 2 % number], max);
        profile_keys from = keys_of(&random, counts[i / 2 / number], max);
        const uint64_t both = into.count + from.count;
        into.visited = 0;
        CHECK(profile_keys_merge(&into, &from));
        CHECK(profile_keys_settle(&into));
        CHECK_EQUAL(profile_keys_duplicates(&into), 0);
        if (!CHECK(into.visited <= 16 * both)) {
            fprintf(stderr, "  %zu and %zu: looked at %llu places\n", counts[i / 2 % number], counts[i / 2 / number],
                    (unsigned long long)into.visited);
        }
        free(into.hashes);
        free(from.hashes);
    }
}

/* Compares with a sorted list of all hashes. Repeated and shared hashes, several parts, and more hashes than `max`. */
static void check_plain_keys(void)
{
    enum { MOST = 60000 };
    static uint64_t all[MOST], sorted[MOST];
    test_random random = test_random_of(31);
    for (unsigned round = 0; round < test_rounds(60); round++) {
        const size_t count = test_random_below(&random, round % 4 == 0 ? MOST : 3000);
        const uint32_t different = 1 + test_random_below(&random, round % 3 == 0 ? 100 : MOST);
        const uint64_t factor = round % 5 == 0 ? 1 : UINT64_C(0x9E3779B97F4A7C15);
        for (size_t i = 0; i < count; i++) all[i] = (1 + test_random_below(&random, different)) * factor;
        const size_t maxima[] = {1, 7, 700, 5000, 1 << 20};
        const size_t max = maxima[round % 5];
        profile_keys parts[3] = {{.max = max}, {.max = max}, {.max = max}};
        for (size_t first = 0; first < count;) {
            const size_t piece = 1 + test_random_below(&random, 300), rest = count - first;
            profile_keys *part = &parts[test_random_below(&random, 3)];
            CHECK(profile_keys_add(part, all + first, piece < rest ? piece : rest));
            if (test_random_below(&random, 50) == 0) CHECK(profile_keys_settle(part));
            first += piece < rest ? piece : rest;
        }
        CHECK(profile_keys_merge(&parts[1], &parts[0]) && profile_keys_merge(&parts[2], &parts[1]));
        CHECK(profile_keys_settle(&parts[2]));
        memcpy(sorted, all, count * sizeof *all);
        qsort(sorted, count, sizeof *sorted, compare_hashes);
        size_t distinct = 0, values = 0;
        unsigned zeros = 0;
        for (;; zeros++) {
            distinct = values = 0;
            for (size_t i = 0; i < count; i++) {
                const uint64_t kept = sorted[i];
                if (zeros > 0 && kept >> (64 - zeros) != 0) continue;
                values++;
                distinct += i == 0 || sorted[i] != sorted[i - 1];
            }
            if (distinct <= max) break;
        }
        CHECK_EQUAL(parts[2].zeros, zeros);
        CHECK_EQUAL(parts[2].count, distinct);
        CHECK_EQUAL(profile_keys_duplicates(&parts[2]), values - distinct);
        for (int i = 0; i < 3; i++) free(parts[i].hashes);
    }
}

int main(void)
{
    check_prepared_keys();
    check_plain_keys();
    check_merging_keys();
    check_hashes();
    check_values();
    check_edges();
    check_text_facts();
    check_distinct();
    check_means();
    check_histogram();
    check_numbers();
    check_short_numbers();
    check_number_groups();
    check_number_columns();
    check_placeholders();
    check_shapes();
    check_columns();
    check_counted_shapes();
    check_shapes_of_columns();
    check_deferred();
    check_rows();
    check_anomalies();
    check_times();
    return test_result();
}
