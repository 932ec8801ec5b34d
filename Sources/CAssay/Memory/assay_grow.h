/* Growth of arrays: the only place that computes capacities, checks them for overflow and calls realloc.
 *
 * `array` is the address of a pointer to the first item, such as &batch->records. It is a `void *` because C has no
 * generic pointer to a pointer. If a function returns false, memory ran out or the size does not fit size_t; the array
 * is unchanged. */
#ifndef ASSAY_GROW_H
#define ASSAY_GROW_H

#include <stdbool.h>
#include <stddef.h>

/* The part of assay_grow that runs if the capacity is less than `needed`. */
bool assay_grow_beyond(void *array, size_t *capacity, size_t size, size_t needed);

/* Grows an array so that it holds at least `needed` items of `size` bytes. The new capacity is at least 1.5 times the
 * old one, so that adding n items one by one copies O(n) items.
 *
 *     if (!assay_grow(&list->items, &list->capacity, sizeof *list->items, list->count + 1)) return false;
 *     list->items[list->count++] = item; */
static inline bool assay_grow(void *array, size_t *capacity, size_t size, size_t needed)
{
    return needed <= *capacity || assay_grow_beyond(array, capacity, size, needed);
}

/* Resizes an array to exactly `count` items, for arrays that share one capacity. The caller updates the capacity after
 * every array has the new size; until then some arrays are larger than the capacity, which is harmless. `count` and
 * `size` must not be 0. */
bool assay_resize(void *array, size_t size, size_t count);

#endif
