/* FIPS 180-4, section 6.2. */
#include "digest_blocks.h"

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t word, unsigned count) { return word >> count | word << (32 - count); }

void digest_sha256_blocks(uint64_t state[8], const uint8_t *bytes, size_t blocks)
{
    uint32_t h[8];
    for (unsigned i = 0; i < 8; i++) h[i] = (uint32_t)state[i];
    for (; blocks > 0; blocks--, bytes += 64) {
        uint32_t words[64];
        for (unsigned i = 0; i < 16; i++) words[i] = digest_big_word(bytes + 4 * i);
        for (unsigned i = 16; i < 64; i++) {
            const uint32_t early = words[i - 15], late = words[i - 2];
            const uint32_t one = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3;
            const uint32_t other = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10;
            words[i] = words[i - 16] + one + words[i - 7] + other;
        }
        uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], last = h[7];
        for (unsigned i = 0; i < 64; i++) {
            const uint32_t of_e = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
            const uint32_t of_a = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
            const uint32_t one = last + of_e + (g ^ (e & (f ^ g))) + constants[i] + words[i];
            const uint32_t other = of_a + ((a & b) | (c & (a | b)));
            last = g;
            g = f;
            f = e;
            e = d + one;
            d = c;
            c = b;
            b = a;
            a = one + other;
        }
        const uint32_t after[8] = {a, b, c, d, e, f, g, last};
        for (unsigned i = 0; i < 8; i++) h[i] += after[i];
    }
    for (unsigned i = 0; i < 8; i++) state[i] = h[i];
}
