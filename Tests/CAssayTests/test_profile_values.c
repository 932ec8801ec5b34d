/* The values of a group and their hashes, edges and texts, and the sketch of different values. */
#include "test_profile_support.h"

#include "Profile/profile_distinct.h"
#include "Profile/profile_shape.h"
#include "Profile/profile_text.h"
#include "Profile/profile_values.h"

#include "Columns/assay_column_view.h"
#include "Dispatch/assay_kernels.h"

#include <math.h>

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

int main(void)
{
    check_hashes();
    check_values();
    check_edges();
    check_text_facts();
    check_distinct();
    return test_result();
}
