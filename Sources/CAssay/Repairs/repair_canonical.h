/* The repairs that other folders do the work of: the canonical forms of types, and substitution by patterns. */
#ifndef ASSAY_REPAIR_CANONICAL_H
#define ASSAY_REPAIR_CANONICAL_H

#include "Repairs/assay_repair.h"

/* NULL with *error filled: the type has no canonical form, or an option is wrong. */
repair_canonical *repair_canonical_create(const assay_canonical_description *description, assay_error *error);
void repair_canonical_free(repair_canonical *canonical);
repair_function repair_canonical_apply, repair_replace;

struct assay_replacement;
struct assay_replacement *assay_replacement_create(assay_text pattern, assay_text with, assay_error *error);
void assay_replacement_free(struct assay_replacement *replacement);

#endif
