/* The time of a call (assay_options.now_seconds): all calls compare with it, and the clock is read only without it. */
#include "support.h"

#include <time.h>

static const char rules_text[] = "{fields: [{name: at, type: datetime}, {name: day, type: date}],\n"
                                 " rows: [{id: past, check: at <= now()}, {id: day, check: day <= today()}]}";

enum { ROWS = 4 };
static const char *const times[ROWS] = {"2024-02-29T12:30:00Z", "2024-02-29T12:30:00.5Z", "2024-02-29T12:30:01Z", NULL};
static const char *const days[ROWS] = {"2024-02-29", NULL, NULL, "2024-03-01"};
static const int64_t noon = 1709209800; /* 2024-02-29T12:30:00Z */

static assay_result *checked(const assay_rules *rules, const assay_options *options)
{
    size_t lengths[2][ROWS];
    for (size_t row = 0; row < ROWS; row++) {
        lengths[0][row] = times[row] == NULL ? 0 : strlen(times[row]);
        lengths[1][row] = days[row] == NULL ? 0 : strlen(days[row]);
    }
    assay_column columns[2];
    for (size_t i = 0; i < 2; i++) {
        columns[i] = (assay_column){.size = sizeof *columns,
                                    .name = i == 0 ? "at" : "day",
                                    .layout = ASSAY_LAYOUT_POINTERS,
                                    .pointers = (const uint8_t *const *)(i == 0 ? times : days),
                                    .lengths = lengths[i]};
    }
    assay_result *result = NULL;
    assay_fault *fault = assay_rules_check_columns(rules, columns, 2, ROWS, options, &result);
    if (fault != NULL) fprintf(stderr, "    %s\n", fault->text);
    assay_fault_free(fault);
    return result;
}

static void test_given_times(void)
{
    assay_rules *rules = must_parse(rules_text);
    const struct {
        int64_t seconds;
        uint32_t nanoseconds;
        const char *rejected;
    } cases[] = {
        {noon, 0, "0111"},
        {noon, 499999999, "0111"},
        {noon, 500000000, "0011"},
        {noon, 999999999, "0011"},
        {noon + 1, 0, "0001"},
        {noon - 1, 999999999, "1111"},
        {noon + 86400, 0, "0000"},
        {noon - 86400, 0, "1111"},
        {0, 0, "1111"},
        {-62135596800, 0, "1111"},
        {253402300799, 999999999, "0000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (uint32_t threads = 1; threads <= 2; threads++) {
            const assay_options options = {.size = sizeof options,
                                           .threads = threads,
                                           .now_seconds = cases[i].seconds,
                                           .now_nanoseconds = cases[i].nanoseconds,
                                           .has_now = 1};
            CHECK(rejected_are(checked(rules, &options), cases[i].rejected));
        }
    }
    assay_rules_free(rules);
}

static void test_csv(void)
{
    assay_rules *rules = must_parse(rules_text);
    const char csv[] = "at,day\n2024-02-29T12:30:00Z,2024-02-29\n2024-02-29T12:30:00.5Z,\n,2024-03-01\n";
    assay_options options = {.size = sizeof options, .now_seconds = noon, .has_now = 1};
    for (int later = 0; later <= 1; later++) {
        options.now_seconds = noon + later;
        assay_result *result = NULL;
        CHECK(assay_rules_check_csv(rules, (const uint8_t *)csv, strlen(csv), &options, &result) == NULL);
        assay_totals totals;
        assay_result_totals(result, &totals, sizeof totals);
        CHECK_EQUAL(totals.rejected, later ? 1 : 2);
        assay_result_free(result);
    }
    assay_rules_free(rules);
}

/* Single records and calls without a time read the clock: an evaluator from an earlier call must not keep its time. */
static void test_clock(void)
{
    assay_rules *rules = must_parse("{fields: [{name: at, type: datetime}, {name: day, type: date}],\n"
                                    " rows: [{check: at <= now()}]}");
    CHECK(assay_rules_uses_now(rules));
    const assay_options early = {.size = sizeof early, .now_seconds = noon - 86400, .has_now = 1};
    for (int round = 0; round < 3; round++) {
        CHECK(rejected_are(checked(rules, &early), "1110"));
        CHECK(rejected_are(checked(rules, NULL), "0000"));
    }
    char text[32];
    for (int round = 0; round < 100; round++) {
        for (int offset = -5; offset <= 60; offset += 65) {
            const time_t moment = time(NULL) + offset;
            const size_t length = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime(&moment));
            const uint8_t *values[2] = {(const uint8_t *)text, NULL};
            const size_t lengths[2] = {length, 0};
            CHECK_EQUAL(assay_rules_accepts(rules, values, lengths), offset < 0);
        }
    }
    assay_rules_free(rules);
    assay_rules *others = must_parse("fields: [{name: at, type: datetime}]");
    CHECK(!assay_rules_uses_now(others));
    CHECK(!assay_rules_uses_now(NULL));
    assay_rules_free(others);
}

static void test_refused(void)
{
    assay_rules *rules = must_parse(rules_text);
    const struct {
        int64_t seconds;
        uint32_t nanoseconds, has_now;
        const char *words;
    } cases[] = {
        {noon, 0, 0, "has_now is 0"},
        {0, 1, 0, "has_now is 0"},
        {noon, 0, 2, "assay_options.has_now is 2"},
        {noon, 1000000000, 1, "now_nanoseconds is 1000000000"},
        {-62135596801, 0, 1, "now_seconds is -62135596801"},
        {253402300800, 0, 1, "now_seconds is 253402300800"},
        {INT64_MAX, UINT32_MAX, 1, "the time is in the years 1 to 9999"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const assay_options options = {.size = sizeof options,
                                       .now_seconds = cases[i].seconds,
                                       .now_nanoseconds = cases[i].nanoseconds,
                                       .has_now = cases[i].has_now};
        assay_result *result = NULL;
        assay_fault *fault = assay_rules_check_csv(rules, (const uint8_t *)"at,day\n", 7, &options, &result);
        CHECK(refused(fault, ASSAY_FAULT_ARGUMENT, cases[i].words));
        CHECK(result == NULL);
    }
    assay_rules_free(rules);
}

int main(void)
{
    test_given_times();
    test_csv();
    test_clock();
    test_refused();
    return test_result();
}
