/* Fuzzes patterns: options byte, pattern, NUL, value. No crash, and DFA, JIT and interpreter agree unless one is
   undecided. */
#include "assay/core.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static assay_verdict single_verdict(const uint8_t *text, size_t text_count, uint32_t options, assay_scratch *scratch,
                                    const uint8_t *value, size_t count)
{
    assay_error error;
    assay_pattern *pattern = assay_pattern_create(text, text_count, options, 0, &error);
    if (pattern == NULL) {
        if (error.status == ASSAY_OK || error.offset > text_count || error.message[0] == '\0') abort();
        return ASSAY_UNDECIDED;
    }
    assay_pattern_get_dfa(pattern); /* made now, if there may be one */
    assay_verdict verdict = assay_pattern_match(pattern, scratch, value, count);
    assay_pattern_free(pattern);
    return verdict;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    uint32_t options = data[0] & 0x3Fu;
    const uint8_t *text = data + 1;
    const uint8_t *end = memchr(text, 0, size - 1);
    if (end == NULL) return 0;
    size_t text_count = (size_t)(end - text);
    size_t count = assay_utf8_valid_prefix(end + 1, size - 2 - text_count);
    /* Exactly as long, so that a read beyond the value is seen. */
    uint8_t *value = malloc(count == 0 ? 1 : count);
    if (count > 0) memcpy(value, end + 1, count);

    assay_match_limits limits = assay_match_limits_default();
    limits.match_base = 2000; /* for speed */
    assay_scratch *scratch = assay_scratch_create(&limits);
    assay_verdict by_dfa = single_verdict(text, text_count, options, scratch, value, count);
    assay_verdict by_jit = single_verdict(text, text_count, options | ASSAY_PATTERN_NO_DFA, scratch, value, count);
    assay_verdict by_interpreter =
        single_verdict(text, text_count, options | ASSAY_PATTERN_NO_JIT, scratch, value, count);
    if (by_dfa != by_jit && by_dfa != ASSAY_UNDECIDED && by_jit != ASSAY_UNDECIDED) abort();
    if (by_jit != by_interpreter && by_jit != ASSAY_UNDECIDED && by_interpreter != ASSAY_UNDECIDED) abort();

    size_t viable = assay_pattern_viable_prefix(text, text_count, options, value, count);
    if (viable != SIZE_MAX && viable > count) abort();
    /* A value that matches is viable to its end. */
    if (viable != SIZE_MAX && by_interpreter == ASSAY_PASS && count <= 4096 && viable != count) abort();

    assay_scratch_free(scratch);
    free(value);
    return 0;
}
