/* Conversions between UTF-8 and other encodings with iconv(3). */
#define _XOPEN_SOURCE 700 /* iconv */

#include <errno.h>
#include <iconv.h>
#include <string.h>

#include "Dispatch/assay_kernels.h"
#include "Encodings/assay_characters.h"
#include "Encodings/assay_coding.h"

enum {
    /* The min number of bytes per call of iconv: more than the longest sequence. */
    MIN_COUNT = 8,
    /* The max number of bytes per call of iconv. */
    MAX_COUNT = 1024,
    /* Runs of ASCII of this length are copied without iconv. */
    LONG_RUN = 16,
    /* After this number of bytes of such a run, every sequence is complete. */
    SEQUENCE_REST = 3,
};

/* Whether iconv converts to and from UTF-8. In the C library for WASI of 2022, this needs a locale with UTF-8:
 * otherwise characters are lost and lengths are wrong. */
static bool supports_utf8(void)
{
    static const char names[2][11] = {"UTF-8", "ISO-8859-1"};
    char texts[2][3] = {"\xC3\xA9", "\xE9"}; /* é */
    bool is_right = true;
    for (size_t from = 0; from < 2; from++) {
        iconv_t handle = iconv_open(names[1 - from], names[from]);
        if (handle == (iconv_t)-1) return false;
        char out[8] = "", *source = texts[from], *target = out;
        size_t left = strlen(texts[from]), room = sizeof out;
        is_right = is_right && iconv(handle, &source, &left, &target, &room) != (size_t)-1 &&
                   strcmp(out, texts[1 - from]) == 0 && room == sizeof out - strlen(texts[1 - from]);
        iconv_close(handle);
    }
    return is_right;
}

/* Opens the first encoding that iconv supports. `names` are separated by spaces: "CP932" or "EUC-JP-MS EUC-JP". */
static bool open_by_name(const char *names, bool to_utf8, iconv_t *handle)
{
    if (!supports_utf8()) return false;
    while (*names != '\0') {
        char name[32];
        const size_t length = strcspn(names, " ");
        if (length < sizeof name) {
            memcpy(name, names, length);
            name[length] = '\0';
            *handle = to_utf8 ? iconv_open("UTF-8", name) : iconv_open(name, "UTF-8");
            if (*handle != (iconv_t)-1) return true;
        }
        names += length;
        names += *names == ' ';
    }
    return false;
}

/* Calls iconv(3), which in POSIX takes non-const input. Returns 0 or the value of errno, which it restores. Sets
 * *replaced if iconv wrote another character for one that the encoding lacks: POSIX leaves the choice to the system,
 * which then returns the number of such characters. glibc reports EILSEQ instead, and musl writes '*'. */
static int call_iconv(iconv_t handle, const uint8_t *in, size_t count, uint8_t *out, size_t room, assay_coded *coded,
                      bool *replaced)
{
    char *source = (char *)(uintptr_t)in;
    char *target = (char *)out;
    size_t source_left = count, target_left = room;
    const int before = errno;
    const size_t result = iconv(handle, &source, &source_left, &target, &target_left);
    const int error = result == (size_t)-1 ? errno : 0;
    errno = before;
    *replaced = error == 0 && result > 0;
    coded->consumed += count - source_left;
    coded->produced += room - target_left;
    return error;
}

static size_t reset(iconv_t handle, uint8_t *out, size_t room)
{
    char *target = (char *)out;
    size_t left = room;
    if (iconv(handle, NULL, NULL, &target, &left) == (size_t)-1) left = room;
    return room - left;
}

/* The number of bytes before the first character that iconv replaces. Passes one character at a time to `handle`, and
 * ends at errors, because the conversion also ends there. */
static size_t length_before_replaced(iconv_t handle, const uint8_t *in, size_t count)
{
    for (size_t start = 0, length = 1; start + length <= count;) {
        uint8_t out[4 * MIN_COUNT];
        assay_coded coded = {0, 0};
        bool replaced;
        reset(handle, NULL, 0);
        const int error = call_iconv(handle, in + start, length, out, sizeof out, &coded, &replaced);
        if (replaced) return start;
        if (error == 0) {
            start += length;
            length = 1;
        } else if (error != EINVAL || ++length > MIN_COUNT) {
            break;
        }
    }
    return count;
}

/* Converts like call_iconv(), but reports EILSEQ at a character that iconv replaces. If the examiner is not the handle,
 * it tries the input first, because a replaced character would change the shift state of the handle. */
static int convert(const assay_converter *converter, const uint8_t *in, size_t count, uint8_t *out, size_t room,
                   assay_coded *coded)
{
    const iconv_t handle = (iconv_t)converter->handle, examiner = (iconv_t)converter->examiner;
    assay_coded found = {0, 0};
    bool replaced = false;
    if (converter->examiner == NULL) return call_iconv(handle, in, count, out, room, coded, &replaced);
    const bool has_state = examiner != handle;
    uint8_t tried[4 * MAX_COUNT + ASSAY_CODING_ROOM];
    uint8_t *target = has_state ? tried : out;
    const size_t target_room = has_state ? sizeof tried : room;
    if (has_state) reset(examiner, NULL, 0);
    int error = call_iconv(examiner, in, count, target, target_room, &found, &replaced);
    if (error != 0 && found.consumed > 0) {
        /* An error hides the number of characters that were replaced before it. */
        assay_coded again = {0, 0};
        if (has_state) reset(examiner, NULL, 0);
        call_iconv(examiner, in, found.consumed, target, target_room, &again, &replaced);
    }
    if (replaced) count = length_before_replaced(examiner, in, count);
    if (count == 0) return EILSEQ;
    if (replaced || has_state) {
        found = (assay_coded){0, 0};
        error = call_iconv(handle, in, count, out, room, &found, &replaced);
    }
    coded->consumed += found.consumed;
    coded->produced += found.produced;
    return error;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Tables of 256 entries
 * ------------------------------------------------------------------------------------------------------------- */

/* The entries in which glibc differs from Apple's table (ROMAN.TXT of unicode.org, also used by the WHATWG). */
static const struct {
    uint8_t byte;
    uint16_t point;
} roman[] = {{0xC6, 0x2206}, {0xF0, 0xF8FF}};

static void set_entry(assay_byte_text *entry, uint32_t point)
{
    entry->length = (uint8_t)put_character(point, entry->text);
}

static bool fill_characters(const assay_encoding *encoding, assay_byte_text bytes[256])
{
    for (unsigned b = 0; b < 256; b++)
        set_entry(&bytes[b], encoding->iconv_names != NULL || b > encoding->last ? escape_of((uint8_t)b) : b);
    if (encoding->iconv_names == NULL) return true;
    iconv_t handle;
    if (!open_by_name(encoding->iconv_names, true, &handle)) return false;
    const assay_converter converter = {(void *)handle, (void *)handle, true};
    for (unsigned b = 0; b < 256; b++) {
        const uint8_t in = (uint8_t)b;
        uint8_t text[16];
        assay_coded coded = {0, 0};
        reset(handle, text, sizeof text);
        if (convert(&converter, &in, 1, text, sizeof text, &coded) != 0) continue;
        /* glibc holds back a character that may be composed with the next one (windows-1255 and -1258). */
        coded.produced += reset(handle, text + coded.produced, sizeof text - coded.produced);
        if (coded.produced == 0 || coded.produced > sizeof bytes[b].text) continue;
        memcpy(bytes[b].text, text, coded.produced);
        bytes[b].length = (uint8_t)coded.produced;
    }
    iconv_close(handle);
    if (strcmp(encoding->name, "macintosh") == 0) {
        for (size_t i = 0; i < sizeof roman / sizeof roman[0]; i++) set_entry(&bytes[roman[i].byte], roman[i].point);
    }
    return true;
}

/* Whether the character is a C1 control, U+0080 to U+009F. */
static bool is_c1_control(const assay_byte_text *entry)
{
    return entry->length == 2 && entry->text[0] == 0xC2 && entry->text[1] < 0xA0;
}

bool assay_byte_table_fill(const assay_encoding *encoding, assay_byte_text bytes[256])
{
    if (!fill_characters(encoding, bytes)) return false;
    /* The ISO 8859 encodings contain C1 controls, but text does not: a file with these bytes is nearly always in a
     * Windows code page, which assigns quotation marks, dashes and letters to them. */
    for (unsigned b = 0x80; b < 256; b++) {
        if (is_c1_control(&bytes[b])) set_entry(&bytes[b], escape_of((uint8_t)b));
    }
    return true;
}

bool assay_byte_table_keeps_ascii(const assay_byte_text bytes[256])
{
    for (unsigned b = 0; b < 0x80; b++) {
        if (bytes[b].length != 1 || bytes[b].text[0] != b) return false;
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Sequences
 * ------------------------------------------------------------------------------------------------------------- */

void assay_converter_close(assay_converter *converter)
{
    if (!converter->is_open) return;
    if (converter->examiner != NULL && converter->examiner != converter->handle)
        iconv_close((iconv_t)converter->examiner);
    iconv_close((iconv_t)converter->handle);
    converter->is_open = false;
}

bool assay_converter_open(assay_converter *converter, const assay_encoding *encoding, bool to_utf8)
{
    iconv_t handle, other;
    if (!open_by_name(encoding->iconv_names, to_utf8, &handle)) return false;
    *converter = (assay_converter){(void *)handle, (void *)handle, true};
    if (encoding->kind != encoding_stateful) return true;
    /* UTF-8 has all characters, so a decoder does not replace any. */
    converter->examiner = NULL;
    if (to_utf8) return true;
    if (open_by_name(encoding->iconv_names, to_utf8, &other)) {
        converter->examiner = (void *)other;
        return true;
    }
    assay_converter_close(converter);
    return false;
}

size_t assay_converter_reset(assay_converter *converter, uint8_t *out, size_t room)
{
    return reset((iconv_t)converter->handle, out, room);
}

/* The number of bytes to pass to iconv: those before a long run of ASCII, and the bytes of the run that may complete a
 * sequence. The first byte must not be ASCII. */
static size_t length_before_ascii(const uint8_t *in, size_t count)
{
    size_t run = 0;
    for (size_t i = 0; i < count; i++) {
        run = in[i] < 0x80 ? run + 1 : 0;
        if (run == LONG_RUN) return i + 1 - LONG_RUN + SEQUENCE_REST;
    }
    return count;
}

/* The number of bytes to pass to iconv, based on at most four bytes of output per byte. */
static size_t length_that_fits(size_t left, size_t room)
{
    const size_t fitting = room / 4 < MIN_COUNT ? MIN_COUNT : room / 4 < MAX_COUNT ? room / 4 : MAX_COUNT;
    return left < fitting ? left : fitting;
}

assay_coded assay_converter_decode(assay_decoder *decoder, const assay_kernels *kernels, const uint8_t *in,
                                   size_t count, bool is_last, uint8_t *out, size_t room)
{
    const iconv_t handle = (iconv_t)decoder->converter.handle;
    assay_coded coded = {0, 0};
    while (coded.consumed < count && room - coded.produced >= ASSAY_CODING_ROOM) {
        const uint8_t *next = in + coded.consumed;
        const size_t left = count - coded.consumed, left_room = room - coded.produced;
        size_t length = length_that_fits(left, left_room);
        if (decoder->keeps_ascii) {
            const size_t run = kernels->ascii_copy(next, left < left_room ? left : left_room, out + coded.produced);
            if (run > 0) {
                coded.consumed += run;
                coded.produced += run;
                continue;
            }
            length = length_before_ascii(next, length);
        }
        const size_t before = coded.consumed;
        const int error = convert(&decoder->converter, next, length, out + coded.produced, left_room, &coded);
        /* If iconv consumed bytes before an error, the next iteration begins at the error. */
        if (error == 0 || coded.consumed > before) continue;
        /* EINVAL is an incomplete sequence, which the next call can complete only if no bytes follow it here. */
        if (error == E2BIG || (error == EINVAL && length == left && !is_last)) break;
        /* An invalid byte becomes an escape, so that encoding restores it. */
        coded.produced += put_character(escape_of(*next), out + coded.produced);
        coded.consumed++;
    }
    if (is_last && coded.consumed == count) {
        /* The reset must not depend on the remaining room, because the caller does not call again. With glibc it writes
         * no bytes: only single-byte encodings hold back a character, and they do not use this function. */
        uint8_t held[ASSAY_CODING_ROOM];
        const size_t length = reset(handle, held, sizeof held);
        if (length > 0 && length <= room - coded.produced) {
            memcpy(out + coded.produced, held, length);
            coded.produced += length;
        }
        if (decoder->encoding->kind == encoding_stateful) {
            /* The escape sequence for ASCII, because musl does not reset the state. */
            static const uint8_t to_ascii[] = {0x1B, '(', 'B'};
            assay_coded ignored = {0, 0};
            bool replaced;
            call_iconv(handle, to_ascii, sizeof to_ascii, held, sizeof held, &ignored, &replaced);
        }
    }
    return coded;
}

bool assay_converter_loses_tags(assay_converter *converter)
{
    static const uint8_t tag[] = {0xF3, 0xA0, 0x81, 0xA7};
    uint8_t out[ASSAY_CODING_ROOM];
    assay_coded coded = {0, 0};
    const int error = convert(converter, tag, sizeof tag, out, sizeof out, &coded);
    reset((iconv_t)converter->handle, out, sizeof out);
    return error == 0 && coded.produced == 0;
}

/* The number of bytes before the first character that iconv accepts but loses: glibc silently drops language tags, and
 * an ESC in ISO-2022-JP begins an escape sequence. */
static size_t length_before_lost(const assay_encoder *encoder, const uint8_t *in, size_t count)
{
    if (encoder->encoding->kind == encoding_stateful) {
        const uint8_t *escape = memchr(in, 0x1B, count);
        if (escape != NULL) count = (size_t)(escape - in);
    }
    for (size_t i = 0; encoder->loses_tags && i < count; i++) {
        const uint8_t *found = memchr(in + i, 0xF3, count - i);
        if (found == NULL) break;
        i = (size_t)(found - in);
        if (count - i < 3) break; /* incomplete: iconv stops before it, and the next call begins with it */
        if (found[1] == 0xA0 && (found[2] & 0xFE) == 0x80) return i;
    }
    return count;
}

assay_encoded assay_converter_encode(assay_encoder *encoder, const assay_kernels *kernels, const uint8_t *in,
                                     size_t count, bool is_last, uint8_t *out, size_t room)
{
    assay_coded coded = {0, 0};
    assay_encoded_status status = ASSAY_ENCODED_OK;
    size_t length = 0;
    while (coded.consumed < count && room - coded.produced >= ASSAY_CODING_ROOM) {
        const uint8_t *next = in + coded.consumed;
        const size_t left = count - coded.consumed, left_room = room - coded.produced;
        size_t given = length_that_fits(left, left_room);
        if (encoder->keeps_ascii) {
            const size_t run = kernels->ascii_copy(next, left < left_room ? left : left_room, out + coded.produced);
            if (run > 0) {
                coded.consumed += run;
                coded.produced += run;
                continue;
            }
            given = length_before_ascii(next, given);
        }
        given = length_before_lost(encoder, next, given);
        const size_t before = coded.consumed;
        const int error =
            given == 0 ? EILSEQ : convert(&encoder->converter, next, given, out + coded.produced, left_room, &coded);
        if (error == 0 || coded.consumed > before) continue;
        uint32_t point = 0;
        length = assay_point_at(next, left, &point);
        const bool may_be_odd = length == 0 && may_be_odd_byte(next, left);
        if (may_be_odd && left >= ODD_BYTE_LENGTH) {
            point = escape_of(odd_byte_at(next));
            length = ODD_BYTE_LENGTH;
        }
        if (error == E2BIG || (length == 0 && !is_last && (may_be_odd || assay_point_is_unfinished(next, left)))) {
            length = 0;
            break;
        }
        if (length == 0 || !is_escape(point)) {
            status = length == 0 ? ASSAY_ENCODED_ILL_FORMED : ASSAY_ENCODED_NO_CHARACTER;
            length += length == 0;
            break;
        }
        out[coded.produced++] = (uint8_t)point;
        coded.consumed += length;
        length = 0;
    }
    return (assay_encoded){coded.consumed, coded.produced, length, status};
}
