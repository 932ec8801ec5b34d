/* Repairs of letters and normal forms, compared with utf8proc, if the build has it: all characters, pairs, and random
   texts. Labels normalize a whole text at once and repairs the parts between boundaries, so both are compared. */
#include "Bytes/assay_scalars.h"
#include "Types/Builtin/builtin_idna.h"
#include "Unicode/unicode_tables.h"
#include "assay/repair.h"
#include "test.h"

#include <stdlib.h>
#ifdef ASSAY_TEST_UTF8PROC
#include <utf8proc.h>
#endif

enum { MAX_CHARACTERS = 9000 };

static uint32_t characters[MAX_CHARACTERS];
static size_t character_count;
static uint32_t seconds[MAX_CHARACTERS]; /* characters that combine with a preceding one */
static size_t second_count;

static assay_repairs *repairs;
static assay_repaired *repaired;
static assay_scratch *scratch;
static size_t changed;

/* Compares the two forms of a text of at most IDNA_LABEL_SCALARS / 4 characters. */
static void check_text(const uint32_t *scalars, size_t count)
{
    uint8_t text[4 * IDNA_LABEL_SCALARS], composed[4 * IDNA_LABEL_SCALARS];
    size_t length = 0, composed_length = 0;
    idna_label label;
    for (size_t i = 0; i < count; i++) length += put_character(scalars[i], text + length);
    if (!CHECK(idna_label_read(text, length, &label) && label.count == count && idna_label_compose(&label))) return;
    for (size_t i = 0; i < label.count; i++)
        composed_length += put_character(label.scalars[i], composed + composed_length);
    assay_repaired_begin(repaired);
    const assay_repaired_value value = assay_repairs_value(repairs, repaired, scratch, text, length, false);
    changed += composed_length != length || memcmp(composed, text, length) != 0;
    const bool agree = value.status == ASSAY_OK && value.text.count == composed_length &&
                       memcmp(value.text.bytes, composed, composed_length) == 0;
    if (CHECK(agree)) return;
    for (size_t i = 0; i < count; i++) fprintf(stderr, " %04X", (unsigned)scalars[i]);
    fprintf(stderr, "\n");
}

static void add_character(uint32_t character)
{
    if (CHECK(character_count < MAX_CHARACTERS)) characters[character_count++] = character;
}

#ifdef ASSAY_TEST_UTF8PROC
/* Applies one repair to scalars. Returns the number of scalars of the result. */
static size_t repair(assay_repairs *by, const uint32_t *scalars, size_t count, uint32_t *result)
{
    uint8_t text[256];
    size_t length = 0;
    for (size_t i = 0; i < count; i++) length += put_character(scalars[i], text + length);
    assay_repaired_begin(repaired);
    const assay_repaired_value value = assay_repairs_value(by, repaired, scratch, text, length, false);
    if (!CHECK(value.status == ASSAY_OK)) return 0;
    size_t number = 0;
    for (size_t at = 0, more; at < value.text.count; at += more) {
        result[number++] = character_at(value.text.bytes + at, &more);
    }
    return number;
}

static size_t plain_form(const uint32_t *scalars, size_t count, utf8proc_option_t options, uint32_t *result)
{
    utf8proc_ssize_t number = 0;
    for (size_t i = 0; i < count; i++) {
        int bound = 0;
        number += utf8proc_decompose_char((utf8proc_int32_t)scalars[i], (utf8proc_int32_t *)result + number, 18,
                                          options, &bound);
    }
    for (utf8proc_ssize_t i = 1; i < number; i++) { /* canonical order */
        for (utf8proc_ssize_t k = i; k > 0; k--) {
            const int class = utf8proc_get_property((utf8proc_int32_t)result[k])->combining_class;
            if (class == 0 || utf8proc_get_property((utf8proc_int32_t)result[k - 1])->combining_class <= class) break;
            const uint32_t swapped = result[k];
            result[k] = result[k - 1];
            result[k - 1] = swapped;
        }
    }
    return (size_t)utf8proc_normalize_utf32((utf8proc_int32_t *)result, number, options);
}

static assay_repairs *one_repair(assay_repair_kind kind)
{
    const assay_repair_description description = {.kind = kind};
    size_t which = 0;
    return assay_repairs_create(&description, 1, NULL, 0, 0, &which, NULL);
}

static void compare(const uint32_t *scalars, size_t count, assay_repairs *by, bool compatible)
{
    uint32_t ours[400], theirs[400];
    const utf8proc_option_t form = UTF8PROC_STABLE | UTF8PROC_COMPOSE | (compatible ? UTF8PROC_COMPAT : 0);
    const size_t number = repair(by, scalars, count, ours);
    const bool agree =
        plain_form(scalars, count, form, theirs) == number && memcmp(ours, theirs, number * sizeof *ours) == 0;
    if (CHECK(agree)) return;
    for (size_t i = 0; i < count; i++) fprintf(stderr, " %04X", (unsigned)scalars[i]);
    fprintf(stderr, "\n");
}

static void test_against_utf8proc(void)
{
    if (strcmp(utf8proc_unicode_version(), "15.0.0") != 0) {
        printf("skipped: the tables are of Unicode 15.0.0, and this utf8proc has another edition\n");
        return;
    }
    assay_repairs *forms[] = {one_repair(ASSAY_REPAIR_NFC), one_repair(ASSAY_REPAIR_NFKC)};
    assay_repairs *upper = one_repair(ASSAY_REPAIR_UPPER), *lower = one_repair(ASSAY_REPAIR_LOWER);
    assay_repairs *digits = one_repair(ASSAY_REPAIR_ASCII_DIGITS);
    uint32_t result[400];
    uint32_t zero = 0;
    for (uint32_t scalar = 1; scalar < 0x110000; scalar++) {
        if (scalar - 0xD800 < 0x800) continue;
        CHECK(repair(upper, &scalar, 1, result) == 1);
        /* ß has no capital in UnicodeData.txt. */
        const utf8proc_int32_t point = (utf8proc_int32_t)scalar;
        CHECK_EQUAL(result[0], scalar == 0xDF ? scalar : (uint32_t)utf8proc_toupper(point));
        CHECK(repair(lower, &scalar, 1, result) == 1);
        CHECK_EQUAL(result[0], (uint32_t)utf8proc_tolower(point));
        CHECK(repair(digits, &scalar, 1, result) == 1);
        const bool is_digit = utf8proc_category(point) == UTF8PROC_CATEGORY_ND;
        if (is_digit && utf8proc_category(point - 1) != UTF8PROC_CATEGORY_ND) zero = scalar;
        CHECK_EQUAL(result[0], is_digit ? '0' + (scalar - zero) % 10 : scalar);
        for (int k = 0; k < 2; k++) compare(&scalar, 1, forms[k], k == 1);
    }
    test_random random = {16};
    for (unsigned long round = 0; round < test_rounds(4000000); round++) {
        uint32_t text[12];
        const size_t count = 1 + test_random_below(&random, 12);
        for (size_t i = 0; i < count; i++) {
            const uint32_t from = test_random_below(&random, 4);
            do {
                text[i] =
                    from == 0   ? seconds[test_random_below(&random, (uint32_t)second_count)]
                    : from == 1 ? characters[test_random_below(&random, (uint32_t)character_count)]
                    : from == 2
                        ? unicode_compatible_scalars[test_random_below(&random, (uint32_t)unicode_compatible_count)]
                        : 0x300 + test_random_below(&random, 0x70);
            } while (text[i] == 0x11A7);
        }
        compare(text, count, forms[round % 2], round % 2 == 1);
    }
    for (int k = 0; k < 2; k++) assay_repairs_free(forms[k]);
    assay_repairs_free(upper);
    assay_repairs_free(lower);
    assay_repairs_free(digits);
}
#else
static void test_against_utf8proc(void) { printf("skipped: no utf8proc to compare with\n"); }
#endif

/* Ten thousand marks in a row are sorted in linear time, and keep their order within a class. */
static void test_many_marks(void)
{
    enum { MARKS = 20000 };
    uint8_t *text = malloc(2 * MARKS + 1), *expected = malloc(2 * MARKS + 2);
    if (!CHECK(text != NULL && expected != NULL)) return;
    size_t length = 0, expected_length = 0;
    text[length++] = 'q';
    for (size_t i = 0; i < MARKS; i++) length += put_character(i % 2 == 0 ? 0x301 : 0x323, text + length);
    expected[expected_length++] = 'q';
    for (size_t i = 0; i < MARKS; i++) {
        expected_length += put_character(i < MARKS / 2 ? 0x323 : 0x301, expected + expected_length);
    }
    assay_repaired_begin(repaired);
    const assay_repaired_value value = assay_repairs_value(repairs, repaired, scratch, text, length, false);
    CHECK(value.status == ASSAY_OK && value.text.count == expected_length &&
          memcmp(value.text.bytes, expected, expected_length) == 0);
    free(text);
    free(expected);
}

int main(void)
{
    const assay_repair_description description = {.kind = ASSAY_REPAIR_NFC};
    size_t which = 0;
    repairs = assay_repairs_create(&description, 1, NULL, 0, 0, &which, NULL);
    repaired = assay_repaired_create();
    scratch = assay_scratch_create(NULL);
    if (!CHECK(repairs != NULL && repaired != NULL && scratch != NULL)) return test_result();
    for (size_t i = 0; i < unicode_decomposition_count; i++) {
        const unicode_decomposition *found = &unicode_decompositions[i];
        add_character(found->scalar);
        add_character(found->first);
        if (found->second == 0) continue;
        size_t known = 0;
        while (known < second_count && seconds[known] != found->second) known++;
        if (known == second_count) seconds[second_count++] = found->second;
    }
    for (uint32_t jamo = 0x1100; jamo < 0x1200; jamo++) {
        if (jamo != 0x11A7) seconds[second_count++] = jamo; /* utf8proc 2.8 drops it; see test_repair.c */
    }
    for (uint32_t syllable = 0xAC00; syllable < 0xAC00 + 11172; syllable += 5) add_character(syllable);
    for (uint32_t letter = 'a'; letter <= 'z'; letter++) add_character(letter);

    for (size_t i = 0; i < character_count; i++) {
        check_text(&characters[i], 1);
        for (size_t k = 0; k < second_count; k += test_is_slow() ? 1 : 3) {
            check_text((const uint32_t[]){characters[i], seconds[k]}, 2);
        }
    }
    test_random random = {15};
    for (unsigned long round = 0; round < test_rounds(4000000); round++) {
        uint32_t text[IDNA_LABEL_SCALARS / 4];
        const size_t count = 1 + test_random_below(&random, 8);
        for (size_t i = 0; i < count; i++) {
            const bool is_second = test_random_below(&random, 3) > 0;
            text[i] = is_second ? seconds[test_random_below(&random, (uint32_t)second_count)]
                                : characters[test_random_below(&random, (uint32_t)character_count)];
        }
        check_text(text, count);
    }
    CHECK(changed > 100000);
    test_many_marks();
    test_against_utf8proc();
    assay_scratch_free(scratch);
    assay_repaired_free(repaired);
    assay_repairs_free(repairs);
    return test_result();
}
