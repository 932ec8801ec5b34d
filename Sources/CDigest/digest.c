#include "digest_blocks.h"

#include <stdbool.h>
#include <string.h>

static const uint64_t starts[4][8] = {
    {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476},
    {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
    {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
    {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1,
     0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179},
};

typedef struct digest_algorithm {
    void (*add_blocks)(uint64_t state[8], const uint8_t *bytes, size_t blocks);
    size_t block;  /* bytes */
    size_t result; /* bytes */
} digest_algorithm;

static const digest_algorithm algorithms[4] = {
    {digest_md5_blocks, 64, 16},
    {digest_sha1_blocks, 64, 20},
    {digest_sha256_blocks, 64, 32},
    {digest_sha512_blocks, 128, 64},
};

digest digest_begin(digest_kind kind)
{
    digest made = {.kind = kind};
    memcpy(made.state, starts[kind], sizeof made.state);
    return made;
}

void digest_add(digest *sum, const uint8_t *bytes, size_t count)
{
    const digest_algorithm *algorithm = &algorithms[sum->kind];
    const size_t held = (size_t)(sum->bytes % algorithm->block);
    sum->bytes += count;
    if (held > 0) {
        const size_t room = algorithm->block - held;
        const size_t taken = count < room ? count : room;
        if (taken > 0) memcpy(sum->block + held, bytes, taken);
        if (taken < room) return;
        algorithm->add_blocks(sum->state, sum->block, 1);
        bytes += taken;
        count -= taken;
    }
    const size_t blocks = count / algorithm->block;
    if (blocks > 0) algorithm->add_blocks(sum->state, bytes, blocks);
    const size_t rest = count - blocks * algorithm->block;
    if (rest > 0) memcpy(sum->block, bytes + blocks * algorithm->block, rest);
}

size_t digest_end(digest *sum, uint8_t result[64])
{
    const digest_algorithm *algorithm = &algorithms[sum->kind];
    const uint64_t bits = sum->bytes * 8;
    const size_t held = (size_t)(sum->bytes % algorithm->block);
    /* A one bit, zeros, and the number of bits at the end of the last block. */
    uint8_t padding[256] = {0x80};
    const size_t length = algorithm->block / 8;
    const size_t count = (held + length < algorithm->block ? algorithm->block : 2 * algorithm->block) - held;
    const bool is_md5 = sum->kind == DIGEST_MD5;
    for (size_t i = 0; i < 8; i++) {
        padding[is_md5 ? count - 8 + i : count - 1 - i] = (uint8_t)(bits >> 8 * i);
    }
    digest_add(sum, padding, count);
    const size_t word = sum->kind == DIGEST_SHA512 ? 8 : 4;
    for (size_t i = 0; i < algorithm->result; i++) {
        const size_t byte = is_md5 ? i % word : word - 1 - i % word;
        result[i] = (uint8_t)(sum->state[i / word] >> 8 * byte);
    }
    return algorithm->result;
}
