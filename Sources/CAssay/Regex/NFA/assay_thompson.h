/* The Thompson automaton of a pattern (K. Thompson: Regular expression search algorithm, 1968): an NFA with empty
 * transitions, as a list of instructions: AST ──► NFA ──► determinization (Regex/Determinize).
 *
 *     a(b|c)*     0: match
 *                 1: split → 2, 0           the repeat, which may end
 *                 2: class c → 1
 *                 3: class b → 1
 *                 4: split → 3, 2
 *                 5: class a → 1            start
 *
 * Its size is linear in the pattern with expanded repeats. A Glushkov automaton (1961) has no empty transitions, but
 * its follow sets may be quadratic, which limits it to some hundred characters; the determinization computes the
 * closure of an instruction only when a state needs it. */
#ifndef ASSAY_THOMPSON_H
#define ASSAY_THOMPSON_H

#include "Regex/Syntax/assay_regex_ast.h"

enum { thompson_max = 1 << 17, thompson_no_conjunct = regex_conjuncts_max };

typedef enum thompson_kind {
    THOMPSON_CLASS,      /* consumes a character of set `label` */
    THOMPSON_ASSERTION,  /* zero-width; assertion `label` must hold */
    THOMPSON_SPLIT,      /* continues at `next` and at `other` */
    THOMPSON_MATCH,      /* the end of conjunct `label` */
    THOMPSON_LOOKBEHIND, /* zero-width; look-behind `label` must hold */
    THOMPSON_BEHIND,     /* the end of a text that look-behind `label` matches */
    THOMPSON_LOOKAHEAD,  /* zero-width; look-behind `label` of the backward automaton must hold */
} thompson_kind;

typedef struct thompson_instruction {
    uint32_t next;
    uint32_t other; /* SPLIT */
    uint8_t kind;
    uint8_t label;
    uint8_t conjunct; /* its conjunct; thompson_no_conjunct: part of a look-around */
} thompson_instruction;

/* A conjunct (assay_regex_ast.h): its first and last instructions. */
typedef struct thompson_conjunct {
    uint32_t start;
    uint32_t match;
    bool negated;
} thompson_conjunct;

typedef struct assay_thompson {
    thompson_instruction *code;
    uint32_t count;
    size_t capacity;
    uint32_t conjunct_count; /* 0: this automaton runs backward, and has only look-behinds */
    thompson_conjunct conjuncts[regex_conjuncts_max];
    /* The look-behinds, each after those inside it. They are separate automata, which restart at each character. */
    uint32_t lookbehind_count;
    struct {
        uint32_t start;
        uint32_t node; /* in the AST */
        bool negated;
    } lookbehinds[regex_lookbehinds_max];
} assay_thompson;

/* Look-aheads are evaluated first, by a run from the end of the value to its beginning, in which they are look-behinds
 * of a separate automaton (A. Barrière, C. Pit-Claudel: Linear matching of JavaScript regular expressions, 2024). This
 * automaton has only look-behinds:
 *
 *     a(?=bc)     forward    class a → look-ahead 0 → match
 *                 backward   look-behind 0: class c → class b → behind 0 */

/* Builds one automaton of `count` conjuncts of `regex`, which must be lowered. `is_search`: for a search
 * (assay_regex_parser.h), without the Σ* around its alternatives, because the determinization restarts at each
 * character and ends at the first match. Repeats are expanded. Returns false, with *because, if it has more than
 * thompson_max instructions, a possessive repeat that may change the language, or a look-behind inside a look-ahead; if
 * building it takes too many steps; or if memory runs out. Free both automata in either case. The maximum number of
 * steps is 2^20 and 16 for each node. */
bool assay_thompson_build(assay_thompson *nfa, assay_thompson *backward, const assay_regex *regex,
                          const regex_conjunct *conjuncts, uint32_t count, bool is_search, const char **because);
void assay_thompson_free(assay_thompson *nfa);

#endif
