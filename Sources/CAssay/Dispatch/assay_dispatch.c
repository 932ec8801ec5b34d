/* Chooses the processor path, current_kernels: the only global variable of the C core that callers can observe.
 *
 *     first call of assay_kernels_current, in any thread ──► best_kernels() ──► current_kernels
 *     assay_cpu_select("sse2"), in tests                 ──────────────────────► current_kernels */
#include "Dispatch/assay_kernels.h"
#include "Memory/assay_chaos.h"

#include <stdatomic.h>
#include <string.h>

#include "assay/core.h"

/* Best first. The last one is available on every machine. */
static const assay_kernels *const all_kernels[] = {
#if defined(__x86_64__)
    &assay_kernels_avx512,
    &assay_kernels_avx2,
    &assay_kernels_sse2,
#elif defined(__aarch64__) && defined(__ARM_NEON)
    &assay_kernels_neon,
#endif
    &assay_kernels_portable,
};
enum { kernels_count = sizeof all_kernels / sizeof all_kernels[0] };

/* NULL until the first call. Concurrent first calls all compute the same pointer, so the order of their stores does not
 * matter. The tables are constants of the program, so relaxed order suffices. */
static _Atomic(const assay_kernels *) current_kernels;

static const assay_kernels *best_kernels(void)
{
    size_t i = 0;
    while (i + 1 < kernels_count && !all_kernels[i]->is_available()) i++;
    return all_kernels[i];
}

const assay_kernels *assay_kernels_current(void)
{
    const assay_kernels *kernels = atomic_load_explicit(&current_kernels, memory_order_relaxed);
    if (kernels == NULL) {
        kernels = best_kernels();
        ASSAY_CHAOS_POINT();
        atomic_store_explicit(&current_kernels, kernels, memory_order_relaxed);
    }
    return kernels;
}

const char *assay_cpu(void) { return assay_kernels_current()->name; }

const char *assay_cpu_at(size_t index)
{
    for (size_t i = 0; i < kernels_count; i++) {
        if (all_kernels[i]->is_available() && index-- == 0) return all_kernels[i]->name;
    }
    return NULL;
}

bool assay_cpu_select(const char *name)
{
    const assay_kernels *kernels = name == NULL ? best_kernels() : NULL;
    for (size_t i = 0; i < kernels_count && kernels == NULL; i++) {
        if (strcmp(all_kernels[i]->name, name) == 0 && all_kernels[i]->is_available()) kernels = all_kernels[i];
    }
    if (kernels == NULL) return false;
    atomic_store_explicit(&current_kernels, kernels, memory_order_relaxed);
    return true;
}
