/* Replacements of the three functions that need a glibc newer than 2.34, so that the command runs on RHEL 9 and Ubuntu
 * 22.04. The linker option --wrap inserts them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

uint32_t __wrap_arc4random(void);
float __wrap_hypotf(float x, float y);
int __wrap__dl_find_object(void *address, struct dl_find_object *result);

/* For random_device of libstdc++. glibc has arc4random since 2.36. */
uint32_t __wrap_arc4random(void)
{
    uint32_t number;
    if (getentropy(&number, sizeof number) != 0) abort();
    return number;
}

/* For Swift's module Glibc. glibc 2.35 added a version that does not set errno. */
float hypotf_2_2_5(float x, float y);
__asm__(".symver hypotf_2_2_5, hypotf@GLIBC_2.2.5");

float __wrap_hypotf(float x, float y) { return hypotf_2_2_5(x, y); }

struct search {
    ElfW(Addr) address;
    struct dl_find_object *result;
};

/* Stores the exception table of this object if the address is in the object. */
static int look(struct dl_phdr_info *object, size_t size, void *context)
{
    const struct search *search = context;
    (void)size;
    int is_found = 0;
    void *table = NULL;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        const ElfW(Addr) start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && search->address - start < part->p_memsz) {
            is_found = 1;
            search->result->dlfo_map_start = (void *)start;
            search->result->dlfo_map_end = (void *)(start + part->p_memsz);
        }
        if (part->p_type == PT_GNU_EH_FRAME) table = (void *)start;
    }
    search->result->dlfo_eh_frame = table;
    return is_found && table != NULL;
}

/* For the search of exception handlers in libgcc. glibc has _dl_find_object since 2.35. */
int __wrap__dl_find_object(void *address, struct dl_find_object *result)
{
    struct search search = {(ElfW(Addr))address, result};
    return dl_iterate_phdr(look, &search) ? 0 : -1;
}
