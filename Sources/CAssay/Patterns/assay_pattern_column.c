/* Judges columns: decides for each value of a column which engine judges it.
 *
 *     2,048 rows ──► DFA in batch ──unknown──► scalar DFA ──unknown──► PCRE2, plain ──gave up──► assay_pattern_settle
 *
 * Before the DFA exists, and for patterns that have none, all rows go to PCRE2. assay_pattern_match
 * (assay_pattern_value.c) does the same for single values. Masks are computed in whole words: `failed` and `undecided`
 * are written once for each 64 rows. */
#include "Patterns/assay_pcre2.h"

/* Where the DFA leaves most rows unknown, so many words in sixteen go straight to PCRE2. */
enum { WORDS_WITHOUT = 15 };

/* Judges by PCRE2 the values among 64 whose bit is in `rows`, or all of them if `all`. One text for both engines: `jit`
   and `all` are constants in the three functions below, so the compiler specialises the loop, and nothing is decided in
   it. */
static inline __attribute__((always_inline)) void judge_rows(const assay_pattern *pattern, assay_scratch *scratch,
                                                             const uint8_t *bytes, const assay_cell *cells,
                                                             uint64_t rows, bool all, bool jit, uint64_t *failed,
                                                             uint64_t *undecided)
{
    const pcre2_code *code = pattern->code;
    pcre2_match_data *match_data = scratch->match_data;
    pcre2_match_context *context = scratch->context;
    assay_scratch_for(scratch, pattern);
    size_t blocks = scratch->limit_blocks;
    uint64_t failed_word = 0;
    uint64_t undecided_word = 0;
    for (unsigned bit = 0; all ? bit < 64 : rows != 0; bit++) {
        if (!all) {
            bit = (unsigned)__builtin_ctzll(rows);
            rows &= rows - 1;
        }
        size_t count = cells[bit].length;
        if (__builtin_expect(assay_scratch_blocks(count) != blocks, 0)) {
            blocks = assay_scratch_blocks(count);
            assay_scratch_set_limit(scratch, blocks);
        }
        int rc = PCRE2_ERROR_MATCHLIMIT;
        if (__builtin_expect(assay_scratch_admits(scratch, pattern, bytes + cells[bit].start, count), 1)) {
            rc = jit ? pcre2_jit_match(code, bytes + cells[bit].start, count, 0, 0, match_data, context)
                     : assay_pattern_interpret(pattern, scratch, bytes + cells[bit].start, count);
        }
        /* Any negative code counts as failed, until one of the rare codes below NOMATCH is settled. */
        failed_word |= (uint64_t)(rc < 0) << bit;
        if (__builtin_expect(rc < PCRE2_ERROR_NOMATCH, 0)) {
            rc = assay_pattern_settle(pattern, scratch, bytes + cells[bit].start, cells[bit].length, rc);
            failed_word &= ~((uint64_t)(rc != PCRE2_ERROR_NOMATCH) << bit);
            undecided_word |= (uint64_t)(rc < PCRE2_ERROR_NOMATCH) << bit;
        }
    }
    *failed = failed_word;
    *undecided = undecided_word;
}

typedef void judge_word(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *bytes,
                        const assay_cell *cells, uint64_t rows, uint64_t *failed, uint64_t *undecided);

/* The three forms are out of line, 64 rows a call: inlined into one function they would compete for registers. */
static __attribute__((noinline)) void judge_all_by_jit(const assay_pattern *pattern, assay_scratch *scratch,
                                                       const uint8_t *bytes, const assay_cell *cells, uint64_t rows,
                                                       uint64_t *failed, uint64_t *undecided)
{
    judge_rows(pattern, scratch, bytes, cells, rows, true, true, failed, undecided);
}

static __attribute__((noinline)) void judge_some_by_jit(const assay_pattern *pattern, assay_scratch *scratch,
                                                        const uint8_t *bytes, const assay_cell *cells, uint64_t rows,
                                                        uint64_t *failed, uint64_t *undecided)
{
    judge_rows(pattern, scratch, bytes, cells, rows, false, true, failed, undecided);
}

static __attribute__((noinline)) void judge_by_interpreter(const assay_pattern *pattern, assay_scratch *scratch,
                                                           const uint8_t *bytes, const assay_cell *cells, uint64_t rows,
                                                           uint64_t *failed, uint64_t *undecided)
{
    judge_rows(pattern, scratch, bytes, cells, rows, false, false, failed, undecided);
}

/* Judges by the scalar DFA the rows, among 64, that the batch forms left unknown. Returns those left for PCRE2: unknown
   to the DFA or, if `has_choice` (the DFA has no tables for columns), expected to be faster there. */
static uint64_t judge_unknown(const assay_plan *plan, const uint8_t *bytes, const assay_cell *cells, uint64_t unknown,
                              bool has_choice, uint64_t *failed)
{
    uint64_t still_unknown = 0;
    for (; unknown != 0; unknown &= unknown - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(unknown);
        const size_t count = cells[row].length;
        dfa_answer answer = DFA_UNKNOWN;
        if (!has_choice || assay_plan_for_value(plan, count) == ENGINE_DFA) {
            answer = assay_dfa_judge(plan->dfa, bytes + cells[row].start, count);
        }
        *failed |= (uint64_t)(answer == DFA_FAIL) << row;
        still_unknown |= (uint64_t)(answer == DFA_UNKNOWN) << row;
    }
    return still_unknown;
}

/* A slice of a column: up to ASSAY_DFA_ROWS rows, beginning at a multiple of 64. Borrowed. */
typedef struct rows_view {
    const uint8_t *bytes;
    const assay_cell *cells;
    size_t count;
    const uint64_t *skip; /* may be NULL */
} rows_view;

/* Judges a slice by the DFA, and what it leaves unknown by PCRE2 (`judge`). Returns how many rows PCRE2 got. */
static size_t judge_by_dfa(const assay_pattern *pattern, const assay_plan *plan, assay_scratch *scratch,
                           const rows_view *view, judge_word *judge, uint64_t *failed, uint64_t *undecided)
{
    const assay_dfa *dfa = plan->dfa;
    size_t unknown_rows = 0;
    /* Until its word is handled in the loop below, `undecided` holds the rows that are still unknown. */
    const bool can_judge_rows = assay_dfa_can_judge_rows(dfa);
    if (can_judge_rows) {
        assay_dfa_judge_rows(dfa, view->bytes, view->cells, view->count, view->skip, failed, undecided);
    } else {
        for (size_t word = 0; word * 64 < view->count; word++) {
            failed[word] = 0;
            undecided[word] = assay_mask_rest(view->skip, view->count, word);
        }
    }
    for (size_t word = 0; word * 64 < view->count; word++) {
        uint64_t unknown = undecided[word];
        if (unknown == 0) continue;
        const assay_cell *cells = view->cells + word * 64;
        unknown = judge_unknown(plan, view->bytes, cells, unknown, !can_judge_rows, &failed[word]);
        undecided[word] = 0;
        if (unknown == 0) continue;
        uint64_t failed_there = 0;
        judge(pattern, scratch, view->bytes, cells, unknown, &failed_there, &undecided[word]);
        failed[word] |= failed_there;
        unknown_rows += (size_t)__builtin_popcountll(unknown);
    }
    return unknown_rows;
}

/* Announces the rows of a column and returns the plan, if there is one now. The values are counted only while there is none:
   later a column announces all of its rows. NULL: PCRE2 judges. */
static const assay_plan *expect_rows(const assay_pattern *pattern, const assay_cell *cells, size_t count,
                                     const uint64_t *skip)
{
    const assay_plan *plan = assay_pattern_plan_so_far(pattern);
    if (plan != NULL) {
        if (plan->dfa != NULL) assay_dfa_expect_rows(plan->dfa, count);
        return plan;
    }
    size_t values = 0;
    size_t bytes = 0;
    size_t longest = 0;
    for (size_t row = 0; row < count; row++) {
        if (skip != NULL && (skip[row / 64] >> (row % 64) & 1)) continue;
        values++;
        bytes += cells[row].length;
        if (cells[row].length > longest) longest = cells[row].length;
    }
    assay_pattern_expect(pattern, values, bytes, longest);
    return assay_pattern_plan_so_far(pattern);
}

/* Judges a column by the lazy DFA, and what it leaves unknown by PCRE2 (`judge`). */
static void judge_lazily(const assay_pattern *pattern, const assay_lazy_program *lazy, assay_scratch *scratch,
                         const uint8_t *bytes, const assay_cell *cells, size_t count, const uint64_t *skip,
                         judge_word *judge, uint64_t *failed, uint64_t *undecided)
{
    for (size_t word = 0; word * 64 < count; word++) {
        const uint64_t rows = assay_mask_rest(skip, count, word);
        failed[word] = 0;
        undecided[word] = 0;
        const uint64_t unknown =
            assay_lazy_judge_rows(lazy, scratch->caches, bytes, cells + word * 64, rows, &failed[word]);
        if (unknown == 0) continue;
        uint64_t failed_there = 0;
        judge(pattern, scratch, bytes, cells + word * 64, unknown, &failed_there, &undecided[word]);
        failed[word] |= failed_there;
    }
    if (scratch->heap_may_be_large) assay_scratch_trim_heap(scratch);
}

bool assay_pattern_find_unmatched(const assay_pattern *pattern, const uint8_t *bytes, const assay_cell *cells,
                                  size_t count, const uint64_t *skip, uint64_t *others)
{
    const assay_plan *plan = expect_rows(pattern, cells, count, skip);
    if (plan == NULL || plan->dfa == NULL || !assay_dfa_can_judge_rows(plan->dfa)) return false;
    uint64_t unknown[ASSAY_DFA_ROWS / 64];
    assay_dfa_judge_rows(plan->dfa, bytes, cells, count, skip, others, unknown);
    for (size_t word = 0; word * 64 < count; word++) others[word] |= unknown[word];
    return true;
}

void assay_pattern_column(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *bytes,
                          const assay_cell *cells, size_t count, const uint64_t *skip, uint64_t *failed,
                          uint64_t *undecided)
{
    if (bytes == NULL) bytes = assay_empty_value; /* then every cell is empty */
    const bool jit = pattern->jit_size > 0;
    judge_word *judge_all = jit ? judge_all_by_jit : judge_by_interpreter;
    judge_word *judge_some = jit ? judge_some_by_jit : judge_by_interpreter;
    const assay_plan *plan = expect_rows(pattern, cells, count, skip);
    const pattern_engine engine = plan != NULL ? assay_plan_for_column(plan, jit, cells, count, skip) : ENGINE_PCRE2;
    if (engine == ENGINE_LAZY && assay_scratch_has_caches(scratch)) {
        judge_lazily(pattern, plan->lazy, scratch, bytes, cells, count, skip, judge_some, failed, undecided);
        return;
    }
    const bool has_dfa = plan != NULL && plan->dfa != NULL;
    /* Where the DFA leaves most rows of a slice unknown, as in a column of long values, asking it costs time for
       nothing. Then it is asked for one word in sixteen only, until it decides most of such a word. */
    bool is_probing = false;
    size_t words_without = has_dfa ? 0 : SIZE_MAX;
    for (size_t row = 0; row < count;) {
        const size_t most = words_without > 0 || is_probing ? 64 : ASSAY_DFA_ROWS;
        const size_t word = row / 64;
        const rows_view view = {.bytes = bytes,
                                .cells = cells + row,
                                .count = count - row < most ? count - row : most,
                                .skip = skip == NULL ? NULL : skip + word};
        if (words_without > 0) {
            words_without--;
            const uint64_t rows = assay_mask_rest(view.skip, view.count, 0);
            judge_word *judge = rows == UINT64_MAX ? judge_all : judge_some;
            judge(pattern, scratch, bytes, view.cells, rows, &failed[word], &undecided[word]);
        } else {
            const size_t unknown =
                judge_by_dfa(pattern, plan, scratch, &view, judge_some, failed + word, undecided + word);
            is_probing = unknown > view.count / 2 && assay_dfa_can_judge_rows(plan->dfa);
            if (is_probing) words_without = WORDS_WITHOUT;
        }
        row += view.count;
    }
    if (scratch->heap_may_be_large) assay_scratch_trim_heap(scratch);
}
