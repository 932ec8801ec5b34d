/* utf8proc: normal forms, categories and the other case of characters. */
#include <utf8proc.h>
