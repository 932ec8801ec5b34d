/* Compares the table of general categories with PCRE2, which resolves classes such as [\p{Lu}] that the table does
   not contain. */
#include "Patterns/assay_categories.h"
#include "Patterns/assay_class_resolver.h"
#include "assay/core.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"C",  "Cc", "Cf", "Cn", "Co", "Cs", "L",  "Ll", "Lm", "Lo", "Lt", "Lu", "M",
                                    "Mc", "Me", "Mn", "N",  "Nd", "Nl", "No", "P",  "Pc", "Pd", "Pe", "Pf", "Pi",
                                    "Po", "Ps", "S",  "Sc", "Sk", "Sm", "So", "Z",  "Zl", "Zp", "Zs"};

static bool known(const char *item, assay_character_set *set)
{
    *set = (assay_character_set){.above_bmp = ABOVE_BMP_NONE};
    return assay_category_find((const uint8_t *)item, strlen(item), set);
}

static void ask(const char *item, uint32_t options, assay_character_set *set)
{
    static const class_reach whole_bmp = {0x10000, false};
    all_characters all = {.bytes = NULL};
    *set = (assay_character_set){.above_bmp = ABOVE_BMP_NONE};
    CHECK(assay_resolve_class(&all, (const uint8_t *)item, strlen(item), options, whole_bmp, set));
    free(all.bytes);
}

/* Values do not contain surrogates, so either result may include them. */
static bool are_same(const assay_character_set *one, const assay_character_set *other)
{
    for (uint32_t block = 0; block < character_blocks; block++) {
        if (block - first_surrogate_block < surrogate_blocks) continue;
        if (one->blocks[block] != other->blocks[block]) return false;
    }
    return true;
}

static void test_against_pcre2(void)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char item[16], class[16], negated[16], other[16];
        snprintf(item, sizeof item, "\\p{%s}", names[i]);
        snprintf(class, sizeof class, "[\\p{%s}]", names[i]);
        snprintf(negated, sizeof negated, "\\P{%s}", names[i]);
        snprintf(other, sizeof other, "\\p{^%s}", names[i]);
        assay_character_set asked, found;
        ask(class, 0, &asked);
        CHECK(known(item, &found));
        CHECK(are_same(&asked, &found));
        ask(item, 0, &found);
        CHECK(are_same(&asked, &found));
        CHECK_EQUAL(found.above_bmp, ABOVE_BMP_UNKNOWN);
        for (uint32_t block = 0; block < character_blocks; block++) asked.blocks[block] ^= UINT64_MAX;
        CHECK(known(negated, &found));
        CHECK(are_same(&asked, &found));
        CHECK(known(other, &found));
        CHECK(are_same(&asked, &found));
    }
}

static void test_names(void)
{
    assay_character_set letters, found;
    CHECK(known("\\p{L}", &letters));
    CHECK(known("\\pL", &found) && are_same(&letters, &found));
    CHECK(known("\\P{^L}", &found) && are_same(&letters, &found));
    static const char *const others[] = {"\\p{L&}", "\\p{Latin}", "\\p{l}", "\\p{ L}", "\\p{}", "\\p{^}", "\\p{Lx}",
                                         "\\p{L",   "\\pLu",      "\\p",    "\\d",     "[pL]",  "a",      "\\p{LL}"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) CHECK(!known(others[i], &found));
    /* If a case-insensitive match adds letters of the other case, PCRE2 must resolve the class. */
    assay_character_set asked;
    ask("[\\p{Lu}]", ASSAY_PATTERN_CASE_INSENSITIVE, &asked);
    ask("\\p{Lu}", ASSAY_PATTERN_CASE_INSENSITIVE, &found);
    CHECK(are_same(&asked, &found));
}

int main(void)
{
    if (assay_categories_are_known()) {
        test_against_pcre2();
    } else {
        printf("skipped: the table is of Unicode %s, and this PCRE2 has another\n", assay_categories_unicode);
    }
    test_names();
    return test_result();
}
