#define PCRE2_CODE_UNIT_WIDTH 8
#include "bare_loop.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

struct bare_pattern {
    pcre2_code *code;
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_jit_stack *stack;
};

enum { JIT_STACK_BYTES = 1 << 20 };

bare_pattern *bare_pattern_create(const char *text, size_t count, bool is_search)
{
    uint32_t options = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY;
    if (!is_search) options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NO_START_OPTIMIZE;
    bare_pattern *pattern = calloc(1, sizeof *pattern);
    if (pattern == NULL) return NULL;
    int error = 0;
    PCRE2_SIZE offset = 0;
    pattern->code = pcre2_compile((PCRE2_SPTR)text, count, options, &error, &offset, NULL);
    pattern->data = pcre2_match_data_create(1, NULL);
    pattern->context = pcre2_match_context_create(NULL);
    pattern->stack = pcre2_jit_stack_create(JIT_STACK_BYTES, JIT_STACK_BYTES, NULL);
    if (pattern->code == NULL || pattern->data == NULL || pattern->context == NULL || pattern->stack == NULL ||
        pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE) != 0) {
        bare_pattern_free(pattern);
        return NULL;
    }
    pcre2_jit_stack_assign(pattern->context, NULL, pattern->stack);
    return pattern;
}

void bare_pattern_free(bare_pattern *pattern)
{
    if (pattern == NULL) return;
    pcre2_code_free(pattern->code);
    pcre2_match_data_free(pattern->data);
    pcre2_match_context_free(pattern->context);
    pcre2_jit_stack_free(pattern->stack);
    free(pattern);
}

bool bare_pattern_matches(const bare_pattern *pattern, const uint8_t *value, size_t count)
{
    return pcre2_jit_match(pattern->code, value, count, 0, 0, pattern->data, pattern->context) >= 0;
}

size_t bare_pattern_count(const bare_pattern *pattern, const uint8_t *bytes, const int32_t *offsets, size_t count)
{
    size_t matches = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = (size_t)(offsets[i + 1] - offsets[i]);
        matches +=
            pcre2_jit_match(pattern->code, bytes + offsets[i], length, 0, 0, pattern->data, pattern->context) >= 0;
    }
    return matches;
}

size_t bare_pattern_count_all(bare_pattern *const *patterns, size_t pattern_count, const uint8_t *bytes,
                              const int32_t *offsets, size_t count)
{
    size_t matches = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = (size_t)(offsets[i + 1] - offsets[i]);
        bool all = true;
        for (size_t j = 0; j < pattern_count && all; j++) {
            all = bare_pattern_matches(patterns[j], bytes + offsets[i], length);
        }
        matches += all;
    }
    return matches;
}

size_t bare_pattern_count_safely(const bare_pattern *pattern, const uint8_t *bytes, const int32_t *offsets,
                                 size_t count)
{
    size_t matches = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = (size_t)(offsets[i + 1] - offsets[i]);
        matches += pcre2_match(pattern->code, bytes + offsets[i], length, 0, 0, pattern->data, pattern->context) >= 0;
    }
    return matches;
}

void bare_engine_version(char *version)
{
    version[0] = '\0';
    if (pcre2_config(PCRE2_CONFIG_VERSION, NULL) <= 64) pcre2_config(PCRE2_CONFIG_VERSION, version);
}

size_t bare_count_lines(const uint8_t *bytes, size_t count)
{
    size_t lines = 0;
    const uint8_t *end = bytes + count;
    while (bytes < end && (bytes = memchr(bytes, '\n', (size_t)(end - bytes))) != NULL) {
        lines++;
        bytes++;
    }
    return lines;
}
