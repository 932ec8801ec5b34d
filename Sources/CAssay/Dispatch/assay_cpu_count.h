/* The processor time that a container grants its processes. assay_cpu_count (assay/core.h) is the public call. */
#ifndef ASSAY_CPU_COUNT_H
#define ASSAY_CPU_COUNT_H

#include "assay/core.h"

/* Returns the processor time that a control group may use, in processors, rounded up; SIZE_MAX: no limit. `groups` is
 * the mount point of control groups; inside a container that directory is its own group. Sources: cpu.max of cgroups(7)
 * version 2; cpu.cfs_quota_us and cpu.cfs_period_us of version 1. */
size_t assay_cpu_quota(const char *groups);

#endif
