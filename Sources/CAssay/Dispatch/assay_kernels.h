/* assay_kernels.h: the functions that exist once per processor path (their kernels), behind one table.
 *
 *     SIMD/assay_block_<path>.h   64 bytes → bit masks, in that processor's instructions
 *     assay_kernels_<path>.c      says what the processor has, and includes
 *     assay_kernels_table.h       the shared algorithms (assay_*_blocks.h), and fills the table
 *     assay_dispatch.c            picks the table at run time
 *
 * The instructions are switched on by function attributes, not by compiler flags, because SwiftPM has no flags for a
 * single file; a file for another processor compiles to nothing. */
#ifndef ASSAY_KERNELS_H
#define ASSAY_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct assay_byte_set;
struct assay_cell;
struct assay_shuffle_dfa;
struct assay_scan_state;
struct assay_transliteration;

typedef struct assay_kernels {
    const char *name;
    /* Whether this machine has the instructions. */
    bool (*is_available)(void);
    /* Takes well-formed records from scan->position on, until one comes that the plain scanner must judge. */
    void (*scan_blocks)(struct assay_scan_state *scan);
    size_t (*bytes_count)(const uint8_t *bytes, size_t count, uint8_t byte);
    size_t (*utf8_valid_prefix)(const uint8_t *bytes, size_t count);
    bool (*bytes_are_ascii)(const uint8_t *bytes, size_t count);
    /* Where the first byte is, from `from` on, that is not in the set; `count`: nowhere. */
    size_t (*bytes_in_set)(const uint8_t *bytes, size_t from, size_t count, const struct assay_byte_set *set);
    size_t (*mask_count)(const uint64_t *mask, size_t words);
    /* Transliterates the characters of `count` bytes, a multiple of 64; two bytes more are read. */
    void (*transliterate)(const struct assay_transliteration *transliteration, uint8_t *text, size_t count);
    /* The state after `count` bytes, a multiple of 8, by 256 rows of 16 states, one for each byte (Sheng). NULL: no
     * such instruction. */
    uint8_t (*sheng)(const uint8_t *rows, const uint8_t *bytes, size_t count, uint8_t state);
    /* The same, two bytes a step: `offsets` says where the row of two bytes, as they stand in memory, begins. */
    uint8_t (*sheng_stride2)(const uint16_t *offsets, const uint8_t *rows, const uint8_t *bytes, size_t count,
                             uint8_t state);
    /* How many table entries one instruction looks up (assay_shuffle_dfa.h). 0: no such instruction. */
    uint8_t shuffle_width;
    /* Judges those rows of `asked` whose values are short enough by a shuffle DFA of that width, and takes them out.
     * Adds to the other masks. */
    void (*shuffle_dfa_judge)(const struct assay_shuffle_dfa *layers, const uint8_t *bytes,
                              const struct assay_cell *cells, size_t count, uint64_t *asked, uint64_t *failed,
                              uint64_t *unknown);
    /* Which of 64 cells are empty. NULL: no such instructions. */
    uint64_t (*cells_empty)(const struct assay_cell *cells);
} assay_kernels;

#if defined(__x86_64__)
extern const assay_kernels assay_kernels_avx512;
extern const assay_kernels assay_kernels_avx2;
extern const assay_kernels assay_kernels_sse2;
#elif defined(__aarch64__) && defined(__ARM_NEON)
extern const assay_kernels assay_kernels_neon;
#endif
extern const assay_kernels assay_kernels_portable;

/* The path in use. Any thread may call it. */
const assay_kernels *assay_kernels_current(void);

#endif
