/* Patterns that can take long, with a witness value for each. The test builds each witness and checks it again. It
   also checks that the work of the search, which is counted rather than timed, is bounded for all patterns. */
#include "Patterns/assay_pcre2.h"
#include "test.h"
#include "test_hostile.h"

enum { ICASE = ASSAY_PATTERN_CASE_INSENSITIVE, SEARCH = ASSAY_PATTERN_SEARCH };

typedef struct witness_case {
    const char *pattern;
    uint32_t options;
    assay_growth growth;
    uint32_t degree;
} witness_case;

/* A class of 72 characters above U+FFFF, more than the DFA distinguishes. */
#define EIGHT_EMOJI(first)                                                                                             \
    "\\x{" first "0}\\x{" first "2}\\x{" first "4}\\x{" first "6}\\x{" first "8}\\x{" first "A}\\x{" first             \
    "C}\\x{" first "E}"
#define MANY_EMOJI                                                                                                     \
    "[" EIGHT_EMOJI("1F30") EIGHT_EMOJI("1F31") EIGHT_EMOJI("1F32") EIGHT_EMOJI("1F33") EIGHT_EMOJI("1F34")            \
        EIGHT_EMOJI("1F35") EIGHT_EMOJI("1F36") EIGHT_EMOJI("1F37") EIGHT_EMOJI("1F38") "]"

/* `\1`, atomic groups that backtrack, and recursion prevent a DFA. Other patterns use NO_DFA. */
static const witness_case cases[] = {
    /* two ways to match the same text: exponential */
    {"(a+)+\\1x", 0, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"(a|a)*\\1x", 0, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"(a|aa)+\\1b", 0, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"(?:\\w+\\s?)*!", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"id:(?:[0-9]+,?)*;", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"([0-9a-f]{8})+-(?:\\w+-?)*\\1!", 0, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"(?:ab|a|b)*!", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"(?:hello|hallo|hello|x)+!", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"(?:é+)+x", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"(?:B+)+x", ASSAY_PATTERN_NO_DFA | ICASE, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"(?:a+)+x", ASSAY_PATTERN_NO_DFA | SEARCH, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"((?:a|aa)(?1)?)b", 0, ASSAY_GROWTH_EXPONENTIAL, 0},
    /* for emoji, which the DFA leaves to PCRE2 because the class names too many */
    {"(?:a+|" MANY_EMOJI ")+b", 0, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"(?:\\p{L}+)+x", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"(?:a+|\U0001F600)+b", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"(?:\\p{L}+ ?)+", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"(?:[^\\x{1F300}-\\x{1FAFF}]+\\s?)+!", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_EXPONENTIAL, 0},
    {"(?:[\\w\U0001F600]+\\s?)+!", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_EXPONENTIAL, 0},
    /* several possible points of division: polynomial */
    {"\\d+\\d+x", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_POLYNOMIAL, 2},
    {"\\d+\\d+\\d+x", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_POLYNOMIAL, 3},
    {".*.*.*.*x", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_POLYNOMIAL, 3}, /* 4 for longer, too expensive values */
    {"(a*)\\1b", 0, ASSAY_GROWTH_POLYNOMIAL, 2},
    {"\\s+x", ASSAY_PATTERN_NO_DFA | SEARCH, ASSAY_GROWTH_POLYNOMIAL, 2},
    /* only one way */
    {"(a)\\1+b", 0, ASSAY_GROWTH_NOT_FOUND, 0},
    {"([a-z]+) \\1", 0, ASSAY_GROWTH_NOT_FOUND, 0},
    {"(?:a+,)*b", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    {"(?:[a-z]+\\.)*[a-z]+", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    {"\\d{4}-\\d{2}-\\d{2}", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    {"(?>a+)+b", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    {"(?:a++)*+b", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    /* the work grows, but only up to a bound */
    {"a{0,20}a{0,20}x", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    /* a DFA decides */
    {"(?:a+)+x", 0, ASSAY_GROWTH_NOT_FOUND, 0},
    {"(?:a+|\U0001F600)+b", 0, ASSAY_GROWTH_NOT_FOUND, 0},
    {"(?:[^\\x{1F300}-\\x{1FAFF}]+\\s?)+!", 0, ASSAY_GROWTH_NOT_FOUND, 0},
    {"\\d+\\d+x", 0, ASSAY_GROWTH_NOT_FOUND, 0},
    {"", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    /* PCRE2 reports an item after the end of the pattern: for sanitizers and memcheck */
    {"(?)", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    {"a(?)", ASSAY_PATTERN_NO_DFA | SEARCH, ASSAY_GROWTH_NOT_FOUND, 0},
};

static size_t build(const assay_witness *witness, size_t repeats, uint8_t *value)
{
    const uint8_t *pump = witness->text + witness->prefix_count;
    size_t count = witness->prefix_count;
    memcpy(value, witness->text, count);
    for (size_t i = 0; i < repeats; i++, count += witness->pump_count) memcpy(value + count, pump, witness->pump_count);
    memcpy(value + count, pump + witness->pump_count, witness->suffix_count);
    return count + witness->suffix_count;
}

/* Checks values of the witness, just below and at its length. */
static void check_undecided(const assay_pattern *pattern, const assay_witness *witness)
{
    static uint8_t value[(64 << 10) + ASSAY_WITNESS_BYTES];
    assay_scratch *scratch = assay_scratch_create(NULL);
    const size_t fixed = witness->prefix_count + witness->suffix_count;
    const size_t repeats = (witness->undecided - fixed) / witness->pump_count;
    CHECK(build(witness, repeats, value) == witness->undecided);
    CHECK(assay_pattern_match(pattern, scratch, value, witness->undecided) == ASSAY_UNDECIDED);
    const size_t shorter = build(witness, repeats - 1, value);
    CHECK(assay_pattern_match(pattern, scratch, value, shorter) != ASSAY_UNDECIDED);
    assay_scratch_free(scratch);
}

static void check_case(const witness_case *expected)
{
    assay_error error;
    assay_pattern *pattern = assay_pattern_create((const uint8_t *)expected->pattern, strlen(expected->pattern),
                                                  expected->options, 0, &error);
    CHECK(pattern != NULL);
    assay_witness witness;
    CHECK(assay_pattern_find_witness(pattern, &witness));
    if (!CHECK(witness.growth == expected->growth && witness.degree == expected->degree)) {
        fprintf(
            stderr,
            "    %s: growth %d of degree %u, expected %d, %u: %u, %u and %u bytes of '%.*s', n %u: %llu %llu %llu\n",
            expected->pattern, (int)witness.growth, witness.degree, (int)expected->growth, expected->degree,
            witness.prefix_count, witness.pump_count, witness.suffix_count,
            (int)(witness.prefix_count + witness.pump_count + witness.suffix_count), (const char *)witness.text,
            witness.repeats, (unsigned long long)witness.steps[0], (unsigned long long)witness.steps[1],
            (unsigned long long)witness.steps[2]);
    }
    CHECK(witness.work <= ASSAY_WITNESS_WORK);
    if (witness.growth != ASSAY_GROWTH_NOT_FOUND) {
        CHECK(witness.steps[2] >= 2 * witness.steps[1] && witness.steps[1] > witness.steps[0]);
        if (witness.undecided > 0) check_undecided(pattern, &witness);
        assay_witness again;
        CHECK(assay_pattern_find_witness(pattern, &again) && memcmp(&again, &witness, sizeof again) == 0);
    }
    assay_pattern_free(pattern);
}

static uint64_t max_work;

static void check_work(const char *text, size_t count, uint32_t options)
{
    assay_pattern *pattern = assay_pattern_create((const uint8_t *)text, count, options, 0, NULL);
    if (pattern == NULL) return; /* rejected by the compiler */
    assay_witness witness;
    assay_pattern_find_witness(pattern, &witness);
    if (witness.work > max_work) max_work = witness.work;
    if (!CHECK(witness.work <= ASSAY_WITNESS_WORK)) {
        fprintf(stderr, "    %.60s: work of %llu\n", text, (unsigned long long)witness.work);
    }
    assay_pattern_free(pattern);
}

/* The patterns that keep an engine busy. */
static void test_work_of_hostile_patterns(void)
{
    FILE *file = fopen(ASSAY_HOSTILE_PATTERNS, "r");
    if (!CHECK(file != NULL)) return;
    hostile_case hostile;
    while (hostile_next(file, &hostile)) {
        const size_t count = strlen(hostile.pattern);
        check_work(hostile.pattern, count, hostile.options | ASSAY_PATTERN_NO_DFA);
        check_work(hostile.pattern, count, hostile.options | ASSAY_PATTERN_NO_DFA | ASSAY_PATTERN_SEARCH);
        hostile_free(&hostile);
    }
    fclose(file);
}

/* A prefix, a part repeated up to the maximum pattern length of a rule file, and a suffix. */
static void test_work_of_long_patterns(void)
{
    enum { LONGEST = 10000 };
    static const char *const longest[][3] = {
        {"", "()", "(a+)+\\1x"},                     /* frames of 100 KB, before the first step of each run */
        {"(a+)+\\1", "a?", "x"},                     /* many possible positions */
        {"(?:", "a|", "b)*(c)\\1"},                  /* many alternatives */
        {"(a*)", "\\1", "b"},                        /* references */
        {"([", "\\x{100}-\\x{200}", "]+)+\\1x"},     /* a class that takes long for each character */
        {"((?=", "(?=a)", ")a)*\\1x"},               /* look-aheads */
        {"(a{8}|", "b{7}|", "c)*\\1x"},              /* minimum lengths */
        {"(", "\xE4\xB8\x80\xE4\xB8\x81", "+)+\\1"}, /* letters */
    };
    static char text[LONGEST + 1];
    for (size_t i = 0; i < sizeof longest / sizeof *longest; i++) {
        const char *const *parts = longest[i];
        for (size_t room = 100; room <= LONGEST; room *= 10) {
            size_t count = strlen(parts[0]);
            memcpy(text, parts[0], count);
            const size_t part = strlen(parts[1]);
            for (; count + part + strlen(parts[2]) <= room; count += part) memcpy(text + count, parts[1], part);
            memcpy(text + count, parts[2], strlen(parts[2]) + 1);
            count += strlen(parts[2]);
            check_work(text, count, ASSAY_PATTERN_NO_DFA);
            check_work(text, count, ASSAY_PATTERN_NO_DFA | SEARCH);
            check_work(text, count, ASSAY_PATTERN_NO_DFA | ICASE);
        }
    }
}

/* The sum of the search's limits: steps of the interpreter and checked values, each at its maximum length, by
   doubling and by halving. A search takes at most 16 times the steps. */
static void test_bound(void)
{
    const assay_match_limits limits = assay_match_limits_default();
    const assay_work_costs costs = {.step = 1, .byte = 1, .reach = UINT32_MAX, .searches = 16};
    uint64_t matching_work = 0;
    size_t longest = 1;
    for (; longest <= 64 << 10; longest *= 2) matching_work += assay_work_max(&limits, &costs, longest);
    for (size_t rest = longest / 2; rest > 1; rest /= 2) matching_work += assay_work_max(&limits, &costs, 64 << 10);
    CHECK(matching_work + UINT64_C(20000000) * ASSAY_WORK_STEP <= ASSAY_WITNESS_WORK);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(&cases[i]);
    if (test_is_slow()) {
        test_work_of_hostile_patterns();
        test_work_of_long_patterns();
    }
    test_bound();
    printf("work of a search: %llu at most\n", (unsigned long long)max_work);
    return test_result();
}
