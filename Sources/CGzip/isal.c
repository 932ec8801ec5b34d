#include "isal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static isal_functions functions;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#if defined(__ELF__)
/* ISA-L is linked into released programs (Release/dist). In all others these symbols are NULL, and the library is
 * loaded. */
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

/* Copies the pointer through memory, because C has no conversion from `void *` to a function pointer. */
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
    /* dlopen searches /usr/local/lib for a name without a folder. On Apple silicon, Homebrew uses another folder. */
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
