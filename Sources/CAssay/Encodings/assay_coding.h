/* assay_coding.h: the internals of decoders and encoders, and the plain decoder, which defines the results. */
#ifndef ASSAY_CODING_H
#define ASSAY_CODING_H

#include "Encodings/assay_encoding_list.h"
#include "Encodings/assay_utf16_shuffles.h"
#include "assay/core.h"

struct assay_kernels;

/* The character of a byte in a single-byte encoding, as 1 to 3 bytes of UTF-8. */
typedef struct assay_byte_text {
    uint8_t text[3];
    uint8_t length;
} assay_byte_text;

/* One direction of iconv. All zeros: closed. */
typedef struct assay_converter {
    void *handle;
    /* The handle that finds characters that iconv replaces: `handle`, unless that has a shift state. NULL: iconv cannot
     * replace characters. */
    void *examiner;
    bool is_open;
} assay_converter;

struct assay_decoder {
    const assay_encoding *encoding;
    bool keeps_ascii; /* outside of sequences, bytes below 80 are ASCII */
    union {
        assay_byte_text bytes[256];    /* encoding_bytes */
        assay_utf16_shuffles shuffles; /* encoding_utf16 */
        assay_converter converter;     /* encoding_sequences, encoding_stateful */
    };
};

struct assay_encoder {
    const assay_encoding *encoding;
    bool keeps_ascii;
    uint8_t *bytes; /* encoding_bytes: the byte of each code point below 10000; 0: no byte, except for `zero` */
    uint32_t zero;  /* the code point of byte 0 */
    bool loses_tags;
    assay_converter converter;
};

/* assay_decoder_step(), one byte, unit or character at a time. Does not support encodings by iconv. */
assay_coded assay_decoder_step_plain(const assay_decoder *decoder, const uint8_t *in, size_t in_count, bool is_last,
                                     uint8_t *out, size_t out_room);

/* Fills the table of a single-byte encoding with iconv. Returns false if iconv does not support the encoding. */
bool assay_byte_table_fill(const assay_encoding *encoding, assay_byte_text bytes[256]);

/* Whether the entries below 80 are ASCII. */
bool assay_byte_table_keeps_ascii(const assay_byte_text bytes[256]);

/* Opens a converter from the encoding to UTF-8, or from UTF-8 to the encoding if `to_utf8` is false. */
bool assay_converter_open(assay_converter *converter, const assay_encoding *encoding, bool to_utf8);
void assay_converter_close(assay_converter *converter);
/* Whether the converter silently drops language tags, U+E0000 to U+E007F. */
bool assay_converter_loses_tags(assay_converter *converter);
/* Resets the shift state. Writes the bytes that this requires, if there is room, and returns their number. */
size_t assay_converter_reset(assay_converter *converter, uint8_t *out, size_t room);
assay_coded assay_converter_decode(assay_decoder *decoder, const struct assay_kernels *kernels, const uint8_t *in,
                                   size_t count, bool is_last, uint8_t *out, size_t room);
assay_encoded assay_converter_encode(assay_encoder *encoder, const struct assay_kernels *kernels, const uint8_t *in,
                                     size_t count, bool is_last, uint8_t *out, size_t room);

/* Whether the bytes are an incomplete well-formed character. */
bool assay_utf8_is_unfinished(const uint8_t *bytes, size_t count);

/* Whether the bytes are an incomplete code point for assay_point_at(). */
bool assay_point_is_unfinished(const uint8_t *bytes, size_t count);

/* Decodes the code point at the front, which may be a surrogate in three bytes. Returns its length, or 0 if the bytes
 * are ill-formed. */
size_t assay_point_at(const uint8_t *bytes, size_t count, uint32_t *point);

#endif
