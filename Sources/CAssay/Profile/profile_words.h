/* Words for missing values, such as n/a. */
#ifndef ASSAY_PROFILE_WORDS_H
#define ASSAY_PROFILE_WORDS_H

#include <stddef.h>
#include <stdint.h>

enum { profile_word_count = 28 };

/* The index of a word that means "no value", or `profile_word_count`. */
size_t profile_word_of(const uint8_t *value, size_t count);

#endif
