/* The kernels for x86-64 processors from about 2013 on (AVX2, BMI and carry-less multiplication). */
#include "Dispatch/assay_kernels.h"

#if defined(__x86_64__)

#include "SIMD/assay_block_avx2.h"

#include "Columns/assay_cells_avx2.h"

#include "DFA/Shuffle/assay_shuffle_dfa_avx2.h"

#include "Encodings/assay_utf16_avx2.h"

static bool is_available(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul");
}

#define KERNELS assay_kernels_avx2
#define KERNELS_NAME "avx2"
#include "Dispatch/assay_kernels_table.h"

#endif
