/* Builds the hash tables of grams and windows (defined in the header), and searches with them. */
#include "DFA/Lazy/assay_lazy_grams.h"

#include <stdlib.h>
#include <string.h>

enum {
    GRAM = 4,
    /* Windows of up to this length use grams of three bytes instead of four, so that the search can skip every other
       position. */
    SHORT_WINDOW = 4,
    /* The bits of a table for each entry, and the binary logarithms of its minimum and maximum bits. The tables of
       grams have 1 KiB to 32 KiB, so that they fit into the first-level cache. */
    BITS_PER_ENTRY = 32,
    GRAM_BITS_MIN = 13,
    GRAM_BITS_MAX = 18,
    WINDOW_BITS_MIN = 9,
    WINDOW_BITS_MAX = 20,
};

/* Two sets of hashes, as bits. */
struct lazy_grams {
    uint32_t stride;
    uint32_t gram;       /* bytes */
    uint32_t gram_shift; /* how far the product of the multiplicative hash is shifted right */
    uint32_t window;     /* bytes */
    uint32_t window_shift;
    const uint64_t *windows; /* the hashes of whole windows, stored in memory after `grams` */
    uint64_t grams[];
};

static const uint64_t fold_all = UINT64_C(0x2020202020202020);

/* Multiplicative hashing (D. Knuth, The Art of Computer Programming, 6.4), of the lowest bytes. */
static inline uint32_t hash_gram(const lazy_grams *in, uint32_t bytes)
{
    return (bytes << (8 * (GRAM - in->gram))) * 0x9E3779B1u >> in->gram_shift;
}

static inline uint64_t hash_window(const lazy_grams *in, uint64_t bytes)
{
    return (bytes << (8 * (lazy_window_max - in->window))) * UINT64_C(0x9E3779B97F4A7C15) >> in->window_shift;
}

static inline bool has_bit(const uint64_t *set, uint64_t bit) { return (set[bit / 64] >> (bit % 64) & 1) != 0; }

static void add_bit(uint64_t *set, uint64_t bit) { set[bit / 64] |= UINT64_C(1) << (bit % 64); }

/* Returns the number of bits of a hash for `entries`. */
static uint32_t bits_for(size_t entries, uint32_t min, uint32_t max)
{
    uint32_t bits = min;
    while (bits < max && entries * BITS_PER_ENTRY > (size_t)1 << bits) bits++;
    return bits;
}

lazy_grams *lazy_grams_create(const uint64_t *windows, size_t count, uint32_t bytes)
{
    const uint32_t gram = bytes <= SHORT_WINDOW ? GRAM - 1 : GRAM;
    const uint32_t stride = bytes - gram + 1;
    const uint32_t gram_bits = bits_for(count * stride, GRAM_BITS_MIN, GRAM_BITS_MAX);
    const uint32_t window_bits = bits_for(count, WINDOW_BITS_MIN, WINDOW_BITS_MAX);
    const size_t words = (((size_t)1 << gram_bits) + ((size_t)1 << window_bits)) / 64;
    lazy_grams *made = calloc(1, sizeof *made + words * sizeof *made->grams);
    if (made == NULL) return NULL;
    uint64_t *hashes = made->grams + ((size_t)1 << gram_bits) / 64;
    made->stride = stride;
    made->gram = gram;
    made->gram_shift = 32 - gram_bits;
    made->window = bytes;
    made->window_shift = 64 - window_bits;
    made->windows = hashes;
    for (size_t i = 0; i < count; i++) {
        add_bit(hashes, hash_window(made, windows[i]));
        for (uint32_t at = 0; at < stride; at++)
            add_bit(made->grams, hash_gram(made, (uint32_t)(windows[i] >> 8 * at)));
    }
    return made;
}

uint32_t lazy_grams_stride(const lazy_grams *grams) { return grams->stride; }

/* Loads eight bytes, or those that are left, as on a little-endian machine. */
static inline uint64_t load(const uint8_t *text, size_t left)
{
    uint64_t bytes = 0;
    memcpy(&bytes, text, left < sizeof bytes ? left : sizeof bytes);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes | fold_all;
}

static inline bool has_gram(const lazy_grams *in, const uint8_t *text)
{
    uint32_t bytes;
    memcpy(&bytes, text, sizeof bytes);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap32(bytes);
#endif
    return has_bit(in->grams, hash_gram(in, bytes | (uint32_t)fold_all));
}

/* Returns the first window that may have its gram at `place`, or `count`. */
static size_t find_window(const lazy_grams *in, const uint8_t *text, size_t place, size_t count)
{
    const size_t end = count - in->window; /* the last window begins here */
    for (size_t at = place - (in->stride - 1); at <= place && at <= end; at++) {
        const uint64_t bytes = count - at >= 8 ? load(text + at, 8) : load(text + at, count - at);
        if (has_bit(in->windows, hash_window(in, bytes))) return at;
    }
    return count;
}

size_t lazy_grams_find(const lazy_grams *grams, const uint8_t *text, size_t from, size_t count)
{
    if (count - from < grams->window) return count;
    const size_t stride = grams->stride;
    size_t at = from + stride - 1;
    for (; at + 3 * stride + GRAM <= count; at += 4 * stride) {
        const bool has[4] = {has_gram(grams, text + at), has_gram(grams, text + at + stride),
                             has_gram(grams, text + at + 2 * stride), has_gram(grams, text + at + 3 * stride)};
        if (__builtin_expect(!(has[0] | has[1] | has[2] | has[3]), 1)) continue;
        for (size_t k = 0; k < 4; k++) {
            const size_t found = has[k] ? find_window(grams, text, at + k * stride, count) : count;
            if (found < count) return found;
        }
    }
    for (; at + grams->gram <= count; at += stride) {
        const uint64_t bytes = load(text + at, count - at);
        if (!has_bit(grams->grams, hash_gram(grams, (uint32_t)bytes))) continue;
        const size_t found = find_window(grams, text, at, count);
        if (found < count) return found;
    }
    return count;
}
