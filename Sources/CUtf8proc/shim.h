/* utf8proc: normal forms, categories and case mappings of characters. */
#if !__has_include(<utf8proc.h>)
#error "utf8proc.h is missing: apt-get install libutf8proc-dev, or brew install utf8proc"
#endif
#include <utf8proc.h>
