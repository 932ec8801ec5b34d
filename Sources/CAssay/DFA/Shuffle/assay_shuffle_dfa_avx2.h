/* assay_shuffle_dfa_avx2.h: 64 values side by side through the levels of an automaton, one byte of each a step. Included by
 * assay_kernels_avx2.c.
 *
 * Two stretches of eight bytes of each value are loaded at once. Each is turned over, so that a register holds the same byte
 * of 32 values:
 *
 *     row 0    ...2026-11     register 0    2 2 ...
 *     row 1    ...2025-12              1    0 0 ...
 *              ↑ 8 levels                   ... */
#include <immintrin.h>

typedef struct level_bytes {
    __m256i half[2];
} level_bytes;

#include "DFA/Shuffle/assay_shuffle_dfa_batch.h"

enum { level_places_all = true };

/* The halves of a word go down side by side; there are no registers for more. */
enum { level_words = 1 };

enum {
    level_half = 32,
    level_registers = level_half / 4,
};

BLOCK_INLINE __m256i level_load(const void *bytes) { return _mm256_loadu_si256((const __m256i *)bytes); }

BLOCK_INLINE __m256i level_table(const uint8_t *table)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

BLOCK_INLINE size_t level_greatest(__m256i bytes)
{
    __m128i most = _mm_max_epu8(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1));
    most = _mm_max_epu8(most, _mm_srli_epi16(most, 8));
    /* There is an instruction for the least of words, so it is asked for the least complement. */
    const __m128i complement = _mm_andnot_si128(most, _mm_set1_epi16(0xFF));
    return 0xFF - (size_t)_mm_cvtsi128_si32(_mm_minpos_epu16(complement)) % 0x100;
}

BLOCK_INLINE void level_store(uint32_t *numbers, __m256i eight)
{
    _mm256_storeu_si256((__m256i *)(void *)numbers, eight);
}

BLOCK_INLINE uint64_t level_mask(const __m256i *halves)
{
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(halves[0]) | (uint64_t)(uint32_t)_mm256_movemask_epi8(halves[1])
                                                                     << 32;
}

/* Finds where 64 values stand; those of up to `longest` bytes are not left. Returns whether some must be read elsewhere. */
BLOCK_INLINE bool level_place(const assay_levels *levels, const assay_cell *cells, uint64_t known, level_word *word)
{
    (void)known; /* all */
    const __m256i longest = _mm256_set1_epi8((char)levels->longest);
    const __m256i zero = _mm256_setzero_si256();
    __m256i most = zero;
    __m256i is_elsewhere = zero;
    __m256i fits[2];
#pragma GCC unroll 2
    for (size_t half = 0; half < 2; half++) {
        __m256i lengths[4];
#pragma GCC unroll 4
        for (size_t i = 0; i < 4; i++) {
            const size_t row = half * level_half + i * 8;
            const __m256i ends = cells_read(cells + row, &lengths[i]);
            const __m256i sizes = _mm256_and_si256(_mm256_add_epi32(lengths[i], _mm256_set1_epi32(level_loaded - 1)),
                                                   _mm256_set1_epi32(-level_loaded));
            level_store(word->ends + row, ends);
            level_store(word->sizes + row, sizes);
            const __m256i has_room = _mm256_cmpeq_epi32(_mm256_max_epu32(ends, sizes), ends);
            is_elsewhere = _mm256_or_si256(is_elsewhere, _mm256_cmpeq_epi32(sizes, zero));
            is_elsewhere = _mm256_or_si256(is_elsewhere, _mm256_cmpeq_epi32(has_room, zero));
            lengths[i] = _mm256_min_epu32(lengths[i], _mm256_set1_epi32(UINT8_MAX));
        }
        const __m256i bytes = _mm256_packus_epi16(_mm256_packus_epi32(lengths[0], lengths[1]),
                                                  _mm256_packus_epi32(lengths[2], lengths[3]));
        const __m256i in_order = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        fits[half] = _mm256_cmpeq_epi8(_mm256_min_epu8(in_order, longest), in_order);
        most = _mm256_max_epu8(most, _mm256_and_si256(fits[half], in_order));
        word->lengths.half[half] = in_order;
    }
    word->is_left = ~level_mask(fits);
    word->stretches = (level_greatest(most) + level_stretch - 1) / level_stretch;
    return !_mm256_testz_si256(is_elsewhere, is_elsewhere);
}

/* Which values have at least so many bytes. */
BLOCK_INLINE uint64_t level_at_least(const level_word *word, size_t bytes)
{
    const __m256i least = _mm256_set1_epi8((char)bytes);
    __m256i are[2];
#pragma GCC unroll 2
    for (size_t half = 0; half < 2; half++) {
        const __m256i lengths = word->lengths.half[half];
        are[half] = _mm256_cmpeq_epi8(_mm256_max_epu8(lengths, least), lengths);
    }
    return level_mask(are);
}

BLOCK_INLINE __m256i level_load_two(const uint8_t *one, const uint8_t *other)
{
    const __m128i lower = _mm_loadu_si128((const __m128i *)(const void *)one);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(lower), _mm_loadu_si128((const __m128i *)(const void *)other),
                                   1);
}

/* Loads the stretches 2 * pair and 2 * pair + 1 of all values, none from more than fifteen bytes before it; of shorter ones
 * what was loaded before they began. Register i of a half has the rows 2 * i, 2 * i + 1, 2 * i + 16 and 2 * i + 17 of it, so
 * that they come out in order when they are turned over. */
BLOCK_INLINE void level_load_pair(const uint8_t *bytes, const level_word *word, size_t pair,
                                  __m256i (*stretches)[2][level_registers])
{
    const __m256i before_end = _mm256_set1_epi32((int)((pair + 1) * level_loaded));
    uint32_t places[level_rows];
#pragma GCC unroll 8
    for (size_t row = 0; row < level_rows; row += 8) {
        const __m256i sizes = level_load(word->sizes + row);
        level_store(places + row, _mm256_sub_epi32(level_load(word->ends + row), _mm256_min_epu32(sizes, before_end)));
    }
#pragma GCC unroll 2
    for (size_t half = 0; half < 2; half++) {
#pragma GCC unroll 8
        for (size_t i = 0; i < level_registers; i++) {
            const uint32_t *place = places + half * level_half + 2 * i;
            const __m256i even = level_load_two(bytes + place[0], bytes + place[16]);
            const __m256i odd = level_load_two(bytes + place[1], bytes + place[17]);
            stretches[0][half][i] = _mm256_unpackhi_epi64(even, odd);
            stretches[1][half][i] = _mm256_unpacklo_epi64(even, odd);
        }
    }
}

BLOCK_INLINE __m256i level_upper_half(__m256i bytes)
{
    return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
}

/* The tables of a map, in registers. */
typedef struct level_lookup {
    __m256i lower;
    __m256i upper;
    __m256i by_lower_bits;
    __m256i by_upper_bits;
} level_lookup;

BLOCK_INLINE level_lookup level_lookup_of(const level_map *map)
{
    return (level_lookup){level_table(map->lower), level_table(map->upper), level_table(map->by_lower_bits),
                          level_table(map->by_upper_bits)};
}

/* The symbols of four rows, eight each. */
BLOCK_INLINE __m256i level_find_symbols(const level_lookup *lookup, bool few, __m256i bytes)
{
    const __m256i rectangles = _mm256_and_si256(_mm256_shuffle_epi8(lookup->lower, bytes),
                                                _mm256_shuffle_epi8(lookup->upper, level_upper_half(bytes)));
    if (few) return _mm256_shuffle_epi8(lookup->by_lower_bits, rectangles);
    const __m256i lower_bits = _mm256_and_si256(rectangles, _mm256_set1_epi8(15));
    return _mm256_or_si256(_mm256_shuffle_epi8(lookup->by_lower_bits, lower_bits),
                           _mm256_shuffle_epi8(lookup->by_upper_bits, level_upper_half(rectangles)));
}

/* From two registers of four rows, eight symbols each, to one of two symbols a byte. */
BLOCK_INLINE __m256i level_pack(__m256i one, __m256i two)
{
    const __m256i sixteens = _mm256_set1_epi16(0x1001);
    const __m256i by_pair = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, /* twice */
                                             0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm256_shuffle_epi8(
        _mm256_packus_epi16(_mm256_maddubs_epi16(one, sixteens), _mm256_maddubs_epi16(two, sixteens)), by_pair);
}

/* The symbols that a map knows, two a byte; of a later map besides those in `rows`. `few`: all rectangles are in the lower half.
 * Both are constants: each case has code of its own. */
BLOCK_INLINE void level_map_symbols(const level_map *map, bool few, bool is_later, const __m256i *bytes, __m256i *rows)
{
    const level_lookup lookup = level_lookup_of(map);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        const __m256i packed = level_pack(level_find_symbols(&lookup, few, bytes[2 * i]),
                                          level_find_symbols(&lookup, few, bytes[2 * i + 1]));
        rows[i] = is_later ? _mm256_or_si256(rows[i], packed) : packed;
    }
}

BLOCK_INLINE void level_map_all(const assay_levels *levels, const __m256i *bytes, __m256i *rows)
{
    const level_map *map = levels->map;
    if (map->rectangles <= level_rectangles / 2) {
        level_map_symbols(map, true, false, bytes, rows);
        return;
    }
    level_map_symbols(map, false, false, bytes, rows);
    for (const level_map *later = map + 1; later < map + levels->maps; later++) {
        if (later->rectangles <= level_rectangles / 2) {
            level_map_symbols(later, true, true, bytes, rows);
        } else {
            level_map_symbols(later, false, true, bytes, rows);
        }
    }
}

/* From registers of four rows, eight bytes each, to registers of two symbols of each row. Returns whether some bytes,
 * perhaps before a value, are beyond ASCII. */
BLOCK_TARGET static bool level_read(const assay_levels *levels, const __m256i *bytes, __m256i *pairs)
{
    __m256i rows[4];
    level_map_all(levels, bytes, rows);
    __m256i all = _mm256_setzero_si256();
#pragma GCC unroll 8
    for (size_t i = 0; i < level_registers; i++) all = _mm256_or_si256(all, bytes[i]);
    const bool has_other_bytes = _mm256_movemask_epi8(all) != 0;
    if (has_other_bytes) {
        const __m256i zero = _mm256_setzero_si256();
        const __m256i other = _mm256_set1_epi8(level_other_symbol);
        for (int i = 0; i < 4; i++) {
            rows[i] = _mm256_or_si256(rows[i],
                                      level_pack(_mm256_and_si256(_mm256_cmpgt_epi8(zero, bytes[2 * i]), other),
                                                 _mm256_and_si256(_mm256_cmpgt_epi8(zero, bytes[2 * i + 1]), other)));
        }
    }
    const __m256i low_even = _mm256_unpacklo_epi32(rows[0], rows[1]);
    const __m256i low_odd = _mm256_unpackhi_epi32(rows[0], rows[1]);
    const __m256i high_even = _mm256_unpacklo_epi32(rows[2], rows[3]);
    const __m256i high_odd = _mm256_unpackhi_epi32(rows[2], rows[3]);
    pairs[0] = _mm256_unpacklo_epi64(low_even, high_even);
    pairs[1] = _mm256_unpackhi_epi64(low_even, high_even);
    pairs[2] = _mm256_unpacklo_epi64(low_odd, high_odd);
    pairs[3] = _mm256_unpackhi_epi64(low_odd, high_odd);
    return has_other_bytes;
}

BLOCK_INLINE __m256i level_symbols_at(const __m256i *pairs, size_t place)
{
    const __m256i pair = pairs[place / 2];
    return _mm256_and_si256(place % 2 == 0 ? pair : _mm256_srli_epi16(pair, 4), _mm256_set1_epi8(15));
}

/* Which of 32 values have bytes beyond ASCII. */
__attribute__((noinline)) BLOCK_TARGET static uint32_t level_find_others(const __m256i *pairs, size_t stretch,
                                                                         __m256i lengths)
{
    __m256i others = _mm256_setzero_si256();
    for (size_t i = 0; i < level_stretch; i++) {
        const __m256i level = _mm256_set1_epi8((char)((stretch + 1) * level_stretch - i));
        const __m256i is_other = _mm256_cmpeq_epi8(level_symbols_at(pairs, i), _mm256_set1_epi8(level_other_symbol));
        const __m256i has_begun = _mm256_cmpeq_epi8(_mm256_max_epu8(lengths, level), lengths);
        others = _mm256_or_si256(others, _mm256_and_si256(is_other, has_begun));
    }
    return (uint32_t)_mm256_movemask_epi8(others);
}

/* What the table has where the upper four bits of the place are zero, and 0 elsewhere: a shuffle by a byte from 80 on gives 0. */
BLOCK_INLINE __m256i level_look_up(__m256i table, __m256i place)
{
    return _mm256_shuffle_epi8(table, _mm256_adds_epu8(place, _mm256_set1_epi8(0x70)));
}

/* Eight levels of one number of tables. */
BLOCK_INLINE void level_go_down(const assay_levels *levels, unsigned tables, size_t stretch, const __m256i *lengths,
                                __m256i (*symbols)[level_stretch / 2], __m256i *classes)
{
    __m256i level = _mm256_set1_epi8((char)((stretch + 1) * level_stretch));
    const level_step *step = &levels->steps[(stretch + 1) * level_stretch];
#pragma GCC unroll 8
    for (size_t i = 0; i < level_stretch; i++, step--) {
        const __m256i start = level_table(step->start);
        const __m256i place_of = level_table(step->place_of);
        const uint8_t(*table)[level_entries] = levels->tables + step->first_table;
        __m256i place[2];
#pragma GCC unroll 2
        for (size_t half = 0; half < 2; half++) {
            const __m256i begins = _mm256_cmpeq_epi8(lengths[half], level);
            const __m256i here = _mm256_or_si256(classes[half], _mm256_and_si256(begins, start));
            place[half] = _mm256_adds_epu8(here, _mm256_shuffle_epi8(place_of, level_symbols_at(symbols[half], i)));
        }
        level = _mm256_sub_epi8(level, _mm256_set1_epi8(1));
#pragma GCC unroll 16
        for (unsigned number = 0; number < tables; number++) {
            const __m256i here = level_table(table[number]);
            const __m256i first = _mm256_set1_epi8((char)(16 * number));
#pragma GCC unroll 2
            for (size_t half = 0; half < 2; half++) {
                /* A shuffle by a byte from 80 on gives 0: of few tables that is any place before the table, or none. */
                const __m256i found = tables > level_few_tables
                                          ? level_look_up(here, _mm256_xor_si256(place[half], first))
                                          : _mm256_shuffle_epi8(here, _mm256_sub_epi8(place[half], first));
                classes[half] = number == 0 ? found : _mm256_xor_si256(classes[half], found);
            }
        }
    }
}

typedef void level_down(const assay_levels *levels, size_t stretch, const __m256i *lengths,
                        __m256i (*symbols)[level_stretch / 2], __m256i *classes);

#define LEVEL_DOWN(tables)                                                                                             \
    BLOCK_TARGET static void level_down_##tables(const assay_levels *levels, size_t stretch, const __m256i *lengths,   \
                                                 __m256i(*symbols)[level_stretch / 2], __m256i *classes)               \
    {                                                                                                                  \
        level_go_down(levels, tables, stretch, lengths, symbols, classes);                                             \
    }
LEVEL_DOWN(1)
LEVEL_DOWN(2)
LEVEL_DOWN(3)
LEVEL_DOWN(4)
LEVEL_DOWN(5)
LEVEL_DOWN(6)
LEVEL_DOWN(7)
LEVEL_DOWN(8)
LEVEL_DOWN(12)
LEVEL_DOWN(16)

static level_down *const level_downs[level_tables + 1] = {
    [1] = level_down_1, [2] = level_down_2, [3] = level_down_3, [4] = level_down_4,   [5] = level_down_5,
    [6] = level_down_6, [7] = level_down_7, [8] = level_down_8, [12] = level_down_12, [16] = level_down_16,
};

/* Takes the values of a word through so many stretches. Leaves out some with bytes beyond ASCII. */
BLOCK_INLINE void level_go_through(const assay_levels *levels, const uint8_t *bytes, level_word *word, size_t count,
                                   size_t stretches)
{
    (void)count; /* level_words */
    __m256i classes[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (size_t pair = (stretches + 1) / 2; pair-- > 0;) {
        __m256i loaded[2][2][level_registers];
        level_load_pair(bytes, word, pair, loaded);
        for (size_t which = stretches - 2 * pair > 1 ? 2 : 1; which-- > 0;) {
            const size_t stretch = 2 * pair + which;
            __m256i symbols[2][level_stretch / 2];
            for (size_t half = 0; half < 2; half++) {
                if (level_read(levels, loaded[which][half], symbols[half]) && levels->only_ascii) {
                    const uint32_t others = level_find_others(symbols[half], stretch, word->lengths.half[half]);
                    word->is_left |= (uint64_t)others << (half * level_half);
                }
            }
            level_downs[levels->tables_of[stretch]](levels, stretch, word->lengths.half, symbols, classes);
        }
    }
    __m256i is_failed[2];
    __m256i is_open[2];
    for (size_t half = 0; half < 2; half++) {
        const __m256i begins = _mm256_cmpeq_epi8(word->lengths.half[half], _mm256_setzero_si256());
        const __m256i last =
            _mm256_or_si256(classes[half], _mm256_and_si256(begins, level_table(levels->steps[0].start)));
        is_failed[half] = _mm256_cmpeq_epi8(last, _mm256_set1_epi8(level_failed));
        is_open[half] = _mm256_cmpeq_epi8(last, _mm256_set1_epi8(level_open));
    }
    word->is_failed = level_mask(is_failed);
    word->is_open = level_mask(is_open);
}
