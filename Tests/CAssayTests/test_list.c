/* Lists, arrays and objects: validity, number of items, and equality. The test compares a column of lists with its
   items, split independently and checked one by one. */
#include "Types/assay_json_text.h"
#include "test.h"

#define TEXT(literal) ((assay_text){(const uint8_t *)(literal), sizeof(literal) - 1})

static assay_scratch *scratch;

static assay_text text_of(const char *text) { return (assay_text){(const uint8_t *)text, strlen(text)}; }

static bool is_text(const char *text, const char *expected)
{
    const bool is = strcmp(text, expected) == 0;
    if (!is) fprintf(stderr, "    \"%s\"\n", text);
    return is;
}

static assay_type *list_of(assay_kind item, const char *delimiter, bool is_json)
{
    const assay_type_description description = {
        .kind = ASSAY_KIND_LIST, .item_kind = item, .delimiter = text_of(delimiter), .is_json = is_json};
    return assay_type_create(&description, NULL);
}

static assay_verdict verdict_on(const assay_check *check, assay_text text)
{
    uint8_t *copy = malloc(text.count == 0 ? 1 : text.count);
    if (text.count > 0) memcpy(copy, text.bytes, text.count);
    const assay_verdict verdict = assay_check_value(check, scratch, copy, text.count);
    free(copy);
    return verdict;
}

/* ------------------------------------------------------------------------------------------------------------- */

typedef struct list_case {
    assay_kind item;
    const char *delimiter;
    bool is_json;
    const char *text;
    int items; /* −1: not a list */
} list_case;

#define STRING ASSAY_KIND_STRING
#define INTEGER ASSAY_KIND_INTEGER
#define NUMBER ASSAY_KIND_NUMBER
#define BOOLEAN ASSAY_KIND_BOOLEAN
#define DATE ASSAY_KIND_DATE
#define TIME ASSAY_KIND_TIME
#define DATETIME ASSAY_KIND_DATETIME

static const list_case lists[] = {
    {STRING, "", false, "", 0},
    {STRING, "", false, "a", 1},
    {STRING, "", false, "a,b", 2},
    {STRING, "", false, ",", 2},
    {STRING, "", false, "a,,", 3},
    {STRING, "", false, "a;b", 1},
    {STRING, ";", false, "a;b,c", 2},
    {STRING, "||", false, "a|||b||", 3},
    {STRING, "||", false, "a|b", 1},
    {STRING, "aab", false, "aaab", 2},
    {INTEGER, "", false, "1,-2,+003", 3},
    {INTEGER, "", false, "1,", -1},
    {INTEGER, "", false, "1, 2", -1},
    {INTEGER, "", false, "1.0", -1},
    {INTEGER, "", false, "", 0},
    {NUMBER, ";", false, "1.5;1e3;NaN", 3},
    {NUMBER, ";", false, "1,5", -1},
    {BOOLEAN, "", false, "true,False,1,0", 4},
    {BOOLEAN, "", false, "true,yes", -1},
    {DATE, "", false, "2024-02-29,2023-02-28", 2},
    {DATE, "", false, "2024-02-29,2023-02-29", -1},
    {TIME, " ", false, "13:45:00 00:00:00.5", 2},
    {DATETIME, "/", false, "2024-02-29T13:45:00Z/2024-02-29T13:45:00", 2},
    {STRING, "", true, "[]", 0},
    {STRING, "", true, " [ ] ", 0},
    {STRING, "", true, "[\"a\", \"b,c\"]", 2},
    {STRING, "", true, "[\"a\",1]", -1},
    {STRING, "", true, "[\"a\",null]", -1},
    {STRING, "", true, "[[\"a\"]]", -1},
    {STRING, "", true, "[\"a\",]", -1},
    {STRING, "", true, "[\"a\"", -1},
    {STRING, "", true, "[\"a\"] x", -1},
    {STRING, "", true, "[,\"a\"]", -1},
    {STRING, "", true, "[\"a\" \"b\"]", -1},
    {STRING, "", true, "\"a\"", -1},
    {STRING, "", true, "", -1},
    {STRING, "", true, "{\"a\":1}", -1},
    {STRING, "", true, "[\"\\ud83d\\ude00\"]", 1},
    {INTEGER, "", true, "[1,-2]", 2},
    {INTEGER, "", true, "[1.0]", -1},
    {INTEGER, "", true, "[\"1\"]", -1},
    {INTEGER, "", true, "[007]", -1},
    {NUMBER, "", true, "[1.5,1e3]", 2},
    {NUMBER, "", true, "[NaN]", -1},
    {BOOLEAN, "", true, "[true,false]", 2},
    {BOOLEAN, "", true, "[1]", -1},
    {BOOLEAN, "", true, "[null]", -1},
    {DATE, "", true, "[\"2024-02-29\",\"20\\u00324-02-29\"]", 2},
    {DATE, "", true, "[\"2023-02-29\"]", -1},
};

static void test_lists(void)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const list_case *one = &lists[i];
        assay_type *type = list_of(one->item, one->delimiter, one->is_json);
        assay_check *is_list = assay_check_create_type(type, 0);
        const assay_verdict expected = one->items < 0 ? ASSAY_FAIL : ASSAY_PASS;
        bool right = CHECK(verdict_on(is_list, text_of(one->text)) == expected);
        for (size_t items = 0; items < 6; items++) {
            assay_check *count = assay_check_create_count(type, items, items, NULL);
            const bool passes = one->items == (int)items;
            right = CHECK(verdict_on(count, text_of(one->text)) == (passes ? ASSAY_PASS : ASSAY_FAIL)) && right;
            assay_check_free(count);
        }
        if (!right) fprintf(stderr, "    %s\n", one->text);
        assay_check_free(is_list);
        assay_type_free(type);
    }
}

/* A date of more than a thousand bytes that contains an escape is not read. */
static void test_long_escapes(void)
{
    char text[2048] = "[\"2024-02-29T00:00:00.\\u0030";
    memset(text + strlen(text), '0', 1500);
    strcat(text, "1\"]");
    assay_type *type = list_of(DATETIME, "", true);
    assay_check *is_list = assay_check_create_type(type, 0);
    CHECK(verdict_on(is_list, text_of(text)) == ASSAY_UNDECIDED);
    assay_check_free(is_list);
    assay_type_free(type);
}

/* ------------------------------------------------------------------------------------------------------------- */

typedef struct equal_case {
    assay_kind kind;
    assay_kind item;
    bool is_json; /* for a list: the value */
    const char *member;
    const char *value;
    bool is_member;
} equal_case;

#define LIST ASSAY_KIND_LIST
#define ARRAY ASSAY_KIND_ARRAY
#define OBJECT ASSAY_KIND_OBJECT

static const equal_case equals[] = {
    {LIST, STRING, false, "a,b", "a,b", true},
    {LIST, STRING, false, "a,b", "b,a", false},
    {LIST, STRING, false, "a,b", "a,b,", false},
    {LIST, STRING, false, "", "", true},
    {LIST, STRING, true, "a,b", "[\"a\", \"\\u0062\"]", true},
    {LIST, STRING, true, "a,b", "[\"a,b\"]", false},
    {LIST, STRING, true, "\xf0\x9f\x98\x80", "[\"\\uD83D\\uDE00\"]", true},
    {LIST, STRING, true, "\xef\xbf\xbd\xef\xbf\xbd", "[\"\\uD83D\\uD83D\"]", true},
    {LIST, STRING, true, "", "[]", true},
    {LIST, INTEGER, false, "1,2", "01,+2", true},
    {LIST, INTEGER, true, "1,2", "[1,2]", true},
    {LIST, INTEGER, true, "1,2", "[1,3]", false},
    {LIST, NUMBER, true, "1.0", "[10e-1]", true},
    {LIST, DATETIME, true, "2024-01-01T12:00:00Z", "[\"2024-01-01T13:00:00+01:00\"]", true},
    {ARRAY, STRING, false, "[1, 2]", "[1.0,2e0]", true},
    {ARRAY, STRING, false, "[1, 2]", "[2,1]", false},
    {ARRAY, STRING, false, "[1, 2]", "[1]", false},
    {ARRAY, STRING, false, "[1]", "[1,2]", false},
    {ARRAY, STRING, false, "[]", " [ ] ", true},
    {ARRAY, STRING, false, "[null,true]", "[null,false]", false},
    {ARRAY, STRING, false, "[\"a\"]", "[\"\\u0061\"]", true},
    {ARRAY, STRING, false, "[\"1\"]", "[1]", false},
    {ARRAY, STRING, false, "[[],{}]", "[[],{}]", true},
    {ARRAY, STRING, false, "[[],{}]", "[{},[]]", false},
    {OBJECT, STRING, false, "{\"a\":1,\"b\":[2]}", "{ \"b\" : [2.0], \"\\u0061\":1}", true},
    {OBJECT, STRING, false, "{\"a\":1}", "{\"a\":1,\"b\":2}", false},
    {OBJECT, STRING, false, "{\"a\":1,\"b\":2}", "{\"a\":1}", false},
    {OBJECT, STRING, false, "{\"a\":1,\"a\":2}", "{\"a\":2}", true},
    {OBJECT, STRING, false, "{\"a\":1,\"a\":2}", "{\"a\":1}", false},
    {OBJECT, STRING, false, "{}", "{\"a\":1}", false},
    {OBJECT, STRING, false, "{\"b\":0,\"a\":1,\"b\":2}", "{\"b\":3,\"b\":2,\"a\":0,\"a\":1}", true},
    {OBJECT, STRING, false, "{\"b\":0,\"a\":1,\"b\":2}", "{\"b\":2,\"b\":3,\"a\":0,\"a\":1}", false},
    {OBJECT, STRING, false, "{\"a\":1,\"aa\":2,\"\":3}", "{\"\":3,\"aa\":2,\"a\":1}", true},
    {OBJECT, STRING, false, "{\"a\":\"b\"}", "{\"b\":\"a\"}", false},
    {OBJECT, STRING, false, "{\"a\":{\"d\":0,\"c\":[1,{}]},\"b\":1}", "{\"b\":1,\"a\":{\"c\":[1,{}],\"d\":-0}}", true},
    {OBJECT, STRING, false, "{\"a\":1e-5}", "{\"a\":0.00001}", true},
    {OBJECT, STRING, false, "{\"a\":-10e2}", "{\"a\":-1000.00}", true},
    {OBJECT, STRING, false, "{\"a\":-10e2}", "{\"a\":1000}", false},
    {ARRAY, STRING, false, "[1,23]", "[12,3]", false},
    {ARRAY, STRING, false, "[\"1\",\"23\"]", "[\"12\",\"3\"]", false},
    {ARRAY, STRING, false, "[[1],2]", "[[1,2]]", false},
    {ARRAY, STRING, false, "[1e-5,1e-5,1e-5,1e-5]", "[1E-05,0.1e-4,10.0e-6,0.00001]", true},
    {OBJECT, STRING, false, "{\"a\":{\"b\":{}}}", "{\"a\":{\"b\":{\"c\":1}}}", false},
};

static void test_equality(void)
{
    for (size_t i = 0; i < sizeof equals / sizeof equals[0]; i++) {
        const equal_case *one = &equals[i];
        const assay_type_description description = {.kind = one->kind, .item_kind = one->item, .is_json = one->is_json};
        assay_type *type = assay_type_create(&description, NULL);
        const assay_text members[] = {TEXT("[\"other\"]"), text_of(one->member), TEXT("{}")};
        const bool takes_all = one->kind == LIST && one->item == STRING;
        assay_check *set = takes_all ? assay_check_create_set(type, members, 2, NULL)
                                     : assay_check_create_set(type, members + 1, 1, NULL);
        if (!CHECK(set != NULL && verdict_on(set, text_of(one->value)) == (one->is_member ? ASSAY_PASS : ASSAY_FAIL))) {
            fprintf(stderr, "    %s in %s\n", one->value, one->member);
        }
        assay_check_free(set);
        assay_type_free(type);
    }
}

/* A member below the maximum depth of comparison, with a unique or a repeated name. */
static void test_deep_cells(void)
{
    const assay_type_description description = {.kind = OBJECT};
    assay_type *type = assay_type_create(&description, NULL);
    const assay_text member = TEXT("{\"a\":1}");
    assay_check *set = assay_check_create_set(type, &member, 1, NULL);
    for (int is_last = 0; is_last < 2; is_last++) {
        char cell[800] = "";
        char *at = cell + sprintf(cell, "{%s\"a\":", is_last ? "\"a\":1," : "");
        for (int i = 0; i < 100; i++) at += sprintf(at, "[\"]\",");
        at += sprintf(at, "[]");
        memset(at, ']', 100);
        strcpy(at + 100, is_last ? "}" : ",\"a\":1}");
        CHECK_EQUAL(verdict_on(set, text_of(cell)), is_last ? ASSAY_FAIL : ASSAY_PASS);
    }
    assay_check_free(set);
    assay_type_free(type);
}

/* `{"0":0,"1":1,…}`, with ascending or descending members. */
static assay_text large_object(char *room, int members, bool is_reversed)
{
    char *at = room + sprintf(room, "{");
    for (int i = 0; i < members; i++) {
        const int number = is_reversed ? members - 1 - i : i;
        at += sprintf(at, "%s\"%d\":%d", i == 0 ? "" : ",", number, number);
    }
    at += sprintf(at, "}");
    return (assay_text){(const uint8_t *)room, (size_t)(at - room)};
}

/* Many members, and many values: with a quadratic comparison of either, this test would not end. */
static void test_many(void)
{
    enum { MEMBERS = 40000, VALUES = 60000, ROOM = 20 };
    char *one = malloc(MEMBERS * ROOM), *other = malloc(MEMBERS * ROOM);
    assay_type_description description = {.kind = OBJECT};
    assay_type *object = assay_type_create(&description, NULL);
    const assay_text member = large_object(one, MEMBERS, false);
    assay_check *set = assay_check_create_set(object, &member, 1, NULL);
    const assay_text reversed = large_object(other, MEMBERS, true);
    CHECK_EQUAL(verdict_on(set, reversed), ASSAY_PASS);
    other[reversed.count - 2] = '1'; /* "0":1 */
    CHECK_EQUAL(verdict_on(set, reversed), ASSAY_FAIL);
    assay_check_free(set);
    assay_type_free(object);
    free(one);
    free(other);

    static const char *const forms[] = {"[%d]", "{\"a\":%d}"};
    char *texts = malloc(VALUES * ROOM);
    assay_text *values = malloc(VALUES * sizeof *values);
    for (int form = 0; form < 2; form++) {
        for (int i = 0; i < VALUES; i++) {
            const int count = sprintf(texts + i * ROOM, forms[form], i);
            values[i] = (assay_text){(const uint8_t *)texts + i * ROOM, (size_t)count};
        }
        description.kind = form == 0 ? ARRAY : OBJECT;
        assay_type *type = assay_type_create(&description, NULL);
        set = assay_check_create_set(type, values, VALUES, NULL);
        CHECK_EQUAL(verdict_on(set, text_of(form == 0 ? "[59999.0]" : "{\"a\":59999.0}")), ASSAY_PASS);
        CHECK_EQUAL(verdict_on(set, text_of(form == 0 ? "[60000]" : "{\"a\":60000}")), ASSAY_FAIL);
        assay_check_free(set);
        assay_type_free(type);
    }
    free(values);
    free(texts);
}

static void test_refusals(void)
{
    assay_error error = {0};
    assay_type_description description = {.kind = LIST, .item_kind = ASSAY_KIND_YEAR};
    CHECK(assay_type_create(&description, &error) == NULL);
    CHECK(is_text(error.message, "the items of a list are string, integer, number, boolean, date, time or datetime"));
    description = (assay_type_description){.kind = LIST, .delimiter = TEXT("12345678901234567")};
    CHECK(assay_type_create(&description, &error) == NULL);
    CHECK(is_text(error.message, "a delimiter is at most 16 bytes"));
    description = (assay_type_description){.kind = ARRAY, .format = TEXT("x")};
    CHECK(assay_type_create(&description, &error) == NULL);
    CHECK(is_text(error.message, "a list, array or object takes no format"));

    description = (assay_type_description){.kind = ARRAY, .format = TEXT("default")};
    assay_type *array = assay_type_create(&description, &error);
    const assay_bound bound = {TEXT("[1]"), false};
    CHECK(assay_check_create_range(array, bound, bound, 0, &error) == NULL);
    CHECK(is_text(error.message, "text, booleans, lists, arrays and objects have no order to bound"));
    const assay_text broken = TEXT("[1");
    CHECK(assay_check_create_set(array, &broken, 1, &error) == NULL);
    CHECK(is_text(error.message, "\"[1\" is not of the type"));
    char deep[200] = "";
    memset(deep, '[', 65);
    memset(deep + 65, ']', 65);
    const assay_text levels = text_of(deep);
    CHECK(assay_check_create_set(array, &levels, 1, &error) == NULL);
    CHECK(is_text(error.message, "a value of more than 64 levels is not compared"));
    const assay_text brackets = TEXT("[\"\\\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"]");
    assay_check *set = assay_check_create_set(array, &brackets, 1, &error);
    CHECK(set != NULL);
    assay_check_free(set);
    assay_type_free(array);

    description = (assay_type_description){.kind = INTEGER};
    assay_type *integer = assay_type_create(&description, NULL);
    CHECK(assay_check_create_count(integer, 0, 1, &error) == NULL);
    CHECK(is_text(error.message, "only lists, arrays and objects have items to count"));
    CHECK(assay_type_visit_items(integer, NULL, 0, NULL, NULL) == ASSAY_BAD_DESCRIPTION);
    assay_type_free(integer);
}

/* ------------------------------------------------------------------------------------------------------------- */

typedef struct json_case {
    const char *text;
    assay_kind kind; /* ARRAY or OBJECT */
    int members;
} json_case;

static const json_case jsons[] = {
    {"[]", ARRAY, 0},
    {"[1,[2,3],{\"a\":4}]", ARRAY, 3},
    {" [null] ", ARRAY, 1},
    {"[1", ARRAY, -1},
    {"{}", ARRAY, -1},
    {"1", ARRAY, -1},
    {"", ARRAY, -1},
    {"{}", OBJECT, 0},
    {"{\"a\":{\"b\":1,\"c\":2}}", OBJECT, 1},
    {"{\"a\":1,\"a\":2}", OBJECT, 2},
    {"{\"a\"}", OBJECT, -1},
    {"{a:1}", OBJECT, -1},
    {"[]", OBJECT, -1},
    {"{} {}", OBJECT, -1},
};

static void test_json(void)
{
    for (size_t i = 0; i < sizeof jsons / sizeof jsons[0]; i++) {
        const json_case *one = &jsons[i];
        const assay_type_description description = {.kind = one->kind};
        assay_type *type = assay_type_create(&description, NULL);
        assay_check *check = assay_check_create_type(type, 0);
        const assay_verdict expected = one->members < 0 ? ASSAY_FAIL : ASSAY_PASS;
        bool right = CHECK(verdict_on(check, text_of(one->text)) == expected);
        assay_check *count = assay_check_create_count(type, 1, 2, NULL);
        const bool passes = one->members == 1 || one->members == 2;
        right = CHECK(verdict_on(count, text_of(one->text)) == (passes ? ASSAY_PASS : ASSAY_FAIL)) && right;
        if (!right) fprintf(stderr, "    %s\n", one->text);
        assay_check_free(count);
        assay_check_free(check);
        assay_type_free(type);
    }
    /* Deeper than every limit. */
    char deep[4098];
    memset(deep, '[', sizeof deep);
    const assay_type_description description = {.kind = ARRAY};
    assay_type *type = assay_type_create(&description, NULL);
    assay_check *check = assay_check_create_type(type, 0);
    CHECK(verdict_on(check, (assay_text){(const uint8_t *)deep, sizeof deep}) == ASSAY_UNDECIDED);
    assay_check_free(check);
    assay_type_free(type);
}

/* ------------------------------------------------------------------------------------------------------------- */

enum { rows = 1000 };

/* Whether each item, split independently, is of its type, and the number of items. */
static bool split_and_evaluate(const assay_check *item, const uint8_t *bytes, size_t count, uint8_t delimiter,
                               size_t *items)
{
    bool all = true;
    size_t start = 0;
    *items = 0;
    if (count == 0) return true;
    for (size_t at = 0; at <= count; at++) {
        if (at < count && bytes[at] != delimiter) continue;
        all = all && assay_check_value(item, scratch, bytes + start, at - start) == ASSAY_PASS;
        start = at + 1;
        ++*items;
    }
    return all;
}

static void test_columns(void)
{
    test_random random = test_random_of(24);
    static const assay_kind kinds[] = {STRING, INTEGER, NUMBER, BOOLEAN, DATE, TIME, DATETIME};
    static const char *const pieces[] = {";", ";", ";", "1",          "-2",       "3.5", "true", "",
                                         "x", "0", "e", "2024-02-29", "12:00:00", "T",   "Z"};
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        assay_type *type = list_of(kinds[kind], ";", false);
        const assay_type_description description = {.kind = kinds[kind]};
        assay_type *item_type = assay_type_create(&description, NULL);
        assay_check *item = assay_check_create_type(item_type, 0);
        assay_check *is_list = assay_check_create_type(type, 0);
        assay_check *count = assay_check_create_count(type, 2, 3, NULL);
        static uint8_t bytes[rows * 80];
        static assay_cell cells[rows];
        uint32_t end = 0;
        for (size_t row = 0; row < rows; row++) {
            cells[row].start = end;
            for (uint32_t piece = test_random_below(&random, 6); piece > 0; piece--) {
                const char *text = pieces[test_random_below(&random, sizeof pieces / sizeof pieces[0])];
                memcpy(bytes + end, text, strlen(text));
                end += (uint32_t)strlen(text);
            }
            cells[row].length = end - cells[row].start;
        }
        uint64_t failed[rows / 64 + 1], undecided[rows / 64 + 1], miscounted[rows / 64 + 1];
        assay_check_column(is_list, scratch, bytes, cells, rows, NULL, failed, undecided);
        assay_check_column(count, scratch, bytes, cells, rows, NULL, miscounted, undecided);
        for (size_t row = 0; row < rows; row++) {
            size_t items = 0;
            const bool all = split_and_evaluate(item, bytes + cells[row].start, cells[row].length, ';', &items);
            CHECK((failed[row / 64] >> row % 64 & 1) == !all);
            CHECK((miscounted[row / 64] >> row % 64 & 1) == !(all && (items == 2 || items == 3)));
        }
        assay_check_free(count);
        assay_check_free(is_list);
        assay_check_free(item);
        assay_type_free(item_type);
        assay_type_free(type);
    }
}

/* ------------------------------------------------------------------------------------------------------------- */

static void collect(void *context, const uint8_t *bytes, size_t count)
{
    strncat(context, (const char *)bytes, count);
    strcat(context, "|");
}

static void test_visiting(void)
{
    char found[64] = "";
    assay_type *written = list_of(INTEGER, ";", false);
    CHECK(assay_type_visit_items(written, (const uint8_t *)"1;22;", 5, collect, found) == ASSAY_OK);
    CHECK(is_text(found, "1|22||"));
    assay_type *json = list_of(STRING, "", true);
    found[0] = 0;
    const assay_text text = TEXT("[\"a\",\"\\u0062c\",\"\"]");
    CHECK(assay_type_visit_items(json, text.bytes, text.count, collect, found) == ASSAY_OK);
    CHECK(is_text(found, "a|bc||"));
    assay_type_free(json);
    assay_type_free(written);
}

int main(void)
{
    scratch = assay_scratch_create(NULL);
    test_lists();
    test_long_escapes();
    test_equality();
    test_deep_cells();
    test_many();
    test_refusals();
    test_json();
    test_columns();
    test_visiting();
    assay_scratch_free(scratch);
    return test_result();
}
