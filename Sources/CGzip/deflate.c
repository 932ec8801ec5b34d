/* Compression to members with declared sizes. */
#include <stdlib.h>
#include <string.h>

#include "gzip.h"
#include "isal.h"

enum {
    member_bytes = 0xFF00, /* of input, so that a member of incompressible data is also below 64 KiB */
    header_bytes = 18,
    trailer_bytes = 8,
    max_packed = 0x10000 - header_bytes - trailer_bytes,
    stream_step = 0x10000,
    max_hash_mask = 0x1FFF, /* of level 1 */
};

struct gzip_deflater {
    const isal_functions *isal;
    /* Space for the stream of a member at seven addresses, `stream_step` apart; see neutral_stream(). */
    _Alignas(struct isal_zstream) uint8_t streams[6 * stream_step + sizeof(struct isal_zstream)];
    uint8_t level_memory[ISAL_DEF_LVL1_DEFAULT];
    /* A copy of the member's input, because ISA-L reads a few bytes past the end. */
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

/* The entry of four bytes in ISA-L's hash table: CRC-32C without inversions. */
static uint32_t hash_of(uint32_t word, uint32_t mask)
{
    for (int bit = 0; bit < 32; bit++) word = word >> 1 ^ (word & 1 ? UINT32_C(0x82F63B78) : 0);
    return word & mask;
}

/* Returns a stream at an address that does not change how the input is compressed.
 *
 * ISA-L 2.30 hashes the third position of an input incorrectly: it uses bits 16 to 47 of the stream's address instead
 * of the bytes at that position (isal_deflate_icf_body_hash_hist_04: at the first byte, a register that should
 * hold the input still holds the address). If the address has the same table entry as one of the first three
 * positions, a match can be found or missed, so that the output depends on the address. Four addresses that differ in
 * bits 16 and 17 have different entries for every mask of 31 or more, so at least one has another entry than the three
 * positions. Seven consecutive addresses contain four such addresses. */
static struct isal_zstream *neutral_stream(gzip_deflater *deflater, size_t count)
{
    uint32_t mask = 31;
    while (mask < max_hash_mask && mask < count) mask = 2 * mask + 1;
    uint32_t first[3];
    for (size_t i = 0; i < 3; i++) {
        uint32_t word;
        memcpy(&word, deflater->input + i, sizeof word);
        first[i] = hash_of(word, mask);
    }
    uint8_t *stream = deflater->streams;
    for (int i = 0; i < 6; i++, stream += stream_step) {
        const uint32_t entry = hash_of((uint32_t)((uint64_t)(uintptr_t)stream >> 16), mask);
        if (entry != first[0] && entry != first[1] && entry != first[2]) break;
    }
    return (struct isal_zstream *)(void *)stream;
}

/* Compresses one member. Returns 0 if ISA-L fails. */
static size_t deflate_member(gzip_deflater *deflater, const uint8_t *input, size_t count, uint8_t *output)
{
    static const uint8_t header[header_bytes] = {0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, 'B', 'C', 2, 0};
    /* Zero the padding, the level memory and the stream, because deflate_stateless_init sets only some fields of a
       stream. The same bytes then give the same member, independent of the bytes after them, of earlier members and
       of addresses. */
    if (count > 0) memcpy(deflater->input, input, count);
    memset(deflater->input + count, 0, sizeof deflater->input - member_bytes);
    memset(deflater->level_memory, 0, ISAL_DEF_LVL1_REQ);
    struct isal_zstream *stream = neutral_stream(deflater, count);
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
    stream->avail_out = max_packed;
    if (deflater->isal->deflate_stateless(stream) != COMP_OK || stream->avail_in != 0) return 0;
    const size_t size = header_bytes + (max_packed - stream->avail_out) + trailer_bytes;
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
