/* Literal prefixes: a few literals, with one of which every matching value begins and which all lead to the same state.
 *
 *     https?://[a-z]+(?:/[a-z]*)*     http:// and https://
 *
 * Comparing eight bytes with them takes less time than the same number of DFA steps, and the rest of the DFA has fewer
 * states. */
#ifndef ASSAY_LITERAL_PREFIXES_H
#define ASSAY_LITERAL_PREFIXES_H

#include "DFA/assay_dfa.h"

enum { literal_prefixes_max = 4, literal_prefix_longest = 8 };

/* No literal is a prefix of another, or has zero bytes. */
typedef struct assay_literal_prefixes {
    uint8_t count;                         /* 0: none */
    uint8_t state;                         /* where each literal leads from the start */
    uint8_t lengths[literal_prefixes_max]; /* in bytes, from 1 on */
    /* The first eight bytes of a value, as they stand in memory, begin with a literal if they equal it under its
       mask. */
    uint64_t literals[literal_prefixes_max];
    uint64_t masks[literal_prefixes_max];
} assay_literal_prefixes;

/* The longest ones. A value that begins with none of them fails, unless its first literal_prefix_longest bytes are not
 * all ASCII: then nothing is known. */
assay_literal_prefixes assay_literal_prefixes_find(const assay_dfa *dfa);

#endif
