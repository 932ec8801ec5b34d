/* States: positions made deterministic and minimal, one character a step. */
#ifndef ASSAY_MINIMAL_DFA_H
#define ASSAY_MINIMAL_DFA_H

#include "Regex/Build/assay_alphabet.h"
#include "Regex/NFA/assay_glushkov.h"

enum {
    state_dead = 0,     /* no value with this start matches */
    state_deferred = 1, /* PCRE2 must judge: a character that the automaton does not know */
    states_max = 254,
};

typedef struct assay_states {
    assay_symbols symbols;
    uint8_t *next; /* of state s on symbol y: next[s * symbols.count + y] */
    uint32_t count;
    uint8_t start;
    uint8_t first_accepting; /* from here on a value that ends matches */
} assay_states;

/* false: too large, or out of memory; *because says which. Free it in either case. */
bool assay_states_build(assay_states *states, const assay_positions *positions, const assay_regular *regular,
                        const char **because);
void assay_states_free(assay_states *states);

#endif
