/* Literal prefixes: a few words with one of which every right value begins, and after which all is one.
 *
 *     https?://[a-z]+(?:/[a-z]*)*     http:// and https://
 *
 * To compare eight bytes with them takes less than as many steps of a DFA, and leaves one that has fewer states. */
#ifndef ASSAY_LITERAL_PREFIXES_H
#define ASSAY_LITERAL_PREFIXES_H

#include "DFA/assay_dfa.h"

enum { literal_prefixes_max = 4, literal_prefix_longest = 8 };

/* No word begins with another one, or has bytes that are zero. */
typedef struct assay_literal_prefixes {
    uint8_t count;                         /* 0: none */
    uint8_t state;                         /* where each word leads from the start */
    uint8_t lengths[literal_prefixes_max]; /* in bytes, from 1 on */
    /* The eight bytes of a value, as they stand in memory, begin with a word if they equal it under its mask. */
    uint64_t literals[literal_prefixes_max];
    uint64_t masks[literal_prefixes_max];
} assay_literal_prefixes;

/* The longest there are. A value that begins with no word fails, unless it has bytes beyond ASCII within the first
 * literal_prefix_longest: of these nothing is said. */
assay_literal_prefixes assay_literal_prefixes_find(const assay_dfa *dfa);

#endif
