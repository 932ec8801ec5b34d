/* Compares the scanner on dialects with options with a stateless reader, which goes from field to field and has the
   whole text. Every text is also cut into two buffers, at each offset. */
#include "Records/assay_scan_state.h"
#include "test_scan_support.h"

enum { LONGEST = 16, ROOM = 1024 };

/* The records as text: the bytes of each field, then its value. `#` comment, `U` unclosed, with the number of lines
   read after its own, `T` quote text. */
typedef struct writing {
    char text[ROOM];
    size_t count;
} writing;

static void put(writing *to, const void *bytes, size_t count)
{
    if (to->count + count >= ROOM) abort();
    memcpy(to->text + to->count, bytes, count);
    to->count += count;
    to->text[to->count] = '\0';
}

static void put_field(writing *to, const uint8_t *field, size_t count, const uint8_t *value, size_t value_count)
{
    put(to, "[", 1);
    put(to, field, count);
    put(to, "=", 1);
    put(to, value, value_count);
    put(to, "]", 1);
}

/* The stateless reader. */

typedef struct reader {
    const uint8_t *text;
    size_t count;
    assay_dialect dialect;
} reader;

static int at(const reader *r, size_t i) { return i < r->count ? r->text[i] : -1; }

/* The length of the terminator, delimiter, escape sequence or skipped space at a position, or 0. */
static size_t terminator_at(const reader *r, size_t i)
{
    if (at(r, i) == '\r' && at(r, i + 1) == '\n') return 2;
    return at(r, i) == '\n' || (at(r, i) == '\r' && r->dialect.cr_ends);
}

static size_t delimiter_at(const reader *r, size_t i)
{
    if (at(r, i) != r->dialect.delimiter) return 0;
    if (r->dialect.delimiter2 == 0) return 1;
    return at(r, i + 1) == r->dialect.delimiter2 ? 2 : 0;
}

static size_t escape_at(const reader *r, size_t i)
{
    if (r->dialect.escape == 0 || at(r, i) != r->dialect.escape) return 0;
    if (i + 1 == r->count) return 1;
    return at(r, i + 1) == '\r' && at(r, i + 2) == '\n' ? 3 : 2;
}

static size_t spaces_at(const reader *r, size_t i)
{
    if (!r->dialect.skip_initial_space) return 0;
    size_t count = 0;
    while ((at(r, i + count) == ' ' || at(r, i + count) == '\t') && at(r, i + count) != r->dialect.delimiter) count++;
    return count;
}

static bool field_ends_at(const reader *r, size_t i)
{
    return i == r->count || terminator_at(r, i) > 0 || delimiter_at(r, i) > 0;
}

/* Adds the value of an escape sequence. */
static size_t add_escaped(const reader *r, size_t i, size_t length, uint8_t *value, size_t count)
{
    if (length == 1) {
        value[count++] = r->dialect.escape;
        return count;
    }
    uint8_t byte = r->text[i + 1];
    if (r->dialect.escape == '\\') {
        switch (byte) {
        case '0':
            byte = 0;
            break;
        case 'b':
            byte = 8;
            break;
        case 'f':
            byte = 12;
            break;
        case 'n':
            byte = 10;
            break;
        case 'r':
            byte = 13;
            break;
        case 't':
            byte = 9;
            break;
        case 'v':
            byte = 11;
            break;
        case 'Z':
            byte = 26;
            break;
        default:
            break;
        }
    }
    value[count++] = byte;
    if (length == 3) value[count++] = '\n';
    return count;
}

typedef struct field {
    size_t end;
    uint8_t value[LONGEST + 1];
    size_t value_count;
    bool is_unclosed, has_text;
    size_t text; /* after the closing quote */
} field;

static field read_field(const reader *r, size_t start)
{
    field f = {.end = start};
    size_t i = start + spaces_at(r, start);
    const size_t text = i;
    const bool is_quoted = r->dialect.quoting && at(r, i) == r->dialect.quote;
    if (is_quoted) {
        for (i++;; i++) {
            const size_t escaped = escape_at(r, i);
            if (i >= r->count || (escaped > 0 && i + 1 == r->count)) {
                f.is_unclosed = true;
                return f;
            }
            if (escaped > 0) {
                f.value_count = add_escaped(r, i, escaped, f.value, f.value_count);
                i += escaped - 1;
            } else if (at(r, i) != r->dialect.quote) {
                f.value[f.value_count++] = r->text[i];
            } else if (at(r, i + 1) == r->dialect.quote) {
                f.value[f.value_count++] = r->text[i++];
            } else {
                break;
            }
        }
        i++;
        const size_t behind = i + spaces_at(r, i);
        f.end = behind;
        if (field_ends_at(r, behind)) return f;
        f.has_text = true;
        f.text = behind;
    }
    while (!field_ends_at(r, i)) {
        const size_t escaped = escape_at(r, i);
        if (escaped > 0) {
            f.value_count = add_escaped(r, i, escaped, f.value, f.value_count);
            i += escaped;
        } else {
            f.value[f.value_count++] = r->text[i++];
        }
    }
    f.end = i;
    if (!is_quoted && r->dialect.escape == '\\' && i - text == 2 && memcmp(r->text + text, "\\N", 2) == 0) {
        memcpy(f.value, "\\N", 2);
        f.value_count = 2;
    }
    return f;
}

static size_t line_end(const reader *r, size_t i, bool escapes)
{
    while (i < r->count && terminator_at(r, i) == 0) i += escapes && escape_at(r, i) > 0 ? escape_at(r, i) : 1;
    return i;
}

static size_t write_line(const reader *r, size_t start, bool escapes, char flag, writing *to)
{
    const size_t end = line_end(r, start, escapes);
    put_field(to, r->text + start, end - start, r->text + start, end - start);
    put(to, &flag, 1);
    return end + terminator_at(r, end);
}

/* Whether a part of the text contains an unescaped terminator. */
static bool has_terminator(const reader *r, size_t start, size_t end) { return line_end(r, start, true) < end; }

static bool is_comment(const reader *r, size_t i) { return r->dialect.comment != 0 && at(r, i) == r->dialect.comment; }

static bool is_end_mark(const reader *r, size_t i)
{
    return r->dialect.end_mark && at(r, i) == ASSAY_END_MARK && i + 1 == r->count;
}

/* Whether no further record starts at or after a position. */
static bool has_no_more_records(const reader *r, size_t i)
{
    while (i < r->count && !is_end_mark(r, i)) {
        if (is_comment(r, i)) i = line_end(r, i, false);
        if (i < r->count && terminator_at(r, i) == 0) return false;
        i += terminator_at(r, i);
    }
    return true;
}

static bool is_kept_line(const reader *r, size_t i)
{
    if (is_comment(r, i) || is_end_mark(r, i)) return true;
    if (terminator_at(r, i) == 0 || r->dialect.blank_lines == ASSAY_BLANK_RECORDS) return false;
    return r->dialect.blank_lines == ASSAY_BLANK_KEPT || has_no_more_records(r, i);
}

static void put_number(writing *to, uint32_t number)
{
    char text[16];
    put(to, text, (size_t)snprintf(text, sizeof text, "%u", number));
}

/* The number of lines that start after `start` and before `end`. */
static uint32_t count_line_starts(const reader *r, size_t start, size_t end)
{
    uint32_t lines = 0;
    for (size_t i = start + 1; i < end; i++) {
        lines += at(r, i - 1) == '\n' || (at(r, i - 1) == '\r' && r->dialect.cr_ends && at(r, i) != '\n');
    }
    return lines;
}

static size_t write_record(const reader *r, size_t start, writing *to)
{
    if (is_kept_line(r, start)) return write_line(r, start, false, '#', to);
    const size_t before = to->count;
    bool has_text = false;
    for (size_t i = start;;) {
        const field f = read_field(r, i);
        if (f.is_unclosed || (f.has_text && has_terminator(r, start, f.text))) {
            to->count = before;
            const size_t end = write_line(r, start, true, 'U', to);
            put_number(to, count_line_starts(r, start, f.is_unclosed ? r->count : f.text));
            return end;
        }
        put_field(to, r->text + i, f.end - i, f.value, f.value_count);
        has_text |= f.has_text;
        i = f.end + delimiter_at(r, f.end);
        if (i > f.end) continue;
        if (has_text) put(to, "T", 1);
        return i + terminator_at(r, i);
    }
}

static void write_expected(const reader *r, writing *to)
{
    for (size_t i = 0; i < r->count;) {
        i = write_record(r, i, to);
        put(to, "\n", 1);
    }
}

/* The results of the scanner. */

static void write_batch(const assay_batch *batch, const assay_dialect *dialect, uint8_t *bytes, uint32_t count,
                        writing *to)
{
    uint32_t used = count;
    for (uint32_t i = 0; i < batch->record_count; i++) {
        const assay_record *record = &batch->records[i];
        uint32_t start = record->start;
        for (uint32_t k = record->first_field; k < batch->records[i + 1].first_field; k++) {
            const uint32_t end = batch->field_ends[k];
            assay_cell cell = {start, end - start};
            /* The only field of a line with an unclosed quote is its raw text; its cell is not used. */
            assay_cell gathered;
            assay_batch_gather(batch, dialect, bytes, &used, k - record->first_field, i, 1, NULL, &gathered);
            if (!(record->flags & ASSAY_RECORD_QUOTE_UNCLOSED)) cell = gathered;
            put_field(to, bytes + start, end - start, bytes + cell.start, cell.length);
            start = end + assay_dialect_delimiter_bytes(dialect);
        }
        if (record->flags & ASSAY_RECORD_COMMENT) put(to, "#", 1);
        if (record->flags & ASSAY_RECORD_QUOTE_UNCLOSED) {
            put(to, "U", 1);
            put_number(to, record->flags >> ASSAY_RECORD_LINES_SHIFT);
        }
        if (record->flags & ASSAY_RECORD_QUOTE_TEXT) put(to, "T", 1);
        if (record->flags & (ASSAY_RECORD_TOO_LONG | ASSAY_RECORD_CONTINUED | ASSAY_RECORD_CONTINUATION)) {
            put(to, "?", 1);
        }
        put(to, "\n", 1);
    }
    CHECK(used <= 2 * count);
}

/* Counts the lines before each record independently. */
static void check_lines(const assay_batch *batch, const uint8_t *bytes, bool cr_ends)
{
    assay_lines lines = assay_lines_begin(batch, bytes, cr_ends, 1);
    for (uint32_t i = 0; i < batch->record_count; i++) {
        uint64_t line = 1;
        for (uint32_t k = 0; k < batch->records[i].start; k++) {
            line += bytes[k] == '\n' && !(cr_ends && k > 0 && bytes[k - 1] == '\r');
            line += bytes[k] == '\r' && cr_ends;
        }
        CHECK_EQUAL(assay_lines_at(&lines, batch->records[i].start, i), line);
    }
}

static void write_found(const reader *r, size_t cut, assay_batch *batch, writing *to)
{
    const assay_record_limits limits = {1000, 1000};
    for (size_t from = 0, end = cut;; end = r->count) {
        const size_t count = end - from;
        uint8_t *bytes = malloc(2 * count + 1);
        if (bytes == NULL) abort();
        memcpy(bytes, r->text + from, count);
        const bool is_last = end == r->count;
        CHECK(assay_scan(batch, &r->dialect, &limits, bytes, count, UINT32_MAX, is_last, false) == ASSAY_OK);
        CHECK(test_dialect_batch_is_complete(batch, &r->dialect, count));
        check_lines(batch, bytes, r->dialect.cr_ends);
        write_batch(batch, &r->dialect, bytes, (uint32_t)count, to);
        free(bytes);
        from += batch->consumed;
        if (is_last) {
            CHECK_EQUAL(from, r->count);
            return;
        }
    }
}

static bool one_of(test_random *random, uint32_t bound) { return test_random_below(random, bound) == 0; }

static assay_dialect any_dialect(test_random *random)
{
    assay_dialect dialect = {.delimiter = ',', .quote = '"'};
    dialect.quoting = !one_of(random, 6);
    dialect.cr_ends = one_of(random, 3);
    if (one_of(random, 6)) dialect.delimiter = '\t';
    if (one_of(random, 2)) dialect.delimiter2 = (uint8_t) ",| "[test_random_below(random, 3)];
    if (one_of(random, 2)) dialect.escape = one_of(random, 3) ? '^' : '\\';
    if (one_of(random, 3)) dialect.comment = '#';
    dialect.skip_initial_space = one_of(random, 2);
    dialect.blank_lines = (uint8_t)test_random_below(random, 3);
    dialect.end_mark = one_of(random, 2);
    return dialect;
}

/* Random bytes: some with a meaning in the dialect, and a few others. */
static size_t any_text(test_random *random, const assay_dialect *dialect, size_t longest, uint8_t *text)
{
    uint8_t letters[17];
    uint32_t kinds = 0;
    letters[kinds++] = dialect->delimiter;
    if (dialect->delimiter2 != 0) letters[kinds++] = dialect->delimiter2;
    letters[kinds++] = dialect->quote;
    letters[kinds++] = '\n';
    if (dialect->escape != 0) letters[kinds++] = dialect->escape;
    if (dialect->comment != 0) letters[kinds++] = dialect->comment;
    if (dialect->skip_initial_space) letters[kinds++] = ' ';
    letters[kinds++] = '\r';
    if (dialect->end_mark) letters[kinds++] = ASSAY_END_MARK;
    letters[kinds++] = (uint8_t) "aN0nZ\t"[test_random_below(random, 6)];
    letters[kinds++] = (uint8_t) "aNbfrtv "[test_random_below(random, 8)];
    const size_t count = test_random_below(random, (uint32_t)longest + 1);
    for (size_t i = 0; i < count; i++) {
        text[i] = letters[test_random_below(random, kinds)];
        /* A bare CR and CR LF. */
        if (text[i] == '\r' && i + 1 < count && one_of(random, 2)) text[++i] = '\n';
    }
    return count;
}

static void check_round(test_random *random, assay_batch *batch)
{
    uint8_t text[LONGEST];
    reader r = {.text = text, .dialect = any_dialect(random)};
    r.count = any_text(random, &r.dialect, LONGEST, text);
    writing expected = {.count = 0};
    write_expected(&r, &expected);
    for (size_t cut = 0; cut <= r.count; cut++) {
        writing found = {.count = 0};
        write_found(&r, cut, batch, &found);
        if (!CHECK(found.count == expected.count && memcmp(found.text, expected.text, found.count) == 0)) {
            fprintf(stderr,
                    "  cut at %zu, quoting %d, cr %d, delimiter2 %d, escape %d, comment %d, spaces %d, blank %d, "
                    "mark %d, of:\n%.*s\n",
                    cut, r.dialect.quoting, r.dialect.cr_ends, r.dialect.delimiter2, r.dialect.escape,
                    r.dialect.comment, r.dialect.skip_initial_space, r.dialect.blank_lines, r.dialect.end_mark,
                    (int)r.count, (const char *)text);
            fprintf(stderr, "  expected:\n%s\n  found:\n%s\n", expected.text, found.text);
        }
    }
}

/* The ends and flags of records, independent of the pieces of long lines. */
typedef struct bounds {
    uint32_t ends[200], flags[200];
    uint32_t count;
    uint64_t visited;
} bounds;

static void find_bounds(const reader *r, const assay_record_limits *limits, size_t step, assay_batch *batch, bounds *b)
{
    b->count = 0;
    b->visited = 0;
    bool continues = false;
    for (size_t from = 0, to = 0; to < r->count;) {
        to = step < r->count - to ? to + step : r->count;
        uint8_t *bytes = test_exact_copy(r->text + from, to - from);
        assay_scan_state scan;
        if (assay_scan_begin(&scan, batch, &r->dialect, limits, bytes, to - from, UINT32_MAX, to == r->count,
                             continues)) {
            assay_scan_rest_fast(&scan);
        }
        CHECK(assay_scan_end(&scan) == ASSAY_OK);
        CHECK(test_dialect_batch_is_complete(batch, &r->dialect, to - from));
        b->visited += scan.visited;
        for (uint32_t i = 0; i < batch->record_count; i++) {
            const uint32_t flags = batch->records[i].flags;
            if (!(flags & ASSAY_RECORD_CONTINUATION)) b->count++;
            b->ends[b->count - 1] = (uint32_t)from + batch->records[i].end;
            if (!(flags & ASSAY_RECORD_CONTINUATION))
                b->flags[b->count - 1] = flags & ~(uint32_t)ASSAY_RECORD_CONTINUED;
            continues = flags & ASSAY_RECORD_CONTINUED;
        }
        free(bytes);
        from += batch->consumed;
        if (to == r->count) CHECK_EQUAL(from, r->count);
    }
}

/* With limits, the results must not depend on the buffers either, and the scan must take linear time. */
static void check_limits(test_random *random, assay_batch *batch)
{
    enum { LONG = 150 };
    uint8_t text[LONG];
    reader r = {.text = text, .dialect = any_dialect(random)};
    r.count = any_text(random, &r.dialect, LONG, text);
    const assay_record_limits limits = {1 + test_random_below(random, 20), 1 + test_random_below(random, 20)};
    static bounds full, parts;
    find_bounds(&r, &limits, SIZE_MAX, batch, &full);
    /* The bound of test_scan_linear.c. */
    CHECK(full.visited <= 4 * r.count + 64 * (uint64_t)full.count);
    for (uint32_t i = 0; i < full.count; i++) {
        const uint32_t length = full.ends[i] - (i == 0 ? 0 : full.ends[i - 1]);
        CHECK(length <= limits.record_bytes || (full.flags[i] & ASSAY_RECORD_TOO_LONG));
    }
    for (size_t step = 1; step < 40; step += 1 + step / 4) {
        find_bounds(&r, &limits, step, batch, &parts);
        const size_t used = full.count * sizeof full.ends[0];
        if (!CHECK(full.count == parts.count && memcmp(full.ends, parts.ends, used) == 0 &&
                   memcmp(full.flags, parts.flags, used) == 0)) {
            fprintf(
                stderr,
                "  limits %u %u, step %zu, records %u and %u, quoting %d, cr %d, delimiter2 %d, escape %d of:\n%.*s\n",
                limits.field_bytes, limits.record_bytes, step, full.count, parts.count, r.dialect.quoting,
                r.dialect.cr_ends, r.dialect.delimiter2, r.dialect.escape, (int)r.count, (const char *)text);
        }
    }
}

/* An ordinary dialect, scanned by the code for options. */
static void check_ordinary(test_random *random, assay_batch *batch, assay_batch *other)
{
    uint8_t text[100];
    assay_dialect dialect = {.delimiter = ',',
                             .quote = '"',
                             .quoting = !one_of(random, 6),
                             .cr_ends = one_of(random, 3),
                             .end_mark = one_of(random, 2),
                             .blank_lines = (uint8_t)test_random_below(random, 3)};
    const size_t count = any_text(random, &dialect, sizeof text, text);
    const assay_record_limits limits = {1 + test_random_below(random, 50), 1 + test_random_below(random, 100)};
    const bool is_last = one_of(random, 2);
    assay_scan_plain(batch, &dialect, &limits, text, count, UINT32_MAX, is_last, false);
    assay_scan_state scan;
    if (assay_scan_begin(&scan, other, &dialect, &limits, text, count, UINT32_MAX, is_last, false)) {
        CHECK(!scan.has_options);
        scan.has_options = true;
        assay_scan_rest_plain(&scan);
    }
    CHECK(assay_scan_end(&scan) == ASSAY_OK);
    if (!CHECK(test_batches_are_equal(batch, other))) {
        fprintf(stderr, "  limits %u %u, last %d, cr %d, quoting %d, records %u and %u, of:\n%.*s\n",
                limits.field_bytes, limits.record_bytes, is_last, dialect.cr_ends, dialect.quoting, batch->record_count,
                other->record_count, (int)count, (const char *)text);
    }
}

int main(int argument_count, char **arguments)
{
    const unsigned long rounds = argument_count > 1 ? strtoul(arguments[1], NULL, 10) : test_rounds(40000);
    test_random random = test_random_of(0x9E3779B97F4A7C15u);
    assay_batch *batch = assay_batch_create(), *other = assay_batch_create();
    for (unsigned long round = 0; round < rounds; round++) {
        check_round(&random, batch);
        check_limits(&random, batch);
        check_ordinary(&random, batch, other);
    }
    assay_batch_free(batch);
    assay_batch_free(other);
    return test_result();
}
