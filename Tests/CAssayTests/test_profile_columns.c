/* Profiles of columns, compared with simple counts. */
#include "test_profile_support.h"

#include <math.h>

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
                            given->nulls + first / 64, rows, absent, words, NULL) == ASSAY_OK);
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
                            &absent, &words, NULL) == ASSAY_OK);
    assay_profile_counts counts;
    assay_profile_get_counts(profile, &counts);
    CHECK_EQUAL(counts.first_padded, 51);
    CHECK_EQUAL(absent & 15, 2);
    const uint32_t row_of[] = {0, 2, 2, 3};
    const uint64_t none = 0;
    CHECK(assay_profile_add(profile, bytes, cells, 4, &none, NULL, (assay_profile_rows){10, NULL, row_of}, &absent,
                            &words, NULL) == ASSAY_OK);
    assay_profile_get_counts(profile, &counts);
    CHECK_EQUAL(counts.first_padded, 12);
    CHECK_EQUAL(counts.missing, 1);
    assay_profile_free(profile);
}

int main(void)
{
    check_columns();
    check_rows();
    return test_result();
}
