/* Profiles: equal for files and Arrow. Also tests rules that fit a table, and single records. */
#include "support.h"

#include <unistd.h>

/* -- A repeatable stream of two batches: id is int32 or null, name a text. */

static const char *const names[] = {"Anna", "Bo, jr.", NULL, "say \"hi\"\nthere", "D\xc3\xb6rte", ""};
static const int32_t ids[] = {1, 2, 0, 4, 5, 6};
enum { ROWS = 6, FIRST_BATCH = 4 };

typedef struct rows {
    int32_t offsets[ROWS + 1];
    char bytes[64];
    uint8_t id_bits, name_bits;
    const void *struct_buffers[1], *id_buffers[2], *name_buffers[3];
    struct ArrowArray children[2], *pointers[2];
    struct ArrowSchema fields[2], *field_pointers[2];
    int next, opened, fails;
} rows;

static void fill(rows *table)
{
    table->id_bits = 0x3B;
    for (int row = 0; row < ROWS; row++) {
        const size_t length = names[row] == NULL ? 0 : strlen(names[row]);
        if (length > 0) memcpy(table->bytes + table->offsets[row], names[row], length);
        if (names[row] != NULL) table->name_bits |= (uint8_t)(1u << row);
        table->offsets[row + 1] = table->offsets[row] + (int32_t)length;
    }
    table->id_buffers[0] = &table->id_bits;
    table->id_buffers[1] = ids;
    table->name_buffers[0] = &table->name_bits;
    table->name_buffers[1] = table->offsets;
    table->name_buffers[2] = table->bytes;
}

static int stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    rows *table = stream->private_data;
    table->fields[0] = (struct ArrowSchema){.format = "i", .name = "id", .flags = 2, .release = release_schema};
    table->fields[1] = (struct ArrowSchema){.format = "u", .name = "name", .flags = 2, .release = release_schema};
    for (int i = 0; i < 2; i++) table->field_pointers[i] = &table->fields[i];
    *out = (struct ArrowSchema){
        .format = "+s", .n_children = 2, .children = table->field_pointers, .release = release_schema};
    return 0;
}

static int stream_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    rows *table = stream->private_data;
    if (table->fails && table->next == 1) return 5;
    if (table->next == 2) {
        memset(out, 0, sizeof *out);
        return 0;
    }
    const int64_t start = table->next == 0 ? 0 : FIRST_BATCH, end = table->next == 0 ? FIRST_BATCH : ROWS;
    table->next++;
    for (int i = 0; i < 2; i++) {
        table->children[i] = (struct ArrowArray){.length = end - start,
                                                 .null_count = -1,
                                                 .offset = start,
                                                 .n_buffers = 2 + i,
                                                 .buffers = i == 0 ? table->id_buffers : table->name_buffers,
                                                 .release = release_array};
        table->pointers[i] = &table->children[i];
    }
    *out = (struct ArrowArray){.length = end - start,
                               .n_buffers = 1,
                               .n_children = 2,
                               .buffers = table->struct_buffers,
                               .children = table->pointers,
                               .release = release_array};
    return 0;
}

static const char *stream_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "no more";
}

static void stream_release(struct ArrowArrayStream *stream) { stream->release = NULL; }

static int open_rows(void *context, struct ArrowArrayStream *stream)
{
    rows *table = context;
    table->next = 0;
    table->opened++;
    *stream = (struct ArrowArrayStream){stream_schema, stream_next, stream_error, stream_release, table};
    return 0;
}

static int refuse(void *context, struct ArrowArrayStream *stream)
{
    (void)context, (void)stream;
    return 12;
}

/* -- A file with the same content. */

static const char csv[] = "id,name\n1,Anna\n2,\"Bo, jr.\"\n,\n4,\"say \"\"hi\"\"\nthere\"\n5,D\xc3\xb6rte\n6,\n";

/* Cuts a profile after its columns, because the elapsed time differs, and before them, because the name of the input
   differs. */
static const char *columns_of(char *profile)
{
    char *end = strstr(profile, "\"threads\"");
    if (end != NULL) *end = '\0';
    return strstr(profile, "\"records\"");
}

static void test_arrow_is_like_a_file(const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "%s/table.csv", folder);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fwrite(csv, 1, sizeof csv - 1, file) == sizeof csv - 1 && fclose(file) == 0);
    rows table = {0};
    fill(&table);
    const assay_table in_file = {.size = sizeof in_file, .path = path};
    const assay_table in_memory = {.size = sizeof in_memory, .open = open_rows, .context = &table, .name = "rows"};
    char *one = NULL, *other = NULL;
    CHECK(assay_rules_profile(NULL, &in_file, true, NULL, &one) == NULL);
    CHECK(assay_rules_profile(NULL, &in_memory, true, NULL, &other) == NULL);
    CHECK(strstr(other, "\"inputs\": [\"rows\"]") != NULL);
    CHECK(strstr(one, "\"bytes\": 62,") != NULL && strstr(other, "\"bytes\": 62,") != NULL);
    CHECK(strcmp(columns_of(one), columns_of(other)) == 0);
    CHECK(strstr(columns_of(other), "\"missing\": 2") != NULL && table.opened == 1);
    assay_text_free(one);
    assay_text_free(other);

    CHECK(assay_rules_infer(NULL, &in_file, NULL, &one) == NULL);
    CHECK(assay_rules_infer(NULL, &in_memory, NULL, &other) == NULL);
    CHECK(table.opened >= 3);
    CHECK(strstr(other, "# Rules for rows, inferred by assay ") == other);
    CHECK(strstr(other, "#   rules.check(rows)\n") != NULL);
    CHECK(strcmp(strstr(one, "fields:"), strstr(other, "fields:")) == 0);
    assay_rules_free(must_parse(other));
    assay_text_free(one);
    assay_text_free(other);
    unlink(path);
}

static void test_refusals(void)
{
    rows table = {0};
    fill(&table);
    char *text = NULL;
    assay_table given = {.size = sizeof given, .open = open_rows, .context = &table};
    CHECK(refused(assay_rules_profile(NULL, NULL, false, NULL, &text), ASSAY_FAULT_ARGUMENT, "'table' is NULL"));
    CHECK(refused(assay_rules_profile(NULL, &given, false, NULL, NULL), ASSAY_FAULT_ARGUMENT, "'profile' is NULL"));
    CHECK(refused(assay_rules_infer(NULL, &given, NULL, NULL), ASSAY_FAULT_ARGUMENT, "'inferred' is NULL"));
    given.path = "/";
    CHECK(refused(assay_rules_infer(NULL, &given, NULL, &text), ASSAY_FAULT_ARGUMENT, "either a path or a function"));
    given.open = NULL;
    CHECK(refused(assay_rules_infer(NULL, &given, NULL, &text), ASSAY_FAULT_INPUT,
                  "/ is no file that can be read again"));
    given.path = "/no/such/file.csv";
    CHECK(refused(assay_rules_infer(NULL, &given, NULL, &text), ASSAY_FAULT_FILE,
                  "cannot open /no/such/file.csv: No such file or directory"));
    given.path = NULL;
    given.open = refuse;
    CHECK(refused(assay_rules_infer(NULL, &given, NULL, &text), ASSAY_FAULT_STREAM, "could not be opened (error 12)"));
    given.size = 3;
    CHECK(refused(assay_rules_infer(NULL, &given, NULL, &text), ASSAY_FAULT_ARGUMENT, "assay_table.size is 3"));
    given = (assay_table){.size = sizeof given, .open = open_rows, .context = &table};
    table.fails = 1;
    CHECK(refused(assay_rules_profile(NULL, &given, false, NULL, &text), ASSAY_FAULT_STREAM,
                  "the stream could not give a batch (error 5): no more"));
    CHECK(text == NULL);
}

/* -- Single records. */

static bool accepts(const assay_rules *rules, const char *first, const char *second)
{
    const uint8_t *values[] = {(const uint8_t *)first, (const uint8_t *)second};
    const size_t lengths[] = {first == NULL ? 0 : strlen(first), second == NULL ? 0 : strlen(second)};
    return assay_rules_accepts(rules, values, lengths);
}

static void test_records(void)
{
    assay_rules *rules = must_parse("fields:\n"
                                    "  - {name: id, type: integer, constraints: {required: true}}\n"
                                    "  - {name: name, constraints: {maxLength: 5}}\n"
                                    "rows: [{id: small, check: id < 10, severity: warn}]\n"
                                    "limits: {field-bytes: 20}\n");
    CHECK(accepts(rules, "1", "Anna") && accepts(rules, "1", NULL) && accepts(rules, "9", ""));
    CHECK(!accepts(rules, "x", "Anna") && !accepts(rules, NULL, "Anna") && !accepts(rules, "", "Anna"));
    CHECK(!accepts(rules, "1", "Johann") && !accepts(rules, "1", "\xff") && !accepts(rules, "10", "Anna"));
    CHECK(!accepts(rules, "1", "a text of more than twenty bytes"));
    CHECK(accepts(rules, "1", "Anna"));
    CHECK(!assay_rules_accepts(NULL, NULL, NULL) && !assay_rules_accepts(rules, NULL, NULL));
    assay_rules_free(rules);
    rules = must_compile("[A-Z]{2}");
    CHECK(accepts(rules, "DE", NULL) && !accepts(rules, "", NULL) && !accepts(rules, "DEF", NULL) &&
          !accepts(rules, "de", NULL));
    assay_rules_free(rules);
    /* A value that remains undecided because of a limit, so that the call cannot accept it. */
    rules = must_compile("(a+)+\\1b");
    CHECK(accepts(rules, "aab", NULL) &&
          !accepts(rules, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL));
    assay_rules_free(rules);
    /* Rules whose verdict depends on other records. */
    const char *const others[] = {
        "fields: [{name: id, constraints: {unique: true}}, {name: name}]",
        "fields: [{name: id, repair: [trim]}, {name: name}]",
        "{fields: [{name: id}, {name: name}], foreignKeys: [{fields: id, reference: {fields: name}}]}",
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        rules = must_parse(others[i]);
        CHECK(!accepts(rules, "1", "Anna"));
        assay_rules_free(rules);
    }
}

int main(int count, char **arguments)
{
    test_arrow_is_like_a_file(count > 1 ? arguments[1] : ".");
    test_refusals();
    test_records();
    return test_result();
}
