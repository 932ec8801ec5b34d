/* profile_values_blocks.h: collects the values of a group of rows. Included by assay_kernels_*.c after an
 * assay_block_*.h. */
#include "Columns/assay_column_view.h"
#include "Profile/profile_classes.h"
#include "Profile/profile_distinct.h"
#include "Profile/profile_values.h"

/* profile_lead_facts() of two blocks. */
BLOCK_TARGET static inline unsigned lead_facts(profile_sixteen front, profile_sixteen back)
{
    return (profile_any(profile_rare_leads(front) | profile_rare_leads(back)) ? profile_is_rare : 0) |
           (profile_any(profile_from(front, 0xE3) | profile_from(back, 0xE3)) ? 0 : profile_is_western);
}

/* The classes of two blocks, and the facts about their bytes. */
BLOCK_TARGET static inline unsigned read_blocks(profile_sixteen front, profile_sixteen back, uint64_t classes[4])
{
    const profile_sixteen rare = profile_rare_bytes(front) | profile_rare_bytes(back);
    const profile_sixteen high = profile_high_bytes(front | back);
    profile_sixteen first = profile_classes(front), last = profile_classes(back);
    unsigned facts = 0;
    if (profile_any(rare | high)) {
        facts = (profile_any(high) ? profile_is_high : 0) | (profile_any(rare) ? profile_is_rare : 0);
        if ((facts & profile_is_high) != 0) {
            first = profile_high_classes(front);
            last = profile_high_classes(back);
            facts |= lead_facts(front, back);
        }
    }
    memcpy(classes, &first, sizeof first);
    memcpy(classes + 2, &last, sizeof last);
    return facts;
}

/* The facts about the bytes of a text of more than 32 bytes after its first 32. */
BLOCK_TARGET static inline unsigned rest_facts(const uint8_t *text, size_t count)
{
    profile_sixteen all = profile_load(text + count - 16), rare = profile_rare_bytes(all);
    for (size_t at = 32; at + 16 < count; at += 16) {
        const profile_sixteen bytes = profile_load(text + at);
        all |= bytes;
        rare |= profile_rare_bytes(bytes);
    }
    return (profile_any(profile_high_bytes(all)) ? profile_is_high : 0) | (profile_any(rare) ? profile_is_rare : 0);
}

/* Reads a text of more than 16 bytes, and returns its facts. Not inlined, because the loop over the other values leaves
   too few registers. */
BLOCK_TARGET __attribute__((noinline)) static unsigned read_longer(const uint8_t *text, size_t count, uint64_t *hash,
                                                                   uint64_t classes[4])
{
    unsigned facts = 0;
    *hash = profile_hash(text, count);
    if (count <= 32) return read_blocks(profile_load(text), profile_load(text + count - 16), classes);
    facts = read_blocks(profile_load(text), profile_load(text + 16), classes) | rest_facts(text, count);
    return (facts & profile_is_high) != 0 ? (facts & ~(unsigned)profile_is_western) | profile_is_long : facts;
}

BLOCK_TARGET static void profile_values_blocks(profile_values *values, const assay_column_view *group,
                                               const uint64_t *there)
{
    static const profile_sixteen zeros = PROFILE_EACH(0);
    size_t found = 0;
    for (size_t word = 0; word < assay_mask_words(group->count); word++) {
        for (uint64_t bits = there[word]; bits != 0; bits &= bits - 1, found++) {
            const size_t row = word * 64 + (size_t)__builtin_ctzll(bits);
            const assay_cell cell = group->cells[row];
            const size_t count = cell.length;
            const uint8_t *text = group->bytes + cell.start;
            unsigned facts = 0;
            values->rows[found] = (uint16_t)row;
            if (count > 16) {
                facts = read_longer(text, count, &values->hashes[found], values->classes[found]);
                if (profile_has_edge(text, count)) facts |= profile_edge_facts(text, count);
            } else if (cell.start + count >= 16) {
                const profile_sixteen kept = profile_ones_before(count), bytes = profile_load(text + count - 16) & kept;
                const profile_sixteen rare = profile_rare_bytes(bytes) & kept, high = profile_high_bytes(bytes);
                profile_sixteen classes = profile_classes(bytes);
                /* One branch for all facts, because few values have a fact. */
                if (profile_any(rare | high) || profile_has_edge(text, count)) {
                    facts = profile_edge_facts(text, count) | (profile_any(high) ? profile_is_high : 0) |
                            (profile_any(rare) ? profile_is_rare : 0);
                    if ((facts & profile_is_high) != 0) {
                        classes = profile_high_classes(bytes);
                        facts |= lead_facts(bytes, bytes);
                    }
                }
                memcpy(values->classes[found], &classes, sizeof classes);
                memcpy(values->classes[found] + 2, &zeros, sizeof zeros);
                values->hashes[found] = profile_hash_short(text, count);
            } else {
                /* At the start of the buffer. */
                facts = profile_is_long | profile_edge_facts(text, count) | profile_byte_facts(text, count);
                values->hashes[found] = assay_profile_hash(text, count);
            }
            values->facts[found] = (uint8_t)facts;
        }
    }
    values->count = found;
}
