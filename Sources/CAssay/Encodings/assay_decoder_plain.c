/* Decoding one byte, unit or character at a time. The reference for the kernels. */
#include <string.h>

#include "Bytes/assay_utf8.h"
#include "Encodings/assay_characters.h"
#include "Encodings/assay_coding.h"

static assay_coded decode_bytes(const assay_byte_text *bytes, const uint8_t *in, size_t count, uint8_t *out,
                                size_t room)
{
    assay_coded coded = {0, 0};
    for (; coded.consumed < count && room - coded.produced >= ASSAY_CODING_ROOM; coded.consumed++) {
        const assay_byte_text *entry = &bytes[in[coded.consumed]];
        memcpy(out + coded.produced, entry->text, entry->length);
        coded.produced += entry->length;
    }
    return coded;
}

static assay_coded decode_utf16(bool is_big_endian, const uint8_t *in, size_t count, bool is_last, uint8_t *out,
                                size_t room)
{
    assay_coded coded = {0, 0};
    while (coded.consumed < count && room - coded.produced >= ASSAY_CODING_ROOM) {
        const uint8_t *next = in + coded.consumed;
        const size_t left = count - coded.consumed;
        if (left == 1) {
            if (!is_last) break;
            coded.produced += put_odd_byte(*next, out + coded.produced);
            coded.consumed++;
            break;
        }
        uint32_t point = unit16_at(next, is_big_endian);
        size_t length = 2;
        if (is_high_surrogate(point)) {
            if (left < 4 && !is_last) break;
            const uint32_t second = left < 4 ? 0 : unit16_at(next + 2, is_big_endian);
            if (is_low_surrogate(second)) {
                point = point_of_pair(point, second);
                length = 4;
            }
        }
        coded.produced += put_character(point, out + coded.produced);
        coded.consumed += length;
    }
    return coded;
}

static assay_coded decode_utf32(bool is_big_endian, const uint8_t *in, size_t count, bool is_last, uint8_t *out,
                                size_t room)
{
    assay_coded coded = {0, 0};
    while (coded.consumed < count && room - coded.produced >= ASSAY_CODING_ROOM) {
        const uint8_t *next = in + coded.consumed;
        const size_t left = count - coded.consumed;
        if (left < 4 && !is_last) break;
        const uint32_t point = left < 4 ? UINT32_MAX : unit32_at(next, is_big_endian);
        if (point <= 0x10FFFF && !is_escape(point)) {
            coded.produced += put_character(point, out + coded.produced);
            coded.consumed += 4;
        } else {
            for (size_t i = 0; i < 4 && i < left; i++, coded.consumed++)
                coded.produced += put_character(escape_of(next[i]), out + coded.produced);
        }
    }
    return coded;
}

static assay_coded decode_utf8(const uint8_t *in, size_t count, bool is_last, uint8_t *out, size_t room)
{
    assay_coded coded = {0, 0};
    while (coded.consumed < count && room - coded.produced >= ASSAY_CODING_ROOM) {
        const uint8_t *next = in + coded.consumed;
        const size_t left = count - coded.consumed;
        const size_t length = assay_utf8_character(next, left);
        if (length == 0 && !is_last && assay_utf8_is_unfinished(next, left)) break;
        if (length == 0) {
            coded.produced += put_character(escape_of(*next), out + coded.produced);
            coded.consumed++;
        } else {
            memcpy(out + coded.produced, next, length);
            coded.produced += length;
            coded.consumed += length;
        }
    }
    return coded;
}

assay_coded assay_decoder_step_plain(const assay_decoder *decoder, const uint8_t *in, size_t in_count, bool is_last,
                                     uint8_t *out, size_t out_room)
{
    const assay_encoding *encoding = decoder->encoding;
    switch (encoding->kind) {
    case encoding_bytes:
        return decode_bytes(decoder->bytes, in, in_count, out, out_room);
    case encoding_utf16:
        return decode_utf16(encoding->is_big_endian, in, in_count, is_last, out, out_room);
    case encoding_utf32:
        return decode_utf32(encoding->is_big_endian, in, in_count, is_last, out, out_room);
    case encoding_utf8:
        return decode_utf8(in, in_count, is_last, out, out_room);
    default:
        return (assay_coded){0, 0};
    }
}

bool assay_utf8_is_unfinished(const uint8_t *bytes, size_t count)
{
    uint64_t state = utf8_between;
    for (size_t i = 0; i < count && i < 4; i++) {
        state = assay_utf8_transitions[bytes[i]] >> state & 63;
        if (state == utf8_wrong || state == utf8_between) return false;
    }
    return count > 0;
}

bool assay_point_is_unfinished(const uint8_t *bytes, size_t count)
{
    const bool is_surrogate_cut = count == 2 && bytes[0] == 0xED && bytes[1] >= 0xA0 && bytes[1] <= 0xBF;
    return is_surrogate_cut || assay_utf8_is_unfinished(bytes, count);
}

size_t assay_point_at(const uint8_t *bytes, size_t count, uint32_t *point)
{
    size_t length = assay_utf8_character(bytes, count);
    if (length == 0) {
        const bool is_lone =
            count >= 3 && bytes[0] == 0xED && bytes[1] >= 0xA0 && bytes[1] <= 0xBF && is_continuation(bytes[2]);
        if (!is_lone) return 0;
    }
    *point = character_at(bytes, &length);
    return length;
}
