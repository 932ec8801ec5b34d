/* Parts of the tests of profiles: random texts, and comparisons of two profiles. */
#ifndef TEST_PROFILE_SUPPORT_H
#define TEST_PROFILE_SUPPORT_H

#include "assay/profile.h"
#include "test.h"

static inline int compare_hashes(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Writes a random character, of well-formed UTF-8, and returns its length. */
static inline size_t write_character(test_random *random, uint8_t *text)
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

/* Writes a number, or sometimes another text, and returns its length of at most 30 bytes. */
static inline size_t write_number(test_random *random, char *text)
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

static inline bool same_items(const assay_profile *one, const assay_profile *other, bool shapes)
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

static inline bool same_histograms(const assay_histogram *one, const assay_histogram *other)
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

static inline bool same_texts(assay_text one, assay_text other)
{
    return one.count == other.count && (one.count == 0 || memcmp(one.bytes, other.bytes, one.count) == 0);
}

/* Whether the results of two profiles are equal, except counts, shapes and values. */
static inline void check_same_parts(const assay_profile *one, const assay_profile *other)
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
static inline void check_same(const assay_profile *one, const assay_profile *other)
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

#endif
