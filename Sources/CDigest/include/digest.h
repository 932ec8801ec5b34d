/* digest.h: MD5, SHA-1, SHA-256 and SHA-512 of bytes as they come, to see whether a file is the one that was described.
 *
 * Not for secrets: MD5 and SHA-1 have known collisions. Sources: RFC 1321, FIPS 180-4. */
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

/* What has been read so far. Plain data: a copy goes on by itself. */
typedef struct digest {
    digest_kind kind;
    uint64_t state[8]; /* of all but SHA-512 in the lower halves */
    uint64_t bytes;
    uint8_t block[128]; /* the bytes behind the last whole block */
} digest;

digest digest_begin(digest_kind kind);

/* O(count). `bytes` may be NULL if there are none. */
void digest_add(digest *sum, const uint8_t *bytes, size_t count);

/* Writes the digest of all bytes, after which there is nothing to add. Returns how many bytes it has: 16, 20, 32 or 64. */
size_t digest_end(digest *sum, uint8_t result[64]);

/* A hash of the bytes at places of a file, to which pieces can be added in any order, also by several threads.
 *
 * It is the polynomial Σ word[i] · key^i modulo 2^61 - 1, where word[i] are the four bytes at place 4·i of the file, the lowest first. A
 * piece that begins or ends within a word has zeros for the bytes that it lacks. The hash of a change in one word always differs. If more
 * words of n differ, the hash is the same with a probability of at most n / 2^61 over all keys, so the key must be random. */

/* A key from any 64 random bits. */
uint64_t digest_range_key(uint64_t random);

/* The hash of a piece. O(count). `bytes` may be NULL if `count` is 0. */
uint64_t digest_range(uint64_t key, uint64_t place, const uint8_t *bytes, size_t count);

/* The hash of both pieces, which must not overlap. */
uint64_t digest_range_add(uint64_t one, uint64_t other);

#endif
