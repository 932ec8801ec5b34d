/* Recursion before the first character, which JIT would repeat until its stack is full. */
#include "Patterns/assay_pattern_recursion.h"
#include "assay/core.h"
#include "test.h"

typedef struct recursion {
    const char *pattern;
    bool is_left;
} recursion;

static const recursion cases[] = {
    {"(c|(?1)(?:a|))", true},
    {"((?1)?c|d)", true},
    {"(a?(?1)|b)", true},
    {"((?:a|)(?1)|b)", true},
    {"(a*+(?1)|b)", true},
    {"(?<x>(?&x)b|c)", true},
    {"((?=a)(?1)|b)", true},
    {"((?<=a)(?1)|b)", true},
    {"(\\b(?1)|b)", true},
    {"(()(?1)|b)", true},
    {"((?(1)a|a)(?1)|b)", true},
    {"a?(?R)|b", true},
    {"(*atomic:(a))(?1)", true}, /* not so, but the scan does not know */
    {"(a(?1)?b)", false},
    {"\\((?:[^()]++|(?R))*+\\)", false},
    {"\\(([^()]++|(?R))*\\)", false},
    {"(\\((?:[^()]++|(?1))*+\\))", false},
    {"(?:a|b)+(?1)(c)", false},
    {"(a*)(?1)", false},
    {"(a{2}(?1)?|[bc](?1)|\\d+?(?1))", false},
    {"(?:(?:a|b)(?1)|(x(?:y|z)(?1)))", false},
};

static void test_scan(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = cases[i].pattern;
        if (!CHECK(assay_pattern_may_recurse_left((const uint8_t *)text, strlen(text), 0) == cases[i].is_left)) {
            fprintf(stderr, "    %s\n", text);
        }
    }
}

/* The interpreter is used, and the loop of the first pattern is undecided. With JIT, each value would take seconds. */
static void test_patterns(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = cases[i].pattern;
        assay_error error;
        assay_pattern *pattern = assay_pattern_create((const uint8_t *)text, strlen(text), 0, 10000, &error);
        if (pattern == NULL) continue; /* refused, because of a defect of the interpreter */
        if (cases[i].is_left) CHECK(assay_pattern_jit_size(pattern) == 0);
        assay_scratch *scratch = assay_scratch_create(NULL);
        for (int round = 0; round < 200; round++) {
            const assay_verdict verdict = assay_pattern_match(pattern, scratch, (const uint8_t *)"cac", 3);
            if (i == 0) CHECK_EQUAL(verdict, ASSAY_UNDECIDED);
        }
        assay_scratch_free(scratch);
        assay_pattern_free(pattern);
    }
}

/* A recursion as deep as the value is long is undecided, because the interpreter takes quadratic time for it. */
static void test_depth(void)
{
    static uint8_t value[20000];
    memset(value, 'a', sizeof value);
    const char text[] = "((?2)(?1)|(a))";
    assay_error error;
    assay_pattern *pattern = assay_pattern_create((const uint8_t *)text, strlen(text), 0, 10000, &error);
    if (pattern == NULL) return; /* a build without PCRE2 */
    assay_scratch *scratch = assay_scratch_create(NULL);
    CHECK_EQUAL(assay_pattern_match(pattern, scratch, value, 100), ASSAY_PASS);
    CHECK_EQUAL(assay_pattern_match(pattern, scratch, value, sizeof value), ASSAY_UNDECIDED);
    CHECK_EQUAL(assay_pattern_match(pattern, scratch, value, 100), ASSAY_PASS);
    assay_scratch_free(scratch);
    assay_pattern_free(pattern);
}

int main(void)
{
    test_scan();
    test_patterns();
    test_depth();
    return test_result();
}
