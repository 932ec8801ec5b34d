/* Scans the tokens of patterns: see assay_pattern_features.h for the errors that a scan may make. */
#include "Patterns/assay_pattern_features.h"

#include "Patterns/assay_pattern_reach.h"

#include "Bytes/assay_ascii.h"
#include "Regex/Syntax/assay_regex_tokens.h"
#include "assay/core.h"

#include <string.h>

enum { all_characters = 0x110000 };

static bool ends_with(const uint8_t *text, const regex_token *token, const char *end)
{
    const size_t length = strlen(end);
    return token->length >= length && memcmp(text + token->start + token->length - length, end, length) == 0;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Features
 * ------------------------------------------------------------------------------------------------------------- */

/* The state of a scan for features. Tokens that are ignored do not count as tokens here. */
typedef struct feature_scan {
    assay_pattern_features features;
    const uint8_t *text;
    bool overlaps;
    bool begins_alternative; /* no token yet in this alternative */
    bool after_quantifier;   /* the latest token is a quantifier; while tokens overlap, an earlier one is */
    bool after_end_anchor;
    bool possessive;
    bool open_count; /* {n,} */
    bool captures;
    bool resets;              /* (?| */
    bool recursion_condition; /* (?(R), which asks about recursion unless a group has the name R */
    bool named_r;
} feature_scan;

static void scan_group(feature_scan *scan, const regex_token *token)
{
    assay_pattern_features *features = &scan->features;
    switch (token->group) {
    case REGEX_GROUP_NAMED:
        scan->named_r |= ends_with(scan->text, token, "<R>") || ends_with(scan->text, token, "'R'");
        scan->captures = true;
        break;
    case REGEX_GROUP_CAPTURE:
        scan->captures = true;
        break;
    case REGEX_GROUP_ATOMIC:
        features->atomic = true;
        break;
    case REGEX_GROUP_LOOKBEHIND:
        features->lookbehind = true;
        features->lookaround = true;
        break;
    case REGEX_GROUP_LOOKAHEAD:
        features->lookaround = true;
        break;
    case REGEX_GROUP_CONDITION:
        features->backreference |= token->letter == 'g';
        scan->recursion_condition |= token->letter == 'r';
        break;
    case REGEX_GROUP_PLAIN:
        features->duplicate_names |= (token->value & REGEX_OPTION_DUPLICATE_NAMES) != 0;
        break;
    case REGEX_GROUP_RESET:
        scan->resets = true;
        break;
    }
}

static void scan_assertion(feature_scan *scan, const regex_token *token)
{
    if (is_one_of(token->letter, "$zZ")) {
        scan->after_end_anchor = true;
    } else if (token->letter != '^' || !scan->begins_alternative) {
        scan->features.inner_assertion = true;
    }
}

static void scan_quantifier(feature_scan *scan, const regex_token *token)
{
    const uint8_t first = scan->text[token->start];
    scan->possessive |= token->letter == '+' || (first == '+' && scan->after_quantifier);
    scan->open_count |= first == '{' && token->maximum == regex_token_unbounded;
}

static void scan_token(feature_scan *scan, const regex_token *token)
{
    assay_pattern_features *features = &scan->features;
    switch (token->kind) {
    case REGEX_TOKEN_VERB:
        features->verbs = true;
        features->backtracking_verbs |= token->letter < 'a' || token->letter > 'z';
        features->lookbehind |= token->group == REGEX_GROUP_LOOKBEHIND;
        break;
    case REGEX_TOKEN_GROUP:
        scan_group(scan, token);
        break;
    case REGEX_TOKEN_SETTINGS:
        features->duplicate_names |= (token->value & REGEX_OPTION_DUPLICATE_NAMES) != 0;
        break;
    case REGEX_TOKEN_REFERENCE:
        features->backreference = true;
        features->named_backreference |= !is_digit(token->letter);
        break;
    case REGEX_TOKEN_CALL:
        features->subroutine_call = true;
        features->full_recursion |= token->value == 0;
        break;
    case REGEX_TOKEN_PROPERTY:
        features->property = true;
        break;
    case REGEX_TOKEN_ESCAPE:
        features->property |= is_one_of(token->letter, "hHvVRNX");
        features->keep |= token->letter == 'K';
        break;
    case REGEX_TOKEN_POSIX:
        features->visible_posix |= ends_with(scan->text, token, "print:]") || ends_with(scan->text, token, "graph:]") ||
                                   ends_with(scan->text, token, "punct:]");
        break;
    case REGEX_TOKEN_ASSERTION:
        scan_assertion(scan, token);
        break;
    case REGEX_TOKEN_QUANTIFIER:
        scan_quantifier(scan, token);
        break;
    case REGEX_TOKEN_UNCERTAIN:
        scan->overlaps = true;
        break;
    case REGEX_TOKEN_END:
    case REGEX_TOKEN_LITERAL:
    case REGEX_TOKEN_ANY:
    case REGEX_TOKEN_CLASS_OPEN:
    case REGEX_TOKEN_CLASS_CLOSE:
    case REGEX_TOKEN_CLOSE:
    case REGEX_TOKEN_ALTERNATION:
    case REGEX_TOKEN_QUOTE:
    case REGEX_TOKEN_COMMENT:
    case REGEX_TOKEN_BLANK:
        break;
    }
}

assay_pattern_features assay_pattern_scan(const uint8_t *text, size_t count, uint32_t options)
{
    feature_scan scan = {.text = text, .begins_alternative = true};
    regex_tokens tokens;
    assay_regex_tokens_begin(&tokens, text, count, options);
    for (;;) {
        const regex_token token = assay_regex_next_token(&tokens);
        if (token.kind == REGEX_TOKEN_END) break;
        if (regex_token_is_ignored(&token)) continue;
        const bool ends_alternative = token.kind == REGEX_TOKEN_CLOSE || token.kind == REGEX_TOKEN_ALTERNATION;
        scan.features.early_end_anchor |= scan.after_end_anchor && !ends_alternative;
        scan.after_end_anchor = false;
        scan_token(&scan, &token);
        if (token.kind != REGEX_TOKEN_SETTINGS) {
            scan.begins_alternative = token.kind == REGEX_TOKEN_GROUP || token.kind == REGEX_TOKEN_ALTERNATION;
        }
        scan.after_quantifier = token.kind == REGEX_TOKEN_QUANTIFIER || (scan.overlaps && scan.after_quantifier);
    }
    scan.features.atomic |= scan.features.verbs || scan.possessive;
    scan.features.backreference |= scan.recursion_condition && scan.named_r;
    scan.features.counted_possessive = scan.possessive && scan.open_count && scan.captures;
    scan.features.reset_possessive = scan.possessive && scan.resets;
    return scan.features;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Work that JIT does not count
 *
 * JIT's match limit counts backtracking points. A greedy single-character repeat before a literal, such as `.*x`, is
 * searched from its end for the literal; if there is none, the whole value was examined without a count.
 * ------------------------------------------------------------------------------------------------------------- */

/* The ASCII characters that an item may match, one bit each. If the set is not obvious, it has more characters. */
typedef struct ascii_set {
    uint64_t bits[2];
} ascii_set;

static const ascii_set every_ascii = {{UINT64_MAX, UINT64_MAX}};

static void add_ascii(ascii_set *set, uint32_t first, uint32_t last)
{
    for (uint32_t character = first; character <= last && character < 0x80; character++) {
        set->bits[character / 64] |= UINT64_C(1) << character % 64;
    }
}

static bool has_ascii(const ascii_set *set, uint32_t character)
{
    return (set->bits[character / 64] >> character % 64 & 1) != 0;
}

/* A counted repeat below this examines few characters. */
enum { short_repeat = 16 };

/* The state of a scan for work. */
typedef struct work_scan {
    assay_work_features features;
    const uint8_t *text;
    regex_token_kind latest; /* of the tokens that are not ignored */
    /* The characters that the latest item may match. Empty for a group, because JIT looks only for characters. */
    ascii_set item;
    bool after_greedy; /* a greedy quantifier of many is the latest token */
    bool overlaps;
    bool has_group;  /* the end of a group has been read */
    bool has_braces; /* a quantifier in braces has been read */
    size_t class_start;
    uint32_t range_start; /* in a class, the character that a hyphen may make the start of a range, or no character */
    bool has_hyphen;      /* and the hyphen after it */
    uint64_t uncounted;
    uint32_t lookbehinds;
    uint64_t counted; /* tokens of is_counted */
    assay_reach reach;
    uint32_t copies; /* product over all counted groups, nested or not; saturates */
} work_scan;

static bool is_folded(const regex_token *token) { return (token->options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0; }

/* Whether the latest item may match the character of a token. */
static bool may_match(const work_scan *scan, const regex_token *token)
{
    const uint32_t character = token->value;
    if (character >= 0x80 || has_ascii(&scan->item, character)) return true;
    return is_folded(token) && is_letter((uint8_t)character) && has_ascii(&scan->item, character ^ 0x20);
}

/* Whether JIT looks for the character of `token` after a greedy repeat of the latest item. */
static bool is_looked_for(const work_scan *scan, const regex_token *token)
{
    if (scan->overlaps) return true;
    switch (token->kind) {
    case REGEX_TOKEN_ESCAPE:
        if (token->value == regex_token_no_character) return !is_one_of(token->letter, "dDwWsShHvVRNX");
        return may_match(scan, token);
    case REGEX_TOKEN_LITERAL:
        return may_match(scan, token);
    case REGEX_TOKEN_GROUP:
        return token->group != REGEX_GROUP_CAPTURE && (token->group != REGEX_GROUP_PLAIN || token->value != 0);
    case REGEX_TOKEN_VERB:
        return token->letter >= 'a' && token->letter <= 'z';
    case REGEX_TOKEN_REFERENCE:
    case REGEX_TOKEN_CALL:
    case REGEX_TOKEN_UNCERTAIN:
        return true;
    case REGEX_TOKEN_END:
    case REGEX_TOKEN_ANY:
    case REGEX_TOKEN_PROPERTY:
    case REGEX_TOKEN_ASSERTION:
    case REGEX_TOKEN_CLASS_OPEN:
    case REGEX_TOKEN_POSIX:
    case REGEX_TOKEN_CLASS_CLOSE:
    case REGEX_TOKEN_CLOSE:
    case REGEX_TOKEN_ALTERNATION:
    case REGEX_TOKEN_QUANTIFIER:
    case REGEX_TOKEN_SETTINGS:
    case REGEX_TOKEN_QUOTE:
    case REGEX_TOKEN_COMMENT:
    case REGEX_TOKEN_BLANK:
        break;
    }
    return false;
}

/* Adds a token of a class to the item. */
static void add_to_class(work_scan *scan, const regex_token *token)
{
    if (token->kind != REGEX_TOKEN_LITERAL || token->is_quoted) {
        scan->item = every_ascii; /* an escape, a class in the class, or a quotation */
    } else if (scan->has_hyphen) {
        add_ascii(&scan->item, scan->range_start, token->value);
        scan->has_hyphen = false;
        scan->range_start = regex_token_no_character;
    } else if (token->value == '-' && scan->range_start != regex_token_no_character) {
        scan->has_hyphen = true;
    } else {
        add_ascii(&scan->item, token->value, token->value);
        scan->range_start = token->value;
    }
}

static void begin_class(work_scan *scan, const regex_token *token)
{
    scan->class_start = token->start;
    scan->range_start = regex_token_no_character;
    scan->has_hyphen = false;
    scan->item = token->letter == '^' || is_folded(token) ? every_ascii : (ascii_set){{0, 0}};
}

static void end_class(work_scan *scan, const regex_token *token)
{
    const size_t length = token->start + token->length - scan->class_start;
    if (length > scan->features.longest_class) scan->features.longest_class = length;
    if (scan->has_hyphen) add_ascii(&scan->item, '-', '-');
}

static void count_quantifier(work_scan *scan, const regex_token *token)
{
    const bool is_unbounded = token->maximum == regex_token_unbounded;
    const uint32_t max = is_unbounded || token->maximum < token->value ? token->value : token->maximum;
    const bool is_of_group = scan->latest == REGEX_TOKEN_CLOSE;
    scan->features.group_loop |= is_unbounded && (is_of_group || (scan->overlaps && scan->has_group));
    if (scan->text[token->start] == '{') {
        scan->has_braces = true;
        scan->uncounted += token->value >= short_repeat; /* X{1000} may fail after 999 */
        const uint64_t copies = (uint64_t)scan->copies * (max + UINT64_C(1));
        if (is_of_group) scan->copies = copies < UINT16_MAX ? (uint32_t)copies : UINT16_MAX;
    }
    const bool is_greedy = token->letter == 0 || (token->options & REGEX_OPTION_UNGREEDY) != 0;
    scan->after_greedy = is_greedy && (is_unbounded || max >= short_repeat);
}

/* Counts a token that is in no class. */
static void count_token(work_scan *scan, const regex_token *token)
{
    switch (token->kind) {
    case REGEX_TOKEN_QUANTIFIER:
        count_quantifier(scan, token);
        return; /* the item stays the same */
    case REGEX_TOKEN_CLASS_OPEN:
        begin_class(scan, token);
        return;
    case REGEX_TOKEN_CLASS_CLOSE:
        end_class(scan, token);
        return;
    case REGEX_TOKEN_LITERAL:
        scan->item = (ascii_set){{0, 0}};
        add_ascii(&scan->item, token->value, token->value);
        if (is_folded(token) || token->value >= 0x80) scan->item = every_ascii;
        return;
    case REGEX_TOKEN_ESCAPE:
        scan->features.grapheme |= token->letter == 'X';
        scan->uncounted += token->letter == 'X'; /* matches more than one character */
        scan->item = every_ascii;
        if (token->letter == 'd') {
            scan->item = (ascii_set){{0, 0}};
            add_ascii(&scan->item, '0', '9');
        }
        return;
    case REGEX_TOKEN_REFERENCE:
        scan->uncounted++;
        scan->item = every_ascii;
        return;
    case REGEX_TOKEN_ANY:
    case REGEX_TOKEN_PROPERTY:
    case REGEX_TOKEN_POSIX:
        scan->item = every_ascii;
        return;
    case REGEX_TOKEN_GROUP:
    case REGEX_TOKEN_VERB:
        scan->lookbehinds += token->group == REGEX_GROUP_LOOKBEHIND;
        break;
    case REGEX_TOKEN_CALL:
        scan->features.group_loop = true;
        break;
    case REGEX_TOKEN_CLOSE:
        scan->has_group = true;
        break;
    case REGEX_TOKEN_UNCERTAIN:
        scan->overlaps = true;
        break;
    case REGEX_TOKEN_END:
    case REGEX_TOKEN_ASSERTION:
    case REGEX_TOKEN_ALTERNATION:
    case REGEX_TOKEN_SETTINGS:
    case REGEX_TOKEN_QUOTE:
    case REGEX_TOKEN_COMMENT:
    case REGEX_TOKEN_BLANK:
        break;
    }
    scan->item = (ascii_set){{0, 0}};
}

/* Whether JIT may count towards the match limit at an item that begins or ends with a token: a repeat, a group, a back
 * reference or a call. */
static bool is_counted(const regex_token *token)
{
    return token->kind == REGEX_TOKEN_QUANTIFIER || token->kind == REGEX_TOKEN_GROUP ||
           token->kind == REGEX_TOKEN_REFERENCE || token->kind == REGEX_TOKEN_CALL || token->kind == REGEX_TOKEN_VERB;
}

assay_work_features assay_pattern_scan_work(const uint8_t *text, size_t count, uint32_t options)
{
    work_scan scan = {.text = text, .copies = 1};
    const bool is_search = (options & ASSAY_PATTERN_SEARCH) != 0;
    regex_tokens tokens;
    assay_regex_tokens_begin(&tokens, text, count, options);
    for (;;) {
        const regex_token token = assay_regex_next_token(&tokens);
        scan.features.caseless |= is_folded(&token);
        if (token.kind == REGEX_TOKEN_END) {
            assay_reach_add(&scan.reach, &token, is_search);
            break;
        }
        if (token.in_class && token.kind != REGEX_TOKEN_CLASS_CLOSE && token.kind != REGEX_TOKEN_UNCERTAIN) {
            add_to_class(&scan, &token);
            continue;
        }
        /* Settings separate two items in the text, but not in the code. */
        if (regex_token_is_ignored(&token) || token.kind == REGEX_TOKEN_SETTINGS) continue;
        scan.uncounted += scan.after_greedy && is_looked_for(&scan, &token);
        scan.counted += is_counted(&token);
        assay_reach_add(&scan.reach, &token, is_search);
        scan.features.alternatives += token.kind == REGEX_TOKEN_ALTERNATION;
        scan.after_greedy = false;
        count_token(&scan, &token);
        scan.latest = token.kind;
    }
    if (scan.has_braces) scan.uncounted += scan.lookbehinds; /* which may move back far */
    const uint64_t uncounted = scan.uncounted * scan.copies;
    scan.features.uncounted = uncounted < UINT32_MAX ? (uint32_t)uncounted : UINT32_MAX;
    /* X{2,5} is two items: X{2} and X{0,3}. */
    const uint64_t counted = 2 * (scan.overlaps ? (uint64_t)count : scan.counted) * scan.copies;
    scan.features.counted = counted < UINT32_MAX ? (uint32_t)counted : UINT32_MAX;
    scan.features.reach = assay_reach_of(&scan.reach);
    if (scan.overlaps) scan.features.longest_class = count;
    return scan.features;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Folded ranges
 * ------------------------------------------------------------------------------------------------------------- */

/* The state of a scan for ranges: a character, and after it a hyphen. */
typedef struct range_scan {
    uint32_t first; /* or no character */
    size_t first_start;
    bool has_hyphen;
    bool overlaps;
    size_t ignored_end; /* while tokens overlap: tokens that begin before it are parts of an ignored one */
    uint64_t span;
} range_scan;

/* Counts the characters of the range that ends with `token`, and returns whether a range ends there. While tokens
 * overlap, its start is uncertain, so all characters before the end count. */
static bool end_range(range_scan *scan, const regex_token *token)
{
    if (!scan->has_hyphen || token->value == regex_token_no_character) return false;
    const uint32_t last = token->value < all_characters ? token->value : all_characters;
    const uint32_t first = scan->overlaps ? 0 : scan->first;
    scan->has_hyphen = false;
    scan->first = regex_token_no_character;
    if (last <= first || (token->options & ASSAY_PATTERN_CASE_INSENSITIVE) == 0) return false;
    scan->span += last - first;
    return true;
}

/* Reads a token in a class, or one that overlaps. Returns whether a range ends with it. */
static bool scan_range(range_scan *scan, const regex_token *token)
{
    if (token->kind == REGEX_TOKEN_QUOTE) scan->ignored_end = token->start + token->length;
    const bool is_part = scan->overlaps && token->start < scan->ignored_end;
    const bool may_be_blank = scan->overlaps && is_one_of((uint8_t)token->value, " \t");
    if (regex_token_is_ignored(token) || is_part || (may_be_blank && scan->has_hyphen)) return false;
    if (!regex_token_is_character(token)) {
        scan->has_hyphen = false;
        scan->first = regex_token_no_character;
        return false;
    }
    if (scan->has_hyphen) return end_range(scan, token);
    const bool is_hyphen = token->kind == REGEX_TOKEN_LITERAL && token->value == '-';
    if (is_hyphen && (scan->overlaps || scan->first != regex_token_no_character)) {
        scan->has_hyphen = true;
    } else {
        scan->first = token->value;
        scan->first_start = token->start;
    }
    return false;
}

uint64_t assay_pattern_folded_span(const uint8_t *text, size_t count, uint32_t options, uint64_t max, size_t *offset)
{
    range_scan scan = {.first = regex_token_no_character};
    regex_tokens tokens;
    assay_regex_tokens_begin(&tokens, text, count, options);
    for (;;) {
        const regex_token token = assay_regex_next_token(&tokens);
        if (token.kind == REGEX_TOKEN_END) break;
        if (token.kind == REGEX_TOKEN_UNCERTAIN) scan.overlaps = true;
        if (!token.in_class && !scan.overlaps) continue;
        if (!scan_range(&scan, &token)) continue;
        *offset = scan.overlaps ? token.start : scan.first_start;
        if (scan.span > max) break;
    }
    return scan.span;
}

bool assay_pattern_folds_too_much(const uint8_t *text, size_t count, uint32_t options, uint64_t max, size_t *offset)
{
    return assay_pattern_folded_span(text, count, options, max, offset) > max;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Leading items
 * ------------------------------------------------------------------------------------------------------------- */

/* The items of pcre2pattern, "SPECIAL START-OF-PATTERN ITEMS", that change settings shared by all patterns.
 * NO_START_OPT, NO_AUTO_POSSESS and NO_DOTSTAR_ANCHOR are allowed, because they only disable optimizations. */
static const struct {
    const char *name;
    const char *advice;
} refused_starts[] = {
    {"UTF", "patterns and values are always UTF-8"},
    {"UCP", "use the option for Unicode classes"},
    {"CRLF", "the newline is always LF; write \\R or (?:\\r\\n) where another is meant"},
    {"CR", "the newline is always LF; write \\R or \\r where another is meant"},
    {"LF", "the newline is always LF"},
    {"ANYCRLF", "the newline is always LF; write \\R where another is meant"},
    {"ANY", "the newline is always LF; write \\R where another is meant"},
    {"NUL", "the newline is always LF; write \\x00 where NUL is meant"},
    {"BSR_ANYCRLF", "\\R is always any Unicode newline; write (?>\\r\\n|\\n|\\r)"},
    {"BSR_UNICODE", "\\R is always any Unicode newline"},
    {"LIMIT_MATCH=", "set the match limits instead"},
    {"LIMIT_DEPTH=", "set the match limits instead"},
    {"LIMIT_RECURSION=", "set the match limits instead"},
    {"LIMIT_HEAP=", "set the match limits instead"},
    {"NO_JIT", "use the option that turns JIT off"},
    {"NOTEMPTY_ATSTART", "require a value or a minimum length instead"},
    {"NOTEMPTY", "require a value or a minimum length instead"},
};

/* Finds the refused item with the name name[0, length), up to the parenthesis. Returns NULL if it is allowed. */
static const char *refused_name(const uint8_t *name, size_t length, const char **advice)
{
    for (size_t i = 0; i < sizeof refused_starts / sizeof refused_starts[0]; i++) {
        const size_t expected = strlen(refused_starts[i].name);
        const bool takes_number = refused_starts[i].name[expected - 1] == '=';
        if (takes_number ? length < expected : length != expected) continue;
        if (memcmp(name, refused_starts[i].name, expected) != 0) continue;
        *advice = refused_starts[i].advice;
        return refused_starts[i].name;
    }
    return NULL;
}

assay_pattern_refusal assay_pattern_refused_start(const uint8_t *text, size_t count)
{
    assay_pattern_refusal refusal = {.advice = NULL};
    regex_tokens tokens;
    assay_regex_tokens_begin(&tokens, text, count, 0);
    for (;;) {
        const regex_token token = assay_regex_next_token(&tokens);
        if (token.kind != REGEX_TOKEN_VERB || !ends_with(text, &token, ")")) return refusal;
        const char *name = refused_name(text + token.start + 2, token.length - 3, &refusal.advice);
        if (name == NULL) continue;
        refusal.offset = token.start;
        memcpy(refusal.name, name, strcspn(name, "="));
        return refusal;
    }
}
