/* The number of good rows that a stray quote costs. Row 100 of 2,000 contains it, and row 1,000 contains the next
   quotes.

   `duckdb` is the number of rows that DuckDB 2.0.1 keeps of the same file, with read_csv(…, ignore_errors = true,
   auto_detect = false, columns = {'id': 'BIGINT', 'name': 'VARCHAR'}). Assay must keep at least as many. */
#include "test_scan_support.h"

enum { ROWS = 2000, STRAY = 100, LATER = 1000 };

static const struct {
    const char *stray, *later;
    unsigned kept, duckdb;
    const char *terminator;
    bool quotes_all; /* all rows after the stray quote have quotes */
} cases[] = {
    {"100,\"Bo", "1000,\"Lee, Ann\"", 1999, 100, "\n", false},
    {"100,\"Bo", "1000,\"Lee, Ann\"", 1999, 100, "\r\n", false},
    {"\"100,Bo", "\"1000\",Ann", 1999, 100, "\n", false},
    {"100,\"Bo", "1000,Ann", 1999, 100, "\n", false},
    {"100,\"Bo \"\"x\"\" y", "1000,\"Lee, Ann\"", 1999, 100, "\n", false},
    {"100,\"Bo", "1000,\"Lee \"\"A\"\" Ann\"", 1999, 100, "\n", false},
    {"100,\"Bo", "1000,\"\"", 1999, 100, "\n", false},
    {"100,\"Bo", "1000,\"Lee \\\"A\\\" Ann\"", 1998, 100, "\n", false},
    {"100,\"Bo\" x", "1000,\"Lee, Ann\"", 1999, 100, "\n", false},
    {"100,\"Bo", "1000,\"Lee", 1998, 100, "\n", false},
    {"100,\"Bo", "1000,\"Lee\nAnn\"", 1999, 100, "\n", false},
    {"100,\"Bo", "1000,\"Lee, Ann\",x", 1998, 100, "\n", false},
    {"100,\"Bo", "1000,\"Lee, Ann\"", 1999, 100, "\n", true},
    /* The quotes are balanced, so that all lines between them are one cell. */
    {"100,\"Bo", "1000,Ann\"", 1100, 1100, "\n", false},
    {"100,\"Bo", "1000,\",x\"", 1099, 1099, "\n", false},
};

/* The number of rows with two fields and without a defect. */
static unsigned count_kept(const assay_batch *batch)
{
    unsigned kept = 0;
    for (uint32_t i = 0; i < batch->record_count; i++) {
        kept += batch->records[i].flags == 0 && batch->records[i + 1].first_field - batch->records[i].first_field == 2;
    }
    return kept;
}

int main(void)
{
    static const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true};
    static const assay_record_limits limits = {1u << 20, 4u << 20};
    static char text[ROWS * 32];
    assay_batch *batch = assay_batch_create();
    if (batch == NULL) abort();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t count = 0;
        for (unsigned row = 0; row < ROWS; row++) {
            char plain[32];
            const bool has_quotes = cases[i].quotes_all && row > STRAY;
            snprintf(plain, sizeof plain, has_quotes ? "%u,\"n%u\"" : "%u,n%u", row, row);
            const char *line = row == STRAY ? cases[i].stray : row == LATER ? cases[i].later : plain;
            count += (size_t)snprintf(text + count, sizeof text - count, "%s%s", line, cases[i].terminator);
        }
        for (size_t p = 0; test_select_path(p); p++) {
            CHECK(test_scan(test_path(p), batch, &dialect, &limits, (const uint8_t *)text, count, UINT32_MAX, true,
                            false) == ASSAY_OK);
            if (!CHECK_EQUAL(count_kept(batch), cases[i].kept)) {
                fprintf(stderr, "  %s: %s, %s\n", test_path(p), cases[i].stray, cases[i].later);
            }
            CHECK(cases[i].kept >= cases[i].duckdb);
        }
    }
    assay_batch_free(batch);
    return test_result();
}
