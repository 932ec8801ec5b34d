/* Canonical forms. */
#include "Repairs/repair_canonical.h"

#include "assay_error.h"

repair_canonical *repair_canonical_create(const assay_canonical_description *description, assay_error *error)
{
    (void)description;
    assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "the type has no canonical form");
    return NULL;
}

void repair_canonical_free(repair_canonical *canonical) { (void)canonical; }

repair_outcome repair_canonical_apply(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch, (void)in, (void)out;
    return REPAIR_LEFT;
}
