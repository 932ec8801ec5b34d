#include "Automata/assay_regular.h"

#include "assay/core.h"

#include <stdlib.h>
#include <string.h>

/* The text of one distinct item. */
typedef struct item_text {
    const uint8_t *bytes;
    size_t count;
} item_text;

typedef struct reader {
    assay_regular *regular;
    const uint8_t *text;
    size_t count;
    size_t at;
    uint32_t options;
    assay_character_set_finder *find;
    item_text items[regular_max_items];
    assay_automaton_refusal *refusal;
    uint32_t any; /* the item that matches every character, once it is needed */
} reader;

/* ---------------------------------------------------------------------------------------------------------------
 * Refusing, and the text
 * ------------------------------------------------------------------------------------------------------------- */

static bool refuse(reader *in, const char *because)
{
    in->refusal->because = because;
    in->refusal->offset = in->at < in->count ? in->at : in->count;
    return false;
}

static bool at_end(const reader *in) { return in->at == in->count; }

static bool next_is(const reader *in, const char *text)
{
    size_t length = strlen(text);
    return in->count - in->at >= length && memcmp(in->text + in->at, text, length) == 0;
}

static bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

static bool is_letter(uint8_t byte) { return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'; }

static bool is_hex_digit(uint8_t byte) { return is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f'); }

static bool is_one_of(uint8_t byte, const char *set) { return byte != 0 && strchr(set, byte) != NULL; }

/* ---------------------------------------------------------------------------------------------------------------
 * Nodes
 * ------------------------------------------------------------------------------------------------------------- */

static bool add_node(reader *in, regular_kind kind, uint32_t *index)
{
    assay_regular *regular = in->regular;
    if (regular->node_count == regular->node_capacity) {
        uint32_t capacity = regular->node_capacity == 0 ? 64 : 2 * regular->node_capacity;
        regular_node *nodes = realloc(regular->nodes, capacity * sizeof *nodes);
        if (nodes == NULL) return refuse(in, "out of memory");
        regular->nodes = nodes;
        regular->node_capacity = capacity;
    }
    *index = regular->node_count++;
    regular->nodes[*index] = (regular_node){.kind = kind, .first_child = regular_none, .next = regular_none};
    return true;
}

/* Appends to the children of `parent`, whose last one is *last. */
static void append_child(reader *in, uint32_t parent, uint32_t *last, uint32_t child)
{
    regular_node *nodes = in->regular->nodes;
    if (*last == regular_none) {
        nodes[parent].first_child = child;
    } else {
        nodes[*last].next = child;
    }
    *last = child;
}

static bool add_repeat(reader *in, uint32_t child, uint32_t minimum, uint32_t maximum, uint32_t *index)
{
    if (!add_node(in, REGULAR_REPEAT, index)) return false;
    regular_node *node = &in->regular->nodes[*index];
    node->first_child = child;
    node->minimum = minimum;
    node->maximum = maximum;
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Items
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether an item surely matches nothing above U+00FF: then only those are asked for, which is much quicker. */
static bool is_narrow(const reader *in, const uint8_t *item, size_t count)
{
    if ((in->options & ASSAY_PATTERN_UNICODE_CLASSES) != 0) return false;
    bool folds = (in->options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0;
    if (item[0] == '.' || (item[0] == '[' && item[1] == '^')) return false;
    for (size_t i = 0; i < count; i++) {
        if (item[i] >= 0x80 || (item[i] == '[' && item[i + 1 < count ? i + 1 : i] == ':')) return false;
        /* U+212A KELVIN SIGN and U+017F LONG S fold to k and s, which a range may hold without naming them. */
        if (folds && (is_one_of(item[i], "kKsS") || (item[0] == '[' && item[i] == '-'))) return false;
        if (item[i] != '\\') continue;
        i++;
        if ((is_letter(item[i]) || is_digit(item[i])) && !is_one_of(item[i], "dwstnrfea")) return false;
    }
    return true;
}

/* A character that stands for itself alone, whatever the options; else −1. */
static int plain_character(const reader *in, const uint8_t *item, size_t count)
{
    uint8_t last = item[count - 1];
    bool is_literal = (count == 1 && last != '.') || (count == 2 && item[0] == '\\' && !is_letter(last));
    if (!is_literal || last >= 0x80) return -1;
    return (in->options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0 && is_letter(last) ? -1 : last;
}

static bool find_set(reader *in, const uint8_t *item, size_t count, assay_character_set *set)
{
    *set = (assay_character_set){.beyond = false};
    int character = plain_character(in, item, count);
    if (character >= 0) {
        assay_character_set_add(set, (uint32_t)character);
        return true;
    }
    bool narrow = is_narrow(in, item, count);
    set->beyond = !narrow;
    return in->find(item, count, in->options, narrow, set) || refuse(in, "an item that PCRE2 did not explain");
}

/* The item text[from .. in->at). */
static bool add_item(reader *in, size_t from, uint32_t *index)
{
    assay_regular *regular = in->regular;
    const uint8_t *bytes = in->text + from;
    const size_t count = in->at - from;
    uint32_t item = 0;
    while (item < regular->set_count &&
           !(in->items[item].count == count && memcmp(in->items[item].bytes, bytes, count) == 0)) {
        item++;
    }
    if (item == regular->set_count) {
        if (item == regular_max_items) return refuse(in, "too many different items");
        if (!find_set(in, bytes, count, &regular->sets[item])) return false;
        in->items[item] = (item_text){bytes, count};
        regular->set_count++;
    }
    if (!add_node(in, REGULAR_ITEM, index)) return false;
    regular->nodes[*index].item = item;
    return true;
}

/* Any characters, any number of them: what may follow a look-ahead, and surround a search. */
static bool add_anything(reader *in, uint32_t *index)
{
    assay_regular *regular = in->regular;
    if (in->any == regular_none) {
        if (regular->set_count == regular_max_items) return refuse(in, "too many different items");
        assay_character_set *set = &regular->sets[regular->set_count];
        memset(set, 0xFF, sizeof *set);
        set->beyond = true;
        in->items[regular->set_count] = (item_text){NULL, 0};
        in->any = regular->set_count++;
    }
    uint32_t item = 0;
    if (!add_node(in, REGULAR_ITEM, &item)) return false;
    regular->nodes[item].item = in->any;
    return add_repeat(in, item, 0, regular_unbounded, index);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Syntax (pcre2pattern)
 * ------------------------------------------------------------------------------------------------------------- */

static bool read_alternatives(reader *in, bool is_top, uint32_t *index);

/* [ … ], of which only the end must be found. */
static bool read_class(reader *in, uint32_t *index)
{
    const size_t from = in->at++;
    if (next_is(in, "^")) in->at++;
    if (next_is(in, "]")) in->at++; /* the first one is a character */
    while (!next_is(in, "]")) {
        if (in->at + 1 >= in->count) return refuse(in, "a class that does not end");
        if (next_is(in, "\\")) {
            if (is_one_of(in->text[in->at + 1], "QEcNob")) return refuse(in, "this escape in a class");
            in->at += 2;
        } else if (next_is(in, "[:")) {
            in->at += 2;
            while (!at_end(in) && (is_letter(in->text[in->at]) || in->text[in->at] == '^')) in->at++;
            if (!next_is(in, ":]")) return refuse(in, "[: in a class");
            in->at += 2;
        } else if (next_is(in, "[.") || next_is(in, "[=")) {
            return refuse(in, "[. or [= in a class");
        } else {
            in->at++;
        }
    }
    in->at++;
    return add_item(in, from, index);
}

/* {…} after \p, \P or \x. */
static bool skip_braces(reader *in)
{
    while (!at_end(in) && in->text[in->at] != '}') in->at++;
    if (at_end(in)) return refuse(in, "an escape that does not end");
    in->at++;
    return true;
}

/* An escape that matches one character. */
static bool read_escape(reader *in, uint32_t *index)
{
    const size_t from = in->at;
    if (in->count - from < 2) return refuse(in, "an escape that does not end");
    const uint8_t what = in->text[from + 1];
    const bool is_named = what < 0x80 && (is_letter(what) || is_digit(what));
    in->at = from + 2;
    if (is_one_of(what, "pP")) {
        if (at_end(in)) return refuse(in, "an escape that does not end");
        if (!next_is(in, "{")) {
            in->at++;
        } else if (!skip_braces(in)) {
            return false;
        }
    } else if (what == 'x') {
        if (next_is(in, "{")) {
            if (!skip_braces(in)) return false;
        } else if (in->count - in->at >= 2 && is_hex_digit(in->text[in->at]) && is_hex_digit(in->text[in->at + 1])) {
            in->at += 2;
        } else {
            in->at = from;
            return refuse(in, "\\x without two digits");
        }
    } else if ((is_named && !is_one_of(what, "dDwWsShHvVNtnrfea")) || what >= 0x80 ||
               (what == 'N' && next_is(in, "{"))) {
        in->at = from;
        return refuse(in, is_digit(what) || is_one_of(what, "gk") ? "a back reference" : "this escape");
    }
    return add_item(in, from, index);
}

/* Moves behind what opens a group that only groups. */
static bool open_group(reader *in)
{
    if (next_is(in, "(*")) return refuse(in, "a verb");
    if (!next_is(in, "(?")) {
        in->at++;
        return true;
    }
    if (next_is(in, "(?:")) {
        in->at += 3;
        return true;
    }
    const size_t from = in->at;
    const bool is_angled = next_is(in, "(?<") || next_is(in, "(?P<");
    if (is_angled || next_is(in, "(?'")) {
        in->at += next_is(in, "(?P<") ? 4 : 3;
        if (!at_end(in) && !is_one_of(in->text[in->at], "=!*")) {
            const uint8_t *close = memchr(in->text + in->at, is_angled ? '>' : '\'', in->count - in->at);
            if (close != NULL) {
                in->at = (size_t)(close - in->text) + 1;
                return true;
            }
        }
        in->at = from;
        return refuse(in, "look-behind");
    }
    if (next_is(in, "(?=") || next_is(in, "(?!")) return refuse(in, "a look-ahead that is not at the start");
    if (next_is(in, "(?>")) return refuse(in, "an atomic group");
    return refuse(in, "this kind of group");
}

static bool close_group(reader *in)
{
    if (!next_is(in, ")")) return refuse(in, "a group that does not end");
    in->at++;
    return true;
}

static bool read_item_or_group(reader *in, uint32_t *index)
{
    const uint8_t first = in->text[in->at];
    switch (first) {
    case '(':
        return open_group(in) && read_alternatives(in, false, index) && close_group(in);
    case '[':
        return read_class(in, index);
    case '\\':
        return read_escape(in, index);
    case '*':
    case '+':
    case '?':
    case '{':
        return refuse(in, "a quantifier or a brace here");
    case '^':
    case '$':
        return refuse(in, "an anchor inside the pattern");
    default:
        break;
    }
    const size_t from = in->at++;
    while (first >= 0xC0 && !at_end(in) && (in->text[in->at] & 0xC0) == 0x80) in->at++;
    return add_item(in, from, index);
}

static bool read_number(reader *in, uint32_t *number)
{
    const size_t from = in->at;
    *number = 0;
    while (!at_end(in) && is_digit(in->text[in->at]) && in->at - from < 6) {
        *number = *number * 10 + (in->text[in->at++] - '0');
    }
    return in->at > from;
}

/* {n} {n,} {n,m}: digits and nothing else, as every version of PCRE2 reads them. */
static bool read_braces(reader *in, uint32_t *minimum, uint32_t *maximum)
{
    in->at++;
    if (!read_number(in, minimum)) return refuse(in, "a brace that is no plain quantifier");
    *maximum = *minimum;
    if (next_is(in, ",")) {
        in->at++;
        if (!read_number(in, maximum)) *maximum = regular_unbounded;
    }
    if (!next_is(in, "}")) return refuse(in, "a brace that is no plain quantifier");
    in->at++;
    return true;
}

/* Wraps *index in a repeat if a quantifier follows. */
static bool read_quantifier(reader *in, uint32_t *index)
{
    if (at_end(in) || !is_one_of(in->text[in->at], "*+?{")) return true;
    uint32_t minimum = 0;
    uint32_t maximum = regular_unbounded;
    switch (in->text[in->at]) {
    case '+':
        minimum = 1;
        in->at++;
        break;
    case '?':
        maximum = 1;
        in->at++;
        break;
    case '{':
        if (!read_braces(in, &minimum, &maximum)) return false;
        break;
    default:
        in->at++;
        break;
    }
    const uint32_t child = *index;
    const bool possessive = next_is(in, "+");
    if (possessive && in->regular->nodes[child].kind != REGULAR_ITEM)
        return refuse(in, "a possessive quantifier of a group");
    if (possessive || next_is(in, "?")) in->at++; /* lazy: the same language */
    if (!at_end(in) && is_one_of(in->text[in->at], "*+?{")) return refuse(in, "a quantifier of a quantifier");
    if (!add_repeat(in, child, minimum, maximum, index)) return false;
    in->regular->nodes[*index].possessive = possessive;
    return true;
}

/* ^ and \A where an alternative of the whole pattern starts. */
static bool skip_start_anchors(reader *in, bool *is_anchored)
{
    for (;;) {
        size_t length = next_is(in, "^") ? 1 : next_is(in, "\\A") ? 2 : 0;
        if (length == 0) return true;
        in->at += length;
        *is_anchored = true;
        if (!at_end(in) && is_one_of(in->text[in->at], "*+?{")) return refuse(in, "an anchor with a quantifier");
    }
}

/* $, \z and \Z where an alternative of the whole pattern ends. */
static bool skip_end_anchor(reader *in, bool *is_anchored)
{
    const size_t from = in->at;
    if (next_is(in, "\\Z") && (in->options & ASSAY_PATTERN_SEARCH) != 0) return true; /* it allows a final newline */
    size_t length = next_is(in, "$") ? 1 : next_is(in, "\\z") || next_is(in, "\\Z") ? 2 : 0;
    if (length == 0) return true;
    in->at += length;
    if (at_end(in) || next_is(in, "|")) {
        *is_anchored = true;
    } else {
        in->at = from; /* then it is refused as an anchor inside */
    }
    return true;
}

static bool append_anything(reader *in, uint32_t sequence, uint32_t *last)
{
    uint32_t index = 0;
    if (!add_anything(in, &index)) return false;
    append_child(in, sequence, last, index);
    return true;
}

static bool read_sequence(reader *in, bool is_top, uint32_t *index)
{
    const bool searches = is_top && (in->options & ASSAY_PATTERN_SEARCH) != 0;
    bool starts = false;
    bool ends = false;
    uint32_t last = regular_none;
    if (!add_node(in, REGULAR_SEQUENCE, index)) return false;
    const uint32_t sequence = *index;
    if (is_top && !skip_start_anchors(in, &starts)) return false;
    if (searches && !starts && !append_anything(in, sequence, &last)) return false;
    for (;;) {
        if (is_top && !skip_end_anchor(in, &ends)) return false;
        if (at_end(in) || next_is(in, "|") || next_is(in, ")")) break;
        uint32_t child = 0;
        if (!read_item_or_group(in, &child) || !read_quantifier(in, &child)) return false;
        append_child(in, sequence, &last, child);
    }
    return !searches || ends || append_anything(in, sequence, &last);
}

static bool read_alternatives(reader *in, bool is_top, uint32_t *index)
{
    if (!add_node(in, REGULAR_ALTERNATIVE, index)) return false;
    const uint32_t alternatives = *index;
    uint32_t last = regular_none;
    for (;;) {
        uint32_t sequence = 0;
        if (!read_sequence(in, is_top, &sequence)) return false;
        append_child(in, alternatives, &last, sequence);
        if (!next_is(in, "|")) return true;
        in->at++;
    }
}

/* (?=X) and (?!X) at the very start: a condition on the whole value, X and then anything. */
static bool read_lookaheads(reader *in)
{
    assay_regular *regular = in->regular;
    while (next_is(in, "(?=") || next_is(in, "(?!")) {
        if ((in->options & ASSAY_PATTERN_SEARCH) != 0) return refuse(in, "a look-ahead in a search");
        if (regular->part_count == regular_max_parts) return refuse(in, "more look-aheads than are looked at");
        const bool negated = next_is(in, "(?!");
        in->at += 3;
        uint32_t condition = 0;
        uint32_t sequence = 0;
        uint32_t last = regular_none;
        if (!add_node(in, REGULAR_SEQUENCE, &sequence) || !read_alternatives(in, false, &condition) ||
            !close_group(in)) {
            return false;
        }
        if (!at_end(in) && is_one_of(in->text[in->at], "*+?{")) return refuse(in, "a look-ahead with a quantifier");
        append_child(in, sequence, &last, condition);
        if (!append_anything(in, sequence, &last)) return false;
        regular->parts[regular->part_count++] = (regular_part){sequence, negated};
    }
    return true;
}

static bool read_pattern(reader *in)
{
    if ((in->options & ASSAY_PATTERN_EXTENDED) != 0) return refuse(in, "the option x (extended)");
    if ((in->options & ASSAY_PATTERN_MULTILINE) != 0) return refuse(in, "the option m (multiline)");
    assay_regular *regular = in->regular;
    regular->part_count = 1;  /* the pattern itself, which comes last in the text */
    bool is_anchored = false; /* as every full match is */
    if ((in->options & ASSAY_PATTERN_SEARCH) == 0 && !skip_start_anchors(in, &is_anchored)) return false;
    if (!read_lookaheads(in)) return false;
    const size_t from = in->at;
    uint32_t root = 0;
    if (!read_alternatives(in, true, &root)) return false;
    if (!at_end(in)) return refuse(in, "a parenthesis that opens nothing");
    const uint32_t first = regular->nodes[root].first_child;
    if (regular->part_count > 1 && regular->nodes[first].next != regular_none) {
        in->at = from;
        return refuse(in, "a look-ahead that belongs to the first alternative only");
    }
    regular->parts[0] = (regular_part){root, false};
    return true;
}

bool assay_regular_read(assay_regular *regular, const uint8_t *text, size_t count, uint32_t options,
                        assay_character_set_finder *find, assay_automaton_refusal *refusal)
{
    *regular = (assay_regular){.nodes = NULL};
    reader in = {.regular = regular,
                 .text = text,
                 .count = count,
                 .options = options,
                 .find = find,
                 .refusal = refusal,
                 .any = regular_none};
    regular->sets = malloc(regular_max_items * sizeof *regular->sets);
    if (regular->sets == NULL) return refuse(&in, "out of memory");
    return read_pattern(&in);
}

void assay_regular_free(assay_regular *regular)
{
    free(regular->nodes);
    free(regular->sets);
}
