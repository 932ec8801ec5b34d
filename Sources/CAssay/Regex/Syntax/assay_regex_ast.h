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
    REGEX_CLASS,         /* one character of a set */
    REGEX_ASSERTION,     /* no character, but not everywhere */
    REGEX_CONCATENATION, /* children one after the other; none: the empty text */
    REGEX_ALTERNATION,   /* one of the children */
    REGEX_REPEAT,        /* the child, minimum to maximum times */
} regex_kind;

/* Children are a linked list, so that no depth but that of parentheses is ever recursed into. */
typedef struct regex_node {
    regex_kind kind;
    uint32_t label; /* ITEM: index of its set; CONDITION: its index */
    uint32_t first_child;
    uint32_t next; /* the sibling */
    uint32_t minimum;
    uint32_t maximum;
    bool lazy;       /* REPEAT: tries the fewest first */
    bool possessive; /* REPEAT: gives nothing back. Whether that can matter is seen by assay_glushkov. */
} regex_node;

/* What must hold between two characters. The sides are sets, by index, or regex_none; a side is true if there is a
   character on it and the set has it. The condition holds if (behind ≠ ahead) ≠ negated:
       ^       behind any, negated
       $       ahead any, negated
       \b      behind \w, ahead \w
       (?!-)   ahead -, negated */
typedef struct regex_assertion {
    uint32_t behind;
    uint32_t ahead;
    bool negated;
} regex_assertion;

/* A part is what must hold of the value as a whole: the pattern itself, and each of those look-aheads. */
typedef struct regex_conjunct {
    uint32_t root;
    bool negated;
} regex_conjunct;

typedef struct assay_regex {
    regex_node *nodes;
    uint32_t node_count;
    uint32_t node_capacity;
    assay_character_set *sets[regex_classes_max]; /* of the distinct items */
    uint32_t set_count;
    uint32_t any;                                     /* the set that has every character; regex_none: not needed */
    regex_assertion assertions[regex_assertions_max]; /* the distinct ones */
    uint32_t assertion_count;
    regex_conjunct conjuncts[regex_conjuncts_max]; /* the pattern itself comes first */
    uint32_t conjunct_count;
    uint32_t anything; /* where there are several parts: the root that stands for the pattern if some are taken alone */
} assay_regex;

#endif
