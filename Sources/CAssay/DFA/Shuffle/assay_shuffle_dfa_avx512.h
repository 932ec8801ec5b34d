/* assay_shuffle_dfa_avx512.h: runs 64 values through a shuffle DFA, one byte of each per step, in one register.
 * Included by assay_kernels_avx512.c.
 *
 * The steps are those of assay_shuffle_dfa_avx2.h. VBMI makes the lookups wider: one instruction looks up 64 bytes in a
 * table of 64 entries (VPERMB) or 128 (VPERMI2B), so bytes map to symbols without nibble maps, there may be 63 symbols,
 * and a step takes one or two lookups. Symbols are transposed as whole bytes: register i holds byte i of 64 rows. */

#include <immintrin.h>

typedef __m512i layer_bytes;

#include "DFA/Shuffle/assay_shuffle_dfa_batch.h"

#define SHUFFLE_DFA_WIDTH shuffle_wide

/* Cells outside the request are masked out of the loads, so they need not be replaced first. */
enum { layer_locates_all = false };

/* Two batches run in parallel. In each, the lookups of a layer wait for those of the previous layer, but not for the
 * other batch. */
enum { layer_batches = 2 };

enum { layer_registers = layer_rows / 8 };

BLOCK_INLINE __m256i layer_load(const void *bytes) { return _mm256_loadu_si256((const __m256i *)bytes); }

BLOCK_INLINE __m512i layer_load_all(const void *bytes) { return _mm512_loadu_si512(bytes); }

BLOCK_INLINE __m128i layer_load_quarter(const void *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }

/* Returns the maximum of 64 bytes. */
BLOCK_INLINE size_t layer_greatest(__m512i bytes)
{
    const __m256i half = _mm256_max_epu8(_mm512_castsi512_si256(bytes), _mm512_extracti64x4_epi64(bytes, 1));
    __m128i max = _mm_max_epu8(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    max = _mm_max_epu8(max, _mm_srli_epi16(max, 8));
    /* PHMINPOSUW finds the minimum of eight words, so its input is the complements. */
    const __m128i complement = _mm_andnot_si128(max, _mm_set1_epi16(0xFF));
    return 0xFF - (size_t)_mm_cvtsi128_si32(_mm_minpos_epu16(complement)) % 0x100;
}

/* Loads eight cells. Only those of `known` may be read; the others become `one`. Masked loads do not fault. */
BLOCK_INLINE __m512i layer_load_cells(const assay_cell *cells, uint64_t known, __m512i one)
{
    return _mm512_mask_loadu_epi64(one, (__mmask8)known, (const void *)cells);
}

/* Computes ends, sizes and lengths of 64 values. Only the cells of `known` (at least one) can be read; the first known
 * cell replaces the others. Values longer than layers->longest are left. Returns whether some loads must be redirected
 * (layer_read_elsewhere). */
BLOCK_INLINE bool layer_locate(const assay_shuffle_dfa *layers, const assay_cell *cells, uint64_t known,
                               layer_batch *batch)
{
    int64_t first;
    memcpy(&first, cells + __builtin_ctzll(known), sizeof first);
    const __m512i one = _mm512_set1_epi64(first);
    const __m512i evens = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odds = _mm512_add_epi32(evens, _mm512_set1_epi32(1));
    __m128i quarters[4];
    unsigned is_elsewhere = 0;
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        const __m512i some = layer_load_cells(cells + 16 * i, known >> (16 * i), one);
        const __m512i others = layer_load_cells(cells + 16 * i + 8, known >> (16 * i + 8), one);
        const __m512i lengths = _mm512_permutex2var_epi32(some, odds, others);
        const __m512i ends = _mm512_add_epi32(_mm512_permutex2var_epi32(some, evens, others), lengths);
        const __m512i sizes = _mm512_and_si512(_mm512_add_epi32(lengths, _mm512_set1_epi32(layer_loaded - 1)),
                                               _mm512_set1_epi32(-layer_loaded));
        _mm512_storeu_si512(batch->ends + 16 * i, ends);
        _mm512_storeu_si512(batch->sizes + 16 * i, sizes);
        is_elsewhere |= (unsigned)_mm512_testn_epi32_mask(sizes, sizes);
        is_elsewhere |= (unsigned)_mm512_cmplt_epu32_mask(ends, sizes);
        quarters[i] = _mm512_cvtusepi32_epi8(lengths);
    }
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(quarters[0]), quarters[1], 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(quarters[2]), quarters[3], 1);
    batch->lengths = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    const uint64_t fits = _mm512_cmple_epu8_mask(batch->lengths, _mm512_set1_epi8((char)layers->longest));
    batch->is_left = ~fits;
    batch->segments =
        (layer_greatest(_mm512_maskz_mov_epi8(fits, batch->lengths)) + segment_layers - 1) / segment_layers;
    return is_elsewhere != 0;
}

/* Returns the rows with values of at least `bytes` bytes. */
BLOCK_INLINE uint64_t layer_at_least(const layer_batch *batch, size_t bytes)
{
    return _mm512_cmpge_epu8_mask(batch->lengths, _mm512_set1_epi8((char)bytes));
}

/* Loads sixteen bytes at each of four offsets, of rows 16 apart. */
BLOCK_INLINE __m512i layer_load_four(const uint8_t *bytes, const uint32_t *offsets)
{
    __m512i four = _mm512_castsi128_si512(layer_load_quarter(bytes + offsets[0]));
    four = _mm512_mask_broadcast_i32x4(four, 0x00F0, layer_load_quarter(bytes + offsets[16]));
    four = _mm512_mask_broadcast_i32x4(four, 0x0F00, layer_load_quarter(bytes + offsets[32]));
    return _mm512_mask_broadcast_i32x4(four, 0xF000, layer_load_quarter(bytes + offsets[48]));
}

/* Loads segments 2 * pair and 2 * pair + 1 of all values: the sixteen bytes that end 16 * pair bytes before the end of
 * each. Never reads more than fifteen bytes before a value; a value too short for these segments gets bytes of a later
 * segment, which have no effect before it begins. Register i has the alternating bytes of rows i and i + 8 of each
 * sixteen, so that the transposition orders them. */
BLOCK_INLINE void layer_load_pair(const uint8_t *bytes, const layer_batch *batch, size_t pair,
                                  __m512i (*segments)[layer_registers])
{
    const __m512i before_end = _mm512_set1_epi32((int)((pair + 1) * layer_loaded));
    uint32_t offsets[layer_rows];
#pragma GCC unroll 4
    for (size_t row = 0; row < layer_rows; row += 16) {
        const __m512i back = _mm512_min_epu32(layer_load_all(batch->sizes + row), before_end);
        _mm512_storeu_si512(offsets + row, _mm512_sub_epi32(layer_load_all(batch->ends + row), back));
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < layer_registers; i++) {
        const __m512i one = layer_load_four(bytes, offsets + i);
        const __m512i other = layer_load_four(bytes, offsets + i + layer_registers);
        segments[0][i] = _mm512_unpackhi_epi8(one, other);
        segments[1][i] = _mm512_unpacklo_epi8(one, other);
    }
}

/* Maps bytes to symbols: one lookup in 128 entries, and another one for non-ASCII bytes. `all_ascii` is a constant in
 * each caller. */
BLOCK_INLINE __m512i layer_find_symbols(const assay_shuffle_dfa *layers, bool all_ascii, __m512i bytes)
{
    const uint8_t *symbol_of = layers->symbol_of;
    const __m512i symbols = _mm512_permutex2var_epi8(layer_load_all(symbol_of), bytes, layer_load_all(symbol_of + 64));
    if (all_ascii) return symbols;
    const __m512i others =
        _mm512_permutex2var_epi8(layer_load_all(symbol_of + 128), bytes, layer_load_all(symbol_of + 192));
    return _mm512_mask_mov_epi8(symbols, _mm512_movepi8_mask(bytes), others);
}

/* A step of the transposition. Of two registers whose numbers differ by `distance`, the first gets the alternating
 * bytes of their lower halves, and the second those of their upper halves. */
BLOCK_INLINE void layer_interleave(const __m512i *from, size_t distance, __m512i *to)
{
#pragma GCC unroll 8
    for (size_t i = 0; i < layer_registers; i++) {
        if ((i & distance) != 0) continue;
        to[i] = _mm512_unpacklo_epi8(from[i], from[i + distance]);
        to[i + distance] = _mm512_unpackhi_epi8(from[i], from[i + distance]);
    }
}

/* Maps a segment to symbols and transposes it: symbols[i] holds for each of 64 rows the symbol of layer i of the
 * segment, counted from its first byte. Returns whether some bytes, perhaps before a value, are not ASCII, if values
 * with such bytes are left. */
BLOCK_INLINE bool layer_classify(const assay_shuffle_dfa *layers, const __m512i *bytes, __m512i *symbols)
{
    __m512i all = bytes[0];
#pragma GCC unroll 8
    for (size_t i = 1; i < layer_registers; i++) all = _mm512_or_si512(all, bytes[i]);
    const bool all_ascii = _mm512_movepi8_mask(all) == 0;
    __m512i one[layer_registers];
    __m512i other[layer_registers];
    if (all_ascii) {
#pragma GCC unroll 8
        for (size_t i = 0; i < layer_registers; i++) one[i] = layer_find_symbols(layers, true, bytes[i]);
    } else {
#pragma GCC unroll 8
        for (size_t i = 0; i < layer_registers; i++) one[i] = layer_find_symbols(layers, false, bytes[i]);
    }
    layer_interleave(one, 4, other);
    layer_interleave(other, 2, one);
    layer_interleave(one, 1, symbols);
    return !all_ascii && layers->only_ascii;
}

/* Returns the rows with non-ASCII bytes in a segment, without bytes before a value begins. Not inlined, because it is
 * rare. */
__attribute__((noinline)) BLOCK_TARGET static uint64_t layer_find_non_ascii(const __m512i *symbols, size_t segment,
                                                                            __m512i lengths)
{
    uint64_t others = 0;
    for (size_t i = 0; i < segment_layers; i++) {
        const __m512i layer = _mm512_set1_epi8((char)((segment + 1) * segment_layers - i));
        others |= _mm512_cmpeq_epi8_mask(symbols[i], _mm512_set1_epi8(wide_non_ascii_symbol)) &
                  _mm512_cmpge_epu8_mask(lengths, layer);
    }
    return others;
}

/* Looks up the states at the indices of a step. With 4 or 8 tables an index that is too large is taken modulo 64 or
   128; the only such index is 255, which finds the last entry, state 0. `tables` is a constant in each caller. */
BLOCK_INLINE __m512i layer_look_up(const uint8_t (*table)[shuffle_entries], unsigned tables, __m512i index)
{
    const __m512i first = layer_load_all(table);
    if (tables == 4) return _mm512_permutexvar_epi8(index, first);
    const __m512i lower = _mm512_permutex2var_epi8(first, index, layer_load_all(table + 4));
    if (tables == 8) return lower;
    const __m512i upper = _mm512_permutex2var_epi8(layer_load_all(table + 8), index, layer_load_all(table + 12));
    return _mm512_mask_mov_epi8(lower, _mm512_movepi8_mask(index), upper);
}

/* Runs the eight layers of a segment, which have the same number of tables. In each, values of that length begin in its
 * start state; then all values step. Before a value begins, its lane is in state 0, which leads to state 0 of the next
 * layer for all bytes. */
BLOCK_INLINE void layer_run_segment(const assay_shuffle_dfa *layers, unsigned tables, size_t segment,
                                    const layer_batch *batches, size_t count, __m512i (*symbols)[segment_layers],
                                    __m512i *states)
{
    __m512i layer = _mm512_set1_epi8((char)((segment + 1) * segment_layers));
    const layer_step *step = &layers->steps[(segment + 1) * segment_layers];
#pragma GCC unroll 8
    for (size_t i = 0; i < segment_layers; i++, step--) {
        const __m512i start = _mm512_broadcast_i32x4(layer_load_quarter(step->start));
        const __m512i row_of = layer_load_all(step->row_of);
#pragma GCC unroll 2
        for (size_t batch = 0; batch < count; batch++) {
            const __mmask64 begins = _mm512_cmpeq_epi8_mask(batches[batch].lengths, layer);
            const __m512i here = _mm512_mask_mov_epi8(states[batch], begins, start);
            const __m512i index = _mm512_adds_epu8(here, _mm512_permutexvar_epi8(symbols[batch][i], row_of));
            states[batch] = layer_look_up(layers->tables + step->first_table, tables, index);
        }
        layer = _mm512_sub_epi8(layer, _mm512_set1_epi8(1));
    }
}

/* Runs the values of `count` batches (a constant in each caller) through `segments` segments, the longest layers first,
 * and sets their verdicts. If non-ASCII bytes may match, rows with such bytes are left to the lanes. */
BLOCK_INLINE void layer_run_batches(const assay_shuffle_dfa *layers, const uint8_t *bytes, layer_batch *batches,
                                    size_t count, size_t segments)
{
    __m512i states[layer_batches];
    for (size_t i = 0; i < count; i++) states[i] = _mm512_setzero_si512();
    for (size_t pair = (segments + 1) / 2; pair-- > 0;) {
        __m512i loaded[layer_batches][2][layer_registers];
        for (size_t i = 0; i < count; i++) layer_load_pair(bytes, &batches[i], pair, loaded[i]);
        for (size_t which = segments - 2 * pair > 1 ? 2 : 1; which-- > 0;) {
            const size_t segment = 2 * pair + which;
            __m512i symbols[layer_batches][segment_layers];
            for (size_t i = 0; i < count; i++) {
                if (layer_classify(layers, loaded[i][which], symbols[i])) {
                    batches[i].is_left |= layer_find_non_ascii(symbols[i], segment, batches[i].lengths);
                }
            }
            switch (layers->tables_of[segment]) {
            case 4:
                layer_run_segment(layers, 4, segment, batches, count, symbols, states);
                break;
            case 8:
                layer_run_segment(layers, 8, segment, batches, count, symbols, states);
                break;
            default:
                layer_run_segment(layers, 16, segment, batches, count, symbols, states);
                break;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        const __mmask64 begins = _mm512_testn_epi8_mask(batches[i].lengths, batches[i].lengths);
        const __m512i last = _mm512_mask_mov_epi8(states[i], begins, _mm512_set1_epi8((char)layers->steps[0].start[0]));
        batches[i].is_failed = _mm512_cmpeq_epi8_mask(last, _mm512_set1_epi8(layer_failed));
        batches[i].is_unknown = _mm512_cmpeq_epi8_mask(last, _mm512_set1_epi8(layer_unknown));
    }
}
