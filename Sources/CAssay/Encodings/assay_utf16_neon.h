/* assay_utf16_neon.h: UTF-16 in NEON; assay_utf16_avx2.h documents the interface. Included by assay_kernels_neon.c.
 * Not yet run on an ARM64 processor. */
#include "Encodings/assay_utf16_shuffles.h"

#include <arm_neon.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCK_HAS_UTF16 1
enum { utf16_group_units = 8 };

BLOCK_INLINE bool utf16_narrow(const uint8_t *in, bool is_big_endian, uint8_t *out)
{
    const uint8x16x2_t first = vld2q_u8(in), second = vld2q_u8(in + 32);
    const uint8x16_t low = first.val[is_big_endian], high = second.val[is_big_endian];
    const uint8x16_t others = vorrq_u8(first.val[!is_big_endian], second.val[!is_big_endian]);
    if (vmaxvq_u8(vorrq_u8(low, high)) >= 0x80 || vmaxvq_u8(others) != 0) return false;
    vst1q_u8(out, low);
    vst1q_u8(out + 16, high);
    return true;
}

/* 8 units below 800. */
BLOCK_INLINE size_t utf16_put_short(const assay_utf16_shuffles *shuffles, uint16x8_t units, uint8_t *out)
{
    static const uint16_t places[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint16x8_t lead = vorrq_u16(vshrq_n_u16(units, 6), vdupq_n_u16(0xC0));
    const uint16x8_t trail = vorrq_u16(vandq_u16(units, vdupq_n_u16(0x3F)), vdupq_n_u16(0x80));
    const uint16x8_t is_two = vcgtq_u16(units, vdupq_n_u16(0x7F));
    const uint16x8_t lanes = vbslq_u16(is_two, vorrq_u16(lead, vshlq_n_u16(trail, 8)), units);
    const uint32_t twos = vaddvq_u16(vandq_u16(is_two, vld1q_u16(places)));
    vst1q_u8(out, vqtbl1q_u8(vreinterpretq_u8_u16(lanes), vld1q_u8(shuffles->of_8[twos])));
    return 8 + (size_t)__builtin_popcount(twos);
}

/* 4 units without surrogates. */
BLOCK_INLINE size_t utf16_put_long(const assay_utf16_shuffles *shuffles, uint16x4_t four, uint8_t *out)
{
    static const uint32_t places[4] = {1, 2, 4, 8};
    const uint32x4_t units = vmovl_u16(four);
    const uint32x4_t six = vdupq_n_u32(0x3F), continued = vdupq_n_u32(0x80);
    const uint32x4_t trail = vorrq_u32(vandq_u32(units, six), continued);
    const uint32x4_t middle = vorrq_u32(vandq_u32(vshrq_n_u32(units, 6), six), continued);
    const uint32x4_t two = vorrq_u32(vorrq_u32(vshrq_n_u32(units, 6), vdupq_n_u32(0xC0)), vshlq_n_u32(trail, 8));
    const uint32x4_t three = vorrq_u32(vorrq_u32(vshrq_n_u32(units, 12), vdupq_n_u32(0xE0)),
                                       vorrq_u32(vshlq_n_u32(middle, 8), vshlq_n_u32(trail, 16)));
    const uint32x4_t from_two = vcgtq_u32(units, vdupq_n_u32(0x7F));
    const uint32x4_t from_three = vcgtq_u32(units, vdupq_n_u32(0x7FF));
    const uint32x4_t lanes = vbslq_u32(from_three, three, vbslq_u32(from_two, two, units));
    const uint32x4_t bits = vld1q_u32(places);
    const uint32_t index = vaddvq_u32(vandq_u32(from_two, bits)) | vaddvq_u32(vandq_u32(from_three, bits)) << 4;
    vst1q_u8(out, vqtbl1q_u8(vreinterpretq_u8_u32(lanes), vld1q_u8(shuffles->of_4[index])));
    return 4 + (size_t)__builtin_popcount(index);
}

BLOCK_INLINE size_t utf16_group(const assay_utf16_shuffles *shuffles, const uint8_t *in, bool is_big_endian,
                                uint8_t *out)
{
    uint8x16_t bytes = vld1q_u8(in);
    if (is_big_endian) bytes = vrev16q_u8(bytes);
    const uint16x8_t units = vreinterpretq_u16_u8(bytes);
    if (vmaxvq_u16(units) < 0x800) return utf16_put_short(shuffles, units, out);
    const uint16x8_t top = vandq_u16(units, vdupq_n_u16(0xF800));
    if (vmaxvq_u16(vceqq_u16(top, vdupq_n_u16(0xD800))) != 0) return 0;
    const size_t middle = utf16_put_long(shuffles, vget_low_u16(units), out);
    return middle + utf16_put_long(shuffles, vget_high_u16(units), out + middle);
}
