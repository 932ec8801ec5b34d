/* The algorithms, for any processor. */
#include "Dispatch/assay_kernels.h"

#include "SIMD/assay_block_portable.h"
/* The block must be known before the algorithms, bytes and UTF-8 before the scan. */
#include "Bytes/assay_bytes_blocks.h"
#include "Bytes/assay_utf8.h"
#include "Bytes/assay_utf8_blocks.h"
#include "DFA/Batch/assay_transliteration_blocks.h"
#include "Masks/assay_mask_blocks.h"
#include "Records/assay_scan_blocks.h"

static bool is_available(void) { return true; }

const assay_kernels assay_kernels_portable = {
    .name = "portable",
    .is_available = is_available,
    .scan_blocks = scan_blocks,
    .bytes_count = bytes_count_blocks,
    .bytes_are_ascii = bytes_are_ascii_blocks,
    .bytes_in_set = bytes_in_set_blocks,
    .mask_count = mask_count_blocks,
    .transliterate = transliterate_blocks,
    .utf8_valid_prefix = utf8_valid_prefix_blocks,
};
