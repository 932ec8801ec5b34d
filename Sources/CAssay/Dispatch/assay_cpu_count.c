/* Determines how many processors this process may use: its CPU affinity, or the quota of its container if that is
   less. */
#define _GNU_SOURCE /* for cpu_set_t */

#include "Dispatch/assay_cpu_count.h"

#include <stdio.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif

/* Reads two numbers from a file of a directory. Returns how many the file has: 0 for "max 100000", which means no
   limit. */
static int read_numbers(const char *directory, const char *name, long long *one, long long *other)
{
    char path[512];
    const int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    if (length < 0 || (size_t)length >= sizeof path) return 0;
    FILE *file = fopen(path, "re");
    if (file == NULL) return 0;
    const int count = fscanf(file, "%lld %lld", one, other);
    fclose(file);
    return count;
}

size_t assay_cpu_quota(const char *groups)
{
    long long quota = 0;
    long long period = 0;
    long long none = 0;
    const bool is_known = read_numbers(groups, "cpu.max", &quota, &period) == 2 ||
                          (read_numbers(groups, "cpu/cpu.cfs_quota_us", &quota, &none) == 1 &&
                           read_numbers(groups, "cpu/cpu.cfs_period_us", &period, &none) == 1);
    if (!is_known || quota <= 0 || period <= 0) return SIZE_MAX;
    return (size_t)(quota / period + (quota % period != 0));
}

static size_t count_allowed(void)
{
#if defined(__linux__)
    /* Fails on systems with more processors than a cpu_set_t holds. */
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return (size_t)CPU_COUNT(&allowed);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (size_t)online : 1;
}

size_t assay_cpu_count(void)
{
    const size_t allowed = count_allowed();
    const size_t quota = assay_cpu_quota("/sys/fs/cgroup");
    return quota < allowed ? quota : allowed;
}
