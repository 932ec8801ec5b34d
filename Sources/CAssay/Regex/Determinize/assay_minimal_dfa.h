/* The minimal DFA of a pattern: NFA ──► all states (assay_determinize.h) ──► minimization (E. F. Moore:
 * Gedanken-experiments on sequential machines, 1956) ──► tables to run (DFA/assay_dfa.c). It reads one character per
 * step.
 *
 *     (?:ab)*     symbols   others = 0, a = 1, b = 2
 *
 *                 state     others   a   b
 *                 0 dead       0     0   0
 *                 1 quit       1     1   1
 *                 2            0     0   3      after a
 *                 3            0     2   0      start; first_accepting = 3
 *
 * Numbering invariants, on which every table and runner relies: the dead state is 0, the quit state is 1, and the
 * accepting states are last. The verdict is therefore settled if state ≤ 1, and the state accepts if state ≥
 * first_accepting. */
#ifndef ASSAY_MINIMAL_DFA_H
#define ASSAY_MINIMAL_DFA_H

#include "Regex/Determinize/assay_alphabet.h"
#include "Regex/Syntax/assay_regex_ast.h"

enum {
    state_dead = 0,   /* no continuation matches */
    state_quit = 1,   /* the quit state (RE2, regex-automata), after a character that the DFA does not know */
    states_max = 254, /* a state fits into a byte, and 255 remains free */
};

/* Exists only during the construction of the tables. */
typedef struct assay_minimal_dfa {
    assay_alphabet alphabet;
    uint8_t *next; /* from state s by symbol y: next[s * alphabet.count + y] */
    uint32_t count;
    uint8_t start;
    uint8_t first_accepting; /* states from here on accept */
} assay_minimal_dfa;

/* Builds the minimal DFA of all conjuncts of `regex`, which must be lowered and only need forward runs. Returns false
 * if it is too large, would take too much work, or memory runs out; *because contains the reason. Call
 * assay_minimal_dfa_free in either case. */
bool assay_minimal_dfa_build(assay_minimal_dfa *minimal, const assay_regex *regex, bool is_search,
                             const char **because);
void assay_minimal_dfa_free(assay_minimal_dfa *minimal);

#endif
