/* Numbers of Arrow, checked in their own form, against the same numbers checked as text. A pattern that matches any
   text makes libassay write the texts of a column. All findings must be the same.

       test_numbers [DIRECTORY [ROUNDS]] */
#include "support.h"

#include <math.h>

static test_random dice;

static uint32_t below(uint32_t bound) { return test_random_below(&dice, bound); }
static uint64_t word(void) { return (uint64_t)below(UINT32_MAX) << 32 | below(UINT32_MAX); }

enum { MAX_ROWS = 9000, MAX_NEAR = 8, MAX_RULES = 10 };

/* A type of Arrow with rules. */
typedef struct number_case {
    const char *format;
    size_t bytes;
    /* Numbers near bounds: integers; for floats, see `reals`. */
    int64_t near[MAX_NEAR];
    double reals[MAX_NEAR];
    /* Each is a field without its name. */
    const char *fields[MAX_RULES];
} number_case;

#define INTEGER_FIELDS                                                                                                 \
    "type: integer", "type: integer, constraints: {required: true}",                                                   \
        "type: integer, constraints: {minimum: 3, maximum: 100}",                                                      \
        "type: integer, constraints: {exclusiveMinimum: -3, exclusiveMaximum: 127}",                                   \
        "type: number, constraints: {minimum: 2.5, maximum: 1e2, enum: [3, 4.0, 77, 1e30]}",                           \
        "type: integer, missingValues: ['', '-999', '7', '007'], constraints: {required: true, enum: [1, 2, 3, 7]}",   \
        "type: integer, constraints: {minimum: '9223372036854775807'}",                                                \
        "type: year, constraints: {minimum: 2000, enum: [1999, 2001]}", "type: any, constraints: {required: true}",    \
        "type: integer, constraints: {enum: [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 65535, -1]}"
#define REAL_FIELDS                                                                                                    \
    "type: number", "type: number, constraints: {required: true, minimum: 0.1, maximum: 100.25}",                      \
        "type: number, constraints: {exclusiveMinimum: 0.1, exclusiveMaximum: 16777216}",                              \
        "type: integer, constraints: {minimum: 3, maximum: 9007199254740993}",                                         \
        "type: number, constraints: {enum: [0, 0.1, 0.10, 1e300, 3, NaN]}",                                            \
        "type: any, constraints: {required: true}", "type: number, missingValues: ['', '-999', 'NaN']",                \
        "type: number, decimalChar: ',', constraints: {minimum: '0,1'}", "type: number, missingValues: ['', 'NaN']",   \
        "type: number, constraints: {minimum: '-INF', maximum: '0.1000000000000000055511151231257827'}"
#define DATE_FIELDS                                                                                                    \
    "type: date", "type: date, constraints: {required: true, minimum: 2024-01-01}",                                    \
        "type: date, constraints: {maximum: 2024-02-29, enum: [2024-01-01, 2024-01-02, 1970-01-01]}",                  \
        "type: datetime", "type: year, constraints: {minimum: 2024}",                                                  \
        "type: yearmonth, constraints: {exclusiveMaximum: 2024-02}",                                                   \
        "type: date, format: '%d/%m/%Y', constraints: {minimum: 01/02/2024}",                                          \
        "type: date, missingValues: ['', '1970-01-01']", "type: any", "type: string, constraints: {required: true}"
#define TIMESTAMP_FIELDS                                                                                               \
    "type: datetime", "type: datetime, constraints: {required: true, minimum: '2024-01-01T00:00:00'}",                 \
        "type: datetime, constraints: {required: true, minimum: '2024-01-01T00:00:00Z'}",                              \
        "type: datetime, constraints: {exclusiveMaximum: '2024-01-01T01:00:00.000001+01:00'}",                         \
        "type: datetime, constraints: {enum: ['2024-01-01T00:00:00', '2024-01-01T00:00:00Z']}",                        \
        "type: date, constraints: {minimum: 2024-01-01}",                                                              \
        "type: datetime, format: '%Y-%m-%d %H:%M:%S', constraints: {minimum: '2024-01-01 00:00:00'}",                  \
        "type: string, format: date-time", "type: any"
#define TIME_FIELDS                                                                                                    \
    "type: time", "type: time, constraints: {minimum: '08:30:00', maximum: '23:59:59.5'}",                             \
        "type: time, constraints: {enum: ['00:00:00', '08:30:00']}"
#define DECIMAL_FIELDS                                                                                                 \
    "type: number", "type: number, constraints: {required: true, maximum: 100.25}",                                    \
        "type: number, constraints: {exclusiveMinimum: 0.005, maximum: 1e20}", "type: integer",                        \
        "type: number, constraints: {enum: [1, 1.5, 100.25, 0.005]}", "type: number, constraints: {minimum: 1e40}",    \
        "type: number, missingValues: ['', '-9.99']"

static const number_case cases[] = {
    {"c", 1, {3, 100, -3, 127, 7}, {0}, {INTEGER_FIELDS}},
    {"C", 1, {3, 100, 127, 7, 255}, {0}, {INTEGER_FIELDS}},
    {"s", 2, {3, 100, -3, 127, 7, 2000, -999}, {0}, {INTEGER_FIELDS}},
    {"S", 2, {3, 100, 127, 7, 2000, 9999}, {0}, {INTEGER_FIELDS}},
    {"i", 4, {3, 100, -3, 127, 7, 2000, -999, 9999}, {0}, {INTEGER_FIELDS}},
    {"I", 4, {3, 100, 127, 7, 2000, 9999}, {0}, {INTEGER_FIELDS}},
    {"l", 8, {3, 100, -3, 127, 7, 2000, -999, INT64_MAX}, {0}, {INTEGER_FIELDS}},
    {"L", 8, {3, 100, 127, 7, 2000, 9999, INT64_MAX}, {0}, {INTEGER_FIELDS}},
    {"f", 4, {0}, {0.1, 100.25, 16777216, 3, -999, 9007199254740993.0}, {REAL_FIELDS}},
    {"g", 8, {0}, {0.1, 100.25, 16777216, 3, -999, 9007199254740993.0, 1e300}, {REAL_FIELDS}},
    {"e", 2, {0x2E66, 0x5644, 0x4200, 0x7C00}, {0}, {REAL_FIELDS}},
    {"tdD", 4, {19723, 19782, 19754, 0, -719162, 2932531, -719528, 2932896}, {0}, {DATE_FIELDS}},
    {"tdm", 8, {19723 * INT64_C(86400000), 0, 2932896 * INT64_C(86400000)}, {0}, {DATE_FIELDS}},
    {"tss:", 8, {1704067200, 0}, {0}, {TIMESTAMP_FIELDS}},
    {"tsm:", 8, {1704067200000, 253402300800000}, {0}, {TIMESTAMP_FIELDS}},
    {"tsu:", 8, {1704067200000000, 0, -62135596800000000}, {0}, {TIMESTAMP_FIELDS}},
    {"tsn:", 8, {1704067200000000000, 0}, {0}, {TIMESTAMP_FIELDS}},
    {"tsu:UTC", 8, {1704067200000000, 0, -62135596800000000}, {0}, {TIMESTAMP_FIELDS}},
    {"tss:+05:30", 8, {1704067200, 253402300800, -62167219200}, {0}, {TIMESTAMP_FIELDS}},
    {"tsu:Europe/Berlin", 8, {1704067200000000, 1711846800000000, 1729990800000000}, {0}, {TIMESTAMP_FIELDS}},
    {"tts", 4, {30600, 0, 86400}, {0}, {TIME_FIELDS}},
    {"ttm", 4, {30600000, 0, 86400000}, {0}, {TIME_FIELDS}},
    {"ttu", 8, {30600000000, 0, 86400000000}, {0}, {TIME_FIELDS}},
    {"ttn", 8, {30600000000000, 0, 86399500000000, 86400000000000}, {0}, {TIME_FIELDS}},
    {"d:9,2,32", 4, {10025, 100, 150, -999}, {0}, {DECIMAL_FIELDS}},
    {"d:18,3,64", 8, {100250, 5, 1500}, {0}, {DECIMAL_FIELDS}},
    {"d:38,2", 16, {10025, 100, 150, -999}, {0}, {DECIMAL_FIELDS}},
    {"d:38,-2", 16, {1, 2, 0}, {0}, {DECIMAL_FIELDS}},
    {"d:38,0", 16, {100, 1, 2}, {0}, {DECIMAL_FIELDS}},
    {"d:38,20", 16, {500000000000000000}, {0}, {DECIMAL_FIELDS}},
    {"d:76,2,256", 32, {10025, 100, 150, -999}, {0}, {DECIMAL_FIELDS}},
};

/* The next number towards zero or away from it. */
static double neighbor(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    bits += below(2) == 0 ? 1 : ~UINT64_C(0);
    memcpy(&real, &bits, sizeof real);
    return real;
}

/* Writes a number: near a bound, near zero or a limit of a width, or any bits. */
static void put(const number_case *tested, uint8_t *at)
{
    const uint32_t kind = below(8);
    uint64_t words[4] = {word(), word(), word(), word()};
    if (kind < 6 && (strcmp(tested->format, "f") == 0 || strcmp(tested->format, "g") == 0)) {
        static const double edges[] = {0.0, -0.0, 0.5, 1, 5e-324, 1e-45, 0x1p63, 0x1p53, INFINITY, -INFINITY, NAN};
        double real = kind < 4 ? tested->reals[below(MAX_NEAR)] : edges[below(sizeof edges / sizeof edges[0])];
        if (kind == 1) real = neighbor(real);
        if (kind == 2) real += below(9) - 4.0;
        if (kind == 3) real = (double)below(1000) / 10;
        const float single = fabs(real) < 3e38 ? (float)real : real > 0 ? INFINITY : -INFINITY;
        if (tested->bytes == 4) {
            memcpy(at, &single, 4);
        } else {
            memcpy(at, &real, 8);
        }
        return;
    }
    if (kind < 7) {
        static const int shifts[] = {0, 7, 8, 15, 16, 31, 32, 62};
        const int64_t power = INT64_C(1) << shifts[below(8)];
        int64_t value = kind < 4 ? tested->near[below(MAX_NEAR)] : kind < 6 ? (int64_t)below(200) - 50 : power;
        if (kind == 6 && below(2) == 0) value = -value;
        words[0] = (uint64_t)value + below(7) - 3;
        words[1] = words[2] = words[3] = words[0] >> 63 ? ~UINT64_C(0) : 0;
    } else if (tested->bytes == 16) {
        /* Mostly numbers of at most 38 digits. */
        words[1] = (uint64_t)((int64_t)words[1] >> below(64));
    }
    memcpy(at, words, tested->bytes);
}

static assay_rules *parse(const char *field, bool as_text)
{
    char text[1000];
    snprintf(text, sizeof text, "fields:\n- {name: x, %s%s}\n", field,
             as_text ? ", rules: [{id: text, pattern: '(?s).*'}]" : "");
    return must_parse(text);
}

static bool same_text(const char *left, const char *right)
{
    return left == NULL || right == NULL ? left == right : strcmp(left, right) == 0;
}

/* Compares the findings, the totals and the masks of two results. */
static bool are_same(const assay_result *left, const assay_result *right)
{
    assay_totals one, other;
    assay_result_totals(left, &one, sizeof one);
    assay_result_totals(right, &other, sizeof other);
    bool same = one.records == other.records && one.rejected == other.rejected && one.clean == other.clean;
    const size_t bytes = (one.records + 63) / 64 * 8;
    static const assay_rows kinds[] = {ASSAY_ROWS_REJECTED, ASSAY_ROWS_UNDECIDED, ASSAY_ROWS_MISSING};
    for (size_t i = 0; same && i < 3; i++) {
        const uint64_t *rows[] = {assay_result_rows(left, kinds[i]), assay_result_rows(right, kinds[i])};
        same = rows[0] == NULL || rows[1] == NULL ? rows[0] == rows[1] : memcmp(rows[0], rows[1], bytes) == 0;
    }
    assay_cursor cursors[2] = {{0}, {0}};
    assay_finding findings[2] = {{0}, {0}};
    while (same) {
        const size_t found = assay_result_findings(left, &cursors[0], &findings[0], sizeof findings[0], 1);
        same = found == assay_result_findings(right, &cursors[1], &findings[1], sizeof findings[1], 1);
        if (found == 0) break;
        same = same && findings[0].record == findings[1].record && same_text(findings[0].rule, findings[1].rule) &&
               same_text(findings[0].code, findings[1].code) && same_text(findings[0].message, findings[1].message) &&
               findings[0].severity == findings[1].severity;
    }
    if (!same) {
        fprintf(stderr, "    record %llu %s: %s, but as text record %llu %s: %s\n",
                (unsigned long long)findings[0].record, findings[0].rule, findings[0].message,
                (unsigned long long)findings[1].record, findings[1].rule, findings[1].message);
    }
    return same;
}

/* Without alignment, because Arrow only recommends it. */
static uint8_t memory[32 * MAX_ROWS + 64];
static uint8_t validity[MAX_ROWS / 8 + 16];

static void check(const number_case *tested, const assay_rules *numbers, const assay_rules *texts, const char *field)
{
    const uint32_t offset = below(3) == 0 ? below(70) : 0;
    const uint32_t count = below(8) == 0 ? 4000 + below(4001) : below(600);
    uint8_t *values = memory + (below(2) == 0 ? 0 : below(8));
    for (size_t row = 0; row < offset + count; row++) put(tested, values + row * tested->bytes);
    const uint32_t nulls = below(3);
    for (size_t i = 0; i < sizeof validity; i++) {
        validity[i] = (uint8_t)(nulls == 0 ? 255 : nulls == 1 ? below(256) | below(256) | below(256) : below(256));
    }
    const void *buffers[] = {nulls == 0 && below(2) == 0 ? NULL : validity, values};
    struct ArrowSchema schema = {.format = tested->format, .name = "x", .flags = 2, .release = release_schema};
    struct ArrowArray array = {.length = count,
                               .offset = offset,
                               .null_count = buffers[0] == NULL ? 0 : -1,
                               .n_buffers = 2,
                               .buffers = buffers,
                               .release = release_array};
    assay_result *results[2] = {NULL, NULL};
    CHECK(assay_rules_check_arrow_column(numbers, 0, &schema, &array, NULL, &results[0]) == NULL);
    CHECK(assay_rules_check_arrow_column(texts, 0, &schema, &array, NULL, &results[1]) == NULL);
    if (!CHECK(are_same(results[0], results[1]))) fprintf(stderr, "    %s, {%s}\n", tested->format, field);
    assay_result_free(results[0]);
    assay_result_free(results[1]);
}

/* Booleans are checked as a dictionary of two values. */
static void booleans(unsigned long rounds)
{
    static const char *const fields[] = {
        "type: boolean", "type: boolean, constraints: {required: true, enum: [true]}",
        "type: boolean, trueValues: [ja], falseValues: [nein], missingValues: [nein], constraints: {required: true}",
        "type: string, constraints: {minLength: 5}", "type: integer"};
    static const number_case tested = {.format = "b", .bytes = 1, .near = {0, 255}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        assay_rules *numbers = parse(fields[i], false), *texts = parse(fields[i], true);
        /* Fewer than 64 rows are checked as text. So each part of a column of many rows must have the same verdicts. */
        for (unsigned long round = 0; round < rounds; round++) {
            for (size_t at = 0; at < sizeof validity; at++) {
                memory[at] = (uint8_t)below(256);
                validity[at] = (uint8_t)(below(256) | below(256));
            }
            const void *buffers[] = {below(3) == 0 ? NULL : validity, memory};
            const uint32_t offset = below(70), count = 64 + below(300);
            struct ArrowSchema schema = {.format = "b", .name = "x", .flags = 2, .release = release_schema};
            struct ArrowArray array = {.length = count,
                                       .offset = offset,
                                       .null_count = buffers[0] == NULL ? 0 : -1,
                                       .n_buffers = 2,
                                       .buffers = buffers,
                                       .release = release_array};
            assay_result *whole = NULL, *text = NULL;
            CHECK(assay_rules_check_arrow_column(numbers, 0, &schema, &array, NULL, &whole) == NULL);
            CHECK(assay_rules_check_arrow_column(texts, 0, &schema, &array, NULL, &text) == NULL);
            if (!CHECK(are_same(whole, text))) fprintf(stderr, "    %s, {%s}\n", tested.format, fields[i]);
            assay_result_free(text);
            const uint64_t *rejected = assay_result_rows(whole, ASSAY_ROWS_REJECTED);
            for (uint32_t first = 0; first < count; first += 40) {
                struct ArrowArray part = array;
                part.offset = offset + first;
                part.length = count - first < 40 ? count - first : 40;
                assay_result *few = NULL;
                CHECK(assay_rules_check_arrow_column(numbers, 0, &schema, &part, NULL, &few) == NULL);
                const uint64_t *bits = assay_result_rows(few, ASSAY_ROWS_REJECTED);
                for (uint32_t row = 0; row < part.length; row++) {
                    CHECK(has_bit(bits, row) == has_bit(rejected, first + row));
                }
                assay_result_free(few);
            }
            assay_result_free(whole);
        }
        assay_rules_free(numbers);
        assay_rules_free(texts);
    }
}

/* Columns for row rules: a case above for the numbers, the fields and the rules. */
typedef struct row_case {
    const char *formats[2];
    const char *fields[2];
    const char *rules;
} row_case;

#define INTEGER_RULES "[a <= b, a - b > 3, a == 7 || b < 0, has(a) && a % 5 != 2, 'string(a) != \"100\"']"
#define REAL_RULES "[a <= b, a < 100.25, a + 0.1 == b, a * 2.0 > b, has(b)]"
#define TIME_RULES "[a <= b, a == b, b - a < duration('86400s'), 'a.getFullYear() != 2024']"

static const row_case row_cases[] = {
    {{"l", "l"}, {"type: integer", "type: integer, constraints: {minimum: -100}"}, INTEGER_RULES},
    {{"c", "L"}, {"type: integer", "type: integer"}, INTEGER_RULES},
    {{"S", "i"}, {"type: integer, missingValues: ['7']", "type: year"}, INTEGER_RULES},
    {{"g", "l"}, {"type: integer", "type: integer, constraints: {required: true}"}, INTEGER_RULES},
    {{"g", "g"}, {"type: number", "type: number, constraints: {minimum: 0}"}, REAL_RULES},
    {{"f", "g"}, {"type: number", "type: number"}, REAL_RULES},
    {{"g", "i"}, {"type: number", "type: number"}, REAL_RULES},
    {{"d:38,2", "d:18,3,64"}, {"type: number", "type: number"}, REAL_RULES},
    {{"d:38,20", "d:9,2,32"}, {"type: number", "type: number"}, REAL_RULES},
    {{"d:38,-2", "f"}, {"type: number", "type: number"}, REAL_RULES},
    {{"d:38,0", "l"}, {"type: integer", "type: integer"}, INTEGER_RULES},
    {{"tdD", "tdD"}, {"type: date", "type: date, constraints: {minimum: 2000-01-01}"}, TIME_RULES},
    {{"tdm", "tdD"}, {"type: date", "type: datetime"}, TIME_RULES},
    {{"tsu:UTC", "tss:+05:30"}, {"type: datetime", "type: datetime"}, TIME_RULES},
    {{"tsn:", "tsm:"}, {"type: datetime", "type: datetime"}, TIME_RULES},
    {{"tsu:Europe/Berlin", "tsu:UTC"}, {"type: datetime", "type: datetime"}, TIME_RULES},
    {{"tdD", "tsm:"}, {"type: yearmonth", "type: datetime"}, TIME_RULES},
    {{"l", "i"}, {"type: integer, constraints: {unique: true}", "type: integer"}, INTEGER_RULES},
    {{"S", "C"}, {"type: integer, constraints: {unique: true, minimum: 5}", "type: any"}, "[has(a), has(b)]"},
    {{"tdD", "g"},
     {"type: date, constraints: {unique: true}", "type: number, constraints: {unique: true}"},
     "[has(a)]"},
    {{"ttm", "ttu"}, {"type: time", "type: time"}, "[a <= b, a == b, b - a < duration('1s')]"},
};

static assay_rules *parse_rows(const row_case *tested, bool as_text)
{
    const char *always = as_text ? ", rules: [{pattern: '(?s).*'}]" : "";
    char text[2000];
    int length = snprintf(text, sizeof text, "fields:\n- {name: a, %s%s}\n- {name: b, %s%s}\nrows:\n",
                          tested->fields[0], always, tested->fields[1], always);
    /* The rules are a list in brackets, in the order of the result. */
    char rules[500];
    snprintf(rules, sizeof rules, "%s", tested->rules + 1);
    rules[strlen(rules) - 1] = 0;
    int number = 0;
    for (char *rule = strtok(rules, ","); rule != NULL; rule = strtok(NULL, ",")) {
        length += snprintf(text + length, sizeof text - (size_t)length, "- {id: row%d, check: %s}\n", number++, rule);
    }
    return must_parse(text);
}

static const number_case *case_of(const char *format)
{
    size_t i = 0;
    while (strcmp(cases[i].format, format) != 0) i++;
    return &cases[i];
}

static void rows(unsigned long rounds)
{
    static uint8_t values[2][16 * 1100];
    for (size_t i = 0; i < sizeof row_cases / sizeof row_cases[0]; i++) {
        const row_case *tested = &row_cases[i];
        assay_rules *numbers = parse_rows(tested, false), *texts = parse_rows(tested, true);
        for (unsigned long round = 0; round < rounds; round++) {
            const uint32_t count = 256 + below(800);
            struct ArrowSchema schemas[2], *children_of_schema[2];
            struct ArrowArray arrays[2], *children[2];
            static uint8_t maps[2][200];
            const void *buffers[2][2];
            for (int side = 0; side < 2; side++) {
                const number_case *column = case_of(tested->formats[side]);
                for (size_t row = 0; row < count; row++) {
                    uint8_t *at = values[side] + row * column->bytes;
                    put(column, at);
                    /* Often the same number on both sides. */
                    if (side == 1 && column->bytes == case_of(tested->formats[0])->bytes && below(3) == 0) {
                        memcpy(at, values[0] + row * column->bytes, column->bytes);
                    }
                }
                for (size_t j = 0; j < sizeof maps[side]; j++) {
                    maps[side][j] = (uint8_t)(below(256) | below(256) | below(256));
                }
                buffers[side][0] = below(2) == 0 ? maps[side] : NULL;
                buffers[side][1] = values[side];
                schemas[side] = (struct ArrowSchema){
                    .format = column->format, .name = side == 0 ? "a" : "b", .flags = 2, .release = release_schema};
                arrays[side] = (struct ArrowArray){.length = count,
                                                   .null_count = buffers[side][0] == NULL ? 0 : -1,
                                                   .n_buffers = 2,
                                                   .buffers = buffers[side],
                                                   .release = release_array};
                children_of_schema[side] = &schemas[side];
                children[side] = &arrays[side];
            }
            struct ArrowSchema schema = {
                .format = "+s", .name = "", .n_children = 2, .children = children_of_schema, .release = release_schema};
            const void *no_map[1] = {NULL};
            struct ArrowArray array = {.length = count,
                                       .n_buffers = 1,
                                       .buffers = no_map,
                                       .n_children = 2,
                                       .children = children,
                                       .release = release_array};
            assay_result *results[2] = {NULL, NULL};
            CHECK(assay_rules_check_arrow_table(numbers, &schema, &array, NULL, &results[0]) == NULL);
            CHECK(assay_rules_check_arrow_table(texts, &schema, &array, NULL, &results[1]) == NULL);
            if (!CHECK(are_same(results[0], results[1]))) {
                fprintf(stderr, "    %s, %s: %s\n", tested->formats[0], tested->formats[1], tested->rules);
            }
            assay_result_free(results[0]);
            assay_result_free(results[1]);
        }
        assay_rules_free(numbers);
        assay_rules_free(texts);
    }
}

int main(int count, char **arguments)
{
    const unsigned long rounds = count > 2 ? strtoul(arguments[2], NULL, 10) : test_rounds(40);
    dice = test_random_of(56);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t j = 0; j < MAX_RULES && cases[i].fields[j] != NULL; j++) {
            assay_rules *numbers = parse(cases[i].fields[j], false), *texts = parse(cases[i].fields[j], true);
            for (unsigned long round = 0; round < rounds; round++) check(&cases[i], numbers, texts, cases[i].fields[j]);
            assay_rules_free(numbers);
            assay_rules_free(texts);
        }
    }
    booleans(rounds);
    rows(3 * rounds);
    return test_result();
}
