/* Which processor path the byte functions run on. */
#include "Dispatch/assay_kernels.h"

#include <stdatomic.h>
#include <string.h>

#include "assay/core.h"

/* Best first. The last one runs everywhere. */
static const assay_cpu_path *const paths[] = {
#if defined(__x86_64__)
    &assay_cpu_path_avx512,
    &assay_cpu_path_avx2,
    &assay_cpu_path_sse2,
#elif defined(__aarch64__) && defined(__ARM_NEON)
    &assay_cpu_path_neon,
#endif
    &assay_cpu_path_portable,
};
enum { path_count = sizeof paths / sizeof paths[0] };

/* NULL until the first question. Threads that ask at once all find the same answer, so it does not matter whose store
 * comes last; the tables it points to are constant, so relaxed order is enough. */
static _Atomic(const assay_cpu_path *) current_path;

static const assay_cpu_path *best_path(void)
{
    size_t i = 0;
    while (i + 1 < path_count && !paths[i]->is_available()) i++;
    return paths[i];
}

const assay_cpu_path *assay_cpu_current(void)
{
    const assay_cpu_path *path = atomic_load_explicit(&current_path, memory_order_relaxed);
    if (path == NULL) {
        path = best_path();
        atomic_store_explicit(&current_path, path, memory_order_relaxed);
    }
    return path;
}

const char *assay_cpu(void) { return assay_cpu_current()->name; }

bool assay_cpu_select(const char *name)
{
    const assay_cpu_path *path = name == NULL ? best_path() : NULL;
    for (size_t i = 0; i < path_count && path == NULL; i++) {
        if (strcmp(paths[i]->name, name) == 0 && paths[i]->is_available()) path = paths[i];
    }
    if (path == NULL) return false;
    atomic_store_explicit(&current_path, path, memory_order_relaxed);
    return true;
}
