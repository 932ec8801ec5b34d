/* Compares records that were found block by block with one plain scan of the whole text, for all block sizes.

       assay_scan_until    equals the plain scan of the same buffer, up to the first record that starts at or after its
                           end
       assay_scan_guess    a reader of blocks guesses where records start, compares the guess with the previous block,
                           and must find all records of the text, in blocks of 1, 2, 3, 7 and 64 bytes and in one
                           block */
#include "test_scan_support.h"

enum { max_text = 700, max_records = max_text + 1, max_fields = 2 * max_text };

static bool one_of(test_random *random, uint32_t bound) { return test_random_below(random, bound) == 0; }

static assay_dialect any_dialect(test_random *random)
{
    assay_dialect dialect = {.delimiter = ',', .quote = '"'};
    dialect.quoting = !one_of(random, 8);
    dialect.cr_ends = one_of(random, 4);
    if (one_of(random, 6)) dialect.escape = '\\';
    if (one_of(random, 6)) dialect.comment = '#';
    dialect.skip_initial_space = one_of(random, 6);
    if (one_of(random, 8)) dialect.delimiter2 = ';';
    dialect.blank_lines = (uint8_t)test_random_below(random, 3);
    dialect.end_mark = one_of(random, 2);
    return dialect;
}

/* Multi-line quoted fields, text after quotes, unclosed quotes and all terminators, with some changed bytes. */
static size_t any_text(test_random *random, uint8_t *text)
{
    static const char letters[] = "ab ,;\"\n\r\\#";
    enum { letter_count = sizeof letters - 1 };
    const size_t target = test_random_below(random, max_text - 350);
    const uint32_t oddness = one_of(random, 3) ? 5 : 60;
    const bool is_crlf = one_of(random, 3);
    size_t count = 0;
    while (count < target) {
        const bool is_quoted = one_of(random, 3);
        if (is_quoted) text[count++] = '"';
        for (uint32_t left = test_random_below(random, one_of(random, 9) ? 90 : 8); left > 0; left--) {
            const char letter = letters[test_random_below(random, is_quoted ? letter_count : 3)];
            text[count++] = (uint8_t)letter;
            if (letter == '"' && !one_of(random, oddness)) text[count++] = '"';
        }
        if (is_quoted && !one_of(random, oddness)) text[count++] = '"';
        if (one_of(random, oddness)) text[count++] = (uint8_t)letters[test_random_below(random, letter_count)];
        if (!one_of(random, 4)) {
            text[count++] = ',';
        } else if (one_of(random, 4)) {
            for (uint32_t left = test_random_below(random, 5); left > 0; left--) text[count++] = '\n';
        } else {
            if (is_crlf) text[count++] = '\r';
            text[count++] = '\n';
        }
    }
    for (uint32_t left = test_random_below(random, 3); left > 0 && count > 0; left--) {
        text[test_random_below(random, (uint32_t)count)] = (uint8_t)letters[test_random_below(random, letter_count)];
    }
    if (one_of(random, 2)) {
        for (uint32_t left = test_random_below(random, 20); left > 0; left--) {
            text[count++] = is_crlf || one_of(random, 9) ? '\r' : '\n';
            if (is_crlf) text[count++] = '\n';
        }
        if (one_of(random, 2)) text[count++] = ASSAY_END_MARK;
    }
    return count;
}

static assay_record_limits any_limits(test_random *random)
{
    static const uint32_t sizes[] = {1, 5, 20, 63, 64, 65, 130};
    if (!one_of(random, 3)) return (assay_record_limits){1000, 1000};
    const uint32_t record_bytes = sizes[test_random_below(random, 7)],
                   field_bytes = sizes[test_random_below(random, 7)];
    return (assay_record_limits){field_bytes < record_bytes ? field_bytes : record_bytes, record_bytes};
}

/* The records found, with offsets in the whole text. */

typedef struct found_record {
    size_t start, end, first_field, field_count;
    uint32_t flags;
    bool may_differ; /* its cells may differ from its text, because it has quotes or escapes */
} found_record;

typedef struct findings {
    found_record records[max_records];
    size_t fields[max_fields];
    size_t record_count, field_count, lines;
} findings;

/* Adds the entries of a batch from `first` on; the bytes of its buffer begin at `offset`. The pieces of an overlong
   line depend on the buffers, so they are joined and their fields are dropped. */
static void add_entries(findings *to, const assay_batch *batch, uint32_t first, size_t offset)
{
    const uint32_t pieces = ASSAY_RECORD_CONTINUED | ASSAY_RECORD_CONTINUATION;
    for (uint32_t i = first; i < batch->record_count; i++) {
        const assay_record *record = &batch->records[i];
        if (record->flags & ASSAY_RECORD_CONTINUATION) {
            if (to->record_count > 0) to->records[to->record_count - 1].end = offset + record->end;
            continue;
        }
        if (to->record_count == max_records) abort();
        const bool is_long = (record->flags & (pieces | ASSAY_RECORD_TOO_LONG)) != 0;
        found_record *next = &to->records[to->record_count++];
        *next = (found_record){.start = offset + record->start,
                               .end = offset + record->end,
                               .first_field = to->field_count,
                               .flags = record->flags & ~pieces};
        if (is_long) continue;
        next->may_differ = batch->quoted[i / 64] >> (i % 64) & 1;
        for (uint32_t k = record->first_field; k < batch->records[i + 1].first_field; k++) {
            if (to->field_count == max_fields) abort();
            to->fields[to->field_count++] = offset + batch->field_ends[k];
            next->field_count++;
        }
    }
}

static bool are_equal(const findings *one, const findings *other)
{
    if (one->record_count != other->record_count || one->field_count != other->field_count ||
        one->lines != other->lines) {
        return false;
    }
    for (size_t i = 0; i < one->record_count; i++) {
        const found_record *a = &one->records[i], *b = &other->records[i];
        if (a->start != b->start || a->end != b->end || a->flags != b->flags || a->first_field != b->first_field ||
            a->field_count != b->field_count || a->may_differ != b->may_differ) {
            return false;
        }
    }
    return memcmp(one->fields, other->fields, one->field_count * sizeof *one->fields) == 0;
}

/* The reader of blocks. */

typedef struct block_reader {
    const uint8_t *text;
    size_t count;
    const assay_dialect *dialect;
    const assay_record_limits *limits;
    assay_batch *batch;
    size_t tail;        /* the number of bytes first read after a block */
    size_t position;    /* the start of the next record */
    bool continues;     /* an overlong record continues there */
    size_t guessed;     /* the number of blocks with a correct guess */
    size_t was_guessed; /* the number of blocks with a guess */
} block_reader;

static bool ends_unfinished(const assay_batch *batch)
{
    return batch->record_count > 0 && (batch->records[batch->record_count - 1].flags & ASSAY_RECORD_CONTINUED) != 0;
}

/* Scans the records that start from `start` to `end`, in buffers that grow until this is possible. */
static void scan_from(block_reader *reader, size_t start, size_t end, bool continues)
{
    size_t buffer_end = end + reader->tail;
    for (size_t more = 16;; more *= 2) {
        if (buffer_end > reader->count) buffer_end = reader->count;
        const bool is_last = buffer_end == reader->count;
        uint8_t *bytes = test_exact_copy(reader->text + start, buffer_end - start);
        const assay_status status =
            assay_scan_until(reader->batch, reader->dialect, reader->limits, bytes, buffer_end - start,
                             end > buffer_end ? buffer_end - start : end - start, is_last, continues);
        CHECK(status == ASSAY_OK);
        CHECK(test_dialect_batch_is_complete(reader->batch, reader->dialect, buffer_end - start));
        CHECK(test_encoding_is_found(reader->batch, bytes));
        free(bytes);
        if (is_last || start + reader->batch->consumed >= end) return;
        buffer_end += more;
    }
}

/* Finds the first entry of a guessed block from which all entries are correct. Returns false if there is no such
   entry. */
static bool guess(block_reader *reader, size_t begin, size_t end, size_t *start, uint32_t *entry)
{
    const size_t from = begin == 0 ? 0 : begin - 1;
    const size_t count = end - from;
    uint8_t *bytes = test_exact_copy(reader->text + from, count);
    *start = from + assay_scan_guess(reader->dialect, bytes, count, begin - from);
    free(bytes);
    if (*start >= end) return false;
    reader->was_guessed++;
    scan_from(reader, *start, end, false);
    if (reader->continues || ends_unfinished(reader->batch)) return false;
    for (*entry = 0; *entry < reader->batch->record_count; ++*entry) {
        if (*start + reader->batch->records[*entry].start == reader->position) return true;
    }
    return false;
}

static void read_block(block_reader *reader, size_t begin, size_t end, findings *to)
{
    if (reader->position >= end) return;
    size_t start = 0;
    uint32_t entry = 0;
    if (guess(reader, begin, end, &start, &entry)) {
        reader->guessed++;
    } else {
        start = reader->position;
        entry = 0;
        scan_from(reader, start, end, reader->continues);
    }
    const assay_batch *batch = reader->batch;
    const uint32_t dropped = batch->records[entry].start;
    add_entries(to, batch, entry, start);
    to->lines += batch->lines - assay_count_lines(reader->text + start, dropped, reader->dialect->cr_ends);
    reader->continues = ends_unfinished(batch);
    reader->position = start + batch->consumed;
}

static void describe(const block_reader *reader, const char *path, size_t size)
{
    const assay_dialect *dialect = reader->dialect;
    fprintf(
        stderr,
        "  %s, blocks of %zu, tail %zu, quoting %d, cr %d, delimiter2 %d, escape %d, comment %d, spaces %d, blank %d, "
        "mark %d, limits %u %u, of:\n%.*s\n",
        path, size, reader->tail, dialect->quoting, dialect->cr_ends, dialect->delimiter2, dialect->escape,
        dialect->comment, dialect->skip_initial_space, dialect->blank_lines, dialect->end_mark,
        reader->limits->field_bytes, reader->limits->record_bytes, (int)reader->count, (const char *)reader->text);
}

/* The number of guesses, and of correct ones. */
static size_t guesses, right_guesses;

static void compare_blocks(block_reader *reader, const char *path, const findings *expected)
{
    static const size_t sizes[] = {1, 2, 3, 7, 64, max_text};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        findings found = {.record_count = 0};
        reader->position = 0;
        reader->continues = false;
        reader->guessed = reader->was_guessed = 0;
        for (size_t begin = 0; begin < reader->count; begin += sizes[i]) {
            const size_t end = begin + sizes[i];
            read_block(reader, begin, end < reader->count ? end : reader->count, &found);
        }
        guesses += reader->was_guessed;
        right_guesses += reader->guessed;
        CHECK_EQUAL(reader->position, reader->count);
        if (!CHECK(are_equal(&found, expected))) describe(reader, path, sizes[i]);
    }
}

/* Part of the text as a buffer, and an end within it. */
static void compare_until(test_random *random, const block_reader *reader, const char *path, assay_batch *plain)
{
    const size_t count = one_of(random, 3) ? reader->count : test_random_below(random, (uint32_t)reader->count + 1);
    const size_t end = test_random_below(random, (uint32_t)count + 2);
    const bool is_last = one_of(random, 2), continues = one_of(random, 6);
    uint8_t *bytes = test_exact_copy(reader->text, count);
    assay_scan_plain(plain, reader->dialect, reader->limits, bytes, count, UINT32_MAX - 1, is_last, continues);
    if (end > 0 && end < count) {
        uint32_t max = 0;
        while (max < plain->record_count && plain->records[max].start < end) max++;
        assay_scan_plain(plain, reader->dialect, reader->limits, bytes, count, max, is_last, continues);
    }
    assay_scan_until(reader->batch, reader->dialect, reader->limits, bytes, count, end, is_last, continues);
    CHECK(test_encoding_is_found(reader->batch, bytes));
    if (!CHECK(test_batches_are_equal(plain, reader->batch))) {
        fprintf(stderr, "  until %zu of %zu, is_last %d, continues %d, records %u and %u, consumed %u and %u\n", end,
                count, is_last, continues, plain->record_count, reader->batch->record_count, plain->consumed,
                reader->batch->consumed);
        describe(reader, path, 0);
    }
    free(bytes);
}

static void compare(test_random *random, const uint8_t *text, size_t count, assay_batch *plain, assay_batch *fast)
{
    const assay_dialect dialect = any_dialect(random);
    const assay_record_limits limits = any_limits(random);
    findings expected = {.record_count = 0};
    assay_scan_plain(plain, &dialect, &limits, text, count, UINT32_MAX - 1, true, false);
    add_entries(&expected, plain, 0, 0);
    expected.lines = plain->lines;
    block_reader reader = {.text = text,
                           .count = count,
                           .dialect = &dialect,
                           .limits = &limits,
                           .batch = fast,
                           .tail = test_random_below(random, 40)};
    for (size_t p = 1; test_select_path(p); p++) {
        compare_blocks(&reader, test_path(p), &expected);
        for (int i = 0; i < 8; i++) compare_until(random, &reader, test_path(p), plain);
    }
}

int main(int argument_count, char **arguments)
{
    const unsigned long rounds = argument_count > 1 ? strtoul(arguments[1], NULL, 10) : test_rounds(10000);
    test_random random = test_random_of(0xD1B54A32D192ED03u);
    uint8_t text[max_text];
    assay_batch *plain = assay_batch_create(), *fast = assay_batch_create();
    for (unsigned long round = 0; round < rounds; round++) {
        const size_t count = any_text(&random, text);
        compare(&random, text, count, plain, fast);
    }
    /* Otherwise most blocks would be scanned twice. */
    CHECK(right_guesses > guesses / 4);
    assay_batch_free(plain);
    assay_batch_free(fast);
    return test_result();
}
