/* Reads lines with the fast reader and compares all results with the plain reader. */
#ifndef ASSAY_TEST_JSON_SUPPORT_H
#define ASSAY_TEST_JSON_SUPPORT_H

#include "test_json_reference.h"

/* A buffer with its records and their reader. */
typedef struct json_run {
    assay_json_paths *paths;
    assay_json_reader *reader;
    assay_batch *batch;
    uint8_t *bytes;
    uint32_t used;
} json_run;

static inline json_run json_open(const char *const *names, size_t count)
{
    assay_text texts[32] = {{NULL, 0}};
    if (count > 32) abort();
    for (size_t i = 0; i < count; i++) texts[i] = (assay_text){(const uint8_t *)names[i], strlen(names[i])};
    size_t bad = 0;
    assay_error error = {0};
    json_run run = {.paths = assay_json_paths_create(texts, count, &bad, &error)};
    if (run.paths == NULL) {
        fprintf(stderr, "%s: %s\n", names[bad], error.message);
        abort();
    }
    run.reader = assay_json_reader_create(run.paths);
    run.batch = assay_batch_create();
    if (run.reader == NULL || run.batch == NULL) abort();
    return run;
}

static inline void json_close(json_run *run)
{
    assay_json_reader_free(run->reader);
    assay_json_paths_free(run->paths);
    assay_batch_free(run->batch);
    free(run->bytes);
}

/* Splits the text into lines. The buffer is exactly twice as long, so that sanitizers detect accesses beyond it. */
static inline void json_split(json_run *run, const void *text, size_t count)
{
    static const assay_dialect lines = {.delimiter = '\n'};
    static const assay_record_limits limits = {1u << 24, 1u << 24};
    free(run->bytes);
    run->bytes = malloc(2 * count + (count == 0));
    if (run->bytes == NULL) abort();
    memcpy(run->bytes, text, count);
    memset(run->bytes + count, 'x', count);
    CHECK(assay_scan(run->batch, &lines, &limits, run->bytes, count, UINT32_MAX, true, false) == ASSAY_OK);
    CHECK_EQUAL(run->batch->consumed, count);
    run->used = (uint32_t)count;
}

/* The expected values of a column, visited one by one. */
typedef struct json_expectation {
    const json_run *run;
    size_t column;
    uint32_t first;
    uint32_t row;
    size_t at; /* the next element of a list column */
} json_expectation;

static inline void json_expect(void *context, assay_json_kind kind, const plain_value *value, uint32_t place,
                               const uint32_t *indexes)
{
    json_expectation *it = context;
    const json_run *run = it->run;
    const bool is_list = assay_json_paths_depth(run->paths, it->column) > 0;
    const size_t at = is_list ? it->at++ : it->row;
    if (!CHECK(at < assay_json_element_count(run->reader, it->column))) return;
    CHECK_EQUAL(assay_json_kinds(run->reader, it->column)[at], kind);
    CHECK_EQUAL(assay_json_places(run->reader, it->column)[at], place);
    const assay_cell cell = assay_json_cells(run->reader, it->column)[at];
    if (kind == ASSAY_JSON_STRING) {
        CHECK_EQUAL(cell.length, value->text_count);
        CHECK(cell.length == value->text_count && memcmp(run->bytes + cell.start, value->text, cell.length) == 0);
    } else {
        CHECK_EQUAL(cell.start, place);
        CHECK_EQUAL(cell.length, kind <= ASSAY_JSON_NULL ? 0 : value->end - place);
    }
    if (!is_list) return;
    CHECK_EQUAL(assay_json_element_rows(run->reader, it->column)[at], it->row);
    CHECK(memcmp(assay_json_element_indexes(run->reader, it->column) + ASSAY_JSON_LISTS * at, indexes,
                 ASSAY_JSON_LISTS * sizeof *indexes) == 0);
}

static inline void json_check_mask(const json_run *run, size_t column)
{
    const size_t count = assay_json_element_count(run->reader, column);
    uint64_t mask[64];
    if (count > 64 * 64) return;
    const unsigned kinds = 1u << ASSAY_JSON_STRING | 1u << ASSAY_JSON_NULL;
    assay_json_kind_mask(run->reader, column, kinds, mask);
    bool is_right = true;
    for (size_t i = 0; i < 64 * assay_mask_words(count); i++) {
        const bool expected = i < count && (kinds >> assay_json_kinds(run->reader, column)[i] & 1) != 0;
        is_right &= (mask[i / 64] >> (i % 64) & 1) == expected;
    }
    CHECK(is_right);
}

/* Reads a slice and compares all results with the plain reader. */
static inline void json_compare(json_run *run, const char *const *names, size_t count, uint32_t first, uint32_t rows,
                                const uint64_t *skip)
{
    const uint32_t size = run->batch->consumed;
    uint8_t *before = malloc(size + 1);
    if (before == NULL) abort();
    memcpy(before, run->bytes, size);
    CHECK(assay_json_read(run->reader, run->batch, run->bytes, &run->used, first, rows, skip) == ASSAY_OK);
    CHECK(memcmp(before, run->bytes, size) == 0);
    CHECK(run->used >= size && run->used <= 2 * size);
    json_expectation expectations[32];
    for (size_t i = 0; i < count; i++) expectations[i] = (json_expectation){run, i, first, 0, 0};
    for (uint32_t row = 0; row < rows; row++) {
        const assay_record *record = &run->batch->records[first + row];
        uint32_t end = record->end;
        if (end > record->start && before[end - 1] == '\n') end--;
        if (end > record->start && before[end - 1] == '\r') end--;
        assay_json_mistake mistake = {0, ASSAY_JSON_NO_MISTAKE};
        const bool is_skipped = skip != NULL && (skip[row / 64] >> (row % 64) & 1) != 0;
        plain_value *line = is_skipped ? NULL : plain_line(before, record->start, end, &mistake);
        const bool is_malformed = (assay_json_malformed(run->reader)[row / 64] >> (row % 64) & 1) != 0;
        const assay_json_mistake found = assay_json_mistake_at(run->reader, row);
        CHECK_EQUAL(is_malformed, line == NULL && !is_skipped);
        if (!CHECK(found.code == mistake.code && found.place == mistake.place) && test_failures < 20) {
            fprintf(stderr, "    %.*s\n    mistake %d at %u against %d at %u\n", (int)(end - record->start),
                    (const char *)before + record->start, (int)found.code, found.place - record->start,
                    (int)mistake.code, mistake.place - record->start);
        }
        const unsigned long failures = test_failures;
        for (size_t i = 0; i < count; i++) {
            expectations[i].row = row;
            static const uint32_t none[ASSAY_JSON_LISTS];
            if (line != NULL) {
                plain_evaluate(line, names[i], record->start, json_expect, &expectations[i]);
            } else if (assay_json_paths_depth(run->paths, i) == 0) {
                json_expect(&expectations[i], ASSAY_JSON_ABSENT, NULL, record->start, none);
            }
        }
        if (test_failures != failures && failures < 20) {
            fprintf(stderr, "    %.*s\n", (int)(end - record->start), (const char *)before + record->start);
        }
        plain_free(line);
    }
    for (size_t i = 0; i < count; i++) {
        if (assay_json_paths_depth(run->paths, i) > 0) {
            CHECK_EQUAL(assay_json_element_count(run->reader, i), expectations[i].at);
        }
        json_check_mask(run, i);
    }
    free(before);
}

#endif
