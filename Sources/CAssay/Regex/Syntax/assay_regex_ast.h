/* The abstract syntax tree of a pattern, created by the parser (assay_regex_parser.h), lowered (assay_regex_lower.h),
 * and translated to an NFA (Regex/NFA).
 *
 *     [a-z]+(?:,[a-z]+)*      concatenation
 *                             ├ repeat 1 to ∞      ─ class [a-z]
 *                             └ repeat 0 to ∞      ─ concatenation ─ class , · repeat 1 to ∞ ─ class [a-z]
 *
 * Its leaves are character classes, already resolved to sets of characters, and zero-width assertions. Nodes do not
 * depend on options such as case folding, because the parser and the class resolver have applied them.
 *
 * Nodes are stored in one array and refer to each other by index, so that the array can grow during construction and is
 * freed in one piece. Functions over the kinds of nodes must be switches without a default, so that -Wswitch-enum
 * reports functions that do not handle a new kind. */
#ifndef ASSAY_REGEX_AST_H
#define ASSAY_REGEX_AST_H

#include "Regex/Syntax/assay_character_set.h"

enum {
    regex_classes_max = 192,
    regex_conjuncts_max = 8,
    regex_assertions_max = 16,
    regex_lookbehinds_max = 16,
    regex_lookaheads_max = 4, /* look-aheads that are not conjuncts: each doubles the transitions of a state */
    regex_length_max = 1000,  /* lengths of nodes from here on are treated as variable */
};

/* No node or no set, and a repeat without a maximum. Constants, because an enumerator of C11 must fit into an int. */
static const uint32_t regex_none = UINT32_MAX;
static const uint32_t regex_unbounded = UINT32_MAX;

typedef enum regex_kind {
    REGEX_CLASS,         /* one character of a class */
    REGEX_ASSERTION,     /* zero-width: holds in some places and not in others */
    REGEX_CONCATENATION, /* the children in order; without children: the empty string */
    REGEX_ALTERNATION,   /* one of the children */
    REGEX_REPEAT,        /* the child, minimum to maximum times */
    REGEX_LOOKAHEAD,     /* zero-width: the child matches, or if negated does not match, some text that begins here */
    REGEX_LOOKBEHIND,    /* zero-width: the child matches, or if negated does not match, some text that ends here */
} regex_kind;

/* A node. Children form a linked list, not a binary tree, so that walking the tree recurses only as deep as parentheses
   nest in the pattern, which PCRE2 limits to 250. */
typedef struct regex_node {
    regex_kind kind;
    /* CLASS: the index of its set. ASSERTION: its index. REPEAT, if possessive and of a class: the index of the
     * assertion that no further character of the class is ahead, which must hold at each end of the repeat before its
     * maximum; otherwise regex_none. */
    uint32_t label;
    uint32_t first_child;
    uint32_t next; /* the sibling */
    uint32_t minimum;
    uint32_t maximum;
    uint32_t offset; /* LOOKAHEAD, LOOKBEHIND: the byte of the pattern with which it begins */
    /* The number of characters that the node always matches; regex_none if it varies or may reach
       regex_length_max. Computed by assay_regex_lower. */
    uint32_t length;
    bool lazy;          /* REPEAT: tries the lower counts first. Matters only within a possessive repeat. */
    bool negated;       /* LOOKAHEAD, LOOKBEHIND */
    bool possessive;    /* REPEAT: never gives back characters */
    bool has_lookahead; /* the node or one below it is a LOOKAHEAD. Computed by assay_regex_lower. */
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

   A value matches if all conjuncts agree, so one DFA is built for their product (assay_determinize.c), or a chain of
   DFAs (assay_dfa.c). */
typedef struct regex_conjunct {
    uint32_t root;
    bool negated;
} regex_conjunct;

/* The numbers of characters that a matching value can have (assay_regex_lengths.h), as a conjunct that is not evaluated
   by an automaton. */
typedef struct regex_lengths {
    bool are_bounded; /* false: every length is possible */
    uint32_t minimum;
    uint32_t maximum;
} regex_lengths;

/* A parsed pattern. Owns its nodes and sets. */
typedef struct assay_regex {
    regex_node *nodes;
    uint32_t node_count;
    size_t node_capacity;
    assay_character_set *sets[regex_classes_max]; /* of the distinct classes */
    uint32_t set_count;
    uint32_t any;                                     /* the set of all characters; regex_none: not made yet */
    regex_assertion assertions[regex_assertions_max]; /* the distinct ones */
    uint32_t assertion_count;
    regex_conjunct conjuncts[regex_conjuncts_max]; /* the pattern itself comes first */
    uint32_t conjunct_count;
    regex_lengths lengths; /* set by assay_regex_lower */
    /* The reason why the pattern needs a run from the end of the value to its beginning, because it has look-aheads
     * that are not conjuncts, and the byte of the pattern that it concerns. NULL: a forward run evaluates the whole
     * pattern. */
    const char *backward_because;
    size_t backward_offset;
    /* With several conjuncts: the root of a repeat of any characters, which replaces the pattern in the DFAs of a chain
     * that evaluate only look-aheads. */
    uint32_t anything;
    uint64_t *work; /* counts the instructions visited by DFA construction; NULL: not counted */
} assay_regex;

/* Appends a node without children and writes its index. Pointers to nodes are invalid after this call, because the
 * array moves when it grows. Returns false if memory runs out. Amortized O(1). */
bool assay_regex_add_node(assay_regex *regex, regex_kind kind, uint32_t *index);

/* Appends `child` to the children of `parent`. *last is the last child so far, regex_none at first; the caller keeps it
   so that appending takes O(1). */
void assay_regex_append_child(assay_regex *regex, uint32_t parent, uint32_t *last, uint32_t child);

/* Adds a greedy repeat of `child`. */
bool assay_regex_add_repeat(assay_regex *regex, uint32_t child, uint32_t minimum, uint32_t maximum, uint32_t *index);

/* Adds a repeat of the class of all characters: Σ*, if it is 0 to regex_unbounded. Unlike `.` without the option s, the
   class contains line feeds. Returns false if there are too many classes or memory runs out. */
bool assay_regex_add_any(assay_regex *regex, uint32_t minimum, uint32_t maximum, uint32_t *index);

/* Returns an empty set, the next of regex->sets, or NULL if there are too many or memory runs out. The caller
   increments set_count once the set is filled; assay_regex_free frees it in either case. */
assay_character_set *assay_regex_new_set(assay_regex *regex);

/* Finds or adds the label of the set that contains every character. */
bool assay_regex_number_any(assay_regex *regex, uint32_t *label);

/* Returns the number of an assertion, a new or a known one; regex_none if there are too many. Their truth values must
   fit into a mask of 16 bits during determinization. */
uint32_t assay_regex_number_assertion(assay_regex *regex, regex_assertion assertion);

void assay_regex_free(assay_regex *regex);

#endif
