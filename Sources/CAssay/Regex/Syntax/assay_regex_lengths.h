/* The length of a value as a conjunct. Counting to 255 takes 255 states, but where only one item of a pattern varies in
 * length, the length of the value determines its count:
 *
 *     [A-Z][^.]{5,400}[.]     [A-Z][^.]+[.]     and 7 to 402 characters
 *     .{1,255}                .+                and 1 to 255 characters
 *     \S(?:.{0,253}\S)?       \S(?:.*\S)?       and 1 to 255 characters
 *
 * The automata then evaluate the repeat without its bounds, in a few states, and the characters of values that they
 * accept are counted. */
#ifndef ASSAY_REGEX_LENGTHS_H
#define ASSAY_REGEX_LENGTHS_H

#include "Bytes/assay_length.h"
#include "Regex/Syntax/assay_regex_ast.h"

/* Moves bounds of repeats to regex->lengths, in the pattern and in the look-aheads that are conjuncts. For full matches
 * of a lowered pattern. O(nodes). */
void assay_regex_split_lengths(assay_regex *regex);

/* Whether a value has a length that its pattern accepts. `value` must be well-formed UTF-8. */
static inline bool regex_lengths_fit(regex_lengths lengths, const uint8_t *value, size_t count)
{
    const assay_length_rule rule = {lengths.minimum, lengths.maximum, ASSAY_LENGTH_SCALARS};
    return assay_length_evaluate(&rule, value, count) == ASSAY_PASS;
}

/* Whether a value of `count` bytes is too long or too short, however many characters it has. */
static inline bool regex_lengths_exclude(regex_lengths lengths, size_t count)
{
    return count < lengths.minimum || (count + 3) / 4 > lengths.maximum;
}

#endif
