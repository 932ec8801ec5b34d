#include "DFA/assay_dfa.h"

#include "DFA/assay_dfa_tables.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Making one
 * ------------------------------------------------------------------------------------------------------------- */

static size_t rows_of(const assay_symbols *symbols)
{
    return 128 + (symbols->beyond_ascii_is_alike ? (size_t)128 : symbols->count);
}

/* The symbol that a row stands for; symbols_max: none, it changes nothing. */
static size_t symbol_of_row(const assay_symbols *symbols, size_t row)
{
    if (row < 128)
        return symbols->kinds[symbols->block_of[row / block_characters] * block_characters + row % block_characters];
    if (!symbols->beyond_ascii_is_alike) return row - 128;
    return continues_character((uint8_t)row) ? symbols_max : symbols->beyond;
}

/* The symbols of ASCII characters are the first. */
static void number_ascii(assay_automaton *automaton, const assay_symbols *symbols)
{
    automaton->ascii_symbols = (uint8_t)symbols->ascii_count;
    for (size_t byte = 0; byte < 128; byte++) {
        automaton->ascii_symbol_of[byte] = (uint8_t)symbol_of_row(symbols, byte);
    }
}

/* As many as there are bytes for, and room in a pair table. */
static void count_stand_ins(assay_automaton *automaton, const assay_symbols *symbols)
{
    const size_t wanted = symbols->count - symbols->ascii_count;
    automaton->stand_ins = (uint8_t)(wanted < stand_ins_max ? wanted : stand_ins_max);
    while (automaton->stand_ins > 0 && pair_bytes(automaton) > pair_bytes_max) automaton->stand_ins--;
}

static character_symbols *make_characters(const assay_symbols *symbols)
{
    const size_t size = (size_t)symbols->kind_blocks * block_characters;
    character_symbols *characters = malloc(sizeof *characters + size + block_characters);
    if (characters == NULL) return NULL;
    memcpy(characters->block_of, symbols->block_of, sizeof symbols->block_of);
    memcpy(characters->kinds, symbols->kinds, size);
    characters->block_of[character_blocks] = (uint16_t)symbols->kind_blocks;
    memset(characters->kinds + size, symbols->beyond, block_characters);
    return characters;
}

static void fill_rows(assay_automaton *automaton, const assay_states *states)
{
    for (size_t row = 0; row < rows_of(&states->symbols); row++) {
        const size_t symbol = symbol_of_row(&states->symbols, row);
        uint8_t *next = automaton->next + (row << automaton->shift);
        for (uint32_t state = 0; state < states->count; state++) {
            next[state] = symbol == symbols_max ? (uint8_t)state : states->next[state * states->symbols.count + symbol];
        }
    }
}

static assay_automaton *create_from_states(const assay_states *states, assay_automaton_refusal *refusal)
{
    const unsigned shift = states->count <= 16 ? 4 : states->count <= 64 ? 6 : 8;
    assay_automaton *automaton = calloc(1, sizeof *automaton + (rows_of(&states->symbols) << shift));
    refusal->because = "out of memory";
    if (automaton == NULL) return NULL;
    automaton->states = states->count;
    automaton->start = states->start;
    automaton->first_accepting = states->first_accepting;
    automaton->shift = (uint8_t)shift;
    number_ascii(automaton, &states->symbols);
    fill_rows(automaton, states);
    if (!states->symbols.beyond_ascii_is_alike) {
        automaton->characters = make_characters(&states->symbols);
        count_stand_ins(automaton, &states->symbols);
    }
    const bool has_characters = states->symbols.beyond_ascii_is_alike || automaton->characters != NULL;
    if (has_characters && assay_automaton_prepare_runs(automaton)) {
        refusal->because = NULL;
        return automaton;
    }
    assay_automaton_free(automaton);
    return NULL;
}

static assay_automaton *create_from_tree(const assay_regular *regular, assay_automaton_refusal *refusal)
{
    assay_automaton *automaton = NULL;
    assay_states *states = calloc(1, sizeof *states);
    assay_positions *positions = malloc(sizeof *positions);
    if (positions == NULL || states == NULL) {
        refusal->because = "out of memory";
    } else if (assay_positions_fill(positions, regular, &refusal->because) &&
               assay_states_build(states, positions, regular, &refusal->because)) {
        automaton = create_from_states(states, refusal);
    }
    if (states != NULL) assay_states_free(states);
    free(states);
    free(positions);
    return automaton;
}

/* ---------------------------------------------------------------------------------------------------------------
 * One or several
 * ------------------------------------------------------------------------------------------------------------- */

/* One automaton for so many parts of the pattern or, if it would be too large, several of which each has some of them:
 *
 *     (?=.*[A-Z])(?=.*[0-9]).{8,64}     the flags of two look-aheads times 65 lengths
 *     .{8,64}   (?=.*[A-Z])(?=.*[0-9])  the flags and the lengths
 */
static assay_automaton *create_from_parts(const assay_regular *regular, uint32_t first, uint32_t count,
                                          assay_automaton_refusal *refusal)
{
    assay_regular some = *regular;
    const uint32_t added = first == 0 ? 0 : 1;
    if (added) some.parts[0] = (regular_part){regular->anything, false};
    memcpy(some.parts + added, regular->parts + first, count * sizeof *some.parts);
    some.part_count = added + count;
    assay_automaton *whole = create_from_tree(&some, refusal);
    if (whole != NULL || count == 1) return whole;
    const uint32_t half = first == 0 ? 1 : count / 2;
    whole = create_from_parts(regular, first, half, refusal);
    if (whole == NULL) return NULL;
    assay_automaton *last = whole;
    while (last->besides != NULL) last = last->besides;
    last->besides = create_from_parts(regular, first + half, count - half, refusal);
    if (last->besides != NULL) return whole;
    assay_automaton_free(whole);
    return NULL;
}

assay_automaton *assay_automaton_create(const uint8_t *text, size_t count, uint32_t options,
                                        const assay_character_finder *finder, assay_automaton_refusal *refusal)
{
    assay_regular regular;
    *refusal = (assay_automaton_refusal){.because = NULL};
    assay_automaton *automaton = NULL;
    if (assay_regular_read(&regular, text, count, options, finder, refusal)) {
        automaton = create_from_parts(&regular, 0, regular.part_count, refusal);
    }
    assay_regular_free(&regular);
    return automaton;
}

void assay_automaton_free(assay_automaton *automaton)
{
    while (automaton != NULL) {
        assay_automaton *besides = automaton->besides;
        assay_automaton_free_pairs(automaton);
        free(automaton->characters);
        free(automaton->loops);
        free(automaton->shuffles);
        free(automaton->steps);
        free(automaton);
        automaton = besides;
    }
}

uint32_t assay_automaton_states(const assay_automaton *automaton)
{
    uint32_t states = 0;
    for (; automaton != NULL; automaton = automaton->besides) states += automaton->states;
    return states;
}
