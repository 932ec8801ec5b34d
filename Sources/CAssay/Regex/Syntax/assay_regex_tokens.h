/* The tokens of PCRE2's syntax (pcre2pattern), in the only reader of pattern text.
 *
 *     (?i)[a-z]{2,}+\Q.\E     SETTINGS  CLASS_OPEN LITERAL LITERAL LITERAL CLASS_CLOSE  QUANTIFIER  QUOTE LITERAL
 *                             QUOTE  END
 *
 * The reader knows quotations, comments, the option x, classes, escapes, groups and their options, verbs and
 * quantifiers. It does not check whether a pattern is valid. All readers of patterns use it: the parser, the features,
 * the costs of items, the reach of classes, and the check of regular expressions as values.
 *
 * Some texts have different meanings in different releases of PCRE2, or a meaning that only PCRE2 can determine, such
 * as `[[.` or `(?[`. The reader then returns UNCERTAIN once. From that offset on it *overlaps*: a token begins at each
 * byte, as if the byte were outside of any class, quotation and comment.
 *
 *     [[.(?>]      CLASS_OPEN UNCERTAIN | [  .  (?>  ?  >  ]     ATOMIC is found, whether or not it is a group
 *
 * A scan for a construct may therefore report one that does not exist, but never misses one. Settings are only added
 * while tokens overlap. */
#ifndef ASSAY_REGEX_TOKENS_H
#define ASSAY_REGEX_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum regex_token_kind {
    REGEX_TOKEN_END,
    REGEX_TOKEN_LITERAL,     /* a character that means itself, quoted or not */
    REGEX_TOKEN_ANY,         /* . */
    REGEX_TOKEN_ESCAPE,      /* an escape that is not one of the kinds below */
    REGEX_TOKEN_PROPERTY,    /* \p{…} \P{…} \pL */
    REGEX_TOKEN_ASSERTION,   /* ^ $ \A \z \Z \b \B \G [[:<:]] [[:>:]] */
    REGEX_TOKEN_REFERENCE,   /* \1 \g{1} \k<n> (?P=n) */
    REGEX_TOKEN_CALL,        /* (?1) (?R) (?&n) (?P>n) \g<1> */
    REGEX_TOKEN_CLASS_OPEN,  /* [ or [^ */
    REGEX_TOKEN_POSIX,       /* [:alpha:] in a class */
    REGEX_TOKEN_CLASS_CLOSE, /* ] */
    REGEX_TOKEN_GROUP,       /* the opening of a group */
    REGEX_TOKEN_CLOSE,       /* ) */
    REGEX_TOKEN_ALTERNATION, /* | */
    REGEX_TOKEN_QUANTIFIER,  /* * + ? {n} {n,} {n,m}, with the ? or + that directly follows */
    REGEX_TOKEN_VERB,        /* (*ACCEPT) (*:name), and (*atomic: which opens a group */
    REGEX_TOKEN_SETTINGS,    /* (?i) (?m-sx) */
    /* Tokens without a meaning of their own. */
    REGEX_TOKEN_QUOTE,   /* \Q or \E */
    REGEX_TOKEN_COMMENT, /* (?#…), and #… with the option x */
    REGEX_TOKEN_BLANK,   /* white space that the option x ignores, or xx in a class */
    REGEX_TOKEN_UNCERTAIN,
} regex_token_kind;

typedef enum regex_group_kind {
    REGEX_GROUP_CAPTURE,    /* ( */
    REGEX_GROUP_NAMED,      /* (?<name> (?'name' (?P<name> */
    REGEX_GROUP_PLAIN,      /* (?: and (?i: */
    REGEX_GROUP_ATOMIC,     /* (?> */
    REGEX_GROUP_RESET,      /* (?| */
    REGEX_GROUP_LOOKAHEAD,  /* (?= (?! (?* */
    REGEX_GROUP_LOOKBEHIND, /* (?<= (?<! (?<* */
    REGEX_GROUP_CONDITION,  /* (?(1) (?(<name>) (?(R) (?(DEFINE), or (? before an assertion */
} regex_group_kind;

/* Bits of options in addition to ASSAY_PATTERN_…, for settings without such a bit. */
enum {
    REGEX_OPTION_EXTENDED_MORE = 1 << 24,   /* xx */
    REGEX_OPTION_DUPLICATE_NAMES = 1 << 25, /* J */
    REGEX_OPTION_UNGREEDY = 1 << 26,        /* U */
    REGEX_OPTION_OTHER = 1 << 27,           /* all others, and ^ */
    REGEX_OPTION_GREEDY = 1 << 28,          /* not a setting: the parser reads possessive repeats as greedy ones */
};

static const uint32_t regex_token_unbounded = UINT32_MAX;
static const uint32_t regex_token_no_character = UINT32_MAX;

typedef struct regex_token {
    regex_token_kind kind : 8;
    regex_group_kind group : 8;
    /* The character that distinguishes tokens of one kind: d of \d, ! of (?!, ? of a lazy quantifier, or 0. */
    uint8_t letter;
    bool in_class;
    bool is_quoted;
    bool is_plain; /* of settings: only i, m, s and x; of a quantifier or an escape: in a form that all releases know */
    bool is_long;  /* of \x, \o, \N and \p: written with braces */
    /* The character of a literal or an escape, or regex_token_no_character; the number of the group of a reference or a
       call, UINT32_MAX if it has a name or is relative; the minimum of a quantifier; the options that settings name. */
    uint32_t value;
    size_t start;
    size_t length;
    uint32_t maximum;      /* of a quantifier, or regex_token_unbounded */
    uint32_t plain_length; /* of a quantifier: the length of the form that all releases read as a quantifier */
    uint32_t options;      /* those in force at the token; of settings and groups: within it */
} regex_token;

/* PCRE2 allows 250 nested groups. */
enum { regex_token_depth_max = 256 };

/* The state of a reader. Start with assay_regex_tokens_begin(). */
typedef struct regex_tokens {
    const uint8_t *text;
    size_t count;
    size_t at;
    uint32_t options;
    uint32_t depth;
    size_t class_start;
    bool in_class;
    bool is_quoted;
    bool overlaps;
    uint8_t special_outside; /* bits of assay_regex_special for a place outside of classes and quotations */
    uint32_t outer_options[regex_token_depth_max]; /* by depth: the options to return to at the end of the group */
} regex_tokens;

/* Prepares for reading `text`, which is borrowed. `options`: ASSAY_PATTERN_…. */
void assay_regex_tokens_begin(regex_tokens *tokens, const uint8_t *text, size_t count, uint32_t options);

/* Bits of assay_regex_special, which has the ASCII bytes that are more than a literal in the places named. */
enum {
    REGEX_SPECIAL_OUTSIDE = 1,
    REGEX_SPECIAL_IN_CLASS = 2,
    REGEX_SPECIAL_EXTENDED = 4, /* outside of classes, with the option x */
    REGEX_SPECIAL_QUOTED = 8,
};
extern const uint8_t assay_regex_special[0x80];

/* The part of assay_regex_next_token() for all tokens but ASCII literals. */
void assay_regex_read_special(regex_tokens *tokens, regex_token *token);

/* Whether the next token is an ASCII literal. Its text is one byte, which is also its value. */
static inline bool regex_tokens_at_literal(const regex_tokens *tokens)
{
    if (tokens->at == tokens->count || tokens->text[tokens->at] >= 0x80 || tokens->overlaps) return false;
    const unsigned here = tokens->is_quoted  ? REGEX_SPECIAL_QUOTED
                          : tokens->in_class ? REGEX_SPECIAL_IN_CLASS
                                             : tokens->special_outside;
    return (assay_regex_special[tokens->text[tokens->at]] & here) == 0;
}

/* Reads the next token. After the last one, it returns END repeatedly. All tokens of a text take O(count). */
static inline regex_token assay_regex_next_token(regex_tokens *tokens)
{
    regex_token token = {
        .kind = REGEX_TOKEN_LITERAL,
        .in_class = tokens->in_class,
        .is_quoted = tokens->is_quoted,
        .start = tokens->at,
        .length = 1,
        .options = tokens->options,
    };
    if (regex_tokens_at_literal(tokens)) {
        token.value = tokens->text[tokens->at++];
    } else {
        assay_regex_read_special(tokens, &token);
    }
    return token;
}

/* Whether a token has no meaning of its own: a quotation mark, a comment or a blank. */
static inline bool regex_token_is_ignored(const regex_token *token)
{
    return token->kind >= REGEX_TOKEN_QUOTE && token->kind <= REGEX_TOKEN_BLANK;
}

/* Whether a token is one character, literal or escaped. */
static inline bool regex_token_is_character(const regex_token *token)
{
    return (token->kind == REGEX_TOKEN_LITERAL || token->kind == REGEX_TOKEN_ESCAPE) &&
           token->value != regex_token_no_character;
}

#endif
