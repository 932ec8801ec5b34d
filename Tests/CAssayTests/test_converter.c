/* Encoders over an iconv that replaces characters which the encoding lacks, as musl's does, compared with encoders over
 * the iconv of this system. */
#define _XOPEN_SOURCE 700 /* iconv */

#include <errno.h>
#include <iconv.h>
#include <locale.h>

#include "Dispatch/assay_kernels.h"
#include "Encodings/assay_characters.h"
#include "Encodings/assay_coding.h"
#include "assay/core.h"
#include "test.h"

static size_t replacing_iconv(iconv_t handle, char **in, size_t *in_left, char **out, size_t *out_left);

/* Compiles the converter again, over replacing_iconv(). */
#define iconv replacing_iconv
#define assay_byte_table_fill other_byte_table_fill
#define assay_byte_table_keeps_ascii other_byte_table_keeps_ascii
#define assay_converter_open other_converter_open
#define assay_converter_close other_converter_close
#define assay_converter_loses_tags other_converter_loses_tags
#define assay_converter_reset other_converter_reset
#define assay_converter_decode other_converter_decode
#define assay_converter_encode other_converter_encode
#include "Encodings/assay_converter.c"
#undef iconv
#undef assay_byte_table_fill
#undef assay_byte_table_keeps_ascii
#undef assay_converter_open
#undef assay_converter_close
#undef assay_converter_loses_tags
#undef assay_converter_reset
#undef assay_converter_decode
#undef assay_converter_encode

/* iconv(3), but writes "*" for a well-formed character that the encoding lacks, and returns the number of such
 * characters. The "*" passes through the handle, so that it changes the shift state. */
static size_t replacing_iconv(iconv_t handle, char **in, size_t *in_left, char **out, size_t *out_left)
{
    size_t replaced = 0;
    for (;;) {
        const size_t result = iconv(handle, in, in_left, out, out_left);
        if (result != (size_t)-1) return result + replaced;
        if (errno != EILSEQ || in == NULL || *in == NULL) return result;
        uint32_t point = 0;
        const size_t length = assay_point_at((const uint8_t *)*in, *in_left, &point);
        if (length == 0 || is_surrogate(point)) {
            errno = EILSEQ;
            return result;
        }
        char star[] = "*";
        char *source = star;
        size_t left = 1;
        if (iconv(handle, &source, &left, out, out_left) == (size_t)-1) return (size_t)-1;
        *in += length;
        *in_left -= length;
        replaced++;
    }
}

typedef assay_encoded encode_step(assay_encoder *encoder, const assay_kernels *kernels, const uint8_t *in, size_t count,
                                  bool is_last, uint8_t *out, size_t room);

enum { MAX_TEXT = 1500, MAX_CODED = 8 * MAX_TEXT };

typedef struct encoded_text {
    uint8_t bytes[MAX_CODED];
    size_t count;
    size_t refused; /* characters */
} encoded_text;

/* Encodes in steps of random sizes and replaces each refused sequence by "?". */
static void encode_text(assay_encoder *encoder, encode_step *step, const uint8_t *in, size_t count, uint64_t seed,
                        encoded_text *result)
{
    test_random random = {seed};
    result->count = result->refused = 0;
    for (size_t i = 0, more = 1; i < count;) {
        const size_t left = count - i;
        more += test_random_below(&random, test_random_below(&random, 4) == 0 ? 700 : 9);
        const size_t given = more < left ? more : left;
        const size_t room = ASSAY_CODING_ROOM + test_random_below(&random, 900);
        if (!CHECK(room <= sizeof result->bytes - result->count)) return;
        const assay_encoded coded =
            step(encoder, assay_kernels_current(), in + i, given, given == left, result->bytes + result->count, room);
        i += coded.consumed;
        result->count += coded.produced;
        more = coded.consumed == 0 ? given + 1 : 1;
        if (coded.status == ASSAY_ENCODED_OK) continue;
        i += coded.length;
        result->refused++;
        const assay_encoded mark = step(encoder, assay_kernels_current(), (const uint8_t *)"?", 1, true,
                                        result->bytes + result->count, sizeof result->bytes - result->count);
        CHECK_EQUAL(mark.status, ASSAY_ENCODED_OK);
        result->count += mark.produced;
    }
}

/* ASCII, kana and ideographs, which the encodings contain, with characters that most encodings lack, and ill-formed
 * bytes. */
static size_t random_text(test_random *random, uint8_t *text)
{
    size_t count = 0;
    while (count + 8 < MAX_TEXT) {
        uint32_t point = ' ' + test_random_below(random, 95);
        switch (test_random_below(random, 12)) {
        case 0:
            point = 0x1F600 + test_random_below(random, 40);
            break;
        case 1:
            point = 0x80 + test_random_below(random, 0x500);
            break;
        case 2:
            if (test_random_below(random, 8) == 0) text[count++] = 0xC3;
            break;
        case 3:
        case 4:
        case 5:
            point = 0x4E00 + test_random_below(random, 0x800);
            break;
        case 6:
        case 7:
        case 8:
            point = 0x3041 + test_random_below(random, 80);
            break;
        default:
            break;
        }
        count += put_character(point, text + count);
    }
    return count;
}

static void check_encoding(const char *name)
{
    assay_encoder *expected = assay_encoder_create(name), *replacing = assay_encoder_create(name);
    if (expected == NULL || replacing == NULL) {
        printf("%s is not supported by iconv of this system\n", name);
        assay_encoder_free(expected);
        assay_encoder_free(replacing);
        return;
    }
    static encoded_text one, other;
    static uint8_t text[MAX_TEXT];
    test_random random = test_random_of(1);
    unsigned long refused = 0;
    for (unsigned long round = 0; round < test_rounds(2400); round++) {
        const size_t count = random_text(&random, text);
        const uint64_t seed = random.state;
        encode_text(expected, assay_converter_encode, text, count, seed, &one);
        encode_text(replacing, other_converter_encode, text, count, seed, &other);
        CHECK_EQUAL(one.refused, other.refused);
        if (!CHECK(one.count == other.count && memcmp(one.bytes, other.bytes, one.count) == 0)) {
            fprintf(stderr, "    %s, round %lu: %zu and %zu bytes\n", name, round, one.count, other.count);
        }
        refused += other.refused;
        assay_converter_reset(&expected->converter, NULL, 0);
        other_converter_reset(&replacing->converter, NULL, 0);
    }
    CHECK(refused > 0);
    assay_encoder_free(expected);
    assay_encoder_free(replacing);
}

/* The cases of an outside trial: musl wrote "A*B*C" and reported success. */
static void check_stars(void)
{
    static const uint8_t text[] = "A\xC2\x80"
                                  "B\xF0\x9F\x98\x80"
                                  "C";
    static const char *const names[] = {"EUC-JP", "ISO-2022-JP"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assay_encoder *encoder = assay_encoder_create(names[i]);
        if (encoder == NULL) continue;
        uint8_t out[64];
        assay_encoded coded =
            other_converter_encode(encoder, assay_kernels_current(), text + 3, sizeof text - 4, true, out, sizeof out);
        CHECK_EQUAL(coded.status, ASSAY_ENCODED_NO_CHARACTER);
        CHECK(coded.consumed == 1 && coded.length == 4 && coded.produced == 1 && out[0] == 'B');
        coded = assay_encoder_step(encoder, text + 3, sizeof text - 4, true, out, sizeof out);
        CHECK_EQUAL(coded.status, ASSAY_ENCODED_NO_CHARACTER);
        CHECK(coded.consumed == 1 && coded.length == 4 && coded.produced == 1 && out[0] == 'B');
        assay_encoder_free(encoder);
    }
}

/* Tables of single bytes have no entry for a byte that iconv replaces. */
static void check_tables(void)
{
    assay_byte_text expected[256], found[256];
    for (size_t i = 0; assay_encoding_at(i) != NULL; i++) {
        const assay_encoding *encoding = assay_encoding_find(assay_encoding_at(i));
        if (encoding->kind != encoding_bytes) continue;
        memset(expected, 0, sizeof expected);
        memset(found, 0, sizeof found);
        CHECK_EQUAL(assay_byte_table_fill(encoding, expected), other_byte_table_fill(encoding, found));
        CHECK(memcmp(expected, found, sizeof found) == 0);
    }
}

int main(void)
{
    setlocale(LC_CTYPE, "C.UTF-8"); /* for iconv of WASI */
    check_stars();
    check_tables();
    for (size_t i = 0; assay_encoding_at(i) != NULL; i++) {
        const assay_encoding_kind kind = assay_encoding_find(assay_encoding_at(i))->kind;
        if (kind == encoding_sequences || kind == encoding_stateful) check_encoding(assay_encoding_at(i));
    }
    return test_result();
}
