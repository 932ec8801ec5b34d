/* Checks columns: decides for each value of a column which engine checks it.
 *
 *     2,048 rows ──► DFA in batch ──unknown──► scalar DFA ──unknown──► PCRE2, plain ──gave up──► assay_pattern_settle
 *
 * Before the DFA exists, and for patterns without a DFA, PCRE2 checks all rows. assay_pattern_match
 * (assay_pattern_value.c) does the same for single values. Masks are computed in whole words: `failed` and `undecided`
 * are written once for each 64 rows. */
#include "Patterns/assay_pcre2.h"

/* If the DFA leaves most rows unknown, this number of words in sixteen go directly to PCRE2. */
enum { WORDS_WITHOUT = 15 };

/* The verdicts on 64 rows. */
typedef struct verdict_words {
    uint64_t failed, undecided;
} verdict_words;

/* Checks the values of `rows` in a block of up to 64, or all 64 if `all`, by PCRE2. One function for both engines:
 * `jit` and `all` are constants in the three functions below, so that the compiler specializes the loop, which contains
 * no decisions. Returns the verdicts, because addresses of masks would occupy registers in the loop: one more
 * instruction for each value. */
static inline __attribute__((always_inline)) verdict_words match_rows(const assay_pattern *pattern,
                                                                      assay_scratch *scratch,
                                                                      const assay_column_view *block, uint64_t rows,
                                                                      bool all, bool jit)
{
    const uint8_t *bytes = block->bytes;
    const assay_cell *cells = block->cells;
    const assay_form *form = assay_pattern_form(pattern);
    const pcre2_code *code = form->code;
    pcre2_match_data *match_data = scratch->match_data;
    pcre2_match_context *context = scratch->context;
    assay_scratch_for(scratch, form);
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
        /* All negative codes count as failed, until one of the rare codes below NOMATCH is settled. */
        failed_word |= (uint64_t)(rc < 0) << bit;
        if (__builtin_expect(rc < PCRE2_ERROR_NOMATCH, 0)) {
            rc = assay_pattern_settle(pattern, scratch, bytes + cells[bit].start, cells[bit].length, rc);
            failed_word &= ~((uint64_t)(rc != PCRE2_ERROR_NOMATCH) << bit);
            undecided_word |= (uint64_t)(rc < PCRE2_ERROR_NOMATCH) << bit;
        }
    }
    return (verdict_words){failed_word, undecided_word};
}

/* The same under a budget. */
static __attribute__((noinline)) verdict_words match_charged(const assay_pattern *pattern, assay_scratch *scratch,
                                                             const assay_column_view *block, uint64_t rows)
{
    verdict_words words = {0, 0};
    for (; rows != 0; rows &= rows - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(rows);
        const assay_cell *cell = &block->cells[bit];
        const int rc = assay_pattern_match_charged(pattern, scratch, block->bytes + cell->start, cell->length);
        words.failed |= (uint64_t)(rc == PCRE2_ERROR_NOMATCH) << bit;
        if (rc >= PCRE2_ERROR_NOMATCH) continue;
        words.undecided |= (uint64_t)1 << bit;
        if (scratch->lease.is_spent && scratch->lease.stopped_at == NULL) scratch->lease.stopped_at = cell;
    }
    return words;
}

typedef verdict_words match_block(const assay_pattern *pattern, assay_scratch *scratch, const assay_column_view *block,
                                  uint64_t rows);

/* The three forms are not inlined, because they would compete for registers. A call has 64 rows. */
static __attribute__((noinline)) verdict_words match_all_by_jit(const assay_pattern *pattern, assay_scratch *scratch,
                                                                const assay_column_view *block, uint64_t rows)
{
    return match_rows(pattern, scratch, block, rows, true, true);
}

static __attribute__((noinline)) verdict_words match_some_by_jit(const assay_pattern *pattern, assay_scratch *scratch,
                                                                 const assay_column_view *block, uint64_t rows)
{
    return match_rows(pattern, scratch, block, rows, false, true);
}

static __attribute__((noinline)) verdict_words match_by_interpreter(const assay_pattern *pattern,
                                                                    assay_scratch *scratch,
                                                                    const assay_column_view *block, uint64_t rows)
{
    return match_rows(pattern, scratch, block, rows, false, false);
}

/* Checks the values of `rows` in a block of up to 64 by PCRE2 (`match`). A search first skips to the place at which
 * a match may begin, and calls the DFA, which may decide the rest of a value although it does not decide the whole
 * value. */
static verdict_words match_rests(const assay_pattern *pattern, const assay_plan *plan, assay_scratch *scratch,
                                 const assay_column_view *block, uint64_t rows, match_block *match)
{
    if (rows == 0) return (verdict_words){0, 0};
    if (!plan->skips) return match(pattern, scratch, block, rows);
    assay_cell rests[64];
    uint64_t failed = 0;
    uint64_t unknown = 0;
    for (uint64_t left = rows; left != 0; left &= left - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(left);
        const assay_cell cell = block->cells[row];
        size_t start;
        dfa_answer answer =
            assay_lazy_search(plan->lazy, plan->confirms, block->bytes + cell.start, cell.length, cell.length, &start);
        if (answer == DFA_UNKNOWN) {
            rests[row] = (assay_cell){cell.start + (uint32_t)start, cell.length - (uint32_t)start};
            if (plan->dfa != NULL) {
                answer = assay_dfa_match(plan->dfa, block->bytes + rests[row].start, rests[row].length);
            }
        }
        failed |= (uint64_t)(answer == DFA_FAIL) << row;
        unknown |= (uint64_t)(answer == DFA_UNKNOWN) << row;
    }
    if (unknown == 0) return (verdict_words){failed, 0};
    const assay_column_view some = {.bytes = block->bytes, .cells = rests, .count = block->count};
    const assay_cell *stopped_at = scratch->lease.stopped_at;
    verdict_words verdicts = match(pattern, scratch, &some, unknown);
    verdicts.failed |= failed;
    if (scratch->lease.stopped_at != stopped_at) {
        /* The budget ended at one of these remainders, which exist only during this call. */
        scratch->lease.stopped_at = block->cells + (scratch->lease.stopped_at - rests);
    }
    return verdicts;
}

/* Checks the rows of word `word` that the batch forms left unknown, by the scalar DFA. Returns the rows that remain for
 * PCRE2: those unknown to the DFA and, if `has_choice` (the DFA has no tables for columns), those for which PCRE2 is
 * expected to be faster. */
static uint64_t match_unknown(const assay_plan *plan, const assay_column_view *column, size_t word, uint64_t unknown,
                              bool has_choice, uint64_t *failed)
{
    const assay_cell *cells = column->cells + 64 * word;
    uint64_t failed_word = 0;
    uint64_t still_unknown = 0;
    for (; unknown != 0; unknown &= unknown - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(unknown);
        const size_t count = cells[row].length;
        dfa_answer answer = DFA_UNKNOWN;
        if (!has_choice || assay_plan_for_value(plan, count) == ENGINE_DFA) {
            answer = assay_dfa_match(plan->dfa, column->bytes + cells[row].start, count);
        }
        failed_word |= (uint64_t)(answer == DFA_FAIL) << row;
        still_unknown |= (uint64_t)(answer == DFA_UNKNOWN) << row;
    }
    failed[word] |= failed_word;
    return still_unknown;
}

/* Checks at most ASSAY_DFA_ROWS rows by the DFA, and unknown ones by PCRE2 (`match`). Returns the number of rows that
 * PCRE2 checked. */
static size_t match_by_dfa(const assay_pattern *pattern, const assay_plan *plan, assay_scratch *scratch,
                           const assay_column_view *column, match_block *match, assay_verdict_masks verdicts)
{
    const assay_dfa *dfa = plan->dfa;
    uint64_t *failed = verdicts.failed, *undecided = verdicts.undecided;
    size_t unknown_rows = 0;
    /* Until the loop below processes its word, `undecided` contains the rows that are still unknown. */
    const bool can_match_rows = assay_dfa_can_match_rows(dfa);
    if (can_match_rows) {
        assay_dfa_match_rows(dfa, column, failed, undecided);
    } else {
        for (size_t word = 0; word * 64 < column->count; word++) {
            failed[word] = 0;
            undecided[word] = assay_column_rest(column, word);
        }
    }
    for (size_t word = 0; word * 64 < column->count; word++) {
        uint64_t unknown = undecided[word];
        if (unknown == 0) continue;
        unknown = match_unknown(plan, column, word, unknown, !can_match_rows, failed);
        undecided[word] = 0;
        if (unknown == 0) continue;
        const assay_column_view block = assay_column_part(column, 64 * word, 64);
        const verdict_words left = match_rests(pattern, plan, scratch, &block, unknown, match);
        failed[word] |= left.failed;
        undecided[word] = left.undecided;
        unknown_rows += (size_t)__builtin_popcountll(unknown);
    }
    return unknown_rows;
}

/* Announces the rows of a column and returns the plan, if there is one now. Values are counted only until the plan
 * exists; after that, a column announces all of its rows. NULL: PCRE2 checks them. */
static const assay_plan *expect_rows(const assay_pattern *pattern, assay_scratch *scratch,
                                     const assay_column_view *column)
{
    const assay_plan *plan = assay_pattern_plan_so_far(pattern);
    if (plan != NULL) {
        if (plan->dfa != NULL) assay_dfa_expect_rows(plan->dfa, column->count);
        return plan;
    }
    const uint64_t *skip = column->skip;
    size_t values = 0;
    size_t bytes = 0;
    size_t longest = 0;
    for (size_t row = 0; row < column->count; row++) {
        if (skip != NULL && (skip[row / 64] >> (row % 64) & 1)) continue;
        const size_t length = column->cells[row].length;
        values++;
        bytes += length;
        if (length > longest) longest = length;
    }
    assay_pattern_expect(pattern, scratch, values, bytes, longest);
    return assay_pattern_plan_so_far(pattern);
}

/* Checks rows of word `word` by the lazy DFA, value by value, and charges the states that each value constructs. */
static verdict_words match_lazily_charged(const assay_pattern *pattern, const assay_plan *plan, assay_scratch *scratch,
                                          const assay_column_view *column, size_t word, uint64_t rows)
{
    const assay_column_view block = assay_column_part(column, 64 * word, 64);
    verdict_words words = {0, 0};
    for (; rows != 0; rows &= rows - 1) {
        const uint64_t row = rows & -rows;
        uint64_t unknown = row;
        if (!scratch->lease.is_spent) {
            const uint64_t before = assay_lazy_caches_work(scratch->caches);
            unknown = assay_lazy_match_rows(plan->lazy, plan->confirms, scratch->caches, column->bytes, block.cells,
                                            row, &words.failed);
            const uint64_t visited = assay_lazy_caches_work(scratch->caches) - before;
            assay_lease_spend_once(&scratch->lease, ASSAY_BUDGET_VISIT * visited);
        }
        const verdict_words left = match_rests(pattern, plan, scratch, &block, unknown, match_charged);
        words.failed |= left.failed;
        words.undecided |= left.undecided;
    }
    return words;
}

/* Checks a search word by word: by the lazy DFA, if `is_lazy`, and unknown values by PCRE2 (`match`). */
static void match_by_words(const assay_pattern *pattern, const assay_plan *plan, bool is_lazy, assay_scratch *scratch,
                           const assay_column_view *column, match_block *match, assay_verdict_masks verdicts)
{
    for (size_t word = 0; word * 64 < column->count; word++) {
        uint64_t rows = assay_column_rest(column, word);
        verdicts.failed[word] = 0;
        if (is_lazy && scratch->lease.budget != NULL) {
            const verdict_words found = match_lazily_charged(pattern, plan, scratch, column, word, rows);
            verdicts.failed[word] = found.failed;
            verdicts.undecided[word] = found.undecided;
            continue;
        }
        if (is_lazy) {
            rows = assay_lazy_match_rows(plan->lazy, plan->confirms, scratch->caches, column->bytes,
                                         column->cells + word * 64, rows, &verdicts.failed[word]);
        }
        const assay_column_view block = assay_column_part(column, 64 * word, 64);
        const verdict_words left = match_rests(pattern, plan, scratch, &block, rows, match);
        verdicts.failed[word] |= left.failed;
        verdicts.undecided[word] = left.undecided;
    }
    if (scratch->heap_may_be_large) assay_scratch_trim_heap(scratch);
}

bool assay_pattern_find_unmatched(const assay_pattern *pattern, assay_scratch *scratch, const assay_column_view *column,
                                  uint64_t *unmatched)
{
    const assay_plan *plan = expect_rows(pattern, scratch, column);
    if (plan == NULL || plan->dfa == NULL || !assay_dfa_can_match_rows(plan->dfa)) return false;
    uint64_t unknown[ASSAY_DFA_ROWS / 64];
    assay_dfa_match_rows(plan->dfa, column, unmatched, unknown);
    for (size_t word = 0; word * 64 < column->count; word++) unmatched[word] |= unknown[word];
    return true;
}

void assay_pattern_column(const assay_pattern *pattern, assay_scratch *scratch, const assay_column_view *column,
                          assay_verdict_masks verdicts)
{
    const bool jit = assay_pattern_form(pattern)->jit_size > 0;
    assay_scratch_make_jit_stack(scratch);
    match_block *match_all = jit ? match_all_by_jit : match_by_interpreter;
    match_block *match_some = jit ? match_some_by_jit : match_by_interpreter;
    if (scratch->lease.budget != NULL) match_all = match_some = match_charged;
    const assay_plan *plan = expect_rows(pattern, scratch, column);
    const pattern_engine engine =
        plan != NULL ? assay_plan_for_column(plan, assay_pattern_may_prefer_jit(pattern), column) : ENGINE_PCRE2;
    const bool is_lazy = engine == ENGINE_LAZY && assay_scratch_has_caches(scratch);
    if (is_lazy || (engine == ENGINE_PCRE2 && plan != NULL && plan->skips)) {
        match_by_words(pattern, plan, is_lazy, scratch, column, match_some, verdicts);
        return;
    }
    const bool has_dfa = plan != NULL && plan->dfa != NULL;
    /* If the DFA leaves most rows of a slice unknown, as in a column of long values, its time is wasted. It then checks
     * only one word in sixteen, until it decides most rows of such a word. */
    bool is_probing = false;
    size_t words_without = has_dfa ? 0 : SIZE_MAX;
    for (size_t row = 0; row < column->count;) {
        if (words_without > 0) {
            words_without--;
            const assay_column_view block = assay_column_part(column, row, 64);
            const uint64_t rows = assay_column_rest(&block, 0);
            match_block *match = rows == UINT64_MAX ? match_all : match_some;
            const verdict_words found = match(pattern, scratch, &block, rows);
            verdicts.failed[row / 64] = found.failed;
            verdicts.undecided[row / 64] = found.undecided;
            row += 64;
        } else {
            const assay_column_view part = assay_column_part(column, row, is_probing ? 64 : ASSAY_DFA_ROWS);
            const size_t unknown =
                match_by_dfa(pattern, plan, scratch, &part, match_some, assay_verdict_masks_from(verdicts, row));
            is_probing = unknown > part.count / 2 && assay_dfa_can_match_rows(plan->dfa);
            if (is_probing) words_without = WORDS_WITHOUT;
            row += part.count;
        }
    }
    if (scratch->heap_may_be_large) assay_scratch_trim_heap(scratch);
}
