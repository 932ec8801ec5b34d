/* The program and the cache of a lazy DFA, private to the files of this folder. */
#ifndef ASSAY_LAZY_PROGRAM_H
#define ASSAY_LAZY_PROGRAM_H

#include "DFA/Lazy/assay_lazy_dfa.h"
#include "DFA/Lazy/assay_lazy_words.h"
#include "DFA/assay_dfa_tables.h"
#include "Regex/Determinize/assay_alphabet.h"
#include "Regex/NFA/assay_thompson.h"
#include "SIMD/assay_prefix_filter.h"

typedef struct lazy_bits lazy_bits;

/* One conjunct of the pattern (assay_regex_ast.h). */
typedef struct lazy_conjunct {
    assay_thompson nfa;
    /* The columns of its transition table: a symbol and, if it has look-aheads, which of them hold before it. */
    uint32_t columns;
    bool negated;
    bool is_backward;    /* it runs from the end to the beginning, and only evaluates look-aheads */
    bool starts_matched; /* the empty value matches */
    /* A search whose start has no assertions: its start state is the empty set, and a character of symbol s adds
       start_items[start_at[s] .. start_at[s + 1]), the closure of what the start leads to by s. */
    bool begins_anew;
    uint32_t *start_items;
    uint32_t *start_at;
    /* Such a search is skipped by SIMD to where a match may begin, if such places are rare. */
    bool has_filter;
    assay_prefix_filter filter;
    lazy_words *words; /* such a search for thousands of words, which needs no states; NULL: it is another one */
    lazy_bits *bits;   /* its bit-parallel form (assay_lazy_bits.h); NULL: it has none */
} lazy_conjunct;

struct assay_lazy_program {
    uint64_t id; /* no other program of this process has it */
    assay_alphabet alphabet;
    uint8_t ascii_symbol_of[128];
    uint16_t ahead[symbols_max];  /* by symbol: the assertions whose side ahead is true before such a character, */
    uint16_t behind[symbols_max]; /* and those whose side behind is true after it */
    uint16_t negated;             /* the assertions that are negated */
    bool is_search;
    uint32_t instructions; /* of the largest conjunct */
    uint32_t conjunct_count;
    lazy_conjunct conjuncts[regex_conjuncts_max];
    lazy_conjunct backward; /* with look-aheads, and then one conjunct */
};

/* The transitions of the backward automaton have in their upper bits which look-aheads hold where they begin. */
enum { lazy_mask_shift = 28 };
static const uint32_t lazy_state_bits = (1u << lazy_mask_shift) - 1;

/* In place of a state in the transition table. A state is numbered by where its row begins: so a step is one addition and
   one load. Rows 0 to 3 are not used, so no state has one of these numbers. */
enum {
    LAZY_OPEN = 0,    /* not made yet */
    LAZY_DEAD = 1,    /* fails, whatever follows */
    LAZY_MATCHED = 2, /* passes, whatever follows: a search has found a match */
    LAZY_QUIT = 3,    /* unknown */
    LAZY_FIRST = 4,
};

typedef struct lazy_state {
    uint32_t first; /* its items are items[first .. first + count) */
    uint32_t count;
    uint32_t hash;
    uint16_t behind; /* the assertions whose side behind is true here; 0 where no item is a condition */
    uint8_t at_end;  /* 0: not known yet; 1: fails if the value ends here; 2: passes */
} lazy_state;

/* The states of one conjunct. */
typedef struct lazy_cache {
    uint32_t *next;     /* by state and symbol */
    lazy_state *states; /* by row */
    uint32_t *items;
    uint16_t *slots; /* hash table: rows, or 0 */
    uint32_t state_count;
    uint32_t state_capacity;
    uint32_t item_count;
    uint32_t item_capacity;
    uint32_t start;   /* LAZY_OPEN: not made yet */
    uint32_t largest; /* the most items that a state of this program has ever had */
    uint32_t times_emptied;
} lazy_cache;

/* The caches of one program. */
typedef struct lazy_entry {
    uint64_t id; /* 0: none */
    uint64_t used;
    lazy_cache caches[regex_conjuncts_max + 1]; /* the last one is that of the backward automaton */
} lazy_entry;

enum { lazy_programs_max = 16 };

struct assay_lazy_caches {
    lazy_entry entries[lazy_programs_max];
    uint64_t clock;
    /* A sparse set of instructions, in the order in which they were found (P. Briggs, L. Torczon, 1993). */
    uint32_t *found;
    uint32_t *mark; /* by instruction: the round in which it was found last */
    uint32_t *stack;
    uint32_t *ready;
    uint64_t *map;     /* a bit for each instruction; all clear between calls */
    uint32_t capacity; /* instructions for which these have room */
    uint32_t round;
    uint32_t found_count;
    uint8_t *masks; /* by offset in a value: the look-aheads that hold there */
    size_t masks_capacity;
};

/* Returns the symbol of the non-ASCII character at value[*at], and moves *at past it. */
static inline uint32_t lazy_read_symbol(const assay_alphabet *alphabet, const uint8_t *value, size_t *at)
{
    const uint8_t *character = value + *at;
    const uint8_t lead = character[0];
    const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    *at += length;
    if (length == 4) return alphabet->above_bmp;
    const size_t row = alphabet->stage1[character_block(character)];
    return alphabet->stage2[row * block_characters + (character[length - 1] & 0x3F)];
}

/* Returns the symbol of the character at value[*at], and moves *at past it. */
static inline uint32_t lazy_next_symbol(const assay_lazy_program *program, const uint8_t *value, size_t *at)
{
    return value[*at] < 0x80 ? program->ascii_symbol_of[value[(*at)++]]
                             : lazy_read_symbol(&program->alphabet, value, at);
}

/* Fills the filter of a search that begins anew, if candidates are rare (assay_lazy_prefixes.c). false: out of memory. */
bool lazy_find_prefixes(const assay_lazy_program *program, assay_lazy_caches *room, lazy_conjunct *part);

/* Sets of instructions (assay_lazy_cache.c). */
bool lazy_make_room(assay_lazy_caches *caches, uint32_t instructions);
void lazy_begin_set(assay_lazy_caches *caches);
/* Adds what an instruction leads to without a character and without an assertion. Splits are followed, not kept. */
void lazy_add_closure(assay_lazy_caches *caches, const thompson_instruction *code, uint32_t from);
bool lazy_has_conditions(const thompson_instruction *code, const uint32_t *items, uint32_t count);
bool lazy_has(const thompson_instruction *code, thompson_kind kind, const uint32_t *items, uint32_t count);

/* The cache of each conjunct of a program. The program used longest ago loses its own, if need be. */
lazy_cache *lazy_caches_of(assay_lazy_caches *caches, const assay_lazy_program *program);

/* The start state of a conjunct; LAZY_QUIT: no memory. */
uint32_t lazy_start(assay_lazy_caches *caches, lazy_cache *cache, const lazy_conjunct *part);

/* Makes the transition of `state` by a column (symbol + symbols × look-aheads that hold), enters it, and returns it. Empties the
   cache first if it is full; LAZY_QUIT if there is no memory. */
uint32_t lazy_make_transition(assay_lazy_caches *caches, lazy_cache *cache, const assay_lazy_program *program,
                              const lazy_conjunct *part, uint32_t state, uint32_t column);

/* Whether the value matches if it ends in `state`, where these look-aheads hold. */
bool lazy_passes_at_end(assay_lazy_caches *caches, lazy_cache *cache, const assay_lazy_program *program,
                        const lazy_conjunct *part, uint32_t state, uint32_t lookaheads);

/* The look-aheads that hold at the beginning of the value, where the backward automaton is in `state`. */
uint32_t lazy_lookaheads_at_start(assay_lazy_caches *caches, lazy_cache *cache, const assay_lazy_program *program,
                                  uint32_t state);

#endif
