/* The Glushkov automaton of a pattern (V. M. Glushkov: The abstract theory of automata, 1961), also called its position
 * automaton: an NFA without empty transitions, whose states are the positions of characters in the pattern. `first` are
 * the positions where a match may begin, `last` those where it may end, and follow[p] those that may come after p.
 * Repeats are written out.
 *
 *     a(b|c){1,2}     positions  a₀ b₁ c₂ b₃ c₄
 *                     first      a₀
 *                     follow     a₀ → b₁ c₂    b₁ → b₃ c₄    c₂ → b₃ c₄
 *                     last       b₁ c₂ b₃ c₄
 *
 * An assertion, such as ^ or \b, is a position too: one that consumes no character but must hold.
 */
#ifndef ASSAY_GLUSHKOV_H
#define ASSAY_GLUSHKOV_H

#include "Regex/Syntax/assay_regex_ast.h"

enum { positions_max = 448, position_words = positions_max / 64 };

typedef struct position_set {
    uint64_t words[position_words];
} position_set;

static inline void position_set_join(position_set *set, const position_set *other)
{
    for (int i = 0; i < position_words; i++) set->words[i] |= other->words[i];
}

static inline position_set position_set_shared(const position_set *one, const position_set *other)
{
    position_set shared;
    for (int i = 0; i < position_words; i++) shared.words[i] = one->words[i] & other->words[i];
    return shared;
}

static inline bool position_set_is_empty(const position_set *set)
{
    uint64_t any = 0;
    for (int i = 0; i < position_words; i++) any |= set->words[i];
    return any == 0;
}

/* One conjunct: its positions, with first and last. */
typedef struct nfa_conjunct {
    position_set all;
    position_set first;
    position_set last;
    bool nullable; /* matches the empty text */
    bool negated;
} nfa_conjunct;

/* The positions of a possessive repeat, which are consecutive. An atomic group is a repeat of one. */
typedef struct possessive_run {
    uint32_t from;
    uint32_t to;
    uint32_t inner_from; /* where the follow sets within it begin in `inner` */
    position_set first;
    bool nullable;
    bool by_characters; /* whatever it has matched, it can go on with any character that it matches at all */
} possessive_run;

enum { possessive_max = 64, inner_max = 1024 };

typedef struct assay_glushkov {
    position_set follow[positions_max];
    uint8_t label[positions_max]; /* the set of its character, or its assertion */
    position_set assertions;      /* which of the positions are assertions */
    uint32_t count;
    nfa_conjunct conjuncts[regex_conjuncts_max];
    uint32_t conjunct_count;
    possessive_run possessive[possessive_max];
    uint32_t possessive_count;
    bool share[regex_classes_max][regex_classes_max]; /* sets that may have a character in common */
    uint32_t inner_count;
    const char *because;           /* a refusal that is not about size */
    position_set inner[inner_max]; /* what follows what within possessive repeats */
} assay_glushkov;

/* false: the pattern has no such automaton, and *because says why. */
bool assay_glushkov_build(assay_glushkov *nfa, const assay_regex *regex, const char **because);

#endif
