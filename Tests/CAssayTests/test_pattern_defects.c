/* Defects of released PCRE2 versions that would change a verdict, each as a case with the correct verdict.

   The verdicts come from Perl 5.36 as `value =~ /\A(?:pattern)\z/` (or `value =~ /pattern/` for a search), from
   Python 3.11 as re.fullmatch, or from the grammar that the pattern describes, as each comment states. Every case
   runs with and without JIT. */
#include "test_pattern_support.h"

enum { NONE = 0, U = ASSAY_PATTERN_UNICODE_CLASSES, SEARCH = ASSAY_PATTERN_SEARCH, NO_JIT = ASSAY_PATTERN_NO_JIT };

typedef struct defect_case {
    assay_text pattern;
    uint32_t options;
    assay_text value;
    bool passes;
    /* The interpreter of 10.42 is wrong and there is no workaround, so without JIT Assay rejects the pattern. */
    bool needs_jit;
} defect_case;

static const defect_case cases[] = {
    /* Auto-possessification before an optional atomic group; wrong up to 10.48. Perl and Python: match. */
    {T("(?:a*(?:b)?+)ab"), NONE, T("aaab"), true, false},
    {T("(?:a*(?>(?:b)?))ab"), NONE, T("aaab"), true, false},
    {T("[a-c]*(?:d)?+cd"), NONE, T("abccd"), true, false},
    {T("a*(?:b)?+ab"), SEARCH, T("xaaab"), true, false},
    /* The same with characters that PCRE2 ignores between the quantifier and the plus sign. Perl with /x: match. */
    {T("(?:a*(?:b)? +)ab"), ASSAY_PATTERN_EXTENDED, T("aaab"), true, false},
    {T("(?x)(?:a*(?:b)? +)ab"), NONE, T("aaab"), true, false},
    {T("(?:a*(?:b)?(?#c)+)ab"), NONE, T("aaab"), true, false},

    /* PCRE2 makes a negated property before another one possessive (found by test_dfa.c). Perl: match. */
    {T("\\P{Lu}*\\P{Ll}"), NONE, T("!"), true, false},
    {T("\\PS*\\PL{2}"), NONE, T("11"), true, false},
    {T("\\p{^L}*\\p{^N}"), NONE, T("!"), true, false},
    {T("\\P{Greek}*\\P{Han}"), NONE, T("!"), true, false},
    {T("\\D*\\P{Lu}"), U, T("!"), true, false},

    /* The same defect for a repeat next to an item with non-ASCII characters. Perl, with and without /a: match. */
    {T("\\S*\\h"), NONE, T("\xc2\xa0"), true, false},
    {T("\\h*\\S"), NONE, T("\xc2\xa0"), true, false},
    {T("\\S*\\v"), NONE, T("\xc2\x85"), true, false},
    {T("\\v*\\S"), NONE, T("\xc2\x85"), true, false},
    {T("\\w+\\p{Pc}"), U, T("a_"), true, false},
    {T("\\w+\\p{Pc}\\w+"), U, T("snake_case"), true, false},
    {T("\\p{Pc}*\\w"), U, T("_"), true, false},
    {T(".*\\R"), NONE, T("line\r"), true, false},
    {T("\\N*\\R"), NONE, T("line\x0b"), true, false},
    {T("\\R*."), NONE, T("\r"), true, false},
    {T("\\R*\\s"), NONE, T("\r"), true, false},

    /* Start optimization with a look-ahead (#444, 10.45). Perl and Python: match. */
    {T("(?=a)b?a"), SEARCH, T("a"), true, false},
    {T("(?=a)b?a"), NONE, T("a"), true, false},

    /* JIT: a back reference to a duplicate name ignores case (82d1d4b7, 10.45). Perl, with \k<NAME>: only Aabb AaAa
       matches. */
    {T("(?J)^(?P<NAME>..)(?P<NAME>..)\\k<NAME>{2,4}"), NONE, T("AabbAaAa"), true, false},
    {T("(?J)^(?P<NAME>..)(?P<NAME>..)\\k<NAME>{2,4}"), NONE, T("Aabbaaaa"), false, false},
    {T("(?J)^(?P<NAME>..)(?P<NAME>..)\\k<NAME>{2,4}"), NONE, T("AabbAAaa"), false, false},
    {T("(?J)(?<n>a)(?<n>b)(?P=n)"), NONE, T("abA"), false, false},

    /* JIT: negated class of a POSIX class and a code point beyond 255, by Unicode properties (#360, 10.45). Perl: no
       match. */
    {T("[^[:print:]\\x{f6f6}]"), U, T("\xef\x9b\xb6"), false, false},
    {T("[^[:print:]\\x{f6f6}]"), U, T("\x01"), true, false},

    /* The same without a negation: a class of [:print:] or [:graph:] and another item. Perl: match. */
    {T("[[:print:]\\s]+"), U, T("a\tb"), true, false},
    {T("[[:graph:]\\s]+"), U, T("a b"), true, false},
    {T("[[:print:]\\x{2028}]"), U, T("\xe2\x80\xa8"), true, false},
    {T("[[:^print:]\\h]"), U, T("\xe3\x80\x80"), true, false},

    /* JIT: groups that share a number, one of which repeats possessively (found by test_pattern_agreement.c). Perl: no
       match. */
    {T("(?|(?!(b)++)|(|)){2}c"), NONE, T("bc"), false, false},
    {T("(?|(?=(b)++)|x(|)|(|)){1,2}c"), NONE, T("bc"), false, false},
    {T("(?|(?!(b)*+c)|(|)){3}c"), NONE, T("bbc"), false, false},

    /* JIT: a possessive repeat of two and more of a group that captures one of several. Perl: match. */
    {T("(aa|a){2,}+"), NONE, T("aaa"), true, false},
    {T("(aa|a){2,}+"), NONE, T("aa"), true, false},
    {T("([0-9]{2}|[0-9]){2,}+"), NONE, T("12"), true, false},
    {T("(?<n>aa|a){3,}+"), NONE, T("aaa"), true, false},

    /* A condition on a group named R is not a recursion condition; see below for JIT's captures of possessive
       groups. Perl, with another name: the same. */
    {T("(?<R>a)*+c|ab(?(R)a|z)"), NONE, T("aba"), false, false},
    {T("(?<R>a)*+c|ab(?(R)a|z)"), NONE, T("abz"), true, false},

    /* A defect of Assay: the wrapper around a search must hold for all options that the pattern sets, and for every
       ending. */
    {T("(?-x)abc"), SEARCH | ASSAY_PATTERN_EXTENDED, T("xabcx"), true, false},
    {T("(?^)abc"), SEARCH | ASSAY_PATTERN_EXTENDED, T("xabcx"), true, false},
    {T("(?x)abc #comment"), SEARCH, T("xabcx"), true, false},
    {T("abc #comment"), SEARCH | ASSAY_PATTERN_EXTENDED, T("xabcx"), true, false},
    {T("\\Qa.c"), SEARCH, T("xa.cx"), true, false},
    {T("abc|x"), SEARCH, T("bcabx"), true, false},
    {T("^abc"), SEARCH, T("xabc"), false, false},
    {T("^abc"), SEARCH | ASSAY_PATTERN_MULTILINE, T("x\nabc"), true, false},

    /* A defect of Assay: when a property is cut out of a class, the following text must not join the escape before
       it. */
    {T("[\\x\\p{L}41]"), NONE, T("4"), true, false},
    {T("[\\1\\p{L}01]"), NONE, T("0"), true, false},
    {T("[\\0\\p{Lu}07]"), NONE, T("\x07"), false, false},
    {T("[\\c\\p{L}]"), NONE, T("L"), true, false},
    {T("[\\c\\p{L}]"), NONE, T("p"), true, false},
    {T("[\\c\\p{L}]"), NONE, T("q"), false, false},

    /* JIT: (*SKIP) forgets that the pattern is anchored (#326, open). Perl: `A(*SKIP)A|` does not match "A", because
       the skip ends the only attempt. */
    {T("A(*SKIP)A|"), NONE, T("A"), false, false},
    {T("A(*SKIP)A|"), NONE, T("AA"), true, false},
    {T("A(*SKIP)A|"), NONE, T(""), true, false},
    {T("a+(*SKIP)b|aac"), NONE, T("aac"), false, false},
    {T("a(*PRUNE)b|ac"), NONE, T("ac"), false, false},
    {T("a(*COMMIT)b|ac"), NONE, T("ac"), false, false},
    {T("a(*THEN)b|ac"), NONE, T("ac"), true, false},
    {T("a(*F)|ab"), NONE, T("ab"), true, false},

    /* JIT: (*ACCEPT) before the end of the value (#353, 10.43). A full match must end at the end, so these are not
       full matches. */
    {T("aa(*ACCEPT)aa"), NONE, T("aa"), true, false},
    {T("aa(*ACCEPT)aa"), NONE, T("aaa"), false, false},
    {T("aa(*ACCEPT)aa"), NONE, T("aaaa"), false, false},
    {T("a(*ACCEPT)b"), NONE, T("ax"), false, false},
    {T("aa(*ACCEPT)bb"), SEARCH, T("xaax"), true, false},

    /* JIT: captures of a possessive group survive a backtrack past the group, into the next alternative or the next
       start of a search (like #324; found by test_pattern_agreement.c). Perl: no match if \1 is unset. */
    {T("(a)*+c|ab\\1"), NONE, T("aba"), false, false},
    {T("(a?\?)*+A*|[a-c]++\\1(?!b)?\?"), NONE, T("ab"), false, false},
    {T("(B)*+A\\1"), SEARCH, T("BCAB"), false, false},
    {T("(B)*+A\\1"), SEARCH, T("CBAB"), true, false},

    /* Interpreter: no backtracking into (?R) (#331, 10.43). The grammars a* and a^n b^n. Perl, with the whole
       pattern as group 1 and (?1): the same. */
    {T("|a(?R)"), NONE, T("aaaa"), true, true},
    {T("|a(?0)"), NONE, T("aa"), true, true},
    {T("|a(?R)"), NONE, T("aab"), false, true},
    {T("|a(?R)b"), NONE, T("aabb"), true, true},
    {T("|a(?R)b"), NONE, T("aab"), false, true},
    {T("|a\\g<0>b # comment"), ASSAY_PATTERN_EXTENDED, T("aabb"), true, true},

    /* … and the workaround. */
    {T("(|a(?1))"), NONE, T("aaaa"), true, false},
    {T("(|a(?1)b)"), NONE, T("aabb"), true, false},
    {T("(|a(?1)b)"), NONE, T("aab"), false, false},

    /* Interpreter: captures set inside a subroutine call remain set (#261, 10.43). Perl: no match, because \2 is
       unset again. */
    {T("(?<all>(?:(?:a(?&all))|(b))(c?))\\2?x"), NONE, T("aabcbx"), false, true},
    {T("(?<all>(?:(?:a(?&all))|(b))(c?))\\2?x"), NONE, T("aabcx"), true, true},

    /* pcre2_jit_match ignores (*NOTEMPTY), and (*ACCEPT) and "\n" bypass MATCH_LINE. Assay uses neither, because of
       these cases. */
    {T("a(*ACCEPT)b"), NONE, T("a\n"), false, false},
    {T("^abc$"), NONE, T("abc\n"), false, false},
};

static bool is_old_interpreter(void)
{
    char version[64];
    char unicode[64];
    assay_engine_version(version, unicode);
    return strncmp(version, "10.42", 5) == 0;
}

static void test_cases(assay_scratch *scratch)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t j = 0; j < ENGINES; j++) {
            const uint32_t engine = engines[j];
            assay_error error = {0};
            assay_text text = cases[i].pattern;
            assay_pattern *pattern = create_full_match(text, cases[i].options | engine, 0, &error);
            bool without_jit = engine == NO_JIT || !assay_engine_has_jit();
            if (cases[i].needs_jit && without_jit && is_old_interpreter()) {
                CHECK(pattern == NULL && strstr(error.message, "interpreter") != NULL);
                continue;
            }
            bool right = CHECK(pattern != NULL) && CHECK(single_verdict(pattern, scratch, cases[i].value) ==
                                                         (cases[i].passes ? ASSAY_PASS : ASSAY_FAIL));
            if (!right) {
                fprintf(stderr, "    %.*s on \"%.*s\", options %x: %s\n", (int)text.count, (const char *)text.bytes,
                        (int)cases[i].value.count, (const char *)cases[i].value.bytes, cases[i].options | engine,
                        error.message);
            }
            assay_pattern_free(pattern);
        }
    }
}

/* JIT: if the stack grows during a bounded repeat inside a repeated group, JIT forgets the bound (82ebebfd, 10.45).
   An item of 40 c's must fail at any position, because {0,3} allows three letters before "c;". With a growing stack,
   10.42 accepts it after 341 items. */
static void test_bounded_repeat(void)
{
    static const uint32_t stacks[] = {32768, 65536, 1u << 20};
    static char value[8192];
    for (size_t s = 0; s < sizeof stacks / sizeof stacks[0]; s++) {
        assay_match_limits limits = assay_match_limits_default();
        limits.jit_stack_bytes = stacks[s];
        assay_scratch *scratch = assay_scratch_create(&limits);
        assay_pattern *pattern = compiled(TEXT("(?:[a-z]{0,3}c;)+"), NONE);
        for (size_t items = 0; items < 700; items++) {
            size_t count = 0;
            for (size_t i = 0; i < items; i++) {
                memcpy(value + count, "ac;", 3);
                count += 3;
            }
            memset(value + count, 'c', 40);
            count += 40;
            value[count++] = ';';
            CHECK(assay_pattern_match(pattern, scratch, (const uint8_t *)value, count) == ASSAY_FAIL);
            if (items > 0) {
                CHECK(assay_pattern_match(pattern, scratch, (const uint8_t *)value, items * 3) == ASSAY_PASS);
            }
        }
        assay_pattern_free(pattern);
        assay_scratch_free(scratch);
    }
}

/* \X does not support zero-width joiner sequences in 10.42's interpreter (#410, fixed in 10.43): a family of joined
   people may be one character or several. No flag prevents this, so the caller counts lengths in characters. This
   test only requires that \X does not crash. */
static void test_extended_grapheme(assay_scratch *scratch)
{
    for (size_t engine = 0; engine < ENGINES; engine++) {
        assay_pattern *pattern = compiled(TEXT("\\X"), engines[engine]);
        CHECK(single_verdict(pattern, scratch, TEXT("e\xcc\x81")) == ASSAY_PASS); /* e and combining acute accent */
        CHECK(single_verdict(pattern, scratch, TEXT("\r\n")) == ASSAY_PASS);
        CHECK(single_verdict(pattern, scratch, TEXT("ab")) == ASSAY_FAIL);
        CHECK(single_verdict(pattern, scratch, TEXT("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9")) !=
              ASSAY_UNDECIDED);
        assay_pattern_free(pattern);
    }
}

int main(void)
{
    assay_scratch *scratch = assay_scratch_create(NULL);
    test_cases(scratch);
    test_bounded_repeat();
    test_extended_grapheme(scratch);
    assay_scratch_free(scratch);
    return test_result();
}
