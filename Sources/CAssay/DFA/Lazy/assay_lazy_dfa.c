/* Checks values by a lazy DFA.
 *
 * A value costs at most an NFA simulation: at each character, the items of the state. The bound is WORK_BASE +
 * WORK_PER_BYTE × length, independent of the cache, because the decision whether a value is unknown must not depend on
 * earlier values, or on the thread. While all states have had fewer than WORK_PER_BYTE items, which is typical, no
 * value can exceed its bound, and the cost is not counted. Conjuncts with a bit-parallel form (assay_lazy_bits.h)
 * switch to it and need no bound. */
#include "DFA/Lazy/assay_lazy_bits.h"
#include "Dispatch/assay_kernels.h"
#include "Memory/assay_grow.h"

#include <stdlib.h>

enum {
    WORK_BASE = 1 << 16,
    WORK_PER_BYTE = 64,
    LAST_ENGINE_TIMES = 8,
    WORDS_PER_VISIT = 16,
    /* A skip pays if it is longer than this. Once skips have lost so much, the rest of the value is read byte by
       byte. */
    PAYING_SKIP = 12,
    SKIP_CREDIT = 128,
    SKIP_CREDIT_MAX = 4096,
    /* The maximum number of candidates of a value that are compared with words, of places at which the word of a
     * candidate may begin, and of candidates that the minimal DFA judges. */
    COMPARED_MAX = 64,
    WORD_STARTS_MAX = 24,
    /* The candidates that the first bytes of matches may refuse, and the skip after which another one is free. */
    REFUSED_MAX = 256,
    FREE_SKIP = 64,
    CONFIRMED_MAX = 16,
    /* The text after a candidate that the minimal DFA checks, in parts. */
    CONFIRMED_PARTS = 16,
    CONFIRMED_PARTS_OF_ASSERTIONS = 6,
    LANES = 4,
    LANE_BYTES = 24, /* shorter values, on average, are checked one by one, because lanes would be refilled too often */
};

/* A conjunct, with the caches of the thread that runs it. */
typedef struct lazy_run {
    determinizer in;
    const assay_lazy_program *program;
    const lazy_conjunct *part;
    assay_lazy_caches *caches;
    size_t readable; /* readable bytes from the beginning of the value */
} lazy_run;

static lazy_run run_of(const assay_lazy_program *program, const lazy_conjunct *part, assay_lazy_caches *caches,
                       subset_cache *cache, size_t readable)
{
    return (lazy_run){{&part->of, &program->symbols, &caches->set, cache}, program, part, caches, readable};
}

/* Returns the bound on the cost of a value. */
static uint64_t max_work(const assay_lazy_caches *caches, size_t count)
{
    const uint64_t bound = WORK_BASE + (uint64_t)WORK_PER_BYTE * count;
    return caches->is_last_engine ? LAST_ENGINE_TIMES * bound : bound;
}

static dfa_answer answer_of(uint32_t special)
{
    return special == SUBSET_MATCHED ? DFA_PASS : special == SUBSET_DEAD ? DFA_FAIL : DFA_UNKNOWN;
}

static inline uint32_t step(const lazy_run *run, uint32_t state, uint32_t symbol)
{
    const uint32_t next = run->in.cache->next[state + symbol];
    if (__builtin_expect(next != SUBSET_OPEN, 1)) return next;
    return lazy_make_transition(&run->in, state, symbol);
}

static dfa_answer at_end(const lazy_run *run, uint32_t state, uint32_t lookaheads)
{
    return assay_subset_accepts(&run->in, state, lookaheads) ? DFA_PASS : DFA_FAIL;
}

/* Subtracts the cost of a step from `state` from *left. Returns false if *left is less. */
static bool charge(const lazy_run *run, uint32_t state, uint64_t *left)
{
    const uint64_t cost = 1 + run->in.cache->subsets[state / run->part->of.columns].count;
    if (*left < cost) return false;
    *left -= cost;
    return true;
}

/* Runs one conjunct over a value, counting its cost. `masks`: the look-aheads that hold at each offset, or NULL. */
static dfa_answer run_counted(const lazy_run *run, const uint8_t *value, size_t count, const uint8_t *masks)
{
    const uint32_t symbols = run->program->symbols.alphabet.count;
    uint64_t left = max_work(run->caches, count);
    uint32_t state = lazy_start(&run->in);
    for (size_t at = 0; state >= SUBSET_FIRST && at < count;) {
        if (!charge(run, state, &left)) return DFA_UNKNOWN;
        const uint32_t lookaheads = masks != NULL ? masks[at] : 0;
        state = step(run, state, symbols * lookaheads + lazy_next_symbol(run->program, value, &at));
    }
    return state < SUBSET_FIRST ? answer_of(state) : at_end(run, state, masks != NULL ? masks[count] : 0);
}

/* Runs a conjunct with look-aheads: from the end to the beginning, to find the offsets at which they hold; then
 * forward. */
static dfa_answer run_both_ways(const lazy_run *run, subset_cache *cache, const uint8_t *value, size_t count)
{
    const lazy_run back = run_of(run->program, &run->program->backward, run->caches, cache, 0);
    assay_lazy_caches *caches = run->caches;
    if (!assay_grow(&caches->masks, &caches->masks_capacity, sizeof *caches->masks, count + 1)) return DFA_UNKNOWN;
    uint8_t *masks = caches->masks;
    uint64_t left = max_work(caches, count);
    uint32_t state = lazy_start(&back.in);
    for (size_t at = count; at > 0;) {
        if (state < SUBSET_FIRST || !charge(&back, state, &left)) return DFA_UNKNOWN;
        size_t from = at - 1;
        while (from > 0 && continues_character(value[from])) from--;
        size_t behind = from;
        const uint32_t next = step(&back, state, lazy_next_symbol(run->program, value, &behind));
        masks[at] = (uint8_t)(next >> subset_mask_shift);
        state = next & subset_state_bits;
        at = from;
    }
    if (state < SUBSET_FIRST) return DFA_UNKNOWN;
    masks[0] = (uint8_t)assay_subset_lookaheads(&back.in, state);
    return run_counted(run, value, count, masks);
}

/* Whether a value of `count` bytes may cost more than its bound. */
static bool may_cost_too_much(const assay_lazy_caches *caches, const subset_cache *cache, size_t count)
{
    return cache->largest >= WORK_PER_BYTE && (uint64_t)(cache->largest + 1) * count > max_work(caches, count);
}

/* Runs one conjunct over a value from its beginning, after a state so large that the value may exceed its bound. */
static dfa_answer run_bounded(const lazy_run *run, const uint8_t *value, size_t count)
{
    if (run->part->bits == NULL) return run_counted(run, value, count, NULL);
    /* For budgets: the words that a character may take, in instructions visited. Measured with .*a.{4000}z and
       [ab]*a[ab]{1500}c. */
    const uint64_t words = (uint64_t)run->part->bits->words * (3 + run->part->bits->rule_count);
    run->caches->set.work += count * words / WORDS_PER_VISIT;
    return lazy_match_bits(run->program, run->part, value, count);
}

/* Whether no match of a search has begun. */
static bool is_idle(const subset_cache *cache, uint32_t state)
{
    return cache->start != SUBSET_OPEN && state >= cache->start && state <= cache->last_idle;
}

/* Returns a bound on the start of the text before the candidate at `candidate`, no earlier than `at`. It is only a
 * bound because the filter may stop at bytes that no match has. */
static size_t earliest_start(const lazy_filter *filter, const uint8_t *value, size_t at, size_t candidate)
{
    size_t start = candidate;
    if (filter->before_max != SIZE_MAX) {
        start = candidate - at > filter->before_max ? candidate - filter->before_max : at;
    } else {
        while (start > at && (filter->before[value[start - 1] / 64] >> (value[start - 1] % 64) & 1) != 0) start--;
    }
    const bool is_end = filter->kind == FILTER_END && start == candidate; /* value[start] need not be readable */
    while (start > at && !is_end && continues_character(value[start])) start--;
    for (size_t i = 0; i < filter->context && start > at; i++) {
        do {
            start--;
        } while (start > at && continues_character(value[start]));
    }
    return start;
}

/* The skips of one run over a value. */
typedef struct skipping {
    const lazy_filter *filter;
    size_t credit;        /* the time that skips have saved; 0: they do not save time, or there is no filter */
    size_t next_check;    /* before it, the last candidate is still ahead */
    size_t words_left;    /* the number of candidates to compare with words, so that time stays linear */
    size_t refusals_left; /* the number of candidates that the first bytes of matches may refuse, likewise */
    bool has_candidate;
} skipping;

/* Sets the members one by one, because a copy of the whole would wait for its stores. */
static inline void begin_skipping(skipping *skips, const lazy_conjunct *part)
{
    skips->filter = lazy_filter_of(part);
    skips->credit = skips->filter != NULL ? SKIP_CREDIT : 0;
    skips->next_check = 0;
    skips->words_left = COMPARED_MAX;
    /* A match often follows the first candidate. */
    skips->has_candidate = part->beginning != NULL && part->beginning->is_match;
    skips->refusals_left = REFUSED_MAX;
}

/* Returns the first place from `from` on at which the filter stops, or `count`. */
static inline size_t find_candidate(const lazy_filter *filter, const uint8_t *value, size_t from, size_t count,
                                    size_t readable)
{
    if (filter->kind == FILTER_GRAMS) return lazy_grams_find(filter->grams, value, from, count);
    return assay_kernels_current()->find_candidate(value, from, count, readable, &filter->bytes);
}

/* Compares the places from `at` on at which a word of the candidate may begin with the words. */
static inline dfa_answer compare_words(const lazy_conjunct *part, const lazy_filter *filter, const uint8_t *value,
                                       size_t at, size_t candidate, size_t count)
{
    const bool has_room = candidate - at >= filter->before_max;
    if (filter->is_exact && !has_room) return DFA_FAIL;
    const size_t first = has_room ? candidate - filter->before_max : at;
    const size_t last = filter->is_exact ? first : candidate;
    for (size_t start = first; start <= last; start++) {
        if (lazy_words_begin_at(part->words, value, count, start)) return DFA_PASS;
    }
    return lazy_words_may_have_other_cases(part->words, value, first, last, count) ? DFA_UNKNOWN : DFA_FAIL;
}

/* Judges a candidate by the first bytes of matches. The search is idle at `at`. */
static inline dfa_answer compare_beginning(const lazy_conjunct *part, const skipping *skips, const uint8_t *value,
                                           size_t at, size_t candidate, size_t count)
{
    const lazy_filter *filter = skips->filter;
    if (!skips->has_candidate || part->beginning == NULL || !filter->has_start || skips->refusals_left == 0) {
        return DFA_UNKNOWN;
    }
    if (candidate - at < filter->before_max) return DFA_FAIL;
    const size_t start = candidate - filter->before_max;
    if (!lazy_beginning_fits(part->beginning, value + start, count - start)) return DFA_FAIL;
    return part->beginning->is_match ? DFA_PASS : DFA_UNKNOWN;
}

/* Finds the next candidate of a search that is idle at `at`. FAIL: no match follows. PASS: a match follows. UNKNOWN:
 * the search must continue from *start. */
static inline dfa_answer find_next(const lazy_conjunct *part, skipping *skips, const uint8_t *value, size_t at,
                                   size_t count, size_t readable, size_t *start)
{
    const lazy_filter *filter = skips->filter;
    if (filter->kind == FILTER_END) {
        *start = earliest_start(filter, value, at, count);
        skips->next_check = count;
        return DFA_UNKNOWN;
    }
    for (size_t from = at;;) {
        const size_t candidate = find_candidate(filter, value, from, count, readable);
        if (candidate == count) return DFA_FAIL;
        if (part->words != NULL && filter->before_max <= WORD_STARTS_MAX && skips->words_left > 0) {
            skips->words_left--;
            const dfa_answer answer = compare_words(part, filter, value, at, candidate, count);
            if (answer == DFA_PASS) return DFA_PASS;
            if (answer == DFA_FAIL) {
                from = candidate + 1;
                continue;
            }
        } else {
            const dfa_answer answer = compare_beginning(part, skips, value, at, candidate, count);
            if (answer == DFA_PASS) return DFA_PASS;
            if (answer == DFA_FAIL) {
                if (candidate - from < FREE_SKIP) skips->refusals_left--;
                from = candidate + 1;
                continue;
            }
        }
        *start = earliest_start(filter, value, at, candidate);
        skips->has_candidate = true;
        skips->next_check = candidate + 1;
        return DFA_UNKNOWN;
    }
}

/* Finds the first candidate of a search, which needs no state, and the place from which the search must continue. */
static inline dfa_answer find_first(const assay_lazy_program *program, skipping *skips, const uint8_t *value,
                                    size_t count, size_t readable, size_t *start)
{
    const lazy_conjunct *part = &program->conjuncts[0];
    begin_skipping(skips, part);
    *start = 0;
    if (skips->credit > 0) return find_next(part, skips, value, 0, count, readable, start);
    return part->has_many_words ? lazy_words_match(part->words, value, count) : DFA_UNKNOWN;
}

/* Steps through ASCII characters from *at on, by existing transitions, up to one that decides the value or, if the
 * search skips, makes it idle. The address of a transition is that of the column plus the state, because only the state
 * waits for the step before. */
static uint32_t step_ascii(const lazy_run *run, uint32_t state, bool skips, const uint8_t *value, size_t *at,
                           size_t count)
{
    const uint32_t last_special =
        skips && run->in.cache->start != SUBSET_OPEN ? run->in.cache->last_idle : SUBSET_FIRST - 1;
    const uint8_t *symbol_of = run->program->ascii_symbol_of;
    const uint32_t *next_of = run->in.cache->next;
    size_t i = *at;
    for (; i < count && value[i] < 0x80; i++) {
        const uint32_t *column = next_of + symbol_of[value[i]];
        const uint32_t next = column[state];
        if (__builtin_expect(next <= last_special, 0)) break;
        state = next;
    }
    *at = i;
    return state;
}

/* Runs one conjunct over a value, from `at` on. A search is idle at that place. */
static dfa_answer run_conjunct(const lazy_run *run, skipping *skips, const uint8_t *value, size_t at, size_t count)
{
    const subset_cache *cache = run->in.cache;
    uint32_t state = cache->start != SUBSET_OPEN ? cache->start : lazy_start(&run->in);
    if (may_cost_too_much(run->caches, cache, count)) return run_bounded(run, value, count);
    const uint32_t *next_of = cache->next; /* may change when a transition is added */
    while (state >= SUBSET_FIRST && at < count) {
        if (skips->credit > PAYING_SKIP && at >= skips->next_check && is_idle(cache, state)) {
            size_t start;
            const dfa_answer answer = find_next(run->part, skips, value, at, count, run->readable, &start);
            if (answer != DFA_UNKNOWN) return answer;
            skips->credit += start - at;
            skips->credit = (skips->credit < SKIP_CREDIT_MAX ? skips->credit : SKIP_CREDIT_MAX) - PAYING_SKIP;
            at = start;
        }
        state = step_ascii(run, state, skips->credit > PAYING_SKIP, value, &at, count);
        if (at == count) break;
        const uint32_t symbol = lazy_next_symbol(run->program, value, &at);
        uint32_t next = next_of[state + symbol];
        if (__builtin_expect(next == SUBSET_OPEN, 0)) {
            next = lazy_make_transition(&run->in, state, symbol);
            next_of = cache->next;
            if (may_cost_too_much(run->caches, cache, count)) return run_bounded(run, value, count);
        }
        state = next;
    }
    return state < SUBSET_FIRST ? answer_of(state) : at_end(run, state, 0);
}

/* Checks each conjunct in order. Fails if one fails, even if others are unknown. A search continues from `at`. */
static dfa_answer match(const assay_lazy_program *program, assay_lazy_caches *caches, subset_cache *cache_of,
                        skipping *skips, const uint8_t *value, size_t at, size_t count, size_t readable)
{
    dfa_answer answer = DFA_PASS;
    const regex_lengths lengths = program->lengths;
    if (lengths.are_bounded && !regex_lengths_fit(lengths, value, count)) return DFA_FAIL;
    for (uint32_t i = 0; i < program->conjunct_count && answer != DFA_FAIL; i++) {
        const lazy_run run = run_of(program, &program->conjuncts[i], caches, &cache_of[i], readable);
        dfa_answer here = program->backward.of.nfa.count > 0
                              ? run_both_ways(&run, &cache_of[regex_conjuncts_max], value + at, count - at)
                              : run_conjunct(&run, skips, value, at, count);
        if (run.part->negated && here != DFA_UNKNOWN) here = here == DFA_PASS ? DFA_FAIL : DFA_PASS;
        if (here != DFA_PASS) answer = here;
    }
    return answer;
}

/* Judges candidates by the minimal DFA, from *start on. UNKNOWN: the lazy DFA must continue from there. */
static inline dfa_answer confirm(const lazy_conjunct *part, const assay_dfa *dfa, skipping *skips, const uint8_t *value,
                                 size_t count, size_t readable, size_t *start)
{
    if (dfa == NULL || skips->credit == 0) return DFA_UNKNOWN;
    /* After assertions, a search that no match has begun is rarely in its start state. */
    const unsigned parts = skips->filter->context == 0 ? CONFIRMED_PARTS : CONFIRMED_PARTS_OF_ASSERTIONS;
    for (unsigned i = 0; i < CONFIRMED_MAX; i++) {
        size_t at = *start;
        const dfa_part decided = assay_dfa_match_part(dfa, value, &at, count, parts);
        if (decided == DFA_PART_PASS) return DFA_PASS;
        if (decided == DFA_PART_FAIL) return DFA_FAIL;
        if (decided == DFA_PART_UNKNOWN || at < skips->next_check) return DFA_UNKNOWN;
        const dfa_answer answer = find_next(part, skips, value, at, count, readable, start);
        if (answer != DFA_UNKNOWN) return answer;
    }
    return DFA_UNKNOWN;
}

/* Checks a search by its filter and, if there is one, by the minimal DFA. UNKNOWN: the lazy DFA must continue from
 * *start. */
static inline dfa_answer match_without_states(const assay_lazy_program *program, const assay_dfa *dfa, skipping *skips,
                                              const uint8_t *value, size_t count, size_t readable, size_t *start)
{
    const dfa_answer answer = find_first(program, skips, value, count, readable, start);
    if (answer != DFA_UNKNOWN) return answer;
    return confirm(&program->conjuncts[0], dfa, skips, value, count, readable, start);
}

dfa_answer assay_lazy_search(const assay_lazy_program *program, const assay_dfa *dfa, const uint8_t *value,
                             size_t count, size_t readable, size_t *start)
{
    skipping skips;
    return match_without_states(program, dfa, &skips, value, count, readable, start);
}

dfa_answer assay_lazy_match(const assay_lazy_program *program, const assay_dfa *dfa, assay_lazy_caches *caches,
                            const uint8_t *value, size_t count)
{
    skipping skips;
    size_t start;
    const dfa_answer answer = match_without_states(program, dfa, &skips, value, count, count, &start);
    if (answer != DFA_UNKNOWN) return answer;
    if (!assay_instruction_set_reserve(&caches->set, program->instructions)) return DFA_UNKNOWN;
    return match(program, caches, lazy_caches_of(caches, program), &skips, value, start, count, count);
}

dfa_answer assay_lazy_match_as_last(const assay_lazy_program *program, const assay_dfa *dfa, assay_lazy_caches *caches,
                                    const uint8_t *value, size_t count)
{
    caches->is_last_engine = true;
    const dfa_answer answer = assay_lazy_match(program, dfa, caches, value, count);
    caches->is_last_engine = false;
    return answer;
}

/* Columns: four values in parallel, which hides the latency of the loads */

typedef struct lazy_lane {
    const uint8_t *at;
    const uint8_t *end;
    uint32_t state;
    unsigned row;
} lazy_lane;

/* Runs steps while all four values can: over ASCII characters, by existing transitions. */
static void step_lanes(const lazy_run *run, lazy_lane lanes[LANES])
{
    const uint8_t *symbol_of = run->program->ascii_symbol_of;
    const uint32_t *next = run->in.cache->next;
    size_t max = SIZE_MAX;
    for (int i = 0; i < LANES; i++) {
        const size_t left = (size_t)(lanes[i].end - lanes[i].at);
        if (left < max) max = left;
    }
    const uint8_t *const a = lanes[0].at;
    const uint8_t *const b = lanes[1].at;
    const uint8_t *const c = lanes[2].at;
    const uint8_t *const d = lanes[3].at;
    uint32_t state_a = lanes[0].state;
    uint32_t state_b = lanes[1].state;
    uint32_t state_c = lanes[2].state;
    uint32_t state_d = lanes[3].state;
    size_t step = 0;
    for (; step < max; step++) {
        if ((a[step] | b[step] | c[step] | d[step]) >= 0x80) break;
        const uint32_t next_a = next[state_a + symbol_of[a[step]]];
        const uint32_t next_b = next[state_b + symbol_of[b[step]]];
        const uint32_t next_c = next[state_c + symbol_of[c[step]]];
        const uint32_t next_d = next[state_d + symbol_of[d[step]]];
        if ((next_a < SUBSET_FIRST) | (next_b < SUBSET_FIRST) | (next_c < SUBSET_FIRST) | (next_d < SUBSET_FIRST))
            break;
        state_a = next_a;
        state_b = next_b;
        state_c = next_c;
        state_d = next_d;
    }
    lanes[0].state = state_a;
    lanes[1].state = state_b;
    lanes[2].state = state_c;
    lanes[3].state = state_d;
    for (int i = 0; i < LANES; i++) lanes[i].at += step;
}

/* Runs one step of one value, or ends it. Returns whether it ended, with *answer. */
static bool step_lane(const lazy_run *run, lazy_lane *lane, dfa_answer *answer)
{
    if (lane->at == lane->end) {
        *answer = at_end(run, lane->state, 0);
        return true;
    }
    size_t length = 0;
    const uint32_t symbol = lazy_next_symbol(run->program, lane->at, &length);
    lane->at += length;
    lane->state = step(run, lane->state, symbol);
    *answer = answer_of(lane->state);
    return lane->state < SUBSET_FIRST;
}

static void note(dfa_answer answer, unsigned row, uint64_t *failed, uint64_t *unknown)
{
    *failed |= (uint64_t)(answer == DFA_FAIL) << row;
    *unknown |= (uint64_t)(answer == DFA_UNKNOWN) << row;
}

/* Checks rows while there are at least four, no value can exceed its bound, and the cache is not emptied, which would
 * remove the states of all lanes. Returns the remaining rows. */
static uint64_t match_in_lanes(const lazy_run *run, const uint8_t *bytes, const assay_cell *cells, uint64_t rows,
                               uint64_t *failed, uint64_t *unknown)
{
    const uint32_t start = lazy_start(&run->in);
    if (start < SUBSET_FIRST) return rows;
    const uint32_t times_emptied = run->in.cache->times_emptied;
    lazy_lane lanes[LANES];
    unsigned filled = 0;
    while (run->in.cache->largest < WORK_PER_BYTE && run->in.cache->times_emptied == times_emptied) {
        for (; filled < LANES && rows != 0; rows &= rows - 1) {
            const unsigned row = (unsigned)__builtin_ctzll(rows);
            const uint8_t *value = bytes + cells[row].start;
            lanes[filled++] = (lazy_lane){value, value + cells[row].length, start, row};
        }
        if (filled < LANES) break;
        step_lanes(run, lanes);
        unsigned kept = 0;
        for (unsigned i = 0; i < LANES; i++) {
            dfa_answer answer;
            if (run->in.cache->times_emptied == times_emptied && step_lane(run, &lanes[i], &answer)) {
                note(answer, lanes[i].row, failed, unknown);
            } else {
                lanes[kept++] = lanes[i];
            }
        }
        filled = kept;
    }
    for (unsigned i = 0; i < filled; i++) rows |= UINT64_C(1) << lanes[i].row;
    return rows;
}

uint64_t assay_lazy_match_rows(const assay_lazy_program *program, const assay_dfa *dfa, assay_lazy_caches *caches,
                               const uint8_t *bytes, const assay_cell *cells, uint64_t rows, uint64_t *failed)
{
    if (!assay_instruction_set_reserve(&caches->set, program->instructions)) return rows;
    subset_cache *cache_of = lazy_caches_of(caches, program);
    size_t end = 0; /* the end of the bytes of all values */
    size_t sum = 0;
    for (uint64_t left = rows; left != 0; left &= left - 1) {
        const assay_cell cell = cells[__builtin_ctzll(left)];
        const size_t cell_end = cell.start + (size_t)cell.length;
        if (cell_end > end) end = cell_end;
        sum += cell.length;
    }
    uint64_t unknown = 0;
    const lazy_conjunct *first = &program->conjuncts[0];
    for (uint64_t left = rows; left != 0 && program->lengths.are_bounded; left &= left - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(left);
        if (regex_lengths_fit(program->lengths, bytes + cells[row].start, cells[row].length)) continue;
        *failed |= UINT64_C(1) << row;
        rows &= ~(UINT64_C(1) << row);
    }
    const bool can_run_in_lanes = program->conjunct_count == 1 && program->backward.of.nfa.count == 0 &&
                                  !first->negated && assay_lazy_program_prefilter(program) == NULL;
    if (can_run_in_lanes && sum >= LANE_BYTES * (size_t)__builtin_popcountll(rows)) {
        const lazy_run run = run_of(program, first, caches, cache_of, 0);
        rows = match_in_lanes(&run, bytes, cells, rows, failed, &unknown);
    }
    for (; rows != 0; rows &= rows - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(rows);
        const size_t start = cells[row].start;
        const size_t count = cells[row].length;
        skipping skips;
        size_t at;
        dfa_answer answer = match_without_states(program, dfa, &skips, bytes + start, count, end - start, &at);
        if (answer == DFA_UNKNOWN) {
            answer = match(program, caches, cache_of, &skips, bytes + start, at, count, end - start);
        }
        note(answer, row, failed, &unknown);
    }
    return unknown;
}
