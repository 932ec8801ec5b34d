/* Normal form C has two implementations: that of labels (builtin_idna.c, with tables of one Unicode edition) and
   that of repairs (utf8proc, in the edition of the system). They must agree on all characters in the tables, because
   Unicode never changes the normal form of an assigned character (UAX #15, stability). vendor-notes.md contains the
   reason for two implementations. */
#include "Bytes/assay_scalars.h"
#include "Types/Builtin/builtin_idna.h"
#include "Types/Builtin/builtin_tables.h"
#include "assay/repair.h"
#include "test.h"

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

int main(void)
{
    const assay_repair_description description = {.kind = ASSAY_REPAIR_NFC};
    size_t which = 0;
    repairs = assay_repairs_create(&description, 1, NULL, 0, 0, &which, NULL);
    repaired = assay_repaired_create();
    scratch = assay_scratch_create(NULL);
    if (!CHECK(repairs != NULL && repaired != NULL && scratch != NULL)) return test_result();
    for (size_t i = 0; i < builtin_decomposition_count; i++) {
        const builtin_decomposition *found = &builtin_decompositions[i];
        add_character(found->scalar);
        add_character(found->first);
        if (found->second == 0) continue;
        size_t known = 0;
        while (known < second_count && seconds[known] != found->second) known++;
        if (known == second_count) seconds[second_count++] = found->second;
    }
    for (uint32_t jamo = 0x1100; jamo < 0x1200; jamo++) {
        if (jamo != 0x11A7) seconds[second_count++] = jamo; /* utf8proc 2.8 drops it; repairs keep it (test_repair.c) */
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
    assay_scratch_free(scratch);
    assay_repaired_free(repaired);
    assay_repairs_free(repairs);
    return test_result();
}
