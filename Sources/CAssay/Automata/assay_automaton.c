#include "Automata/assay_automaton.h"

#include "Automata/assay_automaton_tables.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Making
 * ------------------------------------------------------------------------------------------------------------- */

/* Numbers the symbols of ASCII bytes from 0 on. */
static void number_ascii(assay_automaton *automaton, const assay_symbols *symbols)
{
    bool seen[symbol_none] = {false};
    uint8_t number[symbol_none];
    for (unsigned byte = 0; byte < 128; byte++) {
        const uint8_t symbol = symbols->of_byte[byte];
        if (!seen[symbol]) {
            seen[symbol] = true;
            number[symbol] = automaton->ascii_symbols++;
        }
        automaton->ascii_symbol_of[byte] = number[symbol];
    }
}

static assay_automaton *create_from_states(const assay_states *states, assay_automaton_refusal *refusal)
{
    const unsigned shift = states->count <= 16 ? 4 : states->count <= 64 ? 6 : 8;
    assay_automaton *automaton = calloc(1, sizeof *automaton + ((size_t)256 << shift));
    if (automaton == NULL) {
        refusal->because = "out of memory";
        return NULL;
    }
    automaton->states = states->count;
    automaton->start = states->start;
    automaton->first_accepting = states->first_accepting;
    automaton->shift = (uint8_t)shift;
    number_ascii(automaton, &states->symbols);
    if (pair_symbols(automaton) * pair_symbols(automaton) << shift > (size_t)UINT16_MAX + 1) {
        refusal->because = "too many kinds of characters for so many states";
        free(automaton);
        return NULL;
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        const uint8_t symbol = states->symbols.of_byte[byte];
        for (uint32_t state = 0; state < states->count && symbol != symbol_none; state++) {
            automaton->next[(byte << shift) + state] = states->next[state * states->symbols.count + symbol];
        }
    }
    return automaton;
}

static assay_automaton *create_from_tree(const assay_regular *regular, assay_automaton_refusal *refusal)
{
    assay_automaton *automaton = NULL;
    assay_states states = {.next = NULL};
    assay_positions *positions = malloc(sizeof *positions);
    if (positions == NULL) {
        refusal->because = "out of memory";
    } else if (assay_positions_fill(positions, regular, &refusal->because) &&
               assay_states_build(&states, positions, regular->sets, regular->set_count, &refusal->because)) {
        automaton = create_from_states(&states, refusal);
    }
    free(states.next);
    free(positions);
    return automaton;
}

assay_automaton *assay_automaton_create(const uint8_t *text, size_t count, uint32_t options,
                                        assay_character_set_finder *find, assay_automaton_refusal *refusal)
{
    assay_regular regular;
    *refusal = (assay_automaton_refusal){.because = NULL};
    assay_automaton *automaton = NULL;
    if (assay_regular_read(&regular, text, count, options, find, refusal)) {
        automaton = create_from_tree(&regular, refusal);
    }
    assay_regular_free(&regular);
    return automaton;
}

void assay_automaton_free(assay_automaton *automaton)
{
    if (automaton == NULL) return;
    assay_automaton_free_rows(automaton);
    free(automaton);
}

uint32_t assay_automaton_states(const assay_automaton *automaton) { return automaton->states; }

/* ---------------------------------------------------------------------------------------------------------------
 * One value
 * ------------------------------------------------------------------------------------------------------------- */

automaton_answer assay_automaton_value(const assay_automaton *automaton, const uint8_t *value, size_t count)
{
    const uint8_t *next = automaton->next;
    const unsigned shift = automaton->shift;
    size_t state = automaton->start;
    for (size_t i = 0; i < count && state > state_deferred; i++) state = next[((size_t)value[i] << shift) + state];
    if (state >= automaton->first_accepting) return AUTOMATON_PASS;
    return state == state_deferred ? AUTOMATON_OPEN : AUTOMATON_FAIL;
}
