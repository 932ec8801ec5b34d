/* Generated patterns on generated values: the DFA, the JIT compiler, the interpreter, and the interpreter without
   optimizations must agree, except that each may leave a value undecided. The test then repeats this in a process
   that may not make memory executable, so that only the interpreter remains. */
#define _DEFAULT_SOURCE 1
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "test_pattern_support.h"

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

enum { PATTERN_SIZE = 400, VALUES = 12, VALUE_SIZE = 24 };

/* ---------------------------------------------------------------------------------------------------------------
 * Generating
 * ------------------------------------------------------------------------------------------------------------- */

typedef struct writer {
    test_random *random;
    char text[PATTERN_SIZE];
    size_t count;
    int groups;
} writer;

static void put(writer *out, const char *text)
{
    size_t length = strlen(text);
    if (out->count + length >= PATTERN_SIZE) return;
    memcpy(out->text + out->count, text, length + 1);
    out->count += length;
}

static uint32_t below(writer *out, uint32_t bound) { return test_random_below(out->random, bound); }

static void put_one_of(writer *out, const char *const *choices, uint32_t number)
{
    put(out, choices[below(out, number)]);
}

static void put_alternatives(writer *out, int depth);

static void put_atom(writer *out, int depth)
{
    static const char *const letters[] = {"a", "b", "c", "a", "b", "A", "1", "é", "-"};
    static const char *const classes[] = {"[ab]", "[^a]",   "[a-c]",  "\\d", "\\w",         "\\W",
                                          ".",    "[^\\d]", "[a-cé]", "\\s", "[[:alpha:]]", "[^[:digit:]b]"};
    static const char *const anchors[] = {"^", "$", "\\b", "\\B", "\\A", "\\z"};
    static const char *const behinds[] = {"(?<=a)", "(?<!b)", "(?<=ab|b)", "(?<!é)"};
    static const char *const openings[] = {"(?:", "(?:", "(?>", "(?=", "(?!", "(?i:", "(?|"};
    uint32_t choice = below(out, 100);
    if (depth <= 0 || choice < 45) {
        put_one_of(out, letters, 9);
    } else if (choice < 62) {
        put_one_of(out, classes, 12);
    } else if (choice < 66) {
        put_one_of(out, anchors, 6);
    } else if (choice < 69) {
        put_one_of(out, behinds, 4);
    } else if (choice < 74 && out->groups > 0) {
        char reference[16];
        snprintf(reference, sizeof reference, "\\%u", 1 + below(out, (uint32_t)out->groups));
        put(out, reference);
    } else if (choice < 84) {
        out->groups++;
        put(out, "(");
        put_alternatives(out, depth - 1);
        put(out, ")");
    } else {
        put_one_of(out, openings, 7);
        put_alternatives(out, depth - 1);
        put(out, ")");
    }
}

static void put_alternatives(writer *out, int depth)
{
    static const char *const quantifiers[] = {"",      "",      "",     "",       "*",     "+",  "?",
                                              "*?",    "+?",    "??",   "*+",     "++",    "?+", "{2}",
                                              "{0,2}", "{1,3}", "{2,}", "{1,2}?", "{0,3}+"};
    uint32_t branches = 1 + below(out, 5) / 3;
    for (uint32_t branch = 0; branch < branches; branch++) {
        if (branch > 0) put(out, "|");
        uint32_t atoms = below(out, 4);
        for (uint32_t i = 0; i < atoms; i++) {
            put_atom(out, depth);
            put_one_of(out, quantifiers, 19);
        }
    }
}

static size_t make_value(test_random *random, uint8_t *value)
{
    static const char *const parts[] = {"a", "b", "c", "a", "b", "ab", "A", "1", "é", "-", " ", "\n"};
    size_t count = 0;
    uint32_t number = test_random_below(random, 9);
    uint32_t kinds = test_random_below(random, 3) == 0 ? 12 : 6;
    for (uint32_t i = 0; i < number; i++) {
        const char *part = parts[test_random_below(random, kinds)];
        memcpy(value + count, part, strlen(part));
        count += strlen(part);
    }
    return count;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Comparing
 * ------------------------------------------------------------------------------------------------------------- */

/* The options that Assay sets, and all optimizations disabled. */
static pcre2_code *compile_plainly(const writer *pattern, uint32_t options)
{
    uint32_t flags = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C | PCRE2_NO_START_OPTIMIZE |
                     PCRE2_NO_AUTO_POSSESS | PCRE2_NO_DOTSTAR_ANCHOR;
    if ((options & ASSAY_PATTERN_SEARCH) == 0) flags |= PCRE2_ANCHORED | PCRE2_ENDANCHORED;
    if ((options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0) flags |= PCRE2_CASELESS;
    if ((options & ASSAY_PATTERN_UNICODE_CLASSES) != 0) flags |= PCRE2_UCP;
    if ((options & ASSAY_PATTERN_DOT_ALL) != 0) flags |= PCRE2_DOTALL;
    if ((options & ASSAY_PATTERN_MULTILINE) != 0) flags |= PCRE2_MULTILINE;
    int code = 0;
    size_t offset = 0;
    return pcre2_compile((PCRE2_SPTR)pattern->text, pattern->count, flags, &code, &offset, NULL);
}

typedef struct agreement {
    unsigned long patterns, by_dfa, by_jit, values, undecided, disagreements;
} agreement;

static void report(const writer *pattern, uint32_t options, const uint8_t *value, size_t count, const char *verdicts)
{
    fprintf(stderr, "    pattern %s\n    options %x, value of %zu bytes \"%.*s\"\n", pattern->text, options, count,
            (int)count, (const char *)value);
    fprintf(stderr, "    plain, interpreter, JIT, DFA: %s\n", verdicts);
}

static void compare(const writer *pattern, uint32_t options, assay_scratch *scratch, pcre2_match_data *data,
                    pcre2_match_context *context, agreement *tally)
{
    pcre2_code *plain = compile_plainly(pattern, options);
    const uint8_t *text = (const uint8_t *)pattern->text;
    assay_pattern *by_dfa = assay_pattern_create(text, pattern->count, options, 0, NULL);
    assay_pattern *by_jit = assay_pattern_create(text, pattern->count, options | ASSAY_PATTERN_NO_DFA, 0, NULL);
    assay_pattern *by_interpreter = assay_pattern_create(text, pattern->count, options | ASSAY_PATTERN_NO_JIT, 0, NULL);
    CHECK((plain != NULL) == (by_jit != NULL) && (plain != NULL) == (by_interpreter != NULL) &&
          (plain != NULL) == (by_dfa != NULL));
    if (plain == NULL || by_jit == NULL || by_interpreter == NULL || by_dfa == NULL) return;
    tally->patterns++;
    tally->by_dfa += assay_pattern_get_dfa(by_dfa).states > 0;
    tally->by_jit += assay_pattern_jit_size(by_jit) > 0;
    for (int i = 0; i < VALUES; i++) {
        uint8_t value[VALUE_SIZE * 2];
        size_t count = make_value(pattern->random, value);
        int rc = pcre2_match(plain, value, count, 0, 0, data, context);
        char verdicts[5] = {rc >= 0    ? 'P'
                            : rc == -1 ? 'F'
                                       : 'U',
                            verdict_letter(assay_pattern_match(by_interpreter, scratch, value, count)),
                            verdict_letter(assay_pattern_match(by_jit, scratch, value, count)),
                            verdict_letter(assay_pattern_match(by_dfa, scratch, value, count)), '\0'};
        bool has_pass = strchr(verdicts, 'P') != NULL;
        bool has_fail = strchr(verdicts, 'F') != NULL;
        tally->values++;
        tally->undecided += strchr(verdicts, 'U') != NULL;
        if (has_pass && has_fail && tally->disagreements++ == 0) report(pattern, options, value, count, verdicts);
    }
    pcre2_code_free(plain);
    assay_pattern_free(by_dfa);
    assay_pattern_free(by_jit);
    assay_pattern_free(by_interpreter);
}

static agreement compare_many(uint64_t number, unsigned long rounds)
{
    static const uint32_t optional[] = {0,
                                        0,
                                        0,
                                        ASSAY_PATTERN_CASE_INSENSITIVE,
                                        ASSAY_PATTERN_UNICODE_CLASSES,
                                        ASSAY_PATTERN_DOT_ALL,
                                        ASSAY_PATTERN_MULTILINE,
                                        ASSAY_PATTERN_CASE_INSENSITIVE | ASSAY_PATTERN_UNICODE_CLASSES};
    agreement tally = {0};
    test_random random = test_random_of(number);
    assay_scratch *scratch = assay_scratch_create(NULL);
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    pcre2_match_context *context = pcre2_match_context_create(NULL);
    pcre2_set_match_limit(context, 100000);
    for (unsigned long round = 0; round < rounds; round++) {
        writer pattern = {.random = &random};
        put_alternatives(&pattern, 3);
        uint32_t options = optional[test_random_below(&random, 8)];
        if (test_random_below(&random, 3) == 0) options |= ASSAY_PATTERN_SEARCH;
        compare(&pattern, options, scratch, data, context, &tally);
    }
    pcre2_match_context_free(context);
    pcre2_match_data_free(data);
    assay_scratch_free(scratch);
    return tally;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Without executable memory
 * ------------------------------------------------------------------------------------------------------------- */

#if defined(__linux__)
/* Linux 6.3; systemd's MemoryDenyWriteExecute= sets it. The names are newer than these headers. */
enum { SET_MDWE = 65, REFUSE_EXEC_GAIN = 1, SKIPPED = 77 };

static int child_without_jit(void)
{
    if (prctl(SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0) != 0) return SKIPPED;
    if (assay_engine_has_jit()) return 1;
    agreement tally = compare_many(2, 2000);
    return tally.patterns > 0 && tally.by_jit == 0 && tally.disagreements == 0 ? 0 : 1;
}

static void test_without_jit(void)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) _exit(child_without_jit());
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    if (WEXITSTATUS(status) == SKIPPED) {
        printf("skipped: this kernel has no PR_SET_MDWE, so a process without JIT was not tried\n");
    } else {
        CHECK(WEXITSTATUS(status) == 0);
    }
}
#else
static void test_without_jit(void) { printf("skipped: no PR_SET_MDWE on this system\n"); }
#endif

int main(int argc, char **argv)
{
    /* First, because PCRE2 keeps executable memory once allocated, even across fork. */
    test_without_jit();
    /* An argument sets the number of patterns, for a long manual search with another ASSAY_TEST_SEED. */
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : test_rounds(40000);
    agreement tally = compare_many(1, rounds);
    printf("%lu patterns (%lu by DFA, %lu by JIT), %lu values, %lu undecided, %lu disagreements\n", tally.patterns,
           tally.by_dfa, tally.by_jit, tally.values, tally.undecided, tally.disagreements);
    CHECK(tally.patterns > rounds / 4);
    CHECK(tally.by_jit > 0 || !assay_engine_has_jit());
    CHECK(tally.disagreements == 0);
    return test_result();
}
