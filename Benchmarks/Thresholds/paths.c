/* Measures nanoseconds of processor time per value, for each engine and processor path of this machine.
 *
 *     paths EXPORT.csv PATTERNS
 *
 * PATTERNS has a line for each column: its name, a tab, the pattern. A name that begins with "search" requests a
 * search.
 *
 * Prints a row for each column of the export: PCRE2's interpreter, its JIT, and the DFA on each path, for columns, then
 * for single values. All ways that decide every value must agree. Figures are the best of ROUNDS alternating rounds. */
#include "support.h"

#include <time.h>

enum { MAX_COLUMNS = 16, ROWS = 1 << 16, ROUNDS = 9, MAX_WAYS = 16 };

/* A way to match: an option of the pattern, a processor path, and whether values are matched one by one. */
typedef struct way_to_match {
    const char *title;
    const char *path;
    uint32_t options;
    bool single;
} way_to_match;

static way_to_match ways[MAX_WAYS];
static size_t way_count;

static void find_ways(void)
{
    ways[way_count++] = (way_to_match){"interpreter", NULL, ASSAY_PATTERN_NO_JIT, false};
    ways[way_count++] = (way_to_match){"JIT", NULL, ASSAY_PATTERN_NO_DFA, false};
    size_t paths = 0;
    while (assay_cpu_at(paths) != NULL) paths++;
    if (paths > MAX_WAYS - 3) fail("more processor paths than this program has room for");
    while (paths-- > 0) ways[way_count++] = (way_to_match){assay_cpu_at(paths), assay_cpu_at(paths), 0, false};
    ways[way_count++] = (way_to_match){"single", NULL, 0, true};
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static uint64_t failed[ROWS / 64], undecided[ROWS / 64], expected[ROWS / 64];

/* Returns whether the last way decided all rows. */
static bool is_decided(size_t rows)
{
    for (size_t i = 0; i < (rows + 63) / 64; i++) {
        if (undecided[i] != 0) return false;
    }
    return true;
}

/* Matches all rows once and returns the seconds. */
static double match(const assay_pattern *pattern, assay_scratch *scratch, size_t way, const uint8_t *bytes,
                    const assay_cell *cells, size_t rows)
{
    assay_check *check = assay_check_create_pattern(pattern);
    const double start = seconds();
    if (ways[way].single) {
        memset(failed, 0, sizeof failed);
        memset(undecided, 0, sizeof undecided);
        for (size_t row = 0; row < rows; row++) {
            const assay_verdict verdict =
                assay_pattern_match(pattern, scratch, bytes + cells[row].start, cells[row].length);
            failed[row / 64] |= (uint64_t)(verdict == ASSAY_FAIL) << (row % 64);
            undecided[row / 64] |= (uint64_t)(verdict == ASSAY_UNDECIDED) << (row % 64);
        }
    } else {
        for (size_t row = 0; row < rows; row += 2048) {
            const size_t count = rows - row < 2048 ? rows - row : 2048;
            assay_check_column(check, scratch, bytes, cells + row, count, NULL, failed + row / 64,
                               undecided + row / 64);
        }
    }
    const double taken = seconds() - start;
    assay_check_free(check);
    return taken;
}

static void measure(char *line, size_t column, assay_batch *batch, const assay_dialect *dialect, uint8_t *bytes,
                    uint32_t *used, assay_cell *cells)
{
    char *tab = strchr(line, '\t');
    if (tab == NULL) fail("a line of PATTERNS has no tab");
    const uint32_t search = strncmp(line, "search", strlen("search")) == 0 ? ASSAY_PATTERN_SEARCH : 0;
    const size_t rows = batch->record_count - 1;
    assay_batch_gather(batch, dialect, bytes, used, (uint32_t)column, 1, (uint32_t)rows, NULL, cells);
    assay_scratch *scratch = assay_scratch_create(NULL);
    /* One pattern per way, because a pattern keeps the tables of the path that used it first. */
    assay_pattern *patterns[MAX_WAYS];
    double best[MAX_WAYS];
    bool has_expected = false;
    for (size_t way = 0; way < way_count; way++) {
        assay_cpu_select(ways[way].path);
        patterns[way] =
            assay_pattern_create((uint8_t *)tab + 1, strlen(tab + 1), ways[way].options | search, SIZE_MAX, NULL);
        if (patterns[way] == NULL) fail("a pattern does not compile");
        best[way] = 1e9;
    }
    for (int round = 0; round <= ROUNDS; round++) {
        for (size_t way = 0; way < way_count; way++) {
            assay_cpu_select(ways[way].path);
            const double taken = match(patterns[way], scratch, way, bytes, cells, rows);
            if (!is_decided(rows)) continue;
            if (!has_expected) memcpy(expected, failed, sizeof failed);
            has_expected = true;
            if (memcmp(failed, expected, (rows + 63) / 64 * 8) != 0) fail("two ways come to different verdicts");
            if (round > 0 && taken < best[way]) best[way] = taken;
        }
    }
    printf("| %.*s |", (int)(tab - line), line);
    for (size_t way = 0; way < way_count; way++) {
        /* A dash means that the work limit stopped a match. */
        if (best[way] < 1e9) printf(" %.1f |", best[way] * 1e9 / (double)rows);
        if (best[way] == 1e9) printf(" – |");
        assay_pattern_free(patterns[way]);
    }
    printf("\n");
    assay_scratch_free(scratch);
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 3) fail("usage: paths EXPORT.csv PATTERNS");
    size_t count, patterns_count;
    uint8_t *bytes = read_file(arguments[1], &count);
    char *lines = (char *)read_file(arguments[2], &patterns_count);
    assay_batch *batch = assay_batch_create();
    assay_cell *cells = malloc(ROWS * sizeof *cells);
    const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true, .cr_ends = false};
    const assay_record_limits limits = {.field_bytes = 1 << 20, .record_bytes = 4 << 20};
    if (batch == NULL || cells == NULL ||
        assay_scan(batch, &dialect, &limits, bytes, (uint32_t)count, ROWS, true, false) != ASSAY_OK) {
        fail("the export could not be scanned");
    }
    find_ways();
    printf("| ns per value |");
    for (size_t way = 0; way < way_count; way++) printf(" %s |", ways[way].title);
    printf("\n|---|");
    for (size_t way = 0; way < way_count; way++) printf("--:|");
    printf("\n");
    uint32_t used = (uint32_t)count;
    size_t column = 0;
    for (char *line = strtok(lines, "\n"); line != NULL && column < MAX_COLUMNS; line = strtok(NULL, "\n")) {
        measure(line, column++, batch, &dialect, bytes, &used, cells);
    }
    free(cells);
    assay_batch_free(batch);
    free(lines);
    free(bytes);
    return 0;
}
