/* assay_transliteration_blocks.h: transliterates characters, found 64 bytes at a time. Included by
 * assay_kernels_table.h after an assay_block_*.h. */

#include "DFA/Batch/assay_transliteration.h"

BLOCK_TARGET static void transliterate_blocks(const assay_transliteration *transliteration, uint8_t *text, size_t count)
{
    for (uint8_t *at = text; at < text + count; at += 64) {
        const block data = block_load(at);
        uint64_t leads = block_from(data, 0xC0);
        if (leads == 0) continue;
#ifdef BLOCK_HAS_SETS
        leads &= ~block_replace(at, data, transliteration->by_lead);
#endif
        uint64_t longer = leads & block_from(data, 0xE0);
        uint64_t by_pair = leads & ~longer;
        for (; by_pair != 0; by_pair &= by_pair - 1) {
            uint8_t *character = at + __builtin_ctzll(by_pair);
            character[0] = transliteration->by_pair[transliteration_index(character)];
        }
        for (; longer != 0; longer &= longer - 1) {
            uint8_t *character = at + __builtin_ctzll(longer);
            character[0] =
                transliteration
                    ->by_last[transliteration->rows[transliteration_index(character)] + (character[2] & 0x3Fu)];
        }
    }
}
