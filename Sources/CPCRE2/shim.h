/* PCRE2 serves 8, 16 and 32-bit code units through one header; the width must be said before it is included. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
