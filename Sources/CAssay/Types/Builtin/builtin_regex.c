/* Patterns that this library supports.

       [a-z]+(?<n>\d)     is simple      ──►  passes
       (?<=a|bc)d{2,}     is not simple  ──►  passes if PCRE2 compiles it

   Compiling takes a microsecond or more, so simple patterns are recognized first. They must be a subset of the patterns
   that PCRE2 accepts; test_builtin.c compiles all that pass. */
#include "Patterns/assay_dfa_only.h"
#include "Types/Builtin/builtin_tests.h"

#include "Patterns/assay_pattern_features.h"
#include "Patterns/assay_scratch.h"
#include "Regex/Syntax/assay_regex_tokens.h"

/* Limits of simple patterns, far below the limits of PCRE2 on compiled size (a class of two letters takes 33 bytes) and
   nesting. */
enum { REGEX_FOLDED_MAX = 0x20000 };

enum { simple_count = 500, simple_depth = 50, simple_repeat = 200, simple_name = 20 };

static bool is_word(uint32_t character)
{
    return character < 0x80 && (is_letter((uint8_t)character) || is_digit((uint8_t)character));
}

/* Whether a character is printable ASCII, but not a letter or a digit. */
static bool is_sign(uint32_t character) { return character >= ' ' && character < 0x7F && !is_word(character); }

/* Whether an escape is a class such as \d, or a literal sign. */
static bool is_simple_escape(const regex_token *token)
{
    if (token->kind != REGEX_TOKEN_ESCAPE || token->length != 2) return false;
    return is_letter(token->letter) ? is_one_of(token->letter, "dDwWsStnr") : is_sign(token->letter);
}

/* The items of a class read so far. */
typedef struct simple_class {
    size_t start;   /* the place of the first item, which must not begin with : . or = */
    uint32_t first; /* the latest character, which may begin a range, or 0 */
    bool has_hyphen;
    bool is_closed; /* after an escape or a range, which a hyphen must not follow: \d-z is an error, \.-z a range */
} simple_class;

/* Whether a character may continue a class of letters, digits, ranges, and other signs. */
static bool continues_class(simple_class *items, uint32_t character, bool is_start)
{
    const uint32_t first = items->first;
    if (items->has_hyphen) {
        items->has_hyphen = false;
        items->is_closed = true;
        items->first = 0;
        return is_word(first) && is_word(character) && first <= character;
    }
    if (character == '-') {
        items->has_hyphen = true;
        return !items->is_closed;
    }
    items->first = character;
    items->is_closed = false;
    if (is_word(character)) return true;
    if (is_start && (character == ':' || character == '.' || character == '='))
        return false; /* a POSIX class, or half of one */
    return is_sign(character) && character != '[' && character != ']';
}

/* Whether an escape may continue a class. */
static bool escape_continues_class(simple_class *items, const regex_token *token)
{
    if (items->has_hyphen) return false;
    items->is_closed = true;
    items->first = 0;
    return is_simple_escape(token);
}

/* Whether a group is plain without options, captures, or has the only name of the pattern. A second name might be a
   duplicate. */
static bool is_simple_group(const uint8_t *text, const regex_token *token, bool *has_name)
{
    if (token->group == REGEX_GROUP_CAPTURE) return true;
    if (token->group == REGEX_GROUP_PLAIN) return token->length == strlen("(?:");
    if (token->group != REGEX_GROUP_NAMED || text[token->start + 2] != '<' || *has_name) return false;
    *has_name = true;
    const uint8_t *name = text + token->start + strlen("(?<");
    const size_t length = token->length - strlen("(?<>");
    if (length == 0 || length > simple_name || !is_letter(name[0])) return false;
    for (size_t i = 1; i < length; i++) {
        if (!is_word(name[i])) return false;
    }
    return true;
}

/* Whether a quantifier has few repetitions. A group must not have a counted one, because PCRE2 copies the group. */
static bool is_simple_quantifier(const uint8_t *text, const regex_token *token, bool is_of_group)
{
    if (text[token->start] != '{') return true;
    if (is_of_group || !token->is_plain || token->value > simple_repeat) return false;
    return token->maximum == regex_token_unbounded ||
           (token->maximum <= simple_repeat && token->value <= token->maximum);
}

static bool is_simple(const uint8_t *value, size_t count, uint32_t options)
{
    if (count > simple_count) return false;
    regex_tokens tokens;
    simple_class items = {.start = 0};
    bool has_name = false;
    unsigned depth = 0;
    regex_token_kind item = REGEX_TOKEN_END; /* the latest token, if a quantifier may follow it */
    assay_regex_tokens_begin(&tokens, value, count, options);
    for (;;) {
        if (regex_tokens_at_literal(&tokens)) {
            const size_t start = tokens.at++;
            const uint8_t byte = value[start];
            const bool is_allowed =
                tokens.in_class ? continues_class(&items, byte, start == items.start) : byte >= ' ' && byte != 0x7F;
            if (!is_allowed) return false;
            item = REGEX_TOKEN_LITERAL;
            continue;
        }
        const regex_token token = assay_regex_next_token(&tokens);
        const regex_token_kind previous = item;
        item = token.kind;
        if (token.in_class && token.kind != REGEX_TOKEN_CLASS_CLOSE) {
            const bool is_allowed = token.kind == REGEX_TOKEN_LITERAL ? continues_class(&items, token.value, false)
                                                                      : escape_continues_class(&items, &token);
            if (!is_allowed) return false;
            continue;
        }
        switch (token.kind) {
        case REGEX_TOKEN_END:
            return depth == 0;
        case REGEX_TOKEN_LITERAL:
            if (token.value < 0x80) return false; /* { */
            break;
        case REGEX_TOKEN_ESCAPE:
            if (!is_simple_escape(&token)) return false;
            break;
        case REGEX_TOKEN_CLASS_OPEN:
            items = (simple_class){.start = token.letter == '^' ? 0 : token.start + 1};
            break;
        case REGEX_TOKEN_ANY:
        case REGEX_TOKEN_CLASS_CLOSE:
            break;
        case REGEX_TOKEN_CLOSE:
            if (depth-- == 0) return false;
            break;
        case REGEX_TOKEN_GROUP:
            if (++depth > simple_depth || !is_simple_group(value, &token, &has_name)) return false;
            item = REGEX_TOKEN_END;
            break;
        case REGEX_TOKEN_ASSERTION:
            if (token.letter != '^' && token.letter != '$') return false;
            item = REGEX_TOKEN_END;
            break;
        case REGEX_TOKEN_ALTERNATION:
            item = REGEX_TOKEN_END;
            break;
        case REGEX_TOKEN_QUANTIFIER:
            if (previous == REGEX_TOKEN_END) return false;
            if (!is_simple_quantifier(value, &token, previous == REGEX_TOKEN_CLOSE)) return false;
            item = REGEX_TOKEN_END;
            break;
        case REGEX_TOKEN_PROPERTY:
        case REGEX_TOKEN_REFERENCE:
        case REGEX_TOKEN_CALL:
        case REGEX_TOKEN_POSIX:
        case REGEX_TOKEN_VERB:
        case REGEX_TOKEN_SETTINGS:
        case REGEX_TOKEN_QUOTE:
        case REGEX_TOKEN_COMMENT:
        case REGEX_TOKEN_BLANK:
        case REGEX_TOKEN_UNCERTAIN:
            return false;
        }
    }
}

assay_verdict builtin_regex_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    if (is_simple(value, count, type->pattern_options)) return ASSAY_PASS;
    /* Limit the compile time to about a millisecond per value, because a column may have millions of values. PCRE2
       folds each character of a case-insensitive range: a value of 20 bytes with a range of all characters takes about
       eight milliseconds. */
    size_t range = 0;
    if (assay_pattern_folds_too_much(value, count, type->pattern_options, REGEX_FOLDED_MAX, &range)) {
        assay_scratch_set_engine_code(scratch, 0);
        return ASSAY_UNDECIDED;
    }
    assay_error error;
    /* Compile without JIT and DFA, because the pattern is never run. If that fails, compile with JIT, because the
       interpreter refuses patterns that only JIT code handles correctly. The options of this check itself do not
       matter. */
    uint32_t options =
        (type->pattern_options & ~(uint32_t)(ASSAY_PATTERN_NO_JIT | ASSAY_PATTERN_BUILT_IN)) | ASSAY_PATTERN_NO_DFA;
    assay_pattern *pattern = assay_pattern_create(value, count, options | ASSAY_PATTERN_NO_JIT, 0, &error);
    if (pattern == NULL && error.status != ASSAY_NO_MEMORY) {
        pattern = assay_pattern_create(value, count, options, 0, &error);
    }
    if (pattern == NULL && error.status != ASSAY_NO_MEMORY) return ASSAY_FAIL;
    if (pattern == NULL) {
        assay_scratch_set_engine_code(scratch, 0);
        return ASSAY_UNDECIDED;
    }
    assay_pattern_free(pattern);
    return ASSAY_PASS;
}
