/* Decides when the DFAs of a pattern are constructed. Construction takes as long as PCRE2 takes for thousands of
 * values, and many patterns check only a few values. Values are therefore counted first, and PCRE2 checks them, with
 * the same verdicts.
 *
 *     expected   0 ──► … ──► 2,048 values, or one long value ──► is_being_made ──► plan
 *
 * Threads never wait: the first thread to reach the threshold constructs the plan, and others use PCRE2 until it is
 * published. */
#include "Memory/assay_chaos.h"
#include "Patterns/assay_class_resolver.h"
#include "Patterns/assay_pcre2.h"
#include "Regex/Syntax/assay_regex_lower.h"

#include <stdlib.h>

enum {
    /* With the ten patterns of Benchmarks/export.rules.yaml, DFAs and their tables pay off after about 3,500 rows
     * (assay clean under callgrind, with and without --no-dfa). The threshold is lower, because a column of 2,000 rows
     * usually belongs to a file with many more. */
    ENOUGH_VALUES = 2048,
    /* This number of bytes counts as one more value, so that long values, which may take PCRE2 long, reach the
     * threshold sooner. */
    COUNTED_BYTES = 64,
    /* A longer value reaches the threshold at once, because PCRE2 may take much longer for it than the construction of
     * the DFA. */
    LONG_VALUE = 256,
    /* Minimum ticks of a plan. */
    PLAN_TICKS = 100000,
};

static const char no_memory[] = "out of memory"; /* as a reason of a refusal */

/* Publishes a plan, unless another thread has already published one. */
static void publish(assay_pattern *pattern, assay_plan *plan)
{
    assay_plan *before = NULL;
    assay_plan_choose(plan, assay_pattern_may_prefer_jit(pattern));
    ASSAY_CHAOS_POINT();
    if (!atomic_compare_exchange_strong_explicit(&pattern->plan, &before, plan, memory_order_acq_rel,
                                                 memory_order_relaxed)) {
        assay_plan_free(plan);
    }
}

bool assay_pattern_refuse_dfa(assay_pattern *pattern, assay_dfa_refusal refusal)
{
    assay_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) return false;
    plan->refusal = refusal;
    publish(pattern, plan);
    return true;
}

/* Returns the program of the lazy DFA, or NULL if the pattern has no lazy DFA. */
static assay_lazy_program *create_lazy(const assay_pattern *pattern, const assay_regex *regex, const char **because)
{
    /* A prefilter is for columns only, and is worth it only if it is much faster than PCRE2. */
    if ((pattern->options & ASSAY_PATTERN_ONLY_DFA) != 0) return NULL;
    return assay_lazy_program_create(regex, (pattern->options & ASSAY_PATTERN_SEARCH) != 0, because);
}

/* Whether a class of a pattern leaves characters above U+FFFF undecided. */
static bool leaves_above_bmp(const assay_regex *regex)
{
    for (uint32_t i = 0; i < regex->set_count; i++) {
        if (regex->sets[i]->above_is_unknown) return true;
    }
    return false;
}

/* Constructs the DFAs of a plan from a lowered pattern. A search with a prefilter has both, because the minimal DFA is
 * faster for short values. Other patterns get the lazy DFA only if they have no minimal one. */
static void make_dfas(const assay_pattern *pattern, const assay_regex *regex, assay_plan *plan)
{
    const bool is_search = (pattern->options & ASSAY_PATTERN_SEARCH) != 0;
    const char *because = NULL;
    assay_lazy_program *lazy = is_search ? create_lazy(pattern, regex, &because) : NULL;
    if ((pattern->options & ASSAY_PATTERN_LAZY_DFA) != 0) {
        plan->refusal.because = "a lazy DFA is wanted";
    } else {
        plan->dfa = assay_dfa_create(regex, is_search, &plan->refusal);
    }
    if (plan->dfa == NULL && !is_search) lazy = create_lazy(pattern, regex, &because);
    const bool has_reason = because != NULL && (regex->backward_because != NULL || strcmp(because, no_memory) == 0);
    if (plan->dfa == NULL && lazy == NULL && has_reason) {
        plan->refusal.because = because;
    }
    if (plan->dfa == NULL || (lazy != NULL && assay_lazy_program_prefilter(lazy) != NULL)) {
        plan->lazy = lazy;
    } else {
        assay_lazy_program_free(lazy);
    }
    if (plan->dfa != NULL) plan->refusal.because = NULL;
}

/* Constructs the plan, and adds the ticks of the construction to *ticks. NULL: no memory for the plan itself. */
static assay_plan *construct(const assay_pattern *pattern, uint64_t *ticks)
{
    all_characters all = {.bytes = NULL};
    const assay_class_resolver finder = {assay_resolve_class, &all, assay_resolve_class_failure};
    const bool is_search = (pattern->options & ASSAY_PATTERN_SEARCH) != 0;
    assay_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) return NULL;
    uint64_t visited = 0;
    assay_regex regex;
    if (assay_regex_parse(&regex, pattern->text, pattern->count, pattern->options, &finder, &plan->refusal) &&
        assay_regex_lower(&regex, is_search, &plan->refusal)) {
        regex.work = &visited;
        plan->leaves_above_bmp = leaves_above_bmp(&regex);
        make_dfas(pattern, &regex, plan);
    }
    assay_regex_free(&regex);
    free(all.bytes);
    *ticks += PLAN_TICKS + all.work + ASSAY_BUDGET_VISIT * visited;
    return plan;
}

/* Constructs the plan and publishes it. `rows` is the length of the column to check: if it justifies the tables for
 * columns, they are constructed before other threads see the DFA, so that no thread repeats the work. If memory runs
 * out for the plan itself, PCRE2 continues to check values. Returns the ticks of the construction. */
static uint64_t make(assay_pattern *pattern, size_t rows)
{
    uint64_t ticks = 0;
    assay_plan *plan = construct(pattern, &ticks);
    if (plan == NULL) return 0;
    if (plan->dfa != NULL) assay_dfa_expect_rows(plan->dfa, rows);
    ASSAY_CHAOS_POINT();
    publish(pattern, plan);
    return ticks;
}

/* Returns the change to a pattern that removes the reason of a refusal, as words that follow a semicolon. */
static const char *remedy_of(const char *because)
{
    static const struct {
        const char *part, *remedy;
    } remedies[] = {
        {"a back reference", "write out the alternatives"},
        {"an octal escape", "write the character as \\x{…}"},
        {"possessive", "write a greedy quantifier or a plain group"},
        {"\\R", "write the line breaks that it may match, such as \\r?\\n"},
        {"look", "write out the alternatives, or add a second pattern"},
        {"states", "repeat less in it, or divide it into several patterns"},
        {"instructions", "repeat less in it, or divide it into several patterns"},
        {"many", "divide it into several patterns"},
    };
    for (size_t i = 0; i < sizeof remedies / sizeof remedies[0]; i++) {
        if (strstr(because, remedies[i].part) != NULL) return remedies[i].remedy;
    }
    return "write the pattern in another way";
}

bool assay_pattern_require_linear(assay_pattern *pattern, assay_error *error)
{
    uint64_t ticks = 0;
    assay_plan *plan = construct(pattern, &ticks);
    const assay_dfa_refusal refusal = plan != NULL ? plan->refusal : (assay_dfa_refusal){.because = NULL};
    const bool is_linear = plan != NULL && (plan->dfa != NULL || plan->lazy != NULL);
    if (plan == NULL || (!is_linear && strcmp(refusal.because, no_memory) == 0)) {
        assay_error_no_memory(error);
    } else if (!is_linear) {
        const char *reason =
            (pattern->options & ASSAY_PATTERN_LINEAR_TIME) != 0 ? "linearTime" : "a build without PCRE2";
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, refusal.offset, "%s excludes %s; %s", reason, refusal.because,
                         remedy_of(refusal.because));
    }
    const bool is_kept = is_linear && (pattern->options & (ASSAY_PATTERN_NO_DFA | ASSAY_PATTERN_NO_JIT)) == 0;
    if (is_kept) {
        publish(pattern, plan);
    } else {
        assay_plan_free(plan);
    }
    return is_linear;
}

/* Casts the const away: a pattern is shared as immutable, and the caches changed here are atomic and affect only
   speed. */
static assay_pattern *changeable(const assay_pattern *pattern) { return (assay_pattern *)pattern; }

void assay_pattern_expect(const assay_pattern *shared, assay_scratch *scratch, size_t values, size_t bytes,
                          size_t longest)
{
    if (assay_pattern_plan_so_far(shared) != NULL) return;
    assay_pattern *pattern = changeable(shared);
    const size_t more = values + bytes / COUNTED_BYTES;
    const size_t before = atomic_load_explicit(&pattern->expected, memory_order_relaxed);
    ASSAY_CHAOS_POINT();
    if (longest <= LONG_VALUE && before < ENOUGH_VALUES && more < ENOUGH_VALUES - before) {
        /* Not an atomic addition: concurrent threads may lose some counts, which is harmless. */
        atomic_store_explicit(&pattern->expected, (uint32_t)(before + more), memory_order_relaxed);
        return;
    }
    if (scratch->lease.is_spent) return;
    if (!atomic_exchange_explicit(&pattern->is_being_made, true, memory_order_relaxed)) {
        assay_lease_spend_once(&scratch->lease, make(pattern, values));
    }
}

const assay_plan *assay_pattern_plan_for_settling(const assay_pattern *pattern, assay_scratch *scratch)
{
    if (assay_pattern_plan_so_far(pattern) == NULL) {
        assay_lease_spend_once(&scratch->lease, make(changeable(pattern), 0));
    }
    return assay_pattern_plan_so_far(pattern);
}

const assay_plan *assay_pattern_need_plan(const assay_pattern *pattern)
{
    if (assay_pattern_plan_so_far(pattern) == NULL) make(changeable(pattern), 0);
    return assay_pattern_plan_so_far(pattern);
}

assay_pattern_dfa assay_pattern_get_dfa(const assay_pattern *pattern)
{
    const assay_plan *plan = assay_pattern_need_plan(pattern);
    if (plan == NULL) return (assay_pattern_dfa){.refusal = "out of memory"};
    const uint32_t instructions = plan->lazy != NULL ? assay_lazy_program_size(plan->lazy) : 0;
    return (assay_pattern_dfa){
        .states = plan->dfa != NULL ? assay_dfa_state_count(plan->dfa) : 0,
        .refusal = plan->refusal.because,
        .refusal_offset = plan->refusal.offset,
        .instructions = instructions,
        .leaves_above_bmp = plan->leaves_above_bmp && (plan->dfa != NULL || instructions > 0),
    };
}

const char *assay_pattern_prefilter(const assay_pattern *pattern)
{
    const assay_plan *plan = assay_pattern_need_plan(pattern);
    return plan != NULL && plan->lazy != NULL ? assay_lazy_program_prefilter(plan->lazy) : NULL;
}

static const char *name_of(const assay_pattern *pattern, pattern_engine engine)
{
    switch (engine) {
    case ENGINE_DFA:
        return "DFA";
    case ENGINE_LAZY:
        return "lazy DFA";
    case ENGINE_PCRE2:
        break;
    }
    return assay_pattern_form(pattern)->jit_size > 0 ? "PCRE2's JIT" : "PCRE2's interpreter";
}

assay_pattern_plan assay_pattern_get_plan(const assay_pattern *pattern)
{
    const assay_plan *plan = assay_pattern_need_plan(pattern);
    if (plan == NULL) return (assay_pattern_plan){.for_short = NULL};
    const assay_cell short_cell = {.length = 1};
    const assay_column_view short_values = {.cells = &short_cell, .count = 1};
    const pattern_engine column = assay_plan_for_column(plan, assay_pattern_may_prefer_jit(pattern), &short_values);
    return (assay_pattern_plan){.for_short = name_of(pattern, plan->for_short),
                                .for_middle = name_of(pattern, plan->for_middle),
                                .for_long = name_of(pattern, plan->for_long),
                                .for_columns = name_of(pattern, column),
                                .short_max = plan->short_max,
                                .middle_max = plan->middle_max};
}
