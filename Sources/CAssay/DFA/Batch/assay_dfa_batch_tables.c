/* Constructs the tables of a DFA for columns: steps of one or two bytes, a shuffle DFA if the processor has the
   instructions or class masks otherwise, and transliteration if the pattern distinguishes non-ASCII characters. The
   first thread that has announced enough rows constructs them and publishes them atomically: see `columns` in
   assay_dfa_tables.h. */
#include "DFA/assay_byte_dfa.h"
#include "DFA/assay_dfa.h"
#include "Dispatch/assay_kernels.h"
#include "Memory/assay_chaos.h"

#include <stdlib.h>

enum {
    /* The number of rows from which the tables are worth their memory: 128 KiB for `rows` alone, and up to 64 KiB for
       `next`; transliteration adds 48 KiB and a row for each block of its characters. */
    ENOUGH_ROWS = 1024,
    /* Pairs × states that are computed for two bytes a step, about a millisecond. */
    PAIR_STEPS_MAX = 1 << 20,
    ROW_SLOTS = 1 << 13, /* of a hash table of rows: twice column_next_max / sheng_states */
};

/* The steps of single bytes: bytes with the same step from every state share a class. */
typedef struct class_steps {
    unsigned states;
    unsigned classes;
    unsigned width; /* of a row: the number of states, rounded up */
    uint8_t class_of[256];
    uint8_t steps[256][256]; /* by class: the state after a byte of it, by state */
} class_steps;

static void find_steps(const byte_dfa *bytes, class_steps *steps)
{
    memset(steps, 0, sizeof *steps);
    steps->states = bytes->states;
    /* Sheng takes rows of 16 states. */
    steps->width = bytes->states <= sheng_states ? sheng_states : (bytes->states + 7) / 8 * 8;
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned known = 0;
        while (known < steps->classes && memcmp(steps->steps[known], bytes->next[byte], bytes->states) != 0) known++;
        if (known == steps->classes) memcpy(steps->steps[steps->classes++], bytes->next[byte], bytes->states);
        steps->class_of[byte] = (uint8_t)known;
    }
}

/* The rows of pairs during construction. */
typedef struct pair_rows {
    uint8_t *next;
    size_t used;        /* of `next`, in bytes */
    uint16_t of_pair[]; /* by the classes of both bytes: the start of their row */
} pair_rows;

/* Returns the start of a row of `next` that equals the one at its end, which may be that row itself. `slots` is a hash
 * table of rows with linear probing, which contains their starts plus one. */
static uint32_t find_row(pair_rows *rows, unsigned width, uint32_t *slots)
{
    const uint8_t *made = rows->next + rows->used;
    uint64_t hash = 0;
    for (unsigned i = 0; i < width; i += 8) {
        uint64_t word;
        memcpy(&word, made + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    size_t slot = hash % ROW_SLOTS;
    while (slots[slot] != 0 && memcmp(rows->next + slots[slot] - 1, made, width) != 0) slot = (slot + 1) % ROW_SLOTS;
    if (slots[slot] == 0) {
        slots[slot] = (uint32_t)rows->used + 1;
        rows->used += width;
    }
    return slots[slot] - 1;
}

/* Constructs the row of each pair of classes: a transition by two bytes is two single steps. NULL: too large, or no
 * memory. Free rows->next and rows. O(classes² × states). */
static pair_rows *make_pairs(const class_steps *by, size_t next_max)
{
    const unsigned classes = by->classes;
    if ((size_t)classes * classes * by->states > PAIR_STEPS_MAX) return NULL;
    pair_rows *rows = malloc(sizeof *rows + (size_t)classes * classes * sizeof *rows->of_pair);
    uint32_t *slots = calloc(ROW_SLOTS, sizeof *slots);
    uint8_t *next = calloc(1, next_max + sizeof by->steps[0]);
    bool fits = rows != NULL && slots != NULL && next != NULL;
    if (rows != NULL) *rows = (pair_rows){.next = next};
    for (unsigned one = 0; one < classes && fits; one++) {
        const uint8_t *middle = by->steps[one];
        for (unsigned other = 0; other < classes && fits; other++) {
            const uint8_t *last = by->steps[other];
            for (unsigned state = 0; state < by->states; state++) next[rows->used + state] = last[middle[state]];
            rows->of_pair[one * classes + other] = (uint16_t)find_row(rows, by->width, slots);
            fits = rows->used <= next_max;
        }
    }
    free(slots);
    if (fits) return rows;
    free(next);
    free(rows);
    return NULL;
}

void assay_column_tables_free(column_tables *tables)
{
    if (tables == NULL) return;
    free(tables->shuffle_dfa);
    free(tables->class_masks);
    free(tables->transliteration);
    free(tables);
}

/* Creates tables with room for `rows` and `next`. NULL: no memory. */
static column_tables *new_tables(bool by_pairs, size_t next_bytes)
{
    const size_t rows = by_pairs ? 1 << 16 : 256;
    column_tables *tables = malloc(sizeof *tables + rows * sizeof *tables->rows + next_bytes);
    if (tables == NULL) return NULL;
    *tables = (column_tables){.by_pairs = by_pairs, .next = (uint8_t *)(tables->rows + rows)};
    return tables;
}

/* One byte a step. `next` takes at most 256 rows of 256 states, so offsets fit into 16 bits. */
static column_tables *make_single_steps(const class_steps *by)
{
    column_tables *tables = new_tables(false, (size_t)by->classes * by->width);
    if (tables == NULL) return NULL;
    uint8_t *next = (uint8_t *)(tables->rows + 256);
    for (unsigned group = 0; group < by->classes; group++) {
        memcpy(next + (size_t)group * by->width, by->steps[group], by->width);
    }
    for (unsigned byte = 0; byte < 256; byte++) tables->rows[byte] = (uint16_t)(by->class_of[byte] * by->width);
    return tables;
}

/* Two bytes a step. A pair is loaded as a native number: its first byte is the lower half on little-endian machines. */
static column_tables *make_double_steps(const class_steps *by, const pair_rows *rows)
{
    column_tables *tables = new_tables(true, rows->used);
    if (tables == NULL) return NULL;
    memcpy(tables->rows + (1 << 16), rows->next, rows->used);
    for (unsigned one = 0; one < 256; one++) {
        const uint16_t *row = rows->of_pair + (size_t)by->class_of[one] * by->classes;
        for (unsigned other = 0; other < 256; other++) {
            const uint8_t pair[2] = {(uint8_t)one, (uint8_t)other};
            uint16_t index;
            memcpy(&index, pair, sizeof index);
            tables->rows[index] = row[by->class_of[other]];
        }
    }
    return tables;
}

/* Constructs the steps of one DFA. NULL: out of memory. O(65,536 + classes² × states). */
static column_tables *make_steps(const byte_dfa *bytes, size_t next_max)
{
    class_steps *steps = malloc(sizeof *steps);
    if (steps == NULL) return NULL;
    find_steps(bytes, steps);
    pair_rows *pairs = make_pairs(steps, next_max);
    column_tables *tables = pairs != NULL ? make_double_steps(steps, pairs) : make_single_steps(steps);
    if (pairs != NULL) free(pairs->next);
    free(pairs);
    if (tables != NULL) tables->are_sheng_rows = steps->width == sheng_states;
    free(steps);
    return tables;
}

/* Adds the other forms: a shuffle DFA if the processor has the instructions, otherwise class masks. Returns false if
 * memory runs out. */
static bool add_forms(const assay_dfa *dfa, const byte_dfa *bytes, column_tables *tables)
{
    const uint8_t width = assay_kernels_current()->shuffle_width;
    tables->shuffle_dfa = width == 0 ? NULL : assay_shuffle_dfa_create(dfa, bytes, width);
    tables->class_masks = tables->shuffle_dfa == NULL ? assay_class_masks_create(dfa) : NULL;
    tables->takes_text = bytes->is_complete || dfa->proxies <= proxies_in_no_text;
    if (bytes->is_complete) return true;
    tables->transliteration = assay_transliteration_create(dfa);
    return tables->transliteration != NULL;
}

column_tables *assay_column_tables_create(const assay_dfa *dfa, column_limits limits)
{
    byte_dfa *bytes = assay_byte_dfa_create(dfa, limits.inner_states);
    if (bytes == NULL) return NULL;
    column_tables *tables = make_steps(bytes, limits.next_max);
    if (tables != NULL && !add_forms(dfa, bytes, tables)) {
        assay_column_tables_free(tables);
        tables = NULL;
    }
    free(bytes);
    return tables;
}

static bool has_column_tables(const assay_dfa *dfa)
{
    ASSAY_CHAOS_POINT();
    return atomic_load_explicit(&dfa->columns, memory_order_acquire) != NULL;
}

/* All DFAs of a chain must have their tables. */
bool assay_dfa_can_match_rows(const assay_dfa *dfa)
{
    while (dfa != NULL && has_column_tables(dfa)) dfa = dfa->next_conjunct;
    return dfa == NULL;
}

bool assay_dfa_has_shuffles(const assay_dfa *dfa)
{
    const column_tables *tables = atomic_load_explicit(&dfa->columns, memory_order_acquire);
    return tables->shuffle_dfa != NULL;
}

void assay_dfa_prepare_columns(assay_dfa *dfa)
{
    if (has_column_tables(dfa)) return;
    column_tables *made = assay_column_tables_create(dfa, column_limits_usual);
    if (made == NULL) return;
    column_tables *expected = NULL;
    ASSAY_CHAOS_POINT();
    if (!atomic_compare_exchange_strong_explicit(&dfa->columns, &expected, made, memory_order_acq_rel,
                                                 memory_order_acquire)) {
        assay_column_tables_free(made); /* another thread has published its own */
    }
}

/* The counter saturates near ENOUGH_ROWS, so that it cannot overflow. If memory ran out, the next call tries again. */
void assay_dfa_expect_rows(assay_dfa *dfa, size_t rows)
{
    if (assay_dfa_can_match_rows(dfa)) return;
    uint32_t expected_before = atomic_load_explicit(&dfa->rows_expected, memory_order_relaxed);
    if (expected_before < ENOUGH_ROWS) {
        const uint32_t more = rows < ENOUGH_ROWS ? (uint32_t)rows : ENOUGH_ROWS;
        expected_before = atomic_fetch_add_explicit(&dfa->rows_expected, more, memory_order_relaxed);
        if (expected_before + more < ENOUGH_ROWS) return;
    }
    for (; dfa != NULL; dfa = dfa->next_conjunct) assay_dfa_prepare_columns(dfa);
}

void assay_dfa_free_columns(assay_dfa *dfa)
{
    assay_column_tables_free(atomic_load_explicit(&dfa->columns, memory_order_acquire));
}
