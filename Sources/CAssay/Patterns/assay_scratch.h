/* Functions of patterns and scratch for the checks, in addition to those of assay/core.h. */
#ifndef ASSAY_SCRATCH_H
#define ASSAY_SCRATCH_H

#include "Columns/assay_column_view.h"

/* Sets the result of assay_scratch_engine_code; 0 for an UNDECIDED without an engine error. */
void assay_scratch_set_engine_code(assay_scratch *scratch, int32_t code);

/* Checks a column with a pattern, under the contract of assay_check_column, except that `column->bytes` must not be
   NULL. Chooses the engine for each value. */
void assay_pattern_column(const assay_pattern *pattern, assay_scratch *scratch, const assay_column_view *column,
                          assay_verdict_masks verdicts);

#endif
