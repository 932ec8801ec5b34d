/* assay_scalars.h: the one decoder and encoder of UTF-8, and white space.
 *
 * The input of the decoder must be well-formed UTF-8. For arbitrary bytes, call assay_utf8_character() (assay_utf8.h)
 * first. "Character" here means a Unicode scalar value. The functions also accept surrogates, which are not scalars,
 * because decoders of other encodings represent undecodable bytes as surrogates (assay/encodings.h). */
#ifndef ASSAY_SCALARS_H
#define ASSAY_SCALARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a byte is 10xxxxxx: the second, third or fourth byte of a character. */
static inline bool is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/* The length of a character in bytes, 1 to 4, by its first byte. */
static inline size_t character_length(uint8_t first)
{
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* The six bits of a continuation byte. */
static inline uint32_t continuation_bits(uint8_t byte) { return byte & 0x3Fu; }

/* The character of two bytes, such as C3 A9 for U+00E9. */
static inline uint32_t character_of_two(const uint8_t *bytes)
{
    return (bytes[0] & 0x1Fu) << 6 | continuation_bits(bytes[1]);
}

/* The character of three bytes, such as E2 82 AC for U+20AC. */
static inline uint32_t character_of_three(const uint8_t *bytes)
{
    return (bytes[0] & 0x0Fu) << 12 | continuation_bits(bytes[1]) << 6 | continuation_bits(bytes[2]);
}

/* The character of four bytes, such as F0 9F 98 80 for U+1F600. */
static inline uint32_t character_of_four(const uint8_t *bytes)
{
    return (bytes[0] & 7u) << 18 | continuation_bits(bytes[1]) << 12 | continuation_bits(bytes[2]) << 6 |
           continuation_bits(bytes[3]);
}

/* Decodes the character at the front; *length becomes its length in bytes. */
static inline uint32_t character_at(const uint8_t *bytes, size_t *length)
{
    const uint8_t first = bytes[0];
    if (first < 0x80) return *length = 1, first;
    if (first < 0xE0) return *length = 2, character_of_two(bytes);
    if (first < 0xF0) return *length = 3, character_of_three(bytes);
    return *length = 4, character_of_four(bytes);
}

/* Decodes the character that ends before `end`, which must not be the start of the text. */
static inline uint32_t character_before(const uint8_t *end, size_t *length)
{
    size_t back = 1;
    while (is_continuation(end[-(ptrdiff_t)back])) back++;
    return character_at(end - back, length);
}

/* Writes a code point of at most 10FFFF and returns its length in bytes, 1 to 4. */
static inline size_t put_character(uint32_t point, uint8_t *out)
{
    if (point < 0x80) {
        out[0] = (uint8_t)point;
        return 1;
    }
    if (point < 0x800) {
        out[0] = (uint8_t)(0xC0 | point >> 6);
        out[1] = (uint8_t)(0x80 | (point & 0x3F));
        return 2;
    }
    if (point < 0x10000) {
        out[0] = (uint8_t)(0xE0 | point >> 12);
        out[1] = (uint8_t)(0x80 | (point >> 6 & 0x3F));
        out[2] = (uint8_t)(0x80 | (point & 0x3F));
        return 3;
    }
    out[0] = (uint8_t)(0xF0 | point >> 18);
    out[1] = (uint8_t)(0x80 | (point >> 12 & 0x3F));
    out[2] = (uint8_t)(0x80 | (point >> 6 & 0x3F));
    out[3] = (uint8_t)(0x80 | (point & 0x3F));
    return 4;
}

/* White_Space (Unicode 15, PropList.txt). */
static inline bool is_white_space(uint32_t character)
{
    if (character < 0x80) return character == ' ' || (character >= '\t' && character <= '\r');
    switch (character) {
    case 0x85:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
        return true;
    default:
        return character >= 0x2000 && character <= 0x200A;
    }
}

#endif
