/* Compares the verdicts of a DFA on single values with PCRE2: every strategy that depends on the length, on every
   processor path, with unreadable memory next to the value. */
#include "test_fenced.h" /* first, because it requests declarations beyond POSIX */
#include "test_paths.h"

#include "DFA/assay_dfa_tables.h"
#include "Dispatch/assay_kernels.h"
#include "Patterns/assay_pcre2.h"
#include "Patterns/assay_scratch.h"
#include "SIMD/assay_byte_set.h"

#include "test_pattern_support.h"

/* A copy at the end or at the start of the readable memory. */
static const uint8_t *copy_at(const fenced *memory, bool at_end, const void *value, size_t count)
{
    uint8_t *copy = at_end ? memory->bytes + memory->count - count : memory->bytes;
    return memcpy(copy, value, count);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Values that the DFA decides
 * ------------------------------------------------------------------------------------------------------------- */

/* With this many states and equivalence classes, only columns have tables for two bytes per step. */
#define LARGE "[a-z ,0-9]*(?:word|quick|brown|fox|jumps|over|lazy|dogs|the|longer|123456789)[a-z ,0-9]*"

static void test_short(void)
{
    assay_pattern *has_few = compiled(TEXT("[a-z]{2,}"), 0);
    assay_pattern *has_many = compiled(TEXT("[a-z]{2,40}"), 0);
    assay_pattern *is_large = compiled(TEXT(LARGE), 0);
    assay_pattern *has_none = compiled(TEXT("(a)\\1"), 0);
    uint8_t value[300];
    memset(value, 'a', sizeof value);
    CHECK(assay_pattern_match_short(has_few, value, 24) == ASSAY_PASS);
    CHECK(assay_pattern_match_short(has_few, value, 1) == ASSAY_FAIL);
    CHECK(assay_pattern_match_short(has_few, NULL, 0) == ASSAY_FAIL);
    CHECK(assay_pattern_match_short(has_many, value, 25) == ASSAY_PASS);
    CHECK(assay_pattern_match_short(has_many, value, 256) == ASSAY_FAIL);
    CHECK(assay_pattern_match_short(has_none, value, 2) == ASSAY_UNDECIDED);
    /* If only steps of one byte are available, the machine code, if there is any, decides values of medium length. */
    const bool by_jit = assay_pattern_jit_size(is_large) > 0;
    CHECK(assay_pattern_match_short(is_large, value, 24) == ASSAY_FAIL);
    CHECK(assay_pattern_match_short(is_large, value, 25) == (by_jit ? ASSAY_UNDECIDED : ASSAY_FAIL));
    CHECK(assay_pattern_match_short(is_large, value, 256) == (by_jit ? ASSAY_UNDECIDED : ASSAY_FAIL));
    CHECK(assay_pattern_match_short(is_large, value, 257) == ASSAY_FAIL);
    assay_pattern_free(has_few);
    assay_pattern_free(has_many);
    assay_pattern_free(is_large);
    assay_pattern_free(has_none);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Runs of bytes of a set
 * ------------------------------------------------------------------------------------------------------------- */

static void test_bytes_in_set(void)
{
    enum { MAX_COUNT = 700 };
    test_random random = test_random_of(5);
    const fenced memory = new_fenced(MAX_COUNT);
    uint8_t value[MAX_COUNT];
    unsigned long wrong = 0;
    for (size_t count = 0; count < MAX_COUNT; count++) {
        assay_byte_set set = {.non_ascii = count % 2 == 0};
        for (unsigned byte = 0; byte < 128; byte++) {
            if (test_random_below(&random, 4) > 0) assay_byte_set_add(&set, (uint8_t)byte);
        }
        /* Mostly runs of members up to a random position. */
        const uint32_t strays = test_random_below(&random, 3);
        for (size_t i = 0; i < count; i++) {
            do value[i] = (uint8_t)test_random_below(&random, 256);
            while (!assay_byte_set_has(&set, value[i]));
        }
        for (uint32_t i = 0; i < strays && count > 0; i++) {
            value[test_random_below(&random, (uint32_t)count)] = (uint8_t)test_random_below(&random, 256);
        }
        for (int round = 0; round < 8; round++) {
            const size_t from = round < 2 ? 0 : test_random_below(&random, (uint32_t)count + 1);
            const uint8_t *bytes = copy_at(&memory, round % 2 == 0, value, count);
            size_t end = from;
            while (end < count && assay_byte_set_has(&set, value[end])) end++;
            for (size_t path = 0; test_select_cpu(path); path++) {
                wrong += assay_kernels_current()->bytes_in_set(bytes, from, count, &set) != end;
            }
        }
    }
    CHECK_EQUAL(wrong, 0);
    free_fenced(memory);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Values of every length
 * ------------------------------------------------------------------------------------------------------------- */

enum { KINDS = 8 };

/* Fills a value with pieces for the patterns below: alternately from the first three and from the other three, or in
   random order. */
static size_t fill(test_random *random, char *value, size_t target, uint32_t kind)
{
    static const char *const pieces[KINDS][6] = {
        {"word", "a", "longerword", " ", " ", " "},
        {"1", "123456789", "12", ",", ",", ","},
        {"QUJD", "QQ+/", "abcd", "QUJD", "0000", "QUI="},
        {"some notes", "é", "中", "\n", "😀", ", and more of them"},
        {"слово", "да", "ещё", " ", "-", " "},
        {"東京", "さ", "カタ", "東", "ー", "高"},
        {"0123abcd", "9", "0123abcdef01234567", "-", "-", "-"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "a", "b", "a", "a",
         "a"},
    };
    size_t length = 0;
    for (uint32_t turn = 0;; turn++) {
        const uint32_t number =
            kind < KINDS ? turn % 2 * 3 + test_random_below(random, 3) : test_random_below(random, 6);
        const char *piece = pieces[kind % KINDS][number];
        if (length + strlen(piece) > target) return length;
        memcpy(value + length, piece, strlen(piece));
        length += strlen(piece);
    }
}

enum { LONGEST = 66000 };

/* All lengths up to the maximum size of a chunk, and some larger ones. */
static size_t length_after(size_t length)
{
    return length < 600 ? length + 1 : length < 4200 ? 4200 : length < LONGEST ? LONGEST : SIZE_MAX;
}

/* The same pattern when new, after columns have built its tables, and without a DFA. */
typedef struct three {
    assay_pattern *fresh, *with_tables, *right;
} three;

/* Checks a column that is large enough for the pattern's tables to be built. */
static void match_rows(const assay_pattern *pattern)
{
    enum { ROWS = 1024 };
    static const assay_cell cells[ROWS];
    uint64_t failed[ROWS / 64], undecided[ROWS / 64];
    assay_check *check = assay_check_create_pattern(pattern);
    assay_scratch *scratch = assay_scratch_create(NULL);
    assay_check_column(check, scratch, (const uint8_t *)"", cells, ROWS, NULL, failed, undecided);
    assay_scratch_free(scratch);
    assay_check_free(check);
}

static three compiled_three(const char *pattern)
{
    const assay_text text = {(const uint8_t *)pattern, strlen(pattern)};
    const three made = {compiled(text, 0), compiled(text, 0), compiled(text, ASSAY_PATTERN_NO_DFA)};
    if (!CHECK(assay_pattern_get_dfa(made.fresh).states > 0)) fprintf(stderr, "    %s\n", pattern);
    match_rows(made.with_tables);
    return made;
}

static void free_three(three patterns)
{
    assay_pattern_free(patterns.fresh);
    assay_pattern_free(patterns.with_tables);
    assay_pattern_free(patterns.right);
}

/* Whether all engines return PCRE2's verdict, if that is within its limits. */
static bool all_agree(const three *patterns, assay_scratch *scratch, const fenced *memory, assay_text value,
                      assay_verdict right_verdict)
{
    bool agree = true;
    for (size_t path = 0; test_select_cpu(path); path++) {
        for (int i = 0; i < 4; i++) {
            const assay_pattern *pattern = i % 2 == 0 ? patterns->fresh : patterns->with_tables;
            const uint8_t *bytes = copy_at(memory, i < 2, value.bytes, value.count);
            const assay_verdict got = assay_pattern_match(pattern, scratch, bytes, value.count);
            agree = agree && (right_verdict == ASSAY_UNDECIDED ? got != ASSAY_UNDECIDED : got == right_verdict);
        }
    }
    return agree;
}

static void test_lengths(void)
{
    static const char *const patterns[] = {
        "[a-z]+(?: [a-z]+)*",
        "[a-z]{1,12}(?: +[a-z]{1,12})* *",
        "[0-9]{1,9}(?:,[0-9]{1,9})*,?",
        "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?",
        "(?:[A-Za-z0-9+/]{4}|[A-Z+/]{3}=)*",
        "[^\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F]+",
        "[^b]*b?[^b]*",
        "(?:[^😀\\x01]|😀)*",
        "[а-яёЁ]+(?:[ -]+[а-яё]+)*[ -]*",
        "[\\p{Han}\\p{Hiragana}\\p{Katakana}ー]+",
        "[\\p{L}ー]*",
        "(?:a+)+b?a*",
        "(?:aa)*(?:b(?:aa)*b(?:aa)*)*",
        "(?:.{7})*\\b.{0,3}",
        /* Patterns with more than 16 states. */
        "(?:[0-9a-f]{1,20}-)*[0-9a-f]{1,20}",
        "(?:[a-z ,]{19})*[a-z ,]{0,9}",
        "(?:[\\p{L} ]{23})*[\\p{L} ]{0,12}",
        LARGE,
    };
    static char value[LONGEST];
    test_random random = test_random_of(77);
    assay_scratch *scratch = assay_scratch_create(NULL);
    const fenced memory = new_fenced(LONGEST);
    unsigned long disagreements = 0;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        const three both = compiled_three(patterns[i]);
        unsigned long verdicts[3] = {0};
        for (size_t length = 0; length <= LONGEST; length = length_after(length)) {
            for (uint32_t kind = 0; kind < (length <= 600 ? 2 * KINDS : KINDS); kind++) {
                const size_t count = fill(&random, value, length, kind);
                /* One in two contains a byte that most patterns reject. */
                const size_t place = test_random_below(&random, (uint32_t)count + 1);
                if (kind >= KINDS && place < count && (uint8_t)value[place] < 0x80)
                    value[place] = kind % 2 ? 0x01 : '=';
                const assay_text full = {(const uint8_t *)value, count};
                const assay_verdict right_verdict = single_verdict(both.right, scratch, full);
                verdicts[right_verdict]++;
                if (all_agree(&both, scratch, &memory, full, right_verdict) || disagreements++ > 0) continue;
                fprintf(stderr, "    %s on kind %u of %zu bytes: not %c\n", patterns[i], kind, count,
                        verdict_letter(right_verdict));
            }
        }
        const bool sees_both = verdicts[ASSAY_PASS] > 100 && verdicts[ASSAY_FAIL] > 100;
        if (!CHECK(sees_both)) fprintf(stderr, "    %s: %lu, %lu\n", patterns[i], verdicts[0], verdicts[1]);
        free_three(both);
    }
    CHECK_EQUAL(disagreements, 0);
    free_fenced(memory);
    assay_scratch_free(scratch);
}

/* The DFA takes linear time, whereas PCRE2 would reach a limit: 64 KiB of values that would cost it hours. */
static void test_hostile(void)
{
    static const char *const patterns[] = {"(?:a+)+b", "(?:a|aa)+b", ".*.*.*.*x", "(?:a?){30}a*b", "(?:\\w+\\b)*!"};
    static uint8_t value[65536];
    memset(value, 'a', sizeof value);
    assay_scratch *scratch = assay_scratch_create(NULL);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        assay_pattern *pattern = compiled((assay_text){(const uint8_t *)patterns[i], strlen(patterns[i])}, 0);
        for (int round = 0; round < 100; round++) {
            CHECK(single_verdict(pattern, scratch, (assay_text){value, sizeof value - (size_t)round}) == ASSAY_FAIL);
        }
        assay_pattern_free(pattern);
    }
    assay_scratch_free(scratch);
}

/* After many single values of medium length the DFA has tables, and decides such values itself, with equal verdicts. */
static void test_many_values(void)
{
    enum { VALUES = 20000, COUNT = 60 };
    static const char *const parts[] = {"the ", "quick", "12345", "longer", "-", "é", "brown fox"};
    if (!assay_engine_has_jit()) return; /* then the DFA decides them anyway */
    assay_pattern *pattern = compiled(TEXT(LARGE), 0);
    assay_pattern *right = compiled(TEXT(LARGE), ASSAY_PATTERN_NO_DFA);
    assay_scratch *scratch = assay_scratch_create(NULL);
    test_random random = test_random_of(9);
    size_t by_dfa = 0;
    for (size_t i = 0; i < VALUES; i++) {
        char value[2 * COUNT] = "";
        while (strlen(value) < COUNT / 2) strcat(value, parts[test_random_below(&random, i % 3 == 0 ? 7 : 4)]);
        const assay_text text = {(const uint8_t *)value, strlen(value)};
        const assay_verdict expected = single_verdict(right, scratch, text);
        CHECK_EQUAL(single_verdict(pattern, scratch, text), expected);
        const assay_verdict here = assay_pattern_match_short(pattern, text.bytes, text.count);
        CHECK(here == ASSAY_UNDECIDED || here == expected);
        by_dfa += here != ASSAY_UNDECIDED;
    }
    CHECK(by_dfa > 0 && by_dfa < VALUES);
    assay_scratch_free(scratch);
    assay_pattern_free(right);
    assay_pattern_free(pattern);
}

/* The same for values that would otherwise be read character by character: text that is not ASCII, and values of a DFA
 * without multi-byte forms. */
static void test_many_slow_values(void)
{
    static const struct {
        const char *pattern;
        const char *parts[4];
        uint32_t least;
    } cases[] = {
        {"[а-яё]{3,30}(?: [а-яё]+)*", {"абв", "ё", " юг", "!"}, 5},
        {"[ぁ-ゖ一-龯]{2,12}", {"ひら", "漢", "ゖ", "a"}, 3},
        {"[A-Z]{2}(?:[0-9]{4}-){3}[0-9A-F]{4}|[G-Z]{3,18}", {"AB", "1234-", "GHI", "12F4"}, 8},
    };
    assay_scratch *scratch = assay_scratch_create(NULL);
    test_random random = test_random_of(10);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const assay_text source = {(const uint8_t *)cases[i].pattern, strlen(cases[i].pattern)};
        assay_pattern *pattern = compiled(source, 0);
        assay_pattern *right = compiled(source, ASSAY_PATTERN_NO_DFA);
        const assay_plan *plan = assay_pattern_need_plan(pattern);
        if (!CHECK(plan != NULL && plan->dfa != NULL)) return;
        const bool has_forms = assay_dfa_has_multibyte_forms(plan->dfa);
        size_t passed = 0;
        for (size_t round = 0; round < 40000; round++) {
            char value[80] = "";
            const size_t length = cases[i].least + test_random_below(&random, 30);
            while (strlen(value) < length) {
                strcat(value, cases[i].parts[test_random_below(&random, round % 8 == 0 ? 4 : 3)]);
            }
            const assay_text text = {(const uint8_t *)value, strlen(value)};
            const assay_verdict expected = single_verdict(right, scratch, text);
            passed += expected == ASSAY_PASS;
            if (!CHECK_EQUAL(single_verdict(pattern, scratch, text), expected)) fprintf(stderr, "    %s\n", value);
            if (round == 1000) CHECK(atomic_load(&plan->dfa->columns) == NULL);
        }
        CHECK(passed > 0);
        if (i < 2 || !has_forms) CHECK(atomic_load(&plan->dfa->columns) != NULL);
        assay_pattern_free(right);
        assay_pattern_free(pattern);
    }
    assay_scratch_free(scratch);
}

int main(void)
{
    test_short();
    test_many_values();
    for (size_t path = 0; test_select_cpu(path); path++) test_many_slow_values();
    test_bytes_in_set();
    test_lengths();
    test_hostile();
    return test_result();
}
