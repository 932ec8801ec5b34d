/* PCRE2 declares 8, 16 and 32-bit code units in one header, so the width must be defined before the header is
 * included. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
