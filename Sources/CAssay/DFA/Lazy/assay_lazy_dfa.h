/* A lazy DFA: its states are made from the Thompson automaton when a value first needs them, as in RE2 and regex-automata.
 *
 * It judges the patterns whose minimal DFA would have too many states, or whose repeats are too long for the Glushkov
 * automaton: a thousand words, `.{0,4000}`. A state is a sorted set of NFA instructions; its transitions are indexed by
 * equivalence class and filled in one by one:
 *
 *     state            class   a     b     …
 *     4  {0}                   5     1           1: dead
 *     5  {2, 5}                0     7           0: not made yet
 *
 *     assay_lazy_program.c   AST ──► immutable program, shared by all threads
 *     assay_lazy_filter.c    the bytes that each match of a search has
 *     assay_lazy_words.c     searches for thousands of words, without states
 *     assay_lazy_cache.c     states and transitions, made on demand; each thread has its own
 *     assay_lazy_dfa.c       values ──► verdicts
 *     assay_lazy_bits.c      the same by a simulation of the NFA, where states would be too large
 *
 * A full cache is emptied, and the value goes on from the state where it is. A value that examines too many instructions, of
 * a pattern without a bit-parallel form, is unknown, and PCRE2 judges it.
 *
 * A search begins anew at every character: what the start leads to is added to each state, without being kept in it. It ends
 * with the first match, wherever that ends, since only whether there is one matters. */
#ifndef ASSAY_LAZY_DFA_H
#define ASSAY_LAZY_DFA_H

#include "DFA/assay_dfa.h"

/* The program of a pattern. Immutable: any number of threads may use it. */
typedef struct assay_lazy_program assay_lazy_program;

/* NULL: refused, or out of memory; *because says which. `regex` is parsed from a pattern that PCRE2 compiles, and is not
   kept. O(instructions × symbols). */
assay_lazy_program *assay_lazy_program_create(const assay_regex *regex, bool is_search, const char **because);
void assay_lazy_program_free(assay_lazy_program *program);

/* The number of instructions of its automata. */
uint32_t assay_lazy_program_size(const assay_lazy_program *program);

/* What a search looks for first, in a few words: SIMD skips to where a match may begin, or words are found by their hashes. Then it
   is faster than any other DFA for all but short values. Static storage; NULL: it looks for nothing first. */
const char *assay_lazy_program_prefilter(const assay_lazy_program *program);

/* Returns where in a value the first match of a search begins at the earliest, or SIZE_MAX if the value has no match. From there
   on, any engine gives the verdict of the whole value, because the characters that assertions examine are included. `readable`:
   bytes from the beginning of the value on that may be read. Returns 0 if the program has no prefilter. O(count). */
size_t assay_lazy_skip(const assay_lazy_program *program, const uint8_t *value, size_t count, size_t readable);

/* Whether it runs over each value twice, for look-aheads: then JIT is faster for ordinary values. */
bool assay_lazy_program_runs_twice(const assay_lazy_program *program);

/* The states that one thread has made, of the programs that it used last. At most 3.5 MB for each conjunct of a program. */
typedef struct assay_lazy_caches assay_lazy_caches;

/* NULL: out of memory. */
assay_lazy_caches *assay_lazy_caches_create(void);
void assay_lazy_caches_free(assay_lazy_caches *caches);

/* The number of instructions that were visited so far to make states. */
uint64_t assay_lazy_caches_work(const assay_lazy_caches *caches);

/* Judges a well-formed value. UNKNOWN: it has a character whose classes are not known, it needs too many states, or there is
   no memory. O(1) a byte once the states are made. At most 2^18 instructions, and 64 a byte, are examined. */
dfa_answer assay_lazy_judge(const assay_lazy_program *program, assay_lazy_caches *caches, const uint8_t *value,
                            size_t count);

/* Judges those of 64 values whose bit is in `rows`. Sets the bits of those that fail in *failed, which must be clear there, and
   returns those that are unknown. */
uint64_t assay_lazy_judge_rows(const assay_lazy_program *program, assay_lazy_caches *caches, const uint8_t *bytes,
                               const assay_cell *cells, uint64_t rows, uint64_t *failed);

#endif
