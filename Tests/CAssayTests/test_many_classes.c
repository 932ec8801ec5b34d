/* Patterns with as many different classes of characters as a DFA may have, and a few more. The expected verdicts follow
 * from the construction of the patterns. */
#include "test.h"

#include "Patterns/assay_dfa_only.h"

#include <string.h>

enum { MAX_CLASSES = 200, MAX_VALUES = MAX_CLASSES * MAX_CLASSES, MAX_VALUE = 2 * MAX_CLASSES };

static assay_cell cells[MAX_VALUES];
static uint8_t bytes[MAX_VALUES * 8 + MAX_CLASSES * MAX_VALUE];
static bool expected[MAX_VALUES];
static size_t value_count;
static uint32_t used;

static void add_value(const uint8_t *value, size_t count, bool passes)
{
    memcpy(bytes + used, value, count);
    cells[value_count] = (assay_cell){used, (uint32_t)count};
    expected[value_count++] = passes;
    used += (uint32_t)count;
}

static size_t put_character(uint32_t point, uint8_t *out)
{
    out[0] = (uint8_t)(0xE0 | point >> 12);
    out[1] = (uint8_t)(0x80 | (point >> 6 & 0x3F));
    out[2] = (uint8_t)(0x80 | (point & 0x3F));
    return 3;
}

/* Compares the verdicts of a column, twice, because the DFA is built meanwhile, and of single values. */
static void check_values(const char *text, uint32_t options)
{
    assay_error error = {.status = ASSAY_OK};
    assay_pattern *pattern = assay_pattern_create((const uint8_t *)text, strlen(text), options, 0, &error);
#ifndef ASSAY_PCRE2
    if (pattern == NULL && strstr(error.message, "too many different character classes") != NULL) return;
#endif
    if (!CHECK(pattern != NULL)) {
        fprintf(stderr, "    %s\n", error.message);
        return;
    }
    assay_scratch *scratch = assay_scratch_create(NULL);
    assay_check *check = assay_check_create_pattern(pattern);
    static uint64_t failed[MAX_VALUES / 64 + 1], undecided[MAX_VALUES / 64 + 1];
    for (int round = 0; round < 3; round++) {
        if (round < 2) assay_check_column(check, scratch, bytes, cells, value_count, NULL, failed, undecided);
        for (size_t i = 0; i < value_count; i++) {
            const bool fails =
                round < 2 ? (failed[i / 64] >> i % 64 & 1) != 0
                          : assay_check_value(check, scratch, bytes + cells[i].start, cells[i].length) == ASSAY_FAIL;
            if (!CHECK(fails != expected[i])) {
                fprintf(stderr, "    round %d, value %zu of %.60s\n", round, i, text);
                break;
            }
        }
    }
    assay_check_free(check);
    assay_pattern_free(pattern);
    assay_scratch_free(scratch);
}

/* `丁七|丄丅|…`: each character is a class of its own. The values are all pairs of these characters. */
static void check_words(uint32_t count, uint32_t options)
{
    static uint8_t text[4 * MAX_CLASSES + 1];
    size_t size = 0;
    for (uint32_t i = 0; i + 1 < count; i += 2) {
        if (i > 0) text[size++] = '|';
        size += put_character(0x4E01 + i, text + size);
        size += put_character(0x4E02 + i, text + size);
    }
    text[size] = '\0';
    value_count = used = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < count; k++) {
            uint8_t value[6];
            put_character(0x4E01 + i, value);
            put_character(0x4E01 + k, value + 3);
            add_value(value, sizeof value, i % 2 == 0 && k == i + 1);
        }
    }
    check_values((const char *)text, options);
}

/* `[ab][ac][ad]…`: each class has another pair of letters. One value has a letter of each class, and the others differ
 * from it in one letter. */
static void check_chain(uint32_t count, uint32_t options)
{
    static char text[4 * MAX_CLASSES + 1];
    uint8_t value[MAX_CLASSES] = {0};
    char others[MAX_CLASSES] = {0};
    uint32_t classes = 0;
    for (char one = 'a'; classes < count; one++) {
        for (char other = (char)(one + 1); other <= 'z' && classes < count; other++, classes++) {
            const char class[] = {'[', one, other, ']'};
            memcpy(text + 4 * classes, class, sizeof class);
            value[classes] = (uint8_t)(classes % 3 == 0 ? one : other);
            others[classes] = one == 'a' && other == 'z' ? 'b' : one != 'a' ? 'a' : 'z';
        }
    }
    text[4 * count] = '\0';
    value_count = used = 0;
    add_value(value, count, true);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t before = value[i];
        value[i] = (uint8_t)others[i];
        add_value(value, count, false);
        value[i] = before;
    }
    check_values(text, options);
}

int main(void)
{
    static const uint32_t counts[] = {2, 62, 64, 66, 96, 98, 126, 128, 130, 160, 190, 192, 194, 200};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (uint32_t options = 0; options <= ASSAY_PATTERN_LAZY_DFA; options += ASSAY_PATTERN_LAZY_DFA) {
            check_words(counts[i], options);
            check_chain(counts[i], options);
        }
    }
    return test_result();
}
