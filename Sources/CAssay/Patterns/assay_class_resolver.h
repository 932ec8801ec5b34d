/* Which characters a class of a pattern matches: PCRE2 answers, now or beforehand (assay_categories.h). */
#ifndef ASSAY_CLASS_RESOLVER_H
#define ASSAY_CLASS_RESOLVER_H

#include "Regex/Syntax/assay_character_set.h"

/* The characters from U+0000 on but the surrogates, one after the other, as far up as was needed: made for the first class of
   a pattern, used for the others. Begins as {NULL, 0}; free `bytes`. */
typedef struct all_characters {
    uint8_t *bytes;
    uint32_t count; /* below this; 0: none yet */
} all_characters;

/* A `find` of assay_class_resolver: searches all characters, in order, for runs of the class. `context`: an
   all_characters. */
bool assay_resolve_class(void *context, const uint8_t *text, size_t count, uint32_t options, class_reach reach,
                         assay_character_set *set);

#endif
