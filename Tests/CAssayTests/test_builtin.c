/* Built-in types: accepted values, the nearest misses, and properties of all types. */
#include "test_pattern_support.h"

#include "Types/Builtin/builtin_tables.h"

/* The lines of Tests/Types/cases.tsv: a format, whether the value is valid, and the value. */
typedef struct type_case {
    char *type;
    bool passes;
    uint8_t *value;
    size_t count;
} type_case;

static type_case cases[4096];
static size_t case_count;

/* Replaces "\\\\" and "\\xHH" by their bytes, in place. */
static size_t unescape(char *text)
{
    size_t written = 0;
    for (const char *at = text; *at != 0; at++) {
        unsigned byte = (unsigned char)*at;
        if (at[0] == '\\' && at[1] == '\\') {
            at++;
        } else if (at[0] == '\\' && sscanf(at, "\\x%2x", &byte) == 1) {
            at += 3;
        }
        text[written++] = (char)byte;
    }
    return written;
}

/* Reads a file of Tests/Types into `text`. The cases point into it. */
static bool read_lines(const char *path, char *text, size_t capacity, void (*line_read)(char *line))
{
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL)) return false;
    size_t count = fread(text, 1, capacity - 1, file);
    fclose(file);
    if (!CHECK(count < capacity - 1)) return false;
    text[count] = 0;
    for (char *line = text; line < text + count;) {
        char *end = strchr(line, '\n');
        if (end == NULL) break;
        *end = 0;
        if (line[0] != '#' && strchr(line, '\t') != NULL) line_read(line);
        line = end + 1;
    }
    return true;
}

static void read_case(char *line)
{
    char *sign = strchr(line, '\t');
    if (!CHECK(case_count < sizeof cases / sizeof cases[0])) return;
    *sign++ = 0;
    cases[case_count++] = (type_case){line, *sign == '+', (uint8_t *)sign + 2, unescape(sign + 2)};
}

static assay_check *make(const char *type, uint32_t options)
{
    assay_error error = {.offset = 0};
    assay_check *check = assay_check_create_builtin((assay_text){(const uint8_t *)type, strlen(type)}, options, &error);
    if (check == NULL) fprintf(stderr, "%s: %s at %zu\n", type, error.message, error.offset);
    const assay_pattern *pattern = check == NULL ? NULL : assay_check_pattern(check);
    /* Builds the DFA at once; otherwise it is built only after thousands of values. */
    if (pattern != NULL) assay_pattern_get_dfa(pattern);
    return check;
}

static bool is_of(const char *format, const char *name)
{
    size_t length = strlen(name);
    return strncmp(format, name, length) == 0 && (format[length] == 0 || format[length] == ' ');
}

/* The index after the last case with the format of case `first`. */
static size_t end_of_format(size_t first)
{
    size_t end = first;
    while (end < case_count && strcmp(cases[end].type, cases[first].type) == 0) end++;
    return end;
}

static void test_cases(assay_scratch *scratch)
{
    for (size_t first = 0; first < case_count; first = end_of_format(first)) {
        for (size_t engine = 0; engine < ENGINES; engine++) {
#ifndef ASSAY_PCRE2
            if (strcmp(cases[first].type, "regex") == 0) continue; /* which patterns are valid depends on the build */
#endif
            assay_check *check = make(cases[first].type, engines[engine]);
            for (size_t i = first; CHECK(check != NULL) && i < end_of_format(first); i++) {
                assay_verdict verdict = assay_check_value(check, scratch, cases[i].value, cases[i].count);
                if (CHECK(verdict == (cases[i].passes ? ASSAY_PASS : ASSAY_FAIL))) continue;
                fprintf(stderr, "    %s: \"%.*s\"\n", cases[i].type, (int)cases[i].count, (char *)cases[i].value);
            }
            assay_check_free(check);
        }
    }
    /* Every type has valid and invalid cases. */
    for (size_t i = 0; assay_builtin_at(i) != NULL; i++) {
        bool has[2] = {false, false};
        for (size_t j = 0; j < case_count; j++) has[cases[j].passes] |= is_of(cases[j].type, assay_builtin_at(i)->name);
        if (!CHECK(has[0] && has[1])) fprintf(stderr, "    %s\n", assay_builtin_at(i)->name);
    }
}

/* Inputs that no type may mishandle: empty text, NUL, a final line feed, digits of other scripts, very long text. */
static void test_every_type(assay_scratch *scratch)
{
    enum { huge_count = 1 << 18 };
    uint8_t *huge = malloc(huge_count);
    if (!CHECK(huge != NULL)) return;
    for (size_t i = 0; assay_builtin_at(i) != NULL; i++) {
        const assay_builtin_info *info = assay_builtin_at(i);
        CHECK(info->display_name[0] != 0 && info->profile[0] != 0 && (info->source[0] == 0) == (info->edition[0] == 0));
        CHECK(assay_builtin_find((assay_text){(const uint8_t *)info->name, strlen(info->name)}) == info);
        assay_check *check = make(info->name, 0);
        if (!CHECK(check != NULL)) continue;
        size_t length = strlen(info->example);
        uint8_t text[256];
        memcpy(text, info->example, length);
        bool good = assay_check_value(check, scratch, text, length) == ASSAY_PASS;
        text[length] = '\n';
        bool newline = assay_check_value(check, scratch, text, length + 1) != ASSAY_FAIL;
        if (!CHECK(good && !newline)) fprintf(stderr, "    %s\n", info->name);
        /* Any verdict is allowed, but it must be fast, because an inefficient pattern would take hours. */
        static const char *const hostile[] = {"a",  "1", "a.", "a-", "0", "1:", "::", "%41", "aA1-", "{a}",
                                              "[[", "/", "\"", "-",  ".", " ",  "'a", "é",   "+1",   "1,"};
        for (size_t j = 0; j < sizeof hostile / sizeof hostile[0]; j++) {
            size_t step = strlen(hostile[j]);
            for (size_t at = 0; at + step <= huge_count; at += step) memcpy(huge + at, hostile[j], step);
            size_t count = huge_count / step * step;
            assay_verdict verdict = assay_check_value(check, scratch, huge, count);
            memcpy(huge + count - step, "!!!!", step < 4 ? step : 4);
            assay_verdict other = assay_check_value(check, scratch, huge, count);
            CHECK(verdict <= ASSAY_UNDECIDED && other <= ASSAY_UNDECIDED);
        }
        assay_check_free(check);
    }
    free(huge);
}

/* The verdicts of a column are those of its values. It has more than two groups of 2,048 rows (ASSAY_DFA_ROWS), and
   skips single rows, whole words and a whole group. */
static void test_columns(assay_scratch *scratch)
{
    enum { rows = 6200, words = (rows + 63) / 64, capacity = 1 << 22 };
    static uint8_t bytes[capacity];
    static uint64_t skips[3][words];
    memset(skips[2], 0xFF, 2048 / 8);
    for (size_t word = 0; word < words; word++) skips[1][word] = word % 4 == 2 ? UINT64_MAX : word % 4 == 0 ? 5 : 0;
    for (size_t first = 0; first < case_count; first = end_of_format(first)) {
        assay_check *check = make(cases[first].type, 0);
        if (!CHECK(check != NULL)) continue;
        static assay_cell cells[rows];
        static assay_verdict verdicts[rows];
        uint32_t used = 0;
        const size_t distinct = end_of_format(first) - first;
        for (size_t row = 0; row < rows; row++) {
            const type_case *one = &cases[first + row % distinct];
            if (!CHECK(used + one->count <= capacity)) return;
            cells[row] = (assay_cell){used, (uint32_t)one->count};
            memcpy(bytes + used, one->value, one->count);
            used += (uint32_t)one->count;
            verdicts[row] =
                row < distinct ? assay_check_value(check, scratch, one->value, one->count) : verdicts[row - distinct];
        }
        for (int i = 0; i < 3; i++) {
            uint64_t failed[words], undecided[words];
            assay_check_column(check, scratch, bytes, cells, rows, i == 0 ? NULL : skips[i], failed, undecided);
            size_t wrong = 0;
            for (size_t row = 0; row < rows; row++) {
                const bool skipped = (skips[i][row / 64] >> row % 64 & 1) != 0;
                wrong += (failed[row / 64] >> row % 64 & 1) != (!skipped && verdicts[row] == ASSAY_FAIL);
                wrong += (undecided[row / 64] >> row % 64 & 1) != (!skipped && verdicts[row] == ASSAY_UNDECIDED);
            }
            if (!CHECK_EQUAL(wrong, 0)) fprintf(stderr, "    %s\n", cases[first].type);
            CHECK_EQUAL(failed[words - 1] >> rows % 64, 0);
        }
        assay_check_free(check);
    }
}

/* The type `regex` accepts a text if and only if it compiles. The texts are random sequences of pattern fragments. */
static void test_regex(assay_scratch *scratch)
{
    static const char *const pieces[] = {
        "a", "b",   "Z",   "0",  ".",   "|",   "^",   "$",    "(",   "(?:",   "(?<n>", ")",    "[",      "[^", "]",
        "-", "a-z", "\\d", "\\", "\\.", "?",   "*",   "+",    "{2}", "{1,}",  "{3,2}", "{,2}", "{2,30}", "{",  "}",
        "é", ",",   ":",   "[:", "\\b", "\\1", "(?=", "(?<=", "(*",  "(?R)?", "#",     " ",    "\\w-",   "_"};
    assay_check *check = make("regex", 0);
    /* The options for running the check must not change the verdict. */
    assay_check *interpreted = make("regex", ASSAY_PATTERN_NO_JIT);
    if (!CHECK(check != NULL && interpreted != NULL)) return;
    uint64_t state = test_random_of(1).state;
    size_t passed = 0;
    const unsigned long rounds = test_rounds(200000);
    for (unsigned long round = 0; round < rounds; round++) {
        uint8_t text[128];
        size_t count = 0;
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        for (uint64_t bits = state >> 8, parts = 1 + bits % 9; parts > 0; parts--) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            const char *piece = pieces[(state >> 33) % (sizeof pieces / sizeof pieces[0])];
            memcpy(text + count, piece, strlen(piece));
            count += strlen(piece);
        }
        assay_pattern *pattern = assay_pattern_create(text, count, ASSAY_PATTERN_NO_JIT, 0, NULL);
        assay_error error = {.status = ASSAY_OK};
        if (pattern == NULL) pattern = assay_pattern_create(text, count, 0, 0, &error);
        assay_verdict verdict = assay_check_value(check, scratch, text, count);
        CHECK_EQUAL(assay_check_value(interpreted, scratch, text, count), verdict);
        /* Without JIT, and with JIT for patterns such as [(*(?R)], assay_pattern_create also rejects patterns that
           only seem to contain a construct that PCRE2 handles incorrectly. The type accepts them. */
        if (pattern == NULL && strstr(error.message, "JIT cannot be used") != NULL) continue;
        if (!CHECK_EQUAL(verdict == ASSAY_PASS, pattern != NULL)) fprintf(stderr, "    %.*s\n", (int)count, text);
        passed += pattern != NULL;
        assay_pattern_free(pattern);
    }
    CHECK(passed > rounds / 10 && passed < rounds * 9 / 10);
    /* PCRE2 folds the case of a range character by character, which takes milliseconds for a full range. The verdict
       is undecided if the ranges of a value have more characters than builtin_regex.c allows. */
    static const char fold_one[] = "(?i)[\\n-\\x{10ffff}]";
    static const char fold_many[] = "(?i)[\\n-\\x{10ffff}][!\\E-\\x{10ffff}][\\x{00000000000000021}-\\x{10ffff}]";
    CHECK_EQUAL(assay_check_value(check, scratch, (const uint8_t *)"(?i)[a-z]", 9), ASSAY_PASS);
    CHECK_EQUAL(assay_check_value(check, scratch, (const uint8_t *)fold_one, strlen(fold_one)), ASSAY_UNDECIDED);
    CHECK_EQUAL(assay_check_value(check, scratch, (const uint8_t *)fold_many, strlen(fold_many)), ASSAY_UNDECIDED);
    assay_check_free(check);
    assay_check_free(interpreted);
}

/* The lines of Tests/Types/reasons.tsv. */
typedef struct reason_case {
    char *type;
    char *reason;
    uint8_t *value;
    size_t count;
} reason_case;

static reason_case reason_cases[512];
static size_t reason_case_count;

static void read_reason(char *line)
{
    char *reason = strchr(line, '\t');
    *reason++ = 0;
    char *value = strchr(reason, '\t');
    if (!CHECK(value != NULL && reason_case_count < sizeof reason_cases / sizeof reason_cases[0])) return;
    *value++ = 0;
    reason_cases[reason_case_count++] = (reason_case){line, reason, (uint8_t *)value, unescape(value)};
}

static void test_reasons(assay_scratch *scratch)
{
    for (size_t i = 0; i < reason_case_count; i++) {
        const reason_case *one = &reason_cases[i];
        assay_check *check = make(one->type, 0);
        if (!CHECK(check != NULL)) continue;
        CHECK(assay_check_value(check, scratch, one->value, one->count) == ASSAY_FAIL);
        const assay_failure_reason *reason = assay_check_failure_reason(check, scratch, one->value, one->count);
        const char *name = reason == NULL ? "-" : reason->name;
        if (!CHECK(strcmp(name, one->reason) == 0)) {
            fprintf(stderr, "    %s: %s for \"%.*s\"\n", one->type, name, (int)one->count, (char *)one->value);
        }
        assay_check_free(check);
    }
    /* Every failure reason except that of repairs must occur in a case, and names must be unique. */
    for (size_t i = 0; assay_failure_reason_at(i) != NULL; i++) {
        bool found = strcmp(assay_failure_reason_at(i)->name, "ambiguous") == 0;
        for (size_t j = 0; j < reason_case_count; j++)
            found |= strcmp(reason_cases[j].reason, assay_failure_reason_at(i)->name) == 0;
        for (size_t j = 0; j < i; j++)
            CHECK(strcmp(assay_failure_reason_at(j)->name, assay_failure_reason_at(i)->name) != 0);
        if (!CHECK(found)) fprintf(stderr, "    %s\n", assay_failure_reason_at(i)->name);
    }
    /* Valid values have no reason. */
    for (size_t first = 0; first < case_count; first = end_of_format(first)) {
        assay_check *check = make(cases[first].type, 0);
        for (size_t i = first; CHECK(check != NULL) && i < end_of_format(first); i++) {
            const assay_failure_reason *reason =
                assay_check_failure_reason(check, scratch, cases[i].value, cases[i].count);
            CHECK(!cases[i].passes || reason == NULL);
        }
        assay_check_free(check);
    }
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return *state >> 33;
}

/* Makes up to three typical mistakes in a value. Returns its new length, which is at most six bytes more. */
static size_t spoil(uint8_t *value, size_t count, uint64_t *state)
{
    static const char *const pieces[] = {" ", "-", ".",  "/",    "@",  "a",      "Z",
                                         "0", "9", "\n", "\r\n", "\t", "\u0663", "\u00E9"};
    for (uint64_t mistakes = next_random(state) % 4; mistakes > 0; mistakes--) {
        const size_t place = next_random(state) % (count + 1);
        const uint8_t low = next_random(state) % 2 ? 'a' : 'A';
        switch (next_random(state) % 3) {
        case 0: { /* insert a character */
            const char *piece = pieces[next_random(state) % (sizeof pieces / sizeof pieces[0])];
            memmove(value + place + strlen(piece), value + place, count - place);
            memcpy(value + place, piece, strlen(piece));
            count += strlen(piece);
            break;
        }
        case 1: /* delete a byte */
            if (place == count) break;
            memmove(value + place, value + place + 1, count - place - 1);
            count--;
            break;
        default: /* swap the case of letters */
            for (size_t i = 0; i < count; i++) value[i] ^= value[i] >= low && value[i] < low + 26 ? 0x20 : 0;
        }
    }
    return count;
}

/* A column and single values yield the same failure reasons. Entries of rows that did not fail stay unchanged. */
static void test_flaws_of_columns(assay_scratch *scratch)
{
    enum { rows = 1024, max_bytes = 512, untouched = 0xEE };
    static uint8_t bytes[rows * max_bytes];
    uint64_t state = test_random_of(1).state;
    size_t found_count = 0;
    for (size_t first = 0; first < case_count; first = end_of_format(first)) {
        assay_check *check = make(cases[first].type, 0);
        if (!CHECK(check != NULL)) continue;
        assay_cell cells[rows];
        uint32_t used = 0;
        for (size_t row = 0; row < rows; row++) {
            const type_case *one = &cases[first + row % (end_of_format(first) - first)];
            if (!CHECK(one->count <= max_bytes - 6)) return;
            memcpy(bytes + used, one->value, one->count);
            size_t count = spoil(bytes + used, one->count, &state);
            count = assay_utf8_valid_prefix(bytes + used, count);
            cells[row] = (assay_cell){used, (uint32_t)count};
            used += (uint32_t)count;
        }
        uint64_t failed[rows / 64];
        uint64_t undecided[rows / 64];
        uint8_t found[rows];
        memset(found, untouched, sizeof found);
        assay_check_column(check, scratch, bytes, cells, rows, NULL, failed, undecided);
        assay_check_failure_reasons(check, scratch, bytes, cells, rows, failed, found);
        for (size_t row = 0; row < rows; row++) {
            const uint8_t *value = bytes + cells[row].start;
            const assay_failure_reason *reason = assay_check_failure_reason(check, scratch, value, cells[row].length);
            const bool has_failed = (failed[row / 64] >> row % 64 & 1) != 0;
            const size_t expected = !has_failed      ? untouched
                                    : reason == NULL ? 0
                                                     : (size_t)(reason - assay_failure_reason_at(0)) + 1;
            if (!CHECK_EQUAL(found[row], expected)) {
                fprintf(stderr, "    %s: \"%.*s\"\n", cases[first].type, (int)cells[row].length, (const char *)value);
            }
            found_count += reason != NULL;
        }
        assay_check_free(check);
    }
    CHECK(found_count > 10000);
}

static void test_mistakes(void)
{
    static const struct {
        const char *type;
        size_t offset;
        const char *message;
    } mistakes[] = {
        {"emial", 0, "no built-in type is called 'emial'"},
        {"", 0, "no built-in type is called ''"},
        {"email bogus", 6,
         "email has no option 'bogus' (known are quoted ip-literal unicode single-label numeric-tld)"},
        {"slug x", 5, "slug has no option 'x', nor any other"},
        {"email quoted quoted", 13, "the option 'quoted' is there twice"},
        {"email quoted=1", 6, "'quoted' takes no value"},
        {"decimal scale", 8, "'scale=' wants a number from 0 to 1000000"},
        {"decimal scale=x", 8, "'scale=' wants a number from 0 to 1000000"},
        {"decimal precision=2 scale=3", 20, "scale=3: the scale is not more than the precision"},
        {"decimal point=, group=,", 16, "group=,: point and group are the same"},
        {"date on=2023-02-29", 5, "'on=' wants a date, such as 2024-02-29"},
        {"uuid version=9", 5, "version=9: versions are 1 to 8, nil and max"},
        {"uuid version=", 5, "'version=' wants words with commas between"},
        {"iban country=US", 5, "country=US: no such country has IBANs"},
        {"ean length=12", 4, "length=12: an EAN has 8 or 13 digits"},
        {"ean length=14", 4, "length=14: an EAN has 8 or 13 digits"},
        {"text min=5 max=2", 11, "max=2: the longest is not shorter than the shortest"},
        {"date past future", 10, "future: no day is in the past and in the future"},
        {"date min-age=18 max-age=5", 16, "max-age=5: the highest age is not less than the lowest"},
        {"hex length=3 even", 4, "length=3: an odd length is not even"},
        {"phone region=XX", 6, "region=XX: regions are codes of ISO 3166 such as GB,IE"},
        {"postal-code country=XX", 12, "country=XX: no postal codes of such a country"},
        {"integer bits=12", 8, "bits=12: 8, 16, 32 or 64"},
        {"url schemes=HTTP", 4, "schemes=HTTP: schemes are words in lower case, such as https,ftp"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        assay_error error = {.offset = 99};
        assay_text text = {(const uint8_t *)mistakes[i].type, strlen(mistakes[i].type)};
        CHECK(assay_check_create_builtin(text, 0, &error) == NULL);
        CHECK(error.status == ASSAY_BAD_DESCRIPTION);
        if (!CHECK(error.offset == mistakes[i].offset && strcmp(error.message, mistakes[i].message) == 0)) {
            fprintf(stderr, "    %s: %s at %zu\n", mistakes[i].type, error.message, error.offset);
        }
    }
    CHECK(assay_check_create_builtin((assay_text){(const uint8_t *)"email\0x", 7}, 0, NULL) == NULL);
}

/* Each country adds an alternative to the pattern: 300 make it too long, 10 do not. */
static void test_too_many_values(void)
{
    for (int i = 0; i < 2; i++) {
        char text[1000] = "postal-code country=GB";
        for (int more = 1; more < (i == 0 ? 10 : 300); more++) strcat(text, ",GB");
        assay_error error = {.offset = 99};
        assay_check *check = assay_check_create_builtin((assay_text){(uint8_t *)text, strlen(text)}, 0, &error);
        CHECK_EQUAL(check != NULL, i == 0);
        if (i == 1) {
            CHECK(error.status == ASSAY_BAD_DESCRIPTION && error.offset == 0);
            CHECK(strcmp(error.message, "the options of postal-code have too many values: its pattern would be longer "
                                        "than 16383 bytes") == 0);
        }
        assay_check_free(check);
    }
}

/* Counts the suffixes reachable from a state, and the states that reach no suffix. */
static void count_suffixes(builtin_suffix_place place, size_t depth, size_t *suffixes, size_t *dead_ends)
{
    const size_t before = *suffixes;
    if (!CHECK(depth < 256)) return;
    const unsigned mark = builtin_suffixes_mark(place);
    if (!CHECK(mark <= 15)) return;
    *suffixes += mark != 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        builtin_suffix_place next = place;
        if (builtin_suffixes_step(&next, (uint8_t)byte)) count_suffixes(next, depth + 1, suffixes, dead_ends);
    }
    *dead_ends += *suffixes == before;
}

static unsigned suffix_mark(const char *suffix)
{
    builtin_suffix_place place = builtin_suffixes_end();
    for (size_t i = strlen(suffix); i-- > 0;) {
        if (!builtin_suffixes_step(&place, (uint8_t)suffix[i])) return 0;
    }
    return builtin_suffixes_mark(place);
}

/* The automaton of public suffixes: every path leads to a suffix, and each kind of rule has its mark. The generator
   compares it with the list. */
static void test_suffixes(void)
{
    size_t suffixes = 0, dead_ends = 0;
    count_suffixes(builtin_suffixes_end(), 0, &suffixes, &dead_ends);
    CHECK(suffixes > 10000);
    CHECK_EQUAL(dead_ends, 0);
    static const struct {
        const char *suffix;
        unsigned mark;
    } known[] = {{"com", 1},          {"co.uk", 1},     {"ck", 2},
                 {"www.ck", 4},       {"github.io", 9}, {"kobe.jp", 2},
                 {"city.kobe.jp", 4}, {"公司.cn", 1},   {"xn--55qx5d.cn", 1},
                 {"o.uk", 0},         {".co.uk", 0},    {"xco.uk", 0},
                 {"example.com", 0},  {"", 0},          {"m", 0}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!CHECK_EQUAL(suffix_mark(known[i].suffix), known[i].mark)) fprintf(stderr, "    %s\n", known[i].suffix);
    }
}

static char case_text[1 << 18];
static char reason_text[1 << 16];

/* Checks other than built-in types have no failure reasons. */
static void test_flaws_of_others(assay_scratch *scratch)
{
    assay_check *check = assay_check_create_length(1, 2, ASSAY_LENGTH_BYTES);
    const assay_cell cells[3] = {{0, 3}, {0, 1}, {0, 3}};
    const uint64_t failed = 5;
    uint8_t found[3] = {9, 9, 9};
    assay_check_failure_reasons(check, scratch, (const uint8_t *)"abc", cells, 3, &failed, found);
    CHECK(found[0] == 0 && found[1] == 9 && found[2] == 0);
    assay_check_free(check);
}

int main(void)
{
    assay_scratch *scratch = assay_scratch_create(NULL);
    if (!CHECK(scratch != NULL) || !read_lines(ASSAY_TYPE_CASES, case_text, sizeof case_text, read_case) ||
        !read_lines(ASSAY_TYPE_REASONS, reason_text, sizeof reason_text, read_reason)) {
        return test_result();
    }
    test_cases(scratch);
    test_every_type(scratch);
    test_columns(scratch);
    test_regex(scratch);
    test_reasons(scratch);
    test_flaws_of_columns(scratch);
    test_flaws_of_others(scratch);
    test_mistakes();
    test_too_many_values();
    test_suffixes();
    assay_scratch_free(scratch);
    return test_result();
}
