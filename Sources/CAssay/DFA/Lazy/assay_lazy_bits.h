/* A bit-parallel simulation of the NFA, for values on which the states of a lazy DFA have too many instructions: such as
 * .*a.{0,200}b on "aaaa…" and on any mixture of a and b (R. Baeza-Yates, G. Gonnet: A new approach to text searching, 1992;
 * the LimEx NFA of Hyperscan).
 *
 * A position is a character of the pattern with repeats written out, and a bit. Most positions are followed by the next one,
 * which is a shift for all of them at once; the others share a few rules:
 *
 *     a.{0,2}b         positions   0: a   1: .   2: .   3: b
 *                      steps       0 → 1,  1 → 2,  2 → 3        a shift
 *                      rule        {0, 1} → {3}                 the repeat may end after each of its characters
 *
 * So a step costs a few operations for each 64 positions, whatever the value. Patterns that need too many rules have no such
 * form, nor have those with assertions. */
#ifndef ASSAY_LAZY_BITS_H
#define ASSAY_LAZY_BITS_H

#include "DFA/Lazy/assay_lazy_program.h"

enum { lazy_bit_words = 64 };

/* Sets of positions are `words` words each. Immutable. */
struct lazy_bits {
    uint32_t words;
    uint32_t rule_count;
    uint64_t *start; /* the positions that may take the first character */
    uint64_t *steps; /* the positions that are followed by the next one */
    uint64_t *ends;  /* the positions that may take the last character */
    uint64_t *reach; /* by symbol: the positions whose class has it */
    uint64_t *rules; /* two sets each: these positions are followed by those */
    uint64_t storage[];
};

/* Makes part->bits, if the conjunct has that form. false: out of memory. O(positions × words × rules). */
bool lazy_make_bits(const assay_lazy_program *program, assay_lazy_caches *room, lazy_conjunct *part);

/* Judges a value by part->bits. UNKNOWN: it has a character whose classes are not known. At most 384 words a character are
   examined. */
dfa_answer lazy_judge_bits(const assay_lazy_program *program, const lazy_conjunct *part, const uint8_t *value,
                           size_t count);

#endif
