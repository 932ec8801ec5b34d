/* Encoders: UTF-8, with the surrogates of decoders, to other encodings. */
#include <stdlib.h>
#include <string.h>

#include "Bytes/assay_utf8.h"
#include "Dispatch/assay_kernels.h"
#include "Encodings/assay_characters.h"
#include "Encodings/assay_coding.h"

enum { POINTS = 0x10000 };

/* The other way round, by the decoder's table. */
static bool fill_bytes(assay_encoder *encoder)
{
    assay_byte_text texts[256];
    if (!assay_byte_table_fill(encoder->encoding, texts)) return false;
    encoder->bytes = calloc(POINTS, 1);
    if (encoder->bytes == NULL) return false;
    encoder->keeps_ascii = assay_byte_table_keeps_ascii(texts);
    /* Of two bytes for one character the first is taken. */
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
        return assay_converter_open(&encoder->converter, encoder->encoding, false);
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

/* Writes one code point. Returns how many bytes; 0: the encoding does not have it. */
static size_t put(const assay_encoder *encoder, uint32_t point, uint8_t *out)
{
    const bool is_big_endian = encoder->encoding->is_big_endian;
    switch (encoder->encoding->kind) {
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
        return is_surrogate(point) ? 0 : put_point(point, out);
    default:
        if (point >= POINTS || is_surrogate(point)) return 0;
        *out = encoder->bytes[point];
        return *out != 0 || point == encoder->zero;
    }
    return 0;
}

/* What can be taken at once at the front: ASCII, or for UTF-8 all that is well-formed. */
static assay_coded put_run(const assay_encoder *encoder, const assay_kernels *kernels, const uint8_t *in, size_t count,
                           uint8_t *out, size_t room)
{
    switch (encoder->encoding->kind) {
    case encoding_utf8: {
        const size_t valid = kernels->utf8_valid_prefix(in, count < room ? count : room);
        memcpy(out, in, valid);
        return (assay_coded){valid, valid};
    }
    case encoding_utf16: {
        if (*in >= 0x80) break;
        const size_t run =
            kernels->utf16_widen(in, count < room / 2 ? count : room / 2, encoder->encoding->is_big_endian, out);
        return (assay_coded){run, 2 * run};
    }
    case encoding_bytes: {
        if (*in >= 0x80 || !encoder->keeps_ascii) break;
        const size_t run = kernels->ascii_copy(in, count < room ? count : room, out);
        return (assay_coded){run, run};
    }
    default:
        break;
    }
    return (assay_coded){0, 0};
}

assay_encoded assay_encoder_step(assay_encoder *encoder, const uint8_t *in, size_t in_count, bool is_last, uint8_t *out,
                                 size_t out_room)
{
    const assay_kernels *kernels = assay_kernels_current();
    if (encoder->converter.is_open)
        return assay_converter_encode(encoder, kernels, in, in_count, is_last, out, out_room);
    assay_encoded coded = {0, 0, 0, ASSAY_ENCODED_OK};
    while (coded.consumed < in_count && out_room - coded.produced >= ASSAY_CODING_ROOM) {
        const assay_coded run = put_run(encoder, kernels, in + coded.consumed, in_count - coded.consumed,
                                        out + coded.produced, out_room - coded.produced);
        coded.consumed += run.consumed;
        coded.produced += run.produced;
        if (run.consumed > 0) continue;
        const uint8_t *next = in + coded.consumed;
        const size_t left = in_count - coded.consumed;
        uint32_t point = 0;
        size_t length = assay_point_at(next, left, &point);
        if (length == 0 && !is_last && assay_point_is_unfinished(next, left)) break;
        size_t written = length == 0 ? 0 : put(encoder, point, out + coded.produced);
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

size_t assay_encoder_finish(assay_encoder *encoder, uint8_t *out, size_t out_room)
{
    return encoder->converter.is_open ? assay_converter_reset(&encoder->converter, out, out_room) : 0;
}
