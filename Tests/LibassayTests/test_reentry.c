/* Callbacks that call the library again, with the objects of the call that is in progress. */
#include "support.h"

enum { batches_in_all = 3 };

/* A stream of batches with one column of two rows, "1" and "x". Each callback first runs `again`. */
typedef struct source {
    assay_stream *stream; /* the checked stream that reads this source */
    struct ArrowArrayStream *out;
    void (*again)(struct source *source, const char *where);
    const char *only; /* the callback that runs `again`; NULL: all */
    void *context;
    int given, runs, releases;
    bool fails;
    int32_t offsets[3];
    const void *buffers[3], *no_buffers[1];
    struct ArrowArray column, *children[1];
    struct ArrowSchema type, *types[1];
} source;

static void run(source *source, const char *where)
{
    if (source->again == NULL || (source->only != NULL && strcmp(source->only, where) != 0)) return;
    source->runs++;
    source->again(source, where);
}

static void release_batch(struct ArrowArray *array)
{
    array->release = NULL;
    run(array->private_data, "array");
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    source *own = stream->private_data;
    own->type = (struct ArrowSchema){.format = "u", .name = "id", .release = release_schema};
    own->types[0] = &own->type;
    *out = (struct ArrowSchema){.format = "+s", .n_children = 1, .children = own->types, .release = release_schema};
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    source *own = stream->private_data;
    run(own, "get_next");
    if (own->given == batches_in_all) {
        *out = (struct ArrowArray){0};
        return own->fails ? 5 : 0;
    }
    own->given++;
    own->offsets[1] = 1;
    own->offsets[2] = 2;
    own->buffers[1] = own->offsets;
    own->buffers[2] = "1x";
    own->column = (struct ArrowArray){.length = 2, .n_buffers = 3, .buffers = own->buffers, .release = release_array};
    own->children[0] = &own->column;
    *out = (struct ArrowArray){.length = 2,
                               .n_buffers = 1,
                               .n_children = 1,
                               .buffers = own->no_buffers,
                               .children = own->children,
                               .release = release_batch,
                               .private_data = own};
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    run(stream->private_data, "error");
    return "the wire is cut";
}

static void release_source(struct ArrowArrayStream *stream)
{
    source *own = stream->private_data;
    stream->release = NULL;
    own->releases++;
}

static struct ArrowArrayStream stream_of(source *source)
{
    return (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_source, source};
}

static const char busy[] = "the stream is in use by another call";

/* -- The stream itself */

static void read_again(source *source, const char *where)
{
    (void)where;
    assay_result *result = NULL;
    CHECK(refused(assay_stream_next(source->stream, &result), ASSAY_FAULT_ARGUMENT, busy));
    CHECK(result == NULL);
}

static bool read_in_progress(void *context, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    run(context, "progress");
    return true;
}

static void *allocate(void *context, size_t size)
{
    run(context, "allocate");
    return malloc(size);
}

static void deallocate(void *context, void *memory, size_t size)
{
    (void)size;
    run(context, "deallocate");
    free(memory);
}

static void read_whole(const assay_rules *rules, const char *only, bool fails)
{
    source source = {.again = read_again, .only = only, .fails = fails};
    struct ArrowArrayStream arrow = stream_of(&source);
    const assay_allocator allocator = {sizeof allocator, allocate, deallocate, &source};
    const assay_options options = {
        .size = sizeof options, .allocator = &allocator, .progress = read_in_progress, .progress_context = &source};
    CHECK(assay_stream_open(rules, SIZE_MAX, &arrow, &options, &source.stream) == NULL);
    for (int batch = 0; batch < batches_in_all; batch++) {
        assay_result *result = NULL;
        CHECK(assay_stream_next(source.stream, &result) == NULL);
        source.only = "no callback"; /* the allocator is now called outside of assay_stream_next */
        CHECK(rejected_are(result, "01"));
        source.only = only;
    }
    assay_result *result = NULL;
    assay_fault *fault = assay_stream_next(source.stream, &result);
    if (fails) {
        CHECK(refused(fault, ASSAY_FAULT_STREAM, "the wire is cut"));
    } else {
        CHECK(fault == NULL && result == NULL);
    }
    CHECK(source.runs > 0);
    assay_stream_free(source.stream);
    CHECK_EQUAL(source.releases, 1);
}

/* The call goes on, and the source is released when it returns. */
static void free_stream(source *source, const char *where)
{
    (void)where;
    assay_stream_free(source->stream);
    CHECK_EQUAL(source->releases, 0);
}

static void free_while_reading(const assay_rules *rules)
{
    source source = {.again = free_stream, .only = "get_next"};
    struct ArrowArrayStream arrow = stream_of(&source);
    CHECK(assay_stream_open(rules, SIZE_MAX, &arrow, NULL, &source.stream) == NULL);
    assay_result *result = NULL;
    CHECK(assay_stream_next(source.stream, &result) == NULL);
    CHECK(rejected_are(result, "01"));
    CHECK_EQUAL(source.releases, 1);
}

static void read_exported(source *source, const char *where)
{
    (void)where;
    struct ArrowArray array = {0};
    CHECK(source->out->get_next(source->out, &array) != 0);
    CHECK(array.release == NULL);
    CHECK(strstr(source->out->get_last_error(source->out), busy) != NULL);
}

static void release_exported(source *source, const char *where)
{
    (void)where;
    if (source->out->release != NULL) source->out->release(source->out);
}

static void export_streams(const assay_rules *rules)
{
    for (int releases = 0; releases < 2; releases++) {
        source source = {.again = releases ? release_exported : read_exported, .only = "get_next"};
        struct ArrowArrayStream arrow = stream_of(&source), out;
        CHECK(assay_stream_open(rules, SIZE_MAX, &arrow, NULL, &source.stream) == NULL);
        CHECK(assay_stream_export(source.stream, &out) == NULL);
        source.out = &out;
        struct ArrowArray array;
        CHECK_EQUAL(out.get_next(&out, &array), 0);
        CHECK_EQUAL(array.length, 2);
        array.release(&array);
        CHECK_EQUAL(source.runs, 1);
        if (out.release != NULL) out.release(&out);
        CHECK_EQUAL(source.releases, 1);
    }
}

/* -- Other objects of the same call */

typedef struct objects {
    const assay_rules *rules;
    assay_seen_keys *seen;
    assay_result *result;
    assay_tally *tally;
    assay_references *references;
    int depth, runs;
} objects;

static const uint8_t *const values[] = {(const uint8_t *)"7", (const uint8_t *)"7"};
static const size_t lengths[] = {1, 1};

static assay_fault *check_two(const assay_rules *rules, const assay_options *options, assay_result **result)
{
    const assay_column column = {
        .size = sizeof column, .name = "id", .layout = ASSAY_LAYOUT_POINTERS, .pointers = values, .lengths = lengths};
    return assay_rules_check_columns(rules, &column, 1, 2, options, result);
}

static void use_all(objects *all)
{
    if (all->depth > 0) return;
    all->depth++;
    all->runs++;
    assay_result *result = NULL;
    const assay_options options = {.size = sizeof options, .seen = all->seen, .first_record = 100};
    assay_fault *fault = check_two(all->rules, &options, &result);
    CHECK(fault == NULL);
    assay_fault_free(fault);
    assay_tally_add(all->tally, result);
    assay_tally_merge(all->tally, all->tally);
    if (all->result != NULL) assay_tally_add(all->tally, all->result);
    assay_cursor cursor = {0};
    assay_finding finding;
    while (assay_result_findings(result, &cursor, &finding, sizeof finding, 1) == 1) CHECK(finding.message != NULL);
    assay_result_free(result);
    const uint8_t *one = values[0];
    (void)assay_rules_accepts(all->rules, &one, lengths);
    assay_rules_free(assay_rules_retain((assay_rules *)all->rules));
    all->depth--;
}

static bool use_in_progress(void *context, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    use_all(context);
    return true;
}

static void *allocate_and_use(void *context, size_t size)
{
    use_all(context);
    return malloc(size);
}

static void deallocate_and_use(void *context, void *memory, size_t size)
{
    (void)size;
    use_all(context);
    free(memory);
}

static void use_objects(void)
{
    assay_rules *rules = must_parse("fields: [{name: id, constraints: {unique: true}}]");
    for (uint32_t threads = 1; threads <= 2; threads++) {
        objects all = {.rules = rules, .tally = assay_tally_create()};
        CHECK(assay_seen_keys_create(rules, 0, &all.seen) == NULL);
        CHECK(check_two(rules, NULL, &all.result) == NULL);
        const assay_allocator allocator = {sizeof allocator, allocate_and_use, deallocate_and_use, &all};
        const assay_options options = {.size = sizeof options,
                                       .threads = threads,
                                       .allocator = &allocator,
                                       .progress = use_in_progress,
                                       .progress_context = &all,
                                       .seen = all.seen};
        assay_result *result = NULL;
        CHECK(check_two(rules, &options, &result) == NULL);
        struct ArrowArray array;
        struct ArrowSchema schema;
        CHECK(assay_result_export_reasons(result, &array, &schema) == NULL);
        array.release(&array);
        schema.release(&schema);
        assay_result_free(result);
        CHECK(all.runs > 3);
        assay_result_free(all.result);
        assay_tally_free(all.tally);
        assay_seen_keys_free(all.seen);
    }
    assay_rules_free(rules);
}

static void add_table_again(source *source, const char *where)
{
    (void)where;
    objects *all = source->context;
    if (all->depth++ > 0) return;
    struct source inner = {0};
    struct ArrowArrayStream arrow = stream_of(&inner);
    CHECK(assay_references_add_stream(all->references, "others", &arrow) == NULL);
    CHECK_EQUAL(inner.releases, 1);
    assay_references_free(all->references); /* the call that reads this source goes on */
}

static void use_references(void)
{
    assay_rules *rules = must_parse("{fields: [{name: id}], foreignKeys: [{fields: [id], reference: {resource: others, "
                                    "fields: [id]}}]}");
    objects all = {.rules = rules};
    CHECK(assay_references_create(rules, 0, &all.references) == NULL);
    source source = {.again = add_table_again, .only = "get_next", .context = &all};
    struct ArrowArrayStream arrow = stream_of(&source);
    CHECK(assay_references_add_stream(all.references, "others", &arrow) == NULL);
    CHECK_EQUAL(source.releases, 1);
    assay_rules_free(rules);
}

/* A table that is profiled while it is opened. */
typedef struct table {
    source sources[8];
    int opened;
} table;

static int open_table(void *context, struct ArrowArrayStream *stream)
{
    table *own = context;
    const int number = own->opened++;
    if (number == 0) {
        const assay_table again = {.size = sizeof again, .open = open_table, .context = own};
        char *profile = NULL;
        CHECK(assay_rules_profile(NULL, &again, false, NULL, &profile) == NULL);
        assay_text_free(profile);
    }
    *stream = stream_of(&own->sources[number]);
    return 0;
}

static void profile_again(void)
{
    table own = {.opened = 0};
    const assay_table given = {.size = sizeof given, .open = open_table, .context = &own};
    char *profile = NULL;
    CHECK(assay_rules_profile(NULL, &given, false, NULL, &profile) == NULL);
    CHECK(profile != NULL && strstr(profile, "\"id\"") != NULL);
    assay_text_free(profile);
    CHECK_EQUAL(own.opened, 2);
}

int main(void)
{
    assay_rules *rules = must_parse("fields: [{name: id, type: integer}]");
    static const char *const callbacks[] = {"get_next", "array", "progress", "allocate", NULL};
    for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks; i++) {
        read_whole(rules, callbacks[i], false);
        read_whole(rules, callbacks[i], true);
    }
    read_whole(rules, "error", true);
    free_while_reading(rules);
    export_streams(rules);
    assay_rules_free(rules);
    use_objects();
    use_references();
    profile_again();
    return test_result();
}
