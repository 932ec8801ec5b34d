/* Decoders and encoders, compared with iconv and with the plain implementations, and round trips. */
#define _XOPEN_SOURCE 700 /* iconv */

#include <iconv.h>
#include <locale.h>

#include "Encodings/assay_characters.h"
#include "Encodings/assay_coding.h"
#include "assay/core.h"
#include "test.h"
#include "test_paths.h"

enum { TEXT_ROOM = 1 << 16 };

typedef struct text {
    uint8_t bytes[TEXT_ROOM];
    size_t count;
} text;

static void append(text *to, const void *bytes, size_t count)
{
    if (!CHECK(count <= TEXT_ROOM - to->count)) exit(EXIT_FAILURE);
    memcpy(to->bytes + to->count, bytes, count);
    to->count += count;
}

static bool check_same(const text *one, const text *other, const char *what)
{
    size_t i = 0;
    while (i < one->count && i < other->count && one->bytes[i] == other->bytes[i]) i++;
    const bool is_same = CHECK(i == one->count && i == other->count);
    if (!is_same) fprintf(stderr, "    %s: %zu and %zu bytes, equal before %zu\n", what, one->count, other->count, i);
    return is_same;
}

/* A copy in memory of exactly its size, so that a sanitizer detects accesses beyond its end. */
static uint8_t *exact_copy(const uint8_t *bytes, size_t count)
{
    uint8_t *copy = malloc(count == 0 ? 1 : count);
    if (copy == NULL) abort();
    if (count > 0) memcpy(copy, bytes, count);
    return copy;
}

/* The size of the next piece of a stream: the unconsumed bytes and some more. */
static size_t next_piece(test_random *random, size_t min, size_t left)
{
    const size_t more =
        random == NULL ? left : 1 + test_random_below(random, test_random_below(random, 4) == 0 ? 600 : 9);
    return min + more < left ? min + more : left;
}

static size_t next_room(test_random *random)
{
    if (random == NULL) return 3 * TEXT_ROOM;
    const uint32_t kind = test_random_below(random, 3);
    return kind == 0 ? test_random_below(random, 40)
                     : ASSAY_CODING_ROOM + test_random_below(random, kind == 1 ? 9 : 900);
}

/* Decodes in steps of random sizes, or in one step if `random` is NULL. */
static void decode(assay_decoder *decoder, const uint8_t *in, size_t count, test_random *random, text *out)
{
    out->count = 0;
    size_t i = 0, min = 0;
    for (;;) {
        const size_t piece = next_piece(random, min, count - i), room = next_room(random);
        const bool is_last = piece == count - i;
        uint8_t *input = exact_copy(in + i, piece), *output = exact_copy(NULL, 0);
        free(output);
        output = malloc(room == 0 ? 1 : room);
        if (output == NULL) abort();
        const assay_coded coded = assay_decoder_step(decoder, input, piece, is_last, output, room);
        CHECK(coded.consumed <= piece && coded.produced <= room);
        /* A step may stop only because the output is full or the input is incomplete. */
        if (room - coded.produced >= ASSAY_CODING_ROOM)
            CHECK(is_last ? coded.consumed == piece : piece - coded.consumed < 8);
        append(out, output, coded.produced);
        free(input);
        free(output);
        i += coded.consumed;
        min = piece - coded.consumed;
        if (is_last && coded.consumed == piece) return;
    }
}

static assay_encoded_status encode(assay_encoder *encoder, const uint8_t *in, size_t count, test_random *random,
                                   text *out)
{
    out->count = 0;
    size_t i = 0, min = 0;
    for (;;) {
        const size_t piece = next_piece(random, min, count - i);
        const size_t room = random == NULL ? TEXT_ROOM : next_room(random);
        const bool is_last = piece == count - i;
        uint8_t *input = exact_copy(in + i, piece), *output = malloc(room == 0 ? 1 : room);
        if (output == NULL) abort();
        const assay_encoded coded = assay_encoder_step(encoder, input, piece, is_last, output, room);
        CHECK(coded.consumed <= piece && coded.produced <= room);
        if (coded.status == ASSAY_ENCODED_OK && room - coded.produced >= ASSAY_CODING_ROOM)
            CHECK(is_last ? coded.consumed == piece : piece - coded.consumed < 4);
        append(out, output, coded.produced);
        free(input);
        free(output);
        if (coded.status != ASSAY_ENCODED_OK) return coded.status;
        i += coded.consumed;
        min = piece - coded.consumed;
        if (is_last && coded.consumed == piece) break;
    }
    uint8_t end[ASSAY_CODING_ROOM];
    append(out, end, assay_encoder_finish(encoder, end, sizeof end));
    return ASSAY_ENCODED_OK;
}

static void decode_plain(const assay_decoder *decoder, const uint8_t *in, size_t count, text *out)
{
    const assay_coded coded = assay_decoder_step_plain(decoder, in, count, true, out->bytes, TEXT_ROOM);
    CHECK_EQUAL(coded.consumed, count);
    out->count = coded.produced;
}

/* Whether iconv of this system lacks the encoding. Without ASSAY_PARTIAL_ICONV, which Scripts/cross-core.sh sets for
 * systems with other C libraries than glibc, the tests then fail. */
static bool is_missing(const char *name)
{
    if (getenv("ASSAY_PARTIAL_ICONV") == NULL) return false;
    if (strcmp(name, "EUC-JP-MS") == 0) {
        /* Some systems only have EUC-JP without JIS X 0212. */
        iconv_t handle = iconv_open("UTF-8", "EUC-JP-MS");
        if (handle == (iconv_t)-1) return true;
        iconv_close(handle);
    }
    assay_decoder *decoder = assay_decoder_create(name);
    assay_encoder *encoder = assay_encoder_create(name);
    const bool has_both = decoder != NULL && encoder != NULL;
    assay_decoder_free(decoder);
    assay_encoder_free(encoder);
    return !has_both;
}

/* Whether iconv of this system lacks the encoding, although Assay does not need iconv for it. */
static bool is_missing_in_iconv(const char *name)
{
    if (getenv("ASSAY_PARTIAL_ICONV") == NULL) return false;
    iconv_t handle = iconv_open("UTF-8", name);
    if (handle == (iconv_t)-1) return true;
    iconv_close(handle);
    return false;
}

/* Opens iconv with the first known name of an encoding. */
static iconv_t open_iconv(const char *from, const char *to)
{
    const assay_encoding *encoding = assay_encoding_find(from);
    iconv_t handle = iconv_open(to, from);
    if (encoding == NULL || encoding->iconv_names == NULL) return handle;
    for (const char *names = encoding->iconv_names; handle == (iconv_t)-1 && *names != '\0';) {
        char name[32] = "";
        const size_t length = strcspn(names, " ");
        memcpy(name, names, length < sizeof name ? length : 0);
        handle = iconv_open(to, name);
        names += length + (names[length] == ' ');
    }
    return handle;
}

/* Returns false if iconv cannot convert the whole input. */
static bool convert(const char *from, const char *to, const uint8_t *in, size_t count, text *out)
{
    iconv_t handle = open_iconv(from, to);
    if (!CHECK(handle != (iconv_t)-1)) return false;
    char *source = (char *)(uintptr_t)in;
    char *target = (char *)out->bytes;
    size_t left = count, room = TEXT_ROOM;
    bool is_done = iconv(handle, &source, &left, &target, &room) != (size_t)-1;
    is_done &= iconv(handle, NULL, NULL, &target, &room) != (size_t)-1;
    out->count = TEXT_ROOM - room;
    iconv_close(handle);
    return is_done;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Names
 * ------------------------------------------------------------------------------------------------------------- */

static void check_names(void)
{
    static const struct {
        const char *name, *usual;
        unsigned unit;
    } names[] = {
        {"utf8", "UTF-8", 0},
        {"UTF-16", "UTF-16LE", 2},
        {"utf_16be", "UTF-16BE", 2},
        {"Utf 32 Le", "UTF-32LE", 4},
        {"latin1", "ISO-8859-1", 1},
        {"ISO_8859-1:1987", "ISO-8859-1", 1},
        {"iso8859-15", "ISO-8859-15", 1},
        {"l9", "ISO-8859-15", 1},
        {"ANSI_X3.4-1968", "US-ASCII", 1},
        {"cp1252", "windows-1252", 1},
        {"Windows-1252", "windows-1252", 1},
        {"x-cp1251", "windows-1251", 1},
        {"TIS-620", "windows-874", 1},
        {"MacRoman", "macintosh", 1},
        {"cp437", "IBM437", 1},
        {"866", "IBM866", 1},
        {"koi8_r", "KOI8-R", 1},
        {"Windows-31J", "Shift_JIS", 0},
        {"CP932", "Shift_JIS", 0},
        {"sjis", "Shift_JIS", 0},
        {"eucJP", "EUC-JP", 0},
        {"GBK", "GB18030", 0},
        {"gb2312", "GB18030", 0},
        {"GB_2312-80", "GB18030", 0},
        {"big5", "Big5", 0},
        {"cp949", "EUC-KR", 0},
        {"ISO-2022-JP", "ISO-2022-JP", 0},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *usual = assay_encoding_name(names[i].name);
        if (!CHECK(usual != NULL && strcmp(usual, names[i].usual) == 0)) fprintf(stderr, "    %s\n", names[i].name);
        CHECK_EQUAL(assay_encoding_unit(names[i].name), names[i].unit);
    }
    static const char *const unknown[] = {"",
                                          "-",
                                          "utf",
                                          "utf-7",
                                          "latin",
                                          "cp1259",
                                          "iso-8859-12",
                                          ("a very long name: "
                                           "0123456789012345678901234567890123456789012345678901234567890123456789")};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        CHECK(assay_encoding_name(unknown[i]) == NULL);
        CHECK(assay_decoder_create(unknown[i]) == NULL);
        CHECK(assay_encoder_create(unknown[i]) == NULL);
        CHECK_EQUAL(assay_encoding_unit(unknown[i]), 0);
    }
    size_t count = 0;
    for (; assay_encoding_at(count) != NULL; count++) {
        const char *name = assay_encoding_at(count);
        CHECK(assay_encoding_name(name) == name);
        if (is_missing(name)) {
            printf("iconv of this system lacks %s\n", name);
            continue;
        }
        assay_decoder *decoder = assay_decoder_create(name);
        assay_encoder *encoder = assay_encoder_create(name);
        if (!CHECK(decoder != NULL && encoder != NULL)) fprintf(stderr, "    %s\n", name);
        assay_decoder_free(decoder);
        assay_encoder_free(encoder);
    }
    CHECK(count >= 40);
    CHECK(assay_encoding_name(NULL) == NULL);
    assay_decoder_free(NULL);
    assay_encoder_free(NULL);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Single bytes
 * ------------------------------------------------------------------------------------------------------------- */

static void check_every_byte(const char *name)
{
    static text ours, theirs;
    assay_decoder *decoder = assay_decoder_create(name);
    if (!CHECK(decoder != NULL)) return;
    for (unsigned b = 0; b < 256; b++) {
        const uint8_t byte = (uint8_t)b;
        decode(decoder, &byte, 1, NULL, &ours);
        const bool is_known = convert(name, "UTF-8", &byte, 1, &theirs);
        /* iconv accepts the control characters of ISO 8859. */
        const bool is_c1 = is_known && theirs.count == 2 && theirs.bytes[0] == 0xC2 && theirs.bytes[1] < 0xA0;
        if (!is_known || is_c1) theirs.count = put_character(escape_of(byte), theirs.bytes);
        /* Apple's own table contains ∆ and its logo, which is in the private use area; see assay_converter.c. */
        if (strcmp(name, "macintosh") == 0 && (b == 0xC6 || b == 0xF0))
            theirs.count = put_character(b == 0xC6 ? 0x2206 : 0xF8FF, theirs.bytes);
        if (!check_same(&ours, &theirs, name)) fprintf(stderr, "    byte %02X\n", b);
    }
    assay_decoder_free(decoder);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Round trips
 * ------------------------------------------------------------------------------------------------------------- */

static uint32_t random_point(test_random *random, uint32_t kind)
{
    switch (kind) {
    case 0:
        return ' ' + test_random_below(random, 95);
    case 1:
        return test_random_below(random, 5) == 0 ? ' ' : 0x430 + test_random_below(random, 32);
    case 2:
        return 0x4E00 + test_random_below(random, 0x5000);
    case 3:
        return 0xD700 + test_random_below(random, 0xA00); /* around surrogates */
    case 4:
        return 0x10000 + test_random_below(random, 0x100000);
    case 5:
        return test_random_below(random, 0x900); /* around 7F and 7FF */
    default:
        return random_point(random, test_random_below(random, 6));
    }
}

/* Runs of characters of one kind each. Some characters are invalid. */
static size_t random_text(test_random *random, const char *name, uint8_t *bytes, size_t max)
{
    const unsigned unit = assay_encoding_unit(name);
    const bool is_big_endian = strstr(name, "BE") != NULL;
    size_t count = 0;
    while (count + 64 * 4 <= max) {
        const uint32_t kind = test_random_below(random, 9);
        for (uint32_t run = 1 + test_random_below(random, 60); run > 0; run--) {
            const uint32_t point = kind >= 7 ? random_point(random, 0) : random_point(random, kind);
            if (unit == 1) {
                const bool is_high = kind != 0 && test_random_below(random, kind == 1 ? 20 : 2) == 0;
                bytes[count++] = (uint8_t)(test_random_below(random, 0x80) | (is_high ? 0x80u : 0));
            } else if (unit == 2 && point >= 0x10000) {
                put_unit16(0xD800 + ((point - 0x10000) >> 10), is_big_endian, bytes + count);
                put_unit16(0xDC00 + (point & 0x3FF), is_big_endian, bytes + count + 2);
                count += 4;
            } else if (unit == 2) {
                put_unit16(point, is_big_endian, bytes + count);
                count += 2;
            } else if (unit == 4) {
                put_unit32(test_random_below(random, 30) == 0 ? point << 8 : point, is_big_endian, bytes + count);
                count += 4;
            } else {
                count += put_character(point, bytes + count);
                if (kind == 6 && test_random_below(random, 8) == 0)
                    bytes[count++] = (uint8_t)test_random_below(random, 256);
            }
        }
    }
    return count;
}

static void check_there_and_back(const char *name)
{
    static text plain, fast, back, original;
    assay_decoder *decoder = assay_decoder_create(name);
    assay_encoder *encoder = assay_encoder_create(name);
    if (!CHECK(decoder != NULL && encoder != NULL)) return;
    test_random random = test_random_of(0x5EED);
    for (int round = 0; round < (test_is_slow() ? 120 : 24); round++) {
        const bool is_noise = round % 4 == 0;
        original.count = random_text(&random, name, original.bytes, test_random_below(&random, 4000) + 300);
        if (is_noise) {
            for (size_t i = 0; i < original.count; i++) original.bytes[i] = (uint8_t)test_random_below(&random, 256);
        }
        original.count -= test_random_below(&random, original.count < 300 ? 1 : 300);
        decode_plain(decoder, original.bytes, original.count, &plain);
        decode(decoder, original.bytes, original.count, NULL, &fast);
        check_same(&plain, &fast, name);
        CHECK(encode(encoder, fast.bytes, fast.count, NULL, &back) == ASSAY_ENCODED_OK);
        check_same(&original, &back, name);
        decode(decoder, original.bytes, original.count, &random, &fast);
        check_same(&plain, &fast, name);
        CHECK(encode(encoder, fast.bytes, fast.count, &random, &back) == ASSAY_ENCODED_OK);
        check_same(&original, &back, name);
    }
    assay_decoder_free(decoder);
    assay_encoder_free(encoder);
}

/* Decodes the input in two steps, cut at every offset. */
static void check_every_cut(const char *name, const uint8_t *in, size_t count, const text *expected)
{
    static text both;
    assay_decoder *decoder = assay_decoder_create(name);
    if (!CHECK(decoder != NULL)) return;
    for (size_t cut = 0; cut <= count; cut++) {
        both.count = 0;
        uint8_t *first = exact_copy(in, cut);
        assay_coded coded = assay_decoder_step(decoder, first, cut, false, both.bytes, TEXT_ROOM);
        free(first);
        CHECK(coded.consumed <= cut && cut - coded.consumed < 8);
        both.count = coded.produced;
        uint8_t *second = exact_copy(in + coded.consumed, count - coded.consumed);
        const size_t left = count - coded.consumed;
        coded = assay_decoder_step(decoder, second, left, true, both.bytes + both.count, TEXT_ROOM - both.count);
        free(second);
        CHECK_EQUAL(coded.consumed, left);
        both.count += coded.produced;
        if (!check_same(expected, &both, name)) fprintf(stderr, "    cut at %zu\n", cut);
    }
    assay_decoder_free(decoder);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Cases with expected results
 * ------------------------------------------------------------------------------------------------------------- */

typedef struct coding_case {
    const char *name;
    const char *in;
    size_t in_count;
    const char *out;
    size_t out_count;
} coding_case;

#define CASE(name, in, out)                                                                                            \
    {                                                                                                                  \
        name, in, sizeof in - 1, out, sizeof out - 1                                                                   \
    }

static const coding_case decoded[] = {
    CASE("windows-1252", "M\xFCller \x80", "Müller €"),
    CASE("windows-1252", "x\x81y", "x\xED\xB2\x81y"),
    CASE("ISO-8859-1", "\x85\xA0", "\xED\xB2\x85\xC2\xA0"),
    CASE("ISO-8859-15", "\x80\x9F", "\xED\xB2\x80\xED\xB2\x9F"),
    CASE("US-ASCII", "a\xE4", "a\xED\xB3\xA4"),
    CASE("windows-1258", "a\xCC", "a\xCC\x80"),
    CASE("UTF-16LE", "a\0\x3D\xD8\0\xDE", "a😀"),
    CASE("UTF-16BE", "\0a\xD8\x3D\xDE\0", "a😀"),
    CASE("UTF-16LE",
         "\x3D\xD8"
         "a\0",
         "\xED\xA0\xBD"
         "a"),
    CASE("UTF-16LE", "\0\xDE\x3D\xD8", "\xED\xB8\x80\xED\xA0\xBD"),
    CASE("UTF-16LE", "a\0b", "a\xE0\x81\xA2"),
    CASE("UTF-16BE", "\xD8\x3D\xDE", "\xED\xA0\xBD\xE0\x83\x9E"),
    CASE("UTF-16LE", "\xFF\xFE", "\xEF\xBB\xBF"),
    CASE("UTF-32LE", "\0\xF6\x01\0", "😀"),
    CASE("UTF-32BE", "\0\x01\xF6\0\0\0\0a", "😀a"),
    CASE("UTF-32BE", "\0\0\xD8\0", "\xED\xA0\x80"),
    CASE("UTF-32BE", "\0\0\xDC\x41", "\xED\xB0\x80\xED\xB0\x80\xED\xB3\x9C\xED\xB1\x81"),
    CASE("UTF-32BE", "\0\x11\0\0\x01", "\xED\xB0\x80\xED\xB0\x91\xED\xB0\x80\xED\xB0\x80\xED\xB0\x81"),
    CASE("UTF-8", "é\xC3", "é\xED\xB3\x83"),
    CASE("UTF-8", "\xED\xB0\x80", "\xED\xB3\xAD\xED\xB2\xB0\xED\xB2\x80"),
    CASE("Shift_JIS", "\x93\xFA\x96\x7B\\~\xB1\x87\x40", "日本\\~ｱ①"),
    CASE("Shift_JIS", "a\x93", "a\xED\xB2\x93"),
    CASE("Shift_JIS", "\xFD\x81\x20", "\xED\xB3\xBD\xED\xB2\x81 "),
    CASE("EUC-JP", "\xC6\xFC\xCB\xDC\x8E\xB1", "日本ｱ"),
    CASE("EUC-JP-MS", "\x8E\xB1\x8F\xB0\xA1", "ｱ丂"),
    CASE("EUC-JP", "\x8F\xB0", "\xED\xB2\x8F\xED\xB2\xB0"),
    CASE("GB18030", "\xD6\xD0\xCE\xC4\x81\x30\x81\x30\x94\x39\xFC\x36", "中文\xC2\x80😀"),
    CASE("GB18030", "\x81\x30\x81",
         "\xED\xB2\x81"
         "0\xED\xB2\x81"),
    CASE("GBK", "\xD6\xFF", "\xED\xB3\x96\xED\xB3\xBF"),
    CASE("Big5", "\xA4\xA4\xA4\xE5", "中文"),
    CASE("EUC-KR", "\xC7\xD1\xB1\xDB\x8C\x63", "한글똠"),
    CASE("ISO-2022-JP", "a\x1B$BF|K\\\x1B(Bb", "a日本b"),
    CASE("ISO-2022-JP", "a\xE4\x1B?", "a\xED\xB3\xA4\xED\xB0\x9B?"),
};

static void check_decoded(void)
{
    static text expected;
    for (size_t i = 0; i < sizeof decoded / sizeof decoded[0]; i++) {
        const coding_case *it = &decoded[i];
        if (is_missing(it->name)) continue;
        expected.count = 0;
        append(&expected, it->out, it->out_count);
        check_every_cut(it->name, (const uint8_t *)it->in, it->in_count, &expected);
    }
}

static void check_refused(void)
{
    static const struct {
        const char *name, *in;
        size_t consumed, length;
        assay_encoded_status status;
    } refused[] = {
        {"windows-1252", "aж", 1, 2, ASSAY_ENCODED_NO_CHARACTER},
        {"windows-1252", "a😀", 1, 4, ASSAY_ENCODED_NO_CHARACTER},
        {"windows-1252", "\xC2\x81", 0, 2, ASSAY_ENCODED_NO_CHARACTER},
        {"ISO-8859-1", "é\xC2\x81", 2, 2, ASSAY_ENCODED_NO_CHARACTER},
        {"windows-1252", "é\xC3(", 2, 1, ASSAY_ENCODED_ILL_FORMED},
        {"windows-1252", "ab\xC3", 2, 1, ASSAY_ENCODED_ILL_FORMED},
        {"windows-1252", "\xED\xA0\x80", 0, 3, ASSAY_ENCODED_NO_CHARACTER},
        {"US-ASCII", "é", 0, 2, ASSAY_ENCODED_NO_CHARACTER},
        {"UTF-8", "é\xED\xA0\x80", 2, 3, ASSAY_ENCODED_NO_CHARACTER},
        {"UTF-16LE", "é\xFF", 2, 1, ASSAY_ENCODED_ILL_FORMED},
        {"UTF-32LE", "é\xE2\x82", 2, 1, ASSAY_ENCODED_ILL_FORMED},
        {"Shift_JIS", "日😀", 3, 4, ASSAY_ENCODED_NO_CHARACTER},
        {"Shift_JIS", "日\xF3\xA0\x81\x81", 3, 4, ASSAY_ENCODED_NO_CHARACTER},
        {"Shift_JIS", "日\xED\xA0\x80", 3, 3, ASSAY_ENCODED_NO_CHARACTER},
        {"EUC-KR", "한\xFF", 3, 1, ASSAY_ENCODED_ILL_FORMED},
        {"EUC-KR", "한\xED\x95", 3, 1, ASSAY_ENCODED_ILL_FORMED},
        {"ISO-2022-JP", "a日ü", 4, 2, ASSAY_ENCODED_NO_CHARACTER},
        {"ISO-2022-JP", "日a\x1B", 4, 1, ASSAY_ENCODED_NO_CHARACTER},
        {"Big5", "中😀", 3, 4, ASSAY_ENCODED_NO_CHARACTER},
        {"GB18030", "中\xED\xA0\x80", 3, 3, ASSAY_ENCODED_NO_CHARACTER},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        if (is_missing(refused[i].name)) continue;
        assay_encoder *encoder = assay_encoder_create(refused[i].name);
        if (!CHECK(encoder != NULL)) continue;
        uint8_t out[64];
        const assay_encoded coded =
            assay_encoder_step(encoder, (const uint8_t *)refused[i].in, strlen(refused[i].in), true, out, sizeof out);
        bool is_right = CHECK_EQUAL(coded.consumed, refused[i].consumed);
        is_right &= CHECK_EQUAL(coded.length, refused[i].length);
        is_right &= CHECK_EQUAL(coded.status, refused[i].status);
        if (!is_right) fprintf(stderr, "    case %zu, %s\n", i, refused[i].name);
        assay_encoder_free(encoder);
    }
}

static void check_finish(void)
{
    if (is_missing("ISO-2022-JP")) return;
    assay_encoder *encoder = assay_encoder_create("ISO-2022-JP");
    if (!CHECK(encoder != NULL)) return;
    static text out;
    for (int round = 0; round < 2; round++) {
        CHECK(encode(encoder, (const uint8_t *)"a日本", strlen("a日本"), NULL, &out) == ASSAY_ENCODED_OK);
        /* musl returns to ASCII after each character. */
        static const char once[] = "a\x1B$BF|K\\\x1B(B", each[] = "a\x1B$BF|\x1B(B\x1B$BK\\\x1B(B";
        CHECK((out.count == sizeof once - 1 && memcmp(out.bytes, once, sizeof once - 1) == 0) ||
              (out.count == sizeof each - 1 && memcmp(out.bytes, each, sizeof each - 1) == 0));
    }
    CHECK_EQUAL(assay_encoder_finish(encoder, out.bytes, ASSAY_CODING_ROOM), 0);
    assay_encoder_free(encoder);
}

/* Regression: a decoder whose last step had little room kept its state, and decoded the next stream as JIS X 0208. */
static void check_ready_for_another(void)
{
    if (is_missing("ISO-2022-JP")) return;
    assay_decoder *decoder = assay_decoder_create("ISO-2022-JP");
    if (!CHECK(decoder != NULL)) return;
    for (size_t room = 0; room < 40; room++) {
        uint8_t out[40];
        const assay_coded first = assay_decoder_step(decoder, (const uint8_t *)"a\x1B$BF|", 6, true, out, room);
        if (first.consumed < 6) continue;
        CHECK(first.produced == 4 && memcmp(out, "a日", 4) == 0);
        const assay_coded second = assay_decoder_step(decoder, (const uint8_t *)"F|", 2, true, out, sizeof out);
        CHECK(second.consumed == 2 && second.produced == 2 && memcmp(out, "F|", 2) == 0);
    }
    assay_decoder_free(decoder);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Sequences, compared with iconv
 * ------------------------------------------------------------------------------------------------------------- */

static void check_samples(void)
{
    static const struct {
        const char *name, *iconv_name, *sample;
    } samples[] = {
        {"Shift_JIS", "CP932", "名前,住所\n山田太郎,東京都千代田区\nｱｲｳ,カタカナ ひらがな ①②㈱ a\\b~\n"},
        {"EUC-JP", "EUC-JP-MS", "名前,住所\n山田太郎,東京都千代田区\nカタカナ ひらがな ①② plain ASCII text here 丂\n"},
        {"ISO-2022-JP", "ISO-2022-JP", "名前,住所\n山田太郎,東京都千代田区\nplain text カタカナ\n"},
        {"GB18030", "GB18030", "姓名,地址\n王伟,北京市朝阳区 plain ASCII text of some length 😀é €\n"},
        {"Big5", "BIG5", "姓名,地址\n王偉,臺北市信義區 plain ASCII text of some length\n許功蓋\n"},
        {"EUC-KR", "UHC", "이름,주소\n김철수,서울특별시 plain ASCII text of some length 똠방각하\n"},
    };
    static text original, coded, mine, expected;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const char *name = samples[i].name;
        if (is_missing(samples[i].iconv_name)) continue;
        original.count = 0;
        for (int k = 0; k < 30; k++) append(&original, samples[i].sample, strlen(samples[i].sample));
        if (!CHECK(convert("UTF-8", samples[i].iconv_name, original.bytes, original.count, &coded))) continue;
        assay_decoder *decoder = assay_decoder_create(name);
        assay_encoder *encoder = assay_encoder_create(name);
        if (!CHECK(decoder != NULL && encoder != NULL)) continue;
        test_random random = test_random_of(i + 1);
        for (int round = 0; round < (test_is_slow() ? 40 : 10); round++) {
            decode(decoder, coded.bytes, coded.count, round == 0 ? NULL : &random, &mine);
            check_same(&original, &mine, name);
            CHECK(encode(encoder, original.bytes, original.count, round == 0 ? NULL : &random, &mine) ==
                  ASSAY_ENCODED_OK);
            check_same(&coded, &mine, name);
        }
        /* With errors, and then with noise: the result must not depend on the steps. */
        for (int round = test_is_slow() ? 0 : 30; round < 60; round += test_is_slow() ? 1 : 2) {
            for (size_t k = 0; k < coded.count; k++) {
                if (round >= 40 || test_random_below(&random, 50) == 0)
                    coded.bytes[k] = (uint8_t)test_random_below(&random, 256);
            }
            decode(decoder, coded.bytes, coded.count, NULL, &expected);
            decode(decoder, coded.bytes, coded.count, &random, &mine);
            check_same(&expected, &mine, name);
        }
        decode(decoder, coded.bytes, 400, NULL, &expected);
        check_every_cut(name, coded.bytes, 400, &expected);
        assay_decoder_free(decoder);
        assay_encoder_free(encoder);
    }
}

/* Characters in Japanese encodings that iconv replaces by similar ones: ¢ £ ¥ ¦ ¬ — ‖ ‾ − ～. */
static bool has_double(const char *name, uint32_t point)
{
    static const uint32_t points[] = {0xA2, 0xA3, 0xA5, 0xA6, 0xAC, 0x2014, 0x2016, 0x203E, 0x2212, 0x301C};
    if (strcmp(name, "Shift_JIS") != 0 && strcmp(name, "EUC-JP") != 0) return false;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        if (points[i] == point) return true;
    }
    return false;
}

/* If an encoder accepts a character, decoding returns the same character: encoders never drop or replace characters
   silently. */
static void check_every_point(const char *name)
{
    assay_decoder *decoder = assay_decoder_create(name);
    assay_encoder *encoder = assay_encoder_create(name);
    if (!CHECK(decoder != NULL && encoder != NULL)) return;
    for (uint32_t point = 0; point < 0x30000 || point < 0xE0200; point++) {
        if (is_surrogate(point)) continue;
        if (point == 0x30000) point = 0xDFF00;
        uint8_t in[4], coded[64], back[64];
        const size_t length = put_character(point, in);
        const assay_encoded there = assay_encoder_step(encoder, in, length, true, coded, sizeof coded);
        if (there.status == ASSAY_ENCODED_NO_CHARACTER) continue;
        CHECK(there.status == ASSAY_ENCODED_OK && there.consumed == length);
        const size_t count = there.produced + assay_encoder_finish(encoder, coded + there.produced, ASSAY_CODING_ROOM);
        const assay_coded again = assay_decoder_step(decoder, coded, count, true, back, sizeof back);
        if (has_double(name, point)) continue;
        if (!CHECK(again.produced == length && memcmp(back, in, length) == 0))
            fprintf(stderr, "    %s: U+%04X\n", name, (unsigned)point);
    }
    assay_decoder_free(decoder);
    assay_encoder_free(encoder);
}

/* The odd byte at the end of UTF-16 is written as that byte, but in UTF-16 only if no characters follow, so that
   later units remain aligned. */
static void check_odd_byte(void)
{
    static const struct {
        const char *name, *in, *out;
        size_t count;
    } cases[] = {
        {"UTF-16LE", "x\xE0\x81\xA2", "x\0b", 3},    {"UTF-16LE", "x\xE0\x81\xA2\n", "x\0\x62\xDC\n\0", 6},
        {"UTF-16BE", "x\xE0\x83\xA9", "\0x\xE9", 3}, {"UTF-16BE", "x\xE0\x83\xA9,", "\0x\xDC\xE9\0,", 6},
        {"UTF-8", "x\xE0\x83\xA9,", "x\xE9,", 3},    {"windows-1252", "x\xE0\x80\x80,", "x\0,", 3},
        {"GB18030", "x\xE0\x83\xA9,", "x\xE9,", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (is_missing(cases[i].name)) continue;
        assay_encoder *encoder = assay_encoder_create(cases[i].name);
        if (!CHECK(encoder != NULL)) continue;
        const uint8_t *in = (const uint8_t *)cases[i].in;
        const size_t count = strlen(cases[i].in);
        /* In two steps, cut at every offset. */
        for (size_t cut = 0; cut <= count; cut++) {
            uint8_t out[64];
            const assay_encoded first = assay_encoder_step(encoder, in, cut, false, out, sizeof out);
            CHECK_EQUAL(first.status, ASSAY_ENCODED_OK);
            const assay_encoded rest = assay_encoder_step(encoder, in + first.consumed, count - first.consumed, true,
                                                          out + first.produced, sizeof out - first.produced);
            CHECK_EQUAL(rest.status, ASSAY_ENCODED_OK);
            if (!CHECK(first.produced + rest.produced == cases[i].count &&
                       memcmp(out, cases[i].out, cases[i].count) == 0))
                fprintf(stderr, "    %s, case %zu, cut at %zu\n", cases[i].name, i, cut);
        }
        assay_encoder_free(encoder);
    }
}

int main(void)
{
    setlocale(LC_CTYPE, "C.UTF-8"); /* for iconv of WASI */
    check_names();
    check_odd_byte();
    check_refused();
    check_finish();
    check_ready_for_another();
    for (size_t p = 0; test_select_cpu(p); p++) {
        check_decoded();
        check_samples();
        for (size_t i = 0; assay_encoding_at(i) != NULL; i++) {
            const char *name = assay_encoding_at(i);
            if (is_missing(name)) continue;
            const bool has_both = !is_missing_in_iconv(name) || assay_encoding_find(name)->iconv_names != NULL;
            if (assay_encoding_unit(name) == 1 && has_both) check_every_byte(name);
            if (assay_encoding_unit(name) != 0 || strcmp(name, "UTF-8") == 0) check_there_and_back(name);
            if (assay_cpu_at(p + 1) == NULL) check_every_point(name);
        }
    }
    return test_result();
}
