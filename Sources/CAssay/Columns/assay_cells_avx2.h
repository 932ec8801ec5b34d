/* assay_cells_avx2.h: cells, eight at a time. Included by assay_kernels_avx2.c and assay_kernels_avx512.c. */

#include "assay/core.h"

/* The ends and lengths of eight cells. */
BLOCK_INLINE __m256i cells_read(const assay_cell *cells, __m256i *lengths)
{
    const __m256 some = _mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)(const void *)cells));
    const __m256 others = _mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)(const void *)(cells + 4)));
    const __m256i starts = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(some, others, 0x88)), 0xD8);
    *lengths = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(some, others, 0xDD)), 0xD8);
    return _mm256_add_epi32(starts, *lengths);
}

BLOCK_TARGET static uint64_t cells_empty_avx2(const assay_cell *cells)
{
    uint64_t empty = 0;
#pragma GCC unroll 8
    for (size_t row = 0; row < 64; row += 8) {
        __m256i lengths;
        (void)cells_read(cells + row, &lengths);
        const __m256i is_empty = _mm256_cmpeq_epi32(lengths, _mm256_setzero_si256());
        empty |= (uint64_t)(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(is_empty)) << row;
    }
    return empty;
}
