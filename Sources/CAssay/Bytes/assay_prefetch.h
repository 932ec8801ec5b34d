/* assay_prefetch.h: prefetching for loops over buffers. */
#ifndef ASSAY_PREFETCH_H
#define ASSAY_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

/* The distance in bytes for loops that take some tens of cycles per block of 64: enough for data in the L2 cache. */
enum { assay_prefetch_block = 512 };

/* Prefetches the cache line that is `ahead` bytes after `bytes`. It may be after the end of the buffer. */
static inline void assay_prefetch(const uint8_t *bytes, size_t ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)bytes + ahead));
}

#endif
