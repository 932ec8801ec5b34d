/* The conditions that repairs add to a look. */
#include "Repairs/repair_look.h"

#include <string.h>

void repair_look_add_range(repair_look *look, uint8_t first, uint8_t last)
{
    if (look->range_count == REPAIR_MAX_RANGES) {
        look->is_blind = true;
        return;
    }
    look->range_first[look->range_count] = first;
    look->range_span[look->range_count++] = (uint8_t)(last - first);
}

void repair_look_add_rough_range(repair_look *look, uint8_t first, uint8_t last)
{
    repair_look_add_range(look, first, last);
    look->is_rough = true;
}

void repair_look_add_check(repair_look *look, const assay_check *check, bool stays_if_failed)
{
    if (look->check_count == REPAIR_MAX_CHECKS) {
        look->is_blind = true;
        return;
    }
    look->checks[look->check_count++] = (repair_look_check){check, stays_if_failed};
}

bool repair_look_add_pattern(repair_look *look, const char *text)
{
    if (look->owned_count == REPAIR_MAX_CHECKS) {
        look->is_blind = true;
        return true;
    }
    assay_pattern *pattern = assay_pattern_create((const uint8_t *)text, strlen(text), 0, 0, NULL);
    assay_check *check = pattern == NULL ? NULL : assay_check_create_pattern(pattern);
    look->owned_patterns[look->owned_count] = pattern;
    look->owned_checks[look->owned_count++] = check;
    if (check == NULL) return false;
    repair_look_add_check(look, check, false);
    return true;
}
