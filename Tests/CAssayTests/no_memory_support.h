/* An allocator that can refuse. The linker redirects malloc and related functions to it (-Wl,--wrap). */
#ifndef ASSAY_TEST_NO_MEMORY_SUPPORT_H
#define ASSAY_TEST_NO_MEMORY_SUPPORT_H

#include "test.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *memory);

/* The number of allocations since the last `refuse`, and the one that fails: number `refused` (from 0), or all from
   there. */
static size_t requested;
static size_t refused = SIZE_MAX;
static bool refuses_for_ever;
/* The number of live blocks. */
static long live;

static void refuse(size_t number, bool for_ever)
{
    requested = 0;
    refused = number;
    refuses_for_ever = for_ever;
}

/* Ends the refusals. */
static void refuse_no_more(void) { refused = SIZE_MAX; }

static bool is_refused(void)
{
    size_t number = requested++;
    return number == refused || (refuses_for_ever && number > refused);
}

static void *counted(void *memory)
{
    live += memory != NULL;
    return memory;
}

/* In a static program, calloc and realloc of some libraries (musl) call the functions below, and such a call belongs to
   the allocation that is counted. */
static bool is_inside;

void *__wrap_malloc(size_t size)
{
    if (is_inside) return __real_malloc(size);
    return is_refused() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    if (is_inside) return __real_calloc(count, size);
    if (is_refused()) return NULL;
    is_inside = true;
    void *memory = __real_calloc(count, size);
    is_inside = false;
    return counted(memory);
}

void *__wrap_realloc(void *old, size_t size)
{
    if (is_inside) return __real_realloc(old, size);
    if (is_refused()) return NULL;
    is_inside = true;
    void *memory = __real_realloc(old, size);
    is_inside = false;
    live += old == NULL && memory != NULL;
    return memory;
}

void __wrap_free(void *memory)
{
    if (!is_inside) live -= memory != NULL;
    __real_free(memory);
}

#endif
