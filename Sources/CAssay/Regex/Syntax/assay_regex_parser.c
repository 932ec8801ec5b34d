/* Recursive descent over the text of a pattern, one function for each rule of the grammar.
 *
 *     pattern        (^ | \A)* alternation          ^ and \A are skipped here in full matches only
 *     alternation    concatenation ('|' concatenation)*
 *     concatenation  (settings | quotation | term)*
 *     settings       (?i) (?m-sx) …                 until the end of the group
 *     quotation      \Q character* \E
 *     term           look | assertion | group quantifier? | atom quantifier?
 *     look           (?= | (?! | (?<= | (?<!        alternation )
 *     assertion      ^ \A $ \z \b \B
 *     group          ( | (?: | (?i: | (?<name> | (?P<name> | (?'name' | (?>   alternation )
 *     atom           [class] | escape | character
 *     quantifier     * | + | ? | {n} | {n,} | {n,m}   then ? (lazy) or + (possessive); any other { is a character
 *
 * Comments (?#…) may precede each term and, with the option x, white space and #… up to the end of the line.
 *
 * Classes are not parsed: the parser finds where one ends and passes its text to the resolver (assay_class_items.h). A
 * function whose name begins with read_ leaves in->at after the text that it has read; it returns false once the pattern
 * is refused. The recursion is as deep as parentheses nest, which PCRE2 limits to 250. Each term adds a bounded number
 * of nodes, so the tree is linear in the text, and so is the time, but for the search for the label of each class. */
#include "Regex/Syntax/assay_regex_parser.h"

#include "Bytes/assay_ascii.h"
#include "Regex/Syntax/assay_class_items.h"
#include "assay/core.h"

#include <stdlib.h>
#include <string.h>

/* The state of one parse. */
typedef struct reader {
    assay_regex *regex;
    const uint8_t *text;
    size_t count;
    size_t at;
    uint32_t options;
    class_finder finder;
    class_text classes[regex_classes_max];  /* texts of the distinct classes, by label; of `any` no text */
    uint32_t options_of[regex_classes_max]; /* by label: the options under which the class was resolved */
    uint8_t escaped[128][2]; /* texts of the ASCII characters in \Q…\E that mean something else elsewhere */
    bool is_quoted;          /* within \Q…\E */
    assay_dfa_refusal *refusal;
} reader;

/* ---------------------------------------------------------------------------------------------------------------
 * Refusals, and the text
 * ------------------------------------------------------------------------------------------------------------- */

/* Records why the pattern gets no DFA, and where. PCRE2 then judges it: a refusal costs speed, never a verdict. Always
   returns false, so that callers can return its result. */
static bool refuse(reader *in, const char *because)
{
    in->refusal->because = because;
    in->refusal->offset = in->at < in->count ? in->at : in->count;
    return false;
}

static bool at_end(const reader *in) { return in->at == in->count; }

/* Whether the rest of the pattern begins with `text`. */
static bool next_is(const reader *in, const char *text)
{
    size_t length = strlen(text);
    return in->count - in->at >= length && memcmp(in->text + in->at, text, length) == 0;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Nodes
 * ------------------------------------------------------------------------------------------------------------- */

static bool add_node(reader *in, regex_kind kind, uint32_t *index)
{
    return assay_regex_add_node(in->regex, kind, index) || refuse(in, "out of memory");
}

static void append_child(reader *in, uint32_t parent, uint32_t *last, uint32_t child)
{
    assay_regex_append_child(in->regex, parent, last, child);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Classes
 * ------------------------------------------------------------------------------------------------------------- */

/* Refuses the pattern because a set could not be made. */
static bool refuse_set(reader *in)
{
    return refuse(in,
                  in->regex->set_count == regex_classes_max ? "too many different character classes" : "out of memory");
}

/* Finds the label of a class by its text, or resolves the class and adds its set. Linear search over at most
   regex_classes_max texts, which is cheap beside a question to PCRE2. */
static bool number_class(reader *in, const uint8_t *bytes, size_t count, uint32_t *label)
{
    assay_regex *regex = in->regex;
    for (*label = 0; *label < regex->set_count; ++*label) {
        const class_text known = in->classes[*label];
        if (known.count != count || in->options_of[*label] != in->options) continue;
        if (memcmp(known.bytes, bytes, count) == 0) return true;
    }
    assay_character_set *set = assay_regex_new_set(regex);
    if (set == NULL) return refuse_set(in);
    if (!assay_class_find(&in->finder, bytes, count, in->options, set)) {
        return refuse(in, "a character class that PCRE2 did not explain");
    }
    in->options_of[regex->set_count] = in->options;
    in->classes[regex->set_count++] = (class_text){bytes, count};
    return true;
}

/* Adds a node for the class whose text is [from, in->at). */
static bool add_class(reader *in, size_t from, uint32_t *index)
{
    uint32_t label = 0;
    if (!number_class(in, in->text + from, in->at - from, &label) || !add_node(in, REGEX_CLASS, index)) return false;
    in->regex->nodes[*index].label = label;
    return true;
}

static bool number_any(reader *in, uint32_t *label)
{
    return assay_regex_number_any(in->regex, label) || refuse_set(in);
}

/* Appends Σ*, any number of any characters: around each alternative of a search. */
static bool append_anything(reader *in, uint32_t sequence, uint32_t *last)
{
    uint32_t index = 0;
    if (!assay_regex_add_any(in->regex, 0, regex_unbounded, &index)) return refuse_set(in);
    append_child(in, sequence, last, index);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Assertions
 * ------------------------------------------------------------------------------------------------------------- */

static bool add_assertion(reader *in, regex_assertion assertion, uint32_t *index)
{
    assay_regex *regex = in->regex;
    const uint32_t number = assay_regex_number_assertion(regex, assertion);
    if (number == regex_none) return refuse(in, "too many different assertions");
    if (!add_node(in, REGEX_ASSERTION, index)) return false;
    regex->nodes[*index].label = number;
    return true;
}

/* ^ and \A: no character is behind. */
static bool add_start(reader *in, uint32_t *index)
{
    uint32_t any = 0;
    return number_any(in, &any) &&
           add_assertion(in, (regex_assertion){.behind = any, .ahead = regex_none, .negated = true}, index);
}

/* ^ of the option m: at the start, or after a line feed that is not the last character. */
static bool add_line_start(reader *in, uint32_t *index)
{
    uint32_t any = 0;
    uint32_t line_feed = 0;
    uint32_t parts[4]; /* start; after a line feed, before a character, and the sequence of these two */
    if (!number_any(in, &any) || !number_class(in, (const uint8_t *)"\\n", 2, &line_feed) ||
        !add_start(in, &parts[0]) ||
        !add_assertion(in, (regex_assertion){.behind = line_feed, .ahead = regex_none}, &parts[1]) ||
        !add_assertion(in, (regex_assertion){.behind = regex_none, .ahead = any}, &parts[2]) ||
        !add_node(in, REGEX_CONCATENATION, &parts[3]) || !add_node(in, REGEX_ALTERNATION, index)) {
        return false;
    }
    uint32_t last = regex_none;
    append_child(in, parts[3], &last, parts[1]);
    append_child(in, parts[3], &last, parts[2]);
    last = regex_none;
    append_child(in, *index, &last, parts[0]);
    append_child(in, *index, &last, parts[3]);
    return true;
}

/* $ of the option m: no character is ahead, or a line feed is. */
static bool add_line_end(reader *in, uint32_t *index)
{
    uint32_t others = 0;
    return number_class(in, (const uint8_t *)"[^\\n]", 5, &others) &&
           add_assertion(in, (regex_assertion){.behind = regex_none, .ahead = others, .negated = true}, index);
}

/* $ and \z, which are the same, since patterns are compiled with PCRE2_DOLLAR_ENDONLY: no character is ahead. */
static bool add_end(reader *in, uint32_t *index)
{
    uint32_t any = 0;
    return number_any(in, &any) &&
           add_assertion(in, (regex_assertion){.behind = regex_none, .ahead = any, .negated = true}, index);
}

/* \b, or \B if negated: exactly one of the two neighbours is a word character. \w is resolved under the options of the
   pattern, so Unicode classes apply here too. */
static bool add_boundary(reader *in, bool negated, uint32_t *index)
{
    uint32_t word = 0;
    return number_class(in, (const uint8_t *)"\\w", 2, &word) &&
           add_assertion(in, (regex_assertion){.behind = word, .ahead = word, .negated = negated}, index);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Syntax (pcre2pattern)
 * ------------------------------------------------------------------------------------------------------------- */

static bool read_alternation(reader *in, bool is_top, uint32_t *index);
static bool close_group(reader *in);

/* Whether a quantifier follows, for some release of PCRE2: newer ones allow blanks in braces, and {,n}. */
static bool next_is_quantifier(const reader *in)
{
    if (at_end(in)) return false;
    if (in->text[in->at] != '{') return is_one_of(in->text[in->at], "*+?");
    bool has_digit = false;
    uint32_t commas = 0;
    for (size_t at = in->at + 1; at < in->count; at++) {
        const uint8_t byte = in->text[at];
        if (byte == '}') return has_digit;
        if (byte == ',' && ++commas > 1) return false;
        has_digit |= is_digit(byte);
        if (byte != ',' && byte != ' ' && byte != '\t' && !is_digit(byte)) return false;
    }
    return false;
}

/* Skips comments and, with the option x, white space. */
static void skip_ignored(reader *in)
{
    const bool skips_blanks = (in->options & ASSAY_PATTERN_EXTENDED) != 0 && !in->is_quoted;
    while (!at_end(in) && !in->is_quoted) {
        const uint8_t next = in->text[in->at];
        if (next_is(in, "(?#")) {
            while (!at_end(in) && !next_is(in, ")")) in->at++;
            if (!at_end(in)) in->at++;
        } else if (skips_blanks && (next == ' ' || (next >= '\t' && next <= '\r'))) {
            in->at++;
        } else if (skips_blanks && next == '#') {
            while (!at_end(in) && in->text[in->at] != '\n') in->at++;
        } else {
            return;
        }
    }
}

/* Whether white space follows that the option x ignores, too, but that is not ASCII. */
static bool next_is_other_blank(const reader *in)
{
    static const char *const blanks[] = {"\xC2\x85", "\xE2\x80\x8E", "\xE2\x80\x8F", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++) {
        if (next_is(in, blanks[i])) return (in->options & ASSAY_PATTERN_EXTENDED) != 0;
    }
    return false;
}

/* Reads the letters of (?im-sx) or (?i-s: after "(?", up to what ends them, and sets the options. false: they are others, and
   nothing is read. */
static bool read_settings(reader *in, uint8_t end)
{
    static const struct {
        uint8_t letter;
        uint32_t option;
    } known[] = {{'i', ASSAY_PATTERN_CASE_INSENSITIVE},
                 {'s', ASSAY_PATTERN_DOT_ALL},
                 {'m', ASSAY_PATTERN_MULTILINE},
                 {'x', ASSAY_PATTERN_EXTENDED}};
    size_t at = in->at + 2;
    uint32_t options = in->options;
    bool is_off = false;
    for (; at < in->count && in->text[at] != end; at++) {
        const uint8_t letter = in->text[at];
        uint32_t option = 0;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            if (known[i].letter == letter) option = known[i].option;
        }
        if (letter == '-' && !is_off) {
            is_off = true;
        } else if (option == 0 || (letter == 'x' && in->text[at - 1] == 'x')) {
            return false;
        } else {
            options = is_off ? options & ~option : options | option;
        }
    }
    if (at == in->count || at == in->at + 2) return false;
    in->at = at + 1;
    in->options = options;
    return true;
}

/* Reads one character of \Q…\E. */
static bool read_quoted(reader *in, uint32_t *index)
{
    const size_t from = in->at++;
    const uint8_t first = in->text[from];
    while (first >= 0xC0 && !at_end(in) && (in->text[in->at] & 0xC0) == 0x80) in->at++;
    if (first >= 0x80 || is_letter(first) || is_digit(first)) return add_class(in, from, index);
    in->escaped[first][0] = '\\';
    in->escaped[first][1] = first;
    uint32_t label = 0;
    if (!number_class(in, in->escaped[first], 2, &label) || !add_node(in, REGEX_CLASS, index)) return false;
    in->regex->nodes[*index].label = label;
    return true;
}

/* Skips \Q and \E. */
static void read_quotes(reader *in)
{
    for (;;) {
        if (next_is(in, "\\E")) {
            in->is_quoted = false;
        } else if (!in->is_quoted && next_is(in, "\\Q")) {
            in->is_quoted = true;
        } else {
            return;
        }
        in->at += 2;
    }
}

/* Reads a bracketed class, of which only the end must be found. Refuses the constructs that would make the end
   uncertain (\Q, [. and [=), and escapes that a class of the supported subset does not contain. */
static bool read_class(reader *in, uint32_t *index)
{
    const size_t from = in->at++;
    if (next_is(in, "^")) in->at++;
    if (next_is(in, "]")) in->at++; /* as the first character it is a literal */
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
    return add_class(in, from, index);
}

/* Skips {…} after \p, \P or \x. */
static bool skip_braces(reader *in)
{
    while (!at_end(in) && in->text[in->at] != '}') in->at++;
    if (at_end(in)) return refuse(in, "an escape that does not end");
    in->at++;
    return true;
}

/* Reads an escape that matches one character. Letters and digits after the backslash are refused unless listed: a new
   release of PCRE2 may give any other letter a meaning. */
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
    return add_class(in, from, index);
}

/* Skips the opening of a group that only groups: "(", "(?:" or that of a named group. Capturing does not matter, since
   back references are refused. */
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
    if (read_settings(in, ':')) return true;
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

/* Reads the parenthesis that ends a group. */
static bool close_group(reader *in)
{
    if (!next_is(in, ")")) return refuse(in, "a group that does not end");
    in->at++;
    return true;
}

/* Reads one of ^ \A $ \z \b \B if it comes next; *found says whether it does. */
static bool read_assertion(reader *in, uint32_t *index, bool *found)
{
    const size_t from = in->at;
    *found = true;
    if (next_is(in, "^") || next_is(in, "$")) {
        in->at++;
        const bool has_lines = (in->options & ASSAY_PATTERN_MULTILINE) != 0;
        if (in->text[from] == '^') return has_lines ? add_line_start(in, index) : add_start(in, index);
        return has_lines ? add_line_end(in, index) : add_end(in, index);
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

/* Reads a class, an escape or a literal: an item that matches exactly one character. */
static bool read_atom(reader *in, uint32_t *index)
{
    const uint8_t first = in->text[in->at];
    switch (first) {
    case '[':
        return read_class(in, index);
    case '\\':
        return read_escape(in, index);
    default:
        break;
    }
    if (next_is_quantifier(in)) return refuse(in, "a quantifier here");
    if (next_is_other_blank(in)) return refuse(in, "white space that is not ASCII, with the option x");
    const size_t from = in->at++;
    while (first >= 0xC0 && !at_end(in) && (in->text[in->at] & 0xC0) == 0x80) in->at++;
    return add_class(in, from, index);
}

/* Reads (?=X) (?!X) (?<=X) (?<!X). Settings within it end with it. */
static bool read_look(reader *in, uint32_t *index)
{
    const size_t from = in->at;
    const uint32_t options = in->options;
    const bool is_behind = in->text[from + 2] == '<';
    in->at += is_behind ? 4 : 3;
    const bool negated = in->text[in->at - 1] == '!';
    uint32_t body = 0;
    if (!read_alternation(in, false, &body) || !close_group(in) ||
        !add_node(in, is_behind ? REGEX_LOOKBEHIND : REGEX_LOOKAHEAD, index)) {
        return false;
    }
    in->options = options;
    regex_node *node = &in->regex->nodes[*index];
    node->first_child = body;
    node->negated = negated;
    node->offset = (uint32_t)from;
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

/* Reads {n} {n,} or {n,m} with digits only, the form that all releases of PCRE2 read as a quantifier. Newer ones also
   accept blanks and {,m}, which older ones match literally; both are refused. */
static bool read_braces(reader *in, uint32_t *minimum, uint32_t *maximum)
{
    in->at++;
    if (!read_number(in, minimum)) return refuse(in, "a brace that is no plain quantifier");
    *maximum = *minimum;
    if (next_is(in, ",")) {
        in->at++;
        if (!read_number(in, maximum)) *maximum = regex_unbounded;
    }
    if (!next_is(in, "}")) return refuse(in, "a brace that is no plain quantifier");
    in->at++;
    return true;
}

/* Wraps the node *index in a repeat if a quantifier follows. */
static bool read_quantifier(reader *in, uint32_t *index)
{
    skip_ignored(in);
    if (!next_is_quantifier(in)) return true;
    uint32_t minimum = 0;
    uint32_t maximum = regex_unbounded;
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
    skip_ignored(in);
    if (next_is_quantifier(in)) return refuse(in, "a quantifier of a quantifier");
    if (!assay_regex_add_repeat(in->regex, child, minimum, maximum, index)) return refuse(in, "out of memory");
    in->regex->nodes[*index].possessive = possessive;
    in->regex->nodes[*index].lazy = lazy;
    return true;
}

/* Reads a group, and a quantifier if one follows. An atomic group (?>X) is X{1}+, a possessive repeat of one. */
static bool read_group(reader *in, uint32_t *index)
{
    const uint32_t options = in->options;
    if (next_is(in, "(?>")) {
        uint32_t group = 0;
        in->at += 3;
        if (!read_alternation(in, false, &group) || !close_group(in)) return false;
        if (!assay_regex_add_repeat(in->regex, group, 1, 1, index)) return refuse(in, "out of memory");
        in->regex->nodes[*index].possessive = true;
    } else if (!open_group(in) || !read_alternation(in, false, index) || !close_group(in)) {
        return false;
    }
    in->options = options; /* settings within a group end with it */
    return read_quantifier(in, index);
}

/* Reads one character of \Q…\E and, if it is the last one, a quantifier that follows. */
static bool read_quoted_term(reader *in, uint32_t *index)
{
    if (!read_quoted(in, index)) return false;
    if (next_is(in, "\\E")) read_quotes(in);
    return in->is_quoted || read_quantifier(in, index);
}

/* Reads one term. PCRE2 allows quantifiers after assertions; here they are refused. */
static bool read_term(reader *in, uint32_t *index)
{
    bool is_assertion = false;
    if (is_look(in)) {
        is_assertion = true;
        if (!read_look(in, index)) return false;
    } else if (!read_assertion(in, index, &is_assertion)) {
        return false;
    }
    if (is_assertion) {
        skip_ignored(in);
        if (next_is_quantifier(in)) return refuse(in, "an assertion with a quantifier");
        return true;
    }
    return next_is(in, "(") ? read_group(in, index) : read_atom(in, index) && read_quantifier(in, index);
}

/* Skips \Z at the end of an alternative of the whole pattern, in a full match: the end of the value follows anyway. In
   other places \Z also holds before a final newline, and is refused. */
static void skip_end_before_newline(reader *in)
{
    if (!next_is(in, "\\Z") || (in->options & ASSAY_PATTERN_SEARCH) != 0) return;
    const size_t end = in->at + 2;
    if (end == in->count || in->text[end] == '|') in->at = end; /* else it is refused as an escape */
}

/* Reads terms up to | or ) or the end. Each alternative of a search is Σ* X Σ*, so
   that a match of the whole value is a match of X anywhere in it. */
static bool read_concatenation(reader *in, bool is_top, uint32_t *index)
{
    const bool searches = is_top && (in->options & ASSAY_PATTERN_SEARCH) != 0;
    uint32_t last = regex_none;
    if (!add_node(in, REGEX_CONCATENATION, index)) return false;
    const uint32_t sequence = *index;
    if (searches && !append_anything(in, sequence, &last)) return false;
    for (;;) {
        if (!in->is_quoted && is_top) skip_end_before_newline(in);
        read_quotes(in);
        skip_ignored(in);
        if (at_end(in)) break;
        if (!in->is_quoted) {
            if (next_is(in, "|") || next_is(in, ")")) break;
            if (next_is(in, "\\Q") || next_is(in, "\\E") || (next_is(in, "(?") && read_settings(in, ')'))) continue;
        }
        uint32_t child = 0;
        if (in->is_quoted ? !read_quoted_term(in, &child) : !read_term(in, &child)) return false;
        append_child(in, sequence, &last, child);
    }
    return !searches || append_anything(in, sequence, &last);
}

/* Reads the alternatives of a group or of the whole pattern. */
static bool read_alternation(reader *in, bool is_top, uint32_t *index)
{
    if (!add_node(in, REGEX_ALTERNATION, index)) return false;
    const uint32_t alternatives = *index;
    uint32_t last = regex_none;
    for (;;) {
        uint32_t sequence = 0;
        if (!read_concatenation(in, is_top, &sequence)) return false;
        append_child(in, alternatives, &last, sequence);
        if (!next_is(in, "|")) return true;
        in->at++;
    }
}

/* Reads the whole pattern: leading anchors, which a full match implies, and one alternation. */
static bool read_pattern(reader *in)
{
    if ((in->options & ASSAY_PATTERN_SEARCH) == 0) {
        while (next_is(in, "^") || next_is(in, "\\A")) in->at += next_is(in, "^") ? 1 : 2;
    }
    uint32_t root = 0;
    if (!read_alternation(in, true, &root)) return false;
    if (!at_end(in)) return refuse(in, "a parenthesis that opens nothing");
    in->regex->conjuncts[0] = (regex_conjunct){root, false};
    in->regex->conjunct_count = 1;
    return true;
}

bool assay_regex_parse(assay_regex *regex, const uint8_t *text, size_t count, uint32_t options,
                       const assay_class_resolver *finder, assay_dfa_refusal *refusal)
{
    *regex = (assay_regex){.any = regex_none};
    reader in = {
        .regex = regex,
        .text = text,
        .count = count,
        .options = options,
        .finder = {.finder = finder},
        .refusal = refusal,
    };
    const bool is_read = read_pattern(&in);
    assay_class_finder_free(&in.finder);
    return is_read;
}
