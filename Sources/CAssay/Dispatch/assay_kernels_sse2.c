/* The kernels for every x86-64 processor: SSE2 is part of the architecture. */
#include "Dispatch/assay_kernels.h"

#if defined(__x86_64__)

#include "SIMD/assay_block_sse2.h"

static bool is_available(void) { return true; }

#define KERNELS assay_kernels_sse2
#define KERNELS_NAME "sse2"
#include "Dispatch/assay_kernels_table.h"

#endif
