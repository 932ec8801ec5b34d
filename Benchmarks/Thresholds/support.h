/* Shared functions of the programs in this folder. */
#ifndef ASSAY_THRESHOLDS_SUPPORT_H
#define ASSAY_THRESHOLDS_SUPPORT_H

#include <assay/core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#endif

static inline _Noreturn void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(2);
}

/* Reads a whole file, followed by free space of the same size, where assay_batch_gather writes unquoted cells. */
static inline uint8_t *read_file(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) fail("cannot read its input");
    *count = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(2 * *count + 1);
    if (bytes == NULL || fread(bytes, 1, *count, file) != *count) fail("cannot read its input");
    bytes[*count] = '\0';
    fclose(file);
    return bytes;
}

#define TEXT(literal) ((assay_text){(const uint8_t *)(literal), sizeof(literal) - 1})

#endif
