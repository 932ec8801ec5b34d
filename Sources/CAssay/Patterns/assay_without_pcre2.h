/* Replaces pcre2.h in builds without PCRE2. No pattern has code then, and `costs` admit no run, so the functions below
 * that match are never called; they exist so that the engines compile without conditions. */
#ifndef ASSAY_WITHOUT_PCRE2_H
#define ASSAY_WITHOUT_PCRE2_H

#include <stddef.h>
#include <stdint.h>

typedef struct pcre2_code pcre2_code;
typedef struct pcre2_match_data pcre2_match_data;
typedef struct pcre2_match_context pcre2_match_context;
typedef struct pcre2_jit_stack pcre2_jit_stack;
typedef struct pcre2_callout_block pcre2_callout_block;

/* Numbers of pcre2.h. */
enum {
    PCRE2_ERROR_NOMATCH = -1,
    PCRE2_ERROR_JIT_STACKLIMIT = -46,
    PCRE2_ERROR_MATCHLIMIT = -47,
    PCRE2_NO_UTF_CHECK = 0,
    PCRE2_NO_JIT = 0,
};

/* An object of each type, because NULL means that memory ran out. */
static inline pcre2_match_data *pcre2_match_data_create(uint32_t pairs, void *general)
{
    static char object;
    (void)pairs, (void)general;
    return (pcre2_match_data *)&object;
}

static inline pcre2_match_context *pcre2_match_context_create(void *general)
{
    static char object;
    (void)general;
    return (pcre2_match_context *)&object;
}

static inline void pcre2_match_data_free(pcre2_match_data *data) { (void)data; }
static inline void pcre2_match_context_free(pcre2_match_context *context) { (void)context; }
static inline void pcre2_code_free(pcre2_code *code) { (void)code; }
static inline void pcre2_jit_stack_free(pcre2_jit_stack *stack) { (void)stack; }

static inline void pcre2_set_callout(pcre2_match_context *context, int (*callout)(pcre2_callout_block *, void *),
                                     void *data)
{
    (void)context, (void)callout, (void)data;
}

static inline void pcre2_set_heap_limit(pcre2_match_context *context, uint32_t limit) { (void)context, (void)limit; }
static inline void pcre2_set_depth_limit(pcre2_match_context *context, uint32_t limit) { (void)context, (void)limit; }
static inline void pcre2_set_match_limit(pcre2_match_context *context, uint32_t limit) { (void)context, (void)limit; }

static inline pcre2_jit_stack *pcre2_jit_stack_create(size_t start, size_t max, void *general)
{
    (void)start, (void)max, (void)general;
    return NULL;
}

static inline void pcre2_jit_stack_assign(pcre2_match_context *context, void *callback, void *stack)
{
    (void)context, (void)callback, (void)stack;
}

static inline int pcre2_match(const pcre2_code *code, const uint8_t *value, size_t count, size_t start,
                              uint32_t options, pcre2_match_data *data, pcre2_match_context *context)
{
    (void)code, (void)value, (void)count, (void)start, (void)options, (void)data, (void)context;
    return PCRE2_ERROR_MATCHLIMIT;
}

static inline int pcre2_jit_match(const pcre2_code *code, const uint8_t *value, size_t count, size_t start,
                                  uint32_t options, pcre2_match_data *data, pcre2_match_context *context)
{
    return pcre2_match(code, value, count, start, options, data, context);
}

#endif
