/* All states of a pattern with look-aheads that are no conjuncts, so that it gets a minimal DFA, too.
 *
 * Whether a look-ahead holds depends on the rest of the value, which a run forward has not read yet. The rest is summed up by
 * a state of the backward automaton, which has few states for most patterns. So each state here holds one forward state for
 * each backward state: the one in which the run forward would be if that described the rest.
 *
 *     a+(?=bc)b.*          rest        begins with bc     begins with c    others
 *     after aa             forward     may go on to b     dead             dead           ◄── one state of the product
 *
 * A character leads from the state for its rest to the state for the rest after it. Backward transitions give the pairs, and
 * the look-aheads that hold between. At the end of the value the rest is empty, so one forward state remains, and it
 * decides. */
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

/* Makes all states, at most `states_max` of them. Returns false if there are more, if they take too many steps, or if memory
   runs out. Free it in either case. */
bool assay_lookahead_product_build(lookahead_product *product, const determinizer *forward,
                                   const determinizer *backward, uint32_t states_max);
void assay_lookahead_product_free(lookahead_product *product);

#endif
