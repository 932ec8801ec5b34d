/* How many processors there are for this process. */
#define _GNU_SOURCE /* for the set of processors */

#include "assay/core.h"

#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif

size_t assay_cpu_count(void)
{
#if defined(__linux__)
    /* Fails where the system has more of them than the set. */
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return (size_t)CPU_COUNT(&allowed);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (size_t)online : 1;
}
