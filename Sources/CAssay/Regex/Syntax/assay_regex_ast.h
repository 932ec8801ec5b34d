/* The syntax tree of a pattern of the supported subset (assay_regex_parser.h).
 *
 *     [a-z]+(?:,[a-z]+)*      concatenation
 *                             ├ repeat 1 to ∞      ─ class [a-z]
 *                             └ repeat 0 to ∞      ─ concatenation ─ class , · repeat 1 to ∞ ─ class [a-z]
 *
 * Its leaves are character classes, already resolved to sets of characters, and zero-width assertions. */
#ifndef ASSAY_REGEX_AST_H
#define ASSAY_REGEX_AST_H

#include "Regex/Syntax/assay_character_set.h"

enum {
    regex_classes_max = 96,
    regex_conjuncts_max = 8,
    regex_assertions_max = 16,
    regex_offset_max = 1000, /* characters before a look-ahead */
};

/* No node, no set; and no end of repeating. Beyond what an enumerator of C11 can be. */
static const uint32_t regex_none = UINT32_MAX;
static const uint32_t regex_unbounded = UINT32_MAX;

typedef enum regex_kind {
    REGEX_CLASS,         /* one character of a class */
    REGEX_ASSERTION,     /* zero-width: holds in some places and not in others */
    REGEX_CONCATENATION, /* the children in order; none: the empty string */
    REGEX_ALTERNATION,   /* one of the children */
    REGEX_REPEAT,        /* the child, minimum to maximum times */
} regex_kind;

/* Children are a linked list, so that no depth but that of parentheses is ever recursed into. */
typedef struct regex_node {
    regex_kind kind;
    uint32_t label; /* CLASS: index of its set; ASSERTION: its index */
    uint32_t first_child;
    uint32_t next; /* the sibling */
    uint32_t minimum;
    uint32_t maximum;
    bool lazy;       /* REPEAT: tries the fewest first */
    bool possessive; /* REPEAT: gives nothing back. Whether that can matter is decided by assay_glushkov_build. */
} regex_node;

/* A zero-width assertion between two characters. Its sides are sets, by index, or regex_none; a side is true if there
   is a character on it that is in the set. The assertion holds if (behind ≠ ahead) ≠ negated:
       ^       behind any, negated
       $       ahead any, negated
       \b      behind \w, ahead \w
       (?!-)   ahead -, negated */
typedef struct regex_assertion {
    uint32_t behind;
    uint32_t ahead;
    bool negated;
} regex_assertion;

/* A conjunct: a language that the whole value must belong to, or must not. They are the pattern itself and each of
   those look-aheads. */
typedef struct regex_conjunct {
    uint32_t root;
    bool negated;
} regex_conjunct;

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
    uint32_t anything; /* with several conjuncts: the root that replaces the pattern where only some are taken */
} assay_regex;

#endif
