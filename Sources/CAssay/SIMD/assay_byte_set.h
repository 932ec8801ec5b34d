/* assay_byte_set.h: sets of bytes that SIMD paths find 64 at a time. */
#ifndef ASSAY_BYTE_SET_H
#define ASSAY_BYTE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct assay_byte_set {
    /* ASCII bytes by their nibbles: bit h of digits[l] is set if 16h + l is in the set. A shuffle looks up the lower
       nibble of each byte, a second one the bit of the upper nibble ("vectorized classification" in simdjson). */
    uint8_t digits[16];
    bool non_ascii; /* all bytes above 7F are in the set; if false, no such byte is */
} assay_byte_set;

static inline void assay_byte_set_add(assay_byte_set *set, uint8_t ascii)
{
    set->digits[ascii & 15] |= (uint8_t)(1u << (ascii >> 4));
}

static inline bool assay_byte_set_has(const assay_byte_set *set, uint8_t byte)
{
    return byte < 0x80 ? (set->digits[byte & 15] >> (byte >> 4) & 1) != 0 : set->non_ascii;
}

#endif
