/* Lanes for patterns that distinguish non-ASCII characters: values are transliterated first
   (assay_transliteration.h). */
#ifndef ASSAY_TRANSLITERATED_LANES_H
#define ASSAY_TRANSLITERATED_LANES_H

#include "DFA/Batch/assay_dfa_lanes.h"

/* Checks `count` rows, which must be sorted by their number of rounds, MAX_ROUNDS at most. job->tables must have a
   transliteration. */
void assay_dfa_match_transliterated(const batch_job *job, const uint16_t *rows, size_t count);

#endif
