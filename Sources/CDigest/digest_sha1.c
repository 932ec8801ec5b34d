/* FIPS 180-4, section 6.1. */
#include "digest_blocks.h"

void digest_sha1_blocks(uint64_t state[8], const uint8_t *bytes, size_t blocks)
{
    uint32_t h[5];
    for (unsigned i = 0; i < 5; i++) h[i] = (uint32_t)state[i];
    for (; blocks > 0; blocks--, bytes += 64) {
        uint32_t words[80];
        for (unsigned i = 0; i < 16; i++) words[i] = digest_big_word(bytes + 4 * i);
        for (unsigned i = 16; i < 80; i++) {
            words[i] = digest_rotate_left(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
        }
        uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
        for (unsigned i = 0; i < 80; i++) {
            const uint32_t mixed = i < 20              ? (d ^ (b & (c ^ d)))
                                   : i < 40 || i >= 60 ? b ^ c ^ d
                                                       : ((b & c) | (d & (b | c)));
            static const uint32_t constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
            const uint32_t sum = digest_rotate_left(a, 5) + mixed + e + constants[i / 20] + words[i];
            e = d;
            d = c;
            c = digest_rotate_left(b, 30);
            b = a;
            a = sum;
        }
        h[0] += a;
        h[1] += b;
        h[2] += c;
        h[3] += d;
        h[4] += e;
    }
    for (unsigned i = 0; i < 5; i++) state[i] = h[i];
}
