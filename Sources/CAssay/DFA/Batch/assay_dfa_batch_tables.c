/* Constructs the tables of a DFA for columns: the stride-2 table, a shuffle DFA if the processor has the instructions
   or class masks otherwise, and transliteration if the pattern distinguishes non-ASCII characters. The first thread
   that has announced enough rows constructs them and publishes them atomically: see stride2 in assay_dfa_tables.h. */
#include "DFA/assay_dfa.h"
#include "DFA/assay_dfa_tables.h"
#include "Dispatch/assay_kernels.h"
#include "Memory/assay_chaos.h"

#include <stdlib.h>

enum {
    /* The number of rows from which the tables are worth their memory: 128 KiB for `rows` alone, and up to 64 KiB for
       `next`; transliteration adds 48 KiB and a row for each block of its characters. */
    ENOUGH_ROWS = 1024,
};

/* The symbol of a byte in the alphabet of stride-2 tables (assay_dfa_tables.h). */
static size_t stride2_symbol(const assay_dfa *dfa, unsigned byte)
{
    if (byte < 128) return dfa->ascii_symbol_of[byte];
    if (is_proxy(dfa, byte)) {
        return (size_t)dfa->ascii_symbols + extra_symbols + (byte - first_proxy);
    }
    const bool changes_nothing = byte == padding_byte || continues_character((uint8_t)byte);
    return (size_t)dfa->ascii_symbols + changes_nothing;
}

static void free_stride2(stride2_tables *stride2)
{
    if (stride2 == NULL) return;
    free(stride2->shuffle_dfa);
    free(stride2->class_masks);
    free(stride2->transliteration);
    free(stride2);
}

/* Constructs all tables of one DFA. The row of a pair is (symbol of the first × symbols + symbol of the second) <<
   shift, the sum of a term for each byte; a transition is two single steps. NULL: too large, or out of memory. O(65,536
   + symbols² × states). */
static stride2_tables *make_stride2(const assay_dfa *dfa)
{
    const size_t symbols = stride2_symbols(dfa);
    const unsigned shift = dfa->shift;
    if (stride2_bytes(dfa) > stride2_bytes_max) return NULL;
    stride2_tables *stride2 = malloc(sizeof *stride2 + stride2_bytes(dfa));
    if (stride2 == NULL) return NULL;
    /* A shuffle DFA if the processor has the instructions, otherwise class masks. */
    const uint8_t width = assay_kernels_current()->shuffle_width;
    stride2->shuffle_dfa = width == 0 ? NULL : assay_shuffle_dfa_create(dfa, width);
    stride2->class_masks = stride2->shuffle_dfa == NULL ? assay_class_masks_create(dfa) : NULL;
    stride2->transliteration = dfa->non_ascii == NULL ? NULL : assay_transliteration_create(dfa);
    if (dfa->non_ascii != NULL && stride2->transliteration == NULL) {
        free_stride2(stride2);
        return NULL;
    }
    /* The terms of the first and the second byte of a pair, and a byte for each symbol. */
    uint16_t first[256];
    uint16_t second[256];
    uint8_t byte_of[128 + extra_symbols + proxies_max];
    for (unsigned byte = 0; byte < 256; byte++) {
        const size_t symbol = stride2_symbol(dfa, byte);
        first[byte] = (uint16_t)(symbol * symbols << shift);
        second[byte] = (uint16_t)(symbol << shift);
        byte_of[symbol] = (uint8_t)byte;
    }
    /* A pair is loaded as a native number: its first byte is the lower half on little-endian machines. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    const uint16_t *const lower = second, *const upper = first;
#else
    const uint16_t *const lower = first, *const upper = second;
#endif
    for (unsigned i = 0; i < 256; i++) {
        for (unsigned j = 0; j < 256; j++) stride2->rows[256 * i + j] = (uint16_t)(upper[i] + lower[j]);
    }
    for (size_t one = 0; one < symbols; one++) {
        for (size_t other = 0; other < symbols; other++) {
            uint8_t *row = stride2->next + ((one * symbols + other) << shift);
            for (uint32_t state = 0; state < dfa->states; state++) {
                const uint8_t middle = dfa_byte_step(dfa, (uint8_t)state, byte_of[one]);
                row[state] = dfa_byte_step(dfa, middle, byte_of[other]);
            }
        }
    }
    return stride2;
}

static bool has_stride2(const assay_dfa *dfa)
{
    ASSAY_CHAOS_POINT();
    return atomic_load_explicit(&dfa->stride2, memory_order_acquire) != NULL;
}

/* All DFAs of a chain must have their tables. */
bool assay_dfa_can_judge_rows(const assay_dfa *dfa)
{
    while (dfa != NULL && has_stride2(dfa)) dfa = dfa->next_conjunct;
    return dfa == NULL;
}

bool assay_dfa_has_shuffles(const assay_dfa *dfa)
{
    const stride2_tables *tables = atomic_load_explicit(&dfa->stride2, memory_order_acquire);
    return tables->shuffle_dfa != NULL;
}

void assay_dfa_prepare_stride2(assay_dfa *dfa)
{
    if (has_stride2(dfa)) return;
    stride2_tables *made = make_stride2(dfa);
    if (made == NULL) return;
    stride2_tables *expected = NULL;
    ASSAY_CHAOS_POINT();
    if (!atomic_compare_exchange_strong_explicit(&dfa->stride2, &expected, made, memory_order_acq_rel,
                                                 memory_order_acquire)) {
        free_stride2(made); /* another thread has published its own */
    }
}

/* The counter saturates near ENOUGH_ROWS, so that it cannot overflow. If memory ran out, the next call tries again. */
void assay_dfa_expect_rows(assay_dfa *dfa, size_t rows)
{
    if (assay_dfa_can_judge_rows(dfa)) return;
    uint32_t expected_before = atomic_load_explicit(&dfa->rows_expected, memory_order_relaxed);
    if (expected_before < ENOUGH_ROWS) {
        const uint32_t more = rows < ENOUGH_ROWS ? (uint32_t)rows : ENOUGH_ROWS;
        expected_before = atomic_fetch_add_explicit(&dfa->rows_expected, more, memory_order_relaxed);
        if (expected_before + more < ENOUGH_ROWS) return;
    }
    for (; dfa != NULL; dfa = dfa->next_conjunct) assay_dfa_prepare_stride2(dfa);
}

void assay_dfa_free_stride2(assay_dfa *dfa) { free_stride2(atomic_load_explicit(&dfa->stride2, memory_order_acquire)); }
