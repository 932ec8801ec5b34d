/* When the DFA of a pattern is made. Making it costs as much as PCRE2 takes for thousands of values, and many patterns
 * see only a few; so values are counted first, and PCRE2 judges them, with the same verdicts.
 *
 *     expected   0 ──► … ──► 2,048 values, or one long value ──► is_being_made ──► dfa, or refusal
 *
 * Threads never wait: the first to get there makes the DFA, and others go on with PCRE2 until it is published. */
#include "Patterns/assay_class_resolver.h"
#include "Patterns/assay_pcre2.h"
#include "Regex/Syntax/assay_regex_lower.h"

#include <stdlib.h>

enum {
    /* With the ten patterns of Benchmarks/export.rules.yaml, DFAs and their tables are repaid after about 3,500 rows
       (assay clean under callgrind, with and without --no-dfa). The threshold is lower, since a column of 2,000 rows
       mostly belongs to a file with many more. */
    ENOUGH_VALUES = 2048,
    /* So many bytes count as one value more, so that long values, which may take PCRE2 long, reach the threshold
       sooner. */
    COUNTED_BYTES = 64,
    /* A longer value does not wait at all: PCRE2 may take much longer for it than the DFA takes to be made. */
    LONG_VALUE = 256,
};

bool assay_pattern_refuse_dfa(assay_pattern *pattern, assay_dfa_refusal refusal)
{
    assay_dfa_refusal *copy = malloc(sizeof *copy);
    if (copy == NULL) return false;
    *copy = refusal;
    assay_dfa_refusal *before = NULL;
    if (!atomic_compare_exchange_strong_explicit(&pattern->refusal, &before, copy, memory_order_acq_rel,
                                                 memory_order_relaxed)) {
        free(copy); /* another thread was faster */
    }
    return true;
}

/* Returns the program of the lazy DFA, or NULL: the pattern has none. */
static assay_lazy_program *create_lazy(const assay_pattern *pattern, const assay_regex *regex, const char **because)
{
    /* A prefilter is for columns only, and is worth it only if it is much faster than PCRE2. */
    if ((pattern->options & ASSAY_PATTERN_ONLY_DFA) != 0) return NULL;
    return assay_lazy_program_create(regex, (pattern->options & ASSAY_PATTERN_SEARCH) != 0, because);
}

static void publish_lazy(assay_pattern *pattern, assay_lazy_program *made)
{
    assay_lazy_program *before = NULL;
    if (!atomic_compare_exchange_strong_explicit(&pattern->lazy, &before, made, memory_order_acq_rel,
                                                 memory_order_relaxed)) {
        assay_lazy_program_free(made);
    }
}

/* Whether a class of a pattern does not know what it says of all characters above U+FFFF. */
static bool leaves_above_bmp(const assay_regex *regex)
{
    for (uint32_t i = 0; i < regex->set_count; i++) {
        if (regex->sets[i]->above_bmp == ABOVE_BMP_UNKNOWN) return true;
    }
    return false;
}

/* Makes the DFA and publishes it, or the reason why there is none; then also the lazy DFA. `rows` is the length of the column
 * about to be judged: if it repays the tables for columns, they are made before other threads see the DFA, so that none makes
 * them again. */
static void make(assay_pattern *pattern, size_t rows)
{
    all_characters all = {.bytes = NULL};
    const assay_class_resolver finder = {assay_resolve_class, &all};
    assay_dfa_refusal refusal = {.because = NULL};
    assay_regex regex;
    assay_dfa *made = NULL;
    const bool is_search = (pattern->options & ASSAY_PATTERN_SEARCH) != 0;
    if (assay_regex_parse(&regex, pattern->text, pattern->count, pattern->options, &finder, &refusal) &&
        assay_regex_lower(&regex, is_search, &refusal)) {
        atomic_store_explicit(&pattern->leaves_above_bmp, leaves_above_bmp(&regex), memory_order_relaxed);
        const char *because = NULL;
        assay_lazy_program *lazy = is_search ? create_lazy(pattern, &regex, &because) : NULL;
        if ((pattern->options & ASSAY_PATTERN_LAZY_DFA) != 0) {
            refusal.because = "a lazy DFA is wanted";
        } else {
            made = assay_dfa_create(&regex, is_search, &refusal);
        }
        if (made == NULL && !is_search) lazy = create_lazy(pattern, &regex, &because);
        if (made == NULL && lazy == NULL && regex.only_lazy != NULL && because != NULL) refusal.because = because;
        /* A search with a prefilter has both: the other DFA is faster for short values. */
        const bool has_prefilter = lazy != NULL && assay_lazy_program_prefilter(lazy) != NULL;
        if (made == NULL || has_prefilter) {
            publish_lazy(pattern, lazy);
        } else {
            assay_lazy_program_free(lazy);
        }
    }
    assay_regex_free(&regex);
    free(all.bytes);
    if (made == NULL) {
        /* If there is no memory for the reason either, nothing is published, and PCRE2 goes on judging. */
        assay_pattern_refuse_dfa(pattern, refusal);
        return;
    }
    assay_dfa_expect_rows(made, rows);
    assay_dfa *before = NULL;
    if (!atomic_compare_exchange_strong_explicit(&pattern->dfa, &before, made, memory_order_acq_rel,
                                                 memory_order_relaxed)) {
        assay_dfa_free(made);
    }
}

/* Casts the const away: a pattern is shared as immutable, and the caches changed here are atomic and affect only
   speed. */
static assay_pattern *changeable(const assay_pattern *pattern) { return (assay_pattern *)pattern; }

void assay_pattern_expect(const assay_pattern *shared, size_t values, size_t bytes, size_t longest)
{
    if (!assay_pattern_awaits_dfa(shared)) return;
    assay_pattern *pattern = changeable(shared);
    const size_t more = values + bytes / COUNTED_BYTES;
    const size_t before = atomic_load_explicit(&pattern->expected, memory_order_relaxed);
    if (longest <= LONG_VALUE && before < ENOUGH_VALUES && more < ENOUGH_VALUES - before) {
        /* Not an atomic addition: threads that count at once may lose some values, which does no harm. */
        atomic_store_explicit(&pattern->expected, (uint32_t)(before + more), memory_order_relaxed);
        return;
    }
    if (!atomic_exchange_explicit(&pattern->is_being_made, true, memory_order_relaxed)) make(pattern, values);
}

dfa_answer assay_pattern_judge_lazily(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value,
                                      size_t count)
{
    const assay_lazy_program *lazy = atomic_load_explicit(&pattern->lazy, memory_order_acquire);
    if (lazy == NULL || !assay_scratch_has_caches(scratch)) return DFA_UNKNOWN;
    return assay_lazy_judge(lazy, scratch->caches, value, count);
}

assay_dfa *assay_pattern_need_dfa(const assay_pattern *pattern)
{
    if (assay_pattern_awaits_dfa(pattern)) make(changeable(pattern), 0);
    return assay_pattern_dfa_so_far(pattern);
}

assay_pattern_dfa assay_pattern_get_dfa(const assay_pattern *pattern)
{
    const assay_dfa *dfa = assay_pattern_need_dfa(pattern);
    const assay_lazy_program *lazy = atomic_load_explicit(&pattern->lazy, memory_order_acquire);
    const uint32_t instructions = lazy != NULL ? assay_lazy_program_size(lazy) : 0;
    const bool leaves = atomic_load_explicit(&pattern->leaves_above_bmp, memory_order_relaxed);
    if (dfa != NULL) {
        return (assay_pattern_dfa){
            .states = assay_dfa_state_count(dfa), .instructions = instructions, .leaves_above_bmp = leaves};
    }
    const assay_dfa_refusal *refusal = atomic_load_explicit(&pattern->refusal, memory_order_acquire);
    if (refusal == NULL) return (assay_pattern_dfa){.refusal = "out of memory"};
    return (assay_pattern_dfa){
        .refusal = refusal->because,
        .refusal_offset = refusal->offset,
        .instructions = instructions,
        .leaves_above_bmp = leaves && instructions > 0,
    };
}

const char *assay_pattern_prefilter(const assay_pattern *pattern)
{
    assay_pattern_need_dfa(pattern);
    const assay_lazy_program *lazy = atomic_load_explicit(&pattern->lazy, memory_order_acquire);
    return lazy != NULL ? assay_lazy_program_prefilter(lazy) : NULL;
}
