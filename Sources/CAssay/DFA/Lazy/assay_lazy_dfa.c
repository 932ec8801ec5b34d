#include "DFA/Lazy/assay_lazy_dfa.h"

#include "Regex/Build/assay_alphabet.h"
#include "Regex/NFA/assay_thompson.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    CACHES = 16,              /* programs that a thread keeps states of */
    STATES_MAX = 1 << 14,     /* of one program */
    ITEMS_MAX = 1 << 18,      /* instructions in the sets of all its states */
    NEXT_MAX = 1 << 19,       /* transitions */
    SLOTS = 1 << 15,          /* of the hash table: a power of two, more than STATES_MAX */
    WORK_BASE = 1 << 21,      /* instructions looked at for one value, */
    WORK_PER_BYTE = 64,       /* and more for each of its bytes */
};

/* States that every cache has; they have no transitions. */
enum { LAZY_OPEN = 0, LAZY_DEAD = 1, LAZY_MATCHED = 2, LAZY_QUIT = 3, LAZY_FIRST = 4 };

/* One conjunct of the pattern. */
typedef struct lazy_conjunct {
    assay_thompson nfa;
    bool negated;
    bool begins_anew;        /* a search whose start has no assertions: it is not kept in the states */
    bool starts_matched;     /* the empty text matches */
    uint32_t *start_items;   /* the closure of the start */
    uint32_t start_count;
    bool start_has_assertions;
} lazy_conjunct;

struct assay_lazy_program {
    uint64_t id; /* no other program of this process has it */
    assay_alphabet alphabet;
    uint8_t ascii_symbol_of[128];
    uint16_t ahead[symbols_max];  /* the assertions whose side ahead is true before such a character */
    uint16_t behind[symbols_max]; /* and behind it */
    uint16_t negated;             /* the assertions that are */
    bool is_search;
    uint32_t instructions; /* of the largest conjunct */
    uint32_t conjunct_count;
    lazy_conjunct conjuncts[regex_conjuncts_max];
};

typedef struct lazy_state {
    uint32_t first; /* of its items */
    uint32_t count;
    uint16_t behind;  /* assertions whose side behind is true here; 0 where it does not matter */
    uint8_t at_end;   /* 0: not looked at; 1: fails if the value ends here; 2: passes */
} lazy_state;

/* The states of one conjunct. */
typedef struct lazy_cache {
    uint32_t *next; /* state × symbol */
    lazy_state *states;
    uint32_t *items;
    uint16_t *slots; /* by hash: a state, or 0 */
    uint32_t state_count;
    uint32_t state_capacity;
    uint32_t item_count;
    uint32_t item_capacity;
    uint32_t start; /* LAZY_OPEN: not made yet */
} lazy_cache;

typedef struct lazy_entry {
    uint64_t id; /* 0: empty */
    uint64_t used;
    lazy_cache caches[regex_conjuncts_max];
} lazy_entry;

struct assay_lazy_caches {
    lazy_entry entries[CACHES];
    uint64_t clock;
    /* For making a state: a sparse set of instructions, in the order in which they were found. */
    uint32_t *found;
    uint32_t *mark; /* by instruction: the round in which it was found last */
    uint32_t *stack;
    uint32_t *ready;
    uint32_t capacity; /* instructions that these have room for */
    uint32_t round;
    uint32_t found_count;
    uint64_t work; /* that the value may still take */
};

/* ---------------------------------------------------------------------------------------------------------------
 * Sets of instructions
 * ------------------------------------------------------------------------------------------------------------- */

static bool make_room(assay_lazy_caches *caches, uint32_t instructions)
{
    if (instructions <= caches->capacity) return true;
    free(caches->found);
    free(caches->mark);
    free(caches->stack);
    free(caches->ready);
    caches->found = malloc(instructions * sizeof(uint32_t));
    caches->mark = calloc(instructions, sizeof(uint32_t));
    caches->stack = malloc(instructions * sizeof(uint32_t));
    caches->ready = malloc(instructions * sizeof(uint32_t));
    const bool has_all =
        caches->found != NULL && caches->mark != NULL && caches->stack != NULL && caches->ready != NULL;
    caches->capacity = has_all ? instructions : 0;
    caches->round = 0;
    return has_all;
}

static void begin_set(assay_lazy_caches *caches)
{
    caches->found_count = 0;
    if (++caches->round == 0) {
        memset(caches->mark, 0, caches->capacity * sizeof *caches->mark);
        caches->round = 1;
    }
}

/* Adds what can be reached from an instruction without a character or an assertion. Splits are followed, not kept. */
static void add_closure(assay_lazy_caches *caches, const thompson_instruction *code, uint32_t from)
{
    uint32_t depth = 0;
    caches->stack[depth++] = from;
    while (depth > 0) {
        uint32_t index = caches->stack[--depth];
        while (caches->mark[index] != caches->round) {
            caches->mark[index] = caches->round;
            if (caches->work > 0) caches->work--;
            if (code[index].kind != THOMPSON_SPLIT) {
                caches->found[caches->found_count++] = index;
                break;
            }
            /* At most one entry for each split, so that the stack has room. */
            caches->stack[depth++] = code[index].other;
            index = code[index].next;
        }
    }
}

static bool has_match(const assay_lazy_caches *caches, const thompson_instruction *code, const uint32_t *items,
                      uint32_t count)
{
    (void)caches;
    for (uint32_t i = 0; i < count; i++) {
        if (code[items[i]].kind == THOMPSON_MATCH) return true;
    }
    return false;
}

static bool has_assertion(const thompson_instruction *code, const uint32_t *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (code[items[i]].kind == THOMPSON_ASSERTION) return true;
    }
    return false;
}

/* Adds what follows the assertions in the set that hold between `behind` and `ahead`. The set grows while it is gone
   through, so assertions behind assertions are evaluated too. */
static void pass_assertions(assay_lazy_caches *caches, const assay_lazy_program *program,
                            const thompson_instruction *code, uint16_t behind, uint16_t ahead)
{
    const uint16_t holding = (uint16_t)(behind ^ ahead ^ program->negated);
    for (uint32_t i = 0; i < caches->found_count; i++) {
        const thompson_instruction *at = &code[caches->found[i]];
        if (at->kind == THOMPSON_ASSERTION && (holding >> at->label & 1)) add_closure(caches, code, at->next);
    }
}

static int by_number(const void *one, const void *other)
{
    const uint32_t left = *(const uint32_t *)one;
    const uint32_t right = *(const uint32_t *)other;
    return left < right ? -1 : left > right;
}

static void sort_items(uint32_t *items, uint32_t count)
{
    if (count > 16) {
        qsort(items, count, sizeof *items, by_number);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t item = items[i];
        uint32_t at = i;
        for (; at > 0 && items[at - 1] > item; at--) items[at] = items[at - 1];
        items[at] = item;
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * States
 * ------------------------------------------------------------------------------------------------------------- */

static void free_cache(lazy_cache *cache)
{
    free(cache->next);
    free(cache->states);
    free(cache->items);
    free(cache->slots);
    *cache = (lazy_cache){.next = NULL};
}

static void clear_cache(lazy_cache *cache)
{
    if (cache->slots != NULL) memset(cache->slots, 0, SLOTS * sizeof *cache->slots);
    cache->state_count = LAZY_FIRST;
    cache->item_count = 0;
    cache->start = LAZY_OPEN;
}

static uint32_t states_max_of(const assay_lazy_program *program)
{
    const uint32_t fit = NEXT_MAX / program->alphabet.count;
    return fit < STATES_MAX ? fit : STATES_MAX;
}

/* Room for one more state with so many items. false: the cache is full, or there is no memory. */
static bool reserve(lazy_cache *cache, const assay_lazy_program *program, uint32_t count)
{
    const uint32_t most = states_max_of(program);
    if (cache->slots == NULL) {
        cache->slots = calloc(SLOTS, sizeof *cache->slots);
        if (cache->slots == NULL) return false;
        clear_cache(cache);
    }
    if (cache->state_count >= most || count > ITEMS_MAX - cache->item_count) return false;
    if (cache->state_count == cache->state_capacity) {
        uint32_t capacity = cache->state_capacity == 0 ? 64 : 2 * cache->state_capacity;
        if (capacity > most) capacity = most;
        lazy_state *states = realloc(cache->states, capacity * sizeof *states);
        if (states == NULL) return false;
        cache->states = states;
        uint32_t *next = realloc(cache->next, (size_t)capacity * program->alphabet.count * sizeof *next);
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

/* The state of the set that was found, known or new; LAZY_OPEN: no room. */
static uint32_t state_of_set(assay_lazy_caches *caches, lazy_cache *cache, const assay_lazy_program *program,
                             uint16_t behind)
{
    uint32_t *items = caches->found;
    const uint32_t count = caches->found_count;
    sort_items(items, count);
    uint64_t hash = behind;
    for (uint32_t i = 0; i < count; i++) hash = (hash ^ items[i]) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 32;
    if (!reserve(cache, program, count)) return LAZY_OPEN;
    uint32_t slot = (uint32_t)hash % SLOTS;
    for (; cache->slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        const lazy_state *known = &cache->states[cache->slots[slot]];
        if (known->count == count && known->behind == behind &&
            memcmp(cache->items + known->first, items, count * sizeof *items) == 0) {
            return cache->slots[slot];
        }
    }
    const uint32_t state = cache->state_count++;
    cache->slots[slot] = (uint16_t)state;
    cache->states[state] = (lazy_state){.first = cache->item_count, .count = count, .behind = behind};
    if (count > 0) memcpy(cache->items + cache->item_count, items, count * sizeof *items);
    cache->item_count += count;
    memset(cache->next + (size_t)state * program->alphabet.count, 0, program->alphabet.count * sizeof *cache->next);
    return state;
}

static uint32_t start_state(assay_lazy_caches *caches, lazy_cache *cache, const assay_lazy_program *program,
                            const lazy_conjunct *part)
{
    begin_set(caches);
    if (!part->begins_anew) add_closure(caches, part->nfa.code, part->nfa.start);
    return state_of_set(caches, cache, program, 0);
}

/* Makes the transition of a state by a symbol; LAZY_OPEN: no room, or too much work. */
static uint32_t make_transition(assay_lazy_caches *caches, lazy_cache *cache, const assay_lazy_program *program,
                                const lazy_conjunct *part, uint32_t from, uint32_t symbol)
{
    const thompson_instruction *code = part->nfa.code;
    if (symbol == program->alphabet.above_bmp && !program->alphabet.above_bmp_is_known) return LAZY_QUIT;
    const lazy_state state = cache->states[from];
    /* The instructions that are ready, with what follows the assertions that hold here. */
    const uint32_t *ready = cache->items + state.first;
    uint32_t ready_count = state.count;
    if (has_assertion(code, ready, ready_count)) {
        begin_set(caches);
        for (uint32_t i = 0; i < ready_count; i++) add_closure(caches, code, ready[i]);
        pass_assertions(caches, program, code, state.behind, program->ahead[symbol]);
        if (program->is_search && has_match(caches, code, caches->found, caches->found_count)) return LAZY_MATCHED;
        memcpy(caches->ready, caches->found, caches->found_count * sizeof *caches->ready);
        ready = caches->ready;
        ready_count = caches->found_count;
    }
    /* Those that the character takes on. */
    begin_set(caches);
    const uint32_t work = ready_count + (part->begins_anew ? part->start_count : 0);
    if (caches->work < work) return LAZY_OPEN;
    caches->work -= work;
    for (uint32_t i = 0; i < ready_count; i++) {
        const thompson_instruction *at = &code[ready[i]];
        if (at->kind == THOMPSON_CLASS && assay_alphabet_is_in(&program->alphabet, symbol, at->label)) {
            add_closure(caches, code, at->next);
        }
    }
    for (uint32_t i = 0; part->begins_anew && i < part->start_count; i++) {
        const thompson_instruction *at = &code[part->start_items[i]];
        if (at->kind == THOMPSON_CLASS && assay_alphabet_is_in(&program->alphabet, symbol, at->label)) {
            add_closure(caches, code, at->next);
        }
    }
    if (program->is_search) {
        if (has_match(caches, code, caches->found, caches->found_count)) return LAZY_MATCHED;
        if (!part->begins_anew) add_closure(caches, code, part->nfa.start);
    } else if (caches->found_count == 0) {
        return LAZY_DEAD;
    }
    const bool has_sides = has_assertion(code, caches->found, caches->found_count);
    return state_of_set(caches, cache, program, has_sides ? program->behind[symbol] : 0);
}

static bool passes_at_end(assay_lazy_caches *caches, lazy_cache *cache, const assay_lazy_program *program,
                          const lazy_conjunct *part, uint32_t number)
{
    lazy_state *state = &cache->states[number];
    if (state->at_end == 0) {
        const thompson_instruction *code = part->nfa.code;
        begin_set(caches);
        for (uint32_t i = 0; i < state->count; i++) add_closure(caches, code, cache->items[state->first + i]);
        pass_assertions(caches, program, code, state->behind, 0);
        state->at_end = has_match(caches, code, caches->found, caches->found_count) ? 2 : 1;
    }
    return state->at_end == 2;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Values
 * ------------------------------------------------------------------------------------------------------------- */

/* The symbol of the non-ASCII character at value[*at]; moves behind it. symbols_max: it is cut off. */
static uint32_t read_symbol(const assay_lazy_program *program, const uint8_t *value, size_t count, size_t *at)
{
    const assay_alphabet *alphabet = &program->alphabet;
    const uint8_t lead = value[*at];
    const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (count - *at < length) return symbols_max;
    const uint8_t *bytes = value + *at;
    *at += length;
    if (length == 4) return alphabet->above_bmp;
    const size_t block = length == 2 ? lead & 0x1Fu : (lead & 0x0Fu) << 6 | (bytes[1] & 0x3Fu);
    return alphabet->stage2[alphabet->stage1[block] * (size_t)block_characters + (bytes[length - 1] & 0x3Fu)];
}

/* Goes on after a transition that is not there, or after the cache was cleared. */
static uint32_t slow_step(assay_lazy_caches *caches, lazy_cache *cache, const assay_lazy_program *program,
                          const lazy_conjunct *part, uint32_t state, uint32_t symbol)
{
    uint32_t next = make_transition(caches, cache, program, part, state, symbol);
    if (next == LAZY_OPEN && caches->work > 0) {
        /* Full: begin anew with this state alone. */
        const lazy_state here = cache->states[state];
        begin_set(caches);
        for (uint32_t i = 0; i < here.count; i++) caches->found[caches->found_count++] = cache->items[here.first + i];
        clear_cache(cache);
        state = state_of_set(caches, cache, program, here.behind);
        if (state == LAZY_OPEN) return LAZY_QUIT;
        const uint64_t cost = SLOTS / 8;
        caches->work = caches->work > cost ? caches->work - cost : 0;
        next = make_transition(caches, cache, program, part, state, symbol);
    }
    if (next == LAZY_OPEN) return LAZY_QUIT;
    cache->next[(size_t)state * program->alphabet.count + symbol] = next;
    return next;
}

static dfa_answer judge_conjunct(const assay_lazy_program *program, const lazy_conjunct *part,
                                 assay_lazy_caches *caches, lazy_cache *cache, const uint8_t *value, size_t count)
{
    if (program->is_search && part->starts_matched) return DFA_PASS;
    if (cache->start == LAZY_OPEN) cache->start = start_state(caches, cache, program, part);
    if (cache->start == LAZY_OPEN) {
        clear_cache(cache);
        cache->start = start_state(caches, cache, program, part);
    }
    uint32_t state = cache->start;
    if (state == LAZY_OPEN) return DFA_UNKNOWN;
    const size_t symbols = program->alphabet.count;
    const uint8_t *ascii_symbol_of = program->ascii_symbol_of;
    for (size_t at = 0; at < count;) {
        uint32_t symbol;
        if (value[at] < 0x80) {
            symbol = ascii_symbol_of[value[at++]];
        } else {
            symbol = read_symbol(program, value, count, &at);
            if (symbol == symbols_max) return DFA_FAIL;
        }
        uint32_t next = cache->next[state * symbols + symbol];
        if (__builtin_expect(next < LAZY_FIRST, 0)) {
            if (next == LAZY_OPEN) next = slow_step(caches, cache, program, part, state, symbol);
            if (next == LAZY_MATCHED) return DFA_PASS;
            if (next == LAZY_DEAD) return DFA_FAIL;
            if (next == LAZY_QUIT) return DFA_UNKNOWN;
        }
        state = next;
    }
    return passes_at_end(caches, cache, program, part, state) ? DFA_PASS : DFA_FAIL;
}

static lazy_entry *entry_of(assay_lazy_caches *caches, const assay_lazy_program *program)
{
    lazy_entry *oldest = caches->entries;
    for (size_t i = 0; i < CACHES; i++) {
        lazy_entry *entry = &caches->entries[i];
        if (entry->id == program->id) {
            entry->used = ++caches->clock;
            return entry;
        }
        if (entry->used < oldest->used) oldest = entry;
    }
    for (size_t i = 0; i < regex_conjuncts_max; i++) free_cache(&oldest->caches[i]);
    oldest->id = program->id;
    oldest->used = ++caches->clock;
    return oldest;
}

dfa_answer assay_lazy_judge(const assay_lazy_program *program, assay_lazy_caches *caches, const uint8_t *value,
                            size_t count)
{
    if (!make_room(caches, program->instructions)) return DFA_UNKNOWN;
    lazy_entry *entry = entry_of(caches, program);
    caches->work = WORK_BASE + (uint64_t)WORK_PER_BYTE * count;
    dfa_answer answer = DFA_PASS;
    for (uint32_t i = 0; i < program->conjunct_count && answer != DFA_FAIL; i++) {
        const lazy_conjunct *part = &program->conjuncts[i];
        dfa_answer here = judge_conjunct(program, part, caches, &entry->caches[i], value, count);
        if (part->negated && here != DFA_UNKNOWN) here = here == DFA_PASS ? DFA_FAIL : DFA_PASS;
        if (here != DFA_PASS) answer = here;
    }
    return answer;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Making
 * ------------------------------------------------------------------------------------------------------------- */

assay_lazy_caches *assay_lazy_caches_create(void) { return calloc(1, sizeof(assay_lazy_caches)); }

void assay_lazy_caches_free(assay_lazy_caches *caches)
{
    if (caches == NULL) return;
    for (size_t i = 0; i < CACHES; i++) {
        for (size_t j = 0; j < regex_conjuncts_max; j++) free_cache(&caches->entries[i].caches[j]);
    }
    free(caches->found);
    free(caches->mark);
    free(caches->stack);
    free(caches->ready);
    free(caches);
}

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

/* Where a value may start. */
static bool prepare_start(assay_lazy_caches *caches, lazy_conjunct *part, bool is_search)
{
    if (!make_room(caches, part->nfa.count)) return false;
    const thompson_instruction *code = part->nfa.code;
    begin_set(caches);
    add_closure(caches, code, part->nfa.start);
    part->start_has_assertions = has_assertion(code, caches->found, caches->found_count);
    part->starts_matched = has_match(caches, code, caches->found, caches->found_count);
    part->begins_anew = is_search && !part->start_has_assertions;
    part->start_count = caches->found_count;
    part->start_items = malloc((caches->found_count + 1) * sizeof *part->start_items);
    if (part->start_items == NULL) return false;
    memcpy(part->start_items, caches->found, caches->found_count * sizeof *part->start_items);
    return true;
}

static bool fill(assay_lazy_program *program, const assay_regex *regex, uint32_t options, const char **because)
{
    const assay_character_set *sets[regex_classes_max];
    for (uint32_t i = 0; i < regex->set_count; i++) sets[i] = regex->sets[i];
    if (!assay_alphabet_build(&program->alphabet, sets, regex->set_count, because)) return false;
    for (uint32_t byte = 0; byte < 128; byte++) {
        const size_t block = program->alphabet.stage1[byte / block_characters];
        program->ascii_symbol_of[byte] =
            program->alphabet.stage2[block * block_characters + byte % block_characters];
    }
    prepare_assertions(program, regex);
    program->is_search = (options & ASSAY_PATTERN_SEARCH) != 0;
    if (program->is_search && regex->conjunct_count > 1) {
        *because = "a look-ahead of more than one character in a search";
        return false;
    }
    assay_lazy_caches *caches = assay_lazy_caches_create();
    bool filled = caches != NULL;
    *because = "out of memory";
    for (uint32_t i = 0; filled && i < regex->conjunct_count; i++) {
        lazy_conjunct *part = &program->conjuncts[program->conjunct_count++];
        part->negated = regex->conjuncts[i].negated;
        filled = assay_thompson_build(&part->nfa, regex, regex->conjuncts[i].root, program->is_search, because);
        if (!filled) break;
        *because = "out of memory";
        filled = prepare_start(caches, part, program->is_search);
        if (part->nfa.count > program->instructions) program->instructions = part->nfa.count;
    }
    assay_lazy_caches_free(caches);
    return filled;
}

assay_lazy_program *assay_lazy_program_create(const uint8_t *text, size_t count, uint32_t options,
                                              const assay_class_resolver *finder, assay_dfa_refusal *refusal)
{
    static _Atomic(uint64_t) last_id;
    assay_regex regex;
    *refusal = (assay_dfa_refusal){.because = NULL};
    assay_lazy_program *program = NULL;
    if (assay_regex_parse(&regex, text, count, options, finder, refusal)) {
        program = calloc(1, sizeof *program);
        refusal->because = "out of memory";
        if (program != NULL && !fill(program, &regex, options, &refusal->because)) {
            assay_lazy_program_free(program);
            program = NULL;
        }
        if (program != NULL) {
            program->id = 1 + atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed);
            refusal->because = NULL;
        }
    }
    assay_regex_free(&regex);
    return program;
}

void assay_lazy_program_free(assay_lazy_program *program)
{
    if (program == NULL) return;
    assay_alphabet_free(&program->alphabet);
    for (uint32_t i = 0; i < regex_conjuncts_max; i++) {
        assay_thompson_free(&program->conjuncts[i].nfa);
        free(program->conjuncts[i].start_items);
    }
    free(program);
}

uint32_t assay_lazy_program_size(const assay_lazy_program *program) { return program->instructions; }
