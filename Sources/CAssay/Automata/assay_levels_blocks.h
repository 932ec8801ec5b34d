/* assay_levels_blocks.h: which values of a column go through levels, 64 at a time. Included by assay_path_*.c after an
 * assay_levels_<path>.h, which gives level_place, level_at_least, level_load and level_go_through. */

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

/* Leaves out the few values that would take all others through more stretches than these have. */
BLOCK_INLINE void level_leave_longest(level_word *word, uint64_t asked)
{
    const uint64_t judged = asked & ~word->is_left;
    size_t stretches = word->stretches;
    while (stretches > 1) {
        const uint64_t longer = judged & level_at_least(word, (stretches - 1) * level_stretch + 1);
        const size_t spared = word->stretches - stretches + 1;
        if (block_count_ones(longer) > level_few_rows * spared) break;
        stretches--;
    }
    if (stretches == word->stretches) return;
    word->is_left |= level_at_least(word, stretches * level_stretch + 1);
    word->stretches = stretches;
}

/* 64 rows from the first of `cells` on; those of `known` can be read. Returns those of `asked` that it did not judge. */
BLOCK_INLINE uint64_t levels_judge_word(const assay_levels *levels, const uint8_t *bytes, const assay_cell *cells,
                                        uint64_t known, uint64_t asked, uint64_t *failed, uint64_t *open)
{
    level_word word;
    const bool some_elsewhere = level_place(levels, cells, known, &word);
    if (some_elsewhere && word.stretches > 0 && !level_read_elsewhere(&word)) return asked;
    if (2 * block_count_ones(asked & word.is_left) > block_count_ones(asked)) return asked;
    level_leave_longest(&word, asked);
    uint64_t are_failed = 0;
    uint64_t are_open = 0;
    level_go_through(levels, bytes, &word, &are_failed, &are_open);
    *failed |= asked & ~word.is_left & are_failed;
    *open |= asked & ~word.is_left & are_open;
    return asked & word.is_left;
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

/* Takes the prefixes from 64 values: `rests` is what follows. Returns the rows that have one. Those of `unknown` may. */
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
        *unknown &= ~begun;
    }
    return begun;
}

BLOCK_TARGET static void levels_judge_blocks(const assay_levels *levels, const uint8_t *bytes, const assay_cell *cells,
                                             size_t count, uint64_t *asked, uint64_t *failed, uint64_t *open)
{
    for (size_t word = 0; word * level_rows < count; word++) {
        const uint64_t rows = asked[word];
        if (block_count_ones(rows) < level_fewest) continue;
        const assay_cell *here = cells + word * level_rows;
        uint64_t known = rows;
        uint64_t begun = rows;
        uint64_t unknown = 0;
        assay_cell replaced[level_rows];
        assay_cell rests[level_rows];
        if (level_places_all || levels->prefixes.count > 0) {
            here = level_asked_cells(here, count - word * level_rows, rows, replaced);
            known = UINT64_MAX;
        }
        if (levels->prefixes.count > 0) {
            begun &= level_take_prefixes(levels, bytes, here, rests, &unknown);
            unknown &= rows;
            failed[word] |= rows & ~begun & ~unknown;
            here = rests;
        }
        asked[word] = unknown | levels_judge_word(levels, bytes, here, known, begun, &failed[word], &open[word]);
        /* If they are not for most values here, neither will they be for the next ones. */
        if (2 * block_count_ones(asked[word]) > block_count_ones(rows)) return;
    }
}
