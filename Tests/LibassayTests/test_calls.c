/* The functions of assay.h as called from C: rejected arguments, results, and ownership of memory. */
#include "support.h"

#include <errno.h>
#include <pthread.h>

static void refuse_arguments(assay_rules *rules)
{
    assay_result *result = NULL;
    assay_rules *made = NULL;
    const int32_t offsets[] = {0, 1};
    assay_column column = {.size = sizeof column,
                           .name = "id",
                           .layout = ASSAY_LAYOUT_OFFSETS32,
                           .bytes = (const uint8_t *)"1",
                           .byte_count = 1,
                           .offsets = offsets};
    assay_options options = {.size = sizeof options};

    CHECK(refused(assay_rules_parse(NULL, 1, NULL, &made), ASSAY_FAULT_ARGUMENT, "'text' is NULL"));
    CHECK(refused(assay_rules_parse("", 0, NULL, NULL), ASSAY_FAULT_ARGUMENT, "'rules' is NULL"));
    CHECK(refused(assay_rules_load(NULL, &made), ASSAY_FAULT_ARGUMENT, "'path' is NULL"));
    CHECK(refused(assay_rules_load("/no/such/file", &made), ASSAY_FAULT_FILE, "No such file"));
    /* Limits above the ceiling require trust. */
    static const char raised[] = "{limits: {match-base: 20001}, fields: []}";
    CHECK(refused(assay_rules_parse(raised, strlen(raised), NULL, &made), ASSAY_FAULT_RULES,
                  "may raise match-base to 20000"));
    CHECK(
        refused(assay_rules_parse(raised, strlen(raised), NULL, &made), ASSAY_FAULT_RULES, "read it as trusted rules"));
    CHECK(refused(assay_rules_parse_trusted(NULL, 1, NULL, &made), ASSAY_FAULT_ARGUMENT, "'text' is NULL"));
    CHECK(refused(assay_rules_load_trusted("/no/such/file", &made), ASSAY_FAULT_FILE, "No such file"));
    CHECK(assay_rules_parse_trusted(raised, strlen(raised), NULL, &made) == NULL);
    assay_rules_free(made);
    made = NULL;
    CHECK(refused(assay_rules_from_pattern("a", 1, 1u << 9, &made), ASSAY_FAULT_ARGUMENT,
                  "are not options of a pattern"));
    CHECK(refused(assay_rules_from_pattern("(a)\\1", 5, ASSAY_MATCH_LINEAR_TIME, &made), ASSAY_FAULT_RULES,
                  "linearTime excludes a back reference"));
    CHECK(refused(assay_rules_from_pattern("a", 1, ASSAY_MATCH_LINEAR_TIME << 1, &made), ASSAY_FAULT_ARGUMENT,
                  "the flags 128 are not options of a pattern"));
    CHECK(assay_rules_from_pattern("(a+)+b", 6, ASSAY_MATCH_LINEAR_TIME | ASSAY_MATCH_SEARCH, &made) == NULL);
    assay_rules_free(made);
    made = NULL;
    CHECK(refused(assay_rules_from_pattern("\xFF", 1, 0, &made), ASSAY_FAULT_RULES, "not well-formed UTF-8"));
    CHECK(made == NULL);
    CHECK(
        refused(assay_rules_check_column(NULL, 0, &column, 1, NULL, &result), ASSAY_FAULT_ARGUMENT, "'rules' is NULL"));
    CHECK(refused(assay_rules_check_column(rules, 9, &column, 1, NULL, &result), ASSAY_FAULT_ARGUMENT, "no field 9"));
    CHECK(refused(assay_rules_check_column(rules, SIZE_MAX, &column, 1, NULL, &result), ASSAY_FAULT_ARGUMENT,
                  "no field 18446744073709551615"));
    CHECK(
        refused(assay_rules_check_column(rules, 0, NULL, 1, NULL, &result), ASSAY_FAULT_ARGUMENT, "'column' is NULL"));
    CHECK(
        refused(assay_rules_check_column(rules, 0, &column, 1, NULL, NULL), ASSAY_FAULT_ARGUMENT, "'result' is NULL"));
    CHECK(refused(assay_rules_check_column(rules, 0, &column, SIZE_MAX, NULL, &result), ASSAY_FAULT_ARGUMENT,
                  "beyond any memory"));
    CHECK(refused(assay_rules_check_columns(rules, NULL, 0, (size_t)1 << 40, NULL, &result), ASSAY_FAULT_COLUMNS,
                  "no column is named 'id'"));
    CHECK(refused(assay_rules_check_columns(rules, NULL, 1, 1, NULL, &result), ASSAY_FAULT_ARGUMENT,
                  "'columns' is NULL"));
    assay_column other = column;
    other.name = "email";
    CHECK(refused(assay_rules_check_columns(rules, &other, 1, 1, NULL, &result), ASSAY_FAULT_COLUMNS,
                  "hint: the table has: email"));
    errno = 77;
    CHECK(assay_rules_check_column(rules, 0, &column, 1, NULL, &result) == NULL);
    CHECK_EQUAL(errno, 77);
    assay_result_free(result);
    result = NULL;
    CHECK(refused(assay_rules_check_columns(rules, &column, SIZE_MAX, 1, NULL, &result), ASSAY_FAULT_ARGUMENT,
                  "18446744073709551615 columns are more than the limit"));
    options.size = 3;
    CHECK(refused(assay_rules_check_column(rules, 0, &column, 1, &options, &result), ASSAY_FAULT_ARGUMENT,
                  "assay_options.size is 3"));
    options.size = SIZE_MAX;
    CHECK(refused(assay_rules_check_column(rules, 0, &column, 1, &options, &result), ASSAY_FAULT_ARGUMENT,
                  "assay_options.size is 18446744073709551615"));
    options.size = sizeof options;
    options.reserved = 1;
    CHECK(refused(assay_rules_check_column(rules, 0, &column, 1, &options, &result), ASSAY_FAULT_ARGUMENT, "is not 0"));
    options.reserved = 0;
    options.first_record = UINT64_MAX;
    CHECK(refused(assay_rules_check_column(rules, 0, &column, 1, &options, &result), ASSAY_FAULT_ARGUMENT,
                  "first_record is 18446744073709551615"));
    options.first_record = (UINT64_C(1) << 47) + 1;
    CHECK(refused(assay_rules_check_column(rules, 0, &column, 1, &options, &result), ASSAY_FAULT_ARGUMENT,
                  "first_record is 140737488355329"));

    static const struct {
        int32_t offsets[3];
        size_t byte_count;
        const char *words;
    } cases[] = {
        {{-1, 0, 0}, 4, "has an offset that is negative or descends, at row 0"},
        {{0, 2, 1}, 4, "has an offset that is negative or descends, at row 2"},
        {{0, 1, 5}, 4, "the last offset is 5, beyond the 4 bytes"},
        {{0, 0, 0}, SIZE_MAX, "byte_count is beyond any memory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assay_column wrong = column;
        wrong.offsets = cases[i].offsets;
        wrong.byte_count = cases[i].byte_count;
        CHECK(refused(assay_rules_check_column(rules, 0, &wrong, 2, NULL, &result), ASSAY_FAULT_ARGUMENT,
                      cases[i].words));
        CHECK(refused(assay_rules_check_columns(rules, &wrong, 1, 2, NULL, &result), ASSAY_FAULT_ARGUMENT,
                      "column 'id'"));
    }
    assay_column wrong = column;
    wrong.layout = (assay_layout)99;
    CHECK(refused(assay_rules_check_column(rules, 0, &wrong, 1, NULL, &result), ASSAY_FAULT_ARGUMENT, "layout is 99"));
    wrong = column;
    wrong.bytes = NULL;
    CHECK(
        refused(assay_rules_check_column(rules, 0, &wrong, 1, NULL, &result), ASSAY_FAULT_ARGUMENT, "'bytes' is NULL"));
    wrong.size = 0;
    CHECK(refused(assay_rules_check_column(rules, 0, &wrong, 1, NULL, &result), ASSAY_FAULT_ARGUMENT,
                  "assay_column.size"));
    CHECK(result == NULL);

    /* All functions that free accept NULL, and queries accept a NULL result. */
    assay_rules_free(NULL);
    assay_result_free(NULL);
    assay_fault_free(NULL);
    assay_tally_free(NULL);
    assay_stream_free(NULL);
    assay_text_free(NULL);
    CHECK(assay_rules_retain(NULL) == NULL);
    CHECK_EQUAL(assay_rules_field_count(NULL), 0);
    CHECK(assay_rules_field_name(rules, 77) == NULL);
    CHECK(assay_result_rows(NULL, ASSAY_ROWS_REJECTED) == NULL);
    assay_totals totals = {.records = 7};
    assay_result_totals(NULL, &totals, sizeof totals);
    CHECK_EQUAL(totals.records, 0);
}

static void list_mistakes(void)
{
    static const char text[] = "fields:\n  - {name: a, typ: integer}\n  - {name: b, constraints: {pattern: '('}}\n";
    assay_rules *rules = NULL;
    assay_fault *fault = assay_rules_parse(text, strlen(text), "my.yaml", &rules);
    CHECK(fault != NULL && rules == NULL);
    CHECK_EQUAL(fault->code, ASSAY_FAULT_RULES);
    CHECK_EQUAL(fault->line, 2);
    CHECK_EQUAL(fault->column, 15);
    CHECK(strstr(fault->message, "unknown key 'typ'") != NULL);
    CHECK(strcmp(fault->hint, "did you mean 'type'?") == 0);
    CHECK(strncmp(fault->text, "my.yaml:2:15: error:", 20) == 0);
    CHECK(fault->next != NULL && fault->next->line == 3);
    assay_fault_free(fault);

    fault = assay_rules_from_pattern("a(b", 3, 0, &rules);
    CHECK_EQUAL(fault->code, ASSAY_FAULT_RULES);
    CHECK(strcmp(fault->message, "missing closing parenthesis") == 0);
    CHECK_EQUAL(fault->column, 4);
    assay_fault_free(fault);
}

/* The same values in the three layouts, over several slices: the verdicts on one thread and on many must be equal. */
static void agree(assay_rules *rules)
{
    enum { rows = 20000 };
    char *bytes = malloc(rows * 8);
    int32_t *offsets32 = calloc(rows + 1, sizeof *offsets32);
    int64_t *offsets64 = calloc(rows + 1, sizeof *offsets64);
    const uint8_t **pointers = calloc(rows, sizeof *pointers);
    size_t *lengths = calloc(rows, sizeof *lengths);
    uint8_t *validity = calloc(rows / 8, 1);
    size_t used = 0, expected = 0;
    for (size_t row = 0; row < rows; row++) {
        const bool is_null = row % 11 == 0, is_wrong = row % 7 == 0;
        const int length = is_null ? 0 : sprintf(bytes + used, is_wrong ? "x%zu" : "%zu", row);
        offsets64[row] = offsets32[row] = (int32_t)used;
        pointers[row] = is_null ? NULL : (const uint8_t *)bytes + used;
        lengths[row] = (size_t)length;
        if (!is_null) validity[row / 8] |= (uint8_t)(1u << row % 8);
        expected += is_null || is_wrong;
        used += (size_t)length;
    }
    offsets64[rows] = offsets32[rows] = (int32_t)used;

    const assay_column columns[] = {
        {.size = sizeof(assay_column),
         .name = "id",
         .layout = ASSAY_LAYOUT_OFFSETS32,
         .bytes = (uint8_t *)bytes,
         .byte_count = used,
         .offsets = offsets32,
         .validity = validity},
        {.size = sizeof(assay_column),
         .name = "id",
         .layout = ASSAY_LAYOUT_OFFSETS64,
         .bytes = (uint8_t *)bytes,
         .byte_count = used,
         .offsets = offsets64,
         .validity = validity},
        {.size = sizeof(assay_column),
         .name = "id",
         .layout = ASSAY_LAYOUT_POINTERS,
         .pointers = pointers,
         .lengths = lengths},
    };
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        for (int layout = 0; layout < 3; layout++) {
            const assay_options options = {.size = sizeof options, .threads = threads, .first_record = 1000};
            assay_result *result = NULL;
            CHECK(assay_rules_check_columns(rules, &columns[layout], 1, rows, &options, &result) == NULL);
            assay_totals totals;
            assay_result_totals(result, &totals, sizeof totals);
            CHECK_EQUAL(totals.records, rows);
            CHECK_EQUAL(totals.rejected, expected);
            CHECK_EQUAL(totals.findings, expected);
            /* Reading the findings one at a time returns each once, in row order. */
            assay_cursor cursor = {0};
            assay_finding finding;
            size_t found = 0;
            uint64_t last = 0;
            bool are_right = true;
            while (assay_result_findings(result, &cursor, &finding, sizeof finding, 1) == 1) {
                const size_t row = (size_t)finding.record - 1001;
                const char *rule = row % 11 == 0 ? "id.required" : "id.type";
                are_right = are_right && finding.record > last && strcmp(finding.rule, rule) == 0;
                last = finding.record;
                found++;
            }
            CHECK(are_right);
            CHECK_EQUAL(found, expected);
            assay_result_free(result);
        }
    }
    free(bytes);
    free(offsets32);
    free(offsets64);
    free(pointers);
    free(lengths);
    free(validity);
}

/* An allocator that counts calls, and fails from call `fails_from` on. */
typedef struct counter {
    long live, calls, fails_from;
} counter;

static void *counted_allocate(void *context, size_t size)
{
    counter *counter = context;
    if (++counter->calls >= counter->fails_from) return NULL;
    counter->live++;
    return malloc(size);
}

static void counted_deallocate(void *context, void *memory, size_t size)
{
    (void)size;
    ((counter *)context)->live--;
    free(memory);
}

static void use_hooks(assay_rules *rules)
{
    const uint8_t *values[] = {(const uint8_t *)"1", (const uint8_t *)"x"};
    const size_t lengths[] = {1, 1};
    const assay_column column = {
        .size = sizeof column, .name = "id", .layout = ASSAY_LAYOUT_POINTERS, .pointers = values, .lengths = lengths};
    bool was_refused = true;
    long calls = 0;
    /* Each allocation fails once: the call must report it and must not leak. */
    for (long fails_from = 1; was_refused && fails_from < 100; fails_from++) {
        counter counter = {.fails_from = fails_from};
        const assay_allocator allocator = {sizeof allocator, counted_allocate, counted_deallocate, &counter};
        const assay_options options = {.size = sizeof options, .threads = 1, .allocator = &allocator};
        assay_result *result = NULL;
        struct ArrowArray array = {0};
        struct ArrowSchema schema = {0};
        assay_fault *fault = assay_rules_check_columns(rules, &column, 1, 2, &options, &result);
        if (fault == NULL) fault = assay_result_export_reasons(result, &array, &schema);
        if (fault == NULL) {
            array.release(&array);
            schema.release(&schema);
            fault = assay_result_export_findings(result, SIZE_MAX, &array, &schema);
        }
        was_refused = fault != NULL;
        if (was_refused) {
            CHECK(refused(fault, ASSAY_FAULT_MEMORY, "no memory"));
            CHECK(array.release == NULL && schema.release == NULL);
        } else {
            array.release(&array);
            schema.release(&schema);
            CHECK(array.release == NULL && schema.release == NULL);
        }
        assay_result_free(result);
        CHECK_EQUAL(counter.live, 0);
        calls = counter.calls;
    }
    CHECK(!was_refused);
    CHECK(calls > 3);
}

static bool refuse_to_continue(void *context, uint64_t done, uint64_t total)
{
    uint64_t *seen = context;
    seen[0] = done;
    seen[1] = total;
    return false;
}

static void cancel(assay_rules *rules)
{
    enum { rows = 50000 };
    int32_t *offsets = calloc(rows + 1, sizeof *offsets);
    const assay_column column = {
        .size = sizeof column, .name = "id", .layout = ASSAY_LAYOUT_OFFSETS32, .offsets = offsets};
    uint64_t seen[2] = {0};
    const assay_options options = {
        .size = sizeof options, .threads = 1, .progress = refuse_to_continue, .progress_context = seen};
    assay_result *result = NULL;
    CHECK(
        refused(assay_rules_check_columns(rules, &column, 1, rows, &options, &result), ASSAY_FAULT_CANCELLED, "ended"));
    CHECK_EQUAL(seen[0], 4096);
    CHECK_EQUAL(seen[1], rows);
    /* The callback also runs before the rows are checked, while values are repaired and while shared values are
       checked. */
    assay_rules *repairing = must_parse("fields: [{name: id, repair: [{default: N}]}]");
    CHECK(refused(assay_rules_check_columns(repairing, &column, 1, rows, &options, &result), ASSAY_FAULT_CANCELLED,
                  "ended"));
    CHECK_EQUAL(seen[0], 0);
    CHECK_EQUAL(seen[1], 0);
    struct ArrowArray repaired;
    struct ArrowSchema schema;
    CHECK(refused(assay_rules_repair_column(repairing, 0, &column, rows, &options, &repaired, &schema, NULL),
                  ASSAY_FAULT_CANCELLED, "ended"));
    assay_rules_free(repairing);
    free(offsets);
}

static void add_up(assay_rules *rules)
{
    static const char csv[] = "id,name\n1,Anna\nx,Bo\n,Carl\n3,Dora,4\n";
    assay_result *result = NULL;
    CHECK(assay_rules_check_csv(rules, (const uint8_t *)csv, strlen(csv), NULL, &result) == NULL);
    assay_cursor cursor = {0};
    assay_finding findings[8];
    CHECK_EQUAL(assay_result_findings(result, &cursor, findings, sizeof *findings, 8), 3);
    CHECK_EQUAL(findings[0].line, 3);
    CHECK_EQUAL(findings[0].offset, 15);
    CHECK(strcmp(findings[0].rule, "id.type") == 0);
    CHECK(strcmp(findings[1].rule, "id.required") == 0);
    CHECK(strcmp(findings[2].rule, "structure.fields") == 0 && findings[2].column == NULL);
    CHECK_EQUAL(assay_result_findings(result, &cursor, findings, sizeof *findings, 8), 0);
    struct ArrowArray array;
    struct ArrowSchema schema;
    CHECK(
        refused(assay_result_export_verdicts(result, 0, &array, &schema), ASSAY_FAULT_ARGUMENT, "cannot be exported"));

    assay_tally *one = assay_tally_create(), *other = assay_tally_create();
    assay_tally_add(one, result);
    assay_tally_add(other, result);
    assay_tally_merge(one, other);
    assay_totals totals;
    assay_tally_totals(one, &totals, sizeof totals);
    CHECK_EQUAL(totals.records, 8);
    CHECK_EQUAL(totals.clean, 2);
    CHECK_EQUAL(totals.rejected, 6);
    assay_rule_count count;
    uint64_t failed = 0;
    for (size_t i = 0; assay_tally_get(one, i, &count, sizeof count); i++) failed += count.failed;
    CHECK_EQUAL(failed, 6);
    assay_tally_free(one);
    assay_tally_free(other);
    assay_result_free(result);

    CHECK(refused(assay_rules_check_csv(rules, (const uint8_t *)"", 0, NULL, &result), ASSAY_FAULT_INPUT, "is empty"));
    CHECK(refused(assay_rules_check_csv(rules, (const uint8_t *)"x\n", 2, NULL, &result), ASSAY_FAULT_INPUT,
                  "no column is named 'id'"));
}

static void *check_and_free(void *argument)
{
    assay_rules *rules = argument;
    const uint8_t *values[] = {(const uint8_t *)"1", (const uint8_t *)"x"};
    const size_t lengths[] = {1, 1};
    const assay_column column = {
        .size = sizeof column, .layout = ASSAY_LAYOUT_POINTERS, .pointers = values, .lengths = lengths};
    uintptr_t wrong = 0;
    for (int i = 0; i < 200; i++) {
        assay_result *result = NULL;
        if (assay_rules_check_column(rules, 0, &column, 2, NULL, &result) != NULL) wrong++;
        assay_totals totals;
        assay_result_totals(result, &totals, sizeof totals);
        if (totals.clean != 1) wrong++;
        assay_result_free(result);
    }
    assay_rules_free(rules);
    return (void *)wrong;
}

static void share(assay_rules *rules)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, check_and_free, assay_rules_retain(rules));
    for (int i = 0; i < 4; i++) {
        void *wrong = NULL;
        pthread_join(threads[i], &wrong);
        CHECK(wrong == NULL);
    }
}

/* A stream of two batches of one column, followed by an error if `breaks` is true. */
typedef struct batches {
    int left;
    bool breaks;
    bool released;
    int32_t offsets[3];
    const void *buffers[3];
    const void *no_buffers[1];
    struct ArrowArray column, *children[1];
    struct ArrowSchema type, *types[1];
} batches;

static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    batches *batches = stream->private_data;
    batches->type = (struct ArrowSchema){.format = "u", .name = "id", .release = release_schema};
    batches->types[0] = &batches->type;
    *out = (struct ArrowSchema){.format = "+s", .n_children = 1, .children = batches->types, .release = release_schema};
    return 0;
}

static int give_batch(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    batches *batches = stream->private_data;
    if (batches->left == 0) {
        if (batches->breaks) return 5;
        *out = (struct ArrowArray){0};
        return 0;
    }
    batches->left--;
    batches->offsets[1] = 1;
    batches->offsets[2] = 2;
    batches->buffers[1] = batches->offsets;
    batches->buffers[2] = "1x";
    batches->column =
        (struct ArrowArray){.length = 2, .n_buffers = 3, .buffers = batches->buffers, .release = release_array};
    batches->children[0] = &batches->column;
    *out = (struct ArrowArray){.length = 2,
                               .n_buffers = 1,
                               .n_children = 1,
                               .buffers = batches->no_buffers,
                               .children = batches->children,
                               .release = release_array};
    return 0;
}

/* The column without its struct. */
static int give_type(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    give_schema(stream, out);
    *out = *out->children[0];
    return 0;
}

static int give_column(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    give_batch(stream, out);
    if (out->n_children == 1) *out = *out->children[0];
    return 0;
}

static const char *report_error(struct ArrowArrayStream *stream) { return (void)stream, "the wire is cut"; }

static void release_batches(struct ArrowArrayStream *stream)
{
    ((batches *)stream->private_data)->released = true;
    stream->release = NULL;
}

static void pull_streams(assay_rules *rules)
{
    for (int breaks = 0; breaks < 2; breaks++) {
        batches batches = {.left = 2, .breaks = breaks};
        struct ArrowArrayStream source = {give_schema, give_batch, report_error, release_batches, &batches};
        assay_stream *stream = NULL;
        CHECK(assay_stream_open(rules, SIZE_MAX, &source, NULL, &stream) == NULL);
        CHECK(source.release == NULL);
        assay_result *result = NULL;
        assay_finding finding;
        for (uint64_t batch = 0; batch < 2; batch++) {
            assay_cursor cursor = {0};
            CHECK(assay_stream_next(stream, &result) == NULL);
            CHECK_EQUAL(assay_result_findings(result, &cursor, &finding, sizeof finding, 1), 1);
            CHECK_EQUAL(finding.record, 2 * batch + 2);
            CHECK(rejected_are(result, "01"));
        }
        assay_fault *fault = assay_stream_next(stream, &result);
        if (breaks) {
            CHECK(refused(fault, ASSAY_FAULT_STREAM, "error 5): the wire is cut"));
        } else {
            CHECK(fault == NULL && result == NULL);
            CHECK(assay_stream_next(stream, &result) == NULL && result == NULL);
        }
        assay_stream_free(stream);
        CHECK(batches.released);
    }
    /* The verdicts and reasons as an Arrow stream, as another library reads it. */
    batches batches = {.left = 2, .breaks = true};
    struct ArrowArrayStream source = {give_schema, give_batch, report_error, release_batches, &batches}, out;
    assay_stream *stream = NULL;
    CHECK(assay_stream_open(rules, SIZE_MAX, &source, NULL, &stream) == NULL);
    CHECK(assay_stream_export(stream, &out) == NULL);
    struct ArrowSchema schema;
    struct ArrowArray array;
    CHECK_EQUAL(out.get_schema(&out, &schema), 0);
    CHECK(strcmp(schema.format, "+s") == 0 && schema.n_children == 2);
    schema.release(&schema);
    for (int batch = 0; batch < 2; batch++) {
        CHECK_EQUAL(out.get_next(&out, &array), 0);
        CHECK_EQUAL(array.length, 2);
        CHECK_EQUAL(*(const uint8_t *)array.children[0]->buffers[1], 1);
        CHECK_EQUAL(((const int32_t *)array.children[1]->buffers[1])[2], 1);
        array.release(&array);
    }
    CHECK(out.get_next(&out, &array) != 0);
    CHECK(strstr(out.get_last_error(&out), "the wire is cut") != NULL);
    out.release(&out);
    CHECK(batches.released);

    /* A rejected stream is still owned by the callee. */
    struct ArrowArrayStream none = {0};
    CHECK(refused(assay_stream_open(rules, SIZE_MAX, &none, NULL, &stream), ASSAY_FAULT_ARROW, "released already"));
    batches.released = false;
    struct ArrowArrayStream half = {NULL, give_batch, report_error, release_batches, &batches};
    CHECK(refused(assay_stream_open(rules, SIZE_MAX, &half, NULL, &stream), ASSAY_FAULT_ARROW, "lacks its functions"));
    CHECK(batches.released && half.release == NULL);
}

/* A key is unique across all records of a stream. */
static void pull_keys(void)
{
    static const char *const kept[] = {"first", "none", "last"};
    static const char *const rejected[3][2] = {{"00", "11"}, {"11", "11"}, {"11", "00"}};
    static const uint64_t named[3][2] = {{0, 1}, {3, 1}, {3, 0}};
    for (int keep = 0; keep < 3; keep++) {
        char text[128];
        snprintf(text, sizeof text,
                 "{\"fields\": [{\"name\": \"id\", \"constraints\": {\"unique\": true}}], \"keep\": \"%s\"}",
                 kept[keep]);
        assay_rules *rules = must_parse(text);
        for (int is_column = 0; is_column < 2; is_column++) {
            batches batches = {.left = 2};
            struct ArrowArrayStream source = {give_schema, give_batch, report_error, release_batches, &batches};
            assay_stream *stream = NULL;
            assay_result *result = NULL;
            if (is_column) source.get_schema = give_type, source.get_next = give_column;
            CHECK(assay_stream_open(rules, is_column ? 0 : SIZE_MAX, &source, NULL, &stream) == NULL);
            for (int batch = 0; batch < 2; batch++) {
                assay_cursor cursor = {0};
                assay_finding finding;
                CHECK(assay_stream_next(stream, &result) == NULL);
                CHECK_EQUAL(batches.left, keep == 0 ? 1 - batch : 0);
                if (named[keep][batch] != 0) {
                    CHECK_EQUAL(assay_result_findings(result, &cursor, &finding, sizeof finding, 1), 1);
                    snprintf(text, sizeof text, "equals record %llu", (unsigned long long)named[keep][batch]);
                    CHECK(strcmp(finding.message, text) == 0);
                    CHECK_EQUAL(finding.record, 2 * batch + 1);
                }
                CHECK(rejected_are(result, rejected[keep][batch]));
            }
            CHECK(assay_stream_next(stream, &result) == NULL && result == NULL);
            assay_stream_free(stream);
        }
        assay_rules_free(rules);
    }
}

static void read_paths(void)
{
    static const struct {
        const char *path;
        size_t count, lists, bytes;
        const char *keys;
    } cases[] = {
        {"a", 1, 0, 2, "a"},
        {"address.city", 2, 0, 13, "address\0city"},
        {"a\\.b.c", 2, 0, 6, "a.b\0c"},
        {"items[].price", 2, 1, 12, "items\0price"},
        {"m[][]", 1, 2, 2, "m"},
        {"", 1, 0, 1, ""},
        {"a..b", 0, 0, 0, ""},
        {"a.", 0, 0, 0, ""},
        {"a[0]", 0, 0, 0, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char keys[16];
        size_t lists = 0;
        CHECK_EQUAL(assay_path_keys(cases[i].path, keys, &lists), cases[i].count);
        CHECK_EQUAL(lists, cases[i].lists);
        CHECK(memcmp(keys, cases[i].keys, cases[i].bytes) == 0);
    }
    CHECK_EQUAL(assay_path_keys(NULL, NULL, NULL), 0);
    CHECK_EQUAL(assay_path_keys("\xFF", (char[2]){0}, &(size_t){0}), 0);
}

int main(void)
{
    read_paths();
    CHECK_EQUAL(assay_abi_version(), ASSAY_ABI_VERSION);
    assay_rules *rules = must_parse("fields: [{name: id, type: integer, constraints: {required: true}}]");
    refuse_arguments(rules);
    list_mistakes();
    agree(rules);
    use_hooks(rules);
    cancel(rules);
    add_up(rules);
    pull_keys();
    share(rules);
    pull_streams(rules);
    /* The serialized rules must be readable. */
    assay_rules *again = must_parse(assay_rules_json(rules));
    CHECK(strcmp(assay_rules_field_name(again, 0), "id") == 0);
    assay_rules_free(again);
    assay_rules_free(rules);
    return test_result();
}
