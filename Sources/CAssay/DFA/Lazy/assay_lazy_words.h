/* The words of a search for words alone. They confirm the candidates of a filter without the DFA. If there is no
 * filter, and a DFA of the words would have more states than a cache holds, the words are found by R. Karp and M.
 * Rabin's algorithm (Efficient randomized pattern-matching algorithms, 1987).
 *
 * The words are in buckets by a hash of their first four bytes, or fewer if the shortest word is shorter. At each place
 * of a value, the same hash is looked up in a bit map; if its bit is set, a binary search finds the word of the bucket
 * with which the rest of the value begins:
 *
 *     words    cats  cart  dogma          bit map    hash("cats") 1 · hash("cart") 1 · hash("dogm") 1 · all others 0
 *     value    a hotdog cart              a ho · hot · hotd · … · cart: compared with the words of its bucket */
#ifndef ASSAY_LAZY_WORDS_H
#define ASSAY_LAZY_WORDS_H

#include "DFA/assay_dfa.h"
#include "Regex/Syntax/assay_regex_ast.h"

typedef struct lazy_words lazy_words;

/* Constructs *made for a search (assay_regex_parser.h) for words, which consist of single characters, or of letters
 * that all ignore case; otherwise *made is NULL. Returns false when out of memory. O(bytes of the words × log
 * words). */
bool lazy_words_create(const assay_regex *regex, uint32_t root, lazy_words **made);
void lazy_words_free(lazy_words *words);

/* Returns whether a value contains one of the words. UNKNOWN: case is ignored, and the value has a non-ASCII character
 * that is a case of an ASCII letter. At each place, compares at most log₂ words, of at most 256 bytes each. */
dfa_answer lazy_words_match(const lazy_words *words, const uint8_t *value, size_t count);

/* Whether a word begins at value[at]. `at` is at most `count`. */
bool lazy_words_begin_at(const lazy_words *words, const uint8_t *value, size_t count, size_t at);

/* Whether words that ignore case, and begin at value[from] to value[last], may have letters that are not ASCII, which
 * lazy_words_begin_at does not know. */
bool lazy_words_may_have_other_cases(const lazy_words *words, const uint8_t *value, size_t from, size_t last,
                                     size_t count);

#endif
