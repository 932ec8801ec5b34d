/* Every processor path must find the same valid prefix as the plain check. */
#include "Bytes/assay_utf8.h"
#include "test_scan_support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t expected = assay_utf8_valid_prefix_plain(data, size);
    for (size_t p = 0; test_select_cpu(p); p++) {
        if (assay_utf8_valid_prefix(data, size) != expected) abort();
        /* From another alignment, and far into a block. */
        uint8_t *moved = malloc(size + 67);
        if (moved == NULL) abort();
        memset(moved, 'a', 67);
        memcpy(moved + 67, data, size);
        if (assay_utf8_valid_prefix(moved, size + 67) != expected + 67) abort();
        free(moved);
    }
    return 0;
}
