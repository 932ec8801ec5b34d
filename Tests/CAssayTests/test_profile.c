/* Compares profiles of columns with simple counts. Sketches must be within their stated error, and the result must
   not depend on how the rows are distributed. */
#include "assay/profile.h"
#include "test.h"

#include "Profile/profile_keys.h"
#include "Profile/profile_number.h"
#include "Profile/profile_text.h"

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
    assay_histogram *empty = assay_histogram_create();
    CHECK(isnan(assay_histogram_mean(empty)));
    CHECK(isnan(assay_histogram_quantile(empty, 0.5, false)));
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
        check_plain(&given, full, &options);
        /* Distributes the slices to four workers, and merges these in another order. */
        assay_profile *parts[4];
        for (int i = 0; i < 4; i++) parts[i] = assay_profile_create(&options);
        for (size_t first = 0; first < given.count; first += 192) {
            const size_t rest = given.count - first;
            add(parts[test_random_below(&random, 4)], &given, first, rest < 192 ? rest : 192);
        }
        for (int i = 0; i < 3; i++) CHECK(assay_profile_merge(parts[3], parts[2 - i]) == ASSAY_OK);
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
 * Keys
 * ------------------------------------------------------------------------------------------------------------- */

static profile_keys keys_of(test_random *random, size_t count, size_t max)
{
    profile_keys keys = {.max = max};
    for (size_t i = 0; i < count; i++) {
        const uint64_t high = test_random_below(random, UINT32_MAX);
        CHECK(profile_keys_add(&keys, high << 32 | test_random_below(random, UINT32_MAX)));
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
        for (uint64_t key = 1; key <= COUNT; key++) CHECK(profile_keys_add(&keys, key * steps[i]));
        CHECK_EQUAL(keys.count, COUNT);
        if (!CHECK(keys.visited <= 16 * COUNT)) fprintf(stderr, "    %llu looks\n", (unsigned long long)keys.visited);
        free(keys.slots);
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
        CHECK_EQUAL(profile_keys_duplicates(&into), 0);
        /* A table is rebuilt several times while it grows. */
        if (!CHECK(into.visited <= 16 * both)) {
            fprintf(stderr, "  %zu and %zu: looked at %llu places\n", counts[i / 2 % number], counts[i / 2 / number],
                    (unsigned long long)into.visited);
        }
        free(into.slots);
        free(from.slots);
    }
}

int main(void)
{
    check_prepared_keys();
    check_merging_keys();
    check_hashes();
    check_distinct();
    check_means();
    check_histogram();
    check_numbers();
    check_shapes();
    check_columns();
    check_counted_shapes();
    check_rows();
    check_anomalies();
    return test_result();
}
