/* uchardet: guesses the encoding of text. pkg-config names the folder of its header, but not every build tool asks
 * it. */
#if __has_include(<uchardet/uchardet.h>)
#include <uchardet/uchardet.h>
#else
#include <uchardet.h>
#endif
