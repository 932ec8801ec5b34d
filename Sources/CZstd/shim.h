/* Zstandard: compression of single frames and of streams. */
#if !__has_include(<zstd.h>)
#error "zstd.h is missing: apt-get install libzstd-dev, or brew install zstd"
#endif
#include <zstd.h>
#include <zstd_errors.h>
