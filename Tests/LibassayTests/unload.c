/* A thread may load libassay, use it, close it and end: the code that the Swift runtime runs at that moment must
   still exist.

       unload LIBRARY */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

static void *load(void *path)
{
    void *library = dlopen(path, RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return NULL;
    }
    const char *(*release)(void);
    void *symbol = dlsym(library, "assay_release");
    *(void **)&release = symbol;
    const char *found = release();
    const bool is_right = found[0] != 0;
    return dlclose(library) == 0 && is_right ? path : NULL;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        void *result = NULL;
        if (pthread_create(&thread, NULL, load, argv[1]) != 0 || pthread_join(thread, &result) != 0) return 1;
        if (result == NULL) return 1;
    }
    return 0;
}
