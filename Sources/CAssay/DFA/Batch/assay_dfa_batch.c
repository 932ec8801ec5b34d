/* Executes a DFA on many values, several at a time.
 *
 * A lookup has a latency of five cycles or more, but lookups for different values do not wait for each other. So eight
 * values run in eight lanes, two bytes a step (stride 2), eight bytes a round; the last round is padded with bytes that
 * change nothing:
 *
 *     lane 0    anna@exa mple.org
 *     lane 1    bo@examp le.org··
 *     lane 2    cyril@ex ample···
 *
 * Values are sorted by their number of rounds, so that nearly all groups of lanes have the same number and the inner
 * loop has no branches. */
#include "DFA/Batch/assay_dfa_lanes.h"
#include "DFA/Batch/assay_transliterated_lanes.h"
#include "Dispatch/assay_kernels.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Lanes
 * ------------------------------------------------------------------------------------------------------------- */

/* One of LANES values that step side by side. */
typedef struct lane {
    const uint8_t *value;
    size_t rounds;
    uint64_t last; /* what the last round reads: 1 to 8 bytes, filled up */
} lane;

static const lane no_lane = {.rounds = 0};

/* The `count` bytes before `end`, 1 to 8, in front of bytes that change nothing, as they would stand in memory. The
   buffer begins at `bytes`: what stands before the value is read too, where there is enough of it, and shifted out. */
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

/* An empty value has no rounds: its state stays the start state. */
static inline lane lane_of(const uint8_t *bytes, assay_cell cell)
{
    if (cell.length == 0) return no_lane;
    return (lane){.value = bytes + cell.start,
                  .rounds = rounds_of(cell.length),
                  .last = load_last(bytes, (size_t)cell.start + cell.length, (cell.length - 1) % ROUND + 1)};
}

/* Runs lanes which all have `rounds` rounds, at least one. The processor overlaps their steps by itself. */
static inline void run_alike(const stride2_tables *stride2, uint8_t start, const lane *lanes, size_t rounds,
                             uint8_t *final)
{
    size_t states[LANES];
    for (int i = 0; i < LANES; i++) states[i] = start;
    for (size_t round = 0; round + 1 < rounds; round++) {
#pragma GCC unroll 8
        for (int i = 0; i < LANES; i++) {
            uint64_t word;
            memcpy(&word, lanes[i].value + round * ROUND, ROUND);
            states[i] = step_round(stride2, states[i], word);
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < LANES; i++) final[i] = (uint8_t)step_round(stride2, states[i], lanes[i].last);
}

/* Runs lanes of which each has its own number of rounds, `rounds` at most. */
static void run_mixed(const stride2_tables *stride2, uint8_t start, const lane *lanes, size_t rounds, uint8_t *final)
{
    memset(final, start, LANES);
    for (size_t round = 0; round < rounds; round++) {
        for (int i = 0; i < LANES; i++) {
            if (round >= lanes[i].rounds) continue;
            uint64_t word = lanes[i].last;
            if (round + 1 < lanes[i].rounds) memcpy(&word, lanes[i].value + round * ROUND, ROUND);
            final[i] = (uint8_t)step_round(stride2, final[i], word);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Rows
 * ------------------------------------------------------------------------------------------------------------- */

/* Judges up to LANES rows. `rounds`: that of all of them, or 0 if they are mixed. */
static inline __attribute__((always_inline)) void judge_lanes(const batch_job *job, const uint16_t *rows, size_t count,
                                                              size_t rounds)
{
    lane lanes[LANES];
    uint8_t final[LANES];
    size_t most = rounds;
    for (size_t i = 0; i < LANES; i++) {
        lanes[i] = i < count ? lane_of(job->bytes, job->cells[rows[i]]) : no_lane;
        if (rounds == 0 && lanes[i].rounds > most) most = lanes[i].rounds;
    }
    const uint8_t start = job->dfa->start;
    if (rounds > 0) {
        run_alike(job->stride2, start, lanes, rounds, final);
    } else {
        run_mixed(job->stride2, start, lanes, most, final);
    }
    const uint8_t first_accepting = job->dfa->first_accepting;
    bool any = false;
    for (size_t i = 0; i < LANES; i++) any |= final[i] < first_accepting;
    if (!any) return;
    for (size_t i = 0; i < count; i++) settle(job, rows[i], final[i]);
}

/* Judges those rows of `asked` whose length has a class mask, and takes them out. Returns whether rows are left. Where
   most of one word are, the following words are not tried. */
static bool judge_by_class_masks(const batch_job *job, size_t count, uint64_t *asked)
{
    const assay_class_masks *class_masks = job->stride2->class_masks;
    uint64_t any_left = 0;
    for (size_t word = 0; word * 64 < count; word++) {
        const assay_cell *cells = job->cells + word * 64;
        uint64_t left = 0;
        for (uint64_t rows = asked[word]; rows != 0; rows &= rows - 1) {
            const unsigned row = (unsigned)__builtin_ctzll(rows);
            const dfa_answer answer = assay_class_masks_judge(class_masks, job->bytes, cells[row]);
            if (__builtin_expect(answer == DFA_PASS, 1)) continue;
            job->failed[word] |= (uint64_t)(answer == DFA_FAIL) << row;
            left |= (uint64_t)(answer == DFA_UNKNOWN) << row;
        }
        const bool is_vain = __builtin_popcountll(left) > __builtin_popcountll(asked[word]) / 2;
        asked[word] = left;
        any_left |= left;
        if (is_vain) return true;
    }
    return any_left != 0;
}

/* The rows of `asked` in the order of their rounds (a counting sort); those of longer values become unknown. `ends[r]`
   is where the rows of r rounds end. */
static void sort_rows(const batch_job *job, size_t count, const uint64_t *asked, uint16_t *order,
                      uint16_t ends[MOST_ROUNDS + 1])
{
    uint16_t rows[ASSAY_DFA_ROWS];
    uint8_t rounds[ASSAY_DFA_ROWS];
    uint16_t counts[MOST_ROUNDS + 1] = {0};
    size_t used = 0;
    for (size_t word = 0; word * 64 < count; word++) {
        for (uint64_t rest = asked[word]; rest != 0; rest &= rest - 1) {
            const uint16_t row = (uint16_t)(word * 64 + (size_t)__builtin_ctzll(rest));
            /* Once they are sorted nothing tells the processor which come next. */
            __builtin_prefetch(job->bytes + job->cells[row].start);
            const size_t needed = rounds_of(job->cells[row].length);
            if (needed > MOST_ROUNDS) {
                set_bit(job->unknown, row);
                continue;
            }
            rows[used] = row;
            rounds[used++] = (uint8_t)needed;
            counts[needed]++;
        }
    }
    uint16_t starts[MOST_ROUNDS + 1];
    uint16_t end = 0;
    for (size_t i = 0; i <= MOST_ROUNDS; i++) {
        starts[i] = end;
        end = (uint16_t)(end + counts[i]);
        ends[i] = end;
    }
    for (size_t i = 0; i < used; i++) order[starts[rounds[i]]++] = rows[i];
}

/* Judges rows in groups of LANES with the same number of rounds; the rest of each number goes together in mixed groups. */
static void judge_sorted(const batch_job *job, size_t count, const uint64_t *asked)
{
    uint16_t order[ASSAY_DFA_ROWS];
    uint16_t ends[MOST_ROUNDS + 1];
    sort_rows(job, count, asked, order, ends);
    if (job->stride2->transliteration != NULL) {
        assay_dfa_judge_transliterated(job, order, ends[MOST_ROUNDS]);
        return;
    }

    uint16_t left[LANES * MOST_ROUNDS]; /* fewer than LANES of each number of rounds, in ascending order */
    size_t left_count = 0;
    size_t next = 0;
    for (; next < ends[0]; next++) settle(job, order[next], job->dfa->start);
    for (size_t rounds = 1; rounds <= MOST_ROUNDS; rounds++) {
        for (; next + LANES <= ends[rounds]; next += LANES) judge_lanes(job, order + next, LANES, rounds);
        while (next < ends[rounds]) left[left_count++] = order[next++];
    }
    for (size_t i = 0; i < left_count; i += LANES) {
        judge_lanes(job, left + i, left_count - i < LANES ? left_count - i : LANES, 0);
    }
}

/* The rows of `asked`, which it changes, by one DFA. */
static void judge_by_one(const batch_job *job, size_t count, uint64_t *asked)
{
    const assay_shuffle_dfa *layers = job->stride2->shuffle_dfa;
    const assay_kernels *kernels = assay_kernels_current();
    bool are_left = true;
    if (layers != NULL && kernels->shuffle_width == layers->width) {
        kernels->shuffle_dfa_judge(layers, job->bytes, job->cells, count, asked, job->failed, job->unknown);
        are_left = assay_mask_next(asked, count, 0) < count;
    } else if (job->stride2->class_masks != NULL) {
        are_left = judge_by_class_masks(job, count, asked);
    }
    if (are_left) judge_sorted(job, count, asked);
}

/* Each conjunct sees only rows that all before it passed. */
void assay_dfa_judge_rows(const assay_dfa *dfa, const uint8_t *bytes, const assay_cell *cells, size_t count,
                          const uint64_t *skip, uint64_t *failed, uint64_t *unknown)
{
    const size_t words = assay_mask_words(count);
    memset(failed, 0, words * sizeof *failed);
    memset(unknown, 0, words * sizeof *unknown);
    for (; dfa != NULL; dfa = dfa->next_conjunct) {
        const batch_job job = {
            .dfa = dfa,
            .stride2 = atomic_load_explicit(&dfa->stride2, memory_order_acquire),
            .bytes = bytes,
            .cells = cells,
            .failed = failed,
            .unknown = unknown,
        };
        uint64_t asked[ASSAY_DFA_ROWS / 64];
        for (size_t word = 0; word < words; word++) {
            asked[word] = assay_mask_rest(skip, count, word) & ~(failed[word] | unknown[word]);
        }
        judge_by_one(&job, count, asked);
    }
}
