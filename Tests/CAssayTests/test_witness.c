/* Which patterns are said to take long, with a value that shows it: each witness is built and judged again here. */
#include "assay/core.h"
#include "test.h"

enum { ICASE = ASSAY_PATTERN_CASE_INSENSITIVE, SEARCH = ASSAY_PATTERN_SEARCH };

typedef struct witness_case {
    const char *pattern;
    uint32_t options;
    assay_growth growth;
    uint32_t degree;
} witness_case;

/* `\1`, atomic groups that give back and recursion keep a pattern from a DFA; NO_DFA stands for those that have none. */
static const witness_case cases[] = {
    /* two ways to read the same: exponential */
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
    {"(?:\\p{L}+)+x", 0, ASSAY_GROWTH_EXPONENTIAL, 0}, /* for letters above U+FFFF, which the DFA leaves to PCRE2 */
    /* several places where to divide: polynomial */
    {"\\d+\\d+x", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_POLYNOMIAL, 2},
    {"\\d+\\d+\\d+x", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_POLYNOMIAL, 3},
    {".*.*.*.*x", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_POLYNOMIAL, 3}, /* 4 for longer values than can be afforded */
    {"(a*)\\1b", 0, ASSAY_GROWTH_POLYNOMIAL, 2},
    {"\\s+x", ASSAY_PATTERN_NO_DFA | SEARCH, ASSAY_GROWTH_POLYNOMIAL, 2},
    /* one way only */
    {"(a)\\1+b", 0, ASSAY_GROWTH_NOT_FOUND, 0},
    {"([a-z]+) \\1", 0, ASSAY_GROWTH_NOT_FOUND, 0},
    {"(?:a+,)*b", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    {"(?:[a-z]+\\.)*[a-z]+", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    {"\\d{4}-\\d{2}-\\d{2}", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    {"(?>a+)+b", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    {"(?:a++)*+b", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    /* it grows, and stops growing */
    {"a{0,20}a{0,20}x", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
    /* a DFA judges */
    {"(?:a+)+x", 0, ASSAY_GROWTH_NOT_FOUND, 0},
    {"\\d+\\d+x", 0, ASSAY_GROWTH_NOT_FOUND, 0},
    {"", ASSAY_PATTERN_NO_DFA, ASSAY_GROWTH_NOT_FOUND, 0},
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

/* Judges values of the witness, just below and at the length that it names. */
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
    if (witness.growth != ASSAY_GROWTH_NOT_FOUND) {
        CHECK(witness.steps[2] >= 2 * witness.steps[1] && witness.steps[1] > witness.steps[0]);
        if (witness.undecided > 0) check_undecided(pattern, &witness);
        assay_witness again;
        CHECK(assay_pattern_find_witness(pattern, &again) && memcmp(&again, &witness, sizeof again) == 0);
    }
    assay_pattern_free(pattern);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(&cases[i]);
    return test_result();
}
