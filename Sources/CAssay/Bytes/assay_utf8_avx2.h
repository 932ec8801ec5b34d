/* assay_utf8_avx2.h: UTF-8, 32 bytes at a time, by table lookup. Included by assay_kernels_avx2.c and _avx512.c.
 *
 * John Keiser and Daniel Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte", Software: Practice and
 * Experience 51 (2021). Three halves of two neighboring bytes identify every error: the high and the low half of the
 * first byte and the high half of the second. Each half looks up the set of errors that it allows, one bit per kind. An
 * error has occurred if its bit is in all three sets. The exception is "two continuation bytes in a row", which is
 * correct if a three- or four-byte character began two or three bytes before: that bit must equal this expectation. */

#include "Bytes/assay_prefetch.h"

enum {
    utf8_too_short = 1 << 0,      /* a lead byte without its continuation */
    utf8_too_long = 1 << 1,       /* ASCII with a continuation */
    utf8_overlong_3 = 1 << 2,     /* E0 80..9F */
    utf8_too_large = 1 << 3,      /* F4 90..BF, F5.. 90..BF */
    utf8_surrogate = 1 << 4,      /* ED A0..BF */
    utf8_overlong_2 = 1 << 5,     /* C0, C1 */
    utf8_too_large_1000 = 1 << 6, /* F5.. 80..8F */
    utf8_overlong_4 = 1 << 6,     /* F0 80..8F; can share the bit because the first bytes differ */
    utf8_two_continuations = 1 << 7,
    /* Errors that do not depend on the low half of the first byte. */
    utf8_any_low = utf8_too_short | utf8_too_long | utf8_two_continuations,
};

/* A lookup in a table of 16 entries. The shuffle needs a copy of the table in each 128-bit half. */
BLOCK_INLINE __m256i utf8_lookup(__m256i index, __m128i table)
{
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), index);
}

BLOCK_INLINE __m256i utf8_high_half(__m256i input)
{
    return _mm256_and_si256(_mm256_srli_epi16(input, 4), _mm256_set1_epi8(0x0F));
}

/* Nonzero at each byte that cannot follow the bytes before it. `before` contains the preceding 32 bytes. */
BLOCK_INLINE __m256i utf8_mistakes(__m256i input, __m256i before)
{
    const int low = utf8_any_low;
    const int large = low | utf8_too_large | utf8_too_large_1000;
    const int first_e = utf8_too_short | utf8_overlong_3 | utf8_surrogate;
    const int first_f = utf8_too_short | utf8_too_large | utf8_too_large_1000 | utf8_overlong_4;
    const int second = utf8_too_long | utf8_overlong_2 | utf8_two_continuations;
    const int second_8 = second | utf8_overlong_3 | utf8_too_large_1000 | utf8_overlong_4;
    const int second_9 = second | utf8_overlong_3 | utf8_too_large;
    const int second_a = second | utf8_surrogate | utf8_too_large;
#define B(x) ((char)(x))
    const __m128i first_high_table =
        _mm_setr_epi8(B(utf8_too_long), B(utf8_too_long), B(utf8_too_long), B(utf8_too_long), B(utf8_too_long),
                      B(utf8_too_long), B(utf8_too_long), B(utf8_too_long), B(utf8_two_continuations),
                      B(utf8_two_continuations), B(utf8_two_continuations), B(utf8_two_continuations),
                      B(utf8_too_short | utf8_overlong_2), B(utf8_too_short), B(first_e), B(first_f));
    const __m128i first_low_table =
        _mm_setr_epi8(B(low | utf8_overlong_2 | utf8_overlong_3 | utf8_overlong_4), B(low | utf8_overlong_2), B(low),
                      B(low), B(low | utf8_too_large), B(large), B(large), B(large), B(large), B(large), B(large),
                      B(large), B(large), B(large | utf8_surrogate), B(large), B(large));
    const __m128i second_high_table =
        _mm_setr_epi8(B(utf8_too_short), B(utf8_too_short), B(utf8_too_short), B(utf8_too_short), B(utf8_too_short),
                      B(utf8_too_short), B(utf8_too_short), B(utf8_too_short), B(second_8), B(second_9), B(second_a),
                      B(second_a), B(utf8_too_short), B(utf8_too_short), B(utf8_too_short), B(utf8_too_short));
#undef B

    /* The input shifted by one, two and three bytes. */
    __m256i middle = _mm256_permute2x128_si256(before, input, 0x21);
    __m256i previous_1 = _mm256_alignr_epi8(input, middle, 15);
    __m256i previous_2 = _mm256_alignr_epi8(input, middle, 14);
    __m256i previous_3 = _mm256_alignr_epi8(input, middle, 13);

    __m256i first_high = utf8_lookup(utf8_high_half(previous_1), first_high_table);
    __m256i first_low = utf8_lookup(_mm256_and_si256(previous_1, _mm256_set1_epi8(0x0F)), first_low_table);
    __m256i second_high = utf8_lookup(utf8_high_half(input), second_high_table);
    __m256i mistakes = _mm256_and_si256(_mm256_and_si256(first_high, first_low), second_high);

    /* The top bit of each difference is set if the byte is at least E0 or F0, respectively. */
    __m256i third = _mm256_subs_epu8(previous_2, _mm256_set1_epi8((char)(0xE0 - 0x80)));
    __m256i fourth = _mm256_subs_epu8(previous_3, _mm256_set1_epi8((char)(0xF0 - 0x80)));
    __m256i expected = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
    return _mm256_xor_si256(mistakes, expected);
}

enum { utf8_skipped = 4 * 64 };

/* Whether utf8_skipped bytes are all ASCII. */
BLOCK_INLINE bool utf8_skips(const uint8_t *bytes)
{
    return block_is_ascii(block_join(block_join(block_load(bytes), block_load(bytes + 64)),
                                     block_join(block_load(bytes + 128), block_load(bytes + 192))));
}

/* Whether a block contains no errors. The block must begin at a character boundary, or follow 64 readable bytes, which
 * the caller has already checked or rejected. */
BLOCK_INLINE bool utf8_block_is_right(const uint8_t *bytes, bool is_at_boundary)
{
    const block data = block_load(bytes);
    const __m256i before = is_at_boundary ? _mm256_setzero_si256() : block_high(block_load(bytes - 64));
    const __m256i wrong =
        _mm256_or_si256(utf8_mistakes(block_low(data), before), utf8_mistakes(block_high(data), block_low(data)));
    return _mm256_testz_si256(wrong, wrong);
}

/* Whether the last character of a block continues after the block. */
BLOCK_INLINE bool utf8_block_is_cut(const uint8_t *bytes)
{
    uint32_t last; /* four bytes, the lowest first */
    memcpy(&last, bytes + 60, sizeof last);
    return (last >> 24 >= 0xC0) | ((last & 0xE00000) == 0xE00000) | ((last & 0xF000) == 0xF000);
}

BLOCK_TARGET static size_t utf8_valid_prefix_avx2(const uint8_t *bytes, size_t count)
{
    __m256i before = _mm256_setzero_si256();
    size_t i = 0;
    for (; count - i >= 64; i += 64) {
        assay_prefetch(bytes + i, assay_prefetch_block);
        /* An ASCII block is well-formed unless the block before it ends inside a character. */
        const bool is_between = i == 0 || bytes[i - 1] < 0x80;
        while (is_between && count - i >= utf8_skipped + 64 && utf8_skips(bytes + i)) {
            i += utf8_skipped;
            before = _mm256_setzero_si256();
        }
        block data = block_load(bytes + i);
        __m256i wrong;
        if (block_is_ascii(data)) {
            if (is_between) {
                before = block_high(data);
                continue;
            }
            wrong = utf8_mistakes(block_low(data), before);
        } else {
            wrong = _mm256_or_si256(utf8_mistakes(block_low(data), before),
                                    utf8_mistakes(block_high(data), block_low(data)));
        }
        if (!_mm256_testz_si256(wrong, wrong)) break;
        before = block_high(data);
    }
    /* Check the remaining bytes, or the block with the error, one character at a time from the last boundary. */
    size_t boundary = utf8_character_boundary(bytes, i);
    return boundary + assay_utf8_valid_prefix_plain(bytes + boundary, count - boundary);
}
