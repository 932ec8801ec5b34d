/* The engines of `bench.py --case engines` behind one interface, which cases/engines.py calls through ctypes.
 *
 * Value i of a column is bytes [offsets[i], offsets[i + 1]). Only one thread at a time may use a pattern. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "bare_loop.h"

#ifdef HAS_RE2
#include "re2_loop.h"
#endif
#ifdef HAS_HYPERSCAN
#include "hyperscan_loop.h"
#endif

#include <assay/core.h>
#include <stdlib.h>
#include <time.h>

/* The rows of one call of assay_check_column, as a reader passes them. */
enum { SLICE = 4096, MAX_PATTERN_BYTES = 1 << 20 };

/* A pattern of Assay. The check is NULL if it is only for single values. */
typedef struct assay_loop {
    assay_pattern *pattern;
    assay_check *check;
    assay_scratch *scratch;
    /* The cells of the latest column, which is identified by its offsets. A reader makes cells, so that making them is
     * not measured. */
    assay_cell *cells;
    const int32_t *offsets;
    size_t count;
    uint64_t failed[SLICE / 64];
    uint64_t undecided[SLICE / 64];
} assay_loop;

static void assay_loop_free(void *pattern)
{
    assay_loop *loop = pattern;
    if (loop == NULL) return;
    assay_scratch_free(loop->scratch);
    assay_check_free(loop->check);
    assay_pattern_free(loop->pattern);
    free(loop->cells);
    free(loop);
}

static void *assay_single_create(const char *text, size_t count, bool is_search)
{
    assay_loop *loop = calloc(1, sizeof *loop);
    if (loop == NULL) return NULL;
    assay_error error;
    const uint32_t options = is_search ? ASSAY_PATTERN_SEARCH : 0;
    loop->pattern = assay_pattern_create((const uint8_t *)text, count, options, MAX_PATTERN_BYTES, &error);
    loop->scratch = assay_scratch_create(NULL);
    if (loop->pattern == NULL || loop->scratch == NULL) {
        assay_loop_free(loop);
        return NULL;
    }
    return loop;
}

static void *assay_column_create(const char *text, size_t count, bool is_search)
{
    assay_loop *loop = assay_single_create(text, count, is_search);
    if (loop == NULL) return NULL;
    loop->check = assay_check_create_pattern(loop->pattern);
    if (loop->check == NULL) {
        assay_loop_free(loop);
        return NULL;
    }
    return loop;
}

static bool assay_loop_set_column(assay_loop *loop, const int32_t *offsets, size_t count)
{
    if (loop->offsets == offsets && loop->count == count) return true;
    assay_cell *cells = realloc(loop->cells, (count + 1) * sizeof *cells);
    if (cells == NULL) return false;
    loop->cells = cells;
    loop->offsets = offsets;
    loop->count = count;
    return assay_cells_from_offsets32(offsets, count, (size_t)offsets[count], cells, NULL);
}

/* Checks the slice from row `first` on, and returns its number of rows. */
static size_t assay_loop_check(assay_loop *loop, const uint8_t *bytes, size_t first)
{
    const size_t rows = loop->count - first < SLICE ? loop->count - first : SLICE;
    assay_check_column(loop->check, loop->scratch, bytes, loop->cells + first, rows, NULL, loop->failed,
                       loop->undecided);
    return rows;
}

static size_t assay_column_count(void *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count)
{
    assay_loop *loop = pattern;
    if (!assay_loop_set_column(loop, offsets, count)) return SIZE_MAX;
    size_t matches = 0;
    for (size_t first = 0; first < count; first += SLICE) {
        const size_t rows = assay_loop_check(loop, bytes, first), words = assay_mask_words(rows);
        matches += rows - assay_mask_count(loop->failed, words) - assay_mask_count(loop->undecided, words);
    }
    return matches;
}

static void assay_column_verdicts(void *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count,
                                  uint8_t *verdicts)
{
    assay_loop *loop = pattern;
    const bool is_set = assay_loop_set_column(loop, offsets, count);
    for (size_t first = 0; first < count; first += SLICE) {
        const size_t rows = is_set ? assay_loop_check(loop, bytes, first) : SLICE;
        for (size_t row = 0; row < rows && first + row < count; row++) {
            const uint64_t bit = UINT64_C(1) << (row % 64);
            const bool failed = (loop->failed[row / 64] & bit) != 0, undecided = (loop->undecided[row / 64] & bit) != 0;
            verdicts[first + row] = !is_set || undecided ? ASSAY_UNDECIDED : failed ? ASSAY_FAIL : ASSAY_PASS;
        }
    }
}

static size_t assay_single_count(void *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count)
{
    assay_loop *loop = pattern;
    size_t matches = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t length = (size_t)(offsets[i + 1] - offsets[i]);
        matches += assay_pattern_match(loop->pattern, loop->scratch, bytes + offsets[i], length) == ASSAY_PASS;
    }
    return matches;
}

static void assay_single_verdicts(void *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count,
                                  uint8_t *verdicts)
{
    assay_loop *loop = pattern;
    for (size_t i = 0; i < count; i++) {
        const size_t length = (size_t)(offsets[i + 1] - offsets[i]);
        verdicts[i] = (uint8_t)assay_pattern_match(loop->pattern, loop->scratch, bytes + offsets[i], length);
    }
}

static void *pcre2_create(const char *text, size_t count, bool is_search)
{
    return bare_pattern_create(text, count, is_search);
}

static void pcre2_free(void *pattern) { bare_pattern_free(pattern); }

static size_t pcre2_count(void *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count)
{
    return bare_pattern_count(pattern, bytes, offsets, count);
}

#ifdef HAS_RE2
static void *re2_create(const char *text, size_t count, bool is_search)
{
    return re2_patterns_create(&text, &count, 1, is_search);
}

static void re2_free(void *pattern) { re2_patterns_free(pattern); }

static size_t re2_count(void *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count)
{
    return re2_patterns_count(pattern, bytes, offsets, count);
}
#endif

#ifdef HAS_HYPERSCAN
static void *hyperscan_create(const char *text, size_t count, bool is_search)
{
    return hyperscan_patterns_create(&text, &count, 1, is_search);
}

static void hyperscan_free(void *pattern) { hyperscan_patterns_free(pattern); }

static size_t hyperscan_count(void *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count)
{
    return hyperscan_patterns_count(pattern, bytes, offsets, count);
}
#endif

typedef struct engine {
    const char *name;
    /* Returns NULL if the engine refuses the pattern. */
    void *(*create)(const char *text, size_t count, bool is_search);
    void (*free)(void *pattern);
    /* Counts the matching values of a column. */
    size_t (*count)(void *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count);
    /* Writes an assay_verdict for each value; NULL: by one call of `count` for each. */
    void (*verdicts)(void *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count, uint8_t *verdicts);
} engine;

static const engine engines[] = {
    {"Assay, column", assay_column_create, assay_loop_free, assay_column_count, assay_column_verdicts},
    {"Assay, single calls", assay_single_create, assay_loop_free, assay_single_count, assay_single_verdicts},
    {"PCRE2 JIT", pcre2_create, pcre2_free, pcre2_count, NULL},
#ifdef HAS_RE2
    {"RE2", re2_create, re2_free, re2_count, NULL},
#endif
#ifdef HAS_HYPERSCAN
    {"Hyperscan", hyperscan_create, hyperscan_free, hyperscan_count, NULL},
#endif
};

/* Returns the name of an engine; NULL after the last one. */
const char *engine_name(size_t index) { return index < sizeof engines / sizeof *engines ? engines[index].name : NULL; }

void *engine_create(size_t index, const char *text, size_t count, bool is_search)
{
    return engines[index].create(text, count, is_search);
}

void engine_free(size_t index, void *pattern) { engines[index].free(pattern); }

size_t engine_count(size_t index, void *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count)
{
    return engines[index].count(pattern, bytes, offsets, count);
}

void engine_verdicts(size_t index, void *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count,
                     uint8_t *verdicts)
{
    const engine *engine = &engines[index];
    if (engine->verdicts != NULL) {
        engine->verdicts(pattern, bytes, offsets, count, verdicts);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        verdicts[i] = engine->count(pattern, bytes, offsets + i, 1) == 1 ? ASSAY_PASS : ASSAY_FAIL;
    }
}

/* Returns the nanoseconds that it takes to compile a pattern and to check one value; 0 if the engine refuses it. */
uint64_t engine_first_value(size_t index, const char *text, size_t count, bool is_search, const uint8_t *bytes,
                            const int32_t *offsets)
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    void *pattern = engines[index].create(text, count, is_search);
    if (pattern == NULL) return 0;
    engines[index].count(pattern, bytes, offsets, 1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    engines[index].free(pattern);
    return (uint64_t)(end.tv_sec - start.tv_sec) * 1000000000u + (uint64_t)end.tv_nsec - (uint64_t)start.tv_nsec;
}
