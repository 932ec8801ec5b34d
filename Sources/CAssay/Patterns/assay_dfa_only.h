/* Patterns that only a DFA checks: prefilters (assay_check.c), which pass undecided rows to other code than PCRE2. Also
   patterns that their lazy DFA checks before PCRE2, for tests that compare the two. */
#ifndef ASSAY_DFA_ONLY_H
#define ASSAY_DFA_ONLY_H

#include "DFA/assay_dfa.h"
#include "assay/core.h"

enum {
    /* In addition to ASSAY_PATTERN_… of assay/core.h. PCRE2 does not check values, so no machine code is compiled. */
    ASSAY_PATTERN_ONLY_DFA = 1 << 30,
    /* Do not construct a minimal DFA. */
    ASSAY_PATTERN_LAZY_DFA = 1 << 29,
};

/* Sets in `rest` the bits of the rows that are not skipped and that the DFA does not match, for at most
   ASSAY_DFA_ROWS rows. Returns false, without writing, if there is no DFA yet or the pattern has no DFA. */
bool assay_pattern_find_unmatched(const assay_pattern *pattern, assay_scratch *scratch, const assay_column_view *column,
                                  uint64_t *rest);

#endif
