/* Many threads make all thread-safe calls concurrently with the same rules, references and results. Each must get
   the result of a single thread. `make test-tsan` runs this under the thread sanitizer. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <pthread.h>
#include <unistd.h>

enum { workers = 4, rows = 3000, max_text = 1 << 18 };

/* The calls of each worker repeat so many times. Three rounds call each function with one to three threads. */
static int rounds = 6;

/* The %s after each pattern stands for a suffix without an effect. */
static const char form_of_rules[] =
    "fields:\n"
    "  - {name: id, type: integer, constraints: {unique: true}}\n"
    "  - {name: email, format: email, repair: [trim, lower]}\n"
    "  - name: code\n"
    "    rules: [{id: form, pattern: '(?:[A-Z]{2}|x+)[0-9]*%s'}, {id: twice, not: {pattern: '(.)\\1+%s'}}]\n"
    "  - {name: country}\n"
    "rows:\n"
    "  - {id: late, check: 'id < 2900 || code.matches(\"^A%s\")'}\n"
    "foreignKeys:\n"
    "  - {fields: country, reference: {resource: countries.csv, fields: code}}\n";
static const char countries[] = "code,name\nAT,Austria\nDE,Germany\nFR,France\n";

/* A table as columns and as CSV. */
static struct table {
    char bytes[4][max_text];
    int32_t offsets[4][rows + 1];
    assay_column columns[4];
    char csv[4 * max_text];
    size_t csv_count;
} table;

static const char *const names[] = {"id", "email", "code", "country"};
static const char *directory;
static assay_rules *rules;
static assay_references *references;
static assay_result *shared;

/* The results of a single thread. */
static struct expected {
    assay_totals table, referring, csv;
    uint64_t findings, changed;
    char *clean;
} expected;

static void make_table(void)
{
    static const char *const codes[] = {"AB12", "xxxx", "?", "AA", "CD", "\xc3\xa9", "", "ZZ99"};
    static const char *const lands[] = {"AT", "DE", "FR", "XX", ""};
    table.csv_count = (size_t)sprintf(table.csv, "id,email,code,country\n");
    for (int row = 0; row < rows; row++) {
        char cells[4][64];
        snprintf(cells[0], 64, row % 97 == 0 ? "x%d" : "%d", row % 31 == 0 ? 7 : row);
        snprintf(cells[1], 64, row % 13 == 0 ? "nobody" : row % 5 == 0 ? " A%d@Example.ORG" : "a%d@example.org", row);
        snprintf(cells[2], 64, "%s", codes[row % 8]);
        snprintf(cells[3], 64, "%s", lands[row % 5]);
        for (int column = 0; column < 4; column++) {
            const size_t start = (size_t)table.offsets[column][row], count = strlen(cells[column]);
            memcpy(table.bytes[column] + start, cells[column], count);
            table.offsets[column][row + 1] = (int32_t)(start + count);
            table.csv_count +=
                (size_t)sprintf(table.csv + table.csv_count, "%s%c", cells[column], column < 3 ? ',' : '\n');
        }
    }
    for (int column = 0; column < 4; column++) {
        table.columns[column] = (assay_column){.size = sizeof(assay_column),
                                               .name = names[column],
                                               .layout = ASSAY_LAYOUT_OFFSETS32,
                                               .bytes = (const uint8_t *)table.bytes[column],
                                               .byte_count = (size_t)table.offsets[column][rows],
                                               .offsets = table.offsets[column]};
    }
}

/* The name of a file in the directory of the test. */
static const char *path(char room[1024], const char *name, int worker)
{
    snprintf(room, 1024, "%s/threads-%d-%s", directory, worker, name);
    return room;
}

static void write_file(const char *name, const char *text, size_t count)
{
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(text, 1, count, file) != count) abort();
    fclose(file);
}

static char *contents(const char *name)
{
    FILE *file = fopen(name, "rb");
    char *text = calloc(1, 4 * max_text);
    if (file == NULL || text == NULL || fread(text, 1, 4 * max_text - 1, file) == 0) abort();
    fclose(file);
    return text;
}

static assay_rules *load(void)
{
    char name[1024];
    assay_rules *loaded = NULL;
    assay_fault *fault = assay_rules_load(path(name, "rules.yaml", 0), &loaded);
    if (fault != NULL) fprintf(stderr, "%s\n", fault->text);
    assay_fault_free(fault);
    return loaded;
}

/* The totals of a check, or zeros after a fault. Frees both. */
static assay_totals totals_of(assay_fault *fault, assay_result *result)
{
    assay_totals totals = {0};
    if (fault != NULL) fprintf(stderr, "%s\n", fault->text);
    if (fault == NULL) assay_result_totals(result, &totals, sizeof totals);
    assay_fault_free(fault);
    assay_result_free(result);
    return totals;
}

static assay_totals check_table(const assay_rules *by, uint32_t threads, const assay_references *to)
{
    const assay_options options = {.size = sizeof options, .threads = threads, .references = to};
    assay_result *result = NULL;
    assay_fault *fault = assay_rules_check_columns(by, table.columns, 4, rows, &options, &result);
    return totals_of(fault, result);
}

static assay_totals check_csv(uint32_t threads)
{
    const assay_options options = {.size = sizeof options, .threads = threads};
    assay_result *result = NULL;
    assay_fault *fault = assay_rules_check_csv(rules, (const uint8_t *)table.csv, table.csv_count, &options, &result);
    return totals_of(fault, result);
}

/* Reads all parts of a result. */
static uint64_t read_result(const assay_result *result)
{
    assay_cursor cursor = {0};
    assay_finding findings[100];
    uint64_t count = 0;
    size_t some;
    while ((some = assay_result_findings(result, &cursor, findings, sizeof *findings, 100)) > 0) {
        for (size_t i = 0; i < some; i++) count += strlen(findings[i].message) > 0;
    }
    struct ArrowArray array;
    struct ArrowSchema schema;
    assay_fault *fault = assay_result_export_reasons(result, &array, &schema);
    if (fault != NULL) return assay_fault_free(fault), 0;
    count += (uint64_t)array.length;
    array.release(&array);
    schema.release(&schema);
    assay_tally *tally = assay_tally_create();
    assay_rule_count rule;
    assay_tally_add(tally, result);
    for (size_t i = 0; assay_tally_get(tally, i, &rule, sizeof rule); i++) count += rule.failed;
    assay_tally_free(tally);
    return count + assay_result_rejected_by(result, "code");
}

static uint64_t repair(uint32_t threads)
{
    const assay_options options = {.size = sizeof options, .threads = threads};
    struct ArrowArray array = {0};
    struct ArrowSchema schema = {0};
    assay_changes *changes = NULL;
    assay_fault *fault =
        assay_rules_repair_column(rules, 1, &table.columns[1], rows, &options, &array, &schema, &changes);
    if (fault != NULL) return assay_fault_free(fault), 0;
    const uint64_t cells = assay_changes_cells(changes);
    if (array.release != NULL) array.release(&array);
    if (schema.release != NULL) schema.release(&schema);
    assay_changes_free(changes);
    return cells;
}

/* Cleans the file. Returns the clean rows, which the caller frees. */
static char *clean(int worker, uint32_t threads)
{
    char input[1024], good[1024], bad[1024], findings[1024];
    const assay_options options = {.size = sizeof options, .threads = threads};
    const assay_outputs outputs = {.size = sizeof outputs,
                                   .clean = path(good, "clean", worker),
                                   .rejects = path(bad, "rejects", worker),
                                   .findings = path(findings, "findings", worker),
                                   .replace = true};
    char *report = NULL;
    assay_fault *fault = assay_clean_file(rules, path(input, "table.csv", 0), &outputs, &options, &report);
    if (fault != NULL) fprintf(stderr, "%s\n", fault->text);
    assay_fault_free(fault);
    if (report == NULL) return NULL;
    assay_text_free(report);
    return contents(good);
}

static bool profile(uint32_t threads)
{
    char input[1024], *text = NULL, *inferred = NULL;
    const assay_options options = {.size = sizeof options, .threads = threads};
    const assay_table file = {.size = sizeof file, .path = path(input, "table.csv", 0)};
    assay_fault *fault = assay_rules_profile(rules, &file, false, &options, &text);
    if (fault == NULL) fault = assay_rules_infer(NULL, &file, &options, &inferred);
    if (fault != NULL) fprintf(stderr, "%s\n", fault->text);
    const bool is_right = fault == NULL && strstr(text, "\"email\"") != NULL && strstr(inferred, "email") != NULL;
    assay_fault_free(fault);
    assay_text_free(text);
    assay_text_free(inferred);
    return is_right;
}

static bool same(assay_totals one, assay_totals other)
{
    return one.records == other.records && one.clean == other.clean && one.rejected == other.rejected &&
           one.findings == other.findings && one.undecided == other.undecided;
}

/* Consecutive parts of one table. */
static bool check_parts(void)
{
    static const char unique[] = "fields: [{name: id, constraints: {unique: true}}]";
    assay_rules *own = NULL;
    assay_seen_keys *seen = NULL;
    if (assay_rules_parse(unique, strlen(unique), NULL, &own) != NULL) return false;
    if (assay_seen_keys_create(own, 0, &seen) != NULL) return false;
    bool is_right = true;
    for (uint64_t part = 0; part < 2; part++) {
        const assay_options options = {.size = sizeof options, .threads = 2, .first_record = part * rows, .seen = seen};
        assay_result *result = NULL;
        assay_fault *fault = assay_rules_check_column(own, 0, &table.columns[0], rows, &options, &result);
        const assay_totals totals = totals_of(fault, result);
        is_right = is_right && totals.records == rows && (part == 0 ? totals.clean > rows / 2 : totals.clean == 0);
    }
    assay_seen_keys_free(seen);
    assay_rules_free(own);
    return is_right;
}

/* Makes each call, in an order that depends on the worker. Returns the number of wrong results. */
static uintptr_t make_calls(int worker)
{
    uintptr_t wrong = 0;
    for (int round = 0; round < rounds; round++) {
        const uint32_t threads = 1 + (uint32_t)(worker + round) % 3;
        for (int call = 0; call < 9; call++) {
            switch ((call + worker) % 9) {
            case 0:
                wrong += !same(check_table(rules, threads, NULL), expected.table);
                break;
            case 1:
                wrong += !same(check_table(rules, threads, references), expected.referring);
                break;
            case 2:
                wrong += !same(check_csv(threads), expected.csv);
                break;
            case 3:
                wrong += read_result(shared) != expected.findings;
                break;
            case 4:
                wrong += repair(threads) != expected.changed;
                break;
            case 5: {
                char *found = clean(worker, threads);
                wrong += found == NULL || strcmp(found, expected.clean) != 0;
                free(found);
                break;
            }
            case 6: { /* Patterns are cached by their text: rules that are created concurrently share them. */
                assay_rules *own = load(), *again = assay_rules_retain(own);
                assay_rules_free(own);
                wrong += !same(check_table(again, threads, NULL), expected.table);
                wrong += strcmp(assay_rules_json(again), assay_rules_json(rules)) != 0;
                assay_rules_free(again);
                break;
            }
            case 7:
                wrong += !check_parts();
                break;
            case 8:
                wrong += round % 3 == 0 && !profile(threads);
                break;
            }
        }
        assay_result_free(assay_result_retain(shared));
    }
    return wrong;
}

static pthread_barrier_t start;

static void *work(void *argument)
{
    pthread_barrier_wait(&start);
    return (void *)make_calls((int)(intptr_t)argument);
}

/* The next batch of a stream of one table: its countries. */
typedef struct lands {
    bool is_read;
    int32_t offsets[3];
    const void *buffers[3], *no_buffers[1];
    struct ArrowArray column, *children[1];
    struct ArrowSchema type, *types[1];
} lands;

static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    lands *it = stream->private_data;
    it->type = (struct ArrowSchema){.format = "u", .name = "code", .release = release_schema};
    it->types[0] = &it->type;
    *out = (struct ArrowSchema){.format = "+s", .n_children = 1, .children = it->types, .release = release_schema};
    return 0;
}

static int give_batch(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    lands *it = stream->private_data;
    *out = (struct ArrowArray){0};
    if (it->is_read) return 0;
    it->is_read = true;
    it->offsets[1] = 2;
    it->offsets[2] = 4;
    it->buffers[1] = it->offsets;
    it->buffers[2] = "ATDE";
    it->column = (struct ArrowArray){.length = 2, .n_buffers = 3, .buffers = it->buffers, .release = release_array};
    it->children[0] = &it->column;
    *out = (struct ArrowArray){.length = 2,
                               .n_buffers = 1,
                               .n_children = 1,
                               .buffers = it->no_buffers,
                               .children = it->children,
                               .release = release_array};
    return 0;
}

static void release_stream(struct ArrowArrayStream *stream) { stream->release = NULL; }

/* Prepares unused rules, and unused patterns if `behind` is new, because compiled patterns are cached with their
   automata. Also prepares a table for the foreign key. */
static bool prepare(const char *behind)
{
    char name[1024], text[sizeof form_of_rules + 30];
    const int length = snprintf(text, sizeof text, form_of_rules, behind, behind, behind);
    write_file(path(name, "rules.yaml", 0), text, (size_t)length);
    lands batches = {0};
    struct ArrowArrayStream source = {give_schema, give_batch, NULL, release_stream, &batches};
    rules = load();
    return CHECK(rules != NULL) && CHECK(assay_references_create(rules, 0, &references) == NULL) &&
           CHECK(assay_references_add_stream(references, "countries.csv", &source) == NULL);
}

static void clear(void)
{
    assay_references_free(references);
    assay_rules_free(rules);
}

/* Makes each call once, on one thread. */
static void expect(void)
{
    expected.table = check_table(rules, 1, NULL);
    expected.referring = check_table(rules, 1, references);
    expected.csv = check_csv(1);
    expected.changed = repair(1);
    expected.clean = clean(0, 1);
    const assay_options options = {.size = sizeof options, .threads = 1};
    CHECK(assay_rules_check_columns(rules, table.columns, 4, rows, &options, &shared) == NULL);
    expected.findings = read_result(shared);
    CHECK_EQUAL(expected.table.records, rows);
    CHECK_EQUAL(expected.csv.records, rows);
    CHECK(expected.table.clean > 100 && expected.table.rejected > 100);
    CHECK(expected.referring.clean < expected.table.clean);
    CHECK(expected.findings > rows && expected.changed > 100);
    CHECK(expected.clean != NULL && strlen(expected.clean) > 1000);
}

/* FOLDER [ROUNDS] */
int main(int count, char **arguments)
{
    directory = count > 1 ? arguments[1] : ".";
    if (count > 2) rounds = atoi(arguments[2]);
    char name[1024];
    make_table();
    write_file(path(name, "table.csv", 0), table.csv, table.csv_count);
    snprintf(name, sizeof name, "%s/countries.csv", directory);
    write_file(name, countries, strlen(countries));
    if (!prepare("")) return test_result();
    expect();
    clear();

    /* Objects that are created on first use are then needed by all threads concurrently. */
    if (!prepare("(?:)")) return test_result();
    pthread_t threads[workers];
    CHECK_EQUAL(pthread_barrier_init(&start, NULL, workers), 0);
    for (intptr_t i = 0; i < workers; i++) CHECK_EQUAL(pthread_create(&threads[i], NULL, work, (void *)i), 0);
    for (int i = 0; i < workers; i++) {
        void *wrong = NULL;
        pthread_join(threads[i], &wrong);
        CHECK_EQUAL((uintptr_t)wrong, 0);
    }
    pthread_barrier_destroy(&start);
    clear();
    assay_result_free(shared);
    free(expected.clean);
    return test_result();
}
