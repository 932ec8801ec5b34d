/* Resolves a class by searching: compiles `(?:class)++` and finds all matches in the text of all characters.
 *
 *     class [b-dx]      text    … a b c d e … w x y …
 *     `(?:[b-dx])++`                ├───┤       │     two matches, so the set is b to d, and x
 *
 * Offsets in the text map to characters by arithmetic, because all characters of one length are consecutive. A class
 * therefore takes one match for each run, and the set is PCRE2's own verdict on every character. */
#include "Patterns/assay_class_resolver.h"

#include "Bytes/assay_scalars.h"
#include "Patterns/assay_categories.h"
#include "Patterns/assay_class_tables.h"
#include "Patterns/assay_pcre2.h"

#include <stdlib.h>
#include <string.h>

#ifdef ASSAY_PCRE2

const char *const assay_resolve_class_failure = "a character class that PCRE2 did not explain";

/* Offsets in the text: where characters of two and of three bytes begin, where U+E000 is, and the end. */
enum {
    TWO_BYTES = 128,
    THREE_BYTES = TWO_BYTES + 2 * (0x800 - 0x80),
    AFTER_SURROGATES = THREE_BYTES + 3 * (0xD800 - 0x800),
    ALL_CHARACTERS = AFTER_SURROGATES + 3 * (0x10000 - 0xE000),
};

/* Returns the offset of a character; for a surrogate, that of the next character. */

static size_t place_of(uint32_t character)
{
    return character < 0x80     ? character
           : character < 0x800  ? TWO_BYTES + 2 * (character - 0x80)
           : character < 0xD800 ? THREE_BYTES + 3 * (character - 0x800)
           : character < 0xE000 ? AFTER_SURROGATES
                                : AFTER_SURROGATES + 3 * (character - 0xE000);
}

/* The character at an offset, the inverse of place_of(). */
static uint32_t character_of_place(size_t place)
{
    return (uint32_t)(place < TWO_BYTES          ? place
                      : place < THREE_BYTES      ? 0x80 + (place - TWO_BYTES) / 2
                      : place < AFTER_SURROGATES ? 0x800 + (place - THREE_BYTES) / 3
                                                 : 0xE000 + (place - AFTER_SURROGATES) / 3);
}

/* Extends the text to all characters below `count`. Memory for the whole text, about 190 KB, is reserved at once.
   Returns false without memory. */
static bool write_characters(all_characters *all, uint32_t count)
{
    if (all->bytes == NULL) all->bytes = malloc(ALL_CHARACTERS);
    if (all->bytes == NULL) return false;
    for (; all->count < count; all->count++) {
        if (all->count - 0xD800 >= 0x800) put_character(all->count, all->bytes + place_of(all->count));
    }
    return true;
}

/* A compiled class, ready to search for runs. */
typedef struct class_search {
    pcre2_code *code;
    pcre2_match_data *data;
    bool by_jit;
} class_search;

/* Finds the next run of the class from offset `at` on. *found is whether there is one. Returns false on an error, which
 * includes an empty match, because a class cannot match the empty text. */
static bool search_run(const class_search *search, const uint8_t *bytes, size_t count, size_t at, bool *found,
                       size_t *from, size_t *to)
{
    const int rc = search->by_jit ? pcre2_jit_match(search->code, bytes, count, at, 0, search->data, NULL)
                                  : pcre2_match(search->code, bytes, count, at, PCRE2_NO_UTF_CHECK, search->data, NULL);
    *found = rc >= MATCHED;
    if (!*found) return rc == PCRE2_ERROR_NOMATCH;
    *from = pcre2_get_ovector_pointer(search->data)[0];
    *to = pcre2_get_ovector_pointer(search->data)[1];
    return *to > at;
}

/* Adds all runs in the first `end` bytes of the text. */
static bool add_runs(const class_search *search, const uint8_t *all, size_t end, assay_character_set *set)
{
    size_t from = 0;
    size_t to = 0;
    for (size_t at = 0; at < end; at = to) {
        bool found = false;
        if (!search_run(search, all, end, at, &found, &from, &to)) return false;
        if (!found) break;
        /* A run across the surrogates adds them to the set, which is harmless because no value contains surrogates. */
        assay_character_set_add_range(set, character_of_place(from), character_of_place(to));
    }
    return true;
}

static int by_number(const void *one, const void *other)
{
    const uint32_t first = *(const uint32_t *)one;
    const uint32_t second = *(const uint32_t *)other;
    return (first > second) - (first < second);
}

/* Writes the first characters of the runs above U+FFFF in which membership of the class cannot change, in ascending
 * order, and returns their number. `above` has room for assay_property_run_count + 2 * class_named_max + 1. */
static size_t find_representatives(const class_reach *reach, uint32_t *above)
{
    size_t count = 0;
    above[count++] = first_above;
    for (size_t i = 0; i < assay_property_run_count && !reach->named_decide; i++) {
        above[count++] = assay_property_runs[i];
    }
    for (uint32_t i = 0; i < reach->named_count; i++) {
        above[count++] = reach->named[i];
        if (reach->named[i] + 1 < end_of_characters) above[count++] = reach->named[i] + 1;
    }
    qsort(above, count, sizeof *above, by_number);
    size_t different = 1;
    for (size_t i = 1; i < count; i++) {
        if (above[i] != above[different - 1]) above[different++] = above[i];
    }
    return different;
}

/* Adds the characters above U+FFFF, by a search through one representative of each run. */
static bool add_above(const class_search *search, const class_reach *reach, assay_character_set *set)
{
    enum { BYTES = 4 }; /* of a character */
    if (reach->named_count > class_named_max || (!reach->named_decide && !assay_categories_are_known())) {
        set->above_is_unknown = true;
        return true;
    }
    const size_t room = assay_property_run_count + 2 * class_named_max + 1;
    uint32_t *above = malloc(room * (sizeof *above + BYTES));
    if (above == NULL) return false;
    const size_t count = find_representatives(reach, above);
    uint8_t *text = (uint8_t *)(above + room);
    for (size_t i = 0; i < count; i++) put_character(above[i], text + i * BYTES);
    size_t from = 0;
    size_t to = 0;
    bool found = true;
    bool is_done = false;
    for (size_t at = 0; found && at < count * BYTES; at = to) {
        is_done = search_run(search, text, count * BYTES, at, &found, &from, &to);
        if (!is_done) break;
        if (!found) break;
        const uint32_t end = to / BYTES < count ? above[to / BYTES] : end_of_characters;
        assay_character_set_append_above(set, above[from / BYTES], end);
    }
    free(above);
    return is_done;
}

/* Adds the characters from reach->alike_from to U+FFFF, by a search for one representative. */
static bool add_alike(const class_search *search, const class_reach *reach, assay_character_set *set)
{
    size_t from = 0;
    size_t to = 0;
    bool has_bmp = false;
    if (reach->alike_from > 0xFFFF) return true;
    uint8_t last[3];
    const size_t count = put_character(0xFFFF, last);
    if (!search_run(search, last, count, 0, &has_bmp, &from, &to)) return false;
    if (has_bmp) assay_character_set_add_range(set, reach->alike_from, 0x10000);
    return true;
}

/* The number of characters from which the search is compiled to machine code first. */
enum { WORTH_JIT = 0x1000 };

/* Ticks of a search, in addition to one for each byte of the text. */
enum { SEARCH_TICKS = 20000 };

bool assay_resolve_class(void *context, const uint8_t *text, size_t count, uint32_t options, const class_reach *reach,
                         assay_character_set *set)
{
    if ((options & ASSAY_PATTERN_CASE_INSENSITIVE) == 0 && assay_categories_are_known() &&
        assay_category_find(text, count, set)) {
        return true;
    }
    all_characters *all = context;
    all->work += SEARCH_TICKS + place_of(reach->alike_from);
    size_t runs_count = 0;
    uint8_t *runs = assay_compile_wrapped("", text, count, "++", &runs_count);
    const assay_pattern_features features = assay_pattern_scan(text, count, 0);
    uint32_t flags =
        assay_compile_flags(options | ASSAY_PATTERN_SEARCH, &features) & ~(uint32_t)PCRE2_NO_START_OPTIMIZE;
    class_search search = {.data = pcre2_match_data_create(1, NULL)};
    if (runs != NULL) search.code = assay_compile(runs, runs_count, flags, SIZE_MAX, NULL);
    const uint32_t requested = reach->alike_from;
    bool found = false;
    if (search.code != NULL && search.data != NULL && write_characters(all, requested)) {
        search.by_jit = requested >= WORTH_JIT && assay_engine_jit_bug(&features, options) == NULL &&
                        assay_compile_to_machine_code(search.code) > 0;
        found = add_runs(&search, all->bytes, place_of(requested), set) && add_alike(&search, reach, set) &&
                add_above(&search, reach, set);
    }
    pcre2_match_data_free(search.data);
    assay_code_free(search.code);
    free(runs);
    return found;
}
#else

const char *const assay_resolve_class_failure = "out of memory";

bool assay_resolve_class(void *context, const uint8_t *text, size_t count, uint32_t options, const class_reach *reach,
                         assay_character_set *set)
{
    (void)context, (void)reach;
    assay_class_mistake mistake;
    return assay_class_from_tables(text, count, options, set, &mistake);
}
#endif
