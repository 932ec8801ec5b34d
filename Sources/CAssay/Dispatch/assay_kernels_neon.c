/* The kernels for ARM64. The tests of the C core have run under emulation, but not yet on an ARM64 processor. */
#include "Dispatch/assay_kernels.h"

#if defined(__aarch64__) && defined(__ARM_NEON)

#include "SIMD/assay_block_neon.h"

#include "Encodings/assay_utf16_neon.h"

static bool is_available(void) { return true; }

#define KERNELS assay_kernels_neon
#define KERNELS_NAME "neon"
#include "Dispatch/assay_kernels_table.h"

#endif
