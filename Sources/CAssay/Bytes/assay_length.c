#include "Bytes/assay_length.h"

#include "Bytes/assay_scalars.h"
#include "Dispatch/assay_kernels.h"

#include <string.h>

enum { WORD = sizeof(uint64_t) };

static const uint64_t each_low_bit = UINT64_C(0x0101010101010101);
static const uint64_t each_high_bit = UINT64_C(0x8080808080808080);

static uint64_t load(const uint8_t *bytes)
{
    uint64_t word = 0;
    memcpy(&word, bytes, WORD);
    return word;
}

/* The number of bytes with their low bit set. All other bits must be 0. */
static size_t sum_of_low_bits(uint64_t word) { return (size_t)((word * each_low_bit) >> 56); }

static size_t continuations_in(uint64_t word)
{
    return (word & each_high_bit) == 0 ? 0 : sum_of_low_bits((word >> 7) & (~word >> 6) & each_low_bit);
}

/* The number of scalars. Every scalar has exactly one byte that is not 10xxxxxx. */
static size_t scalars_in(const uint8_t *bytes, size_t count)
{
    size_t continuations = 0;
    size_t i = 0;
    for (; i + WORD <= count; i += WORD) continuations += continuations_in(load(bytes + i));
    if (count < WORD) {
        for (; i < count; i++) continuations += is_continuation(bytes[i]);
        return count - continuations;
    }
    /* The last word, without the bytes that were counted before. */
    const size_t counted = WORD - (count - i);
    const uint64_t last = counted < WORD ? load(bytes + count - WORD) : 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return count - continuations - continuations_in(last << (8 * (counted % WORD)));
#else
    return count - continuations - continuations_in(last >> (8 * (counted % WORD)));
#endif
}

/* The number of UTF-16 units. A scalar beyond U+FFFF takes two units, and its first byte is 11110xxx. */
static size_t utf16_units_in(const uint8_t *bytes, size_t count)
{
    size_t surrogate_pairs = 0;
    for (size_t i = 0; i < count; i++) surrogate_pairs += bytes[i] >= 0xF0;
    return scalars_in(bytes, count) + surrogate_pairs;
}

static bool is_ascii(const uint8_t *bytes, size_t count)
{
    uint64_t seen = 0;
    size_t i = 0;
    for (; i + WORD <= count; i += WORD) seen |= load(bytes + i);
    for (; i < count; i++) seen |= bytes[i];
    return (seen & each_high_bit) == 0;
}

/* The number of characters of an ASCII text. CR LF is the only character of two scalars (Unicode Standard Annex 29,
   GB3). */
static size_t ascii_characters_in(const uint8_t *bytes, size_t count)
{
    size_t pairs = 0;
    const uint8_t *end = bytes + count;
    for (const uint8_t *at = bytes; at < end && (at = memchr(at, '\r', (size_t)(end - at))) != NULL; at++) {
        pairs += at + 1 < end && at[1] == '\n';
    }
    return count - pairs;
}

static assay_verdict verdict_of(const assay_length_rule *rule, size_t length)
{
    return length >= rule->minimum && length <= rule->maximum ? ASSAY_PASS : ASSAY_FAIL;
}

assay_verdict assay_length_evaluate(const assay_length_rule *rule, const uint8_t *bytes, size_t count)
{
    if (rule->unit == ASSAY_LENGTH_BYTES) return verdict_of(rule, count);
    if (rule->unit == ASSAY_LENGTH_CHARACTERS) {
        if (!is_ascii(bytes, count)) return ASSAY_UNDECIDED;
        return verdict_of(rule, ascii_characters_in(bytes, count));
    }
    /* A scalar has 1 to 4 bytes, a UTF-16 unit 1 to 3 (or half of 4). These bounds often decide without counting. */
    bool scalars = rule->unit == ASSAY_LENGTH_SCALARS;
    size_t widest = scalars ? 4 : 3;
    size_t min = count / widest + (count % widest != 0);
    if (count < rule->minimum || min > rule->maximum) return ASSAY_FAIL;
    if (min >= rule->minimum && count <= rule->maximum) return ASSAY_PASS;
    return verdict_of(rule, scalars ? scalars_in(bytes, count) : utf16_units_in(bytes, count));
}

/* Packs eight bytes, each 0 or 1, into eight bits. The product moves byte i to bit 56 + i. */
static uint64_t bits_of_bytes(const uint8_t *bytes)
{
    uint64_t word = load(bytes);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return (word * UINT64_C(0x0102040810204080)) >> 56;
}

uint64_t assay_length_empty_rows(const assay_cell *cells, size_t count, uint64_t rows)
{
    const assay_kernels *path = assay_kernels_current();
    if (count == 64 && path->cells_empty != NULL) return path->cells_empty(cells) & rows;
    uint8_t is_empty[64] = {0};
    if (count == 64) {
        /* A constant trip count, so that compilers vectorize the loops. The first loop returns early, because most
           groups have no empty cells. */
        bool some = false;
        for (size_t row = 0; row < 64; row++) some |= cells[row].length == 0;
        if (!some) return 0;
        for (size_t row = 0; row < 64; row++) is_empty[row] = cells[row].length == 0;
    } else {
        for (size_t row = 0; row < count; row++) is_empty[row] = cells[row].length == 0;
    }
    uint64_t empty = 0;
    for (size_t row = 0; row < 64; row += 8) empty |= bits_of_bytes(is_empty + row) << row;
    return empty & rows;
}
