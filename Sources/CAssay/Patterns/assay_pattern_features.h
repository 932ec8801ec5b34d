/* What can be told from the text of a pattern before PCRE2 compiles it.
 *
 * These are substring searches, not a parser: they may see a construct where there is none (in a class, a comment or
 * a quoted stretch), never the other way round. Everything decided by them is therefore of the kind where "too often"
 * costs a little time and "too seldom" would cost a wrong verdict. */
#ifndef ASSAY_PATTERN_FEATURES_H
#define ASSAY_PATTERN_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct assay_pattern_features {
    bool atomic;              /* an atomic group or a possessive quantifier may be there */
    bool verbs;               /* any (*…), assertions spelled that way included */
    bool backtracking_verbs;  /* (*ACCEPT), (*SKIP), (*:mark) …: all but the lower-case (*atomic: and its like */
    bool duplicate_names;     /* (?J) */
    bool named_backreference; /* \k, \g or (?P=: any that can name a group */
    bool backreference;       /* any, or a condition that asks whether a group is set */
    bool subroutine_call;     /* (?1), (?&name), (?P>name), (?R), \g<1> */
    bool whole_recursion;     /* (?R), (?0), \g<0> */
    bool lookaround;
    bool lookbehind;         /* (?<= or (?<!; those spelled (*plb: count as verbs */
    bool keep;               /* \K */
    bool visible_posix;      /* [:print:], [:graph:] or [:punct:], negated too */
    bool property;           /* \p \P \h \H \v \V \R \N \X: what is not told by a table of 256 */
    bool early_end_anchor;   /* $, \z or \Z elsewhere than at the end of an alternative */
    bool inner_assertion;    /* \b, \B, \A, \G, or ^ elsewhere than at the start of an alternative */
    bool counted_possessive; /* a possessive quantifier, {n,} and a group that captures, or may be */
} assay_pattern_features;

/* `extended`: compiled with PCRE2_EXTENDED. */
assay_pattern_features assay_pattern_scan(const uint8_t *text, size_t count, bool extended);

/* What bounds the work of PCRE2's steps (assay_work.h). It may say more than is there. */
typedef struct assay_work_features {
    bool caseless;        /* the option i is set somewhere in the text */
    bool grapheme;        /* \X */
    bool group_loop;      /* a group with a quantifier, or a call of one */
    uint32_t uncounted;   /* items that may look at the whole value without a count of JIT's match limit */
    size_t longest_class; /* bytes of text from [ to ]; never too few */
} assay_work_features;

/* `is_folded`: compiled to ignore case. */
assay_work_features assay_pattern_scan_work(const uint8_t *text, size_t count, bool is_folded);

/* PCRE2 looks at each character of a range whose case is ignored, eight milliseconds for all of them: so many in one pattern. */
enum { ASSAY_PATTERN_FOLDED_MOST = 8 * 0x110000 };

/* Whether the ranges of a pattern that ignores case somewhere span more than `most` characters, in whatever way these are spelled.
   It may see ranges where none are. *offset: of the one too many. */
bool assay_pattern_folds_too_much(const uint8_t *text, size_t count, bool is_folded, uint64_t most, size_t *offset);

/* A leading item such as (*UTF) that this library does not let a pattern decide. */
typedef struct assay_pattern_refusal {
    size_t offset;
    char name[32];
    const char *advice; /* NULL: nothing refused */
} assay_pattern_refusal;

assay_pattern_refusal assay_pattern_refused_start(const uint8_t *text, size_t count);

#endif
