/* Patterns that only a DFA checks: prefilters (assay_check.c), which pass undecided rows to other code than PCRE2. Also
   patterns that their lazy DFA checks before PCRE2, for tests that compare the two. */
#ifndef ASSAY_DFA_ONLY_H
#define ASSAY_DFA_ONLY_H

#include "DFA/assay_dfa.h"
#include "Regex/Syntax/assay_regex_tokens.h"
#include "assay/core.h"

enum {
    /* In addition to ASSAY_PATTERN_… of assay/core.h. PCRE2 does not check values, so no machine code is compiled. */
    ASSAY_PATTERN_ONLY_DFA = 1 << 30,
    /* Do not construct a minimal DFA. */
    ASSAY_PATTERN_LAZY_DFA = 1 << 29,
    /* A DFA may take possessive repeats for greedy ones. For patterns in which they only save PCRE2 time: the author
     * guarantees that the pattern matches the same values. */
    ASSAY_PATTERN_GREEDY_DFA = REGEX_OPTION_GREEDY,
/* Options of the patterns of built-in types: without PCRE2, each must have a DFA. */
#ifdef ASSAY_PCRE2
    ASSAY_PATTERN_BUILT_IN = 0,
#else
    ASSAY_PATTERN_BUILT_IN = ASSAY_PATTERN_GREEDY_DFA,
#endif
};

/* Sets in `rest` the bits of the rows that are not skipped and that the DFA does not match, for at most
   ASSAY_DFA_ROWS rows. Returns false, without writing, if there is no DFA yet or the pattern has no DFA. */
bool assay_pattern_find_unmatched(const assay_pattern *pattern, assay_scratch *scratch, const assay_column_view *column,
                                  uint64_t *rest);

/* Whether the DFA matches a value. Returns false if there is no DFA yet or the pattern has no DFA. */
bool assay_pattern_passes_by_dfa(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value,
                                 size_t count);

#endif
