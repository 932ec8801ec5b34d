#include "Patterns/assay_pattern_recursion.h"

#include "Regex/Syntax/assay_regex_tokens.h"

/* Whether a character precedes a place for certain: since the start of the innermost capturing group, and since that of
   the pattern. Only capturing groups and the whole pattern can be called. */
typedef struct guard {
    bool in_group;
    bool in_pattern;
} guard;

typedef struct open_group {
    guard start;     /* at the start of each alternative */
    guard outside;   /* at the start of the group, as the tokens after it see it */
    bool is_certain; /* all alternatives so far read a character */
    bool is_capture;
    bool looks; /* an assertion or a condition: its characters are not those of a match */
    bool looks_back;
} open_group;

typedef struct recursion_scan {
    open_group open[regex_token_depth_max];
    size_t depth;
    guard now;
    bool is_pending;      /* the latest item reads a character unless a quantifier follows that allows none */
    bool is_unsure;       /* the tokens are uncertain, or the nesting is too deep */
    bool in_capture;      /* a call in a capturing group without a guard */
    bool in_base;         /* such a call outside all groups */
    bool of_pattern;      /* a call of the whole pattern without a guard */
    bool has_full;        /* a call of the whole pattern */
    unsigned captures;    /* open capturing groups */
    unsigned lookbehinds; /* open ones */
} recursion_scan;

static void open(recursion_scan *scan, const regex_token *token)
{
    if (scan->depth == regex_token_depth_max) {
        scan->is_unsure = true;
        return;
    }
    const bool is_capture = token->group == REGEX_GROUP_CAPTURE || token->group == REGEX_GROUP_NAMED;
    open_group *group = &scan->open[scan->depth++];
    *group = (open_group){.start = scan->now, .outside = scan->now, .is_certain = true};
    group->looks = token->group == REGEX_GROUP_LOOKAHEAD || token->group == REGEX_GROUP_LOOKBEHIND ||
                   token->group == REGEX_GROUP_CONDITION;
    group->is_capture = is_capture;
    group->looks_back = token->group == REGEX_GROUP_LOOKBEHIND;
    if (is_capture) group->start.in_group = false;
    scan->captures += is_capture;
    scan->lookbehinds += group->looks_back;
    scan->now = group->start;
}

/* Ends an alternative: whether it has read a character since the start of its group. */
static void end_alternative(recursion_scan *scan, open_group *group)
{
    const bool reads =
        (scan->now.in_group && !group->start.in_group) || (scan->now.in_pattern && !group->start.in_pattern);
    group->is_certain &= reads;
    scan->now = group->start;
}

static void read_token(recursion_scan *scan, const regex_token *token)
{
    open_group *innermost = scan->depth > 0 ? &scan->open[scan->depth - 1] : NULL;
    switch (token->kind) {
    case REGEX_TOKEN_GROUP:
        open(scan, token);
        break;
    case REGEX_TOKEN_CLOSE:
        if (innermost == NULL) break;
        end_alternative(scan, innermost);
        scan->now = innermost->outside;
        scan->is_pending = innermost->is_certain && !innermost->looks;
        scan->captures -= innermost->is_capture;
        scan->lookbehinds -= innermost->looks_back;
        scan->depth--;
        break;
    case REGEX_TOKEN_ALTERNATION:
        if (innermost == NULL) {
            scan->now = (guard){false, false};
        } else {
            end_alternative(scan, innermost);
        }
        break;
    case REGEX_TOKEN_CALL:
        scan->is_unsure |= scan->lookbehinds > 0;
        scan->has_full |= token->value == 0;
        if (token->value == 0) {
            scan->of_pattern |= !scan->now.in_pattern;
        } else if (!scan->now.in_group) {
            scan->in_capture |= scan->captures > 0;
            scan->in_base |= scan->captures == 0;
        }
        break;
    case REGEX_TOKEN_ESCAPE:
        scan->is_pending = token->letter != 'K';
        break;
    case REGEX_TOKEN_LITERAL:
    case REGEX_TOKEN_ANY:
    case REGEX_TOKEN_PROPERTY:
    case REGEX_TOKEN_CLASS_CLOSE:
        scan->is_pending = true;
        break;
    case REGEX_TOKEN_UNCERTAIN:
        scan->is_unsure = true;
        break;
    case REGEX_TOKEN_VERB: /* in small letters, it opens a group */
        scan->is_unsure |= token->letter >= 'a' && token->letter <= 'z';
        break;
    case REGEX_TOKEN_END:
    case REGEX_TOKEN_CLASS_OPEN:
    case REGEX_TOKEN_POSIX:
    case REGEX_TOKEN_ASSERTION:
    case REGEX_TOKEN_QUANTIFIER:
    case REGEX_TOKEN_REFERENCE:
    case REGEX_TOKEN_SETTINGS:
    case REGEX_TOKEN_QUOTE:
    case REGEX_TOKEN_COMMENT:
    case REGEX_TOKEN_BLANK:
        break;
    }
}

bool assay_pattern_may_recurse_left(const uint8_t *text, size_t count, uint32_t options)
{
    recursion_scan scan = {.depth = 0};
    regex_tokens tokens;
    assay_regex_tokens_begin(&tokens, text, count, options);
    for (;;) {
        const regex_token token = assay_regex_next_token(&tokens);
        if (token.kind == REGEX_TOKEN_END) break;
        if (regex_token_is_ignored(&token) || (token.in_class && token.kind != REGEX_TOKEN_CLASS_CLOSE)) continue;
        if (scan.is_pending && (token.kind != REGEX_TOKEN_QUANTIFIER || token.value > 0)) {
            scan.now = (guard){true, true};
        }
        scan.is_pending = false;
        read_token(&scan, &token);
    }
    return scan.is_unsure || scan.in_capture || scan.of_pattern || (scan.in_base && scan.has_full);
}
