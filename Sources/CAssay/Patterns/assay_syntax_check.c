#include "Patterns/assay_syntax_check.h"

#include "Bytes/assay_ascii.h"
#include "Bytes/assay_scalars.h"
#include "Bytes/assay_utf8.h"
#include "Memory/assay_grow.h"
#include "Patterns/assay_class_tables.h"
#include "Regex/Syntax/assay_regex_tokens.h"

#include <stdlib.h>
#include <string.h>

/* Limits of pcre2pattern and pcre2limits. */
enum { DEPTH_MAX = 250, NAME_MAX_BYTES = 32, NAMES_MAX = 10000, GROUPS_MAX = 65535, REPEAT_MAX = 65535 };

typedef struct group_name {
    const uint8_t *bytes;
    size_t count;
} group_name;

typedef struct syntax_reader {
    const uint8_t *text;
    size_t count;
    regex_tokens tokens;
    regex_token token;
    uint32_t depth;
    uint32_t groups;
    group_name *names;
    size_t name_count;
    size_t name_capacity;
    assay_syntax_mistake *mistake;
} syntax_reader;

/* Always returns false, so that callers can return its result. */
static bool refuse(const syntax_reader *in, const char *because, size_t offset)
{
    *in->mistake = (assay_syntax_mistake){because, offset};
    return false;
}

static size_t end_of(const regex_token *token) { return token->start + token->length; }

/* Checks a class or a single item from `start` to `end`. */
static bool check_class(const syntax_reader *in, size_t start, size_t end, uint32_t options)
{
    assay_character_set set = {.bound_count = 0};
    assay_class_mistake mistake;
    if (assay_class_from_tables(in->text + start, end - start, options, &set, &mistake)) return true;
    if (mistake.because == NULL) return refuse(in, NULL, 0);
    return refuse(in, mistake.because, start + mistake.offset);
}

/* Reads the rest of a class, whose beginning is the current token. Returns true at a token that the parser refuses. */
static bool read_class(syntax_reader *in)
{
    const size_t start = in->token.start;
    for (;;) {
        in->token = assay_regex_next_token(&in->tokens);
        switch (in->token.kind) {
        case REGEX_TOKEN_CLASS_CLOSE:
            return check_class(in, start, end_of(&in->token), in->token.options);
        case REGEX_TOKEN_UNCERTAIN:
            if (in->token.start == start) return refuse(in, "missing terminating ] for character class", in->count);
            return true;
        case REGEX_TOKEN_ESCAPE:
            if (in->token.length < 2) return refuse(in, "\\ at end of pattern", in->count);
            break;
        case REGEX_TOKEN_END:
            return refuse(in, "missing terminating ] for character class", in->count);
        case REGEX_TOKEN_LITERAL:
        case REGEX_TOKEN_ANY:
        case REGEX_TOKEN_PROPERTY:
        case REGEX_TOKEN_ASSERTION:
        case REGEX_TOKEN_REFERENCE:
        case REGEX_TOKEN_CALL:
        case REGEX_TOKEN_CLASS_OPEN:
        case REGEX_TOKEN_POSIX:
        case REGEX_TOKEN_GROUP:
        case REGEX_TOKEN_CLOSE:
        case REGEX_TOKEN_ALTERNATION:
        case REGEX_TOKEN_QUANTIFIER:
        case REGEX_TOKEN_VERB:
        case REGEX_TOKEN_SETTINGS:
        case REGEX_TOKEN_QUOTE:
        case REGEX_TOKEN_COMMENT:
        case REGEX_TOKEN_BLANK:
            break;
        }
    }
}

/* Checks the name of a group, the text between (?<, (?P< or (?' and the end of the token. */
static bool add_name(syntax_reader *in)
{
    const size_t end = end_of(&in->token) - 1;
    size_t at = in->token.start + 2;
    at += in->text[at] == 'P' ? 2 : 1;
    const size_t start = at;
    if (start == end) return refuse(in, "subpattern name expected", at);
    for (size_t length; at < end; at += length) {
        const uint32_t character = character_at(in->text + at, &length);
        const bool is_digit_first = at == start && assay_class_is_digit(character);
        if (is_digit_first) return refuse(in, "subpattern name must start with a non-digit", at);
        if (!assay_class_is_name_character(character)) {
            return refuse(in, "syntax error in subpattern name (missing terminator?)", at);
        }
    }
    if (end - start > NAME_MAX_BYTES) {
        return refuse(in, "subpattern name is too long (maximum 32 code units)", start + NAME_MAX_BYTES);
    }
    for (size_t i = 0; i < in->name_count; i++) {
        if (in->names[i].count != end - start || memcmp(in->names[i].bytes, in->text + start, end - start) != 0)
            continue;
        return refuse(in, "two named subpatterns have the same name (PCRE2_DUPNAMES not set)", end);
    }
    if (in->name_count == NAMES_MAX) return refuse(in, "too many named subpatterns (maximum 10000)", end);
    if (!assay_grow(&in->names, &in->name_capacity, sizeof *in->names, in->name_count + 1)) {
        return refuse(in, NULL, 0);
    }
    in->names[in->name_count++] = (group_name){in->text + start, end - start};
    return true;
}

static bool open_group(syntax_reader *in)
{
    if (++in->depth > DEPTH_MAX) return refuse(in, "parentheses are too deeply nested", end_of(&in->token));
    const bool captures = in->token.group == REGEX_GROUP_CAPTURE || in->token.group == REGEX_GROUP_NAMED;
    if (captures && ++in->groups > GROUPS_MAX) {
        return refuse(in, "too many capturing groups (maximum 65535)", end_of(&in->token));
    }
    return in->token.group != REGEX_GROUP_NAMED || add_name(in);
}

static bool check_quantifier(const syntax_reader *in)
{
    const regex_token *token = &in->token;
    const bool has_maximum = token->maximum != regex_token_unbounded;
    if (token->value > REPEAT_MAX || (has_maximum && token->maximum > REPEAT_MAX)) {
        return refuse(in, "number too big in {} quantifier", end_of(token));
    }
    if (has_maximum && token->maximum < token->value) {
        return refuse(in, "numbers out of order in {} quantifier", end_of(token));
    }
    return true;
}

/* Whether \N is followed by a brace that is no quantifier, so that PCRE2 takes it for the name of a character. */
static bool is_named_character(const syntax_reader *in)
{
    const size_t end = end_of(&in->token);
    if (in->token.letter != 'N' || in->token.is_long || end == in->count || in->text[end] != '{') return false;
    regex_tokens rest = in->tokens;
    return assay_regex_next_token(&rest).kind != REGEX_TOKEN_QUANTIFIER;
}

/* Checks the current token. *is_done: the parser refuses it, so the rest does not matter. */
static bool check_token(syntax_reader *in, bool *is_done)
{
    const regex_token *token = &in->token;
    switch (token->kind) {
    case REGEX_TOKEN_END:
        *is_done = true;
        return in->depth == 0 || refuse(in, "missing closing parenthesis", in->count);
    case REGEX_TOKEN_CLASS_OPEN: {
        const bool is_valid = read_class(in);
        *is_done = in->token.kind == REGEX_TOKEN_UNCERTAIN;
        return is_valid;
    }
    case REGEX_TOKEN_GROUP:
        return open_group(in);
    case REGEX_TOKEN_CLOSE:
        if (in->depth == 0) return refuse(in, "unmatched closing parenthesis", token->start);
        in->depth--;
        return true;
    case REGEX_TOKEN_QUANTIFIER:
        return check_quantifier(in);
    case REGEX_TOKEN_COMMENT: {
        const bool is_group = in->text[token->start] == '(';
        if (!is_group || (token->length > 3 && in->text[end_of(token) - 1] == ')')) return true;
        return refuse(in, "missing ) after (?# comment", in->count);
    }
    case REGEX_TOKEN_ESCAPE:
        if (token->length < 2) return refuse(in, "\\ at end of pattern", in->count);
        if (is_named_character(in)) {
            return refuse(in, "PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u", end_of(token));
        }
        return !regex_token_is_character(token) || check_class(in, token->start, end_of(token), token->options);
    case REGEX_TOKEN_PROPERTY:
        if (token->is_long && in->text[end_of(token) - 1] != '}') {
            return refuse(in, "malformed \\P or \\p sequence", in->count);
        }
        return check_class(in, token->start, end_of(token), token->options);
    case REGEX_TOKEN_VERB:
    case REGEX_TOKEN_UNCERTAIN:
        *is_done = true;
        return true;
    case REGEX_TOKEN_LITERAL:
    case REGEX_TOKEN_ANY:
    case REGEX_TOKEN_ASSERTION:
    case REGEX_TOKEN_REFERENCE:
    case REGEX_TOKEN_CALL:
    case REGEX_TOKEN_POSIX:
    case REGEX_TOKEN_CLASS_CLOSE:
    case REGEX_TOKEN_ALTERNATION:
    case REGEX_TOKEN_SETTINGS:
    case REGEX_TOKEN_QUOTE:
    case REGEX_TOKEN_BLANK:
        break;
    }
    return true;
}

bool assay_syntax_check(const uint8_t *text, size_t count, uint32_t options, assay_syntax_mistake *mistake)
{
    syntax_reader in = {.text = text, .count = count, .mistake = mistake};
    for (size_t at = 0, length; at < count; at += length) {
        length = assay_utf8_character(text + at, count - at);
        if (length == 0) return refuse(&in, "the pattern is not well-formed UTF-8", at);
    }
    assay_regex_tokens_begin(&in.tokens, text, count, options);
    bool is_valid = true;
    for (bool is_done = false; is_valid && !is_done;) {
        in.token = assay_regex_next_token(&in.tokens);
        is_valid = check_token(&in, &is_done);
    }
    free(in.names);
    return is_valid;
}
