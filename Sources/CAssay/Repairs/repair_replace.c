/* Substitution by patterns. */
#include "Repairs/assay_repair.h"

typedef struct growing {
    repair_text *out;
    size_t max;
    bool is_full;
} growing;

static bool append(void *context, const uint8_t *bytes, size_t count)
{
    growing *target = context;
    target->is_full = count > target->max - target->out->count;
    return !target->is_full && repair_text_append(target->out, bytes, count);
}

repair_outcome repair_replace(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    growing target = {out, in.count > ASSAY_REPAIR_LONGEST ? in.count : ASSAY_REPAIR_LONGEST, false};
    switch (assay_replacement_apply(step->replacement, scratch, in, append, &target)) {
    case ASSAY_REPLACEMENT_LEFT:
        return REPAIR_LEFT;
    case ASSAY_REPLACEMENT_DONE:
        return REPAIR_WRITTEN;
    case ASSAY_REPLACEMENT_STOPPED:
        break;
    }
    return target.is_full ? REPAIR_LEFT : REPAIR_NO_MEMORY;
}
