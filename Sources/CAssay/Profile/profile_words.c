#include "Profile/profile_words.h"

#include "Profile/profile_values.h"
#include "assay/profile.h"

#include <string.h>

/* Texts that often mean "no value". */
static const char missing_words[][20] = {
    "NA",     "N/A",    "n/a",    "N/a",  "na",   "NaN",        "nan",
    "NAN",    "NULL",   "null",   "Null", "None", "none",       "nil",
    "-",      "--",     "---",    ".",    "?",    "#N/A",       "\\N",
    "(null)", "<null>", "<NULL>", "n.a.", "N.A.", "0000-00-00", "0000-00-00 00:00:00",
};
_Static_assert(sizeof missing_words / sizeof missing_words[0] == profile_word_count, "a count for each word");

enum { longest_word = profile_longest_word, date_length = profile_date_length, longest_date = 19 };

/* Whether the length and the first byte allow one of the missing words, because comparing all values with all words
   takes long. Must accept every word of `missing_words`. */
static bool may_be_word(const uint8_t *value, size_t count)
{
    const uint8_t first = value[0];
    if (first == '-') return count == 1 || (count <= 3 && value[1] == '-');
    if (first == '.') return count == 1;
    if (first == '0') return (count == date_length || count == longest_date) && value[profile_year_length] == '-';
    return count <= longest_word && (first == 'N' || first == 'n' || first == '?' || first == '#' || first == '\\' ||
                                     first == '(' || first == '<');
}

size_t profile_word_of(const uint8_t *value, size_t count)
{
    if (!may_be_word(value, count)) return profile_word_count;
    size_t i = 0;
    /* Every word is shorter than its array and ends with a NUL. */
    while (i < profile_word_count && (missing_words[i][0] != (char)value[0] ||
                                      memcmp(missing_words[i], value, count) != 0 || missing_words[i][count] != '\0')) {
        i++;
    }
    return i;
}

/* Must agree with may_be_word(). */
const uint8_t profile_edges[256] = {
    ['-'] = 3,
    ['.'] = 1,
    ['0'] = 1,
    ['N'] = profile_longest_word,
    ['n'] = profile_longest_word,
    ['?'] = profile_longest_word,
    ['#'] = profile_longest_word,
    ['\\'] = profile_longest_word,
    ['('] = profile_longest_word,
    ['<'] = profile_longest_word,
    [' '] = profile_edge_blank,
    ['\t'] = profile_edge_blank,
};

const char *assay_profile_word(size_t index) { return index < profile_word_count ? missing_words[index] : NULL; }
