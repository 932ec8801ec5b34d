/* Decides whether possessive repeats may be built as greedy ones.
 *
 * A greedy repeat gives back characters if the text after it does not match otherwise; a possessive one does not, so it
 * may match fewer values. An automaton evaluates the greedy one. Both match the same values if the repeat never has a
 * choice: if at each place the next character alone determines whether the repeat continues, and at which instruction.
 *
 *     (?:ab)++c      after b, a continues the repeat and c ends it                same language
 *     (?:ab)++a      a may do both: the possessive repeat never matches           refused
 *     (?>ab|ac)d     an a may begin either alternative                            refused, though the same language
 *
 * This is the determinism that A. Brüggemann-Klein and D. Wood call one-unambiguity (One-unambiguous regular languages,
 * 1998), required of the repeat and the text after it. One path through the repeat then exists for each value. PCRE2
 * follows it as far as possible, because the body prefers characters (assay_possessive_takes_first). An earlier exit
 * could only help if the next character could also continue after the repeat, which the check excludes.
 *
 * Repeats of a class do not need this check, because an assertion ends them (assay_regex_lower.h). */
#ifndef ASSAY_POSSESSIVE_H
#define ASSAY_POSSESSIVE_H

#include "Regex/NFA/assay_thompson.h"

/* A possessive repeat that was built as a greedy one: its first instruction, and the split that marks its end. */
typedef struct possessive_run {
    uint32_t entry;
    uint32_t exit;
} possessive_run;

/* Whether PCRE2 tries a further character first wherever the subtree may either match one or end: it must have no lazy
 * repeat, and no alternative that can be empty before another one. Only then is its first match, to which a possessive
 * repeat is committed, the longest that the characters allow. */
bool assay_possessive_takes_first(const assay_regex *regex, uint32_t index);

/* Whether all `runs` match the same values as greedy repeats. False if the check cannot decide; *because is then the
 * reason. O(instructions) for each instruction of a run, up to a bound. */
bool assay_possessive_are_greedy(const assay_thompson *nfa, const assay_regex *regex, const possessive_run *runs,
                                 uint32_t count, bool is_search, const char **because);

#endif
