/* Features of a pattern, found in its tokens (assay_regex_tokens.h) before PCRE2 compiles it.
 *
 * If the meaning of the text is uncertain, tokens overlap, and a scan may report a construct that the pattern does not
 * have. It never misses one. Scans may therefore only decide questions for which a false positive costs some speed, or
 * a diagnosis, and a false negative would cost a wrong verdict:
 *
 *     [[.(?>]    reported as an atomic group: compiled without auto-possessification, with the same verdicts */
#ifndef ASSAY_PATTERN_FEATURES_H
#define ASSAY_PATTERN_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct assay_pattern_features {
    bool atomic;              /* an atomic group, a possessive quantifier or a verb */
    bool verbs;               /* any (*…), including alphabetic assertions such as (*pla:…) */
    bool backtracking_verbs;  /* (*ACCEPT), (*SKIP), (*:mark) …: all but lower-case ones such as (*atomic:…) */
    bool duplicate_names;     /* (?J) */
    bool named_backreference; /* \k, \g{…} or (?P=, which can refer to a group by name */
    bool backreference;       /* any, or a condition on whether a group is set */
    bool subroutine_call;     /* (?1), (?&name), (?P>name), (?R), \g<1> */
    bool full_recursion;      /* (?R), (?0), \g<0> */
    bool lookaround;          /* those spelled (*pla: count as verbs */
    bool lookbehind;          /* of any spelling */
    bool keep;                /* \K */
    bool visible_posix;       /* [:print:], [:graph:] or [:punct:], negated too */
    bool property;            /* \p \P \h \H \v \V \R \N \X: decided by more than a table of 256 entries */
    bool early_end_anchor;    /* $, \z or \Z other than at the end of an alternative */
    bool inner_assertion;     /* \b, \B, \A, \G, or ^ other than at the start of an alternative */
    bool counted_possessive;  /* a possessive quantifier, {n,} and a capturing group, all three somewhere */
    bool reset_possessive;    /* a possessive quantifier and (?|, both somewhere */
} assay_pattern_features;

/* Scans a pattern that is compiled with `options`, ASSAY_PATTERN_…. O(count). */
assay_pattern_features assay_pattern_scan(const uint8_t *text, size_t count, uint32_t options);

/* Features that bound the work of PCRE2's steps (assay_work.h). May overestimate, never underestimate. */
typedef struct assay_work_features {
    bool caseless;        /* the option i is in force somewhere in the text */
    bool grapheme;        /* \X */
    bool group_loop;      /* a group with a quantifier, or a call of one */
    uint32_t uncounted;   /* items that may examine the whole value without counting towards JIT's match limit */
    size_t longest_class; /* bytes of text from [ to ] */
    uint32_t counted;     /* items of the code at which JIT counts towards the match limit */
    uint32_t alternatives;
    uint32_t reach; /* see assay_pattern_reach.h */
} assay_work_features;

/* Scans a pattern for those. */
assay_work_features assay_pattern_scan_work(const uint8_t *text, size_t count, uint32_t options);

/* PCRE2 folds each character of a case-insensitive range during compilation, so a pattern with many wide ranges takes
 * long. The maximum number of such characters in a pattern is eight times all of Unicode. */
enum { ASSAY_PATTERN_FOLDED_MAX = 8 * 0x110000 };

/* Whether the case-insensitive ranges span more than `max` characters, in any spelling. *offset: of the range that
 * exceeds `max`. */
bool assay_pattern_folds_too_much(const uint8_t *text, size_t count, uint32_t options, uint64_t max, size_t *offset);

/* Returns the number of characters that these ranges span, or a number above `max`. *offset: of the range that exceeds
 * it. */
uint64_t assay_pattern_folded_span(const uint8_t *text, size_t count, uint32_t options, uint64_t max, size_t *offset);

/* A leading item such as (*UTF) that a pattern may not set here. */
typedef struct assay_pattern_refusal {
    size_t offset;
    char name[32];
    const char *advice; /* NULL: no refused item */
} assay_pattern_refusal;

/* Finds the first refused item. Stops at the first token that is not a (*…). */
assay_pattern_refusal assay_pattern_refused_start(const uint8_t *text, size_t count);

#endif
