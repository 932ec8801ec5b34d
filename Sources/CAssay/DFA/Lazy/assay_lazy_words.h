/* Searches for thousands of words, of which a DFA would have more states than a cache holds: R. Karp and M. Rabin's algorithm
 * (Efficient randomized pattern-matching algorithms, 1987).
 *
 * The words are in buckets by a hash of their first four bytes, or as many as the shortest word has. At each place of a value the
 * same hash is looked up in a bit map; where its bit is set, a binary search finds the word of that bucket with which the rest of the value begins:
 *
 *     words    cats  cart  dogma          bit map    hash("cats") 1 · hash("cart") 1 · hash("dogm") 1 · all others 0
 *     value    a hotdog cart              a ho · hot · hotd · … · cart: compared with the words of its bucket */
#ifndef ASSAY_LAZY_WORDS_H
#define ASSAY_LAZY_WORDS_H

#include "DFA/assay_dfa.h"
#include "Regex/Syntax/assay_regex_ast.h"

typedef struct lazy_words lazy_words;

/* Makes *made from a search (assay_regex_parser.h) if it is for thousands of words of two bytes or more, of single characters, or letters that all ignore case; else
   *made is NULL. false: out of memory. O(bytes of the words × log words). */
bool lazy_words_create(const assay_regex *regex, uint32_t root, lazy_words **made);
void lazy_words_free(lazy_words *words);

/* Whether a value has one of the words. UNKNOWN: case is ignored, and the value has a character beyond ASCII that is a case of an
   ASCII letter. At each place at most log₂ words are compared, of at most 256 bytes each. */
dfa_answer lazy_words_judge(const lazy_words *words, const uint8_t *value, size_t count);

#endif
