/* The parser of the supported syntax: pattern text ──► AST (assay_regex_ast.h).
 *
 * It reads a regular subset of PCRE2's syntax (pcre2pattern):
 *
 *   - characters, `.`, bracketed classes, quotations \Q…\E, and the escapes \d \D \w \W \s \S \h \H \v \V \N \p \P \t
 *     \n \r \f \e \a \xhh \x{h…} and escaped punctuation;
 *   - groups with and without capture, alternation, greedy, lazy and possessive quantifiers, and atomic groups;
 *   - ^ $ \A \z \b \B anywhere, \Z at the end of an alternative of the whole pattern;
 *   - look-aheads and look-behinds;
 *   - the settings (?i), (?m), (?s) and (?x), also negated and within the pattern, and comments.
 *
 * After parsing, assay_regex_lower.h decides which constructs an automaton can evaluate, and how. All other syntax is
 * refused, and PCRE2 alone checks values of such a pattern. Refusing is always correct; accepting a construct with
 * another meaning in PCRE2 would cause wrong verdicts. PCRE2 compiles every pattern first, so the parser may assume
 * that the text is valid.
 *
 * Within this subset, the order in which PCRE2 tries alternatives does not matter, except in possessive repeats: it
 * tries all alternatives before it fails, so a value matches if and only if it belongs to the regular language. */
#ifndef ASSAY_REGEX_PARSER_H
#define ASSAY_REGEX_PARSER_H

#include "Regex/Syntax/assay_regex_ast.h"

/* The reason why a pattern has no DFA, in plain words, and the byte offset in the pattern that it concerns. */
typedef struct assay_dfa_refusal {
    const char *because; /* static storage */
    size_t offset;
} assay_dfa_refusal;

/* Parses a pattern that PCRE2 has compiled. Returns false, with *refusal filled, if the pattern is refused or memory
   runs out. `text` is borrowed during the call only. Call assay_regex_free in either case. O(count), and one question
   to the resolver for each distinct class. With REGEX_OPTION_GREEDY it reads possessive repeats as greedy ones. */
bool assay_regex_parse(assay_regex *regex, const uint8_t *text, size_t count, uint32_t options,
                       const assay_class_resolver *finder, assay_dfa_refusal *refusal);

#endif
