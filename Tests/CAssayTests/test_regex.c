/* The regex compiler without PCRE2: a mock resolves the classes. */
#include "test.h"

#include "DFA/Lazy/assay_lazy_dfa.h"
#include "Regex/NFA/assay_thompson.h"
#include "Regex/Syntax/assay_regex_lower.h"
#include "assay/core.h"

/* Counts requests, and resolves \p{Lu} as PCRE2 10.45 and later do: under (?i) it also matches lower-case letters.
   All other classes match the first ASCII letter of their text. */
typedef struct mock {
    size_t questions;
    size_t folded_questions;
} mock;

static bool resolve(void *context, const uint8_t *text, size_t count, uint32_t options, const class_reach *reach,
                    assay_character_set *set)
{
    mock *requested = context;
    const bool ignores_case = (options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0;
    requested->questions++;
    requested->folded_questions += ignores_case;
    (void)reach;
    if (count == 6 && memcmp(text, "\\p{Lu}", 6) == 0) {
        assay_character_set_add_range(set, 'A', 'Z' + 1);
        if (ignores_case) assay_character_set_add_range(set, 'a', 'z' + 1);
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if ((text[i] | 0x20) < 'a' || (text[i] | 0x20) > 'z') continue;
        assay_character_set_add(set, text[i]);
        if (ignores_case) assay_character_set_add(set, text[i] ^ 0x20);
        return true;
    }
    return true;
}

static bool parse(assay_regex *regex, const char *text, size_t count, uint32_t options, mock *requested,
                  assay_dfa_refusal *refusal)
{
    const assay_class_resolver resolver = {.find = resolve, .context = requested};
    return assay_regex_parse(regex, (const uint8_t *)text, count, options, &resolver, refusal) &&
           assay_regex_lower(regex, (options & ASSAY_PATTERN_SEARCH) != 0, refusal);
}

/* Whether the DFA of a pattern accepts a value. */
static bool accepts(const char *text, const char *value, mock *requested)
{
    assay_regex regex;
    assay_dfa_refusal refusal = {.because = NULL};
    assay_dfa *dfa = NULL;
    if (CHECK(parse(&regex, text, strlen(text), 0, requested, &refusal)))
        dfa = assay_dfa_create(&regex, false, &refusal);
    const bool accepted = CHECK(dfa != NULL) && assay_dfa_match(dfa, (const uint8_t *)value, strlen(value)) == DFA_PASS;
    assay_dfa_free(dfa);
    assay_regex_free(&regex);
    return accepted;
}

/* The same property under two settings requires two requests. */
static void test_classes_under_settings(void)
{
    mock requested = {0};
    CHECK(accepts("\\p{Lu}(?i)\\p{Lu}", "Aa", &requested));
    CHECK_EQUAL(requested.questions, 2);
    CHECK_EQUAL(requested.folded_questions, 1);
    requested = (mock){0};
    CHECK(!accepts("\\p{Lu}(?i)\\p{Lu}", "aA", &requested));
    CHECK(accepts("(?i)\\p{Lu}(?-i)\\p{Lu}", "aA", &requested));
    CHECK(!accepts("(?i)\\p{Lu}(?-i)\\p{Lu}", "Aa", &requested));
    CHECK(accepts("(?i:a)a", "Aa", &requested));
    CHECK(!accepts("(?i:a)a", "AA", &requested));
}

/* The lowered form of each look-around and possessive repeat in a pattern. */
static void test_lowering(void)
{
    static const struct {
        const char *pattern;
        uint32_t assertions;
        uint32_t conjuncts;
        bool is_backward;
    } cases[] = {
        {"a(?!b)", 1, 1, false},        {"a(?=b|c|$)", 3, 1, false},     {"(?=(?:a|b))a", 2, 1, false},
        {"(?=a.)ab", 0, 2, false},      {"ab(?=a.)ab", 0, 2, false},     {"a+(?=a.)ab", 0, 1, true},
        {"(?<=ab)(?=a.)", 0, 2, false}, {"(?>a(?=b.)b)", 0, 2, false},   {"(?:a(?=b.))*", 0, 1, true},
        {"a++b", 1, 1, false},          {"(?>a*)b", 1, 1, false},        {"(?:a++|b)*+c", 2, 1, false},
        {"(?:ab)++c", 0, 1, false},     {"(?=a.)a(?=b.)b", 0, 3, false}, {"(?=a.)a+(?=b.)b", 0, 1, true},
        {"(?=)a", 0, 2, false},         {"(?!(?!a))", 2, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mock requested = {0};
        assay_regex regex;
        assay_dfa_refusal refusal = {.because = NULL};
        const char *text = cases[i].pattern;
        CHECK(parse(&regex, text, strlen(text), 0, &requested, &refusal));
        if (!CHECK(regex.assertion_count == cases[i].assertions && regex.conjunct_count == cases[i].conjuncts &&
                   (regex.backward_because != NULL) == cases[i].is_backward)) {
            fprintf(stderr, "    %s: %u assertions, %u conjuncts, %s\n", text, regex.assertion_count,
                    regex.conjunct_count, regex.backward_because != NULL ? regex.backward_because : "any DFA");
        }
        assay_regex_free(&regex);
    }
}

/* A repeat of many alternatives is rejected after a bounded number of steps, for every count: each copy adds few
   instructions, but visits all alternatives. */
static void test_repeated_alternatives(void)
{
    static const char *const alternatives[] = {"|", "ab|"};
    enum { COUNT = 4900 };
    char *text = malloc(4 * COUNT + 64);
    if (!CHECK(text != NULL)) return;
    for (size_t kind = 0; kind < sizeof alternatives / sizeof alternatives[0]; kind++) {
        size_t count = (size_t)sprintf(text, "(?:");
        for (size_t i = 0; i < COUNT; i++) count += (size_t)sprintf(text + count, "%s", alternatives[kind]);
        count += (size_t)sprintf(text + count, "a){65535}");
        mock requested = {0};
        assay_regex regex;
        assay_dfa_refusal refusal = {.because = NULL};
        CHECK(parse(&regex, text, count, 0, &requested, &refusal));
        const char *because = NULL;
        assay_lazy_program *program = assay_lazy_program_create(&regex, false, &because);
        if (!CHECK(program == NULL && because != NULL && strcmp(because, "too many repeated alternatives") == 0)) {
            fprintf(stderr, "    %s: %s\n", alternatives[kind], because);
        }
        assay_lazy_program_free(program);
        assay_regex_free(&regex);
    }
    free(text);
}

int main(void)
{
    test_classes_under_settings();
    test_lowering();
    test_repeated_alternatives();
    return test_result();
}
