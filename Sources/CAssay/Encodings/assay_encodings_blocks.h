/* assay_encodings_blocks.h: the fast parts of decoders and encoders, for one processor path. Included by
 * assay_kernels_table.h. Each function stops before input that it leaves to the plain version. */

#include <string.h>

#include "Encodings/assay_characters.h"
#include "Encodings/assay_coding.h"

/* Copies the ASCII bytes at the front and returns their number. May overwrite all `count` bytes of `out`. */
BLOCK_TARGET static size_t ascii_copy_blocks(const uint8_t *in, size_t count, uint8_t *out)
{
    size_t i = 0;
    for (; count - i >= 64; i += 64) {
        const uint64_t others = block_from(block_load(in + i), 0x80);
        memcpy(out + i, in + i, 64);
        if (others != 0) return i + (size_t)__builtin_ctzll(others);
    }
    for (; i < count && in[i] < 0x80; i++) out[i] = in[i];
    return i;
}

/* Decodes single bytes of an encoding with ASCII below 80. In a block with few other bytes, the runs between these are
 * copied:
 *
 *     in    Stra ß e nach M ü nchen …        others = bits 4, 12
 *     out   Stra, two bytes, e nach M, …     each copy has 64 bytes, and the next one overwrites the excess */
BLOCK_TARGET static assay_coded bytes_decode_blocks(const assay_byte_text *bytes, const uint8_t *in, size_t count,
                                                    uint8_t *out, size_t room)
{
    enum { FEW = 24 };
    size_t i = 0, o = 0;
    while (count - i >= 128 && room - o >= 3 * 64 + 64) {
        uint64_t others = block_from(block_load(in + i), 0x80);
        if (block_count_ones(others) <= FEW) {
            const size_t end = i + 64;
            while (others != 0) {
                const size_t at = end - 64 + (size_t)__builtin_ctzll(others);
                others &= others - 1;
                memcpy(out + o, in + i, 64);
                o += at - i;
                memcpy(out + o, &bytes[in[at]], 4);
                o += bytes[in[at]].length;
                i = at + 1;
            }
            memcpy(out + o, in + i, 64);
            o += end - i;
            i = end;
        } else {
            for (const size_t end = i + 64; i < end; i++) {
                /* Load the text and its length at once, so that the length does not wait for the store. */
                uint32_t entry;
                memcpy(&entry, &bytes[in[i]], sizeof entry);
                memcpy(out + o, &entry, sizeof entry);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
                o += entry & 0xFF;
#else
                o += entry >> 24;
#endif
            }
        }
    }
    return (assay_coded){i, o};
}

#ifndef BLOCK_HAS_UTF16
/* See assay_utf16_avx2.h. */
BLOCK_INLINE bool utf16_narrow(const uint8_t *in, bool is_big_endian, uint8_t *out)
{
    uint64_t any = 0;
    for (size_t k = 0; k < 8; k++) {
        uint64_t units;
        memcpy(&units, in + 8 * k, sizeof units);
        any |= units;
    }
    uint8_t joined[8];
    memcpy(joined, &any, sizeof joined);
    uint8_t low = 0, high = 0;
    for (size_t k = 0; k < 8; k += 2) {
        low |= joined[k + is_big_endian];
        high |= joined[k + !is_big_endian];
    }
    if (low >= 0x80 || high != 0) return false;
    for (size_t k = 0; k < 32; k++) out[k] = in[2 * k + is_big_endian];
    return true;
}
#endif

/* Decodes one unit or pair, as decode_utf16() in assay_decoder_plain.c with fewer branches. `in` has four bytes. */
BLOCK_INLINE size_t utf16_put(const uint8_t *in, bool is_big_endian, uint8_t *out, size_t *produced)
{
    const uint32_t unit = unit16_at(in, is_big_endian);
    if (is_high_surrogate(unit)) {
        const uint32_t second = unit16_at(in + 2, is_big_endian);
        if (is_low_surrogate(second)) {
            *produced += put_character(point_of_pair(unit, second), out);
            return 4;
        }
    }
    *produced += put_character(unit, out);
    return 2;
}

BLOCK_INLINE assay_coded utf16_decode_order(const assay_utf16_shuffles *shuffles, bool is_big_endian, const uint8_t *in,
                                            size_t count, uint8_t *out, size_t room)
{
    (void)shuffles;
    /* A block has 32 units. A pair at its end extends two bytes into the next block, which then begins after the pair.
     * Each unit becomes up to three bytes, and a store writes up to 15 more. */
    size_t i = 0, o = 0;
    while (count - i >= 64 + 64 && room - o >= 3 * 64 + 16) {
        if (utf16_narrow(in + i, is_big_endian, out + o)) {
            i += 64;
            o += 32;
            continue;
        }
        const size_t end = i + 64;
        while (i < end) {
#ifdef BLOCK_HAS_UTF16
            const size_t group_end = i + 2 * utf16_group_units;
            const size_t written = utf16_group(shuffles, in + i, is_big_endian, out + o);
            if (written != 0) {
                i = group_end;
                o += written;
                continue;
            }
#else
            const size_t group_end = end;
#endif
            while (i < group_end) {
                size_t produced = 0;
                i += utf16_put(in + i, is_big_endian, out + o, &produced);
                o += produced;
            }
        }
    }
    return (assay_coded){i, o};
}

BLOCK_TARGET static assay_coded utf16_decode_blocks(const assay_utf16_shuffles *shuffles, bool is_big_endian,
                                                    const uint8_t *in, size_t count, uint8_t *out, size_t room)
{
    return is_big_endian ? utf16_decode_order(shuffles, true, in, count, out, room)
                         : utf16_decode_order(shuffles, false, in, count, out, room);
}

/* Converts the ASCII characters at the front to UTF-16 and returns their number. `out` must have room for 2 × `count`
 * bytes. */
BLOCK_TARGET static size_t utf16_widen_blocks(const uint8_t *in, size_t count, bool is_big_endian, uint8_t *out)
{
    size_t i = 0;
    for (; count - i >= 64 && block_is_ascii(block_load(in + i)); i += 64) {
        uint16_t units[64];
        for (size_t k = 0; k < 64; k++) units[k] = in[i + k];
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        const bool swaps = !is_big_endian;
#else
        const bool swaps = is_big_endian;
#endif
        if (swaps) {
            for (size_t k = 0; k < 64; k++) units[k] = (uint16_t)(units[k] << 8);
        }
        memcpy(out + 2 * i, units, sizeof units);
    }
    for (; i < count && in[i] < 0x80; i++) put_unit16(in[i], is_big_endian, out + 2 * i);
    return i;
}
