/* Lanes whose values are transliterated first (assay_transliteration.h). */
#ifndef ASSAY_TRANSLITERATED_LANES_H
#define ASSAY_TRANSLITERATED_LANES_H

#include "DFA/Batch/assay_dfa_lanes.h"

/* Judges rows in ascending order of their rounds, MOST_ROUNDS at most, by a pattern that distinguishes non-ASCII
   characters. */
void assay_dfa_judge_transliterated(const batch_job *job, const uint16_t *rows, size_t count);

#endif
