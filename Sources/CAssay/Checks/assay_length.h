/* How long a text is, in several units. The text is well-formed UTF-8. */
#ifndef ASSAY_LENGTH_H
#define ASSAY_LENGTH_H

#include "assay/core.h"

/* The longest and shortest texts that pass. */
typedef struct assay_length_rule {
    size_t minimum;
    size_t maximum;
    assay_length_unit unit;
} assay_length_rule;

assay_verdict assay_length_judge(const assay_length_rule *rule, const uint8_t *bytes, size_t count);

/* Whether the rule only asks for a text that is not empty, as most columns do: then the cells tell, in every unit. */
static inline bool assay_length_asks_for_any(const assay_length_rule *rule)
{
    return rule->minimum == 1 && rule->maximum >= UINT32_MAX;
}

/* The empty ones of the cells whose bit is in `rows`; there are cells for all of `rows`. */
uint64_t assay_length_empty_rows(const assay_cell *cells, uint64_t rows);

#endif
