#include "isal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static isal_functions functions;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#if defined(__ELF__)
/* Released programs have ISA-L linked in (Release/dist); in all others these are NULL, and it is loaded. */
#pragma weak isal_inflate_init
#pragma weak isal_inflate
#pragma weak isal_deflate_stateless_init
#pragma weak isal_deflate_stateless
#pragma weak crc32_gzip_refl

static bool is_linked(void)
{
    functions.inflate_init = isal_inflate_init;
    functions.inflate = isal_inflate;
    functions.deflate_stateless_init = isal_deflate_stateless_init;
    functions.deflate_stateless = isal_deflate_stateless;
    functions.crc32_gzip = crc32_gzip_refl;
    return functions.inflate_init != NULL && functions.inflate != NULL && functions.deflate_stateless_init != NULL &&
           functions.deflate_stateless != NULL && functions.crc32_gzip != NULL;
}
#else
static bool is_linked(void) { return false; }
#endif

/* A pointer to a function by way of memory: C has no conversion from `void *`. */
static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static void load(void)
{
    is_loaded = is_linked();
    if (is_loaded) return;
#if defined(__APPLE__)
    /* A name without a folder is looked for in /usr/local/lib. On Apple's own processors Homebrew is elsewhere. */
    void *library = dlopen("libisal.2.dylib", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) library = dlopen("/opt/homebrew/lib/libisal.2.dylib", RTLD_NOW | RTLD_LOCAL);
#else
    void *library = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);
#endif
    is_loaded = library != NULL && find(library, "isal_inflate_init", &functions.inflate_init) &&
                find(library, "isal_inflate", &functions.inflate) &&
                find(library, "isal_deflate_stateless_init", &functions.deflate_stateless_init) &&
                find(library, "isal_deflate_stateless", &functions.deflate_stateless) &&
                find(library, "crc32_gzip_refl", &functions.crc32_gzip);
}

const isal_functions *isal(void)
{
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}
