#include "Regex/Syntax/assay_class_items.h"

#include "Bytes/assay_ascii.h"
#include "assay/core.h"

#include <stdlib.h>

/* Character classes to character sets: see assay_class_items.h.
 *
 * The readers in this file look at the text of a class only to decide what to ask. They never decide what a class
 * matches: where they are unsure they ask PCRE2 about more characters, or about the class as a whole. */
/* ---------------------------------------------------------------------------------------------------------------
 * What a class can distinguish
 *
 *     class         highest character named   asked                    assumed alike
 *     [a-z]         z                         U+0000 to U+00FF         U+0100 on
 *     [α-ω]         ω, U+03C9                 U+0000 to U+03C9         U+03CA on
 *     [k] folded    k, but also U+212A        U+0000 to U+212A         U+212B on
 *     [\p{L}]       unlimited                 U+0000 to U+FFFF         nothing
 *
 * The least limit is U+00FF, because without Unicode properties PCRE2 looks \w, \s and POSIX classes up in a table of
 * 256 entries.
 * ------------------------------------------------------------------------------------------------------------- */

/* Decodes the character of well-formed UTF-8 at text[*at] and moves *at past it. */
static uint32_t character_at(const uint8_t *text, size_t count, size_t *at)
{
    const uint8_t lead = text[(*at)++];
    if (lead < 0xC0) return lead;
    uint32_t character = lead < 0xE0 ? lead & 0x1Fu : lead < 0xF0 ? lead & 0x0Fu : lead & 0x07u;
    while (*at < count && (text[*at] & 0xC0) == 0x80) character = character << 6 | (text[(*at)++] & 0x3Fu);
    return character;
}

/* Returns the highest character that an escape names or distinguishes from its neighbours, or UINT32_MAX if there is no
   limit. text[*at] is the byte after the backslash; *at moves past the escape. */
static uint32_t highest_of_escape(const uint8_t *text, size_t count, uint32_t options, size_t *at)
{
    const uint8_t what = text[(*at)++];
    if (is_one_of(what, "dDsSwW")) return (options & ASSAY_PATTERN_UNICODE_CLASSES) != 0 ? UINT32_MAX : 0xFF;
    if (is_one_of(what, "hHvV")) return 0x3000; /* IDEOGRAPHIC SPACE, the last of the horizontal spaces */
    if (is_one_of(what, "Ntnrfea")) return 0xFF;
    if (is_digit(what)) return 0x1FF; /* octal */
    if (what == 'x') {
        const bool is_braced = *at < count && text[*at] == '{';
        if (is_braced) ++*at;
        uint32_t character = 0;
        /* PCRE2 skips leading zeros, as in \x{00000003b1}, so the digits are not limited to eight. A number above
           U+10FFFF does not compile, so that the mask loses no bits of one that does. */
        for (size_t digits = 0; *at < count && is_hex_digit(text[*at]) && (is_braced || digits < 2); digits++) {
            character = (character & 0x0FFFFFFF) << 4 | hex_value(text[(*at)++]);
        }
        /* Newer releases of PCRE2 allow blanks there. */
        if (is_braced && (*at == count || text[*at] != '}')) return UINT32_MAX;
        return character;
    }
    return what < 0x80 && !is_letter(what) ? what : UINT32_MAX;
}

/* Computes from which character on a class treats all characters alike: above every character that its text names. Each
   byte of the text counts, brackets and hyphens too, which can only raise the bound. O(count). */
static class_reach reach_of(const uint8_t *text, size_t count, uint32_t options)
{
    static const class_reach whole_bmp = {0x10000, false};
    const bool folds = (options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0;
    class_reach reach = {0x100, true};
    for (size_t i = 0; i < count;) {
        uint32_t highest = 0;
        if (text[i] == '\\' && i + 1 < count) {
            i++;
            highest = highest_of_escape(text, count, options, &i);
        } else if (text[i] == '[' && i > 0 && i + 1 < count && text[i + 1] == ':') {
            if ((options & ASSAY_PATTERN_UNICODE_CLASSES) != 0) return whole_bmp;
            i++;
        } else {
            highest = character_at(text, count, &i);
        }
        if (highest > 0xFFFF) return whole_bmp;
        /* Case folding pairs characters that are far apart, but never across U+FFFF. For ASCII letters the farthest
           are U+017F (long s) and U+212A (Kelvin sign). */
        if (folds) highest = highest < 0x80 ? 0x212A : 0xFFFF;
        if (highest >= reach.alike_from) reach.alike_from = highest + 1;
    }
    return reach;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Asking PCRE2
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns the ASCII character of a class that is one literal, such as `-` or `\.`, and −1 for any other class. PCRE2
   need not be asked about those. */
static int plain_character(const uint8_t *text, size_t count, uint32_t options)
{
    uint8_t last = text[count - 1];
    bool is_literal = (count == 1 && last != '.') || (count == 2 && text[0] == '\\' && !is_letter(last));
    if (!is_literal || last >= 0x80) return -1;
    return (options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0 && is_letter(last) ? -1 : last;
}

static bool ask(const class_finder *classes, const uint8_t *text, size_t count, uint32_t options,
                assay_character_set *set)
{
    return classes->finder->find(classes->finder->context, text, count, options, reach_of(text, count, options), set);
}

/* ---------------------------------------------------------------------------------------------------------------
 * The items of a class
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns the length in bytes of the property escape that the text begins with (\p{…}, \P{…}, \pL), 0 if it begins with
   anything else. */
static size_t property_length(const uint8_t *text, size_t count)
{
    if (count < 3 || text[0] != '\\' || (text[1] | 0x20) != 'p') return 0;
    if (text[2] != '{') return 3;
    const uint8_t *close = memchr(text, '}', count);
    return close == NULL ? 0 : (size_t)(close - text) + 1;
}

/* Returns the set of an item, from an earlier class or from PCRE2. An earlier answer counts only for the same case
   folding, because \p{Lu} under (?i) also matches lower-case letters in PCRE2 10.45 and later. NULL: PCRE2 gave no
   answer, or there are more than class_items_max items. The set stays owned by the finder. */
static const assay_character_set *item_set(class_finder *classes, class_text item, uint32_t options)
{
    const uint32_t folding = options & ASSAY_PATTERN_CASE_INSENSITIVE;
    for (uint32_t i = 0; i < classes->count; i++) {
        const class_text known = classes->items[i];
        if (classes->folding[i] == folding && known.count == item.count &&
            memcmp(known.bytes, item.bytes, item.count) == 0)
            return classes->sets[i];
    }
    if (classes->count == class_items_max) return NULL;
    assay_character_set *set = calloc(1, sizeof *set);
    if (set == NULL || !ask(classes, item.bytes, item.count, options, set)) {
        free(set);
        return NULL;
    }
    classes->items[classes->count] = item;
    classes->folding[classes->count] = folding;
    classes->sets[classes->count++] = set;
    return set;
}

enum { class_longest = 256 };

/* A bracketed class taken apart: [\p{L}\p{M}.-] into the properties \p{L} and \p{M}, and the rest [.-]. */
typedef struct class_items {
    class_text properties[class_items_max];
    uint32_t count;
    uint8_t rest[class_longest];
    size_t rest_count;
} class_items;

/* Splits a class into property escapes and the rest, whose union it is. Returns false where that does not hold, or is
   not obvious, and the class has to be asked as a whole:

       [^\p{L}.]       negated: an intersection of complements
       [\p{Lu}.] (?i)  case is ignored: a property may mean something else in a class than alone
       [\x\p{L}…]      an escape of several characters, which without the property could swallow what follows it
       [+\p{L}-z]      without the property the hyphen would make a range
       [\p{L}^]        without the property the circumflex would negate the class
 */
static bool split_class(const uint8_t *text, size_t count, uint32_t options, class_items *items)
{
    if (text[0] != '[' || text[1] == '^' || count > class_longest) return false;
    if ((options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0) return false;
    items->count = 0;
    items->rest_count = 0;
    for (size_t i = 0; i < count;) {
        const size_t length = property_length(text + i, count - i);
        if (length > 0) {
            const bool is_joint = text[i - 1] == '-' || text[i + length] == '-' || (i > 1 && text[i - 1] == '[');
            if (is_joint || items->count == class_items_max) return false;
            items->properties[items->count++] = (class_text){text + i, length};
            i += length;
            continue;
        }
        const bool is_escape = text[i] == '\\' && i + 1 < count;
        const bool is_word = is_escape && (is_letter(text[i + 1]) || is_digit(text[i + 1]));
        if (is_word && !is_one_of(text[i + 1], "dDsSwWhHvVnrtfeab")) return false;
        const size_t taken = is_escape ? 2 : 1;
        memcpy(items->rest + items->rest_count, text + i, taken);
        items->rest_count += taken;
        i += taken;
    }
    return items->count > 0 && items->rest[1] != '^';
}

/* Fills `set` with the union of the items. */
static bool find_by_items(class_finder *classes, const class_items *items, uint32_t options, assay_character_set *set)
{
    const bool has_rest = items->rest_count > 2; /* more than the brackets */
    if (has_rest && !ask(classes, items->rest, items->rest_count, options, set)) return false;
    for (uint32_t i = 0; i < items->count; i++) {
        const assay_character_set *item = item_set(classes, items->properties[i], options);
        if (item == NULL) return false;
        assay_character_set_unite(set, item);
    }
    return true;
}

bool assay_class_find(class_finder *classes, const uint8_t *text, size_t count, uint32_t options,
                      assay_character_set *set)
{
    const int character = plain_character(text, count, options);
    if (character >= 0) {
        assay_character_set_add(set, (uint32_t)character);
        return true;
    }
    class_items items = {.count = 0};
    if (property_length(text, count) == count) {
        items.properties[items.count++] = (class_text){text, count};
    } else if (!split_class(text, count, options, &items)) {
        return ask(classes, text, count, options, set);
    }
    return find_by_items(classes, &items, options, set);
}

void assay_class_finder_free(class_finder *classes)
{
    for (uint32_t i = 0; i < classes->count; i++) free(classes->sets[i]);
}
