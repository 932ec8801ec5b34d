/* Repairs of columns: a fast look at every value, then the repair of single values that may change.
 *
 *     cells of the caller's bytes ──► looks ──► few rows ──► repair_value ──► patches
 *                                                                              │ if any
 *     cells of the caller's room ◄── changed values                          ◄─┤ or, without room,
 *     cells of an owned block    ◄── all values of the column, concatenated  ◄─┘
 *
 * A column without changes costs only the look. */
#include "Memory/assay_grow.h"
#include "Repairs/assay_repair.h"

#include <stdlib.h>

/* Memory for the columns of a slice. Blocks must not move, because cells of several columns may refer to them. */
typedef struct repair_block {
    struct repair_block *next;
    size_t capacity;
    size_t used;
    uint8_t bytes[];
} repair_block;

enum {
    min_block = 1 << 16,
    before_values = 16, /* readers may read up to 15 bytes before a value */
};

assay_repaired *assay_repaired_create(void)
{
    assay_repaired *repaired = calloc(1, sizeof *repaired);
    if (repaired == NULL) return NULL;
    repaired->memory = calloc(1, sizeof *repaired->memory);
    if (repaired->memory == NULL) {
        free(repaired);
        return NULL;
    }
    return repaired;
}

static void free_blocks(repair_block *block)
{
    while (block != NULL) {
        repair_block *next = block->next;
        free(block);
        block = next;
    }
}

void assay_repaired_free(assay_repaired *repaired)
{
    if (repaired == NULL) return;
    for (size_t i = 0; i < 3; i++) free(repaired->memory->turns[i].bytes);
    free(repaired->memory->patches.bytes);
    free(repaired->memory->masks);
    free_blocks(repaired->memory->blocks);
    free(repaired->memory);
    free(repaired->changed);
    free(repaired->unsettled);
    free(repaired->causes);
    free(repaired);
}

void assay_repaired_begin(assay_repaired *repaired)
{
    /* Keep the first block, which is the largest. After some slices it has room for all columns of a slice. */
    repair_block *block = repaired->memory->blocks;
    if (block == NULL) return;
    free_blocks(block->next);
    block->next = NULL;
    block->used = 0;
}

/* Returns `count` bytes with a stable address and readable bytes before them, or NULL if memory runs out. */
static uint8_t *take_bytes(struct assay_repair_memory *memory, size_t count)
{
    const size_t needed = count + before_values;
    repair_block *block = memory->blocks;
    if (block == NULL || block->capacity - block->used < needed) {
        size_t capacity = block == NULL ? min_block : 2 * block->capacity;
        while (capacity < needed) capacity *= 2;
        block = malloc(sizeof *block + capacity);
        if (block == NULL) return NULL;
        *block = (repair_block){memory->blocks, capacity, 0};
        memory->blocks = block;
    }
    uint8_t *bytes = block->bytes + block->used;
    memset(bytes, 0, before_values);
    block->used += needed;
    return bytes + before_values;
}

static bool reserve_rows(assay_repaired *repaired, size_t count)
{
    if (count <= repaired->memory->row_capacity) return true;
    const size_t words = assay_mask_words(count);
    if (!assay_resize(&repaired->changed, sizeof *repaired->changed, words) ||
        !assay_resize(&repaired->unsettled, sizeof *repaired->unsettled, words) ||
        !assay_resize(&repaired->memory->masks, 4 * sizeof *repaired->memory->masks, words) ||
        !assay_resize(&repaired->causes, 64 * sizeof *repaired->causes, words)) {
        return false;
    }
    repaired->memory->row_capacity = words * 64;
    return true;
}

/* Copies a value so that it ends at `end`. If `has_room`, up to 16 bytes that end with the value may be read.
 * Overwrites up to 16 bytes before `end`. */
static inline void copy_back(uint8_t *end, const uint8_t *value, size_t count, bool has_room)
{
    if (count <= 16 && has_room) {
        if (count > 0) memcpy(end - 16, value + count - 16, 16);
    } else if (count > 0) {
        memcpy(end - count, value, count);
    }
}

/* Writes the changed values to the caller's room. Returns false if the room is too small. */
static bool write_changes(const assay_repaired *repaired, const uint8_t *bytes, assay_cell *cells, size_t count,
                          assay_repair_room *room)
{
    const repair_text *patches = &repaired->memory->patches;
    const size_t needed = patches->count + before_values;
    const size_t start = (size_t)(room->bytes - bytes) + before_values;
    if (needed > room->count || start + patches->count > UINT32_MAX) return false;
    memset(room->bytes, 0, before_values);
    if (patches->count > 0) memcpy(room->bytes + before_values, patches->bytes, patches->count);
    uint32_t used = (uint32_t)start;
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t rows = repaired->changed[word]; rows != 0; rows &= rows - 1) {
            assay_cell *cell = &cells[64 * word + (size_t)__builtin_ctzll(rows)];
            cell->start = used;
            used += cell->length;
        }
    }
    room->bytes += needed;
    room->count -= needed;
    return true;
}

/* Copies the values of all rows that are not skipped to one block. Copies from last to first, so that a short value can
 * be copied as sixteen bytes: the excess before it is overwritten by the next copy. */
static assay_status write_column(assay_repaired *repaired, const uint8_t **bytes, assay_cell *cells, size_t count,
                                 const uint64_t *skip)
{
    const repair_text *patches = &repaired->memory->patches;
    uint64_t total = 0;
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t rows = assay_mask_rest(skip, count, word); rows != 0; rows &= rows - 1) {
            total += cells[64 * word + (size_t)__builtin_ctzll(rows)].length;
        }
    }
    if (total > INT32_MAX) return ASSAY_NO_MEMORY;
    uint8_t *target = take_bytes(repaired->memory, (size_t)total);
    if (target == NULL) return ASSAY_NO_MEMORY;
    const uint8_t *patch = patches->bytes + patches->count;
    uint32_t used = (uint32_t)total;
    for (size_t row = count; row-- > 0;) {
        assay_cell *cell = &cells[row];
        const uint64_t bit = UINT64_C(1) << (row % 64);
        if (skip != NULL && (skip[row / 64] & bit) != 0) {
            *cell = (assay_cell){0, 0};
            continue;
        }
        if ((repaired->changed[row / 64] & bit) != 0) {
            patch -= cell->length;
            copy_back(target + used, patch, cell->length, false);
        } else {
            copy_back(target + used, *bytes + cell->start, cell->length, true);
        }
        used -= cell->length;
        cell->start = used;
    }
    *bytes = target;
    return ASSAY_OK;
}

/* Whether a new value can be written to the output, in place of a value of `old_count` bytes. */
static bool can_write(const assay_repaired *repaired, assay_text text, size_t old_count)
{
    const assay_dialect *dialect = repaired->dialect;
    if (dialect != NULL && !assay_csv_can_write(dialect, text.bytes, text.count, repaired->is_first)) return false;
    const size_t max = repaired->max_bytes;
    if (max > 0 && !assay_csv_fits(dialect, text.bytes, text.count, repaired->is_first, old_count, max)) return false;
    return assay_json_can_write(repaired->literals, text.bytes, text.count);
}

/* Repairs the rows of `may`, and appends the new values to the patches. */
static assay_status repair_rows(const assay_repairs *repairs, assay_repaired *repaired, assay_scratch *scratch,
                                const uint8_t *bytes, assay_cell *cells, size_t count, const uint64_t *may,
                                uint64_t *nulls, size_t *changed_count)
{
    struct assay_repair_memory *memory = repaired->memory;
    repaired->unsettled_count = 0;
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        repaired->changed[word] = repaired->unsettled[word] = 0;
        for (uint64_t rows = may[word]; rows != 0; rows &= rows - 1) {
            const uint64_t bit = rows & (0 - rows);
            const size_t row = 64 * word + (size_t)__builtin_ctzll(rows);
            const bool is_null = nulls != NULL && (nulls[word] & bit) != 0;
            const assay_text value = {bytes + cells[row].start, is_null ? 0 : cells[row].length};
            const assay_repaired_value result = repair_value(repairs, memory, scratch, value, is_null);
            if (result.status != ASSAY_OK) return result.status;
            if (result.is_unsettled) {
                repaired->unsettled[word] |= bit;
                repaired->unsettled_count++;
            }
            if (result.causes == 0) continue;
            if (!can_write(repaired, result.text, value.count)) continue;
            if (memory->patches.count + result.text.count > ASSAY_REPAIR_MAX) return ASSAY_NO_MEMORY;
            if (!repair_text_append(&memory->patches, result.text.bytes, result.text.count)) return ASSAY_NO_MEMORY;
            repaired->changed[word] |= bit;
            repaired->causes[row] = result.causes;
            if (is_null) nulls[word] &= ~bit;
            cells[row].length = (uint32_t)result.text.count;
            ++*changed_count;
        }
    }
    return ASSAY_OK;
}

assay_status assay_repairs_column(const assay_repairs *repairs, assay_repaired *repaired, assay_scratch *scratch,
                                  const uint8_t **bytes, assay_cell *cells, size_t count, const uint64_t *skip,
                                  const uint64_t *keep, uint64_t *nulls, assay_repair_room *room, size_t *changed_count)
{
    static const uint8_t nothing[1] = {0};
    *changed_count = 0;
    if (!reserve_rows(repaired, count)) return ASSAY_NO_MEMORY;
    if (*bytes == NULL) *bytes = nothing; /* every cell is empty in this case */
    repaired->memory->patches.count = 0;
    const size_t words = assay_mask_words(count);
    uint64_t *may = repaired->memory->masks;
    const assay_verdict_masks verdicts = {may + words, may + 2 * words};
    uint64_t *closed = may + 3 * words;
    for (size_t word = 0; word < words; word++) {
        closed[word] = ~assay_mask_rest(skip, count, word);
        if (keep != NULL) closed[word] |= keep[word];
        if (nulls != NULL) closed[word] |= nulls[word];
    }
    const assay_column_view open = {*bytes, cells, count, closed};
    repair_look_at(&repairs->look, scratch, &open, may, verdicts);
    for (size_t word = 0; nulls != NULL && repairs->has_default && word < words; word++) {
        may[word] |= nulls[word] & assay_mask_rest(skip, count, word) & ~(keep == NULL ? 0 : keep[word]);
    }
    const assay_status status =
        repair_rows(repairs, repaired, scratch, *bytes, cells, count, may, nulls, changed_count);
    if (status != ASSAY_OK || *changed_count == 0) return status;
    if (room != NULL && room->bytes != NULL && write_changes(repaired, *bytes, cells, count, room)) return ASSAY_OK;
    return write_column(repaired, bytes, cells, count, skip);
}
