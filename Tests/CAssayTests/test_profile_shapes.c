/* Shapes, compared with plain ones. */
#include "test_profile_support.h"

#include "Profile/profile_shape.h"

/* Runs of characters. */
#define RA "\xC1"
#define Ra "\xE1"
#define R9 "\xB9"
#define RU "\xD5"

static void check_shapes(void)
{
    static const struct {
        const char *value;
        unsigned level;
        const char *shape;
    } cases[] = {
        {"FR-2024-17", 0, "AA-9999-99"},
        {"FR-2024-17", 1, RA "-" R9 "-" R9},
        {"Anna Lee", 0, "Aaaa Aaa"},
        {"Anna Lee", 1, RA Ra " " RA Ra},
        {"Köln", 0, "AUaa"},
        {"山﨑 ユウキ", 1, RU " " RU},
        {"a\tb\x7f", 0, "a\3a\3"},
        {"--", 1, "--"},
        {"12345678901234567890123456789012", 0, "99999999999999999999999999999999"},
        {"123456789012345678901234567890123", 0, R9},
        {"", 0, ""},
        {"-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_", 0, "-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_\2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t shape[ASSAY_SHAPE_BYTES];
        const size_t length =
            assay_profile_write_shape((const uint8_t *)cases[i].value, strlen(cases[i].value), cases[i].level, shape);
        CHECK(length <= ASSAY_SHAPE_BYTES);
        if (!CHECK(length == strlen(cases[i].shape) && memcmp(shape, cases[i].shape, length) == 0)) {
            fprintf(stderr, "    %s at level %u: %.*s\n", cases[i].value, cases[i].level, (int)length, (char *)shape);
        }
    }
}

/* The shape of a value, character by character. */
static size_t plain_shape(const uint8_t *value, size_t count, uint8_t *shape)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t byte = value[i];
        if ((byte & 0xC0) == 0x80) continue;
        shape[length++] = byte >= 0xC0                 ? 'U'
                          : byte < 32 || byte == 127   ? 3
                          : byte >= '0' && byte <= '9' ? '9'
                          : byte >= 'A' && byte <= 'Z' ? 'A'
                          : byte >= 'a' && byte <= 'z' ? 'a'
                                                       : byte;
    }
    return length;
}

/* Compares repeated shapes, bytes next to the bounds of classes, and new shapes with the simple implementation. */
static void check_counted_shapes(void)
{
    static const char neighbors[] = "/09:@AZ[`az{ ~\x1f\x7f-\x01\xC3\xA9";
    test_random random = test_random_of(7);
    for (unsigned round = 0; round < test_rounds(3000); round++) {
        const bool has_no_runs = round % 2 == 1;
        const assay_profile_options options = {
            .values = 9, .shapes = 99, .precision = 4, .decimal = '.', .has_no_runs = has_no_runs};
        assay_profile *profile = assay_profile_create(&options);
        uint8_t bytes[40 * 48];
        assay_cell cells[40];
        uint32_t used = 0;
        const size_t length = 1 + test_random_below(&random, has_no_runs ? 40 : 32);
        for (unsigned row = 0; row < 40; row++) {
            /* Usually a copy of the previous value with one changed byte. */
            uint8_t *value = bytes + used;
            for (size_t i = 0; i < length; i++)
                value[i] = row == 0 ? (uint8_t) "aZ5-"[test_random_below(&random, 4)] : (value - length)[i];
            if (row > 0 && test_random_below(&random, 2) == 0) {
                value[test_random_below(&random, (uint32_t)length)] =
                    (uint8_t)neighbors[test_random_below(&random, sizeof neighbors - 3)];
            }
            if (length > 1 && test_random_below(&random, 16) == 0) memcpy(value + length - 2, "\xC3\xA9", 2);
            /* Replace incomplete characters. */
            for (size_t i = 0; i < length; i++) {
                if (value[i] < 0x80) continue;
                if (value[i] == 0xC3 && i + 1 < length && value[i + 1] == 0xA9)
                    i++;
                else
                    value[i] = '.';
            }
            cells[row] = (assay_cell){used, (uint32_t)length};
            used += (uint32_t)length;
        }
        const uint64_t none = 0;
        uint64_t absent = 0, words = 0;
        CHECK(assay_profile_add(profile, bytes, cells, 40, &none, NULL, (assay_profile_rows){1, NULL, NULL}, &absent,
                                &words, NULL) == ASSAY_OK);
        for (unsigned row = 0; row < 40; row++) {
            uint8_t shape[48], other[48];
            size_t count = plain_shape(bytes + cells[row].start, length, shape);
            if (count > 32) shape[32] = 2;
            count = count > 32 ? 33 : count;
            uint64_t expected = 0, found = 0;
            for (unsigned one = 0; one < 40; one++) {
                const size_t same = plain_shape(bytes + cells[one].start, length, other);
                if (same > 32) other[32] = 2;
                expected += (same > 32 ? 33 : same) == count && memcmp(shape, other, count) == 0;
            }
            for (size_t i = 0; i < assay_profile_shape_count(profile); i++) {
                const assay_profile_item item = assay_profile_shape(profile, i);
                if (item.text.count == count && memcmp(item.text.bytes, shape, count) == 0) found = item.count;
            }
            CHECK_EQUAL(found, expected);
        }
        assay_profile_free(profile);
    }
}

/* Compares the shapes of random values, at levels 0 and 1, with those of single calls. */
static void check_shapes_of_columns(void)
{
    enum { ROWS = 512, LONGEST = 52 };
    static uint8_t bytes[ROWS * LONGEST * 4];
    static assay_cell cells[ROWS];
    static uint8_t shapes[ROWS][ASSAY_SHAPE_BYTES];
    static size_t lengths[ROWS];
    test_random random = test_random_of(24);
    size_t levels[3] = {0};
    for (unsigned round = 0; round < test_rounds(800); round++) {
        uint32_t used = 0;
        for (unsigned row = 0; row < ROWS; row++) {
            cells[row].start = used;
            const uint32_t copied = row == 0 ? 0 : test_random_below(&random, row);
            if (row > 8 && test_random_below(&random, 16) != 0) {
                /* A copy, with another letter or digit at random. */
                memcpy(bytes + used, bytes + cells[copied].start, cells[copied].length);
                used += cells[copied].length;
                uint8_t *changed = bytes + cells[row].start + test_random_below(&random, cells[copied].length);
                if (*changed == 'a') *changed = 'k';
                if (*changed == '5') *changed = '0';
            } else {
                const uint32_t many = 1 + test_random_below(&random, round % 3 == 0 ? LONGEST : 20);
                const uint32_t kind = test_random_below(&random, 3);
                for (uint32_t i = 0; i < many; i++) {
                    if (kind == 0) {
                        used += (uint32_t)write_character(&random, bytes + used);
                    } else if (kind == 1) {
                        memcpy(bytes + used, "\xE6\x97\xA5", 3);
                        used += 3;
                    } else {
                        bytes[used++] = (uint8_t) "aaaa5-"[test_random_below(&random, 6)];
                    }
                }
            }
            cells[row].length = used - cells[row].start;
        }
        const assay_profile_options options = {
            .values = 9, .shapes = round % 5 == 0 ? 30 : 200, .precision = 4, .decimal = '.'};
        assay_profile *profile = assay_profile_create(&options);
        static const uint64_t none[ROWS / 64];
        uint64_t absent[ROWS / 64], words[ROWS / 64];
        for (size_t from = 0; from < ROWS; from += 128) {
            CHECK(assay_profile_add(profile, bytes, cells + from, 128, none, NULL,
                                    (assay_profile_rows){1 + from, NULL, NULL}, absent, words, NULL) == ASSAY_OK);
        }
        const unsigned level = assay_profile_shape_level(profile);
        levels[level]++;
        uint64_t total = 0;
        for (size_t i = 0; i < assay_profile_shape_count(profile); i++) total += assay_profile_shape(profile, i).count;
        CHECK_EQUAL(total, level < 2 ? ROWS : 0);
        if (level < 2) {
            for (unsigned row = 0; row < ROWS; row++) {
                lengths[row] =
                    assay_profile_write_shape(bytes + cells[row].start, cells[row].length, level, shapes[row]);
            }
            for (size_t i = 0; i < assay_profile_shape_count(profile); i++) {
                const assay_profile_item item = assay_profile_shape(profile, i);
                uint64_t count = 0, first = 0;
                for (unsigned row = 0; row < ROWS; row++) {
                    if (lengths[row] != item.text.count || memcmp(shapes[row], item.text.bytes, lengths[row]) != 0)
                        continue;
                    if (count++ == 0) first = 1 + row;
                }
                CHECK_EQUAL(item.count, count);
                CHECK_EQUAL(item.first_record, first);
            }
        }
        assay_profile_free(profile);
    }
    CHECK(levels[0] > 0 && levels[1] > 0);
}

int main(void)
{
    check_shapes();
    check_counted_shapes();
    check_shapes_of_columns();
    return test_result();
}
