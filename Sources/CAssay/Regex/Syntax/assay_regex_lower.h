/* Lowering: decides how automata evaluate the look-arounds and possessive repeats of an AST, and rewrites it
 * accordingly.
 *
 *     (?!-)          a look-around of one item      ──►  an assertion          part of each state (assay_determinize.c)
 *     (?=.*[0-9])    a look-ahead at a fixed place  ──►  a conjunct            a product of automata, or a chain
 *     (?<=ab)        another look-behind            kept: an automaton that restarts at each character
 *     (?=ab)         another look-ahead             kept: a run from the end of the value to its beginning
 *     [0-9]++        a possessive repeat of a class ──►  [0-9]+(?![0-9])       an assertion
 *     (?>ab)*+       another possessive repeat      kept: greedy, if the language is the same (assay_thompson.c)
 *     .{1,255}       the only item that varies      ──►  .+ and the length of the value (assay_regex_lengths.h) */
#ifndef ASSAY_REGEX_LOWER_H
#define ASSAY_REGEX_LOWER_H

#include "Regex/Syntax/assay_regex_parser.h"

/* Lowers the tree of a parsed pattern, and computes the lengths of its nodes. Returns false, with *refusal filled, if
 * no automaton can evaluate it or memory runs out. O(nodes), and O(its classes) for each possessive repeat. */
bool assay_regex_lower(assay_regex *regex, bool is_search, assay_dfa_refusal *refusal);

#endif
