/* Adding many numbers to a histogram. */
#ifndef ASSAY_PROFILE_HISTOGRAM_H
#define ASSAY_PROFILE_HISTOGRAM_H

#include "assay/profile.h"

#include <stdbool.h>

/* assay_histogram_add() with a larger count. Returns false if memory runs out. */
bool profile_histogram_add(assay_histogram *histogram, double number, uint64_t times);

/* Adds finite numbers. Returns false if memory runs out; the histogram is then incomplete. */
bool profile_histogram_add_each(assay_histogram *histogram, const double *ASSAY_COUNTED_BY(count) numbers,
                                size_t count);

/* Includes numbers in a minimum and a maximum. In four lanes, because each comparison waits for an earlier one. */
static inline void profile_widen_range(double range[2], const double *numbers, size_t count)
{
    enum { lanes = 4 };
    double min[lanes], max[lanes];
    for (size_t lane = 0; lane < lanes; lane++) {
        min[lane] = range[0];
        max[lane] = range[1];
    }
    size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        for (size_t lane = 0; lane < lanes; lane++) {
            const double number = numbers[i + lane];
            min[lane] = number < min[lane] ? number : min[lane];
            max[lane] = number > max[lane] ? number : max[lane];
        }
    }
    for (; i < count; i++) {
        min[0] = numbers[i] < min[0] ? numbers[i] : min[0];
        max[0] = numbers[i] > max[0] ? numbers[i] : max[0];
    }
    for (size_t lane = 0; lane < lanes; lane++) {
        range[0] = min[lane] < range[0] ? min[lane] : range[0];
        range[1] = max[lane] > range[1] ? max[lane] : range[1];
    }
}

#endif
