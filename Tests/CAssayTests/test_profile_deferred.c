/* Profiles that look at repeated values once, compared with those that look at each value. */
#include "test_profile_support.h"

#include "Profile/profile_rows.h"

/* A count that depends on each value and its words, and the first record of half of the values. */
typedef struct visited_rows {
    uint64_t sum, words, first_record;
} visited_rows;

static void visit_value(visited_rows *to, const uint8_t *text, size_t count, uint64_t rows, uint64_t first_record,
                        bool is_word)
{
    const uint64_t hash = assay_profile_hash(text, count);
    to->sum += rows * hash;
    to->words += is_word ? rows : 0;
    if (hash % 2 == 1 && first_record < to->first_record) to->first_record = first_record;
}

static void visit_deferred(void *context, const assay_profile_deferred *values)
{
    CHECK(values->count > 0);
    for (size_t i = 0; i < values->count; i++) {
        CHECK(values->rows[i] > 0);
        visit_value(context, values->bytes + values->cells[i].start, values->cells[i].length, values->rows[i],
                    values->first_records[i], (values->words[i / 64] >> i % 64 & 1) != 0);
    }
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
        visited_rows seen[2] = {{0, 0, UINT64_MAX}, {0, 0, UINT64_MAX}};
        for (int i = 0; i < 3; i++) {
            assay_profile_defer(parts[i]);
            assay_profile_visit_deferred(parts[i], &seen[1], visit_deferred);
        }
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
            uint64_t absent[2][6], words[2][6], later[2][6];
            const bool has_others = round % 4 == 2;
            const assay_profile_rows rows = {1 + from, has_others ? non_records + from / 64 : NULL,
                                             !has_others && round % 5 == 1 ? row_of : NULL};
            assay_profile *part = parts[test_random_below(&random, 3)];
            CHECK(assay_profile_add(plain, bytes, cells + from, 384, skip + from / 64, nulls + from / 64, rows,
                                    absent[0], words[0], later[0]) == ASSAY_OK);
            CHECK(assay_profile_add(part, bytes, cells + from, 384, skip + from / 64, nulls + from / 64, rows,
                                    absent[1], words[1], later[1]) == ASSAY_OK);
            CHECK(memcmp(absent[0], absent[1], sizeof absent[0]) == 0);
            CHECK(memcmp(words[0], words[1], sizeof words[0]) == 0);
            for (size_t row = 0; row < 384; row++) {
                const uint64_t bit = UINT64_C(1) << row % 64;
                CHECK((later[0][row / 64] & bit) == 0);
                if ((absent[0][row / 64] & bit) != 0) {
                    CHECK((later[1][row / 64] & bit) == 0);
                    continue;
                }
                const assay_cell cell = cells[from + row];
                const bool is_word = (words[0][row / 64] & bit) != 0;
                const uint64_t record = profile_record_of(&rows, row);
                visit_value(&seen[0], bytes + cell.start, cell.length, 1, record, is_word);
                if ((later[1][row / 64] & bit) != 0) continue;
                visit_value(&seen[1], bytes + cell.start, cell.length, 1, record, is_word);
            }
            if (test_random_below(&random, 8) == 0) CHECK(assay_profile_settle(part) == ASSAY_OK);
            /* A merged profile may get more values. */
            if (test_random_below(&random, 8) == 0) {
                CHECK(assay_profile_merge(parts[0], parts[1]) == ASSAY_OK);
                assay_profile_free(parts[1]);
                parts[1] = assay_profile_create(&options);
                assay_profile_defer(parts[1]);
                assay_profile_visit_deferred(parts[1], &seen[1], visit_deferred);
            }
        }
        CHECK(assay_profile_merge(parts[0], parts[1]) == ASSAY_OK);
        CHECK(assay_profile_merge(parts[2], parts[0]) == ASSAY_OK);
        CHECK(assay_profile_settle(plain) == ASSAY_OK && assay_profile_settle(parts[2]) == ASSAY_OK);
        check_same(plain, parts[2]);
        CHECK_EQUAL(seen[0].sum, seen[1].sum);
        CHECK_EQUAL(seen[0].words, seen[1].words);
        CHECK_EQUAL(seen[0].first_record, seen[1].first_record);
        full += assay_profile_value_count(plain) == 0;
        deferred += assay_profile_value_count(plain) > 0;
        assay_profile_free(plain);
        for (int i = 0; i < 3; i++) assay_profile_free(parts[i]);
    }
    CHECK(full > 0 && deferred > 0);
}

int main(void)
{
    check_deferred();
    return test_result();
}
