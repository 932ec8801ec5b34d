/* Zstandard: compression of single frames and of streams. */
#include <zstd.h>
#include <zstd_errors.h>
