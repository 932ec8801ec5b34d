/* States: positions made deterministic and minimal, one byte a step. */
#ifndef ASSAY_STATES_H
#define ASSAY_STATES_H

#include "Automata/assay_positions.h"
#include "Automata/assay_symbols.h"

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

/* false: too large, or out of memory; *because says which. Free `states->next` in either case. */
bool assay_states_build(assay_states *states, const assay_positions *positions, const assay_character_set *sets,
                        uint32_t set_count, const char **because);

#endif
