/* Patterns that only their DFA judges: prefilters (assay_check.c). Rows that it leaves unknown go to other code than PCRE2.
   And patterns that only their lazy DFA judges, before PCRE2: in tests, which compare the two. */
#ifndef ASSAY_DFA_ONLY_H
#define ASSAY_DFA_ONLY_H

#include "DFA/assay_dfa.h"
#include "assay/core.h"

enum {
    /* Beside ASSAY_PATTERN_… of assay/core.h: PCRE2 will not judge, so no machine code is made. */
    ASSAY_PATTERN_ONLY_DFA = 1 << 30,
    /* No minimal DFA is made. */
    ASSAY_PATTERN_LAZY_DFA = 1 << 29,
};

/* Sets in `others` the bits of those rows that are neither skipped nor found to match by the DFA. Of at most
   ASSAY_DFA_ROWS rows. false: there is no DFA, for now or for good, and nothing is written. */
bool assay_pattern_find_unmatched(const assay_pattern *pattern, assay_scratch *scratch, const assay_column_view *column,
                                  uint64_t *others);

#endif
