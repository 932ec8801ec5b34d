/* A lazy DFA: states are made from the Thompson automaton when a value first needs them, as in RE2 and regex-automata.
 *
 * For patterns whose minimal DFA would have too many states, or whose repeats are too long for the position automaton: a
 * thousand words, `.{0,4000}`. A state is a set of instructions, kept sorted; its transitions are looked up by the equivalence
 * class of the next character, and filled in one by one:
 *
 *     state          class   a     b     …
 *     4 {0}                  5     1           1: dead
 *     5 {2, 5}               0     7           0: not made yet
 *
 * The program is immutable, and any number of threads may use it. The states are in a cache that belongs to one thread. When
 * the cache is full it starts anew; a value that fills it again and again is left to PCRE2.
 *
 * A search begins at every character: the instructions of the start are part of each state, without being kept in it. It ends
 * with the first match. */
#ifndef ASSAY_LAZY_DFA_H
#define ASSAY_LAZY_DFA_H

#include "DFA/assay_dfa.h"

/* What the pattern is compiled to. */
typedef struct assay_lazy_program assay_lazy_program;

/* NULL: refused, or out of memory; *refusal says which. `text` must be a pattern that PCRE2 compiles. */
assay_lazy_program *assay_lazy_program_create(const uint8_t *text, size_t count, uint32_t options,
                                              const assay_class_resolver *finder, assay_dfa_refusal *refusal);
void assay_lazy_program_free(assay_lazy_program *program);

/* The instructions of its automaton. */
uint32_t assay_lazy_program_size(const assay_lazy_program *program);

/* The states that one thread has made for some programs. */
typedef struct assay_lazy_caches assay_lazy_caches;

/* NULL: no memory. */
assay_lazy_caches *assay_lazy_caches_create(void);
void assay_lazy_caches_free(assay_lazy_caches *caches);

/* Judges a well-formed value. Unknown: a character whose classes are not known, no memory, or too many states. Takes a few
   nanoseconds a byte once the states are made; never more than a constant times the size of the program a byte, nor more than
   some milliseconds and 100 ns a byte in all. */
dfa_answer assay_lazy_judge(const assay_lazy_program *program, assay_lazy_caches *caches, const uint8_t *value,
                            size_t count);

#endif
