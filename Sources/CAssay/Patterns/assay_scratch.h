/* Calls on patterns and scratch that the checks need and assay/core.h does not have. */
#ifndef ASSAY_SCRATCH_H
#define ASSAY_SCRATCH_H

#include "Columns/assay_column_view.h"

/* Sets the result of assay_scratch_engine_code; 0 for an UNDECIDED that came from no engine. */
void assay_scratch_set_engine_code(assay_scratch *scratch, int32_t code);

/* Judges a column by a pattern, with the contract of assay_check_column, but `column->bytes` is not NULL. Decides which engine judges
   which value. */
void assay_pattern_column(const assay_pattern *pattern, assay_scratch *scratch, const assay_column_view *column,
                          assay_verdict_masks verdicts);

#endif
