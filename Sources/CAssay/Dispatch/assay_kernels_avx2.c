/* The algorithms, for x86-64 processors from about 2013 on (AVX2, BMI and carry-less multiplication). */
#include "Dispatch/assay_kernels.h"

#if defined(__x86_64__)

#include "SIMD/assay_block_avx2.h"
/* The block must be known before the algorithms, cells before levels, bytes and UTF-8 before the scan. */
#include "Columns/assay_cells_avx2.h"

#include "Bytes/assay_bytes_blocks.h"
#include "Bytes/assay_utf8.h"
#include "Bytes/assay_utf8_avx2.h"
#include "DFA/Batch/assay_transliteration_blocks.h"
#include "DFA/Shuffle/assay_shuffle_dfa_avx2.h"
#include "DFA/Shuffle/assay_shuffle_dfa_blocks.h"
#include "Masks/assay_mask_blocks.h"
#include "Records/assay_scan_blocks.h"

static bool is_available(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul");
}

const assay_kernels assay_kernels_avx2 = {
    .name = "avx2",
    .is_available = is_available,
    .scan_blocks = scan_blocks,
    .bytes_count = bytes_count_blocks,
    .bytes_are_ascii = bytes_are_ascii_blocks,
    .bytes_in_set = bytes_in_set_blocks,
    .mask_count = mask_count_blocks,
    .transliterate = transliterate_blocks,
    .sheng = sheng_blocks,
    .sheng_stride2 = sheng_stride2_blocks,
    .shuffle_width = shuffle_narrow,
    .shuffle_dfa_judge = shuffle_dfa_judge_blocks,
    .cells_empty = cells_empty_avx2,
    .utf8_valid_prefix = utf8_valid_prefix_avx2,
};

#endif
