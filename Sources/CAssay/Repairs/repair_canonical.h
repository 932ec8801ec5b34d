/* Canonical forms. */
#ifndef ASSAY_REPAIR_CANONICAL_H
#define ASSAY_REPAIR_CANONICAL_H

#include "Repairs/assay_repair.h"

/* NULL with *error filled: the type has no canonical form, or an option is wrong. */
repair_canonical *repair_canonical_create(const assay_canonical_description *description, assay_error *error);
void repair_canonical_free(repair_canonical *canonical);
repair_function repair_canonical_apply;

#endif
