/* The caches of a thread: states and transitions of the most recently used programs. */
#include "DFA/Lazy/assay_lazy_data.h"

#include <stdlib.h>

assay_lazy_caches *assay_lazy_caches_create(void) { return calloc(1, sizeof(assay_lazy_caches)); }

void assay_lazy_caches_free(assay_lazy_caches *caches)
{
    if (caches == NULL) return;
    for (size_t i = 0; i < lazy_programs_max; i++) {
        for (size_t j = 0; j <= regex_conjuncts_max; j++) assay_subset_cache_free(&caches->entries[i].caches[j]);
    }
    assay_instruction_set_free(&caches->set);
    free(caches->masks);
    free(caches);
}

subset_cache *lazy_caches_of(assay_lazy_caches *caches, const assay_lazy_program *program)
{
    lazy_entry *oldest = caches->entries;
    for (size_t i = 0; i < lazy_programs_max; i++) {
        lazy_entry *entry = &caches->entries[i];
        if (entry->id == program->id) {
            entry->used = ++caches->clock;
            return entry->caches;
        }
        if (entry->used < oldest->used) oldest = entry;
    }
    for (size_t i = 0; i <= regex_conjuncts_max; i++) assay_subset_cache_free(&oldest->caches[i]);
    oldest->id = program->id;
    oldest->used = ++caches->clock;
    return oldest->caches;
}

uint32_t lazy_start(const determinizer *in)
{
    uint32_t start = assay_subset_start(in);
    if (start == SUBSET_OPEN) {
        assay_subset_cache_empty(in->cache);
        start = assay_subset_start(in);
    }
    return start != SUBSET_OPEN ? start : SUBSET_QUIT;
}

uint32_t lazy_make_transition(const determinizer *in, uint32_t state, uint32_t column)
{
    uint32_t next = assay_subset_transition(in, state, column);
    if (next != SUBSET_OPEN) return next;
    /* The cache is full: empty it and keep only this state. */
    const subset here = in->cache->subsets[state / in->of->columns];
    assay_subset_cache_empty(in->cache);
    state = assay_subset_restore(in, in->cache->items + here.first, here.count, here.behind);
    if (state == SUBSET_OPEN) return SUBSET_QUIT;
    next = assay_subset_transition(in, state, column);
    return next != SUBSET_OPEN ? next : SUBSET_QUIT;
}

uint64_t assay_lazy_caches_work(const assay_lazy_caches *caches) { return caches->set.work; }
