/* assay_shuffle_dfa_avx2.h: runs 64 values through a shuffle DFA, one byte of each a step, in two registers of 32
 * lanes. Included by assay_kernels_avx2.c.
 *
 * Two segments of eight bytes of each value are loaded at once, so that a load of sixteen bytes serves both. Each is
 * mapped to symbols (nibble maps), packed to two symbols a byte, and transposed, so that a register holds two layers of
 * 32 values:
 *
 *     row 0    2026-11-24     d digit         register 0    dd dd …     layers 8 and 7: "26", "25"
 *     row 1    2025-12-31     - hyphen        register 1    -d -d …     layers 6 and 5: "-1", "-1"
 *                ↑ 8 layers                   register 2    d- d- …     layers 4 and 3: "1-", "2-"
 *                                             register 3    dd dd …     layers 2 and 1: "24", "31"
 *
 * Then each layer is a handful of shuffles for all rows (layer_run_segment). */
#include <immintrin.h>

typedef struct layer_bytes {
    __m256i half[2];
} layer_bytes;

#include "DFA/Shuffle/assay_shuffle_dfa_batch.h"

#define SHUFFLE_DFA_WIDTH shuffle_narrow

/* All 64 cells are read, so those outside the request are replaced first. */
enum { layer_locates_all = true };

/* The two halves of a batch hide each other's latencies; sixteen registers do not suffice for more. */
enum { layer_batches = 1 };

enum {
    layer_half = 32,
    layer_registers = layer_half / 4,
};

BLOCK_INLINE __m256i layer_load(const void *bytes) { return _mm256_loadu_si256((const __m256i *)bytes); }

/* Loads a table of sixteen entries into both halves of a register, because shuffles do not cross them. */
BLOCK_INLINE __m256i layer_table(const uint8_t *table)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

/* Returns the maximum of 32 bytes. */
BLOCK_INLINE size_t layer_greatest(__m256i bytes)
{
    __m128i max = _mm_max_epu8(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1));
    max = _mm_max_epu8(max, _mm_srli_epi16(max, 8));
    /* PHMINPOSUW finds the minimum of eight words, so its input is the complements. */
    const __m128i complement = _mm_andnot_si128(max, _mm_set1_epi16(0xFF));
    return 0xFF - (size_t)_mm_cvtsi128_si32(_mm_minpos_epu16(complement)) % 0x100;
}

BLOCK_INLINE void layer_store(uint32_t *numbers, __m256i eight)
{
    _mm256_storeu_si256((__m256i *)(void *)numbers, eight);
}

/* One bit for each of 64 rows: the signs of their bytes. */
BLOCK_INLINE uint64_t layer_mask(const __m256i *halves)
{
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(halves[0]) | (uint64_t)(uint32_t)_mm256_movemask_epi8(halves[1])
                                                                     << 32;
}

/* Computes ends, sizes and lengths of 64 values, whose cells are all valid. Values longer than layers->longest are
   left. Returns whether some loads must be redirected (layer_read_elsewhere). */
BLOCK_INLINE bool layer_locate(const assay_shuffle_dfa *layers, const assay_cell *cells, uint64_t known,
                               layer_batch *batch)
{
    (void)known; /* all */
    const __m256i longest = _mm256_set1_epi8((char)layers->longest);
    const __m256i zero = _mm256_setzero_si256();
    __m256i max = zero;
    __m256i is_elsewhere = zero;
    __m256i fits[2];
#pragma GCC unroll 2
    for (size_t half = 0; half < 2; half++) {
        __m256i lengths[4];
#pragma GCC unroll 4
        for (size_t i = 0; i < 4; i++) {
            const size_t row = half * layer_half + i * 8;
            const __m256i ends = cells_read(cells + row, &lengths[i]);
            const __m256i sizes = _mm256_and_si256(_mm256_add_epi32(lengths[i], _mm256_set1_epi32(layer_loaded - 1)),
                                                   _mm256_set1_epi32(-layer_loaded));
            layer_store(batch->ends + row, ends);
            layer_store(batch->sizes + row, sizes);
            const __m256i has_room = _mm256_cmpeq_epi32(_mm256_max_epu32(ends, sizes), ends);
            is_elsewhere = _mm256_or_si256(is_elsewhere, _mm256_cmpeq_epi32(sizes, zero));
            is_elsewhere = _mm256_or_si256(is_elsewhere, _mm256_cmpeq_epi32(has_room, zero));
            lengths[i] = _mm256_min_epu32(lengths[i], _mm256_set1_epi32(UINT8_MAX));
        }
        const __m256i bytes = _mm256_packus_epi16(_mm256_packus_epi32(lengths[0], lengths[1]),
                                                  _mm256_packus_epi32(lengths[2], lengths[3]));
        const __m256i in_order = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        fits[half] = _mm256_cmpeq_epi8(_mm256_min_epu8(in_order, longest), in_order);
        max = _mm256_max_epu8(max, _mm256_and_si256(fits[half], in_order));
        batch->lengths.half[half] = in_order;
    }
    batch->is_left = ~layer_mask(fits);
    batch->segments = (layer_greatest(max) + segment_layers - 1) / segment_layers;
    return !_mm256_testz_si256(is_elsewhere, is_elsewhere);
}

/* Returns the rows with values of at least `bytes` bytes. */
BLOCK_INLINE uint64_t layer_at_least(const layer_batch *batch, size_t bytes)
{
    const __m256i min = _mm256_set1_epi8((char)bytes);
    __m256i are[2];
#pragma GCC unroll 2
    for (size_t half = 0; half < 2; half++) {
        const __m256i lengths = batch->lengths.half[half];
        are[half] = _mm256_cmpeq_epi8(_mm256_max_epu8(lengths, min), lengths);
    }
    return layer_mask(are);
}

/* Loads sixteen bytes from each of two addresses. */
BLOCK_INLINE __m256i layer_load_two(const uint8_t *one, const uint8_t *other)
{
    const __m128i lower = _mm_loadu_si128((const __m128i *)(const void *)one);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(lower), _mm_loadu_si128((const __m128i *)(const void *)other),
                                   1);
}

/* Loads segments 2 * pair and 2 * pair + 1 of all values: the sixteen bytes that end 16 * pair bytes before the end of
 * each. Never reads more than fifteen bytes before a value; a value too short for these segments gets bytes of a later
 * segment, which have no effect before it begins. Register i of a half has its rows 2 * i, 2 * i + 1, 2 * i + 16 and 2
 * * i + 17, so that the transposition orders them. */
BLOCK_INLINE void layer_load_pair(const uint8_t *bytes, const layer_batch *batch, size_t pair,
                                  __m256i (*segments)[2][layer_registers])
{
    const __m256i before_end = _mm256_set1_epi32((int)((pair + 1) * layer_loaded));
    uint32_t offsets[layer_rows];
#pragma GCC unroll 8
    for (size_t row = 0; row < layer_rows; row += 8) {
        const __m256i sizes = layer_load(batch->sizes + row);
        layer_store(offsets + row,
                    _mm256_sub_epi32(layer_load(batch->ends + row), _mm256_min_epu32(sizes, before_end)));
    }
#pragma GCC unroll 2
    for (size_t half = 0; half < 2; half++) {
#pragma GCC unroll 8
        for (size_t i = 0; i < layer_registers; i++) {
            const uint32_t *offset = offsets + half * layer_half + 2 * i;
            const __m256i even = layer_load_two(bytes + offset[0], bytes + offset[16]);
            const __m256i odd = layer_load_two(bytes + offset[1], bytes + offset[17]);
            segments[0][half][i] = _mm256_unpackhi_epi64(even, odd);
            segments[1][half][i] = _mm256_unpacklo_epi64(even, odd);
        }
    }
}

/* The upper nibbles. AVX2 has no shift of bytes, so words are shifted and masked. */
BLOCK_INLINE __m256i layer_upper_half(__m256i bytes)
{
    return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
}

/* The tables of a map, in registers. */
typedef struct layer_lookup {
    __m256i lower;
    __m256i upper;
    __m256i by_lower_bits;
    __m256i by_upper_bits;
} layer_lookup;

BLOCK_INLINE layer_lookup layer_lookup_of(const nibble_map *map)
{
    return (layer_lookup){layer_table(map->lower), layer_table(map->upper), layer_table(map->by_lower_bits),
                          layer_table(map->by_upper_bits)};
}

/* Maps bytes to symbols by one nibble map: see nibble_map. `few`: it has at most four rectangles, so by_upper_bits is
 * unnecessary. */
BLOCK_INLINE __m256i layer_find_symbols(const layer_lookup *lookup, bool few, __m256i bytes)
{
    const __m256i lower = _mm256_and_si256(bytes, _mm256_set1_epi8(15));
    const __m256i rectangles = _mm256_and_si256(_mm256_shuffle_epi8(lookup->lower, lower),
                                                _mm256_shuffle_epi8(lookup->upper, layer_upper_half(bytes)));
    if (few) return _mm256_shuffle_epi8(lookup->by_lower_bits, rectangles);
    const __m256i lower_bits = _mm256_and_si256(rectangles, _mm256_set1_epi8(15));
    return _mm256_or_si256(_mm256_shuffle_epi8(lookup->by_lower_bits, lower_bits),
                           _mm256_shuffle_epi8(lookup->by_upper_bits, layer_upper_half(rectangles)));
}

/* Packs two registers of four rows with eight symbols each into one with two symbols per byte: the multiplication by 1
 * and 16 combines neighbors, a + 16 × b. This halves the transposition. */
BLOCK_INLINE __m256i layer_pack(__m256i one, __m256i two)
{
    const __m256i sixteens = _mm256_set1_epi16(0x1001);
    const __m256i by_pair = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, /* twice */
                                             0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm256_shuffle_epi8(
        _mm256_packus_epi16(_mm256_maddubs_epi16(one, sixteens), _mm256_maddubs_epi16(two, sixteens)), by_pair);
}

/* Maps a segment of 32 values by one map, and packs it. A byte has symbol 0 in all maps but one, so the results of
 * later maps are added with "or". `few` and `is_later` are constants in each caller. */
BLOCK_INLINE void layer_map_symbols(const nibble_map *map, bool few, bool is_later, const __m256i *bytes, __m256i *rows)
{
    const layer_lookup lookup = layer_lookup_of(map);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        const __m256i packed = layer_pack(layer_find_symbols(&lookup, few, bytes[2 * i]),
                                          layer_find_symbols(&lookup, few, bytes[2 * i + 1]));
        rows[i] = is_later ? _mm256_or_si256(rows[i], packed) : packed;
    }
}

/* Maps a segment by all maps, at most three. */
BLOCK_INLINE void layer_map_all(const assay_shuffle_dfa *layers, const __m256i *bytes, __m256i *rows)
{
    const nibble_map *map = layers->map;
    if (map->rectangles <= nibble_map_rectangles / 2) {
        layer_map_symbols(map, true, false, bytes, rows);
        return;
    }
    layer_map_symbols(map, false, false, bytes, rows);
    for (const nibble_map *later = map + 1; later < map + layers->maps; later++) {
        if (later->rectangles <= nibble_map_rectangles / 2) {
            layer_map_symbols(later, true, true, bytes, rows);
        } else {
            layer_map_symbols(later, false, true, bytes, rows);
        }
    }
}

/* Maps a segment to symbols and transposes it, as drawn above: packed[i] holds for each of 32 rows the symbols of two
 * layers. Returns whether some bytes, perhaps before a value, are not ASCII, if values with such bytes are left. */
BLOCK_TARGET static bool layer_classify(const assay_shuffle_dfa *layers, const __m256i *bytes, __m256i *packed)
{
    __m256i rows[4];
    layer_map_all(layers, bytes, rows);
    __m256i all = _mm256_setzero_si256();
#pragma GCC unroll 8
    for (size_t i = 0; i < layer_registers; i++) all = _mm256_or_si256(all, bytes[i]);
    const bool has_other_bytes = layers->only_ascii && _mm256_movemask_epi8(all) != 0;
    if (has_other_bytes) {
        const __m256i zero = _mm256_setzero_si256();
        const __m256i other = _mm256_set1_epi8(narrow_non_ascii_symbol);
        for (int i = 0; i < 4; i++) {
            rows[i] = _mm256_or_si256(rows[i],
                                      layer_pack(_mm256_and_si256(_mm256_cmpgt_epi8(zero, bytes[2 * i]), other),
                                                 _mm256_and_si256(_mm256_cmpgt_epi8(zero, bytes[2 * i + 1]), other)));
        }
    }
    const __m256i low_even = _mm256_unpacklo_epi32(rows[0], rows[1]);
    const __m256i low_odd = _mm256_unpackhi_epi32(rows[0], rows[1]);
    const __m256i high_even = _mm256_unpacklo_epi32(rows[2], rows[3]);
    const __m256i high_odd = _mm256_unpackhi_epi32(rows[2], rows[3]);
    packed[0] = _mm256_unpacklo_epi64(low_even, high_even);
    packed[1] = _mm256_unpackhi_epi64(low_even, high_even);
    packed[2] = _mm256_unpacklo_epi64(low_odd, high_odd);
    packed[3] = _mm256_unpackhi_epi64(low_odd, high_odd);
    return has_other_bytes;
}

/* The symbols of one layer, counted from the first byte of the segment. */
BLOCK_INLINE __m256i layer_symbols_at(const __m256i *packed, size_t index)
{
    const __m256i pair = packed[index / 2];
    return _mm256_and_si256(index % 2 == 0 ? pair : _mm256_srli_epi16(pair, 4), _mm256_set1_epi8(15));
}

/* Returns the rows, of 32, with non-ASCII bytes in a segment, without bytes before a value begins. Not inlined, because
 * it is rare. */
__attribute__((noinline)) BLOCK_TARGET static uint32_t layer_find_non_ascii(const __m256i *packed, size_t segment,
                                                                            __m256i lengths)
{
    __m256i others = _mm256_setzero_si256();
    for (size_t i = 0; i < segment_layers; i++) {
        const __m256i layer = _mm256_set1_epi8((char)((segment + 1) * segment_layers - i));
        const __m256i is_other =
            _mm256_cmpeq_epi8(layer_symbols_at(packed, i), _mm256_set1_epi8(narrow_non_ascii_symbol));
        const __m256i has_begun = _mm256_cmpeq_epi8(_mm256_max_epu8(lengths, layer), lengths);
        others = _mm256_or_si256(others, _mm256_and_si256(is_other, has_begun));
    }
    return (uint32_t)_mm256_movemask_epi8(others);
}

/* Looks up entries of one table; 0 if the upper four bits of the index are not zero. Adding 0x70 with saturation sets
 * the sign of exactly these indices, and a shuffle by a byte above 7F gives 0. */
BLOCK_INLINE __m256i layer_look_up(__m256i table, __m256i index)
{
    return _mm256_shuffle_epi8(table, _mm256_adds_epu8(index, _mm256_set1_epi8(0x70)));
}

/* Runs the eight layers of a segment, which have the same number of tables. In each, values of that length begin in its
 * start state; then all values step. Before a value begins, its lane is in state 0, which leads to state 0 of the next
 * layer for all bytes. `tables` is a constant in each caller, and all loops are unrolled. */
BLOCK_INLINE void layer_run_segment(const assay_shuffle_dfa *layers, unsigned tables, size_t segment,
                                    const __m256i *lengths, __m256i (*symbols)[segment_layers / 2], __m256i *states)
{
    __m256i layer = _mm256_set1_epi8((char)((segment + 1) * segment_layers));
    const layer_step *step = &layers->steps[(segment + 1) * segment_layers];
#pragma GCC unroll 8
    for (size_t i = 0; i < segment_layers; i++, step--) {
        const __m256i start = layer_table(step->start);
        const __m256i row_of = layer_table(step->row_of);
        const uint8_t(*table)[shuffle_entries] = layers->tables + step->first_table;
        __m256i index[2];
#pragma GCC unroll 2
        for (size_t half = 0; half < 2; half++) {
            const __m256i begins = _mm256_cmpeq_epi8(lengths[half], layer);
            const __m256i here = _mm256_or_si256(states[half], _mm256_and_si256(begins, start));
            index[half] = _mm256_adds_epu8(here, _mm256_shuffle_epi8(row_of, layer_symbols_at(symbols[half], i)));
        }
        layer = _mm256_sub_epi8(layer, _mm256_set1_epi8(1));
#pragma GCC unroll 16
        for (unsigned number = 0; number < tables; number++) {
            const __m256i here = layer_table(table[number]);
            const __m256i first = _mm256_set1_epi8((char)(16 * number));
#pragma GCC unroll 2
            for (size_t half = 0; half < 2; half++) {
                /* With few tables (delta-encoded) a difference below 0, and layer_no_row, give 0: their sign is set.
                   With more, only the table of the index itself contributes. */
                const __m256i found = tables > layer_few_tables
                                          ? layer_look_up(here, _mm256_xor_si256(index[half], first))
                                          : _mm256_shuffle_epi8(here, _mm256_sub_epi8(index[half], first));
                states[half] = number == 0 ? found : _mm256_xor_si256(states[half], found);
            }
        }
    }
}

/* A function for each number of tables that assay_shuffle_dfa.c constructs, chosen once per segment. */
typedef void layer_run(const assay_shuffle_dfa *layers, size_t segment, const __m256i *lengths,
                       __m256i (*symbols)[segment_layers / 2], __m256i *states);

#define LAYER_RUN(tables)                                                                                              \
    BLOCK_TARGET static void layer_run_##tables(const assay_shuffle_dfa *layers, size_t segment,                       \
                                                const __m256i *lengths, __m256i(*symbols)[segment_layers / 2],         \
                                                __m256i *states)                                                       \
    {                                                                                                                  \
        layer_run_segment(layers, tables, segment, lengths, symbols, states);                                          \
    }
LAYER_RUN(1)
LAYER_RUN(2)
LAYER_RUN(3)
LAYER_RUN(4)
LAYER_RUN(5)
LAYER_RUN(6)
LAYER_RUN(7)
LAYER_RUN(8)
LAYER_RUN(12)
LAYER_RUN(16)

static layer_run *const layer_runs[layer_tables_max + 1] = {
    [1] = layer_run_1, [2] = layer_run_2, [3] = layer_run_3, [4] = layer_run_4,   [5] = layer_run_5,
    [6] = layer_run_6, [7] = layer_run_7, [8] = layer_run_8, [12] = layer_run_12, [16] = layer_run_16,
};

/* Runs the values of a batch through `segments` segments, the longest layers first, and sets their verdicts. If
 * non-ASCII bytes may match, rows with such bytes are left to the lanes. */
BLOCK_INLINE void layer_run_batches(const assay_shuffle_dfa *layers, const uint8_t *bytes, layer_batch *batch,
                                    size_t count, size_t segments)
{
    (void)count; /* layer_batches */
    __m256i states[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (size_t pair = (segments + 1) / 2; pair-- > 0;) {
        __m256i loaded[2][2][layer_registers];
        layer_load_pair(bytes, batch, pair, loaded);
        for (size_t which = segments - 2 * pair > 1 ? 2 : 1; which-- > 0;) {
            const size_t segment = 2 * pair + which;
            __m256i symbols[2][segment_layers / 2];
            for (size_t half = 0; half < 2; half++) {
                if (layer_classify(layers, loaded[which][half], symbols[half])) {
                    const uint32_t others = layer_find_non_ascii(symbols[half], segment, batch->lengths.half[half]);
                    batch->is_left |= (uint64_t)others << (half * layer_half);
                }
            }
            layer_runs[layers->tables_of[segment]](layers, segment, batch->lengths.half, symbols, states);
        }
    }
    __m256i is_failed[2];
    __m256i is_unknown[2];
    for (size_t half = 0; half < 2; half++) {
        const __m256i begins = _mm256_cmpeq_epi8(batch->lengths.half[half], _mm256_setzero_si256());
        const __m256i last =
            _mm256_or_si256(states[half], _mm256_and_si256(begins, layer_table(layers->steps[0].start)));
        is_failed[half] = _mm256_cmpeq_epi8(last, _mm256_set1_epi8(layer_failed));
        is_unknown[half] = _mm256_cmpeq_epi8(last, _mm256_set1_epi8(layer_unknown));
    }
    batch->is_failed = layer_mask(is_failed);
    batch->is_unknown = layer_mask(is_unknown);
}
