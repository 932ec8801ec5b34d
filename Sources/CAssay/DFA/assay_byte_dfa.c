/* Constructs a DFA over bytes: see assay_byte_dfa.h. For each state of the DFA, the states within characters are found
 * from the last byte of a character to the first, so that equal ones are found by their transitions. */
#include "DFA/assay_byte_dfa.h"

#include <stdlib.h>

enum { inner_slots = 1024 }; /* of a hash table of states within characters: four times states_max */

/* The transitions of a state within characters: by the last six bits of a continuation byte. */
typedef uint8_t inner_state[block_characters];

/* The working memory of one construction. */
typedef struct byte_dfa_builder {
    const assay_dfa *dfa;
    byte_dfa *made;
    unsigned limit; /* of made->states */
    uint8_t slots[inner_slots];
    uint8_t *state_of_row; /* by row of stage2: the state before its last byte, for the current state of the DFA */
    bool *is_known;        /* by row of stage2 */
    uint8_t state_of_page[character_pages]; /* by page: the state before its last two bytes, if it is known */
    bool is_page_known[character_pages];
} byte_dfa_builder;

/* Finds or adds the state with these transitions. If all bytes lead to the dead or the quit state, that state already
 * follows. Returns false if there are too many. */
static bool find_inner(byte_dfa_builder *in, const inner_state transitions, uint8_t *state)
{
    byte_dfa *made = in->made;
    *state = transitions[0];
    if (*state <= state_quit && memcmp(transitions, transitions + 1, block_characters - 1) == 0) return true;
    uint64_t hash = 0;
    for (size_t i = 0; i < block_characters; i += 8) {
        uint64_t word;
        memcpy(&word, transitions + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    size_t slot = hash % inner_slots;
    for (; in->slots[slot] != 0; slot = (slot + 1) % inner_slots) {
        size_t i = 0;
        while (i < block_characters && made->next[0x80 + i][in->slots[slot]] == transitions[i]) i++;
        if (i < block_characters) continue;
        *state = in->slots[slot];
        return true;
    }
    if (made->states >= in->limit) return false;
    *state = in->slots[slot] = (uint8_t)made->states++;
    for (size_t i = 0; i < block_characters; i++) made->next[0x80 + i][*state] = transitions[i];
    return true;
}

/* Finds the state before the last byte of the characters of a block, for state `from` of the DFA. */
static bool find_before_last(byte_dfa_builder *in, unsigned from, size_t block, uint8_t *state)
{
    const symbol_table *non_ascii = in->dfa->non_ascii;
    const size_t row = non_ascii->stage1[block];
    *state = in->state_of_row[row];
    if (in->is_known[row]) return true;
    inner_state transitions;
    for (size_t i = 0; i < block_characters; i++) {
        const uint8_t symbol = non_ascii->stage2[row * block_characters + i];
        transitions[i] = (uint8_t)dfa_step(in->dfa, 128 + (size_t)symbol, from);
    }
    if (!find_inner(in, transitions, state)) return false;
    in->state_of_row[row] = *state;
    in->is_known[row] = true;
    return true;
}

/* Finds the state before the third byte of the characters of a page above U+FFFF. */
static bool find_before_third(byte_dfa_builder *in, unsigned from, size_t page, uint8_t *state)
{
    const size_t number = in->dfa->non_ascii->page_of[page];
    *state = in->state_of_page[number];
    if (in->is_page_known[number]) return true;
    inner_state transitions;
    for (size_t block = 0; block < page_blocks; block++) {
        if (!find_before_last(in, from, character_blocks + number * page_blocks + block, &transitions[block])) {
            return false;
        }
    }
    if (!find_inner(in, transitions, state)) return false;
    in->state_of_page[number] = *state;
    in->is_page_known[number] = true;
    return true;
}

/* Finds the state after a lead byte, for state `from` of the DFA. */
static bool find_after_lead(byte_dfa_builder *in, unsigned from, unsigned lead, uint8_t *state)
{
    if (lead < 0xE0) return find_before_last(in, from, lead & 0x1F, state);
    inner_state transitions;
    /* Overlong forms, surrogates and numbers that are too large occur in no text. They lead to the state of a
     * neighbor. */
    const size_t first = lead == 0xE0 ? 0x20 : lead == 0xF0 ? 0x10 : 0;
    const size_t end = lead == 0xED ? 0x20 : lead == 0xF4 ? 0x10 : block_characters;
    for (size_t second = first; second < end; second++) {
        const bool found = lead < 0xF0
                               ? find_before_last(in, from, (size_t)(lead & 0x0F) << 6 | second, &transitions[second])
                               : find_before_third(in, from, (size_t)(lead & 7) << 6 | second, &transitions[second]);
        if (!found) return false;
    }
    memset(transitions, transitions[first], first);
    memset(transitions + end, transitions[end - 1], block_characters - end);
    return find_inner(in, transitions, state);
}

/* Adds the transitions over non-ASCII characters. Returns false if they need too many states. */
static bool add_non_ascii(byte_dfa_builder *in)
{
    for (unsigned from = 0; from < in->dfa->states; from++) {
        memset(in->is_known, false, in->dfa->non_ascii->rows);
        memset(in->is_page_known, false, sizeof in->is_page_known);
        for (unsigned lead = 0xC2; lead <= 0xF4; lead++) {
            if (!find_after_lead(in, from, lead, &in->made->next[lead][from])) return false;
        }
    }
    return true;
}

/* Fills the transitions of single bytes, as dfa_byte_step defines them: where non-ASCII characters differ, their lead
 * bytes quit. */
static void fill_byte_steps(const assay_dfa *dfa, byte_dfa *made)
{
    made->states = dfa->states;
    for (unsigned byte = 0x80; byte < 0x100; byte++) {
        for (unsigned state = 0; state < dfa->states; state++) {
            made->next[byte][state] = dfa_byte_step(dfa, (uint8_t)state, (uint8_t)byte);
        }
    }
}

/* The same for transliterated text, in which some of these bytes are proxies. */
static void fill_transliterated_steps(const assay_dfa *dfa, byte_dfa *made)
{
    fill_byte_steps(dfa, made);
    for (unsigned i = 0; i < dfa->proxies; i++) {
        for (unsigned state = 0; state < dfa->states; state++) {
            made->next[proxy_byte(i)][state] = (uint8_t)dfa_step(dfa, 128 + (size_t)dfa->ascii_symbols + i, state);
        }
    }
}

/* All non-ASCII characters have one symbol. If no matching value has such characters, their continuation bytes fail,
 * too, so that all their bytes share a class. */
static void fill_one_symbol(const assay_dfa *dfa, byte_dfa *made)
{
    fill_byte_steps(dfa, made);
    for (unsigned state = state_quit + 1; state < dfa->states; state++) {
        if (made->next[0xC2][state] != state_dead) return;
    }
    for (unsigned byte = 0x80; byte < 0xC0; byte++) memcpy(made->next[byte], made->next[0xC2], dfa->states);
}

byte_dfa *assay_byte_dfa_create(const assay_dfa *dfa, unsigned limit)
{
    byte_dfa *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->states = dfa->states;
    made->start = dfa->start;
    made->first_accepting = dfa->first_accepting;
    made->end_of_accepting = (uint8_t)dfa->states;
    for (unsigned byte = 0; byte < 0x80; byte++) {
        for (unsigned state = 0; state < dfa->states; state++) {
            made->next[byte][state] = (uint8_t)dfa_step(dfa, byte, state);
        }
    }
    if (dfa->non_ascii == NULL) {
        made->is_complete = true;
        fill_one_symbol(dfa, made);
        return made;
    }
    const size_t rows = dfa->non_ascii->rows;
    byte_dfa_builder *in = calloc(1, sizeof *in + rows * (sizeof *in->state_of_row + sizeof *in->is_known));
    if (in != NULL) {
        in->dfa = dfa;
        in->made = made;
        in->limit = dfa->states + limit < states_max ? dfa->states + limit : states_max;
        in->state_of_row = (uint8_t *)(in + 1);
        in->is_known = (bool *)(in->state_of_row + rows);
        made->is_complete = add_non_ascii(in);
        for (unsigned byte = 0x80; byte < 0x100; byte++) made->next[byte][state_quit] = state_quit;
        for (unsigned state = 0; state < states_max; state++) made->next[padding_byte][state] = (uint8_t)state;
    }
    if (!made->is_complete) fill_transliterated_steps(dfa, made);
    free(in);
    return made;
}
