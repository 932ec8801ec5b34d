/* Compares UTF-8 validation on every path with the table of the standard and with a public suite. */
#include "assay/core.h"
#include "test.h"
#include "test_paths.h"
#include "test_suites.h"

#include "Bytes/assay_scalars.h"
#include "Bytes/assay_utf8.h"

/* Table 3-7 of the Unicode standard, as data. */
static const struct {
    uint8_t first_low, first_high;
    size_t length;
    uint8_t second_low, second_high;
} table[] = {
    {0x00, 0x7F, 1, 0, 0},       {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF},
    {0xE1, 0xEC, 3, 0x80, 0xBF}, {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF},
    {0xF0, 0xF0, 4, 0x90, 0xBF}, {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

static size_t reference_character(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (bytes[0] < table[i].first_low || bytes[0] > table[i].first_high) continue;
        if (table[i].length > count) return 0;
        if (table[i].length > 1 && (bytes[1] < table[i].second_low || bytes[1] > table[i].second_high)) return 0;
        for (size_t k = 2; k < table[i].length; k++) {
            if (bytes[k] < 0x80 || bytes[k] > 0xBF) return 0;
        }
        return table[i].length;
    }
    return 0;
}

static size_t reference(const uint8_t *bytes, size_t count)
{
    size_t i = 0;
    while (i < count) {
        size_t length = reference_character(bytes + i, count - i);
        if (length == 0) break;
        i += length;
    }
    return i;
}

static void check(const uint8_t *bytes, size_t count)
{
    CHECK_EQUAL(assay_utf8_valid_prefix(bytes, count), reference(bytes, count));
    size_t ascii = 0;
    while (ascii < count && bytes[ascii] < 0x80) ascii++;
    CHECK_EQUAL(assay_bytes_are_ascii(bytes, count), ascii == count);
}

/* All sequences of one, two and three bytes. With `before` ASCII bytes, the text is long enough for the block code. */
static void check_short_sequences(size_t before)
{
    uint8_t text[192];
    memset(text, 'a', sizeof text);
    uint8_t *at = text + before;
    for (unsigned a = 0; a < 256; a++) {
        at[0] = (uint8_t)a;
        check(text, before + 1);
        for (unsigned b = 0; b < 256; b++) {
            at[1] = (uint8_t)b;
            check(text, before + 2);
            /* The table treats all ASCII bytes alike, and a third byte after an ASCII byte repeats the case of two
               bytes. */
            for (unsigned c = 0x7E; a >= 0x7F && c < 256; c++) {
                at[2] = (uint8_t)c;
                check(text, before > 0 ? sizeof text : 3);
            }
            at[2] = 'a';
        }
        at[1] = 'a';
    }
}

static void check_random_text(test_random *random)
{
    static const char *const parts[] = {"a",         "é", "ж", "日", "€", "😀", "\xF4\x8F\xBF\xBF", "\xED\x9F\xBF",
                                        "0123456789"};
    uint8_t text[300];
    for (unsigned long rounds = test_rounds(200000); rounds > 0; rounds--) {
        size_t count = 0;
        const size_t target = test_random_below(random, 280);
        const uint32_t kinds = 1 + test_random_below(random, 9);
        while (count < target) {
            const char *part = parts[8 - test_random_below(random, kinds)];
            memcpy(text + count, part, strlen(part));
            count += strlen(part);
        }
        /* Most texts get one error: a changed byte, or a truncated end. */
        if (count > 0 && test_random_below(random, 4) != 0) {
            static const uint8_t bytes[] = {0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xF0,
                                            0xF4, 0xF5, 0xFF, 0x41, 0x9F, 0xA0};
            text[test_random_below(random, (uint32_t)count)] = bytes[test_random_below(random, sizeof bytes)];
        }
        if (test_random_below(random, 3) == 0) count = test_random_below(random, (uint32_t)count + 1);
        uint8_t *copy = malloc(count + 1);
        if (copy == NULL) abort();
        /* At the very end of its allocation, so that a sanitizer detects reads beyond it. */
        memcpy(copy + 1, text, count);
        check(copy + 1, count);
        free(copy);
    }
}

static void check_random_sequences(test_random *random)
{
    uint8_t text[128];
    memset(text, 'a', sizeof text);
    const unsigned long rounds = test_rounds(2000000) / (test_is_slow() ? 1 : 4);
    for (unsigned long round = 0; round < rounds; round++) {
        uint8_t *at = text + round % 120;
        uint8_t kept[4];
        memcpy(kept, at, 4);
        at[0] = (uint8_t)(0xE0 + test_random_below(random, 0x20));
        for (int i = 1; i < 4; i++) at[i] = (uint8_t)(0x7E + test_random_below(random, 0x44));
        check(text, sizeof text);
        memcpy(at, kept, 4);
    }
}

static void check_count(test_random *random)
{
    uint8_t text[333];
    for (int round = 0; round < 2000; round++) {
        const size_t from = test_random_below(random, 70), count = test_random_below(random, 260);
        size_t expected = 0;
        for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)(test_random_below(random, 3) + 0xFE);
        for (size_t i = from; i < from + count; i++) expected += text[i] == 0xFF;
        CHECK_EQUAL(assay_bytes_count(text + from, count, 0xFF), expected);
    }
}

/* Lines of the form {…, "hex": "c2a9", "valid": true}. */
static void check_suite(void)
{
    char path[TEST_PATH];
    test_suite_path(path, "utf8-flenniken/cases.jsonl");
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        printf("skipped: no suite at %s\n", path);
        return;
    }
    char line[4096];
    unsigned found = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        const char *hex = strstr(line, "\"hex\": \"");
        if (!CHECK(hex != NULL)) continue;
        hex += strlen("\"hex\": \"");
        uint8_t bytes[1024];
        size_t count = 0;
        unsigned value = 0;
        for (; count < sizeof bytes && sscanf(hex, "%2x", &value) == 1; hex += 2) bytes[count++] = (uint8_t)value;
        const bool valid = strstr(line, "\"valid\": true") != NULL;
        CHECK_EQUAL(assay_utf8_valid_prefix(bytes, count) == count, valid);
        check(bytes, count);
        found++;
    }
    fclose(file);
    CHECK(found >= 200);
}

/* Compares the decoder with the encoder and with the length of table 3-7, for every code point. The text before a
   character must not affect character_before. */
static void check_every_point(void)
{
    uint8_t bytes[12] = {'a', 0xC3, 0xA9, 0xE2, 0x82, 0xAC};
    size_t wrong = 0;
    for (uint32_t point = 0; point <= 0x10FFFF; point++) {
        uint8_t *const at = bytes + point % 3 * 3;
        const size_t length = put_character(point, at);
        const bool is_surrogate = point >= 0xD800 && point <= 0xDFFF;
        size_t found = 0, before = 0;
        wrong += character_at(at, &found) != point || found != length || character_length(at[0]) != length;
        if (at > bytes) wrong += character_before(at + length, &before) != point || before != length;
        wrong += assay_utf8_character(at, length) != (is_surrogate ? 0 : length);
        wrong += length > 1 && assay_utf8_character(at, length - 1) != 0;
        for (size_t i = 0; i < length; i++) wrong += is_continuation(at[i]) != (i > 0);
        memcpy(bytes, "a\xC3\xA9\xE2\x82\xAC", 6);
    }
    CHECK_EQUAL(wrong, 0);
    static const struct {
        uint32_t point;
        const char *bytes;
    } known[] = {{0x7F, "\x7F"},
                 {0x80, "\xC2\x80"},
                 {0x7FF, "\xDF\xBF"},
                 {0x800, "\xE0\xA0\x80"},
                 {0xFFFF, "\xEF\xBF\xBF"},
                 {0x10000, "\xF0\x90\x80\x80"},
                 {0x10FFFF, "\xF4\x8F\xBF\xBF"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        CHECK_EQUAL(put_character(known[i].point, bytes), strlen(known[i].bytes));
        CHECK(memcmp(bytes, known[i].bytes, strlen(known[i].bytes)) == 0);
    }
}

int main(void)
{
    check_every_point();
    for (size_t p = 0; test_select_cpu(p); p++) {
        test_random random = test_random_of(0x1234567u);
        CHECK_EQUAL(assay_utf8_valid_prefix((const uint8_t *)"", 0), 0);
        check_short_sequences(0);
        check_short_sequences(62);
        check_random_sequences(&random);
        check_random_text(&random);
        check_count(&random);
        check_suite();
    }
    return test_result();
}
