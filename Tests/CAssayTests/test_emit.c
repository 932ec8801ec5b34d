/* Outputs: each record is copied to one output, completely and in order. */
#include "assay/core.h"
#include "test.h"

static void check_round(test_random *random, assay_batch *batch)
{
    const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true};
    const assay_record_limits limits = {1000, 1000};
    const uint32_t rows = test_random_below(random, 300);
    const uint32_t rarity = 1 + test_random_below(random, 100);
    enum { BEFORE = 64 };
    uint8_t memory[BEFORE + 300 * 12];
    uint8_t *const text = memory + BEFORE;
    size_t count = 0;
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t length = test_random_below(random, 10);
        for (uint32_t k = 0; k < length; k++) text[count++] = (uint8_t)('a' + i % 26);
        text[count++] = '\n';
    }
    assay_scan(batch, &dialect, &limits, text, count, UINT32_MAX, true, false);
    if (!CHECK_EQUAL(batch->record_count, rows)) return;

    const uint32_t first = test_random_below(random, rows + 1), some = test_random_below(random, rows - first + 1);
    uint64_t rejects[5] = {0}, drops[5] = {0};
    const bool has_drops = test_random_below(random, 2) == 0;
    uint8_t expected[2][sizeof memory], found[2][sizeof memory];
    size_t expected_count[2] = {0, 0}, found_count[2] = {1, 1};
    for (uint32_t i = 0; i < some; i++) {
        const assay_record *record = &batch->records[first + i];
        const size_t side = test_random_below(random, rarity) == 0;
        if (side == 0 && has_drops && test_random_below(random, rarity) == 0) {
            drops[i / 64] |= (uint64_t)1 << (i % 64);
            continue;
        }
        rejects[i / 64] |= (uint64_t)side << (i % 64);
        memcpy(expected[side] + expected_count[side], text + record->start, record->end - record->start);
        expected_count[side] += record->end - record->start;
    }
    const bool in_place = test_random_below(random, 2) == 0;
    uint8_t *const clean = in_place ? text - test_random_below(random, BEFORE + 1) : found[0];
    assay_emit_records(batch, text, first, some, rejects, has_drops ? drops : NULL, clean, &found_count[0], found[1],
                       &found_count[1]);
    for (int side = 0; side < 2; side++) {
        CHECK_EQUAL(found_count[side], expected_count[side]);
        CHECK(found_count[side] == expected_count[side] &&
              memcmp(side == 0 ? clean : found[1], expected[side], expected_count[side]) == 0);
    }
}

/* The bit of a comment selects its output, as for a record. */
static void check_comments(assay_batch *batch)
{
    const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true, .comment = '#'};
    const assay_record_limits limits = {1000, 1000};
    const char text[] = "#a\nb\n#c\r\nd\n#e";
    const uint64_t rejects = 1 << 1 | 1 << 2;
    uint8_t clean[sizeof text], rejected[sizeof text];
    size_t clean_count, rejected_count;
    assay_scan(batch, &dialect, &limits, (const uint8_t *)text, strlen(text), UINT32_MAX, true, false);
    CHECK_EQUAL(batch->record_count, 5);
    CHECK_EQUAL(batch->comment_count, 3);
    CHECK_EQUAL(assay_batch_comments_before(batch, 3), 2);
    assay_emit_records(batch, (const uint8_t *)text, 0, 5, &rejects, NULL, clean, &clean_count, rejected,
                       &rejected_count);
    CHECK(clean_count == 7 && memcmp(clean, "#a\nd\n#e", 7) == 0);
    CHECK(rejected_count == 6 && memcmp(rejected, "b\n#c\r\n", 6) == 0);
    uint64_t blank = 1;
    CHECK_EQUAL(assay_batch_mask_blank_lines(batch, (const uint8_t *)text, &blank), 0);
    CHECK_EQUAL(blank, 0);
}

/* Kept blank lines count as comments, but a Ctrl-Z does not. */
static void check_blank_lines(assay_batch *batch)
{
    const assay_dialect dialect = {.delimiter = ',', .comment = '#', .end_mark = true, .blank_lines = ASSAY_BLANK_KEPT};
    const assay_record_limits limits = {1000, 1000};
    const char text[] = "\na\n\r\n#c\n\n\x1A";
    uint64_t blank = 0;
    assay_scan(batch, &dialect, &limits, (const uint8_t *)text, strlen(text), UINT32_MAX, true, false);
    CHECK_EQUAL(batch->record_count, 6);
    CHECK_EQUAL(batch->comment_count, 5);
    CHECK_EQUAL(assay_batch_mask_blank_lines(batch, (const uint8_t *)text, &blank), 3);
    CHECK_EQUAL(blank, 1 | 1 << 2 | 1 << 4);
}

int main(void)
{
    test_random random = test_random_of(5);
    assay_batch *batch = assay_batch_create();
    for (int round = 0; round < 5000; round++) check_round(&random, batch);
    check_comments(batch);
    check_blank_lines(batch);
    assay_batch_free(batch);
    CHECK(strcmp(assay_version(), ASSAY_VERSION) == 0);
    return test_result();
}
