/* The minimal DFA of a pattern: subset construction over the Glushkov automaton, then minimisation (E. F. Moore:
 * Gedanken-experiments on sequential machines, 1956). One character a step. */
#ifndef ASSAY_MINIMAL_DFA_H
#define ASSAY_MINIMAL_DFA_H

#include "Regex/Build/assay_alphabet.h"
#include "Regex/NFA/assay_glushkov.h"

enum {
    state_dead = 0, /* no continuation matches */
    state_quit = 1, /* the quit state: PCRE2 must judge, because of a character that the DFA does not know */
    states_max = 254,
};

typedef struct assay_minimal_dfa {
    assay_alphabet alphabet;
    uint8_t *next; /* from state s by symbol y: next[s * alphabet.count + y] */
    uint32_t count;
    uint8_t start;
    uint8_t first_accepting; /* states from here on accept */
} assay_minimal_dfa;

/* false: too large, or out of memory; *because says which. Free it in either case. */
bool assay_minimal_dfa_build(assay_minimal_dfa *minimal, const assay_glushkov *nfa, const assay_regex *regex,
                             const char **because);
void assay_minimal_dfa_free(assay_minimal_dfa *minimal);

#endif
