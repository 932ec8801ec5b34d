/* Processors: how many there are for this process. That all paths agree is tested beside what runs on them. */
#define _GNU_SOURCE

#include "assay/core.h"
#include "test.h"

#if defined(__linux__)
#include <sched.h>

static void check_bound(void)
{
    cpu_set_t before;
    if (!CHECK(sched_getaffinity(0, sizeof before, &before) == 0)) return;
    CHECK_EQUAL(assay_cpu_count(), CPU_COUNT(&before));
    size_t one = 0;
    while (!CPU_ISSET(one, &before)) one++;
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(one, &only);
    CHECK(sched_setaffinity(0, sizeof only, &only) == 0);
    CHECK_EQUAL(assay_cpu_count(), 1);
    CHECK(sched_setaffinity(0, sizeof before, &before) == 0);
}
#endif

int main(void)
{
    CHECK(assay_cpu_count() > 0);
#if defined(__linux__)
    check_bound();
#endif
    return test_result();
}
