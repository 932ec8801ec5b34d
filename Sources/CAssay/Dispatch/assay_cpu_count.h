/* The share of the processors that a container is given. */
#ifndef ASSAY_CPU_COUNT_H
#define ASSAY_CPU_COUNT_H

#include "assay/core.h"

/* How many processors' time a group of processes may use, rounded up; SIZE_MAX: as much as there is. `groups` is where
 * the control groups are mounted: what stands there is the group of a container, seen from inside. Sources: cpu.max of
 * cgroups(7) version 2; cpu.cfs_quota_us and cpu.cfs_period_us of version 1. */
size_t assay_cpu_quota(const char *groups);

#endif
