/* A DFA over bytes, from which the forms for columns are constructed. Exists only during their construction.
 *
 * An assay_dfa steps over characters. If its pattern distinguishes non-ASCII characters, the steps over their bytes
 * need further states, which remember the bytes of a character read so far:
 *
 *     [а-яё]    D0 ──► state 4 ──B0 to BF──► accepts           а to п
 *               D1 ──► state 5 ──80 to 8F, 91──► accepts       р to я, ё
 *
 * Two such states are the same if each byte leads from both to the same state. Classes such as \p{L} need hundreds;
 * a DFA with too many remains incomplete, and its values must be transliterated (assay_transliteration.h). */
#ifndef ASSAY_BYTE_DFA_H
#define ASSAY_BYTE_DFA_H

#include "DFA/assay_dfa_tables.h"

/* States keep their numbers in the assay_dfa, and those within characters follow. A well-formed value never ends in one
 * of the latter. */
typedef struct byte_dfa {
    unsigned states;
    uint8_t start;
    uint8_t first_accepting; /* states from here on accept, up to `end_of_accepting` */
    uint8_t end_of_accepting;
    bool is_complete;       /* false: a lead byte quits, because one byte does not determine its character */
    uint8_t next[256][256]; /* by byte and state */
} byte_dfa;

/* Constructs the byte DFA of one DFA, not of its chain, with at most `limit` states within characters; incomplete if it
 * needs more. NULL: out of memory. Free with free(). O(states × different blocks of characters). */
byte_dfa *assay_byte_dfa_create(const assay_dfa *dfa, unsigned limit);

static inline bool byte_dfa_accepts(const byte_dfa *bytes, unsigned state)
{
    return state >= bytes->first_accepting && state < bytes->end_of_accepting;
}

#endif
