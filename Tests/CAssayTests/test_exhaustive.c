/* All small patterns on all short values, with every engine (after RE2's exhaustive_tester).

       patterns  sequences of up to four pieces         a   (?<!b.)   (?=.*b)   ++   …
       values    strings of up to five letters          "" a b é aa ab aé ba …          and some longer ones
       engines   PCRE2's interpreter and JIT; the minimal DFA and a chain of DFAs, one value at a time and in columns;
                 the lazy DFA, one value at a time and in columns; its bit-parallel form; the DFAs on each processor
                 path

   PCRE2's interpreter, without any optimization, decides which verdict is right. It judges the values on which
   engines disagree, and those that Assay's interpreter, JIT or all automata leave undecided; for every sixteenth
   pattern it judges all values. The automata share no code with PCRE2, so their agreement with it confirms a verdict
   in less time.

   If two processor paths run the same code over the same tables, it runs once, and its verdicts count for both
   paths.

   An engine may leave a value undecided, because PCRE2 then judges it. The test counts these values and fails if an
   engine decides too few. Patterns of fewer pieces and shorter values come first, so that the first disagreement is
   one of the smallest.

   If the parser learns a construct, add it to the table below.

       test_exhaustive             all patterns of up to two common pieces, and a sample of the others
       ASSAY_SLOW_TESTS=1          all patterns of up to three common pieces, or of up to two pieces, and a sample
       ASSAY_SLOW_TESTS=all        all patterns of up to four common pieces, or of up to three pieces: a million, in
                                   half an hour (make test-exhaustive)
       test_exhaustive 2/4         the second quarter of these patterns
       test_exhaustive 'a(?=b)'    only this pattern, with the disagreements of all engines */
#include "test_paths.h"
#include "test_pattern_support.h"

#include "DFA/Lazy/assay_lazy_bits.h"
#include "Dispatch/assay_kernels.h"
#include "Patterns/assay_class_resolver.h"
#include "Patterns/assay_dfa_only.h"
#include "Patterns/assay_pcre2.h"
#include "Regex/Syntax/assay_regex_lower.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <time.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Patterns
 * ------------------------------------------------------------------------------------------------------------- */

/* A piece of a pattern: it follows the pieces before it, or encloses them. */
typedef struct piece {
    const char *before;
    const char *after;
} piece;

/* The common pieces come first. Sequences that PCRE2 does not compile, such as quantifiers at the beginning, are
 * skipped. */
static const piece pieces[] = {
    {"", "a"},
    {"", "b"},
    {"", "."},
    {"", "[^b]"},
    {"", "[Aé]"},
    {"", "(?:a|ab)"},
    {"", "|"},
    {"", "*"},
    {"", "++"},
    {"", "?\?"},
    {"", "{2}"},
    {"", "\\b"},
    {"", "\\B"},
    {"", "^"},
    {"", "$"},
    {"", "(?=b)"},
    {"", "(?!a)"},
    {"", "(?<=a)"},
    {"", "(?<!b)"},
    {"", "(?=.*b)"},
    {"", "(?!ab)"},
    {"", "(?<=ab)"},
    {"", "(?<!b.)"},
    {"", "(?i)"},
    {"(", ")"},
    {"(?>", ")"},
    {"(?=", ")"},
    {"(?!", ")"},
    {"(?<=", ")"},
    {"(?<!", ")"},
    /* The others. */
    {"", "é"},
    {"", "A"},
    {"", "\\w"},
    {"", "[^\\pL]"},
    {"", "[[:lower:]]"},
    {"", "\\Qb\\E"},
    {"", "+"},
    {"", "+?"},
    {"", "{0,2}?"},
    {"", "?+"},
    {"", "{1,2}+"},
    {"", "\\A"},
    {"", "\\z"},
    {"", "\\Z"},
    {"", "(?s)"},
    {"", "(?m)"},
    {"", "(?x) # b\n"},
    {"", "(?=a|$)"},
    {"", "(?!a(?=b))"},
    {"", "(?<=^|é)"},
    {"", "(?<!a(?!b)|b.)"},
    {"(?i:", "|B)"},
    {"(?<name>b|", ")"},
    {"b(?:", ")"},
};
enum { PIECES = sizeof pieces / sizeof pieces[0], COMMON = 30, PATTERN_BYTES = 128 };

/* Writes the pattern of `count` pieces whose numbers are the digits of `number` to the base `base`. Returns its length,
   or SIZE_MAX if it consists of common pieces, which the tests of those try, and base is PIECES. */
static size_t write_pattern(char text[PATTERN_BYTES], size_t count, uint32_t base, uint64_t number)
{
    size_t length = 0;
    bool is_common = true;
    for (; count > 0; count--, number /= base) {
        const piece next = pieces[number % base];
        const size_t before = strlen(next.before);
        memmove(text + before, text, length);
        memcpy(text, next.before, before);
        length += before;
        memcpy(text + length, next.after, strlen(next.after));
        length += strlen(next.after);
        is_common = is_common && number % base < COMMON;
    }
    text[length] = '\0';
    return is_common && base == PIECES ? SIZE_MAX : length;
}
/* ---------------------------------------------------------------------------------------------------------------
 * Values
 * ------------------------------------------------------------------------------------------------------------- */

/* The third letter is not ASCII, and no word character. */
static const char *const letters[] = {"a", "b", "é"};
enum { LETTERS = sizeof letters / sizeof letters[0], MAX_LETTERS = 5, SHORT_VALUES = 1 + 3 + 9 + 27 + 81 + 243 };

/* Characters that differ from all letters: line ends, upper case, digits, and beyond U+FFFF, which some DFAs do not
 * know. */
static const char *const other_values[] = {"\n", "a\n", "\na", "\n\n", "a\nb", "b\na", "ab\n", "A",   "B",      "AB",
                                           "1",  "-",   "_",   "中",   "a中",  "中b",  "😀",    "a😀b", "a\r\nb", "é\nb"};
enum { OTHER_VALUES = sizeof other_values / sizeof other_values[0], LONG_VALUES = 64 };

/* The forms that step through several bytes at once need longer values, which have 64 rows of their own. */
enum { LONG_AT = SHORT_VALUES + OTHER_VALUES, ROWS = LONG_AT + LONG_VALUES, WORDS = ROWS / 64 };
_Static_assert(LONG_AT % 64 == 0 && ROWS % 64 == 0, "long values fill whole words");

static uint8_t bytes[1 << 14];
static assay_cell cells[ROWS];
static size_t rows_used;
static size_t bytes_used;

static void add_text(const char *text)
{
    memcpy(bytes + bytes_used, text, strlen(text));
    bytes_used += strlen(text);
}

static void end_value(size_t start)
{
    cells[rows_used++] = (assay_cell){(uint32_t)start, (uint32_t)(bytes_used - start)};
}

static void add_short(size_t count)
{
    size_t all = 1;
    for (size_t i = 0; i < count; i++) all *= LETTERS;
    for (size_t number = 0; number < all; number++) {
        const size_t start = bytes_used;
        size_t rest = number;
        for (size_t weight = all / LETTERS; weight > 0; weight /= LETTERS) {
            add_text(letters[rest / weight]);
            rest %= weight;
        }
        end_value(start);
    }
}

/* A short value, then one letter or another short value repeated up to some length, then a short value. */
static void add_long(size_t number)
{
    enum { FEW = 1 + 3 + 9 };
    const size_t target = number == LONG_VALUES - 1 ? 300 : number % 16 == 7 ? 80 : 9 + number * 5 % 32;
    const size_t start = bytes_used;
    const size_t parts[] = {number % FEW, 1 + number * 7 % (FEW - 1), number * 5 % FEW};
    for (size_t i = 0; i < 3; i++) {
        const assay_cell part = cells[parts[i]];
        do {
            memcpy(bytes + bytes_used, bytes + part.start, part.length);
            bytes_used += part.length;
        } while (i == 1 && bytes_used - start < target);
    }
    end_value(start);
}

static void make_values(void)
{
    bytes_used = 64; /* the column forms read a few bytes before a value */
    for (size_t count = 0; count <= MAX_LETTERS; count++) add_short(count);
    CHECK_EQUAL(rows_used, SHORT_VALUES);
    for (size_t i = 0; i < OTHER_VALUES; i++) {
        const size_t start = bytes_used;
        add_text(other_values[i]);
        end_value(start);
    }
    for (size_t i = 0; i < LONG_VALUES; i++) add_long(i);
    CHECK_EQUAL(rows_used, ROWS);
    CHECK(bytes_used < sizeof bytes);
}

/* ---------------------------------------------------------------------------------------------------------------
 * The reference: PCRE2's interpreter without optimizations
 * ------------------------------------------------------------------------------------------------------------- */

/* A bit for each row. */
typedef struct rows_mask {
    uint64_t words[WORDS];
} rows_mask;

static void set_row(rows_mask *mask, size_t row) { mask->words[row / 64] |= UINT64_C(1) << (row % 64); }
static void clear_row(rows_mask *mask, size_t row) { mask->words[row / 64] &= ~(UINT64_C(1) << (row % 64)); }

/* A pattern and the right verdicts. The verdicts on some long values are unknown, because exponential patterns reach a
 * limit. */
typedef struct test_case {
    const char *text;
    size_t count;
    uint32_t options;
    pcre2_code *reference;
    rows_mask matches;
    rows_mask unknown;
} test_case;

static pcre2_compile_context *reference_compile;
static pcre2_match_context *reference_match;
static pcre2_match_data *reference_data;

enum { SHORT_LIMIT = 1000000, LONG_LIMIT = 3000, MAX_STOPPED = 4 };

/* Compiles the reference. Returns false if PCRE2 does not compile the pattern. */
static bool compile_reference(test_case *it)
{
    uint32_t flags =
        PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_NO_START_OPTIMIZE | PCRE2_NO_AUTO_POSSESS | PCRE2_NO_DOTSTAR_ANCHOR;
    if ((it->options & ASSAY_PATTERN_SEARCH) == 0) flags |= PCRE2_ANCHORED | PCRE2_ENDANCHORED;
    int error = 0;
    size_t offset = 0;
    it->reference = pcre2_compile((PCRE2_SPTR)it->text, it->count, flags, &error, &offset, reference_compile);
    return it->reference != NULL;
}

/* The number of values that the reference has judged. */
static unsigned long long reference_values;

/* Replaces the verdicts on the rows of `requested` by those of the reference. */
static void reference_verdict(test_case *it, const rows_mask *requested)
{
    size_t stopped = 0;
    for (size_t word = 0; word < WORDS; word++) {
        reference_values += (unsigned)__builtin_popcountll(requested->words[word]);
        pcre2_set_match_limit(reference_match, word < LONG_AT / 64 ? SHORT_LIMIT : LONG_LIMIT);
        it->matches.words[word] &= ~requested->words[word];
        for (uint64_t rest = requested->words[word]; rest != 0; rest &= rest - 1) {
            const size_t row = 64 * word + (size_t)__builtin_ctzll(rest);
            const int rc = stopped == MAX_STOPPED
                               ? PCRE2_ERROR_MATCHLIMIT
                               : pcre2_match(it->reference, bytes + cells[row].start, cells[row].length, 0,
                                             PCRE2_NO_UTF_CHECK, reference_data, reference_match);
            if (rc >= 0) set_row(&it->matches, row);
            if (rc < PCRE2_ERROR_NOMATCH) {
                CHECK(rc == PCRE2_ERROR_MATCHLIMIT && row >= LONG_AT);
                set_row(&it->unknown, row);
                stopped++;
            }
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Engines
 * ------------------------------------------------------------------------------------------------------------- */

/* The engines, and for those that run on a processor path how many values each path decided. */
typedef enum engine {
    BY_INTERPRETER,
    BY_JIT,
    BY_CHOICE, /* as a user gets it: assay_check_column and assay_pattern_match choose the engine */
    BY_DFA,
    BY_DFA_ROWS,
    BY_SHUFFLES,
    BY_CLASS_MASKS,
    BY_TRANSLITERATION,
    BY_LANES,
    BY_SINGLE_STEPS,
    BY_CHAIN,
    BY_CHAIN_ROWS,
    BY_LAZY,
    BY_LAZY_ROWS,
    BY_LAZY_FILTER,
    BY_LAZY_BACKWARD,
    BY_BITS,
    ENGINES_TESTED
} engine;

static const char *const engine_names[ENGINES_TESTED] = {
    "PCRE2's interpreter",
    "PCRE2's JIT",
    "the engine that Assay chooses",
    "the DFA",
    "the DFA, in columns",
    "the shuffle DFA",
    "class masks",
    "transliterated lanes",
    "lanes",
    "lanes, one byte a step",
    "a chain of DFAs",
    "a chain of DFAs, in columns",
    "the lazy DFA",
    "the lazy DFA, in columns",
    "the lazy DFA, behind a filter",
    "the lazy DFA, with look-aheads",
    "the bit-parallel form",
};

enum { MAX_PATHS = 8 };

/* The values that each engine decided and left undecided. */
static struct tally {
    unsigned long long decided, undecided;
} tallies[ENGINES_TESTED][MAX_PATHS];

static assay_scratch *scratch;
static assay_lazy_caches *caches;
static assay_class_resolver resolver;

/* Whether a disagreement on the current pattern has been reported. Further ones mostly have the same cause. */
static bool is_reported, reports_all;

static void report(const test_case *it, engine by, size_t path, const rows_mask *failed, const rows_mask *wrong)
{
    for (size_t row = 0; row < ROWS; row++) {
        const uint64_t bit = UINT64_C(1) << (row % 64);
        if ((wrong->words[row / 64] & bit) == 0) continue;
        fprintf(stderr, "    %s (%s), %s %s: the value \"%.*s\" must %s\n", engine_names[by], assay_cpu_at(path),
                (it->options & ASSAY_PATTERN_SEARCH) != 0 ? "search for" : "full match of", it->text,
                (int)cells[row].length, (const char *)bytes + cells[row].start,
                (failed->words[row / 64] & bit) != 0 ? "pass" : "fail");
        return;
    }
}

/* The answers of an engine to all values, for the pattern that is tested. */
typedef struct outcome {
    engine by;
    size_t path;
    rows_mask failed, undecided;
} outcome;

enum { MAX_OUTCOMES = 16 * MAX_PATHS };

static outcome outcomes[MAX_OUTCOMES];
static size_t outcome_count;

static void keep(engine by, size_t path, const rows_mask *failed, const rows_mask *undecided)
{
    if (outcome_count == MAX_OUTCOMES && !CHECK(outcome_count < MAX_OUTCOMES)) return;
    outcomes[outcome_count++] = (outcome){by, path, *failed, *undecided};
}

/* Takes the verdicts on which engines agree for right, and asks the reference for the others; with `is_full` for
 * all. */
static void find_right_verdicts(test_case *it, bool is_full)
{
    rows_mask requested;
    for (size_t word = 0; word < WORDS; word++) {
        uint64_t passed = 0, failed = 0, by_interpreter = 0, by_jit = 0, by_automaton = 0;
        for (size_t i = 0; i < outcome_count; i++) {
            const outcome *one = &outcomes[i];
            const uint64_t decided = ~one->undecided.words[word];
            failed |= decided & one->failed.words[word];
            passed |= decided & ~one->failed.words[word];
            if (one->by == BY_INTERPRETER) by_interpreter |= decided;
            if (one->by == BY_JIT) by_jit |= decided;
            if (one->by > BY_CHOICE) by_automaton |= decided;
        }
        const uint64_t agreed = (passed ^ failed) & by_interpreter & by_jit & by_automaton;
        requested.words[word] = is_full ? UINT64_MAX : ~agreed;
        it->matches.words[word] = passed;
        it->unknown.words[word] = 0;
    }
    reference_verdict(it, &requested);
}

/* Compares the answers of an engine with the right verdicts. */
static void compare(const test_case *it, const outcome *one)
{
    const engine by = one->by;
    const size_t path = one->path;
    const rows_mask *failed = &one->failed, *undecided = &one->undecided;
    rows_mask wrong;
    uint64_t disagreements = 0;
    for (size_t word = 0; word < WORDS; word++) {
        const uint64_t known = ~it->unknown.words[word];
        const uint64_t decided = known & ~undecided->words[word];
        wrong.words[word] = decided & ~(failed->words[word] ^ it->matches.words[word]);
        disagreements |= wrong.words[word];
        tallies[by][path].decided += (unsigned)__builtin_popcountll(decided);
        tallies[by][path].undecided += (unsigned)__builtin_popcountll(known & ~decided);
    }
    if (disagreements != 0 && is_reported && !reports_all) return;
    if (CHECK(disagreements == 0)) return;
    if (test_failures <= test_failures_shown) report(it, by, path, failed, &wrong);
    is_reported = true;
}

static void note(dfa_answer answer, size_t row, rows_mask *failed, rows_mask *undecided)
{
    if (answer == DFA_FAIL) set_row(failed, row);
    if (answer == DFA_UNKNOWN) set_row(undecided, row);
}

static const uint8_t *value_of(size_t row) { return bytes + cells[row].start; }

/* An engine that is reached through the public functions: PCRE2, or the one that Assay chooses. */
static void run_pattern(const test_case *it, engine by, uint32_t options)
{
    rows_mask failed, undecided;
    assay_pattern *pattern =
        create_full_match((assay_text){(const uint8_t *)it->text, it->count}, it->options | options, 0, NULL);
    if (!CHECK(pattern != NULL)) {
        fprintf(stderr, "    %s does not compile\n", it->text);
        return;
    }
    const assay_column_view column = {bytes, cells, ROWS, NULL};
    assay_pattern_column(pattern, scratch, &column, (assay_verdict_masks){failed.words, undecided.words});
    keep(by, 0, &failed, &undecided);
    if (by == BY_CHOICE) {
        failed = undecided = (rows_mask){{0}};
        for (size_t row = 0; row < ROWS; row++) {
            const assay_verdict verdict = assay_pattern_match(pattern, scratch, value_of(row), cells[row].length);
            note(verdict == ASSAY_FAIL   ? DFA_FAIL
                 : verdict == ASSAY_PASS ? DFA_PASS
                                         : DFA_UNKNOWN,
                 row, &failed, &undecided);
        }
        keep(by, 0, &failed, &undecided);
    }
    assay_pattern_free(pattern);
}

/* Frees the tables for columns, so that those for another processor path can be made. */
static void forget_tables(assay_dfa *dfa)
{
    for (; dfa != NULL; dfa = dfa->next_conjunct) {
        assay_dfa_free_columns(dfa);
        atomic_store(&dfa->columns, NULL);
        atomic_store(&dfa->rows_expected, 0);
    }
}

/* Lanes alone, without the forms that come before them. */
static void run_lanes(engine by, size_t path, assay_dfa *dfa, column_limits limits)
{
    rows_mask failed, undecided;
    column_tables *tables = assay_column_tables_create(dfa, limits);
    if (!CHECK(tables != NULL) || !CHECK(!tables->by_pairs || limits.next_max > 0)) return;
    free(tables->shuffle_dfa);
    free(tables->class_masks);
    tables->shuffle_dfa = NULL;
    tables->class_masks = NULL;
    column_tables *before = atomic_exchange(&dfa->columns, tables);
    assay_dfa_match_rows(dfa, &(assay_column_view){bytes, cells, ROWS, NULL}, failed.words, undecided.words);
    keep(by, path, &failed, &undecided);
    atomic_store(&dfa->columns, before);
    assay_column_tables_free(tables);
}

/* The tables for columns of a DFA, on the processor path that is selected. */
static void run_rows(engine by, size_t path, assay_dfa *dfa)
{
    rows_mask failed, undecided;
    assay_dfa_expect_rows(dfa, ASSAY_DFA_ROWS);
    if (!assay_dfa_can_match_rows(dfa)) return;
    assay_dfa_match_rows(dfa, &(assay_column_view){bytes, cells, ROWS, NULL}, failed.words, undecided.words);
    keep(by, path, &failed, &undecided);
    if (by != BY_DFA_ROWS) return;
    const column_tables *tables = atomic_load(&dfa->columns);
    const bool has_shuffles = tables->shuffle_dfa != NULL;
    if (has_shuffles) keep(BY_SHUFFLES, path, &failed, &undecided);
    if (tables->class_masks != NULL) keep(BY_CLASS_MASKS, path, &failed, &undecided);
    run_lanes(BY_LANES, path, dfa, column_limits_usual);
    run_lanes(BY_SINGLE_STEPS, path, dfa, (column_limits){0, states_max});
    if (dfa->non_ascii != NULL) run_lanes(BY_TRANSLITERATION, path, dfa, (column_limits){column_next_max, 0});
}

/* Whether each pattern runs on one processor path only, in rotation, because all patterns of four pieces on all
   paths would take ten minutes. */
static bool takes_turns;
static unsigned long turn;

static bool skips_path(size_t path) { return takes_turns && path != turn % test_cpu_paths(); }

/* The kernels of a path on which the DFA has been run, and its outcomes there. */
typedef struct path_run {
    const assay_kernels *kernels; /* NULL: before the first path */
    size_t first, end;            /* of `outcomes`; the first one is that of single values */
} path_run;

/* Whether the forms of a DFA and its tables are the same on two paths: they have no byte shuffle, as sse2 and
 * portable. */
static bool has_same_tables(const assay_kernels *one, const assay_kernels *other)
{
    return one->shuffle_width == 0 && other->shuffle_width == 0 && one->sheng == NULL && other->sheng == NULL;
}

static bool is_transliterated(const assay_dfa *dfa)
{
    while (dfa != NULL && dfa->non_ascii == NULL) dfa = dfa->next_conjunct;
    return dfa != NULL;
}

/* Copies the outcomes [first, end), as those of another path that runs the same code. */
static void keep_again(size_t first, size_t end, size_t path)
{
    for (size_t i = first; i < end; i++) keep(outcomes[i].by, path, &outcomes[i].failed, &outcomes[i].undecided);
}

/* Single values. `before`: NULL, or the outcome of a path that runs the same code but for long values. */
static void run_values(engine by, size_t path, assay_dfa *dfa, const outcome *before)
{
    enum { LONG_VALUE = 256 };
    rows_mask failed = {{0}}, undecided = {{0}};
    if (before != NULL) failed = before->failed, undecided = before->undecided;
    for (size_t row = before == NULL ? 0 : LONG_AT; row < ROWS; row++) {
        if (before != NULL && cells[row].length <= LONG_VALUE) continue;
        clear_row(&failed, row);
        clear_row(&undecided, row);
        note(assay_dfa_match(dfa, value_of(row), cells[row].length), row, &failed, &undecided);
    }
    keep(by, path, &failed, &undecided);
}

/* A DFA or a chain, in all of its forms. Code and tables that are the same on two paths run once. */
static void run_dfa(engine by, engine by_rows, assay_dfa *dfa)
{
    path_run before = {.kernels = NULL};
    for (size_t path = 0; test_select_cpu(path); path++) {
        if (skips_path(path)) continue;
        const assay_kernels *kernels = assay_kernels_current();
        const bool is_same = before.kernels != NULL && has_same_tables(before.kernels, kernels);
        const path_run here = {.kernels = kernels, .first = outcome_count};
        if (!is_same) forget_tables(dfa);
        run_values(by, path, dfa, is_same ? &outcomes[before.first] : NULL);
        if (is_same && !is_transliterated(dfa)) {
            keep_again(before.first + 1, before.end, path);
        } else {
            run_rows(by_rows, path, dfa);
        }
        before = here;
        before.end = outcome_count;
    }
}

/* A chain of one DFA for each conjunct of a pattern. Assay builds a chain only if a single DFA would be too large,
   which does not happen for small patterns. Returns NULL if the pattern has one conjunct or a DFA was rejected. */
static assay_dfa *create_chain(const assay_regex *regex)
{
    assay_dfa *first = NULL;
    assay_dfa **next = &first;
    if (regex->conjunct_count < 2 || regex->backward_because != NULL) return NULL;
    for (uint32_t i = 0; i < regex->conjunct_count; i++) {
        assay_regex one = *regex;
        assay_dfa_refusal refusal;
        one.conjuncts[0] = i == 0 ? regex->conjuncts[0] : (regex_conjunct){regex->anything, false};
        one.conjuncts[1] = regex->conjuncts[i];
        one.conjunct_count = i == 0 ? 1 : 2;
        *next = assay_dfa_create(&one, false, &refusal);
        if (*next == NULL) {
            assay_dfa_free(first);
            return NULL;
        }
        next = &(*next)->next_conjunct;
    }
    return first;
}

/* The bit-parallel form, which only patterns of 64 characters or more have. No value has a c, so that an optional group
   of them does not change a verdict. Patterns with assertions or conjuncts have no such form. */
static void run_bits(const test_case *it)
{
    char text[PATTERN_BYTES + 32];
    const int count = snprintf(text, sizeof text, "(?:%s)(?:c{64})?", it->text);
    assay_regex regex;
    assay_dfa_refusal refusal;
    const char *because = NULL;
    assay_lazy_program *program = NULL;
    const bool is_search = (it->options & ASSAY_PATTERN_SEARCH) != 0;
    if (assay_regex_parse(&regex, (const uint8_t *)text, (size_t)count, it->options, &resolver, &refusal) &&
        assay_regex_lower(&regex, is_search, &refusal)) {
        program = assay_lazy_program_create(&regex, is_search, &because);
    }
    assay_regex_free(&regex);
    const lazy_conjunct *part = program == NULL ? NULL : &program->conjuncts[0];
    if (part != NULL && part->bits != NULL && program->conjunct_count == 1 &&
        !(program->is_search && part->starts_matched)) { /* otherwise every value passes without being read */
        rows_mask failed = {{0}}, undecided = {{0}};
        for (size_t row = 0; row < ROWS; row++) {
            note(lazy_match_bits(program, part, value_of(row), cells[row].length), row, &failed, &undecided);
        }
        keep(BY_BITS, 0, &failed, &undecided);
    }
    assay_lazy_program_free(program);
}

static bool has_filter(const assay_lazy_program *program)
{
    for (uint32_t i = 0; i < program->conjunct_count; i++) {
        if (program->conjuncts[i].filters[0].kind != FILTER_NONE) return true;
    }
    return false;
}

static void run_lazy_on(size_t path, const assay_lazy_program *program)
{
    rows_mask failed = {{0}}, undecided;
    for (size_t word = 0; word < WORDS; word++) {
        undecided.words[word] =
            assay_lazy_match_rows(program, NULL, caches, bytes, cells + 64 * word, UINT64_MAX, &failed.words[word]);
    }
    keep(BY_LAZY_ROWS, path, &failed, &undecided);
    if (assay_lazy_program_prefilter(program) != NULL) keep(BY_LAZY_FILTER, path, &failed, &undecided);
    /* Single values, from the last to the first, so that states are made in another order than in columns. */
    failed = undecided = (rows_mask){{0}};
    for (size_t row = ROWS; row-- > 0;) {
        note(assay_lazy_match(program, NULL, caches, value_of(row), cells[row].length), row, &failed, &undecided);
    }
    keep(BY_LAZY, path, &failed, &undecided);
    if (assay_lazy_program_runs_twice(program)) keep(BY_LAZY_BACKWARD, path, &failed, &undecided);
}

/* Only the filter of a lazy DFA depends on the path, so one without a filter runs once. */
static void run_lazy(const assay_lazy_program *program)
{
    const size_t first = outcome_count;
    size_t end = first;
    for (size_t path = 0; test_select_cpu(path); path++) {
        if (skips_path(path)) continue;
        if (end > first && !has_filter(program)) {
            keep_again(first, end, path);
        } else {
            run_lazy_on(path, program);
            if (end == first) end = outcome_count;
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * One pattern by all engines
 * ------------------------------------------------------------------------------------------------------------- */

/* The sets of the classes that occur in `pieces`, so that PCRE2 is asked once for each and not once for each
 * pattern. */
typedef struct known_class {
    char text[32];
    size_t count;
    uint32_t options;
    assay_character_set set;
} known_class;

static known_class known_classes[64];
static size_t known_count;

static bool find_class(void *all, const uint8_t *text, size_t count, uint32_t options, const class_reach *reach,
                       assay_character_set *set)
{
    for (size_t i = 0; i < known_count; i++) {
        const known_class *known = &known_classes[i];
        if (known->count != count || known->options != options || memcmp(known->text, text, count) != 0) continue;
        *set = known->set;
        return true;
    }
    if (!assay_resolve_class(all, text, count, options, reach, set)) return false;
    if (count > sizeof known_classes[0].text || known_count == 64) return true;
    known_class *known = &known_classes[known_count++];
    *known = (known_class){.count = count, .options = options, .set = *set};
    memcpy(known->text, text, count);
    return true;
}

static void run_automata(const test_case *it)
{
    assay_regex regex;
    assay_dfa_refusal refusal = {.because = NULL};
    const char *because = NULL;
    const bool is_search = (it->options & ASSAY_PATTERN_SEARCH) != 0;
    if (assay_regex_parse(&regex, (const uint8_t *)it->text, it->count, it->options, &resolver, &refusal) &&
        assay_regex_lower(&regex, is_search, &refusal)) {
        assay_dfa *dfa = assay_dfa_create(&regex, is_search, &refusal);
        assay_dfa *chain = create_chain(&regex);
        assay_lazy_program *lazy = assay_lazy_program_create(&regex, is_search, &because);
        if (dfa != NULL) run_dfa(BY_DFA, BY_DFA_ROWS, dfa);
        if (chain != NULL) run_dfa(BY_CHAIN, BY_CHAIN_ROWS, chain);
        if (lazy != NULL) run_lazy(lazy);
        if (lazy != NULL && regex.assertion_count == 0 && regex.conjunct_count == 1) run_bits(it);
        assay_dfa_free(dfa);
        assay_dfa_free(chain);
        assay_lazy_program_free(lazy);
    }
    assay_regex_free(&regex);
    assay_cpu_select(NULL);
}

static unsigned long patterns_tested, patterns_skipped;

/* The engine that Assay chooses is one of the others, so only some patterns run on it. */
static void test_pattern(const char *text, size_t count)
{
    enum { CHOICE_EVERY = 16, FULL_EVERY = 16 };
    is_reported = false;
    for (int search = 0; search < 2; search++) {
        test_case it = {.text = text, .count = count, .options = search ? ASSAY_PATTERN_SEARCH : 0};
        if (!compile_reference(&it)) {
            patterns_skipped++;
            return;
        }
        outcome_count = 0;
        run_pattern(&it, BY_INTERPRETER, ASSAY_PATTERN_NO_JIT);
        run_pattern(&it, BY_JIT, ASSAY_PATTERN_NO_DFA);
        if (patterns_tested % CHOICE_EVERY == 0) run_pattern(&it, BY_CHOICE, 0);
        run_automata(&it);
        find_right_verdicts(&it, reports_all || patterns_tested % FULL_EVERY == FULL_EVERY / 2);
        for (size_t i = 0; i < outcome_count; i++) compare(&it, &outcomes[i]);
        pcre2_code_free(it.reference);
    }
    patterns_tested++;
}

/* ---------------------------------------------------------------------------------------------------------------
 * The run
 * ------------------------------------------------------------------------------------------------------------- */

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* A part of the patterns: their number is `part` modulo `parts`. */
typedef struct share {
    unsigned long part, parts;
} share;

/* Tests one in `every` of the patterns of `count` pieces, chosen at random. */
static void test_patterns(size_t count, uint32_t base, uint64_t every, share mine)
{
    uint64_t all = 1;
    for (size_t i = 0; i < count; i++) all *= base;
    const double start = seconds();
    const unsigned long before = patterns_tested;
    test_random random = test_random_of(count * PIECES + base);
    takes_turns = count == 4;
    for (uint64_t number = 0; number < all; number++) {
        char text[PATTERN_BYTES];
        const bool is_chosen = every == 1 || test_random_below(&random, (uint32_t)every) == 0;
        if (!is_chosen || number % mine.parts != mine.part) continue;
        const size_t length = write_pattern(text, count, base, number);
        if (length == SIZE_MAX) continue;
        turn++;
        test_pattern(text, length);
    }
    printf("%zu of %u pieces: %lu patterns, %.1f s\n", count, base, patterns_tested - before, seconds() - start);
}

/* The minimum part of all values that an engine must decide: 4 means a fourth. Engines without an entry must decide
   every value. */
static const unsigned at_least[ENGINES_TESTED] = {
    [BY_DFA] = 4,
    [BY_DFA_ROWS] = 4,
    [BY_SHUFFLES] = 4,
    [BY_CLASS_MASKS] = 16,
    [BY_TRANSLITERATION] = 64,
    [BY_LANES] = 4,
    [BY_SINGLE_STEPS] = 4,
    [BY_CHAIN] = 64,
    [BY_CHAIN_ROWS] = 64,
    [BY_LAZY] = 2,
    [BY_LAZY_ROWS] = 2,
    [BY_LAZY_FILTER] = 512,
    [BY_LAZY_BACKWARD] = 16,
    [BY_BITS] = 64,
};

/* Whether some path of this processor has the instructions that an engine needs. */
static bool can_run(engine by)
{
    bool can = false;
    for (size_t path = 0; !can && test_select_cpu(path); path++) {
        can = by == BY_SHUFFLES      ? assay_kernels_current()->shuffle_width > 0
              : by == BY_LAZY_FILTER ? assay_kernels_current()->find_candidate != NULL
                                     : true;
    }
    assay_cpu_select(NULL);
    return can;
}

/* Checks that each engine decided its share of the values, on all paths together. */
static void check_tallies(void)
{
    const struct tally all = tallies[BY_INTERPRETER][0];
    CHECK(all.decided > 0 && all.undecided == 0);
    for (int by = 0; by < ENGINES_TESTED; by++) {
        unsigned long long decided = 0;
        for (size_t path = 0; assay_cpu_at(path) != NULL; path++) {
            const struct tally tally = tallies[by][path];
            if (tally.decided + tally.undecided == 0) continue;
            printf("%-38s %-8s %12llu decided %12llu undecided\n", engine_names[by], assay_cpu_at(path), tally.decided,
                   tally.undecided);
            decided += tally.decided;
        }
        if (by <= BY_CHOICE) {
            /* JIT gives up on long values of rare patterns, such as (?i:(?i:|B){0,2}?|B)+. */
            const unsigned long long max = by == BY_JIT ? decided / 1000000 : 0;
            CHECK(decided > 0 && tallies[by][0].undecided <= max);
        } else if (can_run((engine)by) && !CHECK(decided >= all.decided / at_least[by])) {
            fprintf(stderr, "    %s decided %llu of %llu values\n", engine_names[by], decided, all.decided);
        }
    }
}

static bool is_complete(void)
{
    const char *form = getenv("ASSAY_SLOW_TESTS");
    return form != NULL && strcmp(form, "all") == 0;
}

/* Returns how many patterns one tested pattern represents, by the form of the test. */
static size_t one_in(size_t fast, size_t slow) { return is_complete() ? 1 : test_is_slow() ? slow : fast; }

int main(int argc, char **argv)
{
#if defined(__GLIBC__)
    /* Tables of some 100 KB are made and freed for each pattern. Their memory is not given back to the system in
     * between. */
    mallopt(M_MMAP_THRESHOLD, 1 << 26);
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
    all_characters all = {.bytes = NULL};
    resolver = (assay_class_resolver){.find = find_class, .context = &all};
    scratch = assay_scratch_create(NULL);
    caches = assay_lazy_caches_create();
    reference_compile = pcre2_compile_context_create(NULL);
    pcre2_set_newline(reference_compile, PCRE2_NEWLINE_LF);
    reference_match = pcre2_match_context_create(NULL);
    reference_data = pcre2_match_data_create(1, NULL);
    make_values();
    share mine = {1, 1};
    if (argc > 1 && sscanf(argv[1], "%lu/%lu", &mine.part, &mine.parts) != 2) {
        reports_all = true;
        test_pattern(argv[1], strlen(argv[1]));
        CHECK_EQUAL(patterns_tested, 1);
    } else {
        mine.part--;
        for (size_t count = 0; count <= 2; count++) test_patterns(count, COMMON, 1, mine);
        test_patterns(3, COMMON, one_in(20, 1), mine);
        test_patterns(1, PIECES, 1, mine);
        test_patterns(2, PIECES, one_in(10, 1), mine);
        test_patterns(3, PIECES, one_in(1000, 5), mine);
        test_patterns(4, COMMON, one_in(4000, 20), mine);
        test_patterns(4, PIECES, is_complete() ? 500 : one_in(40000, 2000), mine);
        check_tallies();
        printf("%-38s %-8s %12llu judged\n", "the reference", "", reference_values);
        printf("%lu patterns; PCRE2 does not compile %lu others\n", patterns_tested, patterns_skipped);
    }
    pcre2_match_data_free(reference_data);
    pcre2_match_context_free(reference_match);
    pcre2_compile_context_free(reference_compile);
    assay_lazy_caches_free(caches);
    assay_scratch_free(scratch);
    free(all.bytes);
    return test_result();
}
