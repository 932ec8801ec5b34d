#define _DEFAULT_SOURCE /* getentropy */
#include "Bytes/assay_hash.h"

#include "Memory/assay_chaos.h"

#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

_Atomic uint64_t assay_hash_chosen_seed;

uint64_t assay_hash_choose_seed(void)
{
    uint64_t seed = 0, known = 0;
    /* Without a source of randomness, use a stack address, which differs per process under ASLR, and the time. */
    if (getentropy(&seed, sizeof seed) != 0) seed = (uint64_t)(uintptr_t)&seed ^ (uint64_t)time(NULL) << 32;
    if (seed == 0) seed = 1;
    ASSAY_CHAOS_POINT();
    return atomic_compare_exchange_strong(&assay_hash_chosen_seed, &known, seed) ? seed : known;
}
