/* assay_shuffle_dfa_blocks.h: runs the values of a column through a shuffle DFA, 64 at a time. Included by
 * assay_kernels_table.h after an assay_shuffle_dfa_<path>.h, which defines layer_batches, layer_locate, layer_at_least,
 * layer_load and layer_run_batches.
 *
 *     64 cells ──► layer_prepare          compare literal prefixes; find ends and lengths
 *              ──► layer_leave_longest    leave a few long values to the lanes
 *              ──► layer_run_batches      load, transpose, classify, step (per path)
 *              ──► layer_settle           write verdicts, keep the rest in `requested`
 *
 * All decisions are for 64 values together, and if most values of a word cannot be checked in this way, the rest of the
 * column is left to the lanes. */

/* Returns 64 cells that may all be read. Only those selected in `requested` (at least one) are valid; the first valid
   cell replaces the others, in the copy `replaced`. `left` cells exist in memory. */
BLOCK_INLINE const assay_cell *layer_requested_cells(const assay_cell *cells, size_t left, uint64_t requested,
                                                     assay_cell *replaced)
{
    if (requested == UINT64_MAX) return cells;
    memcpy(replaced, cells, (left < layer_rows ? left : layer_rows) * sizeof *cells);
    const assay_cell one = cells[__builtin_ctzll(requested)];
    for (uint64_t others = ~requested; others != 0; others &= others - 1) replaced[__builtin_ctzll(others)] = one;
    return replaced;
}

/* Loads the first eight bytes of a value; a shorter one is padded with zeros. Reads within the buffer but, for a short
   value, before its start: the load ends with the value and is shifted. */
BLOCK_INLINE uint64_t layer_first_bytes(const uint8_t *bytes, assay_cell cell)
{
    const size_t count = cell.length < literal_prefix_longest ? cell.length : literal_prefix_longest;
    const size_t end = cell.start + count;
    uint64_t first = 0;
    if (__builtin_expect(count == 0, 0)) return first;
    if (__builtin_expect(end < literal_prefix_longest, 0)) {
        memcpy(&first, bytes + cell.start, count);
        return first;
    }
    memcpy(&first, bytes + end - literal_prefix_longest, sizeof first);
    return first >> (8 * (literal_prefix_longest - count));
}

/* Compares the first bytes of 64 values with the literal prefixes, four values per register, and writes the cells of
 * the rests to `rests`. Returns the rows that have a prefix. A row of *unknown has non-ASCII bytes among its first
 * ones, so without a prefix it may still match.
 *
 *     cell     {start 40, length 21}     https://example.org/a
 *     rest     {start 48, length 13}     example.org/a             start + 8, length − 8: one 64-bit addition */
BLOCK_TARGET static uint64_t layer_take_prefixes(const assay_shuffle_dfa *layers, const uint8_t *bytes,
                                                 const assay_cell *cells, assay_cell *rests, uint64_t *unknown)
{
    const assay_literal_prefixes *prefixes = &layers->prefixes;
    uint64_t first[layer_rows];
#pragma GCC unroll 4
    for (size_t row = 0; row < layer_rows; row++) first[row] = layer_first_bytes(bytes, cells[row]);
    uint64_t begun = 0;
    *unknown = 0;
    for (size_t row = 0; row < layer_rows; row += 4) {
        const __m256i here = layer_load(first + row);
        __m256i lengths = _mm256_setzero_si256();
        for (unsigned i = 0; i < prefixes->count; i++) {
            const __m256i masked = _mm256_and_si256(here, _mm256_set1_epi64x((int64_t)prefixes->masks[i]));
            const __m256i equal = _mm256_cmpeq_epi64(masked, _mm256_set1_epi64x((int64_t)prefixes->literals[i]));
            lengths = _mm256_or_si256(lengths, _mm256_and_si256(equal, _mm256_set1_epi64x(prefixes->lengths[i])));
        }
        const __m256i has_none = _mm256_cmpeq_epi64(lengths, _mm256_setzero_si256());
        /* A cell is a 64-bit number with its start in the lower half and its length in the upper one (x86-64 is
           little-endian), so adding n − (n << 32) moves n bytes from one to the other. */
        const __m256i moved = _mm256_sub_epi64(lengths, _mm256_slli_epi64(lengths, 32));
        _mm256_storeu_si256((__m256i *)(void *)(rests + row), _mm256_add_epi64(layer_load(cells + row), moved));
        begun |= (uint64_t)(~(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(has_none)) & 15) << row;
    }
    if (layers->non_ascii_may_match && begun != UINT64_MAX) {
        for (size_t row = 0; row < layer_rows; row++) {
            *unknown |= (uint64_t)((first[row] & UINT64_C(0x8080808080808080)) != 0) << row;
        }
    }
    return begun;
}

/* Fills a batch for 64 values. Only those of batch->asked are valid. Returns false if no value needs to run: either
 * their verdicts are known and in the batch, or most do not fit and all are left to the lanes. */
BLOCK_INLINE bool layer_prepare(const assay_shuffle_dfa *layers, const uint8_t *bytes, const assay_cell *cells,
                                size_t left, layer_batch *batch)
{
    uint64_t known = batch->requested;
    assay_cell replaced[layer_rows];
    assay_cell rests[layer_rows];
    batch->begun = batch->requested;
    batch->failed = 0;
    if (layer_locates_all || layers->prefixes.count > 0) {
        cells = layer_requested_cells(cells, left, batch->requested, replaced);
        known = UINT64_MAX;
    }
    if (layers->prefixes.count > 0) {
        uint64_t unknown;
        batch->begun &= layer_take_prefixes(layers, bytes, cells, rests, &unknown);
        batch->failed = batch->requested & ~batch->begun & ~unknown;
        cells = rests;
    }
    const bool some_elsewhere = layer_locate(layers, cells, known, batch);
    /* Whether the rows that fit are worth the segments, which run for all 64 rows. */
    const uint64_t fit = block_count_ones(batch->begun & ~batch->is_left);
    const bool most_fit = 2 * fit >= block_count_ones(batch->begun) && fit >= layer_few_rows * batch->segments;
    if (most_fit && batch->segments == 0) {
        /* All values are empty, so layer 0 has the verdict and no loads are necessary. */
        batch->is_failed = layers->steps[0].start[0] == layer_failed ? UINT64_MAX : 0;
        batch->is_unknown = layers->steps[0].start[0] == layer_unknown ? UINT64_MAX : 0;
        return false;
    }
    if (most_fit && (!some_elsewhere || layer_read_elsewhere(batch))) return true;
    batch->is_left = UINT64_MAX;
    return false;
}

/* All values of a batch run through the number of segments of the longest value. Leaves the longest values to the lanes
 * while the saved segments are worth it: at most layer_few_rows values of each 64 for each segment. Returns the number
 * of segments to run.
 *
 *     lengths of 63 values up to 16, one of 70     9 segments without, 2 segments with the long value left out */
BLOCK_INLINE size_t layer_leave_longest(layer_batch *batches, size_t count)
{
    size_t segments = 0;
    for (size_t i = 0; i < count; i++) {
        if (batches[i].segments > segments) segments = batches[i].segments;
    }
    size_t enough = segments;
    while (enough > 1) {
        size_t longer = 0;
        for (size_t i = 0; i < count; i++) {
            const uint64_t decided = batches[i].begun & ~batches[i].is_left;
            longer += block_count_ones(decided & layer_at_least(&batches[i], (enough - 1) * segment_layers + 1));
        }
        if (longer > count * layer_few_rows * (segments - enough + 1)) break;
        enough--;
    }
    if (enough == segments) return segments;
    for (size_t i = 0; i < count; i++) batches[i].is_left |= layer_at_least(&batches[i], enough * segment_layers + 1);
    return enough;
}

/* Writes the verdicts of 64 values and keeps the unchecked rows in `requested`. Returns whether at least half were
 * checked. */
BLOCK_INLINE bool layer_settle(const layer_batch *batch, uint64_t *requested, uint64_t *failed, uint64_t *unknown)
{
    const uint64_t decided = batch->begun & ~batch->is_left;
    const uint64_t left = batch->requested & ~batch->failed & ~decided;
    requested[batch->number] = left;
    failed[batch->number] |= batch->failed | (decided & batch->is_failed);
    unknown[batch->number] |= decided & batch->is_unknown;
    return 2 * block_count_ones(left) <= block_count_ones(batch->requested);
}

/* Runs `count` batches and settles them. `count` is a constant in each caller, so that loops over batches unroll. */
BLOCK_INLINE bool layer_match(const assay_shuffle_dfa *layers, const uint8_t *bytes, layer_batch *batches, size_t count,
                              uint64_t *requested, uint64_t *failed, uint64_t *unknown)
{
    layer_run_batches(layers, bytes, batches, count, layer_leave_longest(batches, count));
    bool settles_most = true;
    for (size_t i = 0; i < count; i++) settles_most &= layer_settle(&batches[i], requested, failed, unknown);
    return settles_most;
}

/* assay_kernels.shuffle_dfa_match. Full groups of layer_batches batches run together; a batch left at the end runs
   alone. */
BLOCK_TARGET static void shuffle_dfa_match_blocks(const assay_shuffle_dfa *layers, const assay_column_view *column,
                                                  uint64_t *requested, uint64_t *failed, uint64_t *unknown)
{
    const uint8_t *bytes = column->bytes;
    const size_t count = column->count;
    layer_batch batches[layer_batches];
    size_t ready = 0;
    /* If most values of one word cannot be checked this way, the following words of the column are assumed to be
     * similar. */
    bool settles_most = true;
    for (size_t number = 0; number * layer_rows < count && settles_most; number++) {
        if (block_count_ones(requested[number]) < layer_min_rows) continue;
        layer_batch *batch = &batches[ready];
        batch->number = number;
        batch->requested = requested[number];
        const size_t first = number * layer_rows;
        if (!layer_prepare(layers, bytes, column->cells + first, count - first, batch)) {
            settles_most = layer_settle(batch, requested, failed, unknown);
        } else if (++ready == layer_batches) {
            settles_most = layer_match(layers, bytes, batches, layer_batches, requested, failed, unknown);
            ready = 0;
        }
    }
    if (layer_batches > 1 && ready > 0) layer_match(layers, bytes, batches, 1, requested, failed, unknown);
}
