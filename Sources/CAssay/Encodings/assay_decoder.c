/* Decoders: the kernels decode blocks, assay_decoder_plain.c the remaining bytes. */
#include <stdlib.h>
#include <string.h>

#include "Dispatch/assay_kernels.h"
#include "Encodings/assay_characters.h"
#include "Encodings/assay_coding.h"

/* Fills the tables with indices of bytes to keep, in order; 80 produces a zero. See assay_utf16_shuffles.h. */
static void fill_shuffles(assay_utf16_shuffles *shuffles)
{
    memset(shuffles, 0x80, sizeof *shuffles);
    for (unsigned index = 0; index < 256; index++) {
        uint8_t *next = shuffles->of_8[index];
        for (unsigned unit = 0; unit < 8; unit++) {
            *next++ = (uint8_t)(2 * unit);
            if (index >> unit & 1) *next++ = (uint8_t)(2 * unit + 1);
        }
        next = shuffles->of_4[index];
        for (unsigned unit = 0; unit < 4; unit++) {
            *next++ = (uint8_t)(4 * unit);
            if (index >> unit & 1) *next++ = (uint8_t)(4 * unit + 1);
            if (index >> (4 + unit) & 1) *next++ = (uint8_t)(4 * unit + 2);
        }
    }
}

static bool prepare(assay_decoder *decoder)
{
    switch (decoder->encoding->kind) {
    case encoding_utf8:
    case encoding_utf32:
        return true;
    case encoding_utf16:
        fill_shuffles(&decoder->shuffles);
        return true;
    case encoding_bytes:
        if (!assay_byte_table_fill(decoder->encoding, decoder->bytes)) return false;
        decoder->keeps_ascii = assay_byte_table_keeps_ascii(decoder->bytes);
        return true;
    case encoding_sequences:
    case encoding_stateful:
        decoder->keeps_ascii = decoder->encoding->kind == encoding_sequences;
        return assay_converter_open(&decoder->converter, decoder->encoding, true);
    }
    return false;
}

assay_decoder *assay_decoder_create(const char *name)
{
    const assay_encoding *encoding = assay_encoding_find(name);
    if (encoding == NULL) return NULL;
    assay_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    decoder->encoding = encoding;
    if (prepare(decoder)) return decoder;
    free(decoder);
    return NULL;
}

void assay_decoder_free(assay_decoder *decoder)
{
    if (decoder == NULL) return;
    const assay_encoding_kind kind = decoder->encoding->kind;
    if (kind == encoding_sequences || kind == encoding_stateful) assay_converter_close(&decoder->converter);
    free(decoder);
}

/* Copies well-formed UTF-8 and escapes other bytes. */
static assay_coded decode_utf8(const assay_decoder *decoder, const assay_kernels *kernels, const uint8_t *in,
                               size_t count, bool is_last, uint8_t *out, size_t room)
{
    /* Validate and copy in parts, so that the copy reads the bytes from the cache. */
    enum { PART = 16384 };
    assay_coded coded = {0, 0};
    while (coded.consumed < count && room - coded.produced >= ASSAY_CODING_ROOM) {
        const uint8_t *next = in + coded.consumed;
        const size_t left = count - coded.consumed, left_room = room - coded.produced;
        size_t part = left < left_room ? left : left_room;
        if (part > PART) part = PART;
        const size_t valid = kernels->utf8_valid_prefix(next, part);
        memcpy(out + coded.produced, next, valid);
        coded.consumed += valid;
        coded.produced += valid;
        if (valid == part || room - coded.produced < ASSAY_CODING_ROOM) continue;
        /* The next character is ill-formed or incomplete. Let the plain decoder handle one character or byte. */
        const size_t few = left - valid < 4 ? left - valid : 4;
        const assay_coded one = assay_decoder_step_plain(decoder, next + valid, few, is_last && few == left - valid,
                                                         out + coded.produced, room - coded.produced);
        if (one.consumed == 0) break;
        coded.consumed += one.consumed;
        coded.produced += one.produced;
    }
    return coded;
}

assay_coded assay_decoder_step(assay_decoder *decoder, const uint8_t *in, size_t in_count, bool is_last, uint8_t *out,
                               size_t out_room)
{
    const assay_kernels *kernels = assay_kernels_current();
    const assay_encoding *encoding = decoder->encoding;
    assay_coded coded = {0, 0};
    switch (encoding->kind) {
    case encoding_utf8:
        return decode_utf8(decoder, kernels, in, in_count, is_last, out, out_room);
    case encoding_utf32:
        break;
    case encoding_utf16:
        coded = kernels->utf16_decode(&decoder->shuffles, encoding->is_big_endian, in, in_count, out, out_room);
        break;
    case encoding_bytes:
        if (decoder->keeps_ascii) coded = kernels->bytes_decode(decoder->bytes, in, in_count, out, out_room);
        break;
    case encoding_sequences:
    case encoding_stateful:
        return assay_converter_decode(decoder, kernels, in, in_count, is_last, out, out_room);
    }
    const assay_coded rest = assay_decoder_step_plain(decoder, in + coded.consumed, in_count - coded.consumed, is_last,
                                                      out + coded.produced, out_room - coded.produced);
    return (assay_coded){coded.consumed + rest.consumed, coded.produced + rest.produced};
}
