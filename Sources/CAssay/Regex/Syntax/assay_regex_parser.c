#include "Regex/Syntax/assay_regex_parser.h"

#include "Bytes/assay_ascii.h"
#include "Regex/Syntax/assay_class_items.h"
#include "assay/core.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    assay_regular *regular;
    const uint8_t *text;
    size_t count;
    size_t at;
    uint32_t options;
    uint32_t before; /* the characters before this place, if each value that gets here has as many; else regular_none */
    item_finder finder;
    item_text items[regular_max_items]; /* the distinct ones */
    assay_automaton_refusal *refusal;
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

/* An empty set; the caller counts it once it is filled. */
static assay_character_set *new_set(reader *in)
{
    assay_regular *regular = in->regular;
    if (regular->set_count == regular_max_items) {
        refuse(in, "too many different items");
        return NULL;
    }
    assay_character_set **set = &regular->sets[regular->set_count];
    if (*set == NULL) *set = calloc(1, sizeof **set);
    if (*set == NULL) refuse(in, "out of memory");
    return *set;
}

/* The set of an item, known or new. */
static bool number_item(reader *in, const uint8_t *bytes, size_t count, uint32_t *item)
{
    assay_regular *regular = in->regular;
    for (*item = 0; *item < regular->set_count; ++*item) {
        const item_text known = in->items[*item];
        if (known.count == count && memcmp(known.bytes, bytes, count) == 0) return true;
    }
    assay_character_set *set = new_set(in);
    if (set == NULL) return false;
    if (!assay_item_find(&in->finder, bytes, count, in->options, set)) {
        return refuse(in, "an item that PCRE2 did not explain");
    }
    in->items[regular->set_count++] = (item_text){bytes, count};
    return true;
}

/* The item text[from .. in->at). */
static bool add_item(reader *in, size_t from, uint32_t *index)
{
    uint32_t item = 0;
    if (!number_item(in, in->text + from, in->at - from, &item) || !add_node(in, REGULAR_ITEM, index)) return false;
    in->regular->nodes[*index].item = item;
    return true;
}

/* The set that has every character. */
static bool number_any(reader *in, uint32_t *item)
{
    assay_regular *regular = in->regular;
    if (regular->any == regular_none) {
        assay_character_set *set = new_set(in);
        if (set == NULL) return false;
        memset(set->blocks, 0xFF, sizeof set->blocks);
        set->beyond = BEYOND_ALL;
        in->items[regular->set_count] = (item_text){NULL, 0};
        regular->any = regular->set_count++;
    }
    *item = regular->any;
    return true;
}

/* Any characters, so many of them. */
static bool add_any(reader *in, uint32_t minimum, uint32_t maximum, uint32_t *index)
{
    uint32_t any = 0;
    uint32_t item = 0;
    if (!number_any(in, &any) || !add_node(in, REGULAR_ITEM, &item)) return false;
    in->regular->nodes[item].item = any;
    return add_repeat(in, item, minimum, maximum, index);
}

static bool append_any(reader *in, uint32_t sequence, uint32_t *last, uint32_t minimum, uint32_t maximum)
{
    uint32_t index = 0;
    if (!add_any(in, minimum, maximum, &index)) return false;
    append_child(in, sequence, last, index);
    return true;
}

/* What surrounds a search, and may follow a look-ahead. */
static bool append_anything(reader *in, uint32_t sequence, uint32_t *last)
{
    return append_any(in, sequence, last, 0, regular_unbounded);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Conditions
 * ------------------------------------------------------------------------------------------------------------- */

static bool add_condition(reader *in, regular_condition condition, uint32_t *index)
{
    assay_regular *regular = in->regular;
    uint32_t number = 0;
    for (; number < regular->condition_count; number++) {
        const regular_condition known = regular->conditions[number];
        if (known.behind == condition.behind && known.ahead == condition.ahead && known.negated == condition.negated) {
            break;
        }
    }
    if (number == regular_max_conditions) return refuse(in, "too many different conditions");
    if (number == regular->condition_count) regular->conditions[regular->condition_count++] = condition;
    if (!add_node(in, REGULAR_CONDITION, index)) return false;
    regular->nodes[*index].item = number;
    return true;
}

static bool add_start(reader *in, uint32_t *index)
{
    uint32_t any = 0;
    return number_any(in, &any) &&
           add_condition(in, (regular_condition){.behind = any, .ahead = regular_none, .negated = true}, index);
}

static bool add_end(reader *in, uint32_t *index)
{
    uint32_t any = 0;
    return number_any(in, &any) &&
           add_condition(in, (regular_condition){.behind = regular_none, .ahead = any, .negated = true}, index);
}

/* \b, or \B if negated. */
static bool add_boundary(reader *in, bool negated, uint32_t *index)
{
    uint32_t word = 0;
    return number_item(in, (const uint8_t *)"\\w", 2, &word) &&
           add_condition(in, (regular_condition){.behind = word, .ahead = word, .negated = negated}, index);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Syntax (pcre2pattern)
 * ------------------------------------------------------------------------------------------------------------- */

static bool read_alternatives(reader *in, bool is_top, uint32_t *index);
static bool close_group(reader *in);

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
    const bool is_angled = next_is(in, "(?<") || next_is(in, "(?P<");
    if ((is_angled || next_is(in, "(?'")) && !next_is(in, "(?<*")) {
        const size_t name = in->at + (next_is(in, "(?P<") ? 4 : 3);
        const uint8_t *close = memchr(in->text + name, is_angled ? '>' : '\'', in->count - name);
        if (close != NULL) {
            in->at = (size_t)(close - in->text) + 1;
            return true;
        }
    }
    return refuse(in, "this kind of group");
}

static bool close_group(reader *in)
{
    if (!next_is(in, ")")) return refuse(in, "a group that does not end");
    in->at++;
    return true;
}

/* ^ \A $ \z \b \B. *found: there was one. */
static bool read_condition(reader *in, uint32_t *index, bool *found)
{
    const size_t from = in->at;
    *found = true;
    if (next_is(in, "^") || next_is(in, "$")) {
        in->at++;
        return in->text[from] == '^' ? add_start(in, index) : add_end(in, index);
    }
    const uint8_t escaped = next_is(in, "\\") && in->count - from > 1 ? in->text[from + 1] : 0;
    if (is_one_of(escaped, "AzbB")) {
        in->at += 2;
        return escaped == 'A'   ? add_start(in, index)
               : escaped == 'z' ? add_end(in, index)
                                : add_boundary(in, escaped == 'B', index);
    }
    *found = false;
    return true;
}

static bool read_item(reader *in, uint32_t *index)
{
    const uint8_t first = in->text[in->at];
    switch (first) {
    case '[':
        return read_class(in, index);
    case '\\':
        return read_escape(in, index);
    case '*':
    case '+':
    case '?':
    case '{':
        return refuse(in, "a quantifier or a brace here");
    default:
        break;
    }
    const size_t from = in->at++;
    while (first >= 0xC0 && !at_end(in) && (in->text[in->at] & 0xC0) == 0x80) in->at++;
    return add_item(in, from, index);
}

/* What a look-around asks for: one character of the item that `node` is, or the condition that it is. */
static bool add_look(reader *in, uint32_t node, bool is_behind, bool negated, uint32_t *index)
{
    const regular_node what = in->regular->nodes[node];
    regular_condition condition = {.behind = regular_none, .ahead = regular_none};
    if (what.kind == REGULAR_CONDITION) {
        condition = in->regular->conditions[what.item];
    } else {
        *(is_behind ? &condition.behind : &condition.ahead) = what.item;
    }
    condition.negated = condition.negated != negated;
    return add_condition(in, condition, index);
}

/* (?=X) and (?!X), always behind as many characters: a condition on the whole value, so many characters, X and then anything.
   The node is the empty text. */
static bool read_long_lookahead(reader *in, bool negated, uint32_t *index)
{
    assay_regular *regular = in->regular;
    const uint32_t before = in->before;
    if (before == regular_none) return refuse(in, "a look-ahead of more than one character, where its place varies");
    if (regular->part_count == regular_max_parts) return refuse(in, "more look-aheads than are looked at");
    uint32_t condition = 0;
    uint32_t sequence = 0;
    uint32_t last = regular_none;
    if (!add_node(in, REGULAR_SEQUENCE, &sequence)) return false;
    if (before > 0 && !append_any(in, sequence, &last, before, before)) return false;
    in->at += 3;
    in->before = regular_none; /* what it looks at need not be there */
    if (!read_alternatives(in, false, &condition) || !close_group(in)) return false;
    in->before = before;
    append_child(in, sequence, &last, condition);
    if (!append_anything(in, sequence, &last)) return false;
    regular->parts[regular->part_count++] = (regular_part){sequence, negated};
    in->refusal->because = NULL; /* why it is no short one */
    return add_node(in, REGULAR_SEQUENCE, index);
}

/* (?=x) (?!x) (?<=x) (?<!x) where x is one character or a condition, or alternatives of such: not any of them, or one of
   them after the other. */
static bool read_look(reader *in, uint32_t *index)
{
    const size_t from = in->at;
    const bool is_behind = in->text[from + 2] == '<';
    in->at += is_behind ? 3 : 2;
    const bool negated = in->text[in->at] == '!';
    uint32_t last = regular_none;
    if (!add_node(in, negated ? REGULAR_SEQUENCE : REGULAR_ALTERNATIVE, index)) return false;
    do {
        in->at++;
        uint32_t what = 0;
        uint32_t look = 0;
        bool found = false;
        if (at_end(in) || is_one_of(in->text[in->at], "()|*+?{") || !read_condition(in, &what, &found) ||
            (!found && !read_item(in, &what)) || (!next_is(in, "|") && !next_is(in, ")"))) {
            in->at = from;
            return is_behind ? refuse(in, "a look-behind of more than one character")
                             : read_long_lookahead(in, negated, index);
        }
        if (!add_look(in, what, is_behind, negated, &look)) return false;
        append_child(in, *index, &last, look);
    } while (next_is(in, "|"));
    in->at++;
    return true;
}

static bool is_look(const reader *in)
{
    return next_is(in, "(?=") || next_is(in, "(?!") || next_is(in, "(?<=") || next_is(in, "(?<!");
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
    const bool lazy = next_is(in, "?");
    if (possessive || lazy) in->at++;
    if (!at_end(in) && is_one_of(in->text[in->at], "*+?{")) return refuse(in, "a quantifier of a quantifier");
    if (!add_repeat(in, child, minimum, maximum, index)) return false;
    in->regular->nodes[*index].possessive = possessive;
    in->regular->nodes[*index].lazy = lazy;
    return true;
}

static bool read_group(reader *in, uint32_t *index)
{
    const uint32_t parts = in->regular->part_count;
    const size_t from = in->at;
    if (next_is(in, "(?>")) {
        uint32_t group = 0;
        in->at += 3;
        if (!read_alternatives(in, false, &group) || !close_group(in) || !add_repeat(in, group, 1, 1, index)) {
            return false;
        }
        in->regular->nodes[*index].possessive = true;
    } else if (!open_group(in) || !read_alternatives(in, false, index) || !close_group(in)) {
        return false;
    }
    const uint32_t group = *index;
    if (!read_quantifier(in, index)) return false;
    if (in->regular->part_count == parts || *index == group) return true;
    in->at = from;
    return refuse(in, "a look-ahead of more than one character in a group with a quantifier");
}

/* One thing that may have a quantifier, or a condition, which may not here. */
static bool read_element(reader *in, uint32_t *index)
{
    bool is_condition = false;
    if (is_look(in)) {
        is_condition = true;
        if (!read_look(in, index)) return false;
    } else if (!read_condition(in, index, &is_condition)) {
        return false;
    }
    if (is_condition) {
        if (!at_end(in) && is_one_of(in->text[in->at], "*+?{")) return refuse(in, "a condition with a quantifier");
        return true;
    }
    return next_is(in, "(") ? read_group(in, index) : read_item(in, index) && read_quantifier(in, index);
}

/* \Z where an alternative of the whole pattern ends and the whole value must match: there it is \z. Elsewhere it lets a
   final newline follow. */
static void skip_end_before_newline(reader *in)
{
    if (!next_is(in, "\\Z") || (in->options & ASSAY_PATTERN_SEARCH) != 0) return;
    const size_t end = in->at + 2;
    if (end == in->count || in->text[end] == '|') in->at = end; /* else it is refused as an escape */
}

static uint32_t sum_of(uint32_t one, uint32_t other)
{
    return one >= regular_longest || other >= regular_longest - one ? regular_none : one + other;
}

static uint32_t product_of(uint32_t one, uint32_t other)
{
    if (one == 0 || other == 0) return 0;
    return one >= regular_longest || other >= regular_longest / one ? regular_none : one * other;
}

/* How many characters a node always takes; regular_none: not always as many, or very many. */
static uint32_t length_of(const assay_regular *regular, uint32_t index)
{
    const regular_node *node = &regular->nodes[index];
    if (node->kind == REGULAR_ITEM) return 1;
    if (node->kind == REGULAR_REPEAT) {
        if (node->minimum != node->maximum) return regular_none;
        return product_of(node->minimum, length_of(regular, node->first_child));
    }
    uint32_t length = 0; /* of a condition */
    for (uint32_t child = node->first_child; child != regular_none; child = regular->nodes[child].next) {
        const uint32_t more = length_of(regular, child);
        if (node->kind == REGULAR_SEQUENCE) {
            length = sum_of(length, more);
        } else if (child == node->first_child) {
            length = more;
        } else if (length != more) {
            return regular_none;
        }
    }
    return length;
}

static bool read_sequence(reader *in, bool is_top, uint32_t *index)
{
    const bool searches = is_top && (in->options & ASSAY_PATTERN_SEARCH) != 0;
    uint32_t last = regular_none;
    if (!add_node(in, REGULAR_SEQUENCE, index)) return false;
    const uint32_t sequence = *index;
    if (searches && !append_anything(in, sequence, &last)) return false;
    for (;;) {
        if (is_top) skip_end_before_newline(in);
        if (at_end(in) || next_is(in, "|") || next_is(in, ")")) break;
        uint32_t child = 0;
        const uint32_t before = in->before;
        if (!read_element(in, &child)) return false;
        append_child(in, sequence, &last, child);
        in->before = sum_of(before, length_of(in->regular, child));
    }
    return !searches || append_anything(in, sequence, &last);
}

static bool read_alternatives(reader *in, bool is_top, uint32_t *index)
{
    if (!add_node(in, REGULAR_ALTERNATIVE, index)) return false;
    const uint32_t parts = in->regular->part_count;
    const uint32_t before = in->before;
    const uint32_t alternatives = *index;
    const size_t from = in->at;
    uint32_t last = regular_none;
    for (;;) {
        uint32_t sequence = 0;
        in->before = before;
        if (!read_sequence(in, is_top, &sequence)) return false;
        append_child(in, alternatives, &last, sequence);
        if (!next_is(in, "|")) break;
        in->at++;
    }
    if (in->regular->part_count == parts || in->regular->nodes[alternatives].first_child == last) return true;
    in->at = from;
    return refuse(in, "a look-ahead of more than one character that belongs to one of several alternatives");
}

static bool read_pattern(reader *in)
{
    if ((in->options & ASSAY_PATTERN_EXTENDED) != 0) return refuse(in, "the option x (extended)");
    if ((in->options & ASSAY_PATTERN_MULTILINE) != 0) return refuse(in, "the option m (multiline)");
    assay_regular *regular = in->regular;
    regular->part_count = 1; /* the pattern itself, which comes last in the text */
    if ((in->options & ASSAY_PATTERN_SEARCH) == 0) {
        while (next_is(in, "^") || next_is(in, "\\A")) in->at += next_is(in, "^") ? 1 : 2;
    }
    while (next_is(in, "(?s)") || next_is(in, "(?i)")) {
        in->options |= in->text[in->at + 2] == 's' ? ASSAY_PATTERN_DOT_ALL : ASSAY_PATTERN_CASE_INSENSITIVE;
        in->at += 4;
    }
    in->before = (in->options & ASSAY_PATTERN_SEARCH) == 0 ? 0 : regular_none;
    uint32_t root = 0;
    if (!read_alternatives(in, true, &root)) return false;
    if (!at_end(in)) return refuse(in, "a parenthesis that opens nothing");
    regular->parts[0] = (regular_part){root, false};
    return regular->part_count == 1 || add_any(in, 0, regular_unbounded, &regular->anything);
}

bool assay_regular_read(assay_regular *regular, const uint8_t *text, size_t count, uint32_t options,
                        const assay_character_finder *finder, assay_automaton_refusal *refusal)
{
    *regular = (assay_regular){.any = regular_none};
    reader in = {
        .regular = regular,
        .text = text,
        .count = count,
        .options = options,
        .finder = {.finder = finder},
        .refusal = refusal,
    };
    const bool is_read = read_pattern(&in);
    assay_item_finder_free(&in.finder);
    return is_read;
}

void assay_regular_free(assay_regular *regular)
{
    free(regular->nodes);
    for (uint32_t i = 0; i < regular_max_items; i++) free(regular->sets[i]);
}
