/* uchardet: a guess at the encoding of text. */
#include <uchardet.h>
