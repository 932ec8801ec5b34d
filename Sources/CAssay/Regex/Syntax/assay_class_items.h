/* Resolves the character classes of a pattern, such as [a-z] or \p{L}, to sets. PCRE2 is asked, about no more
 * characters than the class can distinguish, and only once about an item (a property escape) that several classes
 * contain:
 *
 *     \p{L}            asked
 *     [\p{L}\p{M}.-]   the sets of \p{L} (known), of \p{M} (asked), and of [.-] (asked) */
#ifndef ASSAY_CLASS_ITEMS_H
#define ASSAY_CLASS_ITEMS_H

#include "Regex/Syntax/assay_character_set.h"

typedef struct class_text {
    const uint8_t *bytes;
    size_t count;
} class_text;

enum { class_items_max = 16 };

/* Resolves the classes of one pattern, all under the same options. Starts with `finder` alone; free with
   assay_class_finder_free(). */
typedef struct class_finder {
    const assay_class_resolver *finder;
    /* property escapes that were asked about */
    class_text items[class_items_max]; /* borrowed from the text of the pattern */
    assay_character_set *sets[class_items_max];
    uint32_t count;
} class_finder;

/* Fills `set`, which is empty. `text` must outlive the finder. false: PCRE2 gave no answer. */
bool assay_class_find(class_finder *classes, const uint8_t *text, size_t count, uint32_t options,
                      assay_character_set *set);
void assay_class_finder_free(class_finder *classes);

#endif
