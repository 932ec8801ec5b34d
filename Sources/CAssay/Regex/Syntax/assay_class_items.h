/* Items of a pattern, such as [a-z] or \p{L}: which characters they match. PCRE2 is asked, about no more characters than the
 * item can tell apart, and once about escapes that stand in several classes:
 *
 *     \p{L}            asked
 *     [\p{L}\p{M}.-]   what \p{L} matches, what \p{M} matches, which is asked, and what [.-] matches, which is asked */
#ifndef ASSAY_CLASS_ITEMS_H
#define ASSAY_CLASS_ITEMS_H

#include "Regex/Syntax/assay_character_set.h"

typedef struct item_text {
    const uint8_t *bytes;
    size_t count;
} item_text;

enum { item_parts_max = 16 };

/* Finds what the items of one pattern match, all under the same options. Begins with `finder` alone; free with
   assay_item_finder_free(). */
typedef struct item_finder {
    const assay_character_finder *finder;
    /* Escapes that took long to ask about. */
    item_text parts[item_parts_max]; /* borrowed from the text of the pattern */
    assay_character_set *sets[item_parts_max];
    uint32_t count;
} item_finder;

/* Fills `set`, which is empty. `item` lasts as long as the finder. false: it could not be found out. */
bool assay_item_find(item_finder *items, const uint8_t *item, size_t count, uint32_t options, assay_character_set *set);
void assay_item_finder_free(item_finder *items);

#endif
