/* The characters of \p{L}, \p{Nd} and other general categories, from a generated table, because PCRE2 would search all
 * characters for each category while values wait for their DFA.
 *
 * Tools/generate-tables.py writes the table from PCRE2's own answers for one edition of Unicode. The table is not used
 * if the linked library has another edition. */
#ifndef ASSAY_CATEGORIES_H
#define ASSAY_CATEGORIES_H

#include "Regex/Syntax/assay_character_set.h"

/* Runs of characters of one general category, in ascending order: the first character << 8 | the number of the
 * category. A run ends where the next one begins. */
extern const uint32_t assay_category_runs[];
extern const size_t assay_category_run_count;
extern const char assay_categories_unicode[];

/* The first characters of the runs above U+FFFF in which no property distinguishes characters, and of which none has
 * another case, except in a run of its own. In ascending order; the first one is U+10000. */
extern const uint32_t assay_property_runs[];
extern const size_t assay_property_run_count;

/* Whether the linked PCRE2 has the Unicode edition of the table; true without PCRE2. */
bool assay_categories_are_known(void);

/* Fills an empty set with the characters that `item` matches, if it is a general category by its short
 * name: \pL, \PL, \p{Nd}, \P{Nd} or \p{^Nd}. Returns false for any other item. */
bool assay_category_find(const uint8_t *item, size_t count, assay_character_set *set);

/* Whether a character is a letter (\pL), or a digit or another number (\pN), in the edition of the table. */
bool assay_character_is_letter(uint32_t character);
bool assay_character_is_number(uint32_t character);

#endif
