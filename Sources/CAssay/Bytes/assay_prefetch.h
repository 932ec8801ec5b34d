/* assay_prefetch.h: memory asked for before it is read. */
#ifndef ASSAY_PREFETCH_H
#define ASSAY_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

/* How far ahead, in bytes, for loops that take a block of 64 in some tens of cycles: from the second cache it comes in time. */
enum { assay_prefetch_block = 512 };

/* Asks for the line of the cache that is so many bytes ahead, which may be behind the end of the buffer. */
static inline void assay_prefetch(const uint8_t *bytes, size_t ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)bytes + ahead));
}

#endif
