/* Processors: the number available to this process, and the list of paths. Other tests compare the results of the
   paths. */
#define _GNU_SOURCE

#include "Dispatch/assay_cpu_count.h"
#include "test.h"
#include "test_paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>

static void check_bound(void)
{
    cpu_set_t before;
    if (!CHECK(sched_getaffinity(0, sizeof before, &before) == 0)) return;
    const size_t quota = assay_cpu_quota("/sys/fs/cgroup");
    const size_t allowed = (size_t)CPU_COUNT(&before);
    CHECK_EQUAL(assay_cpu_count(), quota < allowed ? quota : allowed);
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

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) abort();
    fputs(text, file);
    fclose(file);
}

static void check_quota(void)
{
    static const struct {
        const char *text;
        size_t processors;
    } cases[] = {
        {"max 100000\n", SIZE_MAX}, {"100000 100000\n", 1}, {"150000 100000\n", 2},   {"1000 100000\n", 1},
        {"400000 50000\n", 8},      {"", SIZE_MAX},         {"0 100000\n", SIZE_MAX}, {"100000\n", SIZE_MAX},
        {"100000 0\n", SIZE_MAX},   {"x y\n", SIZE_MAX},
    };
    char directory[] = "/tmp/assay-cpu-XXXXXX";
    if (mkdtemp(directory) == NULL) abort();
    char path[50], folder[50], quota[100], period[100];
    snprintf(path, sizeof path, "%s/cpu.max", directory);
    CHECK_EQUAL(assay_cpu_quota(directory), SIZE_MAX);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file(path, cases[i].text);
        CHECK_EQUAL(assay_cpu_quota(directory), cases[i].processors);
    }
    unlink(path);
    /* Version 1 of control groups. */
    snprintf(folder, sizeof folder, "%s/cpu", directory);
    snprintf(quota, sizeof quota, "%s/cpu.cfs_quota_us", folder);
    snprintf(period, sizeof period, "%s/cpu.cfs_period_us", folder);
    if (mkdir(folder, 0700) != 0) abort();
    write_file(period, "100000\n");
    CHECK_EQUAL(assay_cpu_quota(directory), SIZE_MAX);
    write_file(quota, "-1\n");
    CHECK_EQUAL(assay_cpu_quota(directory), SIZE_MAX);
    write_file(quota, "250000\n");
    CHECK_EQUAL(assay_cpu_quota(directory), 3);
    unlink(quota);
    unlink(period);
    rmdir(folder);
    rmdir(directory);
}

/* The last path is the portable one, and only listed paths can be selected. */
static void check_paths(void)
{
    const size_t count = test_cpu_paths();
    CHECK(assay_cpu_select(NULL) && strcmp(assay_cpu(), assay_cpu_at(0)) == 0);
    CHECK(strcmp(assay_cpu_at(count - 1), "portable") == 0);
    CHECK(assay_cpu_at(count) == NULL && assay_cpu_at(SIZE_MAX) == NULL);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) CHECK(strcmp(assay_cpu_at(i), assay_cpu_at(j)) != 0);
    }
    size_t selected = 0;
    while (test_select_cpu(selected)) selected++;
    CHECK_EQUAL(selected, count);
    CHECK(strcmp(assay_cpu(), assay_cpu_at(0)) == 0);
    CHECK(!assay_cpu_select("abacus"));
}

int main(void)
{
    check_quota();
    check_paths();
    CHECK(assay_cpu_count() > 0);
#if defined(__linux__)
    check_bound();
#endif
    return test_result();
}
