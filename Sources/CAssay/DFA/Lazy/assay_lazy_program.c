/* Constructs the program of a lazy DFA: the alphabet, the NFA of each conjunct, and the data that a search needs at
   each character. */
#include "DFA/Lazy/assay_lazy_bits.h"
#include "Dispatch/assay_kernels.h"
#include "Memory/assay_grow.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { START_ITEMS_MAX = 1 << 18 };

static void prepare_ascii(assay_lazy_program *program)
{
    const assay_alphabet *alphabet = &program->symbols.alphabet;
    for (size_t byte = 0; byte < 128; byte++) {
        const size_t block = alphabet->stage1[byte / block_characters];
        program->ascii_symbol_of[byte] = alphabet->stage2[block * block_characters + byte % block_characters];
    }
}

/* Fills start_items and start_at. Returns false if memory runs out. Too many items leave restarts false. */
static bool index_start(const assay_lazy_program *program, assay_lazy_caches *room, lazy_conjunct *part,
                        const uint32_t *start, uint32_t count)
{
    const thompson_instruction *code = part->of.nfa.code;
    const uint32_t symbols = program->symbols.alphabet.count;
    size_t capacity = 0;
    uint32_t used = 0;
    part->of.start_at = malloc((symbols + 1) * sizeof *part->of.start_at);
    if (part->of.start_at == NULL) return false;
    for (uint32_t symbol = 0; symbol < symbols; symbol++) {
        part->of.start_at[symbol] = used;
        assay_instruction_set_clear(&room->set);
        for (uint32_t i = 0; i < count; i++) {
            const thompson_instruction *at = &code[start[i]];
            if (at->kind == THOMPSON_CLASS && assay_alphabet_is_in(&program->symbols.alphabet, symbol, at->label)) {
                assay_instruction_set_add(&room->set, code, at->next);
            }
        }
        if (room->set.found_count > START_ITEMS_MAX - used) return true;
        const size_t needed = (size_t)used + room->set.found_count;
        if (!assay_grow(&part->of.start_items, &capacity, sizeof *part->of.start_items, needed)) return false;
        if (room->set.found_count > 0) {
            memcpy(part->of.start_items + used, room->set.found, room->set.found_count * sizeof *room->set.found);
        }
        used += room->set.found_count;
    }
    part->of.start_at[symbols] = used;
    part->of.restarts = true;
    return true;
}

static bool prepare_start(const assay_lazy_program *program, assay_lazy_caches *room, lazy_conjunct *part)
{
    if (!assay_instruction_set_reserve(&room->set, part->of.nfa.count)) return false;
    const thompson_instruction *code = part->of.nfa.code;
    assay_instruction_set_clear(&room->set);
    assay_instruction_set_add(&room->set, code, part->of.nfa.conjuncts[0].start);
    const uint32_t count = room->set.found_count;
    part->starts_matched = assay_instructions_have(code, THOMPSON_MATCH, room->set.found, count);
    const bool is_conditional = program->backward.of.nfa.count > 0 || part->of.nfa.lookbehind_count > 0 ||
                                assay_instructions_have_conditions(code, room->set.found, count);
    if (!program->is_search || is_conditional || part->starts_matched) return true;
    uint32_t *start = malloc((count + 1) * sizeof *start);
    if (start == NULL) return false;
    memcpy(start, room->set.found, count * sizeof *start);
    const bool indexed = index_start(program, room, part, start, count);
    free(start);
    return indexed;
}

/* Constructs the filter of a search that does not match everywhere. */
static bool prepare_filter(const assay_lazy_program *program, const assay_regex *regex, assay_lazy_caches *room,
                           lazy_conjunct *part)
{
    if (!program->is_search || part->starts_matched || part->negated) return true;
    return lazy_find_filters(program, regex, room, part);
}

/* Builds the automata of all conjuncts, and their symbols. */
static bool build_automata(assay_lazy_program *program, const assay_regex *regex, const char **because)
{
    const assay_thompson *automata[regex_conjuncts_max + 1];
    for (uint32_t i = 0; i < regex->conjunct_count; i++) {
        lazy_conjunct *part = &program->conjuncts[program->conjunct_count++];
        const regex_conjunct positive = {regex->conjuncts[i].root, false};
        part->negated = regex->conjuncts[i].negated;
        part->of.is_search = program->is_search;
        assay_thompson_free(&program->backward.of.nfa); /* only a pattern of one conjunct has look-aheads */
        if (!assay_thompson_build(&part->of.nfa, &program->backward.of.nfa, regex, &positive, 1, program->is_search,
                                  because)) {
            return false;
        }
        automata[i] = &part->of.nfa;
        if (part->of.nfa.count > program->instructions) program->instructions = part->of.nfa.count;
    }
    const assay_thompson *backward = &program->backward.of.nfa;
    automata[regex->conjunct_count] = backward;
    if (backward->count > program->instructions) program->instructions = backward->count;
    if (!assay_automaton_symbols_build(&program->symbols, regex, automata, regex->conjunct_count + 1, because)) {
        return false;
    }
    const uint32_t symbols = program->symbols.alphabet.count;
    for (uint32_t i = 0; i < program->conjunct_count; i++) {
        program->conjuncts[i].of.columns = symbols << backward->lookbehind_count;
    }
    program->backward.of.is_backward = true;
    program->backward.of.columns = symbols;
    return true;
}

/* Whether the states of a search for words, about one for each instruction, may exceed a cache. Near misses would then
   reconstruct states repeatedly, and hashing is faster; if the states fit, the DFA is faster. An outside review of
   2026-11 measured both sides, with 2,000 and with 10,000 words. */
static bool exceeds_cache(const lazy_conjunct *part)
{
    const uint32_t fit = subset_transitions_max / part->of.columns;
    return part->of.nfa.count > (fit < subsets_max ? fit : subsets_max);
}

static bool fill(assay_lazy_program *program, assay_lazy_caches *room, const assay_regex *regex, const char **because)
{
    if (!build_automata(program, regex, because)) return false;
    prepare_ascii(program);
    *because = "out of memory";
    for (uint32_t i = 0; i < program->conjunct_count; i++) {
        lazy_conjunct *part = &program->conjuncts[i];
        if (program->is_search && !lazy_words_create(regex, regex->conjuncts[i].root, &part->words)) return false;
        part->has_many_words = part->words != NULL && exceeds_cache(part);
        if (!prepare_start(program, room, part) || !prepare_filter(program, regex, room, part) ||
            !lazy_make_bits(program, room, part)) {
            return false;
        }
    }
    return true;
}

assay_lazy_program *assay_lazy_program_create(const assay_regex *regex, bool is_search, const char **because)
{
    static _Atomic(uint64_t) last_id;
    if (is_search && regex->conjunct_count > 1) {
        *because = "a look-ahead of more than one character in a search";
        return NULL;
    }
    assay_lazy_program *program = calloc(1, sizeof *program);
    assay_lazy_caches *room = assay_lazy_caches_create();
    *because = "out of memory";
    bool filled = false;
    if (program != NULL && room != NULL) {
        program->is_search = is_search;
        program->lengths = regex->lengths;
        program->id = 1 + atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed);
        filled = fill(program, room, regex, because);
    }
    assay_lazy_caches_free(room);
    if (filled) return program;
    assay_lazy_program_free(program);
    return NULL;
}

void assay_lazy_program_free(assay_lazy_program *program)
{
    if (program == NULL) return;
    assay_alphabet_free(&program->symbols.alphabet);
    assay_thompson_free(&program->backward.of.nfa);
    for (uint32_t i = 0; i < regex_conjuncts_max; i++) {
        assay_thompson_free(&program->conjuncts[i].of.nfa);
        free(program->conjuncts[i].of.start_items);
        free(program->conjuncts[i].of.start_at);
        for (int k = 0; k < 2; k++) free(program->conjuncts[i].filters[k].grams);
        free(program->conjuncts[i].beginning);
        lazy_words_free(program->conjuncts[i].words);
        free(program->conjuncts[i].bits);
    }
    free(program);
}

uint32_t assay_lazy_program_size(const assay_lazy_program *program)
{
    uint32_t size = program->backward.of.nfa.count;
    for (uint32_t i = 0; i < program->conjunct_count; i++) size += program->conjuncts[i].of.nfa.count;
    return size;
}

bool assay_lazy_program_runs_twice(const assay_lazy_program *program) { return program->backward.of.nfa.count > 0; }

const char *assay_lazy_program_prefilter(const assay_lazy_program *program)
{
    const lazy_conjunct *part = &program->conjuncts[0];
    const lazy_filter *filter = lazy_filter_of(part);
    if (filter == NULL) return part->has_many_words ? "hashes of words (Rabin-Karp)" : NULL;
    switch (filter->kind) {
    case FILTER_NONE:
        break;
    case FILTER_BYTES:
        return "bytes that each match has (Teddy)";
    case FILTER_GRAMS:
        return "hashes of the first bytes of each match (Wu-Manber)";
    case FILTER_END:
        return "the end of the value, at which each match ends";
    }
    return NULL;
}
