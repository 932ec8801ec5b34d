/* The Thompson automaton of a pattern (K. Thompson: Regular expression search algorithm, 1968): an NFA with empty
 * transitions, as a list of instructions. Its size is linear in the written-out pattern, where the follow sets of a Glushkov
 * automaton (assay_glushkov.h) may be quadratic, so it is the form for patterns that are too large for those.
 *
 *     a(b|c)*     0: class a → 1
 *                 1: split → 2, 5
 *                 2: split → 3, 4
 *                 3: class b → 1
 *                 4: class c → 1
 *                 5: match
 */
#ifndef ASSAY_THOMPSON_H
#define ASSAY_THOMPSON_H

#include "Regex/Syntax/assay_regex_ast.h"

enum { thompson_max = 1 << 17 };

typedef enum thompson_kind {
    THOMPSON_CLASS,     /* consumes a character of set `label` */
    THOMPSON_ASSERTION, /* consumes nothing; assertion `label` must hold */
    THOMPSON_SPLIT,     /* goes on at `next` and at `other` */
    THOMPSON_MATCH,
    THOMPSON_LOOKBEHIND, /* consumes nothing; look-behind `label` must hold */
    THOMPSON_BEHIND,     /* a text ends here that look-behind `label` matches */
    THOMPSON_LOOKAHEAD,  /* consumes nothing; look-behind `label` of the backward automaton must hold */
} thompson_kind;

typedef struct thompson_instruction {
    uint32_t next;
    uint32_t other; /* SPLIT */
    uint8_t kind;
    uint8_t label;
} thompson_instruction;

typedef struct assay_thompson {
    thompson_instruction *code;
    uint32_t count;
    uint32_t capacity;
    uint32_t start;
    /* The look-behinds, each after those within it. They are automata of their own, which begin anew at each character. */
    uint32_t lookbehind_count;
    struct {
        uint32_t start;
        uint32_t node; /* in the AST */
        bool negated;
    } lookbehinds[regex_lookbehinds_max];
} assay_thompson;

/* Look-aheads are evaluated beforehand, by a run from the end of the value to its beginning: there they are look-behinds, of an
 * automaton of their own (A. Barrière, C. Pit-Claudel: Linear matching of JavaScript regular expressions, 2024). It has nothing
 * but its look-behinds:
 *
 *     a(?=bc)     forward    class a → look-ahead 0 → match
 *                 backward   look-behind 0: class c → class b → behind 0 */

/* Builds the automaton of the subtree `root`. `is_search`: that of a search (assay_regex_parser.h), without what surrounds
   its alternatives: the DFA begins anew at each character and ends with the first match. Repeats are written out. false:
   more than thompson_max instructions, a possessive repeat, a look-behind within a look-ahead, or out of memory; *because says
   which. Free both in either case. */
bool assay_thompson_build(assay_thompson *nfa, assay_thompson *backward, const assay_regex *regex, uint32_t root,
                          bool is_search, const char **because);
void assay_thompson_free(assay_thompson *nfa);

#endif
