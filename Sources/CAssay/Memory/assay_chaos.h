/* Random pauses at places where threads share a value, so that tests go through rare orders of events.
 *
 * With -DASSAY_CHAOS (CMake: -DASSAY_CHAOS=ON, Swift: ASSAY_CHAOS=1 in the environment) an ASSAY_CHAOS_POINT() yields
 * the processor once in 64 times, and sleeps up to 100 µs once in 1,024 times. On a loaded machine, a yield or a sleep
 * takes about 50 ms. Without it, the macro has no code. Each file has its own random numbers in each thread; they do
 * not change results. */
#ifndef ASSAY_CHAOS_H
#define ASSAY_CHAOS_H

#ifdef ASSAY_CHAOS
#include <stdint.h>
#include <threads.h>
#include <time.h>

static inline void assay_chaos_pause(void)
{
    static _Thread_local uint64_t state; /* xorshift64 */
    if (state == 0) {
        struct timespec now = {0, 0};
        timespec_get(&now, TIME_UTC);
        state = ((uint64_t)(uintptr_t)&state ^ (uint64_t)now.tv_nsec * UINT64_C(0x9E3779B97F4A7C15)) | 1;
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const unsigned chance = (unsigned)(state >> 32) % 1024;
    if (chance == 0) {
        struct timespec pause = {0, (long)((state >> 16) % 100000)};
        thrd_sleep(&pause, NULL);
    } else if (chance <= 16) {
        thrd_yield();
    }
}

#define ASSAY_CHAOS_POINT() assay_chaos_pause()
#else
#define ASSAY_CHAOS_POINT() ((void)0)
#endif

#endif
