/* The C library for Swift: one module in place of Swift's Darwin, Glibc and Musl. */
#if defined(__APPLE__)
/* Darwin already has the declarations that this file adds on other systems. */
#pragma clang module import Darwin
#else

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Swift imports no functions with variable arguments, and simple macros only. These functions have the names and
   types that Swift's modules Glibc and Musl give to such functions and macros. */
#define ASSAY_FOR_SWIFT(name) static inline __attribute__((swift_name(name)))

ASSAY_FOR_SWIFT("getter:errno()") int assay_errno(void) { return errno; }

ASSAY_FOR_SWIFT("setter:errno(_:)") void assay_set_errno(int code) { errno = code; }

ASSAY_FOR_SWIFT("open(_:_:)") int assay_open(const char *_Nonnull path, int flags) { return open(path, flags); }

ASSAY_FOR_SWIFT("open(_:_:_:)") int assay_open_new(const char *_Nonnull path, int flags, mode_t mode)
{
    return open(path, flags, mode);
}

ASSAY_FOR_SWIFT("openat(_:_:_:)") int assay_openat(int folder, const char *_Nonnull path, int flags)
{
    return openat(folder, path, flags);
}

ASSAY_FOR_SWIFT("fcntl(_:_:)") int assay_fcntl(int descriptor, int command) { return fcntl(descriptor, command); }

ASSAY_FOR_SWIFT("fcntl(_:_:_:)") int assay_fcntl_with(int descriptor, int command, int value)
{
    return fcntl(descriptor, command, value);
}

typedef void (*assay_signal_action)(int);

ASSAY_FOR_SWIFT("getter:SIG_DFL()") assay_signal_action _Nullable assay_default_action(void) { return SIG_DFL; }

ASSAY_FOR_SWIFT("getter:SIG_IGN()") assay_signal_action _Nullable assay_ignoring_action(void) { return SIG_IGN; }

ASSAY_FOR_SWIFT("getter:MAP_FAILED()") void *_Nullable assay_map_failed(void) { return MAP_FAILED; }

/* Redefined with the type of st_mode, because Swift does not convert integers implicitly. */
#undef S_IFMT
#undef S_IFIFO
#undef S_IFCHR
#undef S_IFDIR
#undef S_IFREG
#undef S_IFLNK
#undef S_IFSOCK
#undef S_ISVTX
#define S_IFMT ((mode_t)0170000)
#define S_IFIFO ((mode_t)0010000)
#define S_IFCHR ((mode_t)0020000)
#define S_IFDIR ((mode_t)0040000)
#define S_IFREG ((mode_t)0100000)
#define S_IFLNK ((mode_t)0120000)
#define S_IFSOCK ((mode_t)0140000)
#define S_ISVTX ((mode_t)0001000)

#endif
