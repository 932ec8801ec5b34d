/* Repairs over columns in memory: checks of repaired values, and the repaired values. */
#define _GNU_SOURCE
#include "support.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { MAX_ROWS = 8 };

static const char rules_text[] =
    "fields:\n"
    "  - {name: name, repair: [trim, {missing: ['-']}], constraints: {required: true}}\n"
    "  - {name: mark, repair: [trim, upper, {default: NONE}], constraints: {enum: [A, B, NONE]}}\n"
    "  - {name: size, type: number, repair: [{canonical: {groupChar: '.', decimalChar: ','}}]}\n"
    "rows:\n"
    "  - {id: other, check: name != mark}\n"
    "primaryKey: name\n";

/* The values of a repaired array as text: "Anna|null|". */
static bool texts_are(const struct ArrowArray *array, const char *expected)
{
    char found[512] = "";
    const uint8_t *validity = array->buffers[0], *bytes = array->buffers[2];
    const int64_t *offsets = array->buffers[1];
    for (int64_t i = 0; i < array->length; i++) {
        const size_t length = strlen(found);
        const bool is_null = validity != NULL && (validity[i / 8] >> (i % 8) & 1) == 0;
        snprintf(found + length, sizeof found - length, "%.*s|", is_null ? 4 : (int)(offsets[i + 1] - offsets[i]),
                 is_null ? "null" : (const char *)bytes + offsets[i]);
    }
    if (strcmp(found, expected) == 0) return true;
    fprintf(stderr, "    expected %s\n    found    %s\n", expected, found);
    return false;
}

/* Compares counts: "3: trim 2, missing 1". Frees the changes. */
static bool changes_are(assay_changes *changes, const char *expected)
{
    char found[256];
    snprintf(found, sizeof found, "%llu:", (unsigned long long)assay_changes_cells(changes));
    assay_change_count count;
    for (size_t i = 0; assay_changes_get(changes, i, &count, sizeof count); i++) {
        const size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, " %s %llu", count.repair, (unsigned long long)count.cells);
    }
    assay_changes_free(changes);
    if (strcmp(found, expected) == 0) return true;
    fprintf(stderr, "    expected %s\n    found    %s\n", expected, found);
    return false;
}

static assay_column pointers_of(const char *name, const char *const *values, size_t *lengths, size_t count)
{
    for (size_t i = 0; i < count; i++) lengths[i] = values[i] == NULL ? 0 : strlen(values[i]);
    return (assay_column){.size = sizeof(assay_column),
                          .name = name,
                          .layout = ASSAY_LAYOUT_POINTERS,
                          .pointers = (const uint8_t *const *)values,
                          .lengths = lengths};
}

static const char *const names[] = {" Anna", "Bo ", " -", "Bo", "\xFF ", "A"};
static const char *const marks[] = {"a", "b ", NULL, "", "c", " a"};
static const char *const sizes[] = {"1.234,5", "7", "x", NULL, "", "1,5"};

/* Rules of columns, rows and keys apply to the repaired values. */
static void columns_are_checked_repaired(void)
{
    assay_rules *rules = must_parse(rules_text);
    size_t lengths[3][MAX_ROWS];
    const assay_column columns[] = {pointers_of("name", names, lengths[0], 6),
                                    pointers_of("mark", marks, lengths[1], 6),
                                    pointers_of("size", sizes, lengths[2], 6)};
    assay_result *result = NULL;
    CHECK(assay_rules_check_columns(rules, columns, 3, 6, NULL, &result) == NULL);
    /* 2: no name, and not a number; 3: the name of 1; 4: not UTF-8, and the mark; 5: name and mark are A */
    CHECK(rejected_are(result, "001111"));
    assay_rules_free(rules);
}

static void columns_are_repaired(void)
{
    assay_rules *rules = must_parse(rules_text);
    size_t lengths[MAX_ROWS];
    assay_column column = pointers_of(NULL, names, lengths, 6);
    struct ArrowArray array;
    struct ArrowSchema schema;
    assay_changes *changes = NULL;
    CHECK(assay_rules_repair_column(rules, 0, &column, 6, NULL, &array, &schema, &changes) == NULL);
    CHECK(texts_are(&array, "Anna|Bo|null|Bo|\xFF |A|"));
    CHECK(strcmp(schema.format, "Z") == 0 && strcmp(schema.name, "name") == 0);
    CHECK_EQUAL(array.null_count, 1);
    CHECK(changes_are(changes, "3: trim 3 missing 1"));
    array.release(&array);
    schema.release(&schema);

    column = pointers_of(NULL, marks, lengths, 6);
    CHECK(assay_rules_repair_column(rules, 1, &column, 6, NULL, &array, &schema, NULL) == NULL);
    CHECK(texts_are(&array, "A|B|NONE|NONE|C|A|"));
    CHECK(array.buffers[0] == NULL && array.null_count == 0);
    array.release(&array);
    schema.release(&schema);

    /* No value changes. */
    static const char *const sound[] = {"Anna", NULL};
    column = pointers_of(NULL, sound, lengths, 2);
    CHECK(assay_rules_repair_column(rules, 0, &column, 2, NULL, &array, &schema, &changes) == NULL);
    CHECK(array.release == NULL && schema.release == NULL);
    CHECK(changes_are(changes, "0: trim 0 missing 0"));

    CHECK(refused(assay_rules_repair_column(rules, 0, &column, 2, NULL, NULL, &schema, NULL), ASSAY_FAULT_ARGUMENT,
                  "the argument 'repaired' is NULL"));
    CHECK(refused(assay_rules_repair_column(rules, 9, &column, 2, NULL, &array, &schema, NULL), ASSAY_FAULT_ARGUMENT,
                  "there is no field 9"));
    assay_rules_free(rules);
}

static struct ArrowArray array_of(int64_t length, int64_t nulls, int64_t buffer_count, const void **buffers)
{
    return (struct ArrowArray){
        .length = length, .null_count = nulls, .n_buffers = buffer_count, .buffers = buffers, .release = release_array};
}

/* Texts in all layouts have the same result. The values of a dictionary are repeated for each row. */
static void all_layouts_of_arrow(void)
{
    assay_rules *rules = must_parse(rules_text);
    static const char bytes[] = "b a";
    static const int32_t short_offsets[] = {0, 1, 3, 3};
    static const int64_t long_offsets[] = {0, 1, 3, 3};
    static const uint8_t validity[] = {0x3};
    static const struct {
        int32_t length;
        char text[12];
    } views[] = {{1, "b"}, {2, " a"}, {0, ""}};
    const void *short_buffers[] = {validity, short_offsets, bytes};
    const void *long_buffers[] = {validity, long_offsets, bytes};
    static const int64_t no_sizes[1] = {0};
    const void *view_buffers[] = {validity, views, no_sizes};
    const struct {
        const char *format, *repaired;
        struct ArrowArray array;
    } cases[] = {
        {"u", "U", array_of(3, 1, 3, short_buffers)}, {"z", "Z", array_of(3, 1, 3, short_buffers)},
        {"U", "U", array_of(3, 1, 3, long_buffers)},  {"Z", "Z", array_of(3, 1, 3, long_buffers)},
        {"vu", "U", array_of(3, 1, 3, view_buffers)}, {"vz", "Z", array_of(3, 1, 3, view_buffers)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct ArrowSchema type = {.format = cases[i].format, .flags = 2, .release = release_schema};
        struct ArrowArray array;
        struct ArrowSchema schema;
        assay_changes *changes = NULL;
        CHECK(assay_rules_repair_arrow_column(rules, 1, &type, &cases[i].array, NULL, &array, &schema, &changes) ==
              NULL);
        CHECK(texts_are(&array, "B|A|NONE|"));
        CHECK(strcmp(schema.format, cases[i].repaired) == 0);
        CHECK(changes_are(changes, "3: trim 1 upper 2 default 1"));
        array.release(&array);
        schema.release(&schema);
    }

    struct ArrowSchema texts = {.format = "u", .flags = 2, .release = release_schema};
    struct ArrowArray values = array_of(3, 1, 3, short_buffers);
    static const int8_t indices[] = {1, 1, 0, 2, 77};
    static const uint8_t with_index[] = {0xF};
    const void *index_buffers[] = {with_index, indices};
    const struct ArrowSchema type = {.format = "c", .flags = 2, .dictionary = &texts, .release = release_schema};
    struct ArrowArray encoded = array_of(5, 1, 2, index_buffers);
    encoded.dictionary = &values;
    struct ArrowArray array;
    struct ArrowSchema schema;
    assay_changes *changes = NULL;
    CHECK(assay_rules_repair_arrow_column(rules, 1, &type, &encoded, NULL, &array, &schema, &changes) == NULL);
    CHECK(texts_are(&array, "A|A|B|NONE|NONE|"));
    CHECK(changes_are(changes, "5: trim 2 upper 3 default 2"));
    array.release(&array);
    schema.release(&schema);
    assay_rules_free(rules);
}

/* A dictionary with nulls is checked by its repaired values. */
static void dictionaries_are_checked_repaired(void)
{
    assay_rules *rules =
        must_parse("fields: [{name: mark, repair: [trim, {default: N}], constraints: {enum: [a, N]}}]");
    static const char bytes[] = " ab";
    static const int32_t offsets[] = {0, 2, 3};
    static const int8_t indices[] = {0, 1, 0, 77};
    static const uint8_t validity[] = {0x7};
    const void *buffers[] = {NULL, offsets, bytes}, *index_buffers[] = {validity, indices};
    struct ArrowSchema texts = {.format = "u", .release = release_schema};
    struct ArrowArray values = array_of(2, 0, 3, buffers), encoded = array_of(4, 1, 2, index_buffers);
    const struct ArrowSchema type = {.format = "c", .flags = 2, .dictionary = &texts, .release = release_schema};
    encoded.dictionary = &values;
    assay_result *result = NULL;
    CHECK(assay_rules_check_arrow_column(rules, 0, &type, &encoded, NULL, &result) == NULL);
    CHECK(rejected_are(result, "0100"));
    assay_rules_free(rules);
}

static void *allocate_little(void *context, size_t size)
{
    (void)context;
    return size <= 64 << 20 ? malloc(size) : NULL;
}

static void free_little(void *context, void *memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

/* A shared value is repaired once. Only a caller who requests one text per row gets, or is denied, that much memory. */
static void shared_values_stay_shared(void)
{
    assay_rules *rules =
        must_parse("fields: [{name: a, repair: [unquote, trim, {map: {b: ''}}], constraints: {maxLength: 1048575}}]");
    enum { rows = 1 << 20, length = 1 << 20 };
    char *bytes = malloc(length + 4);
    memset(bytes, 'x', length);
    bytes[0] = ' ';
    memcpy(bytes + length, "b ''", 4);
    static const int32_t offsets[] = {0, length, length + 1, length + 4};
    int8_t *indices = calloc(rows, 1);
    indices[1] = 1;
    indices[3] = indices[4] = 2;
    const void *buffers[] = {NULL, offsets, bytes}, *index_buffers[] = {NULL, indices};
    struct ArrowSchema texts = {.format = "u", .release = release_schema};
    struct ArrowArray values = array_of(3, 0, 3, buffers), encoded = array_of(rows, 0, 2, index_buffers);
    const struct ArrowSchema type = {.format = "c", .dictionary = &texts, .release = release_schema};
    encoded.dictionary = &values;
    assay_result *result = NULL;
    CHECK(assay_rules_check_arrow_column(rules, 0, &type, &encoded, NULL, &result) == NULL);
    assay_totals totals;
    assay_result_totals(result, &totals, sizeof totals);
    CHECK_EQUAL(totals.clean, rows);
    assay_result_free(result);

    struct ArrowArray array;
    struct ArrowSchema schema;
    assay_changes *changes = NULL;
    const assay_allocator little = {.size = sizeof little, .allocate = allocate_little, .deallocate = free_little};
    const assay_options options = {.size = sizeof options, .allocator = &little};
    CHECK(refused(assay_rules_repair_arrow_column(rules, 0, &type, &encoded, &options, &array, &schema, &changes),
                  ASSAY_FAULT_MEMORY, "no memory for 1099507433481 bytes"));
    encoded.length = 5;
    CHECK(assay_rules_repair_arrow_column(rules, 0, &type, &encoded, &options, &array, &schema, &changes) == NULL);
    const int64_t *ends = array.buffers[1];
    CHECK_EQUAL(ends[1], length - 1);
    CHECK_EQUAL(ends[2], ends[1]);
    CHECK_EQUAL(ends[5], 2 * (length - 1) + 6);
    CHECK_EQUAL(assay_changes_unsettled(changes), 2);
    CHECK(changes_are(changes, "3: unquote 0 trim 2 map 1"));
    array.release(&array);
    schema.release(&schema);
    free(bytes);
    free(indices);
    assay_rules_free(rules);
}

/* Numbers are not texts: "1.234" would be read as 1234. */
static void numbers_are_left_alone(void)
{
    assay_rules *rules =
        must_parse("fields: [{name: size, type: number, constraints: {maximum: 2}, repair: [{canonical: "
                   "{groupChar: '.', decimalChar: ','}}, {default: '99'}]}]");
    static const double numbers[] = {1.234, 1.5, 0};
    static const uint8_t validity[] = {0x3};
    const void *buffers[] = {validity, numbers};
    const struct ArrowSchema type = {.format = "g", .flags = 2, .release = release_schema};
    const struct ArrowArray column = array_of(3, 1, 2, buffers);
    assay_result *result = NULL;
    CHECK(assay_rules_check_arrow_column(rules, 0, &type, &column, NULL, &result) == NULL);
    CHECK(rejected_are(result, "000"));
    struct ArrowArray array;
    struct ArrowSchema schema;
    assay_changes *changes = NULL;
    CHECK(assay_rules_repair_arrow_column(rules, 0, &type, &column, NULL, &array, &schema, &changes) == NULL);
    CHECK(array.release == NULL && schema.release == NULL);
    CHECK(changes_are(changes, "0: canonical 0 default 0"));
    assay_rules_free(rules);
}

/* A value stays if a second repair would change it again, or if the result would exceed the field limit. */
static void values_that_stay(void)
{
    assay_rules *rules = must_parse(
        "{fields: [{name: a, repair: [unquote, trim, {map: {x: xxxxx, y: yyyy}}]}], limits: {field-bytes: 4}}");
    static const char *const values[] = {"'b'", " 'b", "x", "y", " ''"};
    size_t lengths[5];
    const assay_column column = pointers_of("a", values, lengths, 5);
    struct ArrowArray array;
    struct ArrowSchema schema;
    assay_changes *changes = NULL;
    CHECK(assay_rules_repair_column(rules, 0, &column, 5, NULL, &array, &schema, &changes) == NULL);
    CHECK_EQUAL(assay_changes_unsettled(changes), 1);
    CHECK(texts_are(&array, "b|'b|x|yyyy| ''|"));
    CHECK(changes_are(changes, "3: unquote 1 trim 1 map 1"));
    array.release(&array);
    schema.release(&schema);
    CHECK_EQUAL(assay_changes_unsettled(NULL), 0);
    assay_rules_free(rules);
}

/* Values above the field limit, before, between and after other values. */
static void long_values(void)
{
    assay_rules *rules = must_parse("{fields: [{name: a, repair: [trim], constraints: {unique: true}}], "
                                    "limits: {field-bytes: 4}}");
    static const char *const values[] = {" too long", " a", "a ", " longer ", "\xFF ", NULL, " b ", "  not short"};
    size_t lengths[8];
    const assay_column column = pointers_of("a", values, lengths, 8);
    struct ArrowArray array;
    struct ArrowSchema schema;
    CHECK(assay_rules_repair_column(rules, 0, &column, 8, NULL, &array, &schema, NULL) == NULL);
    CHECK(texts_are(&array, " too long|a|a| longer |\xFF |null|b|  not short|"));
    array.release(&array);
    schema.release(&schema);
    assay_result *result = NULL;
    CHECK(assay_rules_check_column(rules, 0, &column, 8, NULL, &result) == NULL);
    CHECK(rejected_are(result, "10111001"));
    assay_rules_free(rules);
}

/* Values of more than 4 GiB, or with a declared size beyond the buffer, are neither read nor copied for a check. */
static void huge_values(void)
{
    assay_rules *rules = must_parse("fields: [{name: a, repair: [trim], constraints: {maxLength: 1}}]");
    const int64_t huge = (INT64_C(1) << 32) + 5, offsets[] = {0, 2, 2 + huge, 4 + huge};
    const size_t byte_count = (size_t)huge + 4;
    uint8_t *bytes = mmap(NULL, byte_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(bytes != MAP_FAILED);
    if (bytes == MAP_FAILED) return;
    assay_column column = {.size = sizeof column,
                           .layout = ASSAY_LAYOUT_OFFSETS64,
                           .bytes = bytes,
                           .byte_count = byte_count,
                           .offsets = offsets};
    struct ArrowArray array;
    struct ArrowSchema schema;
    assay_result *result = NULL;
    memcpy(bytes, "aa", 2);
    memcpy(bytes + offsets[2], "bb", 2);
    CHECK(assay_rules_repair_column(rules, 0, &column, 3, NULL, &array, &schema, NULL) == NULL);
    CHECK(array.release == NULL && schema.release == NULL);
    memcpy(bytes, " a", 2);
    CHECK(assay_rules_check_column(rules, 0, &column, 3, NULL, &result) == NULL);
    CHECK(rejected_are(result, "011"));
    munmap(bytes, byte_count);

    static const char *const values[] = {" a", "x", "x"};
    size_t lengths[] = {2, (size_t)1 << 62, (size_t)1 << 62};
    column = (assay_column){.size = sizeof column,
                            .layout = ASSAY_LAYOUT_POINTERS,
                            .pointers = (const uint8_t *const *)values,
                            .lengths = lengths};
    CHECK(assay_rules_check_column(rules, 0, &column, 3, NULL, &result) == NULL);
    assay_cursor cursor = {0};
    assay_finding finding;
    CHECK_EQUAL(assay_result_findings(result, &cursor, &finding, sizeof finding, 1), 1);
    CHECK(strcmp(finding.code, "structure.too-long") == 0);
    CHECK(rejected_are(result, "011"));
    CHECK(refused(assay_rules_repair_column(rules, 0, &column, 2, NULL, &array, &schema, NULL), ASSAY_FAULT_MEMORY,
                  "no memory for 4611686018427387905 bytes"));
    CHECK(refused(assay_rules_repair_column(rules, 0, &column, 3, NULL, &array, &schema, NULL), ASSAY_FAULT_MEMORY,
                  "longer than any memory"));
    assay_rules_free(rules);
}

/* More rows than a slice has, a part of an array, and values beyond the end. */
static void long_columns(void)
{
    assay_rules *rules = must_parse("fields: [{name: a, repair: [trim], constraints: {maxLength: 1}}]");
    enum { rows = 10000 };
    int32_t *offsets = malloc((rows + 1) * sizeof *offsets);
    char *bytes = malloc(2 * rows);
    for (int i = 0; i <= rows; i++) offsets[i] = 2 * i;
    for (int i = 0; i < rows; i++) memcpy(bytes + 2 * i, i % 3 == 0 ? "x " : "yy", 2);
    const void *buffers[] = {NULL, offsets, bytes};
    struct ArrowArray column = array_of(rows - 5, 0, 3, buffers);
    column.offset = 3;
    const struct ArrowSchema type = {.format = "u", .release = release_schema};
    struct ArrowArray array;
    struct ArrowSchema schema;
    assay_changes *changes = NULL;
    CHECK(assay_rules_repair_arrow_column(rules, 0, &type, &column, NULL, &array, &schema, &changes) == NULL);
    const int64_t *found = array.buffers[1];
    const char *text = array.buffers[2];
    bool same = array.length == rows - 5;
    for (int i = 0; same && i < rows - 5; i++) {
        const bool is_short = i % 3 == 0;
        same = found[i + 1] - found[i] == (is_short ? 1 : 2) && text[found[i]] == (is_short ? 'x' : 'y');
    }
    CHECK(same);
    CHECK(changes_are(changes, "3332: trim 3332"));
    array.release(&array);
    schema.release(&schema);
    assay_result *result = NULL;
    CHECK(assay_rules_check_arrow_column(rules, 0, &type, &column, NULL, &result) == NULL);
    assay_totals totals;
    assay_result_totals(result, &totals, sizeof totals);
    CHECK_EQUAL(totals.clean, 3332);
    assay_result_free(result);

    offsets[5000] = offsets[4999] - 1;
    CHECK(refused(assay_rules_repair_arrow_column(rules, 0, &type, &column, NULL, &array, &schema, NULL),
                  ASSAY_FAULT_ARROW, "has an offset that is negative or descends"));
    free(offsets);
    free(bytes);
    assay_rules_free(rules);
}

static bool file_is(const char *path, const char *expected)
{
    char found[512] = "";
    FILE *file = fopen(path, "rb");
    const size_t count = file == NULL ? 0 : fread(found, 1, sizeof found - 1, file);
    if (file != NULL) fclose(file);
    return count == strlen(expected) && strcmp(found, expected) == 0;
}

/* A file with its changes as another output, and a program that was compiled before assay_outputs had a member for
   them. */
static void files(const char *folder)
{
    assay_rules *rules = must_parse("fields: [{name: a, repair: [trim]}]");
    char input[512], clean[512], changes[512];
    snprintf(input, sizeof input, "%s/repair.csv", folder);
    snprintf(clean, sizeof clean, "%s/repair.clean.csv", folder);
    snprintf(changes, sizeof changes, "%s/repair.changes.csv", folder);
    FILE *file = fopen(input, "wb");
    CHECK(file != NULL && fputs("a\n x\ny\n", file) >= 0 && fclose(file) == 0);
    assay_outputs outputs = {.size = sizeof outputs, .clean = clean, .replace = true, .changes = changes};
    char *report = NULL;
    CHECK(assay_clean_file(rules, input, &outputs, NULL, &report) == NULL);
    assay_text_free(report);
    CHECK(file_is(clean, "a\nx\ny\n"));
    CHECK(file_is(changes, "record,line,offset,column,position,repairs\n1,2,2,a,1,trim\n"));

    /* The dialect of the file, and a program that does not know these members. */
    char findings[512];
    snprintf(findings, sizeof findings, "%s/repair.findings.csv", folder);
    file = fopen(input, "wb");
    CHECK(file != NULL && fputs("b;a\n1;\xFC\n2;=1+1\n3;z\n", file) >= 0 && fclose(file) == 0);
    assay_rules *letters = must_parse("fields: [{name: a, rules: [{id: r, enum: [\u00fc, '=1+1'], severity: warn}, "
                                      "{id: s, enum: [x], severity: warn}]}]");
    outputs = (assay_outputs){.size = sizeof outputs,
                              .clean = clean,
                              .findings = findings,
                              .replace = true,
                              .max_findings = 1,
                              .head = 2,
                              .compression = "none",
                              .encoding = "latin1",
                              .delimiter = ";",
                              .show_values = true,
                              .guard_formulas = true};
    CHECK(assay_clean_file(letters, input, &outputs, NULL, &report) == NULL);
    CHECK(strstr(report, "\"dropped\": 1") != NULL);
    assay_text_free(report);
    CHECK(file_is(clean, "b;a\n1;\xC3\xBC\n2;'=1+1\n"));
    CHECK(file_is(findings, "record,line,offset,column,position,rule,code,severity,message,value\n"
                            "1,2,6,a,2,s,enum,warn,is not one of x,\xC3\xBC\n"));
    outputs.compression = "zip";
    CHECK(refused(assay_clean_file(letters, input, &outputs, NULL, &report), ASSAY_FAULT_ARGUMENT,
                  "there is no compression 'zip'"));

    /* The names of clean records and rejects determine their compression. */
    char expected[1024], packed[512];
    snprintf(packed, sizeof packed, "%s/repair.clean.gz", folder);
    const struct {
        const char *compression, *clean, *rejects, *argument;
    } cases[] = {{"gzip", clean, NULL, "clean"},
                 {"zstd", packed, NULL, "clean"},
                 {"none", NULL, packed, "rejects"},
                 {"none", packed, clean, "clean"},
                 {"gzip", packed, clean, "rejects"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool is_clean = strcmp(cases[i].argument, "clean") == 0;
        outputs.compression = cases[i].compression;
        outputs.clean = cases[i].clean;
        outputs.rejects = cases[i].rejects;
        snprintf(expected, sizeof expected, "the compression '%s' contradicts the name of '%s', %s",
                 cases[i].compression, cases[i].argument, is_clean ? cases[i].clean : cases[i].rejects);
        CHECK(refused(assay_clean_file(letters, input, &outputs, NULL, &report), ASSAY_FAULT_ARGUMENT, expected));
    }
    outputs.rejects = NULL;
    outputs.clean = packed;
    outputs.compression = "gzip";
    CHECK(assay_clean_file(letters, input, &outputs, NULL, &report) == NULL);
    assay_text_free(report);
    file = fopen(packed, "rb");
    CHECK(file != NULL && fgetc(file) == 0x1F && fgetc(file) == 0x8B && fclose(file) == 0);
    outputs.clean = clean;
    outputs.compression = NULL;
    outputs.encoding = "latin-77";
    CHECK(refused(assay_clean_file(letters, input, &outputs, NULL, &report), ASSAY_FAULT_ARGUMENT,
                  "'latin-77' is no encoding that Assay knows"));
    outputs.encoding = NULL;
    outputs.delimiter = ";;;";
    CHECK(refused(assay_clean_file(letters, input, &outputs, NULL, &report), ASSAY_FAULT_ARGUMENT,
                  "';;;' is no delimiter"));
    outputs.delimiter = "\"";
    CHECK(refused(assay_clean_file(letters, input, &outputs, NULL, &report), ASSAY_FAULT_ARGUMENT,
                  "the delimiter and the quote are the same character"));
    assay_rules_free(letters);

    outputs.size = offsetof(assay_outputs, max_findings);
    outputs.changes = NULL;
    file = fopen(input, "wb");
    CHECK(file != NULL && fputs("a\n x\ny\n", file) >= 0 && fclose(file) == 0);
    CHECK(assay_clean_file(rules, input, &outputs, NULL, &report) == NULL);
    assay_text_free(report);
    CHECK(file_is(clean, "a\nx\ny\n"));

    outputs.size = offsetof(assay_outputs, changes);
    outputs.changes = "/nowhere/at/all";
    CHECK(assay_clean_file(rules, input, &outputs, NULL, &report) == NULL);
    assay_text_free(report);
    outputs.size--;
    CHECK(refused(assay_clean_file(rules, input, &outputs, NULL, &report), ASSAY_FAULT_ARGUMENT,
                  "assay_outputs.size is 47, which is no size of assay_outputs"));
    assay_rules_free(rules);
}

int main(int argc, char **argv)
{
    columns_are_checked_repaired();
    columns_are_repaired();
    all_layouts_of_arrow();
    dictionaries_are_checked_repaired();
    shared_values_stay_shared();
    numbers_are_left_alone();
    long_columns();
    values_that_stay();
    long_values();
    huge_values();
    files(argc > 1 ? argv[1] : ".");
    return test_result();
}
