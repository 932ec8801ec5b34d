/* assay_shuffle_dfa_avx512.h: 64 values side by side through the levels of an automaton, one byte of each a step, in one register.
 * Included by assay_kernels_avx512.c. What differs from assay_shuffle_dfa_avx2.h: a step looks up 64 or 128 bytes at once, and so does
 * the way from bytes to symbols. */

#include <immintrin.h>

typedef __m512i level_bytes;

#include "DFA/Shuffle/assay_shuffle_dfa_batch.h"

enum { level_places_all = false };

/* Two words go down side by side: each level waits for the one before it, eight cycles or so, but not for the other word's. */
enum { level_words = 2 };

enum { level_registers = level_rows / 8 };

BLOCK_INLINE __m256i level_load(const void *bytes) { return _mm256_loadu_si256((const __m256i *)bytes); }

BLOCK_INLINE __m512i level_load_all(const void *bytes) { return _mm512_loadu_si512(bytes); }

BLOCK_INLINE __m128i level_load_quarter(const void *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }

BLOCK_INLINE size_t level_greatest(__m512i bytes)
{
    const __m256i half = _mm256_max_epu8(_mm512_castsi512_si256(bytes), _mm512_extracti64x4_epi64(bytes, 1));
    __m128i most = _mm_max_epu8(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    most = _mm_max_epu8(most, _mm_srli_epi16(most, 8));
    /* There is an instruction for the least of words, so it is asked for the least complement. */
    const __m128i complement = _mm_andnot_si128(most, _mm_set1_epi16(0xFF));
    return 0xFF - (size_t)_mm_cvtsi128_si32(_mm_minpos_epu16(complement)) % 0x100;
}

/* Eight cells, of which only those of `known` may be read; the others become `one`. */
BLOCK_INLINE __m512i level_load_cells(const assay_cell *cells, uint64_t known, __m512i one)
{
    return _mm512_mask_loadu_epi64(one, (__mmask8)known, (const void *)cells);
}

/* Finds where 64 values stand, of which only those of `known`, at least one, can be read; values of up to `longest` bytes are not
 * left. Returns whether some must be read elsewhere. */
BLOCK_INLINE bool level_place(const assay_levels *levels, const assay_cell *cells, uint64_t known, level_word *word)
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
        const __m512i some = level_load_cells(cells + 16 * i, known >> (16 * i), one);
        const __m512i others = level_load_cells(cells + 16 * i + 8, known >> (16 * i + 8), one);
        const __m512i lengths = _mm512_permutex2var_epi32(some, odds, others);
        const __m512i ends = _mm512_add_epi32(_mm512_permutex2var_epi32(some, evens, others), lengths);
        const __m512i sizes = _mm512_and_si512(_mm512_add_epi32(lengths, _mm512_set1_epi32(level_loaded - 1)),
                                               _mm512_set1_epi32(-level_loaded));
        _mm512_storeu_si512(word->ends + 16 * i, ends);
        _mm512_storeu_si512(word->sizes + 16 * i, sizes);
        is_elsewhere |= (unsigned)_mm512_testn_epi32_mask(sizes, sizes);
        is_elsewhere |= (unsigned)_mm512_cmplt_epu32_mask(ends, sizes);
        quarters[i] = _mm512_cvtusepi32_epi8(lengths);
    }
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(quarters[0]), quarters[1], 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(quarters[2]), quarters[3], 1);
    word->lengths = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    const uint64_t fits = _mm512_cmple_epu8_mask(word->lengths, _mm512_set1_epi8((char)levels->longest));
    word->is_left = ~fits;
    word->stretches = (level_greatest(_mm512_maskz_mov_epi8(fits, word->lengths)) + level_stretch - 1) / level_stretch;
    return is_elsewhere != 0;
}

/* Which values have at least so many bytes. */
BLOCK_INLINE uint64_t level_at_least(const level_word *word, size_t bytes)
{
    return _mm512_cmpge_epu8_mask(word->lengths, _mm512_set1_epi8((char)bytes));
}

/* Sixteen bytes from each of four places. */
BLOCK_INLINE __m512i level_load_four(const uint8_t *bytes, const uint32_t *places)
{
    __m512i four = _mm512_castsi128_si512(level_load_quarter(bytes + places[0]));
    four = _mm512_mask_broadcast_i32x4(four, 0x00F0, level_load_quarter(bytes + places[16]));
    four = _mm512_mask_broadcast_i32x4(four, 0x0F00, level_load_quarter(bytes + places[32]));
    return _mm512_mask_broadcast_i32x4(four, 0xF000, level_load_quarter(bytes + places[48]));
}

/* Loads the stretches 2 * pair and 2 * pair + 1 of all values, none from more than fifteen bytes before it; of shorter ones
 * what was loaded before they began. Register i has the rows 2 * i and 2 * i + 1 of each sixteen, so that they come out in order
 * when they are turned over. */
BLOCK_INLINE void level_load_pair(const uint8_t *bytes, const level_word *word, size_t pair,
                                  __m512i (*stretches)[level_registers])
{
    const __m512i before_end = _mm512_set1_epi32((int)((pair + 1) * level_loaded));
    uint32_t places[level_rows];
#pragma GCC unroll 4
    for (size_t row = 0; row < level_rows; row += 16) {
        const __m512i back = _mm512_min_epu32(level_load_all(word->sizes + row), before_end);
        _mm512_storeu_si512(places + row, _mm512_sub_epi32(level_load_all(word->ends + row), back));
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < level_registers; i++) {
        const __m512i even = level_load_four(bytes, places + 2 * i);
        const __m512i odd = level_load_four(bytes, places + 2 * i + 1);
        stretches[0][i] = _mm512_unpackhi_epi64(even, odd);
        stretches[1][i] = _mm512_unpacklo_epi64(even, odd);
    }
}

/* From two registers of eight rows, eight symbols each, to one of two symbols a byte. */
BLOCK_INLINE __m512i level_pack(__m512i one, __m512i two)
{
    const __m512i sixteens = _mm512_set1_epi16(0x1001);
    const __m512i by_pair = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    return _mm512_shuffle_epi8(
        _mm512_packus_epi16(_mm512_maddubs_epi16(one, sixteens), _mm512_maddubs_epi16(two, sixteens)), by_pair);
}

/* The symbols of eight rows, eight each. `all_ascii` is a constant: each case has code of its own. */
BLOCK_INLINE __m512i level_find_symbols(const assay_levels *levels, bool all_ascii, __m512i bytes)
{
    const __m512i symbols =
        _mm512_permutex2var_epi8(level_load_all(levels->symbol_of), bytes, level_load_all(levels->symbol_of + 64));
    if (all_ascii) return symbols;
    return _mm512_mask_mov_epi8(symbols, _mm512_movepi8_mask(bytes), _mm512_set1_epi8(level_other_symbol));
}

BLOCK_INLINE void level_map_all(const assay_levels *levels, bool all_ascii, const __m512i *bytes, __m512i *rows)
{
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        rows[i] = level_pack(level_find_symbols(levels, all_ascii, bytes[2 * i]),
                             level_find_symbols(levels, all_ascii, bytes[2 * i + 1]));
    }
}

/* From registers of eight rows, eight bytes each, to registers of two symbols of each row. Returns whether some bytes, perhaps
 * before a value, are beyond ASCII. */
BLOCK_INLINE bool level_read(const assay_levels *levels, const __m512i *bytes, __m512i *pairs)
{
    __m512i all = bytes[0];
#pragma GCC unroll 8
    for (size_t i = 1; i < level_registers; i++) all = _mm512_or_si512(all, bytes[i]);
    const bool all_ascii = _mm512_movepi8_mask(all) == 0;
    __m512i rows[4];
    if (all_ascii) {
        level_map_all(levels, true, bytes, rows);
    } else {
        level_map_all(levels, false, bytes, rows);
    }
    const __m512i low_even = _mm512_unpacklo_epi32(rows[0], rows[1]);
    const __m512i low_odd = _mm512_unpackhi_epi32(rows[0], rows[1]);
    const __m512i high_even = _mm512_unpacklo_epi32(rows[2], rows[3]);
    const __m512i high_odd = _mm512_unpackhi_epi32(rows[2], rows[3]);
    pairs[0] = _mm512_unpacklo_epi64(low_even, high_even);
    pairs[1] = _mm512_unpackhi_epi64(low_even, high_even);
    pairs[2] = _mm512_unpacklo_epi64(low_odd, high_odd);
    pairs[3] = _mm512_unpackhi_epi64(low_odd, high_odd);
    return !all_ascii;
}

/* The symbols of one level in the lower half of each byte; the upper half has others. */
BLOCK_INLINE __m512i level_symbols_at(const __m512i *pairs, size_t place)
{
    return place % 2 == 0 ? pairs[place / 2] : _mm512_srli_epi16(pairs[place / 2], 4);
}

/* Which values have bytes beyond ASCII. */
__attribute__((noinline)) BLOCK_TARGET static uint64_t level_find_others(const __m512i *pairs, size_t stretch,
                                                                         __m512i lengths)
{
    uint64_t others = 0;
    for (size_t i = 0; i < level_stretch; i++) {
        const __m512i symbols = _mm512_and_si512(level_symbols_at(pairs, i), _mm512_set1_epi8(15));
        const __m512i level = _mm512_set1_epi8((char)((stretch + 1) * level_stretch - i));
        others |= _mm512_cmpeq_epi8_mask(symbols, _mm512_set1_epi8(level_other_symbol)) &
                  _mm512_cmpge_epu8_mask(lengths, level);
    }
    return others;
}

/* The classes at the places of a step; the last place of its tables has class 0. */
BLOCK_INLINE __m512i level_look_up(const uint8_t (*table)[level_entries], unsigned tables, __m512i place)
{
    const __m512i first = level_load_all(table);
    if (tables == 4) return _mm512_permutexvar_epi8(place, first);
    const __m512i lower = _mm512_permutex2var_epi8(first, place, level_load_all(table + 4));
    if (tables == 8) return lower;
    const __m512i upper = _mm512_permutex2var_epi8(level_load_all(table + 8), place, level_load_all(table + 12));
    return _mm512_mask_mov_epi8(lower, _mm512_movepi8_mask(place), upper);
}

/* Eight levels of one number of tables. */
BLOCK_INLINE void level_go_down(const assay_levels *levels, unsigned tables, size_t stretch, const level_word *words,
                                size_t count, __m512i (*symbols)[level_stretch / 2], __m512i *classes)
{
    __m512i level = _mm512_set1_epi8((char)((stretch + 1) * level_stretch));
    const level_step *step = &levels->steps[(stretch + 1) * level_stretch];
#pragma GCC unroll 8
    for (size_t i = 0; i < level_stretch; i++, step--) {
        const __m512i start = _mm512_broadcast_i32x4(level_load_quarter(step->start));
        /* Four times the same table, so that it does not matter what is in the upper half of the byte. */
        const __m512i place_of = _mm512_broadcast_i32x4(level_load_quarter(step->place_of));
#pragma GCC unroll 2
        for (size_t word = 0; word < count; word++) {
            const __mmask64 begins = _mm512_cmpeq_epi8_mask(words[word].lengths, level);
            const __m512i here = _mm512_mask_mov_epi8(classes[word], begins, start);
            const __m512i place =
                _mm512_adds_epu8(here, _mm512_permutexvar_epi8(level_symbols_at(symbols[word], i), place_of));
            classes[word] = level_look_up(levels->tables + step->first_table, tables, place);
        }
        level = _mm512_sub_epi8(level, _mm512_set1_epi8(1));
    }
}

/* Takes the values of `count` words, a constant, through so many stretches. Leaves out some with bytes beyond ASCII. */
BLOCK_INLINE void level_go_through(const assay_levels *levels, const uint8_t *bytes, level_word *words, size_t count,
                                   size_t stretches)
{
    __m512i classes[level_words];
    for (size_t i = 0; i < count; i++) classes[i] = _mm512_setzero_si512();
    for (size_t pair = (stretches + 1) / 2; pair-- > 0;) {
        __m512i loaded[level_words][2][level_registers];
        for (size_t i = 0; i < count; i++) level_load_pair(bytes, &words[i], pair, loaded[i]);
        for (size_t which = stretches - 2 * pair > 1 ? 2 : 1; which-- > 0;) {
            const size_t stretch = 2 * pair + which;
            __m512i symbols[level_words][level_stretch / 2];
            for (size_t i = 0; i < count; i++) {
                if (level_read(levels, loaded[i][which], symbols[i]) && levels->only_ascii) {
                    words[i].is_left |= level_find_others(symbols[i], stretch, words[i].lengths);
                }
            }
            switch (levels->tables_of[stretch]) {
            case 4:
                level_go_down(levels, 4, stretch, words, count, symbols, classes);
                break;
            case 8:
                level_go_down(levels, 8, stretch, words, count, symbols, classes);
                break;
            default:
                level_go_down(levels, 16, stretch, words, count, symbols, classes);
                break;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        const __mmask64 begins = _mm512_testn_epi8_mask(words[i].lengths, words[i].lengths);
        const __m512i last =
            _mm512_mask_mov_epi8(classes[i], begins, _mm512_set1_epi8((char)levels->steps[0].start[0]));
        words[i].is_failed = _mm512_cmpeq_epi8_mask(last, _mm512_set1_epi8(level_failed));
        words[i].is_open = _mm512_cmpeq_epi8_mask(last, _mm512_set1_epi8(level_open));
    }
}
