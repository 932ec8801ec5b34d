/* What the checks need of patterns and scratch besides the public calls. */
#ifndef ASSAY_SCRATCH_H
#define ASSAY_SCRATCH_H

#include "assay/core.h"

/* Makes `code` the answer of assay_scratch_engine_code: 0 for an UNDECIDED that no engine gave. */
void assay_scratch_set_engine_code(assay_scratch *scratch, int32_t code);

/* assay_check_column for a pattern. */
void assay_pattern_column(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *bytes,
                          const assay_cell *cells, size_t count, const uint64_t *skip, uint64_t *failed,
                          uint64_t *undecided);

#endif
