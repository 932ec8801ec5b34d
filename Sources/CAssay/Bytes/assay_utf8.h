/* assay_utf8.h: the plain UTF-8 check, which the fast ones fall back on. */
#ifndef ASSAY_UTF8_H
#define ASSAY_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* How many bytes at `bytes` make one well-formed character, 1 to 4; 0 if none. `count` is at least 1. */
size_t assay_utf8_character(const uint8_t *bytes, size_t count);

/* As assay_utf8_valid_prefix, one character at a time. The truth. */
size_t assay_utf8_valid_prefix_plain(const uint8_t *bytes, size_t count);

/* Table 3-7 as a DFA whose whole transition table for a byte is one word: entry `byte` shifted right by the state
 * has the next state in its low six bits. One load and one shift a byte, and no branch to mispredict. The idea is Per
 * Vognsen's ("shift-based DFAs", 2021). */
extern const uint64_t assay_utf8_transitions[256];

enum {
    utf8_wrong = 0,   /* no way back */
    utf8_between = 6, /* before a character */
};

/* Where the character begins that the byte before `end` belongs to, if that character needs bytes from `end` on too;
 * else `end` itself or the begin of that whole character. Everything before `end` has been found right so far. */
static inline size_t utf8_character_boundary(const uint8_t *bytes, size_t end)
{
    size_t i = end;
    while (i > 0 && end - i < 3 && (bytes[i - 1] & 0xC0) == 0x80) i--;
    return i > 0 && bytes[i - 1] >= 0xC0 ? i - 1 : i;
}

/* How many bytes at the end are the beginning of a character of which the rest is not there, by its first byte alone: so that also what is
 * like a character, such as a lone surrogate, is not parted. */
static inline size_t utf8_unfinished(const uint8_t *bytes, size_t count)
{
    for (size_t tail = 1; tail <= 3 && tail <= count; tail++) {
        const uint8_t byte = bytes[count - tail];
        if ((byte & 0xC0) == 0x80) continue;
        const size_t length = byte < 0xC0 || byte > 0xF7 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
        return length > tail ? tail : 0;
    }
    return 0;
}

#endif
