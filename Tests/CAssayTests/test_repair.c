/* Repairs: changed values, unchanged values and the nearest misses. Compares columns with single values. */
#include "assay/repair.h"
#include "test.h"

static assay_text text_of(const char *text) { return (assay_text){(const uint8_t *)text, strlen(text)}; }

/* A list of one repair, for the tables below. */
typedef struct one {
    assay_repair_kind kind;
    const char *texts[8]; /* up to the first NULL */
} one;

static assay_repairs *compiled(const one *list, size_t count)
{
    assay_repair_description descriptions[8];
    assay_text texts[8][8];
    for (size_t i = 0; i < count; i++) {
        size_t used = 0;
        while (used < 8 && list[i].texts[used] != NULL) {
            texts[i][used] = text_of(list[i].texts[used]);
            used++;
        }
        descriptions[i] = (assay_repair_description){.kind = list[i].kind, .texts = texts[i], .text_count = used};
    }
    const assay_text missing[] = {text_of(""), text_of("NA")};
    size_t which = SIZE_MAX;
    assay_error error = {.status = ASSAY_OK};
    assay_repairs *repairs = assay_repairs_create(descriptions, count, missing, 2, 0, &which, &error);
    if (repairs == NULL) fprintf(stderr, "repair %zu: %s at %zu\n", which, error.message, error.offset);
    return repairs;
}

static assay_repaired *memory;
static assay_scratch *scratch;

static assay_repaired_value apply(const assay_repairs *repairs, const char *value)
{
    return assay_repairs_value(repairs, memory, scratch, (const uint8_t *)value, strlen(value), false);
}

static bool becomes(const assay_repairs *repairs, const char *value, const char *expected)
{
    const assay_repaired_value result = apply(repairs, value);
    const bool is_right = result.status == ASSAY_OK && result.text.count == strlen(expected) &&
                          memcmp(result.text.bytes, expected, result.text.count) == 0 &&
                          (result.causes != 0) == (strcmp(value, expected) != 0);
    if (!is_right) {
        fprintf(stderr, "'%s' became '%.*s', not '%s'\n", value, (int)result.text.count,
                (const char *)result.text.bytes, expected);
    }
    return is_right;
}

typedef struct repair_case {
    one repair;
    const char *values[32]; /* pairs of input and result, up to the first NULL; SAME: unchanged */
} repair_case;

#define SAME ((const char *)"\x01same")

static const repair_case cases[] = {
    {{ASSAY_REPAIR_TRIM, {NULL}},
     {" Anna ",
      "Anna",
      "\t\n\v\f\r x",
      "x",
      "x\xC2\xA0",
      "x",
      "\xE2\x80\x8Bx\xE2\x81\xA0\xEF\xBB\xBF",
      "x",
      "a b",
      SAME,
      "   ",
      "",
      "",
      SAME,
      "\xC2\x85\xE1\x9A\x80\xE3\x80\x80y\xE2\x80\xA8",
      "y",
      "\xC3\xA0 \xC3\xA0",
      SAME,
      "a\xE2\x80\x8B\x62",
      SAME,
      "\xE2\x80\x8Ex",
      SAME,
      "x\xC2\xAD",
      SAME,
      "\x1Fx",
      SAME,
      NULL}},
    {{ASSAY_REPAIR_COLLAPSE, {NULL}},
     {"a  b", "a b", "a\t\r\nb", "a b", "  a  ", " a ", "a b", SAME, "a\xC2\xA0\x62", "a b", "a\xE2\x80\x8B b", SAME,
      "", SAME, " ", SAME, "\t", " ", NULL}},
    {{ASSAY_REPAIR_UPPER, {NULL}},
     {"anna", "ANNA", "ANNA1", SAME, "stra\xC3\x9F\x65", "STRA\xC3\x9F\x45", "\xC3\xA9", "\xC3\x89", "\xCF\x82",
      "\xCE\xA3", "\xEF\xAC\x81", SAME, NULL}},
    {{ASSAY_REPAIR_LOWER, {NULL}},
     {"ANNA", "anna", "anna_@[`{", SAME, "\xC3\x89", "\xC3\xA9", "\xC4\xB0", "i", "\xCE\xA3", "\xCF\x83", NULL}},
    {{ASSAY_REPAIR_NFC, {NULL}},
     {"e\xCC\x81", "\xC3\xA9", "\xC3\xA9", SAME, "\xE2\x84\xAB", "\xC3\x85", "\xEF\xAC\x81", SAME, "abc", SAME,
      /* A syllable of Hangul, and the jamos U+11A7, which does not compose with it, and U+11A8, which does. */
      "\xEA\xB0\x80\xE1\x86\xA7", SAME, "\xEA\xB0\x80\xE1\x86\xA8", "\xEA\xB0\x81", "e\xCC\x81\xE1\x86\xA7",
      "\xC3\xA9\xE1\x86\xA7", NULL}},
    {{ASSAY_REPAIR_NFKC, {NULL}},
     {"\xEF\xAC\x81", "fi", "\xEF\xBC\x92", "2", "e\xCC\x81", "\xC3\xA9", "\xC2\xB2", "2", "abc", SAME, NULL}},
    {{ASSAY_REPAIR_STRIP_CONTROL, {NULL}},
     {"a\x01\x62", "ab", "a\tb\n", SAME, "\xE2\x80\x8E+44\xE2\x80\xAC", "+44", "a\xE2\x80\x8D\x62", SAME, "\x7F", "",
      "a\xC2\x9F", "a", "a\xC2\x85", SAME, "\xEF\xBB\xBFx", "x", NULL}},
    {{ASSAY_REPAIR_ASCII_DIGITS, {NULL}},
     {"\xD9\xA1\xD9\xA2", "12", "\xEF\xBC\x90\xEF\xBC\x99", "09", "\xF0\x9D\x9F\x98", "0", "\xF0\x9D\x9F\xBF", "9",
      "\xC2\xB2", SAME, "12", SAME, "\xE0\xA5\xA6\xE0\xA5\xAF", "09", "\xE1\xA7\x9A", SAME, NULL}},
    {{ASSAY_REPAIR_UNQUOTE, {NULL}},
     {"'a'",
      "a",
      "\"a\"",
      "a",
      "\"'a'\"",
      "a",
      "\"a",
      SAME,
      "\"",
      SAME,
      "\"\"",
      "",
      "\"a\" or \"b\"",
      SAME,
      "'a\"",
      SAME,
      "\xE2\x80\x9C\x61\xE2\x80\x9D",
      "a",
      "\xE2\x80\x9E\x61\xE2\x80\x9C",
      "a",
      "\xC2\xAB\x61\xC2\xBB",
      "a",
      "O'Neil",
      SAME,
      "'it's'",
      SAME,
      "\"'\"",
      "'",
      NULL}},
    {{ASSAY_REPAIR_MISSING, {"N/A", "null", "-", NULL}},
     {"N/A", "", "null", "", "-", "", "n/a", SAME, "--", SAME, "N/A ", SAME, "", SAME, NULL}},
    {{ASSAY_REPAIR_MAP, {"m", "male", "f", "female", "x", "", NULL}},
     {"m", "male", "f", "female", "x", "", "M", SAME, "male", SAME, "mf", SAME, "", SAME, NULL}},
    {{ASSAY_REPAIR_DEFAULT, {"none", NULL}}, {"", "none", "NA", "none", "na", SAME, " ", SAME, "none", SAME, NULL}},
    {{ASSAY_REPAIR_REPLACE, {"[-. ]+", "", NULL}},
     {"079-46 00.18", "079460018", "07946", SAME, "", SAME, "--", "", NULL}},
    {{ASSAY_REPAIR_REPLACE, {"^(\\d+) ?(?<unit>kg|g)$", "${unit}: $1$$", NULL}},
     {"12 kg", "kg: 12$", "3g", "g: 3$", "kg", SAME, "12 kgs", SAME, NULL}},
    {{ASSAY_REPAIR_REPLACE, {"\\b(?=x)", "", NULL}}, {"x x", SAME, NULL}},
    /* A second run would change the result. */
    {{ASSAY_REPAIR_REPLACE, {"a", "aa", NULL}}, {"banana", SAME, NULL}},
    {{ASSAY_REPAIR_REPLACE, {"^0", "", NULL}}, {"01", "1", "001", SAME, NULL}},
    {{ASSAY_REPAIR_REPLACE, {"x*", "-", NULL}}, {"abxc", SAME, NULL}},
    {{ASSAY_REPAIR_REPLACE, {"(a)|b", "<$1>", NULL}}, {"b", "<>", "ccc", SAME, NULL}},
};

static void test_each(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assay_repairs *repairs = compiled(&cases[i].repair, 1);
        CHECK(repairs != NULL);
        if (repairs == NULL) continue;
        for (size_t j = 0; j + 1 < 32 && cases[i].values[j] != NULL; j += 2) {
            const char *expected = cases[i].values[j + 1];
            CHECK(becomes(repairs, cases[i].values[j], strcmp(expected, SAME) == 0 ? cases[i].values[j] : expected));
        }
        assay_repairs_free(repairs);
    }
}

static void test_lists(void)
{
    const one trimmed[] = {{ASSAY_REPAIR_TRIM, {NULL}},
                           {ASSAY_REPAIR_LOWER, {NULL}},
                           {ASSAY_REPAIR_MISSING, {"n/a", NULL}},
                           {ASSAY_REPAIR_DEFAULT, {"none", NULL}}};
    assay_repairs *repairs = compiled(trimmed, 4);
    CHECK(becomes(repairs, " ANNA", "anna"));
    CHECK_EQUAL(apply(repairs, " ANNA").causes, 3);
    CHECK_EQUAL(apply(repairs, " anna").causes, 1);
    CHECK_EQUAL(apply(repairs, " N/A").causes, 15);
    CHECK(becomes(repairs, " N/A", "none"));
    CHECK(becomes(repairs, "", "none"));
    CHECK_EQUAL(apply(repairs, "").causes, 8);
    assay_repairs_free(repairs);

    /* A value stays if a second run would change it again: the quotes are outermost only after the blanks are
       removed. */
    const one unsettled[] = {{ASSAY_REPAIR_UNQUOTE, {NULL}}, {ASSAY_REPAIR_TRIM, {NULL}}};
    repairs = compiled(unsettled, 2);
    CHECK(becomes(repairs, " 'a' ", " 'a' "));
    CHECK(apply(repairs, " 'a' ").is_unsettled);
    CHECK(becomes(repairs, "'a'", "a"));
    assay_repairs_free(repairs);

    /* If the next repair undoes a repair, there is no change. */
    const one undone[] = {{ASSAY_REPAIR_UPPER, {NULL}}, {ASSAY_REPAIR_LOWER, {NULL}}};
    repairs = compiled(undone, 2);
    CHECK_EQUAL(apply(repairs, "a").causes, 0);
    CHECK(!apply(repairs, "a").is_unsettled);
    assay_repairs_free(repairs);

    /* Missing values. */
    const one filled[] = {{ASSAY_REPAIR_LOWER, {NULL}}, {ASSAY_REPAIR_DEFAULT, {"None", NULL}}};
    repairs = compiled(filled, 2);
    CHECK(apply(repairs, "").is_unsettled);
    assay_repairs_free(repairs);
    const one null_filled[] = {{ASSAY_REPAIR_DEFAULT, {"none", NULL}}, {ASSAY_REPAIR_UPPER, {NULL}}};
    repairs = compiled(null_filled, 2);
    const assay_repaired_value filled_value = assay_repairs_value(repairs, memory, scratch, NULL, 0, true);
    CHECK_EQUAL(filled_value.causes, 3);
    CHECK(filled_value.text.count == 4 && memcmp(filled_value.text.bytes, "NONE", 4) == 0);
    assay_repairs_free(repairs);
}

static void check_refused(assay_repair_kind kind, const char *one_text, const char *other, const char *message,
                          size_t offset)
{
    const assay_text texts[] = {text_of(one_text), text_of(other)};
    const assay_repair_description list[] = {{.kind = ASSAY_REPAIR_TRIM},
                                             {.kind = kind, .texts = texts, .text_count = 2}};
    size_t which = SIZE_MAX;
    assay_error error = {.status = ASSAY_OK};
    CHECK(assay_repairs_create(list, 2, NULL, 0, 0, &which, &error) == NULL);
    CHECK_EQUAL(which, 1);
    CHECK_EQUAL(error.status, ASSAY_BAD_DESCRIPTION);
    CHECK_EQUAL(error.offset, offset);
    CHECK(strcmp(error.message, message) == 0);
}

static void test_refusals(void)
{
    check_refused(ASSAY_REPAIR_REPLACE, "a(", "", "missing closing parenthesis", 2);
    const char *sign = "a dollar sign is followed by the number or name of a group; write $$ for the sign";
    check_refused(ASSAY_REPAIR_REPLACE, "a", "5$", sign, 1);
    check_refused(ASSAY_REPAIR_REPLACE, "a", "$-", sign, 0);
    check_refused(ASSAY_REPAIR_REPLACE, "a", "x${0", sign, 1);
    check_refused(ASSAY_REPAIR_REPLACE, "(a)", "$2", "the pattern has no such group, or several", 1);
    check_refused(ASSAY_REPAIR_REPLACE, "(?<n>a)", "${m}", "the pattern has no such group, or several", 2);
    assay_repair_description many[33] = {{.kind = ASSAY_REPAIR_TRIM}};
    size_t which = 0;
    assay_error error = {.status = ASSAY_OK};
    CHECK(assay_repairs_create(many, 33, NULL, 0, 0, &which, &error) == NULL);
    CHECK(strcmp(error.message, "a list has at most 32 repairs") == 0);
}

/* A value that reaches a limit stays unchanged, in bounded time. */
static void test_limits(void)
{
    const one hostile = {ASSAY_REPAIR_REPLACE, {"(?=(a+)+$)b|a(?=.*z)", "x", NULL}};
    assay_repairs *repairs = compiled(&hostile, 1);
    const size_t count = 1 << 16;
    char *value = malloc(count + 1);
    memset(value, 'a', count);
    value[count] = 0;
    CHECK_EQUAL(apply(repairs, value).causes, 0);
    free(value);
    assay_repairs_free(repairs);
}

/* A value stays unchanged if its written form would exceed the field limit. */
static void test_longest_field(void)
{
    static const struct {
        const char *value, *expected;
        bool has_dialect;
    } fits[] = {
        {"a", "12345678", false},         {"b", "123456789", false}, {"c", "c", false}, /* ten bytes */
        {"a", "12345678", true},          {"b", "b", true},          {"d", "a,bcde", true}, {"e", "e", true},
        {"f", "a\"b,cd", true},           {"g", "g", true}, /* quotes and a doubled quote */
        {"987654321", "ABCDEFGHI", true},                   /* no longer than before */
    };
    const one list = {ASSAY_REPAIR_MAP, {"a", "12345678", "b", "123456789", "987654321", "ABCDEFGHI", NULL}};
    const one quoted = {ASSAY_REPAIR_MAP, {"d", "a,bcde", "e", "a,bcdefgh", "f", "a\"b,cd", NULL}};
    const one long_ones = {ASSAY_REPAIR_MAP, {"c", "1234567890", "g", "a\"b,cdefg", NULL}};
    const one all[] = {list, quoted, long_ones};
    const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true};
    assay_repairs *repairs = compiled(all, 3);
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++) {
        uint8_t buffer[64] = {0};
        const size_t count = strlen(fits[i].value);
        memcpy(buffer + 16, fits[i].value, count);
        assay_cell cell = {16, (uint32_t)count};
        const uint8_t *bytes = buffer;
        size_t changed;
        memory->dialect = fits[i].has_dialect ? &dialect : NULL;
        memory->max_bytes = fits[i].has_dialect ? 10 : 9;
        assay_repaired_begin(memory);
        CHECK_EQUAL(assay_repairs_column(repairs, memory, scratch, &bytes, &cell, 1, NULL, NULL, NULL, NULL, &changed),
                    ASSAY_OK);
        if (!CHECK(cell.length == strlen(fits[i].expected) &&
                   memcmp(bytes + cell.start, fits[i].expected, cell.length) == 0)) {
            fprintf(stderr, "    '%s' became '%.*s'\n", fits[i].value, (int)cell.length,
                    (const char *)bytes + cell.start);
        }
    }
    memory->dialect = NULL;
    memory->max_bytes = 0;
    assay_repairs_free(repairs);
}

int main(void)
{
    memory = assay_repaired_create();
    scratch = assay_scratch_create(NULL);
    test_each();
    test_lists();
    test_refusals();
    test_limits();
    test_longest_field();
    assay_scratch_free(scratch);
    assay_repaired_free(memory);
    return test_result();
}
