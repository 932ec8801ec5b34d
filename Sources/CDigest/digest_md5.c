/* RFC 1321. */
#include "digest_blocks.h"

/* 2^32 × |sin(i + 1)|. */
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static const uint8_t rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static uint32_t mixed(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    switch (round) {
    case 0:
        return d ^ (b & (c ^ d));
    case 1:
        return c ^ (d & (b ^ c));
    case 2:
        return b ^ c ^ d;
    default:
        return c ^ (b | ~d);
    }
}

/* Returns the index of the block's word that a step uses. */
static unsigned place(unsigned round, unsigned step)
{
    static const uint8_t factors[4] = {1, 5, 3, 7}, offsets[4] = {0, 1, 5, 0};
    return (step * factors[round] + offsets[round]) % 16;
}

void digest_md5_blocks(uint64_t state[8], const uint8_t *bytes, size_t blocks)
{
    uint32_t a = (uint32_t)state[0], b = (uint32_t)state[1], c = (uint32_t)state[2], d = (uint32_t)state[3];
    for (; blocks > 0; blocks--, bytes += 64) {
        uint32_t words[16];
        for (unsigned i = 0; i < 16; i++) {
            const uint8_t *at = bytes + 4 * i;
            words[i] = (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
        }
        const uint32_t before[4] = {a, b, c, d};
        for (unsigned round = 0; round < 4; round++) {
            for (unsigned step = 0; step < 16; step++) {
                const uint32_t sum = a + mixed(round, b, c, d) + sines[16 * round + step] + words[place(round, step)];
                a = d;
                d = c;
                c = b;
                b += digest_rotate_left(sum, rotations[round][step % 4]);
            }
        }
        a += before[0];
        b += before[1];
        c += before[2];
        d += before[3];
    }
    state[0] = a;
    state[1] = b;
    state[2] = c;
    state[3] = d;
}
