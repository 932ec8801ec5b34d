/* Three functions that are newer in glibc than all others which the command is linked with. With these in their place it runs
 * on glibc 2.34: RHEL 9, Ubuntu 22.04. The linker puts them there by --wrap. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

uint32_t __wrap_arc4random(void);
float __wrap_hypotf(float x, float y);
int __wrap__dl_find_object(void *address, struct dl_find_object *result);

/* libstdc++'s random_device. glibc has arc4random from 2.36 on. */
uint32_t __wrap_arc4random(void)
{
    uint32_t number;
    if (getentropy(&number, sizeof number) != 0) abort();
    return number;
}

/* Swift's module Glibc. From 2.35 on it is a version of its own, that does not set errno. */
float hypotf_2_2_5(float x, float y);
__asm__(".symver hypotf_2_2_5, hypotf@GLIBC_2.2.5");

float __wrap_hypotf(float x, float y) { return hypotf_2_2_5(x, y); }

struct search {
    ElfW(Addr) address;
    struct dl_find_object *result;
};

/* Is the address in this object? Then where its table for exceptions is. */
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

/* libgcc's search for what catches an exception. glibc has _dl_find_object from 2.35 on. */
int __wrap__dl_find_object(void *address, struct dl_find_object *result)
{
    struct search search = {(ElfW(Addr))address, result};
    return dl_iterate_phdr(look, &search) ? 0 : -1;
}
