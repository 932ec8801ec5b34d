/* Built-in types: what each accepts and its nearest misses, and what holds for all of them. */
#include "test_pattern_support.h"

/* The lines of Tests/Types/cases.tsv: a format, whether the value is of it, and the value. */
typedef struct type_case {
    char *type;
    bool passes;
    uint8_t *value;
    size_t count;
} type_case;

static type_case cases[4096];
static size_t case_count;

/* "\\\\" and "\\xHH" become bytes, in place. */
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

/* Reads a file of Tests/Types into `text`, which the cases point into. */
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
    /* Its DFA at once, which is otherwise made after thousands of values. */
    if (pattern != NULL) assay_pattern_get_dfa(pattern);
    return check;
}

static bool is_of(const char *format, const char *name)
{
    size_t length = strlen(name);
    return strncmp(format, name, length) == 0 && (format[length] == 0 || format[length] == ' ');
}

/* The place behind the cases of the format that case `first` has. */
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
            assay_check *check = make(cases[first].type, engines[engine]);
            for (size_t i = first; CHECK(check != NULL) && i < end_of_format(first); i++) {
                assay_verdict verdict = assay_check_value(check, scratch, cases[i].value, cases[i].count);
                if (CHECK(verdict == (cases[i].passes ? ASSAY_PASS : ASSAY_FAIL))) continue;
                fprintf(stderr, "    %s: \"%.*s\"\n", cases[i].type, (int)cases[i].count, (char *)cases[i].value);
            }
            assay_check_free(check);
        }
    }
    /* No type goes without both. */
    for (size_t i = 0; assay_builtin_at(i) != NULL; i++) {
        bool has[2] = {false, false};
        for (size_t j = 0; j < case_count; j++) has[cases[j].passes] |= is_of(cases[j].type, assay_builtin_at(i)->name);
        if (!CHECK(has[0] && has[1])) fprintf(stderr, "    %s\n", assay_builtin_at(i)->name);
    }
}

/* What may not happen to any type: nothing, NUL, a line feed at the end, digits of another script, something huge. */
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
        /* Whatever it says of these, it says it soon: patterns that ask twice would take hours. */
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

/* A column says what its values say, skipped rows and all. */
static void test_columns(assay_scratch *scratch)
{
    enum { rows = 200 };
    static uint8_t bytes[1 << 17];
    for (size_t first = 0; first < case_count; first = end_of_format(first)) {
        assay_check *check = make(cases[first].type, 0);
        if (!CHECK(check != NULL)) continue;
        assay_cell cells[rows];
        uint32_t used = 0;
        for (size_t row = 0; row < rows; row++) {
            const type_case *one = &cases[first + row % (end_of_format(first) - first)];
            cells[row] = (assay_cell){used, (uint32_t)one->count};
            memcpy(bytes + used, one->value, one->count);
            used += (uint32_t)one->count;
        }
        const uint64_t skip[4] = {0x5, 0, UINT64_MAX, 0};
        uint64_t failed[4];
        uint64_t undecided[4];
        assay_check_column(check, scratch, bytes, cells, rows, skip, failed, undecided);
        for (size_t row = 0; row < rows; row++) {
            bool skipped = (skip[row / 64] >> row % 64 & 1) != 0;
            assay_verdict verdict = assay_check_value(check, scratch, bytes + cells[row].start, cells[row].length);
            CHECK_EQUAL(failed[row / 64] >> row % 64 & 1, !skipped && verdict == ASSAY_FAIL);
            CHECK_EQUAL(undecided[row / 64] >> row % 64 & 1, !skipped && verdict == ASSAY_UNDECIDED);
        }
        CHECK_EQUAL(failed[3] >> (rows % 64), 0);
        assay_check_free(check);
    }
}

/* The type says of a pattern what compiling it says: of random texts made of what patterns are made of. */
static void test_regex(assay_scratch *scratch)
{
    static const char *const pieces[] = {
        "a", "b",   "Z",   "0",  ".",   "|",   "^",   "$",    "(",   "(?:",   "(?<n>", ")",    "[",      "[^", "]",
        "-", "a-z", "\\d", "\\", "\\.", "?",   "*",   "+",    "{2}", "{1,}",  "{3,2}", "{,2}", "{2,30}", "{",  "}",
        "é", ",",   ":",   "[:", "\\b", "\\1", "(?=", "(?<=", "(*",  "(?R)?", "#",     " ",    "\\w-",   "_"};
    assay_check *check = make("regex", 0);
    /* How the check itself would be run does not matter. */
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
        /* Without JIT, and for patterns such as [(*(?R)] with it, assay_pattern_create also refuses patterns that only seem to have a
         * construct on which PCRE2 errs. The type accepts them. */
        if (pattern == NULL && strstr(error.message, "JIT cannot be used") != NULL) continue;
        if (!CHECK_EQUAL(verdict == ASSAY_PASS, pattern != NULL)) fprintf(stderr, "    %.*s\n", (int)count, text);
        passed += pattern != NULL;
        assay_pattern_free(pattern);
    }
    CHECK(passed > rounds / 10 && passed < rounds * 9 / 10);
    /* Ranges whose case PCRE2 folds character by character cost milliseconds each: beyond one full range no verdict is given. */
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
    /* Every failure reason is found somewhere, but for that of repairs, and none has the name of another. */
    for (size_t i = 0; assay_failure_reason_at(i) != NULL; i++) {
        bool found = strcmp(assay_failure_reason_at(i)->name, "ambiguous") == 0;
        for (size_t j = 0; j < reason_case_count; j++)
            found |= strcmp(reason_cases[j].reason, assay_failure_reason_at(i)->name) == 0;
        for (size_t j = 0; j < i; j++)
            CHECK(strcmp(assay_failure_reason_at(j)->name, assay_failure_reason_at(i)->name) != 0);
        if (!CHECK(found)) fprintf(stderr, "    %s\n", assay_failure_reason_at(i)->name);
    }
    /* Values that pass have none. */
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

/* Makes up to three mistakes that people make in a value. Returns how long it is then: at most six bytes more. */
static size_t spoil(uint8_t *value, size_t count, uint64_t *state)
{
    static const char *const pieces[] = {" ", "-", ".",  "/",    "@",  "a",      "Z",
                                         "0", "9", "\n", "\r\n", "\t", "\u0663", "\u00E9"};
    for (uint64_t mistakes = next_random(state) % 4; mistakes > 0; mistakes--) {
        const size_t place = next_random(state) % (count + 1);
        const uint8_t low = next_random(state) % 2 ? 'a' : 'A';
        switch (next_random(state) % 3) {
        case 0: { /* a character too many */
            const char *piece = pieces[next_random(state) % (sizeof pieces / sizeof pieces[0])];
            memmove(value + place + strlen(piece), value + place, count - place);
            memcpy(value + place, piece, strlen(piece));
            count += strlen(piece);
            break;
        }
        case 1: /* one too few */
            if (place == count) break;
            memmove(value + place, value + place + 1, count - place - 1);
            count--;
            break;
        default: /* letters of the wrong case */
            for (size_t i = 0; i < count; i++) value[i] ^= value[i] >= low && value[i] < low + 26 ? 0x20 : 0;
        }
    }
    return count;
}

/* Of a column the same failure reasons are found as of its values one by one; what did not fail is left alone. */
static void test_flaws_of_columns(assay_scratch *scratch)
{
    enum { rows = 1024, most_bytes = 512, untouched = 0xEE };
    static uint8_t bytes[rows * most_bytes];
    uint64_t state = test_random_of(1).state;
    size_t found_count = 0;
    for (size_t first = 0; first < case_count; first = end_of_format(first)) {
        assay_check *check = make(cases[first].type, 0);
        if (!CHECK(check != NULL)) continue;
        assay_cell cells[rows];
        uint32_t used = 0;
        for (size_t row = 0; row < rows; row++) {
            const type_case *one = &cases[first + row % (end_of_format(first) - first)];
            if (!CHECK(one->count <= most_bytes - 6)) return;
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
            const size_t wanted = !has_failed      ? untouched
                                  : reason == NULL ? 0
                                                   : (size_t)(reason - assay_failure_reason_at(0)) + 1;
            if (!CHECK_EQUAL(found[row], wanted)) {
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
        {"email quoted=1", 6, "'quoted' stands alone, without '='"},
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

static char case_text[1 << 18];
static char reason_text[1 << 16];

/* Of a check that is no built-in type nothing more is known. */
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
    assay_scratch_free(scratch);
    return test_result();
}
