/* The kernels for x86-64 processors from about 2019 on (AVX-512 with VBMI and VBMI2: Ice Lake, Zen 4). Valgrind
 * supports none of these instructions, so programs under it run the AVX2 path. */
#include "Dispatch/assay_kernels.h"

#if defined(__x86_64__)

#include "SIMD/assay_block_avx512.h"

#include "Columns/assay_cells_avx2.h"

#include "DFA/Shuffle/assay_shuffle_dfa_avx512.h"

#include "Encodings/assay_utf16_avx2.h"

static bool is_available(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul");
}

#define KERNELS assay_kernels_avx512
#define KERNELS_NAME "avx512"
#include "Dispatch/assay_kernels_table.h"

#endif
