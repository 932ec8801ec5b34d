/* The automaton of a search as a graph, and the bytes of its classes, for the files that look for a filter. */
#ifndef ASSAY_LAZY_FINDER_H
#define ASSAY_LAZY_FINDER_H

#include "DFA/Lazy/assay_lazy_data.h"

enum { PREFIXES_MAX = 128 };

/* The bytes that begin some texts: one of sets[0], then one of sets[1] …, for `count` bytes; any byte after those. */
typedef struct prefix {
    uint64_t sets[prefix_bytes][4];
    uint32_t count;
} prefix;

typedef struct prefix_list {
    prefix items[PREFIXES_MAX];
    uint32_t count;
} prefix_list;

/* The UTF-8 of the characters of a class, by their number of bytes: the bytes in each place. */
typedef struct class_bytes {
    bool is_filled;
    bool has[5];
    uint64_t sets[5][4][4];
    uint64_t any[4];
} class_bytes;

/* A step of a depth-first search. */
typedef struct visit {
    uint32_t item;
    uint32_t edge;
} visit;

typedef struct finder {
    const automaton_symbols *symbols;
    const thompson_instruction *code;
    uint32_t count;
    uint32_t start;
    uint32_t match;
    instruction_set *set;
    class_bytes *classes; /* by label */
    uint32_t *parent;     /* by instruction, for the path */
    uint32_t *path;
    uint32_t path_count;
    uint32_t *place;   /* by instruction: 1 + its place in the path; 0: not in the path */
    uint32_t *segment; /* by instruction: the part of the path that reached it; 0: not reached */
    size_t *longest;   /* by instruction: bytes from there to the end of its segment */
    uint8_t *color;
    uint32_t *entered; /* by instruction: bit i: reached i bytes after the beginning of a match (lazy_find_beginning) */
    uint32_t places_entered; /* the bits of `entered` that are complete */
    visit *stack;
    uint32_t prefixes_left;
    prefix_list trial;
} finder;

static inline bool set_has(const uint64_t set[4], size_t byte) { return (set[byte / 64] >> (byte % 64) & 1) != 0; }

static inline void set_add(uint64_t set[4], size_t byte) { set[byte / 64] |= UINT64_C(1) << (byte % 64); }

static inline void set_unite(uint64_t set[4], const uint64_t other[4])
{
    for (int i = 0; i < 4; i++) set[i] |= other[i];
}

/* Returns edge 0 or 1 of an instruction, or regex_none. */
static inline uint32_t lazy_edge(const finder *in, uint32_t item, uint32_t number)
{
    const thompson_instruction *at = &in->code[item];
    if (at->kind == THOMPSON_MATCH || number > 1) return regex_none;
    if (number == 0) return at->next;
    return at->kind == THOMPSON_SPLIT ? at->other : regex_none;
}

/* Returns the bytes of the class `label`. */
const class_bytes *lazy_bytes_of(finder *in, uint32_t label);

/* Fills in->set with the instructions that read the next character after `from`, or match. Conditions count as
 * holding. */
void lazy_find_next(finder *in, uint32_t from);

/* Returns the rough probability that a place in a text has a byte of a set. */
double lazy_chance_of_set(const uint64_t set[4]);

/* Returns the maximum length in bytes of the text between two instructions, over those whose in->segment is `segment`;
 * SIZE_MAX: unbounded, because a loop is between them. in->color must be 0 for those. */
size_t lazy_longest_between(finder *in, uint32_t from, uint32_t to, uint32_t segment);

/* Sets the maximum length of a match in *most, and the bytes that a match can have in `any`. */
void lazy_measure(finder *in, size_t *max, uint64_t any[4]);

/* Finds the bytes with which every match ends. Returns false if there are no such bytes. */
bool lazy_find_suffix(finder *in, prefix *suffix);

/* Whether every match ends at the end of the value. */
bool lazy_ends_at_end(finder *in, const assay_regex *regex);

/* Fills in->entered, and returns the first bytes of matches. NULL: they refuse few candidates, or there is no memory.
 * The caller frees the result. */
lazy_beginning *lazy_find_beginning(finder *in);

/* The strings with which matches begin, of `bytes` bytes each, the first one lowest, with lazy_grams_fold set. */
typedef struct lazy_windows {
    uint64_t *items;
    size_t count;
    size_t capacity;
    uint32_t bytes;
} lazy_windows;

/* Collects the windows of an automaton, the longest ones that all matches have. Returns false if they are shorter than
 * lazy_window_min, if there are too many, or if memory runs out. Free windows->items in either case. */
bool lazy_collect_windows(finder *in, lazy_windows *windows);

/* Returns the rough probability that a place in a text has `bytes` bytes of a window, from its byte `from` on. */
double lazy_chance_of_windows(const lazy_windows *windows, uint32_t from, uint32_t bytes);

#endif
