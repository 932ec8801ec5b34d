/* Finds the characters that a class of a pattern matches. Builds without PCRE2 read the class over tables
 * (assay_class_tables.h). All others take PCRE2's answer: by a search through all characters, or by
 * a table of its answers (assay_categories.h). Above U+FFFF, it searches one character of each run that no property
 * distinguishes. The regex compiler calls this through assay_class_resolver. */
#ifndef ASSAY_CLASS_RESOLVER_H
#define ASSAY_CLASS_RESOLVER_H

#include "Regex/Syntax/assay_character_set.h"

/* The searched text: all characters from U+0000 up except surrogates, in UTF-8, up to the maximum that a class needed.
 * Shared by all classes of a pattern. Begins as {NULL, 0}; the owner frees `bytes`. */
typedef struct all_characters {
    uint8_t *bytes;
    uint32_t count; /* characters below this one are written */
    uint64_t work;  /* ticks that the searches took so far */
} all_characters;

/* The reason for false: without PCRE2, classes are valid here, because assay_syntax_check has read them. */
extern const char *const assay_resolve_class_failure;

/* An implementation of assay_class_resolver.find. `context` is an all_characters. O(characters up to
   reach->alike_from). */
bool assay_resolve_class(void *context, const uint8_t *text, size_t count, uint32_t options, const class_reach *reach,
                         assay_character_set *set);

#endif
