/* Zstandard: frames, one at a time and as a stream. */
#include <zstd.h>
#include <zstd_errors.h>
