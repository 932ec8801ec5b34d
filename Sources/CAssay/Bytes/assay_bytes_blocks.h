/* assay_bytes_blocks.h: counting a byte, 64 at a time. Included by assay_path_*.c after an assay_block_*.h. */

BLOCK_TARGET static size_t bytes_count_blocks(const uint8_t *bytes, size_t count, uint8_t byte)
{
    size_t found = 0;
    size_t i = 0;
    for (; count - i >= 64; i += 64) found += block_count_ones(block_matches(block_load(bytes + i), byte));
    for (; i < count; i++) found += bytes[i] == byte;
    return found;
}
