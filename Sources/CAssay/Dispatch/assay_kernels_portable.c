/* The kernels in plain C, for any processor. */
#include "Dispatch/assay_kernels.h"

#include "SIMD/assay_block_portable.h"

static bool is_available(void) { return true; }

#define KERNELS assay_kernels_portable
#define KERNELS_NAME "portable"
#include "Dispatch/assay_kernels_table.h"
