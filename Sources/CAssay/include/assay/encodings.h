/* assay/encodings.h: text of other encodings to UTF-8 and back. Part of assay/core.h, which includes it.
 *
 *     Müller (windows-1252)   4D FC 6C 6C 65 72      ──► 4D C3 BC 6C 6C 65 72
 *     x‹81›y (windows-1252)   78 81 79               ──► 78 ED B2 81 79
 *
 * What cannot be decoded stays visible and can be undone: each such byte b becomes the lone surrogate U+DC00 + b, in three
 * bytes that are ill-formed UTF-8 on purpose (Python's "surrogateescape"), so that the check of the record finds it. The
 * encoder writes it back as the byte b.
 *   - Single bytes: those without a character, such as 81, 8D, 8F, 90, 9D of windows-1252 (as iconv has it; the WHATWG has C1
 *     controls there), and those of C1 controls, 80 to 9F of
 *     ISO 8859, because a file with these bytes is nearly always in a Windows code page, where they are characters.
 *   - UTF-16: a lone surrogate unit becomes its own three bytes (WTF-8), ED A0 80 to ED BF BF, and is written back as this
 *     unit. An odd byte b at the end becomes U+0000 + b in three bytes, which are too many for it: E0 80 80 to E0 83 BF.
 *     It is written back as this byte where nothing follows it, and as the unit U+DC00 + b otherwise.
 *   - UTF-32: so does a surrogate unit, but one of DC00 to DCFF, or above 10FFFF, becomes four escaped bytes; a rest of one to
 *     three bytes, as many.
 *   - UTF-8: each byte that is not part of a well-formed character.
 *   - All others: the first byte of a wrong sequence, and decoding goes on with the next.
 * So decoding and encoding again gives the same bytes, whatever they are, for single bytes, UTF-8, UTF-16 and UTF-32. The others have
 * several forms of some characters, of which the encoder knows one.
 *
 * A byte order mark is a character like others, U+FEFF.
 *
 * Single-byte tables and East Asian encodings come from iconv(3): glibc, which keeps many of them in a package of its own
 * (such as glibc-gconv-extra), or libiconv (-liconv on Apple's systems, not tried). UTF-8, UTF-16, UTF-32, US-ASCII and
 * ISO-8859-1 need none.
 *
 * Encodings are named by WHATWG labels, and by IANA's names and aliases; case, '-', '_' and ' ' do not matter. Where the two
 * disagree: Shift_JIS is CP932, EUC-KR CP949, GBK and GB2312 are GB18030, TIS-620 is windows-874, and UTF-16 without a byte
 * order is UTF-16LE, as the WHATWG says; ISO-8859-1, -9, -11 and US-ASCII are themselves, as IANA says, where the WHATWG means
 * windows-1252, -1254 and -874. EUC-JP is eucJP-ms, where the system has it. Big5 is without HKSCS.
 *
 * Encoding follows iconv where it writes a character's look-alike: ten of them in Shift_JIS and EUC-JP, such as ¥ as \ and ¢
 * as U+FFE0. */
#ifndef ASSAY_ENCODINGS_H
#define ASSAY_ENCODINGS_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The usual name of an encoding, such as "windows-1252" for "CP1252". NULL: no such encoding. Static storage. */
ASSAY_API const char *assay_encoding_name(const char *name);

/* The usual names, one by one; NULL after the last. Static storage. */
ASSAY_API const char *assay_encoding_at(size_t index);

/* Whether text can be cut at any multiple of so many bytes, and the parts be decoded by different threads: 1 for single bytes,
 * 2 for UTF-16, where a cut must not part a surrogate pair, 4 for UTF-32. 0: it cannot, or there is no such encoding. */
ASSAY_API unsigned assay_encoding_unit(const char *name);

/* With so many bytes of room, a step goes on. */
enum { ASSAY_CODING_ROOM = 16 };

/* How far a step came: bytes taken from the front of the input, and written. Bytes of the output after those may have changed. */
typedef struct assay_coded {
    size_t consumed;
    size_t produced;
} assay_coded;

/* Decodes one stream. Used by one thread at a time. */
typedef struct assay_decoder assay_decoder;

/* NULL: no such encoding, or not on this system, or out of memory. */
ASSAY_API assay_decoder *assay_decoder_create(const char *name);
ASSAY_API void assay_decoder_free(assay_decoder *decoder);

/* Decodes until the input is used up or less than ASSAY_CODING_ROOM bytes of room are left. An unfinished sequence at the end
 * is not consumed: give it again, with more after it. If `is_last` it is escaped, and the decoder is ready for another stream
 * after the step that consumes everything. n bytes become at most 3 n. */
ASSAY_API assay_coded assay_decoder_step(assay_decoder *decoder,
                                         const uint8_t *ASSAY_COUNTED_BY(in_count) in ASSAY_NOESCAPE, size_t in_count,
                                         bool is_last, uint8_t *ASSAY_COUNTED_BY(out_room) out ASSAY_NOESCAPE,
                                         size_t out_room);

/* Why a step of an encoder stopped. */
typedef enum ASSAY_CLOSED_ENUM assay_encoded_status {
    /* The input is used up, but for an unfinished character, or there is no more room. */
    ASSAY_ENCODED_OK = 0,
    /* The encoding does not have the character that comes next. */
    ASSAY_ENCODED_NO_CHARACTER = 1,
    /* What comes next is neither UTF-8 nor what a decoder makes of bytes that it cannot decode. */
    ASSAY_ENCODED_ILL_FORMED = 2,
} assay_encoded_status;

/* How far a step came. If `status` is not ASSAY_ENCODED_OK, in[consumed] begins what stopped it, of `length` bytes: encode
 * something else in its place, and go on after it. */
typedef struct assay_encoded {
    size_t consumed;
    size_t produced;
    size_t length; /* 0 if `status` is ASSAY_ENCODED_OK */
    assay_encoded_status status;
} assay_encoded;

/* Encodes one stream. Used by one thread at a time. */
typedef struct assay_encoder assay_encoder;

/* NULL: no such encoding, or not on this system, or out of memory. */
ASSAY_API assay_encoder *assay_encoder_create(const char *name);
ASSAY_API void assay_encoder_free(assay_encoder *encoder);

/* Encodes UTF-8, and what a decoder has made of bytes that it cannot decode. As assay_decoder_step; an unfinished character is
 * ill-formed if `is_last`. n bytes become at most 4 n. */
ASSAY_API assay_encoded assay_encoder_step(assay_encoder *encoder,
                                           const uint8_t *ASSAY_COUNTED_BY(in_count) in ASSAY_NOESCAPE, size_t in_count,
                                           bool is_last, uint8_t *ASSAY_COUNTED_BY(out_room) out ASSAY_NOESCAPE,
                                           size_t out_room);

/* Writes what the end of the text needs (ISO-2022-JP: back to ASCII), at most ASSAY_CODING_ROOM bytes, and returns how many.
 * The encoder is then ready for another stream. With less room it may do nothing. */
ASSAY_API size_t assay_encoder_finish(assay_encoder *encoder, uint8_t *ASSAY_COUNTED_BY(out_room) out ASSAY_NOESCAPE,
                                      size_t out_room);

#ifdef __cplusplus
}
#endif
#endif
