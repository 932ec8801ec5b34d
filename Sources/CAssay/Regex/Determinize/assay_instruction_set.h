/* Sets of NFA instructions, for the construction of DFA states: sparse sets that keep their members in the order of
 * insertion (P. Briggs, L. Torczon: An efficient representation for sparse sets, 1993). */
#ifndef ASSAY_INSTRUCTION_SET_H
#define ASSAY_INSTRUCTION_SET_H

#include "Regex/NFA/assay_thompson.h"

/* A set, with its working memory. Belongs to one thread. Zero-initialize it. */
typedef struct instruction_set {
    uint32_t *found;
    uint32_t found_count;
    uint32_t *mark; /* for each instruction: the last round in which it was found */
    uint32_t round;
    uint32_t *stack;
    uint32_t *ready;   /* working memory with room for a copy of `found` */
    uint64_t *map;     /* a bit for each instruction; all must be clear between calls */
    uint32_t capacity; /* the number of instructions that the arrays have room for */
    uint64_t work;     /* instructions visited so far */
} instruction_set;

/* Reserves room for automata of `instructions` instructions. Returns false if memory runs out. */
bool assay_instruction_set_reserve(instruction_set *set, uint32_t instructions);
void assay_instruction_set_free(instruction_set *set);

/* Empties the set. O(1). */
void assay_instruction_set_clear(instruction_set *set);

/* Adds the instructions that can be reached from `from` without reading a character or testing a condition. Splits are
   followed, not added. */
void assay_instruction_set_add(instruction_set *set, const thompson_instruction *code, uint32_t from);

/* Sorts the members by their number. */
void assay_instruction_set_sort(instruction_set *set);

/* Whether `items` has an instruction of this kind. */
bool assay_instructions_have(const thompson_instruction *code, thompson_kind kind, const uint32_t *items,
                             uint32_t count);

/* Whether `items` has an assertion or a look-around. */
bool assay_instructions_have_conditions(const thompson_instruction *code, const uint32_t *items, uint32_t count);

#endif
