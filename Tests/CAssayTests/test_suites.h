/* The location of third-party suites: see Tests/Suites/README.md. */
#ifndef ASSAY_TEST_SUITES_H
#define ASSAY_TEST_SUITES_H

#include <stdio.h>
#include <stdlib.h>

/* The default folder. The environment variable of the same name overrides it. */
#ifndef ASSAY_SUITES
#define ASSAY_SUITES "build/suites"
#endif

enum { TEST_PATH = 1024 };

/* Writes the path of a file or folder of the suites, such as "blns/raw/blns.json". */
static inline void test_suite_path(char path[TEST_PATH], const char *name)
{
    const char *folder = getenv("ASSAY_SUITES");
    if (folder == NULL || folder[0] == '\0') folder = ASSAY_SUITES;
    snprintf(path, TEST_PATH, "%s/%s", folder, name);
}

#endif
