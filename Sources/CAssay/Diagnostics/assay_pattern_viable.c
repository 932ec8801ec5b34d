/* Finds how far a value matched, for error messages: the longest prefix that some continuation would complete, by
 * PCRE2's partial matching (pcre2partial).
 *
 *     [0-9]{4}-[0-9]{2}     value 2026-x1     viable 2026-          so the mistake is at the x
 *
 * Never used for verdicts, so it may give up: if partial matching would be misleading, the result is SIZE_MAX. */
#include "Patterns/assay_pcre2.h"

#include <stdlib.h>

#ifdef ASSAY_PCRE2

enum {
    VIABLE_MAX_BYTES = 4096, /* the longest examined prefix, which suffices for messages */
    VIABLE_TICKS = 20000000, /* for all runs of one value: nominally 20 ms */
    VIABLE_HEAP_KIB = 20480,
};

static bool is_scalar_start(uint8_t byte) { return (byte & 0xC0) != 0x80; }

/* Whether the first `count` bytes could be the start of a match. *answered becomes false at a limit or an error. */
static bool is_viable(const assay_metered *metered, assay_meter *meter, pcre2_match_data *data,
                      pcre2_match_context *context, const uint8_t *value, size_t count, bool *answered)
{
    if (count == 0) return true; /* PCRE2 does not return empty partial matches (pcre2partial) */
    int rc = assay_metered_interpret(metered, meter, value, count, PCRE2_PARTIAL_HARD, data, context);
    if (rc < PCRE2_ERROR_PARTIAL) *answered = false;
    return rc >= MATCHED || rc == PCRE2_ERROR_PARTIAL;
}

/* Returns the length of the longest viable prefix, SIZE_MAX if a limit was reached. If a prefix is viable, every
 * shorter one is, so binary search finds it: about 12 runs. Prefixes end at character boundaries. */
static size_t search_viable(const assay_metered *metered, const uint8_t *value, size_t count)
{
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    pcre2_match_context *context = pcre2_match_context_create(NULL);
    assay_meter meter = {.left = VIABLE_TICKS};
    bool answered = data != NULL && context != NULL;
    size_t viable = 0;
    size_t unviable = count + 1;
    if (answered) {
        pcre2_set_match_limit(context, VIABLE_TICKS / ASSAY_WORK_STEP);
        pcre2_set_callout(context, assay_metered_charge, &meter);
        pcre2_set_heap_limit(context, VIABLE_HEAP_KIB);
    }
    while (answered && unviable - viable > 1) {
        size_t middle = viable + (unviable - viable) / 2;
        while (middle > viable && middle < count && !is_scalar_start(value[middle])) middle--;
        if (middle == viable) {
            /* Only one scalar is between the bounds: try its end. */
            middle = viable + 1;
            while (middle < count && !is_scalar_start(value[middle])) middle++;
            if (middle >= unviable) break;
        }
        if (is_viable(metered, &meter, data, context, value, middle, &answered)) {
            viable = middle;
        } else {
            unviable = middle;
        }
    }
    pcre2_match_data_free(data);
    pcre2_match_context_free(context);
    return answered ? viable : SIZE_MAX;
}

size_t assay_pattern_viable_prefix(const uint8_t *text, size_t text_count, uint32_t options, const uint8_t *value,
                                   size_t count)
{
    if ((options & ASSAY_PATTERN_SEARCH) != 0) return SIZE_MAX;
    if (text_count == 0) text = assay_empty_value; /* `text` may be NULL then, but memchr and memcmp need a pointer */
    assay_pattern_features features = assay_pattern_scan(text, text_count, options);
    /* A look-ahead that reaches the end of the prefix counts as a partial match, regardless of the rest of the pattern:
     * `(?=.*\d)[a-z]+` would find all of "abc!" viable. Look-behind and \K change the meaning of partial matches, verbs
     * end matches early, and (?R) would repeat the \z that is added below. A partial match treats an end anchor in the
     * middle as possible although text cannot follow it, and also a word boundary at its end. */
    if (features.lookaround || features.keep || features.verbs || features.full_recursion ||
        features.early_end_anchor || features.inner_assertion) {
        return SIZE_MAX;
    }
    /* The text alone must be a valid pattern, because its parentheses could otherwise pair with the added ones. */
    assay_pattern *alone = assay_pattern_create(text, text_count, options | ASSAY_PATTERN_NO_JIT, SIZE_MAX, NULL);
    if (alone == NULL) return SIZE_MAX;
    assay_pattern_free(alone);

    /* Partial matching and ENDANCHORED exclude each other (pcre2api), so \z tests for the end. */
    size_t full_count = 0;
    uint8_t *full = assay_compile_wrapped("", text, text_count, "\\z", &full_count);
    if (full == NULL) return SIZE_MAX;
    uint32_t flags = assay_compile_flags(options, &features) & ~(uint32_t)PCRE2_ENDANCHORED;
    const bool folds = assay_pattern_scan_work(text, text_count, options).caseless;
    assay_metered *metered = assay_metered_create(full, full_count, flags, folds);
    free(full);
    if (metered == NULL || !assay_metered_has_code(metered)) {
        assay_metered_free(metered);
        return SIZE_MAX;
    }

    size_t looked_at = count;
    if (looked_at > VIABLE_MAX_BYTES) {
        looked_at = VIABLE_MAX_BYTES;
        while (looked_at > 0 && !is_scalar_start(value[looked_at])) looked_at--;
    }
    size_t viable = search_viable(metered, value, looked_at);
    assay_metered_free(metered);
    return viable;
}
#endif
