/* Literal prefixes: up to four literals, such that each matching value begins with one, and all lead the DFA to the
 * same state. Extracted from the DFA, not from the text of the pattern; the shuffle DFA compares them before it runs.
 *
 *     https?://[a-z]+(?:/[a-z]*)*     literals "http://" and "https://"
 *
 *     value     https://example.org/a
 *               ├──────┤                one masked comparison of eight bytes
 *                       ├───────────┤   the shuffle DFA, from the state after both literals
 *
 * A comparison replaces up to eight steps, and the rest of the DFA has fewer states. Search engines use literals to
 * find candidate positions (Hyperscan, RE2, regex-automata); here matches are anchored, so one comparison decides. */
#ifndef ASSAY_LITERAL_PREFIXES_H
#define ASSAY_LITERAL_PREFIXES_H

#include "DFA/assay_dfa.h"

enum { literal_prefixes_max = 4, literal_prefix_longest = 8 };

/* No literal is a prefix of another, so at most one matches a value. Literals do not contain NUL bytes, so a value
 * padded with zeros matches no literal that is longer than the value. */
typedef struct assay_literal_prefixes {
    uint8_t count;                         /* 0: no prefixes */
    uint8_t state;                         /* the state after each literal */
    uint8_t lengths[literal_prefixes_max]; /* in bytes, from 1 on */
    /* A value begins with a literal if its first eight bytes, in memory order, equal the literal under its mask. */
    uint64_t literals[literal_prefixes_max];
    uint64_t masks[literal_prefixes_max];
} assay_literal_prefixes;

/* Finds the longest such literals. A value that does not begin with a literal fails, unless its first
 * literal_prefix_longest bytes are not all ASCII: it may still match then, because only ASCII continuations were
 * followed. O(states² × 128) at most. */
assay_literal_prefixes assay_literal_prefixes_find(const assay_dfa *dfa);

#endif
