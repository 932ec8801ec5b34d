/* The C core alone over the columns of a table, as the baseline of Rules.check. cases/python.py calls it.
 *
 * It does only the necessary work: it converts offsets to cells, validates the UTF-8, finds empty values, and matches
 * the others with a pattern. Threads take slices of 4,096 rows. */
#include <assay/core.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE = 4096, WORDS = SLICE / 64 };

typedef struct core_column {
    const int32_t *offsets;
    const uint8_t *bytes;
    const char *pattern;
} core_column;

typedef struct core_table {
    size_t column_count;
    const core_column *columns;
    assay_pattern **patterns;
    assay_check **checks;
    assay_check *presence;
} core_table;

void core_free(core_table *table)
{
    if (table == NULL) return;
    for (size_t i = 0; i < table->column_count; i++) {
        assay_check_free(table->checks[i]);
        assay_pattern_free(table->patterns[i]);
    }
    assay_check_free(table->presence);
    free(table->patterns);
    free(table->checks);
    free(table);
}

/* Returns NULL if a pattern is invalid or memory runs out. The columns must outlive the table. */
core_table *core_create(const core_column *columns, size_t count)
{
    core_table *table = calloc(1, sizeof *table);
    if (table == NULL) return NULL;
    *table = (core_table){.column_count = count,
                          .columns = columns,
                          .patterns = calloc(count, sizeof *table->patterns),
                          .checks = calloc(count, sizeof *table->checks),
                          .presence = assay_check_create_length(1, SIZE_MAX, ASSAY_LENGTH_BYTES)};
    bool is_complete = table->patterns != NULL && table->checks != NULL && table->presence != NULL;
    for (size_t i = 0; is_complete && i < count; i++) {
        assay_error error;
        table->patterns[i] =
            assay_pattern_create((const uint8_t *)columns[i].pattern, strlen(columns[i].pattern), 0, 0, &error);
        table->checks[i] = table->patterns[i] == NULL ? NULL : assay_check_create_pattern(table->patterns[i]);
        is_complete = table->checks[i] != NULL;
    }
    if (is_complete) return table;
    table->column_count = table->patterns != NULL && table->checks != NULL ? count : 0;
    core_free(table);
    return NULL;
}

typedef struct run {
    const core_table *table;
    size_t rows;
    uint64_t *rejected;
    atomic_size_t next;
    atomic_bool is_broken;
} run;

static bool evaluate(const core_table *table, assay_scratch *scratch, assay_cell *cells, size_t first, size_t count,
                     uint64_t *rejected)
{
    uint64_t missing[WORDS], failed[WORDS], undecided[WORDS];
    const size_t words = assay_mask_words(count);
    memset(rejected, 0, words * sizeof *rejected);
    for (size_t i = 0; i < table->column_count; i++) {
        const core_column *column = &table->columns[i];
        const size_t start = (size_t)column->offsets[first], end = (size_t)column->offsets[first + count];
        if (assay_utf8_valid_prefix(column->bytes + start, end - start) != end - start) return false;
        if (!assay_cells_from_offsets32(column->offsets + first, count, end, cells, NULL)) return false;
        assay_check_column(table->presence, scratch, column->bytes, cells, count, NULL, missing, undecided);
        assay_check_column(table->checks[i], scratch, column->bytes, cells, count, missing, failed, undecided);
        assay_mask_merge(rejected, missing, words);
        assay_mask_merge(rejected, failed, words);
        assay_mask_merge(rejected, undecided, words);
    }
    return true;
}

static void *work(void *argument)
{
    run *run = argument;
    assay_scratch *scratch = assay_scratch_create(NULL);
    assay_cell *cells = malloc(SLICE * sizeof *cells);
    if (scratch == NULL || cells == NULL) atomic_store(&run->is_broken, true);
    while (!atomic_load(&run->is_broken)) {
        const size_t first = SLICE * atomic_fetch_add(&run->next, 1);
        if (first >= run->rows) break;
        const size_t count = run->rows - first < SLICE ? run->rows - first : SLICE;
        if (!evaluate(run->table, scratch, cells, first, count, run->rejected + first / 64)) {
            atomic_store(&run->is_broken, true);
        }
    }
    free(cells);
    assay_scratch_free(scratch);
    return NULL;
}

/* Sets the bits of the rows that fail. Returns false if a column is invalid or memory runs out. */
bool core_evaluate(const core_table *table, size_t rows, unsigned threads, uint64_t *rejected)
{
    enum { MAX_COUNT = 64 };
    run run = {.table = table, .rows = rows, .rejected = rejected};
    pthread_t others[MAX_COUNT];
    unsigned started = 0;
    while (started + 1 < threads && started < MAX_COUNT && pthread_create(&others[started], NULL, work, &run) == 0)
        started++;
    work(&run);
    for (unsigned i = 0; i < started; i++) pthread_join(others[i], NULL);
    return !atomic_load(&run.is_broken);
}
