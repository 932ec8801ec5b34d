/* A pattern as a DFA over bytes. It takes time linear in the length of any value.
 *
 *     pattern text ──► AST ─────────► NFA ───────────► minimal DFA ──────────────► tables to run
 *                      Regex/Syntax   Regex/NFA        Regex/Determinize           DFA
 *                      parser,        Thompson (1968)  subset construction,        Scalar   one value
 *                      lowering                        minimization (Moore 1956)   Batch    8 values
 *                                                                                  Shuffle  64 values, SIMD shuffles
 *
 * Some look-aheads would make one DFA too large. Such a pattern gets a chain of DFAs, one for each group of its
 * conjuncts, and a value matches if all DFAs accept it.
 *
 * The DFA is an accelerator. PCRE2 defines the verdict and checks every value for which the DFA answers "unknown", as
 * slower engines run after the quit state of RE2 and regex-automata.
 *
 * Any number of threads may use one DFA at once. Its tables never change after they are published; the large ones for
 * columns and long values are constructed on demand and published by one atomic exchange. */
#ifndef ASSAY_DFA_H
#define ASSAY_DFA_H

#include "Columns/assay_column_view.h"
#include "Regex/Syntax/assay_regex_parser.h"

typedef struct assay_dfa assay_dfa;

/* Compiles the DFA of a pattern that PCRE2 accepts, from its lowered tree. Returns NULL if the pattern has no DFA, with
 * the reason in *refusal. Borrows its arguments only during the call. Free with assay_dfa_free. */
assay_dfa *assay_dfa_create(const assay_regex *regex, bool is_search, assay_dfa_refusal *refusal);
void assay_dfa_free(assay_dfa *dfa);

/* Returns the number of states, summed over a chain. */
uint32_t assay_dfa_state_count(const assay_dfa *dfa);

/* Whether all DFAs of a chain have a form that reads several bytes a step on the current processor path. May become
 * true when the tables for columns are constructed. */
bool assay_dfa_has_multibyte_forms(const assay_dfa *dfa);

/* Whether the DFA, which must not be a chain, steps over all values by shuffles (Sheng) on the current processor
   path. */
bool assay_dfa_has_sheng(const assay_dfa *dfa);

typedef enum dfa_answer { DFA_PASS, DFA_FAIL, DFA_UNKNOWN } dfa_answer; /* the order of assay_verdict */

/* Checks one value, which must be well-formed UTF-8. Values with characters that the DFA does not know are UNKNOWN.
 * O(count), but the first value of more than 256 bytes may include the construction of tables. */
dfa_answer assay_dfa_match(assay_dfa *dfa, const uint8_t *value, size_t count);

/* The result of a part of a search. IDLE: the DFA is again in its start state. */
typedef enum dfa_part { DFA_PART_FAIL, DFA_PART_PASS, DFA_PART_UNKNOWN, DFA_PART_IDLE } dfa_part;

enum { assay_dfa_part_bytes = 16 };

/* Checks a value of a search from *at on until the result is known. The search must be idle at that place. UNKNOWN: it
 * is not after `parts` × assay_dfa_part_bytes. Sets *at to the place of IDLE. `dfa` must not be a chain. */
dfa_part assay_dfa_match_part(const assay_dfa *dfa, const uint8_t *value, size_t *at, size_t count, unsigned parts);

/* Whether conjuncts of the pattern have DFAs of their own. */
bool assay_dfa_is_chain(const assay_dfa *dfa);

/* Announces `rows` more rows to check. After 1,024 rows, this constructs the tables of assay_dfa_match_rows, if there
 * is memory. */
void assay_dfa_expect_rows(assay_dfa *dfa, size_t rows);

/* Announces a single value that these tables may check faster than JIT. Constructs them after 16,384 values. Returns
 * whether all DFAs of the chain have a form that reads several bytes a step, as far as is known. */
bool assay_dfa_expect_value(assay_dfa *dfa);

/* Whether those tables exist, so that assay_dfa_match_rows may be called. */
bool assay_dfa_can_match_rows(const assay_dfa *dfa);

/* Whether assay_dfa_match_rows, which must be callable, uses shuffles. */
bool assay_dfa_has_shuffles(const assay_dfa *dfa);

/* The maximum number of rows in one call of assay_dfa_match_rows, which bounds its arrays on the stack. */
enum { ASSAY_DFA_ROWS = 2048 };

/* Checks a column, several values at a time. Writes whole words of both masks; no row is in both. Unknown rows are for
 * assay_dfa_match: values of more than 256 bytes, values with characters that the DFA does not know and, if a pattern
 * distinguishes very many non-ASCII characters, some values that contain them. May read up to 15 bytes before a value,
 * within the buffer. O(bytes). */
void assay_dfa_match_rows(const assay_dfa *dfa, const assay_column_view *column, uint64_t *failed, uint64_t *unknown);

#endif
