/* Finds the characters that a class of a pattern matches, without PCRE2: the syntax of pcre2pattern ("SQUARE BRACKETS
 * AND CHARACTER CLASSES") over generated tables of one Unicode edition, assay_categories_unicode.
 *
 *     [^a-k\p{Greek}\d]  (?i)      a-k ──other cases──┐
 *                                  \p{Greek} ─────────┼──union──► complement ──► set
 *                                  \d ────────────────┘
 *
 * Builds with PCRE2 ask the library instead (assay_class_resolver.h), and a test compares the two for every property,
 * every character with another case, and random classes. */
#ifndef ASSAY_CLASS_TABLES_H
#define ASSAY_CLASS_TABLES_H

#include "Regex/Syntax/assay_character_set.h"

/* The name of a property, in the form in which PCRE2 compares names: lower case, without separators. Script names mean
 * script extensions; those with the prefix sc: the script alone. POSIX classes by Unicode properties begin with
 * posix:. */
typedef struct assay_property_name {
    char name[32];
    uint32_t offset; /* of the set in assay_property_sets */
} assay_property_name;

extern const assay_property_name assay_property_names[]; /* ordered by name */
extern const size_t assay_property_name_count;
/* A set is the number of its bounds and the differences of its bounds, in groups of seven bits, the highest first. */
extern const uint8_t *const assay_property_sets;

/* Characters that match another one if case is ignored: each `step`-th from `first` to `last`. Both directions are
 * listed, and each pair of three characters that match each other. */
typedef struct assay_case_run {
    uint32_t first;
    uint32_t last;
    uint32_t step;
    int32_t difference; /* the other character minus the character */
} assay_case_run;

extern const assay_case_run assay_case_runs[];
extern const size_t assay_case_run_count;

/* A mistake in a class, in PCRE2's words, and its place. */
typedef struct assay_class_mistake {
    const char *because; /* static storage; NULL: no mistake, so memory ran out */
    size_t offset;       /* in the text of the class */
} assay_class_mistake;

/* Fills `set`, which must be empty, with the characters that the class `text` matches under `options`
 * (ASSAY_PATTERN_…). Returns false, with *mistake filled, if the class is invalid. O(count + characters with another
 * case). */
bool assay_class_from_tables(const uint8_t *text, size_t count, uint32_t options, assay_character_set *set,
                             assay_class_mistake *mistake);

/* Returns whether the names of groups may contain a character: a letter, a number or an underscore (pcre2pattern). */
bool assay_class_is_name_character(uint32_t character);
/* Returns whether it is a decimal digit (Nd), with which a name may not begin. */
bool assay_class_is_digit(uint32_t character);

#endif
