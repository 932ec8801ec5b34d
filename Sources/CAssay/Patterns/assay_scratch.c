/* Scratch: the match data, context, JIT stack and limits with which one thread matches. */
#include "Patterns/assay_pcre2.h"

#include <stdlib.h>

/* The stack, also of fixed size, that JIT takes from the thread if it was given no other. */
enum { MACHINE_STACK = 32768 };

assay_match_limits assay_match_limits_default(void)
{
    return (assay_match_limits){
        .match_base = 5000,
        .match_per_byte = 64,
        .heap_kib = 20480,
        .jit_stack_bytes = 1u << 20,
    };
}

assay_scratch *assay_scratch_create(const assay_match_limits *limits)
{
    assay_scratch *scratch = calloc(1, sizeof *scratch);
    if (scratch == NULL) return NULL;
    scratch->limits = limits != NULL ? *limits : assay_match_limits_default();
    scratch->limit_blocks = SIZE_MAX;
    scratch->lease.first_over = SIZE_MAX;
    /* One pair of offsets, because a verdict needs no captures. */
    scratch->match_data = pcre2_match_data_create(1, NULL);
    scratch->context = pcre2_match_context_create(NULL);
    if (scratch->match_data == NULL || scratch->context == NULL) goto failed;
    pcre2_set_callout(scratch->context, assay_metered_charge, &scratch->meter);
    /* 10.42 multiplies the heap limit by 1024 in 32 bits (fixed in 10.43), so 4 GiB is its maximum. */
    uint32_t heap_kib = scratch->limits.heap_kib;
    pcre2_set_heap_limit(scratch->context, heap_kib < (1u << 22) ? heap_kib : (1u << 22) - 1);
    scratch->wants_jit_stack = scratch->limits.jit_stack_bytes > 0 && assay_engine_built_with_jit();
    if (scratch->limits.jit_stack_bytes <= MACHINE_STACK) assay_scratch_make_jit_stack(scratch);
    return scratch;

failed:
    assay_scratch_free(scratch);
    return NULL;
}

/* Start and maximum are the same, because if the stack grows in the middle of a bounded repeat, 10.44 and older accept
 * values that they must reject (82ebebfd). Linux maps pages only when they are accessed. */
bool assay_scratch_make_jit_stack(assay_scratch *scratch)
{
    if (!scratch->wants_jit_stack) return false;
    const size_t bytes = scratch->limits.jit_stack_bytes;
    scratch->jit_stack = pcre2_jit_stack_create(bytes, bytes, NULL);
    if (scratch->jit_stack == NULL) return false;
    pcre2_jit_stack_assign(scratch->context, NULL, scratch->jit_stack);
    scratch->wants_jit_stack = false;
    return true;
}

bool assay_scratch_reserve(assay_scratch *scratch)
{
    return assay_scratch_make_jit_stack(scratch) || !scratch->wants_jit_stack;
}

void assay_scratch_free(assay_scratch *scratch)
{
    if (scratch == NULL) return;
    pcre2_match_data_free(scratch->match_data);
    pcre2_match_context_free(scratch->context);
    pcre2_jit_stack_free(scratch->jit_stack);
    assay_lazy_caches_free(scratch->caches);
    free(scratch);
}

bool assay_scratch_has_caches(assay_scratch *scratch)
{
    if (scratch->caches == NULL) scratch->caches = assay_lazy_caches_create();
    return scratch->caches != NULL;
}

int32_t assay_scratch_engine_code(const assay_scratch *scratch) { return scratch->engine_code; }

void assay_scratch_set_engine_code(assay_scratch *scratch, int32_t code) { scratch->engine_code = code; }

/* The interpreter keeps its frames in the match data and never frees them (pcre2perform, "STACK AND HEAP USAGE"). 10.42
   does not report their number, so the match data is replaced after a run that may have needed many. */
void assay_scratch_trim_heap(assay_scratch *scratch)
{
    scratch->heap_may_be_large = false;
    pcre2_match_data *fresh = pcre2_match_data_create(1, NULL);
    if (fresh == NULL) return; /* the old match data still works */
    pcre2_match_data_free(scratch->match_data);
    scratch->match_data = fresh;
}

void assay_scratch_set_limit(assay_scratch *scratch, size_t blocks)
{
    scratch->match_limit = assay_work_match_limit(&scratch->limits, &scratch->costs, assay_scratch_bytes(blocks),
                                                  &scratch->match_limit_lowered);
    pcre2_set_match_limit(scratch->context, scratch->match_limit);
    scratch->limit_blocks = blocks;
}
