/* libassay and PCRE2 from C; see cases/bindings.py. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <assay/assay.h>

#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const patterns[] = {"[A-Z]{2}[0-9]{6}", "\\d{4}-\\d{2}-\\d{2}"};

/* The lines of a file, as one buffer with offsets and as pointers. */
typedef struct lines {
    uint8_t *bytes;
    const uint8_t **pointers;
    size_t *lengths, count, byte_count;
    int64_t *offsets;
} lines;

static void must(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void check(assay_fault *fault)
{
    if (fault != NULL) must(false, fault->text);
}

static lines lines_read(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    must(file != NULL && fseek(file, 0, SEEK_END) == 0, path);
    const size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    must(text != NULL && fread(text, 1, size, file) == size, path);
    fclose(file);
    lines lines = {0};
    for (size_t i = 0; i < size; i++) lines.count += text[i] == '\n';
    lines.bytes = malloc(size + 1);
    lines.pointers = malloc(lines.count * sizeof *lines.pointers);
    lines.lengths = malloc(lines.count * sizeof *lines.lengths);
    lines.offsets = calloc(lines.count + 1, sizeof *lines.offsets);
    must(lines.bytes && lines.pointers && lines.lengths && lines.offsets, "no memory");
    const char *line = text;
    for (size_t i = 0; i < lines.count; i++) {
        const size_t length = (size_t)(strchr(line, '\n') - line);
        lines.pointers[i] = memcpy(lines.bytes + lines.byte_count, line, length);
        lines.lengths[i] = length;
        lines.byte_count += length;
        lines.offsets[i + 1] = (int64_t)lines.byte_count;
        line += length + 1;
    }
    free(text);
    return lines;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void report(const char *job, const char *contender, double start, size_t answer)
{
    printf("%s\t%s\t%.9f\t%zu\n", job, contender, now() - start, answer);
}

static assay_rules *rules_load(const char *folder, const char *name)
{
    char path[4096];
    assay_rules *rules;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    check(assay_rules_load(path, &rules));
    return rules;
}

enum { field_count = 8 };

/* Field f of record i has the value i + f / 2 * records of the first lines, or of the second if f is odd. */
static size_t count_accepted(const assay_rules *rules, const lines *first, const lines *second, size_t records)
{
    size_t clean = 0;
    for (size_t i = 0; i < records; i++) {
        const uint8_t *values[field_count];
        size_t lengths[field_count];
        for (size_t field = 0; field < field_count; field++) {
            const lines *lines = field % 2 == 0 ? first : second;
            values[field] = lines->pointers[i + field / 2 * records];
            lengths[field] = lines->lengths[i + field / 2 * records];
        }
        clean += assay_rules_accepts(rules, values, lengths);
    }
    return clean;
}

static size_t count_clean(const assay_rules *rules, const assay_column *column, size_t count)
{
    const assay_options options = {.size = sizeof options, .threads = 1};
    assay_result *result;
    assay_totals totals;
    check(assay_rules_check_columns(rules, column, 1, count, &options, &result));
    assay_result_totals(result, &totals, sizeof totals);
    assay_result_free(result);
    return totals.clean;
}

static pcre2_code *compile(const char *pattern)
{
    int error;
    PCRE2_SIZE offset;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, PCRE2_ANCHORED | PCRE2_ENDANCHORED,
                                     &error, &offset, NULL);
    must(code != NULL, pattern);
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
    return code;
}

static bool matches(pcre2_code *code, pcre2_match_data *data, const lines *lines, size_t i)
{
    return pcre2_match(code, lines->pointers[i], lines->lengths[i], 0, 0, data, NULL) > 0;
}

int main(int count, char **arguments)
{
    must(count == 4, "usage: measure FOLDER RECORDS ROUNDS");
    const char *folder = arguments[1];
    const size_t records = strtoull(arguments[2], NULL, 10);
    const lines codes = lines_read(folder, "codes.txt"), dates = lines_read(folder, "dates.txt"),
                ids = lines_read(folder, "ids.txt");
    assay_rules *by_pattern = rules_load(folder, "patterns.yaml"), *by_type = rules_load(folder, "types.yaml"),
                *of_column = rules_load(folder, "column.yaml");
    pcre2_code *first = compile(patterns[0]), *second = compile(patterns[1]);
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    const assay_column pointers = {.size = sizeof pointers,
                                   .name = "code",
                                   .layout = ASSAY_LAYOUT_POINTERS,
                                   .pointers = codes.pointers,
                                   .lengths = codes.lengths};
    const assay_column buffer = {.size = sizeof buffer,
                                 .name = "code",
                                 .layout = ASSAY_LAYOUT_OFFSETS64,
                                 .bytes = codes.bytes,
                                 .byte_count = codes.byte_count,
                                 .offsets = codes.offsets};
    for (long round = strtol(arguments[3], NULL, 10); round > 0; round--) {
        double start = now();
        report("record", "Assay", start, count_accepted(by_pattern, &codes, &dates, records));
        start = now();
        size_t clean = 0;
        for (size_t i = 0; i < records; i++) {
            bool is_clean = true;
            for (size_t field = 0; field < field_count && is_clean; field++) {
                const size_t row = i + field / 2 * records;
                is_clean = field % 2 == 0 ? matches(first, data, &codes, row) : matches(second, data, &dates, row);
            }
            clean += is_clean;
        }
        report("record", "regex", start, clean);
        start = now();
        size_t calls = 0;
        for (size_t i = 0; i < records; i++) calls += assay_release() != NULL;
        report("call", "Assay", start, calls);
        start = now();
        report("typed record", "Assay", start, count_accepted(by_type, &ids, &dates, records));
        start = now();
        report("column", "Assay", start, count_clean(of_column, &pointers, codes.count));
        start = now();
        report("column", "Assay, one buffer", start, count_clean(of_column, &buffer, codes.count));
        start = now();
        clean = 0;
        for (size_t i = 0; i < codes.count; i++) clean += matches(first, data, &codes, i);
        report("column", "regex", start, clean);
    }
    return 0;
}
