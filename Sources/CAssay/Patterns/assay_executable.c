/* The executable memory of PCRE2's JIT compiler, and forks.
 *
 * PCRE2 allocates and frees executable memory under a lock of its own. If another thread holds it during a fork, it
 * stays locked in the child process. Calls that may take it are therefore inside a lock of ours, which a fork can wait
 * for. Any number of threads may hold our lock at once, because only the fork excludes them. */
#define _GNU_SOURCE /* pthread_rwlock_t and its initializer */
#include "Patterns/assay_pcre2.h"

#if !defined(ASSAY_PCRE2) || defined(__wasm__) || defined(_WIN32)

/* These builds have no machine code, or their system has no fork. */
static void enter(void) {}
static void leave(void) {}
void assay_before_fork(void) {}
void assay_after_fork(void) {}
void assay_after_fork_in_child(void) {}

#else

#include <pthread.h>

/* With glibc's default, a fork would wait as long as any thread compiles. */
#ifdef PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
static const pthread_rwlock_t unlocked = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_rwlock_t executable = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
static const pthread_rwlock_t unlocked = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t executable = PTHREAD_RWLOCK_INITIALIZER;
#endif

static void enter(void) { pthread_rwlock_rdlock(&executable); }
static void leave(void) { pthread_rwlock_unlock(&executable); }
void assay_before_fork(void) { pthread_rwlock_wrlock(&executable); }
void assay_after_fork(void) { pthread_rwlock_unlock(&executable); }

/* glibc recognizes the writer by the kernel's number of the thread, which is different in the child. */
void assay_after_fork_in_child(void) { executable = unlocked; }

#endif

#ifdef ASSAY_PCRE2
size_t assay_compile_to_machine_code(pcre2_code *code)
{
    ASSAY_CHAOS_POINT();
    enter();
    const int status = pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
    leave();
    if (status != 0) return 0;
    ASSAY_CHAOS_POINT();
    size_t size = 0;
    return pcre2_pattern_info(code, PCRE2_INFO_JITSIZE, &size) == 0 ? size : 0;
}
#endif

void assay_code_free(pcre2_code *code)
{
    if (code == NULL) return;
    enter();
    pcre2_code_free(code);
    leave();
}
