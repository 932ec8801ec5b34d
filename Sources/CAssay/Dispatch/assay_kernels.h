/* assay_kernels.h: a table of the functions that are compiled once for each processor path.
 *
 *     SIMD/assay_block_<path>.h   64 bytes → bit masks, in that processor's instructions
 *     assay_kernels_<path>.c      tests for the processor's features, and includes
 *     assay_kernels_table.h       which includes the shared algorithms (assay_*_blocks.h) and fills the table
 *     assay_dispatch.c            selects the table at run time
 * Function attributes enable the instructions instead of compiler flags, because SwiftPM does not support flags for
 * single files. The files of other architectures compile to empty objects. */
#ifndef ASSAY_KERNELS_H
#define ASSAY_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/numbers.h"

struct assay_byte_set;
struct assay_prefix_filter;
struct assay_cell;
struct assay_column_view;
struct assay_string_view;
struct assay_view_source;
struct assay_view_texts;
struct assay_json_reader;
struct assay_shuffle_dfa;
struct assay_scan_state;
struct assay_transliteration;
struct assay_byte_text;
struct assay_coded;
struct assay_utf16_shuffles;
struct assay_sip_lanes;
struct profile_numbers;
struct profile_values;

typedef struct assay_kernels {
    const char *name;
    /* Whether this machine supports the instructions. */
    bool (*is_available)(void);
    /* Scans well-formed records from scan->position on, and stops before one that needs the plain scanner. */
    void (*scan_blocks)(struct assay_scan_state *scan);
    /* Returns a bit for each of 64 bytes that is one of ASSAY_SCAN_MARKS. */
    uint64_t (*find_marks)(const uint8_t *bytes, const uint8_t *marks);
    /* Reads the rows of the reader's slice, until the end or until memory runs out. */
    void (*json_rows)(struct assay_json_reader *reader);
    size_t (*bytes_count)(const uint8_t *bytes, size_t count, uint8_t byte);
    size_t (*utf8_valid_prefix)(const uint8_t *bytes, size_t count);
    bool (*bytes_are_ascii)(const uint8_t *bytes, size_t count);
    /* Returns the offset of the first byte at or after `from` that is not in the set, or `count`. */
    size_t (*bytes_in_set)(const uint8_t *bytes, size_t from, size_t count, const struct assay_byte_set *set);
    /* Returns the first offset from `from` on at which a match of a search may begin, or `count`. bytes[0 .. readable)
     * must be readable. NULL: no byte shuffle. */
    size_t (*find_candidate)(const uint8_t *bytes, size_t from, size_t count, size_t readable,
                             const struct assay_prefix_filter *filter);
    size_t (*mask_count)(const uint64_t *mask, size_t words);
    /* Clears the bits of the numbers in a range (assay_numbers_outside). `outside` has bits only for the numbers. */
    void (*numbers_outside)(assay_number_form form, const uint8_t *values, size_t count,
                            const assay_number_range *range, uint64_t *outside);
    /* Transliterates text in place. `count` must be a multiple of 64; up to three more bytes are read. */
    void (*transliterate)(const struct assay_transliteration *transliteration, uint8_t *text, size_t count);
    /* Sheng: returns the state after `count` bytes, a multiple of 8, by 256 rows of 16 states, one for each byte. NULL:
     * no byte shuffle. */
    uint8_t (*sheng)(const uint8_t *rows, const uint8_t *bytes, size_t count, uint8_t state);
    /* The same with two bytes per step: offsets[two bytes as a native 16-bit number] is the start of their row. */
    uint8_t (*sheng_stride2)(const uint16_t *offsets, const uint8_t *rows, const uint8_t *bytes, size_t count,
                             uint8_t state);
    /* The number of table entries in one shuffle: shuffle_narrow or shuffle_wide (assay_shuffle_dfa.h). 0: the path has
     * no shuffle DFA. */
    uint8_t shuffle_width;
    /* Checks rows of `requested` by a shuffle DFA of that width and clears their bits; the bits of rows that it does
     * not check, such as those of long values, remain. Sets bits in the other masks. Does not read the `skip` of the
     * column. */
    void (*shuffle_dfa_match)(const struct assay_shuffle_dfa *layers, const struct assay_column_view *column,
                              uint64_t *requested, uint64_t *failed, uint64_t *unknown);
    /* Returns the empty rows of 64 cells. NULL: the path has no vector form. */
    uint64_t (*cells_empty)(const struct assay_cell *cells);
    /* assay_cells_from_views. */
    bool (*cells_from_views)(const struct assay_string_view *views, size_t count,
                             const struct assay_view_source *source, struct assay_cell *cells,
                             struct assay_view_texts *texts);
    /* Copies the leading ASCII bytes and returns their number. `out` must have room for `count` bytes. */
    size_t (*ascii_copy)(const uint8_t *in, size_t count, uint8_t *out);
    /* Decode a leading part, which may be empty, with the results of assay_decoder_step_plain; `bytes` must map bytes
     * below 80 to ASCII. */
    struct assay_coded (*bytes_decode)(const struct assay_byte_text *bytes, const uint8_t *in, size_t count,
                                       uint8_t *out, size_t room);
    struct assay_coded (*utf16_decode)(const struct assay_utf16_shuffles *shuffles, bool is_big_endian,
                                       const uint8_t *in, size_t count, uint8_t *out, size_t room);
    /* Writes the leading ASCII bytes as UTF-16, and returns their number. `out` must have room for twice `count`
     * bytes. */
    size_t (*utf16_widen)(const uint8_t *in, size_t count, bool is_big_endian, uint8_t *out);
    /* Hashes texts of `words` words, 1 to sip_lane_words. */
    void (*sip_lanes)(struct assay_sip_lanes *lanes, size_t words);
    /* Collects hashes, facts and classes for the rows of a group that are set in `there`. The values must not be
     * empty. */
    void (*profile_values)(struct profile_values *values, const struct assay_column_view *group, const uint64_t *there);
    /* Reads the short numbers among the rows of a group that are set in `there`, and clears their bits in it. The
     * values must not be empty. */
    void (*profile_numbers)(struct profile_numbers *numbers, const struct assay_column_view *group, uint64_t *there,
                            uint8_t decimal);
} assay_kernels;

#if defined(__x86_64__)
extern const assay_kernels assay_kernels_avx512;
extern const assay_kernels assay_kernels_avx2;
extern const assay_kernels assay_kernels_sse2;
#elif defined(__aarch64__) && defined(__ARM_NEON)
extern const assay_kernels assay_kernels_neon;
#endif
extern const assay_kernels assay_kernels_portable;

/* Returns the current path. Thread-safe. Only assay_cpu_select can change the result. */
const assay_kernels *assay_kernels_current(void);

#endif
