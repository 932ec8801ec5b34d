/* Linked with a test, it makes the system deny executable memory to the library, so that patterns run without JIT,
   because memcheck does not know which bytes PCRE2's machine code may read. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset)
{
    if (protection & PROT_EXEC) {
        errno = EACCES;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}
