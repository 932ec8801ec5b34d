/* The abstract syntax tree of a pattern, made by the parser (assay_regex_parser.h) and read by the Glushkov
 * construction (Regex/NFA).
 *
 *     [a-z]+(?:,[a-z]+)*      concatenation
 *                             ├ repeat 1 to ∞      ─ class [a-z]
 *                             └ repeat 0 to ∞      ─ concatenation ─ class , · repeat 1 to ∞ ─ class [a-z]
 *
 * Its leaves are character classes, already resolved to sets of characters, and zero-width assertions. No node depends
 * on options such as case folding any more: the parser and the class resolver have applied them.
 *
 * Nodes live in one array and refer to each other by index, so that the array can grow while it is built and is freed
 * in one piece. Nodes of an abandoned parsing attempt stay in it, unreferenced. */
#ifndef ASSAY_REGEX_AST_H
#define ASSAY_REGEX_AST_H

#include "Regex/Syntax/assay_character_set.h"

enum {
    regex_classes_max = 96,
    regex_conjuncts_max = 8,
    regex_assertions_max = 16,
    regex_lookbehinds_max = 16,
    regex_lookaheads_max = 4, /* those that are no conjuncts: each doubles the transitions of a state */
    regex_offset_max = 1000,  /* most characters before a look-ahead, each of which takes a position of the automaton */
};

/* No node or no set, and a repeat without a maximum. Constants, because an enumerator of C11 must fit into an int. */
static const uint32_t regex_none = UINT32_MAX;
static const uint32_t regex_unbounded = UINT32_MAX;

typedef enum regex_kind {
    REGEX_CLASS,         /* one character of a class */
    REGEX_ASSERTION,     /* zero-width: holds in some places and not in others */
    REGEX_CONCATENATION, /* the children in order; none: the empty string */
    REGEX_ALTERNATION,   /* one of the children */
    REGEX_REPEAT,        /* the child, minimum to maximum times */
    REGEX_LOOKAHEAD,     /* zero-width: the child matches, or if negated does not match, some text that begins here */
    REGEX_LOOKBEHIND,    /* zero-width: the child matches, or if negated does not match, some text that ends here */
} regex_kind;

/* A node. Children form a linked list, not a binary tree, so that walking the tree recurses only as deep as parentheses
   nest in the pattern, which PCRE2 limits to 250. */
typedef struct regex_node {
    regex_kind kind;
    /* CLASS: index of its set. ASSERTION: its index. REPEAT, if possessive and of a class: the index of the assertion that no
       further character of it is ahead, with which it ends unless it ends by its maximum; else regex_none. */
    uint32_t label;
    uint32_t first_child;
    uint32_t next; /* the sibling */
    uint32_t minimum;
    uint32_t maximum;
    bool lazy;       /* REPEAT: tries the fewest first. Matters only within a possessive repeat. */
    bool negated;    /* LOOKAHEAD, LOOKBEHIND */
    bool possessive; /* REPEAT: never gives back. assay_glushkov_build decides whether that changes the language. */
} regex_node;

/* A zero-width assertion between two characters. Its sides are sets, by index, or regex_none. A side is true if there
   is a character on that side and the set contains it. The assertion holds if (behind ≠ ahead) ≠ negated, one formula
   for all kinds, which the subset construction evaluates for all assertions at once with two xors of bit masks:
       ^       behind any, negated
       $       ahead any, negated
       \b      behind \w, ahead \w
       (?!-)   ahead -, negated
       (?<=,)  behind ,         */
typedef struct regex_assertion {
    uint32_t behind;
    uint32_t ahead;
    bool negated;
} regex_assertion;

/* A conjunct: a regular language that the whole value must belong to or, if negated, must not belong to. The first
   conjunct is the pattern itself. Each look-ahead of more than one character adds another:

       (?=.*[0-9])(?!.*admin)[a-z0-9]{8,}     root             negated
                                              [a-z0-9]{8,}     no
                                              .*[0-9].*        no       dot here: any character
                                              .*admin.*        yes

   A value matches if all conjuncts agree, so one DFA is built for their product (assay_minimal_dfa.c), or a chain of
   DFAs (assay_dfa.c). */
typedef struct regex_conjunct {
    uint32_t root;
    bool negated;
} regex_conjunct;

/* A parsed pattern. Owns its nodes and sets. */
typedef struct assay_regex {
    regex_node *nodes;
    uint32_t node_count;
    uint32_t node_capacity;
    assay_character_set *sets[regex_classes_max]; /* of the distinct classes */
    uint32_t set_count;
    uint32_t any;                                     /* the set that has every character; regex_none: not needed */
    regex_assertion assertions[regex_assertions_max]; /* the distinct ones */
    uint32_t assertion_count;
    regex_conjunct conjuncts[regex_conjuncts_max]; /* the pattern itself comes first */
    uint32_t conjunct_count;
    /* Why only the lazy DFA can evaluate it, and where that is: look-behinds of more than one character, and look-aheads that are
       no conjuncts. NULL: any DFA can. */
    const char *only_lazy;
    size_t only_lazy_offset;
    uint32_t lookbehind_count;
    uint32_t lookahead_count;
    /* With several conjuncts: the root of a repeat of any characters, which takes the place of the pattern in those
       DFAs of a chain that judge look-aheads only. */
    uint32_t anything;
} assay_regex;

#endif
