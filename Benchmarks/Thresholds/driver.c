/* Sends an export through the C core, stage by stage, so that each stage can be counted separately.
 *
 *     driver EXPORT.csv PATTERNS BATCHES
 *
 * PATTERNS has a line for each column of the export: its name, a tab, and its pattern. BATCHES is the number of
 * repetitions. Under callgrind, each stage is dumped under its name. The program prints the work of each stage (values,
 * kilobytes) and the number of failing rows, so that a wrong answer does not pass as a fast one.
 *
 * CI compares instructions and allocations, because they are equal on every run, and times are not. */
#include "support.h"

enum { MAX_COLUMNS = 16, SLICE = 4096 };

typedef struct column {
    char *name;
    assay_pattern *pattern;
    assay_check *check;
    assay_type *type;
    assay_check *typed; /* the check of the column's type; NULL: none */
    const char *typed_name;
} column;

/* Creates a type check for some of the columns, or returns NULL. `*type` must outlive the check. */
static assay_check *typed_check(const char *title, assay_type **type, const char **name)
{
    assay_type_description description = {.kind = ASSAY_KIND_DATE};
    const assay_bound lower = {TEXT("0"), false}, upper = {TEXT("1000000"), false};
    *type = NULL;
    if (strcmp(title, *name = "email") == 0) return assay_check_create_builtin(TEXT("email"), 0, NULL);
    if (strcmp(title, *name = "url") == 0) return assay_check_create_builtin(TEXT("url"), 0, NULL);
    if (strcmp(title, *name = "date") == 0) {
        *type = assay_type_create(&description, NULL);
        return assay_check_create_type(*type, 0);
    }
    if (strcmp(title, "amount") == 0) {
        *name = "0 to 1000000";
        description.kind = ASSAY_KIND_NUMBER;
        *type = assay_type_create(&description, NULL);
        return assay_check_create_range(*type, lower, upper, 0, NULL);
    }
    return NULL;
}

static size_t read_columns(char *text, column *columns)
{
    size_t count = 0;
    for (char *line = strtok(text, "\n"); line != NULL && count < MAX_COLUMNS; line = strtok(NULL, "\n")) {
        char *tab = strchr(line, '\t');
        if (tab == NULL) fail("a line of PATTERNS has no tab");
        *tab = '\0';
        assay_error error;
        columns[count].name = line;
        columns[count].pattern = assay_pattern_create((uint8_t *)tab + 1, strlen(tab + 1), 0, 0, &error);
        if (columns[count].pattern == NULL) fail(error.message);
        assay_pattern_get_dfa(columns[count].pattern); /* build it now, outside of the counted stages */
        columns[count].check = assay_check_create_pattern(columns[count].pattern);
        if (columns[count].check == NULL) fail("out of memory");
        columns[count].typed = typed_check(line, &columns[count].type, &columns[count].typed_name);
        const assay_pattern *shape = columns[count].typed == NULL ? NULL : assay_check_pattern(columns[count].typed);
        if (shape != NULL) assay_pattern_get_dfa(shape);
        count++;
    }
    return count;
}

/* Ends a stage, which includes everything since the previous stage. */
static void stage(bool says, const char *name, size_t work)
{
    if (!says) return;
    CALLGRIND_DUMP_STATS_AT(name);
    printf("%s\t%zu\n", name, work);
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 4) fail("usage: driver EXPORT.csv PATTERNS BATCHES");
    size_t count, patterns_count;
    uint8_t *bytes = read_file(arguments[1], &count);
    column columns[MAX_COLUMNS];
    size_t column_count = read_columns((char *)read_file(arguments[2], &patterns_count), columns);
    assay_scratch *scratch = assay_scratch_create(NULL);
    assay_batch *batch = assay_batch_create();
    uint8_t *clean = malloc(count), *rejected = malloc(count);
    assay_cell *cells = malloc(SLICE * sizeof *cells);
    if (scratch == NULL || batch == NULL || clean == NULL || rejected == NULL || cells == NULL) fail("out of memory");
    static uint64_t bad[SLICE / 64], failed[SLICE / 64], undecided[SLICE / 64];
    const assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true, .cr_ends = false};
    const assay_record_limits limits = {.field_bytes = 1 << 20, .record_bytes = 4 << 20};
    const assay_finding_form form = {
        .before = {TEXT("{\"record\":"), TEXT(",\"line\":"), TEXT(",\"offset\":")}, .delimiter = ',', .quote = '"'};
    const assay_finding_kind kind = {
        .rows = bad,
        .tail = TEXT(",\"column\":\"email\",\"position\":1,\"rule\":\"email.pattern\",\"code\":\"pattern\","
                     "\"severity\":\"reject\",\"message\":\"does not match\"}\n")};
    assay_findings *findings = assay_findings_create(&form);
    if (findings == NULL) fail("out of memory");

    size_t rejected_rows = 0;
    for (int round = 0, rounds = atoi(arguments[3]); round < rounds; round++) {
        bool says = round == rounds - 1;
        if (says) CALLGRIND_DUMP_STATS_AT("before");
        if (assay_utf8_valid_prefix(bytes, count) != count) fail("the export is not UTF-8");
        stage(says, "utf8, per kilobyte", count / 1000);
        if (assay_scan(batch, &dialect, &limits, bytes, (uint32_t)count, SLICE, true, false) != ASSAY_OK) {
            fail("the export could not be scanned");
        }
        stage(says, "scan, per kilobyte", batch->consumed / 1000);

        uint32_t used = (uint32_t)count, rows = batch->record_count - 1;
        memset(bad, 0, sizeof bad);
        for (size_t i = 0; i < column_count; i++) {
            assay_batch_gather(batch, &dialect, bytes, &used, (uint32_t)i, 1, rows, NULL, cells);
            stage(says, "gather, per value", rows);
            assay_check_column(columns[i].check, scratch, bytes, cells, rows, NULL, failed, undecided);
            char name[64];
            snprintf(name, sizeof name, "check %s, per value", columns[i].name);
            stage(says, name, rows);
            const size_t failed_rows = assay_mask_count(failed, assay_mask_words(rows));
            assay_mask_merge(bad, failed, assay_mask_words(rows));
            assay_mask_merge(bad, undecided, assay_mask_words(rows));
            if (columns[i].typed == NULL) continue;
            assay_check_column(columns[i].typed, scratch, bytes, cells, rows, NULL, failed, undecided);
            snprintf(name, sizeof name, "type %s, per value", columns[i].typed_name);
            stage(says, name, rows);
            if (assay_mask_count(failed, assay_mask_words(rows)) < failed_rows)
                fail("a type lets more pass than its pattern");
        }
        /* One value at a time, as for a form. Uses the last column again. */
        for (uint32_t row = 0; row < rows; row++) {
            assay_pattern_match(columns[column_count - 1].pattern, scratch, bytes + cells[row].start,
                                cells[row].length);
        }
        stage(says, "one value, per value", rows);
        size_t clean_count, rejected_count;
        assay_emit_records(batch, bytes, 1, rows, bad, NULL, clean, &clean_count, rejected, &rejected_count);
        stage(says, "emit, per kilobyte", (clean_count + rejected_count) / 1000);
        rejected_rows = assay_mask_count(bad, assay_mask_words(rows));
        /* Record numbers with as many digits as in the middle of a large file. */
        assay_findings_begin(findings, batch, bytes, dialect.cr_ends, 1000000, 1000000, 100000000, SIZE_MAX);
        if (assay_findings_add_rows(findings, &kind, 1, 1, 0, rows, false) != ASSAY_OK) fail("out of memory");
        if (findings->text.count != rejected_rows) fail("findings are missing");
        if (rejected_rows > 0) stage(says, "findings, per finding", rejected_rows);
    }
    char version[64], unicode[64];
    assay_engine_version(version, unicode);
    printf("rejected\t%zu\ncpu\t%s\npcre2\t%s%s\n", rejected_rows, assay_cpu(), version,
           assay_engine_has_jit() ? "" : ", no JIT");
    assay_findings_free(findings);
    free(cells);
    free(rejected);
    free(clean);
    assay_batch_free(batch);
    assay_scratch_free(scratch);
    for (size_t i = 0; i < column_count; i++) {
        assay_check_free(columns[i].check);
        assay_check_free(columns[i].typed);
        assay_type_free(columns[i].type);
        assay_pattern_free(columns[i].pattern);
    }
    free(columns[0].name);
    free(bytes);
    return 0;
}
