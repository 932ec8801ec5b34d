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

#endif
