/* Makes the program of a lazy DFA: alphabet, NFA of each conjunct, and what a search needs at each character. */
#include "DFA/Lazy/assay_lazy_bits.h"
#include "Dispatch/assay_kernels.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { START_ITEMS_MAX = 1 << 18 };

static void prepare_assertions(assay_lazy_program *program, const assay_regex *regex)
{
    const assay_alphabet *alphabet = &program->alphabet;
    for (uint32_t index = 0; index < regex->assertion_count; index++) {
        const regex_assertion assertion = regex->assertions[index];
        const uint16_t bit = (uint16_t)(1u << index);
        if (assertion.negated) program->negated |= bit;
        for (uint32_t symbol = 0; symbol < alphabet->count; symbol++) {
            if (assertion.behind != regex_none && assay_alphabet_is_in(alphabet, symbol, assertion.behind)) {
                program->behind[symbol] |= bit;
            }
            if (assertion.ahead != regex_none && assay_alphabet_is_in(alphabet, symbol, assertion.ahead)) {
                program->ahead[symbol] |= bit;
            }
        }
    }
}

static void prepare_ascii(assay_lazy_program *program)
{
    const assay_alphabet *alphabet = &program->alphabet;
    for (size_t byte = 0; byte < 128; byte++) {
        const size_t block = alphabet->stage1[byte / block_characters];
        program->ascii_symbol_of[byte] = alphabet->stage2[block * block_characters + byte % block_characters];
    }
}

/* Fills start_items and start_at. false: out of memory, with *because; too many items leave begins_anew false. */
static bool index_start(const assay_lazy_program *program, assay_lazy_caches *room, lazy_conjunct *part,
                        const uint32_t *start, uint32_t count)
{
    const thompson_instruction *code = part->nfa.code;
    const uint32_t symbols = program->alphabet.count;
    uint32_t capacity = 0;
    uint32_t used = 0;
    part->start_at = malloc((symbols + 1) * sizeof *part->start_at);
    if (part->start_at == NULL) return false;
    for (uint32_t symbol = 0; symbol < symbols; symbol++) {
        part->start_at[symbol] = used;
        lazy_begin_set(room);
        for (uint32_t i = 0; i < count; i++) {
            const thompson_instruction *at = &code[start[i]];
            if (at->kind == THOMPSON_CLASS && assay_alphabet_is_in(&program->alphabet, symbol, at->label)) {
                lazy_add_closure(room, code, at->next);
            }
        }
        if (room->found_count > START_ITEMS_MAX - used) return true;
        if (used + room->found_count > capacity) {
            capacity = 2 * (used + room->found_count);
            uint32_t *items = realloc(part->start_items, capacity * sizeof *items);
            if (items == NULL) return false;
            part->start_items = items;
        }
        if (room->found_count > 0) {
            memcpy(part->start_items + used, room->found, room->found_count * sizeof *room->found);
        }
        used += room->found_count;
    }
    part->start_at[symbols] = used;
    part->begins_anew = true;
    return part->starts_matched || part->words != NULL || lazy_find_prefixes(program, room, part);
}

static bool prepare_start(const assay_lazy_program *program, assay_lazy_caches *room, lazy_conjunct *part)
{
    if (!lazy_make_room(room, part->nfa.count)) return false;
    const thompson_instruction *code = part->nfa.code;
    lazy_begin_set(room);
    lazy_add_closure(room, code, part->nfa.start);
    const uint32_t count = room->found_count;
    part->starts_matched = lazy_has(code, THOMPSON_MATCH, room->found, count);
    const bool is_conditional = program->backward.nfa.count > 0 || part->nfa.lookbehind_count > 0 ||
                                lazy_has_conditions(code, room->found, count);
    if (!program->is_search || is_conditional) return true;
    uint32_t *start = malloc((count + 1) * sizeof *start);
    if (start == NULL) return false;
    memcpy(start, room->found, count * sizeof *start);
    const bool indexed = index_start(program, room, part, start, count);
    free(start);
    return indexed;
}

static bool fill(assay_lazy_program *program, assay_lazy_caches *room, const assay_regex *regex, const char **because)
{
    const assay_character_set *sets[regex_classes_max];
    for (uint32_t i = 0; i < regex->set_count; i++) sets[i] = regex->sets[i];
    if (!assay_alphabet_build(&program->alphabet, sets, regex->set_count, because)) return false;
    prepare_ascii(program);
    prepare_assertions(program, regex);
    program->backward.is_backward = true;
    program->backward.columns = program->alphabet.count;
    for (uint32_t i = 0; i < regex->conjunct_count; i++) {
        lazy_conjunct *part = &program->conjuncts[program->conjunct_count++];
        part->negated = regex->conjuncts[i].negated;
        if (!assay_thompson_build(&part->nfa, &program->backward.nfa, regex, regex->conjuncts[i].root,
                                  program->is_search, because)) {
            return false;
        }
        const assay_thompson *backward = &program->backward.nfa;
        part->columns = program->alphabet.count << backward->lookbehind_count;
        if (backward->count > program->instructions) program->instructions = backward->count;
        if (program->is_search && !lazy_words_create(regex, regex->conjuncts[i].root, &part->words)) {
            *because = "out of memory";
            return false;
        }
        if (!prepare_start(program, room, part) || !lazy_make_bits(program, room, part)) {
            *because = "out of memory";
            return false;
        }
        if (part->nfa.count > program->instructions) program->instructions = part->nfa.count;
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
    assay_alphabet_free(&program->alphabet);
    assay_thompson_free(&program->backward.nfa);
    for (uint32_t i = 0; i < regex_conjuncts_max; i++) {
        assay_thompson_free(&program->conjuncts[i].nfa);
        free(program->conjuncts[i].start_items);
        free(program->conjuncts[i].start_at);
        lazy_words_free(program->conjuncts[i].words);
        free(program->conjuncts[i].bits);
    }
    free(program);
}

uint32_t assay_lazy_program_size(const assay_lazy_program *program)
{
    uint32_t size = program->backward.nfa.count;
    for (uint32_t i = 0; i < program->conjunct_count; i++) size += program->conjuncts[i].nfa.count;
    return size;
}

bool assay_lazy_program_runs_twice(const assay_lazy_program *program) { return program->backward.nfa.count > 0; }

const char *assay_lazy_program_prefilter(const assay_lazy_program *program)
{
    const lazy_conjunct *part = &program->conjuncts[0];
    if (part->words != NULL) return "hashes of words (Rabin-Karp)";
    if (!part->has_filter || assay_kernels_current()->find_candidate == NULL) return NULL;
    return "a prefix filter (Teddy)";
}
