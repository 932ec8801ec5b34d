/* Histograms of numbers, compared with sorted numbers. */
#include "test_profile_support.h"

#include "Profile/profile_histogram.h"

#include <math.h>

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

int main(void)
{
    check_means();
    check_histogram();
    return test_result();
}
