/* utf8proc: normal forms, categories and case mappings of characters. */
#include <utf8proc.h>
