/* The plain and the fast scanner must give the same batch, find the same ill-formed UTF-8, and the records must lie side by side.
 *
 * The first five bytes choose the dialect, the limits, where the buffer ends and the processor path. */
#include "test_scan_support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 5) return 0;
    const uint8_t options = data[0];
    const assay_dialect dialect = {
        .delimiter = ',', .quote = '"', .quoting = !(options & 1), .cr_ends = (options & 2) != 0};
    const assay_record_limits limits = {1u + data[1], data[2] == 255 ? 1u << 20 : 1u + data[2]};
    const bool is_last = options & 4, continues = (options & 24) == 24;
    const uint32_t max_records = data[3] == 0 ? UINT32_MAX : data[3];
    const char *path = test_paths[1 + data[4] % (test_path_count - 1)];
    if (!test_select_path(path)) return 0;

    static assay_batch *plain, *fast;
    if (plain == NULL) plain = assay_batch_create();
    if (fast == NULL) fast = assay_batch_create();
    uint8_t *bytes = test_exact_copy(data + 5, size - 5);
    assay_scan_plain(plain, &dialect, &limits, bytes, size - 5, max_records, is_last, continues);
    assay_scan(fast, &dialect, &limits, bytes, size - 5, max_records, is_last, continues);
    if (!test_batch_is_whole(plain, size - 5) || !test_batches_are_equal(plain, fast)) abort();
    if (!test_encoding_is_found(plain, bytes) || !test_encoding_is_found(fast, bytes)) abort();
    if (is_last && max_records == UINT32_MAX && plain->consumed != size - 5) abort();
    free(bytes);
    return 0;
}
