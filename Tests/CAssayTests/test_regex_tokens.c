/* Compares the tokens of patterns with the items that PCRE2 finds, and tests the features that scans derive from the
   tokens. */
#include "test.h"
#include "test_pattern_support.h"

#include "Patterns/assay_pcre2.h"
#include "Regex/Syntax/assay_regex_tokens.h"

/* In the order of regex_token_kind. */
static const char *const kind_names[] = {"end",       "literal",     "any",        "escape", "property",  "assertion",
                                         "reference", "call",        "class",      "posix",  "end-class", "group",
                                         "close",     "alternation", "quantifier", "verb",   "settings",  "quote",
                                         "comment",   "blank",       "uncertain"};

/* Writes the tokens of a text: the kind and the text of each. */
static void write_tokens(const char *text, uint32_t options, char *out, size_t size)
{
    regex_tokens tokens;
    size_t at = 0;
    out[0] = '\0';
    assay_regex_tokens_begin(&tokens, (const uint8_t *)text, strlen(text), options);
    for (;;) {
        const regex_token token = assay_regex_next_token(&tokens);
        if (token.kind == REGEX_TOKEN_END) return;
        at += (size_t)snprintf(out + at, size - at, "%s%s %.*s", at == 0 ? "" : ", ", kind_names[token.kind],
                               (int)token.length, text + token.start);
    }
}

static void test_tokens(void)
{
    static const struct {
        const char *text;
        uint32_t options;
        const char *tokens;
    } cases[] = {
        {"", 0, ""},
        {"a.*?", 0, "literal a, any ., quantifier *?"},
        {"[]^a-]", 0, "class [, literal ], literal ^, literal a, literal -, end-class ]"},
        {"[^]\\]]", 0, "class [^, literal ], escape \\], end-class ]"},
        {"[[:alpha:](?#]", 0, "class [, posix [:alpha:], literal (, literal ?, literal #, end-class ]"},
        {"[\\Q]\\E]", 0, "class [, quote \\Q, literal ], quote \\E, end-class ]"},
        {"[[:<:]]", 0, "assertion [[:<:]]"},
        {"[\\c]\\b]", 0, "class [, escape \\c], escape \\b, end-class ]"},
        {"\\Q[(\\\\E+", 0, "quote \\Q, literal [, literal (, literal \\, quote \\E, quantifier +"},
        {"\\\\Q\\E", 0, "escape \\\\, literal Q, quote \\E"},
        {"(?#(a)b#", 0, "comment (?#(a), literal b, literal #"},
        {"a#[\n b", ASSAY_PATTERN_EXTENDED, "literal a, comment #[\n, blank  , literal b"},
        {"(?x)#((\n(?-x:#)#", 0, "settings (?x), comment #((\n, group (?-x:, literal #, close ), comment #"},
        {"((?x) )#", 0, "group (, settings (?x), blank  , close ), literal #"},
        {"(?xx)[a ]", 0, "settings (?xx), class [, literal a, blank  , end-class ]"},
        {"{,3}{x{2, }{3}+", 0, "quantifier {,3}, literal {, literal x, quantifier {2, }, quantifier {3}+"},
        {"(?<n>\\k<n>\\g<n>\\g2)", 0, "group (?<n>, reference \\k<n>, call \\g<n>, reference \\g2, close )"},
        {"(?(1)(?R)|\\1)", 0, "group (?(1), call (?R), alternation |, reference \\1, close )"},
        {"(?(?=a)b)", 0, "group (?, group (?=, literal a, close ), literal b, close )"},
        {"(*MARK:(a)(*atomic:a)", 0, "verb (*MARK:(a), verb (*atomic:, literal a, close )"},
        {"\\x{41}\\o{101}\\N{U+41}\\x4g", 0,
         "escape \\x{41}, escape \\o{101}, escape \\N{U+41}, escape \\x4, literal g"},
        /* After an uncertain place, a token begins at each byte. */
        {"[[.(?>", 0, "class [, uncertain , class [, any ., group (?>, quantifier ?, literal >"},
        {"[\\E]a", 0, "class [, uncertain , quote \\E, literal E, literal ], literal a"},
        {"(?C'('))", 0,
         "uncertain , literal (, quantifier ?, literal C, literal ', group (, literal ', close ), close )"},
        {"[a", 0, "class [, literal a, uncertain , class [, literal a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char tokens[1024];
        write_tokens(cases[i].text, cases[i].options, tokens, sizeof tokens);
        if (!CHECK(strcmp(tokens, cases[i].tokens) == 0)) fprintf(stderr, "    %s: %s\n", cases[i].text, tokens);
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Against PCRE2
 * ------------------------------------------------------------------------------------------------------------- */

enum { LONGEST = 256 };

/* The offsets at which PCRE2 finds an item, from its callouts. */
typedef struct items {
    bool begins[LONGEST + 1];
} items;

static int note_item(pcre2_callout_enumerate_block *block, void *context)
{
    items *found = context;
    found->begins[block->pattern_position] = true;
    return 0;
}

static bool is_item(const regex_token *token)
{
    const bool is_character = token->kind == REGEX_TOKEN_LITERAL || token->kind == REGEX_TOKEN_ANY ||
                              token->kind == REGEX_TOKEN_CLASS_OPEN || token->kind == REGEX_TOKEN_PROPERTY;
    return is_character && !token->in_class;
}

/* Compares the tokens with PCRE2's items: each item begins with a token, and each character outside of classes is an
   item. */
static void compare_items(const char *text, uint32_t options, size_t *compared)
{
    const size_t count = strlen(text);
    const uint32_t flags = PCRE2_AUTO_CALLOUT | (options != 0 ? PCRE2_EXTENDED : 0);
    const assay_pattern_features features = assay_pattern_scan((const uint8_t *)text, count, options);
    pcre2_code *code =
        assay_compile((const uint8_t *)text, count, assay_compile_flags(options, &features) | flags, SIZE_MAX, NULL);
    if (code == NULL) return;
    items found = {.begins = {false}};
    pcre2_callout_enumerate(code, note_item, &found);
    pcre2_code_free(code);
    regex_tokens tokens;
    bool is_right = true;
    size_t next = 0; /* all tokens that begin before this offset have been read */
    assay_regex_tokens_begin(&tokens, (const uint8_t *)text, count, options);
    for (;;) {
        const regex_token token = assay_regex_next_token(&tokens);
        for (; next < token.start; next++) is_right = is_right && !found.begins[next];
        if (token.kind == REGEX_TOKEN_END || token.kind == REGEX_TOKEN_UNCERTAIN) break;
        /* An item is never inside a class. A {,3} is an item or a quantifier, depending on the release. */
        if (token.in_class) is_right = is_right && !found.begins[token.start];
        if (is_item(&token)) is_right = is_right && found.begins[token.start];
        next = token.start + 1;
    }
    ++*compared;
    if (!CHECK(is_right)) fprintf(stderr, "    %s\n", text);
}

/* Patterns of pieces that pattern readers have confused. */
static void test_items(void)
{
    static const char *const pieces[] = {
        "a",         "b",         "\xC3\xA9",    ".",          "\\d",
        "\\w",       "\\b",       "^",           "$",          "\\z",
        "[a-z]",     "[^x]",      "[]a]",        "[^]a]",      "[[:alpha:]_]",
        "[\\]a]",    "[\\Q]\\E]", "[a\\E]",      "[\\c]]",     "[(*+?]",
        "[[.a]",     "[a[=b]",    "[\\b#]",      "[\\1]",      "[\\p{L}x]",
        "[ ]",       "[# ]",      "[a\\Q-z\\E]", "[\\E]a]",    "[[:<:]]",
        "(",         "(?:",       "(?i)",        "(?x)",       "(?-x)",
        "(?xx)",     "(?x:",      "(?-x:",       "(?^)",       "(?>",
        "(?=",       "(?!",       "(?<=",        "(?<n>",      "(?'m'",
        "(?P<k>",    "(?|",       "(?(1)",       "(?(<n>)",    "(?(DEFINE)",
        "(?(?=",     ")",         ")",           ")",          ")",
        ")",         "|",         "*",           "+",          "?",
        "{2}",       "{2,}",      "{x",          "{",          "}",
        "]",         "++",        "*?",          "{2}+",       "\\1",
        "\\k<n>",    "\\g{1}",    "\\g<1>",      "(?1)",       "(?R)",
        "(?&n)",     "(?P=k)",    "\\K",         "\\R",        "\\N{3}",
        "\\p{Lu}",   "\\PL",      "\\Q",         "\\E",        "\\Qa+\\E",
        "\\Q(\\E",   "(?#c)",     "(?#(?>)",     " ",          "#)\n",
        "# [(\n",    "#",         "\n",          "\\x41",      "\\x{e9}",
        "\\o{101}",  "\\cA",      "\\07",        "\\\\",       "\\[",
        "(*ACCEPT)", "(*atomic:", "(*plb:",      "(*MARK:(y)", "\\ ",
        "\\#",       "-",         ":",
    };
    test_random random = test_random_of(49);
    const unsigned long rounds = test_rounds(400000);
    size_t compared = 0;
    for (unsigned long i = 0; i < rounds; i++) {
        char text[LONGEST] = "";
        int depth = 0;
        for (uint32_t left = 1 + test_random_below(&random, 9); left > 0; left--) {
            const char *piece = pieces[test_random_below(&random, sizeof pieces / sizeof pieces[0])];
            depth += piece[0] == '(' && strchr(piece, ')') == NULL ? 1 : piece[0] == ')' && depth > 0 ? -1 : 0;
            strcat(text, piece);
        }
        while (depth-- > 0) strcat(text, ")");
        compare_items(text, test_random_below(&random, 3) == 0 ? ASSAY_PATTERN_EXTENDED : 0, &compared);
    }
    CHECK(compared > rounds / 20);
    fprintf(stderr, "%zu generated patterns compared with PCRE2's items\n", compared);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Features
 * ------------------------------------------------------------------------------------------------------------- */

static void test_features(void)
{
    static const struct {
        const char *with;    /* a pattern with the feature */
        const char *without; /* a pattern in which it is only text */
        size_t offset;
    } cases[] = {
#define FEATURE(name) offsetof(assay_pattern_features, name)
        {"(?>a)", "[(?>]", FEATURE(atomic)},
        {"(?>a)", "\\Q(?>a)", FEATURE(atomic)},
        {"a*+", "[*+]", FEATURE(atomic)},
        {"a*(?#x)+", "a*(?#+)", FEATURE(atomic)},
        {"a*\\E+", "a\\*+", FEATURE(atomic)},
        {"(?x)a* # [\n +", "(?x)a* # +", FEATURE(atomic)},
        {"(*:m)", "[(*:m)]", FEATURE(backtracking_verbs)},
        {"a(*SKIP)", "a(*pla:b)", FEATURE(backtracking_verbs)},
        {"(?J)", "[(?J)]", FEATURE(duplicate_names)},
        {"(?J:a)", "(?#(?J))", FEATURE(duplicate_names)},
        {"\\k<n>", "\\\\k<n>", FEATURE(named_backreference)},
        {"\\1", "[\\1]", FEATURE(backreference)},
        {"(?(1)a)", "(?(DEFINE)a)", FEATURE(backreference)},
        {"(?(R)a)(?<R>b)", "(?(R)a)(?<S>b)", FEATURE(backreference)},
        {"(?R)", "[(*(?R)]", FEATURE(subroutine_call)},
        {"\\g<0>", "\\\\g<0>", FEATURE(full_recursion)},
        {"(?<=a)", "(?<a>b)", FEATURE(lookaround)},
        {"(*plb:a)", "(*pla:a)", FEATURE(lookbehind)},
        {"(?<*a)", "[(?<=]", FEATURE(lookbehind)},
        {"\\K", "\\\\K", FEATURE(keep)},
        {"[[:^print:]]", "\\Q[[:print:]]", FEATURE(visible_posix)},
        {"[\\h]", "\\\\h", FEATURE(property)},
        {"$a", "[$]a$|b$(?#c)", FEATURE(early_end_anchor)},
        {"a^", "(?i)^[\\b]", FEATURE(inner_assertion)},
        {":^", "(?:^a)", FEATURE(inner_assertion)},
        {"(a){2,}+", "\\(a{2,}+", FEATURE(counted_possessive)},
        {"(?|a++)", "(?:a++)", FEATURE(reset_possessive)},
        /* A class with an uncertain end must not hide features. */
        {"[[.(?>]", "[.(?>]", FEATURE(atomic)},
        {"[[=a](?R)", "[=a](?:R)", FEATURE(full_recursion)},
        {"[\\E]\\1", "[\\E)\\1]", FEATURE(backreference)},
#undef FEATURE
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const texts[] = {cases[i].with, cases[i].without};
        for (size_t j = 0; j < 2; j++) {
            const assay_pattern_features features = assay_pattern_scan((const uint8_t *)texts[j], strlen(texts[j]), 0);
            const bool has_it = *(const bool *)((const char *)&features + cases[i].offset);
            if (!CHECK(has_it == (j == 0))) fprintf(stderr, "    case %zu: %s\n", i, texts[j]);
        }
    }
}

static void test_work(void)
{
    static const struct {
        const char *text;
        uint32_t options;
        assay_work_features features;
    } cases[] = {
        {"[a-z]+-[a-z]+", 0, {.longest_class = 5}},
        {"[a-]+-", 0, {.uncounted = 1, .longest_class = 4}},
        {".*x", 0, {.uncounted = 1}},
        {".*?x", 0, {.uncounted = 0}},
        {"(?U).*?x", 0, {.uncounted = 1}},
        {"a*x", 0, {.uncounted = 0}},
        {"a* x", 0, {.uncounted = 0}},
        {"a* a", ASSAY_PATTERN_EXTENDED, {.uncounted = 1}},
        {"\\d*a", ASSAY_PATTERN_CASE_INSENSITIVE, {.caseless = true}},
        {"a*(?i)A", 0, {.caseless = true, .uncounted = 1}},
        {"(?-i)a", 0, {.caseless = false}},
        {"(.*x){3}", 0, {.uncounted = 4}},
        {"(?x)(.*x) {3}", 0, {.uncounted = 4}},
        {"[.*x]", 0, {.longest_class = 5}},
        {"(a)*", 0, {.group_loop = true}},
        {"(a) *", ASSAY_PATTERN_EXTENDED, {.group_loop = true}},
        {"\\)*", 0, {.group_loop = false}},
        {"(a){2,3}", 0, {.group_loop = false}},
        {"(?1)(a)", 0, {.group_loop = true}},
        {"\\X", 0, {.grapheme = true, .uncounted = 1}},
        {"\\\\X", 0, {.grapheme = false}},
        {"a{1000}", 0, {.uncounted = 1}},
        {"(*plb:a{2})", 0, {.uncounted = 1}},
        {"(?xx)[ ]]", 0, {.uncounted = 0, .longest_class = 9}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const assay_work_features expected = cases[i].features;
        const assay_work_features found =
            assay_pattern_scan_work((const uint8_t *)cases[i].text, strlen(cases[i].text), cases[i].options);
        const bool is_right = found.caseless == expected.caseless && found.grapheme == expected.grapheme &&
                              found.group_loop == expected.group_loop && found.uncounted == expected.uncounted &&
                              found.longest_class == expected.longest_class;
        if (!CHECK(is_right)) {
            fprintf(stderr, "    %s: caseless %d, grapheme %d, loop %d, uncounted %u, class %zu\n", cases[i].text,
                    found.caseless, found.grapheme, found.group_loop, found.uncounted, found.longest_class);
        }
    }
}

int main(void)
{
    test_tokens();
    test_items();
    test_features();
    test_work();
    return test_result();
}
