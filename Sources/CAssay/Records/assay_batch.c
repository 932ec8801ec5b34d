/* The records of one buffer: memory, and the masks of records with a wrong structure or encoding. */
#include "Records/assay_batch.h"
#include "Memory/assay_grow.h"

#include <stdlib.h>
#include <string.h>

assay_batch *assay_batch_create(void)
{
    assay_batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL) return NULL;
    /* The closing entry must always have room, even if a scan runs out of memory at once. */
    if (!assay_batch_reserve_records(batch, 0, 255) || !assay_batch_reserve_fields(batch, 0, 1024)) {
        assay_batch_free(batch);
        return NULL;
    }
    batch->records[0] = (assay_record){0, 0, 0, 0};
    return batch;
}

void assay_batch_free(assay_batch *batch)
{
    if (batch == NULL) return;
    free(batch->records);
    free(batch->quoted);
    free(batch->utf8_unverified);
    free(batch->layout_changes);
    free(batch->comments);
    free(batch->field_ends);
    free(batch);
}

/* assay_grow() for 32-bit capacities. Returns false for more entries. */
static bool grow(void *array, uint32_t *capacity, size_t size, uint64_t needed)
{
    size_t grown = *capacity;
    if (needed > UINT32_MAX || !assay_grow(array, &grown, size, (size_t)needed)) return false;
    *capacity = grown < UINT32_MAX ? (uint32_t)grown : UINT32_MAX;
    return true;
}

bool assay_batch_reserve_fields(assay_batch *batch, uint32_t used, uint32_t more)
{
    return grow(&batch->field_ends, &batch->field_capacity, sizeof *batch->field_ends, (uint64_t)used + more);
}

/* Lengthens a mask with zeros. Returns false if memory runs out; the mask is then unchanged. */
static bool lengthen(uint64_t **mask, size_t words_before, size_t words)
{
    if (!assay_resize(mask, sizeof **mask, words)) return false;
    memset(*mask + words_before, 0, (words - words_before) * sizeof **mask);
    return true;
}

bool assay_batch_reserve_records(assay_batch *batch, uint32_t used, uint32_t more)
{
    uint64_t needed = (uint64_t)used + more + 1;
    if (needed <= batch->record_capacity) return true;
    uint32_t capacity = batch->record_capacity;
    if (!grow(&batch->records, &capacity, sizeof *batch->records, needed)) return false;
    const size_t words = assay_mask_words(capacity), words_before = assay_mask_words(batch->record_capacity);
    if (!lengthen(&batch->quoted, words_before, words) || !lengthen(&batch->utf8_unverified, words_before, words) ||
        !lengthen(&batch->layout_changes, words_before, words) || !lengthen(&batch->comments, words_before, words)) {
        return false;
    }
    batch->record_capacity = capacity;
    return true;
}

static inline bool has_bit(const uint64_t *mask, uint32_t row) { return mask[row / 64] >> (row % 64) & 1; }

uint32_t assay_batch_comments_before(const assay_batch *batch, uint32_t entry)
{
    if (batch->comment_count == 0) return 0;
    const uint32_t word = entry / 64;
    const uint64_t rest = entry % 64 == 0 ? 0 : batch->comments[word] & ((UINT64_C(1) << entry % 64) - 1);
    return (uint32_t)(assay_mask_count(batch->comments, word) + assay_mask_count(&rest, 1));
}

size_t assay_batch_mask_blank_lines(const assay_batch *batch, const uint8_t *bytes, uint64_t *mask)
{
    const size_t count = batch->record_count;
    memset(mask, 0, assay_mask_words(count) * sizeof *mask);
    if (batch->comment_count == 0) return 0;
    size_t blank = 0;
    for (size_t row = 0; (row = assay_mask_next(batch->comments, count, row)) < count; row++) {
        const uint8_t first = bytes[batch->records[row].start];
        if (first != '\n' && first != '\r') continue;
        assay_batch_set_bit(mask, (uint32_t)row);
        blank++;
    }
    return blank;
}

uint32_t assay_batch_width(const assay_batch *batch, const assay_dialect *dialect, uint32_t entry)
{
    const uint32_t fields = assay_batch_field_count(batch, entry);
    if (!dialect->trailing_delimiter || fields < 2) return fields;
    const uint32_t *last = batch->field_ends + batch->records[entry].first_field + fields - 1;
    return last[0] - last[-1] == assay_dialect_delimiter_bytes(dialect) ? fields - 1 : fields;
}

size_t assay_batch_mask_structure(const assay_batch *batch, const assay_dialect *dialect, uint32_t first,
                                  uint32_t count, uint32_t fields, bool more_allowed, uint64_t *mask)
{
    size_t newly_set = 0;
    for (uint32_t row = 0, next; row < count; row = next) {
        const uint32_t index = first + row;
        next = assay_batch_next_layout(batch, index, first + count) - first;
        const uint32_t found = assay_batch_field_count(batch, index);
        const bool wrong_number = fields != 0 && (found < fields || (found > fields && !more_allowed));
        const bool is_well_formed = batch->records[index].flags == 0;
        if (is_well_formed && !wrong_number) continue;
        const bool may_trail = is_well_formed && found == fields + 1 && dialect->trailing_delimiter;
        for (uint32_t wrong = row; wrong < next; wrong++) {
            if (may_trail && assay_batch_width(batch, dialect, first + wrong) == fields) continue;
            newly_set += !has_bit(mask, wrong);
            assay_batch_set_bit(mask, wrong);
        }
    }
    return newly_set;
}

/* Checks the records [index, end), all unverified. Validates their bytes at once, and searches for the record only if
 * it finds an error. Skips the rest of a record after its first error. Row 0 of the mask is record `first`. */
static size_t mask_encoding_of(const assay_batch *batch, const uint8_t *bytes, size_t first, size_t index, size_t end,
                               uint64_t *mask)
{
    size_t newly_set = 0;
    const assay_record *records = batch->records;
    while (index < end) {
        const size_t start = records[index].start, length = records[end - 1].end - start;
        const size_t valid = assay_utf8_valid_prefix(bytes + start, length);
        if (valid == length) break;
        while (records[index].end <= start + valid) index++;
        const uint32_t row = (uint32_t)(index - first);
        newly_set += !has_bit(mask, row);
        assay_batch_set_bit(mask, row);
        index++;
    }
    return newly_set;
}

size_t assay_batch_mask_encoding(const assay_batch *batch, const uint8_t *bytes, uint32_t first, uint32_t count,
                                 uint64_t *mask)
{
    size_t newly_set = 0;
    const size_t end = (size_t)first + count;
    size_t index = first;
    while ((index = assay_mask_next(batch->utf8_unverified, end, index)) < end) {
        size_t next = index + 1;
        while (next < end && has_bit(batch->utf8_unverified, (uint32_t)next)) next++;
        newly_set += mask_encoding_of(batch, bytes, first, index, next, mask);
        index = next;
    }
    return newly_set;
}

assay_status assay_batch_restore(assay_batch *batch, const assay_record *records, uint32_t count,
                                 const uint64_t *comments, uint32_t comment_count, uint32_t lines)
{
    if (!assay_batch_reserve_records(batch, 0, count)) return ASSAY_NO_MEMORY;
    memcpy(batch->records, records, ((size_t)count + 1) * sizeof *records);
    if (comment_count > 0) memcpy(batch->comments, comments, assay_mask_words(count) * sizeof *comments);
    batch->record_count = count;
    batch->field_count = 0;
    batch->min_fields = 0;
    batch->consumed = records[count].start;
    batch->lines = lines;
    batch->comment_count = comment_count;
    return ASSAY_OK;
}
