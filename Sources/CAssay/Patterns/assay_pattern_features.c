/* Scans the text of patterns: see assay_pattern_features.h for what a scan may get wrong and in which direction. */
#include "Patterns/assay_pattern_features.h"

#include "Bytes/assay_ascii.h"

#include <string.h>

enum { all_characters = 0x110000 };

/* Returns the offset of the first `needle` in the text, or `count`. */
static size_t position_of(const uint8_t *text, size_t count, const char *needle)
{
    size_t length = strlen(needle);
    for (size_t i = 0; i + length <= count; i++) {
        if (text[i] == (uint8_t)needle[0] && memcmp(text + i, needle, length) == 0) return i;
    }
    return count;
}

/* Returns where a class such as [:alpha:] ends, whose [ is text[at]; `count` if it is no such class. */
static size_t end_of_posix_class(const uint8_t *text, size_t count, size_t at)
{
    enum { longest = 32 };
    const size_t left = count - at < longest ? count - at : longest;
    const size_t close = position_of(text + at, left, ":]");
    return close < left ? at + close + 2 : count;
}

static bool contains(const uint8_t *text, size_t count, const char *needle)
{
    return position_of(text, count, needle) < count;
}

static bool is_any_of(uint8_t byte, const char *set) { return byte != 0 && strchr(set, byte) != NULL; }

/* Whether an option setting such as (?xi) or (?i-x:…) contains `letter`, set or unset. */
static bool sets_option(const uint8_t *text, size_t count, uint8_t letter)
{
    for (size_t i = 0; i + 2 < count; i++) {
        if (text[i] != '(' || text[i + 1] != '?') continue;
        for (size_t j = i + 2; j < count && (is_letter(text[j]) || is_any_of(text[j], "^-")); j++) {
            if (text[j] == letter) return true;
        }
    }
    return false;
}

/* Whether a + makes a quantifier possessive. Where white space, comments or \E may come between the two (pcre2pattern,
   "PCRE2_EXTENDED"), any quantifier with any + after it counts. */
static bool has_possessive(const uint8_t *text, size_t count, bool extended)
{
    bool ignorable =
        extended || sets_option(text, count, 'x') || contains(text, count, "(?#") || contains(text, count, "\\E");
    bool quantified = false;
    for (size_t i = 0; i < count; i++) {
        if (text[i] == '+' && quantified) return true;
        if (is_any_of(text[i], "+*?}")) {
            quantified = true;
        } else if (!ignorable) {
            quantified = false;
        }
    }
    return false;
}

/* (?1) (?+1) (?-1) (?&n) (?P>n) (?R) \g<n> \g'n', and conditions on recursion, which need one of those. */
static bool has_subroutine_call(const uint8_t *text, size_t count)
{
    for (size_t i = 0; i + 2 < count; i++) {
        const uint8_t *at = text + i;
        if (at[0] == '(' && at[1] == '?') {
            if (is_digit(at[2]) || is_any_of(at[2], "&R")) return true;
            if (i + 3 < count && is_any_of(at[2], "+-") && is_digit(at[3])) return true;
            if (i + 3 < count && at[2] == 'P' && at[3] == '>') return true;
        }
        if (at[0] == '\\' && at[1] == 'g' && is_any_of(at[2], "<'")) return true;
    }
    return false;
}

/* (*ACCEPT), (*SKIP), (*:name) … Alphabetic assertions and atomic groups, such as (*pla:…), have lower-case names. */
static bool has_backtracking_verb(const uint8_t *text, size_t count)
{
    for (size_t i = 0; i + 2 < count; i++) {
        if (text[i] == '(' && text[i + 1] == '*' && (text[i + 2] < 'a' || text[i + 2] > 'z')) return true;
    }
    return false;
}

static bool starts_with(const uint8_t *text, size_t count, const char *start)
{
    size_t length = strlen(start);
    return length <= count && memcmp(text, start, length) == 0;
}

/* A condition on whether a group is set: (?(1)… or (?(<name>)…, but not (?(DEFINE), (?(VERSION, (?(R) or an
   assertion. */
static bool has_group_condition(const uint8_t *text, size_t count)
{
    const bool is_name = contains(text, count, "<R>") || contains(text, count, "'R'");
    for (size_t i = 0; i + 3 < count; i++) {
        if (!starts_with(text + i, count - i, "(?(")) continue;
        const uint8_t *condition = text + i + 3;
        size_t left = count - i - 3;
        if (starts_with(condition, left, "DEFINE)") || starts_with(condition, left, "VERSION") ||
            starts_with(condition, left, "R&") || is_any_of(condition[0], "?*")) {
            continue;
        }
        /* (?(R) asks about recursion, unless a group is named R. */
        if (starts_with(condition, left, "R)") && !is_name) continue;
        return true;
    }
    return false;
}

static bool has_backreference(const uint8_t *text, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++) {
        if (text[i] != '\\') continue;
        uint8_t next = text[i + 1];
        if ((is_digit(next) && next != '0') || next == 'k') return true;
        if (next == 'g' && (i + 2 >= count || !is_any_of(text[i + 2], "<'"))) return true;
    }
    return contains(text, count, "(?P=") || has_group_condition(text, count);
}

/* (?= (?! (?* and (?<= (?<! (?<*. Alphabetic forms such as (*pla: count as verbs. */
static bool has_lookaround(const uint8_t *text, size_t count)
{
    for (size_t i = 0; i + 3 < count; i++) {
        if (text[i] != '(' || text[i + 1] != '?') continue;
        if (is_any_of(text[i + 2] == '<' ? text[i + 3] : text[i + 2], "=!*")) return true;
    }
    return false;
}

/* Whether text[next] ends the pattern or an alternative. */
static bool ends_alternative(const uint8_t *text, size_t count, size_t next)
{
    return next == count || text[next] == ')' || text[next] == '|';
}

/* Whether $, \z or \Z occurs other than at the end of an alternative. Reads just enough syntax (escapes, quotations,
   classes) to tell `$` from `[$]`. A mistake here only makes assay_pattern_viable_prefix unavailable or less
   precise. */
static bool has_early_end_anchor(const uint8_t *text, size_t count)
{
    bool in_class = false;
    for (size_t i = 0; i < count; i++) {
        if (text[i] == '\\' && i + 1 < count) {
            i++;
            if (text[i] == 'Q') {
                i += position_of(text + i, count - i, "\\E") + 1;
            } else if (!in_class && is_any_of(text[i], "zZ") && !ends_alternative(text, count, i + 1)) {
                return true;
            }
        } else if (in_class) {
            if (text[i] == '[' && i + 1 < count && text[i + 1] == ':') {
                const size_t end = end_of_posix_class(text, count, i);
                if (end < count) i = end - 1;
            } else if (text[i] == ']') {
                in_class = false;
            }
        } else if (text[i] == '[') {
            in_class = true;
            if (i + 1 < count && text[i + 1] == '^') i++;
            if (i + 1 < count && text[i + 1] == ']') i++;
        } else if (text[i] == '$' && !ends_alternative(text, count, i + 1)) {
            return true;
        }
    }
    return false;
}

/* \b, \B, \A, \G, or a ^ that is neither in a class nor where an alternative begins. */
static bool has_inner_assertion(const uint8_t *text, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (text[i] == '\\' && i + 1 < count) {
            if (is_any_of(text[++i], "bBAG")) return true;
        } else if (text[i] == '^' && i > 0 && !is_any_of(text[i - 1], "[(|:")) {
            return true;
        }
    }
    return false;
}

/* A backslash before one of these letters. */
static bool has_escape(const uint8_t *text, size_t count, const char *letters)
{
    for (size_t i = 0; i + 1 < count; i++) {
        if (text[i] != '\\') continue;
        i++; /* of \\X no escape begins at the second backslash */
        if (is_any_of(text[i], letters)) return true;
    }
    return false;
}

/* Any parenthesis that is not followed by ? or *, or that begins a named group. */
static bool has_capture(const uint8_t *text, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (text[i] != '(') continue;
        if (i + 1 == count || !is_any_of(text[i + 1], "?*")) return true;
        if (i + 2 < count && is_any_of(text[i + 2], "<'P|")) return true;
    }
    return false;
}

/* {n,}, in which newer releases allow blanks. */
static bool has_open_count(const uint8_t *text, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (text[i] != ',') continue;
        size_t next = i + 1;
        while (next < count && is_any_of(text[next], " \t")) next++;
        if (next < count && text[next] == '}') return true;
    }
    return false;
}

/* Whether the { at text[at] begins anything but {n} or {n,m}: a group repeated so often is written out by PCRE2, and is no loop. */
static bool opens_unbounded(const uint8_t *text, size_t count, size_t at)
{
    bool has_comma = false;
    bool has_maximum = false;
    for (at++; at < count && text[at] != '}'; at++) {
        if (is_digit(text[at])) {
            has_maximum = true;
        } else if (text[at] == ',' && !has_comma) {
            has_comma = true;
            has_maximum = false;
        } else {
            return true;
        }
    }
    return at == count || !has_maximum;
}

/* A closing parenthesis before anything that could be an unbounded quantifier, even behind blanks and comments. */
static bool has_group_loop(const uint8_t *text, size_t count)
{
    const uint8_t *end = text + count;
    const bool has_comments = memchr(text, '#', count) != NULL;
    for (const uint8_t *at = text; (at = memchr(at, ')', (size_t)(end - at))) != NULL;) {
        at++;
        while (at < end && (is_any_of(*at, " \t\n\v\f\r\\E") || (has_comments && !is_any_of(*at, "*+{)")))) at++;
        if (at < end && is_any_of(*at, "*+")) return true;
        if (at < end && *at == '{' && opens_unbounded(text, count, (size_t)(at - text))) return true;
    }
    return false;
}

/* Returns where the class that begins at text[from] ends, or a later offset. */
static size_t end_of_class(const uint8_t *text, size_t count, size_t from)
{
    size_t at = from + 1;
    if (at < count && text[at] == '^') at++;
    if (at < count && text[at] == ']') at++; /* as the first character it is a literal */
    while (at < count && text[at] != ']') {
        if (text[at] == '\\' && at + 1 < count) {
            if (text[at + 1] == 'Q') return count;
            at += text[at + 1] == 'c' ? 3 : 2;
        } else if (text[at] == '[' && at + 1 < count && text[at + 1] == ':') {
            const size_t end = end_of_posix_class(text, count, at);
            at = end < count ? end : at + 1;
        } else {
            at++;
        }
    }
    return at < count ? at + 1 : count;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Work that JIT does not count
 *
 * JIT's match limit counts backtracking points. A greedy single-character repeat before a literal, such as `.*x`, is
 * searched from its end for the literal; if there is none, the whole value was examined without a count.
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether the item text[from, to) may match an ASCII character; true where that is not obvious. */
static bool may_match(const uint8_t *text, size_t from, size_t to, uint8_t character, bool folds)
{
    const uint8_t first = text[from];
    if (first == ')') return false; /* a group: JIT looks for single characters only */
    if (first == '\\') return is_any_of(text[to - 1], "d") ? is_digit(character) : true;
    if (first != '[') return first == '.' || first == character || folds || first >= 0x80;
    if (folds || text[from + 1] == '^') return true;
    for (size_t i = from + 1; i + 1 < to; i++) {
        if (text[i] == '\\' || text[i] == '[') return true; /* a class in the class, or an escape */
        const bool is_range = i + 3 < to && text[i + 1] == '-';
        if (text[i] == character || (is_range && text[i] <= character && character <= text[i + 2])) return true;
        if (is_range) i += 2;
    }
    return false;
}

/* Whether the greedy quantifier before text[next] is followed by a literal that its item may match too, as in `.*x`.
   `item` is where the item begins, `quantifier` where its quantifier does. */
static bool looks_for_character(const uint8_t *text, size_t count, size_t item, size_t quantifier, size_t next,
                                bool folds)
{
    if (next == count) return false;
    if (is_any_of(text[next], "?+")) return false; /* lazy or possessive */
    if (is_any_of(text[next], ".[|)*{^$")) return false;
    if (text[next] == '(') return next + 2 < count && text[next + 1] == '?' && text[next + 2] != ':';
    if (text[next] == '\\') {
        if (next + 1 < count && is_any_of(text[next + 1], "dDwWsShHvVpPRXNbBAGzZ")) return false;
        const bool is_plain =
            next + 1 < count && text[next + 1] < 0x80 && !is_letter(text[next + 1]) && !is_digit(text[next + 1]);
        return !is_plain || may_match(text, item, quantifier, text[next + 1], folds);
    }
    /* White space may be ignored under the option x, and a literal follow it. */
    if (text[next] >= 0x80 || is_any_of(text[next], " \t\n\v\f\r#")) return true;
    return may_match(text, item, quantifier, text[next], folds);
}

/* A counted repeat below this examines few characters, whatever follows. */
enum { short_repeat = 16 };

/* Counts the items that may examine the whole value without a count, multiplied by the repeats of counted groups, which
   PCRE2 writes out. `copies` saturates. */
static uint32_t count_uncounted(const uint8_t *text, size_t count, bool folds)
{
    uint32_t uncounted = 0;
    uint32_t copies = 1; /* product over all counted groups, nested or not */
    size_t item = 0;     /* where the latest item begins */
    const bool has_count = memchr(text, '{', count) != NULL;
    for (size_t at = 0; at < count;) {
        const size_t from = at++;
        if (is_any_of(text[from], "*+") && from > 0) {
            uncounted += looks_for_character(text, count, item, from, at, folds);
        } else if (text[from] == '{' && from > 0) {
            uint32_t number = 0;
            uint32_t least = UINT32_MAX;
            for (; at < count && text[at] != '}'; at++) {
                if (text[at] == ',' && least == UINT32_MAX) least = number, number = 0;
                if (is_digit(text[at]) && number < UINT16_MAX) number = number * 10 + (text[at] - (uint32_t)'0');
            }
            if (at < count) at++;
            const bool is_open = least != UINT32_MAX && number == 0; /* {n,} */
            if (least == UINT32_MAX) least = number;
            const uint32_t most = number > least ? number : least;
            /* X{1000} may fail after 999. */
            if (least >= short_repeat) uncounted++;
            if (text[from - 1] == ')') copies = copies * (most + 1) < UINT16_MAX ? copies * (most + 1) : UINT16_MAX;
            /* A short repeat looks at few characters, whatever follows. */
            if (is_open || most >= short_repeat) {
                uncounted += looks_for_character(text, count, item, from, at, folds);
            }
        } else if (text[from] == '[') {
            at = end_of_class(text, count, from);
            item = from;
        } else if (text[from] == '\\' && at < count) {
            const uint8_t letter = text[at++];
            item = from;
            /* \1 \k \g and \X match more than one character. */
            if ((is_digit(letter) && letter != '0') || is_any_of(letter, "kgX")) uncounted++;
        } else if (starts_with(text + from, count - from, "(?P=")) {
            uncounted++;
        } else if (starts_with(text + from, count - from, "(?<") && has_count) {
            uncounted++; /* a look-behind may go back far */
        } else if (text[from] != '?') {
            item = from;
        }
    }
    return uncounted * copies;
}

/* Returns the length of the longest class; of the whole text where (?xx) may allow blanks in classes, since their ends
   are uncertain then. */
static size_t longest_class(const uint8_t *text, size_t count)
{
    if (contains(text, count, "xx")) return count;
    size_t longest = 0;
    for (size_t at = 0; at < count;) {
        if (text[at] == '[') {
            const size_t end = end_of_class(text, count, at);
            if (end - at > longest) longest = end - at;
            at = end;
        } else {
            at += text[at] == '\\' ? 2 : 1;
        }
    }
    return longest;
}

/* Reads the number after \x, \o or \N{U+ and moves *at past it. A number above U+10FFFF stays above it, whatever
   follows. */
static uint32_t read_digits(const uint8_t *text, size_t count, size_t *at, bool is_octal, bool is_named)
{
    const bool is_braced = *at < count && text[*at] == '{';
    uint32_t number = 0;
    if (is_braced) *at += is_named ? 3 : 1;
    while (is_braced && *at < count && is_any_of(text[*at], " \t")) ++*at; /* as newer releases allow */
    for (size_t digits = 0; *at < count && is_hex_digit(text[*at]) && (is_braced || digits < 2); digits++) {
        if (number < all_characters) number = number << (is_octal ? 3 : 4) | hex_value(text[*at]);
        ++*at;
    }
    while (is_braced && *at < count && is_any_of(text[*at], " \t")) ++*at;
    if (is_braced && *at < count) ++*at;
    return number;
}

/* Returns the character of an escape whose letter is text[*at], and moves *at past it. UINT32_MAX: the escape is not
   one character, as \d. */
static uint32_t read_escape(const uint8_t *text, size_t count, size_t *at)
{
    static const char letters[] = "abefnrt";
    static const uint8_t controls[] = {0x07, 0x08, 0x1B, 0x0C, 0x0A, 0x0D, 0x09};
    const uint8_t letter = text[(*at)++];
    if (letter == 'x') return read_digits(text, count, at, false, false);
    if (letter == 'o') return read_digits(text, count, at, true, false);
    if (letter == 'N' && starts_with(text + *at, count - *at, "{U+")) return read_digits(text, count, at, false, true);
    if (letter == 'c' && *at < count) return text[(*at)++] ^ 0x40u;
    if (is_digit(letter)) {
        uint32_t number = letter - (uint32_t)'0';
        for (int digits = 1; digits < 3 && *at < count && is_digit(text[*at]); digits++) {
            number = number * 8 + (text[(*at)++] - (uint32_t)'0');
        }
        return number;
    }
    const char *control = is_letter(letter) ? strchr(letters, letter) : NULL;
    if (control != NULL) return controls[control - letters];
    return letter < 0x80 && !is_letter(letter) ? letter : UINT32_MAX;
}

/* Returns the character at text[*at], literal or escaped, and moves *at past it. UINT32_MAX: none. */
static uint32_t read_character(const uint8_t *text, size_t count, size_t *at)
{
    if (*at == count) return UINT32_MAX;
    const uint8_t byte = text[(*at)++];
    if (byte == '\\' && *at < count) return read_escape(text, count, at);
    if (byte < 0xC0) return byte;
    uint32_t character = byte < 0xE0 ? byte & 0x1Fu : byte < 0xF0 ? byte & 0x0Fu : byte & 0x07u;
    while (*at < count && (text[*at] & 0xC0) == 0x80) character = character << 6 | (text[(*at)++] & 0x3Fu);
    return character;
}

/* Skips what may come between the ends of a range and its hyphen: \Q, \E and, where (?xx) may be set, blanks. */
static size_t skip_nothing(const uint8_t *text, size_t count, size_t at, bool skips_blanks)
{
    for (;;) {
        if (at + 1 < count && text[at] == '\\' && is_any_of(text[at + 1], "QE")) {
            at += 2;
        } else if (skips_blanks && at < count && is_any_of(text[at], " \t")) {
            at++;
        } else {
            return at;
        }
    }
}

uint64_t assay_pattern_folded_span(const uint8_t *text, size_t count, bool is_folded, uint64_t most, size_t *offset)
{
    if (!is_folded && !sets_option(text, count, 'i')) return 0;
    const bool skips_blanks = contains(text, count, "xx");
    uint64_t span = 0;
    for (size_t at = skip_nothing(text, count, 0, skips_blanks); at < count;
         at = skip_nothing(text, count, at, skips_blanks)) {
        const size_t from = at;
        const uint32_t first = read_character(text, count, &at);
        const size_t hyphen = skip_nothing(text, count, at, skips_blanks);
        if (first == UINT32_MAX || hyphen == count || text[hyphen] != '-') continue;
        size_t after = skip_nothing(text, count, hyphen + 1, skips_blanks);
        const uint32_t last = read_character(text, count, &after);
        if (last == UINT32_MAX || last <= first) continue;
        span += last < all_characters ? last - first : all_characters;
        at = after;
        *offset = from;
        if (span > most) break;
    }
    return span;
}

bool assay_pattern_folds_too_much(const uint8_t *text, size_t count, bool is_folded, uint64_t most, size_t *offset)
{
    return assay_pattern_folded_span(text, count, is_folded, most, offset) > most;
}

assay_pattern_features assay_pattern_scan(const uint8_t *text, size_t count, bool extended)
{
    bool verbs = contains(text, count, "(*");
    bool possessive = has_possessive(text, count, extended);
    return (assay_pattern_features){
        .atomic = verbs || contains(text, count, "(?>") || possessive,
        .verbs = verbs,
        .backtracking_verbs = has_backtracking_verb(text, count),
        .duplicate_names = sets_option(text, count, 'J'),
        .named_backreference =
            contains(text, count, "\\k") || contains(text, count, "\\g") || contains(text, count, "(?P="),
        .backreference = has_backreference(text, count),
        .subroutine_call = has_subroutine_call(text, count),
        .whole_recursion = contains(text, count, "(?R") || contains(text, count, "(?0") ||
                           contains(text, count, "\\g<0") || contains(text, count, "\\g'0"),
        .lookaround = has_lookaround(text, count),
        .lookbehind = contains(text, count, "(?<=") || contains(text, count, "(?<!"),
        .keep = contains(text, count, "\\K"),
        .visible_posix =
            contains(text, count, "[:") &&
            (contains(text, count, "print:]") || contains(text, count, "graph:]") || contains(text, count, "punct:]")),
        .property = has_escape(text, count, "pPhHvVRNX"),
        .early_end_anchor = has_early_end_anchor(text, count),
        .inner_assertion = has_inner_assertion(text, count),
        .counted_possessive = possessive && has_open_count(text, count) && has_capture(text, count),
    };
}

assay_work_features assay_pattern_scan_work(const uint8_t *text, size_t count, bool is_folded)
{
    return (assay_work_features){
        .caseless = is_folded || sets_option(text, count, 'i'),
        .grapheme = has_escape(text, count, "X"),
        .group_loop = has_group_loop(text, count) || has_subroutine_call(text, count),
        .uncounted = count_uncounted(text, count, is_folded || sets_option(text, count, 'i')),
        .longest_class = longest_class(text, count),
    };
}

/* The items of pcre2pattern, "SPECIAL START-OF-PATTERN ITEMS", that change what all other patterns share. NO_START_OPT,
   NO_AUTO_POSSESS and NO_DOTSTAR_ANCHOR are not here: they only switch optimizations off. */
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

assay_pattern_refusal assay_pattern_refused_start(const uint8_t *text, size_t count)
{
    size_t at = 0;
    while (at + 2 < count && text[at] == '(' && text[at + 1] == '*') {
        const uint8_t *item = text + at + 2;
        const uint8_t *close = memchr(item, ')', count - at - 2);
        if (close == NULL) break;
        size_t length = (size_t)(close - item);
        for (size_t i = 0; i < sizeof refused_starts / sizeof refused_starts[0]; i++) {
            const char *name = refused_starts[i].name;
            size_t name_length = strlen(name);
            bool takes_number = name[name_length - 1] == '=';
            if ((takes_number ? length >= name_length : length == name_length) &&
                memcmp(item, name, name_length) == 0) {
                assay_pattern_refusal refusal = {.offset = at, .advice = refused_starts[i].advice};
                memcpy(refusal.name, name, takes_number ? name_length - 1 : name_length);
                return refusal;
            }
        }
        at = (size_t)(close - text) + 1;
    }
    return (assay_pattern_refusal){.advice = NULL};
}
