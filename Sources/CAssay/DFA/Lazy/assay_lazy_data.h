/* The program and the cache of a lazy DFA, private to the files of this folder. */
#ifndef ASSAY_LAZY_DATA_H
#define ASSAY_LAZY_DATA_H

#include "DFA/Lazy/assay_lazy_beginning.h"
#include "DFA/Lazy/assay_lazy_dfa.h"
#include "DFA/Lazy/assay_lazy_grams.h"
#include "DFA/Lazy/assay_lazy_words.h"
#include "DFA/assay_dfa_tables.h"
#include "Dispatch/assay_kernels.h"
#include "Regex/Determinize/assay_determinize.h"
#include "Regex/Syntax/assay_regex_lengths.h"
#include "SIMD/assay_prefix_filter.h"

typedef struct lazy_bits lazy_bits;

/* A property of each match of a search (assay_lazy_filter.c). Text without it has no match. */
typedef enum lazy_filter_kind {
    FILTER_NONE,
    FILTER_BYTES, /* some bytes; on processors with a byte shuffle */
    FILTER_GRAMS, /* strings at its beginning */
    FILTER_END,   /* the end of the value, at which each match ends */
} lazy_filter_kind;

typedef struct lazy_filter {
    lazy_filter_kind kind;
    assay_prefix_filter bytes;
    lazy_grams *grams;
    size_t before_max;  /* max bytes of a match before them; SIZE_MAX: unbounded */
    uint64_t before[4]; /* the set of bytes that the part before them may have */
    size_t context;     /* the characters before a match that its assertions examine */
    bool is_exact;      /* a match of words has exactly before_max bytes before them */
    bool has_start;     /* the same for any match; the first bytes of matches refuse candidates */
} lazy_filter;

/* One conjunct of the pattern (assay_regex_ast.h). */
typedef struct lazy_conjunct {
    automaton of;
    bool negated;        /* a value passes if it does not match */
    bool starts_matched; /* the empty value matches */
    /* The filters of a search: the first one that the processor path can run is used. */
    lazy_filter filters[2];
    lazy_beginning *beginning; /* the first bytes of its matches; NULL: unknown, or of no use */
    lazy_words *words;         /* a search for words alone; NULL: another search */
    bool has_many_words;       /* their states would not fit into a cache */
    lazy_bits *bits;           /* its bit-parallel form (assay_lazy_bits.h); NULL: no such form */
} lazy_conjunct;

struct assay_lazy_program {
    uint64_t id; /* unique among the programs of this process */
    automaton_symbols symbols;
    uint8_t ascii_symbol_of[128];
    bool is_search;
    regex_lengths lengths; /* of matching values */
    uint32_t instructions; /* of the largest conjunct */
    uint32_t conjunct_count;
    lazy_conjunct conjuncts[regex_conjuncts_max];
    lazy_conjunct backward; /* for look-aheads, which require a single conjunct */
};

/* The caches of one program. */
typedef struct lazy_entry {
    uint64_t id; /* 0: unused */
    uint64_t used;
    subset_cache caches[regex_conjuncts_max + 1]; /* the last one is that of the backward automaton */
} lazy_entry;

enum { lazy_programs_max = 16 };

struct assay_lazy_caches {
    lazy_entry entries[lazy_programs_max];
    uint64_t clock;
    instruction_set set;
    uint8_t *masks; /* by offset in a value: the look-aheads that hold there */
    size_t masks_capacity;
    bool is_last_engine; /* no other engine checks the current value */
};

/* Returns the filter of a search on the current processor path. NULL: no filter. */
static inline const lazy_filter *lazy_filter_of(const lazy_conjunct *part)
{
    const bool has_shuffle = assay_kernels_current()->find_candidate != NULL;
    const lazy_filter *filter = &part->filters[part->filters[0].kind == FILTER_BYTES && !has_shuffle ? 1 : 0];
    return filter->kind != FILTER_NONE ? filter : NULL;
}

/* Returns the symbol of the non-ASCII character at value[*at], and moves *at past it. */
static inline uint32_t lazy_read_symbol(const assay_alphabet *alphabet, const uint8_t *value, size_t *at)
{
    const uint8_t *character = value + *at;
    const uint8_t lead = character[0];
    const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    *at += length;
    const size_t row = alphabet->stage1[character_block(alphabet->page_of, character)];
    return alphabet->stage2[row * block_characters + (character[length - 1] & 0x3F)];
}

/* Returns the symbol of the character at value[*at], and moves *at past it. */
static inline uint32_t lazy_next_symbol(const assay_lazy_program *program, const uint8_t *value, size_t *at)
{
    return value[*at] < 0x80 ? program->ascii_symbol_of[value[(*at)++]]
                             : lazy_read_symbol(&program->symbols.alphabet, value, at);
}

/* Constructs the filters of a search, if its bytes are rare (assay_lazy_filter.c). Returns false if memory runs out.
   O(instructions × tried instructions), at most 64 of the latter. */
bool lazy_find_filters(const assay_lazy_program *program, const assay_regex *regex, assay_lazy_caches *room,
                       lazy_conjunct *part);

/* Returns the cache of each conjunct of a program. If there is no free cache, the least recently used program loses its
   own. */
subset_cache *lazy_caches_of(assay_lazy_caches *caches, const assay_lazy_program *program);

/* Returns the start state, SUBSET_MATCHED if a search has found a match already, or SUBSET_QUIT if memory has run
   out. */
uint32_t lazy_start(const determinizer *in);

/* Constructs the transition of `state` by a column (symbol + symbols × look-aheads that hold), stores it, and returns
   it. Empties the cache first if it is full. Returns SUBSET_QUIT if memory runs out. */
uint32_t lazy_make_transition(const determinizer *in, uint32_t state, uint32_t column);

#endif
