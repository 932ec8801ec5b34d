/* The parser of the supported syntax: pattern text ──► AST (assay_regex_ast.h).
 *
 * Supported of PCRE2's syntax: characters, `.`, classes, \d \D \w \W \s \S \h \H \v \V \N \p \P \t \n \r \f \e \a \xhh
 * \x{h…}, escaped punctuation, groups with and without capture, alternation, greedy and lazy quantifiers, possessive
 * quantifiers of a class that nothing behind it could have matched, ^ $ \A \z \b \B anywhere, \Z where alternatives of
 * the whole pattern end, look-ahead and look-behind of one character anywhere, look-aheads of any kind where every
 * value has the same number of characters before them: at the start, and behind [0-9]{3}-. Everything else is refused,
 * so that PCRE2 judges it. PCRE2 also decides which characters a class matches.
 *
 * Within this subset the order in which PCRE2 tries alternatives does not matter: it tries all of them before it fails,
 * so a value matches exactly if it belongs to the regular language. */
#ifndef ASSAY_REGEX_PARSER_H
#define ASSAY_REGEX_PARSER_H

#include "Regex/Syntax/assay_regex_ast.h"

/* Why a pattern has no DFA: in plain words, and the byte of the pattern they are about. */
typedef struct assay_dfa_refusal {
    const char *because; /* static storage */
    size_t offset;
} assay_dfa_refusal;

/* Parses a pattern that PCRE2 has compiled. false: refused, or out of memory (`because` says it). Free it in either
   case. */
bool assay_regex_parse(assay_regex *regex, const uint8_t *text, size_t count, uint32_t options,
                       const assay_class_resolver *finder, assay_dfa_refusal *refusal);
void assay_regex_free(assay_regex *regex);

#endif
