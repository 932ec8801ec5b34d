/* assay_kernels_table.h: compiles the shared algorithms for one processor path and fills its table. Included at the end
 * of assay_kernels_<path>.c, which has included its assay_block_<path>.h, defined is_available, and named the table
 * (KERNELS, KERNELS_NAME).
 *     BLOCK_HAS_SETS       the path has a byte shuffle: byte sets, Sheng
 *     BLOCK_HAS_HALVES     a block has two 32-byte halves, which the UTF-8 check of AVX2 takes
 *     BLOCK_HAS_UTF16      assay_utf16_<path>.h was included
 *     SHUFFLE_DFA_WIDTH    assay_cells_avx2.h and assay_shuffle_dfa_<path>.h were included */

/* Order matters: the scan uses the functions of bytes and UTF-8. */
#ifdef SHUFFLE_DFA_WIDTH
#include "DFA/Shuffle/assay_shuffle_dfa_blocks.h"
#endif

#include "DFA/Batch/assay_transliteration_blocks.h"

#include "Columns/assay_views_blocks.h"

#include "Bytes/assay_bytes_blocks.h"
#include "Bytes/assay_utf8.h"

#ifdef BLOCK_HAS_SETS
#include "Bytes/assay_candidate_blocks.h"
#endif

#ifdef BLOCK_HAS_HALVES
#include "Bytes/assay_utf8_avx2.h"
#define KERNELS_UTF8 utf8_valid_prefix_avx2
#else
#include "Bytes/assay_utf8_blocks.h"
#define KERNELS_UTF8 utf8_valid_prefix_blocks
#endif

#include "Encodings/assay_encodings_blocks.h"
#include "Keys/assay_sip_lanes_blocks.h"
#include "Masks/assay_mask_blocks.h"
#include "Numbers/assay_numbers_blocks.h"
#include "Profile/profile_numbers_blocks.h"
#include "Profile/profile_values_blocks.h"
#include "Records/assay_scan_blocks.h"
#include "JSON/assay_json_rows_blocks.h"

const assay_kernels KERNELS = {
    .name = KERNELS_NAME,
    .is_available = is_available,
    .scan_blocks = scan_blocks,
    .find_marks = find_marks_block,
    .json_rows = json_rows_blocks,
    .bytes_count = bytes_count_blocks,
    .bytes_are_ascii = bytes_are_ascii_blocks,
    .bytes_in_set = bytes_in_set_blocks,
    .mask_count = mask_count_blocks,
    .numbers_outside = numbers_outside_blocks,
    .cells_from_views = cells_from_views_blocks,
    .transliterate = transliterate_blocks,
    .utf8_valid_prefix = KERNELS_UTF8,
    .ascii_copy = ascii_copy_blocks,
    .bytes_decode = bytes_decode_blocks,
    .utf16_decode = utf16_decode_blocks,
    .utf16_widen = utf16_widen_blocks,
    .sip_lanes = sip_lanes_blocks,
    .profile_values = profile_values_blocks,
    .profile_numbers = profile_numbers_blocks,
#ifdef BLOCK_HAS_SETS
    .find_candidate = find_candidate_blocks,
    .sheng = sheng_blocks,
    .sheng_stride2 = sheng_stride2_blocks,
#endif
#ifdef SHUFFLE_DFA_WIDTH
    .shuffle_width = SHUFFLE_DFA_WIDTH,
    .shuffle_dfa_match = shuffle_dfa_match_blocks,
    .cells_empty = cells_empty_avx2,
#endif
};
