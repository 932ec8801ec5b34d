/* uchardet: guesses the encoding of text. Its header is in the folder `uchardet`. pkg-config adds this folder to the
 * include path, but not every build tool uses pkg-config. */
#if __has_include(<uchardet/uchardet.h>)
#include <uchardet/uchardet.h>
#elif __has_include(<uchardet.h>)
#include <uchardet.h>
#else
#error "uchardet.h is missing: apt-get install libuchardet-dev, or brew install uchardet"
#endif
