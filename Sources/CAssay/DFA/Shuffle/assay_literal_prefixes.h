/* Literal prefixes: a few words with one of which every right value begins, and after which all is one.
 *
 *     https?://[a-z]+(?:/[a-z]*)*     http:// and https://
 *
 * To compare eight bytes with them takes less than as many steps of an automaton, and leaves one that has fewer states. */
#ifndef ASSAY_LITERAL_PREFIXES_H
#define ASSAY_LITERAL_PREFIXES_H

#include "DFA/assay_dfa.h"

enum { prefixes_most = 4, prefix_longest = 8 };

/* No word begins with another one, or has bytes that are zero. */
typedef struct assay_prefixes {
    uint8_t count;                  /* 0: none */
    uint8_t state;                  /* where each word leads from the start */
    uint8_t lengths[prefixes_most]; /* in bytes, from 1 on */
    /* The eight bytes of a value, as they stand in memory, begin with a word if they equal it under its mask. */
    uint64_t words[prefixes_most];
    uint64_t masks[prefixes_most];
} assay_prefixes;

/* The longest there are. A value that begins with no word fails, unless it has bytes beyond ASCII within the first
 * prefix_longest: of these nothing is said. */
assay_prefixes assay_prefixes_find(const assay_automaton *automaton);

#endif
