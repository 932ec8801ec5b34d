/* Compares findings, notes and their line numbers with a simple implementation, which prints each finding separately
   and counts every line from the first byte on. */
#include "assay/core.h"
#include "test.h"

#include <inttypes.h>

enum { RECORDS = 300, KINDS = 9, WORDS = (RECORDS + 63) / 64, ROOM = 1 << 20 };

typedef struct expectation {
    char text[ROOM];
    size_t count;
    size_t ends[RECORDS * KINDS];
    size_t pieces;
} expectation;

static expectation expected_text, expected_notes;

static void print(expectation *expected, const char *text, size_t count)
{
    if (!CHECK(expected->count + count < ROOM)) abort();
    memcpy(expected->text + expected->count, text, count);
    expected->count += count;
}

static void print_number(expectation *expected, uint64_t number)
{
    char text[24];
    print(expected, text, (size_t)snprintf(text, sizeof text, "%" PRIu64, number));
}

static void end_piece(expectation *expected) { expected->ends[expected->pieces++] = expected->count; }

static void check_pieces(const assay_pieces *found, const expectation *expected)
{
    if (!CHECK_EQUAL(found->count, expected->pieces) || found->count == 0) return;
    CHECK(memcmp(found->ends, expected->ends, expected->pieces * sizeof *found->ends) == 0);
    CHECK_EQUAL(found->ends[found->count - 1], expected->count);
    CHECK(memcmp(found->bytes, expected->text, expected->count) == 0);
}

/* The line of an offset, counted without records. */
static uint64_t plain_line(const uint8_t *bytes, size_t place, bool cr_ends, uint64_t line)
{
    for (size_t i = 0; i < place; i++) {
        if (bytes[i] == '\n' && !(cr_ends && i > 0 && bytes[i - 1] == '\r')) line++;
        if (bytes[i] == '\r' && cr_ends) line++;
    }
    return line;
}

static const char *const cells[] = {"a", "", "bcd", "\"q\"", "\"two\nlines\"", "\"cr\rlf\r\n\"", "e\rf"};

/* Records of three fields. `wild`: their fields span lines, or their last one does not end. Some are comments if the
   dialect supports comments. */
static size_t make_table(test_random *random, uint8_t *bytes, uint32_t records, const assay_dialect *dialect, bool wild)
{
    const bool cr_ends = dialect->cr_ends;

    const char *const ends[] = {"\n", "\r\n", "\r"};
    size_t count = 0;
    for (uint32_t i = 0; i < records; i++) {
        const bool is_comment = dialect->comment != 0 && test_random_below(random, 4) == 0;
        if (is_comment) bytes[count++] = dialect->comment;
        for (int field = 0; field < (is_comment ? 0 : 3); field++) {
            const char *cell = cells[test_random_below(random, wild ? (cr_ends ? 6 : 7) : 4)];
            if (field > 0) bytes[count++] = ',';
            if (field > 0 && dialect->delimiter2 != 0) bytes[count++] = dialect->delimiter2;
            memcpy(bytes + count, cell, strlen(cell));
            count += strlen(cell);
        }
        const char *end = ends[test_random_below(random, cr_ends ? 3 : 2)];
        if (wild && i + 1 == records && test_random_below(random, 2) == 0) end = "";
        memcpy(bytes + count, end, strlen(end));
        count += strlen(end);
    }
    return count;
}

static uint32_t comments_before(const assay_batch *batch, uint32_t entry)
{
    uint32_t comments = 0;
    for (uint32_t i = 0; i < entry; i++) comments += batch->records[i].flags == ASSAY_RECORD_COMMENT;
    return comments;
}

static void print_delimiter(expectation *expected, const assay_finding_form *form)
{
    print(expected, (const char *)&form->delimiter, 1);
    if (form->delimiter2 != 0) print(expected, (const char *)&form->delimiter2, 1);
}

static void check_round(test_random *random, assay_batch *batch, assay_findings *findings,
                        const assay_finding_form *form)
{
    const bool cr_ends = test_random_below(random, 2), wild = test_random_below(random, 2);
    assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true, .cr_ends = cr_ends};
    dialect.delimiter2 = form->delimiter2;
    if (test_random_below(random, 2) == 0) dialect.comment = '#';
    const assay_record_limits limits = {1000, 10000};
    uint8_t bytes[RECORDS * 40];
    const uint32_t records = 1 + test_random_below(random, RECORDS);
    const size_t count = make_table(random, bytes, records, &dialect, wild);
    assay_scan(batch, &dialect, &limits, bytes, count, UINT32_MAX, true, false);
    if (batch->record_count == 0 || !CHECK(batch->record_count <= records)) return;

    /* The same offset within a larger file, near the powers of ten, where the number of digits changes. */
    uint64_t power = 1;
    for (uint32_t zeros = test_random_below(random, 17); zeros > 0; zeros--) power *= 10;
    const uint64_t record = 1 + power - test_random_below(random, 2), line = 1 + power / 10, offset = power - 1;
    const uint32_t first = test_random_below(random, batch->record_count);
    const uint32_t rows = batch->record_count - first;

    const char *const reasons[] = {"age.minimum", NULL, "a,b", "c\"\"d", "e;f", ""};
    uint64_t masks[KINDS][WORDS] = {{0}};
    assay_finding_kind kinds[KINDS];
    char tails[KINDS][100];
    const uint32_t kind_count = test_random_below(random, KINDS + 1);
    const uint32_t rarity = 1 + test_random_below(random, 100);
    for (uint32_t i = 0; i < kind_count; i++) {
        for (uint32_t row = 0; row < rows; row++) {
            const bool is_comment = batch->records[first + row].flags & ASSAY_RECORD_COMMENT;
            masks[i][row / 64] |= (uint64_t)(test_random_below(random, rarity) == 0 && !is_comment) << row % 64;
        }
        const int length = snprintf(tails[i], sizeof tails[i], ",%.*s\n", (int)test_random_below(random, 60),
                                    "the rest of a finding, which may be long and which may be short");
        const uint32_t reason = test_random_below(random, 6);
        const uint32_t last_field = 2;
        kinds[i] = (assay_finding_kind){
            .rows = masks[i],
            .field = test_random_below(random, last_field + 1),
            .needs_quotes = reason == 2 || reason == 3,
            .tail = {(const uint8_t *)tails[i], (size_t)length},
            .reason = {(const uint8_t *)reasons[reason], reasons[reason] == NULL ? 0 : strlen(reasons[reason])},
        };
    }
    const size_t max = test_random_below(random, 3) == 0 ? test_random_below(random, 40) : SIZE_MAX;
    const bool annotates = test_random_below(random, 2);

    expected_text.count = expected_text.pieces = expected_notes.count = expected_notes.pieces = 0;
    assay_findings_begin(findings, batch, bytes, cr_ends, record, line, offset, max);
    for (uint32_t row = 0; row < rows;) {
        /* The caller writes some rows itself, and adds the rows between them in one call. */
        const uint32_t end = row + test_random_below(random, rows - row + 1);
        CHECK(assay_findings_add_rows(findings, kinds, kind_count, first, row, end, annotates) == ASSAY_OK);
        for (; row < end; row++) {
            const uint32_t entry = first + row;
            const assay_record *it = &batch->records[entry];
            uint32_t noted = 0;
            bool is_quoted = false;
            for (uint32_t i = 0; i < kind_count; i++) {
                if (!(masks[i][row / 64] >> row % 64 & 1)) continue;
                if (kinds[i].reason.bytes != NULL && annotates) {
                    is_quoted |= kinds[i].needs_quotes || (noted > 0 && form->delimiter == ';');
                    noted++;
                }
                if (expected_text.pieces >= max) continue;
                const size_t place = kinds[i].field == 0 ? it->start
                                                         : batch->field_ends[it->first_field + kinds[i].field - 1] +
                                                               (size_t)(form->delimiter2 == 0 ? 1 : 2);
                const uint64_t numbers[3] = {record + entry - comments_before(batch, entry),
                                             plain_line(bytes, place, cr_ends, line), offset + place};
                for (int k = 0; k < 3; k++) {
                    print(&expected_text, (const char *)form->before[k].bytes, form->before[k].count);
                    print_number(&expected_text, numbers[k]);
                }
                print(&expected_text, tails[i], kinds[i].tail.count);
                end_piece(&expected_text);
            }
            if (noted == 0) continue;
            if (it->flags & ASSAY_RECORD_QUOTE_UNCLOSED) print(&expected_notes, (const char *)&form->quote, 1);
            print_delimiter(&expected_notes, form);
            print_number(&expected_notes, plain_line(bytes, it->start, cr_ends, line));
            print_delimiter(&expected_notes, form);
            if (is_quoted) print(&expected_notes, (const char *)&form->quote, 1);
            for (uint32_t i = 0; i < kind_count; i++) {
                if (!(masks[i][row / 64] >> row % 64 & 1) || kinds[i].reason.bytes == NULL) continue;
                print(&expected_notes, (const char *)kinds[i].reason.bytes, kinds[i].reason.count);
                if (--noted > 0) print(&expected_notes, ";", 1);
            }
            if (is_quoted) print(&expected_notes, (const char *)&form->quote, 1);
            end_piece(&expected_notes);
        }
        if (row < rows) {
            CHECK(assay_findings_add_text(findings, (const uint8_t *)"its own\n", 8) == ASSAY_OK);
            CHECK(assay_findings_add_note(findings, (const uint8_t *)"", 0) == ASSAY_OK);
            if (expected_text.pieces < max) {
                print(&expected_text, "its own\n", 8);
                end_piece(&expected_text);
            }
            end_piece(&expected_notes);
            row++;
        }
    }
    check_pieces(&findings->text, &expected_text);
    check_pieces(&findings->notes, &expected_notes);
}

/* Lines in any order, including backwards. */
static void check_lines(test_random *random, assay_batch *batch)
{
    const bool cr_ends = test_random_below(random, 2);
    const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true, .cr_ends = cr_ends};
    const assay_record_limits limits = {1000, 10000};
    uint8_t bytes[20 * 40];
    const uint32_t records = 1 + test_random_below(random, 20);
    const size_t count = make_table(random, bytes, records, &dialect, test_random_below(random, 2));
    assay_scan(batch, &dialect, &limits, bytes, count, UINT32_MAX, true, false);
    assay_lines lines = assay_lines_begin(batch, bytes, cr_ends, 7);
    for (int i = 0; i < 10 && batch->record_count > 0; i++) {
        const uint32_t entry = test_random_below(random, batch->record_count);
        const assay_record *it = &batch->records[entry];
        const size_t field = test_random_below(random, batch->records[entry + 1].first_field - it->first_field);
        const size_t place = field == 0 ? it->start : batch->field_ends[it->first_field + field - 1] + (size_t)1;
        CHECK_EQUAL(assay_lines_at(&lines, place, entry), plain_line(bytes, place, cr_ends, 7));
    }
}

/* A note before the terminator of each rejected record. */
static void check_annotated(test_random *random, assay_batch *batch)
{
    const bool cr_ends = test_random_below(random, 2), is_last = test_random_below(random, 2);
    const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true, .cr_ends = cr_ends};
    const assay_record_limits limits = {30, 40};
    uint8_t bytes[50 * 40 + 60], annotated[sizeof bytes * 3];
    size_t count = make_table(random, bytes, test_random_below(random, 50), &dialect, true);
    /* A last line longer than any record: too long, and continued if more input follows. */
    for (uint32_t more = test_random_below(random, 2) * 60; more > 0; more--) bytes[count++] = 'x';
    assay_scan(batch, &dialect, &limits, bytes, count, UINT32_MAX, is_last, false);

    uint64_t rejects[WORDS] = {0};
    uint8_t notes[1000];
    size_t ends[110], note_count = 0, notes_used = 0;
    expected_text.count = 0;
    if (!CHECK(batch->record_count <= 110)) return;
    for (uint32_t i = 0; i < batch->record_count; i++) {
        const assay_record *it = &batch->records[i];
        if (test_random_below(random, 2) == 0) continue;
        rejects[i / 64] |= (uint64_t)1 << i % 64;
        const size_t length = test_random_below(random, 9);
        memcpy(notes + notes_used, ",12,a;b,;", length);
        size_t end = it->end;
        if (!(it->flags & ASSAY_RECORD_CONTINUED)) {
            if (end > it->start && bytes[end - 1] == '\n') {
                end--;
                if (end > it->start && bytes[end - 1] == '\r') end--;
            } else if (end > it->start && bytes[end - 1] == '\r' && cr_ends) {
                end--;
            }
        }
        print(&expected_text, (const char *)bytes + it->start, end - it->start);
        if (!(it->flags & ASSAY_RECORD_CONTINUED)) {
            print(&expected_text, (const char *)notes + notes_used, length);
            print(&expected_text, (const char *)bytes + end, it->end - end);
        }
        notes_used += length;
        ends[note_count++] = notes_used;
    }
    const assay_pieces pieces = {notes, ends, note_count, sizeof notes, 110};
    const size_t written =
        assay_emit_annotated(batch, bytes, 0, batch->record_count, rejects, cr_ends, false, &pieces, annotated);
    CHECK_EQUAL(written, expected_text.count);
    CHECK(written == expected_text.count && memcmp(annotated, expected_text.text, written) == 0);
    CHECK(written <= batch->consumed + notes_used);
}

#define TEXT(literal)                                                                                                  \
    {                                                                                                                  \
        (const uint8_t *)(literal), sizeof(literal) - 1                                                                \
    }

int main(void)
{
    const assay_finding_form forms[] = {
        {{TEXT("{\"record\":"), TEXT(",\"line\":"), TEXT(",\"offset\":")}, ',', '"', 0},
        {{TEXT(""), TEXT(","), TEXT(",")}, ';', '\'', 0},
        {{TEXT("sixteen bytes it"), TEXT("sixteen bytes it"), TEXT("sixteen bytes it")}, '\t', '"', 0},
        {{TEXT("a"), TEXT("b"), TEXT("c")}, ',', '"', ','},
        {{TEXT(""), TEXT(""), TEXT("")}, ',', '"', '|'},
    };
    test_random random = test_random_of(7);
    assay_batch *batch = assay_batch_create();
    for (size_t form = 0; form < sizeof forms / sizeof forms[0]; form++) {
        assay_findings *findings = assay_findings_create(&forms[form]);
        for (int round = 0; round < 700; round++) check_round(&random, batch, findings, &forms[form]);
        assay_findings_free(findings);
    }
    for (int round = 0; round < 5000; round++) check_lines(&random, batch);
    for (int round = 0; round < 5000; round++) check_annotated(&random, batch);
    assay_batch_free(batch);
    assay_findings_free(NULL);
    return test_result();
}
