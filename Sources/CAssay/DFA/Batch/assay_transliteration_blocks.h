/* assay_transliteration_blocks.h: transliterates text in place, 64 bytes at a time. Included by assay_kernels_table.h
 * after an assay_block_*.h.
 *
 *     text     Z  o  C3 AB ,  E4 BD A0          "Zoë,你"
 *     leads    .  .  1  .  .  1  .  .
 *     by lead  .  .  .  .  .  1  .  .           all characters of E4 share a representative: one vector lookup
 *     by pair  .  .  1  .  .  .  .  .           C3: characters differ, looked up one at a time
 * A block without lead bytes takes one comparison. */

#include "DFA/Batch/assay_transliteration.h"

/* `count` must be a multiple of 64. Reads up to three bytes after `count`, for a character that continues there; writes
 * only lead bytes before `count`. */
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
            character[0] = transliteration_of_longer(transliteration, character);
        }
    }
}
