/* Encoders from UTF-8, including the surrogates that decoders write for undecodable bytes, to other encodings. */
#include <stdlib.h>
#include <string.h>

#include "Bytes/assay_utf8.h"
#include "Dispatch/assay_kernels.h"
#include "Encodings/assay_characters.h"
#include "Encodings/assay_coding.h"

enum { POINTS = 0x10000 };

/* Inverts the decoder's table. */
static bool fill_bytes(assay_encoder *encoder)
{
    assay_byte_text texts[256];
    if (!assay_byte_table_fill(encoder->encoding, texts)) return false;
    encoder->bytes = calloc(POINTS, 1);
    if (encoder->bytes == NULL) return false;
    encoder->keeps_ascii = assay_byte_table_keeps_ascii(texts);
    /* Descending, so that the lower byte wins if two bytes decode to one character. */
    for (unsigned b = 256; b-- > 0;) {
        uint32_t point = 0;
        assay_point_at(texts[b].text, texts[b].length, &point);
        if (is_surrogate(point)) continue;
        encoder->bytes[point] = (uint8_t)b;
        if (b == 0) encoder->zero = point;
    }
    return true;
}

static bool prepare(assay_encoder *encoder)
{
    switch (encoder->encoding->kind) {
    case encoding_utf8:
    case encoding_utf16:
    case encoding_utf32:
        return true;
    case encoding_bytes:
        return fill_bytes(encoder);
    case encoding_sequences:
    case encoding_stateful:
        encoder->keeps_ascii = encoder->encoding->kind == encoding_sequences;
        if (!assay_converter_open(&encoder->converter, encoder->encoding, false)) return false;
        encoder->loses_tags = assay_converter_loses_tags(&encoder->converter);
        return true;
    }
    return false;
}

assay_encoder *assay_encoder_create(const char *name)
{
    const assay_encoding *encoding = assay_encoding_find(name);
    if (encoding == NULL) return NULL;
    assay_encoder *encoder = calloc(1, sizeof *encoder);
    if (encoder == NULL) return NULL;
    encoder->encoding = encoding;
    if (prepare(encoder)) return encoder;
    assay_encoder_free(encoder);
    return NULL;
}

void assay_encoder_free(assay_encoder *encoder)
{
    if (encoder == NULL) return;
    assay_converter_close(&encoder->converter);
    free(encoder->bytes);
    free(encoder);
}

/* Writes one code point. Returns the number of bytes, or 0 if the encoding lacks the code point. */
static inline size_t put(const assay_encoder *encoder, assay_encoding_kind kind, bool is_big_endian, uint32_t point,
                         uint8_t *out)
{
    switch (kind) {
    case encoding_utf16:
        if (point < 0x10000) {
            put_unit16(point, is_big_endian, out);
            return 2;
        }
        put_unit16(0xD800 + ((point - 0x10000) >> 10), is_big_endian, out);
        put_unit16(0xDC00 + (point & 0x3FF), is_big_endian, out + 2);
        return 4;
    case encoding_utf32:
        if (is_escape(point)) break;
        put_unit32(point, is_big_endian, out);
        return 4;
    case encoding_utf8:
        return is_surrogate(point) ? 0 : put_character(point, out);
    default:
        if (point >= POINTS || is_surrogate(point)) return 0;
        *out = encoder->bytes[point];
        return *out != 0 || point == encoder->zero;
    }
    return 0;
}

/* Encodes a run at the front: ASCII, or for UTF-8 all well-formed bytes. */
static inline assay_coded put_run(const assay_kernels *kernels, assay_encoding_kind kind, bool is_big_endian,
                                  const uint8_t *in, size_t count, uint8_t *out, size_t room)
{
    size_t run = 0;
    switch (kind) {
    case encoding_utf8:
        run = kernels->utf8_valid_prefix(in, count < room ? count : room);
        memcpy(out, in, run);
        return (assay_coded){run, run};
    case encoding_utf16:
        run = kernels->utf16_widen(in, count < room / 2 ? count : room / 2, is_big_endian, out);
        return (assay_coded){run, 2 * run};
    case encoding_bytes:
        run = kernels->ascii_copy(in, count < room ? count : room, out);
        break;
    default:
        break;
    }
    return (assay_coded){run, run};
}

/* Whether put_run() is worth a call. */
static inline bool has_run(const assay_encoder *encoder, assay_encoding_kind kind, const uint8_t *in, size_t count)
{
    uint64_t word = UINT64_MAX;
    if (kind == encoding_utf8) return true;
    if (kind == encoding_utf32 || (kind == encoding_bytes && !encoder->keeps_ascii)) return false;
    if (count >= sizeof word) memcpy(&word, in, sizeof word);
    return (word & 0x8080808080808080u) == 0;
}

/* assay_point_at(), but decodes common characters without a call. */
static inline size_t common_point_at(const uint8_t *in, size_t count, uint32_t *point)
{
    if (in[0] < 0x80) {
        *point = in[0];
        return 1;
    }
    if (in[0] >= 0xC2 && in[0] < 0xE0 && count >= 2 && is_continuation(in[1])) {
        *point = character_of_two(in);
        return 2;
    }
    /* Not E0, because it may begin an overlong form. ED may begin a surrogate, which is allowed here. */
    if (in[0] > 0xE0 && in[0] < 0xF0 && count >= 3 && is_continuation(in[1]) && is_continuation(in[2])) {
        *point = character_of_three(in);
        return 3;
    }
    return assay_point_at(in, count, point);
}

/* Inlined, so that kind and byte order are constants. */
static inline __attribute__((always_inline)) assay_encoded encode(const assay_encoder *encoder,
                                                                  assay_encoding_kind kind, bool is_big_endian,
                                                                  const uint8_t *in, size_t count, bool is_last,
                                                                  uint8_t *out, size_t room)
{
    const assay_kernels *kernels = assay_kernels_current();
    assay_encoded coded = {0, 0, 0, ASSAY_ENCODED_OK};
    while (coded.consumed < count && room - coded.produced >= ASSAY_CODING_ROOM) {
        const uint8_t *next = in + coded.consumed;
        const size_t left = count - coded.consumed;
        if (has_run(encoder, kind, next, left)) {
            const assay_coded run =
                put_run(kernels, kind, is_big_endian, next, left, out + coded.produced, room - coded.produced);
            coded.consumed += run.consumed;
            coded.produced += run.produced;
            if (run.consumed > 0) continue;
        }
        uint32_t point = 0;
        size_t length = common_point_at(next, left, &point);
        const bool may_be_odd = length == 0 && may_be_odd_byte(next, left);
        if (length == 0 && !is_last &&
            (assay_point_is_unfinished(next, left) || (may_be_odd && left <= ODD_BYTE_LENGTH)))
            break;
        /* In UTF-16, an odd byte before other text becomes a unit, so that the following units stay aligned. */
        bool is_at_end = false;
        if (may_be_odd && left >= ODD_BYTE_LENGTH) {
            point = escape_of(odd_byte_at(next));
            length = ODD_BYTE_LENGTH;
            is_at_end = left == ODD_BYTE_LENGTH;
        }
        const bool has_character = length > 0 && !(is_at_end && kind == encoding_utf16);
        size_t written = has_character ? put(encoder, kind, is_big_endian, point, out + coded.produced) : 0;
        if (written == 0 && length > 0 && is_escape(point)) {
            out[coded.produced] = (uint8_t)point;
            written = 1;
        }
        if (written == 0) {
            coded.status = length == 0 ? ASSAY_ENCODED_ILL_FORMED : ASSAY_ENCODED_NO_CHARACTER;
            coded.length = length == 0 ? 1 : length;
            break;
        }
        coded.consumed += length;
        coded.produced += written;
    }
    return coded;
}

assay_encoded assay_encoder_step(assay_encoder *encoder, const uint8_t *in, size_t in_count, bool is_last, uint8_t *out,
                                 size_t out_room)
{
    const bool is_big_endian = encoder->encoding->is_big_endian;
    switch (encoder->encoding->kind) {
    case encoding_utf8:
        return encode(encoder, encoding_utf8, false, in, in_count, is_last, out, out_room);
    case encoding_utf16:
        return is_big_endian ? encode(encoder, encoding_utf16, true, in, in_count, is_last, out, out_room)
                             : encode(encoder, encoding_utf16, false, in, in_count, is_last, out, out_room);
    case encoding_utf32:
        return encode(encoder, encoding_utf32, is_big_endian, in, in_count, is_last, out, out_room);
    case encoding_bytes:
        return encode(encoder, encoding_bytes, false, in, in_count, is_last, out, out_room);
    default:
        return assay_converter_encode(encoder, assay_kernels_current(), in, in_count, is_last, out, out_room);
    }
}

size_t assay_encoder_finish(assay_encoder *encoder, uint8_t *out, size_t out_room)
{
    return encoder->converter.is_open ? assay_converter_reset(&encoder->converter, out, out_room) : 0;
}
