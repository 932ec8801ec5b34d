/* A bit-parallel simulation of the NFA, for values on which the states of a lazy DFA have too many instructions, such
 * as .*a.{0,200}b on "aaaa…" and on any mixture of a and b (R. Baeza-Yates, G. Gonnet: A new approach to text
 * searching, 1992; the LimEx NFA of Hyperscan).
 *
 * A position is a character of the pattern with expanded repeats, and a bit. The successor of most positions is the
 * next one, which is a shift for all positions at once; the others share a few rules:
 *
 *     a.{0,2}b         positions   0: a   1: .   2: .   3: b
 *                      steps       0 → 1,  1 → 2,  2 → 3        a shift
 *                      rule        {0, 1} → {3}                 the repeat may end after each of its characters
 *
 * A step therefore takes a few operations for each 64 positions, for any value. Patterns that need too many rules, and
 * those with assertions, do not have this form. */
#ifndef ASSAY_LAZY_BITS_H
#define ASSAY_LAZY_BITS_H

#include "DFA/Lazy/assay_lazy_data.h"

enum { lazy_bit_words = 64 };

/* Sets of positions are `words` words each. Immutable. */
struct lazy_bits {
    uint32_t words;
    uint32_t rule_count;
    uint64_t *start; /* the positions that may take the first character */
    uint64_t *steps; /* the positions with the next one as successor */
    uint64_t *ends;  /* the positions that may take the last character */
    uint64_t *reach; /* the positions with a class that contains it */
    uint64_t *rules; /* two sets each: positions and their successors */
    uint64_t storage[];
};

/* Constructs part->bits, if the conjunct has that form. Returns false when out of memory. O(positions × words ×
 * rules). */
bool lazy_make_bits(const assay_lazy_program *program, assay_lazy_caches *room, lazy_conjunct *part);

/* Checks a value by part->bits. UNKNOWN: it has a character with unknown classes. Examines at most 384 words per
 * character. */
dfa_answer lazy_match_bits(const assay_lazy_program *program, const lazy_conjunct *part, const uint8_t *value,
                           size_t count);

#endif
