/* Which characters \p{L}, \p{Nd} and the like match, known beforehand: to ask PCRE2 about sixty thousand characters takes five
 * million instructions for each, and values wait for their DFA.
 *
 * The table is PCRE2's own answer (Scripts/generate-tables.py asks it), for one edition of Unicode. Where the library has
 * another edition it is not used. */
#ifndef ASSAY_CATEGORIES_H
#define ASSAY_CATEGORIES_H

#include "Regex/Syntax/assay_character_set.h"

/* Runs of characters of one general category, in order: the first one << 8 | the number of the category. */
extern const uint32_t assay_category_runs[];
extern const size_t assay_category_run_count;
extern const char assay_categories_unicode[];

/* Whether the table is of the edition of Unicode that this PCRE2 has. */
bool assay_categories_are_known(void);

/* Fills an empty set with the characters up to U+FFFF that `item` matches: \p, \P, \p{…}, \P{…} or \p{^…} of a general category
 * by its short name. false: it is none of these. */
bool assay_category_find(const uint8_t *item, size_t count, assay_character_set *set);

#endif
