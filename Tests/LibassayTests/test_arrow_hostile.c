/* Invalid Arrow structures: libassay must reject each one, and must not access memory outside its buffers. */
#include "support.h"

/* A column of three texts, "7", null and "x". A case may change every part. */
typedef struct column {
    int32_t offsets[4];
    uint8_t validity[1];
    uint8_t bytes[3];
    const void *buffers[3];
    struct ArrowArray array;
    struct ArrowSchema schema;
} column;

static void make(column *column)
{
    *column = (struct column){.offsets = {0, 1, 1, 2}, .validity = {5}, .bytes = {'7', 'x', 0}};
    column->buffers[0] = column->validity;
    column->buffers[1] = column->offsets;
    column->buffers[2] = column->bytes;
    column->array = (struct ArrowArray){
        .length = 3, .null_count = 1, .n_buffers = 3, .buffers = column->buffers, .release = release_array};
    column->schema = (struct ArrowSchema){.format = "u", .name = "value", .release = release_schema};
}

static assay_fault *check(const column *column, assay_rules *rules, assay_result **result)
{
    *result = NULL;
    return assay_rules_check_arrow_column(rules, 0, &column->schema, &column->array, NULL, result);
}

static void spoil_array(assay_rules *rules)
{
    static const struct {
        const char *words;
        int64_t length, null_count, offset, n_buffers, n_children;
    } cases[] = {
        {"length -1", -1, 0, 0, 3, 0},
        {"offset -1", 3, 0, -1, 3, 0},
        {"null count -2", 3, -2, 0, 3, 0},
        {"longer than any memory", INT64_MAX, 0, 0, 3, 0},
        {"longer than any memory", 3, 0, INT64_MAX, 3, 0},
        {"2 buffers, but its type has 3", 3, 0, 0, 2, 0},
        {"-1 buffers, but its type has 3", 3, 0, 0, -1, 0},
        {"1 children, but its schema has 0", 3, 0, 0, 3, 1},
    };
    column column;
    assay_result *result;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        make(&column);
        column.array.length = cases[i].length;
        column.array.null_count = cases[i].null_count;
        column.array.offset = cases[i].offset;
        column.array.n_buffers = cases[i].n_buffers;
        column.array.n_children = cases[i].n_children;
        CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, cases[i].words));
        CHECK(result == NULL);
    }

    make(&column);
    column.array.release = NULL;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "was released already"));
    make(&column);
    column.schema.release = NULL;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "was released already"));
    make(&column);
    column.array.buffers = NULL;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "no list of its buffers"));
    make(&column);
    column.buffers[0] = NULL;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "1 nulls, but no validity bitmap"));
    make(&column);
    column.buffers[1] = NULL;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "lacks buffer 1"));
    make(&column);
    column.buffers[1] = column.bytes + 1;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "not aligned"));
    make(&column);
    column.buffers[2] = NULL;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "has no text"));
    make(&column);
    column.offsets[0] = -1;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "negative or descends, at row 0"));
    make(&column);
    column.offsets[2] = 0;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "negative or descends, at row 2"));
    make(&column);
    column.array.dictionary = &column.array;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW,
                  "has a dictionary, but its schema has no dictionary"));

    /* The valid column. */
    make(&column);
    CHECK(check(&column, rules, &result) == NULL);
    CHECK(rejected_are(result, "001"));
    /* Some producers write an unknown number of nulls without a bitmap if there are no nulls. */
    make(&column);
    column.buffers[0] = NULL;
    column.array.null_count = -1;
    CHECK(check(&column, rules, &result) == NULL);
    CHECK(rejected_are(result, "011"));
    /* A column without rows needs no buffers. */
    make(&column);
    column.array.length = 0;
    column.array.null_count = 0;
    column.buffers[0] = column.buffers[1] = column.buffers[2] = NULL;
    CHECK(check(&column, rules, &result) == NULL);
    CHECK(rejected_are(result, ""));
    /* A slice: its first row is the null. */
    make(&column);
    column.array.offset = 1;
    column.array.length = 2;
    CHECK(check(&column, rules, &result) == NULL);
    CHECK(rejected_are(result, "01"));
}

static void spoil_schema(assay_rules *rules)
{
    static const struct {
        const char *format, *words;
    } cases[] = {
        {NULL, "has no format"},
        {"\xFF", "a format that is not text"},
        {"+l", "is of the Arrow type list"},
        {"tDu", "is of the Arrow type duration[us]"},
        {"w:2", "is of the Arrow type fixed_size_binary[2]"},
        {"", "is of the Arrow type"},
        {"d:5", "is of the Arrow type d:5"},
        {"d:9,-300", "is of the Arrow type"},
        {"ts", "is of the Arrow type"},
        {"tsx:", "is of the Arrow type"},
        {"w:-1", "is of the Arrow type w:-1"},
        {"+s", "3 buffers, but its type has 1"},
    };
    column column;
    assay_result *result;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        make(&column);
        column.schema.format = cases[i].format;
        CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, cases[i].words));
    }
    make(&column);
    column.schema.n_children = 1;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "no list of its children"));
    struct ArrowSchema *children[] = {NULL};
    column.schema.children = children;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "child 0 is NULL"));
    column.schema.n_children = -1;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "has -1 children"));
    /* Without a depth limit, a schema that is its own child would recurse without end. */
    make(&column);
    children[0] = &column.schema;
    column.schema.format = "+s";
    column.schema.n_children = 1;
    column.schema.children = children;
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "nested deeper than 32"));
    /* Thirty structs, each with the next one as both of its children: 2^30 columns. */
    struct ArrowSchema chain[30];
    struct ArrowSchema *twice[30][2];
    for (int i = 0; i < 30; i++) {
        twice[i][0] = twice[i][1] = &chain[i + 1 < 30 ? i + 1 : i];
        chain[i] = (struct ArrowSchema){
            .format = "+s", .n_children = i + 1 < 30 ? 2 : 0, .children = twice[i], .release = release_schema};
    }
    column.schema = chain[0];
    CHECK(refused(check(&column, rules, &result), ASSAY_FAULT_ARROW, "more than 100000 parts"));
}

static void spoil_views(assay_rules *rules)
{
    typedef struct view {
        int32_t length;
        uint8_t prefix[4];
        int32_t buffer, offset;
    } view;
    static const uint8_t text[] = "1234567890123456";
    const int64_t sizes[] = {16};
    static const struct {
        view view;
        const char *words; /* NULL: it is valid */
    } cases[] = {
        {{13, "1234", 0, 0}, NULL},
        {{16, "1234", 0, 0}, NULL},
        {{0, "", 99, 99}, NULL},
        {{-1, "1234", 0, 0}, "points outside its buffers, at row 0"},
        {{17, "1234", 0, 0}, "points outside its buffers, at row 0"},
        {{13, "1234", 0, 4}, "points outside its buffers, at row 0"},
        {{13, "1234", 0, -1}, "points outside its buffers, at row 0"},
        {{13, "1234", 1, 0}, "points outside its buffers, at row 0"},
        {{13, "1234", -1, 0}, "points outside its buffers, at row 0"},
        {{INT32_MAX, "1234", 0, INT32_MAX}, "points outside its buffers, at row 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        view one = cases[i].view;
        const void *buffers[] = {NULL, &one, text, sizes};
        const struct ArrowArray array = {.length = 1, .n_buffers = 4, .buffers = buffers, .release = release_array};
        const struct ArrowSchema schema = {.format = "vu", .release = release_schema};
        assay_result *result = NULL;
        assay_fault *fault = assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result);
        if (cases[i].words == NULL) {
            CHECK(fault == NULL);
            CHECK(rejected_are(result, cases[i].view.length == 0 ? "1" : "0"));
        } else {
            CHECK(refused(fault, ASSAY_FAULT_ARROW, cases[i].words));
        }
    }
    /* The values of null rows are not read. */
    const uint8_t validity[] = {0};
    view wrong = {INT32_MAX, "", 77, -5};
    const void *buffers[] = {validity, &wrong, text, sizes};
    struct ArrowArray array = {
        .length = 1, .null_count = 1, .n_buffers = 4, .buffers = buffers, .release = release_array};
    const struct ArrowSchema schema = {.format = "vu", .release = release_schema};
    assay_result *result = NULL;
    CHECK(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result) == NULL);
    CHECK(rejected_are(result, "0"));
    const int64_t negative[] = {-1};
    buffers[3] = negative;
    CHECK(refused(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                  "a buffer of -1 bytes"));
    buffers[3] = NULL;
    CHECK(refused(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                  "lacks the sizes"));
    array.n_buffers = 2;
    CHECK(refused(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                  "2 buffers, but its type has 3"));
}

/* Large lengths in arrays that need no buffers. */
static void spoil_lengths(assay_rules *rules)
{
    struct ArrowArray array = {.length = 70, .null_count = 70, .release = release_array};
    const struct ArrowSchema schema = {.format = "n", .release = release_schema};
    assay_result *result = NULL;
    CHECK(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result) == NULL);
    CHECK(has_bit(assay_result_rows(result, ASSAY_ROWS_MISSING), 69));
    assay_result_free(result);
    array.length = (int64_t)1 << 48;
    CHECK(refused(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARGUMENT,
                  "281474976710656 rows are more than"));
    /* A repair must not allocate memory for them either. */
    assay_rules *repairing = must_parse("fields: [{name: value, repair: [{default: N}]}]");
    CHECK(refused(assay_rules_check_arrow_column(repairing, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARGUMENT,
                  "281474976710656 rows are more than"));
    assay_rules_free(repairing);

    /* As the dictionary of a column. */
    const int8_t indices[] = {0, 1};
    const void *buffers[] = {NULL, indices};
    const struct ArrowArray column = {
        .length = 2, .n_buffers = 2, .buffers = buffers, .dictionary = &array, .release = release_array};
    struct ArrowSchema values = schema;
    const struct ArrowSchema type = {.format = "c", .dictionary = &values, .release = release_schema};
    CHECK(refused(assay_rules_check_arrow_column(rules, 0, &type, &column, NULL, &result), ASSAY_FAULT_ARGUMENT,
                  "281474976710656 rows are more than"));
}

static void spoil_dictionary(assay_rules *rules)
{
    column values;
    make(&values);
    int8_t indices[] = {0, 2, 1, 0};
    const uint8_t validity[] = {0x0F};
    const void *buffers[] = {validity, indices};
    struct ArrowArray array = {.length = 4,
                               .null_count = 0,
                               .n_buffers = 2,
                               .buffers = buffers,
                               .dictionary = &values.array,
                               .release = release_array};
    struct ArrowSchema schema = {.format = "c", .dictionary = &values.schema, .release = release_schema};
    assay_result *result = NULL;
    CHECK(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result) == NULL);
    CHECK(has_bit(assay_result_rows(result, ASSAY_ROWS_MISSING), 2)); /* the null is in the dictionary */
    CHECK(rejected_are(result, "0100"));
    indices[3] = 3;
    CHECK(refused(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                  "an index outside its dictionary, at row 3"));
    indices[3] = -1;
    CHECK(refused(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                  "an index outside its dictionary, at row 3"));
    array.dictionary = NULL;
    CHECK(refused(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                  "has no dictionary"));
    array.dictionary = &values.array;
    schema.format = "g";
    CHECK(refused(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                  "has a dictionary, and indices of type g"));
}

static void spoil_runs(assay_rules *rules)
{
    static const struct {
        int32_t ends[3];
        int64_t length, offset;
        const char *words; /* NULL: it is valid */
    } cases[] = {
        {{2, 3, 5}, 5, 0, NULL},
        {{2, 3, 9}, 3, 2, NULL},
        {{2, 3, 5}, 6, 0, "has 6 rows, and runs for 5"},
        {{2, 3, 5}, 3, 3, "has 6 rows, and runs for 5"},
        {{0, 3, 5}, 5, 0, "do not ascend, at run 0"},
        {{-4, 3, 5}, 5, 0, "do not ascend, at run 0"},
        {{2, 2, 5}, 5, 0, "do not ascend, at run 1"},
        {{2, 7, 5}, 5, 0, "do not ascend, at run 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        column values; /* "7", null, "x" */
        make(&values);
        const void *buffers[] = {NULL, cases[i].ends};
        struct ArrowArray ends = {.length = 3, .n_buffers = 2, .buffers = buffers, .release = release_array};
        struct ArrowSchema ends_type = {.format = "i", .release = release_schema};
        struct ArrowSchema *types[] = {&ends_type, &values.schema};
        struct ArrowArray *arrays[] = {&ends, &values.array};
        struct ArrowSchema schema = {.format = "+r", .n_children = 2, .children = types, .release = release_schema};
        struct ArrowArray array = {.length = cases[i].length,
                                   .offset = cases[i].offset,
                                   .n_children = 2,
                                   .children = arrays,
                                   .release = release_array};
        assay_result *result = NULL;
        assay_fault *fault = assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result);
        if (cases[i].words != NULL) {
            CHECK(refused(fault, ASSAY_FAULT_ARROW, cases[i].words));
            continue;
        }
        CHECK(fault == NULL);
        CHECK(rejected_are(result, cases[i].offset == 0 ? "00011" : "011"));
        ends.null_count = 1;
        CHECK(refused(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                      "may be null"));
        ends.null_count = 0;
        ends_type.format = "c";
        CHECK(refused(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                      "of a type that Arrow does not allow for them"));
        ends_type.format = "i";
        values.array.length = 2;
        CHECK(refused(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                      "has 2 values, but its parent has 3"));
        schema.n_children = array.n_children = 1;
        CHECK(refused(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                      "without the ends of its runs"));
    }
}

/* An unsupported type is rejected before any part of the array is read. */
static void spoil_others(assay_rules *rules)
{
    static const char *const formats[] = {"+l", "+us:0,1", "w:3", "tiM", "+m"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const struct ArrowSchema schema = {.format = formats[i], .release = release_schema};
        const struct ArrowArray array = {
            .length = 3, .null_count = 1, .n_buffers = 7, .n_children = 9, .release = release_array};
        assay_result *result = NULL;
        CHECK(refused(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                      "which no rule can judge"));
    }
}

static void spoil_struct(void)
{
    assay_rules *rules = must_parse("fields: [{name: value, type: integer}]");
    column inner;
    make(&inner);
    struct ArrowSchema *schemas[] = {&inner.schema};
    struct ArrowArray *arrays[] = {&inner.array};
    const uint8_t present[] = {6};
    const void *buffers[] = {present};
    struct ArrowSchema schema = {.format = "+s", .n_children = 1, .children = schemas, .release = release_schema};
    struct ArrowArray array = {.length = 3,
                               .null_count = 1,
                               .n_buffers = 1,
                               .n_children = 1,
                               .buffers = buffers,
                               .children = arrays,
                               .release = release_array};
    assay_result *result = NULL;
    CHECK(assay_rules_check_arrow_table(rules, &schema, &array, NULL, &result) == NULL);
    CHECK(rejected_are(result, "001"));
    array.length = 4;
    CHECK(refused(assay_rules_check_arrow_table(rules, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                  "the column 'value' has 3 values, but its parent has 4"));
    array.length = 3;
    arrays[0] = NULL;
    CHECK(refused(assay_rules_check_arrow_table(rules, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                  "the column 'value' is NULL"));
    arrays[0] = &inner.array;
    inner.array.release = NULL; /* moved away */
    CHECK(refused(assay_rules_check_arrow_table(rules, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                  "the column 'value' was released already"));
    inner.array.release = release_array;
    array.n_children = 0;
    CHECK(refused(assay_rules_check_arrow_table(rules, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                  "0 children, but its schema has 1"));
    array.n_children = 1;
    array.children = NULL;
    CHECK(refused(assay_rules_check_arrow_table(rules, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                  "no list of its children"));
    array.children = arrays;
    inner.schema.name = "other";
    CHECK(refused(assay_rules_check_arrow_table(rules, &schema, &array, NULL, &result), ASSAY_FAULT_COLUMNS,
                  "no column is named 'value'"));
    /* A struct in a struct. Its rows are null if the outer struct is null. */
    inner.schema.name = "b";
    schema.name = "a";
    struct ArrowSchema *outer_schemas[] = {&schema};
    struct ArrowArray *outer_arrays[] = {&array};
    const uint8_t outer_present[] = {3};
    const void *outer_buffers[] = {outer_present};
    const struct ArrowSchema outer_schema = {
        .format = "+s", .n_children = 1, .children = outer_schemas, .release = release_schema};
    const struct ArrowArray outer = {.length = 3,
                                     .null_count = -1,
                                     .n_buffers = 1,
                                     .n_children = 1,
                                     .buffers = outer_buffers,
                                     .children = outer_arrays,
                                     .release = release_array};
    assay_rules *nested = must_parse("fields: [{name: a.b, type: integer}]");
    CHECK(assay_rules_check_arrow_table(nested, &outer_schema, &outer, NULL, &result) == NULL);
    CHECK(rejected_are(result, "000"));
    assay_rules_free(nested);
    assay_rules_free(rules);
}

/* Checks a column on one thread and on three. Both must reject it with this message. */
static bool refused_on_threads(assay_rules *rules, const struct ArrowSchema *schema, const struct ArrowArray *array,
                               const char *words, int64_t row)
{
    char text[100];
    snprintf(text, sizeof text, "%s, at row %lld", words, (long long)row);
    bool is_right = true;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        const assay_options options = {.size = sizeof options, .threads = threads};
        assay_result *result = NULL;
        is_right = is_right && refused(assay_rules_check_arrow_column(rules, 0, schema, array, &options, &result),
                                       ASSAY_FAULT_ARROW, text);
    }
    return is_right;
}

/* One invalid place in a column of several slices, because each slice is checked separately. */
static void spoil_slices(assay_rules *rules)
{
    enum { ROWS = 9000 };
    static int32_t offsets32[ROWS + 1];
    static int64_t offsets64[ROWS + 1];
    static struct {
        int32_t length;
        uint8_t text[12];
    } views[ROWS];
    static int16_t indices[ROWS];
    static uint8_t bytes[ROWS];
    memset(bytes, '7', ROWS);
    for (int row = 0; row <= ROWS; row++) offsets64[row] = offsets32[row] = row;
    for (int row = 0; row < ROWS; row++) views[row].length = 1, views[row].text[0] = '7';
    column values;
    make(&values);
    const int64_t no_sizes[] = {0};
    const void *of32[] = {NULL, offsets32, bytes}, *of64[] = {NULL, offsets64, bytes},
               *of_views[] = {NULL, views, no_sizes}, *of_indices[] = {NULL, indices};
    const struct ArrowArray array32 = {.length = ROWS, .n_buffers = 3, .buffers = of32, .release = release_array},
                            array64 = {.length = ROWS, .n_buffers = 3, .buffers = of64, .release = release_array},
                            viewed = {.length = ROWS, .n_buffers = 3, .buffers = of_views, .release = release_array},
                            encoded = {.length = ROWS,
                                       .n_buffers = 2,
                                       .buffers = of_indices,
                                       .dictionary = &values.array,
                                       .release = release_array};
    const struct ArrowSchema u = {.format = "u", .release = release_schema},
                             U = {.format = "U", .release = release_schema},
                             vu = {.format = "vu", .release = release_schema},
                             dictionary = {.format = "s", .dictionary = &values.schema, .release = release_schema};
    static const int64_t places[] = {1, 4095, 4096, 4097, 8191, 8192, 8999};
    const char *descends = "an offset that is negative or descends";
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int64_t place = places[i];
        /* Far out of range, and back. The lower half of the second offset is valid. */
        offsets32[place] = INT32_MAX;
        CHECK(refused_on_threads(rules, &u, &array32, descends, place + 1));
        offsets64[place] = ((int64_t)1 << 32) + place;
        CHECK(refused_on_threads(rules, &U, &array64, descends, place + 1));
        offsets32[place] = INT32_MIN;
        CHECK(refused_on_threads(rules, &u, &array32, descends, place));
        offsets64[place] = INT64_MIN + place;
        CHECK(refused_on_threads(rules, &U, &array64, descends, place));
        offsets64[place] = offsets32[place] = (int32_t)place;
        views[place].length = 13;
        CHECK(refused_on_threads(rules, &vu, &viewed, "a view that points outside its buffers", place));
        views[place].length = 1;
        indices[place] = 3;
        CHECK(refused_on_threads(rules, &dictionary, &encoded, "an index outside its dictionary", place));
        indices[place] = 0;
    }
    /* The valid columns. */
    const struct ArrowArray *arrays[] = {&array32, &array64, &viewed, &encoded};
    const struct ArrowSchema *schemas[] = {&u, &U, &vu, &dictionary};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        assay_result *result = NULL;
        CHECK(assay_rules_check_arrow_column(rules, 0, schemas[i], arrays[i], NULL, &result) == NULL);
        assay_totals totals;
        assay_result_totals(result, &totals, sizeof totals);
        CHECK_EQUAL(totals.clean, ROWS);
        assay_result_free(result);
    }
}

/* Bytes that are not UTF-8 lead to findings, not to faults. */
static void spoil_text(assay_rules *rules)
{
    column column;
    make(&column);
    assay_result *result = NULL;
    column.bytes[0] = 0xFF;
    CHECK(check(&column, rules, &result) == NULL);
    assay_cursor cursor = {0};
    assay_finding finding;
    CHECK_EQUAL(assay_result_findings(result, &cursor, &finding, sizeof finding, 1), 1);
    CHECK(strcmp(finding.code, "encoding") == 0);
    CHECK(rejected_are(result, "101"));
    /* Well-formed as a whole, but split by an offset. */
    make(&column);
    memcpy(column.bytes, "\xC3\xA9", 2);
    CHECK(check(&column, rules, &result) == NULL);
    CHECK(rejected_are(result, "101"));
}

/* Moments for which the local time of a zone does not fit into 64 bits. */
static void spoil_moments(assay_rules *rules)
{
    static const int64_t moments[] = {INT64_MIN, INT64_MAX};
    static const char *const formats[] = {"tss:-08:00", "tss:+08:00", "tss:Europe/Berlin", "tss:America/Los_Angeles"};
    const void *buffers[] = {NULL, moments};
    const struct ArrowArray array = {.length = 2, .n_buffers = 2, .buffers = buffers, .release = release_array};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const struct ArrowSchema schema = {.format = formats[i], .release = release_schema};
        assay_result *result = NULL;
        CHECK(assay_rules_check_arrow_column(rules, 0, &schema, &array, NULL, &result) == NULL);
        CHECK(rejected_are(result, "11"));
    }
}

int main(void)
{
    assay_rules *digits = must_compile("\\d+");
    spoil_array(digits);
    spoil_schema(digits);
    spoil_views(digits);
    spoil_lengths(digits);
    spoil_dictionary(digits);
    spoil_runs(digits);
    spoil_others(digits);
    spoil_moments(digits);
    spoil_struct();
    spoil_slices(digits);
    spoil_text(digits);
    assay_rules_free(digits);
    return test_result();
}
