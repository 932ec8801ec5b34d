/* Cells: with and without quotes, skipped and missing ones, and cells from Arrow offsets and views. */
#include "test_fenced.h"
#include "test_paths.h"

#include "assay/core.h"
#include "test.h"

typedef struct column_case {
    const char *field; /* as written in the file; the second of three fields */
    const char *value;
} column_case;

static const column_case cases[] = {
    {"", ""},
    {"a", "a"},
    {"\"\"", ""},
    {"\"a\"", "a"},
    {"\"a,b\"", "a,b"},
    {"\"a\nb\"", "a\nb"},
    {"\"\"\"\"", "\""},
    {"\"\"\"\"\"\"", "\"\""},
    {"\"a \"\"b\"\" c\"", "a \"b\" c"},
    {"\"a\"\"\"", "a\""},
    {"\"\"\"a\"", "\"a"},
    {"a\"b", "a\"b"},
    {"a\"\"b", "a\"\"b"},
    /* Malformed fields, as the state machine reads them. */
    {"\"ab\"cd", "abcd"},
    {"\"a\"\"b\"c\"d", "a\"bc\"d"},
    {"\"a\" ", "a "},
};

static bool cell_is(const uint8_t *bytes, assay_cell cell, const char *value)
{
    return cell.length == strlen(value) && memcmp(bytes + cell.start, value, cell.length) == 0;
}

static void check_fields(void)
{
    const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true};
    const assay_record_limits limits = {1000, 1000};
    assay_batch *batch = assay_batch_create();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        const size_t count =
            (size_t)snprintf(text, sizeof text, "x,%s,\"y\"\r\nx\r\nx,%s", cases[i].field, cases[i].field);
        /* Twice the bytes are always enough. The size is exact, so that a sanitizer detects writes beyond it. */
        uint8_t *bytes = malloc(2 * count);
        if (bytes == NULL) abort();
        memcpy(bytes, text, count);
        assay_scan(batch, &dialect, &limits, bytes, count, UINT32_MAX, true, false);
        CHECK_EQUAL(batch->record_count, 3);
        uint32_t used = (uint32_t)count;
        assay_cell cells[3];
        for (uint32_t field = 0; field < 4; field++) {
            assay_batch_gather(batch, &dialect, bytes, &used, field, 0, 3, NULL, cells);
            const char *first = field == 0 ? "x" : field == 1 ? cases[i].value : field == 2 ? "y" : "";
            if (!CHECK(cell_is(bytes, cells[0], first))) {
                fprintf(stderr, "  field %u of %s: %.*s\n", field, text, (int)cells[0].length,
                        (const char *)bytes + cells[0].start);
            }
            CHECK(cell_is(bytes, cells[1], field == 0 ? "x" : ""));
            CHECK(cell_is(bytes, cells[2], field == 0 ? "x" : field == 1 ? cases[i].value : ""));
        }
        CHECK(used <= 2 * count);
        CHECK(memcmp(bytes, text, count) == 0);
        free(bytes);
    }

    /* Missing and skipped cells are empty and are at the start of their record. */
    uint8_t bytes[64] = "\"a\"\"b\",1\nc\nd,2\n";
    assay_scan(batch, &dialect, &limits, bytes, 16, UINT32_MAX, true, false);
    uint32_t used = 16;
    assay_cell cells[3];
    uint64_t skip = 1;
    assay_batch_gather(batch, &dialect, bytes, &used, 0, 0, 3, &skip, cells);
    CHECK(cells[0].start == 0 && cells[0].length == 0 && used == 16);
    CHECK(cell_is(bytes, cells[1], "c") && cell_is(bytes, cells[2], "d"));
    assay_batch_gather(batch, &dialect, bytes, &used, 1, 1, 2, NULL, cells);
    CHECK(cells[0].start == 9 && cells[0].length == 0 && cell_is(bytes, cells[1], "2"));
    skip = 2;
    assay_batch_gather(batch, &dialect, bytes, &used, 0, 1, 2, &skip, cells);
    CHECK(cell_is(bytes, cells[0], "c") && cells[1].start == 11 && cells[1].length == 0);

    /* If quotes are data, they remain. */
    const assay_dialect bare = {.delimiter = ',', .quote = '"', .quoting = false};
    assay_scan(batch, &bare, &limits, bytes, 9, UINT32_MAX, true, false);
    CHECK_EQUAL(batch->quoted[0], 0);
    assay_batch_gather(batch, &bare, bytes, &used, 0, 0, 1, NULL, cells);
    CHECK(cell_is(bytes, cells[0], "\"a\"\"b\""));
    assay_batch_free(batch);
}

/* The text of a field that begins with a quote, computed byte by byte. */
static uint32_t plainly_unquoted(const uint8_t *field, uint32_t count, uint8_t *text)
{
    uint32_t length = 0;
    bool is_inside = true;
    for (uint32_t i = 1; i < count; i++) {
        if (is_inside && field[i] == '"') {
            is_inside = i + 1 < count && field[i + 1] == '"';
            i += is_inside;
            if (!is_inside) continue;
        }
        text[length++] = field[i];
    }
    return length;
}

/* Columns of random records from any start, with any skipped rows, compared with field-by-field reads. */
static void check_any(void)
{
    static const char *const pieces[] = {"a", "bc", ",", ",", "\n", "\n", "\r\n", "\"x\"", "\"y\"\"z,\"", "\"", "d"};
    enum { LONGEST = 3000, MAX_RECORDS = 700 };
    const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true};
    const assay_record_limits limits = {LONGEST, LONGEST};
    test_random random = test_random_of(5);
    assay_batch *batch = assay_batch_create();
    unsigned long unquoted = 0;
    for (int round = 0; round < 3000; round++) {
        uint8_t *bytes = malloc(2 * LONGEST);
        uint32_t count = 0;
        /* Half of them have two or three fields in each record, some with text after a quote. */
        for (uint32_t target = test_random_below(&random, LONGEST - 10); count < target;) {
            const uint32_t kinds = sizeof pieces / sizeof pieces[0];
            const char *piece = round % 2 == 0                        ? pieces[test_random_below(&random, kinds)]
                                : test_random_below(&random, 20) == 0 ? "\"u\"\"v\",2\n"
                                : test_random_below(&random, 20) == 0 ? "\"u\"v,2\n"
                                : round % 4 == 3 && test_random_below(&random, 20) == 0 ? "1,22,3\n"
                                                                                        : "1,22\n";
            memcpy(bytes + count, piece, strlen(piece));
            count += (uint32_t)strlen(piece);
        }
        CHECK(assay_scan(batch, &dialect, &limits, bytes, count, MAX_RECORDS, true, false) == ASSAY_OK);
        if (batch->record_count == 0) {
            free(bytes);
            continue;
        }
        const uint32_t step = round % 3 == 0 ? 1 : 64;
        const uint32_t first = test_random_below(&random, batch->record_count) / step * step;
        const uint32_t rows = 1 + test_random_below(&random, batch->record_count - first);
        const uint32_t field = test_random_below(&random, 3);
        uint64_t skip[MAX_RECORDS / 64 + 1];
        for (size_t word = 0; word < sizeof skip / sizeof skip[0]; word++) {
            skip[word] = round % 5 == 0 ? ~(uint64_t)0 << test_random_below(&random, 64) : 0;
        }
        assay_cell *cells = malloc(rows * sizeof *cells); /* exact, so that a sanitizer detects writes beyond it */
        uint32_t used = count;
        assay_batch_gather(batch, &dialect, bytes, &used, field, first, rows, skip, cells);
        CHECK(used <= 2 * count);
        for (uint32_t row = 0; row < rows; row++) {
            const assay_record *record = &batch->records[first + row];
            const bool has_field = field < batch->records[first + row + 1].first_field - record->first_field;
            if (!has_field || (skip[row / 64] >> (row % 64) & 1)) {
                CHECK(cells[row].start == record->start && cells[row].length == 0);
                continue;
            }
            const uint32_t *end = batch->field_ends + record->first_field + field;
            const uint32_t start = field == 0 ? record->start : end[-1] + 1;
            uint8_t text[LONGEST];
            uint32_t length = *end - start;
            memcpy(text, bytes + start, length);
            if (length > 0 && text[0] == '"') {
                length = plainly_unquoted(bytes + start, length, text);
                unquoted++;
            }
            CHECK(cells[row].length == length && memcmp(bytes + cells[row].start, text, length) == 0);
        }
        free(cells);
        free(bytes);
    }
    CHECK(unquoted > 1000);
    assay_batch_free(batch);
}

typedef struct dialect_case {
    const char *field; /* the first of two, and the last */
    const char *value;
    size_t value_count;
    uint8_t escape;
    bool skip_initial_space;
} dialect_case;

#define VALUE(literal) (literal), sizeof(literal) - 1

static const dialect_case dialect_cases[] = {
    {"a\\||b", VALUE("a||b"), '\\', false},
    {"\\0\\b\\n\\r\\t\\Z", VALUE("\0\b\n\r\t\x1A"), '\\', false},
    {"\\a\\B\\z\\\\\\\"", VALUE("aBz\\\""), '\\', false},
    {"^0^n^^^|", VALUE("0n^|"), '^', false},
    {"a\\\r\nb\\\nc", VALUE("a\r\nb\nc"), '\\', false},
    {"\\\xC3\xA9", VALUE("\xC3\xA9"), '\\', false},
    {"\\N", VALUE("\\N"), '\\', false},
    {" \\N", VALUE("\\N"), '\\', true},
    {" \\N", VALUE(" N"), '\\', false},
    {"\\N ", VALUE("N "), '\\', true},
    {"\\Na", VALUE("Na"), '\\', false},
    {"\"\\N\"", VALUE("N"), '\\', false},
    {"^N", VALUE("N"), '^', false},
    {"\"a \\\"b\\\" \"\"c\"\"\"", VALUE("a \"b\" \"c\""), '\\', false},
    {"\"a\\\\\"", VALUE("a\\"), '\\', false},
    {"\"a\\n\"", VALUE("a\n"), '\\', false},
    {"a\\\"\"\"b", VALUE("a\"\"\"b"), '\\', false},
    {" \t a b ", VALUE("a b "), 0, true},
    {" \"a,b\" \t", VALUE("a,b"), 0, true},
    {" \" a\"\" \" ", VALUE(" a\" "), 0, true},
    {" \\ a", VALUE(" a"), '\\', true},
    {" ", VALUE(""), 0, true},
    {"\"\" ", VALUE(""), 0, true},
    {"a|b", VALUE("a|b"), 0, false},
    /* Malformed fields. */
    {"\"a\" b ", VALUE("a b "), 0, true},
    {"\"a\" \\nb", VALUE("a \nb"), '\\', true},
};

static void check_dialects(void)
{
    const assay_record_limits limits = {1000, 1000};
    assay_batch *batch = assay_batch_create();
    for (size_t i = 0; i < sizeof dialect_cases / sizeof dialect_cases[0]; i++) {
        const dialect_case *c = &dialect_cases[i];
        const assay_dialect dialect = {.delimiter = '|',
                                       .quote = '"',
                                       .quoting = true,
                                       .delimiter2 = '|',
                                       .escape = c->escape,
                                       .comment = '#',
                                       .skip_initial_space = c->skip_initial_space};
        char text[200];
        const size_t count = (size_t)snprintf(text, sizeof text, "%s||x||\"y\"\n#z\nx||x||%s", c->field, c->field);
        uint8_t *bytes = malloc(2 * count);
        if (bytes == NULL) abort();
        memcpy(bytes, text, count);
        assay_scan(batch, &dialect, &limits, bytes, count, UINT32_MAX, true, false);
        if (!CHECK_EQUAL(batch->record_count, 3)) fprintf(stderr, "  of %s\n", text);
        CHECK_EQUAL(batch->comment_count, 1);
        CHECK(batch->records[1].flags == ASSAY_RECORD_COMMENT);
        uint32_t used = (uint32_t)count;
        assay_cell cells[3];
        for (uint32_t field = 0; field < 3 && batch->record_count == 3; field++) {
            assay_batch_gather(batch, &dialect, bytes, &used, field, 0, 3, NULL, cells);
            const assay_cell cell = cells[field == 0 ? 0 : 2];
            if (field == 1) {
                CHECK(cell_is(bytes, cells[0], "x") && cell_is(bytes, cells[2], "x"));
            } else if (!CHECK(cell.length == c->value_count &&
                              memcmp(bytes + cell.start, c->value, cell.length) == 0)) {
                fprintf(stderr, "  field %u of %s: %.*s\n", field, text, (int)cell.length,
                        (const char *)bytes + cell.start);
            }
            if (field == 2) CHECK(cell_is(bytes, cells[0], "y"));
            CHECK(cell_is(bytes, cells[1], field == 0 ? "#z" : ""));
        }
        CHECK(used <= 2 * count);
        CHECK(memcmp(bytes, text, count) == 0);
        free(bytes);
    }
    assay_batch_free(batch);
}

static void check_offsets(void)
{
    assay_cell cells[4];
    const int32_t good[] = {2, 2, 5, 9};
    bool has_empty = false;
    CHECK(assay_cells_from_offsets32(good, 3, 9, cells, &has_empty) && has_empty);
    CHECK(cells[0].start == 2 && cells[0].length == 0 && cells[1].start == 2 && cells[1].length == 3);
    CHECK(cells[2].start == 5 && cells[2].length == 4);
    CHECK(!assay_cells_from_offsets32(good, 3, 8, cells, NULL));
    CHECK(assay_cells_from_offsets32(NULL, 0, 0, cells, &has_empty) && !has_empty);
    has_empty = true;
    CHECK(assay_cells_from_offsets32(good + 1, 2, 9, cells, &has_empty) && !has_empty);
    const int32_t descends[] = {0, 5, 4, 6}, negative[] = {-1, 2, 3, 4}, dips[] = {0, -5, 3, 4},
                  past[] = {0, 100, 3, 4};
    CHECK(!assay_cells_from_offsets32(descends, 3, 9, cells, NULL));
    CHECK(!assay_cells_from_offsets32(negative, 3, 9, cells, NULL));
    CHECK(!assay_cells_from_offsets32(dips, 3, 9, cells, NULL));
    CHECK(!assay_cells_from_offsets32(past, 3, 9, cells, NULL));
    const int32_t extremes[] = {0, INT32_MAX, INT32_MIN, INT32_MAX};
    CHECK(!assay_cells_from_offsets32(extremes, 3, SIZE_MAX, cells, NULL));
}

/* The cell of a single view. Returns false if the view does not fit `source`. */
static bool plain_cell(const assay_string_view *views, size_t row, const assay_view_source *source, assay_cell *cell)
{
    const assay_string_view view = views[row];
    if (view.length < 0 || (uint32_t)view.length > source->longest) return false;
    if (view.length <= ASSAY_STRING_VIEW_INLINE) {
        *cell = (assay_cell){(uint32_t)(source->views_start + 16 * row + 4), (uint32_t)view.length};
        return true;
    }
    *cell = (assay_cell){source->buffer_start + (uint32_t)view.offset, (uint32_t)view.length};
    return view.buffer == source->buffer && view.offset >= (int64_t)source->begin &&
           (int64_t)view.offset + view.length <= (int64_t)source->end;
}

static void compare_views(const assay_string_view *views, size_t count, const assay_view_source *source,
                          assay_cell *cells, unsigned long *sound)
{
    bool expected = true;
    assay_view_texts texts = {.shortest = UINT32_MAX, .buffer_begin = source->end};
    assay_cell plain[256];
    for (size_t row = 0; row < count && expected; row++) {
        expected = plain_cell(views, row, source, &plain[row]);
        const uint32_t length = plain[row].length, offset = (uint32_t)views[row].offset;
        if (length < texts.shortest) texts.shortest = length;
        if (length > texts.longest) texts.longest = length;
        if (length <= ASSAY_STRING_VIEW_INLINE) {
            texts.inline_count++;
            texts.inline_bits |= views[row].prefix | (uint32_t)views[row].buffer | offset;
            continue;
        }
        texts.buffer_bytes += length;
        if (offset < texts.buffer_begin) texts.buffer_begin = offset;
        if (offset + length > texts.buffer_end) texts.buffer_end = offset + length;
    }
    if (texts.inline_count == count) texts.buffer_begin = 0;
    assay_view_texts found;
    if (!CHECK(assay_cells_from_views(views, count, source, cells, &found) == expected) || !expected) return;
    ++*sound;
    CHECK(memcmp(cells, plain, count * sizeof *cells) == 0);
    CHECK(memcmp(&found, &texts, sizeof found) == 0);
}

/* Random columns of views, most of them valid, with unreadable memory on both sides. */
static void check_views(void)
{
    static const int32_t wild[] = {-1, 0, 12, 13, INT32_MAX, INT32_MIN, INT32_MAX - 12, -13};
    enum { max = 200, bytes = 4096 };
    fenced viewed = new_fenced(max * sizeof(assay_string_view)), written = new_fenced(max * sizeof(assay_cell));
    test_random dice = test_random_of(28);
    unsigned long sound = 0, rounds = 0;
    for (size_t path = 0; test_select_cpu(path); path++) {
        for (int round = 0; round < 5000; round++, rounds++) {
            const size_t count = test_random_below(&dice, max + 1);
            const bool at_front = test_random_below(&dice, 2) == 0;
            const size_t first = at_front ? 0 : viewed.count / sizeof(assay_string_view) - count;
            assay_string_view *views = (assay_string_view *)(void *)viewed.bytes + first;
            assay_cell *cells =
                (assay_cell *)(void *)written.bytes + (at_front ? 0 : written.count / sizeof *cells - count);
            const assay_view_source source = {
                .views_start = test_random_below(&dice, UINT32_MAX),
                .buffer_start = test_random_below(&dice, UINT32_MAX),
                .buffer = (int32_t)test_random_below(&dice, 3),
                .begin = test_random_below(&dice, 2) * 16,
                .end = test_random_below(&dice, 20) == 0 ? 0 : bytes,
                .longest = (const uint32_t[]){30, INT32_MAX, UINT32_MAX}[test_random_below(&dice, 3)],
            };
            const uint32_t lengths = 1 + test_random_below(&dice, 30);
            for (size_t row = 0; row < count; row++) {
                const int32_t length = (int32_t)test_random_below(&dice, lengths);
                const bool is_inline = length <= ASSAY_STRING_VIEW_INLINE;
                views[row] = (assay_string_view){
                    .length = length,
                    .prefix = test_random_below(&dice, UINT32_MAX),
                    .buffer = is_inline ? (int32_t)test_random_below(&dice, UINT32_MAX) : source.buffer,
                    .offset = is_inline ? (int32_t)test_random_below(&dice, UINT32_MAX)
                                        : 16 + (int32_t)test_random_below(&dice, bytes - 16 - 30 + 1),
                };
            }
            if (count > 0 && test_random_below(&dice, 3) == 0) {
                assay_string_view *view = &views[test_random_below(&dice, (uint32_t)count)];
                const int32_t number = wild[test_random_below(&dice, sizeof wild / sizeof wild[0])];
                switch (test_random_below(&dice, 4)) {
                case 0:
                    view->length = number;
                    break;
                case 1:
                    view->buffer = number;
                    break;
                case 2:
                    view->offset = number;
                    break;
                default:
                    view->offset = bytes - view->length + (int32_t)test_random_below(&dice, 2);
                    break;
                }
            }
            compare_views(views, count, &source, cells, &sound);
        }
    }
    assay_cpu_select(NULL);
    /* Most columns are valid, but not all. */
    CHECK(sound > rounds / 2 && sound < rounds);
    free_fenced(viewed);
    free_fenced(written);
}

int main(void)
{
    check_fields();
    check_any();
    check_dialects();
    check_offsets();
    check_views();
    return test_result();
}
