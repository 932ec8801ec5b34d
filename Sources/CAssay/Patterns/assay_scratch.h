/* Calls on patterns and scratch that the checks need and assay/core.h does not have. */
#ifndef ASSAY_SCRATCH_H
#define ASSAY_SCRATCH_H

#include "assay/core.h"

/* Sets the result of assay_scratch_engine_code; 0 for an UNDECIDED that came from no engine. */
void assay_scratch_set_engine_code(assay_scratch *scratch, int32_t code);

/* Judges a column by a pattern, with the contract of assay_check_column. Decides which engine judges which value. */
void assay_pattern_column(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *bytes,
                          const assay_cell *cells, size_t count, const uint64_t *skip, uint64_t *failed,
                          uint64_t *undecided);

#endif
