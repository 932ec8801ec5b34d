/* The order of sorted columns: compares the pass over many values with the comparison of each pair. */
#include "Types/assay_type.h"
#include "assay/keys.h"
#include "test.h"

static assay_text text_of(const char *text) { return (assay_text){(const uint8_t *)text, strlen(text)}; }

static assay_type *must_create(assay_kind kind)
{
    const assay_type_description description = {.kind = kind};
    assay_type *type = assay_type_create(&description, NULL);
    CHECK(type != NULL);
    return type;
}

/* Values in ascending order. */
typedef struct order_case {
    assay_kind kind;
    const char *values[8];
} order_case;

static const order_case cases[] = {
    {ASSAY_KIND_STRING, {"", "10", "9", "A", "a", "aa", "b", "\xc3\xa9"}},
    {ASSAY_KIND_INTEGER, {"-100000000000000000000", "-10", "-9", "0", "7", "10", "99", "100000000000000000000"}},
    {ASSAY_KIND_NUMBER, {"-INF", "-1e1", "-0.5", "1e-400", "0.25", "1", "1e999999", "INF"}},
    {ASSAY_KIND_DATE, {"0000-01-01", "1999-12-31", "2000-01-01", "2000-02-29", "2000-03-01", NULL}},
    {ASSAY_KIND_TIME, {"00:00:00", "00:00:00.5", "00:00:00.75", "09:00:00", "23:59:59", NULL}},
    {ASSAY_KIND_DATETIME, {"2024-01-01T12:00:00+01:00", "2024-01-01T11:00:00.5Z", "2024-01-01T11:00:01Z", NULL}},
    {ASSAY_KIND_YEARMONTH, {"1999-12", "2000-01", "2000-02", NULL}},
    {ASSAY_KIND_DURATION, {"-P1D", "PT0S", "PT1M", "PT61S", "P1M", "P32D", NULL}},
};

static void test_orders(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assay_type *type = must_create(cases[i].kind);
        for (size_t j = 0; j < 8 && cases[i].values[j] != NULL; j++) {
            CHECK(assay_sorted_has_order(type, text_of(cases[i].values[j])));
            for (size_t k = 0; k < 8 && cases[i].values[k] != NULL; k++) {
                for (int descending = 0; descending < 2; descending++) {
                    for (int strict = 0; strict < 2; strict++) {
                        const assay_sort sort = {descending, strict};
                        const bool expected = j == k ? !strict : descending ? k < j : k > j;
                        CHECK(assay_sorted_follows(type, sort, text_of(cases[i].values[j]),
                                                   text_of(cases[i].values[k])) == expected);
                    }
                }
            }
        }
        assay_type_free(type);
    }
}

static void test_equal_and_unordered(void)
{
    assay_type *number = must_create(ASSAY_KIND_NUMBER);
    const assay_sort ascending = {false, false};
    CHECK(assay_sorted_follows(number, ascending, text_of("1.0"), text_of("10e-1")));
    CHECK(!assay_sorted_follows(number, (assay_sort){false, true}, text_of("1.0"), text_of("10e-1")));
    CHECK(!assay_sorted_has_order(number, text_of("NaN")));
    assay_type_free(number);
    assay_type *moment = must_create(ASSAY_KIND_DATETIME);
    for (int descending = 0; descending < 2; descending++) {
        const assay_sort sort = {descending, false};
        CHECK(!assay_sorted_follows(moment, sort, text_of("2024-01-01T12:00:00Z"), text_of("2024-01-01T12:00:00")));
        CHECK(!assay_sorted_follows(moment, sort, text_of("2024-01-01T12:00:00"), text_of("2024-01-01T12:00:00Z")));
    }
    assay_type_free(moment);
    assay_type *duration = must_create(ASSAY_KIND_DURATION);
    CHECK(!assay_sorted_follows(duration, ascending, text_of("P1M"), text_of("P30D")));
    CHECK(!assay_sorted_has_order(duration, text_of("P999999999999Y")));
    assay_type_free(duration);
}

enum { max = 40 };

/* Random numbers, with small steps. */
static void test_passes(void)
{
    test_random random = test_random_of(1);
    assay_type *type = must_create(ASSAY_KIND_NUMBER);
    for (unsigned long round = 0; round < test_rounds(20000); round++) {
        char bytes[max * 24];
        size_t ends[max];
        const size_t count = 1 + test_random_below(&random, max);
        const bool is_text = test_random_below(&random, 3) == 0;
        const assay_sort sort = {test_random_below(&random, 2), test_random_below(&random, 2)};
        long value = 500;
        for (size_t i = 0; i < count; i++) {
            const size_t start = i == 0 ? 0 : ends[i - 1];
            const long step = (long)test_random_below(&random, 4) - (test_random_below(&random, 12) == 0 ? 3 : 0);
            value += sort.descending ? -step : step;
            ends[i] = start + (size_t)snprintf(bytes + start, sizeof bytes - start, "%ld%s", value,
                                               test_random_below(&random, 2) ? ".0" : "");
        }
        const assay_type *of = is_text ? NULL : type;
        const size_t from = 1 + test_random_below(&random, (uint32_t)count);
        size_t expected = from;
        while (expected < count) {
            const size_t start = ends[expected - 1];
            const size_t before = expected == 1 ? 0 : ends[expected - 2];
            const assay_text earlier = {(const uint8_t *)bytes + before, start - before};
            const assay_text later = {(const uint8_t *)bytes + start, ends[expected] - start};
            if (!assay_sorted_follows(of, sort, earlier, later)) break;
            expected++;
        }
        CHECK_EQUAL(assay_sorted_first_break(of, sort, (const uint8_t *)bytes, ends, from, count), expected);
    }
    assay_type_free(type);
}

static void test_masks(void)
{
    static const char bytes[] = "1NaN2nanINF";
    const assay_cell cells[] = {{0, 1}, {1, 3}, {4, 1}, {5, 3}, {8, 3}};
    assay_type *number = must_create(ASSAY_KIND_NUMBER);
    uint64_t rows = 0x1e;
    assay_sorted_take_out_unordered(number, (const uint8_t *)bytes, cells, 5, &rows);
    CHECK_EQUAL(rows, 0x14);
    rows = 0x1e;
    assay_sorted_take_out_unordered(NULL, (const uint8_t *)bytes, cells, 5, &rows);
    CHECK_EQUAL(rows, 0x1e);
    assay_type_free(number);
}

/* The order of two keys as texts. */
static int order_of_keys(const assay_type *type, bool descending, const char *left, const char *right)
{
    uint8_t keys[2][64];
    const size_t counts[2] = {assay_sorted_key(type, descending, text_of(left), keys[0]),
                              assay_sorted_key(type, descending, text_of(right), keys[1])};
    CHECK(counts[0] > 0 && counts[0] <= assay_sorted_key_room(strlen(left)));
    const size_t shorter = counts[0] < counts[1] ? counts[0] : counts[1];
    const int difference = memcmp(keys[0], keys[1], shorter);
    return difference != 0 ? difference : (int)counts[0] - (int)counts[1];
}

/* Compares the order of the keys with that of the values. */
static void check_keys(const assay_type *type, const char *left, const char *right)
{
    const bool may_follow = assay_sorted_follows(type, (assay_sort){false, false}, text_of(left), text_of(right));
    const bool may_precede = assay_sorted_follows(type, (assay_sort){true, false}, text_of(left), text_of(right));
    if (!may_follow && !may_precede) return;
    const int expected = may_follow && may_precede ? 0 : may_follow ? -1 : 1;
    for (int descending = 0; descending < 2; descending++) {
        const int order = order_of_keys(type, descending, left, right);
        CHECK_EQUAL(((order > 0) - (order < 0)) * (descending ? -1 : 1), expected);
    }
}

static void test_keys_of_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].kind == ASSAY_KIND_DURATION) continue;
        assay_type *type = must_create(cases[i].kind);
        for (size_t j = 0; j < 8 && cases[i].values[j] != NULL; j++) {
            for (size_t k = 0; k < 8 && cases[i].values[k] != NULL; k++) {
                check_keys(type, cases[i].values[j], cases[i].values[k]);
            }
        }
        assay_type_free(type);
    }
    assay_type *moment = must_create(ASSAY_KIND_DATETIME);
    for (int descending = 0; descending < 2; descending++) {
        CHECK(order_of_keys(moment, descending, "2024-01-01T12:00:00Z", "2023-01-01T12:00:00") < 0);
        CHECK(order_of_keys(moment, descending, "2024-01-01T12:00:00Z", "2025-01-01T12:00:00") < 0);
    }
    assay_type_free(moment);
    assay_type *number = must_create(ASSAY_KIND_NUMBER);
    uint8_t key[32];
    CHECK_EQUAL(assay_sorted_key(number, false, text_of("NaN"), key), 0);
    assay_type_free(number);
}

/* Random values of each type, with few different characters. */
static void test_random_keys(void)
{
    static const struct {
        assay_kind kind;
        const char *characters;
    } alphabets[] = {{ASSAY_KIND_STRING, "\x01\x02\xff"},
                     {ASSAY_KIND_INTEGER, "+-0019"},
                     {ASSAY_KIND_NUMBER, "-+.0019e"},
                     {ASSAY_KIND_TIME, "0019"},
                     {ASSAY_KIND_YEAR, "0019"}};
    test_random random = test_random_of(7);
    for (size_t i = 0; i < sizeof alphabets / sizeof alphabets[0]; i++) {
        assay_type *type = must_create(alphabets[i].kind);
        const size_t letters = strlen(alphabets[i].characters);
        unsigned long compared = 0;
        for (unsigned long round = 0; round < test_rounds(60000); round++) {
            char values[2][24];
            for (int side = 0; side < 2; side++) {
                const size_t count = test_random_below(&random, 7);
                char *at = values[side];
                if (alphabets[i].kind == ASSAY_KIND_TIME) at += sprintf(at, "10:00:0%s", count % 2 ? "1." : "0.");
                for (size_t j = 0; j < count; j++) {
                    *at++ = alphabets[i].characters[test_random_below(&random, (uint32_t)letters)];
                }
                *at = 0;
            }
            if (!assay_sorted_has_order(type, text_of(values[0]))) continue;
            if (!assay_sorted_has_order(type, text_of(values[1]))) continue;
            check_keys(type, values[0], values[1]);
            compared++;
        }
        CHECK(compared > 20);
        assay_type_free(type);
    }
    /* NUL is a character of texts. */
    uint8_t keys[3][8];
    const assay_text texts[3] = {{(const uint8_t *)"a", 1}, {(const uint8_t *)"a\0", 2}, {(const uint8_t *)"a\x01", 2}};
    for (int j = 0; j < 3; j++) assay_sorted_key(NULL, false, texts[j], keys[j]);
    CHECK(memcmp(keys[0], keys[1], 4) < 0 && memcmp(keys[1], keys[2], 4) < 0);
}

int main(void)
{
    test_keys_of_cases();
    test_random_keys();
    test_orders();
    test_equal_and_unordered();
    test_passes();
    test_masks();
    return test_result();
}
