/* A million generated cells: columns and single values have the same repairs, a second repair has no effect, and all
   results are well-formed. The generator is seeded. */
#include "test_repair_support.h"

static assay_text text_of(const char *text) { return (assay_text){(const uint8_t *)text, strlen(text)}; }

static assay_repaired *memory, *other;
static assay_scratch *scratch;

/* The parts of values: texts that repairs look for, and similar texts. */
static const char *const pieces[] = {
    " ",
    " ",
    "a",
    "A",
    "b",
    "Z",
    "0",
    "1",
    "9",
    ".",
    "-",
    ",",
    "'",
    "\"",
    "\t",
    "\n",
    "\x01",
    "\x7F",
    "x",
    "x",
    "N/A",
    "null",
    "m",
    "\xC2\xA0",
    "\xC3\xA9",
    "\xC3\x89",
    "\xC3\x9F",
    "e\xCC\x81",
    "\xE2\x80\x8B",
    "\xE2\x80\x8E",
    "\xE2\x80\x9C",
    "\xE2\x80\x9D",
    "\xEF\xBB\xBF",
    "\xD9\xA1",
    "\xEF\xBC\x92",
    "\xEF\xAC\x81",
    "\xF0\x9F\x98\x80",
    "\xE3\x80\x80",
    "\xC4\xB0",
    "\xCE\xA3",
    "\xE0\xA4\xA3",
    "@",
    "/",
    "Anna",
    "lee",
};

static size_t make_value(uint64_t *state, uint8_t *value, size_t max)
{
    size_t count = 0;
    /* Mostly short, sometimes longer than one, two or four registers. */
    const size_t lengths[] = {0, 1, 2, 3, 4, 6, 8, 12, 18, 40};
    const size_t target = lengths[random_below(state, 10)];
    const bool is_plain = random_below(state, 3) == 0;
    for (size_t i = 0; i < target; i++) {
        const char *piece = is_plain ? "lee" : pieces[random_below(state, sizeof pieces / sizeof pieces[0])];
        if (count + strlen(piece) > max) break;
        memcpy(value + count, piece, strlen(piece));
        count += strlen(piece);
    }
    return count;
}

static const assay_repair_description *make_list(uint64_t *state, size_t *count)
{
    static assay_text words[3], pair[2], map[6], text[1];
    words[0] = text_of("N/A"), words[1] = text_of("null"), words[2] = text_of("-");
    static const char *const replacements[][2] = {
        {"[-. ]+", ""}, {"x", "y"}, {"^0+", ""}, {"(a)(b)", "$2$1"}, {"\\s", " "}, {"a|b*", "-"}, {"(?=x)", "x"},
    };
    const char *const *replacement = replacements[random_below(state, sizeof replacements / sizeof replacements[0])];
    pair[0] = text_of(replacement[0]), pair[1] = text_of(replacement[1]);
    map[0] = text_of("m"), map[1] = text_of("male"), map[2] = text_of("A"), map[3] = text_of("b");
    map[4] = text_of("0"), map[5] = text_of("");
    text[0] = text_of("none");
    static assay_repair_description list[4];
    *count = 1 + random_below(state, 4);
    for (size_t i = 0; i < *count; i++) {
        const assay_repair_kind kind = (assay_repair_kind)random_below(state, ASSAY_REPAIR_CANONICAL);
        list[i] = (assay_repair_description){.kind = kind};
        switch (kind) {
        case ASSAY_REPAIR_MISSING:
            list[i].texts = words, list[i].text_count = 3;
            break;
        case ASSAY_REPAIR_REPLACE:
            list[i].texts = pair, list[i].text_count = 2;
            break;
        case ASSAY_REPAIR_MAP:
            list[i].texts = map, list[i].text_count = 6;
            break;
        case ASSAY_REPAIR_DEFAULT:
            list[i].texts = text, list[i].text_count = 1;
            break;
        default:
            break;
        }
    }
    return list;
}

/* Each Unicode character except surrogates, alone and between letters, with all repairs of characters. */
static void test_characters(void)
{
    static const assay_repair_kind kinds[] = {
        ASSAY_REPAIR_TRIM, ASSAY_REPAIR_COLLAPSE,      ASSAY_REPAIR_UPPER,        ASSAY_REPAIR_LOWER,  ASSAY_REPAIR_NFC,
        ASSAY_REPAIR_NFKC, ASSAY_REPAIR_STRIP_CONTROL, ASSAY_REPAIR_ASCII_DIGITS, ASSAY_REPAIR_UNQUOTE};
    test_column column = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const assay_repair_description list = {.kind = kinds[i]};
        size_t which;
        assay_repairs *repairs = assay_repairs_create(&list, 1, NULL, 0, 0, &which, NULL);
        CHECK(repairs != NULL);
        for (uint32_t point = 0; point < 0x110000; point++) {
            if (point >> 11 == 0xD800 >> 11) continue;
            uint8_t text[8] = "e";
            size_t count = 1;
            if (point < 0x80) {
                text[count++] = (uint8_t)point;
            } else if (point < 0x800) {
                text[count++] = (uint8_t)(0xC0 | point >> 6);
            } else if (point < 0x10000) {
                text[count++] = (uint8_t)(0xE0 | point >> 12);
            } else {
                text[count++] = (uint8_t)(0xF0 | point >> 18);
            }
            if (point >= 0x10000) text[count++] = (uint8_t)(0x80 | (point >> 12 & 0x3F));
            if (point >= 0x800) text[count++] = (uint8_t)(0x80 | (point >> 6 & 0x3F));
            if (point >= 0x80) text[count++] = (uint8_t)(0x80 | (point & 0x3F));
            column_add(&column, text + (point & 1), count - (point & 1));
            if (column.count < max_rows && point < 0x10FFFF) continue;
            check_column(repairs, memory, other, scratch, &column);
            column_clear(&column);
        }
        assay_repairs_free(repairs);
    }
    free(column.bytes);
}

static void test_lists(void)
{
    uint64_t state = test_random_of(25).state;
    test_column column = {0};
    const assay_text missing[] = {text_of(""), text_of("NA")};
    size_t changed = 0, cells = 0;
    const unsigned long rounds = test_rounds(2000);
    for (unsigned long round = 0; round < rounds; round++) {
        size_t count, which;
        const assay_repair_description *list = make_list(&state, &count);
        assay_repairs *repairs = assay_repairs_create(list, count, missing, 2, 0, &which, NULL);
        CHECK(repairs != NULL);
        uint8_t value[256];
        while (column.count < max_rows) column_add(&column, value, make_value(&state, value, sizeof value));
        changed += check_column(repairs, memory, other, scratch, &column);
        cells += column.count;
        column_clear(&column);
        assay_repairs_free(repairs);
    }
    CHECK(cells > rounds * 500 && changed > cells / 10 && changed < cells);
    free(column.bytes);
}

/* Rows that keep their values, and missing rows. */
static void test_masks(void)
{
    const assay_text text = text_of("none"), missing = text_of("");
    const assay_repair_description list[] = {{.kind = ASSAY_REPAIR_TRIM},
                                             {.kind = ASSAY_REPAIR_DEFAULT, .texts = &text, .text_count = 1}};
    size_t which, changed;
    assay_repairs *repairs = assay_repairs_create(list, 2, &missing, 1, 0, &which, NULL);
    test_column column = {0};
    const char *const values[] = {" a", " b", "", "c", " d "};
    for (size_t i = 0; i < 5; i++) column_add(&column, (const uint8_t *)values[i], strlen(values[i]));
    const uint64_t keep = 2;
    uint64_t nulls = 8;
    const uint8_t *bytes = column.bytes;
    assay_repaired_begin(memory);
    CHECK_EQUAL(
        assay_repairs_column(repairs, memory, scratch, &bytes, column.cells, 5, NULL, &keep, &nulls, NULL, &changed),
        ASSAY_OK);
    CHECK_EQUAL(changed, 4);
    CHECK_EQUAL(memory->changed[0], 29);
    CHECK_EQUAL(nulls, 0);
    const char *const expected[] = {"a", " b", "none", "none", "d"};
    for (size_t i = 0; i < 5; i++) {
        CHECK_EQUAL(column.cells[i].length, strlen(expected[i]));
        CHECK(memcmp(bytes + column.cells[i].start, expected[i], strlen(expected[i])) == 0);
    }
    CHECK_EQUAL(memory->causes[0], 1);
    CHECK_EQUAL(memory->causes[2], 2);
    CHECK_EQUAL(memory->causes[3], 2);
    assay_repairs_free(repairs);
    free(column.bytes);
}

int main(void)
{
    memory = assay_repaired_create();
    other = assay_repaired_create();
    scratch = assay_scratch_create(NULL);
    test_characters();
    test_lists();
    test_masks();
    assay_scratch_free(scratch);
    assay_repaired_free(memory);
    assay_repaired_free(other);
    return test_result();
}
