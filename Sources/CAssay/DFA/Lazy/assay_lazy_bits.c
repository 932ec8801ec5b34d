/* Constructs and runs the bit-parallel form of a conjunct. */
#include "DFA/Lazy/assay_lazy_bits.h"
#include "DFA/assay_dfa_tables.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* With fewer positions, no state of the lazy DFA can be too expensive. */
    FEWEST = 64,
    /* Bounds the words that a step may examine: words × (rules + 3). */
    WORDS_PER_STEP = 384,
};

static void set_bit(uint64_t *words, uint32_t bit) { words[bit / 64] |= UINT64_C(1) << (bit % 64); }

/* Adds the successors of a position, except the next position, to the rule with these successors or to a new one.
   Returns false if there are too many rules. */
static bool add_rule(lazy_bits *bits, uint32_t position, const uint64_t *to)
{
    const uint32_t words = bits->words;
    for (uint32_t i = 0; i < bits->rule_count; i++) {
        uint64_t *rule = bits->rules + 2 * (size_t)i * words;
        if (memcmp(rule + words, to, words * sizeof *to) != 0) continue;
        set_bit(rule, position);
        return true;
    }
    if (words * (bits->rule_count + 4) > WORDS_PER_STEP) return false;
    uint64_t *rule = bits->rules + 2 * (size_t)bits->rule_count++ * words;
    set_bit(rule, position);
    memcpy(rule + words, to, words * sizeof *to);
    return true;
}

/* Adds the positions among the found instructions, except `excepted`, to `to`. Returns whether there are any; *matches
   and *has_excepted are set if the match or `excepted` is found. */
static bool add_positions(const assay_lazy_caches *room, const thompson_instruction *code, const uint32_t *position_of,
                          uint32_t excepted, uint64_t *to, bool *matches, bool *has_excepted)
{
    bool any = false;
    for (uint32_t i = 0; i < room->set.found_count; i++) {
        const uint32_t item = room->set.found[i];
        if (code[item].kind == THOMPSON_MATCH) {
            *matches = true;
        } else if (position_of[item] == excepted) {
            *has_excepted = true;
        } else {
            set_bit(to, position_of[item]);
            any = true;
        }
    }
    return any;
}

static bool fill(lazy_bits *bits, const assay_lazy_program *program, assay_lazy_caches *room, const assay_thompson *nfa,
                 const uint32_t *position_of)
{
    const thompson_instruction *code = nfa->code;
    const uint32_t words = bits->words;
    uint64_t to[lazy_bit_words] = {0};
    bool matches = false;
    bool has_next = false;
    assay_instruction_set_clear(&room->set);
    assay_instruction_set_add(&room->set, code, nfa->conjuncts[0].start);
    if (assay_instructions_have_conditions(code, room->set.found, room->set.found_count)) return false;
    add_positions(room, code, position_of, UINT32_MAX, bits->start, &matches, &has_next);
    for (uint32_t item = 0; item < nfa->count; item++) {
        if (code[item].kind != THOMPSON_CLASS) continue;
        const uint32_t position = position_of[item];
        for (uint32_t symbol = 0; symbol < program->symbols.alphabet.count; symbol++) {
            if (!assay_alphabet_is_in(&program->symbols.alphabet, symbol, code[item].label)) continue;
            set_bit(bits->reach + (size_t)symbol * words, position);
        }
        assay_instruction_set_clear(&room->set);
        assay_instruction_set_add(&room->set, code, code[item].next);
        if (assay_instructions_have_conditions(code, room->set.found, room->set.found_count)) return false;
        matches = has_next = false;
        memset(to, 0, sizeof to);
        const bool others = add_positions(room, code, position_of, position + 1, to, &matches, &has_next);
        if (matches) set_bit(bits->ends, position);
        if (has_next) set_bit(bits->steps, position);
        if (others && !add_rule(bits, position, to)) return false;
    }
    return true;
}

bool lazy_make_bits(const assay_lazy_program *program, assay_lazy_caches *room, lazy_conjunct *part)
{
    const assay_thompson *nfa = &part->of.nfa;
    uint32_t positions = 0;
    for (uint32_t item = 0; item < nfa->count; item++) positions += nfa->code[item].kind == THOMPSON_CLASS;
    if (positions < FEWEST || positions > 64 * lazy_bit_words || nfa->lookbehind_count > 0) return true;
    const uint32_t words = (positions + 63) / 64;
    const size_t rules = WORDS_PER_STEP / words;
    const size_t all = words * (size_t)(program->symbols.alphabet.count + 3 + 2 * rules);
    lazy_bits *bits = calloc(1, sizeof *bits + all * sizeof(uint64_t));
    uint32_t *position_of = malloc(nfa->count * sizeof *position_of);
    if (bits == NULL || position_of == NULL) {
        free(bits);
        free(position_of);
        return false;
    }
    /* Later characters have lower instructions, because the automaton is built from its end. */
    uint32_t next = positions;
    for (uint32_t item = 0; item < nfa->count; item++) {
        if (nfa->code[item].kind == THOMPSON_CLASS) position_of[item] = --next;
    }
    bits->words = words;
    bits->start = bits->storage;
    bits->steps = bits->start + words;
    bits->ends = bits->steps + words;
    bits->reach = bits->ends + words;
    bits->rules = bits->reach + (size_t)program->symbols.alphabet.count * words;
    if (fill(bits, program, room, nfa, position_of)) {
        part->bits = bits;
    } else {
        free(bits);
    }
    free(position_of);
    return true;
}

/* Writes the successors of the positions `from`, which must not be empty. */
static void follow(const lazy_bits *bits, const uint64_t *from, uint64_t *to)
{
    const uint32_t words = bits->words;
    uint64_t carry = 0;
    for (uint32_t i = 0; i < words; i++) {
        const uint64_t steps = from[i] & bits->steps[i];
        to[i] = steps << 1 | carry;
        carry = steps >> 63;
    }
    for (uint32_t rule = 0; rule < bits->rule_count; rule++) {
        const uint64_t *of = bits->rules + 2 * (size_t)rule * words;
        uint64_t any = 0;
        for (uint32_t i = 0; i < words; i++) any |= from[i] & of[i];
        if (any == 0) continue;
        for (uint32_t i = 0; i < words; i++) to[i] |= of[words + i];
    }
}

dfa_answer lazy_match_bits(const assay_lazy_program *program, const lazy_conjunct *part, const uint8_t *value,
                           size_t count)
{
    const lazy_bits *bits = part->bits;
    const uint32_t words = bits->words;
    uint64_t ready[lazy_bit_words]; /* the positions that may take the next character */
    uint64_t taken[lazy_bit_words]; /* the positions that have taken the last character */
    bool matches = part->starts_matched;
    memcpy(ready, bits->start, words * sizeof *ready);
    for (size_t at = 0; at < count;) {
        const uint32_t symbol = lazy_next_symbol(program, value, &at);
        if (symbol == program->symbols.alphabet.unknown) return DFA_UNKNOWN;
        const uint64_t *reach = bits->reach + (size_t)symbol * words;
        uint64_t any = 0;
        uint64_t ended = 0;
        for (uint32_t i = 0; i < words; i++) {
            taken[i] = ready[i] & reach[i];
            any |= taken[i];
            ended |= taken[i] & bits->ends[i];
        }
        matches = ended != 0;
        if (program->is_search && matches) return DFA_PASS;
        if (any == 0 && !program->is_search) return DFA_FAIL;
        follow(bits, taken, ready);
        if (!program->is_search) continue;
        for (uint32_t i = 0; i < words; i++) ready[i] |= bits->start[i];
    }
    return matches ? DFA_PASS : DFA_FAIL;
}
