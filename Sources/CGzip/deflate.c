/* Packing. */
#include <stdlib.h>
#include <string.h>

#include "gzip.h"
#include "isal.h"

enum {
    member_bytes = 0xFF00, /* of the input: a member that does not get any smaller is below 64 KiB then */
    header_bytes = 18,
    trailer_bytes = 8,
    most_packed = 0x10000 - header_bytes - trailer_bytes,
};

struct gzip_deflater {
    const isal_functions *isal;
    struct isal_zstream stream;
    uint8_t level_memory[ISAL_DEF_LVL1_DEFAULT];
    /* What a member packs: ISA-L looks a little behind it. */
    uint8_t input[member_bytes + 64];
};

gzip_deflater *gzip_deflater_create(void)
{
    const isal_functions *functions = isal();
    gzip_deflater *deflater = functions == NULL ? NULL : calloc(1, sizeof *deflater);
    if (deflater != NULL) deflater->isal = functions;
    return deflater;
}

void gzip_deflater_free(gzip_deflater *deflater) { free(deflater); }

size_t gzip_bound(size_t count) { return (count / member_bytes + 1) * 0x10000; }

static void put32(uint8_t *out, uint32_t number)
{
    for (int i = 0; i < 4; i++) out[i] = (uint8_t)(number >> 8 * i);
}

/* One member. 0: ISA-L failed. */
static size_t deflate_member(gzip_deflater *deflater, const uint8_t *input, size_t count, uint8_t *output)
{
    static const uint8_t header[header_bytes] = {0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, 'B', 'C', 2, 0};
    struct isal_zstream *stream = &deflater->stream;
    /* So that the same bytes give the same member, whatever stands behind them, and was packed before: ISA-L sets only
       some fields of a stream, and what is in the others decides which matches it finds. */
    if (count > 0) memcpy(deflater->input, input, count);
    memset(deflater->input + count, 0, sizeof deflater->input - member_bytes);
    memset(deflater->level_memory, 0, ISAL_DEF_LVL1_REQ);
    memset(stream, 0, sizeof *stream);
    deflater->isal->deflate_stateless_init(stream);
    stream->level = 1;
    stream->level_buf = deflater->level_memory;
    stream->level_buf_size = sizeof deflater->level_memory;
    stream->end_of_stream = 1;
    stream->gzip_flag = IGZIP_DEFLATE;
    stream->next_in = deflater->input;
    stream->avail_in = (uint32_t)count;
    stream->next_out = output + header_bytes;
    stream->avail_out = most_packed;
    if (deflater->isal->deflate_stateless(stream) != COMP_OK || stream->avail_in != 0) return 0;
    const size_t size = header_bytes + (most_packed - stream->avail_out) + trailer_bytes;
    memcpy(output, header, header_bytes);
    output[16] = (uint8_t)(size - 1);
    output[17] = (uint8_t)((size - 1) >> 8);
    put32(output + size - 8, deflater->isal->crc32_gzip(0, deflater->input, count));
    put32(output + size - 4, (uint32_t)count);
    return size;
}

size_t gzip_deflate(gzip_deflater *deflater, const uint8_t *input, size_t count, uint8_t *output)
{
    size_t written = 0;
    do {
        const size_t piece = count < member_bytes ? count : member_bytes;
        const size_t size = deflate_member(deflater, input, piece, output + written);
        if (size == 0) return 0;
        written += size;
        input += piece;
        count -= piece;
    } while (count > 0);
    return written;
}
