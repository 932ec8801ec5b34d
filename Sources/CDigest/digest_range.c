#include "digest.h"

/* 2^61 - 1, a Mersenne prime: a number is congruent to the sum of its digits in base 2^61. */
#define PRIME ((UINT64_C(1) << 61) - 1)

/* A sum of products in two words. */
typedef struct wide {
    uint64_t low, high;
} wide;

static inline wide add_product(wide sum, uint64_t left, uint64_t right)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 product;
    const product full = ((product)sum.high << 64 | sum.low) + (product)left * right;
    return (wide){(uint64_t)full, (uint64_t)(full >> 64)};
#else
    const uint64_t mask = UINT32_MAX;
    const uint64_t low = (left & mask) * (right & mask);
    const uint64_t one = (left >> 32) * (right & mask) + (low >> 32);
    const uint64_t other = (left & mask) * (right >> 32) + (one & mask);
    const uint64_t bottom = (low & mask) | other << 32;
    sum.high += (left >> 32) * (right >> 32) + (one >> 32) + (other >> 32);
    sum.low += bottom;
    if (sum.low < bottom) sum.high++;
    return sum;
#endif
}

static inline uint64_t reduce_word(uint64_t word)
{
    const uint64_t sum = (word & PRIME) + (word >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
}

/* Reduces a sum modulo PRIME, by adding its three digits in base 2^61. */
static inline uint64_t reduce(wide sum)
{
    const uint64_t middle = (sum.low >> 61 | sum.high << 3) & PRIME;
    return reduce_word((sum.low & PRIME) + middle + (sum.high >> 58));
}

static inline uint64_t multiply(uint64_t left, uint64_t right)
{
    return reduce(add_product((wide){0, 0}, left, right));
}

static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base = multiply(base, base)) {
        if (exponent & 1) result = multiply(result, base);
    }
    return result;
}

/* The coefficients of the polynomial have four bytes, because different coefficients must differ modulo PRIME. Words of
   eight bytes would not: "aaaaaaaa" and "baaaaaaA" differ by PRIME. */
enum { WORD = 4, BLOCK = 16 };

/* Compilers turn this into a single load. */
static inline uint64_t word_at(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 | (uint64_t)bytes[3] << 24;
}

static uint64_t part_of_word(const uint8_t *bytes, size_t count, unsigned first)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) word |= (uint64_t)bytes[i] << (8 * (first + i));
    return word;
}

/* Evaluates the polynomial of whole words, from the last word to the first. A step multiplies BLOCK words by the powers
   0 to BLOCK - 1 of the key, and reduces the sum of the products once. The sum is below 2^97. */
static uint64_t hash_words(uint64_t key, const uint8_t *bytes, size_t words)
{
    uint64_t powers[BLOCK + 1] = {1};
    for (int i = 1; i <= BLOCK; i++) powers[i] = multiply(powers[i - 1], key);
    uint64_t hash = 0;
    const size_t rest = words % BLOCK;
    for (size_t i = rest; i-- > 0;) {
        hash = reduce_word(multiply(hash, key) + word_at(bytes + WORD * (words - rest + i)));
    }
    for (size_t block = words / BLOCK; block-- > 0;) {
        const uint8_t *start = bytes + WORD * BLOCK * block;
        wide sum = {0, 0};
        for (int i = 0; i < BLOCK; i++) sum = add_product(sum, word_at(start + WORD * i), powers[i]);
        hash = reduce_word(multiply(hash, powers[BLOCK]) + reduce(sum));
    }
    return hash;
}

uint64_t digest_range_key(uint64_t random) { return random % (PRIME - 2) + 2; }

uint64_t digest_range(uint64_t key, uint64_t place, const uint8_t *bytes, size_t count)
{
    if (count == 0) return 0;
    const unsigned first = (unsigned)(place % WORD);
    uint64_t hash = 0;
    size_t head = 0;
    if (first > 0) {
        head = count < WORD - first ? count : WORD - first;
        hash = part_of_word(bytes, head, first);
    }
    const size_t words = (count - head) / WORD, tail = (count - head) % WORD;
    uint64_t full = hash_words(key, bytes + head, words);
    if (tail > 0) {
        const uint64_t last = part_of_word(bytes + count - tail, tail, 0);
        full = reduce_word(full + multiply(last, power(key, words)));
    }
    /* If there is a head, it is the coefficient of power 0, so the powers of the whole words are higher by one. */
    hash = reduce_word(hash + (first > 0 ? multiply(full, key) : full));
    return multiply(hash, power(key, place / WORD));
}

uint64_t digest_range_add(uint64_t one, uint64_t other) { return reduce_word(one + other); }
