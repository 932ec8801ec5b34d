/* assay_utf8_blocks.h: UTF-8 with ASCII skipped 64 bytes at a time; other blocks go through the DFA byte by byte.
 * Included by assay_kernels_*.c after an assay_block_*.h. */

/* Always false, so that utf8_valid_prefix() checks each block that is not all ASCII. */
BLOCK_INLINE bool utf8_block_is_right(const uint8_t *bytes, bool is_at_boundary)
{
    (void)bytes, (void)is_at_boundary;
    return false;
}

BLOCK_INLINE bool utf8_block_is_cut(const uint8_t *bytes)
{
    (void)bytes;
    return false;
}

BLOCK_TARGET static size_t utf8_valid_prefix_blocks(const uint8_t *bytes, size_t count)
{
    uint64_t state = utf8_between;
    size_t i = 0;
    for (; count - i >= 64; i += 64) {
        if ((state & 63) == utf8_between && block_is_ascii(block_load(bytes + i))) continue;
        for (size_t k = i; k < i + 64; k++) state = assay_utf8_transitions[bytes[k]] >> (state & 63);
        if ((state & 63) == utf8_wrong) break;
    }
    /* Check the remaining bytes, or the block with the error, one character at a time from the last boundary. */
    size_t boundary = utf8_character_boundary(bytes, i);
    return boundary + assay_utf8_valid_prefix_plain(bytes + boundary, count - boundary);
}
