/* Runs a DFA on the values of a column: the entry point of batches, and the lanes of values that need no
 * transliteration.
 *
 *     rows ──► shuffle DFA, or class masks ──left──► sorted by rounds ──► lanes ──► failed, unknown
 *
 * A table lookup has a latency of several cycles, and each step of a DFA depends on the previous one, so a single value
 * leaves the processor idle. Lookups for different values are independent: eight values run in eight lanes, one or two
 * bytes per step, eight bytes per round. This is plain C, and the processor overlaps the lanes. The last round of
 * a value is padded with bytes that do not change the state:
 *
 *     lane 0    anna@exa mple.org
 *     lane 1    bo@examp le.org··
 *     lane 2    cyril@ex ample···
 *
 * Values are sorted by their number of rounds, so that nearly all groups of eight have the same number and the inner
 * loop has no branches. */
#include "DFA/Batch/assay_dfa_lanes.h"
#include "DFA/Batch/assay_transliterated_lanes.h"
#include "Dispatch/assay_kernels.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Lanes
 * ------------------------------------------------------------------------------------------------------------- */

/* One of LANES values that step in parallel. */
typedef struct lane {
    const uint8_t *value;
    size_t rounds;
    uint64_t last; /* the word of the last round: 1 to 8 bytes of the value, padded */
} lane;

static const lane no_lane = {.rounds = 0};

/* Loads the `count` bytes before `end`, 1 to 8, and pads them, as one word of memory:

       bytes   …,anna@example.org,…     end after "org", count 8:   "mple.org"
               …,le.org,…               end after "org", count 6:   "le.org··"

   Reads eight bytes that end with the value and shifts out those before it, which takes no branch on `count`; near the
   beginning of the buffer, where fewer precede, it copies. Never reads after the value. */
static inline uint64_t load_last(const uint8_t *bytes, size_t end, size_t count)
{
    uint64_t word;
    if (__builtin_expect(end >= ROUND, 1)) {
        memcpy(&word, bytes + end - ROUND, ROUND);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        return word << (8 * (ROUND - count)) | UINT64_MAX >> (8 * (count - 1)) >> 8;
#else
        return word >> (8 * (ROUND - count)) | UINT64_MAX << (8 * (count - 1)) << 8;
#endif
    }
    uint8_t few[ROUND];
    memset(few, padding_byte, sizeof few);
    memcpy(few, bytes + end - count, count);
    memcpy(&word, few, ROUND);
    return word;
}

/* Prepares the lane of a value. An empty value has no rounds and stays in the start state. */
static inline lane lane_of(const uint8_t *bytes, assay_cell cell)
{
    if (cell.length == 0) return no_lane;
    return (lane){.value = bytes + cell.start,
                  .rounds = rounds_of(cell.length),
                  .last = load_last(bytes, (size_t)cell.start + cell.length, (cell.length - 1) % ROUND + 1)};
}

/* Runs lanes that all have `rounds` rounds, at least one. Both inner loops are unrolled, so all eight states can stay
   in registers. */
static inline __attribute__((always_inline)) void run_alike(const column_tables *tables, bool by_pairs, uint8_t start,
                                                            const lane *lanes, size_t rounds, uint8_t *final)
{
    size_t states[LANES];
    for (int i = 0; i < LANES; i++) states[i] = start;
    for (size_t round = 0; round + 1 < rounds; round++) {
#pragma GCC unroll 8
        for (int i = 0; i < LANES; i++) {
            uint64_t word;
            memcpy(&word, lanes[i].value + round * ROUND, ROUND);
            states[i] = step_round(tables, by_pairs, states[i], word);
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < LANES; i++) final[i] = (uint8_t)step_round(tables, by_pairs, states[i], lanes[i].last);
}

/* Runs lanes with different numbers of rounds, at most `rounds`, for the few values that do not fill a group. */
static void run_mixed(const column_tables *tables, uint8_t start, const lane *lanes, size_t rounds, uint8_t *final)
{
    memset(final, start, LANES);
    for (size_t round = 0; round < rounds; round++) {
        for (int i = 0; i < LANES; i++) {
            if (round >= lanes[i].rounds) continue;
            uint64_t word = lanes[i].last;
            if (round + 1 < lanes[i].rounds) memcpy(&word, lanes[i].value + round * ROUND, ROUND);
            final[i] = (uint8_t)step_round(tables, tables->by_pairs, final[i], word);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Rows
 * ------------------------------------------------------------------------------------------------------------- */

/* Checks up to LANES rows. `rounds` is their common number of rounds, or 0 if it differs. Inlined, so that each
 * caller's constant selects one of the two loops. Most groups pass as a whole; only others are examined row by row. */
static inline __attribute__((always_inline)) void match_lanes(const batch_job *job, const uint16_t *rows, size_t count,
                                                              size_t rounds)
{
    lane lanes[LANES];
    uint8_t final[LANES];
    size_t max = rounds;
    for (size_t i = 0; i < LANES; i++) {
        lanes[i] = i < count ? lane_of(job->column.bytes, job->column.cells[rows[i]]) : no_lane;
        if (rounds == 0 && lanes[i].rounds > max) max = lanes[i].rounds;
    }
    const uint8_t start = job->dfa->start;
    if (rounds > 0 && job->tables->by_pairs) {
        run_alike(job->tables, true, start, lanes, rounds, final);
    } else if (rounds > 0) {
        run_alike(job->tables, false, start, lanes, rounds, final);
    } else {
        run_mixed(job->tables, start, lanes, max, final);
    }
    const uint8_t first_accepting = job->dfa->first_accepting;
    bool any = false;
    for (size_t i = 0; i < LANES; i++) any |= final[i] < first_accepting;
    if (!any) return;
    for (size_t i = 0; i < count; i++) settle(job, rows[i], final[i]);
}

/* Checks the rows of `requested` with a class mask for their length, and clears their bits. Returns whether rows
 * remain. If most rows of a word remain, the lengths of this column do not suit masks, and the following words are
 * skipped. */
static bool match_by_class_masks(const batch_job *job, uint64_t *requested)
{
    const assay_class_masks *class_masks = job->tables->class_masks;
    uint64_t any_left = 0;
    for (size_t word = 0; word * 64 < job->column.count; word++) {
        const assay_cell *cells = job->column.cells + word * 64;
        uint64_t left = 0;
        for (uint64_t rows = requested[word]; rows != 0; rows &= rows - 1) {
            const unsigned row = (unsigned)__builtin_ctzll(rows);
            const dfa_answer answer = assay_class_masks_match(class_masks, job->column.bytes, cells[row]);
            if (__builtin_expect(answer == DFA_PASS, 1)) continue;
            job->failed[word] |= (uint64_t)(answer == DFA_FAIL) << row;
            left |= (uint64_t)(answer == DFA_UNKNOWN) << row;
        }
        const bool is_vain = __builtin_popcountll(left) > __builtin_popcountll(requested[word]) / 2;
        requested[word] = left;
        any_left |= left;
        if (is_vain) return true;
    }
    return any_left != 0;
}

/* Sorts the rows of `requested` by their number of rounds (a counting sort, stable and O(rows)); rows of longer values
   become unknown. `order` receives the rows; those of r rounds end at ends[r]:

       lengths   row 0: 16   row 1: 14   row 2: 3   row 3: 9         rounds 2, 2, 1, 2
       order     2, 0, 1, 3                                          ends[0] = 0, ends[1] = 1, ends[2] = 4 */
static void sort_rows(const batch_job *job, const uint64_t *requested, uint16_t *order, uint16_t ends[MAX_ROUNDS + 1])
{
    uint16_t rows[ASSAY_DFA_ROWS];
    uint8_t rounds[ASSAY_DFA_ROWS];
    uint16_t counts[MAX_ROUNDS + 1] = {0};
    size_t used = 0;
    for (size_t word = 0; word * 64 < job->column.count; word++) {
        for (uint64_t rest = requested[word]; rest != 0; rest &= rest - 1) {
            const uint16_t row = (uint16_t)(word * 64 + (size_t)__builtin_ctzll(rest));
            /* Prefetch, because the hardware prefetcher does not recognize the addresses in sorted order. */
            __builtin_prefetch(job->column.bytes + job->column.cells[row].start);
            const size_t needed = rounds_of(job->column.cells[row].length);
            if (needed > MAX_ROUNDS) {
                set_bit(job->unknown, row);
                continue;
            }
            rows[used] = row;
            rounds[used++] = (uint8_t)needed;
            counts[needed]++;
        }
    }
    uint16_t starts[MAX_ROUNDS + 1];
    uint16_t end = 0;
    for (size_t i = 0; i <= MAX_ROUNDS; i++) {
        starts[i] = end;
        end = (uint16_t)(end + counts[i]);
        ends[i] = end;
    }
    for (size_t i = 0; i < used; i++) order[starts[rounds[i]]++] = rows[i];
}

/* Checks rows in groups of LANES with the same number of rounds. The rows left over, fewer than LANES for each number,
 * are checked in mixed groups. Empty values have the verdict of the start state. */
static void match_sorted(const batch_job *job, const uint64_t *requested)
{
    uint16_t order[ASSAY_DFA_ROWS];
    uint16_t ends[MAX_ROUNDS + 1];
    sort_rows(job, requested, order, ends);
    if (job->tables->transliteration != NULL) {
        assay_dfa_match_transliterated(job, order, ends[MAX_ROUNDS]);
        return;
    }

    uint16_t left[LANES * MAX_ROUNDS]; /* fewer than LANES of each number of rounds, in ascending order */
    size_t left_count = 0;
    size_t next = 0;
    for (; next < ends[0]; next++) settle(job, order[next], job->dfa->start);
    for (size_t rounds = 1; rounds <= MAX_ROUNDS; rounds++) {
        for (; next + LANES <= ends[rounds]; next += LANES) match_lanes(job, order + next, LANES, rounds);
        while (next < ends[rounds]) left[left_count++] = order[next++];
    }
    for (size_t i = 0; i < left_count; i += LANES) {
        match_lanes(job, left + i, left_count - i < LANES ? left_count - i : LANES, 0);
    }
}

/* Checks the rows of `requested` by one DFA: first those that the SIMD forms support, then the others in lanes. Changes
 * `requested`. The width is compared, because a test may have selected another processor path after the tables were
 * constructed. */
static void match_by_one(const batch_job *job, uint64_t *requested)
{
    const assay_shuffle_dfa *layers = job->tables->shuffle_dfa;
    const assay_kernels *kernels = assay_kernels_current();
    bool are_left = true;
    if (layers != NULL && kernels->shuffle_width == layers->width) {
        kernels->shuffle_dfa_match(layers, &job->column, requested, job->failed, job->unknown);
        are_left = assay_mask_next(requested, job->column.count, 0) < job->column.count;
    } else if (job->tables->class_masks != NULL) {
        are_left = match_by_class_masks(job, requested);
    }
    if (are_left) match_sorted(job, requested);
}

/* Adds the rows of a word to `failed` whose values have too few or too many characters. Only rows of `rows` are
 * examined. Values that passed a DFA for ASCII alone have as many characters as bytes; of others, most lengths in bytes
 * also decide. */
static void match_lengths(const assay_dfa *dfa, const assay_column_view *column, size_t word, uint64_t rows,
                          uint64_t *failed)
{
    const regex_lengths lengths = dfa->lengths;
    const assay_cell *cells = column->cells + word * 64;
    /* Lengths in bytes at which values have an accepted number of characters, of one to four bytes. */
    const uint32_t low =
        dfa->only_ascii_matches || lengths.minimum > UINT32_MAX / 4 ? lengths.minimum : 4 * lengths.minimum;
    uint64_t others = 0;
    for (uint64_t left = rows; left != 0; left &= left - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(left);
        others |= (uint64_t)(cells[row].length < low || cells[row].length > lengths.maximum) << row;
    }
    if (dfa->only_ascii_matches) {
        failed[word] |= others;
        return;
    }
    for (; others != 0; others &= others - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(others);
        const bool fits = regex_lengths_fit(lengths, column->bytes + cells[row].start, cells[row].length);
        failed[word] |= (uint64_t)!fits << row;
    }
}

/* Each DFA of a chain checks only the rows that all previous ones passed, because a failed row is decided, and unknown
 * ones are passed to assay_dfa_match, which runs the whole chain. */
void assay_dfa_match_rows(const assay_dfa *dfa, const assay_column_view *column, uint64_t *failed, uint64_t *unknown)
{
    const size_t words = assay_mask_words(column->count);
    const assay_dfa *first = dfa;
    memset(failed, 0, words * sizeof *failed);
    memset(unknown, 0, words * sizeof *unknown);
    for (; dfa != NULL; dfa = dfa->next_conjunct) {
        const batch_job job = {
            .dfa = dfa,
            .tables = atomic_load_explicit(&dfa->columns, memory_order_acquire),
            .column = *column,
            .failed = failed,
            .unknown = unknown,
        };
        uint64_t requested[ASSAY_DFA_ROWS / 64];
        for (size_t word = 0; word < words; word++) {
            requested[word] = assay_column_rest(column, word) & ~(failed[word] | unknown[word]);
        }
        match_by_one(&job, requested);
    }
    for (size_t word = 0; word < words && first->lengths.are_bounded; word++) {
        const uint64_t passed = assay_column_rest(column, word) & ~(failed[word] | unknown[word]);
        match_lengths(first, column, word, passed, failed);
    }
}
