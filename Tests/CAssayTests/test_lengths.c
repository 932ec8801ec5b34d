/* Bounds of repeats that are checked on the length of the value (assay_regex_lengths.h), compared with PCRE2 at all
   lengths near the bounds, in bytes and in characters. */
#include "test_paths.h"
#include "test_pattern_support.h"

#include "Patterns/assay_class_resolver.h"
#include "Patterns/assay_dfa_only.h"
#include "Regex/Syntax/assay_regex_lengths.h"
#include "Regex/Syntax/assay_regex_lower.h"

/* ---------------------------------------------------------------------------------------------------------------
 * Which bounds are dropped
 * ------------------------------------------------------------------------------------------------------------- */

/* The lengths of a pattern; 0 to 0: all bounds remain. */
static const struct {
    const char *pattern;
    uint32_t minimum, maximum;
} split[] = {
    {".{1,255}", 0, 255},
    {".{2,255}", 2, 255},
    {".{8,64}", 0, 64}, /* the automaton counts to 8 */
    {".{17,64}", 17, 64},
    {".{300,}", 300, UINT32_MAX},
    {".{300}", 300, 300},
    {".{0,15}", 0, 0},
    {"[a-z]{0,99}", 0, 0},
    {"[a-z]{0,100}", 0, 100},
    {"[a-zé]{0,16}", 0, 16},
    {"(?:[a-z][0-9]){0,60}", 0, 120},
    {"[A-Z][^.]{5,400}[.]", 0, 402},
    {"[A-Z][^.]{20,400}[.]", 22, 402},
    {"\\S(?:.{0,253}\\S)?", 0, 255},
    {"\\S(?:.{20,253}\\S)?", 0, 0}, /* 1, or 22 to 255 */
    {"a|.{0,300}", 0, 300},
    {"a|.{20,300}", 0, 0},
    {"ab|.{1,300}|", 0, 300},
    {"(?:.{0,300})", 0, 300},
    {"(?:.{0,300}){1}", 0, 300},
    {"(?:.{0,300}){2}", 0, 0},
    {"(?:.{0,300})*", 0, 0},
    {".{0,300}.{0,300}", 0, 0},
    {".{0,300}a{0,3}", 0, 0},
    {".{300}[a-z]{200}", 0, 0},
    {".{0,300}a{3}(?=b|$)", 0, 303},
    {"(?<=a{20}).{0,300}", 0, 300},
    {".{0,300}+", 0, 0},
    {"(?>.{0,300})", 0, 0},
    {"(?=.{6,254}$)[a-z]+@[a-z]+", 0, 254},
    {"(?=.{30,254}$)[a-z]+@[a-z]+", 30, 254},
    {"(?=.{6,254})[a-z]+@[a-z]+", 0, 0},
    {"(?!.{6,254}$)[a-z]+@[a-z]+", 0, 0},
    {"(?=.{30,254}$).{0,200}", 30, 200},
    {"a(?=.{30,254}$).*", 31, 255},
    {"(?=.{1,40}(?:$)).*", 0, 40},
    {"(?=.{1,40}(?:$|x)).*", 0, 0},
};

static void test_split(void)
{
    all_characters all = {.bytes = NULL};
    const assay_class_resolver resolver = {.find = assay_resolve_class, .context = &all};
    for (size_t i = 0; i < sizeof split / sizeof split[0]; i++) {
        for (int is_search = 0; is_search < 2; is_search++) {
            assay_regex regex;
            assay_dfa_refusal refusal;
            const char *text = split[i].pattern;
            CHECK(assay_regex_parse(&regex, (const uint8_t *)text, strlen(text), 0, &resolver, &refusal) &&
                  assay_regex_lower(&regex, is_search, &refusal));
            const regex_lengths lengths = regex.lengths;
            const bool as_expected = lengths.are_bounded == (!is_search && split[i].maximum > 0) &&
                                     (is_search || lengths.minimum == split[i].minimum) &&
                                     (is_search || lengths.maximum == split[i].maximum);
            if (!CHECK(as_expected)) {
                fprintf(stderr, "    %s: %d, %u to %u\n", text, lengths.are_bounded, lengths.minimum, lengths.maximum);
            }
            assay_regex_free(&regex);
        }
    }
    free(all.bytes);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Verdicts at all lengths near the bounds
 * ------------------------------------------------------------------------------------------------------------- */

/* A pattern, and the text before and after the repeated characters. */
static const struct {
    const char *pattern, *before, *after;
    uint32_t bounds[3]; /* of the number of repeated characters */
} counted[] = {
    {".{1,255}", "", "", {1, 255}},
    {".{0,255}", "", "", {0, 255}},
    {".{2,250}", "", "", {2, 250}},
    {".{8,64}", "", "", {8, 64}},
    {".{16,64}", "", "", {16, 64}},
    {".{17,64}", "", "", {17, 64}},
    {"[^x]{100}", "", "", {100, 50}},
    {"[^x]{90,}", "", "", {90, 23}},
    {"[a-z]{20,200}", "", "", {20, 200}},
    {"[a-zé]{1,30}", "", "", {1, 30}},
    {"[\\p{L}\\p{So}]{2,70}", "", "", {2, 70}},
    {"[A-Z][^.!?]{5,120}[.!?]", "Q", "!", {5, 120}},
    {"[A-Z][^.!?]{25,120}[.!?]", "Q", "!", {25, 120}},
    {"\\S(?:.{0,60}\\S)?", "é", "é", {0, 60}},
    {"(?:..){3,40}", "", "", {6, 80}},
    {"(?=.{6,80}$)(?=[^@]{1,64}@)[^@]+@[^@]+", "a@", "", {4, 78}},
    {"(?=.{6,80}$)(?=[^@]{1,64}@)[^@]+@[^@]+", "", "@x", {4, 64, 78}},
    {"(?=.{30,80}$).{0,70}", "", "", {30, 70, 80}},
    {"é(?=.{30,80}$).*", "é", "", {30, 80}},
    {"(?<=^)[^\\n]{20,40}(?<!-)", "", "", {20, 40}},
    /* With look-aheads that need a second run, for the lazy DFA and JIT. */
    {".{0,40}(?=ab)a.", "", "ab", {0, 40}},
    {"[a-z]{900}|.{0,1000}", "", "", {900, 1000}},
};
enum { COUNTED = sizeof counted / sizeof counted[0] };

/* The repeated texts: characters of one to four bytes, and mixtures. */
static const char *const repeated[] = {"a", "é", "中", "😀", "aé", "a中😀é", "aaaaaaaaaaaaaaa😀", "\n"};
enum { REPEATED = sizeof repeated / sizeof repeated[0] };

enum { ROWS_MAX = 2048, BYTES_MAX = 1 << 22 };
static uint8_t bytes[BYTES_MAX];
static assay_cell cells[ROWS_MAX];
static size_t rows, used;

/* Adds a value with `count` characters of repeated[which] between `before` and `after`. */
static void add_value(const char *before, const char *after, size_t which, size_t count)
{
    const size_t start = used;
    memcpy(bytes + used, before, strlen(before));
    used += strlen(before);
    const char *next = repeated[which];
    for (size_t i = 0; i < count; i++) {
        if (*next == '\0') next = repeated[which];
        do bytes[used++] = (uint8_t)*next++;
        while ((*next & 0xC0) == 0x80);
    }
    memcpy(bytes + used, after, strlen(after));
    used += strlen(after);
    cells[rows++] = (assay_cell){(uint32_t)start, (uint32_t)(used - start)};
}

static void make_values(size_t index)
{
    rows = used = 0;
    for (size_t which = 0; which < REPEATED; which++) {
        for (size_t i = 0; i < 3; i++) {
            const size_t bound = counted[index].bounds[i];
            const size_t near[] = {bound, bound / 2, bound / 4, (bound + 2) / 3, 2 * bound, 4 * bound};
            for (size_t j = 0; j < sizeof near / sizeof near[0]; j++) {
                for (size_t count = near[j] < 3 ? 0 : near[j] - 3; count <= near[j] + 3; count++) {
                    add_value(counted[index].before, counted[index].after, which, count);
                }
            }
        }
    }
    const size_t different = rows;
    for (; rows < ROWS_MAX; rows++) cells[rows] = cells[rows - different];
}

static uint64_t right[ROWS_MAX / 64], failed[ROWS_MAX / 64], undecided[ROWS_MAX / 64];

/* Judges an exact copy of the values as a column, and then one by one. */
static void compare(const char *text, uint32_t options, assay_scratch *scratch)
{
    assay_pattern *pattern = create_full_match((assay_text){(const uint8_t *)text, strlen(text)}, options, 0, NULL);
    if (!CHECK(pattern != NULL)) return;
    uint8_t *copy = malloc(used);
    memcpy(copy, bytes, used);
    assay_check *check = assay_check_create_pattern(pattern);
    assay_check_column(check, scratch, copy, cells, ROWS_MAX, NULL, failed, undecided);
    CHECK_EQUAL(assay_mask_count(undecided, ROWS_MAX / 64), 0);
    free(copy);
    bool agrees = memcmp(failed, right, sizeof right) == 0;
    for (size_t row = 0; row < rows && agrees; row++) {
        const assay_text value = {bytes + cells[row].start, cells[row].length};
        const assay_verdict expected = (right[row / 64] >> (row % 64) & 1) != 0 ? ASSAY_FAIL : ASSAY_PASS;
        if (row < ROWS_MAX / 2) agrees = single_verdict(pattern, scratch, value) == expected;
        const assay_verdict quick = assay_pattern_match_short(pattern, value.bytes, value.count);
        agrees = agrees && (quick == expected || quick == ASSAY_UNDECIDED);
    }
    if (!CHECK(agrees)) fprintf(stderr, "    %s with options %x on %s\n", text, options, assay_cpu());
    assay_check_free(check);
    assay_pattern_free(pattern);
}

static void test_counted(void)
{
    assay_scratch *scratch = assay_scratch_create(NULL);
    for (size_t i = 0; i < COUNTED; i++) {
        const assay_text text = {(const uint8_t *)counted[i].pattern, strlen(counted[i].pattern)};
        make_values(i);
        assay_pattern *plain = compiled(text, ASSAY_PATTERN_NO_DFA);
        const assay_column_view column = {bytes, cells, ROWS_MAX, NULL};
        assay_check *check = assay_check_create_pattern(plain);
        assay_check_column(check, scratch, bytes, column.cells, ROWS_MAX, NULL, right, undecided);
        const size_t failures = assay_mask_count(right, ROWS_MAX / 64);
        if (!CHECK(failures > ROWS_MAX / 100 && failures < ROWS_MAX - ROWS_MAX / 100)) {
            fprintf(stderr, "    %s: %zu failures\n", counted[i].pattern, failures);
        }
        for (size_t path = 0; test_select_cpu(path); path++) {
            compare(counted[i].pattern, 0, scratch);
            compare(counted[i].pattern, ASSAY_PATTERN_LAZY_DFA, scratch);
        }
        assay_check_free(check);
        assay_pattern_free(plain);
    }
    assay_scratch_free(scratch);
}

int main(void)
{
    test_split();
    test_counted();
    return test_result();
}
