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

#endif
