/* A program that was compiled with a later or an earlier header (growth.py), in which the structures are larger or
   smaller than those of the library that it runs with. */
#include "support.h"

#ifdef ASSAY_TEST_LARGER
enum { is_larger = 1 };
#define LATER(thing) ((thing).later[1])
#elif defined ASSAY_TEST_SMALLER
enum { is_larger = 0 };
#else
#error "include the headers of growth.py"
#endif

static const char *const names[] = {"id", "email"};
static const uint8_t *const ids[] = {(const uint8_t *)"1", (const uint8_t *)"x", (const uint8_t *)"3"};
static const uint8_t *const emails[] = {(const uint8_t *)"a@example.org", (const uint8_t *)"b", (const uint8_t *)"c"};
static const size_t id_lengths[] = {1, 1, 1}, email_lengths[] = {13, 1, 1};

static void describe(assay_column columns[2])
{
    memset(columns, 0, 2 * sizeof *columns);
    for (int i = 0; i < 2; i++) {
        columns[i].size = sizeof columns[i];
        columns[i].name = names[i];
        columns[i].layout = ASSAY_LAYOUT_POINTERS;
        columns[i].pointers = i == 0 ? ids : emails;
        columns[i].lengths = i == 0 ? id_lengths : email_lengths;
    }
}

static void *allocate(void *context, size_t size)
{
    ++*(int *)context;
    return malloc(size);
}

static void deallocate(void *context, void *memory, size_t size)
{
    (void)size;
    --*(int *)context;
    free(memory);
}

/* Overwritten before a call, so that a test notices each byte that the library leaves out. */
#define DIRTY(thing) memset(&(thing), 0xEE, sizeof(thing))

static void read_totals(const assay_totals *totals)
{
    CHECK_EQUAL(totals->records, 3);
    CHECK_EQUAL(totals->clean, 1);
    CHECK_EQUAL(totals->rejected, 2);
    CHECK_EQUAL(totals->undecided, 0);
#ifndef ASSAY_TEST_SMALLER
    CHECK_EQUAL(totals->findings, 3);
#endif
#ifdef ASSAY_TEST_LARGER
    CHECK(totals->later[0] == 0 && totals->later[1] == 0);
#endif
}

static void read_result(const assay_result *result)
{
    struct {
        assay_totals totals;
        uint64_t guard;
    } all;
    DIRTY(all);
    assay_result_totals(result, &all.totals, sizeof all.totals);
    read_totals(&all.totals);
    CHECK(all.guard == UINT64_C(0xEEEEEEEEEEEEEEEE));

    struct {
        assay_finding findings[4];
        uint64_t guard;
    } found;
    DIRTY(found);
    assay_cursor cursor = {0};
    CHECK_EQUAL(assay_result_findings(result, &cursor, found.findings, sizeof found.findings[0], 4), 3);
    static const struct {
        uint64_t record;
        const char *column, *code;
    } expected[] = {{2, "id", "type"}, {2, "email", "format"}, {3, "email", "format"}};
    for (int i = 0; i < 3; i++) {
        const assay_finding *finding = &found.findings[i];
        CHECK_EQUAL(finding->record, expected[i].record);
        CHECK(strcmp(finding->column, expected[i].column) == 0);
        CHECK(strcmp(finding->code, expected[i].code) == 0);
        CHECK(finding->message != NULL && strlen(finding->message) > 5);
#ifndef ASSAY_TEST_SMALLER
        CHECK_EQUAL(finding->severity, ASSAY_SEVERITY_REJECT);
#endif
#ifdef ASSAY_TEST_LARGER
        CHECK(finding->later[0] == 0 && finding->later[1] == 0);
#endif
    }
    CHECK(found.findings[3].record == UINT64_C(0xEEEEEEEEEEEEEEEE) && found.guard == UINT64_C(0xEEEEEEEEEEEEEEEE));
    CHECK_EQUAL(assay_result_findings(result, &cursor, found.findings, sizeof found.findings[0], 4), 0);

    assay_tally *tally = assay_tally_create();
    assay_tally_add(tally, result);
    DIRTY(all);
    assay_tally_totals(tally, &all.totals, sizeof all.totals);
    read_totals(&all.totals);
    struct {
        assay_rule_count count;
        uint64_t guard;
    } counted;
    uint64_t failed = 0;
    for (size_t i = 0; i < assay_tally_count(tally); i++) {
        DIRTY(counted);
        CHECK(assay_tally_get(tally, i, &counted.count, sizeof counted.count));
        CHECK(counted.count.rule != NULL && strlen(counted.count.rule) > 1);
        CHECK(counted.guard == UINT64_C(0xEEEEEEEEEEEEEEEE));
        failed += counted.count.failed;
#ifdef ASSAY_TEST_LARGER
        CHECK(counted.count.undecided == 0 && counted.count.later[1] == 0);
#endif
    }
    CHECK_EQUAL(failed, 3);
    assay_tally_free(tally);
}

static void check_columns(const assay_rules *rules)
{
    int blocks = 0;
    assay_allocator allocator = {0};
    allocator.size = sizeof allocator;
    allocator.allocate = allocate;
    allocator.deallocate = deallocate;
    allocator.context = &blocks;
    assay_options options = {0};
    options.size = sizeof options;
    options.threads = 1;
    options.allocator = &allocator;
    assay_column columns[2];
    describe(columns);
    assay_result *result = NULL;
    assay_fault *fault = assay_rules_check_columns(rules, columns, 2, 3, &options, &result);
    if (fault != NULL) fprintf(stderr, "    %s\n", fault->text);
    CHECK(fault == NULL && result != NULL);
    CHECK(blocks > 0);
    if (result != NULL) read_result(result);
    assay_result_free(result);
    CHECK_EQUAL(blocks, 0);

    columns[1].size -= sizeof(void *);
    CHECK(refused(assay_rules_check_columns(rules, columns, 2, 3, &options, &result), ASSAY_FAULT_ARGUMENT,
                  "columns[1].size is "));
#ifdef ASSAY_TEST_LARGER
    describe(columns);
    LATER(columns[1]) = 7;
    CHECK(refused(assay_rules_check_columns(rules, columns, 2, 3, &options, &result), ASSAY_FAULT_ARGUMENT,
                  "columns[1] has a field at byte 80 that is not 0"));
    CHECK(refused(assay_rules_check_column(rules, 1, &columns[1], 3, &options, &result), ASSAY_FAULT_ARGUMENT,
                  "assay_column has a field at byte 80 that is not 0"));
    LATER(columns[1]) = 0;
    LATER(options) = 7;
    CHECK(refused(assay_rules_check_columns(rules, columns, 2, 3, &options, &result), ASSAY_FAULT_ARGUMENT,
                  "assay_options has a field at byte "));
    LATER(options) = 0;
    LATER(allocator) = 7;
    CHECK(refused(assay_rules_check_columns(rules, columns, 2, 3, &options, &result), ASSAY_FAULT_ARGUMENT,
                  "assay_allocator has a field at byte "));
#endif
}

static void repair(const assay_rules *rules)
{
    static const uint8_t *const texts[] = {(const uint8_t *)" a ", (const uint8_t *)"b", (const uint8_t *)"c "};
    static const size_t lengths[] = {3, 1, 2};
    assay_column columns[2];
    describe(columns);
    columns[0].pointers = texts;
    columns[0].lengths = lengths;
    struct ArrowArray array;
    struct ArrowSchema schema;
    assay_changes *changes = NULL;
    CHECK(assay_rules_repair_column(rules, 0, &columns[0], 3, NULL, &array, &schema, &changes) == NULL);
    struct {
        assay_change_count count;
        uint64_t guard;
    } counted;
    DIRTY(counted);
    CHECK(assay_changes_get(changes, 0, &counted.count, sizeof counted.count));
    CHECK(strcmp(counted.count.repair, "trim") == 0 && counted.guard == UINT64_C(0xEEEEEEEEEEEEEEEE));
#ifndef ASSAY_TEST_SMALLER
    CHECK_EQUAL(counted.count.cells, 2);
#endif
    assay_changes_free(changes);
    array.release(&array);
    schema.release(&schema);
}

static void use_files(const assay_rules *rules, const char *folder)
{
    char input[512], clean[512], *text = NULL;
    snprintf(input, sizeof input, "%s/growth.csv", folder);
    snprintf(clean, sizeof clean, "%s/growth.clean.csv", folder);
    FILE *file = fopen(input, "w");
    CHECK(file != NULL);
    if (file == NULL) return;
    fputs("id,email\n1,a@example.org\nx,b@example.org\n", file);
    fclose(file);
    assay_outputs outputs = {0};
    outputs.size = sizeof outputs;
    outputs.clean = clean;
    outputs.replace = true;
    CHECK(assay_clean_file(rules, input, &outputs, NULL, &text) == NULL);
    CHECK(text != NULL && strstr(text, "\"clean\": 1") != NULL);
    assay_text_free(text);
    assay_table table = {0};
    table.size = sizeof table;
    table.path = input;
    CHECK(assay_rules_profile(NULL, &table, false, NULL, &text) == NULL);
    assay_text_free(text);
#ifdef ASSAY_TEST_LARGER
    LATER(outputs) = 7;
    CHECK(refused(assay_clean_file(rules, input, &outputs, NULL, &text), ASSAY_FAULT_ARGUMENT,
                  "assay_outputs has a field at byte "));
    LATER(table) = 7;
    CHECK(refused(assay_rules_profile(NULL, &table, false, NULL, &text), ASSAY_FAULT_ARGUMENT,
                  "assay_table has a field at byte "));
#endif
    remove(input);
    remove(clean);
}

static void read_faults(void)
{
    static const char text[] = "fields:\n  - {name: a, typ: integer}\n  - {name: b, constraints: {pattern: '('}}\n";
    assay_rules *rules = NULL;
    assay_fault *fault = assay_rules_parse(text, strlen(text), "my.yaml", &rules);
    CHECK(fault != NULL && fault->code == ASSAY_FAULT_RULES && fault->line == 2);
    CHECK(fault->next != NULL && fault->next->line == 3 && fault->next->next == NULL);
    CHECK(is_larger ? fault->size + 2 * sizeof(uint64_t) == sizeof *fault : fault->size == sizeof *fault);
    assay_fault_free(fault);
}

int main(int count, char **arguments)
{
    assay_rules *rules = must_parse("fields: [{name: id, type: integer}, {name: email, format: email}]");
    check_columns(rules);
    use_files(rules, count > 1 ? arguments[1] : ".");
    assay_rules_free(rules);
    rules = must_parse("fields: [{name: id, repair: [trim]}]");
    repair(rules);
    assay_rules_free(rules);
    read_faults();
    return test_result();
}
