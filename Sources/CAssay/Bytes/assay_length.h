/* The length of a text in several units. The text must be well-formed UTF-8. */
#ifndef ASSAY_LENGTH_H
#define ASSAY_LENGTH_H

#include "assay/core.h"

/* The lengths that pass, both inclusive. */
typedef struct assay_length_rule {
    size_t minimum;
    size_t maximum;
    assay_length_unit unit;
} assay_length_rule;

assay_verdict assay_length_evaluate(const assay_length_rule *rule, const uint8_t *bytes, size_t count);

/* Whether the rule requires only a non-empty text, as most do. The length of the cell then decides in every unit. */
static inline bool assay_length_asks_for_any(const assay_length_rule *rule)
{
    return rule->minimum == 1 && rule->maximum >= UINT32_MAX;
}

/* The subset of `rows` with empty cells. `count` is at most 64. */
uint64_t assay_length_empty_rows(const assay_cell *cells, size_t count, uint64_t rows);

#endif
