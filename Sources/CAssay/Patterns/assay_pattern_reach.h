/* The reach of a pattern: the maximum number of bytes that an attempt to match at one place examines. It bounds the
 * cost of PCRE2's steps (assay_work.h). Computed from the tokens of the pattern; may overestimate.
 *
 *     ([a-z])\1{3,}     a search: 4 bytes for the class, and three times as many for \1
 *
 * The last repeat of a search counts its minimum, because the search ends when it has that. */
#ifndef ASSAY_PATTERN_REACH_H
#define ASSAY_PATTERN_REACH_H

#include "Regex/Syntax/assay_regex_tokens.h"

static const uint32_t assay_reach_unbounded = UINT32_MAX;

enum { assay_reach_depth_max = 16 }; /* deeper groups have no bound */

/* Begin with zeros. */
typedef struct assay_reach {
    uint64_t total;
    uint64_t item; /* of the latest item */
    bool is_unbounded;
    bool ends_alternative; /* an unbounded repeat outside of groups was the latest token */
    uint32_t depth;
    uint32_t open_captures;
    uint32_t references;
    struct {
        uint64_t total;
        uint32_t references;
        bool is_capture;
    } groups[assay_reach_depth_max];
    uint32_t references_of_item;
} assay_reach;

/* Adds a token that has a meaning and is in no class, or closes one. */
void assay_reach_add(assay_reach *reach, const regex_token *token, bool is_search);

/* Returns the reach after the token END; assay_reach_unbounded: no bound. */
uint32_t assay_reach_of(const assay_reach *reach);

#endif
