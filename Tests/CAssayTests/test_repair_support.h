/* Compares lists of repairs over columns with the same repairs of single values. */
#ifndef ASSAY_TEST_REPAIR_SUPPORT_H
#define ASSAY_TEST_REPAIR_SUPPORT_H

#include "assay/repair.h"
#include "test.h"

enum { max_rows = 512, before = 16 };

/* Values separated by commas, as in a file. */
typedef struct test_column {
    uint8_t *bytes;
    size_t used, capacity;
    assay_cell cells[max_rows];
    size_t count;
} test_column;

static inline void column_add(test_column *column, const uint8_t *value, size_t count)
{
    const size_t needed = column->used + before + count + 1;
    if (needed > column->capacity) {
        column->capacity = 2 * needed;
        column->bytes = realloc(column->bytes, column->capacity);
    }
    if (column->used == 0) {
        memset(column->bytes, ',', before);
        column->used = before;
    }
    column->cells[column->count++] = (assay_cell){(uint32_t)column->used, (uint32_t)count};
    if (count > 0) memcpy(column->bytes + column->used, value, count);
    column->used += count;
    column->bytes[column->used++] = ',';
}

static inline void column_clear(test_column *column) { column->used = column->count = 0; }

/* The same repair with extra room after the buffer must have the same results. */
static inline void check_room(const assay_repairs *repairs, assay_repaired *memory, assay_repaired *other,
                              assay_scratch *scratch, const test_column *column, const uint64_t *skip,
                              const uint8_t *expected, const assay_cell *expected_cells)
{
    const size_t max = column->used % 3 == 0 ? 7 : 8 * column->used; /* sometimes too little */
    uint8_t *buffer = malloc(column->used + max);
    memcpy(buffer, column->bytes, column->used);
    assay_cell cells[max_rows];
    memcpy(cells, column->cells, sizeof cells);
    assay_repair_room room = {buffer + column->used, max};
    const uint8_t *bytes = buffer;
    size_t changed = 0;
    assay_repaired_begin(other);
    CHECK_EQUAL(
        assay_repairs_column(repairs, other, scratch, &bytes, cells, column->count, skip, NULL, NULL, &room, &changed),
        ASSAY_OK);
    CHECK(memcmp(buffer, column->bytes, column->used) == 0);
    for (size_t row = 0; row < column->count; row++) {
        if (skip[row / 64] >> (row % 64) & 1) continue;
        CHECK(cells[row].length == expected_cells[row].length &&
              memcmp(bytes + cells[row].start, expected + expected_cells[row].start, cells[row].length) == 0);
    }
    for (size_t word = 0; word < assay_mask_words(column->count); word++) {
        CHECK_EQUAL(other->changed[word], memory->changed[word]);
    }
    free(buffer);
}

/* Repairs a column and each of its values, and compares the results. A second repair must not change them. Returns
   the number of changed values. */
static size_t check_column(const assay_repairs *repairs, assay_repaired *memory, assay_repaired *other,
                           assay_scratch *scratch, const test_column *column)
{
    assay_cell cells[max_rows];
    memcpy(cells, column->cells, sizeof cells);
    const size_t words = assay_mask_words(column->count);
    uint64_t skip[max_rows / 64] = {0};
    skip[0] = 4; /* one skipped row */
    const uint8_t *bytes = column->bytes;
    size_t changed = 0;
    assay_repaired_begin(memory);
    CHECK_EQUAL(
        assay_repairs_column(repairs, memory, scratch, &bytes, cells, column->count, skip, NULL, NULL, NULL, &changed),
        ASSAY_OK);
    size_t found = 0;
    for (size_t row = 0; row < column->count; row++) {
        if (skip[row / 64] >> (row % 64) & 1) continue;
        const uint8_t *value = column->bytes + column->cells[row].start;
        const assay_repaired_value expected =
            assay_repairs_value(repairs, other, scratch, value, column->cells[row].length, false);
        const bool is_changed = memory->changed[row / 64] >> (row % 64) & 1;
        const bool is_right = is_changed == (expected.causes != 0) && cells[row].length == expected.text.count &&
                              (expected.text.count == 0 ||
                               memcmp(bytes + cells[row].start, expected.text.bytes, expected.text.count) == 0) &&
                              (!is_changed || memory->causes[row] == expected.causes) &&
                              (memory->unsettled[row / 64] >> (row % 64) & 1) == expected.is_unsettled;
        CHECK(is_right);
        if (!is_right) {
            fprintf(stderr, "'%.*s' became '%.*s' in a column, alone '%.*s'\n", (int)column->cells[row].length,
                    (const char *)value, (int)cells[row].length, (const char *)bytes + cells[row].start,
                    (int)expected.text.count, (const char *)expected.text.bytes);
        }
        found += is_changed;
        CHECK_EQUAL(assay_utf8_valid_prefix(bytes + cells[row].start, cells[row].length), cells[row].length);
    }
    CHECK_EQUAL(found, changed);
    for (size_t word = 0; word < words; word++) CHECK((memory->changed[word] & skip[word]) == 0);
    check_room(repairs, memory, other, scratch, column, skip, bytes, cells);
    size_t changed_again = 0;
    const uint8_t *once = bytes;
    CHECK_EQUAL(assay_repairs_column(repairs, other, scratch, &bytes, cells, column->count, skip, NULL, NULL, NULL,
                                     &changed_again),
                ASSAY_OK);
    CHECK_EQUAL(changed_again, 0);
    CHECK(once == bytes);
    if (changed_again > 0) {
        for (size_t row = 0; row < column->count; row++) {
            if ((other->changed[row / 64] >> (row % 64) & 1) == 0) continue;
            fprintf(stderr, "'%.*s' changed twice, to '%.*s'\n", (int)column->cells[row].length,
                    (const char *)column->bytes + column->cells[row].start, (int)cells[row].length,
                    (const char *)bytes + cells[row].start);
            break;
        }
    }
    return changed;
}

/* SplitMix64. */
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static inline size_t random_below(uint64_t *state, size_t max) { return (size_t)(random_next(state) % max); }

#endif
