/* The reader of JSON Lines: accepted lines, offsets of errors, and values at paths. The test compares every line
   with the plain reader, on every processor path. */
#define _POSIX_C_SOURCE 200809L

#include "Bytes/assay_hash.h"
#include "test_json_support.h"
#include "test_paths.h"
#include "test_suites.h"

#include <dirent.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const some_names[] = {"a",     "b",         "a.b", "a.b.c", "a[]",  "a[].b",
                                         "a[][]", "a[].b[].c", "a",   "",      "a\\.b"};

static void compare_text(const char *const *names, size_t count, const void *text, size_t length)
{
    json_run run = json_open(names, count);
    json_split(&run, text, length);
    json_compare(&run, names, count, 0, run.batch->record_count, NULL);
    json_close(&run);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Grammar
 * ------------------------------------------------------------------------------------------------------------- */

static const char *const good_lines[] = {
    "{}",
    " { } ",
    "\t{\t}\r",
    "{\"\":0}",
    "{\"a\":1}\r",
    "{\"a\":-0,\"b\":0.5,\"c\":1e5,\"d\":1E+5,\"e\":1.25e-7,\"f\":123456789012345678901234567890}",
    "{\"a\" : [ 1 , 2 , [ ] , { } ] , \"b\" : true , \"c\" : false , \"d\" : null}",
    "{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\"}",
    "{\"\\uD800\\uDC00\":\"\\ud7ff\\ue000\\udbff\\udfff\\ud800\\udc00x\",\"b\":\"\\\\ud800\"}",
    "{\"\xC3\xA9\":\"\xF0\x9F\x98\x80\x7F\"}",
    "{\"a\":{\"a\":{\"a\":1}},\"b\":[{\"a\":1},{\"a\":1}]}",
};

/* ^ marks the offset of the error and is removed. */
static const struct {
    const char *line;
    assay_json_mistake_code code;
} bad_lines[] = {
    {"^", ASSAY_JSON_BLANK},
    {"^ \t ", ASSAY_JSON_BLANK},
    {" ^[1]", ASSAY_JSON_NOT_OBJECT},
    {"^1", ASSAY_JSON_NOT_OBJECT},
    {"^\"{}\"", ASSAY_JSON_NOT_OBJECT},
    {"^x", ASSAY_JSON_NOT_OBJECT},
    {"^\xEF\xBB\xBF{}", ASSAY_JSON_NOT_OBJECT},
    {"{^", ASSAY_JSON_EXPECTED_NAME},
    {"{ ^", ASSAY_JSON_EXPECTED_NAME},
    {"{^a:1}", ASSAY_JSON_EXPECTED_NAME},
    {"{^'a':1}", ASSAY_JSON_EXPECTED_NAME},
    {"{^,}", ASSAY_JSON_EXPECTED_NAME},
    {"{\"a\":1,^}", ASSAY_JSON_EXPECTED_NAME},
    {"{\"a\":1, ^", ASSAY_JSON_EXPECTED_NAME},
    {"{\"a\"^}", ASSAY_JSON_EXPECTED_COLON},
    {"{\"a\" ^1}", ASSAY_JSON_EXPECTED_COLON},
    {"{\"a\"^", ASSAY_JSON_EXPECTED_COLON},
    {"{\"a\"^,1}", ASSAY_JSON_EXPECTED_COLON},
    {"{\"a\":^}", ASSAY_JSON_EXPECTED_VALUE},
    {"{\"a\": ^", ASSAY_JSON_EXPECTED_VALUE},
    {"{\"a\":^'x'}", ASSAY_JSON_EXPECTED_VALUE},
    {"{\"a\":[^,1]}", ASSAY_JSON_EXPECTED_VALUE},
    {"{\"a\":[1,^]}", ASSAY_JSON_EXPECTED_VALUE},
    {"{\"a\":^:1}", ASSAY_JSON_EXPECTED_VALUE},
    {"{\"a\":1 ^\"b\":1}", ASSAY_JSON_EXPECTED_BRACE},
    {"{\"a\":1^]", ASSAY_JSON_EXPECTED_BRACE},
    {"{\"a\":\"x\"^\"b\"}", ASSAY_JSON_EXPECTED_BRACE},
    {"{\"a\":1^", ASSAY_JSON_EXPECTED_BRACE},
    {"{\"a\":{}^", ASSAY_JSON_EXPECTED_BRACE},
    {"{\"a\":1^:2}", ASSAY_JSON_EXPECTED_BRACE},
    {"{\"a\":[1 ^2]}", ASSAY_JSON_EXPECTED_BRACKET},
    {"{\"a\":[1^}", ASSAY_JSON_EXPECTED_BRACKET},
    {"{\"a\":[\"x\"^", ASSAY_JSON_EXPECTED_BRACKET},
    {"{\"a\":\"b^\\x\"}", ASSAY_JSON_BAD_ESCAPE},
    {"{\"a\":\"^\\u12G4\"}", ASSAY_JSON_BAD_ESCAPE},
    {"{\"a\":\"^\\u123\"}", ASSAY_JSON_BAD_ESCAPE},
    {"{\"a\":\"^\\U1234\"}", ASSAY_JSON_BAD_ESCAPE},
    {"{\"^\\x\":1}", ASSAY_JSON_BAD_ESCAPE},
    {"{\"a\":\"^\\ud83d\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"x^\\uDBFF\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\udc00\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\uDFFFx\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\udc00\\ud800\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\ud800\\ud800\\udc00\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"\\ud800\\udc00^\\udc00\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\ud800\\n\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\ud800\\u00e9\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\ud800\\ue000\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\ud800\\udbff\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\ud800udc00\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\ud800\\\\udc00\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\ud800\\udc0", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\ud800\\u12G4\"}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\ud800\\", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\ud800", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":\"^\\ud80\"}", ASSAY_JSON_BAD_ESCAPE},
    {"{\"^\\ud83d\":1}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"b\":{\"x^\\ude00\":1}}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":[1,{\"b\":\"^\\ud800\"}]}", ASSAY_JSON_LONE_SURROGATE},
    {"{\"a\":1,^\"a\":\"\\ud800\"}", ASSAY_JSON_DUPLICATE_NAME},
    {"{\"a\":\"b^\tc\"}", ASSAY_JSON_CONTROL},
    {"{\"a\":\"b\\n^\x01\"}", ASSAY_JSON_CONTROL},
    {"{\"a^\x1F\":1}", ASSAY_JSON_CONTROL},
    {"{\"a\":^\"b", ASSAY_JSON_UNCLOSED_STRING},
    {"{\"a\":^\"b\\", ASSAY_JSON_UNCLOSED_STRING},
    {"{\"a\":^\"b\\\"}", ASSAY_JSON_UNCLOSED_STRING},
    {"{^\"a", ASSAY_JSON_UNCLOSED_STRING},
    {"{\"a\":^01}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^-}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^-01}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^--1}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^+1}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^1.}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^.5}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^1e}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^1e+}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^1.5.5}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^0x10}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^12abc}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^-Infinity}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^1_000}", ASSAY_JSON_BAD_NUMBER},
    {"{\"a\":^NaN}", ASSAY_JSON_BAD_LITERAL},
    {"{\"a\":^True}", ASSAY_JSON_BAD_LITERAL},
    {"{\"a\":^tru}", ASSAY_JSON_BAD_LITERAL},
    {"{\"a\":^nullx}", ASSAY_JSON_BAD_LITERAL},
    {"{\"a\":^fals", ASSAY_JSON_BAD_LITERAL},
    {"{\"a\":^b}", ASSAY_JSON_BAD_LITERAL},
    {"{} ^{}", ASSAY_JSON_TEXT_AFTER},
    {"{}^}", ASSAY_JSON_TEXT_AFTER},
    {"{}^,", ASSAY_JSON_TEXT_AFTER},
    {"{\"a\":1}^\x01", ASSAY_JSON_TEXT_AFTER},
    {"{\"a\":1, ^\"a\":2}", ASSAY_JSON_DUPLICATE_NAME},
    {"{\"b\":1,\"a\":1,^\"b\":1,\"a\":2}", ASSAY_JSON_DUPLICATE_NAME},
    {"{\"a\":1,^\"\\u0061\":2}", ASSAY_JSON_DUPLICATE_NAME},
    {"{\"\\u0061\":1,^\"a\":2}", ASSAY_JSON_DUPLICATE_NAME},
    {"{\"\":1,^\"\":2}", ASSAY_JSON_DUPLICATE_NAME},
    {"{\"a\":[1,{\"b\":{\"c\":1,^\"c\":1}}]}", ASSAY_JSON_DUPLICATE_NAME},
    {"{\"a\":{},^\"a\":{\"b\":1,\"b\":2}}", ASSAY_JSON_DUPLICATE_NAME},
    {"{\"a\":1,^\"a\":x", ASSAY_JSON_DUPLICATE_NAME},
    {"{\"\xC3\xA9\":1,^\"\\u00e9\":2}", ASSAY_JSON_DUPLICATE_NAME},
    /* NFC and NFD are different names, so the error is a different one. */
    {"{\"\xC3\xA9\":1,\"e\xCC\x81\":2}^x", ASSAY_JSON_TEXT_AFTER},
};

static void check_mistake(const char *line, size_t length, size_t place, assay_json_mistake_code code)
{
    static const char *const terminators[] = {"", "\n", "\r\n"};
    static const char before[] = "{\"a\":1}\n";
    static char text[4096];
    for (size_t i = 0; i < COUNT(terminators); i++) {
        /* Alone, and as one of several lines. */
        for (size_t k = 0; k < 2; k++) {
            const size_t start = k * (sizeof before - 1);
            memcpy(text, before, start);
            memcpy(text + start, line, length);
            memcpy(text + start + length, terminators[i], strlen(terminators[i]));
            const size_t count = start + length + strlen(terminators[i]);
            if (count == start) continue; /* there is no line */
            json_run run = json_open(some_names, COUNT(some_names));
            json_split(&run, text, count);
            json_compare(&run, some_names, COUNT(some_names), 0, run.batch->record_count, NULL);
            if (!CHECK_EQUAL(run.batch->record_count, k + 1)) fprintf(stderr, "    %s\n", line);
            const assay_json_mistake found = assay_json_mistake_at(run.reader, (uint32_t)k);
            if (!CHECK(found.code == code && (code == 0 || found.place == start + place))) {
                fprintf(stderr, "    %.*s: %d at %u\n", (int)length, line, (int)found.code, found.place);
            }
            CHECK((assay_json_mistake_text(found.code)[0] == '\0') == (code == 0));
            json_close(&run);
        }
    }
}

static void check_grammar(void)
{
    for (size_t i = 0; i < COUNT(good_lines); i++) {
        check_mistake(good_lines[i], strlen(good_lines[i]), 0, ASSAY_JSON_NO_MISTAKE);
    }
    for (size_t i = 0; i < COUNT(bad_lines); i++) {
        char line[256];
        const char *mark = strchr(bad_lines[i].line, '^');
        const size_t place = (size_t)(mark - bad_lines[i].line);
        memcpy(line, bad_lines[i].line, place);
        strcpy(line + place, mark + 1);
        check_mistake(line, strlen(line), place, bad_lines[i].code);
    }
    check_mistake("{\"a\":\"b\0c\"}", 11, 7, ASSAY_JSON_CONTROL);
    check_mistake("{\"a\":1\0}", 8, 6, ASSAY_JSON_EXPECTED_BRACE);
}

/* Every prefix of a good line is invalid. Strings, names and numbers of all lengths cross the ends of blocks. */
static void check_lengths(void)
{
    static const char line[] = "{\"abc\":[true,{\"d\":null}],\"e\":\"f\\u00e9g\",\"h\":-12.5e+3,\"i\":{}}";
    for (size_t count = 1; count < sizeof line - 1; count++) compare_text(some_names, 1, line, count);
    for (int length = 0; length < 300; length++) {
        char text[4096];
        char run[301] = {0};
        char digits[301] = {0};
        memset(run, 'x', (size_t)length);
        memset(digits, '7', (size_t)length);
        const int count = snprintf(text, sizeof text,
                                   "{\"a\":\"%s\",\"%s\":1,\"b\":\"%s\\n\",\"%s\\t\":\"%s\",\"n\":1%s,\"m\":1.5%s}\n"
                                   "{\"a\":\"%s\"}\n{\"a\":\"%s\x01\"}\n{\"%s\":1,\"%sy\":1,\"%s\":1}\n{\"a\":\"%s",
                                   run, run, run, run, run, digits, digits, run, run, run, run, run, run);
        compare_text(some_names, COUNT(some_names), text, (size_t)count);
        compare_text(some_names, COUNT(some_names), text, (size_t)count - 1);
    }
}

static void check_depth(void)
{
    for (int depth = 126; depth <= 130; depth++) {
        for (int is_object = 0; is_object < 2; is_object++) {
            char line[2000];
            size_t count = 0;
            for (int i = 1; i < depth; i++) {
                count += (size_t)sprintf(line + count, "%s", is_object || i == 1 ? "{\"a\":" : "[");
            }
            const size_t innermost = count;
            line[count++] = is_object ? '{' : '[';
            line[count++] = is_object ? '}' : ']';
            for (int i = depth - 1; i > 0; i--) line[count++] = is_object || i == 1 ? '}' : ']';
            const size_t place = depth <= 129 ? innermost : innermost - (is_object ? 5 : 1);
            check_mistake(line, count, place, depth <= 128 ? ASSAY_JSON_NO_MISTAKE : ASSAY_JSON_TOO_DEEP);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Paths
 * ------------------------------------------------------------------------------------------------------------- */

/* The result for one line and one path as text: kind=text and, for elements, their indexes. */
static void describe(const json_run *run, char *target)
{
    static const char kinds[] = "-0snboa";
    const bool is_list = assay_json_paths_depth(run->paths, 0) > 0;
    for (size_t i = 0; i < assay_json_element_count(run->reader, 0); i++) {
        const assay_cell cell = assay_json_cells(run->reader, 0)[i];
        target += sprintf(target, "%s%c", i == 0 ? "" : " ", kinds[assay_json_kinds(run->reader, 0)[i]]);
        for (unsigned k = 0; is_list && k < assay_json_paths_depth(run->paths, 0); k++) {
            const uint32_t index = assay_json_element_indexes(run->reader, 0)[ASSAY_JSON_LISTS * i + k];
            target += index == ASSAY_JSON_NOT_A_LIST ? sprintf(target, "*") : sprintf(target, "%u", index);
        }
        if (cell.length > 0) {
            target += sprintf(target, ":%.*s", (int)cell.length, (const char *)run->bytes + cell.start);
        }
    }
    *target = '\0';
}

static const struct {
    const char *path, *line, *answer;
} path_cases[] = {
    {"a", "{\"a\":\"x\"}", "s:x"},
    {"a", "{\"a\":\"\"}", "s"},
    {"a", "{\"a\":1.50}", "n:1.50"},
    {"a", "{\"a\":true}", "b:true"},
    {"a", "{\"a\":null}", "0"},
    {"a", "{\"b\":1}", "-"},
    {"a", "{\"a\":{\"b\": [1]}}", "o:{\"b\": [1]}"},
    {"a", "{\"a\":[1, 2]}", "a:[1, 2]"},
    {"a", "{\"A\":1}", "-"},
    {"a", "{\"\\u0061\":\"\\u0062\\n\"}", "s:b\n"},
    {"a", "{\"a\":\"\\ud83d\\ude00\\ufffd\"}", "s:\xF0\x9F\x98\x80\xEF\xBF\xBD"},
    {"a", "{\"b\":{\"a\":1}}", "-"},
    {"a.b", "{\"a\":{\"b\":1}}", "n:1"},
    {"a.b", "{\"a\":{\"c\":1}}", "-"},
    {"a.b", "{\"a\":null}", "-"},
    {"a.b", "{\"a\":5}", "-"},
    {"a.b", "{\"a\":[{\"b\":1}]}", "-"},
    {"a.b", "{}", "-"},
    /* A literal key has priority over a path, at any position and with any value. */
    {"a.b", "{\"a.b\":2,\"a\":{\"b\":1}}", "n:2"},
    {"a.b", "{\"a\":{\"b\":1},\"a.b\":2}", "n:2"},
    {"a.b", "{\"a\":{\"b\":1},\"a.b\":null}", "0"},
    {"a.b", "{\"a\":{\"a.b\":3}}", "-"},
    {"a\\.b", "{\"a.b\":2,\"a\":{\"b\":1}}", "n:2"},
    {"a\\.b", "{\"a\":{\"b\":1}}", "-"},
    {"a\\.b", "{\"a\\\\.b\":3,\"a.b\":2}", "n:3"},
    {"a\\[\\]", "{\"a[]\":[1]}", "a:[1]"},
    {"a\\\\b", "{\"a\\\\b\":1}", "n:1"},
    {"a\\b", "{\"a\\\\b\":1}", "n:1"},
    {"a\\", "{\"a\\\\\":1}", "n:1"},
    {"", "{\"\":1}", "n:1"},
    {"a[]", "{\"a\":[1,\"x\",null,[2],{}]}", "n0:1 s1:x 02 a3:[2] o4:{}"},
    {"a[]", "{\"a\":[]}", ""},
    {"a[]", "{\"a\":null}", ""},
    {"a[]", "{}", ""},
    {"a[]", "{\"a\":7}", "n*:7"},
    {"a[]", "{\"a\":{\"b\":1}}", "o*:{\"b\":1}"},
    {"a[]", "{\"a[]\":1}", ""},
    {"a[].b", "{\"a\":[{\"b\":1},{\"c\":2},3,null,{\"b\":null}]}", "n0:1 -1 -2 -3 04"},
    {"a[].b", "{\"a\":\"x\"}", "s*:x"},
    {"a[].b.c", "{\"a\":[{\"b\":{\"c\":1}},{\"b\":2}]}", "n0:1 -1"},
    {"a.b[]", "{\"a\":{\"b\":[1,2]}}", "n0:1 n1:2"},
    {"a.b[]", "{\"a\":1}", ""},
    {"a[][]", "{\"a\":[[1,2],[],3,null,[4]]}", "n00:1 n01:2 n2*:3 n40:4"},
    {"a[].b[].c", "{\"a\":[{\"b\":[{\"c\":1},{}]},{},{\"b\":5},{\"b\":[6]}]}", "n00:1 -01 n2*:5 -30"},
    {"a[][][][]", "{\"a\":[[[[1]]],[[2]]]}", "n0000:1 n100*:2"},
    {"a[].b[]", "{\"a\":8}", "n*0:8"},
};

static void check_paths(void)
{
    for (size_t i = 0; i < COUNT(path_cases); i++) {
        compare_text(&path_cases[i].path, 1, path_cases[i].line, strlen(path_cases[i].line));
        json_run run = json_open(&path_cases[i].path, 1);
        json_split(&run, path_cases[i].line, strlen(path_cases[i].line));
        json_compare(&run, &path_cases[i].path, 1, 0, 1, NULL);
        char answer[512];
        describe(&run, answer);
        if (!CHECK(strcmp(answer, path_cases[i].answer) == 0)) {
            fprintf(stderr, "    %s in %s: %s\n", path_cases[i].path, path_cases[i].line, answer);
        }
        json_close(&run);
    }
}

static void check_bad_paths(void)
{
    static const struct {
        const char *path;
        size_t offset;
    } cases[] = {{"[]", 0},
                 {".", 0},
                 {".a", 0},
                 {"a.", 2},
                 {"a..b", 2},
                 {"a[", 1},
                 {"a[0]", 1},
                 {"a]", 1},
                 {"a[]b", 3},
                 {"a[].", 4},
                 {"a[]]", 3},
                 {"a.[]", 2},
                 {"a[][][][][].b", 9},
                 {"a[]\\.b", 3},
                 {"a\\[]", 3}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const assay_text names[] = {{(const uint8_t *)"ok", 2},
                                    {(const uint8_t *)cases[i].path, strlen(cases[i].path)}};
        size_t bad = 7;
        assay_error error = {0};
        CHECK(assay_json_paths_create(names, 2, &bad, &error) == NULL);
        CHECK_EQUAL(bad, 1);
        if (!CHECK(error.status == ASSAY_BAD_DESCRIPTION && error.offset == cases[i].offset)) {
            fprintf(stderr, "    %s: %zu %s\n", cases[i].path, error.offset, error.message);
        }
    }
    assay_json_paths_free(NULL);
    assay_json_reader_free(NULL);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Slices
 * ------------------------------------------------------------------------------------------------------------- */

static void check_slices(void)
{
    static char text[100000];
    size_t count = 0;
    for (int i = 0; i < 1000; i++) {
        count += (size_t)sprintf(text + count, "{\"a\":[%d,\"\\u00e9\"],\"b\":\"x\\n%d\"%s}\n", i, i, i % 7 ? "" : ",");
    }
    json_run run = json_open(some_names, COUNT(some_names));
    json_split(&run, text, count);
    uint64_t skip[16];
    for (size_t i = 0; i < COUNT(skip); i++) skip[i] = UINT64_C(0x8421084210842108) << i;
    json_compare(&run, some_names, COUNT(some_names), 0, 100, NULL);
    json_compare(&run, some_names, COUNT(some_names), 100, 700, skip);
    json_compare(&run, some_names, COUNT(some_names), 800, 0, NULL);
    CHECK_EQUAL(assay_json_element_count(run.reader, 0), 0);
    json_compare(&run, some_names, COUNT(some_names), 800, 200, skip);
    json_close(&run);
}

/* More names, longer names and more shapes than the reader caches. */
static void check_many_names(void)
{
    static char text[1 << 21];
    static const char *const names[] = {"k5", "k70", "k100.x", "o.k80",
                                        ("\xC3\xA9"
                                         "90")};
    const int counts[] = {15, 16, 17, 63, 64, 65, 66, 100, 1000};
    for (size_t c = 0; c < COUNT(counts); c++) {
        for (int variant = 0; variant < 6; variant++) {
            const int number = counts[c];
            size_t count = 0;
            for (int line = 0; line < 2; line++) {
                count += (size_t)sprintf(text + count, "{\"o\":{");
                for (int i = 0; i < number; i++) {
                    count += (size_t)sprintf(text + count, "%s\"%s%d\":%d", i > 0 ? "," : "",
                                             variant == 5 && i % 3 == 0 ? "\\u00e9" : "k", i, i);
                }
                if (variant == 1) count += (size_t)sprintf(text + count, ",\"k3\":1");
                if (variant == 2) count += (size_t)sprintf(text + count, ",\"k%d\":1,\"k1\":2", number - 1);
                count += (size_t)sprintf(text + count, "}");
                for (int i = 0; i < number; i++) count += (size_t)sprintf(text + count, ",\"k%d\":{\"x\":1}", i);
                if (variant == 3) count += (size_t)sprintf(text + count, ",\"\\u006b2\":1,\"n\":{\"q\":1,\"q\":2}");
                if (variant == 4) count += (size_t)sprintf(text + count, ",\"k2\" 5");
                count += (size_t)sprintf(text + count, "}\n");
            }
            compare_text(names, COUNT(names), text, count);
        }
    }
    /* Different objects until all shapes are in use, and then the same objects again. */
    size_t count = 0;
    for (int i = 0; i < 3000; i++) {
        count += (size_t)sprintf(text + count, "{\"k%d\":1,\"k%d\":{\"x\":%d},\"k5\":\"y\"%s}\n", i % 1500, i % 1501, i,
                                 i % 11 == 0 ? ",\"k5\":1" : "");
    }
    json_run run = json_open(names, COUNT(names));
    json_split(&run, text, count);
    json_compare(&run, names, COUNT(names), 0, 2000, NULL);
    json_compare(&run, names, COUNT(names), 2000, 1000, NULL);
    json_close(&run);
}

/* Lines that end inside a long name from an earlier line. Sanitizers detect reads beyond the end. */
static void check_cut_names(void)
{
    static const char *const names[] = {"a"};
    char name[241], text[400];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    json_run run = json_open(names, COUNT(names));
    json_split(&run, text, (size_t)sprintf(text, "{\"%s\":1}", name));
    json_compare(&run, names, COUNT(names), 0, 1, NULL);
    for (int length = 1; length < (int)sizeof name; length++) {
        json_split(&run, text, (size_t)sprintf(text, "{\"%.*s", length, name));
        json_compare(&run, names, COUNT(names), 0, 1, NULL);
    }
    json_close(&run);
}

/* Names with equal hashes, for which the reader abandons the hash table. The second word of eight bytes equals the
   hash state after the first, which cancels both. An attacker would need the seed to construct such names. */
static void check_hostile_names(void)
{
    enum { NAMES = 2048, LENGTH = 24 };
    static char text[(NAMES + 1) * (LENGTH + 8) + 1000];
    for (int has_duplicate = 0; has_duplicate < 2; has_duplicate++) {
        size_t count = (size_t)sprintf(text, "{\"a\":{");
        const size_t start = count;
        for (int made = 0, number = 0; made < NAMES; number++) {
            char name[LENGTH + 1];
            snprintf(name, sizeof name, "%08x________ & so on", number);
            uint64_t first;
            memcpy(&first, name, sizeof first);
            const uint64_t second = assay_hash_mix(assay_hash_mix(assay_hash_seed(), LENGTH), first);
            memcpy(name + 8, &second, sizeof second);
            bool needs_escape = false;
            for (int i = 8; i < 16; i++) {
                needs_escape = needs_escape || (uint8_t)name[i] < ' ' || name[i] == '"' || name[i] == '\\';
            }
            if (needs_escape) continue;
            static uint64_t hash;
            if (hash == 0) hash = assay_hash_bytes((const uint8_t *)name, LENGTH);
            CHECK_EQUAL(assay_hash_bytes((const uint8_t *)name, LENGTH), hash);
            text[count++] = '"';
            memcpy(text + count, name, LENGTH);
            count += LENGTH;
            count += (size_t)sprintf(text + count, "\":1,");
            made++;
        }
        if (has_duplicate) {
            memcpy(text + count, text + start, LENGTH + 5);
            count += LENGTH + 5;
        }
        count += (size_t)sprintf(text + count - 1, "},\"b\":1}") - 1;
        compare_text(some_names, 3, text, count);
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * The suite
 * ------------------------------------------------------------------------------------------------------------- */

static bool evaluate_document(const uint8_t *text, size_t count, bool *is_line)
{
    json_run run = json_open(NULL, 0);
    json_split(&run, text, count);
    *is_line = run.batch->record_count == 1;
    json_compare(&run, NULL, 0, 0, run.batch->record_count, NULL);
    const bool is_good =
        *is_line && assay_json_malformed(run.reader)[0] == 0 && assay_utf8_valid_prefix(text, count) == count;
    json_close(&run);
    return is_good;
}

static void check_file(const char *name, const uint8_t *text, size_t count)
{
    static uint8_t wrapped[1 << 20];
    bool is_line;
    bool is_good;
    if (count > 0 && text[0] == '{') {
        is_good = evaluate_document(text, count, &is_line);
    } else {
        /* A document other than an object becomes the value of a member. A line feed after the document moves after
           the object. */
        size_t inner = count;
        while (inner > 0 && text[inner - 1] == '\n') inner--;
        memcpy(wrapped, "{\"a\":", 5);
        memcpy(wrapped + 5, text, inner);
        wrapped[5 + inner] = '}';
        is_good = evaluate_document(wrapped, inner + 6, &is_line);
    }
    /* A document over several lines is not a JSON line and must be rejected. */
    if (name[0] == 'i' || (name[0] == 'y' && !is_line)) return;
    /* Assay rejects duplicate names, which the suite leaves to the implementation. */
    const bool has_duplicates = strstr(name, "duplicated_key") != NULL;
    if (!CHECK_EQUAL(is_good, name[0] == 'y' && !has_duplicates)) fprintf(stderr, "    %s\n", name);
}

static void check_suite(void)
{
    char suite[TEST_PATH];
    test_suite_path(suite, "JSONTestSuite/test_parsing");
    DIR *folder = opendir(suite);
    if (folder == NULL) {
        printf("skipped: no suite at %s\n", suite);
        return;
    }
    static uint8_t text[1 << 20];
    unsigned found = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[2 * TEST_PATH];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", suite, entry->d_name);
        FILE *file = fopen(path, "rb");
        if (!CHECK(file != NULL)) continue;
        const size_t count = fread(text, 1, sizeof text - 8, file);
        fclose(file);
        check_file(entry->d_name, text, count);
        found++;
    }
    closedir(folder);
    CHECK(found >= 300);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Generated lines
 * ------------------------------------------------------------------------------------------------------------- */

typedef struct generator {
    test_random random;
    char *text;
    size_t count;
} generator;

static void put_text(generator *it, const char *text)
{
    const size_t count = strlen(text);
    memcpy(it->text + it->count, text, count);
    it->count += count;
}

static void put_one_of(generator *it, const char *const *texts, size_t count)
{
    put_text(it, texts[test_random_below(&it->random, (uint32_t)count)]);
}

static void put_space(generator *it)
{
    static const char *const spaces[] = {"", "", "", "", "", "", " ", "\t", "  ", " \r "};
    put_one_of(it, spaces, COUNT(spaces));
}

/* A string of escapes, mostly surrogates. One in two contains a lone surrogate. */
static void put_surrogates(generator *it)
{
    static const char *const escapes[] = {
        "\\ud800\\udc00", "\\uDBFF\\uDFFF", "\\ud83d\\ude00", "\\ud7ff", "\\ue000", "\\n", "x",
        "\\\\",           "\\ud83d",        "\\ude00"};
    put_text(it, "\"");
    for (uint32_t i = test_random_below(&it->random, 8); i > 0; i--) put_one_of(it, escapes, COUNT(escapes));
    put_text(it, "\"");
}

static void put_value(generator *it, int depth)
{
    static const char *const scalars[] = {"1",
                                          "-0",
                                          "0.5",
                                          "12345678",
                                          "123456789.123456789e-10",
                                          "true",
                                          "false",
                                          "null",
                                          "\"\"",
                                          "\"x\"",
                                          "\"\\u00e9\\ud83d\\ude00\"",
                                          "\"\\ud83d\\ude00\\ue000\"",
                                          "\"\xE6\x97\xA5\"",
                                          ("\"a longer text that goes past sixty-four bytes, as "
                                           "some comments do in files\""),
                                          "\"anna@example.org\"",
                                          "\"\\\\\""};
    static const char *const names[] = {"\"a\"", "\"b\"",   "\"c\"", "\"a.b\"",           "\"\\u0061\"",
                                        "\"b\"", "\"a[]\"", "\"\"",  "\"a longer name\"", "\"a\\\\.b\"",
                                        "\"d\"", "\"e\"",   "\"f\""};
    const uint32_t choice = test_random_below(&it->random, 10);
    if (depth > 0 && (choice < 6 || depth > 4)) {
        if (test_random_below(&it->random, 40) == 0) {
            put_surrogates(it);
        } else {
            put_one_of(it, scalars, COUNT(scalars));
        }
        return;
    }
    const bool is_object = depth == 0 || choice < 8;
    const uint32_t members = test_random_below(&it->random, 5);
    /* Names are used in order, so that most are different. */
    uint32_t name = 0;
    put_text(it, is_object ? "{" : "[");
    for (uint32_t i = 0; i < members; i++) {
        put_space(it);
        if (is_object) {
            put_text(it, names[name % COUNT(names)]);
            name += 1 + test_random_below(&it->random, 3);
            put_space(it);
            put_text(it, ":");
            put_space(it);
        }
        put_value(it, depth + 1);
        put_space(it);
        if (i + 1 < members) put_text(it, ",");
    }
    put_text(it, is_object ? "}" : "]");
}

static void mutate(generator *it, size_t start)
{
    static const char bytes[] = "{}[]:,\"\\ \t0123456789-+.eEtrufalsn.au\x01\r";
    for (uint32_t i = test_random_below(&it->random, 4); i > 0 && it->count > start; i--) {
        const size_t at = start + test_random_below(&it->random, (uint32_t)(it->count - start));
        const char byte = bytes[test_random_below(&it->random, sizeof bytes)];
        switch (test_random_below(&it->random, 4)) {
        case 0:
            it->text[at] = byte;
            break;
        case 1:
            memmove(it->text + at, it->text + at + 1, it->count - at - 1);
            it->count--;
            break;
        case 2:
            memmove(it->text + at + 1, it->text + at, it->count - at);
            it->text[at] = byte;
            it->count++;
            break;
        default:
            it->count = at + 1;
        }
    }
}

static void check_generated(void)
{
    static char text[1 << 20];
    static const char *const names[] = {"a",         "b",       "a.b", "a.b.c", "a[]",   "a[].b",   "a[][]",
                                        "a[].b[].c", "c.a[].b", "a",   "",      "a\\.b", "a\\[\\]", "b.a",
                                        "a[].b.c",   "c",       "d",   "e",     "f"};
    generator it = {test_random_of(6), text, 0};
    json_run run = json_open(names, COUNT(names));
    for (int round = 0; round < 300; round++) {
        it.count = 0;
        for (int line = 0; line < 100; line++) {
            const size_t start = it.count;
            put_space(&it);
            put_value(&it, 0);
            put_space(&it);
            mutate(&it, start);
            if (line % 100 != 99 || round % 2 == 0) put_text(&it, "\n");
        }
        if (round % 3 == 2) it.count = test_random_below(&it.random, 80);
        json_split(&run, text, it.count);
        const uint32_t half = run.batch->record_count / 2;
        json_compare(&run, names, COUNT(names), 0, half, NULL);
        json_compare(&run, names, COUNT(names), half, run.batch->record_count - half, NULL);
    }
    json_close(&run);
}

/* The rows with a value that is outside all paths. */
static void check_unnamed(void)
{
    static const char *const names[] = {"a", "b.c", "t[]", "i[].x", ""};
    static const struct {
        const char *line;
        bool is_unnamed;
    } cases[] = {
        {"{\"a\":1,\"b\":{\"c\":\"x\"},\"t\":[1,2],\"i\":[{\"x\":true}],\"\":0}", false},
        {"{\"z\":null,\"y\":{},\"x\":[]}", false},
        {"{\"z\":1}", true},
        {"{\"z\":\"s\"}", true},
        {"{\"z\":{\"y\":[false]}}", true},
        {"{\"a\":{\"y\":1}}", true},
        {"{\"b\":1}", true},
        {"{\"b\":null}", false},
        {"{\"t\":3}", true},
        {"{\"i\":[4]}", true},
        {"{\"\":{\"z\":1}}", true},
        {"{\"z\":1", false},
    };
    json_run run = json_open(names, COUNT(names));
    for (size_t i = 0; i < COUNT(cases); i++) {
        json_split(&run, cases[i].line, strlen(cases[i].line));
        uint32_t used = run.batch->consumed;
        CHECK(assay_json_read(run.reader, run.batch, run.bytes, &used, 0, 1, NULL) == ASSAY_OK);
        if (!CHECK(assay_json_unnamed(run.reader)[0] == (cases[i].is_unnamed ? 1 : 0))) {
            fprintf(stderr, "    %s\n", cases[i].line);
        }
    }
    json_close(&run);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Walking, and ends of objects
 * ------------------------------------------------------------------------------------------------------------- */

static void note_visit(void *context, const char *path, size_t path_count, assay_json_kind kind)
{
    char *answer = context;
    sprintf(answer + strlen(answer), "%.*s=%c ", (int)path_count, path, "-0snboa"[kind]);
}

static void check_walk(void)
{
    static const struct {
        const char *line, *answer;
    } cases[] = {
        {"{}", ""},
        {" {\"a\" : 1 , \"b\":\"x\",\"c\":true,\"d\":false,\"e\":null} \r\n", "a=n b=s c=b d=b e=0 "},
        {"{\"a\":{\"b\":1,\"c\":{\"d\":2}},\"e\":3}", "a.b=n a.c.d=n e=n "},
        {"{\"t\":[1,\"x\",[2]],\"i\":[{\"p\":1,\"q\":2},{\"p\":-1.5e+3}],\"z\":0}",
         "t[]=n t[]=s t[][]=n i[].p=n i[].q=n i[].p=n z=n "},
        {"{\"a.b\":1,\"c[]\":2,\"d\\\\e\":{\"\\u00e9\":\"\\\"}\"}}", "a\\.b=n c\\[\\]=n d\\\\e.\xC3\xA9=s "},
        {"{\"\":1,\"a\":{\"\":2,\"b\":3},\"f\":[[[[[1]]]],5]}", "=n a.b=n f[]=n "},
        {"{\"\":{\"z\":1,\"y\":[2]},\"b\":3}", "b=n "},
        {"{\"\":[1],\"b\":3}", "b=n "},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char answer[512] = "";
        /* In memory of exactly its size. */
        const size_t count = strlen(cases[i].line);
        uint8_t *copy = malloc(count);
        if (copy == NULL) abort();
        memcpy(copy, cases[i].line, count);
        CHECK(assay_json_walk(copy, count, note_visit, answer) == ASSAY_OK);
        if (!CHECK(strcmp(answer, cases[i].answer) == 0)) fprintf(stderr, "    %s\n", answer);
        free(copy);
    }
    static const char *const bad[] = {"", " ", "[1]", "{\"a\":1,\"a\":2}", "{\"a\":1}}", "{"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        char answer[512] = "";
        CHECK(assay_json_walk((const uint8_t *)bad[i], strlen(bad[i]), note_visit, answer) == ASSAY_BAD_DESCRIPTION);
        CHECK(answer[0] == '\0');
    }
}

static void check_object_end(void)
{
    static const struct {
        const char *line;
        size_t place;
        bool is_empty;
    } cases[] = {{"{}", 1, true},          {" { } \r\n", 3, true},     {"{\"a\":1}\n", 6, false},
                 {"{\"a\":{}}", 7, false}, {"{\"a\":{} } ", 8, false}, {"{\"a\":\"{\"}", 8, false},
                 {"", SIZE_MAX, false},    {"  ", SIZE_MAX, false},    {"[]", SIZE_MAX, false},
                 {"}", 0, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        bool is_empty;
        CHECK_EQUAL(assay_json_object_end((const uint8_t *)cases[i].line, 0, strlen(cases[i].line), &is_empty),
                    cases[i].place);
        CHECK_EQUAL(is_empty, cases[i].is_empty);
    }
}

int main(void)
{
    check_bad_paths();
    check_object_end();
    for (size_t p = 0; test_select_cpu(p); p++) {
        check_grammar();
        check_lengths();
        check_depth();
        check_paths();
        check_slices();
        check_many_names();
        check_cut_names();
        check_hostile_names();
        check_suite();
        check_generated();
        check_unnamed();
        check_walk();
    }
    return test_result();
}
