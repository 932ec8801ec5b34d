/* Memory between two unreadable pages. */
#ifndef ASSAY_TEST_FENCED_H
#define ASSAY_TEST_FENCED_H

#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#define _DARWIN_C_SOURCE 1
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"

typedef struct fenced {
    uint8_t *bytes;
    size_t count;
} fenced;

#ifdef __wasm__

/* WebAssembly cannot protect memory, so these pages only have readable memory around them. */
enum { TEST_PAGE = 1 << 16 };

static inline fenced new_fenced(size_t min)
{
    const size_t count = (min + TEST_PAGE - 1) / TEST_PAGE * TEST_PAGE;
    uint8_t *all = calloc(count + 2 * TEST_PAGE, 1);
    if (!CHECK(all != NULL)) exit(EXIT_FAILURE);
    return (fenced){all + TEST_PAGE, count};
}

static inline void free_fenced(fenced memory) { free(memory.bytes - TEST_PAGE); }

#else

static inline fenced new_fenced(size_t min)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t count = (min + page - 1) / page * page;
    uint8_t *all = mmap(NULL, count + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!CHECK(all != MAP_FAILED) || !CHECK(mprotect(all + page, count, PROT_READ | PROT_WRITE) == 0))
        exit(EXIT_FAILURE);
    return (fenced){all + page, count};
}

static inline void free_fenced(fenced memory)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    munmap(memory.bytes - page, memory.count + 2 * page);
}

#endif

#endif
