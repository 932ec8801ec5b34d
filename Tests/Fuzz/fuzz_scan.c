/* The plain and the fast scanner must give the same batch and find the same ill-formed UTF-8. The records must be
 * adjacent.
 *
 * The first five bytes choose the dialect, the limits, the end of the buffer and the processor path. The fifth byte
 * also chooses whether the dialect has options. Only one scanner knows such dialects, and its cells must fit into twice
 * the bytes. */
#include "test_scan_support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_cells(const assay_batch *batch, const assay_dialect *dialect, uint8_t *bytes, uint32_t count)
{
    uint32_t used = count;
    for (uint32_t i = 0; i < batch->record_count; i++) {
        const uint32_t fields = batch->records[i + 1].first_field - batch->records[i].first_field;
        for (uint32_t field = 0; field < fields; field++) {
            assay_cell cell;
            assay_batch_gather(batch, dialect, bytes, &used, field, i, 1, NULL, &cell);
            if (cell.start > used || cell.length > used - cell.start) abort();
        }
    }
    if (used > 2 * count) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 5) return 0;
    const uint8_t options = data[0];
    assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = !(options & 1), .cr_ends = (options & 2) != 0};
    /* A quarter of the dialects have options. */
    if (data[4] >= 192) {
        if (data[4] & 1) dialect.delimiter2 = ';';
        if (data[4] & 2) dialect.escape = '\\';
        if (data[4] & 4) dialect.comment = '#';
        dialect.skip_initial_space = (data[4] & 8) != 0;
    }
    const assay_record_limits limits = {1u + data[1], data[2] == 255 ? 1u << 20 : 1u + data[2]};
    const bool is_last = options & 4, continues = (options & 24) == 24;
    const uint32_t max_records = data[3] == 0 ? UINT32_MAX : data[3];
    assay_cpu_select(assay_cpu_at(data[4] % test_cpu_paths()));

    static assay_batch *plain, *fast;
    if (plain == NULL) plain = assay_batch_create();
    if (fast == NULL) fast = assay_batch_create();
    uint8_t *bytes = malloc(2 * (size - 5) + 1); /* room for the cells */
    if (bytes == NULL) abort();
    memcpy(bytes, data + 5, size - 5);
    assay_scan_plain(plain, &dialect, &limits, bytes, size - 5, max_records, is_last, continues);
    assay_scan(fast, &dialect, &limits, bytes, size - 5, max_records, is_last, continues);
    if (!test_dialect_batch_is_complete(plain, &dialect, size - 5) || !test_batches_are_equal(plain, fast)) abort();
    if (!test_encoding_is_found(plain, bytes) || !test_encoding_is_found(fast, bytes)) abort();
    if (is_last && max_records == UINT32_MAX && plain->consumed != size - 5) abort();
    check_cells(plain, &dialect, bytes, (uint32_t)(size - 5));
    free(bytes);
    return 0;
}
