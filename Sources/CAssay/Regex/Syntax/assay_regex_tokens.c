/* Reads PCRE2's syntax token by token: see assay_regex_tokens.h.
 *
 * A function with the prefix read_ receives the token with its start, fills in the other members, and returns the
 * offset after it. */
#include "Regex/Syntax/assay_regex_tokens.h"

#include "Bytes/assay_ascii.h"
#include "Bytes/assay_scalars.h"
#include "assay/core.h"

#include <string.h>

enum { after_all_characters = 0x110000 };

/* While tokens overlap, each byte may begin a token, so the search for its end must be short. */
enum { overlapping_search = 256 };

static void set_options(regex_tokens *tokens, uint32_t options)
{
    tokens->options = options;
    tokens->special_outside = REGEX_SPECIAL_OUTSIDE;
    if ((options & ASSAY_PATTERN_EXTENDED) != 0) tokens->special_outside |= REGEX_SPECIAL_EXTENDED;
}

void assay_regex_tokens_begin(regex_tokens *tokens, const uint8_t *text, size_t count, uint32_t options)
{
    tokens->text = text;
    tokens->count = count;
    tokens->at = 0;
    tokens->depth = 0;
    tokens->in_class = false;
    tokens->is_quoted = false;
    tokens->overlaps = false;
    set_options(tokens, options);
}

static uint8_t byte_at(const regex_tokens *tokens, size_t at) { return at < tokens->count ? tokens->text[at] : 0; }

static bool text_is(const regex_tokens *tokens, size_t at, const char *text)
{
    const size_t length = strlen(text);
    return tokens->count - at >= length && memcmp(tokens->text + at, text, length) == 0;
}

/* Returns the offset after the next `byte`, or 0. */
static size_t after_next(const regex_tokens *tokens, size_t at, uint8_t byte)
{
    if (at >= tokens->count) return 0;
    size_t left = tokens->count - at;
    if (tokens->overlaps && left > overlapping_search) left = overlapping_search;
    const uint8_t *found = memchr(tokens->text + at, byte, left);
    return found == NULL ? 0 : (size_t)(found - tokens->text) + 1;
}

static bool is_blank(uint8_t byte) { return byte == ' ' || byte == '\t'; }

/* The rest of the text has no certain meaning. */
static size_t read_uncertain(regex_token *token)
{
    token->kind = REGEX_TOKEN_UNCERTAIN;
    return token->start;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Escapes
 * ------------------------------------------------------------------------------------------------------------- */

/* Reads a decimal number that saturates, from *at on. Returns whether there is one. */
static bool read_decimal(const regex_tokens *tokens, size_t *at, uint32_t *number)
{
    const size_t from = *at;
    for (*number = 0; is_digit(byte_at(tokens, *at)); ++*at) {
        if (*number < UINT16_MAX * 10) *number = *number * 10 + (tokens->text[*at] - (uint32_t)'0');
    }
    return *at > from;
}

/* Reads the digits in the braces of \x{…}, \o{…} or \N{U+…}; newer releases allow blanks around them. A number above
   U+10FFFF stays above it. Without a closing brace only the two bytes of the escape are read. */
static size_t read_braced_digits(const regex_tokens *tokens, size_t at, bool is_octal, regex_token *token)
{
    const size_t close = after_next(tokens, at, '}');
    if (close == 0) return token->start + 2;
    uint32_t number = 0;
    bool has_blanks = false;
    for (; is_blank(byte_at(tokens, at)); at++) has_blanks = true;
    for (; is_hex_digit(byte_at(tokens, at)); at++) {
        if (number < after_all_characters) number = number << (is_octal ? 3 : 4) | hex_value(tokens->text[at]);
    }
    for (; is_blank(byte_at(tokens, at)); at++) has_blanks = true;
    token->is_plain = !has_blanks && at + 1 == close;
    if (at + 1 == close) token->value = number;
    token->is_long = true;
    return close;
}

/* Reads the digits of \x: two digits at most, or digits in braces. */
static size_t read_hexadecimal(const regex_tokens *tokens, size_t at, regex_token *token)
{
    if (byte_at(tokens, at) == '{') return read_braced_digits(tokens, at + 1, false, token);
    const size_t from = at;
    for (token->value = 0; at < from + 2 && is_hex_digit(byte_at(tokens, at)); at++) {
        token->value = token->value << 4 | hex_value(tokens->text[at]);
    }
    token->is_plain = at == from + 2;
    return at;
}

/* Reads \0 to \777, of which one digit is read. */
static size_t read_octal(const regex_tokens *tokens, size_t at, regex_token *token)
{
    token->value = token->letter - (uint32_t)'0';
    for (int digits = 1; digits < 3 && byte_at(tokens, at) >= '0' && byte_at(tokens, at) <= '7'; digits++) {
        token->value = token->value * 8 + (tokens->text[at++] - (uint32_t)'0');
    }
    return at;
}

/* Reads the property of \p or \P. */
static size_t read_property(const regex_tokens *tokens, size_t at, regex_token *token)
{
    token->kind = REGEX_TOKEN_PROPERTY;
    token->is_long = byte_at(tokens, at) == '{';
    if (!token->is_long) return at + (at < tokens->count);
    const size_t close = after_next(tokens, at, '}');
    return close == 0 ? at : close;
}

/* Reads the group of \g or \k: {n} <n> 'n', or after \g also a number without brackets. \g<n> and \g'n' are calls. */
static size_t read_reference(const regex_tokens *tokens, size_t at, regex_token *token)
{
    const uint8_t open = byte_at(tokens, at);
    token->kind = REGEX_TOKEN_REFERENCE;
    token->value = UINT32_MAX;
    if (!is_one_of(open, "{<'")) {
        if (token->letter == 'k') return at;
        if (is_one_of(open, "+-")) at++;
        while (is_digit(byte_at(tokens, at))) at++;
        return at;
    }
    at++;
    if (token->letter == 'g' && open != '{') {
        size_t number_at = at;
        uint32_t number = 0;
        token->kind = REGEX_TOKEN_CALL;
        if (read_decimal(tokens, &number_at, &number)) token->value = number;
    }
    const size_t close = after_next(tokens, at, open == '{' ? '}' : open == '<' ? '>' : '\'');
    return close == 0 ? at : close;
}

/* Reads the character of \c. */
static size_t read_control(const regex_tokens *tokens, size_t at, regex_token *token)
{
    if (at == tokens->count) return at;
    const uint8_t control = tokens->text[at];
    token->value = (uint32_t)(control >= 'a' && control <= 'z' ? control - 0x20 : control) ^ 0x40u;
    return at + 1;
}

/* Reads a backslash and the rest of its escape. */
static size_t read_escape(regex_tokens *tokens, regex_token *token)
{
    size_t at = token->start + 1;
    token->kind = REGEX_TOKEN_ESCAPE;
    token->value = regex_token_no_character;
    if (at == tokens->count) return at;
    const uint8_t letter = tokens->text[at];
    token->letter = letter;
    if (letter >= 0x80) {
        /* Truncated characters occur only while tokens overlap. */
        size_t length = character_length(letter);
        if (length > tokens->count - at) length = tokens->count - at;
        return at + length;
    }
    at++;
    if (!is_letter(letter) && !is_digit(letter)) {
        token->value = letter;
        return at;
    }
    if (!tokens->in_class) {
        if (letter == '0') return read_octal(tokens, at, token);
        if (is_digit(letter)) {
            token->kind = REGEX_TOKEN_REFERENCE;
            at--;
            read_decimal(tokens, &at, &token->value);
            return at;
        }
    } else if (is_digit(letter)) {
        return read_octal(tokens, at, token);
    }
    switch (letter) {
    case 'Q':
    case 'E':
        token->kind = REGEX_TOKEN_QUOTE;
        if (!tokens->overlaps) tokens->is_quoted = letter == 'Q';
        return at;
    case 'A':
    case 'z':
    case 'Z':
    case 'b':
    case 'B':
    case 'G':
        if (!tokens->in_class) token->kind = REGEX_TOKEN_ASSERTION;
        if (tokens->in_class && letter == 'b') token->value = 0x08;
        return at;
    case 'g':
    case 'k':
        return tokens->in_class ? at : read_reference(tokens, at, token);
    case 'p':
    case 'P':
        return read_property(tokens, at, token);
    case 'x':
        return read_hexadecimal(tokens, at, token);
    case 'o':
        return byte_at(tokens, at) == '{' ? read_braced_digits(tokens, at + 1, true, token) : at;
    case 'N':
        return text_is(tokens, at, "{U+") ? read_braced_digits(tokens, at + 3, false, token) : at;
    case 'c':
        return read_control(tokens, at, token);
    case 'a':
        token->value = 0x07;
        return at;
    case 'e':
        token->value = 0x1B;
        return at;
    case 'f':
        token->value = 0x0C;
        return at;
    case 'n':
        token->value = 0x0A;
        return at;
    case 'r':
        token->value = 0x0D;
        return at;
    case 't':
        token->value = 0x09;
        return at;
    default:
        return at;
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Groups, and all other tokens that begin with a parenthesis
 * ------------------------------------------------------------------------------------------------------------- */

/* Opens a group within which `options` are in force. */
static void open_group(regex_tokens *tokens, uint32_t options)
{
    if (tokens->overlaps) {
        set_options(tokens, tokens->options | options);
        return;
    }
    /* PCRE2 refuses deeper nesting, so the options there do not matter. */
    if (tokens->depth < regex_token_depth_max) tokens->outer_options[tokens->depth] = tokens->options;
    tokens->depth++;
    set_options(tokens, options);
}

static void close_group(regex_tokens *tokens)
{
    if (tokens->overlaps || tokens->depth == 0) return;
    tokens->depth--;
    if (tokens->depth < regex_token_depth_max) set_options(tokens, tokens->outer_options[tokens->depth]);
}

static size_t read_group(regex_tokens *tokens, regex_token *token, regex_group_kind group, uint8_t letter, size_t end)
{
    token->kind = REGEX_TOKEN_GROUP;
    token->group = group;
    token->letter = letter;
    token->is_plain = true;
    open_group(tokens, tokens->options);
    return end;
}

/* Reads (*VERB), (*VERB:name) or the opening of an alphabetic group, such as (*atomic: or (*pla:. The letter of a verb
   is the first one of its name, g for an opening. */
static size_t read_verb(regex_tokens *tokens, regex_token *token)
{
    const size_t name = token->start + 2;
    size_t at = name;
    while (is_letter(byte_at(tokens, at)) || byte_at(tokens, at) == '_') at++;
    token->kind = REGEX_TOKEN_VERB;
    token->letter = byte_at(tokens, name);
    if (token->letter >= 'a' && token->letter <= 'z' && byte_at(tokens, at) == ':') {
        open_group(tokens, tokens->options);
        token->group = REGEX_GROUP_PLAIN;
        for (size_t i = name; i + 1 < at; i++) {
            if (text_is(tokens, i, "lb:") || text_is(tokens, i, "behind:")) token->group = REGEX_GROUP_LOOKBEHIND;
        }
        return at + 1;
    }
    const size_t close = after_next(tokens, name, ')');
    return close == 0 ? name : close;
}

/* Reads (?(1), (?(name), (?(R), (?(DEFINE) and similar conditions, or the (? before an assertion. The letter is r for a
 * condition on recursion that could also be a group called R, g for a condition on a set group, 0 for all others. */
static size_t read_condition(regex_tokens *tokens, regex_token *token)
{
    const size_t condition = token->start + 3;
    const uint8_t first = byte_at(tokens, condition);
    if (first == '?' || first == '*') return read_group(tokens, token, REGEX_GROUP_CONDITION, 0, condition - 1);
    const size_t close = after_next(tokens, condition, ')');
    uint8_t letter = 'g';
    if (text_is(tokens, condition, "R)")) letter = 'r';
    if (text_is(tokens, condition, "DEFINE)") || text_is(tokens, condition, "VERSION") ||
        text_is(tokens, condition, "R&")) {
        letter = 0;
    }
    return read_group(tokens, token, REGEX_GROUP_CONDITION, letter, close == 0 ? condition : close);
}

/* Reads a named group. `name` is the start of the name, and `closing` the byte after its end. */
static size_t read_named_group(regex_tokens *tokens, regex_token *token, size_t name, uint8_t closing)
{
    const size_t close = after_next(tokens, name, closing);
    if (close == 0 && !tokens->overlaps) return read_uncertain(token);
    return read_group(tokens, token, REGEX_GROUP_NAMED, closing, close == 0 ? name : close);
}

/* Reads (?1) (?+1) (?-1) (?R) (?&n) (?P>n). `name` is the start of the name or number. */
static size_t read_call(const regex_tokens *tokens, regex_token *token, size_t name, bool is_relative)
{
    token->kind = REGEX_TOKEN_CALL;
    token->value = UINT32_MAX;
    size_t at = name;
    uint32_t number = 0;
    if (byte_at(tokens, name) == 'R') {
        token->value = 0;
    } else if (read_decimal(tokens, &at, &number) && !is_relative) {
        token->value = number;
    }
    const size_t close = after_next(tokens, name, ')');
    if (close == 0) return name;
    /* (?1(2,3)) of newer releases returns captures. */
    const bool has_list = memchr(tokens->text + name, '(', close - name) != NULL;
    return has_list && !tokens->overlaps ? read_uncertain(token) : close;
}

/* The options that the letter at text[*at] sets, and moves *at past it. A doubled x counts as one letter. 0: not a
   letter of settings. */
static uint32_t read_setting(const regex_tokens *tokens, size_t *at)
{
    const uint8_t letter = byte_at(tokens, *at);
    if (!is_letter(letter) && letter != '^') return 0;
    ++*at;
    switch (letter) {
    case 'i':
        return ASSAY_PATTERN_CASE_INSENSITIVE;
    case 'm':
        return ASSAY_PATTERN_MULTILINE;
    case 's':
        return ASSAY_PATTERN_DOT_ALL;
    case 'x':
        if (byte_at(tokens, *at) != 'x') return ASSAY_PATTERN_EXTENDED;
        ++*at;
        return (uint32_t)ASSAY_PATTERN_EXTENDED | REGEX_OPTION_EXTENDED_MORE;
    case 'J':
        return REGEX_OPTION_DUPLICATE_NAMES;
    case 'U':
        return REGEX_OPTION_UNGREEDY;
    default:
        return REGEX_OPTION_OTHER;
    }
}

/* Reads (?i-s) or (?i-s:. Of (?x) also xx is unset, and of (?-x) both. */
static size_t read_settings(regex_tokens *tokens, regex_token *token)
{
    const uint32_t others =
        REGEX_OPTION_EXTENDED_MORE | REGEX_OPTION_DUPLICATE_NAMES | REGEX_OPTION_UNGREEDY | REGEX_OPTION_OTHER;
    size_t at = token->start + 2;
    uint32_t set = 0;
    uint32_t unset = 0;
    bool is_off = false;
    for (;;) {
        if (byte_at(tokens, at) == '-' && !is_off) {
            is_off = true;
            at++;
            continue;
        }
        const bool is_reset = byte_at(tokens, at) == '^';
        const uint32_t options = read_setting(tokens, &at);
        if (options == 0) break;
        if (is_reset) {
            unset = (uint32_t)ASSAY_PATTERN_CASE_INSENSITIVE | ASSAY_PATTERN_MULTILINE | ASSAY_PATTERN_DOT_ALL |
                    ASSAY_PATTERN_EXTENDED;
        }
        *(is_off ? &unset : &set) |= options;
    }
    const uint8_t end = byte_at(tokens, at);
    if (end != ')' && end != ':') return read_uncertain(token);
    token->value = set | unset;
    token->is_plain = (token->value & others) == 0;
    uint32_t options = tokens->options;
    if (((set | unset) & ASSAY_PATTERN_EXTENDED) != 0) options &= ~(uint32_t)REGEX_OPTION_EXTENDED_MORE;
    /* (?^i) sets i again. */
    options = byte_at(tokens, token->start + 2) == '^' ? (options & ~unset) | set : (options | set) & ~unset;
    if (end == ':') {
        token->kind = REGEX_TOKEN_GROUP;
        token->group = REGEX_GROUP_PLAIN;
        open_group(tokens, options);
    } else {
        token->kind = REGEX_TOKEN_SETTINGS;
        set_options(tokens, tokens->overlaps ? tokens->options | set : options);
    }
    return at + 1;
}

/* Reads (?…. */
static size_t read_question(regex_tokens *tokens, regex_token *token)
{
    const size_t at = token->start + 2;
    const uint8_t first = byte_at(tokens, at);
    const uint8_t second = byte_at(tokens, at + 1);
    switch (first) {
    case ':':
        return read_group(tokens, token, REGEX_GROUP_PLAIN, 0, at + 1);
    case '>':
        return read_group(tokens, token, REGEX_GROUP_ATOMIC, 0, at + 1);
    case '|':
        return read_group(tokens, token, REGEX_GROUP_RESET, 0, at + 1);
    case '=':
    case '!':
    case '*':
        return read_group(tokens, token, REGEX_GROUP_LOOKAHEAD, first, at + 1);
    case '<':
        if (second == '=' || second == '!' || second == '*') {
            return read_group(tokens, token, REGEX_GROUP_LOOKBEHIND, second, at + 2);
        }
        return read_named_group(tokens, token, at + 1, '>');
    case '\'':
        return read_named_group(tokens, token, at + 1, '\'');
    case '(':
        return read_condition(tokens, token);
    case '#': {
        token->kind = REGEX_TOKEN_COMMENT;
        const size_t close = tokens->overlaps ? at : after_next(tokens, at, ')');
        return close == 0 ? tokens->count : close;
    }
    case 'P':
        if (second == '<') return read_named_group(tokens, token, at + 2, '>');
        if (second == '>') return read_call(tokens, token, at + 2, true);
        if (second == '=') {
            const size_t close = after_next(tokens, at, ')');
            token->kind = REGEX_TOKEN_REFERENCE;
            token->letter = 'P';
            token->value = UINT32_MAX;
            return close == 0 ? at : close;
        }
        return read_uncertain(token);
    case '&':
        return read_call(tokens, token, at + 1, true);
    case 'R':
        return read_call(tokens, token, at, false);
    case '+':
        return is_digit(second) ? read_call(tokens, token, at + 1, true) : read_uncertain(token);
    case '-':
        return is_digit(second) ? read_call(tokens, token, at + 1, true) : read_settings(tokens, token);
    case 'C': /* a callout, possibly with a quoted text */
        return read_uncertain(token);
    default:
        return is_digit(first) ? read_call(tokens, token, at, false) : read_settings(tokens, token);
    }
}

static size_t read_parenthesis(regex_tokens *tokens, regex_token *token)
{
    const uint8_t next = byte_at(tokens, token->start + 1);
    if (next == '*') return read_verb(tokens, token);
    if (next == '?') return read_question(tokens, token);
    return read_group(tokens, token, REGEX_GROUP_CAPTURE, 0, token->start + 1);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Quantifiers
 * ------------------------------------------------------------------------------------------------------------- */

/* Reads {n} {n,} {n,m}, and with is_plain false the forms that only some releases read as a quantifier: with blanks, or
   {,m}. All others are a literal brace. */
static size_t read_braces(const regex_tokens *tokens, regex_token *token)
{
    enum { plain_digits = 6 };
    const size_t open = token->start;
    uint32_t numbers[2] = {0, 0};
    uint32_t commas = 0;
    bool has_digit = false;
    bool has_blank = false;
    size_t digits[2] = {0, 0};
    size_t at = open + 1;
    for (;; at++) {
        const uint8_t byte = byte_at(tokens, at);
        if (is_digit(byte)) {
            if (numbers[commas] <= UINT16_MAX) numbers[commas] = numbers[commas] * 10 + (byte - (uint32_t)'0');
            digits[commas]++;
            has_digit = true;
        } else if (byte == ',' && commas == 0) {
            commas = 1;
        } else if (is_blank(byte)) {
            has_blank = true;
        } else if (byte == '}' && has_digit) {
            break;
        } else {
            token->kind = REGEX_TOKEN_LITERAL;
            token->value = '{';
            return open + 1;
        }
    }
    token->kind = REGEX_TOKEN_QUANTIFIER;
    token->value = numbers[0];
    token->maximum = commas == 0 ? numbers[0] : digits[1] == 0 ? regex_token_unbounded : numbers[1];
    token->is_plain = !has_blank && digits[0] > 0 && digits[0] <= plain_digits && digits[1] <= plain_digits;
    size_t end = open + 1;
    while (end < open + 1 + plain_digits && is_digit(tokens->text[end])) end++;
    if (end > open + 1 && tokens->text[end] == ',') {
        const size_t second = ++end;
        while (end < second + plain_digits && is_digit(tokens->text[end])) end++;
    }
    token->plain_length = (uint32_t)(end - open);
    return at + 1;
}

/* Reads a quantifier, and the ? or + that makes it lazy or possessive. */
static size_t read_quantifier(const regex_tokens *tokens, regex_token *token)
{
    const uint8_t first = tokens->text[token->start];
    size_t at = token->start + 1;
    if (first == '{') {
        at = read_braces(tokens, token);
        if (token->kind != REGEX_TOKEN_QUANTIFIER) return at;
    } else {
        token->kind = REGEX_TOKEN_QUANTIFIER;
        token->value = first == '+' ? 1 : 0;
        token->maximum = first == '?' ? 1 : regex_token_unbounded;
        token->is_plain = true;
    }
    const uint8_t mark = byte_at(tokens, at);
    if (mark != '?' && mark != '+') return at;
    token->letter = mark;
    return at + 1;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Characters and classes
 * ------------------------------------------------------------------------------------------------------------- */

static size_t read_literal(const regex_tokens *tokens, regex_token *token)
{
    const uint8_t first = tokens->text[token->start];
    token->kind = REGEX_TOKEN_LITERAL;
    token->value = first;
    if (first < 0xC0) return token->start + 1;
    const size_t left = tokens->count - token->start;
    if (left < character_length(first)) return token->start + 1;
    size_t length = 1;
    token->value = character_at(tokens->text + token->start, &length);
    return token->start + length;
}

/* Returns the offset after a class such as [:alpha:] or [:^alpha:] that begins at text[at], 0 if it has another
   form. */
static size_t end_of_posix(const regex_tokens *tokens, size_t at)
{
    if (!text_is(tokens, at, "[:")) return 0;
    at += 2;
    while (is_letter(byte_at(tokens, at)) || byte_at(tokens, at) == '^') at++;
    return text_is(tokens, at, ":]") ? at + 2 : 0;
}

/* Reads [ or [^, with a ] that is a literal because it is the first character of the class left to read_in_class(). */
static size_t read_class_open(regex_tokens *tokens, regex_token *token)
{
    const size_t start = token->start;
    const bool may_be_boundary = byte_at(tokens, start + 1) == '[';
    if (may_be_boundary && (text_is(tokens, start, "[[:<:]]") || text_is(tokens, start, "[[:>:]]"))) {
        token->kind = REGEX_TOKEN_ASSERTION;
        token->letter = tokens->text[start + 3];
        return start + 7;
    }
    if (tokens->overlaps) {
        const size_t end = end_of_posix(tokens, start);
        token->kind = end == 0 ? REGEX_TOKEN_CLASS_OPEN : REGEX_TOKEN_POSIX;
        return end == 0 ? start + 1 : end;
    }
    token->kind = REGEX_TOKEN_CLASS_OPEN;
    token->letter = byte_at(tokens, start + 1) == '^' ? '^' : 0;
    tokens->in_class = true;
    tokens->class_start = start;
    return start + (token->letter == '^' ? 2 : 1);
}

/* Whether a class begins at text[at] with text that is ignored before a ^ or ], so that releases could differ on
   whether that is the first character. */
static bool has_uncertain_start(const regex_tokens *tokens, size_t at, bool skips_blanks)
{
    const size_t start = at;
    for (;;) {
        if (text_is(tokens, at, "\\E")) {
            at += 2;
        } else if (text_is(tokens, at, "\\Q\\E")) {
            at += 4;
        } else if (skips_blanks && is_blank(byte_at(tokens, at))) {
            at++;
        } else {
            return at > start && is_one_of(byte_at(tokens, at), "^]");
        }
    }
}

/* Reads a token of a class that is not quoted. */
static size_t read_in_class(regex_tokens *tokens, regex_token *token)
{
    const uint8_t first = tokens->text[token->start];
    const size_t first_start = tokens->class_start + (tokens->text[tokens->class_start + 1] == '^' ? 2 : 1);
    const bool is_first = token->start == first_start;
    if (first == ']' && !is_first) {
        token->kind = REGEX_TOKEN_CLASS_CLOSE;
        tokens->in_class = false;
        return token->start + 1;
    }
    const bool skips_blanks = (tokens->options & REGEX_OPTION_EXTENDED_MORE) != 0;
    if (is_first && has_uncertain_start(tokens, token->start, skips_blanks)) return read_uncertain(token);
    if (first == '\\') return read_escape(tokens, token);
    if (first == '[' && is_one_of(byte_at(tokens, token->start + 1), ":.=")) {
        const size_t end = end_of_posix(tokens, token->start);
        if (end == 0) return read_uncertain(token);
        token->kind = REGEX_TOKEN_POSIX;
        return end;
    }
    if (skips_blanks && is_blank(first)) {
        token->kind = REGEX_TOKEN_BLANK;
        return token->start + 1;
    }
    return read_literal(tokens, token);
}

/* Returns the length of white space that the option x ignores, or 0. Apart from ASCII, that is U+0085, U+200E, U+200F,
   U+2028 and U+2029. */
static size_t length_of_blank(const regex_tokens *tokens, size_t at)
{
    const uint8_t first = tokens->text[at];
    if (first == ' ' || (first >= '\t' && first <= '\r')) return 1;
    if (first == 0xC2) return byte_at(tokens, at + 1) == 0x85 ? 2 : 0;
    if (first != 0xE2 || byte_at(tokens, at + 1) != 0x80) return 0;
    return is_one_of(byte_at(tokens, at + 2), "\x8E\x8F\xA8\xA9") ? 3 : 0;
}

/* Reads a token that is in no class and not quoted. */
static size_t read_outside(regex_tokens *tokens, regex_token *token)
{
    const uint8_t first = tokens->text[token->start];
    if ((tokens->options & ASSAY_PATTERN_EXTENDED) != 0) {
        const size_t blank = length_of_blank(tokens, token->start);
        if (blank > 0 || first == '#') {
            token->kind = first == '#' ? REGEX_TOKEN_COMMENT : REGEX_TOKEN_BLANK;
            if (first != '#') return token->start + blank;
            const size_t end = after_next(tokens, token->start, '\n');
            return end == 0 ? tokens->count : end;
        }
    }
    switch (first) {
    case '\\':
        return read_escape(tokens, token);
    case '[':
        return read_class_open(tokens, token);
    case '(':
        return read_parenthesis(tokens, token);
    case ')':
        close_group(tokens);
        token->kind = REGEX_TOKEN_CLOSE;
        return token->start + 1;
    case '|':
        token->kind = REGEX_TOKEN_ALTERNATION;
        return token->start + 1;
    case '^':
    case '$':
        token->kind = REGEX_TOKEN_ASSERTION;
        token->letter = first;
        return token->start + 1;
    case '.':
        token->kind = REGEX_TOKEN_ANY;
        return token->start + 1;
    case '*':
    case '+':
    case '?':
    case '{':
        return read_quantifier(tokens, token);
    default:
        return read_literal(tokens, token);
    }
}

const uint8_t assay_regex_special[0x80] = {
    ['\\'] = REGEX_SPECIAL_OUTSIDE | REGEX_SPECIAL_IN_CLASS | REGEX_SPECIAL_QUOTED,
    ['['] = REGEX_SPECIAL_OUTSIDE | REGEX_SPECIAL_IN_CLASS,
    [']'] = REGEX_SPECIAL_IN_CLASS,
    ['('] = REGEX_SPECIAL_OUTSIDE,
    [')'] = REGEX_SPECIAL_OUTSIDE,
    ['|'] = REGEX_SPECIAL_OUTSIDE,
    ['^'] = REGEX_SPECIAL_OUTSIDE,
    ['$'] = REGEX_SPECIAL_OUTSIDE,
    ['.'] = REGEX_SPECIAL_OUTSIDE,
    ['*'] = REGEX_SPECIAL_OUTSIDE,
    ['+'] = REGEX_SPECIAL_OUTSIDE,
    ['?'] = REGEX_SPECIAL_OUTSIDE,
    ['{'] = REGEX_SPECIAL_OUTSIDE,
    ['#'] = REGEX_SPECIAL_EXTENDED,
    [' '] = REGEX_SPECIAL_EXTENDED | REGEX_SPECIAL_IN_CLASS, /* in a class with the option xx */
    ['\t'] = REGEX_SPECIAL_EXTENDED | REGEX_SPECIAL_IN_CLASS,
    ['\n'] = REGEX_SPECIAL_EXTENDED,
    ['\v'] = REGEX_SPECIAL_EXTENDED,
    ['\f'] = REGEX_SPECIAL_EXTENDED,
    ['\r'] = REGEX_SPECIAL_EXTENDED,
};

void assay_regex_read_special(regex_tokens *tokens, regex_token *token)
{
    size_t end = tokens->at;
    token->kind = REGEX_TOKEN_END;
    if (end == tokens->count) {
        /* A class without an end: the text is uncertain from its first byte on. */
        if (tokens->in_class) {
            token->start = tokens->class_start;
            end = read_uncertain(token);
        }
    } else if (tokens->is_quoted) {
        end = text_is(tokens, end, "\\E") ? read_escape(tokens, token) : read_literal(tokens, token);
    } else {
        end = tokens->in_class ? read_in_class(tokens, token) : read_outside(tokens, token);
    }
    token->length = end - token->start;
    token->options = tokens->options;
    if (token->kind != REGEX_TOKEN_UNCERTAIN) {
        tokens->at = tokens->overlaps && token->length > 0 ? token->start + 1 : end;
    } else if (tokens->overlaps) {
        token->kind = REGEX_TOKEN_LITERAL;
        token->value = tokens->text[token->start];
        token->length = 1;
        tokens->at = token->start + 1;
    } else {
        tokens->at = token->start;
        tokens->overlaps = true;
        tokens->in_class = false;
        tokens->is_quoted = false;
    }
}
