/* The work per value is bounded: for patterns and values that keep a backtracking engine busy, each repetition and
   each engine returns the same verdict or undecided. Scripts/check-thresholds.py counts the instructions and the
   benchmark `hostile` measures the time; in this test, a missing bound shows as a test that does not end. */
#include "Patterns/assay_pattern_reach.h"
#include "Patterns/assay_pcre2.h"
#include "Patterns/assay_work.h"
#include "Repairs/assay_replacement.h"
#include "test_hostile.h"
#include "test_pattern_support.h"

enum { SEARCH = ASSAY_PATTERN_SEARCH };

static const size_t sizes[] = {15, 257, 8000, 65536};

/* Checks a value alone and as a column of one row. */
static assay_verdict match_alike(const assay_pattern *pattern, const uint8_t *value, size_t count)
{
    assay_scratch *scratch = assay_scratch_create(NULL);
    const assay_verdict first = assay_pattern_match(pattern, scratch, value, count);
    if (first == ASSAY_UNDECIDED) CHECK(assay_scratch_engine_code(scratch) < -1);
    assay_check *check = assay_check_create_pattern(pattern);
    const assay_cell cell = {0, (uint32_t)count};
    uint64_t failed = 0;
    uint64_t undecided = 0;
    assay_check_column(check, scratch, value, &cell, 1, NULL, &failed, &undecided);
    CHECK_EQUAL(failed == 1 ? ASSAY_FAIL : undecided == 1 ? ASSAY_UNDECIDED : ASSAY_PASS, first);
    assay_check_free(check);
    assay_scratch_free(scratch);
    return first;
}

static void test_hostile(void)
{
    FILE *file = fopen(ASSAY_HOSTILE_PATTERNS, "r");
    if (!CHECK(file != NULL)) return;
    hostile_case hostile;
    while (hostile_next(file, &hostile)) {
        for (uint32_t search = 0; search <= SEARCH; search += SEARCH) {
            assay_pattern *patterns[ENGINES];
            for (size_t engine = 0; engine < ENGINES; engine++) {
                assay_error error = {0};
                const uint32_t options = hostile.options | search | engines[engine];
                patterns[engine] =
                    assay_pattern_create((const uint8_t *)hostile.pattern, strlen(hostile.pattern), options, 0, &error);
                /* Only patterns that the interpreter is known to match incorrectly. */
                CHECK(patterns[engine] != NULL || strstr(error.message, "JIT cannot be used") != NULL);
            }
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
                size_t count = 0;
                uint8_t *value = hostile_value(&hostile, sizes[i], &count);
                assay_verdict decided = ASSAY_UNDECIDED;
                for (size_t engine = 0; engine < ENGINES; engine++) {
                    /* The longest size runs on one engine only, and only in slow test runs, because it takes
                       seconds. Their short form also omits searches in 8,000 bytes on the other engines. */
                    const bool takes_long = sizes[i] == 65536 || (sizes[i] == 8000 && search && !test_is_slow());
                    if (patterns[engine] == NULL || (takes_long && engine > 0)) continue;
                    if (sizes[i] == 65536 && !test_is_slow()) continue;
                    const assay_verdict verdict = match_alike(patterns[engine], value, count);
                    if (decided == ASSAY_UNDECIDED) decided = verdict;
                    if (!CHECK(verdict == ASSAY_UNDECIDED || verdict == decided)) {
                        fprintf(stderr, "    %s, %zu bytes\n", hostile.name, count);
                    }
                }
                free(value);
            }
            for (size_t engine = 0; engine < ENGINES; engine++) assay_pattern_free(patterns[engine]);
        }
        hostile_free(&hostile);
    }
    fclose(file);
}

/* A long but easy value must be decided, even if the plain run stops because its steps might be expensive. */
static void test_easy_values(void)
{
    static const struct {
        assay_text pattern;
        assay_text unit;
        assay_text last;
        uint32_t options;
    } easy[] = {
        {T("(\\w+)(?: \\w+)* \\1"), T("word "), T("word"), 0},
        {T("(?:([\"'])[^\"']*\\1,?)*"), T("\"a field\","), T("'b'"), 0},
        {T("(?:(?!<script)[\\s\\S])*"), T("<p>text</p>\n"), T(""), 0},
        {T("(\\()?[^()]+(?(1)\\))"), T("text of any kind "), T(""), 0},
        {T("\\b(\\w+) \\1\\b"), T("one two "), T("two two"), SEARCH},
        {T("(?<!\\d\\d\\d)\\d{3}(?!\\d\\d)x"), T("1234567 "), T("123x"), SEARCH},
        {T("(?s).*(?<=end)"), T("text, text, "), T("end"), 0},
        {T("(.)(.).*\\2\\1"), T("abba "), T("ba"), ASSAY_PATTERN_CASE_INSENSITIVE},
    };
    const size_t longest = test_is_slow() ? 65536 : 10000;
    for (size_t i = 0; i < sizeof easy / sizeof easy[0]; i++) {
        for (size_t size = 100; size <= longest; size = size < 10000 ? size * 10 : size * 6 + 5536) {
            uint8_t *value = malloc(size + easy[i].unit.count + easy[i].last.count);
            size_t count = 0;
            for (; count < size; count += easy[i].unit.count) {
                memcpy(value + count, easy[i].unit.bytes, easy[i].unit.count);
            }
            memcpy(value + count, easy[i].last.bytes, easy[i].last.count);
            count += easy[i].last.count;
            for (size_t engine = 0; engine < ENGINES; engine++) {
                assay_error error = {0};
                assay_pattern *pattern = assay_pattern_create(easy[i].pattern.bytes, easy[i].pattern.count,
                                                              easy[i].options | engines[engine], 0, &error);
                if (!CHECK(pattern != NULL)) continue;
                if (!CHECK_EQUAL(match_alike(pattern, value, count), ASSAY_PASS)) {
                    fprintf(stderr, "    easy %zu, %zu bytes, engine %zu\n", i, count, engine);
                }
                assay_pattern_free(pattern);
            }
            free(value);
        }
    }
}

/* The number of steps increases monotonically with the limits, with the length, and for searches. */
static void test_steps(void)
{
    const assay_match_limits limits = assay_match_limits_default();
    assay_work_costs costs = {.step = 100, .byte = 2, .reach = UINT32_MAX, .searches = 1};
    bool is_lowered = true;
    CHECK_EQUAL(assay_work_steps(&limits, &costs, 0), limits.match_base);
    CHECK_EQUAL(assay_work_steps(&limits, &costs, 1000), limits.match_base + 1000 * limits.match_per_byte);
    CHECK(assay_work_match_limit(&limits, &costs, 100, &is_lowered) > 10000);
    CHECK(!is_lowered);
    CHECK_EQUAL(assay_work_match_limit(&limits, &costs, 1 << 20, &is_lowered), 0);
    CHECK(is_lowered);
    CHECK(assay_work_match_limit(&limits, &costs, 1 << 12, &is_lowered) > 64);
    CHECK(is_lowered);
    /* Loops of groups and the work of each iteration, which JIT does not count. */
    costs.loops = costs.uncounted = 1;
    CHECK(assay_work_match_limit(&limits, &costs, 64, &is_lowered) > 64);
    CHECK_EQUAL(assay_work_match_limit(&limits, &costs, 1 << 12, &is_lowered), 0);
    costs.loops = costs.uncounted = 0;
    /* A match limit is useless if one step may take longer than the whole budget. */
    costs.byte = 2000;
    CHECK_EQUAL(assay_work_match_limit(&limits, &costs, 1 << 20, &is_lowered), 0);
    CHECK(is_lowered);
    costs = (assay_work_costs){.step = 100, .byte = 2, .reach = UINT32_MAX, .searches = 16};
    for (size_t count = 0; count < 1 << 22; count = 2 * count + 1) {
        const assay_work_costs once = {.step = 100, .byte = 2, .reach = UINT32_MAX, .searches = 1};
        const uint64_t steps = assay_work_steps(&limits, &costs, count);
        CHECK(steps >= assay_work_steps(&limits, &once, count));
        CHECK(steps <= assay_work_steps(&limits, &costs, 2 * count + 1));
        /* With 16 ticks of one nanosecond per step: 64 KiB in 50 ms, 1 MiB in 310 ms. */
        CHECK(steps * ASSAY_WORK_STEP <= 50000000 || count > 1 << 16);
        CHECK(steps * ASSAY_WORK_STEP <= 310000000 || count > 1 << 20);
    }
    const assay_match_limits max = {.match_base = UINT32_MAX, .match_per_byte = UINT32_MAX};
    CHECK(assay_work_steps(&max, &costs, SIZE_MAX) > UINT32_MAX);
}

/* The maximum number of bytes that an attempt to match at one place examines, if it is bounded. */
static void test_reach(void)
{
    static const struct {
        const char *pattern;
        uint32_t options, reach;
    } cases[] = {
        {"abc", 0, 12},
        {"[a-z](\\d)\\1", 0, 16},
        {"([a-z])\\1{3,}", SEARCH, 16},
        {"([a-z])\\1{3,}", 0, assay_reach_unbounded},
        {"([a-z])\\1{3,}x", SEARCH, assay_reach_unbounded},
        {"([a-z])(?:\\1)+", SEARCH, assay_reach_unbounded},
        {"([a-z])(?:a)+|(b)\\2*", SEARCH, 24},
        {"([a-z])\\1+ # end", SEARCH | ASSAY_PATTERN_EXTENDED, 8},
        {"(?:([a-z])\\1+)", SEARCH, assay_reach_unbounded},
        {"(?:a(?:b|c){2}){0,3}", 0, 60},
        {"(?:(a)\\1){2}", 0, assay_reach_unbounded},
        {"(?:(a)\\1)?", 0, 8},
        {"(a\\1?)b", 0, assay_reach_unbounded},
        {"(?i)(a)\\1", 0, 20},
        {"(a)(?1)", 0, assay_reach_unbounded},
        {"a(?=b*)", SEARCH, assay_reach_unbounded},
        {"(?<=ab)\\bc{2,5}", 0, 28},
        {"\\X", 0, assay_reach_unbounded},
        {"a{1000}{1000}", 0, assay_reach_unbounded},
        {"(((((((((((((((((a)))))))))))))))))", 0, assay_reach_unbounded},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].pattern;
        const assay_work_features features =
            assay_pattern_scan_work((const uint8_t *)text, strlen(text), cases[i].options);
        if (!CHECK_EQUAL(features.reach, cases[i].reach)) fprintf(stderr, "    %s\n", text);
    }
}

/* Ordinary values are matched once: the limit of the plain run is sufficient, so no pattern with callouts is
   compiled. */
static void test_ordinary(void)
{
    static const struct {
        const char *pattern;
        uint32_t options;
        const char *value;
        bool passes;
    } cases[] = {
        {"[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-(?:0{4}-){3}0{12}",
         ASSAY_PATTERN_CASE_INSENSITIVE, "123e4567-e89b-42d3-a456-426614174000", true},
        {"(?:\\d[ -]?){13,19}", SEARCH, "please call me about order 12345 tomorrow, thanks a lot", false},
        {"(?:\\d[ -]?){13,19}", SEARCH, "card 4111 1111 1111 1111, thank you", true},
        {"https?://(?!localhost|127\\.)(?:[a-z0-9-]+\\.?)+(?::\\d{1,5})?(?:[/?#].*)?", ASSAY_PATTERN_CASE_INSENSITIVE,
         "https://www.example.org/some/path?x=1", true},
        {"(\\w+) \\1", 0, "hey hey", true},
        {"(?:[A-Za-z0-9._%+-]+)@(?:[A-Za-z0-9-]+\\.)+[A-Za-z]{2,}", 0, "anna.lee@mail.example.org", true},
        {"(?<!\\d)(\\d{3})-(\\d{2})-(\\d{4})(?!\\d)", SEARCH, "the number 123-45-6789 is mine", true},
        /* Loops of groups with repeats, whose counts could each be expensive. */
        {"[a-z]:\\\\(?:[^\\\\/:*?\"<>|\\r\\n]+\\\\)*[^\\\\/:*?\"<>|\\r\\n]*", ASSAY_PATTERN_CASE_INSENSITIVE,
         "C:\\Users\\anna.lee\\Documents\\Projects 2026\\reports and figures\\final version\\summary.xlsx", true},
        {"\\s*at (?:[\\w$]+\\.)+[\\w$<>]+\\((?:[\\w$]+\\.java(?::\\d+)?|Native Method|Unknown Source)\\)", 0,
         "    at org.example.server.http.RequestHandler.handleRequest(RequestHandler.java:1234)", true},
        {"Mozilla/5\\.0 \\([^)]*\\)(?: (?:AppleWebKit|Gecko|Chrome|Safari|Firefox)/[\\w.]+(?: \\(KHTML, like "
         "Gecko\\))?)+",
         0, "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.1.2 Safari/537.36",
         true},
        {"(?:[a-z]+=(?:\"[^\"]*\"|[^\\s,\"]+))(?:,(?:[a-z]+=(?:\"[^\"]*\"|[^\\s,\"]+)))*", 0,
         "color=red,size=\"very large\",weight=12,from=\"somewhere else\",state=new!", true},
    };
    assay_scratch *scratch = assay_scratch_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = cases[i].pattern;
        assay_pattern *pattern =
            assay_pattern_create((const uint8_t *)text, strlen(text), cases[i].options | ASSAY_PATTERN_NO_DFA, 0, NULL);
        if (!CHECK(pattern != NULL)) continue;
        const assay_verdict verdict =
            assay_pattern_match(pattern, scratch, (const uint8_t *)cases[i].value, strlen(cases[i].value));
        CHECK_EQUAL(verdict, cases[i].passes ? ASSAY_PASS : ASSAY_FAIL);
        if (assay_pattern_jit_size(pattern) > 0 && !CHECK(atomic_load(&pattern->metered) == NULL))
            fprintf(stderr, "    %s\n", text);
        assay_pattern_free(pattern);
    }
    assay_scratch_free(scratch);
}

/* `rows` repetitions of `in_a_row` regional indicators and a letter. */
static uint8_t *rows_of_indicators(size_t in_a_row, size_t rows, size_t *count)
{
    const assay_text indicator = TEXT("\U0001F1E6");
    uint8_t *value = malloc(rows * (in_a_row * indicator.count + 1) + 1);
    *count = 0;
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < in_a_row; i++, *count += indicator.count) {
            memcpy(value + *count, indicator.bytes, indicator.count);
        }
        value[(*count)++] = 'x';
    }
    return value;
}

static void check_rows(size_t in_a_row, size_t rows, size_t skipped, bool is_long)
{
    size_t count = 0;
    uint8_t *value = rows_of_indicators(in_a_row, rows, &count);
    CHECK_EQUAL(assay_work_has_long_row(value + skipped, count - skipped), is_long);
    free(value);
}

/* Rows at every offset relative to the positions that the search samples. */
static void test_long_rows(void)
{
    enum { MAX_COUNT = ASSAY_WORK_REGIONAL_INDICATORS };
    static const uint8_t others[] = "\U0001F1E5\U0001F200\U0001F1E5\U0001F200";
    for (size_t skipped = 0; skipped < 4; skipped++) CHECK(!assay_work_has_long_row(others + skipped, 16 - skipped));
    CHECK(!assay_work_has_long_row(others, 0));
    for (size_t rows = 1; rows < 9; rows++) {
        check_rows(MAX_COUNT, rows, 0, false);
        check_rows(MAX_COUNT + 1, rows, 0, true);
        check_rows(MAX_COUNT + 2, rows, 4, true);
        check_rows(MAX_COUNT + 1, rows, 4, rows > 1);
        check_rows(3, rows * 1000, 0, false);
    }
    for (size_t before = 0; before < 600; before++) {
        for (size_t more = 0; more < 2; more++) {
            uint8_t value[600 + 4 * (MAX_COUNT + 1)];
            memset(value, 'x', before);
            for (size_t i = 0; i < MAX_COUNT + more; i++) memcpy(value + before + 4 * i, "\U0001F1FF", 4);
            CHECK_EQUAL(assay_work_has_long_row(value, before + 4 * (MAX_COUNT + more)), more == 1);
        }
    }
}

static bool discard_text(void *context, const uint8_t *bytes, size_t count)
{
    (void)context;
    (void)bytes;
    (void)count;
    return true;
}

/* PCRE2 counts back over all regional indicators before a pair, in a loop without a limit. On each engine, values
   with rows longer than the limit are undecided, alone, in a column and in a replacement. Shorter rows, and patterns
   without \X, are decided. */
static void test_regional_indicators(void)
{
    static const assay_text texts[] = {T("\\X*"), T("(?:\\\\X|.|\\s)*+"), T("(?:.\\X?)*")};
    for (size_t in_a_row = ASSAY_WORK_REGIONAL_INDICATORS; in_a_row < 1 << 17; in_a_row = in_a_row * 4 + 1) {
        size_t count = 0;
        uint8_t *value = rows_of_indicators(in_a_row, 2, &count);
        const bool is_long = in_a_row > ASSAY_WORK_REGIONAL_INDICATORS;
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            const bool has_grapheme = i != 1;
            for (size_t engine = 0; engine < ENGINES; engine++) {
                assay_pattern *pattern = assay_pattern_create(texts[i].bytes, texts[i].count, engines[engine], 0, NULL);
                if (!CHECK(pattern != NULL)) continue;
                const assay_verdict expected = is_long && has_grapheme ? ASSAY_UNDECIDED : ASSAY_PASS;
                if (has_grapheme || count < 1 << 12) CHECK_EQUAL(match_alike(pattern, value, count), expected);
                assay_pattern_free(pattern);
            }
        }
        const size_t viable = assay_pattern_viable_prefix((const uint8_t *)"\\X*b", 4, 0, value, count);
        CHECK(is_long ? viable == SIZE_MAX : viable > 0 && viable <= count);
        assay_replacement *replacement = assay_replacement_create(TEXT("\\X"), TEXT("-"), 0, NULL);
        assay_scratch *scratch = assay_scratch_create(NULL);
        const assay_text full = {value, count};
        CHECK_EQUAL(assay_replacement_apply(replacement, scratch, full, discard_text, NULL),
                    is_long ? ASSAY_REPLACEMENT_LEFT : ASSAY_REPLACEMENT_DONE);
        assay_scratch_free(scratch);
        assay_replacement_free(replacement);
        free(value);
    }
}

int main(void)
{
    test_long_rows();
    test_regional_indicators();
    test_steps();
    test_reach();
    test_ordinary();
    test_easy_values();
    test_hostile();
    return test_result();
}
