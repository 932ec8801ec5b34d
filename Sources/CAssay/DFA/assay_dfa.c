/* Constructs a DFA from a pattern: runs the regex compiler, lays out its minimal DFA for execution, and divides the
 * conjuncts of a pattern among a chain of DFAs if one would be too large. */
#include "DFA/assay_dfa.h"

#include "DFA/assay_dfa_tables.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------------
 * From the minimal DFA
 * ------------------------------------------------------------------------------------------------------------- */

/* The number of rows of `next`: see struct assay_dfa. */
static size_t rows_of(const assay_alphabet *alphabet)
{
    return 128 + (alphabet->non_ascii_symbol < symbols_max ? (size_t)128 : alphabet->count);
}

/* Returns the symbol of a row of `next`, or symbols_max for a continuation byte, which does not change the state. */
static size_t symbol_of_row(const assay_alphabet *alphabet, size_t row)
{
    if (row < 128)
        return alphabet->stage2[alphabet->stage1[row / block_characters] * block_characters + row % block_characters];
    if (alphabet->non_ascii_symbol == symbols_max) return row - 128;
    return continues_character((uint8_t)row) ? symbols_max : alphabet->non_ascii_symbol;
}

/* Fills ascii_symbol_of. The alphabet has numbered the symbols of ASCII characters first. */
static void number_ascii(assay_dfa *dfa, const assay_alphabet *alphabet)
{
    dfa->ascii_symbols = (uint8_t)alphabet->ascii_count;
    for (size_t byte = 0; byte < 128; byte++) {
        dfa->ascii_symbol_of[byte] = (uint8_t)symbol_of_row(alphabet, byte);
    }
}

/* Assigns proxy bytes: one for each symbol that no ASCII character has, while there are bytes. Characters of the
 * remaining symbols quit in columns. */
static void count_proxies(assay_dfa *dfa, const assay_alphabet *alphabet)
{
    const size_t target = alphabet->count - alphabet->ascii_count;
    dfa->proxies = (uint8_t)(target < proxies_max ? target : proxies_max);
}

/* Copies the stages of an alphabet without their unused parts. NULL: out of memory. */
static symbol_table *make_symbol_table(const assay_alphabet *alphabet)
{
    const size_t first = alphabet->stage1_blocks * sizeof *alphabet->stage1;
    const size_t second = (size_t)alphabet->stage2_blocks * block_characters;
    symbol_table *non_ascii = malloc(sizeof *non_ascii + first + second);
    if (non_ascii == NULL) return NULL;
    non_ascii->blocks = alphabet->stage1_blocks;
    non_ascii->rows = alphabet->stage2_blocks;
    non_ascii->stage2 = (uint8_t *)(non_ascii->stage1 + alphabet->stage1_blocks);
    memcpy(non_ascii->page_of, alphabet->page_of, sizeof non_ascii->page_of);
    memcpy(non_ascii->stage1, alphabet->stage1, first);
    memcpy(non_ascii->stage2, alphabet->stage2, second);
    for (size_t byte = 0; byte < 256; byte++) {
        non_ascii->block_of[byte] = (uint16_t)(byte < 0x80 ? byte / block_characters : byte & 0x1F);
    }
    return non_ascii;
}

/* Expands transitions by symbol to rows by byte, and transposes them: `minimal` has a row for each state. */
static void fill_rows(assay_dfa *dfa, const assay_minimal_dfa *minimal)
{
    for (size_t row = 0; row < rows_of(&minimal->alphabet); row++) {
        const size_t symbol = symbol_of_row(&minimal->alphabet, row);
        uint8_t *next = dfa->next + (row << dfa->shift);
        for (uint32_t state = 0; state < minimal->count; state++) {
            next[state] =
                symbol == symbols_max ? (uint8_t)state : minimal->next[state * minimal->alphabet.count + symbol];
        }
    }
}

/* Returns the accepting state that no character leaves, or no_sink. A minimal DFA has at most one. */
static uint16_t sink_of(const assay_minimal_dfa *minimal)
{
    const uint32_t symbols = minimal->alphabet.count;
    for (uint32_t state = minimal->first_accepting; state < minimal->count; state++) {
        uint32_t symbol = 0;
        while (symbol < symbols && minimal->next[state * symbols + symbol] == state) symbol++;
        if (symbol == symbols) return (uint16_t)state;
    }
    return no_sink;
}

/* Whether all lead bytes lead to the dead state, from each state that can accept. */
static bool only_ascii_matches(const assay_dfa *dfa)
{
    if (dfa->non_ascii != NULL) return false;
    uint32_t state = state_quit + 1;
    while (state < dfa->states && dfa_step(dfa, 0xC2, state) == state_dead) state++;
    return state == dfa->states;
}

/* Creates a DFA. Rows have 16, 64 or 256 columns, so that a shift finds the row of a byte. NULL: out of memory. */
static assay_dfa *create_from_minimal(const assay_minimal_dfa *minimal, assay_dfa_refusal *refusal)
{
    const unsigned shift = minimal->count <= 16 ? 4 : minimal->count <= 64 ? 6 : 8;
    assay_dfa *dfa = calloc(1, sizeof *dfa + (rows_of(&minimal->alphabet) << shift));
    refusal->because = "out of memory";
    if (dfa == NULL) return NULL;
    dfa->states = minimal->count;
    dfa->start = minimal->start;
    dfa->first_accepting = minimal->first_accepting;
    dfa->sink = sink_of(minimal);
    dfa->shift = (uint8_t)shift;
    number_ascii(dfa, &minimal->alphabet);
    fill_rows(dfa, minimal);
    const bool has_one_symbol = minimal->alphabet.non_ascii_symbol < symbols_max;
    dfa->only_ascii_matches = has_one_symbol && only_ascii_matches(dfa);
    if (!has_one_symbol) {
        dfa->non_ascii = make_symbol_table(&minimal->alphabet);
        count_proxies(dfa, &minimal->alphabet);
    }
    const bool has_characters = has_one_symbol || dfa->non_ascii != NULL;
    if (has_characters && assay_dfa_prepare_scalar(dfa)) {
        refusal->because = NULL;
        return dfa;
    }
    assay_dfa_free(dfa);
    return NULL;
}

/* Constructs one DFA for all conjuncts of `regex`. The minimal DFA exists only during this call. */
static assay_dfa *create_from_regex(const assay_regex *regex, bool is_search, assay_dfa_refusal *refusal)
{
    assay_dfa *dfa = NULL;
    assay_minimal_dfa *minimal = calloc(1, sizeof *minimal);
    if (minimal == NULL) {
        refusal->because = "out of memory";
        return NULL;
    }
    if (assay_minimal_dfa_build(minimal, regex, is_search, &refusal->because)) {
        dfa = create_from_minimal(minimal, refusal);
    }
    assay_minimal_dfa_free(minimal);
    free(minimal);
    return dfa;
}

/* ---------------------------------------------------------------------------------------------------------------
 * One DFA, or a chain
 * ------------------------------------------------------------------------------------------------------------- */

/* Creates one DFA for `count` conjuncts from `first` on or, if that would be too large, a chain of DFAs that divide
 * them.
 *
 *     (?=.*[A-Z])(?=.*[0-9]).{8,64}     one DFA: 2 × 2 flags of two look-aheads, times 65 lengths
 *     .{8,64}                           two DFAs: the lengths,
 *     (?=.*[A-Z])(?=.*[0-9])any*        and the flags
 *
 * Product states multiply; a chain's states add up. The pattern itself (conjunct 0) is split off first, then
 * look-aheads are halved. `any*` replaces the pattern in the DFAs that check only look-aheads. Recursion is at most
 * regex_conjuncts_max deep. */
static assay_dfa *create_from_conjuncts(const assay_regex *regex, bool is_search, uint32_t first, uint32_t count,
                                        assay_dfa_refusal *refusal)
{
    assay_regex some = *regex; /* borrows nodes and sets from `regex` */
    const uint32_t added = first == 0 ? 0 : 1;
    if (added) some.conjuncts[0] = (regex_conjunct){regex->anything, false};
    memcpy(some.conjuncts + added, regex->conjuncts + first, count * sizeof *some.conjuncts);
    some.conjunct_count = added + count;
    assay_dfa *full = create_from_regex(&some, is_search, refusal);
    if (full != NULL || count == 1) return full;
    const uint32_t half = first == 0 ? 1 : count / 2;
    full = create_from_conjuncts(regex, is_search, first, half, refusal);
    if (full == NULL) return NULL;
    assay_dfa *last = full;
    while (last->next_conjunct != NULL) last = last->next_conjunct;
    last->next_conjunct = create_from_conjuncts(regex, is_search, first + half, count - half, refusal);
    if (last->next_conjunct != NULL) return full;
    assay_dfa_free(full);
    return NULL;
}

assay_dfa *assay_dfa_create(const assay_regex *regex, bool is_search, assay_dfa_refusal *refusal)
{
    assay_dfa *dfa = create_from_conjuncts(regex, is_search, 0, regex->conjunct_count, refusal);
    if (dfa != NULL) dfa->lengths = regex->lengths;
    if (dfa == NULL && regex->backward_because != NULL) {
        *refusal = (assay_dfa_refusal){regex->backward_because, regex->backward_offset};
    }
    return dfa;
}

void assay_dfa_free(assay_dfa *dfa)
{
    while (dfa != NULL) {
        assay_dfa *next_conjunct = dfa->next_conjunct;
        assay_dfa_free_columns(dfa);
        free(dfa->non_ascii);
        free(dfa->accel);
        free(dfa->sheng);
        free(dfa->small_stride2);
        free(dfa);
        dfa = next_conjunct;
    }
}

bool assay_dfa_is_chain(const assay_dfa *dfa) { return dfa->next_conjunct != NULL; }

uint32_t assay_dfa_state_count(const assay_dfa *dfa)
{
    uint32_t states = 0;
    for (; dfa != NULL; dfa = dfa->next_conjunct) states += dfa->states;
    return states;
}
