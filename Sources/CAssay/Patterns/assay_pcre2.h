/* Declarations shared by the files that call PCRE2: those of this folder, of Diagnostics (assay_witness.c,
 * assay_pattern_viable.c), and Repairs/assay_replacement.c.
 *
 *     assay_pattern.c        text ──► assay_pattern       assay_pattern_column.c   checks columns
 *     assay_pattern_code.c   PCRE2's code of a pattern    assay_pattern_value.c    checks single values
 *     assay_compile.c        flags, contexts              assay_metered.c          the metered run
 *     assay_pattern_form.c   when to make machine code    assay_scratch.c          match data and limits of a thread
 *     assay_executable.c     machine code, and forks
 *     assay_engine.c         known defects of PCRE2       assay_plan.c             the choice of engines
 *     assay_pattern_dfa.c    construction of the DFAs
 *
 * ASSAY_PCRE2 is defined in builds with PCRE2. Without it, assay_without_pcre2.h replaces the library's types and
 * functions, assay_without_pcre2.c the files that only call PCRE2, and a DFA checks all values. */
#ifndef ASSAY_PCRE2_H
#define ASSAY_PCRE2_H

#ifdef ASSAY_PCRE2
#define PCRE2_CODE_UNIT_WIDTH 8
#if defined(__has_include)
#if !__has_include(<pcre2.h>)
#error "pcre2.h is missing: apt-get install libpcre2-dev, or brew install pcre2"
#endif
#endif
#include <pcre2.h>

#if PCRE2_MAJOR < 10 || (PCRE2_MAJOR == 10 && PCRE2_MINOR < 42)
#error "Assay needs PCRE2 10.42 or later: see vendor-notes.md"
#endif
#else
#include "Patterns/assay_without_pcre2.h"
#endif

#include "Memory/assay_chaos.h"
#include "Patterns/assay_budget.h"
#include "Patterns/assay_dfa_only.h"
#include "Patterns/assay_metered.h"
#include "Patterns/assay_pattern_features.h"
#include "Patterns/assay_plan.h"
#include "Patterns/assay_scratch.h"
#include "Patterns/assay_work.h"
#include "assay_error.h"

#include <stdatomic.h>
#include <string.h>

enum {
    MATCHED = 0, /* a return code ≥ 0 is a match; 0 means that captures did not fit, but they are not used */
};

/* A pattern in the form in which PCRE2 checks many values. */
typedef struct assay_form {
    pcre2_code *code;
    size_t jit_size;         /* 0: PCRE2 uses its interpreter */
    const char *jit_refusal; /* the reason; static storage */
    assay_work_costs costs;
} assay_form;

/* A compiled pattern. Immutable for its users; the atomic members are caches, filled on demand, which do not change
 * verdicts. */
struct assay_pattern {
    /* The form without machine code. Its code is NULL if the pattern is too large for PCRE2, or if the build has no
     * PCRE2: then only a DFA checks values, and the costs admit no run. */
    assay_form interpreted;
    /* The form for many values: the same, or a copy of the code with machine code. NULL: no value has needed it yet
     * (assay_pattern_form.c). */
    _Atomic(const assay_form *) form;
    assay_work_costs jit_costs; /* of the copy */
    uint32_t counted_items;     /* see assay_work_features */
    uint32_t alternatives;
    _Atomic(uint32_t) interpreted_bytes; /* of the values that the interpreter has checked in place of machine code */
    /* Whether the interpreter may run if JIT runs out of stack: false if the interpreter of this release is known to be
     * wrong about the pattern. */
    bool interpreter_may_retry;
    /* The DFAs, and the choice of engines (assay_plan.h). The first thread to finish publishes the plan, which never
     * changes after that. NULL: not constructed yet, and PCRE2 checks values (assay_pattern_dfa.c). */
    _Atomic(assay_plan *) plan;
    _Atomic(uint32_t) expected; /* values announced so far, until there are enough for a DFA */
    _Atomic(bool) is_being_made;
    /* The pattern compiled with callouts, when a value first needs it (assay_metered.c). NULL: not compiled yet. */
    _Atomic(assay_metered *) metered;
    bool is_wrapped;   /* a search compiled as one anchored match (assay_pattern.c) */
    bool has_grapheme; /* \X */
    bool has_calls;    /* (?1) and others */
    /* The options and the text that were compiled. */
    uint32_t options;
    size_t count;
    uint8_t text[];
};

/* All state that one thread changes during matching. */
struct assay_scratch {
    assay_lease lease; /* first: see assay_scratch_lease */
    pcre2_match_data *match_data;
    pcre2_match_context *context;
    pcre2_jit_stack *jit_stack;
    bool wants_jit_stack; /* it is not made yet */
    assay_match_limits limits;
    /* The match limit in the context is for values of this many blocks and patterns with these costs. */
    size_t limit_blocks;
    assay_work_costs costs;
    uint32_t match_limit;     /* 0: no plain run, go to the metered one */
    bool match_limit_lowered; /* a metered run may decide values that exceed this limit */
    assay_meter meter;
    assay_lazy_caches *caches; /* NULL: not created yet */
    int32_t engine_code;
    bool heap_may_be_large; /* see assay_scratch_trim_heap */
};

/* Replaces the bytes of an empty value, because subjects of PCRE2 must not be NULL. (pcre2_match of 10.42 accepts NULL
 * with length 0; pcre2_jit_match does not check.) */
static const uint8_t assay_empty_value[1] = {0};

/* ---------------------------------------------------------------------------------------------------------------
 * The engine (assay_engine.c)
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether the linked PCRE2 has a JIT compiler, which the host may still forbid. */
bool assay_engine_built_with_jit(void);

/* Returns why the JIT compiler of the linked PCRE2 must not be used for a pattern: static storage. NULL: it may. */
const char *assay_engine_jit_bug(const assay_pattern_features *features, uint32_t options);

/* Names the construct of a pattern for which the interpreter is incorrect and JIT is correct, in words that end an
 * error message; NULL: no such construct. Without JIT such a pattern is refused, because no verdict is better than a
 * wrong one. */
const char *assay_engine_interpreter_bug(const assay_pattern_features *features);

/* ---------------------------------------------------------------------------------------------------------------
 * Compiling (assay_compile.c)
 * ------------------------------------------------------------------------------------------------------------- */

/* PCRE2's options for ASSAY_PATTERN_…. */
uint32_t assay_compile_flags(uint32_t options, const assay_pattern_features *features);

/* Compiles a pattern of at most `max_bytes`. SIZE_MAX: the text wraps a pattern that was already accepted, so it may be
 * longer and nest one level deeper. NULL: *error contains the reason. */
pcre2_code *assay_compile(const uint8_t *text, size_t count, uint32_t flags, size_t max_bytes, assay_error *error);

enum { ASSAY_PATTERN_BYTES_MAX = 10000 }; /* by default */

/* Copies the text and the options into a new pattern without code, after the checks that need no parser. NULL: *error
 * contains the reason. */
assay_pattern *assay_pattern_new(const uint8_t *text, size_t count, uint32_t options, size_t max_bytes,
                                 assay_error *error);

/* Like assay_pattern_create, and also returns a copy of the code of the text alone, without machine code, even if no
 * pattern is created; the caller frees it. `unwrapped`: NULL, or points to NULL, which remains if the text is too large
 * for PCRE2. */
assay_pattern *assay_pattern_create_with_code(const uint8_t *text, size_t count, uint32_t options, size_t max_bytes,
                                              pcre2_code **unwrapped, assay_error *error);

/* Turns a search into one anchored match: see compile_search in assay_pattern.c. */
#define SEARCH_PREFIX "(?s:.*?)"

/* Returns before + "(?:" + text + ")" + after. Comments and \Q that extend to the end of the text are closed first,
 * because they would include the following text. The caller frees the result. NULL: out of memory. */
uint8_t *assay_compile_wrapped(const char *before, const uint8_t *text, size_t count, const char *after,
                               size_t *wrapped_count);

/* Compiles to machine code and returns its size; 0 if that fails. Failure is not an error: a host may forbid executable
 * memory (−48 under PR_SET_MDWE), which only an attempt shows. Must be called before the code is shared between threads
 * (pcre2api, "MULTITHREADING"). */
size_t assay_compile_to_machine_code(pcre2_code *code);

/* Frees code that may have machine code. NULL has no effect. */
void assay_code_free(pcre2_code *code);

/* ---------------------------------------------------------------------------------------------------------------
 * The form for many values (assay_pattern_form.c)
 * ------------------------------------------------------------------------------------------------------------- */

/* Makes the form, if no thread has done so. */
const assay_form *assay_pattern_make_form(const assay_pattern *pattern);

/* Returns the form for many values, and makes it if necessary. */
static inline const assay_form *assay_pattern_form(const assay_pattern *pattern)
{
    ASSAY_CHAOS_POINT();
    const assay_form *form = atomic_load_explicit(&pattern->form, memory_order_acquire);
    return form != NULL ? form : assay_pattern_make_form(pattern);
}

/* Checks one of the first values by the interpreter. Returns PCRE2_ERROR_MATCHLIMIT if that needs too many steps, or if
 * there is a budget, or if earlier values have taken as long as making the form. */
int assay_pattern_interpret_early(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value,
                                  size_t count);

/* The same if there is no form for many values yet. */
static inline int assay_pattern_match_first(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value,
                                            size_t count)
{
    if (__builtin_expect(atomic_load_explicit(&pattern->form, memory_order_relaxed) != NULL, 1)) {
        return PCRE2_ERROR_MATCHLIMIT;
    }
    return assay_pattern_interpret_early(pattern, scratch, value, count);
}

/* ---------------------------------------------------------------------------------------------------------------
 * The DFA (assay_pattern_dfa.c)
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns the plan if it exists. NULL: PCRE2 checks values for now. */
static inline const assay_plan *assay_pattern_plan_so_far(const assay_pattern *pattern)
{
    ASSAY_CHAOS_POINT();
    return atomic_load_explicit(&pattern->plan, memory_order_acquire);
}

/* Announces values before their check, while there is no plan: their number, the sum of their lengths, and the maximum
 * length. Constructs the plan after enough values or a long one, unless another thread is constructing it; with the
 * tables for columns if `values` alone justify them. */
void assay_pattern_expect(const assay_pattern *pattern, assay_scratch *scratch, size_t values, size_t bytes,
                          size_t longest);

/* Returns the plan, and constructs it if necessary. NULL: out of memory. */
const assay_plan *assay_pattern_need_plan(const assay_pattern *pattern);

/* The same, and charges the construction. */
const assay_plan *assay_pattern_plan_for_settling(const assay_pattern *pattern, assay_scratch *scratch);

/* Whether JIT may be the first engine of a value that a DFA could check. */
static inline bool assay_pattern_may_prefer_jit(const assay_pattern *pattern)
{
    return (pattern->options & ASSAY_PATTERN_LINEAR_TIME) == 0 && assay_pattern_form(pattern)->jit_size > 0;
}

/* Constructs the plan of a new pattern that only a DFA may check, if its options do not switch DFAs off. Returns false,
 * with *error filled, if no DFA matches the pattern. */
bool assay_pattern_require_linear(assay_pattern *pattern, assay_error *error);

/* Costs that admit no run of PCRE2. */
#define ASSAY_WORK_COSTS_NONE                                                                                          \
    ((assay_work_costs){.step = UINT32_MAX, .byte = UINT32_MAX, .reach = UINT32_MAX, .searches = 1})

/* Records permanently that a new pattern has no DFA. Returns false without memory. */
bool assay_pattern_refuse_dfa(assay_pattern *pattern, assay_dfa_refusal refusal);

/* ---------------------------------------------------------------------------------------------------------------
 * Matching (assay_scratch.c, assay_pattern_value.c)
 * ------------------------------------------------------------------------------------------------------------- */

/* Lengths are rounded up to blocks, so that a column of short values sets the limit once: to 64 bytes, then to
   multiples of 256. */
#define SHORT_BLOCK 64u
#define LIMIT_BLOCK 256u

/* The number of blocks of a length. No object is long enough for this to overflow. */
static inline size_t assay_scratch_blocks(size_t count) { return count <= SHORT_BLOCK ? 0 : count / LIMIT_BLOCK + 1; }

/* The length of the longest value of `blocks` blocks. */
static inline size_t assay_scratch_bytes(size_t blocks)
{
    const size_t max = blocks <= UINT32_MAX / LIMIT_BLOCK ? blocks * LIMIT_BLOCK : UINT32_MAX;
    return blocks == 0 ? SHORT_BLOCK : max;
}

/* Prepares the scratch for values of a pattern. Forgets the match limit if the previous pattern had other costs. */
static inline void assay_scratch_for(assay_scratch *scratch, const assay_form *form)
{
    ASSAY_CHAOS_POINT();
    if (memcmp(&scratch->costs, &form->costs, sizeof scratch->costs) == 0) return;
    scratch->costs = form->costs;
    scratch->limit_blocks = SIZE_MAX;
}

/* Makes the scratch's JIT stack. Until then, JIT code runs on 32 KiB of the thread's stack: mapping another one would
 * take a noticeable part of the time of a new scratch and its first value. Returns whether there is a larger stack than
 * before. */
bool assay_scratch_make_jit_stack(assay_scratch *scratch);

/* Sets PCRE2's match limit for values of `blocks` blocks. */
void assay_scratch_set_limit(assay_scratch *scratch, size_t blocks);

/* Whether PCRE2 may run a plain match over the value under the current limit. */
static inline bool assay_scratch_admits(const assay_scratch *scratch, const assay_pattern *pattern,
                                        const uint8_t *value, size_t count)
{
    if (scratch->match_limit == 0) return false;
    return !pattern->has_grapheme || !assay_work_has_long_row(value, count);
}

/* Frees the memory that the interpreter may have kept. Call it if scratch->heap_may_be_large. */
void assay_scratch_trim_heap(assay_scratch *scratch);

/* ---------------------------------------------------------------------------------------------------------------
 * Metered (assay_metered.c)
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns the metered form of a pattern. NULL: out of memory. */
const assay_metered *assay_metered_of(const assay_pattern *pattern);

/* Writes the different n of X{n} in a pattern of `count` bytes: up to `max` values, from 2 to `largest`. Returns their
 * number. */
size_t assay_metered_minima(const assay_metered *metered, size_t count, uint32_t largest, uint32_t *minima, size_t max);

/* Checks a value for which a plain run returned `rc`, PCRE2_ERROR_MATCHLIMIT or PCRE2_ERROR_JIT_STACKLIMIT. Returns a
 * return code of pcre2_match; `rc` itself if the pattern has no metered form. The scratch must have its JIT stack. */
int assay_metered_match(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count,
                        int rc);

/* Runs the interpreter with the remaining ticks of `meter`. assay_metered_has_code(metered) must be true; `options` are
 * PCRE2's. A value that the pattern must not receive (assay_work_has_long_row) reaches the match limit at once. The
 * callout of the context must be assay_metered_charge with `meter` as its data. */
int assay_metered_interpret(const assay_metered *metered, assay_meter *meter, const uint8_t *value, size_t count,
                            uint32_t options, pcre2_match_data *data, pcre2_match_context *context);
int assay_metered_charge(pcre2_callout_block *block, void *meter);

/* The same from a place in the value, by machine code if the metered form has it and `by_jit` is true. */
int assay_metered_search(const assay_metered *metered, assay_meter *meter, bool by_jit, assay_text value, size_t from,
                         uint32_t options, pcre2_match_data *data, pcre2_match_context *context);

/* Compiles to machine code. Must be called before the metered form is shared between threads. Returns false if there is
 * no machine code. */
bool assay_metered_compile_to_machine_code(assay_metered *metered);

/* Whether the pattern could be compiled with callouts: with them it may be too large for PCRE2. */
bool assay_metered_has_code(const assay_metered *metered);
/* Returns the ticks of a step of the interpreter, which are also those of its preparation before the first step. */
uint32_t assay_metered_interpreted_step(const assay_metered *metered);

/* Runs the interpreter on one value under the limits of the scratch. Returns a return code of pcre2_match. */
int assay_pattern_interpret(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count);

/* Handles a return code below PCRE2_ERROR_NOMATCH: tries the DFA, then the metered run. Returns the final return code,
 * which is a verdict if one of them decided the value. */
int assay_pattern_settle(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count,
                         int rc);

/* Checks one value by PCRE2 under the budget of the scratch. Returns a return code of pcre2_match, including
 * PCRE2_ERROR_MATCHLIMIT if the budget is exhausted. */
int assay_pattern_match_charged(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value,
                                size_t count);

/* Creates the scratch's caches of lazy DFAs on first use. Returns false when out of memory. */
bool assay_scratch_has_caches(assay_scratch *scratch);

/* Runs the interpreter on a value. `has_calls`: the pattern calls groups. At each call, the interpreter searches all
 * open recursions for a loop, which neither its limits nor callouts count: a value of 64 KiB took half a minute. The
 * depth of such patterns is therefore limited; a value that needs more is undecided. */
static inline int assay_interpret(const pcre2_code *code, bool has_calls, assay_text value, size_t from,
                                  uint32_t options, pcre2_match_data *data, pcre2_match_context *context)
{
    enum { MAX_DEPTH_OF_CALLS = 4096, PCRE2_DEFAULT_DEPTH = 10000000 };
    if (has_calls) pcre2_set_depth_limit(context, MAX_DEPTH_OF_CALLS);
    const int rc =
        pcre2_match(code, value.bytes, value.count, from, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT | options, data, context);
    if (has_calls) pcre2_set_depth_limit(context, PCRE2_DEFAULT_DEPTH);
    return rc;
}

#endif
