/* assay_sip_lanes_blocks.h: SipHash in vectors of eight words, which the compiler splits into hardware vectors.
 * Included by assay_kernels_*.c after an assay_block_*.h. assay_sip.h has the plain form. */
#include "Keys/assay_sip_lanes.h"

#include <string.h>

typedef uint64_t sip_vector __attribute__((vector_size(sip_lane_count * sizeof(uint64_t))));

#define SIP_ROTATE(vector, bits) ((vector) << (bits) | (vector) >> (64 - (bits)))
#define SIP_ROUND()                                                                                                    \
    do {                                                                                                               \
        v0 += v1;                                                                                                      \
        v1 = SIP_ROTATE(v1, 13) ^ v0;                                                                                  \
        v0 = SIP_ROTATE(v0, 32);                                                                                       \
        v2 += v3;                                                                                                      \
        v3 = SIP_ROTATE(v3, 16) ^ v2;                                                                                  \
        v0 += v3;                                                                                                      \
        v3 = SIP_ROTATE(v3, 21) ^ v0;                                                                                  \
        v2 += v1;                                                                                                      \
        v1 = SIP_ROTATE(v1, 17) ^ v2;                                                                                  \
        v2 = SIP_ROTATE(v2, 32);                                                                                       \
    } while (0)

BLOCK_TARGET static void sip_lanes_blocks(assay_sip_lanes *lanes, size_t words)
{
    sip_vector low;
    sip_vector high;
    memcpy(&low, lanes->low, sizeof low);
    memcpy(&high, lanes->high, sizeof high);
    sip_vector v0 = low ^ UINT64_C(0x736f6d6570736575);
    sip_vector v1 = high ^ UINT64_C(0x646f72616e646f6d) ^ 0xee;
    sip_vector v2 = low ^ UINT64_C(0x6c7967656e657261);
    sip_vector v3 = high ^ UINT64_C(0x7465646279746573);
    for (size_t i = 0; i < words; i++) {
        sip_vector word;
        memcpy(&word, lanes->words[i], sizeof word);
        v3 ^= word;
        SIP_ROUND();
        SIP_ROUND();
        v0 ^= word;
    }
    v2 ^= 0xee;
    for (int i = 0; i < 4; i++) SIP_ROUND();
    low = v0 ^ v1 ^ v2 ^ v3;
    v1 ^= 0xdd;
    for (int i = 0; i < 4; i++) SIP_ROUND();
    high = v0 ^ v1 ^ v2 ^ v3;
    memcpy(lanes->low, &low, sizeof low);
    memcpy(lanes->high, &high, sizeof high);
}

#undef SIP_ROTATE
#undef SIP_ROUND
