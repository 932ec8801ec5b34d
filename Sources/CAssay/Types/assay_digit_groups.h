/* Digit groups of numbers, which must be complete.
 *
 *     1,234,567     groups of three; the first may be shorter
 *     12,34,567     Indian groups, only with commas: groups of two between the first and the last
 *     0,123  12,34  1.5     incomplete: the separator may be a decimal separator */
#ifndef ASSAY_DIGIT_GROUPS_H
#define ASSAY_DIGIT_GROUPS_H

#include "assay/core.h"

typedef struct assay_digit_groups {
    size_t count;
    size_t first, last;        /* the number of digits in the first and last group */
    bool has_threes, has_twos; /* all groups between them have three or two digits, respectively */
} assay_digit_groups;

static inline void assay_digit_groups_add(assay_digit_groups *groups, size_t digits)
{
    if (groups->count == 0) *groups = (assay_digit_groups){.first = digits, .has_threes = true, .has_twos = true};
    if (groups->count > 1) {
        groups->has_threes &= groups->last == 3;
        groups->has_twos &= groups->last == 2;
    }
    groups->last = digits;
    groups->count++;
}

/* Whether the groups are complete, or the digits have no groups. `first_digit` is the first byte of the first group. */
static inline bool assay_digit_groups_are_complete(const assay_digit_groups *groups, assay_text separator,
                                                   uint8_t first_digit)
{
    if (groups->count <= 1) return true;
    if (groups->first == 0 || groups->last != 3 || first_digit == '0') return false;
    const bool is_indian = separator.count == 1 && separator.bytes[0] == ',' && groups->has_twos && groups->first <= 2;
    return (groups->has_threes && groups->first <= 3) || is_indian;
}

#endif
