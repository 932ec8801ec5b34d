/* The Glushkov automaton of a pattern (V. M. Glushkov: The abstract theory of automata, 1961), also called its position
 * automaton: AST ──► NFA ──► subset construction (Regex/Determinize).
 *
 * It is an NFA without empty transitions, whose states are the positions of characters in the pattern. `first` are the
 * positions where a match may begin, `last` those where it may end, and follow[p] those that may come after p. Counted
 * repeats are written out.
 *
 *     a(b|c){1,2}     positions  a₀ b₁ c₂ b₃ c₄
 *                     first      a₀
 *                     follow     a₀ → b₁ c₂    b₁ → b₃ c₄    c₂ → b₃ c₄
 *                     last       b₁ c₂ b₃ c₄
 *
 * Why Glushkov and not Thompson (1968): a Thompson NFA has empty transitions, whose closure the subset construction
 * would compute again and again. Here a set of states is a bit set of positions, and one step is an "and" with the
 * positions that match the character, then an "or" of follow sets.
 *
 * An assertion, such as ^ or \b, is a position too: one that consumes no character but must hold where it is passed.
 * The subset construction evaluates it, since only there both neighbours are known. */
#ifndef ASSAY_GLUSHKOV_H
#define ASSAY_GLUSHKOV_H

#include "Regex/Syntax/assay_regex_ast.h"

/* A bound on memory: follow sets take positions_max² bits, here 24.5 KiB. Larger patterns are refused. */
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

/* One conjunct (assay_regex_ast.h): its positions, with first and last. Conjuncts share the arrays of positions but no
   position and no transition, so that one bit set holds the NFA states of all of them. */
typedef struct nfa_conjunct {
    position_set all;
    position_set first;
    position_set last;
    bool nullable; /* matches the empty string */
    bool negated;
} nfa_conjunct;

/* A possessive repeat, from its first position to below `to`; its positions are consecutive. An atomic group is a
   possessive repeat of one. Kept only until assay_glushkov_build has decided whether "possessive" changes the
   language. */
typedef struct possessive_run {
    uint32_t from;
    uint32_t to;
    uint32_t inner_from; /* where its follow sets begin in `inner` */
    position_set first;
    bool nullable;
    bool by_characters; /* whatever it has matched, it can continue with any character that it matches at all */
} possessive_run;

enum { possessive_max = 64, inner_max = 1024 };

/* The NFA of all conjuncts of a pattern. About 100 KiB, so it belongs on the heap. */
typedef struct assay_glushkov {
    position_set follow[positions_max];
    uint8_t label[positions_max]; /* of a character the index of its set, of an assertion its index */
    position_set assertions;      /* which of the positions are assertions */
    uint32_t count;
    nfa_conjunct conjuncts[regex_conjuncts_max];
    uint32_t conjunct_count;
    possessive_run possessive[possessive_max];
    uint32_t possessive_count;
    /* Whether two sets may have a character in common. Filled only where the pattern has possessive repeats. */
    bool share[regex_classes_max][regex_classes_max];
    uint32_t inner_count;
    const char *because; /* a refusal that is not about size */
    /* The follow sets of the positions of each possessive repeat, as they were when it was complete: transitions within
       the repeat, before those to what comes after it were added. */
    position_set inner[inner_max];
} assay_glushkov;

/* Builds the NFA of all conjuncts of `regex`. Returns false if there are too many positions or if a possessive repeat
   might change the language; *because says which. Allocates nothing. */
bool assay_glushkov_build(assay_glushkov *nfa, const assay_regex *regex, const char **because);

#endif
