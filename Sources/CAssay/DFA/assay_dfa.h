/* A pattern as a finite DFA over bytes.
 *
 *     pattern text ──► assay_regex ──► assay_glushkov ──► assay_minimal_dfa ──► assay_dfa
 *       syntax           a tree           what may follow     deterministic,     tables to run
 *                                                             minimal
 *
 * Where look-aheads would make it too large, it is several of them, each for some of what the pattern asks for.
 *
 * An accelerator: PCRE2 says what is right, and judges whatever the DFA leaves open. Its time is linear in the
 * value, whatever the value, so nothing is ever undecided. Any number of threads may use one at once. */
#ifndef ASSAY_DFA_H
#define ASSAY_DFA_H

#include "Regex/Syntax/assay_regex_parser.h"
#include "assay/core.h"

typedef struct assay_dfa assay_dfa;

/* NULL: the pattern has none, and *refusal says why. `text` must be a pattern that PCRE2 compiles. */
assay_dfa *assay_dfa_create(const uint8_t *text, size_t count, uint32_t options, const assay_class_resolver *finder,
                            assay_dfa_refusal *refusal);
void assay_dfa_free(assay_dfa *dfa);

uint32_t assay_dfa_state_count(const assay_dfa *dfa);

/* Whether a value of so many bytes is judged faster than by PCRE2's machine code. */
bool assay_dfa_is_fast(const assay_dfa *dfa, size_t count);

typedef enum dfa_answer { DFA_FAIL, DFA_PASS, DFA_UNKNOWN } dfa_answer;

/* Judges one value, well-formed UTF-8. For the first one of more than 256 bytes it may make tables. */
dfa_answer assay_dfa_judge(assay_dfa *dfa, const uint8_t *value, size_t count);

/* Says that so many more rows will be judged. Once they are enough, this makes the tables of assay_dfa_judge_rows, if there
 * is memory, and the DFA is not too large. */
void assay_dfa_expect_rows(assay_dfa *dfa, size_t rows);

/* Whether they are there, so that assay_dfa_judge_rows may be called. */
bool assay_dfa_can_judge_rows(const assay_dfa *dfa);

/* The most rows judged at once. */
enum { ASSAY_DFA_ROWS = 2048 };

/* Judges `count` values, several at a time, but not those whose bit is set in `skip`, which may be NULL. Writes whole words
 * of both masks. Left open, for assay_dfa_judge: values longer than 256 bytes and, of a pattern that tells very many
 * characters beyond ASCII apart, some that have such. O(bytes). */
void assay_dfa_judge_rows(const assay_dfa *dfa, const uint8_t *bytes, const assay_cell *cells, size_t count,
                          const uint64_t *skip, uint64_t *failed, uint64_t *unknown);

#endif
