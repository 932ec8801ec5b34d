/* Searches that skip to bytes that every match contains. On texts with many near misses, their verdicts must equal
   those of PCRE2, which does not skip. A text begins anywhere in memory, and ends where the following byte is
   unreadable. */
#include "test_fenced.h"

#include "DFA/Lazy/assay_lazy_data.h"
#include "Patterns/assay_class_resolver.h"
#include "Patterns/assay_dfa_only.h"
#include "Patterns/assay_pcre2.h"
#include "Regex/Syntax/assay_regex_lower.h"
#include "test_paths.h"
#include "test_pattern_support.h"

enum { PATTERN_MAX = 300, TEXT_MAX = 700, TEXTS = 48 };

typedef struct writer {
    test_random *random;
    char *text;
    size_t count;
    size_t limit;
} writer;

static void put(writer *out, const char *text)
{
    const size_t length = strlen(text);
    if (out->count + length >= out->limit) return;
    memcpy(out->text + out->count, text, length + 1);
    out->count += length;
}

static uint32_t below(writer *out, uint32_t bound) { return test_random_below(out->random, bound); }

#define PUT_ONE_OF(out, choices) put(out, (choices)[below(out, (uint32_t)(sizeof(choices) / sizeof *(choices)))])

/* Words that are rare in text, and therefore candidates for a filter, and frequent words. */
static const char *const words[] = {"foo",
                                    "#q",
                                    "@",
                                    "ab",
                                    "::",
                                    "SsK",
                                    "über",
                                    "\xE4\xB8\xAD",
                                    "x-9",
                                    "\xF0\x9F\x98\x80",
                                    "\xF4\x8F\xBF\xBF",
                                    "kiss",
                                    "aXb",
                                    "7",
                                    "\xC5\xBF",
                                    "e",
                                    "->",
                                    "=",
                                    "QZ",
                                    "z@z",
                                    "a"};
static const char *const classes[] = {
    "[a-c]", "\\d", "\\w", ".", "[^a]", "\\s", "[#@é]", "[A-Z]", "[\\x{400}-\\x{44F}]", "\\W"};
static const char *const repeats[] = {"?", "*", "+", "{2}", "{1,3}", "{0,2}", "*?", "++", "{2,}"};
static const char *const conditions[] = {"\\b",       "\\B",     "^",      "$",      "(?=a)",  "(?!f)",
                                         "(?=\\w+#)", "(?!.*z)", "(?<=a)", "(?<!o)", "(?<=ab)"};

static void put_alternatives(writer *out, uint32_t depth);

static void put_item(writer *out, uint32_t depth)
{
    const uint32_t choice = below(out, 20);
    if (choice < 9 || depth == 0) {
        PUT_ONE_OF(out, words);
        return;
    }
    if (choice < 14) {
        PUT_ONE_OF(out, classes);
    } else if (choice < 17) {
        put(out, "(?:");
        put_alternatives(out, depth - 1);
        put(out, ")");
    } else {
        PUT_ONE_OF(out, conditions);
        return;
    }
    if (below(out, 2) == 0) PUT_ONE_OF(out, repeats);
}

static void put_alternatives(writer *out, uint32_t depth)
{
    const uint32_t alternatives = below(out, 4) == 0 ? 2 + below(out, 2) : 1;
    for (uint32_t i = 0; i < alternatives; i++) {
        if (i > 0) put(out, "|");
        const uint32_t items = 1 + below(out, 4);
        for (uint32_t k = 0; k < items; k++) put_item(out, depth);
    }
}

/* Text with few or many pieces of those words. */
static void put_text(writer *out)
{
    static const char *const fillers[] = {"the ", "quick", " brown ",           "9 ", "a", "o", "\n", "é",
                                          "жук",  "  ",    "lorem ipsum dolor "};
    const size_t length = below(out, 3) == 0 ? below(out, TEXT_MAX - 60) : below(out, 90);
    const uint32_t often = 1 + below(out, 12);
    while (out->count < length) {
        if (below(out, often) > 0) {
            PUT_ONE_OF(out, fillers);
            continue;
        }
        const char *word = words[below(out, sizeof words / sizeof *words)];
        if ((word[0] & 0x80) != 0 || below(out, 3) > 0) {
            put(out, word);
        } else {
            const char half[2] = {word[0], 0};
            put(out, half);
        }
    }
}

typedef struct texts {
    uint8_t *bytes;
    assay_cell cells[TEXTS];
    size_t count;
} texts;

/* The patterns that were compared, by the filter that they have. */
static struct {
    size_t none, bytes, grams, end;
} kinds;

static void count_kind(const char *prefilter)
{
    if (prefilter == NULL) {
        kinds.none++;
    } else if (strstr(prefilter, "Wu-Manber") != NULL) {
        kinds.grams++;
    } else if (strstr(prefilter, "the end") != NULL) {
        kinds.end++;
    } else {
        kinds.bytes++;
    }
}

/* Compares one pattern with PCRE2 on texts, one by one and in a column. Returns whether it has a filter. */
static bool compare(const char *text, uint32_t options, const texts *all, size_t *found)
{
    const assay_text source = {(const uint8_t *)text, strlen(text)};
    assay_error error = {0};
    const uint32_t search = options | ASSAY_PATTERN_SEARCH;
    assay_pattern *right = assay_pattern_create(source.bytes, source.count, search | ASSAY_PATTERN_NO_DFA, 0, &error);
    if (right == NULL) return false;
    assay_pattern *pattern = assay_pattern_create(source.bytes, source.count, search, 0, &error);
    assay_pattern *lazy = assay_pattern_create(source.bytes, source.count, search | ASSAY_PATTERN_LAZY_DFA, 0, &error);
    if (!CHECK(pattern != NULL && lazy != NULL)) return false;
    const bool has_filter = assay_pattern_prefilter(lazy) != NULL;
    count_kind(assay_pattern_prefilter(lazy));
    assay_pattern_prefilter(pattern); /* builds the plan */
    assay_scratch *scratch = assay_scratch_create(NULL);
    assay_pattern *const others[] = {pattern, lazy};
    for (size_t i = 0; i < 2; i++) {
        uint64_t failed[1];
        uint64_t undecided[1];
        assay_check *check = assay_check_create_pattern(others[i]);
        assay_check_column(check, scratch, all->bytes, all->cells, all->count, NULL, failed, undecided);
        for (size_t row = 0; row < all->count; row++) {
            const assay_text value = {all->bytes + all->cells[row].start, all->cells[row].length};
            const assay_verdict expected = single_verdict(right, scratch, value);
            const assay_verdict single = single_verdict(others[i], scratch, value);
            const assay_verdict here = (undecided[0] >> row & 1) != 0 ? ASSAY_UNDECIDED
                                       : (failed[0] >> row & 1) != 0  ? ASSAY_FAIL
                                                                      : ASSAY_PASS;
            *found += expected == ASSAY_PASS;
            if (!CHECK((expected == ASSAY_UNDECIDED || single == ASSAY_UNDECIDED || single == expected) &&
                       (expected == ASSAY_UNDECIDED || here == ASSAY_UNDECIDED || here == expected))) {
                fprintf(stderr, "    %s (options 0x%x, %s): single %c, column %c, not %c: \"%.*s\"\n", text, search,
                        i == 0 ? "plan" : "lazy", verdict_letter(single), verdict_letter(here),
                        verdict_letter(expected), (int)value.count, (const char *)value.bytes);
            }
        }
        assay_check_free(check);
    }
    assay_scratch_free(scratch);
    assay_pattern_free(pattern);
    assay_pattern_free(lazy);
    assay_pattern_free(right);
    return has_filter;
}

static void make_texts(test_random *random, texts *all)
{
    static char text[TEXT_MAX];
    size_t end = test_random_below(random, 64);
    all->count = 1 + test_random_below(random, TEXTS);
    for (size_t i = 0; i < all->count; i++) {
        writer out = {random, text, 0, TEXT_MAX};
        text[0] = 0;
        put_text(&out);
        memcpy(all->bytes + end, text, out.count);
        all->cells[i] = (assay_cell){(uint32_t)end, (uint32_t)out.count};
        end += out.count;
    }
    /* The bytes after the values must not be taken for parts of the values. */
    memcpy(all->bytes + end, "foo#q@::->=QZ", 14);
}

static bool has_filter(const char *text, uint32_t options)
{
    assay_pattern *pattern =
        assay_pattern_create((const uint8_t *)text, strlen(text), options | ASSAY_PATTERN_SEARCH, 0, NULL);
    const bool has = CHECK(pattern != NULL) && assay_pattern_prefilter(pattern) != NULL;
    assay_pattern_free(pattern);
    return has;
}

static void test_random_searches(void)
{
    test_random random = test_random_of(23);
    texts all = {.bytes = malloc((size_t)TEXTS * TEXT_MAX + 200)};
    const size_t rounds = test_rounds(3000);
    size_t filters = 0;
    size_t found = 0;
    for (size_t round = 0; round < rounds; round++) {
        char pattern[PATTERN_MAX] = "";
        writer out = {&random, pattern, 0, PATTERN_MAX - 1};
        put_alternatives(&out, 2);
        if (test_random_below(&random, 5) == 0) put(&out, "$");
        make_texts(&random, &all);
        uint32_t options = 0;
        if (test_random_below(&random, 3) == 0) options |= ASSAY_PATTERN_CASE_INSENSITIVE;
        if (test_random_below(&random, 5) == 0) options |= ASSAY_PATTERN_UNICODE_CLASSES;
        if (test_random_below(&random, 4) == 0) options |= ASSAY_PATTERN_DOT_ALL;
        if (test_random_below(&random, 5) == 0) options |= ASSAY_PATTERN_MULTILINE;
        filters += compare(pattern, options, &all, &found);
    }
    free(all.bytes);
    printf("%zu patterns, %zu with a filter, %zu matches\n", rounds, filters, found);
    CHECK(filters > rounds / 8);
    CHECK(found > rounds);
}

/* On each processor path, some of these patterns must have filters; on those with a byte shuffle, all. */
static void test_patterns_with_filters(void)
{
    static const struct {
        const char *text;
        uint32_t options;
        bool needs_shuffle;
    } cases[] = {
        {"\\b(?:eval|assert)\\s*\\(", ASSAY_PATTERN_CASE_INSENSITIVE, false},
        {"secret", ASSAY_PATTERN_CASE_INSENSITIVE, false},
        {"foo(?!bar)\\w+baz", 0, false},
        {"\\w+ -> \\w+", 0, true},
        {"[a-z]{3,20}\\.example\\.org", 0, true},
        {"\\b(?:19|20)\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])\\b", 0, true},
        {"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", 0, true},
        {"\\bAKIA[A-Z0-9]{16}\\b", 0, false},
        {"[\\x{1F300}-\\x{1FAFF}]", 0, true},
        {"Übergabe|Änderung", 0, false},
        {"\\b(?!000|666|9)\\d{3}-(?!00)\\d{2}-(?!0000)\\d{4}\\b", 0, true},
        {"[\\w.+-]+@[\\w-]+\\.[\\w.-]+", 0, true},
        {"\\d+ (?:EUR|USD)|total=[0-9]+", 0, true},
        {"\\d{4,}$", 0, false},
        {"\\.(?:jpe?g|png)$", ASSAY_PATTERN_CASE_INSENSITIVE, false},
        {"(?:ghp|xoxb|akia|sk_live|AIza)\\w+", 0, false},
    };
    static const char *const without[] = {"^#q",     "^(?:foo|bar)", "[a-z]+",   "\\w+ \\w+",
                                          "[ae]\\w", "(?:foo)?",     "\\bfoo|^", ".*"};
    CHECK(has_filter("foobar", 0));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].needs_shuffle && assay_kernels_current()->find_candidate == NULL) continue;
        if (!CHECK(has_filter(cases[i].text, cases[i].options))) fprintf(stderr, "    %s\n", cases[i].text);
    }
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        if (!CHECK(!has_filter(without[i], 0))) fprintf(stderr, "    %s\n", without[i]);
    }
}

/* Texts in which a match begins at the maximum distance before the bytes of the filter: at the beginning, after
   other text, and next to multi-byte characters. */
static void test_far_beginnings(void)
{
    static const struct {
        const char *pattern;
        const char *match;
        const char *other; /* a near miss */
    } cases[] = {
        {"(?:[a-d]{2}|[e-h]{3})#q", "efg#q", "ef#q"},
        {"[a-h]{2,}#q", "ab#q", "a#q"},
        {"[a-h]{4,}(?: [a-h]+)*#q", "abcd ef#q", "abc ef#q"},
        {"(?:[a-h]|é){3}#q", "ééé#q", "xéé#q"},
        {".{3}#q", "\n\xC3\xA9\xE4\xB8\xAD\xC3\xA9#q",
         "\n\xC3\xA9"
         "a#q"},
        {"[^b](?:[a-h]|\\x{10FFFF}|\\x{E0001}){2}#q", "a\xF4\x8F\xBF\xBF\xF3\xA0\x80\x81#q", "ba#q"},
        {"[\\x{E0000}-\\x{E0FFF}]", "\xF3\xA0\x80\x81", "\xF3\xB0\x80\x81"},
        {"\\b[a-h]{1,3}#q", "abc#q", "éabcd#q"},
        {"(?:[a-h]{3}|[a-hé]{4})#q", "abc#q", "ab#q"},
        {"(?:ab|[c-e]+f)?gh#q", "cdefgh#q", "h#q"},
        {"[a-h ]+ [0-9]{2}#q", "a 00#q", " 00#q"},
    };
    static const char *const befores[] = {
        "", "x", "\n", "é", "x#q ", "中", "中éé", "\xF0\x9F\x98\x80", "zzz #q#q zzzzzzzzzzzzzzzzzzzzzz "};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        texts all = {.bytes = malloc((size_t)TEXTS * TEXT_MAX)};
        size_t end = 0;
        for (size_t k = 0; k < 2 * sizeof befores / sizeof *befores; k++) {
            char text[TEXT_MAX];
            snprintf(text, sizeof text, "%s%s y", befores[k / 2], k % 2 == 0 ? cases[i].match : cases[i].other);
            memcpy(all.bytes + end, text, strlen(text) + 1);
            all.cells[all.count++] = (assay_cell){(uint32_t)end, (uint32_t)strlen(text)};
            end += strlen(text);
        }
        size_t found = 0;
        compare(cases[i].pattern, 0, &all, &found);
        if (!CHECK(found > 0)) fprintf(stderr, "    %s\n", cases[i].pattern);
        free(all.bytes);
    }
}

/* Whether the first bytes of a pattern's matches are known, and whether they are whole matches. */
static void check_first_bytes(const char *text, uint32_t count, bool is_match)
{
    assay_pattern *pattern = assay_pattern_create((const uint8_t *)text, strlen(text), ASSAY_PATTERN_SEARCH, 0, NULL);
    const assay_plan *plan = CHECK(pattern != NULL) ? assay_pattern_need_plan(pattern) : NULL;
    /* Without a byte shuffle, some have no filter. */
    const bool may_have_none = assay_kernels_current()->find_candidate == NULL;
    if (CHECK(plan != NULL) && (plan->lazy != NULL || CHECK(may_have_none)) && plan->lazy != NULL) {
        const lazy_beginning *beginning = plan->lazy->conjuncts[0].beginning;
        CHECK_EQUAL(beginning != NULL ? beginning->count : 0, count);
        CHECK((beginning != NULL && beginning->is_match) == is_match);
    }
    assay_pattern_free(pattern);
}

/* Texts of many candidates that differ from a match in one byte, and sometimes a match. */
static void test_first_bytes(void)
{
    static const struct {
        const char *pattern;
        const char *match;
        uint32_t count; /* the known first bytes */
        bool is_match;
    } cases[] = {
        {"\\(\\d{3}\\) \\d{3}-\\d{4}", "(123) 456-7890", 14, true},
        {"\\b[sr]k_(?:live|test)_\\w{4}", "rk_test_ab12", 12, false},
        {"[sr]k_(?:live|test)_\\w{4}", "rk_test_ab12", 12, false},
        {"gh[pu]_[a-z0-9]{36}", "ghp_0123456789abcdefghijklmnopqrstuvwxyz", 32, false},
        {"ab#q(?:cd)?x", "ab#qx", 5, false},
        {"a?b#qcde", "b#qcde", 6, false},
        {"(?:ab|c)#qde", "c#qde", 5, false},
        {"é#q[0-9]{3}", "é#q123", 7, false},
        {"#q@x[0-9]", "#q@x1", 5, true},
        {"#q@x[0-9](?=a)", "#q@x1a", 5, false},
        {"#q@x[0-9]\\b", "#q@x1", 5, false},
        {"#q@x+", "#q@x", 0, false},
        {"ab*#q", "ab#q", 0, false},
    };
    test_random random = test_random_of(29);
    texts all = {.bytes = malloc((size_t)TEXTS * TEXT_MAX + 200), .count = TEXTS};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_first_bytes(cases[i].pattern, cases[i].count, cases[i].is_match);
        size_t found = 0;
        size_t end = 0;
        for (size_t row = 0; row < TEXTS; row++) {
            const size_t start = end, length = strlen(cases[i].match);
            const size_t pieces = 1 + test_random_below(&random, (uint32_t)(TEXT_MAX / length) - 1);
            for (size_t piece = 0; piece < pieces; piece++) {
                memcpy(all.bytes + end, cases[i].match, length);
                const size_t place = test_random_below(&random, (uint32_t)length);
                const bool is_ascii = ((uint8_t)cases[i].match[place] & 0x80) == 0;
                const bool is_first = row + piece == 0;
                if (!is_first && is_ascii && test_random_below(&random, 64) > 0) all.bytes[end + place] = '~';
                end += length;
            }
            all.cells[row] = (assay_cell){(uint32_t)start, (uint32_t)(end - start)};
        }
        memcpy(all.bytes + end, cases[i].match, strlen(cases[i].match));
        compare(cases[i].pattern, 0, &all, &found);
        if (!CHECK(found > 0)) fprintf(stderr, "    %s\n", cases[i].pattern);
    }
    free(all.bytes);
}

#ifndef __wasm__ /* which cannot protect memory */
/* A search ends with its first match, because the text after the first page is unreadable. */
static void test_that_the_first_match_ends_a_search(void)
{
    enum { PAGE = 1 << 16, TEXT = 4 * PAGE }; /* pages have at most 64 KiB */
    static const char *const patterns[] = {"[^\\x00-\\x7F]", "\\b[A-Z]{5,}\\b", "\\d\\d\\d", "#q",
                                           "\\w+@\\w+",      "x{40}",           "#q|zz",     "[#@]"};
    uint8_t *text = mmap(NULL, TEXT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!CHECK(text != MAP_FAILED)) return;
    memset(text, 'x', PAGE);
    memcpy(text + 100, " ABCDEF \xC3\xA9 123 #q a@b ", 23);
    if (!CHECK(mprotect(text + PAGE, TEXT - PAGE, PROT_NONE) == 0)) return;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        assay_pattern *pattern =
            assay_pattern_create((const uint8_t *)patterns[i], strlen(patterns[i]), ASSAY_PATTERN_SEARCH, 0, NULL);
        if (!CHECK(pattern != NULL)) continue;
        CHECK(assay_pattern_get_dfa(pattern).states > 0);
        assay_scratch *scratch = assay_scratch_create(NULL);
        CHECK_EQUAL(assay_pattern_match(pattern, scratch, text, TEXT), ASSAY_PASS);
        const assay_cell cells[2] = {{0, TEXT}, {0, PAGE}};
        uint64_t failed = 0;
        uint64_t undecided = 0;
        assay_check *check = assay_check_create_pattern(pattern);
        assay_check_column(check, scratch, text, cells, 2, NULL, &failed, &undecided);
        CHECK_EQUAL((failed | undecided) & 3, 0);
        assay_check_free(check);
        assay_pattern_free(pattern);
        assay_scratch_free(scratch);
    }
    munmap(text, TEXT);
}
#endif

/* ---------------------------------------------------------------------------------------------------------------
 * Lists of words
 * ------------------------------------------------------------------------------------------------------------- */

enum { WORDS_MAX = 60 };

static void put_word(writer *out, uint32_t letters)
{
    static const char *const pieces[] = {"a", "s", "k",  "e", "t", "o", "r", "S",
                                         "K", "é", "中", "-", "7", "q", "x", "Z"};
    const uint32_t length = 1 + below(out, letters);
    for (uint32_t i = 0; i < length; i++) put(out, pieces[below(out, 4 + below(out, 13))]);
}

/* A word with other cases of some letters: the other case of k may be the Kelvin sign, that of s the long s. */
static void put_other_case(writer *out, const char *word)
{
    for (; *word != 0; word++) {
        char letter[2] = {*word, 0};
        const char lower = *word | 0x20;
        if (lower >= 'a' && lower <= 'z' && (uint8_t)*word < 0x80 && below(out, 2) == 0) letter[0] ^= 0x20;
        const bool is_rare = below(out, 5) == 0;
        put(out, is_rare && lower == 'k' ? "\xE2\x84\xAA" : is_rare && lower == 's' ? "\xC5\xBF" : letter);
    }
}

/* Words alone, between boundaries, or before other text; some lists have a common rare end. */
static void test_word_lists(void)
{
    static const char *const ends[] = {"", "", "qx", "#", "s", "tion", "é"};
    static const char *const befores[] = {"", "", "", "\\b(?:", "(?:", "x?(?:", "[a-e]+(?:"};
    static const char *const afters[] = {"", "", "", ")\\b", ")", ")\\s*=", ")\\d"};
    static const char *const fillers[] = {"the ", "a", " ", "qx", "#", "s", "=", "e", "9", "\xC5", "tion "};
    test_random random = test_random_of(37);
    texts all = {.bytes = malloc((size_t)TEXTS * TEXT_MAX + 200)};
    size_t filters = 0;
    size_t found = 0;
    const size_t rounds = test_rounds(1500);
    for (size_t round = 0; round < rounds; round++) {
        static char words_of[WORDS_MAX][64];
        char pattern[WORDS_MAX * 70] = "";
        writer out = {&random, pattern, 0, sizeof pattern - 1};
        const uint32_t count = 1 + below(&out, round % 2 == 0 ? 4 : WORDS_MAX);
        const uint32_t letters = 2 + below(&out, 9);
        const uint32_t form = below(&out, 7);
        const char *end = ends[below(&out, 7)];
        put(&out, befores[form]);
        for (uint32_t i = 0; i < count; i++) {
            writer word = {&random, words_of[i], 0, sizeof words_of[i] - 1};
            put_word(&word, letters);
            put(&word, end);
            put(&out, i > 0 ? "|" : "");
            put(&out, words_of[i]);
        }
        put(&out, afters[form]);
        size_t bytes = test_random_below(&random, 64);
        all.count = 1 + test_random_below(&random, TEXTS);
        for (size_t i = 0; i < all.count; i++) {
            char text[TEXT_MAX] = "";
            writer value = {&random, text, 0, TEXT_MAX - 40};
            const size_t length = below(&value, 3) == 0 ? below(&value, TEXT_MAX - 100) : below(&value, 120);
            const uint32_t often = 2 + below(&value, 40);
            while (value.count < length) {
                const char *word = words_of[below(&value, count)];
                const uint32_t choice = below(&value, often);
                if (choice > 1) {
                    const char *filler = fillers[below(&value, 11)];
                    put(&value, filler[0] == '\xC5' ? "\xC5\xBF" : filler);
                } else if (choice == 0) {
                    put_other_case(&value, word);
                } else if ((uint8_t)word[strlen(word) - 1] < 0x80) {
                    put(&value, word);
                    value.count--; /* without its last letter */
                }
            }
            memcpy(all.bytes + bytes, text, value.count);
            all.cells[i] = (assay_cell){(uint32_t)bytes, (uint32_t)value.count};
            bytes += value.count;
        }
        memcpy(all.bytes + bytes, words_of[0], 20);
        filters += compare(pattern, below(&out, 2) == 0 ? ASSAY_PATTERN_CASE_INSENSITIVE : 0, &all, &found);
    }
    free(all.bytes);
    printf("%zu lists of words, %zu with a filter, %zu matches\n", rounds, filters, found);
    CHECK(filters > rounds / 4);
    CHECK(found > rounds);
}

/* ---------------------------------------------------------------------------------------------------------------
 * The vector search for candidates
 * ------------------------------------------------------------------------------------------------------------- */

/* The definition of a candidate: the bytes at its places are in a common bucket. Bytes after the text count as
 * zeros. */
static size_t find_plainly(const uint8_t *text, size_t from, size_t count, size_t readable,
                           const assay_prefix_filter *filter)
{
    for (size_t at = from; at + filter->shortest <= count; at++) {
        unsigned buckets = 0xFF;
        for (int table = 0; table < prefix_bytes; table++) {
            const size_t place = at + filter->place[table];
            const uint8_t byte = place < readable ? text[place] : 0;
            buckets &= filter->lower[table][byte % 16] & filter->upper[table][byte / 16];
        }
        if (buckets != 0) return at;
    }
    return count;
}

/* Finds all candidates of a text, by vectors and plainly. */
static void compare_candidates(const assay_prefix_filter *filter, const uint8_t *text, size_t count, size_t readable)
{
    const assay_kernels *cpu = assay_kernels_current();
    for (size_t from = 0; from <= count;) {
        const size_t expected = find_plainly(text, from, count, readable, filter);
        if (!CHECK_EQUAL(cpu->find_candidate(text, from, count, readable, filter), expected)) return;
        if (expected == count) return;
        from = expected + 1;
    }
}

/* Copies the filter of a search. Returns false if the search has no filter. */
static bool filter_of(const char *pattern, uint32_t options, assay_prefix_filter *filter)
{
    all_characters characters = {.bytes = NULL};
    const assay_class_resolver resolver = {.find = assay_resolve_class, .context = &characters};
    assay_regex regex;
    assay_dfa_refusal refusal;
    const char *because;
    assay_lazy_program *program = NULL;
    const uint32_t search = options | ASSAY_PATTERN_SEARCH;
    if (assay_regex_parse(&regex, (const uint8_t *)pattern, strlen(pattern), search, &resolver, &refusal) &&
        assay_regex_lower(&regex, true, &refusal)) {
        program = assay_lazy_program_create(&regex, true, &because);
    }
    const bool has = program != NULL && program->conjuncts[0].filters[0].kind == FILTER_BYTES;
    if (has) *filter = program->conjuncts[0].filters[0].bytes;
    assay_lazy_program_free(program);
    assay_regex_free(&regex);
    free(characters.bytes);
    return has;
}

/* Texts with few or no candidates, which end at an unreadable page, and the same texts with readable bytes behind. */
static void test_candidates(void)
{
    static const struct {
        const char *pattern;
        uint32_t options;
        const char *bytes;
    } cases[] = {
        {"#", 0, "#"},
        {"#|@", 0, "#@C`"},
        {"[#-&]", 0, "#$%&'"},
        {"qx", ASSAY_PATTERN_CASE_INSENSITIVE, "qQxX1"},
        {"#[a-c]x", 0, "#abcdx"},
        {"conqx", 0, "conqx"},
        {"[\\x{4E00}-\\x{9FFF}]", 0, "\xE4\xB8\xAD\xC3\xA9"},
        {"[^\\x00-\\x7F]", 0, "\xE4\xB8\xAD\xC3\xA9"},
        {"#|qx#@", 0, "#qx@"},
        {"\\d\\d-\\d", 0, "0-9"},
        {"the |and |for ", 0, "the and for"},
        {"th[a-z] |an[dt]|f", 0, "the and for"},
        {"[013][HQX][a-z]", 0, "013HQXabP"},
        {"[05-]H[a-z][a-z]|X[HQ7]", 0, "05-HXQ7az"},
        /* The rarest bytes are not neighbors. */
        {"#[a-e]{13}#.{6}", 0, "##a"},
        {"\\([a-e]{3}\\)e[a-e]{3}#[a-e]{4}", 0, "#()ea"},
    };
    enum { TEXT = 6000 }; /* the first block of long texts is read apart from the others */
    if (assay_kernels_current()->find_candidate == NULL) return;
    test_random random = test_random_of(41);
    const fenced memory = new_fenced(TEXT + 100);
    size_t stages[PREFIX_PAIR_COMPARED + 1] = {0};
    size_t distant = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_prefix_filter filter;
        if (!filter_of(cases[i].pattern, cases[i].options, &filter)) continue;
        stages[filter.stage]++;
        distant += filter.longest > prefix_bytes;
        const size_t byte_count = strlen(cases[i].bytes);
        for (size_t count = 1; count < 150; count++) {
            uint8_t *text = memory.bytes + memory.count - count;
            memset(text, 'e', count);
            text[count - 1] = (uint8_t)cases[i].bytes[0];
            compare_candidates(&filter, text, count, count);
        }
        for (size_t round = 0; round < 300; round++) {
            const size_t count = round % 5 == 0 ? 58 + test_random_below(&random, 20)
                                                : test_random_below(&random, round % 3 == 0 ? TEXT : 200);
            const uint32_t often = 1 + test_random_below(&random, round % 2 == 0 ? 5 : 400);
            const bool is_last = round % 4 > 0;
            uint8_t *text = is_last ? memory.bytes + memory.count - count : memory.bytes;
            for (size_t at = 0; at < count + (is_last ? 0 : 100); at++) {
                const bool is_hit = test_random_below(&random, often) == 0;
                text[at] = is_hit ? (uint8_t)cases[i].bytes[test_random_below(&random, (uint32_t)byte_count)] : 'e';
            }
            compare_candidates(&filter, text, count, is_last ? count : count + 100);
        }
    }
    for (size_t stage = 0; stage <= PREFIX_PAIR_COMPARED; stage++) {
        if (!CHECK(stages[stage] > 0)) fprintf(stderr, "    no filter has the stage %zu\n", stage);
    }
    CHECK_EQUAL(distant, 2);
    free_fenced(memory);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Hashes of n-grams
 * ------------------------------------------------------------------------------------------------------------- */

/* Windows of each length, in texts with many windows or without them. Every window must be found; other places are
 * found only if hashes are equal. */
static void test_grams(void)
{
    enum { TEXT = 700, WINDOWS = 300 };
    test_random random = test_random_of(43);
    const fenced memory = new_fenced(TEXT);
    size_t false_alarms = 0;
    size_t places = 0;
    for (size_t round = 0; round < 400; round++) {
        const uint32_t bytes = lazy_window_min + (uint32_t)round % (lazy_window_max - lazy_window_min + 1);
        const size_t count = 1 + test_random_below(&random, round % 3 == 0 ? WINDOWS : 5);
        uint64_t windows[WINDOWS] = {0};
        for (size_t i = 0; i < count; i++) {
            for (uint32_t k = 0; k < bytes; k++) {
                const uint64_t byte = 'a' + test_random_below(&random, 26);
                windows[i] |= byte << (8 * k);
            }
        }
        lazy_grams *grams = lazy_grams_create(windows, count, bytes);
        const size_t length = test_random_below(&random, TEXT);
        uint8_t *text = memory.bytes + memory.count - length;
        for (size_t at = 0; at < length; at++) text[at] = (uint8_t)('a' + test_random_below(&random, 26));
        for (uint32_t hits = test_random_below(&random, 4); hits > 0 && length > bytes; hits--) {
            const size_t at = test_random_below(&random, (uint32_t)(length - bytes + 1));
            const uint64_t window = windows[test_random_below(&random, (uint32_t)count)];
            for (uint32_t k = 0; k < bytes; k++) text[at + k] = (uint8_t)(window >> (8 * k)) & 0xDF; /* upper case */
        }
        for (size_t from = 0; from < length; from++) {
            size_t expected = length;
            for (size_t at = from; at + bytes <= length && expected == length; at++) {
                uint64_t here = 0;
                for (uint32_t k = 0; k < bytes; k++) here |= (uint64_t)(text[at + k] | lazy_grams_fold) << (8 * k);
                for (size_t i = 0; i < count && expected == length; i++) {
                    if (windows[i] == here) expected = at;
                }
            }
            const size_t found = lazy_grams_find(grams, text, from, length);
            CHECK(found >= from && found <= expected);
            places += found - from + 1;
            false_alarms += found < expected;
            from = found; /* also from between windows */
        }
        free(grams);
    }
    CHECK(false_alarms < places / 100);
    free_fenced(memory);
}

int main(void)
{
    for (size_t path = 0; test_select_cpu(path); path++) {
        test_patterns_with_filters();
        test_far_beginnings();
        test_first_bytes();
#ifndef __wasm__
        test_that_the_first_match_ends_a_search();
#endif
        test_random_searches();
        test_word_lists();
        test_candidates();
    }
    test_grams();
    printf("%zu patterns with the filter of bytes, %zu of hashes, %zu of the end, %zu without\n", kinds.bytes,
           kinds.grams, kinds.end, kinds.none);
#ifndef __wasm__ /* whose portable kernel has no filter of bytes */
    CHECK(kinds.bytes > 100 && kinds.grams > 100 && kinds.end > 50);
#endif
    return test_result();
}
