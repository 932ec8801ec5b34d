/* Cells: with and without quotes, skipped and missing ones, and cells from Arrow offsets. */
#include "assay/core.h"
#include "test.h"

typedef struct column_case {
    const char *field; /* as it stands in the file; the second of three fields */
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
    /* Malformed: as the state machine reads them. */
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
    const assay_dialect dialect = {',', '"', true, false};
    const assay_record_limits limits = {1000, 1000};
    assay_batch *batch = assay_batch_create();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        const size_t count =
            (size_t)snprintf(text, sizeof text, "x,%s,\"y\"\r\nx\r\nx,%s", cases[i].field, cases[i].field);
        /* Twice the bytes always have room; exactly so much that a sanitizer sees a write beyond. */
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

    /* Missing and skipped cells are empty and stand at the start of their record. */
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

    /* Where quotes are data they stay. */
    const assay_dialect bare = {',', '"', false, false};
    assay_scan(batch, &bare, &limits, bytes, 9, UINT32_MAX, true, false);
    CHECK_EQUAL(batch->quoted[0], 0);
    assay_batch_gather(batch, &bare, bytes, &used, 0, 0, 1, NULL, cells);
    CHECK(cell_is(bytes, cells[0], "\"a\"\"b\""));
    assay_batch_free(batch);
}

static void check_offsets(void)
{
    assay_cell cells[4];
    const int32_t good[] = {2, 2, 5, 9};
    CHECK(assay_cells_from_offsets32(good, 3, 9, cells));
    CHECK(cells[0].start == 2 && cells[0].length == 0 && cells[1].start == 2 && cells[1].length == 3);
    CHECK(cells[2].start == 5 && cells[2].length == 4);
    CHECK(!assay_cells_from_offsets32(good, 3, 8, cells));
    CHECK(assay_cells_from_offsets32(NULL, 0, 0, cells));
    const int32_t descends[] = {0, 5, 4, 6}, negative[] = {-1, 2, 3, 4}, dips[] = {0, -5, 3, 4},
                  past[] = {0, 100, 3, 4};
    CHECK(!assay_cells_from_offsets32(descends, 3, 9, cells));
    CHECK(!assay_cells_from_offsets32(negative, 3, 9, cells));
    CHECK(!assay_cells_from_offsets32(dips, 3, 9, cells));
    CHECK(!assay_cells_from_offsets32(past, 3, 9, cells));
    const int32_t extremes[] = {0, INT32_MAX, INT32_MIN, INT32_MAX};
    CHECK(!assay_cells_from_offsets32(extremes, 3, SIZE_MAX, cells));
}

int main(void)
{
    check_fields();
    check_offsets();
    return test_result();
}
