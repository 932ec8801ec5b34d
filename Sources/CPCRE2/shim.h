/* PCRE2 declares 8, 16 and 32-bit code units in one header, so the width must be defined before the header is
 * included. */
#define PCRE2_CODE_UNIT_WIDTH 8
#if !__has_include(<pcre2.h>)
#error "pcre2.h is missing: apt-get install libpcre2-dev, or brew install pcre2"
#endif
#include <pcre2.h>
