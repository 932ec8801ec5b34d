/* PCRE2's code of a pattern.
 *
 *     pattern ──► assay_compile ──► callouts ──► wrap searches ──► costs ──► later, JIT: assay_pattern_form.c */
#include "Patterns/assay_pcre2.h"

#include "Patterns/assay_pattern_recursion.h"

#ifdef ASSAY_PCRE2
#include <stdlib.h>
#include <string.h>

/* Called by PCRE2 for the first callout of a pattern; 1 ends the enumeration. */
static int remember_callout(pcre2_callout_enumerate_block *block, void *place)
{
    *(size_t *)place = block->pattern_position;
    return 1; /* enough */
}

/* Whether the pattern has a callout, and its offset. Such patterns are refused, because the effect of a callout depends
 * on the host, and callouts before assertions prevent JIT. */
static bool has_callout(const pcre2_code *code, size_t *offset)
{
    return pcre2_callout_enumerate(code, remember_callout, offset) != 0;
}

/* Compiles a search as one anchored match, (?s:.*?)(?:text). PCRE2 restarts the count of steps at each start of a
 * search, so a match limit would not bound their sum. With all starts in one match there is one count. The caller must
 * not wrap patterns with verbs, which could end that match, or patterns that call the whole pattern, which would then
 * include the prefix. NULL: *error contains the reason. */
static pcre2_code *compile_search(const uint8_t *text, size_t count, uint32_t flags, assay_error *error)
{
    size_t full_count = 0;
    uint8_t *full = assay_compile_wrapped(SEARCH_PREFIX, text, count, "", &full_count);
    if (full == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    pcre2_code *code = assay_compile(full, full_count, flags | PCRE2_ANCHORED, SIZE_MAX, error);
    free(full);
    if (code == NULL && error != NULL) {
        /* The text alone was compiled, so the error concerns the whole (too large): map the offset back to the caller's
         * text. */
        const size_t added = strlen(SEARCH_PREFIX) + strlen("(?:");
        const size_t place = error->offset > added ? error->offset - added : 0;
        error->offset = place < count ? place : count;
    }
    return code;
}

/* Whether the code can only match at the start of a value, so that a search has one start. */
static bool has_one_start(const pcre2_code *code)
{
    uint32_t all_options = 0;
    return pcre2_pattern_info(code, PCRE2_INFO_ALLOPTIONS, &all_options) == 0 && (all_options & PCRE2_ANCHORED) != 0;
}

/* The factor on the limits of searches, because a search begins at many places: `(?=.*\d)[a-z]` examines the rest of
 * the value from each. */
enum { TIMES_OF_SEARCHES = 16 };

/* Bounds the cost of PCRE2's steps, for the limit of plain runs (assay_work.h). The metered run charges the actual
 * cost. */
static void set_costs(assay_pattern *pattern, bool has_reference, bool has_calls, bool is_search)
{
    pcre2_code *code = pattern->interpreted.code;
    const assay_work_features features = assay_pattern_scan_work(pattern->text, pattern->count, pattern->options);
    pattern->has_grapheme = features.grapheme;
    pattern->has_calls = has_calls;
    size_t code_size = 0;
    pcre2_pattern_info(code, PCRE2_INFO_SIZE, &code_size);
    size_t frame_size = 0;
    pcre2_pattern_info(code, PCRE2_INFO_FRAMESIZE, &frame_size);
    uint32_t byte = assay_work_class(features.longest_class);
    if (has_reference && features.caseless && byte < ASSAY_WORK_FOLDED_BYTE) byte = ASSAY_WORK_FOLDED_BYTE;
    if (features.grapheme && byte < ASSAY_WORK_GRAPHEME_BYTE) byte = ASSAY_WORK_GRAPHEME_BYTE;
    /* The scan may overestimate; the code has at most one such item in four bytes, the size of `.*x`. */
    const uint32_t max = (uint32_t)(code_size / 4);
    assay_work_costs *interpreted = &pattern->interpreted.costs;
    *interpreted = (assay_work_costs){
        /* A step may run straight through the whole code: a tick for each byte, and half a tick in machine code. */
        .step = ASSAY_WORK_STEP + (uint32_t)(code_size + assay_work_frame(frame_size)),
        .byte = byte,
        .reach = features.reach,
        .searches = pattern->is_wrapped ? TIMES_OF_SEARCHES : 1,
        .counts_each_start = is_search && !pattern->is_wrapped ? 1 : 0,
    };
    pattern->jit_costs = *interpreted;
    pattern->jit_costs.step = ASSAY_WORK_STEP + (uint32_t)(code_size / 2);
    pattern->jit_costs.uncounted = features.uncounted < max ? features.uncounted : max;
    pattern->jit_costs.loops = features.group_loop ? 1 : 0;
    pattern->alternatives = features.alternatives;
    /* Each has at least two bytes of code; a search has one more, its prefix. */
    const uint32_t items = features.counted + 1;
    pattern->counted_items = items < code_size / 2 ? items : (uint32_t)(code_size / 2);
}

static const char too_large[] = "the pattern is too large for PCRE2";

/* PCRE2 in the usual builds of distributions supports 64 KiB of code, some thousand words. A larger pattern, which
 * has passed the syntax check by then, is left to a DFA, if it has one; values that the DFA does not decide are
 * undecided. */
static bool can_do_without_code(assay_pattern *pattern)
{
    const uint32_t needs_code = ASSAY_PATTERN_NO_DFA | ASSAY_PATTERN_NO_JIT | ASSAY_PATTERN_ONLY_DFA;
    if ((pattern->options & needs_code) != 0) return false;
    pattern->interpreted.jit_refusal = too_large;
    pattern->interpreted.costs = ASSAY_WORK_COSTS_NONE;
    atomic_store_explicit(&pattern->form, &pattern->interpreted, memory_order_relaxed);
    const assay_pattern_dfa dfa = assay_pattern_get_dfa(pattern);
    if (dfa.states == 0 && dfa.instructions == 0) return false;
    return true;
}

assay_pattern *assay_pattern_create(const uint8_t *text, size_t count, uint32_t options, size_t max_bytes,
                                    assay_error *error)
{
    return assay_pattern_create_with_code(text, count, options, max_bytes, NULL, error);
}

assay_pattern *assay_pattern_create_with_code(const uint8_t *text, size_t count, uint32_t options, size_t max_bytes,
                                              pcre2_code **unwrapped, assay_error *error)
{
    assay_pattern *pattern = assay_pattern_new(text, count, options, max_bytes, error);
    if (pattern == NULL) return NULL;
    text = pattern->text;
    if (max_bytes == 0) max_bytes = ASSAY_PATTERN_BYTES_MAX;
    const assay_pattern_features features = assay_pattern_scan(text, count, options);
    const uint32_t flags = assay_compile_flags(options, &features);
    assay_form *interpreted = &pattern->interpreted;
    assay_error mistake = {.status = ASSAY_OK};
    interpreted->code = assay_compile(text, count, flags, max_bytes, &mistake);
    if (interpreted->code == NULL) {
        if (mistake.engine_code == PCRE2_ERROR_PATTERN_TOO_LARGE && can_do_without_code(pattern)) return pattern;
        if (error != NULL) *error = mistake;
        goto failed;
    }
    size_t callout = 0;
    if (has_callout(interpreted->code, &callout)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, callout, "a pattern may not have callouts, (?C)");
        goto failed;
    }
    if (unwrapped != NULL && (*unwrapped = pcre2_code_copy(interpreted->code)) == NULL) {
        assay_error_no_memory(error);
        goto failed;
    }
    const bool is_search = (options & ASSAY_PATTERN_SEARCH) != 0 && !has_one_start(interpreted->code);
    pattern->is_wrapped = is_search && !features.backtracking_verbs && !features.full_recursion;
    if (pattern->is_wrapped) {
        pcre2_code *search = compile_search(text, count, flags, &mistake);
        assay_code_free(interpreted->code);
        interpreted->code = search;
        if (search == NULL) {
            pattern->is_wrapped = false;
            if (mistake.engine_code == PCRE2_ERROR_PATTERN_TOO_LARGE && can_do_without_code(pattern)) return pattern;
            if (error != NULL) *error = mistake;
            goto failed;
        }
    }
    if ((options & ASSAY_PATTERN_ONLY_DFA) == 0)
        set_costs(pattern, features.backreference, features.subroutine_call, is_search);
    const char *bug = assay_engine_interpreter_bug(&features);
    pattern->interpreter_may_retry = bug == NULL;
    interpreted->jit_refusal = (options & (ASSAY_PATTERN_NO_JIT | ASSAY_PATTERN_ONLY_DFA)) != 0
                                   ? "JIT is switched off"
                                   : assay_engine_jit_bug(&features, options);
    if (interpreted->jit_refusal == NULL && features.subroutine_call &&
        assay_pattern_may_recurse_left(text, count, options)) {
        interpreted->jit_refusal = "JIT does not count recursion before the first character";
    }
    if (interpreted->jit_refusal != NULL) {
        atomic_store_explicit(&pattern->form, interpreted, memory_order_relaxed);
    }
    if (bug != NULL && assay_pattern_form(pattern)->jit_size == 0) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0,
                         "JIT cannot be used for this pattern here, and the interpreter of PCRE2 before 10.43 errs "
                         "on %s",
                         bug);
        goto failed;
    }
    if ((options & ASSAY_PATTERN_LINEAR_TIME) != 0 && !assay_pattern_require_linear(pattern, error)) goto failed;
    if ((options & (ASSAY_PATTERN_NO_DFA | ASSAY_PATTERN_NO_JIT)) != 0 &&
        !assay_pattern_refuse_dfa(pattern, (assay_dfa_refusal){.because = "it is switched off"})) {
        assay_error_no_memory(error);
        goto failed;
    }
    return pattern;

failed:
    assay_pattern_free(pattern);
    return NULL;
}

size_t assay_pattern_code_size(const assay_pattern *pattern)
{
    /* An instruction takes 12 bytes (assay_thompson.h). */
    if (pattern->interpreted.code == NULL) return (size_t)assay_pattern_get_dfa(pattern).instructions * 12;
    size_t size = 0;
    pcre2_pattern_info(pattern->interpreted.code, PCRE2_INFO_SIZE, &size);
    return size + assay_pattern_form(pattern)->jit_size;
}

/* Compiles a tiny pattern, because only an attempt shows whether a host allows executable memory. */
bool assay_engine_has_jit(void)
{
    assay_pattern *probe = assay_pattern_create((const uint8_t *)"a", 1, ASSAY_PATTERN_NO_DFA, 0, NULL);
    const bool has_jit = probe != NULL && assay_pattern_jit_size(probe) > 0;
    assay_pattern_free(probe);
    return has_jit;
}
#endif
