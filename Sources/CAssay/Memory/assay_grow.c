#include "Memory/assay_grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Added to each new capacity, so that small arrays do not grow one item at a time. */
enum { MIN_GROWTH = 16 };

bool assay_resize(void *array, size_t size, size_t count)
{
    if (count > SIZE_MAX / size) return false;
    /* memcpy, because reading a `T *` through a `void **` would break the rules of aliasing. */
    void *old;
    memcpy(&old, array, sizeof old);
    void *moved = realloc(old, count * size);
    if (moved == NULL) return false;
    memcpy(array, &moved, sizeof moved);
    return true;
}

bool assay_grow_beyond(void *array, size_t *capacity, size_t size, size_t needed)
{
    /* No overflow: *capacity * size is the size of an object, so it is at most PTRDIFF_MAX. */
    size_t grown = *capacity + *capacity / 2 + MIN_GROWTH;
    if (grown < needed) grown = needed;
    if (!assay_resize(array, size, grown)) return false;
    *capacity = grown;
    return true;
}
