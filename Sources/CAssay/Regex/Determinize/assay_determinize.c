#include "Regex/Determinize/assay_determinize.h"

#include "Memory/assay_grow.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Symbols
 * ------------------------------------------------------------------------------------------------------------- */

/* Selects the sets to which an automaton refers. Others must not split the alphabet, because in a chain of DFAs they
 * belong to other conjuncts. */
static void find_used_sets(const assay_thompson *nfa, const assay_regex *regex,
                           const assay_character_set *used[regex_classes_max])
{
    for (uint32_t i = 0; i < nfa->count; i++) {
        const uint32_t label = nfa->code[i].label;
        switch ((thompson_kind)nfa->code[i].kind) {
        case THOMPSON_CLASS:
            used[label] = regex->sets[label];
            break;
        case THOMPSON_ASSERTION: {
            const regex_assertion assertion = regex->assertions[label];
            if (assertion.behind != regex_none) used[assertion.behind] = regex->sets[assertion.behind];
            if (assertion.ahead != regex_none) used[assertion.ahead] = regex->sets[assertion.ahead];
            break;
        }
        case THOMPSON_SPLIT:
        case THOMPSON_MATCH:
        case THOMPSON_LOOKBEHIND:
        case THOMPSON_BEHIND:
        case THOMPSON_LOOKAHEAD:
            break;
        }
    }
}

static void prepare_assertion(automaton_symbols *symbols, const assay_character_set *const *sets,
                              const regex_assertion assertion, uint16_t bit)
{
    const assay_alphabet *alphabet = &symbols->alphabet;
    const bool knows_behind = assertion.behind == regex_none || !sets[assertion.behind]->above_is_unknown;
    const bool knows_ahead = assertion.ahead == regex_none || !sets[assertion.ahead]->above_is_unknown;
    if (assertion.negated) symbols->negated |= bit;
    if (!knows_behind || !knows_ahead) symbols->unknown_assertions |= bit;
    if (!knows_behind) symbols->behind_is_unknown = true;
    for (uint32_t symbol = 0; symbol < alphabet->count; symbol++) {
        if (assertion.behind != regex_none && assay_alphabet_is_in(alphabet, symbol, assertion.behind)) {
            symbols->behind[symbol] |= bit;
        }
        if (assertion.ahead != regex_none && assay_alphabet_is_in(alphabet, symbol, assertion.ahead)) {
            symbols->ahead[symbol] |= bit;
        }
    }
}

bool assay_automaton_symbols_build(automaton_symbols *symbols, const assay_regex *regex,
                                   const assay_thompson *const *automata, uint32_t count, const char **because)
{
    static const assay_character_set no_characters = {.bound_count = 0};
    const assay_character_set *sets[regex_classes_max];
    _Static_assert((int)regex_classes_max <= (int)symbol_sets_max, "an alphabet has room for the sets of a pattern");
    memset(symbols, 0, sizeof *symbols);
    for (uint32_t i = 0; i < regex->set_count; i++) sets[i] = &no_characters;
    for (uint32_t i = 0; i < count; i++) find_used_sets(automata[i], regex, sets);
    if (!assay_alphabet_build(&symbols->alphabet, sets, regex->set_count, because)) return false;
    for (uint32_t i = 0; i < regex->set_count; i++) {
        if (sets[i]->above_is_unknown) symbols->unknown_classes[i / 64] |= UINT64_C(1) << (i % 64);
    }
    for (uint32_t i = 0; i < regex->assertion_count; i++) {
        prepare_assertion(symbols, sets, regex->assertions[i], (uint16_t)(1u << i));
    }
    return true;
}

/* Whether this symbol has characters that the classes do not know. */
static bool is_unknown_symbol(const automaton_symbols *symbols, uint32_t symbol)
{
    return symbol == symbols->alphabet.unknown;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Conditions
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether the set has the end of a look-behind's text. */
static bool has_behind(const instruction_set *set, const thompson_instruction *code, uint32_t number)
{
    for (uint32_t i = 0; i < set->found_count; i++) {
        const thompson_instruction *at = &code[set->found[i]];
        if (at->kind == THOMPSON_BEHIND && at->label == number) return true;
    }
    return false;
}

/* Adds the instructions after the assertions and look-arounds of the set that hold between `behind` and `ahead`. The
 * set grows during the loop, so assertions after assertions are evaluated. A look-behind is evaluated after its own
 * automaton has passed its assertions, which may include look-behinds with lower numbers. Returns the look-behinds that
 * hold. */
static uint32_t pass_conditions(const determinizer *in, uint16_t behind, uint16_t ahead, uint32_t lookaheads)
{
    const assay_thompson *nfa = &in->of->nfa;
    const thompson_instruction *code = nfa->code;
    const uint16_t holding = (uint16_t)(behind ^ ahead ^ in->symbols->negated);
    uint32_t lookbehinds = 0;
    for (uint32_t known = 0; known <= nfa->lookbehind_count; known++) {
        for (uint32_t i = 0; i < in->set->found_count; i++) {
            const thompson_instruction *at = &code[in->set->found[i]];
            const uint32_t truths = at->kind == THOMPSON_ASSERTION    ? holding
                                    : at->kind == THOMPSON_LOOKBEHIND ? lookbehinds
                                    : at->kind == THOMPSON_LOOKAHEAD  ? lookaheads
                                                                      : 0;
            if (truths != 0 && (truths >> at->label & 1) != 0) assay_instruction_set_add(in->set, code, at->next);
        }
        if (known == nfa->lookbehind_count) break;
        if (has_behind(in->set, code, known) != nfa->lookbehinds[known].negated) lookbehinds |= 1u << known;
    }
    return lookbehinds;
}

/* Fills the set with the items of a state, and with the instructions after its conditions that hold before `ahead`.
 * Returns the look-behinds that hold. */
static uint32_t find_items(const determinizer *in, const subset *state, uint16_t ahead, uint32_t lookaheads)
{
    assay_instruction_set_clear(in->set);
    for (uint32_t i = 0; i < state->count; i++) {
        assay_instruction_set_add(in->set, in->of->nfa.code, in->cache->items[state->first + i]);
    }
    return pass_conditions(in, state->behind, ahead, lookaheads);
}

/* Adds the starts of the look-behinds, which restart at each character. */
static void begin_lookbehinds(const determinizer *in)
{
    const assay_thompson *nfa = &in->of->nfa;
    for (uint32_t i = 0; i < nfa->lookbehind_count; i++) {
        assay_instruction_set_add(in->set, nfa->code, nfa->lookbehinds[i].start);
    }
}

/* Returns a bit for each conjunct with its end in the set. */
static uint32_t matched_conjuncts(const determinizer *in)
{
    uint32_t matched = 0;
    for (uint32_t i = 0; i < in->set->found_count; i++) {
        const thompson_instruction *at = &in->of->nfa.code[in->set->found[i]];
        if (at->kind == THOMPSON_MATCH) matched |= 1u << at->label;
    }
    return matched;
}

/* Whether a value that ends here passes if these conjuncts match it. */
static bool all_agree(const assay_thompson *nfa, uint32_t matched)
{
    for (uint32_t i = 0; i < nfa->conjunct_count; i++) {
        if ((matched >> i & 1) == nfa->conjuncts[i].negated) return false;
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * The cache
 * ------------------------------------------------------------------------------------------------------------- */

void assay_subset_cache_free(subset_cache *cache)
{
    free(cache->next);
    free(cache->subsets);
    free(cache->items);
    free(cache->slots);
    *cache = (subset_cache){.next = NULL};
}

void assay_subset_cache_empty(subset_cache *cache)
{
    if (cache->slots != NULL) memset(cache->slots, 0, cache->slot_count * sizeof *cache->slots);
    cache->count = SUBSET_FIRST;
    cache->item_count = 0;
    cache->start = SUBSET_OPEN;
    cache->times_emptied++;
}

/* Reserves room for one more state with `count` items. Returns false if the cache is full or memory runs out. */
static bool reserve(subset_cache *cache, uint32_t columns, uint32_t count)
{
    const uint32_t fit = subset_transitions_max / columns;
    const uint32_t limit = fit < subsets_max ? fit : subsets_max;
    if (cache->slots == NULL) {
        if (cache->slot_count == 0) cache->slot_count = subset_slots_max;
        cache->slots = calloc(cache->slot_count, sizeof *cache->slots);
        if (cache->slots == NULL) return false;
        assay_subset_cache_empty(cache);
    }
    if (cache->count >= limit || cache->count >= cache->slot_count / 2) return false;
    if (count > subset_items_max - cache->item_count) return false;
    if (cache->count >= cache->capacity) {
        uint32_t capacity = cache->capacity == 0 ? 64 : 2 * cache->capacity;
        if (capacity > limit) capacity = limit;
        if (!assay_resize(&cache->subsets, sizeof *cache->subsets, capacity) ||
            !assay_resize(&cache->next, columns * sizeof *cache->next, capacity)) {
            return false;
        }
        cache->capacity = capacity;
    }
    return assay_grow(&cache->items, &cache->item_capacity, sizeof *cache->items, (size_t)cache->item_count + count);
}

/* Returns the state of the set, known or new. SUBSET_OPEN: no room. */
static uint32_t state_of_set(const determinizer *in, uint16_t behind)
{
    subset_cache *cache = in->cache;
    uint32_t *items = in->set->found;
    const uint32_t columns = in->of->columns;
    const uint32_t count = in->set->found_count;
    assay_instruction_set_sort(in->set);
    uint64_t mixed = behind;
    for (uint32_t i = 0; i < count; i++) mixed = (mixed ^ items[i]) * UINT64_C(0x9E3779B97F4A7C15);
    const uint32_t hash = (uint32_t)(mixed >> 32);
    if (!reserve(cache, columns, count)) return SUBSET_OPEN;
    uint32_t slot = hash % cache->slot_count;
    for (; cache->slots[slot] != 0; slot = (slot + 1) % cache->slot_count) {
        const subset *known = &cache->subsets[cache->slots[slot]];
        if (known->hash == hash && known->count == count && known->behind == behind &&
            (count == 0 || memcmp(cache->items + known->first, items, count * sizeof *items) == 0)) {
            return cache->slots[slot] * columns;
        }
    }
    const uint32_t row = cache->count++;
    cache->slots[slot] = (uint16_t)row;
    cache->subsets[row] = (subset){.first = cache->item_count, .count = count, .hash = hash, .behind = behind};
    if (count > 0) memcpy(cache->items + cache->item_count, items, count * sizeof *items);
    cache->item_count += count;
    if (count > cache->largest) cache->largest = count;
    memset(cache->next + (size_t)row * columns, 0, columns * sizeof *cache->next);
    return row * columns;
}

uint32_t assay_subset_restore(const determinizer *in, const uint32_t *items, uint32_t count, uint16_t behind)
{
    assay_instruction_set_clear(in->set);
    in->set->found_count = count;
    if (count > 0) memmove(in->set->found, items, count * sizeof *items);
    return state_of_set(in, behind);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Transitions
 * ------------------------------------------------------------------------------------------------------------- */

/* Constructs the other states in which no match has begun. The set has the instructions of the start. */
static void make_idle_states(const determinizer *in)
{
    if (!assay_instructions_have_conditions(in->of->nfa.code, in->set->found, in->set->found_count)) return;
    for (uint32_t symbol = 0; symbol < in->symbols->alphabet.count; symbol++) {
        const uint32_t state = state_of_set(in, in->symbols->behind[symbol]);
        if (state == in->cache->last_idle + in->of->columns) in->cache->last_idle = state;
    }
}

uint32_t assay_subset_start(const determinizer *in)
{
    const assay_thompson *nfa = &in->of->nfa;
    if (in->cache->start != SUBSET_OPEN) return in->cache->start;
    assay_instruction_set_clear(in->set);
    for (uint32_t i = 0; i < nfa->conjunct_count && !in->of->restarts; i++) {
        assay_instruction_set_add(in->set, nfa->code, nfa->conjuncts[i].start);
    }
    if (in->of->is_search && matched_conjuncts(in) != 0) return in->cache->start = SUBSET_MATCHED;
    begin_lookbehinds(in);
    const uint32_t start = state_of_set(in, 0);
    in->cache->start = in->cache->last_idle = start;
    if (start != SUBSET_OPEN && in->of->is_search) make_idle_states(in);
    return start;
}

/* The instructions that may read the next character. */
typedef struct ready_items {
    const uint32_t *items;
    uint32_t count;
    uint32_t lookbehinds; /* those that hold before the next character */
} ready_items;

/* Finds the instructions of a state that may read a character of this symbol. Conditions before the character are
 * evaluated here, because both sides are known. */
static ready_items find_ready(const determinizer *in, const subset *state, uint32_t symbol, uint32_t lookaheads)
{
    const uint32_t *items = in->cache->items + state->first;
    const bool has_conditions =
        state->count > 0 && assay_instructions_have_conditions(in->of->nfa.code, items, state->count);
    if (!in->of->is_backward && !has_conditions) return (ready_items){items, state->count, 0};
    const uint16_t *side = in->of->is_backward ? in->symbols->behind : in->symbols->ahead;
    const uint32_t lookbehinds = find_items(in, state, side[symbol], lookaheads);
    memcpy(in->set->ready, in->set->found, in->set->found_count * sizeof *in->set->found);
    return (ready_items){in->set->ready, in->set->found_count, lookbehinds};
}

/* Fills the set with the instructions after those that read a character of this symbol. */
static void read_symbol(const determinizer *in, const ready_items *ready, uint32_t symbol)
{
    const thompson_instruction *code = in->of->nfa.code;
    assay_instruction_set_clear(in->set);
    in->set->work += ready->count;
    for (uint32_t i = 0; i < ready->count; i++) {
        const thompson_instruction *at = &code[ready->items[i]];
        if (at->kind == THOMPSON_CLASS && assay_alphabet_is_in(&in->symbols->alphabet, symbol, at->label)) {
            assay_instruction_set_add(in->set, code, at->next);
        }
    }
}

/* Whether it is unknown if an instruction reads a character above U+FFFF. An assertion that may hold can hide such
 * instructions. */
static bool has_unknown(const determinizer *in, const ready_items *ready, thompson_kind kind)
{
    for (uint32_t i = 0; i < ready->count; i++) {
        const thompson_instruction *at = &in->of->nfa.code[ready->items[i]];
        if (at->kind != kind) continue;
        if (kind == THOMPSON_CLASS && (in->symbols->unknown_classes[at->label / 64] >> (at->label % 64) & 1) != 0) {
            return true;
        }
        if (kind == THOMPSON_ASSERTION && (in->symbols->unknown_assertions >> at->label & 1) != 0) return true;
    }
    return false;
}

/* Whether an automaton can determine when the unknown characters above U+FFFF matter. Other automata quit at each
 * unknown character. */
static bool tells_unknown(const determinizer *in)
{
    const bool has_lookaheads = in->of->columns > in->symbols->alphabet.count;
    return in->of->nfa.lookbehind_count == 0 && !has_lookaheads && !in->of->is_backward && !in->of->restarts;
}

/* Returns the state for the set, after a character of this symbol. A condition may follow a look-around, so the set may
 * not contain it yet. */
static uint32_t state_after(const determinizer *in, uint32_t symbol)
{
    const uint16_t *side = in->of->is_backward ? in->symbols->ahead : in->symbols->behind;
    begin_lookbehinds(in);
    const bool has_sides = assay_instructions_have_conditions(in->of->nfa.code, in->set->found, in->set->found_count);
    return state_of_set(in, has_sides ? side[symbol] : 0);
}

/* Adds the instructions with which a search restarts at the next character, after a character of this symbol. */
static void restart(const determinizer *in, uint32_t symbol)
{
    instruction_set *set = in->set;
    for (uint32_t i = in->of->start_at[symbol]; i < in->of->start_at[symbol + 1]; i++) {
        const uint32_t item = in->of->start_items[i];
        if (set->mark[item] == set->round) continue;
        set->mark[item] = set->round;
        set->found[set->found_count++] = item;
    }
}

static uint32_t search_transition(const determinizer *in, const ready_items *ready, uint32_t symbol)
{
    const thompson_instruction *code = in->of->nfa.code;
    if (assay_instructions_have(code, THOMPSON_MATCH, ready->items, ready->count)) return SUBSET_MATCHED;
    read_symbol(in, ready, symbol);
    if (in->of->restarts) restart(in, symbol);
    if (assay_instructions_have(code, THOMPSON_MATCH, in->set->found, in->set->found_count)) return SUBSET_MATCHED;
    if (!in->of->restarts) assay_instruction_set_add(in->set, code, in->of->nfa.conjuncts[0].start);
    return state_after(in, symbol);
}

static uint32_t backward_transition(const determinizer *in, const ready_items *ready, uint32_t symbol)
{
    read_symbol(in, ready, symbol);
    const uint32_t next = state_after(in, symbol);
    return next == SUBSET_OPEN ? next : next | ready->lookbehinds << subset_mask_shift;
}

/* Returns a bit for each conjunct with instructions in the set, and writes to *reading those with instructions other
 * than the end. */
static uint32_t conjuncts_alive(const determinizer *in, uint32_t *reading)
{
    uint32_t alive = 0;
    *reading = 0;
    for (uint32_t i = 0; i < in->set->found_count; i++) {
        const thompson_instruction *at = &in->of->nfa.code[in->set->found[i]];
        alive |= 1u << at->conjunct;
        if (at->kind != THOMPSON_MATCH) *reading |= 1u << at->conjunct;
    }
    return alive;
}

/* Reduces the set to the ends of all conjuncts except the negated ones, so that states coincide if no character can
 * follow. */
static void keep_ends(const determinizer *in)
{
    const assay_thompson *nfa = &in->of->nfa;
    assay_instruction_set_clear(in->set);
    for (uint32_t i = 0; i < nfa->conjunct_count; i++) {
        if (!nfa->conjuncts[i].negated) assay_instruction_set_add(in->set, nfa->code, nfa->conjuncts[i].match);
    }
}

/* Whether no further text can make all conjuncts of the set agree. */
static bool is_dead(const determinizer *in, uint32_t symbol)
{
    const assay_thompson *nfa = &in->of->nfa;
    if (nfa->conjunct_count == 1 && nfa->lookbehind_count == 0) return in->set->found_count == 0;
    uint32_t reading = 0;
    const uint32_t alive = conjuncts_alive(in, &reading);
    const uint32_t matched = matched_conjuncts(in);
    for (uint32_t i = 0; i < nfa->conjunct_count; i++) {
        /* A look-ahead ends in any*, so after it matches, it matches to the end. */
        if (nfa->conjuncts[i].negated ? (matched >> i & 1) != 0 : (alive >> i & 1) == 0) return true;
    }
    if (nfa->conjunct_count == 1 || (reading & 1) != 0) return false;
    /* The pattern itself has ended, so the value can only end here. */
    begin_lookbehinds(in);
    pass_conditions(in, in->symbols->behind[symbol], 0, 0);
    if (!all_agree(nfa, matched_conjuncts(in))) return true;
    keep_ends(in);
    return false;
}

static uint32_t forward_transition(const determinizer *in, const ready_items *ready, uint32_t symbol)
{
    const bool is_unknown = is_unknown_symbol(in->symbols, symbol);
    read_symbol(in, ready, symbol);
    if (is_unknown) {
        uint32_t reading = 0;
        if ((conjuncts_alive(in, &reading) & 1) == 0) return SUBSET_DEAD;
        if (has_unknown(in, ready, THOMPSON_CLASS) || in->symbols->behind_is_unknown) return SUBSET_QUIT;
    }
    if (is_dead(in, symbol)) return SUBSET_DEAD;
    return state_after(in, symbol);
}

/* Whether the result of a search is unknown after a character that its classes do not know. */
static bool search_is_unknown(const determinizer *in, const ready_items *ready)
{
    return in->of->is_search && (has_unknown(in, ready, THOMPSON_CLASS) || in->symbols->behind_is_unknown);
}

static uint32_t make_transition(const determinizer *in, const subset *from, uint32_t symbol, uint32_t lookaheads)
{
    const bool is_unknown = is_unknown_symbol(in->symbols, symbol);
    if (is_unknown && !tells_unknown(in)) return SUBSET_QUIT;
    const ready_items ready = find_ready(in, from, symbol, lookaheads);
    if (is_unknown && (has_unknown(in, &ready, THOMPSON_ASSERTION) || search_is_unknown(in, &ready))) {
        return SUBSET_QUIT;
    }
    if (in->of->is_backward) return backward_transition(in, &ready, symbol);
    if (in->of->is_search) return search_transition(in, &ready, symbol);
    return forward_transition(in, &ready, symbol);
}

uint32_t assay_subset_transition(const determinizer *in, uint32_t state, uint32_t column)
{
    const uint32_t symbols = in->symbols->alphabet.count;
    const subset from = in->cache->subsets[state / in->of->columns];
    const uint32_t next = make_transition(in, &from, column % symbols, column / symbols);
    if (next != SUBSET_OPEN) in->cache->next[(size_t)state + column] = next;
    return next;
}

bool assay_subset_accepts(const determinizer *in, uint32_t state, uint32_t lookaheads)
{
    subset *last = &in->cache->subsets[state / in->of->columns];
    const bool has_lookaheads = in->of->columns > in->symbols->alphabet.count;
    if (last->at_end == 0 || has_lookaheads) {
        find_items(in, last, 0, lookaheads);
        last->at_end = all_agree(&in->of->nfa, matched_conjuncts(in)) ? 2 : 1;
    }
    return last->at_end == 2;
}

uint32_t assay_subset_lookaheads(const determinizer *in, uint32_t state)
{
    return find_items(in, &in->cache->subsets[state / in->of->columns], 0, 0);
}
