/* Counts allocations of a program: LD_PRELOAD=liballocations.so ALLOCATIONS=FILE program …
 *
 * At exit, FILE contains the number of calls of malloc, calloc, realloc and the aligned functions. Linux with glibc. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The internal names of glibc, so that an allocation does not need a symbol lookup. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_long count;

void *malloc(size_t bytes)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return __libc_malloc(bytes);
}

void *calloc(size_t number, size_t bytes)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return __libc_calloc(number, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return __libc_realloc(memory, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void **result, size_t alignment, size_t bytes)
{
    void *memory = memalign(alignment, bytes);
    if (memory == NULL) return ENOMEM;
    *result = memory;
    return 0;
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("ALLOCATIONS");
    long counted = atomic_load(&count);
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file == NULL) return;
    fprintf(file, "%ld\n", counted);
    fclose(file);
}
