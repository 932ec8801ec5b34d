/* Substitution: every match of a pattern becomes another text, under the limits of the scratch. */
#ifndef ASSAY_REPLACEMENT_H
#define ASSAY_REPLACEMENT_H

#include "assay/repair.h"

/* A pattern and what stands for its matches. Immutable. */
typedef struct assay_replacement assay_replacement;

/* `with` is text in which $1, ${1}, $name and ${name} stand for groups, $0 for the match and $$ for a dollar sign. A group that is
 * not set is empty. NULL with *error filled: its offset is inside `pattern`, or if engine_code is
 * ASSAY_REPAIR_BAD_TEXT inside `with`. */
assay_replacement *assay_replacement_create(assay_text pattern, assay_text with, size_t max_bytes, assay_error *error);
void assay_replacement_free(assay_replacement *replacement);

/* A search for it: values in which it finds nothing, or is undecided, are left as they are. */
const assay_pattern *assay_replacement_pattern(const assay_replacement *replacement);

typedef enum assay_replacement_outcome {
    ASSAY_REPLACEMENT_LEFT = 0, /* no match, or a limit was reached; what was appended means nothing */
    ASSAY_REPLACEMENT_DONE,
    ASSAY_REPLACEMENT_STOPPED, /* `append` said so */
} assay_replacement_outcome;

/* Appends what the value becomes, part by part. `append` returns false to stop. */
assay_replacement_outcome assay_replacement_apply(const assay_replacement *replacement, assay_scratch *scratch,
                                                  assay_text value,
                                                  bool (*append)(void *context, const uint8_t *bytes, size_t count),
                                                  void *context);

#endif
