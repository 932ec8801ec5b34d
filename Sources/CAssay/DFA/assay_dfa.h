/* A pattern as a DFA over bytes: linear in the length of the value, whatever the value.
 *
 *     pattern text ──► AST ─────────► NFA ───────────► minimal DFA ──────────────► tables to run
 *                      Regex/Syntax   Regex/NFA        Regex/Build                 DFA
 *                      parser         Glushkov (1961)  subset construction,
 *                                                      minimisation (Moore 1956)
 *
 * Some look-aheads would make one DFA too large. Then there is a chain of DFAs, one for each group of conjuncts of the
 * pattern: a value matches if all of them accept it.
 *
 * The DFA is an accelerator. PCRE2 defines the verdict and judges every value for which the DFA answers "unknown", as
 * a quit state does in RE2 and regex-automata. Any number of threads may use one DFA at once. */
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

/* Whether it judges a value of `count` bytes faster than PCRE2's machine code. */
bool assay_dfa_is_fast(const assay_dfa *dfa, size_t count);

typedef enum dfa_answer { DFA_FAIL, DFA_PASS, DFA_UNKNOWN } dfa_answer;

/* Judges one value, which must be well-formed UTF-8. The first value of more than 256 bytes may cost the making of
   tables. O(count). */
dfa_answer assay_dfa_judge(assay_dfa *dfa, const uint8_t *value, size_t count);

/* Announces `rows` more rows. Once enough were announced, this makes the tables of assay_dfa_judge_rows, if there is
 * memory and the DFA is not too large. */
void assay_dfa_expect_rows(assay_dfa *dfa, size_t rows);

/* Whether those tables exist, so that assay_dfa_judge_rows may be called. */
bool assay_dfa_can_judge_rows(const assay_dfa *dfa);

/* The most rows that one call judges. */
enum { ASSAY_DFA_ROWS = 2048 };

/* Judges `count` values, several at a time, except those whose bit is set in `skip` (may be NULL). Writes whole words
 * of both masks. Unknown, and left to assay_dfa_judge: values of more than 256 bytes and, where a pattern distinguishes
 * very many non-ASCII characters, some values that contain them. O(bytes). */
void assay_dfa_judge_rows(const assay_dfa *dfa, const uint8_t *bytes, const assay_cell *cells, size_t count,
                          const uint64_t *skip, uint64_t *failed, uint64_t *unknown);

#endif
