/* The plain and the fast scanner on random text: both must return the same batch, and must not lose a byte. */
#include "test_scan_support.h"

enum { text_bytes = 700 };

/* Some non-ASCII characters, rarely with a changed byte. */
static size_t add_characters(test_random *random, uint8_t *text)
{
    static const char *const characters[] = {"é", "ж", "日", "€", "😀", "\xED\x9F\xBF"};
    size_t count = 0;
    for (uint32_t left = 1 + test_random_below(random, 6); left > 0; left--) {
        const char *character = characters[test_random_below(random, 6)];
        memcpy(text + count, character, strlen(character));
        count += strlen(character);
    }
    if (test_random_below(random, 8) == 0) {
        text[test_random_below(random, (uint32_t)count)] =
            (uint8_t) "a\x80\xC3\xE2\xF0\xED\xBF\n"[test_random_below(random, 8)];
    }
    return count;
}

/* Mostly well-formed records, so that most blocks take the fast path. */
static size_t make_csv(test_random *random, uint8_t *text)
{
    size_t count = 0;
    const size_t target = test_random_below(random, text_bytes - 250);
    const uint32_t oddness = test_random_below(random, 3) == 0 ? 4 : 60;
    const uint32_t foreign = test_random_below(random, 2) ? 3 : 1000;
    const bool crlf = test_random_below(random, 2);
    while (count < target) {
        const bool quoted = test_random_below(random, 3) == 0;
        if (quoted) text[count++] = '"';
        uint32_t length = test_random_below(random, test_random_below(random, 8) == 0 ? 90 : 12);
        for (uint32_t i = 0; i < length; i++) {
            static const char letters[] = "abcdefgh ;\"\n\r,";
            uint32_t letter = test_random_below(random, quoted ? 14 : 10);
            text[count++] = (uint8_t)letters[letter];
            if (letters[letter] == '"') text[count++] = '"';
        }
        if (quoted) text[count++] = '"';
        if (test_random_below(random, oddness) == 0) text[count++] = (uint8_t) "\"\n\r,a"[test_random_below(random, 5)];
        if (test_random_below(random, foreign) == 0) count += add_characters(random, text + count);
        if (test_random_below(random, 4) != 0) {
            text[count++] = ',';
        } else {
            if (crlf) text[count++] = '\r';
            text[count++] = '\n';
        }
    }
    return count;
}

static size_t make_noise(test_random *random, uint8_t *text)
{
    static const char alphabet[] = "\",\n\r a;";
    const uint32_t letters = 2 + test_random_below(random, 6);
    const size_t count = test_random_below(random, text_bytes);
    const uint32_t run = 1 + test_random_below(random, 6);
    for (size_t i = 0; i < count; i++) {
        bool plain_letter = test_random_below(random, run) != 0;
        text[i] = plain_letter ? 'a' : (uint8_t)alphabet[test_random_below(random, letters)];
    }
    return count;
}

/* One text in buffers of random sizes, through both scanners at each step. */
static void compare(test_random *random, const char *path, const uint8_t *text, size_t count, assay_batch *plain,
                    assay_batch *fast)
{
    assay_dialect dialect = {.delimiter = ',', .quote = '"'};
    dialect.quoting = test_random_below(random, 8) != 0;
    dialect.cr_ends = test_random_below(random, 6) == 0;
    if (test_random_below(random, 8) == 0) dialect.delimiter = ';';
    if (test_random_below(random, 8) == 0) dialect.quote = 'a';
    static const uint32_t sizes[] = {1, 2, 5, 9, 20, 63, 64, 65, 130, 300, 100000};
    assay_record_limits limits = {sizes[test_random_below(random, 11)], sizes[2 + test_random_below(random, 9)]};
    const uint32_t max_records = test_random_below(random, 4) == 0 ? 1 + test_random_below(random, 9) : UINT32_MAX;
    const bool full = test_random_below(random, 3) == 0;

    size_t from = 0, to = 0;
    bool continues = false;
    uint64_t lines = 0;
    while (from < count) {
        to = full ? count : to + 1 + test_random_below(random, 200);
        if (to > count) to = count;
        const bool is_last = to == count;
        uint8_t *bytes = test_exact_copy(text + from, to - from);
        assay_scan_plain(plain, &dialect, &limits, bytes, to - from, max_records, is_last, continues);
        assay_cpu_select(path);
        assay_scan(fast, &dialect, &limits, bytes, to - from, max_records, is_last, continues);
        CHECK(test_batch_is_complete(plain, to - from));
        CHECK(test_encoding_is_found(plain, bytes));
        CHECK(test_encoding_is_found(fast, bytes));
        if (!CHECK(test_batches_are_equal(plain, fast))) {
            fprintf(stderr, "  %s, limits %u %u, records %u and %u, consumed %u and %u, lines %u and %u of:\n%.*s\n",
                    path, limits.field_bytes, limits.record_bytes, plain->record_count, fast->record_count,
                    plain->consumed, fast->consumed, plain->lines, fast->lines, (int)(to - from), (const char *)bytes);
        }
        free(bytes);
        if (plain->record_count > 0) {
            continues = plain->records[plain->record_count - 1].flags & ASSAY_RECORD_CONTINUED;
        }
        /* A scanner that consumes no bytes must need more input. */
        if (plain->consumed == 0 && !CHECK(!is_last)) break;
        from += plain->consumed;
        lines += plain->lines;
    }
    if (!dialect.cr_ends) CHECK_EQUAL(lines, assay_bytes_count(text, count, '\n'));
}

/* Every byte ends a field or a record, and there are more of both than a new batch has room for. */
static void compare_dense(const char *path)
{
    enum { dense_bytes = 6000 };
    static const char *const patterns[] = {",", "\n", ",\n", "\"\"\n", ",,,,,,,,,\r\n", "\"\n\",\n"};
    const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true};
    const assay_record_limits limits = {UINT32_MAX, UINT32_MAX};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        assay_batch *plain = assay_batch_create(), *fast = assay_batch_create();
        uint8_t *bytes = malloc(dense_bytes);
        for (size_t j = 0; j < dense_bytes; j++) bytes[j] = (uint8_t)patterns[i][j % strlen(patterns[i])];
        assay_scan_plain(plain, &dialect, &limits, bytes, dense_bytes, UINT32_MAX, true, false);
        assay_cpu_select(path);
        assay_scan(fast, &dialect, &limits, bytes, dense_bytes, UINT32_MAX, true, false);
        CHECK_EQUAL(fast->consumed, dense_bytes);
        CHECK(test_batches_are_equal(plain, fast));
        free(bytes);
        assay_batch_free(plain);
        assay_batch_free(fast);
    }
}

/* One character, complete or truncated, at an offset in the first of three lines. A path that validates blocks
   separately must decide all lines before the one in which the buffer ends. */
static void check_encoding_at(const char *path, assay_batch *batch, size_t place, size_t line_bytes)
{
    enum { max_bytes = 3 * 5000 };
    static const char *const characters[] = {"é", "日", "😀"};
    const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true};
    const assay_record_limits limits = {UINT32_MAX, UINT32_MAX};
    const bool looks_closely = strncmp(path, "avx", 3) == 0;
    for (size_t i = 0; i < 9; i++) {
        const char *character = characters[i % 3];
        const size_t length = strlen(character), kept = length - i / 3;
        if (kept == 0) continue;
        uint8_t text[max_bytes];
        memset(text, 'a', 3 * line_bytes);
        for (size_t line = 1; line <= 3; line++) text[line * line_bytes - 1] = '\n';
        memcpy(text + place, character, kept);
        assay_scan(batch, &dialect, &limits, text, 3 * line_bytes, UINT32_MAX, true, false);
        CHECK(test_encoding_is_found(batch, text));
        if (looks_closely) CHECK_EQUAL(batch->utf8_unverified[0] & 3, kept < length);
    }
}

/* At each offset of a block, and around the boundary between groups of blocks. */
static void check_encoding_at_block_ends(const char *path)
{
    assay_batch *batch = assay_batch_create();
    for (size_t place = 0; place < 140; place++) check_encoding_at(path, batch, place, 300);
    for (size_t place = 4000; place < 4300; place++) check_encoding_at(path, batch, place, 5000);
    assay_batch_free(batch);
}

/* Short records over several groups of blocks, some of which are invalid. */
static void check_encoding_of_many(test_random *random, const char *path)
{
    enum { max_bytes = 12000 };
    const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true};
    const assay_record_limits limits = {UINT32_MAX, UINT32_MAX};
    assay_batch *batch = assay_batch_create();
    uint8_t *text = malloc(max_bytes + text_bytes);
    for (int round = 0; round < 40; round++) {
        size_t count = 0;
        while (count < max_bytes) count += make_csv(random, text + count);
        assay_scan(batch, &dialect, &limits, text, count, UINT32_MAX, true, false);
        if (!CHECK(test_encoding_is_found(batch, text))) fprintf(stderr, "    %s, round %d\n", path, round);
    }
    free(text);
    assay_batch_free(batch);
}

int main(int argument_count, char **arguments)
{
    const unsigned long rounds = argument_count > 1 ? strtoul(arguments[1], NULL, 10) : 40000;
    test_random random = test_random_of(0x9E3779B97F4A7C15u);
    uint8_t text[text_bytes];
    assay_batch *plain = assay_batch_create(), *fast = assay_batch_create();
    for (unsigned long round = 0; round < rounds; round++) {
        size_t count = test_random_below(&random, 3) == 0 ? make_noise(&random, text) : make_csv(&random, text);
        for (size_t p = 1; test_select_path(p); p++) {
            compare(&random, test_path(p), text, count, plain, fast);
        }
    }
    for (size_t p = 1; test_select_path(p); p++) {
        compare_dense(test_path(p));
        check_encoding_at_block_ends(test_path(p));
        check_encoding_of_many(&random, test_path(p));
    }
    assay_batch_free(plain);
    assay_batch_free(fast);
    return test_result();
}
