#include "Regex/Syntax/assay_class_items.h"

#include "Bytes/assay_ascii.h"
#include "Regex/Syntax/assay_regex_tokens.h"
#include "assay/core.h"

#include <stdlib.h>

/* Character classes to character sets: see assay_class_items.h.
 *
 * The functions in this file read the tokens of a class only to select the questions to PCRE2. They never decide
 * which characters a class matches: if they are unsure, they ask PCRE2 about more characters, or about the class as
 * a whole. */
/* ---------------------------------------------------------------------------------------------------------------
 * The characters that a class can distinguish
 *
 *     class         highest character named   asked                    assumed alike
 *     [a-z]         z                         U+0000 to U+00FF         U+0100 on
 *     [α-ω]         ω, U+03C9                 U+0000 to U+03C9         U+03CA on
 *     [k] folded    k, but also U+212A        U+0000 to U+212A         U+212B on
 *     [\p{L}]       unlimited                 U+0000 to U+FFFF         no characters
 *     [a😀-🙏]       z, 😀, 🙏                 U+0000 to U+00FF, 😀,    U+0100 to U+FFFF, those between the other
 *                                              🙏, and those after      ones that are asked about
 *                                              them
 *
 * The minimum limit is U+00FF, because without Unicode properties PCRE2 looks up \w, \s and POSIX classes in a table of
 * 256 entries.
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns the highest character that an escape names or distinguishes from its neighbors, or UINT32_MAX if there is no
 * limit. */
static uint32_t highest_of_escape(const regex_token *token, uint32_t options)
{
    const uint8_t letter = token->letter;
    if (is_one_of(letter, "dDsSwW")) return (options & ASSAY_PATTERN_UNICODE_CLASSES) != 0 ? UINT32_MAX : 0xFF;
    if (is_one_of(letter, "hHvV")) return 0x3000; /* IDEOGRAPHIC SPACE, the last of the horizontal spaces */
    if (is_one_of(letter, "Ntnrfea") && !token->is_long) return 0xFF;
    if (is_digit(letter)) return 0x1FF; /* octal */
    if (letter == 'x' && token->is_long && !token->is_plain) return UINT32_MAX;
    return letter == 'x' || (letter < 0x80 && !is_letter(letter)) ? token->value : UINT32_MAX;
}

/* Returns the highest character that a token of a class names or distinguishes. */
static uint32_t highest_of_token(const regex_token *token, uint32_t options)
{
    const bool has_unicode_classes = (options & ASSAY_PATTERN_UNICODE_CLASSES) != 0;
    switch (token->kind) {
    case REGEX_TOKEN_ESCAPE:
        return highest_of_escape(token, options);
    case REGEX_TOKEN_LITERAL:
        return token->value;
    case REGEX_TOKEN_POSIX:
        return has_unicode_classes ? UINT32_MAX : 0xFF;
    case REGEX_TOKEN_ANY:
    case REGEX_TOKEN_CLASS_OPEN:
    case REGEX_TOKEN_CLASS_CLOSE:
        return 0;
    case REGEX_TOKEN_END:
    case REGEX_TOKEN_PROPERTY:
    case REGEX_TOKEN_ASSERTION:
    case REGEX_TOKEN_REFERENCE:
    case REGEX_TOKEN_CALL:
    case REGEX_TOKEN_GROUP:
    case REGEX_TOKEN_CLOSE:
    case REGEX_TOKEN_ALTERNATION:
    case REGEX_TOKEN_QUANTIFIER:
    case REGEX_TOKEN_VERB:
    case REGEX_TOKEN_SETTINGS:
    case REGEX_TOKEN_QUOTE:
    case REGEX_TOKEN_COMMENT:
    case REGEX_TOKEN_BLANK:
    case REGEX_TOKEN_UNCERTAIN:
        break;
    }
    return UINT32_MAX; /* not part of a class of the supported subset */
}

/* Computes the character from which a class treats all characters alike: above every character that its text names.
 * Each character of the text counts, including hyphens, which can only raise the bound. O(count). */
static class_reach reach_of(const uint8_t *text, size_t count, uint32_t options)
{
    const bool folds = (options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0;
    class_reach reach = {.alike_from = 0x100, .named_decide = true};
    regex_tokens tokens;
    assay_regex_tokens_begin(&tokens, text, count, 0);
    for (;;) {
        const regex_token token = assay_regex_next_token(&tokens);
        if (token.kind == REGEX_TOKEN_END) return reach;
        uint32_t highest = highest_of_token(&token, options);
        if (highest >= end_of_characters) {
            reach.alike_from = 0x10000; /* the whole BMP */
            reach.named_decide = false;
            continue;
        }
        if (highest >= first_above) {
            if (reach.named_count < class_named_max) reach.named[reach.named_count] = highest;
            reach.named_count++;
            reach.named_decide = reach.named_decide && !folds;
            continue;
        }
        /* Case folding pairs characters that are far apart, but never across U+FFFF. For ASCII letters the farthest
           are U+017F (long s) and U+212A (Kelvin sign). */
        if (folds) highest = highest < 0x80 ? 0x212A : 0xFFFF;
        if (highest >= reach.alike_from) reach.alike_from = highest + 1;
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Asking PCRE2
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns the token that is the whole text of a class, or END if the class has brackets. */
static regex_token single_token(const uint8_t *text, size_t count)
{
    regex_tokens tokens;
    assay_regex_tokens_begin(&tokens, text, count, 0);
    const regex_token token = assay_regex_next_token(&tokens);
    return token.length == count ? token : (regex_token){.kind = REGEX_TOKEN_END};
}

/* Whether a token that is a whole class needs no question to PCRE2: an ASCII literal, such as `-` or `\.`, or an
 * escaped character that is not a letter. */
static bool is_plain_character(const regex_token *token, uint32_t options)
{
    if (!regex_token_is_character(token) || token->value >= 0x80) return false;
    if (token->kind == REGEX_TOKEN_ESCAPE && token->value != token->letter) return false;
    /* The value of \x78 is its letter. */
    return (options & ASSAY_PATTERN_CASE_INSENSITIVE) == 0 || !is_letter((uint8_t)token->value);
}

static bool ask(const class_finder *classes, const uint8_t *text, size_t count, uint32_t options,
                assay_character_set *set)
{
    const class_reach reach = reach_of(text, count, options);
    return classes->finder->find(classes->finder->context, text, count, options, &reach, set);
}

/* ---------------------------------------------------------------------------------------------------------------
 * The items of a class
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns the set of an item, from an earlier class or from PCRE2. An earlier answer counts only for the same case
 * folding, because \p{Lu} under (?i) also matches lower-case letters in PCRE2 10.45 and later. NULL: PCRE2 failed, or
 * there are more than class_items_max items. The finder owns the set. */
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

/* A divided bracketed class: [\p{L}\p{M}.-] into the properties \p{L} and \p{M}, and the rest [.-]. */
typedef struct class_items {
    class_text properties[class_items_max];
    uint32_t count;
    uint8_t rest[class_longest];
    size_t rest_count;
} class_items;

/* Whether an escape of a class has the same meaning before any text. */
static bool can_be_alone(const regex_token *token)
{
    const bool is_word = is_letter(token->letter) || is_digit(token->letter);
    return !is_word || is_one_of(token->letter, "dDsSwWhHvVnrtfeab");
}

/* Splits a class into property escapes and the rest, if it is their union. Returns false if it is not, or if that is
 * not obvious, and the class must be resolved as a whole:
 *
 *     [^\p{L}.]       negated: an intersection of complements
 *     [\p{Lu}.] (?i)  case is ignored: a property may have another meaning in a class than alone
 *     [\x\p{L}…]      an escape of several characters, which without the property could include the text after it
 *     [+\p{L}-z]      without the property the hyphen would make a range
 *     [\p{L}^]        without the property the circumflex would negate the class
 *     [\p{L}..]       without the property the dots would name a collating element */
static bool split_class(const uint8_t *text, size_t count, uint32_t options, class_items *items)
{
    if (count > class_longest || (options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0) return false;
    items->count = 0;
    items->rest_count = 0;
    regex_tokens tokens;
    assay_regex_tokens_begin(&tokens, text, count, 0);
    for (;;) {
        const regex_token token = assay_regex_next_token(&tokens);
        const size_t end = token.start + token.length;
        if (token.kind == REGEX_TOKEN_END) break;
        if (token.kind == REGEX_TOKEN_PROPERTY && token.in_class) {
            const bool is_joint =
                text[token.start - 1] == '-' || text[end] == '-' || (token.start > 1 && text[token.start - 1] == '[');
            if (is_joint || items->count == class_items_max) return false;
            items->properties[items->count++] = (class_text){text + token.start, token.length};
            continue;
        }
        const bool is_uncertain = token.kind == REGEX_TOKEN_QUOTE || token.kind == REGEX_TOKEN_UNCERTAIN;
        const bool is_allowed = token.kind == REGEX_TOKEN_CLASS_OPEN ? token.letter != '^'
                                : token.kind == REGEX_TOKEN_ESCAPE   ? can_be_alone(&token)
                                                                     : token.in_class && !is_uncertain;
        if (!is_allowed) return false;
        memcpy(items->rest + items->rest_count, text + token.start, token.length);
        items->rest_count += token.length;
    }
    return items->count > 0 && !is_one_of(items->rest[1], "^:.=");
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
    const regex_token token = single_token(text, count);
    if (is_plain_character(&token, options)) {
        assay_character_set_add(set, token.value);
        return true;
    }
    class_items items = {.count = 0};
    if (token.kind == REGEX_TOKEN_PROPERTY) {
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
