/* Decompression, and the headers of members. */
#include <stdlib.h>
#include <string.h>

#include "gzip.h"
#include "isal.h"

struct gzip_inflater {
    const isal_functions *isal;
    struct inflate_state state;
};

bool gzip_is_available(void) { return isal() != NULL; }

gzip_inflater *gzip_inflater_create(void)
{
    const isal_functions *functions = isal();
    gzip_inflater *inflater = functions == NULL ? NULL : malloc(sizeof *inflater);
    if (inflater == NULL) return NULL;
    inflater->isal = functions;
    gzip_inflater_reset(inflater);
    return inflater;
}

void gzip_inflater_free(gzip_inflater *inflater) { free(inflater); }

void gzip_inflater_reset(gzip_inflater *inflater)
{
    inflater->isal->inflate_init(&inflater->state);
    inflater->state.crc_flag = ISAL_GZIP;
}

void gzip_inflater_reset_inside(gzip_inflater *inflater)
{
    inflater->isal->inflate_init(&inflater->state);
    inflater->state.crc_flag = ISAL_GZIP_NO_HDR;
}

bool gzip_inflater_is_between_blocks(const gzip_inflater *inflater)
{
    const struct inflate_state *state = &inflater->state;
    return state->avail_in == 0 && state->read_in_length == 0 && state->tmp_in_size == 0 &&
           (state->block_state == ISAL_BLOCK_NEW_HDR || state->block_state == ISAL_BLOCK_HDR);
}

size_t gzip_inflater_unused(const gzip_inflater *inflater)
{
    return (size_t)(inflater->state.read_in_length > 0 ? inflater->state.read_in_length : 0) / 8;
}

uint32_t gzip_inflater_checksum(const gzip_inflater *inflater) { return inflater->state.crc; }

static const char *mistake(int result)
{
    switch (result) {
    case ISAL_INVALID_WRAPPER:
        return "this is not the header of a gzip member";
    case ISAL_UNSUPPORTED_METHOD:
        return "its header names a method that does not exist";
    case ISAL_INCORRECT_CHECKSUM:
        return "the checksum of the member that begins there is wrong";
    default:
        return "the packed data is invalid";
    }
}

gzip_step gzip_inflate(gzip_inflater *inflater, const uint8_t *input, size_t input_count, uint8_t *output,
                       size_t output_count)
{
    struct inflate_state *state = &inflater->state;
    /* The cast drops const, but ISA-L only reads the input. */
    state->next_in = (uint8_t *)(uintptr_t)input;
    state->avail_in = (uint32_t)input_count;
    state->next_out = output;
    state->avail_out = (uint32_t)output_count;
    const int result = inflater->isal->inflate(state);
    gzip_step step = {input_count - state->avail_in, output_count - state->avail_out, GZIP_MORE, NULL};
    if (result < 0 || result == ISAL_NEED_DICT) {
        step.status = GZIP_DAMAGED;
        step.mistake = mistake(result);
    } else if (state->block_state == ISAL_BLOCK_FINISH) {
        step.status = GZIP_MEMBER_END;
    }
    return step;
}

enum {
    header_bytes = 10,
    has_header_checksum = 1 << 1,
    has_extra = 1 << 2,
    has_name = 1 << 3,
    has_comment = 1 << 4,
    reserved_flags = 0xE0,
};

bool gzip_is_member(const uint8_t *input, size_t count)
{
    return count >= header_bytes && input[0] == 0x1F && input[1] == 0x8B && input[2] == 8 &&
           (input[3] & reserved_flags) == 0 && (input[8] == 0 || input[8] == 2 || input[8] == 4) &&
           (input[9] <= 13 || input[9] == 255);
}

bool gzip_has_reserved_flags(const uint8_t *input, size_t count)
{
    return count >= header_bytes && (input[3] & reserved_flags) != 0;
}

static size_t number16(const uint8_t *bytes) { return (size_t)bytes[0] | (size_t)bytes[1] << 8; }

static const uint8_t empty_block[] = {0x00, 0x00, 0xFF, 0xFF};

size_t gzip_first_flush(const uint8_t *input, size_t count)
{
    for (size_t end = sizeof empty_block; end <= count; end++) {
        if (memcmp(input + end - sizeof empty_block, empty_block, sizeof empty_block) == 0) return end;
    }
    return 0;
}

size_t gzip_last_flush(const uint8_t *input, size_t count)
{
    for (size_t end = count; end >= sizeof empty_block; end--) {
        if (memcmp(input + end - sizeof empty_block, empty_block, sizeof empty_block) == 0) return end;
    }
    return 0;
}

/* Returns the offset after the next zero byte, or 0 if there is no zero byte. */
static size_t behind_zero(const uint8_t *input, size_t count, size_t at)
{
    const uint8_t *zero = at < count ? memchr(input + at, 0, count - at) : NULL;
    return zero == NULL ? 0 : (size_t)(zero - input) + 1;
}

/* Returns the end of a header, or 0 if it does not end within these bytes. There must be at least 10 bytes. */
static size_t header_end(const uint8_t *input, size_t count)
{
    size_t at = header_bytes;
    if (input[3] & has_extra) {
        if (count < at + 2) return 0;
        at += 2 + number16(input + at);
    }
    if ((input[3] & has_name) && (at = behind_zero(input, count, at)) == 0) return 0;
    if ((input[3] & has_comment) && (at = behind_zero(input, count, at)) == 0) return 0;
    if (input[3] & has_header_checksum) at += 2;
    return at <= count ? at : 0;
}

size_t gzip_header_size(const uint8_t *input, size_t count)
{
    return gzip_is_member(input, count) && !(input[3] & has_header_checksum) ? header_end(input, count) : 0;
}

bool gzip_is_cut_in_header(const uint8_t *input, size_t count)
{
    const bool has_magic = count >= header_bytes && input[0] == 0x1F && input[1] == 0x8B;
    return has_magic && header_end(input, count) == 0;
}

/* Returns the end of a member's extra field, or 0 if it has no extra field or the field does not end within these
 * bytes. */
static size_t extra_end(const uint8_t *input, size_t count)
{
    if (count < header_bytes + 2 || input[0] != 0x1F || input[1] != 0x8B || !(input[3] & has_extra)) return 0;
    const size_t end = header_bytes + 2 + number16(input + header_bytes);
    return end <= count ? end : 0;
}

size_t gzip_declared_size(const uint8_t *input, size_t count)
{
    const size_t end = extra_end(input, count);
    size_t at = header_bytes + 2;
    while (at + 4 <= end) {
        const size_t length = number16(input + at + 2);
        if (input[at] == 'B' && input[at + 1] == 'C' && length == 2 && at + 6 <= end)
            return number16(input + at + 4) + 1;
        at += 4 + length;
    }
    return 0;
}

size_t gzip_member_size(const uint8_t *input, size_t count)
{
    const size_t size = gzip_is_member(input, count) ? gzip_declared_size(input, count) : 0;
    /* The minimum size includes the checksum and the length, 8 bytes. */
    return size >= extra_end(input, count) + 8 ? size : 0;
}
