/* All states of a pattern with look-aheads that are not conjuncts, so that it also gets a minimal DFA.
 *
 * Whether a look-ahead holds depends on the rest of the value, which a forward run has not read yet. A state of the
 * backward automaton summarizes the rest, and most patterns have few such states. Each state here therefore contains
 * one forward state for each backward state: the forward state under the assumption of this rest.
 *
 *     a+(?=bc)b.*          rest        begins with bc     begins with c    others
 *     after aa             forward     may continue to b  dead             dead           ◄── one state of the product
 *
 * A character leads from the state for its rest to the state for the rest after it. Backward transitions give the
 * pairs, and the look-aheads that hold between them. At the end of the value the rest is empty, so one forward state
 * remains, and it decides. */
#ifndef ASSAY_LOOKAHEAD_PRODUCT_H
#define ASSAY_LOOKAHEAD_PRODUCT_H

#include "Regex/Determinize/assay_determinize.h"

/* The states: 0 is dead, 1 is the quit state. Owns its arrays. */
typedef struct lookahead_product {
    uint16_t *next;  /* by state and symbol */
    bool *accepting; /* by state */
    uint32_t count;
    uint16_t start;
} lookahead_product;

/* Constructs all states, at most `states_max`. Returns false if there are more, if they take too many steps, or if
 * memory runs out. Free it in either case. */
bool assay_lookahead_product_build(lookahead_product *product, const determinizer *forward,
                                   const determinizer *backward, uint32_t states_max);
void assay_lookahead_product_free(lookahead_product *product);

#endif
