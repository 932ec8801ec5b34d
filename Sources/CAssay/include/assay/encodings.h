/* assay/encodings.h: conversion of other encodings to UTF-8 and back. Part of assay/core.h, which includes it.
 *
 *     Müller (windows-1252)   4D FC 6C 6C 65 72      ──► 4D C3 BC 6C 6C 65 72
 *     x‹81›y (windows-1252)   78 81 79               ──► 78 ED B2 81 79
 *
 * Undecodable bytes remain visible and reversible: each such byte b becomes the lone surrogate U+DC00 + b, in three
 * bytes that are deliberately ill-formed UTF-8 (Python's "surrogateescape"), so that the check of the record finds it.
 * The encoder writes it as the byte b again.
 *   - Single bytes: those without a character, such as 81, 8D, 8F, 90, 9D of windows-1252 (as in iconv; the WHATWG maps
 *     them to C1 controls), and the C1 controls, 80 to 9F, of ISO 8859, because a file with these bytes is nearly
 *     always in a Windows code page, in which they are characters.
 *   - UTF-16: a lone surrogate unit becomes its own three bytes (WTF-8), ED A0 80 to ED BF BF, and is written as this
 *     unit again. An odd byte b at the end becomes U+0000 + b in an overlong form of three bytes: E0 80 80 to E0 83 BF.
 *     At the end of the text it is written as this byte again, and elsewhere as the unit U+DC00 + b.
 *   - UTF-32: surrogate units are encoded like those of UTF-16, except that units of DC00 to DCFF, or above 10FFFF,
 *     become four escaped bytes. Each of up to three remaining bytes is escaped.
 *   - UTF-8: each byte that is not part of a well-formed character.
 *   - All others: the first byte of an invalid sequence; decoding continues at the next byte.
 * Decoding and encoding again therefore restores the same bytes, even of invalid text, for single bytes, UTF-8, UTF-16
 * and UTF-32. The other encodings have several forms of some characters, and the encoder writes only one.
 *
 * A byte order mark is an ordinary character, U+FEFF.
 *
 * Single-byte tables and East Asian encodings use iconv(3): glibc, which has many of them in a separate package (such
 * as glibc-gconv-extra), or libiconv (-liconv on Apple's systems, untested). UTF-8, UTF-16, UTF-32, US-ASCII and
 * ISO-8859-1 do not use it.
 *
 * Names are WHATWG labels, IANA names and IANA aliases; case, '-', '_' and ' ' are ignored. If the two disagree, Assay
 * uses the WHATWG's meaning for Shift_JIS (CP932), EUC-KR (CP949), GBK and GB2312 (GB18030), TIS-620 (windows-874) and
 * UTF-16 without a byte order (UTF-16LE). It uses IANA's meaning for ISO-8859-1, -9, -11 and US-ASCII, which the WHATWG
 * treats as windows-1252, -1254 and -874. EUC-JP is eucJP-ms if the system supports it. Big5 excludes HKSCS.
 *
 * Encoding follows iconv if it writes a similar character instead: ten such characters in Shift_JIS and EUC-JP, such as
 * ¥ as \ and ¢ as U+FFE0. */
#ifndef ASSAY_ENCODINGS_H
#define ASSAY_ENCODINGS_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the usual name of an encoding, such as "windows-1252" for "CP1252". NULL: no such encoding. Static
 * storage. */
ASSAY_API const char *assay_encoding_name(const char *name);

/* Returns the usual name with this index; NULL after the last. Static storage. */
ASSAY_API const char *assay_encoding_at(size_t index);

/* Returns the unit, in bytes, for the division of text among threads that decode the parts: 1 for single bytes, 2 for
 * UTF-16, if the division does not separate a surrogate pair, 4 for UTF-32. Parts must begin at multiples of the unit.
 * 0: text cannot be divided, or there is no such encoding. */
ASSAY_API unsigned assay_encoding_unit(const char *name);

/* The number of free output bytes with which a step always makes progress. */
enum { ASSAY_CODING_ROOM = 16 };

/* The numbers of input bytes that a step consumed and of bytes that it wrote. Bytes of the output after these may have
 * changed. */
typedef struct assay_coded {
    size_t consumed;
    size_t produced;
} assay_coded;

/* Decodes one stream. Used by one thread at a time. */
typedef struct assay_decoder assay_decoder;

/* Returns NULL if the encoding is unknown or missing on this system, or when out of memory. */
ASSAY_API assay_decoder *assay_decoder_create(const char *name);
ASSAY_API void assay_decoder_free(assay_decoder *decoder);

/* Decodes until the input ends or less than ASSAY_CODING_ROOM bytes of room remain. An unfinished sequence at the end
 * is not consumed: pass it again together with more bytes. If `is_last`, it is escaped, and the decoder is ready for
 * another stream after the step that consumes the last byte. n bytes become at most 3 n. */
ASSAY_API assay_coded assay_decoder_step(assay_decoder *decoder,
                                         const uint8_t *ASSAY_COUNTED_BY(in_count) in ASSAY_NOESCAPE, size_t in_count,
                                         bool is_last, uint8_t *ASSAY_COUNTED_BY(out_room) out ASSAY_NOESCAPE,
                                         size_t out_room);

/* The reason why a step of an encoder stopped. */
typedef enum ASSAY_CLOSED_ENUM assay_encoded_status {
    /* The input ended, except for an unfinished character, or the output is full. */
    ASSAY_ENCODED_OK = 0,
    /* The encoding does not have the next character. */
    ASSAY_ENCODED_NO_CHARACTER = 1,
    /* The next bytes are not UTF-8 and not an escape that a decoder writes for undecodable bytes. */
    ASSAY_ENCODED_ILL_FORMED = 2,
} assay_encoded_status;

/* The result of a step. If `status` is not ASSAY_ENCODED_OK, the sequence that stopped it begins at in[consumed] and
 * has `length` bytes: encode a replacement and continue after it. */
typedef struct assay_encoded {
    size_t consumed;
    size_t produced;
    size_t length; /* 0 if `status` is ASSAY_ENCODED_OK */
    assay_encoded_status status;
} assay_encoded;

/* Encodes one stream. Used by one thread at a time. */
typedef struct assay_encoder assay_encoder;

/* Returns NULL if the encoding is unknown or missing on this system, or when out of memory. */
ASSAY_API assay_encoder *assay_encoder_create(const char *name);
ASSAY_API void assay_encoder_free(assay_encoder *encoder);

/* Encodes UTF-8, and the escapes of a decoder for undecodable bytes. Works like assay_decoder_step; an unfinished
 * character is ill-formed if `is_last`. n bytes become at most 4 n. */
ASSAY_API assay_encoded assay_encoder_step(assay_encoder *encoder,
                                           const uint8_t *ASSAY_COUNTED_BY(in_count) in ASSAY_NOESCAPE, size_t in_count,
                                           bool is_last, uint8_t *ASSAY_COUNTED_BY(out_room) out ASSAY_NOESCAPE,
                                           size_t out_room);

/* Writes the bytes that must end the text (ISO-2022-JP: the return to ASCII), at most ASSAY_CODING_ROOM, and returns
 * their number. The encoder is then ready for another stream. With less room it may have no effect. */
ASSAY_API size_t assay_encoder_finish(assay_encoder *encoder, uint8_t *ASSAY_COUNTED_BY(out_room) out ASSAY_NOESCAPE,
                                      size_t out_room);

#ifdef __cplusplus
}
#endif
#endif
