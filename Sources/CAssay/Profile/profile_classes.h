/* Classes of sixteen bytes in a vector, so that texts with equal classes have equal shapes. The compiler chooses the
   instructions; without vectors it uses words. */
#ifndef ASSAY_PROFILE_CLASSES_H
#define ASSAY_PROFILE_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t profile_sixteen __attribute__((vector_size(16)));
typedef int8_t profile_signed_sixteen __attribute__((vector_size(16)));

#define PROFILE_EACH(byte)                                                                                             \
    {                                                                                                                  \
        byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte                 \
    }

static inline profile_sixteen profile_load(const uint8_t *bytes)
{
    profile_sixteen loaded;
    memcpy(&loaded, bytes, sizeof loaded);
    return loaded;
}

/* 16 − count zeros, followed by bytes with all bits set. `count`: at most 16. */
static inline profile_sixteen profile_ones_before(size_t count)
{
    static const uint8_t ones[32] = {[16] = 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                     0xFF,        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    return profile_load(ones + count);
}

static inline bool profile_any(profile_sixteen bytes)
{
    uint64_t words[2];
    memcpy(words, &bytes, sizeof words);
    return (words[0] | words[1]) != 0;
}

/* Marks the bytes from `first` to `first + count - 1`. Compares signed bytes, because SSE2 has no other comparison. */
static inline profile_sixteen profile_range(profile_sixteen bytes, uint8_t first, uint8_t count)
{
    const uint8_t offset = (uint8_t)(0x80 - first), beyond = (uint8_t)(0x80 + count);
    const profile_sixteen offsets = PROFILE_EACH(offset), limits = PROFILE_EACH(beyond);
    return (profile_sixteen)((profile_signed_sixteen)(bytes + offsets) < (profile_signed_sixteen)limits);
}

/* Marks the bytes that are not ASCII, in their high bits. */
static inline profile_sixteen profile_high_bytes(profile_sixteen bytes)
{
    static const profile_sixteen high = PROFILE_EACH(0x80);
    return bytes & high;
}

/* Marks the bytes below 0x20, 0x7F and '&', which may be an anomaly. */
static inline profile_sixteen profile_rare_bytes(profile_sixteen bytes)
{
    static const profile_sixteen delete = PROFILE_EACH(0x7F), ampersand = PROFILE_EACH('&');
    return profile_range(bytes, 0, 0x20) | (profile_sixteen)((bytes == delete) | (bytes == ampersand));
}

/* Marks the bytes that begin all anomalous characters beyond ASCII. */
static inline profile_sixteen profile_rare_leads(profile_sixteen bytes)
{
    /* C2 and E2 differ in one bit. */
    static const profile_sixteen bit = PROFILE_EACH(0x20), two = PROFILE_EACH(0xE2), three = PROFILE_EACH(0xD8),
                                 four = PROFILE_EACH(0xEF);
    return (profile_sixteen)(((bytes | bit) == two) | (bytes == three) | (bytes == four));
}

/* Marks the bytes that are at least `first`, which is not ASCII. */
static inline profile_sixteen profile_from(profile_sixteen bytes, uint8_t first)
{
    return profile_range(bytes, first, (uint8_t)(0x100 - first));
}

/* Replaces letters by A and a, and digits by 0. */
static inline profile_sixteen profile_classes(profile_sixteen bytes)
{
    static const profile_sixteen small = PROFILE_EACH(0x20), letter = PROFILE_EACH(0x1F), digit = PROFILE_EACH(0x0F),
                                 one = PROFILE_EACH(1);
    const profile_sixteen is_letter = profile_range(bytes | small, 'a', 26), is_digit = profile_range(bytes, '0', 10);
    return (bytes & ~((is_letter & letter) | (is_digit & digit))) | (is_letter & one);
}

/* The same, and replaces bytes that begin a character beyond ASCII by C0, and those that continue one by 80. */
static inline profile_sixteen profile_high_classes(profile_sixteen bytes)
{
    static const profile_signed_sixteen zeros = PROFILE_EACH(0);
    static const profile_sixteen kept = PROFILE_EACH(0xC0);
    const profile_sixteen is_high = (profile_sixteen)((profile_signed_sixteen)bytes < zeros);
    /* C0 to FF have bits 7 and 6. */
    return (profile_classes(bytes) & ~is_high) | (bytes & is_high & kept);
}

#endif
