/* Compares the DFA with PCRE2, on single values and on columns. PCRE2 defines the correct verdict. test_dfa_scalar.c
   tests the strategies for single values of certain lengths. */
#include "test_fenced.h" /* first, because it requests declarations beyond POSIX */
#include "test_paths.h"

#include "Patterns/assay_dfa_only.h"
#include "test_pattern_support.h"

/* ---------------------------------------------------------------------------------------------------------------
 * Patterns with a DFA
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether a pattern has a DFA of some kind. */
static bool has_dfa(const char *text, uint32_t options)
{
    assay_pattern *pattern = compiled((assay_text){(const uint8_t *)text, strlen(text)}, options);
    if (pattern == NULL) return false;
    const assay_pattern_dfa dfa = assay_pattern_get_dfa(pattern);
    assay_pattern_free(pattern);
    return dfa.states > 0 || dfa.instructions > 0;
}

static uint32_t states_of(const char *text, uint32_t options)
{
    assay_pattern *pattern = compiled((assay_text){(const uint8_t *)text, strlen(text)}, options);
    if (pattern == NULL) return 0;
    assay_pattern_dfa dfa = assay_pattern_get_dfa(pattern);
    CHECK((dfa.states > 0) == (dfa.refusal == NULL));
    assay_pattern_free(pattern);
    return dfa.states;
}

/* The DFA is built after 2048 values, single or in columns, or for a long value, except if it is one of the first and
   the interpreter decides it. PCRE2 decides all earlier values. */
static void test_made_later(void)
{
    static const struct {
        size_t values, rows, bytes; /* the number of single values, then a column of `rows` values */
        bool is_made;
    } cases[] = {
        {1, 0, 2, false},     {2047, 0, 2, false}, {2048, 0, 2, true},   {0, 1900, 2, false}, {0, 2048, 2, true},
        {2000, 40, 2, false}, {2000, 48, 2, true}, {409, 0, 256, false}, {410, 0, 256, true}, {0, 5, 257, true},
        {4, 0, 257, false},   {5, 0, 257, true},   {0, 0, 2, false},     {1, 0, 1025, true},
    };
    static uint8_t value[65536];
    memset(value, 'a', sizeof value);
    assay_scratch *scratch = assay_scratch_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assay_pattern *pattern = assay_pattern_create((const uint8_t *)"[a-c]{2,}", 9, 0, 0, NULL);
        assay_check *check = assay_check_create_pattern(pattern);
        const assay_text text = {value, cases[i].bytes};
        for (size_t j = 0; j < cases[i].values; j++) CHECK(single_verdict(pattern, scratch, text) == ASSAY_PASS);
        static assay_cell cells[2048];
        uint64_t failed[32] = {0}, undecided[32] = {0};
        for (size_t row = 0; row < cases[i].rows; row++) cells[row] = (assay_cell){0, (uint32_t)cases[i].bytes};
        assay_check_column(check, scratch, value, cells, cases[i].rows, NULL, failed, undecided);
        CHECK_EQUAL(assay_mask_count(failed, 32) + assay_mask_count(undecided, 32), 0);
        const assay_verdict quick = assay_pattern_match_short(pattern, value, 2);
        if (!CHECK(quick == (cases[i].is_made ? ASSAY_PASS : ASSAY_UNDECIDED))) fprintf(stderr, "    case %zu\n", i);
        CHECK(assay_pattern_get_dfa(pattern).states > 0);
        CHECK(assay_pattern_match_short(pattern, value, 2) == ASSAY_PASS);
        assay_check_free(check);
        assay_pattern_free(pattern);
    }
    assay_scratch_free(scratch);
}

static void test_understood(void)
{
    static const char *const understood[] = {
        "",
        "a",
        "[a-z]+",
        "(?:ab|c)*d?",
        "(a)(?<n>b)(?'m'c)(?P<o>d)",
        "\\d{4}-\\d\\d",
        "^a|b$",
        "\\Aa\\z",
        "[]a]",
        "[^]a]",
        "[a\\]]",
        "[[:alpha:]_]",
        "\\p{L}+\\P{Lu}?\\pN",
        "\\x41\\x{42}\\.\\t",
        "a{0}",
        "{a}{[a-z]+{",
        "(?:)*",
        "a+?b*?",
        "é’]}",
        "(?=.*\\d)(?!.*--)[a-z0-9-]{8,}",
        ".*",
        "(?:^a\\b|\\B$)*\\Z",
        "(?!-)[a-z-]{1,9}(?<!-)(?=\\.|$)",
        "(?=a)a|b(?<=b|^)",
        "a(?=bc)b",
        "(?!000|666|9[0-9]{2})[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}",
        "(?:(?:ab|\\b[cd]{2})(?!ab|c)c+)",
        "(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])(?=.*[^A-Za-z0-9]).{8,64}",
        "(?=.{0,100}a)(?!.{100}b)(?=.*c)[a-c]{0,250}",
        "[a-z]++$",
        "a(?i)b(?-i:c(?s).)|(?x: a # comment\n b )(?#another)",
        "(?m)(?:^a$\\n?)*",
        "\\Qa*(\\E+\\Q\\E\\E",
        "(?>a)(?:ab?)++c(?>(?:xy)*+z)",
        "(?i)(?s)(?:/(?:[^/~]++|~[01])*+)*+",
        "(?:[ -~]++|[^\\p{Cc}\\p{Cn}]++)*+",
        "[a-z](?:[a-z0-9]|[_.-](?=[a-z0-9]))*+",
        "[a-z]++@(?:[a-z0-9-]*+\\.)+[A-Z]{2,3}+(?:a?+b)*",
        "[a-z]++\\b",
        "(?:[a-c]++|d)*+c",
        "a++[ab]",
        "(?:a{2,3}+)+",
        "a?+a",
        "(?>[a-c]{2,4})[ab]",
        "\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"",
        "(?<=ab)b",
        "a+(?=bc)b",
        "(?:a|bc)(?!bc)b",
        "(?=a(?=bc)b)a",
        "(?:a(?!bc)b)+",
        "a(?:(?!bc)b|c)",
        "(?=a+)a|b",
        "(?:(?!--).)*",
        "[a-z.]*(?<!\\.com)(?<![.]net)",
        "ab(?<=ab)(?=c.*x)[a-z]*",
        "a(?<=(?<!b.)a)(?!.*(?:b(?!c)|$))",
        "(?:[\\x{1F600}-\\x{1F604}]b)*+[\\x{1F605}-\\x{1F60E}]c",
    };
    for (size_t i = 0; i < sizeof understood / sizeof understood[0]; i++) {
        if (!CHECK(states_of(understood[i], 0) > 0)) fprintf(stderr, "    %s\n", understood[i]);
    }
    CHECK(states_of("b|^a$", ASSAY_PATTERN_SEARCH) > 0);
    CHECK(states_of("k", ASSAY_PATTERN_CASE_INSENSITIVE) > 0);
    CHECK(states_of("\\w", ASSAY_PATTERN_UNICODE_CLASSES) > 0);
}

/* A look-around consumes no characters, for any length of its body. The DFA once counted the two characters of (?<!b.)
   as characters before the look-ahead, so its verdicts differed from those of PCRE2 in both directions. */
static void test_look_ahead_after_look_behind(void)
{
    static const struct {
        const char *pattern;
        const char *value;
        assay_verdict right;
    } cases[] = {
        {"(?<!b.)(?=.*b)b", "b", ASSAY_PASS},
        {"(?<!b.)(?!a.)a*", "aa", ASSAY_FAIL},
        {"(?i)\\x78\\x{79}", "XY", ASSAY_PASS},
        {"ab(?<=ab)(?=c.*x)[a-z]*", "abcx", ASSAY_PASS},
        {"ab(?<=ab)(?!c.*x)[a-z]*", "abcx", ASSAY_FAIL},
        {"ab(?<=ab)(?=c.*x)[a-z]*", "abc", ASSAY_FAIL},
        {"(?=.b)(?=a.)(?=ab)ab", "ab", ASSAY_PASS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const assay_text text = {(const uint8_t *)cases[i].pattern, strlen(cases[i].pattern)};
        assay_pattern *pattern = compiled(text, 0);
        if (!CHECK(pattern != NULL)) continue;
        CHECK(assay_pattern_get_dfa(pattern).states > 0);
        const assay_verdict verdict =
            assay_pattern_match_short(pattern, (const uint8_t *)cases[i].value, strlen(cases[i].value));
        if (!CHECK(verdict == cases[i].right)) fprintf(stderr, "    %s on %s\n", cases[i].pattern, cases[i].value);
        assay_pattern_free(pattern);
    }
}

static void test_refused(void)
{
    static const struct {
        const char *pattern;
        const char *because;
        size_t offset;
    } refused[] = {
        {"a{1000}(?=bc)b", "a look-ahead of more than one character, where its place varies", 7},
        {"a{1000}(?:(?!bc)b)+", "a look-ahead of more than one character in a group with a quantifier", 10},
        {"a{1000}(?:(?!bc)b|c)", "a look-ahead of more than one character that belongs to one of several alternatives",
         10},
        {"(?=.*a)(?:.{0,300}b)?c*", "more states than are kept", 0},
        {"(?=a)?b", "an assertion with a quantifier", 5},
        {"a\\Z|b\\Zc", "\\Z in this place", 5},
        {"(a)\\1", "a back reference", 3},
        {"(?>a|ab)c", "an atomic group or possessive quantifier before text that it could match", 0},
        {"(?:[\\x{1F600}-\\x{1F606}]b)*+[\\x{1F605}-\\x{1F60E}]c",
         "an atomic group or possessive quantifier before text that it could match", 0},
        {"(?:ab)?+ac", "an atomic group or possessive quantifier before text that it could match", 0},
        {"(?:ab?\?)++c", "an atomic group, or possessive quantifier, that may take less than it could", 0},
        {"(?:b(?:|a))*+c", "an atomic group, or possessive quantifier, that may take less than it could", 0},
        {"\\R", "the escape \\R", 0},
        {"\\X", "the escape \\X", 0},
        {"\\Qa\\E{,2}", "a brace that is no plain quantifier", 6},
        {"a(?n)b", "an option other than i, m, s and x", 1},
        {"(?xx)a", "an option other than i, m, s and x", 0},
        {"a{,3}", "a brace that is no plain quantifier", 2},
        {"[[:<:]]a", "[: in a class", 3},
        {"a(*ACCEPT)b", "a verb", 1},
        {"(?:ab|ac)++d", "an atomic group or possessive quantifier before text that it could match", 0},
        {"(?:a|b){300}c{300}", "more than 512 characters and classes, with repeats written out", 0},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assay_text text = {(const uint8_t *)refused[i].pattern, strlen(refused[i].pattern)};
        assay_pattern *pattern = compiled(text, 0);
        if (!CHECK(pattern != NULL)) continue;
        assay_pattern_dfa dfa = assay_pattern_get_dfa(pattern);
        bool as_reported = dfa.states == 0 && dfa.refusal != NULL && strcmp(dfa.refusal, refused[i].because) == 0 &&
                           dfa.refusal_offset == refused[i].offset;
        if (!CHECK(as_reported)) {
            fprintf(stderr, "    %s: %s at %zu\n", refused[i].pattern, dfa.refusal == NULL ? "understood" : dfa.refusal,
                    dfa.refusal_offset);
        }
        assay_pattern_free(pattern);
    }
    /* Larger patterns have a lazy DFA. */
    static const char *const lazy[] = {"a{600}(?=bc)b+", "(?:a|b){300}c{300}"};
    for (size_t i = 0; i < sizeof lazy / sizeof lazy[0]; i++) {
        CHECK(has_dfa(lazy[i], 0) && states_of(lazy[i], 0) == 0);
        CHECK(has_dfa(lazy[i], ASSAY_PATTERN_SEARCH));
    }
    CHECK(!has_dfa("(?=a(?<=ba)b)c", ASSAY_PATTERN_SEARCH));
    CHECK(!has_dfa("a(?!bb)a(?!cc)a(?!dd)a(?!ee)a(?!ff)", ASSAY_PATTERN_SEARCH));
    CHECK(states_of("(?=ab)a", ASSAY_PATTERN_SEARCH) > 0);
    CHECK_EQUAL(states_of("a", ASSAY_PATTERN_NO_DFA), 0);
    CHECK_EQUAL(states_of("a", ASSAY_PATTERN_NO_JIT), 0);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Columns
 * ------------------------------------------------------------------------------------------------------------- */

typedef struct column {
    uint8_t *bytes;
    assay_cell *cells;
    size_t count;
} column;

enum { COLUMN_BYTES = 1 << 20, COLUMN_ROWS = 40000 };

static column new_column(void) { return (column){malloc(COLUMN_BYTES), malloc(COLUMN_ROWS * sizeof(assay_cell)), 0}; }

static size_t end_of(const column *values)
{
    if (values->count == 0) return 0;
    const assay_cell last = values->cells[values->count - 1];
    return last.start + last.length;
}

static void add_value(column *values, const void *bytes, size_t count)
{
    size_t start = end_of(values);
    memcpy(values->bytes + start, bytes, count);
    values->cells[values->count++] = (assay_cell){(uint32_t)start, (uint32_t)count};
}

static void free_column(column *values)
{
    free(values->bytes);
    free(values->cells);
}

/* Masks as large as the largest column, on the heap. */
typedef struct answers {
    uint64_t *failed, *undecided;
} answers;

static answers evaluate_column(const assay_pattern *pattern, assay_scratch *scratch, const column *values,
                               const uint64_t *skip)
{
    const size_t words = assay_mask_words(values->count);
    answers answer = {malloc(words * 8), malloc(words * 8)};
    assay_check *check = assay_check_create_pattern(pattern);
    /* An exact copy, so that a sanitizer detects reads beyond its end. */
    const size_t end = end_of(values);
    uint8_t *bytes = malloc(end == 0 ? 1 : end);
    memcpy(bytes, values->bytes, end);
    assay_check_column(check, scratch, bytes, values->cells, values->count, skip, answer.failed, answer.undecided);
    free(bytes);
    assay_check_free(check);
    return answer;
}

static void free_answers(answers answer)
{
    free(answer.failed);
    free(answer.undecided);
}

static bool bit_of(const uint64_t *mask, size_t row) { return (mask[row / 64] >> (row % 64)) & 1; }

/* Compares a DFA with PCRE2 on a column, and on each of its values alone. Returns the number of disagreements: if
   PCRE2 decides, the DFA must return the same verdict. With ASSAY_PATTERN_LAZY_DFA in `options`, tests the lazy DFA. */
static unsigned long compare_one(const char *text, uint32_t options, assay_scratch *scratch, const column *values,
                                 const uint64_t *skip)
{
    const size_t length = strlen(text);
    assay_pattern *fast = create_full_match((assay_text){(const uint8_t *)text, length}, options, 0, NULL);
    options &= ~(uint32_t)ASSAY_PATTERN_LAZY_DFA;
    assay_pattern *right = assay_pattern_create((const uint8_t *)text, length, options | ASSAY_PATTERN_NO_DFA, 0, NULL);
    unsigned long disagreements = 0;
    if (!CHECK(fast != NULL && right != NULL)) return 1;
    answers by_dfa = evaluate_column(fast, scratch, values, skip);
    answers by_pcre = evaluate_column(right, scratch, values, skip);
    for (size_t row = 0; row < values->count; row++) {
        const bool skipped = skip != NULL && bit_of(skip, row);
        const bool failed = bit_of(by_dfa.failed, row);
        const bool undecided = bit_of(by_dfa.undecided, row);
        bool agrees = bit_of(by_pcre.undecided, row) || (failed == bit_of(by_pcre.failed, row) && !undecided);
        if (skipped) agrees = !failed && !undecided;
        const assay_cell cell = values->cells[row];
        if (!skipped && agrees && !bit_of(by_pcre.undecided, row)) {
            assay_verdict alone = single_verdict(fast, scratch, (assay_text){values->bytes + cell.start, cell.length});
            assay_verdict quick = assay_pattern_match_short(fast, values->bytes + cell.start, cell.length);
            agrees = alone == (failed ? ASSAY_FAIL : ASSAY_PASS) && (quick == alone || quick == ASSAY_UNDECIDED);
        }
        if (!agrees && disagreements++ == 0) {
            fprintf(stderr, "    pattern %s, options %x, row %zu of %zu, value of %u bytes \"%.*s\"\n", text, options,
                    row, values->count, cell.length, (int)cell.length, (const char *)values->bytes + cell.start);
        }
    }
    free_answers(by_dfa);
    free_answers(by_pcre);
    assay_pattern_free(fast);
    assay_pattern_free(right);
    return disagreements;
}

static unsigned long compare(const char *text, uint32_t options, assay_scratch *scratch, const column *values,
                             const uint64_t *skip)
{
    return compare_one(text, options, scratch, values, skip) +
           compare_one(text, options | ASSAY_PATTERN_LAZY_DFA, scratch, values, skip);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Generated patterns on all short values, and on longer ones
 * ------------------------------------------------------------------------------------------------------------- */

static const char *const parts[] = {"a", "b", "1", "-", "é", "中", "\n", "’", "😀", "α", "A", "\t", "\r", "_"};
/* The parts of all short values. */
enum { PARTS = sizeof parts / sizeof parts[0], SHORT_PARTS = 7 };

/* All values of up to `longest` parts. */
static void add_all(column *values, char *value, size_t length, int longest)
{
    add_value(values, value, length);
    for (int i = 0; longest > 0 && i < SHORT_PARTS; i++) {
        memcpy(value + length, parts[i], strlen(parts[i]));
        add_all(values, value, length + strlen(parts[i]), longest - 1);
    }
}

/* Values of every length up to some hundred bytes, mostly of letters. */
static void add_long(column *values, test_random *random, size_t number)
{
    for (size_t i = 0; i < number; i++) {
        char value[2100];
        size_t length = 0;
        const size_t max = i % 100 == 0 ? 2000 : i % 8 == 0 ? 300 : 30;
        const size_t target = test_random_below(random, (uint32_t)max);
        const uint32_t kinds = test_random_below(random, 4) == 0 ? PARTS : 1 + test_random_below(random, 4);
        const uint32_t longest_run = test_random_below(random, 3) == 0 ? 100 : 2;
        while (length < target) {
            const char *part = parts[test_random_below(random, kinds)];
            for (uint32_t run = test_random_below(random, longest_run); run > 0 && length < target; run--) {
                memcpy(value + length, part, strlen(part));
                length += strlen(part);
            }
        }
        add_value(values, value, length);
    }
}

typedef struct writer {
    test_random *random;
    char text[2000];
    size_t count;
    unsigned names; /* the number of named groups: PCRE2 allows each name only once */
} writer;

static void put(writer *out, const char *text)
{
    const size_t length = strlen(text);
    if (out->count + length + 1 >= sizeof out->text) return;
    memcpy(out->text + out->count, text, length + 1);
    out->count += length;
}

static uint32_t below(writer *out, uint32_t bound) { return test_random_below(out->random, bound); }

static void put_alternatives(writer *out, int depth);

/* A character in one of its spellings. PCRE2 skips leading zeros, so the parser must do the same. */
static void put_spelled(writer *out, uint32_t character)
{
    static const char *const zeros[] = {"", "", "0", "00", "00000", "0000000000", "00000000000000000000"};
    const char *leading = zeros[below(out, sizeof zeros / sizeof zeros[0])];
    char text[64];
    switch (below(out, character < 0x80 ? 6 : character < 0x100 ? 4 : 3)) {
    case 0:
        snprintf(text, sizeof text, "\\x{%s%x}", leading, character);
        break;
    case 1:
        snprintf(text, sizeof text, "\\x{%s%X}", leading, character);
        break;
    case 2:
        snprintf(text, sizeof text, below(out, 2) == 0 ? "\\o{%s%o}" : "\\N{U+%s%X}", leading, character);
        break;
    case 3:
        snprintf(text, sizeof text, "\\x%02x", character);
        break;
    case 4:
        snprintf(text, sizeof text, "\\%03o", character);
        break;
    default:
        snprintf(text, sizeof text, "\\Q%c\\E", (char)character);
    }
    put(out, text);
}

static uint32_t any_character(writer *out)
{
    static const uint32_t characters[] = {'a', 'b', '1', '-', 0xE9, 0xFC, 0x2019, 0x3B1, 0x4E2D, 0x9FA5, 0x1F600};
    return characters[below(out, sizeof characters / sizeof characters[0])];
}

/* A spelled character, or a class of several characters and a range. */
static void put_spelled_item(writer *out)
{
    const uint32_t first = any_character(out);
    if (below(out, 2) == 0) {
        put_spelled(out, first);
        return;
    }
    const uint32_t last = any_character(out);
    put(out, below(out, 3) == 0 ? "[^" : "[");
    put_spelled(out, any_character(out));
    put_spelled(out, first < last ? first : last);
    if (below(out, 2) == 0) {
        put(out, "-");
        put_spelled(out, first < last ? last : first);
    }
    put(out, "]");
}

/* Opens a named group. */
static void put_name(writer *out)
{
    const uint32_t form = below(out, 3);
    char text[32];
    snprintf(text, sizeof text, form == 0 ? "(?<n%u>" : form == 1 ? "(?P<n%u>" : "(?'n%u'", out->names++);
    put(out, text);
}

static void put_item(writer *out, int depth)
{
    static const char *const items[] = {"a",
                                        "b",
                                        "1",
                                        "-",
                                        "é",
                                        "’",
                                        ".",
                                        "[ab]",
                                        "[^a]",
                                        "[a-c1]",
                                        "\\d",
                                        "\\w",
                                        "\\W",
                                        "\\s",
                                        "\\S",
                                        "[^\\d]",
                                        "[a-cé-ü]",
                                        "\\pL",
                                        "\\PL",
                                        "[[:alpha:]]",
                                        "[^[:^digit:]b]",
                                        "\\h",
                                        "\\N",
                                        "[]a]",
                                        "\\-",
                                        "\\x{e9}",
                                        "中",
                                        "\\p{Han}",
                                        "[^中]",
                                        "[一-龥]",
                                        "\\x{1F600}",
                                        "[^😀]",
                                        "\\PS",
                                        "\\Qa\\E",
                                        "\\Qb-\\E",
                                        "\\Q-|é\\E",
                                        "a{b}",
                                        "-{,",
                                        "\\D",
                                        "\\H",
                                        "\\v",
                                        "\\V",
                                        "\\t",
                                        "\\n",
                                        "\\r",
                                        "\\f",
                                        "\\e",
                                        "\\a",
                                        "\\p{Lu}",
                                        "\\P{Nd}",
                                        "[^]1]",
                                        "[[:^alpha:]1]",
                                        "[[:word:]-]",
                                        "[\\x61-\\x{e9}]",
                                        "[\\p{Ll}_]",
                                        "[\\S\\h]"};
    static const char *const conditions[] = {"^",
                                             "$",
                                             "\\b",
                                             "\\B",
                                             "\\A",
                                             "\\z",
                                             "(?=a)",
                                             "(?!-)",
                                             "(?<=b)",
                                             "(?<!1)",
                                             "(?=[ab]|$)",
                                             "(?<=ab)",
                                             "(?<!a|b1)",
                                             "(?<=a.b|-)",
                                             "(?<!\\b1|-)",
                                             "(?<=(?<!a)b-)",
                                             "(?<=^[ab])",
                                             "(?<!(?<=a|b1)b)",
                                             "(?<=a(?=b))",
                                             "(?<=\\na)",
                                             "(?<!中|ab)",
                                             "(?<=(?i)B-)",
                                             "(?=ab)",
                                             "(?!a.|b1)",
                                             "(?=.*b)",
                                             "(?!.{2}a)",
                                             "(?=a(?!b1|-.))",
                                             "(?=.(?<=a)b)",
                                             "(?!ab$|1\\\\b-)",
                                             "(?<=a(?=b-))",
                                             "(?!(?:a|b-)*1)",
                                             "(?=é(?!中)|b.)",
                                             "(?<=^|-)",
                                             "(?<!\\pL)",
                                             "(?!中)",
                                             "(?<=\\W|\\n)",
                                             "(?!\\b)",
                                             "(?<!.)",
                                             "(?=\\p{So})"};
    static const char *const settings[] = {"(?i)",  "(?-i)", "(?s)",  "(?m)",     "(?x)", "(?-sx)",
                                           "(?im)", " ",     "(?#b)", "(?x)#a\n", "\\E",  "(?#(?=b)"};
    static const char *const scoped[] = {"(?i:", "(?-i:", "(?m-s:", "(?s:", "(?x: ", "(?:(?i)", "(?m:"};
    while (below(out, 12) == 0) put(out, conditions[below(out, sizeof conditions / sizeof conditions[0])]);
    if (below(out, 16) == 0) put(out, settings[below(out, sizeof settings / sizeof settings[0])]);
    if (depth > 0 && below(out, 3) == 0) {
        if (below(out, 8) == 0) {
            put_name(out);
        } else {
            put(out, below(out, 6) == 0   ? scoped[below(out, sizeof scoped / sizeof scoped[0])]
                     : below(out, 2) == 0 ? "("
                     : below(out, 8) == 0 ? "(?>"
                                          : "(?:");
        }
        put_alternatives(out, depth - 1);
        put(out, ")");
    } else if (below(out, 8) == 0) {
        put_spelled_item(out);
    } else {
        put(out, items[below(out, sizeof items / sizeof items[0])]);
    }
}

static void put_alternatives(writer *out, int depth)
{
    static const char *const quantifiers[] = {"",   "",      "",       "",     "*",  "+",  "?",  "*?", "{2}",
                                              "+?", "{0,2}", "{1,3}?", "{2,}", "??", "++", "*+", "?+", "{1,2}+"};
    const uint32_t branches = 1 + below(out, 7) / 3;
    for (uint32_t branch = 0; branch < branches; branch++) {
        if (branch > 0) put(out, "|");
        const uint32_t items = below(out, 4);
        for (uint32_t i = 0; i < items; i++) {
            put_item(out, depth);
            put(out, quantifiers[below(out, sizeof quantifiers / sizeof quantifiers[0])]);
        }
    }
}

static void put_lookahead(writer *out)
{
    put(out, below(out, 2) == 0 ? "(?=" : "(?!");
    put_alternatives(out, 1);
    put(out, ")");
}

/* A pattern with look-aheads at a fixed number of characters from the start. They become conjuncts if the parser
   counts these characters correctly: look-arounds and settings consume no characters. */
static void put_lookaheads(writer *out)
{
    static const char *const alike[] = {"",
                                        "",
                                        "[ab1]",
                                        "(?:a|[^b])",
                                        ".{2}",
                                        "(?>\\w|\\b-)",
                                        "(?:ab|[b-]-)",
                                        "\\N{1}+",
                                        "(?:)",
                                        "(?<=a.)",
                                        "(?<!b-)",
                                        "(?<=b|^)",
                                        "(?<!.(?=b)|1-)",
                                        "(?=.b)",
                                        "(?!1)",
                                        "(?i)",
                                        "(?i:[^B])",
                                        "(?x: a | b )",
                                        "(?#ab)",
                                        "\\Q-\\E",
                                        "\\Q\\E",
                                        "[[:alpha:]]",
                                        "\\pL",
                                        "\\P{Lu}{2}",
                                        "(?>a|b)",
                                        NULL,
                                        "(?m)^",
                                        "(?m:$)",
                                        "\\b",
                                        "\\A",
                                        "a{1}",
                                        "é++(?<=é)"};
    const uint32_t places = 1 + below(out, 3);
    for (uint32_t place = 0; place < places; place++) {
        const bool is_group = below(out, 4) == 0;
        if (is_group) put(out, "(");
        for (uint32_t count = below(out, 4); count > 0; count--) {
            const char *piece = alike[below(out, sizeof alike / sizeof alike[0])];
            if (piece == NULL) put_name(out);
            put(out, piece == NULL ? "a|.)" : piece); /* NULL: a named group */
        }
        put_lookahead(out);
        if (is_group) put(out, "[^1])");
    }
    put(out, "(?:");
    put_alternatives(out, 2);
    put(out, ")");
}

/* A pattern with conditions and a length, as in a password policy. A single DFA would usually be too large. */
static void put_policy(writer *out)
{
    static const char *const sets[] = {"a", "[b1]", "[^a-c]", "\\d", "é", "\\pL", "1[ab]", "--"};
    static const char *const lengths[] = {".{3,40}", "[^\\n]{0,250}", "(?:[a-c]|[^b]){2,90}", "\\w{0,120}",
                                          "(?:.{4}){1,30}"};
    const uint32_t conditions = 2 + below(out, 5);
    for (uint32_t i = 0; i < conditions; i++) {
        put(out, below(out, 4) == 0 ? "(?!" : "(?=");
        put(out, below(out, 3) == 0 ? ".{2,60}" : ".*");
        put(out, sets[below(out, sizeof sets / sizeof sets[0])]);
        put(out, ")");
    }
    put(out, lengths[below(out, sizeof lengths / sizeof lengths[0])]);
}

static void put_pattern(writer *out)
{
    const uint32_t kind = below(out, 12);
    if (kind < 2) {
        put_lookaheads(out);
        return;
    }
    if (kind == 2) {
        put_policy(out);
        return;
    }
    static const char *const starts[] = {"^", "\\A"}, *const ends[] = {"$", "\\z", "\\Z"};
    if (below(out, 8) == 0) put(out, starts[below(out, 2)]);
    put_alternatives(out, 3);
    if (below(out, 8) == 0) put(out, ends[below(out, 3)]);
}

/* The grammar that the parser accepts (assay_regex_parser.c): each construct as a substring of patterns that contain
   it. If there is a second text, some patterns must contain it after the first one. */
static const char *const constructs[][2] = {
    {"a"},
    {"é"},
    {"中"},
    {"."},
    {"|"},
    {"{b}"},
    {"{,"},
    /* Escapes. */
    {"\\d"},
    {"\\D"},
    {"\\w"},
    {"\\W"},
    {"\\s"},
    {"\\S"},
    {"\\h"},
    {"\\H"},
    {"\\v"},
    {"\\V"},
    {"\\N"},
    {"\\pL"},
    {"\\PL"},
    {"\\p{"},
    {"\\P{"},
    {"\\t"},
    {"\\n"},
    {"\\r"},
    {"\\f"},
    {"\\e"},
    {"\\a"},
    {"\\x6"},
    {"\\xe"},
    {"\\x{"},
    {"\\x{0"},
    {"\\-"},
    {"\\Q", "\\E"},
    {"\\E"},
    /* Classes. */
    {"[a"},
    {"[^"},
    {"[]"},
    {"[^]"},
    {"[[:"},
    {"[[:^"},
    {"[^[:"},
    {"[", "-\\x"},
    {"[", "é-ü"},
    {"[\\p{"},
    {"[\\"},
    /* Assertions. */
    {"^"},
    {"$"},
    {"\\A"},
    {"\\z"},
    {"\\Z"},
    {"\\b"},
    {"\\B"},
    /* Groups. */
    {"("},
    {"(?:"},
    {"(?<n"},
    {"(?P<n"},
    {"(?'n"},
    {"(?>"},
    {"()"},
    {"(|"},
    {"|)"},
    {"||"},
    /* Quantifiers. */
    {"*"},
    {"+"},
    {"?"},
    {"{2}"},
    {"{2,}"},
    {"{0,2}"},
    {"*?"},
    {"+?"},
    {"?\?"},
    {"{1,3}?"},
    {"*+"},
    {"++"},
    {"?+"},
    {"{1,2}+"},
    {")*"},
    {")+?"},
    {")?"},
    {")*+"},
    {")++"},
    {"){1,2}+"},
    /* Look-arounds: of one or several characters, nested, and before and after those that are conjuncts. */
    {"(?=a)"},
    {"(?!-)"},
    {"(?<=b)"},
    {"(?<!1)"},
    {"(?=[ab]|$)"},
    {"(?<=^|-)"},
    {"(?!\\b)"},
    {"(?=ab)"},
    {"(?!a.|"},
    {"(?<=ab)"},
    {"(?<!a|b1)"},
    {"(?=.*"},
    {"(?!", "(?!"},
    {"(?<=(?<!"},
    {"(?=", "(?<="},
    {"(?<=a(?="},
    {"(?<=a.)", "(?="},
    {"(?<=a.)", "(?!"},
    {"(?<!b-)", "(?="},
    {"(?<!b-)", "(?!"},
    {"(?<!.(?=b)|1-)", "(?="},
    {"(?=", "(?>"},
    {"(?=", "(?i"},
    /* Settings, quotations and comments. */
    {"(?i)"},
    {"(?-i)"},
    {"(?s)"},
    {"(?m)"},
    {"(?x)"},
    {"(?-sx)"},
    {"(?im)"},
    {"(?i:"},
    {"(?-i:"},
    {"(?m-s:"},
    {"(?s:"},
    {"(?x: "},
    {"(?:(?i)"},
    {"(?#"},
    {"(?x)#", "\n"},
    {"(?i)", "(?="},
    {"(?#", "(?="},
    {"\\Q", "(?="},
    {"(?m)^", "(?="},
};

/* Every construct must occur in a generated pattern that has a DFA. */
static void test_generator(void)
{
    enum { CONSTRUCTS = sizeof constructs / sizeof constructs[0], MAX_COUNT = 20000 };
    bool found[CONSTRUCTS] = {false};
    size_t missing = CONSTRUCTS;
    test_random random = test_random_of(2);
    for (unsigned round = 0; round < MAX_COUNT && missing > 0; round++) {
        writer pattern = {.random = &random};
        put_pattern(&pattern);
        bool is_new[CONSTRUCTS] = {false};
        bool has_new = false;
        for (size_t i = 0; i < CONSTRUCTS; i++) {
            const char *first = strstr(pattern.text, constructs[i][0]);
            const char *then = constructs[i][1];
            is_new[i] =
                !found[i] && first != NULL && (then == NULL || strstr(first + strlen(constructs[i][0]), then) != NULL);
            has_new |= is_new[i];
        }
        if (!has_new || !has_dfa(pattern.text, 0)) continue;
        for (size_t i = 0; i < CONSTRUCTS; i++) {
            found[i] |= is_new[i];
            missing -= is_new[i];
        }
    }
    CHECK_EQUAL(missing, 0);
    for (size_t i = 0; i < CONSTRUCTS; i++) {
        const char *then = constructs[i][1] == NULL ? "" : constructs[i][1];
        if (!found[i]) fprintf(stderr, "    no generated pattern has %s %s\n", constructs[i][0], then);
    }
}

static void test_agreement(unsigned long rounds)
{
    static const uint32_t optional[] = {0,
                                        0,
                                        ASSAY_PATTERN_CASE_INSENSITIVE,
                                        ASSAY_PATTERN_UNICODE_CLASSES,
                                        ASSAY_PATTERN_DOT_ALL,
                                        ASSAY_PATTERN_EXTENDED,
                                        ASSAY_PATTERN_MULTILINE,
                                        ASSAY_PATTERN_MULTILINE | ASSAY_PATTERN_SEARCH,
                                        ASSAY_PATTERN_SEARCH};
    test_random random = test_random_of(1);
    assay_scratch *scratch = assay_scratch_create(NULL);
    unsigned long with_dfa = 0, disagreements = 0, judgements = 0;
    column values = new_column();
    char start[64];
    add_all(&values, start, 0, 4);
    add_long(&values, &random, 1300);
    uint64_t *skip = calloc(assay_mask_words(values.count), 8);
    for (size_t word = 0; word < assay_mask_words(values.count); word += 2) skip[word] = UINT64_C(0x5555AAAA0000FFFF);
    for (unsigned long round = 0; round < rounds; round++) {
        writer pattern = {.random = &random, .text = ""};
        put_pattern(&pattern);
        const uint32_t options = optional[test_random_below(&random, sizeof optional / sizeof optional[0])];
        if (!has_dfa(pattern.text, options)) continue;
        with_dfa++;
        assay_cpu_select(assay_cpu_at(round % (test_cpu_paths() + 1))); /* NULL: the best path */
        judgements += values.count;
        disagreements += compare(pattern.text, options, scratch, &values, round % 4 == 0 ? skip : NULL);
    }
    printf("%lu patterns, %lu with a DFA, %lu judgements, %lu disagreements\n", rounds, with_dfa, judgements,
           disagreements);
    assay_cpu_select(NULL);
    CHECK(with_dfa > rounds / 3);
    CHECK_EQUAL(disagreements, 0);
    free(skip);
    free_column(&values);
    assay_scratch_free(scratch);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Values that only the DFA decides, and values that it leaves to PCRE2
 * ------------------------------------------------------------------------------------------------------------- */

/* A value that exceeds every limit of PCRE2 is decided, and the verdict in a column equals the verdict for the value
   alone. */
static void test_linear(void)
{
    assay_pattern *pattern = compiled(TEXT("(?:a+)+b"), 0);
    assay_scratch *scratch = assay_scratch_create(NULL);
    column values = new_column();
    char hostile[241];
    memset(hostile, 'a', sizeof hostile);
    for (int i = 0; i < 1024; i++) add_value(&values, hostile, sizeof hostile - (size_t)(i % 3));
    hostile[240] = 'b';
    add_value(&values, hostile, 241);
    answers answer = evaluate_column(pattern, scratch, &values, NULL);
    CHECK_EQUAL(assay_mask_count(answer.failed, assay_mask_words(values.count)), 1024);
    CHECK_EQUAL(assay_mask_count(answer.undecided, assay_mask_words(values.count)), 0);
    CHECK(single_verdict(pattern, scratch, (assay_text){values.bytes, 241}) == ASSAY_FAIL);
    free_answers(answer);
    free_column(&values);
    assay_scratch_free(scratch);
    assay_pattern_free(pattern);
}

/* Columns with long parts in which PCRE2 decides nearly all values, so that the batch stops using the DFA and later
   resumes. */
static void test_mostly_open(void)
{
    assay_scratch *scratch = assay_scratch_create(NULL);
    column values = new_column();
    for (int i = 0; i < 3000; i++) {
        const char *value = i / 700 % 2 == 0 ? "\xE4\xB8\xAD\xE6\x96\x87" : i % 2 == 0 ? "abc" : "abc1";
        add_value(&values, value, strlen(value));
    }
    CHECK_EQUAL(compare("\\p{L}+", 0, scratch, &values, NULL), 0);
    CHECK_EQUAL(compare("[a-c]+", 0, scratch, &values, NULL), 0);
    free_column(&values);
    assay_scratch_free(scratch);
}

/* Values of all lengths up to and beyond the maximum for lanes, with characters of one to four bytes at the start or
   at the end. One in three contains a byte that most patterns reject. */
static void add_of_characters(column *values)
{
    static const char *const characters[] = {"a", "é", "я", "ё", "中", "ー", "’", "\u0301", "😀", "é中😀", "中a"};
    for (size_t length = 0; length <= 270; length++) {
        for (size_t i = 0; i < 2 * sizeof characters / sizeof characters[0]; i++) {
            char value[300];
            const char *character = characters[i / 2];
            const size_t size = strlen(character);
            const size_t rest = length % size;
            const size_t first = i % 2 == 0 ? rest : 0;
            memset(value, 'a', length);
            for (size_t at = first; at + size <= length - rest + first; at += size) memcpy(value + at, character, size);
            if (i % 3 == 0 && rest > 0) value[i % 2 == 0 ? 0 : length - 1] = '1';
            add_value(values, value, length);
        }
    }
}

/* Characters that a pattern distinguishes, on every processor path. After the pattern has its tables, each value is
   also checked alone in its own allocation, so that a sanitizer detects reads around it. */
static void test_characters(void)
{
    static const char *const patterns[] = {
        "\\p{L}[\\p{L}\\p{M}'’.-]*(?: \\p{L}[\\p{L}\\p{M}'’.-]*)*",
        "[а-яёa]+",
        "[\\p{Han}\\p{Katakana}ー]{2,90}",
        "(?:[\\p{L}\\p{M}]{1,3}|😀|’)*",
        "(?:é*|[^é中]*|中+a?)",
        "[^\\p{So}1]*",
        /* More equivalence classes of characters than unused byte values. */
        "(?:à|á|â|ã|ä|å|æ|ç|è|é|ê|ë|ì|í|я|ё|中|ー|’|a)*",
    };
    assay_scratch *scratch = assay_scratch_create(NULL);
    column values = new_column();
    add_of_characters(&values);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        for (size_t path = 0; test_select_cpu(path); path++) {
            CHECK_EQUAL(compare(patterns[i], 0, scratch, &values, NULL), 0);
        }
        assay_pattern *pattern = compiled((assay_text){(const uint8_t *)patterns[i], strlen(patterns[i])}, 0);
        CHECK(assay_pattern_get_dfa(pattern).states > 0);
        answers together = evaluate_column(pattern, scratch, &values, NULL);
        unsigned long disagreements = 0;
        for (size_t row = 0; row < values.count; row++) {
            assay_cell full = {0, values.cells[row].length};
            const column one = {values.bytes + values.cells[row].start, &full, 1};
            answers alone = evaluate_column(pattern, scratch, &one, NULL);
            disagreements += bit_of(alone.failed, 0) != bit_of(together.failed, row);
            free_answers(alone);
        }
        CHECK_EQUAL(disagreements, 0);
        const size_t failed = assay_mask_count(together.failed, assay_mask_words(values.count));
        CHECK(failed > 0 && failed < values.count);
        free_answers(together);
        assay_pattern_free(pattern);
    }
    free_column(&values);
    assay_scratch_free(scratch);
}

/* Classes of several items, some of which are tested together, on every character up to U+07FF and on a sample of
   the others. */
static void test_class_parts(void)
{
    static const char *const classes[] = {
        "[\\p{L}\\p{M}'’.-]", "[-\\p{L}]",        "[\\p{L}-]",        "[\\p{L}^]",
        "[^\\p{L}\\pN]",      "[\\P{L}a]",        "[a\\pL\\d-]",      "[[\\p{L}:]",
        "[]\\p{L}]",          "[\\\\p{L}]",       "[\\]\\p{Nd}\\PZ]", "[[:punct:]\\p{Lu}\\w]",
        "[\\p{Lu}\\p{Lu}]",   "[\\p{^L}\\x{41}]", "[\\-\\p{Sc}\\-]",  "[é-ü\\p{Han}\\h]",
    };
    static const uint32_t leads[] = {0, 0xC0, 0xE0, 0xF0};
    assay_scratch *scratch = assay_scratch_create(NULL);
    column values = new_column();
    for (uint32_t character = 0; character < 0x11000; character += character < 0x800 ? 1 : 11) {
        char utf8[4];
        size_t count = 0;
        if (character - 0xD800 < 0x800) continue;
        if (character < 0x80) {
            utf8[count++] = (char)character;
        } else {
            const unsigned more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
            utf8[count++] = (char)(leads[more] | character >> 6 * more);
            for (unsigned rest = more; rest-- > 0;) utf8[count++] = (char)(0x80 | (character >> 6 * rest & 0x3F));
        }
        add_value(&values, utf8, count);
    }
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        /* The same properties alone, before and after the class. */
        char text[128];
        snprintf(text, sizeof text, "%s|\\p{L}{2}|%s\\p{M}{3}", classes[i], classes[i]);
        CHECK_EQUAL(compare(classes[i], 0, scratch, &values, NULL), 0);
        CHECK_EQUAL(compare(text, 0, scratch, &values, NULL), 0);
        CHECK_EQUAL(compare(classes[i], ASSAY_PATTERN_CASE_INSENSITIVE, scratch, &values, NULL), 0);
        CHECK_EQUAL(compare(classes[i], ASSAY_PATTERN_UNICODE_CLASSES, scratch, &values, NULL), 0);
        assay_pattern *pattern = compiled((assay_text){(const uint8_t *)text, strlen(text)}, 0);
        CHECK(assay_pattern_get_dfa(pattern).states > 0);
        assay_pattern_free(pattern);
    }
    free_column(&values);
    assay_scratch_free(scratch);
}

/* Tables with all 64 or 128 entries in use (assay_shuffle_dfa.c). A byte that occurs in no word must still lead to
   the failing state, and not to the last entry. The values are such a byte followed by every text of `behind`
   letters, and each text alone, on every path. */
static void test_full_tables(void)
{
    static const struct {
        const char *pattern;
        unsigned letters;
        unsigned behind;
    } cases[] = {{"(?:fcic|e|ihh|bab[ea])*", 9, 3}, {"(?:h|kjiec|i[bb]|bich|hdadc|ccik)*", 11, 4}};
    assay_scratch *scratch = assay_scratch_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        column values = new_column();
        unsigned texts = 1;
        for (unsigned k = 0; k < cases[i].behind; k++) texts *= cases[i].letters;
        for (unsigned text = 0; text < texts; text++) {
            char value[8] = "!";
            unsigned rest = text;
            for (unsigned k = 0; k < cases[i].behind; k++, rest /= cases[i].letters) {
                value[1 + k] = (char)('a' + rest % cases[i].letters);
            }
            add_value(&values, value, 1 + cases[i].behind);
            add_value(&values, value + 1, cases[i].behind);
        }
        for (size_t path = 0; test_select_cpu(path); path++) {
            CHECK_EQUAL(compare(cases[i].pattern, 0, scratch, &values, NULL), 0);
        }
        free_column(&values);
    }
    assay_scratch_free(scratch);
}

/* Words whose classes differ by position: each example with every byte at each position, and with a byte more or
   less, on every processor path. */
static void test_places(void)
{
    static const struct {
        const char *pattern;
        const char *examples[4];
    } cases[] = {
        {"(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])", {"2026-11-22", "1999-02-30"}},
        {"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])",
         {"0.0.0.0", "10.199.249.7", "255.255.255.255"}},
        {"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\\.)+[A-Za-z]{2,24}",
         {"a@b.cd", "first.last+tag@mail.example.org", "somebody@department.example.abcdefghijklmnopqrstuvwx"}},
        {"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~%/-]*)?(?:\\?[A-Za-z0-9._~%&=+-]*)?",
         {"http://a", "https://example.org:8080/some/path?with=arguments&and=more"}},
        {"[0-9]{4}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])",
         {"2026-11T23:59Z", "2026-11T00:00.123456789+14:00", "2026-11T12:34.5-09:30"}},
        {"[a-z]{88}", {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}},
        {"[^,]{3,}\\p{L}*", {"a/é", "abcdefgh"}},
        {"(?:\\b[a-z]+\\b ?){1,3}", {"one two three", "one"}},
        {"[A-Z]{2}", {"GB"}},
        {"[A-Z]{2}[0-9]{2,3}", {"AB12", "AB123"}},
        {"-?[0-9]{1,9}\\.[0-9]{2}", {"-1.00", "123456789.00", "-123456789.00", "0.00"}},
        {"\\+[1-9][0-9]{7,14}", {"+12345678", "+123456789012345"}},
        {"[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
         {"b4e3da97-0be0-49e5-aa58-000000000000"}},
        {"[0-9A-Fa-f]{16}|[0-9A-Fa-f]{32,33}", {"0123456789abcdeF", "0123456789abcdeF0123456789abcdeF0"}},
        {"[^x]{47,49}",
         {"...............................................", ".................................................."}},
        {"[a\\x00\\x7F]{1,3}é?", {"a", "aa\x7F", "aé"}},
        {"(?:0[1-9]|1[0-2])/[0-9]{2}", {"09/25", "12/31"}},
        {"|a{17}", {"", "aaaaaaaaaaaaaaaaa"}},
        /* More than eight tables per step. */
        {"(?:efaafebcd)?abcdefgh[a-z]{0,61}", {"abcdefgh", "efaafebcdabcdefghij", "abcdefghabcdefgh"}},
        {"(?:decbe[ace13579]|[ab]{0,20}){0,3}", {"decbe9decbeabab", "decbeaabababdecbe1", "abbadecbe3"}},
    };
    assay_scratch *scratch = assay_scratch_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        column values = new_column();
        /* The first values of a buffer have few bytes before them. */
        for (int example = 0; example < 4 && cases[i].examples[example] != NULL; example++) {
            char value[128];
            const size_t length = strlen(cases[i].examples[example]);
            memcpy(value, cases[i].examples[example], length);
            for (int round = 0; round < 300; round++) add_value(&values, value, length);
            for (size_t place = 0; place < length; place++) {
                const char before = value[place];
                if ((before & 0x80) != 0) continue;
                for (int byte = 0; byte < 128; byte++) {
                    value[place] = (char)byte;
                    add_value(&values, value, length);
                }
                value[place] = before;
                memmove(value + place + 2, cases[i].examples[example] + place, length - place);
                memcpy(value + place, "é", 2);
                add_value(&values, value, length + 2);
                memmove(value + place + 1, cases[i].examples[example] + place, length - place);
                value[place] = before;
                add_value(&values, value, length + 1);
                memcpy(value, cases[i].examples[example], length);
            }
            if (length > 0 && (value[length - 1] & 0x80) == 0) add_value(&values, value, length - 1);
        }
        for (size_t path = 0; test_select_cpu(path); path++) {
            CHECK_EQUAL(compare(cases[i].pattern, 0, scratch, &values, NULL), 0);
        }
        free_column(&values);
    }
    assay_scratch_free(scratch);
}

/* Patterns whose matches all begin with one of a few words, and values close to these words. */
typedef struct beginning {
    const char *pattern; /* followed by the rest, which all patterns share */
    const char *end;     /* the end of the pattern, after the rest */
    const char *words[6];
} beginning;

static const beginning beginnings[] = {
    {"https?://", "", {"http://", "https://"}},
    {"ftp://", "", {"ftp://"}},
    {"(?:http|ftp)s?://", "", {"http://", "https://", "ftp://", "ftps://"}},
    {"(?:http|ftp|ssh|git|irc)://", "", {"http://", "ftp://", "ssh://", "git://", "irc://"}},
    {"(?:isbn:10|isbn:13)", "", {"isbn:10", "isbn:13"}},
    {"12345678", "", {"12345678"}},
    {"123456789", "", {"123456789"}},
    {"1234567[8\\x00]", "", {"12345678"}},
    {"(?:12345678|é:)", "", {"12345678", "é:"}},
    {"(?:https://|12345678é)", "", {"https://", "12345678é"}},
    {"123456(?:78", ")?", {"12345678", "123456"}},
    {"(?:1|12|123|)", "", {"", "1", "12", "123"}},
    {"\\+?1-", "", {"1-", "+1-"}},
    {"(?i)http://", "", {"http://", "HTTP://", "hTtP://"}},
    {"(?i)kiss:", "", {"kiss:", "\u212Aiss:", "ki\u017Fs:", "KI\u017FS:"}},
    {"(?:a:|é:|b:)", "", {"a:", "é:", "b:"}},
    {"urn:é?", "", {"urn:", "urn:é"}},
    {"\\x00?id=", "", {"id="}},
    {"(?:ab)+:", "", {"ab:", "abab:", "ababababab:"}},
    {"\\p{Lu}?no:", "", {"no:", "Éno:", "Ano:"}},
};

/* Writes a word, `rest` letters and `odd`, which is an invalid or non-ASCII text. Returns the length. */
static size_t continue_word(uint8_t *value, const char *word, size_t rest, const char *odd)
{
    const size_t length = strlen(word);
    memcpy(value, word, length);
    memset(value + length, 'a', rest);
    memcpy(value + length + rest, odd, strlen(odd));
    return length + rest + strlen(odd);
}

static void add_near_words(column *values, const beginning *from)
{
    static const char *const odd[] = {"", "!", "é", "/a", ":80", ":123456"};
    for (size_t i = 0; i < 6 && from->words[i] != NULL; i++) {
        const char *word = from->words[i];
        const size_t length = strlen(word);
        uint8_t value[200];
        for (size_t rest = 0; rest < 110; rest += 1 + rest / 10) {
            for (size_t j = 0; j < sizeof odd / sizeof odd[0]; j++) {
                add_value(values, value, continue_word(value, word, rest, odd[j]));
            }
        }
        /* At each position: another byte, a deleted byte, or the end. */
        for (size_t rest = 0; rest < 12; rest += 3) {
            for (size_t place = 0; place < length && (word[place] & 0x80) == 0; place++) {
                static const uint8_t others[] = {0, 'a', 'h', 'p', '1', 'K', 0x7F};
                const size_t count = continue_word(value, word, rest, "");
                for (size_t j = 0; j < sizeof others; j++) {
                    value[place] = others[j];
                    add_value(values, value, count);
                }
                value[place] = (uint8_t)(word[place] ^ 1);
                add_value(values, value, count);
                memmove(value + place, value + place + 1, count - place - 1);
                add_value(values, value, count - 1);
                memcpy(value + place, "é", 2);
                memset(value + place + 2, 'a', 9);
                add_value(values, value, place + 2 + rest);
            }
        }
        for (size_t count = 0; count <= length; count++) {
            if (count == length || (word[count] & 0xC0) != 0x80) add_value(values, word, count);
        }
        add_value(values, "", 0); /* an empty value immediately after a word */
    }
}

/* Checks every value at the very start and the very end of the readable memory, together with skipped cells outside
   it. Returns the number of disagreements with `failed`, the verdicts of the column. */
static unsigned long match_at_edges(const assay_pattern *pattern, assay_scratch *scratch, const column *values,
                                    const uint64_t *failed)
{
    enum { ROWS = 70 };
    const fenced memory = new_fenced(1);
    assay_check *check = assay_check_create_pattern(pattern);
    unsigned long disagreements = 0;
    for (size_t row = 0; row < values->count; row++) {
        const assay_cell cell = values->cells[row];
        const uint32_t starts[] = {0, 1, 7, (uint32_t)memory.count - cell.length};
        for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
            memset(memory.bytes, 'h', 300);
            memcpy(memory.bytes + starts[i], values->bytes + cell.start, cell.length);
            assay_cell cells[ROWS];
            for (size_t j = 0; j < ROWS; j++) {
                cells[j] = j % 3 == 0 ? (assay_cell){UINT32_MAX / 2, 3} : (assay_cell){starts[i], cell.length};
            }
            const uint64_t skip[2] = {UINT64_C(0x9249249249249249), 0x24};
            const uint64_t all[2] = {~skip[0], 0x3F & ~skip[1]};
            uint64_t is_failed[2], undecided[2];
            assay_check_column(check, scratch, memory.bytes, cells, ROWS, skip, is_failed, undecided);
            const uint64_t expected = bit_of(failed, row) ? UINT64_MAX : 0;
            disagreements += is_failed[0] != (expected & all[0]) || is_failed[1] != (expected & all[1]);
            disagreements += (undecided[0] | undecided[1]) != 0;
        }
    }
    assay_check_free(check);
    free_fenced(memory);
    return disagreements;
}

static void test_beginnings(void)
{
    static const char *const rests[] = {"[a-z0-9.]+(?::[0-9]{1,5})?(?:/[a-z/]*)?",
                                        "[a-zé]*(?::[0-9]{1,5})?(?:/[a-z]*)?", ""};
    assay_scratch *scratch = assay_scratch_create(NULL);
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        column values = new_column();
        add_near_words(&values, &beginnings[i]);
        const size_t rows = values.count;
        /* Enough values for the tables to be built. */
        while (values.count < 2100) {
            const assay_cell cell = values.cells[values.count % rows];
            add_value(&values, values.bytes + cell.start, cell.length);
        }
        for (size_t j = 0; j < sizeof rests / sizeof rests[0]; j++) {
            char pattern[200];
            snprintf(pattern, sizeof pattern, "%s%s%s", beginnings[i].pattern, rests[j], beginnings[i].end);
            CHECK(states_of(pattern, 0) > 0);
            for (size_t path = 0; test_select_cpu(path); path++) {
                CHECK_EQUAL(compare(pattern, 0, scratch, &values, NULL), 0);
            }
            assay_pattern *compiled_once = compiled((assay_text){(const uint8_t *)pattern, strlen(pattern)}, 0);
            answers answer = evaluate_column(compiled_once, scratch, &values, NULL);
            const size_t failed = assay_mask_count(answer.failed, assay_mask_words(values.count));
            CHECK(failed > 0 && failed < values.count);
            const column few = {values.bytes, values.cells, rows};
            CHECK_EQUAL(match_at_edges(compiled_once, scratch, &few, answer.failed), 0);
            free_answers(answer);
            assay_pattern_free(compiled_once);
        }
        free_column(&values);
    }
    assay_scratch_free(scratch);
}

/* A value in its own allocation, so that a sanitizer detects reads around it, with and without bytes before it,
   and with every length that lanes can process. */
static void test_alone(void)
{
    static const char *const patterns[] = {"[a-z]*", "[a-z]{1,50}|[a-z0]{51,120}"};
    assay_scratch *scratch = assay_scratch_create(NULL);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        assay_pattern *pattern = compiled((assay_text){(const uint8_t *)patterns[i], strlen(patterns[i])}, 0);
        column many = new_column();
        for (int row = 0; row < 5000; row++) add_value(&many, "abc", 3);
        free_answers(evaluate_column(pattern, scratch, &many, NULL)); /* now the pattern has its tables */
        free_column(&many);
        for (uint32_t before = 0; before < 120; before += 1 + before / 10 * 10) {
            for (uint32_t length = 1; length <= 110; length++) {
                for (int wrong = 0; wrong < 2; wrong++) {
                    uint8_t *bytes = malloc(before + length);
                    memset(bytes, 'a', before + length);
                    if (before > 0) bytes[before - 1] = ',';
                    if (wrong) bytes[before + length / 2] = ',';
                    assay_cell cells[3] = {{before, length}, {before, length}, {before, length}};
                    const column values = {bytes, cells, 3};
                    answers answer = evaluate_column(pattern, scratch, &values, NULL);
                    CHECK_EQUAL(answer.failed[0], wrong ? 7 : 0);
                    CHECK_EQUAL(answer.undecided[0], 0);
                    free_answers(answer);
                    free(bytes);
                }
            }
        }
        assay_pattern_free(pattern);
    }
    assay_scratch_free(scratch);
}

/* At most 15 bytes before a value are read, and none after it. Here these are the only readable bytes around two
   values in the same column with unreadable memory between them. */
static void test_apart(void)
{
    static const char *const patterns[] = {"[a-z]*", "[\\p{L}é]*", "[a-z]{1,40}|[a-zé]*"};
    const fenced one = new_fenced(1);
    const fenced other = new_fenced(1);
    const fenced *first = one.bytes < other.bytes ? &one : &other;
    const fenced *last = one.bytes < other.bytes ? &other : &one;
    const size_t distance = (size_t)(last->bytes - first->bytes);
    assay_scratch *scratch = assay_scratch_create(NULL);
    CHECK(distance < UINT32_MAX - 512); /* mappings are close together */
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        assay_pattern *pattern = compiled((assay_text){(const uint8_t *)patterns[i], strlen(patterns[i])}, 0);
        assay_check *check = assay_check_create_pattern(pattern);
        for (uint32_t length = 1; length <= 260; length++) {
            for (int has_other = 0; has_other < 2; has_other++) {
                enum { ROWS = 2048 };
                const uint32_t room = (uint32_t)first->count - length;
                memset(first->bytes + room, 'a', length);
                memset(last->bytes + 15, 'a', length);
                if (has_other && length >= 2) {
                    memcpy(first->bytes + first->count - 2, "é", 2);
                    memcpy(last->bytes + 15, "é", 2);
                }
                /* The shorter values share their lanes with a longer one. */
                static assay_cell cells[ROWS];
                for (uint32_t row = 0; row < ROWS; row++) {
                    cells[row] =
                        row % 2 == 0 ? (assay_cell){room, length} : (assay_cell){(uint32_t)distance + 15, length};
                    if (row % 64 == 63) cells[row] = (assay_cell){(uint32_t)distance + 15, 2 * length % 260 + 2};
                    /* After these, 64 short values, or 64 empty values with no readable bytes after them. */
                    const uint32_t few = row / 64 % 4 == 1 ? 0 : length < 5 ? length : 5;
                    if (row / 64 % 2 == 1) cells[row] = (assay_cell){(uint32_t)first->count - few, few};
                }
                memset(last->bytes + 15 + length, 'b', 300);
                uint64_t failed[ROWS / 64], undecided[ROWS / 64];
                for (size_t path = 0; test_select_cpu(path); path++) {
                    assay_check_column(check, scratch, first->bytes, cells, ROWS, NULL, failed, undecided);
                    CHECK_EQUAL(assay_mask_count(undecided, ROWS / 64), 0);
                    const bool is_wrong = i == 0 && has_other && length >= 2;
                    CHECK_EQUAL(assay_mask_count(failed, ROWS / 64), is_wrong ? ROWS - ROWS / 4 : 0);
                }
            }
        }
        assay_check_free(check);
        assay_pattern_free(pattern);
    }
    assay_scratch_free(scratch);
    free_fenced(one);
    free_fenced(other);
}

int main(int argc, char **argv)
{
    test_understood();
    test_apart();
    test_made_later();
    test_look_ahead_after_look_behind();
    test_refused();
    test_linear();
    test_mostly_open();
    test_characters();
    test_class_parts();
    test_full_tables();
    test_places();
    test_beginnings();
    test_alone();
    test_generator();
    /* An argument sets the number of patterns, for a long manual search with another ASSAY_TEST_SEED. */
    test_agreement(argc > 1 ? strtoul(argv[1], NULL, 10) : test_rounds(700));
    return test_result();
}
