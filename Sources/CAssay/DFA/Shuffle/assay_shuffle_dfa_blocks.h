/* assay_shuffle_dfa_blocks.h: which values of a column go through levels, 64 at a time. Included by assay_kernels_*.c after an
 * assay_shuffle_dfa_<path>.h, which gives level_words, level_place, level_at_least, level_load and level_go_through. */

/* 64 cells of which only those of `asked`, at least one, are known to be any: the others become like the first of these. `left`
 * are there at all. */
BLOCK_INLINE const assay_cell *level_asked_cells(const assay_cell *cells, size_t left, uint64_t asked,
                                                 assay_cell *replaced)
{
    if (asked == UINT64_MAX) return cells;
    memcpy(replaced, cells, (left < level_rows ? left : level_rows) * sizeof *cells);
    const assay_cell one = cells[__builtin_ctzll(asked)];
    for (uint64_t others = ~asked; others != 0; others &= others - 1) replaced[__builtin_ctzll(others)] = one;
    return replaced;
}

/* The first eight bytes of a value, of a shorter one followed by zeros. */
BLOCK_INLINE uint64_t level_first_bytes(const uint8_t *bytes, assay_cell cell)
{
    const size_t count = cell.length < prefix_longest ? cell.length : prefix_longest;
    const size_t end = cell.start + count;
    uint64_t first = 0;
    if (__builtin_expect(count == 0, 0)) return first;
    if (__builtin_expect(end < prefix_longest, 0)) {
        memcpy(&first, bytes + cell.start, count);
        return first;
    }
    memcpy(&first, bytes + end - prefix_longest, sizeof first);
    return first >> (8 * (prefix_longest - count));
}

/* Takes the prefixes from 64 values: `rests` is what follows. Returns the rows that have one. Others of `unknown` may. */
BLOCK_TARGET static uint64_t level_take_prefixes(const assay_levels *levels, const uint8_t *bytes,
                                                 const assay_cell *cells, assay_cell *rests, uint64_t *unknown)
{
    const assay_prefixes *prefixes = &levels->prefixes;
    uint64_t first[level_rows];
#pragma GCC unroll 4
    for (size_t row = 0; row < level_rows; row++) first[row] = level_first_bytes(bytes, cells[row]);
    uint64_t begun = 0;
    *unknown = 0;
    for (size_t row = 0; row < level_rows; row += 4) {
        const __m256i here = level_load(first + row);
        __m256i lengths = _mm256_setzero_si256();
        for (unsigned i = 0; i < prefixes->count; i++) {
            const __m256i masked = _mm256_and_si256(here, _mm256_set1_epi64x((int64_t)prefixes->masks[i]));
            const __m256i equal = _mm256_cmpeq_epi64(masked, _mm256_set1_epi64x((int64_t)prefixes->words[i]));
            lengths = _mm256_or_si256(lengths, _mm256_and_si256(equal, _mm256_set1_epi64x(prefixes->lengths[i])));
        }
        const __m256i has_none = _mm256_cmpeq_epi64(lengths, _mm256_setzero_si256());
        /* A cell has its start in the lower half and its length in the upper one. */
        const __m256i moved = _mm256_sub_epi64(lengths, _mm256_slli_epi64(lengths, 32));
        _mm256_storeu_si256((__m256i *)(void *)(rests + row), _mm256_add_epi64(level_load(cells + row), moved));
        begun |= (uint64_t)(~(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(has_none)) & 15) << row;
    }
    if (levels->only_ascii && begun != UINT64_MAX) {
        for (size_t row = 0; row < level_rows; row++) {
            *unknown |= (uint64_t)((first[row] & UINT64_C(0x8080808080808080)) != 0) << row;
        }
    }
    return begun;
}

/* Finds which of 64 values, of which those of `word->asked` can be read, go through levels, and where they stand. false: none
 * do, and what can be said of them is said. */
BLOCK_INLINE bool level_prepare(const assay_levels *levels, const uint8_t *bytes, const assay_cell *cells, size_t left,
                                level_word *word)
{
    uint64_t known = word->asked;
    assay_cell replaced[level_rows];
    assay_cell rests[level_rows];
    word->begun = word->asked;
    word->failed = 0;
    if (level_places_all || levels->prefixes.count > 0) {
        cells = level_asked_cells(cells, left, word->asked, replaced);
        known = UINT64_MAX;
    }
    if (levels->prefixes.count > 0) {
        uint64_t unknown;
        word->begun &= level_take_prefixes(levels, bytes, cells, rests, &unknown);
        word->failed = word->asked & ~word->begun & ~unknown;
        cells = rests;
    }
    const bool some_elsewhere = level_place(levels, cells, known, word);
    const bool most_fit = 2 * block_count_ones(word->begun & word->is_left) <= block_count_ones(word->begun);
    if (most_fit && word->stretches == 0) {
        /* All are empty: there is nothing to read. */
        word->is_failed = levels->steps[0].start[0] == level_failed ? UINT64_MAX : 0;
        word->is_open = levels->steps[0].start[0] == level_open ? UINT64_MAX : 0;
        return false;
    }
    if (most_fit && (!some_elsewhere || level_read_elsewhere(word))) return true;
    word->is_left = UINT64_MAX;
    return false;
}

/* Leaves out the few values that would take all others through more stretches than these have. Returns how many these have. */
BLOCK_INLINE size_t level_leave_longest(level_word *words, size_t count)
{
    size_t stretches = 0;
    for (size_t i = 0; i < count; i++) {
        if (words[i].stretches > stretches) stretches = words[i].stretches;
    }
    size_t enough = stretches;
    while (enough > 1) {
        size_t longer = 0;
        for (size_t i = 0; i < count; i++) {
            const uint64_t judged = words[i].begun & ~words[i].is_left;
            longer += block_count_ones(judged & level_at_least(&words[i], (enough - 1) * level_stretch + 1));
        }
        if (longer > count * level_few_rows * (stretches - enough + 1)) break;
        enough--;
    }
    if (enough == stretches) return stretches;
    for (size_t i = 0; i < count; i++) words[i].is_left |= level_at_least(&words[i], enough * level_stretch + 1);
    return enough;
}

/* Takes over the verdicts of 64 values. Returns whether most were judged. */
BLOCK_INLINE bool level_settle(const level_word *word, uint64_t *asked, uint64_t *failed, uint64_t *open)
{
    const uint64_t judged = word->begun & ~word->is_left;
    const uint64_t left = word->asked & ~word->failed & ~judged;
    asked[word->number] = left;
    failed[word->number] |= word->failed | (judged & word->is_failed);
    open[word->number] |= judged & word->is_open;
    return 2 * block_count_ones(left) <= block_count_ones(word->asked);
}

/* `count` words, a constant: each case has code of its own. */
BLOCK_INLINE bool level_judge(const assay_levels *levels, const uint8_t *bytes, level_word *words, size_t count,
                              uint64_t *asked, uint64_t *failed, uint64_t *open)
{
    level_go_through(levels, bytes, words, count, level_leave_longest(words, count));
    bool most = true;
    for (size_t i = 0; i < count; i++) most &= level_settle(&words[i], asked, failed, open);
    return most;
}

BLOCK_TARGET static void levels_judge_blocks(const assay_levels *levels, const uint8_t *bytes, const assay_cell *cells,
                                             size_t count, uint64_t *asked, uint64_t *failed, uint64_t *open)
{
    level_word words[level_words];
    size_t ready = 0;
    /* If they are not for most values here, neither will they be for the next ones. */
    bool are_for_most = true;
    for (size_t number = 0; number * level_rows < count && are_for_most; number++) {
        if (block_count_ones(asked[number]) < level_fewest) continue;
        level_word *word = &words[ready];
        word->number = number;
        word->asked = asked[number];
        const size_t first = number * level_rows;
        if (!level_prepare(levels, bytes, cells + first, count - first, word)) {
            are_for_most = level_settle(word, asked, failed, open);
        } else if (++ready == level_words) {
            are_for_most = level_judge(levels, bytes, words, level_words, asked, failed, open);
            ready = 0;
        }
    }
    if (level_words > 1 && ready > 0) level_judge(levels, bytes, words, 1, asked, failed, open);
}
