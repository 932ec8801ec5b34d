/* test_scan_support.h: calls the scanner, and checks the invariants of every batch. */
#ifndef ASSAY_TEST_SCAN_SUPPORT_H
#define ASSAY_TEST_SCAN_SUPPORT_H

#include "assay/core.h"
#include "test.h"
#include "test_paths.h"

/* The paths under test by index: the plain scanner, then all processor paths of this machine. NULL after the last
   path. */
static inline const char *test_path(size_t index) { return index == 0 ? "plain" : assay_cpu_at(index - 1); }

/* Selects a path. After the last one, selects the best path again and returns false. */
static inline bool test_select_path(size_t index) { return index == 0 || test_select_cpu(index - 1); }

static inline assay_status test_scan(const char *path, assay_batch *batch, const assay_dialect *dialect,
                                     const assay_record_limits *limits, const uint8_t *bytes, size_t count,
                                     uint32_t max_records, bool is_last, bool continues)
{
    bool plain = strcmp(path, "plain") == 0;
    return (plain ? assay_scan_plain : assay_scan)(batch, dialect, limits, bytes, count, max_records, is_last,
                                                   continues);
}

/* A copy in memory of exactly its size, so that AddressSanitizer detects reads beyond either end. */
static inline uint8_t *test_exact_copy(const uint8_t *bytes, size_t count)
{
    uint8_t *copy = malloc(count == 0 ? 1 : count);
    if (copy == NULL) abort();
    if (count > 0) memcpy(copy, bytes, count);
    return copy;
}

/* Checks that records are contiguous from 0 to `consumed`, that fields are inside their records, that comments are
   counted, and that the closing entry is correct. */
static inline bool test_dialect_batch_is_complete(const assay_batch *batch, const assay_dialect *dialect, size_t count)
{
    uint32_t position = 0, field = 0, comments = 0;
    for (uint32_t i = 0; i < batch->record_count; i++) {
        const assay_record *record = &batch->records[i];
        if (record->start != position || record->end <= record->start || record->first_field != field) return false;
        const bool is_comment = record->flags == ASSAY_RECORD_COMMENT;
        /* Only a sample of many entries, because each query visits all earlier entries. */
        if ((i < 1000 || i % 1000 == 0) && assay_batch_comments_before(batch, i) != comments) return false;
        if ((batch->comments[i / 64] >> (i % 64) & 1) != is_comment) return false;
        comments += is_comment;
        uint32_t next_field = batch->records[i + 1].first_field;
        if (next_field <= field) return false;
        uint32_t start = record->start;
        for (; field < next_field; field++) {
            uint32_t end = batch->field_ends[field];
            if (end < start || end > record->end) return false;
            start = end + assay_dialect_delimiter_bytes(dialect);
        }
        position = record->end;
    }
    if (batch->comment_count != comments || assay_batch_comments_before(batch, batch->record_count) != comments) {
        return false;
    }
    const assay_record *closing = &batch->records[batch->record_count];
    return position == batch->consumed && position <= count && field == batch->field_count &&
           closing->start == position && closing->end == position && closing->first_field == field &&
           closing->flags == 0;
}

/* The same for fields that are separated by commas. */
static inline bool test_batch_is_complete(const assay_batch *batch, size_t count)
{
    const assay_dialect dialect = {.delimiter = ','};
    return test_dialect_batch_is_complete(batch, &dialect, count);
}

static inline bool test_batches_are_equal(const assay_batch *a, const assay_batch *b)
{
    return a->record_count == b->record_count && a->field_count == b->field_count && a->consumed == b->consumed &&
           a->lines == b->lines && a->min_fields == b->min_fields &&
           memcmp(a->quoted, b->quoted, assay_mask_words(a->record_count) * sizeof *a->quoted) == 0 &&
           memcmp(a->layout_changes, b->layout_changes,
                  assay_mask_words(a->record_count) * sizeof *a->layout_changes) == 0 &&
           memcmp(a->records, b->records, (a->record_count + 1) * sizeof *a->records) == 0 &&
           memcmp(a->field_ends, b->field_ends, a->field_count * sizeof *a->field_ends) == 0;
}

/* Checks the UTF-8 of each record separately. The batch must agree, and must mark every invalid record as
   unverified. */
static inline bool test_encoding_is_found(const assay_batch *batch, const uint8_t *bytes)
{
    const size_t words = assay_mask_words(batch->record_count);
    uint64_t *mask = calloc(words + 1, sizeof *mask);
    size_t ones = assay_batch_mask_encoding(batch, bytes, 0, batch->record_count, mask);
    bool is_found = true;
    for (uint32_t i = 0; i < batch->record_count; i++) {
        const size_t length = batch->records[i].end - batch->records[i].start;
        const bool is_right = assay_utf8_valid_prefix(bytes + batch->records[i].start, length) == length;
        ones -= !is_right;
        is_found = is_found && (mask[i / 64] >> (i % 64) & 1) == !is_right;
        is_found = is_found && (is_right || batch->utf8_unverified[i / 64] >> (i % 64) & 1);
    }
    free(mask);
    return is_found && ones == 0;
}

#endif
