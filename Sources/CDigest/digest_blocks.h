/* The compression functions: each adds whole blocks to the state. */
#ifndef DIGEST_BLOCKS_H
#define DIGEST_BLOCKS_H

#include "digest.h"

void digest_md5_blocks(uint64_t state[8], const uint8_t *bytes, size_t blocks);
void digest_sha1_blocks(uint64_t state[8], const uint8_t *bytes, size_t blocks);
void digest_sha256_blocks(uint64_t state[8], const uint8_t *bytes, size_t blocks);
void digest_sha512_blocks(uint64_t state[8], const uint8_t *bytes, size_t blocks);

static inline uint32_t digest_rotate_left(uint32_t word, unsigned count)
{
    return word << count | word >> (32 - count);
}

static inline uint32_t digest_big_word(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

#endif
