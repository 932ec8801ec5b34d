/* uchardet: a guess at the encoding of text. pkg-config names the folder of its header, which not every tool asks. */
#if __has_include(<uchardet/uchardet.h>)
#include <uchardet/uchardet.h>
#else
#include <uchardet.h>
#endif
