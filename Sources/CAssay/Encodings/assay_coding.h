/* assay_coding.h: decoders and encoders inside, and the plain ways, which define what the fast ones do. */
#ifndef ASSAY_CODING_H
#define ASSAY_CODING_H

#include "Encodings/assay_encoding_list.h"
#include "Encodings/assay_utf16_shuffles.h"
#include "assay/core.h"

struct assay_kernels;

/* What a byte of a single-byte encoding stands for: UTF-8, 1 to 3 bytes. */
typedef struct assay_byte_text {
    uint8_t text[3];
    uint8_t length;
} assay_byte_text;

/* One direction of iconv. Zero: none. */
typedef struct assay_converter {
    void *handle;
    bool is_open;
} assay_converter;

struct assay_decoder {
    const assay_encoding *encoding;
    bool keeps_ascii; /* outside of sequences, bytes below 80 are themselves */
    union {
        assay_byte_text bytes[256];    /* encoding_bytes */
        assay_utf16_shuffles shuffles; /* encoding_utf16 */
        assay_converter converter;     /* encoding_sequences, encoding_stateful */
    };
};

struct assay_encoder {
    const assay_encoding *encoding;
    bool keeps_ascii;
    uint8_t *bytes; /* encoding_bytes: of each code point below 10000; 0: none, but for `zero` */
    uint32_t zero;  /* the code point of byte 0 */
    bool loses_tags;
    assay_converter converter;
};

/* As assay_decoder_step, one byte, unit or character at a time. Not for those by iconv. */
assay_coded assay_decoder_step_plain(const assay_decoder *decoder, const uint8_t *in, size_t in_count, bool is_last,
                                     uint8_t *out, size_t out_room);

/* The table of a single-byte encoding, by iconv. Returns false if iconv does not know it. */
bool assay_byte_table_fill(const assay_encoding *encoding, assay_byte_text bytes[256]);

/* Whether the entries below 80 are ASCII. */
bool assay_byte_table_keeps_ascii(const assay_byte_text bytes[256]);

/* By iconv; `to_utf8` or from it. */
bool assay_converter_open(assay_converter *converter, const assay_encoding *encoding, bool to_utf8);
void assay_converter_close(assay_converter *converter);
/* Whether language tags, U+E0000 to U+E007F, are left out without a word. */
bool assay_converter_loses_tags(assay_converter *converter);
/* Back to the beginning. Writes what that takes, if there is room for it. */
size_t assay_converter_reset(assay_converter *converter, uint8_t *out, size_t room);
assay_coded assay_converter_decode(assay_decoder *decoder, const struct assay_kernels *kernels, const uint8_t *in,
                                   size_t count, bool is_last, uint8_t *out, size_t room);
assay_encoded assay_converter_encode(assay_encoder *encoder, const struct assay_kernels *kernels, const uint8_t *in,
                                     size_t count, bool is_last, uint8_t *out, size_t room);

/* Whether the bytes are the beginning of a well-formed character, and not all of it. */
bool assay_utf8_is_unfinished(const uint8_t *bytes, size_t count);

/* The same of what assay_point_at takes. */
bool assay_point_is_unfinished(const uint8_t *bytes, size_t count);

/* The code point at the front, a surrogate in three bytes included. Returns its length, 0 if there is none. */
size_t assay_point_at(const uint8_t *bytes, size_t count, uint32_t *point);

#endif
