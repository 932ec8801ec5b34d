/* A pattern as a finite automaton over bytes.
 *
 *     pattern text ──► assay_regular ──► assay_positions ──► assay_states ──► assay_automaton
 *       syntax           a tree           what may follow     deterministic,     tables to run
 *                                                             minimal
 *
 * Where look-aheads would make it too large, it is several of them, each for some of what the pattern asks for.
 *
 * An accelerator: PCRE2 says what is right, and judges whatever the automaton leaves open. Its time is linear in the
 * value, whatever the value, so nothing is ever undecided. Any number of threads may use one at once. */
#ifndef ASSAY_DFA_H
#define ASSAY_DFA_H

#include "Regex/Syntax/assay_regex_parser.h"
#include "assay/core.h"

typedef struct assay_automaton assay_automaton;

/* NULL: the pattern has none, and *refusal says why. `text` must be a pattern that PCRE2 compiles. */
assay_automaton *assay_automaton_create(const uint8_t *text, size_t count, uint32_t options,
                                        const assay_character_finder *finder, assay_automaton_refusal *refusal);
void assay_automaton_free(assay_automaton *automaton);

uint32_t assay_automaton_states(const assay_automaton *automaton);

/* Whether a value of so many bytes is judged faster than by PCRE2's machine code. */
bool assay_automaton_is_fast(const assay_automaton *automaton, size_t count);

typedef enum automaton_answer { AUTOMATON_FAIL, AUTOMATON_PASS, AUTOMATON_OPEN } automaton_answer;

/* Judges one value, well-formed UTF-8. For the first one of more than 256 bytes it may make tables. */
automaton_answer assay_automaton_value(assay_automaton *automaton, const uint8_t *value, size_t count);

/* Says that so many more rows will be judged. Once they are enough, this makes the tables of assay_automaton_rows, if there
 * is memory, and the automaton is not too large. */
void assay_automaton_expect_rows(assay_automaton *automaton, size_t rows);

/* Whether they are there, so that assay_automaton_rows may be called. */
bool assay_automaton_can_judge_rows(const assay_automaton *automaton);

/* The most rows judged at once. */
enum { ASSAY_AUTOMATON_ROWS = 2048 };

/* Judges `count` values, several at a time, but not those whose bit is set in `skip`, which may be NULL. Writes whole words
 * of both masks. Left open, for assay_automaton_value: values longer than 256 bytes and, of a pattern that tells very many
 * characters beyond ASCII apart, some that have such. O(bytes). */
void assay_automaton_rows(const assay_automaton *automaton, const uint8_t *bytes, const assay_cell *cells, size_t count,
                          const uint64_t *skip, uint64_t *failed, uint64_t *open);

#endif
