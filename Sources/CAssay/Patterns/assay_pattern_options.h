/* Options of patterns that the C core alone gives. */
#ifndef ASSAY_PATTERN_OPTIONS_H
#define ASSAY_PATTERN_OPTIONS_H

enum {
    /* Beside ASSAY_PATTERN_… of assay/core.h, for assay_pattern_find_unmatched: PCRE2 will not judge, so no machine code is
       made. */
    ASSAY_PATTERN_ONLY_DFA = 1 << 30,
};

#endif
