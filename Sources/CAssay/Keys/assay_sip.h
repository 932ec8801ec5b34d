/* SipHash-2-4 with a result of 128 bits (Aumasson and Bernstein, 2012; the 128 bits: their reference code of 2015). */
#ifndef ASSAY_SIP_H
#define ASSAY_SIP_H

#include "assay/keys.h"

#include <string.h>

typedef struct assay_sip {
    uint64_t v0, v1, v2, v3;
} assay_sip;

static inline uint64_t assay_sip_rotate(uint64_t word, int bits) { return word << bits | word >> (64 - bits); }

static inline void assay_sip_round(assay_sip *s)
{
    s->v0 += s->v1;
    s->v1 = assay_sip_rotate(s->v1, 13) ^ s->v0;
    s->v0 = assay_sip_rotate(s->v0, 32);
    s->v2 += s->v3;
    s->v3 = assay_sip_rotate(s->v3, 16) ^ s->v2;
    s->v0 += s->v3;
    s->v3 = assay_sip_rotate(s->v3, 21) ^ s->v0;
    s->v2 += s->v1;
    s->v1 = assay_sip_rotate(s->v1, 17) ^ s->v2;
    s->v2 = assay_sip_rotate(s->v2, 32);
}

static inline assay_sip assay_sip_begin(assay_key_hash key)
{
    return (assay_sip){
        key.low ^ UINT64_C(0x736f6d6570736575),
        key.high ^ UINT64_C(0x646f72616e646f6d) ^ 0xee,
        key.low ^ UINT64_C(0x6c7967656e657261),
        key.high ^ UINT64_C(0x7465646279746573),
    };
}

static inline void assay_sip_word(assay_sip *s, uint64_t word)
{
    s->v3 ^= word;
    assay_sip_round(s);
    assay_sip_round(s);
    s->v0 ^= word;
}

static inline assay_key_hash assay_sip_end(assay_sip *s)
{
    assay_key_hash hash;
    s->v2 ^= 0xee;
    for (int i = 0; i < 4; i++) assay_sip_round(s);
    hash.low = s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
    s->v1 ^= 0xdd;
    for (int i = 0; i < 4; i++) assay_sip_round(s);
    hash.high = s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
    return hash;
}

/* The last `count` % 8 bytes of a text of `count` bytes, in the low bytes of a word. Reads only the text. */
static inline uint64_t assay_sip_tail(const uint8_t *bytes, size_t count)
{
    const size_t rest = count % 8;
    if (rest == 0) return 0;
    if (count >= 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + count - 8, 8);
        return word >> 8 * (8 - rest);
    }
    if (rest >= 4) {
        uint32_t low = 0;
        uint32_t high = 0;
        memcpy(&low, bytes, 4);
        memcpy(&high, bytes + rest - 4, 4);
        return low | (uint64_t)high << 8 * (rest - 4);
    }
    return bytes[0] | (uint64_t)bytes[rest / 2] << 8 * (rest / 2) | (uint64_t)bytes[rest - 1] << 8 * (rest - 1);
}

/* The last word of a text: the remaining bytes, and the length modulo 256 in the high byte. */
static inline uint64_t assay_sip_last(const uint8_t *bytes, size_t count)
{
    return (uint64_t)count << 56 | assay_sip_tail(bytes, count);
}

static inline assay_key_hash assay_sip_bytes(assay_key_hash key, const uint8_t *bytes, size_t count)
{
    assay_sip s = assay_sip_begin(key);
    for (size_t at = 0; at + 8 <= count; at += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, 8);
        assay_sip_word(&s, word);
    }
    assay_sip_word(&s, assay_sip_last(bytes, count));
    return assay_sip_end(&s);
}

#endif
