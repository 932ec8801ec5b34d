/* Collects the rows with keys and their places. Hashing and claiming keys are in other files. */
#include "assay/keys.h"

size_t assay_key_rows_add(const assay_key_rows *to, size_t at, const assay_batch *batch, assay_lines *lines,
                          uint32_t first, const uint64_t *rows, size_t count, uint64_t record, uint64_t place)
{
    size_t row = at;
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1, row++) {
            const uint32_t entry = first + (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
            const uint32_t start = batch->records[entry].start;
            const uint64_t number = record + entry - assay_batch_comments_before(batch, entry);
            const uint64_t line = assay_lines_at(lines, start, entry);
            to->entries[row] = entry;
            to->records[row] = number;
            for (size_t key = 0; key < to->each; key++) {
                to->keys[row * to->each + key] = (assay_key){{0, 0}, number, place | line};
                to->places[row * to->each + key] = start;
            }
        }
    }
    return row - at;
}

void assay_key_rows_hash(const assay_key_rows *to, size_t at, size_t key, const uint64_t *rows, const uint64_t *present,
                         size_t count, const assay_key_hash *hashes)
{
    assay_key *next = to->keys + at * to->each + key;
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1, next += to->each) {
            const int bit = __builtin_ctzll(bits);
            next->hash = hashes[word * 64 + (size_t)bit];
            if ((present[word] >> bit & 1) == 0) next->record = 0;
        }
    }
}

void assay_key_rows_place(const assay_key_rows *to, size_t at, size_t key, const assay_batch *batch, uint32_t first,
                          const uint64_t *rows, size_t count, uint32_t field, size_t delimiter_bytes,
                          const uint32_t *places)
{
    uint32_t *next = to->places + at * to->each + key;
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1, next += to->each) {
            const uint32_t row = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
            if (places != NULL) {
                *next = places[row];
            } else if (field > 0) {
                const uint32_t last = batch->records[first + row].first_field + field - 1;
                *next = batch->field_ends[last] + (uint32_t)delimiter_bytes;
            }
        }
    }
}
