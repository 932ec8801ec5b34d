/* A lazy DFA: its states are constructed from the Thompson automaton when a value first needs them, as in RE2 and
 * regex-automata.
 *
 * It checks the patterns whose minimal DFA would have too many states, or with repeats too long for the Glushkov
 * automaton: a thousand words, `.{0,4000}`. A state is a sorted set of NFA instructions; its transitions are indexed by
 * equivalence class and added on demand:
 *
 *     state            class   a     b     …
 *     4  {0}                   5     1           1: dead
 *     5  {2, 5}                0     7           0: not constructed yet
 *
 *     assay_lazy_program.c   AST ──► immutable program, shared by all threads
 *     assay_lazy_filter.c    the bytes that each match of a search has
 *     assay_lazy_words.c     searches for thousands of words, without states
 *     assay_lazy_cache.c     states and transitions, constructed on demand; each thread has its own
 *     assay_lazy_dfa.c       values ──► verdicts
 *     assay_lazy_bits.c      the same by a simulation of the NFA, if states would be too large
 *
 * A full cache is emptied, and the value continues from its current state. A value that examines too many instructions,
 * of a pattern without a bit-parallel form, is unknown, and PCRE2 checks it.
 *
 * A search restarts at every character: the successors of the start are added to each state without being stored in it.
 * It ends at the first match, regardless of the match's end, because only the existence of a match matters. */
#ifndef ASSAY_LAZY_DFA_H
#define ASSAY_LAZY_DFA_H

#include "DFA/assay_dfa.h"

/* The program of a pattern. Immutable: any number of threads may use it. */
typedef struct assay_lazy_program assay_lazy_program;

/* Returns NULL if the pattern is refused, or when out of memory; *because contains the reason. `regex` must be parsed
 * from a pattern that PCRE2 compiles, and is not kept. O(instructions × symbols). */
assay_lazy_program *assay_lazy_program_create(const assay_regex *regex, bool is_search, const char **because);
void assay_lazy_program_free(assay_lazy_program *program);

/* Returns the number of instructions of its automata. */
uint32_t assay_lazy_program_size(const assay_lazy_program *program);

/* Returns the prefilter of a search in a few words: SIMD skips to places at which a match may begin, or a hash table
 * finds words. The lazy DFA is then faster than any other DFA for all but short values. Static storage; NULL: no
 * prefilter. */
const char *assay_lazy_program_prefilter(const assay_lazy_program *program);

/* Checks a value of a search by its filter and, if there is one, by the minimal DFA `dfa` of the same search, for a
 * short distance. UNKNOWN: *start is a lower bound on the start of the first match. From there on, any engine gives the
 * verdict of the whole value, because the characters that assertions examine are included; 0 if the program has no
 * prefilter. `readable`: readable bytes from the beginning of the value. O(count). */
dfa_answer assay_lazy_search(const assay_lazy_program *program, const assay_dfa *dfa, const uint8_t *value,
                             size_t count, size_t readable, size_t *start);

/* Returns whether it runs over each value twice, for look-aheads; JIT is then faster for ordinary values. */
bool assay_lazy_program_runs_twice(const assay_lazy_program *program);

/* The states that one thread has constructed, for the most recently used programs. At most 3.5 MB for each conjunct of
 * a program. */
typedef struct assay_lazy_caches assay_lazy_caches;

/* NULL: out of memory. */
assay_lazy_caches *assay_lazy_caches_create(void);
void assay_lazy_caches_free(assay_lazy_caches *caches);

/* Returns the number of instructions visited so far in the construction of states. */
uint64_t assay_lazy_caches_work(const assay_lazy_caches *caches);

/* Checks a well-formed value. UNKNOWN: it has a character with unknown classes, it needs too many states, or there is
 * no memory. O(1) per byte after the states are constructed. Examines at most 65,536 instructions, and 64 per byte.
 * `dfa`: the minimal DFA of the same search, which is faster at the candidates of the filter; may be NULL. */
dfa_answer assay_lazy_match(const assay_lazy_program *program, const assay_dfa *dfa, assay_lazy_caches *caches,
                            const uint8_t *value, size_t count);

/* The same for a value that no other engine can check, with eight times the bound. */
dfa_answer assay_lazy_match_as_last(const assay_lazy_program *program, const assay_dfa *dfa, assay_lazy_caches *caches,
                                    const uint8_t *value, size_t count);

/* Checks the values, of 64, whose bit is in `rows`. Sets the bits of failed values in *failed, which must be clear
 * there, and returns the unknown ones. */
uint64_t assay_lazy_match_rows(const assay_lazy_program *program, const assay_dfa *dfa, assay_lazy_caches *caches,
                               const uint8_t *bytes, const assay_cell *cells, uint64_t rows, uint64_t *failed);

#endif
