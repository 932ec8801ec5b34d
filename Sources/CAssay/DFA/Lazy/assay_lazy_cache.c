/* States of a lazy DFA: the subset construction, one transition at a time. */
#include "DFA/Lazy/assay_lazy_program.h"

#include <stdlib.h>
#include <string.h>

/* Bounds on one cache, 3.5 MB in all: 2 MB of transitions, 1 MB of items, and states and hash table. */
enum {
    STATES_MAX = 1 << 14,
    ITEMS_MAX = 1 << 18,
    NEXT_MAX = 1 << 19,
    SLOTS = 1 << 15, /* a power of two, more than STATES_MAX */
};

/* ---------------------------------------------------------------------------------------------------------------
 * Sets of instructions
 * ------------------------------------------------------------------------------------------------------------- */

bool lazy_make_room(assay_lazy_caches *caches, uint32_t instructions)
{
    if (instructions <= caches->capacity) return true;
    free(caches->found);
    free(caches->mark);
    free(caches->stack);
    free(caches->ready);
    free(caches->map);
    caches->found = malloc(instructions * sizeof *caches->found);
    caches->mark = calloc(instructions, sizeof *caches->mark);
    caches->stack = malloc(instructions * sizeof *caches->stack);
    caches->ready = malloc(instructions * sizeof *caches->ready);
    caches->map = calloc(instructions / 64 + 1, sizeof *caches->map);
    const bool has_all = caches->found != NULL && caches->mark != NULL && caches->stack != NULL &&
                         caches->ready != NULL && caches->map != NULL;
    caches->capacity = has_all ? instructions : 0;
    caches->round = 0;
    return has_all;
}

void lazy_begin_set(assay_lazy_caches *caches)
{
    caches->found_count = 0;
    if (++caches->round == 0) {
        memset(caches->mark, 0, caches->capacity * sizeof *caches->mark);
        caches->round = 1;
    }
}

void lazy_add_closure(assay_lazy_caches *caches, const thompson_instruction *code, uint32_t from)
{
    uint32_t depth = 0;
    caches->stack[depth++] = from;
    while (depth > 0) {
        uint32_t index = caches->stack[--depth];
        while (caches->mark[index] != caches->round) {
            caches->mark[index] = caches->round;
            if (code[index].kind != THOMPSON_SPLIT) {
                caches->found[caches->found_count++] = index;
                break;
            }
            caches->stack[depth++] = code[index].other; /* at most one entry for each split: there is room */
            index = code[index].next;
        }
    }
}

bool lazy_has(const thompson_instruction *code, thompson_kind kind, const uint32_t *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (code[items[i]].kind == kind) return true;
    }
    return false;
}

bool lazy_has_conditions(const thompson_instruction *code, const uint32_t *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t kind = code[items[i]].kind;
        if (kind == THOMPSON_ASSERTION || kind == THOMPSON_LOOKBEHIND || kind == THOMPSON_LOOKAHEAD) return true;
    }
    return false;
}

static bool has_behind(const assay_lazy_caches *caches, const thompson_instruction *code, uint32_t number)
{
    for (uint32_t i = 0; i < caches->found_count; i++) {
        const thompson_instruction *at = &code[caches->found[i]];
        if (at->kind == THOMPSON_BEHIND && at->label == number) return true;
    }
    return false;
}

/* Adds what follows those assertions and look-arounds of the set that hold between `behind` and `ahead`. The set grows
   meanwhile, so assertions after assertions are evaluated too. A look-behind is evaluated once its own automaton has passed its
   assertions, which may include look-behinds with lower numbers. Returns which look-behinds hold. */
static uint32_t pass_assertions(assay_lazy_caches *caches, const assay_lazy_program *program, const assay_thompson *nfa,
                                uint16_t behind, uint16_t ahead, uint32_t lookaheads)
{
    const thompson_instruction *code = nfa->code;
    const uint16_t holding = (uint16_t)(behind ^ ahead ^ program->negated);
    uint32_t lookbehinds = 0;
    for (uint32_t known = 0; known <= nfa->lookbehind_count; known++) {
        for (uint32_t i = 0; i < caches->found_count; i++) {
            const thompson_instruction *at = &code[caches->found[i]];
            const uint32_t truths = at->kind == THOMPSON_ASSERTION    ? holding
                                    : at->kind == THOMPSON_LOOKBEHIND ? lookbehinds
                                    : at->kind == THOMPSON_LOOKAHEAD  ? lookaheads
                                                                      : 0;
            if (truths != 0 && (truths >> at->label & 1) != 0) lazy_add_closure(caches, code, at->next);
        }
        if (known == nfa->lookbehind_count) break;
        if (has_behind(caches, code, known) != nfa->lookbehinds[known].negated) lookbehinds |= 1u << known;
    }
    return lookbehinds;
}

/* Look-behinds begin anew at each character. */
static void begin_lookbehinds(assay_lazy_caches *caches, const assay_thompson *nfa)
{
    for (uint32_t i = 0; i < nfa->lookbehind_count; i++) lazy_add_closure(caches, nfa->code, nfa->lookbehinds[i].start);
}

/* Few items are the rule, and insertion sort is fastest for them. More of them become bits of a map, which is read in order. The
   map is as long as the program is, at 64 instructions a word; so sorting is never dearer than a simulation of the NFA. */
static void sort_items(assay_lazy_caches *caches)
{
    uint32_t *items = caches->found;
    const uint32_t count = caches->found_count;
    if (count <= 16) {
        for (uint32_t i = 1; i < count; i++) {
            const uint32_t item = items[i];
            uint32_t at = i;
            for (; at > 0 && items[at - 1] > item; at--) items[at] = items[at - 1];
            items[at] = item;
        }
        return;
    }
    uint32_t least = UINT32_MAX;
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = items[i] / 64;
        caches->map[word] |= UINT64_C(1) << (items[i] % 64);
        if (word < least) least = word;
        if (word > most) most = word;
    }
    uint32_t sorted = 0;
    for (uint32_t word = least; word <= most; word++) {
        for (uint64_t bits = caches->map[word]; bits != 0; bits &= bits - 1) {
            items[sorted++] = word * 64 + (uint32_t)__builtin_ctzll(bits);
        }
        caches->map[word] = 0;
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Caches
 * ------------------------------------------------------------------------------------------------------------- */

static void free_cache(lazy_cache *cache)
{
    free(cache->next);
    free(cache->states);
    free(cache->items);
    free(cache->slots);
    *cache = (lazy_cache){.next = NULL};
}

static void empty_cache(lazy_cache *cache)
{
    if (cache->slots != NULL) memset(cache->slots, 0, SLOTS * sizeof *cache->slots);
    cache->state_count = LAZY_FIRST;
    cache->item_count = 0;
    cache->start = LAZY_OPEN;
    cache->times_emptied++;
}

assay_lazy_caches *assay_lazy_caches_create(void) { return calloc(1, sizeof(assay_lazy_caches)); }

void assay_lazy_caches_free(assay_lazy_caches *caches)
{
    if (caches == NULL) return;
    for (size_t i = 0; i < lazy_programs_max; i++) {
        for (size_t j = 0; j <= regex_conjuncts_max; j++) free_cache(&caches->entries[i].caches[j]);
    }
    free(caches->found);
    free(caches->mark);
    free(caches->stack);
    free(caches->ready);
    free(caches->map);
    free(caches->masks);
    free(caches);
}

lazy_cache *lazy_caches_of(assay_lazy_caches *caches, const assay_lazy_program *program)
{
    lazy_entry *oldest = caches->entries;
    for (size_t i = 0; i < lazy_programs_max; i++) {
        lazy_entry *entry = &caches->entries[i];
        if (entry->id == program->id) {
            entry->used = ++caches->clock;
            return entry->caches;
        }
        if (entry->used < oldest->used) oldest = entry;
    }
    for (size_t i = 0; i <= regex_conjuncts_max; i++) free_cache(&oldest->caches[i]);
    oldest->id = program->id;
    oldest->used = ++caches->clock;
    return oldest->caches;
}

/* Makes room for one more state with `count` items. false: the cache is full, or out of memory. */
static bool reserve(lazy_cache *cache, uint32_t columns, uint32_t count)
{
    const uint32_t fit = NEXT_MAX / columns;
    const uint32_t most = fit < STATES_MAX ? fit : STATES_MAX;
    if (cache->slots == NULL) {
        cache->slots = calloc(SLOTS, sizeof *cache->slots);
        if (cache->slots == NULL) return false;
        empty_cache(cache);
    }
    if (cache->state_count >= most || count > ITEMS_MAX - cache->item_count) return false;
    if (cache->state_count >= cache->state_capacity) {
        uint32_t capacity = cache->state_capacity == 0 ? 64 : 2 * cache->state_capacity;
        if (capacity > most) capacity = most;
        lazy_state *states = realloc(cache->states, capacity * sizeof *states);
        if (states == NULL) return false;
        cache->states = states;
        uint32_t *next = realloc(cache->next, (size_t)capacity * columns * sizeof *next);
        if (next == NULL) return false;
        cache->next = next;
        cache->state_capacity = capacity;
    }
    if (cache->item_count + count > cache->item_capacity) {
        uint32_t capacity = cache->item_capacity == 0 ? 1024 : cache->item_capacity;
        while (capacity < cache->item_count + count) capacity *= 2;
        uint32_t *items = realloc(cache->items, capacity * sizeof *items);
        if (items == NULL) return false;
        cache->items = items;
        cache->item_capacity = capacity;
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * States
 * ------------------------------------------------------------------------------------------------------------- */

/* The state of the set that was found, known or new. LAZY_OPEN: no room. */
static uint32_t state_of_found(assay_lazy_caches *caches, lazy_cache *cache, uint32_t columns, uint16_t behind)
{
    uint32_t *items = caches->found;
    const uint32_t count = caches->found_count;
    sort_items(caches);
    uint64_t mixed = behind;
    for (uint32_t i = 0; i < count; i++) mixed = (mixed ^ items[i]) * UINT64_C(0x9E3779B97F4A7C15);
    const uint32_t hash = (uint32_t)(mixed >> 32);
    if (!reserve(cache, columns, count)) return LAZY_OPEN;
    uint32_t slot = hash % SLOTS;
    for (; cache->slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        const lazy_state *known = &cache->states[cache->slots[slot]];
        if (known->hash == hash && known->count == count && known->behind == behind &&
            (count == 0 || memcmp(cache->items + known->first, items, count * sizeof *items) == 0)) {
            return cache->slots[slot] * columns;
        }
    }
    const uint32_t row = cache->state_count++;
    cache->slots[slot] = (uint16_t)row;
    cache->states[row] = (lazy_state){.first = cache->item_count, .count = count, .hash = hash, .behind = behind};
    if (count > 0) memcpy(cache->items + cache->item_count, items, count * sizeof *items);
    cache->item_count += count;
    if (count > cache->largest) cache->largest = count;
    memset(cache->next + (size_t)row * columns, 0, columns * sizeof *cache->next);
    return row * columns;
}

uint32_t lazy_start(assay_lazy_caches *caches, lazy_cache *cache, const lazy_conjunct *part)
{
    for (int attempt = 0; attempt < 2 && cache->start == LAZY_OPEN; attempt++) {
        if (attempt > 0) empty_cache(cache);
        lazy_begin_set(caches);
        if (!part->begins_anew && !part->is_backward) lazy_add_closure(caches, part->nfa.code, part->nfa.start);
        begin_lookbehinds(caches, &part->nfa);
        cache->start = state_of_found(caches, cache, part->columns, 0);
    }
    return cache->start != LAZY_OPEN ? cache->start : LAZY_QUIT;
}

/* Copies the items of a state into the set, with what follows its assertions that hold before `ahead`, and returns which
   look-behinds hold. */
static uint32_t find_items(assay_lazy_caches *caches, const lazy_cache *cache, const assay_lazy_program *program,
                           const assay_thompson *nfa, const lazy_state *state, uint16_t ahead, uint32_t lookaheads)
{
    lazy_begin_set(caches);
    for (uint32_t i = 0; i < state->count; i++) lazy_add_closure(caches, nfa->code, cache->items[state->first + i]);
    return pass_assertions(caches, program, nfa, state->behind, ahead, lookaheads);
}

/* The state after `from` and a character of this column; LAZY_OPEN: no room. For the backward automaton, with the look-aheads
   that hold before the character. */
static uint32_t state_after(assay_lazy_caches *caches, lazy_cache *cache, const assay_lazy_program *program,
                            const lazy_conjunct *part, uint32_t from, uint32_t column)
{
    const thompson_instruction *code = part->nfa.code;
    const uint32_t symbol = column % program->alphabet.count;
    const uint32_t lookaheads = column / program->alphabet.count;
    const uint16_t *next_side = part->is_backward ? program->behind : program->ahead;
    const uint16_t *last_side = part->is_backward ? program->ahead : program->behind;
    const lazy_state state = cache->states[from];
    const uint32_t *ready = cache->items + state.first;
    uint32_t count = state.count;
    uint32_t mask = 0;
    if (part->is_backward || (count > 0 && lazy_has_conditions(code, ready, count))) {
        mask = find_items(caches, cache, program, &part->nfa, &state, next_side[symbol], lookaheads);
        if (program->is_search && lazy_has(code, THOMPSON_MATCH, caches->found, caches->found_count)) {
            return LAZY_MATCHED;
        }
        count = caches->found_count;
        memcpy(caches->ready, caches->found, count * sizeof *caches->ready);
        ready = caches->ready;
    }
    lazy_begin_set(caches);
    for (uint32_t i = 0; i < count; i++) {
        const thompson_instruction *at = &code[ready[i]];
        if (at->kind == THOMPSON_CLASS && assay_alphabet_is_in(&program->alphabet, symbol, at->label)) {
            lazy_add_closure(caches, code, at->next);
        }
    }
    if (part->begins_anew) {
        for (uint32_t i = part->start_at[symbol]; i < part->start_at[symbol + 1]; i++) {
            const uint32_t item = part->start_items[i];
            if (caches->mark[item] == caches->round) continue;
            caches->mark[item] = caches->round;
            caches->found[caches->found_count++] = item;
        }
    }
    if (program->is_search && !part->is_backward) {
        if (lazy_has(code, THOMPSON_MATCH, caches->found, caches->found_count)) return LAZY_MATCHED;
        if (!part->begins_anew) lazy_add_closure(caches, code, part->nfa.start);
    } else if (caches->found_count == 0 && !part->is_backward) {
        return LAZY_DEAD;
    }
    begin_lookbehinds(caches, &part->nfa);
    /* An assertion may stand behind a look-around, so that it is not in the set yet. */
    const bool has_sides = lazy_has_conditions(code, caches->found, caches->found_count);
    const uint32_t next = state_of_found(caches, cache, part->columns, has_sides ? last_side[symbol] : 0);
    return next == LAZY_OPEN || !part->is_backward ? next : next | mask << lazy_mask_shift;
}

uint32_t lazy_make_transition(assay_lazy_caches *caches, lazy_cache *cache, const assay_lazy_program *program,
                              const lazy_conjunct *part, uint32_t state, uint32_t column)
{
    uint32_t next = LAZY_QUIT;
    if (column % program->alphabet.count != program->alphabet.above_bmp || program->alphabet.above_bmp_is_known) {
        next = state_after(caches, cache, program, part, state / part->columns, column);
        if (next == LAZY_OPEN) {
            /* Full: begin again with this state alone. Its items are saved, since the cache's will be overwritten. */
            const lazy_state here = cache->states[state / part->columns];
            lazy_begin_set(caches);
            caches->found_count = here.count;
            if (here.count > 0) {
                memcpy(caches->found, cache->items + here.first, here.count * sizeof *caches->found);
            }
            empty_cache(cache);
            state = state_of_found(caches, cache, part->columns, here.behind);
            if (state == LAZY_OPEN) return LAZY_QUIT;
            next = state_after(caches, cache, program, part, state / part->columns, column);
            if (next == LAZY_OPEN) return LAZY_QUIT;
        }
    }
    cache->next[(size_t)state + column] = next;
    return next;
}

bool lazy_passes_at_end(assay_lazy_caches *caches, lazy_cache *cache, const assay_lazy_program *program,
                        const lazy_conjunct *part, uint32_t state, uint32_t lookaheads)
{
    lazy_state *last = &cache->states[state / part->columns];
    const bool has_lookaheads = part->columns > program->alphabet.count;
    if (last->at_end == 0 || has_lookaheads) {
        find_items(caches, cache, program, &part->nfa, last, 0, lookaheads);
        last->at_end = lazy_has(part->nfa.code, THOMPSON_MATCH, caches->found, caches->found_count) ? 2 : 1;
    }
    return last->at_end == 2;
}

uint32_t lazy_lookaheads_at_start(assay_lazy_caches *caches, lazy_cache *cache, const assay_lazy_program *program,
                                  uint32_t state)
{
    const lazy_conjunct *part = &program->backward;
    return find_items(caches, cache, program, &part->nfa, &cache->states[state / part->columns], 0, 0);
}
