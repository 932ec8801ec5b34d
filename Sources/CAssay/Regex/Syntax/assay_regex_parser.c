/* Recursive descent over the tokens of a pattern (assay_regex_tokens.h), one function for each rule of the grammar.
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
 * Classes are not parsed: the parser finds the end of a class and passes its text to the resolver
 * (assay_class_items.h). A function with the prefix read_ takes the tokens that it reads; it returns false after the
 * pattern is refused. The recursion is as deep as parentheses nest, which PCRE2 limits to 250. Each term adds a bounded
 * number of nodes, so the tree is linear in the text, and so is the time, except for the search for the label of each
 * class. */
#include "Regex/Syntax/assay_regex_parser.h"

#include "Bytes/assay_ascii.h"
#include "Regex/Syntax/assay_class_items.h"
#include "Regex/Syntax/assay_regex_tokens.h"
#include "assay/core.h"

#include <stdlib.h>
#include <string.h>

/* The state of one parse. */
typedef struct reader {
    assay_regex *regex;
    const uint8_t *text;
    size_t count;
    regex_tokens tokens;
    regex_token next; /* the token after the latest one that was taken */
    uint32_t options; /* in force at the latest one */
    class_finder finder;
    class_text classes[regex_classes_max];  /* texts of the distinct classes, by label; empty for `any` */
    uint32_t options_of[regex_classes_max]; /* by label: the options under which the class was resolved */
    uint8_t escaped[128][2]; /* texts of the ASCII characters in \Q…\E that have another meaning outside */
    assay_dfa_refusal *refusal;
} reader;

/* ---------------------------------------------------------------------------------------------------------------
 * Refusals, and the text
 * ------------------------------------------------------------------------------------------------------------- */

/* Records why the pattern has no DFA, and the place. PCRE2 then checks values: a refusal costs speed, never a verdict.
 * Always returns false, so that callers can return its result. */
static bool refuse(reader *in, const char *because)
{
    in->refusal->because = because;
    in->refusal->offset = in->next.start;
    return false;
}

/* Refuses at an offset that is not the start of the next token. */
static bool refuse_at(reader *in, size_t offset, const char *because)
{
    refuse(in, because);
    in->refusal->offset = offset;
    return false;
}

/* Reads the next token and returns it. */
static regex_token take(reader *in)
{
    const regex_token token = in->next;
    in->options = token.options;
    in->next = assay_regex_next_token(&in->tokens);
    return token;
}

static bool next_is(const reader *in, regex_token_kind kind) { return in->next.kind == kind; }

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

/* Refuses the pattern because a set could not be created. */
static bool refuse_set(reader *in)
{
    return refuse(in,
                  in->regex->set_count == regex_classes_max ? "too many different character classes" : "out of memory");
}

/* Finds the label of a class by its text, or resolves the class and adds its set. Linear search over at most
 * regex_classes_max texts, which is cheap compared with a question to PCRE2. */
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
        if (in->finder.count == class_items_max) return refuse(in, "too many different properties");
        const char *failure = in->finder.finder->failure;
        return refuse(in, failure != NULL ? failure : "a character class that PCRE2 did not explain");
    }
    in->options_of[regex->set_count] = in->options;
    in->classes[regex->set_count++] = (class_text){bytes, count};
    return true;
}

/* Adds a node for the class with the text [from, in->next.start). */
static bool add_class(reader *in, size_t from, uint32_t *index)
{
    uint32_t label = 0;
    if (!number_class(in, in->text + from, in->next.start - from, &label) || !add_node(in, REGEX_CLASS, index))
        return false;
    in->regex->nodes[*index].label = label;
    return true;
}

static bool number_any(reader *in, uint32_t *label)
{
    return assay_regex_number_any(in->regex, label) || refuse_set(in);
}

/* Appends Σ*, any number of any characters, which surround each alternative of a search. */
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

/* $ and \z, which are the same, because patterns are compiled with PCRE2_DOLLAR_ENDONLY: no character is ahead. */
static bool add_end(reader *in, uint32_t *index)
{
    uint32_t any = 0;
    return number_any(in, &any) &&
           add_assertion(in, (regex_assertion){.behind = regex_none, .ahead = any, .negated = true}, index);
}

/* \b, or \B if negated: exactly one of the two neighbors is a word character. \w is resolved under the options of the
 * pattern, so that Unicode classes apply. */
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

/* Takes comments and, with the option x, ASCII white space. */
static void skip_ignored(reader *in)
{
    while (next_is(in, REGEX_TOKEN_COMMENT) || (next_is(in, REGEX_TOKEN_BLANK) && in->next.length == 1)) take(in);
}

/* Takes \Q and \E. */
static void skip_quotes(reader *in)
{
    while (next_is(in, REGEX_TOKEN_QUOTE)) take(in);
}

/* Adds a node for a token that is one character or one escape. */
static bool read_single(reader *in, uint32_t *index)
{
    const size_t from = take(in).start;
    return add_class(in, from, index);
}

/* Reads one character of \Q…\E. */
static bool read_quoted(reader *in, uint32_t *index)
{
    const uint8_t first = in->text[in->next.start];
    if (first >= 0x80 || is_letter(first) || is_digit(first)) return read_single(in, index);
    take(in);
    in->escaped[first][0] = '\\';
    in->escaped[first][1] = first;
    uint32_t label = 0;
    if (!number_class(in, in->escaped[first], 2, &label) || !add_node(in, REGEX_CLASS, index)) return false;
    in->regex->nodes[*index].label = label;
    return true;
}

/* Refuses an uncertain token of a class. */
static bool refuse_in_class(reader *in, size_t class_start)
{
    const size_t start = in->next.start;
    if (start == class_start) return refuse(in, "a class that does not end");
    if (in->text[start] == '\\') return refuse(in, "this escape in a class");
    if (in->text[start + 1] == ':') return refuse_at(in, start + 2, "[: in a class");
    return refuse(in, "[. or [= in a class");
}

/* Reads a bracketed class, of which only the end must be found. Refuses escapes that a class of the supported subset
   does not contain. */
static bool read_class(reader *in, uint32_t *index)
{
    const size_t from = take(in).start;
    while (!next_is(in, REGEX_TOKEN_CLASS_CLOSE)) {
        if (next_is(in, REGEX_TOKEN_UNCERTAIN)) return refuse_in_class(in, from);
        const bool is_refused =
            next_is(in, REGEX_TOKEN_QUOTE) || (next_is(in, REGEX_TOKEN_ESCAPE) && is_one_of(in->next.letter, "cNob"));
        if (is_refused) return refuse(in, "this escape in a class");
        take(in);
    }
    take(in);
    return add_class(in, from, index);
}

/* Refuses the escape that follows. */
static bool refuse_escape(reader *in)
{
    switch (in->next.letter) {
    case 'R':
        return refuse(in, "the escape \\R");
    case 'X':
        return refuse(in, "the escape \\X");
    case 'K':
        return refuse(in, "the escape \\K");
    case 'G':
        return refuse(in, "the escape \\G");
    case 'Z':
        return refuse(in, "\\Z in this place");
    default:
        return refuse(in, "this escape");
    }
}

/* Reads an escape that matches one character. Letters and digits after the backslash are refused unless listed: a new
   release of PCRE2 may give any other letter a meaning. */
static bool read_escape(reader *in, uint32_t *index)
{
    const regex_token token = in->next;
    const uint8_t letter = token.letter;
    if (token.length < 2) return refuse(in, "an escape that does not end");
    if (token.kind == REGEX_TOKEN_PROPERTY) {
        if (token.length < 3 || (token.is_long && token.length < 4)) return refuse(in, "an escape that does not end");
    } else if (letter == 'x') {
        if (!token.is_long && !token.is_plain) return refuse(in, "\\x without two digits");
    } else if (letter == '0') {
        return refuse(in, "an octal escape");
    } else if (is_digit(letter) || is_one_of(letter, "gk")) {
        return refuse(in, "a back reference");
    } else if ((is_letter(letter) && !is_one_of(letter, "dDwWsShHvVNtnrfea")) || letter >= 0x80 || token.is_long) {
        return refuse_escape(in);
    }
    return read_single(in, index);
}

/* Reads ^ \A $ \z \b or \B. */
static bool read_assertion(reader *in, uint32_t *index)
{
    const bool has_lines = (in->next.options & ASSAY_PATTERN_MULTILINE) != 0;
    const uint8_t letter = in->next.letter;
    if (letter == '<' || letter == '>') return refuse_at(in, in->next.start + 3, "[: in a class");
    if (!is_one_of(letter, "^$AzbB")) return refuse_escape(in);
    take(in);
    switch (letter) {
    case '^':
        return has_lines ? add_line_start(in, index) : add_start(in, index);
    case '$':
        return has_lines ? add_line_end(in, index) : add_end(in, index);
    case 'A':
        return add_start(in, index);
    case 'z':
        return add_end(in, index);
    default:
        return add_boundary(in, letter == 'B', index);
    }
}

/* Reads (?=X) (?!X) (?<=X) (?<!X). */
static bool read_look(reader *in, uint32_t *index)
{
    const regex_token token = take(in);
    const regex_kind kind = token.group == REGEX_GROUP_LOOKBEHIND ? REGEX_LOOKBEHIND : REGEX_LOOKAHEAD;
    uint32_t body = 0;
    if (!read_alternation(in, false, &body) || !close_group(in) || !add_node(in, kind, index)) return false;
    regex_node *node = &in->regex->nodes[*index];
    node->first_child = body;
    node->negated = token.letter == '!';
    node->offset = (uint32_t)token.start;
    return true;
}

/* Reads the parenthesis that ends a group. */
static bool close_group(reader *in)
{
    if (!next_is(in, REGEX_TOKEN_CLOSE)) return refuse(in, "a group that does not end");
    take(in);
    return true;
}

/* Wraps the node *index in a repeat if a quantifier follows. For quantifiers in braces, only the form that all releases
 * of PCRE2 read as a quantifier is accepted, because older ones match the other forms literally. */
static bool read_quantifier(reader *in, uint32_t *index)
{
    skip_ignored(in);
    if (!next_is(in, REGEX_TOKEN_QUANTIFIER)) return true;
    if (!in->next.is_plain)
        return refuse_at(in, in->next.start + in->next.plain_length, "a brace that is no plain quantifier");
    const regex_token token = take(in);
    const uint32_t maximum = token.maximum == regex_token_unbounded ? regex_unbounded : token.maximum;
    const uint32_t child = *index;
    skip_ignored(in);
    if (next_is(in, REGEX_TOKEN_QUANTIFIER)) return refuse(in, "a quantifier of a quantifier");
    if (!assay_regex_add_repeat(in->regex, child, token.value, maximum, index)) return refuse(in, "out of memory");
    in->regex->nodes[*index].possessive = token.letter == '+' && (in->options & REGEX_OPTION_GREEDY) == 0;
    in->regex->nodes[*index].lazy = token.letter == '?';
    return true;
}

/* Whether the next token opens a group without other effects. Capturing has no effect here, because back references are
 * refused. */
static bool next_is_simple_group(const reader *in)
{
    if (!next_is(in, REGEX_TOKEN_GROUP)) return false;
    const regex_group_kind group = in->next.group;
    return group == REGEX_GROUP_CAPTURE || group == REGEX_GROUP_NAMED ||
           (group == REGEX_GROUP_PLAIN && in->next.is_plain);
}

/* Refuses the group, or the construct in parentheses, that follows. */
static bool refuse_group(reader *in)
{
    if (next_is(in, REGEX_TOKEN_VERB)) return refuse(in, "a verb");
    if (next_is(in, REGEX_TOKEN_CALL)) return refuse(in, "a call of a group");
    if (next_is(in, REGEX_TOKEN_REFERENCE)) return refuse(in, "a back reference");
    if (next_is(in, REGEX_TOKEN_SETTINGS)) return refuse(in, "an option other than i, m, s and x");
    if (!next_is(in, REGEX_TOKEN_GROUP)) return refuse(in, "this kind of group");
    switch (in->next.group) {
    case REGEX_GROUP_CONDITION:
        return refuse(in, "a conditional group");
    case REGEX_GROUP_RESET:
        return refuse(in, "a branch reset group");
    case REGEX_GROUP_PLAIN:
        return refuse(in, "an option other than i, m, s and x");
    case REGEX_GROUP_LOOKAHEAD:
    case REGEX_GROUP_LOOKBEHIND:
        return refuse(in, "a non-atomic look-around");
    case REGEX_GROUP_CAPTURE:
    case REGEX_GROUP_NAMED:
    case REGEX_GROUP_ATOMIC:
        break;
    }
    return refuse(in, "this kind of group");
}

/* Reads a group, and a quantifier if one follows. An atomic group (?>X) is X{1}+, a possessive repeat of one. */
static bool read_group(reader *in, uint32_t *index)
{
    const bool is_atomic = next_is(in, REGEX_TOKEN_GROUP) && in->next.group == REGEX_GROUP_ATOMIC;
    if (!is_atomic && !next_is_simple_group(in)) return refuse_group(in);
    take(in);
    if (!read_alternation(in, false, index) || !close_group(in)) return false;
    if (is_atomic) {
        const uint32_t group = *index;
        if (!assay_regex_add_repeat(in->regex, group, 1, 1, index)) return refuse(in, "out of memory");
        in->regex->nodes[*index].possessive = true;
    }
    return read_quantifier(in, index);
}

/* Reads one character of \Q…\E and, if it is the last one, a quantifier that follows. */
static bool read_quoted_term(reader *in, uint32_t *index)
{
    if (!read_quoted(in, index)) return false;
    skip_quotes(in);
    return in->next.is_quoted || read_quantifier(in, index);
}

/* Whether the next token opens (?= (?! (?<= or (?<!. */
static bool next_is_look(const reader *in)
{
    return next_is(in, REGEX_TOKEN_GROUP) && is_one_of(in->next.letter, "=!") &&
           (in->next.group == REGEX_GROUP_LOOKAHEAD || in->next.group == REGEX_GROUP_LOOKBEHIND);
}

/* Reads one term. PCRE2 allows quantifiers after assertions; here they are refused. */
static bool read_term(reader *in, uint32_t *index)
{
    const bool is_look = next_is_look(in);
    if (is_look || next_is(in, REGEX_TOKEN_ASSERTION)) {
        if (is_look ? !read_look(in, index) : !read_assertion(in, index)) return false;
        skip_ignored(in);
        return !next_is(in, REGEX_TOKEN_QUANTIFIER) || refuse(in, "an assertion with a quantifier");
    }
    bool is_read = false;
    switch (in->next.kind) {
    case REGEX_TOKEN_CLASS_OPEN:
        is_read = read_class(in, index);
        break;
    case REGEX_TOKEN_LITERAL:
    case REGEX_TOKEN_ANY:
        is_read = read_single(in, index);
        break;
    case REGEX_TOKEN_QUANTIFIER:
        return refuse(in, "a quantifier here");
    case REGEX_TOKEN_BLANK:
        return refuse(in, "white space that is not ASCII, with the option x");
    case REGEX_TOKEN_ESCAPE:
    case REGEX_TOKEN_PROPERTY:
        is_read = read_escape(in, index);
        break;
    case REGEX_TOKEN_REFERENCE:
    case REGEX_TOKEN_CALL: /* both are spelled with a backslash or as a group */
        return in->text[in->next.start] == '\\' ? read_escape(in, index) : read_group(in, index);
    case REGEX_TOKEN_GROUP:
    case REGEX_TOKEN_VERB:
    case REGEX_TOKEN_SETTINGS:
    case REGEX_TOKEN_UNCERTAIN:
        return read_group(in, index);
    case REGEX_TOKEN_END: /* read_concatenation() takes these, and a class or read_term() the rest */
    case REGEX_TOKEN_CLOSE:
    case REGEX_TOKEN_ALTERNATION:
    case REGEX_TOKEN_QUOTE:
    case REGEX_TOKEN_COMMENT:
    case REGEX_TOKEN_ASSERTION:
    case REGEX_TOKEN_POSIX:
    case REGEX_TOKEN_CLASS_CLOSE:
        return refuse(in, "this place");
    }
    return is_read && read_quantifier(in, index);
}

/* Takes \Z at the end of an alternative of the whole pattern, in a full match: the end of the value follows anyway. In
   other places \Z also holds before a final newline, and is refused. */
static void skip_end_before_newline(reader *in)
{
    if (!next_is(in, REGEX_TOKEN_ASSERTION) || in->next.letter != 'Z') return;
    if ((in->options & ASSAY_PATTERN_SEARCH) != 0) return;
    regex_tokens rest = in->tokens;
    const regex_token after = assay_regex_next_token(&rest);
    if (after.kind == REGEX_TOKEN_END || after.kind == REGEX_TOKEN_ALTERNATION)
        take(in); /* otherwise it is refused as an escape */
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
        if (is_top) skip_end_before_newline(in);
        skip_quotes(in);
        skip_ignored(in);
        if (next_is(in, REGEX_TOKEN_END) || next_is(in, REGEX_TOKEN_ALTERNATION) || next_is(in, REGEX_TOKEN_CLOSE)) {
            break;
        }
        if (next_is(in, REGEX_TOKEN_QUOTE) || (next_is(in, REGEX_TOKEN_SETTINGS) && in->next.is_plain)) {
            take(in);
            continue;
        }
        uint32_t child = 0;
        if (in->next.is_quoted ? !read_quoted_term(in, &child) : !read_term(in, &child)) return false;
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
        if (!next_is(in, REGEX_TOKEN_ALTERNATION)) return true;
        take(in);
    }
}

/* Reads the whole pattern: leading anchors, which a full match implies, and one alternation. */
static bool read_pattern(reader *in)
{
    if ((in->options & ASSAY_PATTERN_SEARCH) == 0) {
        while (next_is(in, REGEX_TOKEN_ASSERTION) && is_one_of(in->next.letter, "^A")) take(in);
    }
    uint32_t root = 0;
    if (!read_alternation(in, true, &root)) return false;
    if (!next_is(in, REGEX_TOKEN_END)) return refuse(in, "an unmatched closing parenthesis");
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
    assay_regex_tokens_begin(&in.tokens, text, count, options);
    in.next = assay_regex_next_token(&in.tokens);
    const bool is_read = read_pattern(&in);
    assay_class_finder_free(&in.finder);
    return is_read;
}
