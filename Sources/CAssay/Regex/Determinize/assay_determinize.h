/* Determinization: the subset construction (M. O. Rabin, D. Scott: Finite automata and their decision problems, 1959)
 * over the Thompson automaton, one transition at a time.
 *
 *     a(b|c)+     start        {a}          a state is a sorted set of instructions that may read the next character
 *                 after a      {b, c}
 *                 after b, c   {b, c, match}
 *
 * This code constructs the states of both kinds of DFA, so that they cannot disagree: for the minimal DFA all states of
 * a small pattern at once (assay_minimal_dfa.h), and for the lazy DFA each state when a value needs it (DFA/Lazy).
 *
 *   - Assertions. A state also contains the assertions that are not decided yet, because `\b` can only be evaluated
 *     when the next character is known. One bit for each assertion records whether its `behind` side is true, which
 *     depends on the previous character (regex_assertion).
 *   - Conjuncts. A value must match the pattern and all of its look-aheads. Their instructions share one set, so a
 *     state is one of the product automaton. It is dead after one conjunct has failed.
 *   - Look-behinds are separate automata, which restart at each character. Their instructions are part of the set.
 *   - Look-aheads that are not conjuncts must be evaluated first: the caller passes those that hold at each place.
 *   - A search restarts at each character, and ends at the first match, regardless of the match's end. */
#ifndef ASSAY_DETERMINIZE_H
#define ASSAY_DETERMINIZE_H

#include "Regex/Determinize/assay_alphabet.h"
#include "Regex/Determinize/assay_instruction_set.h"

/* The symbols of the automata of a pattern, and the assertions that are true next to them. Immutable after
 * preparation. */
typedef struct automaton_symbols {
    assay_alphabet alphabet;
    /* For each symbol: the assertions with an `ahead` side that is true if it is the next character, and those with a
     * `behind` side that is true if it is the previous character. */
    uint16_t ahead[symbols_max];
    uint16_t behind[symbols_max];
    uint16_t negated; /* the assertions that are negated */
    /* Classes with unknown members above U+FFFF: a bit for each class, the assertions that use such a class, and
     * whether an assertion uses one as its `behind` side. */
    uint64_t unknown_classes[(regex_classes_max + 63) / 64];
    uint16_t unknown_assertions;
    bool behind_is_unknown;
} automaton_symbols;

/* Builds the symbols that `automata` distinguish: two characters share a symbol if no class of the automata
 * distinguishes them. Returns false if there are too many or memory runs out; *because contains the reason. Free the
 * alphabet in either case. */
bool assay_automaton_symbols_build(automaton_symbols *symbols, const assay_regex *regex,
                                   const assay_thompson *const *automata, uint32_t count, const char **because);

/* An automaton to determinize. Immutable after preparation. */
typedef struct automaton {
    assay_thompson nfa;
    /* The number of columns of the transition table. A column is a symbol and, if there are look-aheads, the set of the
     * look-aheads that hold before it. */
    uint32_t columns;
    bool is_search;
    bool is_backward; /* it runs from the end to the beginning, and only evaluates look-aheads */
    /* True for a search with no conditions at its start: its start state is the empty set, and a character of symbol s
     * adds start_items[start_at[s] .. start_at[s + 1]), the closure of the start's successors by s. */
    bool restarts;
    uint32_t *start_items;
    uint32_t *start_at;
} automaton;

/* Special values in place of a state in the transition table. The number of a state is the start of its row, so that a
 * step is one addition and one load. Rows 0 to 3 are not used, so no state has one of these numbers. */
enum {
    SUBSET_OPEN = 0,    /* not constructed yet */
    SUBSET_DEAD = 1,    /* fails for any further text */
    SUBSET_MATCHED = 2, /* passes for any further text: a search has found a match */
    SUBSET_QUIT = 3,    /* unknown, after a character that a class does not know */
    SUBSET_FIRST = 4,
};

/* The upper bits of a backward automaton's transitions are the look-aheads that hold at the place where the transition
 * starts. */
enum { subset_mask_shift = 28 };
static const uint32_t subset_state_bits = (1u << subset_mask_shift) - 1;

typedef struct subset {
    uint32_t first; /* the items are items[first .. first + count) */
    uint32_t count;
    uint32_t hash;
    uint16_t behind; /* the assertions with a `behind` side that is true here; 0 if no item is a condition */
    uint8_t at_end;  /* 0: unknown; 1: fails if the value ends here; 2: passes */
} subset;

/* The constructed states of one automaton, with their transitions. Zero-initialize it, except for slot_count. */
typedef struct subset_cache {
    uint32_t *next;  /* by state and column */
    subset *subsets; /* by row */
    uint32_t *items;
    uint16_t *slots;     /* hash table: rows, or 0 */
    uint32_t slot_count; /* a power of two, more than the number of states; 0: the largest, for subsets_max states */
    uint32_t count;
    uint32_t capacity;
    uint32_t item_count;
    size_t item_capacity;
    uint32_t start; /* SUBSET_OPEN: not constructed yet */
    /* The states from `start` to this one are those of a search in which no match has begun. They differ in the
     * assertions with a true `behind` side. */
    uint32_t last_idle;
    uint32_t largest; /* number of items of the largest state since the cache was created */
    uint32_t times_emptied;
} subset_cache;

/* Bounds on one cache, 3.5 MB in all: 2 MB of transitions, 1 MB of items, and states and hash table. */
enum {
    subsets_max = 1 << 14,
    subset_items_max = 1 << 18,
    subset_transitions_max = 1 << 19,
    subset_slots_max = 1 << 15,
};

void assay_subset_cache_empty(subset_cache *cache);
void assay_subset_cache_free(subset_cache *cache);

/* The operands of one determinization. The set must have room for the instructions of the automaton. */
typedef struct determinizer {
    const automaton *of;
    const automaton_symbols *symbols;
    instruction_set *set;
    subset_cache *cache;
} determinizer;

/* Returns the start state; SUBSET_OPEN: the cache is full, or memory has run out. */
uint32_t assay_subset_start(const determinizer *in);

/* Constructs the transition of `state` by a column (symbol + symbols × look-aheads that hold), stores it, and returns
 * it. SUBSET_OPEN: the cache is full, or memory has run out. */
uint32_t assay_subset_transition(const determinizer *in, uint32_t state, uint32_t column);

/* Reconstructs the state `items` in an emptied cache. */
uint32_t assay_subset_restore(const determinizer *in, const uint32_t *items, uint32_t count, uint16_t behind);

/* Whether the value matches if it ends in `state` and these look-aheads hold. */
bool assay_subset_accepts(const determinizer *in, uint32_t state, uint32_t lookaheads);

/* Returns the look-aheads that hold at the beginning of the value, if the backward automaton is in `state`. */
uint32_t assay_subset_lookaheads(const determinizer *in, uint32_t state);

#endif
