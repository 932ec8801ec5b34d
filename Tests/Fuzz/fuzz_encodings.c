/* Fuzzes decoders and encoders: a byte for the encoding, one for the size of the pieces, then the text. Decoding in
   pieces must give the same text as the plain decoder gives at once. If the encoding has one form of each character,
   encoding must give the original bytes. */
#include "Encodings/assay_coding.h"
#include "assay/core.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t encoding_count(void)
{
    size_t count = 0;
    while (assay_encoding_at(count) != NULL) count++;
    return count;
}

/* Encodes decoded text, and compares it with the original bytes. */
static void encode_again(const char *name, const uint8_t *text, size_t count, const uint8_t *original,
                         size_t original_count)
{
    assay_encoder *encoder = assay_encoder_create(name);
    if (encoder == NULL) return;
    const size_t room = 4 * count + 2 * ASSAY_CODING_ROOM;
    uint8_t *out = malloc(room);
    if (out == NULL) abort();
    const assay_encoded coded = assay_encoder_step(encoder, text, count, true, out, room);
    const size_t produced = coded.produced + assay_encoder_finish(encoder, out + coded.produced, room - coded.produced);
    if (coded.status != ASSAY_ENCODED_OK || coded.consumed != count) abort();
    if (produced != original_count || (count > 0 && memcmp(out, original, produced) != 0)) abort();
    free(out);
    assay_encoder_free(encoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    const char *name = assay_encoding_at(data[0] % encoding_count());
    const size_t max = data[1] % 64 + 16;
    const uint8_t *in = data + 2;
    const size_t count = size - 2;
    /* The plain decoder knows these. */
    if (assay_encoding_unit(name) == 0 && strcmp(name, "UTF-8") != 0) return 0;
    assay_decoder *decoder = assay_decoder_create(name);
    if (decoder == NULL) return 0;
    const size_t room = 3 * count + 2 * ASSAY_CODING_ROOM;
    uint8_t *plain = malloc(room), *fast = malloc(room);
    if (plain == NULL || fast == NULL) abort();
    const assay_coded at_once = assay_decoder_step_plain(decoder, in, count, true, plain, room);
    if (at_once.consumed != count) abort();

    size_t consumed = 0, produced = 0;
    while (consumed < count) {
        const size_t left = count - consumed;
        const bool is_last = left <= max;
        const assay_coded coded =
            assay_decoder_step(decoder, in + consumed, is_last ? left : max, is_last, fast + produced, room - produced);
        if (coded.consumed == 0 || coded.consumed > left || coded.produced > room - produced) abort();
        consumed += coded.consumed;
        produced += coded.produced;
    }
    if (produced != at_once.produced || memcmp(plain, fast, produced) != 0) abort();

    encode_again(name, fast, produced, in, count);
    free(plain);
    free(fast);
    assay_decoder_free(decoder);
    return 0;
}
