/* Compares the table of general categories with PCRE2, which resolves classes such as [\p{Lu}] that the table does
   not contain; and the sets of classes above U+FFFF with searches through all characters. */
#include "Patterns/assay_categories.h"
#include "Patterns/assay_class_resolver.h"
#include "Patterns/assay_pcre2.h"
#include "Regex/Syntax/assay_class_items.h"
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
    *set = (assay_character_set){.bound_count = 0};
    return assay_category_find((const uint8_t *)item, strlen(item), set);
}

static void ask(const char *item, uint32_t options, assay_character_set *set)
{
    static const class_reach everything = {.alike_from = 0x10000};
    all_characters all = {.bytes = NULL};
    *set = (assay_character_set){.bound_count = 0};
    CHECK(assay_resolve_class(&all, (const uint8_t *)item, strlen(item), options, &everything, set));
    free(all.bytes);
}

/* Values do not contain surrogates, so either result may include them. */
static bool are_same(const assay_character_set *one, const assay_character_set *other)
{
    for (uint32_t block = 0; block < character_blocks; block++) {
        if (block - first_surrogate_block < surrogate_blocks) continue;
        if (one->blocks[block] != other->blocks[block]) return false;
    }
    return one->above_is_unknown == other->above_is_unknown && one->bound_count == other->bound_count &&
           memcmp(one->bounds, other->bounds, one->bound_count * sizeof *one->bounds) == 0;
}

/* Replaces a set by all characters that are not in it. */
static void negate(assay_character_set *set)
{
    for (uint32_t block = 0; block < character_blocks; block++) set->blocks[block] ^= UINT64_MAX;
    const bool has_first = set->bound_count > 0 && set->bounds[0] == first_above;
    if (has_first) {
        memmove(set->bounds, set->bounds + 1, --set->bound_count * sizeof *set->bounds);
    } else {
        memmove(set->bounds + 1, set->bounds, set->bound_count++ * sizeof *set->bounds);
        set->bounds[0] = first_above;
    }
}

static void test_against_pcre2(void)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char item[16], class[16], negated[16], other[16];
        snprintf(item, sizeof item, "\\p{%s}", names[i]);
        snprintf(class, sizeof class, "[\\p{%s}]", names[i]);
        snprintf(negated, sizeof negated, "\\P{%s}", names[i]);
        snprintf(other, sizeof other, "\\p{^%s}", names[i]);
        assay_character_set requested, found;
        ask(class, 0, &requested);
        CHECK(known(item, &found));
        CHECK(are_same(&requested, &found));
        ask(item, 0, &found);
        CHECK(are_same(&requested, &found));
        CHECK(!found.above_is_unknown);
        negate(&requested);
        CHECK(known(negated, &found));
        CHECK(are_same(&requested, &found));
        CHECK(known(other, &found));
        CHECK(are_same(&requested, &found));
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
    assay_character_set requested;
    ask("[\\p{Lu}]", ASSAY_PATTERN_CASE_INSENSITIVE, &requested);
    ask("\\p{Lu}", ASSAY_PATTERN_CASE_INSENSITIVE, &found);
    CHECK(are_same(&requested, &found));
}

/* ---------------------------------------------------------------------------------------------------------------
 * Above U+FFFF
 * ------------------------------------------------------------------------------------------------------------- */

/* All characters above U+FFFF in UTF-8, four bytes each. */
static uint8_t *all_above;
enum { ABOVE = end_of_characters - first_above };

static void write_all_above(void)
{
    all_above = malloc((size_t)4 * ABOVE);
    if (!CHECK(all_above != NULL)) exit(EXIT_FAILURE);
    for (uint32_t i = 0; i < ABOVE; i++) {
        const uint32_t character = first_above + i;
        all_above[4 * i] = (uint8_t)(0xF0 | character >> 18);
        all_above[4 * i + 1] = (uint8_t)(0x80 | (character >> 12 & 0x3F));
        all_above[4 * i + 2] = (uint8_t)(0x80 | (character >> 6 & 0x3F));
        all_above[4 * i + 3] = (uint8_t)(0x80 | (character & 0x3F));
    }
}

/* Finds the characters of a class above U+FFFF by a search through all of them. */
static void search_above(const char *text, uint32_t options, assay_character_set *set)
{
    char runs[1024];
    snprintf(runs, sizeof runs, "(?:%s)++", text);
    uint32_t flags = PCRE2_UTF | PCRE2_NO_AUTO_POSSESS;
    if ((options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0) flags |= PCRE2_CASELESS;
    if ((options & ASSAY_PATTERN_UNICODE_CLASSES) != 0) flags |= PCRE2_UCP;
    int error = 0;
    size_t offset = 0;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)runs, strlen(runs), flags, &error, &offset, NULL);
    if (!CHECK(code != NULL)) return;
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    *set = (assay_character_set){.bound_count = 0};
    for (size_t at = 0; pcre2_match(code, all_above, (size_t)4 * ABOVE, at, PCRE2_NO_UTF_CHECK, data, NULL) > 0;) {
        const size_t *found = pcre2_get_ovector_pointer(data);
        at = found[1];
        assay_character_set_append_above(set, first_above + (uint32_t)(found[0] / 4), first_above + (uint32_t)(at / 4));
    }
    pcre2_match_data_free(data);
    pcre2_code_free(code);
}

static void test_above(void)
{
    enum { FOLDS = ASSAY_PATTERN_CASE_INSENSITIVE, UNICODE = ASSAY_PATTERN_UNICODE_CLASSES };
    static const struct {
        const char *text;
        uint32_t options;
    } classes[] = {
        {"[a-z]", 0},
        {"[^a-z]", 0},
        {".", 0},
        {"[\\x{1F600}-\\x{1F64F}]", 0},
        {"[\\x{1F600}-\\x{1F64F}\\x{1F680}x]", 0},
        {"[^\\x{1F600}-\\x{1F64F}]", 0},
        {"😀", 0},
        {"\\x{10000}", 0},
        {"\\x{10FFFF}", 0},
        {"[\\x{2600}-\\x{1F64F}]", 0},
        {"[\\x{FFFF}\\x{10000}\\x{10001}\\x{10FFFE}]", 0},
        {"[😀-😎\\x{1F5FF}]", 0},
        {"[\\x{10400}-\\x{1040F}]", FOLDS},
        {"[^\\x{1E921}-\\x{1E930}a]", FOLDS},
        {"\\x{118A5}", FOLDS},
        {"[a-z]", FOLDS},
        {"[ä😀]", FOLDS},
        {"\\p{Han}", 0},
        {"\\P{Han}", 0},
        {"[\\p{Han}\\p{Hiragana}ー]", 0},
        {"[^\\p{L}\\p{N}]", 0},
        {"[\\p{Lu}\\x{10430}]", FOLDS},
        {"\\p{Lu}", FOLDS},
        {"[\\p{Ll}\\x{1F600}-\\x{1F64F}]", 0},
        {"\\p{Emoji}", 0},
        {"\\p{Extended_Pictographic}", 0},
        {"\\p{sc:Greek}", 0},
        {"\\p{bidiclass:r}", 0},
        {"\\p{Any}", 0},
        {"\\p{Xwd}", 0},
        {"[\\p{Cn}\\x{E0100}]", 0},
        {"\\w", UNICODE},
        {"[\\w\\x{1F600}-\\x{1F64F}]", UNICODE},
        {"[\\s\\D]", UNICODE},
        {"[^\\w\\s]", UNICODE},
        {"[[:alpha:]]", UNICODE},
        {"[[:^punct:]]", UNICODE},
        {"[[:upper:]]", UNICODE | FOLDS},
        {"\\w", 0},
        {"\\W", 0},
    };
    write_all_above();
    all_characters all = {.bytes = NULL};
    const assay_class_resolver resolver = {.find = assay_resolve_class, .context = &all};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        const char *text = classes[i].text;
        assay_character_set found = {.bound_count = 0}, requested = {.bound_count = 0};
        class_finder finder = {.finder = &resolver};
        CHECK(assay_class_find(&finder, (const uint8_t *)text, strlen(text), classes[i].options, &found));
        search_above(text, classes[i].options, &requested);
        const bool are_equal =
            found.bound_count == requested.bound_count &&
            memcmp(found.bounds, requested.bounds, requested.bound_count * sizeof *requested.bounds) == 0;
        if (!CHECK(!found.above_is_unknown && are_equal)) fprintf(stderr, "    %s\n", text);
        assay_class_finder_free(&finder);
    }
    /* More characters than are listed. */
    char many[1024] = "[";
    for (unsigned i = 0; i <= class_named_max; i++) {
        snprintf(many + strlen(many), sizeof many - strlen(many), "\\x{%x}", 0x1F300 + 2 * i);
    }
    strcat(many, "]");
    class_finder finder = {.finder = &resolver};
    assay_character_set found = {.bound_count = 0};
    CHECK(assay_class_find(&finder, (const uint8_t *)many, strlen(many), 0, &found) && found.above_is_unknown);
    assay_class_finder_free(&finder);
    free(all.bytes);
    free(all_above);
}

/* Unions of sets above U+FFFF, compared character by character at their bounds. */
static void test_unions(void)
{
    static const uint32_t lists[][5] = {
        {0},
        {0x10000},
        {0x10000, 0x10010},
        {0x10010, 0x10020},
        {0x10010},
        {0x10005, 0x10015, 0x10017, 0x10019},
        {0x10000, 0x10010, 0x10020, 0x10030},
        {0x10FFFF},
    };
    enum { LISTS = sizeof lists / sizeof lists[0] };
    for (size_t i = 0; i < LISTS * LISTS; i++) {
        assay_character_set one = {.bound_count = 0}, other = {.bound_count = 0};
        while (lists[i / LISTS][one.bound_count] != 0)
            one.bounds[one.bound_count] = lists[i / LISTS][one.bound_count], one.bound_count++;
        while (lists[i % LISTS][other.bound_count] != 0)
            other.bounds[other.bound_count] = lists[i % LISTS][other.bound_count], other.bound_count++;
        assay_character_set both = one;
        assay_character_set_unite(&both, &other);
        bool is_right = !both.above_is_unknown;
        for (uint32_t character = first_above; character < first_above + 64; character++) {
            const bool has =
                assay_character_set_has_above(&one, character) || assay_character_set_has_above(&other, character);
            is_right = is_right && assay_character_set_has_above(&both, character) == has;
        }
        for (uint32_t j = 1; j < both.bound_count; j++) is_right = is_right && both.bounds[j - 1] < both.bounds[j];
        if (!CHECK(is_right)) fprintf(stderr, "    lists %zu and %zu\n", i / LISTS, i % LISTS);
        /* Unknown, unless the other set has all of them. */
        assay_character_set unknown = {.above_is_unknown = true};
        assay_character_set_unite(&unknown, &one);
        CHECK(unknown.above_is_unknown == !assay_character_set_has_all_above(&one));
        both = one;
        assay_character_set_unite(&both, &(assay_character_set){.above_is_unknown = true});
        CHECK(both.above_is_unknown == !assay_character_set_has_all_above(&one));
    }
}

int main(void)
{
    test_unions();
    if (assay_categories_are_known()) {
        test_against_pcre2();
        test_above();
    } else {
        printf("skipped: the table is of Unicode %s, and this PCRE2 has another\n", assay_categories_unicode);
    }
    test_names();
    return test_result();
}
