/* The detector of duplicates, compared with sorted hashes. */
#include "test_profile_support.h"

#include "Profile/profile_keys.h"

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
    return test_result();
}
