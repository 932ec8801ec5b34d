/* Prefilters (Types/assay_prefilter.h): matching values must pass, and the verdicts of columns must be those of
   single values. */
#include "Types/Builtin/assay_builtin.h"
#include "Types/assay_type.h"
#include "test.h"

static assay_scratch *scratch;

static assay_text text_of(const char *text) { return (assay_text){(const uint8_t *)text, strlen(text)}; }

/* A check and its prefilter. `check` decides value by value. */
typedef struct subject {
    const char *name;
    assay_check *check;
    assay_check *by_tables; /* the same with all tables */
    assay_prefilter prefilter;
    assay_pattern *pattern;
} subject;

static bool has_pattern(subject *tested)
{
    assay_error error = {.offset = 0};
    if (!CHECK(tested->prefilter.count > 0)) return false;
    tested->pattern =
        assay_pattern_create((const uint8_t *)tested->prefilter.pattern, tested->prefilter.count, 0, 0, &error);
    if (!CHECK(tested->pattern != NULL)) {
        fprintf(stderr, "    %s: %s\n", tested->name, error.message);
        return false;
    }
    const assay_pattern_dfa dfa = assay_pattern_get_dfa(tested->pattern);
    if (!CHECK(dfa.refusal == NULL)) fprintf(stderr, "    %s: %s\n", tested->name, dfa.refusal);
    return true;
}

static void forget(subject *tested)
{
    assay_check_free(tested->check);
    assay_check_free(tested->by_tables);
    assay_pattern_free(tested->pattern);
}

/* ---------------------------------------------------------------------------------------------------------------
 * One value
 * ------------------------------------------------------------------------------------------------------------- */

static unsigned long matched, not_matched;

static void holds_for(bool holds, const subject *tested, const char *text, size_t count)
{
    if (!CHECK(holds) && test_failures < test_failures_shown) {
        fprintf(stderr, "    %s: \"%.*s\"\n", tested->name, (int)count, text);
    }
}

static void check_value(const subject *tested, const char *text, size_t count)
{
    uint8_t *value = malloc(count + 1);
    memcpy(value, text, count);
    const assay_prefilter *prefilter = &tested->prefilter;
    const bool is_longer = prefilter->max > 0 && count > prefilter->max;
    if (assay_pattern_match(tested->pattern, scratch, value, count) == ASSAY_PASS &&
        (!is_longer || (prefilter->confirm != NULL && prefilter->confirm(value, count)))) {
        matched++;
        holds_for(assay_check_value(tested->check, scratch, value, count) == ASSAY_PASS, tested, text, count);
    } else {
        not_matched++;
    }
    const bool passes = assay_check_value(tested->check, scratch, value, count) == ASSAY_PASS;
    holds_for(assay_check_passes(tested->check, scratch, value, count) == passes, tested, text, count);
    free(value);
}

/* All texts of up to `max` letters, between `before` and `after`. */
static void check_all(const subject *tested, const char *before, const char *letters, size_t max, const char *after)
{
    char text[64];
    const size_t start = strlen(before), kinds = strlen(letters);
    size_t number_of = 1;
    memcpy(text, before, start);
    for (size_t length = 0; length <= max; length++, number_of *= kinds) {
        for (size_t number = 0; number < number_of; number++) {
            size_t rest = number;
            for (size_t i = 0; i < length; i++, rest /= kinds) text[start + i] = letters[rest % kinds];
            memcpy(text + start + length, after, strlen(after));
            check_value(tested, text, start + length + strlen(after));
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Values that are nearly right
 * ------------------------------------------------------------------------------------------------------------- */

enum { text_capacity = 200, rows = 3000 };

typedef struct maker {
    test_random random;
    const char *const *seeds;
    const char *letters;
    char text[text_capacity];
    size_t count;
} maker;

static void replace(maker *in, size_t at, size_t old, size_t new)
{
    if (in->count - old + new > text_capacity) return;
    memmove(in->text + at + new, in->text + at + old, in->count - at - old);
    in->count = in->count - old + new;
    const size_t kinds = strlen(in->letters);
    const char letter = in->letters[test_random_below(&in->random, (uint32_t)kinds)];
    memset(in->text + at, letter, new);
}

static bool is_well_formed(const maker *in)
{
    return assay_utf8_valid_prefix((const uint8_t *)in->text, in->count) == in->count;
}

static void make_one(maker *in)
{
    size_t seeds = 0;
    while (in->seeds[seeds] != NULL) seeds++;
    const char *seed = in->seeds[test_random_below(&in->random, (uint32_t)seeds)];
    in->count = strlen(seed);
    memcpy(in->text, seed, in->count);
    for (uint32_t edits = test_random_below(&in->random, 4); edits > 0 && in->count > 0; edits--) {
        const size_t at = test_random_below(&in->random, (uint32_t)in->count);
        switch (test_random_below(&in->random, 8)) {
        case 0:
            replace(in, at, 1, 0);
            break;
        case 1:
            replace(in, at, 0, 1);
            break;
        case 2: /* up to lengths that are bounds */
            replace(in, at, 0, 40 + test_random_below(&in->random, 40));
            break;
        default:
            replace(in, at, 1, 1);
        }
    }
}

static void make_text(maker *in)
{
    do make_one(in);
    while (!is_well_formed(in));
}

/* Compares columns with single values. The first columns build the tables. */
static void check_columns(const subject *tested, maker *in)
{
    uint8_t *bytes = malloc((size_t)rows * text_capacity);
    assay_cell *cells = malloc(rows * sizeof *cells);
    uint64_t failed[rows / 64 + 1], undecided[rows / 64 + 1], skip[rows / 64 + 1];
    for (int round = 0; round < 12; round++) {
        uint32_t used = 0;
        for (size_t row = 0; row < rows; row++) {
            make_text(in);
            check_value(tested, in->text, in->count);
            memcpy(bytes + used, in->text, in->count);
            cells[row] = (assay_cell){used, (uint32_t)in->count};
            used += (uint32_t)in->count;
        }
        for (size_t word = 0; word <= rows / 64; word++) {
            skip[word] = round % 3 == 0 ? (uint64_t)1 << test_random_below(&in->random, 64) : 0;
        }
        const size_t count = rows - test_random_below(&in->random, 70);
        assay_check_column(tested->by_tables, scratch, bytes, cells, count, skip, failed, undecided);
        for (size_t row = 0; row < count; row++) {
            const assay_verdict verdict =
                assay_check_value(tested->check, scratch, bytes + cells[row].start, cells[row].length);
            const bool is_skipped = skip[row / 64] >> (row % 64) & 1;
            const bool fails = failed[row / 64] >> (row % 64) & 1, is_open = undecided[row / 64] >> (row % 64) & 1;
            holds_for(fails == (verdict == ASSAY_FAIL && !is_skipped) && !is_open, tested,
                      (const char *)bytes + cells[row].start, cells[row].length);
        }
    }
    free(cells);
    free(bytes);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Built-in types
 * ------------------------------------------------------------------------------------------------------------- */

static const char *const mails[] = {"anna.lee@example.org", "o'neil+x@mail.example.co.uk", "a@b.c", "a@b-c.de-f9",
                                    NULL};
static const char *const hosts[] = {"www.example.org", "a-b.c-d.example", "localhost", "xn--a.b", "1.2.c3", NULL};
static const char *const urls[] = {"https://www.example.org/a?b=c#d", "http://a.b-c.de/x?y/z@1", "https://x.localhost/",
                                   "https://a.bc#", NULL};
static const char *const addresses[] = {"192.0.2.1", "0.0.0.0", "255.255.255.255", "249.100.9.99", NULL};
static const char *const dates[] = {"2024-02-28", "1999-12-31", "2023-02-29", "0000-04-30", NULL};
static const char *const times[] = {"23:20:50.52Z", "00:00:00+23:59", "19:59:59-00:00", NULL};
static const char *const moments[] = {"2024-02-28T23:20:50.52Z", "1999-12-31T00:00:00+23:59", "2024-02-29T23:59:60Z",
                                      NULL};
static const char *const texts[] = {"Street 5, 2nd floor", "", " ~",
                                    "Stra\xC3\x9F"
                                    "e",
                                    NULL};

static const struct builtin_case {
    const char *text;
    const char *const *seeds;
    const char *letters;
} builtins[] = {
    {"email", mails, "a1.-@_+Z"},
    {"email unicode quoted ip-literal single-label numeric-tld", mails, "a1.-@_\""},
    {"hostname", hosts, "a1.-xn_"},
    {"hostname underscore trailing-dot numeric-tld", hosts, "a1.-xn_"},
    {"idn-hostname", hosts, "a1.-xn"},
    {"ipv4", addresses, "0123459."},
    {"url", urls, "a1.-/?#:@%xnlocalhost"},
    {"url idn unicode localhost ip private credentials no-port", urls, "a1.-/?#:@%xn"},
    {"uri", urls, "a1.-/?#:@%["},
    {"uri-reference", urls, "a1.-/?#:@%["},
    {"date", dates, "0123456789-"},
    {"date on=2024-12-31", dates, "0123456789-"},
    {"time", times, "0123456789-+:.Zz"},
    {"time no-leap-second upper-case basic-offset local", times, "0123456789-+:.Zz"},
    {"date-time", moments, "0123456789-+:.TtZz"},
    {"date-time no-leap-second upper-case basic-offset local space", moments, "0123456789-+:.Tt Zz"},
    {"text", texts, "a \t\n\x7F~"},
    {"text lines", texts, "a \t\n\x7F~"},
};

static void test_builtins(void)
{
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++) {
        const assay_text text = text_of(builtins[i].text);
        subject tested = {.name = builtins[i].text,
                          .check = assay_check_create_builtin(text, ASSAY_PATTERN_NO_DFA, NULL),
                          .by_tables = assay_check_create_builtin(text, 0, NULL)};
        assay_builtin *builtin = assay_builtin_create(text, 0, NULL);
        assay_builtin_write_prefilter(builtin, &tested.prefilter);
        assay_builtin_free(builtin);
        if (has_pattern(&tested)) {
            maker in = {.random = test_random_of(7 + i), .seeds = builtins[i].seeds, .letters = builtins[i].letters};
            matched = not_matched = 0;
            check_columns(&tested, &in);
            if (strncmp(tested.name, "email", 5) == 0) {
                check_all(&tested, "a@", "a1-.", 7, "");
                check_all(&tested, "", "a.@-", 6, "@b.c");
            }
            if (strstr(tested.name, "hostname") != NULL) check_all(&tested, "", "a1-.", 8, "");
            if (strncmp(tested.name, "url", 3) == 0) {
                check_all(&tested, "http://", "a1-.:/", 6, "");
                check_all(&tested, "http://", "a.", 6, "localhost");
            }
            if (strncmp(tested.name, "uri", 3) == 0) check_all(&tested, "", "a:/.?[", 7, "");
            if (!CHECK(matched > 1000 && not_matched > 1000)) {
                fprintf(stderr, "    %s: %lu and %lu\n", tested.name, matched, not_matched);
            }
        }
        forget(&tested);
    }
}

/* Options that make a type stricter than its prefilter. */
static void test_narrowing(void)
{
    static const char *const narrowed[] = {
        "hostname two-labels", "url schemes=ftp", "date past",  "date future", "date min-age=18",
        "date max-age=120",    "text min=3",      "text max=3", "uuid",        "iban country=DE"};
    for (size_t i = 0; i < sizeof narrowed / sizeof narrowed[0]; i++) {
        assay_builtin *builtin = assay_builtin_create(text_of(narrowed[i]), 0, NULL);
        assay_prefilter prefilter = {.count = 0};
        if (CHECK(builtin != NULL)) assay_builtin_write_prefilter(builtin, &prefilter);
        if (!CHECK_EQUAL(prefilter.count, 0)) fprintf(stderr, "    %s\n", narrowed[i]);
        assay_builtin_free(builtin);
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Types and ranges
 * ------------------------------------------------------------------------------------------------------------- */

static const char *const numbers[] = {"42", "-7", "+3.25", "0", "1,000.5", "-0.0", "1e5", "NaN", "12345678901234567890",
                                      NULL};
static const char *const years[] = {"2024", "0000", "9999", NULL};
static const char *const months[] = {"2024-02", "0000-12", NULL};
static const char *const european[] = {"28/02/2024", "1/1/1999",  "31/12/1999", "29/2/2023",
                                       "30.4.2000",  "31-6-1999", NULL};
static const char *const american[] = {"02-28-2024", "1-1-1999", "12-31-1999", "2-29-2023", "6-31-1999", NULL};
/* The second text has the bytes of the format, read as Latin-1. */
static const char *const eastern[] = {"2024\xE5\xB9\xB4"
                                      "2\xE6\x9C\x88"
                                      "28\xE6\x97\xA5",
                                      "2024\xC3\xA5\xC2\xB9\xC2\xB4"
                                      "2\xC3\xA6\xC2\x9C\xC2\x88"
                                      "28\xC3\xA6\xC2\x97\xC2\xA5",
                                      NULL};
static const char *const compact[] = {"20240228", "19991231", "29022023", "30042000", "31061999", NULL};
static const char *const short_years[] = {"240228", "991231", NULL};
static const char *const clocks[] = {"23:59:59", "00:00:00.5", NULL};
static const char *const stamps[] = {"02-28-24 23:59:59.123", "1-2-99 1:2:3.4", "02-28-24 T 23:59", NULL};

static const struct type_case {
    assay_kind kind;
    const char *format, *decimal_char, *group_char;
    const char *const *seeds;
    const char *letters;
} types[] = {
    {ASSAY_KIND_INTEGER, "", "", "", numbers, "0123456789+-.,e"},
    {ASSAY_KIND_INTEGER, "", "", ",", numbers, "0123456789+-.,e"},
    {ASSAY_KIND_NUMBER, "", "", "", numbers, "0123456789+-.,e"},
    {ASSAY_KIND_NUMBER, "", ",", ".", numbers, "0123456789+-.,e"},
    {ASSAY_KIND_DATE, "", "", "", dates, "0123456789-"},
    {ASSAY_KIND_TIME, "", "", "", clocks, "0123456789-+:.Z"},
    {ASSAY_KIND_DATETIME, "", "", "", moments, "0123456789-+:.TZ"},
    {ASSAY_KIND_YEAR, "", "", "", years, "0123456789-"},
    {ASSAY_KIND_YEARMONTH, "", "", "", months, "0123456789-"},
    {ASSAY_KIND_DATE, "%d/%m/%Y", "", "", european, "0123456789/"},
    {ASSAY_KIND_DATE, "%d.%m.%Y", "", "", european, "0123456789./"},
    {ASSAY_KIND_DATE, "%m-%d-%Y", "", "", american, "0123456789-"},
    {ASSAY_KIND_DATE, "%Y\xE5\xB9\xB4%m\xE6\x9C\x88%d\xE6\x97\xA5", "", "", eastern, "0123456789"},
    {ASSAY_KIND_DATE, "%d%m%Y", "", "", compact, "0123456789"},
    {ASSAY_KIND_DATE, "%Y%m%d", "", "", compact, "0123456789"},
    {ASSAY_KIND_DATE, "%y%m%d", "", "", short_years, "0123456789"},
    {ASSAY_KIND_DATETIME, "%m-%d-%y %H:%M:%S.%f", "", "", stamps, "0123456789-:. \t"},
    {ASSAY_KIND_DATETIME, "%m-%d-%y T %H:%M", "", "", stamps, "0123456789-:. Tt"},
};

static assay_type *type_of(const struct type_case *it)
{
    const assay_type_description description = {.kind = it->kind,
                                                .format = text_of(it->format),
                                                .decimal_char = text_of(it->decimal_char),
                                                .group_char = text_of(it->group_char)};
    return assay_type_create(&description, NULL);
}

static void test_types(void)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        assay_type *type = type_of(&types[i]);
        if (!CHECK(type != NULL)) continue;
        char name[64];
        snprintf(name, sizeof name, "type %d %s", (int)types[i].kind, types[i].format);
        subject tested = {.name = name,
                          .check = assay_check_create_type(type, ASSAY_PATTERN_NO_DFA),
                          .by_tables = assay_check_create_type(type, 0)};
        assay_type_write_prefilter(type, &tested.prefilter);
        if (has_pattern(&tested)) {
            maker in = {.random = test_random_of(31 + i), .seeds = types[i].seeds, .letters = types[i].letters};
            matched = not_matched = 0;
            check_columns(&tested, &in);
            if (!CHECK(matched > 1000 && not_matched > 1000)) {
                fprintf(stderr, "    %s: %lu and %lu\n", name, matched, not_matched);
            }
        }
        forget(&tested);
        assay_type_free(type);
    }
}

/* Every month and day, in years of each kind. */
static void test_every_day(void)
{
    static const int some_years[] = {0, 4, 100, 400, 1900, 1999, 2000, 2023, 2024, 9999};
    const assay_text text = text_of("date");
    subject tested = {.name = "date", .check = assay_check_create_builtin(text, ASSAY_PATTERN_NO_DFA, NULL)};
    assay_prefilter_add(&tested.prefilter, PREFILTER_DATE);
    if (!has_pattern(&tested)) return;
    matched = not_matched = 0;
    for (size_t i = 0; i < sizeof some_years / sizeof some_years[0]; i++) {
        for (int month_and_day = 0; month_and_day < 10000; month_and_day++) {
            char date[16];
            snprintf(date, sizeof date, "%04d-%02d-%02d", some_years[i], month_and_day / 100, month_and_day % 100);
            check_value(&tested, date, strlen(date));
        }
    }
    CHECK_EQUAL(matched, 365 * sizeof some_years / sizeof some_years[0]);
    forget(&tested);
}

static const struct type_case integer = {ASSAY_KIND_INTEGER, "", "", "", numbers, "0123456789-"};
static const struct type_case decimal = {ASSAY_KIND_NUMBER, "", "", "", numbers, "0123456789-."};
static const struct type_case day = {ASSAY_KIND_DATE, "", "", "", dates, "0123456789-"};
static const struct type_case year = {ASSAY_KIND_YEAR, "", "", "", years, "0123456789"};

static const struct range_case {
    const struct type_case *type;
    const char *lower, *upper;
    bool above, below;
    unsigned long min; /* the minimum number of matches; 0: there is no pattern */
} ranges[] = {
    {&integer, "0", "150", false, false, 151},
    {&integer, "18", "120", true, true, 101},
    {&integer, "-40", "60", false, true, 100},
    {&integer, "1", "", false, false, 1000},
    {&integer, "", "-5", false, false, 500},
    {&integer, "", "", false, false, 2000},
    {&integer, "218", "560", false, false, 343},
    {&integer, "7", "7", false, false, 1},
    {&integer, "99", "1000", true, false, 901},
    {&integer, "0", "999999999999999999999", true, false, 1000},
    {&integer, "-0", "0", false, false, 1},
    {&decimal, "0", "100", false, false, 1000},
    {&decimal, "0.5", "99.95", false, false, 900},
    {&decimal, "-90", "90", false, false, 1500},
    {&decimal, "-1.5", "-0.5", true, true, 1},
    {&decimal, "0", "1", true, true, 0},
    {&decimal, "10", "20", true, true, 90},
    {&decimal, "-INF", "INF", false, false, 1000},
    {&decimal, "1e3", "2.5e3", false, false, 1000},
    {&day, "1950-06-15", "2024-01-01", false, false, 365},
    {&day, "1999-01-01", "2024-12-31", false, false, 365},
    {&day, "1998-12-31", "2025-01-01", true, true, 365},
    {&day, "1999-01-01", "2024-12-31", true, true, 365},
    {&day, "", "2020-02-02", false, false, 365},
    {&year, "1900", "2024", true, false, 20},
};

static void check_numbers(const subject *tested, bool has_fractions)
{
    char text[32];
    for (int number = -2600; number <= 2600; number++) {
        snprintf(text, sizeof text, "%d", number);
        check_value(tested, text, strlen(text));
        for (int tenth = 0; has_fractions && tenth < 100; tenth += 5) {
            snprintf(text, sizeof text, "%s%d.%02d", number < 0 ? "-" : "", abs(number), tenth);
            check_value(tested, text, strlen(text));
        }
    }
    check_all(tested, "", "09-.", 6, "");
    check_all(tested, "99999999999", "09", 8, "");
}

static void test_ranges(void)
{
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const struct range_case *it = &ranges[i];
        assay_type *type = type_of(it->type);
        const assay_bound lower = {text_of(it->lower), it->above}, upper = {text_of(it->upper), it->below};
        char name[64];
        snprintf(name, sizeof name, "%s to %s", it->lower, it->upper);
        subject tested = {.name = name,
                          .check = assay_check_create_range(type, lower, upper, ASSAY_PATTERN_NO_DFA, NULL),
                          .by_tables = assay_check_create_range(type, lower, upper, 0, NULL)};
        assay_type_bound low = {it->lower[0] == 0, it->above, {.integer = 0}};
        assay_type_bound high = {it->upper[0] == 0, it->below, {.integer = 0}};
        if (!low.is_open) assay_type_parse(type, lower.text.bytes, lower.text.count, &low.value);
        if (!high.is_open) assay_type_parse(type, upper.text.bytes, upper.text.count, &high.value);
        assay_type_write_range_prefilter(type, &low, &high, &tested.prefilter);
        if (it->min == 0) {
            CHECK_EQUAL(tested.prefilter.count, 0);
        } else if (has_pattern(&tested)) {
            maker in = {.random = test_random_of(61 + i), .seeds = it->type->seeds, .letters = it->type->letters};
            check_columns(&tested, &in);
            matched = not_matched = 0;
            if (it->type == &integer || it->type == &decimal) check_numbers(&tested, it->type == &decimal);
            if (it->type == &year) check_all(&tested, "", "0192", 5, "");
            for (int number = 1940 * 372; it->type == &day && number < 2030 * 372; number++) {
                char text[32];
                snprintf(text, sizeof text, "%04d-%02d-%02d", number / 372, number / 31 % 12 + 1, number % 31 + 1);
                check_value(&tested, text, strlen(text));
            }
            if (!CHECK(matched >= it->min)) fprintf(stderr, "    %s: %lu\n", name, matched);
        }
        forget(&tested);
        assay_type_free(type);
    }
}

int main(void)
{
    scratch = assay_scratch_create(NULL);
    test_builtins();
    test_narrowing();
    test_types();
    test_every_day();
    test_ranges();
    assay_scratch_free(scratch);
    return test_result();
}
