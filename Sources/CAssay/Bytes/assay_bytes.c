#include "Dispatch/assay_kernels.h"
#include "assay/core.h"

size_t assay_bytes_count(const uint8_t *bytes, size_t count, uint8_t byte)
{
    return assay_kernels_current()->bytes_count(bytes, count, byte);
}

bool assay_bytes_are_ascii(const uint8_t *bytes, size_t count)
{
    return assay_kernels_current()->bytes_are_ascii(bytes, count);
}
