/* The patterns that a finite DFA can judge, read from their text.
 *
 *     pattern text ──► tree (assay_regex) ──► positions ──► states ──► table (assay_dfa)
 *
 * The stated subset of PCRE2's syntax: characters, `.`, classes, \d \D \w \W \s \S \h \H \v \V \N \p \P \t \n \r \f \e \a
 * \xhh \x{h…}, escaped punctuation, groups with and without capture, alternatives, greedy and lazy quantifiers,
 * possessive ones of an item that nothing behind it could have matched, ^ $ \A \z \b \B anywhere, \Z where alternatives of
 * the whole pattern end, look-ahead and look-behind of one character anywhere, look-aheads of any kind where every value has
 * the same number of characters before them: at the start, and behind [0-9]{3}-.
 * Whatever is not understood is refused, so that PCRE2 judges it. What an item matches is not decided here: PCRE2 is asked.
 *
 * Within this subset the order in which PCRE2 tries things does not matter: it tries all of them before it says no, so a
 * value matches exactly if it is a word of the regular language. */
#ifndef ASSAY_REGEX_PARSER_H
#define ASSAY_REGEX_PARSER_H

#include "Regex/Syntax/assay_regex_ast.h"

/* Why a pattern has no DFA: plain words, and the byte of the pattern they are about. */
typedef struct assay_dfa_refusal {
    const char *because; /* static storage */
    size_t offset;
} assay_dfa_refusal;

/* Reads a pattern that PCRE2 has compiled. false: refused, or out of memory (`because` says it). Free it in either case. */
bool assay_regex_parse(assay_regex *regex, const uint8_t *text, size_t count, uint32_t options,
                       const assay_class_resolver *finder, assay_dfa_refusal *refusal);
void assay_regex_free(assay_regex *regex);

#endif
