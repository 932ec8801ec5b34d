/* The processor paths of the C core, for tests that run on each path. Not part of test.h, because the tests of
   libassay are compiled without the headers of the core. */
#ifndef ASSAY_TEST_PATHS_H
#define ASSAY_TEST_PATHS_H

#include "test.h"

#include "assay/core.h"

/* Selects the processor path of an index, best first:

       for (size_t path = 0; test_select_cpu(path); path++) …

   After the last one, selects the best path again and returns false. */
static inline bool test_select_cpu(size_t index)
{
    const char *name = assay_cpu_at(index);
    const bool is_selected = assay_cpu_select(name);
    return name != NULL && CHECK(is_selected && strcmp(assay_cpu(), name) == 0);
}

/* The number of processor paths of this machine. */
static inline size_t test_cpu_paths(void)
{
    size_t count = 0;
    while (assay_cpu_at(count) != NULL) count++;
    return count;
}

#endif
