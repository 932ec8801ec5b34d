/* Fuzzes what stands in a file: gzip, Zstandard, encodings by their bytes, CSV, JSON Lines, dialects. A profile is made of it, or it is
   refused; never anything else. */
#include "assay/assay.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int file = memfd_create("fuzz", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size) abort();
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    assay_table table = {.size = sizeof table, .path = path};
    assay_options options = {.size = sizeof options, .threads = 1};
    char *profile = NULL;
    assay_fault *fault = assay_rules_profile(NULL, &table, false, &options, &profile);
    if ((fault == NULL) == (profile == NULL)) abort();
    if (fault != NULL && fault->message[0] == '\0') abort();
    assay_fault_free(fault);
    assay_text_free(profile);
    close(file);
    return 0;
}
