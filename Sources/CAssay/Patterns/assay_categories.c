#include "Patterns/assay_categories.h"

#include <string.h>

/* Short names by category number. A name of one letter means all categories that begin with it. */
static const char names[][3] = {"Cc", "Cf", "Cn", "Co", "Cs", "Ll", "Lm", "Lo", "Lt", "Lu",
                                "Mc", "Me", "Mn", "Nd", "Nl", "No", "Pc", "Pd", "Pe", "Pf",
                                "Pi", "Po", "Ps", "Sc", "Sk", "Sm", "So", "Zl", "Zp", "Zs"};

enum { CATEGORIES = sizeof names / sizeof names[0] };

/* Returns the categories of a name, one bit each; 0 if it is not such a name. */
static uint32_t categories_named(const uint8_t *name, size_t count)
{
    uint32_t named = 0;
    if (count != 1 && count != 2) return named;
    for (unsigned i = 0; i < CATEGORIES; i++) named |= (uint32_t)(memcmp(names[i], name, count) == 0) << i;
    return named;
}

/* The number of the category of a character. */
static uint32_t category_of(uint32_t character)
{
    size_t low = 0;
    size_t high = assay_category_run_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (assay_category_runs[middle] >> 8 <= character) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return assay_category_runs[low] & 0xFF;
}

bool assay_character_is_letter(uint32_t character) { return names[category_of(character)][0] == 'L'; }

bool assay_character_is_number(uint32_t character) { return names[category_of(character)][0] == 'N'; }

bool assay_category_find(const uint8_t *item, size_t count, assay_character_set *set)
{
    if (count < 3 || item[0] != '\\' || (item[1] != 'p' && item[1] != 'P')) return false;
    const uint8_t *name = item + 2;
    const uint8_t *end = item + count;
    bool is_negated = item[1] == 'P';
    if (*name == '{') {
        if (end[-1] != '}') return false;
        name++;
        end--;
        if (*name == '^') {
            is_negated = !is_negated;
            name++;
        }
    } else if (count > 3) {
        return false;
    }
    const uint32_t named = categories_named(name, (size_t)(end - name));
    if (named == 0) return false;
    const uint32_t target = is_negated ? ~named : named;
    for (size_t i = 0; i < assay_category_run_count; i++) {
        const uint32_t run = assay_category_runs[i];
        const uint32_t first = run >> 8;
        const uint32_t next = i + 1 < assay_category_run_count ? assay_category_runs[i + 1] >> 8 : end_of_characters;
        if ((target >> (run & 0xFF) & 1) == 0) continue;
        assay_character_set_add_range(set, first, next < first_above ? next : first_above);
        assay_character_set_append_above(set, first > first_above ? first : first_above, next);
    }
    return true;
}
