/* Finds mistakes in the text of a pattern, in builds without PCRE2, in PCRE2's words. The parser (assay_regex_parser.h)
 * assumes that PCRE2 has compiled the text. A text that passes this check and the parser is one that PCRE2 compiles, if
 * its look-behinds have the lengths that a release allows: compare_builds.py compares the two. */
#ifndef ASSAY_SYNTAX_CHECK_H
#define ASSAY_SYNTAX_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct assay_syntax_mistake {
    const char *because; /* static storage; NULL: memory ran out */
    size_t offset;
} assay_syntax_mistake;

/* Returns false, with *mistake filled, if the pattern has a mistake. Text after a construct that the parser refuses may
 * be unchecked. O(count × named groups). */
bool assay_syntax_check(const uint8_t *text, size_t count, uint32_t options, assay_syntax_mistake *mistake);

#endif
