/* assay_transliteration_blocks.h: respelling characters, found 64 bytes at a time. Included by assay_kernels_*.c after an
 * assay_block_*.h. */

#include "DFA/Batch/assay_transliteration.h"

BLOCK_TARGET static void respell_blocks(const assay_spelling *spelling, uint8_t *text, size_t count)
{
    for (uint8_t *at = text; at < text + count; at += 64) {
        const block data = block_load(at);
        uint64_t leads = block_from(data, 0xC0);
        if (leads == 0) continue;
#ifdef BLOCK_HAS_SETS
        leads &= ~block_replace(at, data, spelling->of_lead);
#endif
        uint64_t longer = leads & block_from(data, 0xE0);
        uint64_t of_two = leads & ~longer;
        for (; of_two != 0; of_two &= of_two - 1) {
            uint8_t *character = at + __builtin_ctzll(of_two);
            character[0] = spelling->of_two[spelling_place(character)];
        }
        for (; longer != 0; longer &= longer - 1) {
            uint8_t *character = at + __builtin_ctzll(longer);
            character[0] = spelling->of_last[spelling->rows[spelling_place(character)] + (character[2] & 0x3Fu)];
        }
    }
}
