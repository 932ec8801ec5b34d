/* Patterns: verdicts, undecided matches, and rejected patterns. */
#include "test_pattern_support.h"

#include "Patterns/assay_pcre2.h"

enum {
    NONE = 0,
    I = ASSAY_PATTERN_CASE_INSENSITIVE,
    U = ASSAY_PATTERN_UNICODE_CLASSES,
    S = ASSAY_PATTERN_DOT_ALL,
    X = ASSAY_PATTERN_EXTENDED,
    M = ASSAY_PATTERN_MULTILINE,
    SEARCH = ASSAY_PATTERN_SEARCH,
    NO_JIT = ASSAY_PATTERN_NO_JIT
};

typedef struct verdict_case {
    assay_text pattern;
    uint32_t options;
    assay_text value;
    bool passes;
} verdict_case;

static const verdict_case cases[] = {
    /* Full match backtracks into the alternative that reaches the end. */
    {T("a|ab"), NONE, T("ab"), true},
    {T("a|ab"), NONE, T("abc"), false},
    {T("abc"), NONE, T("xabc"), false},
    {T("abc"), SEARCH, T("xabcx"), true},
    {T("^abc$"), SEARCH, T("xabc"), false},
    {T("a??"), NONE, T("a"), true},
    /* An anchor never accepts a trailing newline, in any mode. */
    {T("abc"), NONE, T("abc\n"), false},
    {T("abc$"), NONE, T("abc\n"), false},
    {T("^abc$"), NONE, T("abc\n"), false},
    {T("abc\\Z"), NONE, T("abc\n"), false},
    {T("abc\\z"), NONE, T("abc\n"), false},
    {T("abc$"), M, T("abc\n"), false},
    {T("^abc$"), M, T("abc\n"), false},
    {T("abc$"), SEARCH, T("abc\n"), false},
    {T("^abc$"), SEARCH, T("abc\n"), false},
    {T("(?=.*[0-9]$)[\\s\\S]*"), NONE, T("a1\n"), false},
    {T("(?=.*[0-9]$)[\\s\\S]*"), NONE, T("a1"), true},
    {T(".*"), NONE, T("abc\n"), false},
    {T(".*"), NONE, T("abc\r"), true}, /* only LF is a newline */
    /* … unless the pattern contains one, or MULTILINE requests lines. */
    {T("abc\\n"), NONE, T("abc\n"), true},
    {T("^abc$"), M | SEARCH, T("abc\nx"), true},
    {T("(?:^[a-z]+$\\n?)+"), M, T("abc\nabc"), true},
    /* Options. */
    {T("straße"), I, T("STRAßE"), true},
    {T("straße"), NONE, T("STRAßE"), false},
    {T("\\w+"), NONE, T("é"), false},
    {T("\\w+"), U, T("é"), true},
    {T("\\d"), NONE, T("\xd9\xa3"), false}, /* U+0663, ARABIC-INDIC DIGIT THREE */
    {T("\\d"), U, T("\xd9\xa3"), true},
    {T("[[:alpha:]]+"), U, T("été"), true},
    {T("a.b"), NONE, T("a\nb"), false},
    {T("a.b"), S, T("a\nb"), true},
    {T("a b # c"), X, T("ab"), true},
    {T("a b"), NONE, T("ab"), false},
    /* A dot matches one scalar. */
    {T("."), NONE, T("é"), true},
    {T("."), NONE, T("\xf0\x9f\x98\x80"), true},
    {T(".."), NONE, T("é"), false},
    {T("\\R"), NONE, T("\r\n"), true},
    {T("\\R"), NONE, T("\xe2\x80\xa8"), true}, /* U+2028: \R matches any Unicode newline */
    /* \K changes the reported match, not whether there is one. */
    {T("a\\Kb"), NONE, T("ab"), true},
    {T("a\\Kb"), NONE, T("b"), false},
    /* Empty patterns and values. */
    {T(""), NONE, T(""), true},
    {T(""), NONE, T("a"), false},
    {T(""), SEARCH, T("a"), true},
    {T("a*"), NONE, T(""), true},
    {T("a"), NONE, T(""), false},
    {T("a"), SEARCH, T(""), false},
    /* NUL is an ordinary byte, in patterns and in values. */
    {T("a\0b"), NONE, T("a\0b"), true},
    {T("a\0b"), NONE, T("a\0c"), false},
    {T("a\\x00b"), NONE, T("a\0b"), true},
    {T("a"), NONE, T("a\0"), false},
    {T("\0"), NONE, T("\0"), true},
    /* Leading items that only disable optimizations are allowed. */
    {T("(*NO_START_OPT)abc"), NONE, T("abc"), true},
    {T("(*NO_AUTO_POSSESS)a+b"), NONE, T("aab"), true},
    /* Recursion and balance. */
    {T("(\\((?:[^()]|(?1))*\\))"), NONE, T("(a(b)c)"), true},
    {T("(\\((?:[^()]|(?1))*\\))"), NONE, T("(a(b)c"), false},
};

static void test_verdicts(assay_scratch *scratch)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (uint32_t engine = 0; engine <= NO_JIT; engine += NO_JIT) {
            assay_pattern *pattern = compiled(cases[i].pattern, cases[i].options | engine);
            if (!CHECK(pattern != NULL)) continue;
            if (!CHECK(single_verdict(pattern, scratch, cases[i].value) ==
                       (cases[i].passes ? ASSAY_PASS : ASSAY_FAIL))) {
                fprintf(stderr, "    case %zu: %.*s\n", i, (int)cases[i].pattern.count,
                        (const char *)cases[i].pattern.bytes);
            }
            assay_pattern_free(pattern);
        }
    }
}

/* Not an option of patterns: marks cases in which PCRE2 10.42 reports the offset before the wrong character, and
   newer versions the offset after it. Measured with 10.47. */
enum { BEFORE = 1u << 30 };

typedef struct refusal_case {
    assay_text pattern;
    uint32_t options; /* or BEFORE */
    size_t offset;
    const char *words; /* a part of the message */
} refusal_case;

static const refusal_case refusals[] = {
    {T("(abc"), NONE, 4, "missing closing parenthesis"},
    {T("abc)"), BEFORE, 3, "unmatched closing parenthesis"},
    {T("a**b("), BEFORE, 2, "quantifier does not follow a repeatable item"},
    {T("[b-a]"), BEFORE, 3, "range out of order"},
    {T("*a"), BEFORE, 0, "quantifier does not follow a repeatable item"},
    {T("\\"), NONE, 1, "\\ at end of pattern"},
    {T("\\C"), NONE, 2, "\\C"},
    {T("\\p{Nonsense}"), NONE, 12, "unknown property"},
    {T("a(?C1)b"), NONE, 6, "callouts"},
    {T("a(?C)b"), NONE, 5, "callouts"},
    {T("(*UTF)a"), NONE, 0, "(*UTF)"},
    {T("(*UCP)a"), NONE, 0, "use the option for Unicode classes"},
    {T("(*CRLF)a"), NONE, 0, "newline is always LF"},
    {T("(*ANYCRLF)a"), NONE, 0, "(*ANYCRLF)"},
    {T("(*BSR_ANYCRLF)a"), NONE, 0, "\\R is always any Unicode newline"},
    {T("(*LIMIT_MATCH=1)a"), NONE, 0, "match limits"},
    {T("(*LIMIT_HEAP=1)a"), NONE, 0, "match limits"},
    {T("(*NO_JIT)a"), NONE, 0, "(*NO_JIT)"},
    {T("(*NOTEMPTY)a*"), NONE, 0, "(*NOTEMPTY)"},
    {T("(*NOTEMPTY_ATSTART)a*"), NONE, 0, "(*NOTEMPTY_ATSTART)"},
    {T("(*NO_START_OPT)(*UTF)a"), NONE, 15, "(*UTF)"}, /* after an item that is allowed */
    {T("a\xff"), NONE, 1, "UTF-8 error"},
    {T("(?<=a+)b"), NONE, 0, "lookbehind"},
};

static void test_refusals(void)
{
    char version[64], unicode[64];
    assay_engine_version(version, unicode);
    bool is_newer = strncmp(version, "10.42 ", 6) != 0;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        assay_error error = {0};
        bool is_behind = is_newer && (refusals[i].options & BEFORE) != 0;
        assay_pattern *pattern = assay_pattern_create(refusals[i].pattern.bytes, refusals[i].pattern.count,
                                                      refusals[i].options & ~(uint32_t)BEFORE, 0, &error);
        bool as_expected = CHECK(pattern == NULL);
        as_expected &= CHECK(error.status == ASSAY_BAD_DESCRIPTION);
        as_expected &=
            CHECK(error.offset == refusals[i].offset || (is_behind && error.offset == refusals[i].offset + 1));
        as_expected &= CHECK(strstr(error.message, refusals[i].words) != NULL);
        if (!as_expected) fprintf(stderr, "    refusal %zu: \"%s\" at %zu\n", i, error.message, error.offset);
        assay_pattern_free(pattern);
    }
    /* The error argument is optional. The error contains PCRE2's number. */
    CHECK(assay_pattern_create((const uint8_t *)"(", 1, 0, 0, NULL) == NULL);
    assay_error error = {0};
    CHECK(assay_pattern_create((const uint8_t *)"(", 1, 0, 0, &error) == NULL);
    CHECK(error.engine_code == 114);
    CHECK(assay_pattern_create((const uint8_t *)"a", 1, 1u << 9, 0, &error) == NULL);
    CHECK(error.status == ASSAY_BAD_DESCRIPTION && strstr(error.message, "options 0x200 are not") != NULL);
    /* In a class, after an escape or in a quotation, these are literals. */
    assay_pattern *letters = compiled(TEXT("[(?C1)]\\(?C\\Q(?C1)\\E"), NONE);
    CHECK(letters != NULL);
    assay_pattern_free(letters);
}

/* PCRE2 takes eight milliseconds for a range of all characters, so a short pattern could take minutes. */
static void test_folded_ranges(void)
{
    static const char *const ranges[] = {
        "[\\x{0}-\\x{10FFFF}]",
        "[!-\xF4\x8F\xBF\xBF]",
        "[\\o{0}-\\N{U+10FFFF}]",
        /* Other spellings of the bounds. */
        "[\\n-\\x{10ffff}]",
        "[\\t-\\x{10ffff}]",
        "[\\a-\\x{10ffff}]",
        "[\\b-\\x{10ffff}]",
        "[\\e-\\x{10ffff}]",
        "[\\f-\\x{10ffff}]",
        "[\\r-\\x{10ffff}]",
        "[\\cA-\\x{10ffff}]",
        "[\\01-\\x{10ffff}]",
        "[\\001-\\x{10ffff}]",
        "[\\x1-\\x{10ffff}]",
        "[\\x{1}-\\x{00000000000000000000000010ffff}]",
        "[\\x{000000000000000000000000000}-\\x{10ffff}]",
        "[!\\E-\\x{10ffff}]",
        "[!-\\E\\x{10ffff}]",
        "[\\Q!\\E-\\x{10ffff}]",
        "[!-\\Q\xF4\x8F\xBF\xBF\\E]",
    };
    char text[1024];
    char folded_text[sizeof text + 8];
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        size_t length = 0;
        for (int count = 0; count < 8; count++) length += (size_t)sprintf(text + length, "%s", ranges[i]);
        assay_pattern *largest = assay_pattern_create((uint8_t *)text, length, ASSAY_PATTERN_CASE_INSENSITIVE, 0, NULL);
        CHECK(largest != NULL);
        assay_pattern_free(largest);
        const uint64_t folded = assay_pattern_folded((uint8_t *)text, length, ASSAY_PATTERN_CASE_INSENSITIVE);
        CHECK(8 * 0x10FF00 <= folded && folded <= 8 * 0x10FFFF);
        CHECK_EQUAL(assay_pattern_folded((uint8_t *)text, length, NONE), 0);
        size_t range = length;
        length += (size_t)sprintf(text + length, "%sab", ranges[i]);
        assay_error error = {0};
        CHECK(assay_pattern_create((uint8_t *)text, length, ASSAY_PATTERN_CASE_INSENSITIVE, 0, &error) == NULL);
        CHECK_EQUAL(assay_pattern_folded((uint8_t *)text, length, ASSAY_PATTERN_CASE_INSENSITIVE), 0);
        /* The offset is that of the range, after text that does not denote a character. */
        const size_t nothing = strncmp(ranges[i], "[\\Q", 3) == 0 ? 2 : 0;
        CHECK_EQUAL(error.offset, range + 1 + nothing);
        CHECK(strstr(error.message, "(?-i:...)") != NULL);
        assay_pattern *plain = assay_pattern_create((uint8_t *)text, length, NONE, 0, NULL);
        CHECK(plain != NULL);
        assay_pattern_free(plain);
        /* A setting applies to the ranges after it. */
        sprintf(folded_text, "(?i)%s", text);
        CHECK(assay_pattern_create((uint8_t *)folded_text, length + 4, NONE, 0, NULL) == NULL);
        sprintf(folded_text, "%s(?i)", text);
        plain = assay_pattern_create((uint8_t *)folded_text, length + 4, NONE, 0, NULL);
        CHECK(plain != NULL);
        assay_pattern_free(plain);
        /* Following the advice in the message makes the pattern valid. */
        sprintf(folded_text, "(?-i:%s)", text);
        plain = assay_pattern_create((uint8_t *)folded_text, length + 6, ASSAY_PATTERN_CASE_INSENSITIVE, 0, NULL);
        CHECK(plain != NULL);
        assay_pattern_free(plain);
    }
    /* (?xx) ignores blanks in a class. */
    size_t length = (size_t)sprintf(text, "(?ixx)");
    for (int count = 0; count < 9; count++) length += (size_t)sprintf(text + length, "[! - \t\\x{10ffff}]");
    CHECK(assay_pattern_create((uint8_t *)text, length, NONE, 0, NULL) == NULL);
}

/* A pattern over its length limit is rejected before any analysis, because the analyses take linear or quadratic
   time. */
static void test_length_first(void)
{
    enum { COUNT = 100000000 };
    uint8_t *text = malloc(COUNT);
    for (size_t i = 0; i + 5 <= COUNT; i += 5) memcpy(text + i, "(?(R)", 5);
    assay_error error = {0};
    CHECK(assay_pattern_create(text, COUNT, ASSAY_PATTERN_CASE_INSENSITIVE, 0, &error) == NULL);
    CHECK(strcmp(error.message, "a pattern may have 10000 bytes, and this one has 100000000") == 0);
    CHECK_EQUAL(error.offset, 10000);
    free(text);
}

static void test_pattern_size(void)
{
    static uint8_t text[20000];
    memset(text, 'a', sizeof text);
    assay_error error = {0};
    assay_pattern *longest = assay_pattern_create(text, 10000, 0, 0, &error);
    CHECK(longest != NULL);
    assay_pattern_free(longest);
    CHECK(assay_pattern_create(text, 10001, 0, 0, &error) == NULL);
    CHECK(error.status == ASSAY_BAD_DESCRIPTION);
    CHECK(assay_pattern_create(text, 11, 0, 10, &error) == NULL);
    longest = assay_pattern_create(text, 20000, 0, 20000, &error);
    CHECK(longest != NULL);
    assay_pattern_free(longest);
    /* The maximum nesting depth of parentheses is 250. */
    for (size_t depth = 250; depth <= 251; depth++) {
        memset(text, '(', depth);
        text[depth] = 'a';
        memset(text + depth + 1, ')', depth);
        assay_pattern *nested = assay_pattern_create(text, 2 * depth + 1, 0, 0, &error);
        CHECK((nested != NULL) == (depth == 250));
        assay_pattern_free(nested);
        nested = assay_pattern_create(text, 2 * depth + 1, SEARCH, 0, &error);
        CHECK((nested != NULL) == (depth == 250));
        assay_pattern_free(nested);
    }
}

static void test_limits(void)
{
    assay_match_limits limits = assay_match_limits_default();
    CHECK(limits.match_base == 5000 && limits.match_per_byte == 64);
    assay_scratch *scratch = assay_scratch_create(&limits);
    for (int jit = 0; jit <= 1; jit++) {
        assay_pattern *pattern = compiled(TEXT("(a+)+"), jit == 1 ? ASSAY_PATTERN_NO_DFA : NO_JIT);
        CHECK(single_verdict(pattern, scratch, TEXT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab")) == ASSAY_UNDECIDED);
        CHECK(assay_scratch_engine_code(scratch) == -47);
        /* An undecided value does not affect the next one. */
        CHECK(single_verdict(pattern, scratch, TEXT("aaaa")) == ASSAY_PASS);
        CHECK(single_verdict(pattern, scratch, TEXT("b")) == ASSAY_FAIL);
        assay_pattern_free(pattern);
    }
    assay_scratch_free(scratch);

    /* The limit applies to all starts of a search together. Each start alone is below it. */
    static uint8_t letters[4000];
    memset(letters, 'a', sizeof letters);
    scratch = assay_scratch_create(&limits);
    for (size_t engine = 0; engine < ENGINES; engine++) {
        assay_pattern *pattern = compiled(TEXT("(a+)\\1z"), SEARCH | engines[engine]);
        CHECK(assay_pattern_match(pattern, scratch, letters, sizeof letters) == ASSAY_UNDECIDED);
        CHECK(single_verdict(pattern, scratch, TEXT("xaaz")) == ASSAY_PASS);
        CHECK(single_verdict(pattern, scratch, TEXT("xaz")) == ASSAY_FAIL);
        assay_pattern_free(pattern);
    }
    assay_scratch_free(scratch);

    /* The limit grows in steps of 64 bytes: an empty value gets only the base. Interpreter and JIT count
       differently, but 0 is too small for both if a group repeats. */
    limits = (assay_match_limits){.match_base = 0, .match_per_byte = 0, .heap_kib = 1024, .jit_stack_bytes = 1u << 16};
    scratch = assay_scratch_create(&limits);
    assay_pattern *pattern = compiled(TEXT("(?:a|b)+"), NO_JIT);
    CHECK(single_verdict(pattern, scratch, TEXT("abab")) == ASSAY_UNDECIDED);
    assay_pattern_free(pattern);
    assay_scratch_free(scratch);
    limits.match_per_byte = UINT32_MAX; /* saturates instead of wrapping around */
    scratch = assay_scratch_create(&limits);
    pattern = compiled(TEXT("(?:a|b)+"), NONE);
    CHECK(single_verdict(pattern, scratch, TEXT("abab")) == ASSAY_PASS);
    assay_pattern_free(pattern);
    assay_scratch_free(scratch);

    /* A heap that is too small for the interpreter makes the value undecided (−63, heap limit). */
    limits = assay_match_limits_default();
    limits.heap_kib = 1;
    scratch = assay_scratch_create(&limits);
    static uint8_t many[65536];
    memset(many, 'a', sizeof many);
    pattern = compiled(TEXT("(?:a|b)+"), NO_JIT);
    CHECK(assay_pattern_match(pattern, scratch, many, sizeof many) == ASSAY_UNDECIDED);
    CHECK(assay_scratch_engine_code(scratch) == -63);
    assay_pattern_free(pattern);
    assay_scratch_free(scratch);
}

/* If the JIT stack is too small, the interpreter decides. */
static void test_jit_stack(assay_scratch *scratch)
{
    static uint8_t value[65537];
    memset(value, 'a', 65536);
    value[65536] = '!';
    assay_match_limits small = assay_match_limits_default();
    small.jit_stack_bytes = 32768;
    small.heap_kib = 1u << 20;
    assay_scratch *tight = assay_scratch_create(&small);
    static const assay_text patterns[] = {T("(?:a|b)+"), T("[a-z]+(?:[.-][a-z]+)*"), T("(a|b)*")};
    for (size_t i = 0; i < 3; i++) {
        assay_pattern *pattern = compiled(patterns[i], NONE);
        for (size_t count = 1; count <= 65536; count *= 4) {
            CHECK(assay_pattern_match(pattern, tight, value, count) == ASSAY_PASS);
            CHECK(assay_pattern_match(pattern, scratch, value, count) == ASSAY_PASS);
        }
        CHECK(assay_pattern_match(pattern, tight, value, 65537) == ASSAY_FAIL);
        assay_pattern_free(pattern);
    }
    assay_scratch_free(tight);
}

/* A scratch makes its JIT stack only if a value needs more than that of the thread, or if there is a plan. */
static void test_jit_stack_on_demand(void)
{
    static uint8_t value[16384];
    memset(value, 'a', sizeof value);
    assay_scratch *scratch = assay_scratch_create(NULL);
    assay_pattern *pattern = compiled(TEXT("(?:a|b)+"), NONE);
    if (assay_pattern_jit_size(pattern) > 0) {
        CHECK(assay_pattern_match(pattern, scratch, value, 200) == ASSAY_PASS);
        CHECK(scratch->jit_stack == NULL);
        pcre2_set_match_limit(scratch->context, UINT32_MAX);
        const pcre2_code *code = assay_pattern_form(pattern)->code;
        const int rc = pcre2_jit_match(code, value, sizeof value, 0, 0, scratch->match_data, scratch->context);
        CHECK_EQUAL(rc, PCRE2_ERROR_JIT_STACKLIMIT);
        CHECK(assay_scratch_make_jit_stack(scratch) && !assay_scratch_make_jit_stack(scratch));
        CHECK(pcre2_jit_match(code, value, sizeof value, 0, 0, scratch->match_data, scratch->context) >= 0);
    }
    assay_pattern_free(pattern);
    /* Patterns without a DFA have their plan from the beginning. */
    pattern = compiled(TEXT("(?:a|b)+"), ASSAY_PATTERN_NO_DFA);
    assay_scratch_free(scratch);
    scratch = assay_scratch_create(NULL);
    CHECK(assay_pattern_match(pattern, scratch, value, 200) == ASSAY_PASS);
    CHECK(assay_pattern_jit_size(pattern) == 0 || scratch->jit_stack != NULL);
    assay_scratch_free(scratch);
    scratch = assay_scratch_create(NULL);
    CHECK(assay_scratch_reserve(scratch) && assay_scratch_reserve(scratch));
    CHECK(assay_pattern_jit_size(pattern) == 0 || scratch->jit_stack != NULL);
    assay_pattern_free(pattern);
    assay_scratch_free(scratch);
}

/* The interpreter decides the first values; then there is machine code. */
static void test_form_on_demand(assay_scratch *scratch)
{
    static const char text[] = "[a-z]+-(\\d)\\1";
    assay_pattern *pattern = assay_pattern_create((const uint8_t *)text, sizeof text - 1, NONE, 0, NULL);
    assay_pattern *search = assay_pattern_create((const uint8_t *)text, sizeof text - 1, SEARCH, 0, NULL);
    const bool has_jit = assay_engine_has_jit();
    for (int i = 0; i < 8; i++) {
        CHECK(single_verdict(pattern, scratch, TEXT("ab-11")) == ASSAY_PASS);
        CHECK(single_verdict(pattern, scratch, TEXT("ab-12")) == ASSAY_FAIL);
    }
    CHECK(atomic_load(&pattern->form) == NULL);
    CHECK(single_verdict(search, scratch, TEXT("1 ab-11 2")) == ASSAY_PASS);
    CHECK(atomic_load(&search->form) == NULL);
    for (int i = 0; i < 100; i++) {
        CHECK(single_verdict(pattern, scratch, TEXT("ab-11")) == ASSAY_PASS);
        CHECK(single_verdict(pattern, scratch, TEXT("ab-12")) == ASSAY_FAIL);
        CHECK(single_verdict(search, scratch, TEXT("1 ab-11 2")) == ASSAY_PASS);
        CHECK(single_verdict(search, scratch, TEXT("1 ab-12 2")) == ASSAY_FAIL);
    }
    CHECK(atomic_load(&pattern->form) != NULL && (atomic_load(&pattern->form)->jit_size > 0) == has_jit);
    CHECK(atomic_load(&search->form) != NULL && (atomic_load(&search->form)->jit_size > 0) == has_jit);
    assay_pattern_free(pattern);
    assay_pattern_free(search);
}

/* A verdict does not depend on the number of earlier values, for any limit. */
static void test_first_verdicts(void)
{
    static const assay_text patterns[] = {T("(a|b|ab)*(c)\\2"),   T("(a*)*\\1c"),       T("(?:a|b)+"),
                                          T("(a)?(?:a|b){2,9}c"), T("(a+)+\\1?(?!b)c"), T("((?:a|b)*?)\\1c")};
    test_random random = test_random_of(52);
    for (uint32_t base = 0; base < 600; base += 1 + base / 4) {
        const assay_match_limits limits = {
            .match_base = base, .match_per_byte = base % 3, .heap_kib = 20480, .jit_stack_bytes = 1u << 16};
        assay_scratch *scratch = assay_scratch_create(&limits);
        for (size_t i = 0; i < 2 * sizeof patterns / sizeof patterns[0]; i++) {
            const uint32_t options = i % 2 == 0 ? NONE : SEARCH;
            assay_pattern *later = compiled(patterns[i / 2], options | ASSAY_PATTERN_NO_DFA);
            uint8_t value[24];
            const size_t count = test_random_below(&random, sizeof value);
            for (size_t k = 0; k < count; k++) value[k] = (uint8_t) "aaab"[test_random_below(&random, 4)];
            if (count > 1) value[count - 1] = value[count - 2] = (uint8_t) "abcc"[test_random_below(&random, 4)];
            assay_pattern *first = assay_pattern_create(patterns[i / 2].bytes, patterns[i / 2].count, options, 0, NULL);
            const assay_verdict early = assay_pattern_match(first, scratch, value, count);
            assay_pattern_jit_size(first);
            CHECK(assay_pattern_match(first, scratch, value, count) == early);
            const assay_verdict by_jit = assay_pattern_match(later, scratch, value, count);
            CHECK(by_jit == early || (by_jit == ASSAY_UNDECIDED && assay_pattern_get_dfa(first).refusal == NULL));
            assay_pattern_free(first);
            assay_pattern_free(later);
        }
        assay_scratch_free(scratch);
    }
}

/* The verdicts of a column are those of its values, for any number of rows, any mask, and any bit position. */
static void test_columns(void)
{
    enum { ROWS = 200, BYTES = 40 };
    static uint8_t bytes[ROWS * BYTES];
    static assay_cell cells[ROWS];
    assay_match_limits limits = assay_match_limits_default();
    limits.match_base = 300;
    limits.match_per_byte = 1;
    assay_scratch *scratch = assay_scratch_create(&limits);
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t length = i % 40;
        memset(bytes + i * BYTES, 'a', BYTES);
        if (i % 3 == 0 && length > 0) bytes[i * BYTES + length - 1] = 'b'; /* the long ones are undecided */
        cells[i] = (assay_cell){i * BYTES, length};
    }
    static const size_t counts[] = {0, 1, 2, 63, 64, 65, 127, 128, 129, 191, 192, 193, 200};
    test_random random = test_random_of(42);
    for (int jit = 0; jit <= 1; jit++) {
        assay_pattern *pattern = compiled(TEXT("(a+)+"), jit == 1 ? ASSAY_PATTERN_NO_DFA : NO_JIT);
        assay_check *check = assay_check_create_pattern(pattern);
        bool saw_undecided = false;
        for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
            for (int mask = 0; mask < 4; mask++) {
                size_t count = counts[n];
                size_t words = assay_mask_words(count);
                uint64_t skip[4] = {0};
                for (size_t row = 0; row < count; row++) {
                    bool skipped = mask == 2 || (mask == 1 && test_random_below(&random, 2) == 0);
                    skip[row / 64] |= (uint64_t)skipped << (row % 64);
                }
                uint64_t failed[5];
                uint64_t undecided[5];
                memset(failed, 0xAA, sizeof failed);
                memset(undecided, 0xAA, sizeof undecided);
                assay_check_column(check, scratch, bytes, cells, count, mask == 3 ? NULL : skip, failed, undecided);
                for (size_t row = 0; row < words * 64; row++) {
                    bool is_failed = failed[row / 64] >> (row % 64) & 1;
                    bool is_undecided = undecided[row / 64] >> (row % 64) & 1;
                    assay_verdict expected = ASSAY_PASS;
                    if (row < count && (mask == 3 || (skip[row / 64] >> (row % 64) & 1) == 0)) {
                        expected = assay_check_value(check, scratch, bytes + cells[row].start, cells[row].length);
                    }
                    CHECK(is_failed == (expected == ASSAY_FAIL));
                    CHECK(is_undecided == (expected == ASSAY_UNDECIDED));
                    saw_undecided |= is_undecided;
                }
                CHECK(failed[words] == 0xAAAAAAAAAAAAAAAAu && undecided[words] == 0xAAAAAAAAAAAAAAAAu);
            }
        }
        CHECK(saw_undecided);
        assay_check_free(check);
        assay_pattern_free(pattern);
    }
    /* A column without bytes contains empty values. */
    assay_pattern *pattern = compiled(TEXT("a*"), NONE);
    assay_check *check = assay_check_create_pattern(pattern);
    assay_cell empty[3] = {{0, 0}, {0, 0}, {0, 0}};
    uint64_t failed = 1;
    uint64_t undecided = 1;
    assay_check_column(check, scratch, NULL, empty, 3, NULL, &failed, &undecided);
    CHECK(failed == 0 && undecided == 0);
    CHECK(assay_check_value(check, scratch, NULL, 0) == ASSAY_PASS);
    assay_check_free(check);
    assay_pattern_free(pattern);
    assay_scratch_free(scratch);
}

typedef struct viable_case {
    assay_text pattern;
    uint32_t options;
    assay_text value;
    size_t viable;
} viable_case;

static const viable_case viables[] = {
    {T("\\d{4}-\\d{2}-\\d{2}"), NONE, T("2024-1x-01"), 6},
    {T("\\d{4}-\\d{2}-\\d{2}"), NONE, T("2024-11-01"), 10},
    {T("\\d{4}-\\d{2}-\\d{2}"), NONE, T("2024-11-01x"), 10},
    {T("\\d{4}-\\d{2}-\\d{2}"), NONE, T("2024"), 4},
    {T("\\d{4}"), NONE, T("x"), 0},
    {T("\\d{4}"), NONE, T(""), 0},
    {T("é+x"), NONE, T("ééé!"), 6},
    {T("é+x"), NONE, T("\xc3\xa8"), 0},
    {T("a|ab"), NONE, T("abc"), 2},
    {T("cat|dog # animals"), X, T("dot"), 2},
    {T("(?:cat|dog)$"), NONE, T("dogs"), 3},
    {T("\\Qa.b"), NONE, T("a.c"), 2},
    {T("[$€]\\d+"), NONE, T("€1x"), 4},
    {T("(?=.*\\d)[a-z0-9]+"), NONE, T("abc!"), SIZE_MAX},
    {T("(?<=a)b"), NONE, T("b"), SIZE_MAX},
    {T("a\\Kb"), NONE, T("b"), SIZE_MAX},
    {T("a(*ACCEPT)b"), NONE, T("b"), SIZE_MAX},
    {T("a$b"), NONE, T("a"), SIZE_MAX},
    {T("[ab]{2}\\B"), NONE, T("bac"), SIZE_MAX},
    {T("a+^b"), NONE, T("aac"), SIZE_MAX},
    {T("^(?:^a|b)$"), NONE, T("x"), 0},
    {T("a(?R)?b"), NONE, T("a"), SIZE_MAX},
    {T("abc"), SEARCH, T("ab"), SIZE_MAX},
    {T("(abc"), NONE, T("ab"), SIZE_MAX},
};

static void test_viable_prefixes(void)
{
    for (size_t i = 0; i < sizeof viables / sizeof viables[0]; i++) {
        size_t viable = assay_pattern_viable_prefix(viables[i].pattern.bytes, viables[i].pattern.count,
                                                    viables[i].options, viables[i].value.bytes, viables[i].value.count);
        if (!CHECK_EQUAL(viable, viables[i].viable)) fprintf(stderr, "    viable case %zu\n", i);
    }
}

/* Assay reports the reason for a slow pattern. */
static void test_jit_refusals(void)
{
    char large[9801] = ""; /* 4,900 times `a*` */
    for (size_t at = 0; at + 1 < sizeof large; at += 2) memcpy(large + at, "a*", 2);
    const bool jit = assay_engine_has_jit();
    const char *none = "this host does not allow JIT";
    const struct {
        const char *text;
        uint32_t options;
        const char *refusal;
    } jit_cases[] = {
        {"abc", NONE, jit ? NULL : none},
        {"abc", NO_JIT, "JIT is switched off"},
        {"(a|b){2,}+", NONE, "PCRE2's JIT errs on possessive counted repeats"},
        {"a(*SKIP)b|c", NONE, "PCRE2's JIT errs on backtracking verbs"},
        {large, NONE, jit ? "the pattern is too large for JIT" : none},
    };
    for (size_t i = 0; i < sizeof jit_cases / sizeof jit_cases[0]; i++) {
        const char *text = jit_cases[i].text;
        assay_pattern *pattern =
            assay_pattern_create((const uint8_t *)text, strlen(text), jit_cases[i].options, 0, NULL);
        const char *refusal = assay_pattern_jit_refusal(pattern);
        CHECK((refusal == NULL) == (assay_pattern_jit_size(pattern) > 0));
        CHECK(jit_cases[i].refusal == NULL ? refusal == NULL
                                           : refusal != NULL && strcmp(refusal, jit_cases[i].refusal) == 0);
        assay_pattern_free(pattern);
    }
}

static void test_engine(void)
{
    char version[64];
    char unicode[64];
    assay_engine_version(version, unicode);
    CHECK(strncmp(version, "10.", 3) == 0);
    CHECK(strchr(unicode, '.') != NULL);
    printf("PCRE2 %s, Unicode %s, JIT %s\n", version, unicode, assay_engine_has_jit() ? "yes" : "no");
    assay_pattern *pattern = compiled(TEXT("abc"), NONE);
    CHECK((assay_pattern_jit_size(pattern) > 0) == assay_engine_has_jit());
    assay_pattern_free(pattern);
    pattern = compiled(TEXT("abc"), NO_JIT);
    CHECK(assay_pattern_jit_size(pattern) == 0);
    assay_pattern_free(pattern);
    /* JIT is wrong for {n,}+ of a capturing group. It is correct for a group with an upper bound. */
    pattern = compiled(TEXT("(a{2,4}),?+b"), NONE);
    CHECK((assay_pattern_jit_size(pattern) > 0) == assay_engine_has_jit());
    assay_pattern_free(pattern);
    pattern = compiled(TEXT("(a|b){2,}+"), NONE);
    CHECK(assay_pattern_jit_size(pattern) == 0);
    assay_pattern_free(pattern);
    test_jit_refusals();
    assay_pattern_free(NULL);
    assay_scratch_free(NULL);
    assay_check_free(NULL);
}

/* The plan names an engine for each length. Repeated calls return the same plan. */
static void test_plan(void)
{
    static const struct {
        const char *pattern;
        uint32_t options;
        const char *for_short;
        const char *for_long;
        const char *for_columns;
    } plans[] = {
        {"[a-z]+", 0, "DFA", "DFA", "DFA"},
        {"[a-z ]{0,900}x?", 0, "lazy DFA", "lazy DFA", "lazy DFA"},
        {"(a)\\1", ASSAY_PATTERN_NO_JIT, "PCRE2's interpreter", "PCRE2's interpreter", "PCRE2's interpreter"},
        {"[a-z]+", ASSAY_PATTERN_NO_JIT, "PCRE2's interpreter", "PCRE2's interpreter", "PCRE2's interpreter"},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        const char *text = plans[i].pattern;
        assay_pattern *pattern = assay_pattern_create((const uint8_t *)text, strlen(text), plans[i].options, 0, NULL);
        if (!CHECK(pattern != NULL)) continue;
        const assay_pattern_plan plan = assay_pattern_get_plan(pattern);
        const bool is_right = strcmp(plan.for_short, plans[i].for_short) == 0 &&
                              strcmp(plan.for_long, plans[i].for_long) == 0 &&
                              strcmp(plan.for_columns, plans[i].for_columns) == 0;
        if (!CHECK(is_right)) fprintf(stderr, "    %s: %s, %s\n", text, plan.for_short, plan.for_columns);
        CHECK(plan.short_max <= plan.middle_max);
        assay_pattern_free(pattern);
    }
}

/* A pattern with the option linear time has a DFA for each length. Other patterns are refused, with their construct. */
static void test_linear_time(assay_scratch *scratch)
{
    enum { LINEAR = ASSAY_PATTERN_LINEAR_TIME };
    static const struct {
        const char *pattern;
        uint32_t options;
        const char *message; /* NULL: accepted */
        size_t offset;
    } linear[] = {
        {"(a+)+b", NONE, NULL, 0},
        {"[a-z ]{0,900}x?", NONE, NULL, 0},
        {"(?=.*[0-9])[a-z0-9]{8,}", NONE, NULL, 0},
        {"\\w+", SEARCH, NULL, 0},
        {"(a+)+b", ASSAY_PATTERN_NO_DFA, NULL, 0},
        {"(a)\\1", NONE, "linearTime excludes a back reference; write out the alternatives", 3},
        {"a\\012", NONE, "linearTime excludes an octal escape; write the character as \\x{…}", 1},
        {"(a)\\1", NO_JIT, "linearTime excludes a back reference; write out the alternatives", 3},
        {"a(?1)|(b)", NONE, "linearTime excludes a call of a group; write the pattern in another way", 1},
        {"ab(*SKIP)c", NONE, "linearTime excludes a verb; write the pattern in another way", 2},
        {"(", NONE, "missing closing parenthesis", 1},
    };
    for (size_t i = 0; i < sizeof linear / sizeof linear[0]; i++) {
        const char *text = linear[i].pattern;
        assay_error error = {.status = ASSAY_OK};
        assay_pattern *pattern =
            assay_pattern_create((const uint8_t *)text, strlen(text), linear[i].options | LINEAR, 0, &error);
        const bool is_right =
            linear[i].message == NULL
                ? pattern != NULL
                : pattern == NULL && strcmp(error.message, linear[i].message) == 0 && error.offset == linear[i].offset;
        if (!CHECK(is_right)) fprintf(stderr, "    %s: %s at %zu\n", text, error.message, error.offset);
        assay_pattern_free(pattern);
    }
    /* The DFA is there from the first value on, also for lengths for which JIT would be faster. */
    char value[200];
    memset(value, 'a', sizeof value);
    assay_pattern *pattern = compiled(TEXT("(a+)+b"), LINEAR);
    uint64_t ticks = 1;
    CHECK(assay_pattern_match_counting(pattern, scratch, (const uint8_t *)value, sizeof value, &ticks) == ASSAY_FAIL);
    CHECK_EQUAL(ticks, 0);
    CHECK(strcmp(assay_pattern_get_plan(pattern).for_middle, "DFA") == 0);
    assay_pattern_free(pattern);
}

int main(void)
{
    test_plan();
    assay_scratch *scratch = assay_scratch_create(NULL);
    test_engine();
    test_verdicts(scratch);
    test_refusals();
    test_folded_ranges();
    test_length_first();
    test_pattern_size();
    test_limits();
    test_jit_stack(scratch);
    test_jit_stack_on_demand();
    test_form_on_demand(scratch);
    test_first_verdicts();
    test_columns();
    test_viable_prefixes();
    test_linear_time(scratch);
    assay_scratch_free(scratch);
    return test_result();
}
