#include "Patterns/assay_class_tables.h"

#include "Bytes/assay_ascii.h"
#include "Memory/assay_grow.h"
#include "Regex/Syntax/assay_regex_tokens.h"
#include "assay/core.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Lists of ranges
 * ------------------------------------------------------------------------------------------------------------- */

/* Characters from `first` to `end` - 1. */
typedef struct range {
    uint32_t first;
    uint32_t end;
} range;

/* Ranges in any order until sort_ranges() makes them ascending and disjoint. */
typedef struct ranges {
    range *list;
    size_t count;
    size_t capacity;
    bool has_no_memory;
} ranges;

static void add_range(ranges *in, uint32_t first, uint32_t end)
{
    if (first >= end || in->has_no_memory) return;
    in->has_no_memory = !assay_grow(&in->list, &in->capacity, sizeof *in->list, in->count + 1);
    if (!in->has_no_memory) in->list[in->count++] = (range){first, end};
}

static int by_first(const void *one, const void *other)
{
    const uint32_t first = ((const range *)one)->first, second = ((const range *)other)->first;
    return (first > second) - (first < second);
}

static void sort_ranges(ranges *in)
{
    if (in->count == 0) return;
    qsort(in->list, in->count, sizeof *in->list, by_first);
    size_t kept = 0;
    for (size_t i = 1; i < in->count; i++) {
        range *last = &in->list[kept];
        if (in->list[i].first > last->end) {
            in->list[++kept] = in->list[i];
        } else if (in->list[i].end > last->end) {
            last->end = in->list[i].end;
        }
    }
    in->count = kept + 1;
}

/* Adds all ranges of sorted ones, or their complement. */
static void add_ranges(ranges *in, const ranges *more, bool is_negated)
{
    uint32_t end = 0;
    for (size_t i = 0; i < more->count; i++) {
        if (is_negated) {
            add_range(in, end, more->list[i].first);
        } else {
            add_range(in, more->list[i].first, more->list[i].end);
        }
        end = more->list[i].end;
    }
    if (is_negated) add_range(in, end, end_of_characters);
    in->has_no_memory |= more->has_no_memory;
}

/* Whether sorted ranges have a character. */
static bool have(const ranges *in, uint32_t character)
{
    size_t low = 0;
    size_t high = in->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (in->list[middle].end <= character) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < in->count && in->list[low].first <= character;
}

/* Adds the other cases of all characters. */
static void add_other_cases(ranges *in)
{
    sort_ranges(in);
    ranges others = {.count = 0};
    for (size_t i = 0; i < assay_case_run_count; i++) {
        const assay_case_run *run = &assay_case_runs[i];
        for (uint32_t one = run->first; one <= run->last; one += run->step) {
            const uint32_t other = (uint32_t)((int32_t)one + run->difference);
            if (have(in, one)) add_range(&others, other, other + 1);
        }
    }
    add_ranges(in, &others, false);
    free(others.list);
    sort_ranges(in);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Properties
 * ------------------------------------------------------------------------------------------------------------- */

static uint32_t next_number(const uint8_t **at)
{
    uint32_t number = 0;
    uint8_t byte;
    do {
        byte = *(*at)++;
        number = number << 7 | (byte & 0x7F);
    } while ((byte & 0x80) != 0);
    return number;
}

/* Returns the set of a name in the table, or NULL. */
static const uint8_t *find_property(const char *name)
{
    size_t low = 0;
    size_t high = assay_property_name_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(assay_property_names[middle].name, name);
        if (order == 0) return assay_property_sets + assay_property_names[middle].offset;
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

static void add_property(ranges *in, const uint8_t *property, bool is_negated)
{
    ranges these = {.count = 0};
    const uint32_t bounds = next_number(&property);
    uint32_t at = 0;
    for (uint32_t i = 0; i < bounds; i += 2) {
        const uint32_t first = at + next_number(&property);
        at = i + 1 < bounds ? first + next_number(&property) : end_of_characters;
        add_range(&these, first, at);
    }
    add_ranges(in, &these, is_negated);
    free(these.list);
}

/* Writes a prefix and the letters of a name as PCRE2 compares them: in lower case, without spaces, hyphens and
 * underscores. Returns false if the name is too long or has a NUL. */
static bool normalize_name(const char *prefix, const uint8_t *from, const uint8_t *end, char name[static 32])
{
    size_t count = strlen(prefix);
    memcpy(name, prefix, count);
    for (; from < end; from++) {
        if (*from == '_' || *from == '-' || *from == ' ' || (*from >= '\t' && *from <= '\r')) continue;
        if (*from == 0 || *from >= 0x80 || count == 31) return false;
        name[count++] = (char)(*from >= 'A' && *from <= 'Z' ? *from + 0x20 : *from);
    }
    name[count] = 0;
    return true;
}

/* Finds the property of \p or \P, the text of a token. NULL: there is no such property. */
static const uint8_t *property_of(const uint8_t *text, size_t count, bool *is_negated)
{
    char name[32];
    *is_negated = text[1] == 'P';
    if (count < 3) return NULL;
    if (text[2] != '{') return normalize_name("", text + 2, text + count, name) ? find_property(name) : NULL;
    const uint8_t *from = text + 3;
    const uint8_t *end = text + count - 1;
    if (*end != '}') return NULL;
    if (from < end && *from == '^') {
        *is_negated = !*is_negated;
        from++;
    }
    const uint8_t *value = from;
    while (value < end && *value != ':' && *value != '=') value++;
    if (value == end) {
        if (!normalize_name("", from, end, name)) return NULL;
        /* Prefixes of the table are no names. */
        return strchr(name, ':') == NULL ? find_property(name) : NULL;
    }
    char key[32];
    if (!normalize_name("", from, value, key)) return NULL;
    value++;
    if (memchr(value, ':', (size_t)(end - value)) != NULL) return NULL;
    if (strcmp(key, "bidiclass") == 0 || strcmp(key, "bc") == 0) {
        return normalize_name("bidi", value, end, name) ? find_property(name) : NULL;
    }
    const bool has_extensions = strcmp(key, "scx") == 0 || strcmp(key, "scriptextensions") == 0;
    if (!has_extensions && strcmp(key, "sc") != 0 && strcmp(key, "script") != 0) return NULL;
    if (!normalize_name("sc:", value, end, name)) return NULL;
    const uint8_t *script = find_property(name);
    return script == NULL || !has_extensions ? script : find_property(name + 3);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Escapes and POSIX classes
 * ------------------------------------------------------------------------------------------------------------- */

/* Adds the characters of pairs of first and last ones, or their complement. */
static void add_pairs(ranges *in, const uint32_t *pairs, size_t count, bool is_negated)
{
    ranges these = {.count = 0};
    for (size_t i = 0; i < count; i += 2) add_range(&these, pairs[i], pairs[i + 1] + 1);
    add_ranges(in, &these, is_negated);
    free(these.list);
}

#define ADD_PAIRS(in, is_negated, ...)                                                                                 \
    add_pairs(in, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t),         \
              is_negated)

static void add_horizontal_space(ranges *in, bool is_negated)
{
    ADD_PAIRS(in, is_negated, '\t', '\t', ' ', ' ', 0xA0, 0xA0, 0x1680, 0x1680, 0x180E, 0x180E, 0x2000, 0x200A, 0x202F,
              0x202F, 0x205F, 0x205F, 0x3000, 0x3000);
}

/* Adds \d \w \s \h \v \N or their complement. Returns false for other letters. */
static bool add_escape(ranges *in, uint8_t letter, uint32_t options)
{
    const bool is_negated = letter >= 'A' && letter <= 'Z';
    const bool has_unicode_classes = (options & ASSAY_PATTERN_UNICODE_CLASSES) != 0;
    switch (letter | 0x20) {
    case 'd':
        if (has_unicode_classes) {
            add_property(in, find_property("nd"), is_negated);
        } else {
            ADD_PAIRS(in, is_negated, '0', '9');
        }
        return true;
    case 'w':
        if (has_unicode_classes) {
            add_property(in, find_property("xwd"), is_negated);
        } else {
            ADD_PAIRS(in, is_negated, '0', '9', 'A', 'Z', '_', '_', 'a', 'z');
        }
        return true;
    case 's':
        if (has_unicode_classes) {
            add_property(in, find_property("xsp"), is_negated);
        } else {
            ADD_PAIRS(in, is_negated, '\t', '\r', ' ', ' ');
        }
        return true;
    case 'h':
        add_horizontal_space(in, is_negated);
        return true;
    case 'v':
        ADD_PAIRS(in, is_negated, '\n', '\r', 0x85, 0x85, 0x2028, 0x2029);
        return true;
    case 'n':
        if (!is_negated) return false;
        ADD_PAIRS(in, true, '\n', '\n');
        return true;
    default:
        return false;
    }
}

/* Adds [:name:], of `count` letters. Returns false for unknown names. */
static bool add_posix(ranges *in, const uint8_t *name, size_t count, bool is_negated, uint32_t options)
{
    static const struct {
        char name[8];
        char property[12]; /* with Unicode classes; "": as without */
        uint32_t pairs[8];
        uint32_t count;
    } classes[] = {
        {"alpha", "l", {'A', 'Z', 'a', 'z'}, 4},
        {"lower", "ll", {'a', 'z'}, 2},
        {"upper", "lu", {'A', 'Z'}, 2},
        {"alnum", "xan", {'0', '9', 'A', 'Z', 'a', 'z'}, 6},
        {"ascii", "", {0, 0x7F}, 2},
        {"blank", "h", {'\t', '\t', ' ', ' '}, 4},
        {"cntrl", "cc", {0, 0x1F, 0x7F, 0x7F}, 4},
        {"digit", "nd", {'0', '9'}, 2},
        {"graph", "posix:graph", {'!', '~'}, 2},
        {"print", "posix:print", {' ', '~'}, 2},
        {"punct", "posix:punct", {'!', '/', ':', '@', '[', '`', '{', '~'}, 8},
        {"space", "xps", {'\t', '\r', ' ', ' '}, 4},
        {"word", "xwd", {'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}, 8},
        {"xdigit", "", {'0', '9', 'A', 'F', 'a', 'f'}, 6},
    };
    const bool folds = (options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0;
    const bool has_unicode_classes = (options & ASSAY_PATTERN_UNICODE_CLASSES) != 0;
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (strlen(classes[i].name) != count || memcmp(classes[i].name, name, count) != 0) continue;
        if (folds && !has_unicode_classes && (i == 1 || i == 2)) i = 0; /* lower and upper become alpha */
        if (!has_unicode_classes || classes[i].property[0] == 0) {
            add_pairs(in, classes[i].pairs, classes[i].count, is_negated);
        } else if (strcmp(classes[i].property, "h") == 0) {
            add_horizontal_space(in, is_negated);
        } else {
            add_property(in, find_property(classes[i].property), is_negated);
        }
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Classes
 * ------------------------------------------------------------------------------------------------------------- */

/* The state of a reader of one class. */
typedef struct class_reader {
    const uint8_t *text;
    regex_tokens tokens;
    regex_token next;
    uint32_t options;
    ranges named; /* literal characters and ranges, which other cases extend */
    ranges items; /* properties, escapes and POSIX classes */
    assay_class_mistake *mistake;
} class_reader;

static bool refuse(const class_reader *in, const char *because, size_t offset)
{
    (void)in;
    *in->mistake = (assay_class_mistake){because, offset};
    return false;
}

static void advance(class_reader *in) { in->next = assay_regex_next_token(&in->tokens); }

/* Checks the character of a token. */
static bool is_allowed(const class_reader *in, const regex_token *token)
{
    if (token->is_long && token->length <= strlen("\\x{}")) {
        return refuse(in, "digits missing in \\x{} or \\o{} or \\N{U+}", token->start + token->length);
    }
    if (token->value >= end_of_characters) {
        return refuse(in, "character code point value in \\x{} or \\o{} is too large", token->start + token->length);
    }
    if (token->value - 0xD800 < 0x800) {
        return refuse(in, "disallowed Unicode code point (>= 0xd800 && <= 0xdfff)", token->start + token->length);
    }
    return true;
}

/* Adds a token that is neither a single character nor the end of a class. */
static bool add_item(class_reader *in, const regex_token *token)
{
    const uint8_t *text = in->text + token->start;
    switch (token->kind) {
    case REGEX_TOKEN_PROPERTY: {
        bool is_negated = false;
        const uint8_t *property = property_of(text, token->length, &is_negated);
        if (property == NULL) return refuse(in, "unknown property after \\P or \\p", token->start + token->length);
        add_property(&in->items, property, is_negated);
        return true;
    }
    case REGEX_TOKEN_POSIX: {
        const bool is_negated = text[2] == '^';
        const size_t from = is_negated ? 3 : 2;
        if (add_posix(&in->items, text + from, token->length - from - 2, is_negated, in->options)) return true;
        return refuse(in, "unknown POSIX class name", token->start);
    }
    case REGEX_TOKEN_ESCAPE:
        if (add_escape(&in->items, token->letter, in->options)) return true;
        return refuse(in, "this escape in a class", token->start);
    case REGEX_TOKEN_ANY:
        if ((in->options & ASSAY_PATTERN_DOT_ALL) != 0) {
            add_range(&in->items, 0, end_of_characters);
        } else {
            add_escape(&in->items, 'N', in->options);
        }
        return true;
    case REGEX_TOKEN_END:
    case REGEX_TOKEN_LITERAL:
    case REGEX_TOKEN_ASSERTION:
    case REGEX_TOKEN_REFERENCE:
    case REGEX_TOKEN_CALL:
    case REGEX_TOKEN_CLASS_OPEN:
    case REGEX_TOKEN_CLASS_CLOSE:
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
    return refuse(in, "this text in a class", token->start);
}

static bool next_is_hyphen(const class_reader *in)
{
    return in->next.kind == REGEX_TOKEN_LITERAL && in->next.value == '-';
}

/* Whether the token after the hyphen that is next ends the class, so that the hyphen is a literal. */
static bool hyphen_is_last(const class_reader *in)
{
    regex_tokens rest = in->tokens;
    return assay_regex_next_token(&rest).kind == REGEX_TOKEN_CLASS_CLOSE;
}

/* Reads a character and, if a hyphen follows that is not the last character, the range that begins with it. */
static bool read_range(class_reader *in)
{
    const regex_token first = in->next;
    if (!is_allowed(in, &first)) return false;
    advance(in);
    if (!next_is_hyphen(in) || hyphen_is_last(in)) {
        add_range(&in->named, first.value, first.value + 1);
        return true;
    }
    advance(in);
    const regex_token last = in->next;
    if (!regex_token_is_character(&last)) return refuse(in, "invalid range in character class", last.start);
    if (!is_allowed(in, &last)) return false;
    if (last.value < first.value) return refuse(in, "range out of order in character class", last.start);
    add_range(&in->named, first.value, last.value + 1);
    advance(in);
    return true;
}

static bool read_item(class_reader *in)
{
    if (regex_token_is_character(&in->next)) return read_range(in);
    const regex_token item = in->next;
    if (!add_item(in, &item)) return false;
    advance(in);
    /* PCRE2 refuses [\d-z], in which Perl takes the hyphen for a literal. */
    if (next_is_hyphen(in) && !hyphen_is_last(in)) {
        return refuse(in, "invalid range in character class", in->next.start);
    }
    return true;
}

/* Whether the class has the form of [:alpha:], [.x.] or [=x=], which must be inside of another class. */
static bool is_posix_alone(const uint8_t *text, size_t count)
{
    if (count < 4 || !is_one_of(text[1], ":.=")) return false;
    for (size_t at = 2; at + 1 < count; at++) {
        const bool escapes = text[at] == '\\' && (text[at + 1] == ']' || text[at + 1] == '\\');
        if (escapes) {
            at++;
        } else if (text[at] == ']' || (text[at] == '[' && text[at + 1] == text[1])) {
            return false;
        } else if (text[at] == text[1] && text[at + 1] == ']') {
            return true;
        }
    }
    return false;
}

/* Reads a class in brackets, or a token alone. */
static bool read_class(class_reader *in, size_t count, bool *is_negated)
{
    advance(in);
    if (is_posix_alone(in->text, count)) {
        return refuse(in,
                      in->text[1] == ':' ? "POSIX named classes are supported only within a class"
                                         : "POSIX collating elements are not supported",
                      0);
    }
    if (in->next.kind != REGEX_TOKEN_CLASS_OPEN) {
        const regex_token token = in->next;
        if (!regex_token_is_character(&token)) return add_item(in, &token);
        if (!is_allowed(in, &token)) return false;
        add_range(&in->named, token.value, token.value + 1);
        return true;
    }
    *is_negated = in->next.letter == '^';
    advance(in);
    while (in->next.kind != REGEX_TOKEN_CLASS_CLOSE) {
        if (!read_item(in)) return false;
    }
    return true;
}

/* Writes sorted ranges to an empty set. */
static void write_set(const ranges *in, assay_character_set *set)
{
    for (size_t i = 0; i < in->count; i++) {
        const uint32_t first = in->list[i].first, end = in->list[i].end;
        if (first < first_above) assay_character_set_add_range(set, first, end < first_above ? end : first_above);
        assay_character_set_append_above(set, first > first_above ? first : first_above, end);
    }
}

bool assay_class_from_tables(const uint8_t *text, size_t count, uint32_t options, assay_character_set *set,
                             assay_class_mistake *mistake)
{
    class_reader in = {.text = text, .options = options, .mistake = mistake};
    bool is_negated = false;
    *mistake = (assay_class_mistake){.because = NULL};
    assay_regex_tokens_begin(&in.tokens, text, count, 0);
    bool is_read = read_class(&in, count, &is_negated);
    ranges all = {.count = 0};
    if (is_read) {
        if ((options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0) add_other_cases(&in.named);
        add_ranges(&in.items, &in.named, false);
        sort_ranges(&in.items);
        add_ranges(&all, &in.items, is_negated);
        write_set(&all, set);
        is_read = !all.has_no_memory;
        if (is_read && set->above_is_unknown) is_read = refuse(&in, "a class with too many ranges", 0);
    }
    free(in.named.list);
    free(in.items.list);
    free(all.list);
    return is_read;
}

/* Whether a property has a character. */
static bool property_has(const char *name, uint32_t character)
{
    const uint8_t *at = find_property(name);
    const uint32_t bounds = next_number(&at);
    uint32_t bound = 0;
    for (uint32_t i = 0; i < bounds; i++) {
        bound += next_number(&at);
        if (bound > character) return i % 2 != 0;
    }
    return bounds % 2 != 0;
}

bool assay_class_is_name_character(uint32_t character) { return property_has("xwd", character); }

bool assay_class_is_digit(uint32_t character) { return property_has("nd", character); }
