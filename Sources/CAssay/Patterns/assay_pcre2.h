/* What the files that call PCRE2 share. Only files of this folder include it. */
#ifndef ASSAY_PCRE2_H
#define ASSAY_PCRE2_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#if PCRE2_MAJOR < 10 || (PCRE2_MAJOR == 10 && PCRE2_MINOR < 42)
#error "Assay needs PCRE2 10.42 or later: see vendor-notes.md"
#endif

#include "DFA/assay_dfa.h"
#include "Patterns/assay_dfa_only.h"
#include "Patterns/assay_metered.h"
#include "Patterns/assay_pattern_features.h"
#include "Patterns/assay_scratch.h"
#include "Patterns/assay_work.h"
#include "assay_error.h"

#include <stdatomic.h>
#include <string.h>

enum {
    MATCHED = 0, /* rc ≥ 0; 0 only says that the captures did not fit, which nobody here reads */
};

struct assay_pattern {
    pcre2_code *code;
    size_t jit_size;         /* 0: the interpreter judges what PCRE2 judges */
    const char *jit_refusal; /* and why; static storage */
    /* Whether the interpreter may take over when the JIT runs out of stack: not where this version's interpreter is
       the one known to be wrong. */
    bool interpreter_may_retry;
    /* Judges first, once it is made (assay_pattern_dfa.c). Whoever comes first publishes it, or why there is none, and
       neither changes after that. Both NULL: not yet. */
    _Atomic(assay_dfa *) dfa;
    _Atomic(assay_dfa_refusal *) refusal;
    _Atomic(uint32_t) expected; /* values, until they are enough */
    _Atomic(bool) is_being_made;
    /* The same with callouts, once a value needs it (assay_metered.c). NULL: not yet. */
    _Atomic(assay_metered *) metered;
    assay_work_costs costs;
    bool is_wrapped; /* a search that is one anchored match (assay_pattern.c) */
    /* What it is made of. */
    uint32_t options;
    size_t count;
    uint8_t text[];
};

struct assay_scratch {
    pcre2_match_data *match_data;
    pcre2_match_context *context;
    pcre2_jit_stack *jit_stack;
    assay_match_limits limits;
    /* The values that the context's match limit now suits: those of this many blocks, and of patterns with these costs. */
    size_t limit_blocks;
    assay_work_costs costs;
    uint32_t match_limit;     /* 0: PCRE2 is not to be asked without a meter */
    bool match_limit_lowered; /* a metered run may know more */
    assay_meter meter;
    int32_t engine_code;
    bool heap_may_be_large; /* see assay_scratch_trim_heap */
};

/* pcre2_match wants a subject that is not NULL (10.42 takes NULL with length 0, pcre2_jit_match does not look). */
static const uint8_t assay_empty_value[1] = {0};

/* ---------------------------------------------------------------------------------------------------------------
 * The engine (assay_engine.c)
 * ------------------------------------------------------------------------------------------------------------- */

/* Why the JIT compiler of the linked PCRE2 must not be used for a pattern: static storage. NULL: it may. */
const char *assay_engine_jit_bug(const assay_pattern_features *features, uint32_t options);

/* Patterns that the interpreter gets wrong and the JIT compiler right, in words that end an error message; NULL for the
   others. Without JIT such a pattern is refused: no verdict is better than a wrong one. */
const char *assay_engine_interpreter_bug(const assay_pattern_features *features);

/* ---------------------------------------------------------------------------------------------------------------
 * Compiling (assay_compile.c)
 * ------------------------------------------------------------------------------------------------------------- */

/* PCRE2's options for ASSAY_PATTERN_…. */
uint32_t assay_compile_flags(uint32_t options, const assay_pattern_features *features);

/* A pattern of at most `max_bytes`; SIZE_MAX: one of ours, around a pattern that was accepted. NULL: *error says why. */
pcre2_code *assay_compile(const uint8_t *text, size_t count, uint32_t flags, size_t max_bytes, assay_error *error);

/* What makes a search one anchored match: see compile_search in assay_pattern.c. */
#define SEARCH_PREFIX "(?s:.*?)"

/* `(?:text)` between what must stand before and behind it. A comment or a \Q that runs to the end of the text would swallow the
   rest, so both are closed first. The caller frees. NULL when out of memory. */
uint8_t *assay_compile_wrapped(const char *before, const uint8_t *text, size_t count, const char *after,
                               size_t *wrapped_count);

/* Compiles to machine code if that works, and returns its size, else 0. Failure is no error: hosts may forbid executable
   memory (−48 under PR_SET_MDWE), and only trying tells. Done before the pattern is shared (pcre2api,
   "MULTITHREADING"). */
size_t assay_compile_to_machine_code(pcre2_code *code);

/* ---------------------------------------------------------------------------------------------------------------
 * The DFA (assay_pattern_dfa.c)
 * ------------------------------------------------------------------------------------------------------------- */

/* NULL: PCRE2 judges, for now or for good. */
static inline assay_dfa *assay_pattern_dfa_so_far(const assay_pattern *pattern)
{
    return atomic_load_explicit(&pattern->dfa, memory_order_acquire);
}

/* Whether it is not known yet what assay_pattern_dfa_so_far says for good. */
static inline bool assay_pattern_awaits_dfa(const assay_pattern *pattern)
{
    return assay_pattern_dfa_so_far(pattern) == NULL &&
           atomic_load_explicit(&pattern->refusal, memory_order_relaxed) == NULL;
}

/* Announces values that are about to be judged: how many, their bytes together, and the longest one's. Once there have been
   enough, or one is long, and if no other thread is at it, this makes the DFA, with tables for columns if they pay. */
void assay_pattern_expect(const assay_pattern *pattern, size_t values, size_t bytes, size_t longest);

/* The DFA, made if it is not there yet. NULL: there is none, or no memory. */
assay_dfa *assay_pattern_need_dfa(const assay_pattern *pattern);

/* Says for good that a new pattern has no DFA. false: out of memory. */
bool assay_pattern_refuse_dfa(assay_pattern *pattern, assay_dfa_refusal refusal);

/* ---------------------------------------------------------------------------------------------------------------
 * Matching (assay_scratch.c, assay_pattern_value.c)
 * ------------------------------------------------------------------------------------------------------------- */

/* Lengths are rounded up to a block's end, so that a column of everyday values sets the limit once: 64 bytes, then multiples of
   256. */
#define SHORT_BLOCK 64u
#define LIMIT_BLOCK 256u

/* No object is so long that this overflows. */
static inline size_t assay_scratch_blocks(size_t count) { return count <= SHORT_BLOCK ? 0 : count / LIMIT_BLOCK + 1; }

/* To be called before values of a pattern. */
static inline void assay_scratch_for(assay_scratch *scratch, const assay_pattern *pattern)
{
    if (memcmp(&scratch->costs, &pattern->costs, sizeof scratch->costs) == 0) return;
    scratch->costs = pattern->costs;
    scratch->limit_blocks = SIZE_MAX;
}

/* Sets the match limit for values of so many blocks. */
void assay_scratch_set_limit(assay_scratch *scratch, size_t blocks);

/* To be called after values of which scratch->heap_may_be_large. */
void assay_scratch_trim_heap(assay_scratch *scratch);

/* ---------------------------------------------------------------------------------------------------------------
 * Metered (assay_metered.c)
 * ------------------------------------------------------------------------------------------------------------- */

/* Judges a value that a plain run gave up with `rc`, PCRE2_ERROR_MATCHLIMIT or PCRE2_ERROR_JIT_STACKLIMIT. Returns what
   pcre2_match would. */
int assay_metered_match(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count,
                        int rc);

/* Runs the interpreter with what `meter` has left, of a pattern whose code is not NULL; `options` are PCRE2's. The context must
   have assay_metered_charge as its callout, and `meter` as what it is given. */
int assay_metered_interpret(const assay_metered *metered, assay_meter *meter, const uint8_t *value, size_t count,
                            uint32_t options, pcre2_match_data *data, pcre2_match_context *context);
int assay_metered_charge(pcre2_callout_block *block, void *meter);

/* Whether it has code: with callouts a pattern may be too large for PCRE2. */
bool assay_metered_has_code(const assay_metered *metered);

int assay_pattern_interpret(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count);

/* What is left of a return code below NOMATCH: a limit, an engine error or, after a retry, a verdict. */
int assay_pattern_settle(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count,
                         int rc);

/* Whether a single value of so many bytes is the DFA's, rather than PCRE2's. */
bool assay_pattern_prefers_dfa(const assay_pattern *pattern, const assay_dfa *dfa, size_t count);

#endif
