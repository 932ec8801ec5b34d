/* Masks of rows, and the two masks that a batch provides. */
#include "assay/core.h"
#include "test.h"

static void check_bits(void)
{
    CHECK_EQUAL(assay_mask_words(0), 0);
    CHECK_EQUAL(assay_mask_words(64), 1);
    CHECK_EQUAL(assay_mask_words(65), 2);
    test_random random = test_random_of(77);
    for (int round = 0; round < 5000; round++) {
        const size_t count = test_random_below(&random, 260), words = assay_mask_words(count);
        const uint32_t density = 1 + test_random_below(&random, 80);
        uint64_t mask[5] = {0}, other[5] = {0}, both[5];
        bool rows[260];
        size_t ones = 0, other_ones = 0;
        for (size_t i = 0; i < count; i++) {
            rows[i] = test_random_below(&random, density) == 0;
            bool in_other = test_random_below(&random, density * 4) == 0;
            ones += rows[i];
            other_ones += in_other;
            mask[i / 64] |= (uint64_t)rows[i] << (i % 64);
            other[i / 64] |= (uint64_t)in_other << (i % 64);
        }
        CHECK_EQUAL(assay_mask_count(mask, words), ones);
        size_t row = 0;
        for (size_t i = 0; i <= count; i++) {
            for (row = i; row < count && !rows[row]; row++) {
            }
            CHECK_EQUAL(assay_mask_next(mask, count, i), row);
        }
        CHECK_EQUAL(assay_mask_next(mask, count, count + 70), count);
        memcpy(both, mask, sizeof both);
        CHECK_EQUAL(assay_mask_merge(both, other, words), other_ones > 0);
        for (size_t i = 0; i < words; i++) CHECK(both[i] == (mask[i] | other[i]));
    }
}

/* Rows by kind: f(ine), n(umber of fields), s(hort by one), # a comment, q(uote), e(ncoding), b(oth quote and
   encoding), t(railing delimiter), T: more than a trailing delimiter. */
static void check_batch_masks(void)
{
    static const char kinds[] = "fnqebs#tT";
    const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true, .comment = '#'};
    assay_dialect trailing = dialect;
    trailing.trailing_delimiter = true;
    const assay_record_limits limits = {1000, 1000};
    assay_batch *batch = assay_batch_create();
    test_random random = test_random_of(99);
    for (int round = 0; round < 3000; round++) {
        const uint32_t rows = test_random_below(&random, 150);
        const uint32_t rarity = 9 + test_random_below(&random, 60);
        char row_kinds[150], text[150 * 16] = "";
        size_t count = 0;
        for (uint32_t i = 0; i < rows; i++) {
            const uint32_t kind = test_random_below(&random, rarity);
            row_kinds[i] = kind < 9 ? kinds[kind] : 'f';
            const char *row = "\xC3\xA9,b\n";
            if (row_kinds[i] == 'n') row = "a,b,c\n";
            if (row_kinds[i] == 's') row = "a\n";
            if (row_kinds[i] == 't') row = test_random_below(&random, 2) ? "a,b,\n" : ",,\r\n";
            if (row_kinds[i] == 'T') row = test_random_below(&random, 2) ? "a,b,,\n" : "a,b,\"\"\n";
            if (row_kinds[i] == '#') row = "#a,b\n";
            if (row_kinds[i] == 'q') row = "a,\"b\"c\n";
            if (row_kinds[i] == 'e') row = test_random_below(&random, 2) ? "a,\xC3\n" : "\x80,\xFF\n";
            if (row_kinds[i] == 'b') row = "\"a\"\xE2\x82,b\n";
            memcpy(text + count, row, strlen(row));
            count += strlen(row);
        }
        /* The last record may end inside a character. */
        if (rows > 0 && row_kinds[rows - 1] == 'e' && text[count - 2] == '\xC3') count--;
        const uint8_t *bytes = (const uint8_t *)text;
        assay_scan(batch, &dialect, &limits, bytes, count, UINT32_MAX, true, false);
        if (!CHECK_EQUAL(batch->record_count, rows)) continue;
        const uint32_t first = test_random_below(&random, rows + 1),
                       some = test_random_below(&random, rows - first + 1);
        uint64_t structure[3] = {0}, number[3] = {0}, at_least[3] = {0}, trailed[3] = {0}, encoding[3] = {0};
        size_t structure_ones = assay_batch_mask_structure(batch, &dialect, first, some, 0, false, structure);
        size_t number_ones = assay_batch_mask_structure(batch, &dialect, first, some, 2, false, number);
        size_t at_least_ones = assay_batch_mask_structure(batch, &dialect, first, some, 2, true, at_least);
        size_t trailed_ones = assay_batch_mask_structure(batch, &trailing, first, some, 2, false, trailed);
        size_t encoding_ones = assay_batch_mask_encoding(batch, bytes, first, some, encoding);
        for (uint32_t i = 0; i < 192; i++) {
            const char kind = i < some ? row_kinds[first + i] : 'f';
            const bool is_odd = kind == 'q' || kind == 'b' || kind == '#';
            CHECK_EQUAL(structure[i / 64] >> (i % 64) & 1, is_odd);
            CHECK_EQUAL(number[i / 64] >> (i % 64) & 1, is_odd || strchr("nstT", kind) != NULL);
            CHECK_EQUAL(trailed[i / 64] >> (i % 64) & 1, is_odd || strchr("nsT", kind) != NULL);
            CHECK_EQUAL(at_least[i / 64] >> (i % 64) & 1, is_odd || kind == 's');
            CHECK_EQUAL(encoding[i / 64] >> (i % 64) & 1, kind == 'e' || kind == 'b');
        }
        CHECK_EQUAL(structure_ones, assay_mask_count(structure, 3));
        CHECK_EQUAL(number_ones, assay_mask_count(number, 3));
        CHECK_EQUAL(at_least_ones, assay_mask_count(at_least, 3));
        CHECK_EQUAL(trailed_ones, assay_mask_count(trailed, 3));
        CHECK_EQUAL(encoding_ones, assay_mask_count(encoding, 3));
        /* The function counts only bits that were 0. */
        size_t more = assay_batch_mask_encoding(batch, bytes, first, some, number);
        CHECK_EQUAL(number_ones + more, assay_mask_count(number, 3));
        CHECK_EQUAL(assay_batch_mask_structure(batch, &dialect, first, some, 2, false, number), 0);
    }
    assay_batch_free(batch);
}

int main(void)
{
    check_bits();
    check_batch_masks();
    return test_result();
}
