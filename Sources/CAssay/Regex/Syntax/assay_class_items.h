/* Items of a pattern, such as [a-z] or \p{L}: which characters they match. PCRE2 is asked, about no more characters than the
 * item can tell apart, and once about escapes that stand in several classes:
 *
 *     \p{L}            asked
 *     [\p{L}\p{M}.-]   what \p{L} matches, what \p{M} matches, which is asked, and what [.-] matches, which is asked */
#ifndef ASSAY_CLASS_ITEMS_H
#define ASSAY_CLASS_ITEMS_H

#include "Regex/Syntax/assay_character_set.h"

typedef struct class_text {
    const uint8_t *bytes;
    size_t count;
} class_text;

enum { class_parts_max = 16 };

/* Finds what the items of one pattern match, all under the same options. Begins with `finder` alone; free with
   assay_class_finder_free(). */
typedef struct class_finder {
    const assay_class_resolver *finder;
    /* Escapes that took long to ask about. */
    class_text parts[class_parts_max]; /* borrowed from the text of the pattern */
    assay_character_set *sets[class_parts_max];
    uint32_t count;
} class_finder;

/* Fills `set`, which is empty. `item` lasts as long as the finder. false: it could not be found out. */
bool assay_class_find(class_finder *items, const uint8_t *item, size_t count, uint32_t options,
                      assay_character_set *set);
void assay_class_finder_free(class_finder *items);

#endif
