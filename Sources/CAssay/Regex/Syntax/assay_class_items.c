#include "Regex/Syntax/assay_class_items.h"

#include "Bytes/assay_ascii.h"
#include "assay/core.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Reach
 * ------------------------------------------------------------------------------------------------------------- */

/* The character of well-formed UTF-8 at item[*at]; moves behind it. */
static uint32_t character_at(const uint8_t *item, size_t count, size_t *at)
{
    const uint8_t lead = item[(*at)++];
    if (lead < 0xC0) return lead;
    uint32_t character = lead < 0xE0 ? lead & 0x1Fu : lead < 0xF0 ? lead & 0x0Fu : lead & 0x07u;
    while (*at < count && (item[*at] & 0xC0) == 0x80) character = character << 6 | (item[(*at)++] & 0x3Fu);
    return character;
}

/* The highest character that an escape at item[*at], behind the backslash, names or could tell from its neighbours;
   moves behind it. UINT32_MAX: no limit. */
static uint32_t highest_of_escape(const uint8_t *item, size_t count, uint32_t options, size_t *at)
{
    const uint8_t what = item[(*at)++];
    if (is_one_of(what, "dDsSwW")) return (options & ASSAY_PATTERN_UNICODE_CLASSES) != 0 ? UINT32_MAX : 0xFF;
    if (is_one_of(what, "hHvV")) return 0x3000;
    if (is_one_of(what, "Ntnrfea")) return 0xFF;
    if (is_digit(what)) return 0x1FF; /* octal */
    if (what == 'x') {
        const bool is_braced = *at < count && item[*at] == '{';
        if (is_braced) ++*at;
        uint32_t character = 0;
        size_t digits = 0;
        for (; *at < count && is_hex_digit(item[*at]) && digits < (is_braced ? 8 : 2); digits++) {
            character = character << 4 | hex_value(item[(*at)++]);
        }
        return character;
    }
    return what < 0x80 && !is_letter(what) ? what : UINT32_MAX;
}

/* From where on an item treats all characters alike, for it names none of them and nothing that could tell them apart. */
static class_reach reach_of(const uint8_t *item, size_t count, uint32_t options)
{
    static const class_reach whole_bmp = {0x10000, false};
    const bool folds = (options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0;
    class_reach reach = {0x100, true};
    for (size_t i = 0; i < count;) {
        uint32_t highest = 0;
        if (item[i] == '\\' && i + 1 < count) {
            i++;
            highest = highest_of_escape(item, count, options, &i);
        } else if (item[i] == '[' && i > 0 && i + 1 < count && item[i + 1] == ':') {
            if ((options & ASSAY_PATTERN_UNICODE_CLASSES) != 0) return whole_bmp;
            i++;
        } else {
            highest = character_at(item, count, &i);
        }
        if (highest > 0xFFFF) return whole_bmp;
        /* Some letters have another case far away, but none on the other side of U+FFFF. ASCII has U+017F and U+212A. */
        if (folds) highest = highest < 0x80 ? 0x212A : 0xFFFF;
        if (highest >= reach.alike_from) reach.alike_from = highest + 1;
    }
    return reach;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Asking
 * ------------------------------------------------------------------------------------------------------------- */

/* A character that stands for itself alone, whatever the options; else −1. */
static int plain_character(const uint8_t *item, size_t count, uint32_t options)
{
    uint8_t last = item[count - 1];
    bool is_literal = (count == 1 && last != '.') || (count == 2 && item[0] == '\\' && !is_letter(last));
    if (!is_literal || last >= 0x80) return -1;
    return (options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0 && is_letter(last) ? -1 : last;
}

static bool ask(const class_finder *items, const uint8_t *item, size_t count, uint32_t options,
                assay_character_set *set)
{
    return items->finder->find(items->finder->context, item, count, options, reach_of(item, count, options), set);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Parts
 * ------------------------------------------------------------------------------------------------------------- */

/* How many bytes \p{…}, \P{…}, \pL or the like has at the start of the text, 0 if it does not begin with one. */
static size_t property_length(const uint8_t *text, size_t count)
{
    if (count < 3 || text[0] != '\\' || (text[1] | 0x20) != 'p') return 0;
    if (text[2] != '{') return 3;
    const uint8_t *close = memchr(text, '}', count);
    return close == NULL ? 0 : (size_t)(close - text) + 1;
}

/* The set of a part, known or asked for now. NULL: it could not be found out, or there is no room. */
static const assay_character_set *part_set(class_finder *items, class_text part, uint32_t options)
{
    for (uint32_t i = 0; i < items->count; i++) {
        const class_text known = items->parts[i];
        if (known.count == part.count && memcmp(known.bytes, part.bytes, part.count) == 0) return items->sets[i];
    }
    if (items->count == class_parts_max) return NULL;
    assay_character_set *set = calloc(1, sizeof *set);
    if (set == NULL || !ask(items, part.bytes, part.count, options, set)) {
        free(set);
        return NULL;
    }
    items->parts[items->count] = part;
    items->sets[items->count++] = set;
    return set;
}

static void unite(assay_character_set *set, const assay_character_set *other)
{
    for (size_t i = 0; i < character_blocks; i++) set->blocks[i] |= other->blocks[i];
    if (set->above_bmp == ABOVE_BMP_NONE || other->above_bmp == ABOVE_BMP_ALL) set->above_bmp = other->above_bmp;
}

enum { class_longest = 256 };

/* The class without its properties, and these. */
typedef struct class_parts {
    class_text properties[class_parts_max];
    uint32_t count;
    uint8_t rest[class_longest];
    size_t rest_count;
} class_parts;

/* A class is what its parts are, together. Not where it is negated; where letters of one case stand for those of the other,
   which a property in a class might take otherwise than one alone; where an escape such as \x takes more than one letter, which
   may be what follows a property; and where without the properties a hyphen, a bracket or a circumflex would mean something
   else. */
static bool part_class(const uint8_t *item, size_t count, uint32_t options, class_parts *parts)
{
    if (item[0] != '[' || item[1] == '^' || count > class_longest) return false;
    if ((options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0) return false;
    parts->count = 0;
    parts->rest_count = 0;
    for (size_t i = 0; i < count;) {
        const size_t length = property_length(item + i, count - i);
        if (length > 0) {
            const bool is_joint = item[i - 1] == '-' || item[i + length] == '-' || (i > 1 && item[i - 1] == '[');
            if (is_joint || parts->count == class_parts_max) return false;
            parts->properties[parts->count++] = (class_text){item + i, length};
            i += length;
            continue;
        }
        const bool is_escape = item[i] == '\\' && i + 1 < count;
        const bool is_word = is_escape && (is_letter(item[i + 1]) || is_digit(item[i + 1]));
        if (is_word && !is_one_of(item[i + 1], "dDsSwWhHvVnrtfeab")) return false;
        const size_t taken = is_escape ? 2 : 1;
        memcpy(parts->rest + parts->rest_count, item + i, taken);
        parts->rest_count += taken;
        i += taken;
    }
    return parts->count > 0 && parts->rest[1] != '^';
}

static bool find_by_parts(class_finder *items, const class_parts *parts, uint32_t options, assay_character_set *set)
{
    const bool has_rest = parts->rest_count > 2; /* more than the brackets */
    if (has_rest && !ask(items, parts->rest, parts->rest_count, options, set)) return false;
    for (uint32_t i = 0; i < parts->count; i++) {
        const assay_character_set *part = part_set(items, parts->properties[i], options);
        if (part == NULL) return false;
        unite(set, part);
    }
    return true;
}

bool assay_class_find(class_finder *items, const uint8_t *item, size_t count, uint32_t options,
                      assay_character_set *set)
{
    const int character = plain_character(item, count, options);
    if (character >= 0) {
        assay_character_set_add(set, (uint32_t)character);
        return true;
    }
    class_parts parts = {.count = 0};
    if (property_length(item, count) == count) {
        parts.properties[parts.count++] = (class_text){item, count};
    } else if (!part_class(item, count, options, &parts)) {
        return ask(items, item, count, options, set);
    }
    return find_by_parts(items, &parts, options, set);
}

void assay_class_finder_free(class_finder *items)
{
    for (uint32_t i = 0; i < items->count; i++) free(items->sets[i]);
}
