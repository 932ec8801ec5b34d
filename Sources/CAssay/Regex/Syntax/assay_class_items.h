/* Resolves the character classes of a pattern, such as [a-z] or \p{L}, to character sets.
 *
 * Assay has no table of its own for \w or [^\W_]. It uses the answers of the linked PCRE2, so that the DFA cannot
 * disagree with it about Unicode versions, case folding or POSIX classes. An answer for the whole basic multilingual
 * plane requires a search through 60,000 characters; two measures make that rare:
 *
 *   - A class is tested only with the characters that its text can distinguish: [0-9a-f] with U+0000 to U+00FF.
 *   - A property escape that occurs in several classes is resolved once, and a class is the union of its items:
 *
 *         \p{L}            resolves \p{L}
 *         [\p{L}\p{M}.-]   \p{L} is known; resolves \p{M} and [.-] */
#ifndef ASSAY_CLASS_ITEMS_H
#define ASSAY_CLASS_ITEMS_H

#include "Regex/Syntax/assay_character_set.h"

/* The text of a class or an item. Borrowed from the pattern. */
typedef struct class_text {
    const uint8_t *bytes;
    size_t count;
} class_text;

enum { class_items_max = 16 };

/* Resolves the classes of one pattern, each under its own options. Initialize with `finder` alone; free with
 * assay_class_finder_free(). */
typedef struct class_finder {
    const assay_class_resolver *finder;
    /* the property escapes resolved so far: their texts, whether case was ignored, and their sets, owned */
    class_text items[class_items_max];
    uint32_t folding[class_items_max];
    assay_character_set *sets[class_items_max];
    uint32_t count;
} class_finder;

/* Fills `set`, which must be empty, with the characters of the class `text`, which must outlive the finder. Returns
 * false if PCRE2 failed, or if the pattern has more than class_items_max different property escapes. */
bool assay_class_find(class_finder *classes, const uint8_t *text, size_t count, uint32_t options,
                      assay_character_set *set);
void assay_class_finder_free(class_finder *classes);

#endif
