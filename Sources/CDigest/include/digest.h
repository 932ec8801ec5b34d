/* digest.h: incremental MD5, SHA-1, SHA-256 and SHA-512, to compare data with a known hash.
 *
 * Not for security: MD5 and SHA-1 have known collisions. Sources: RFC 1321, FIPS 180-4. */
#ifndef DIGEST_H
#define DIGEST_H

#include <stddef.h>
#include <stdint.h>

typedef enum digest_kind {
    DIGEST_MD5 = 0,
    DIGEST_SHA1,
    DIGEST_SHA256,
    DIGEST_SHA512,
} digest_kind;

/* The state of a digest. Plain data: a copy is independent of the original. */
typedef struct digest {
    digest_kind kind;
    uint64_t state[8]; /* words of 32 bits in the lower halves; for SHA-512, words of 64 bits */
    uint64_t bytes;
    uint8_t block[128]; /* the bytes after the last whole block */
} digest;

digest digest_begin(digest_kind kind);

/* Adds bytes. O(count). `bytes` may be NULL if `count` is 0. */
void digest_add(digest *sum, const uint8_t *bytes, size_t count);

/* Writes the digest of all bytes and returns its size in bytes: 16, 20, 32 or 64. `sum` must not be used afterwards. */
size_t digest_end(digest *sum, uint8_t result[64]);

/* A hash of a part of a file, from the bytes and their offsets. Several threads can compute the hashes of pieces, which
 * can be added in any order.
 *
 * The hash is the polynomial Σ word[i] · key^i modulo 2^61 - 1. word[i] is the little-endian value of the four bytes at
 * offset 4·i of the file. A piece that begins or ends within a word has zeros for the missing bytes. A change in one
 * word always changes the hash. If more than one of n words differs, the hashes are equal with a probability of at most
 * n / 2^61 over all keys, so the key must be random. */

/* Returns a key from any 64 random bits. */
uint64_t digest_range_key(uint64_t random);

/* Returns the hash of a piece that begins at offset `place` of the file. O(count). `bytes` may be NULL if `count` is
 * 0. */
uint64_t digest_range(uint64_t key, uint64_t place, const uint8_t *bytes, size_t count);

/* Returns the hash of two pieces together, from their hashes. The pieces must not overlap. */
uint64_t digest_range_add(uint64_t one, uint64_t other);

#endif
