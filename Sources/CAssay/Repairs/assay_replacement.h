/* Substitution of all matches of a pattern, under the limits of the scratch. */
#ifndef ASSAY_REPLACEMENT_H
#define ASSAY_REPLACEMENT_H

#include "assay/repair.h"

/* A pattern and the text that replaces its matches. Immutable. */
typedef struct assay_replacement assay_replacement;

/* Compiles a substitution. In `with`, $1, ${1}, $name and ${name} are groups, $0 is the match and $$ a dollar sign. An
 * unset group is empty. Returns NULL and fills *error on failure: the offset is in `pattern`, or in `with` if
 * engine_code is ASSAY_REPAIR_BAD_TEXT. */
assay_replacement *assay_replacement_create(assay_text pattern, assay_text with, size_t max_bytes, assay_error *error);
/* Whether this build has substitutions: not without PCRE2. Fills *error otherwise. */
bool assay_replacement_is_available(assay_error *error);
void assay_replacement_free(assay_replacement *replacement);

/* The search for the pattern. Values without a match, and undecided ones, stay unchanged. */
const assay_pattern *assay_replacement_pattern(const assay_replacement *replacement);

typedef enum assay_replacement_outcome {
    ASSAY_REPLACEMENT_LEFT = 0, /* no match, or a limit was reached; the appended bytes are meaningless */
    ASSAY_REPLACEMENT_DONE,
    ASSAY_REPLACEMENT_STOPPED, /* `append` returned false, or no memory */
} assay_replacement_outcome;

/* Appends the new value, part by part. `append` returns false to stop. */
assay_replacement_outcome assay_replacement_apply(const assay_replacement *replacement, assay_scratch *scratch,
                                                  assay_text value,
                                                  bool (*append)(void *context, const uint8_t *bytes, size_t count),
                                                  void *context);

#endif
