/* assay_utf8.h: the plain UTF-8 validator, which the vector versions use for the remaining bytes and for errors.
 *
 * Well-formed UTF-8, by table 3-7 of the Unicode standard:
 *
 *     first byte   second   third    fourth
 *     00..7F
 *     C2..DF       80..BF
 *     E0           A0..BF   80..BF              (below A0: overlong)
 *     E1..EC       80..BF   80..BF
 *     ED           80..9F   80..BF              (above 9F: a surrogate)
 *     EE..EF       80..BF   80..BF
 *     F0           90..BF   80..BF   80..BF     (below 90: overlong)
 *     F1..F3       80..BF   80..BF   80..BF
 *     F4           80..8F   80..BF   80..BF     (above 8F: beyond U+10FFFF)
 */
#ifndef ASSAY_UTF8_H
#define ASSAY_UTF8_H

#include "Bytes/assay_scalars.h"

#include <stddef.h>
#include <stdint.h>

/* The length of the well-formed character at `bytes`, 1 to 4, or 0 if the bytes are ill-formed. `count` must be at
 * least 1. */
static inline size_t assay_utf8_character(const uint8_t *bytes, size_t count)
{
    uint8_t first = bytes[0];
    if (first < 0x80) return 1;
    if (first < 0xC2 || count < 2) return 0;
    if (first < 0xE0) return is_continuation(bytes[1]) ? 2 : 0;
    if (first < 0xF0) {
        uint8_t lowest = first == 0xE0 ? 0xA0 : 0x80;
        uint8_t highest = first == 0xED ? 0x9F : 0xBF;
        if (bytes[1] < lowest || bytes[1] > highest) return 0;
        return count >= 3 && is_continuation(bytes[2]) ? 3 : 0;
    }
    if (first < 0xF5) {
        uint8_t lowest = first == 0xF0 ? 0x90 : 0x80;
        uint8_t highest = first == 0xF4 ? 0x8F : 0xBF;
        if (bytes[1] < lowest || bytes[1] > highest) return 0;
        return count >= 4 && is_continuation(bytes[2]) && is_continuation(bytes[3]) ? 4 : 0;
    }
    return 0;
}

/* assay_utf8_valid_prefix(), one character at a time. The reference for the other versions. */
size_t assay_utf8_valid_prefix_plain(const uint8_t *bytes, size_t count);

/* Table 3-7 as a DFA that stores all transitions for a byte in one word: entry `byte`, shifted right by the state, has
 * the next state in its low six bits. A step takes one load and one shift per byte, without branches (Per Vognsen,
 * "shift-based DFAs", 2021). */
extern const uint64_t assay_utf8_transitions[256];

enum {
    utf8_wrong = 0,   /* dead state */
    utf8_between = 6, /* before a character */
};

/* A character boundary at or before `end`: the start of the character that the byte before `end` belongs to, if that
 * character may continue after `end`; otherwise `end` or the start of that complete character. The bytes before `end`
 * must be a prefix of well-formed UTF-8. */
static inline size_t utf8_character_boundary(const uint8_t *bytes, size_t end)
{
    size_t i = end;
    while (i > 0 && end - i < 3 && is_continuation(bytes[i - 1])) i--;
    return i > 0 && bytes[i - 1] >= 0xC0 ? i - 1 : i;
}

/* The number of bytes at the end that begin an incomplete character. Only the first byte decides, so that sequences
 * that look like characters, such as lone surrogates, are not split. */
static inline size_t utf8_unfinished(const uint8_t *bytes, size_t count)
{
    for (size_t tail = 1; tail <= 3 && tail <= count; tail++) {
        const uint8_t byte = bytes[count - tail];
        if (is_continuation(byte)) continue;
        const size_t length = byte < 0xC0 || byte > 0xF7 ? 1 : character_length(byte);
        return length > tail ? tail : 0;
    }
    return 0;
}

#endif
