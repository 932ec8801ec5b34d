/* Preloaded into the command by repeats.py, to make events frequent that are rare even on a loaded machine.

       CHAOS=pauses,reads,jit      one, two or all; CHAOS_SEED=1 chooses the moments

       pauses   threads yield or sleep at locks, conditions, starts of threads and reads
       reads    a read of a file or a pipe returns one byte or a few, or is interrupted
       jit      half of all attempts to allocate executable memory fail */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int pauses, reads, jit;
static uint64_t seed;

__attribute__((constructor)) static void begin(void)
{
    const char *target = getenv("CHAOS");
    const char *number = getenv("CHAOS_SEED");
    seed = number != NULL ? strtoull(number, NULL, 10) : 1;
    if (target == NULL) return;
    pauses = strstr(target, "pauses") != NULL;
    reads = strstr(target, "reads") != NULL;
    jit = strstr(target, "jit") != NULL;
}

/* A random number below `bound`, from the generator of this thread. */
static unsigned chance(unsigned bound)
{
    static uint64_t threads;
    static __thread uint64_t state;
    if (state == 0) {
        const uint64_t number = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
        state = ((seed + 1) * UINT64_C(0x9E3779B97F4A7C15) ^ (number + 1) * UINT64_C(0xBF58476D1CE4E5B9)) | 1;
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % bound;
}

static void pause_sometimes(void)
{
    if (!pauses) return;
    const unsigned turn = chance(256);
    if (turn == 0) {
        const struct timespec pause = {0, (long)chance(200000)};
        nanosleep(&pause, NULL);
    } else if (turn < 16) {
        sched_yield();
    }
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The number of bytes that a read returns; 0: it is interrupted. */
static size_t part(int file, size_t count)
{
    struct stat status;
    if (!reads || count < 2 || fstat(file, &status) != 0 || !(S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode))) {
        return count;
    }
    const unsigned turn = chance(8);
    return turn == 0 ? 0 : turn < 5 ? 1 + chance(count < 8 ? (unsigned)count : 8) : count;
}

ssize_t read(int file, void *bytes, size_t count)
{
    static ssize_t (*real)(int, void *, size_t);
    if (real == NULL) real = REAL(read);
    pause_sometimes();
    const size_t some = part(file, count);
    if (some == 0 && count > 0) {
        errno = EINTR;
        return -1;
    }
    return real(file, bytes, some);
}

ssize_t pread(int file, void *bytes, size_t count, off_t place)
{
    static ssize_t (*real)(int, void *, size_t, off_t);
    if (real == NULL) real = REAL(pread);
    pause_sometimes();
    const size_t some = part(file, count);
    if (some == 0 && count > 0) {
        errno = EINTR;
        return -1;
    }
    return real(file, bytes, some, place);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t place) { return pread(file, bytes, count, place); }

void *mmap(void *address, size_t count, int protection, int flags, int file, off_t place)
{
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (real == NULL) real = REAL(mmap);
    const int is_for_code = (protection & PROT_EXEC) != 0 && (flags & MAP_ANONYMOUS) != 0;
    if (jit && is_for_code && chance(2) == 0) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return real(address, count, protection, flags, file, place);
}

void *mmap64(void *address, size_t count, int protection, int flags, int file, off64_t place)
{
    return mmap(address, count, protection, flags, file, place);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static int (*real)(pthread_mutex_t *);
    if (real == NULL) real = REAL(pthread_mutex_lock);
    pause_sometimes();
    const int status = real(mutex);
    pause_sometimes();
    return status;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    static int (*real)(pthread_mutex_t *);
    if (real == NULL) real = REAL(pthread_mutex_unlock);
    const int status = real(mutex);
    pause_sometimes();
    return status;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    static int (*real)(pthread_cond_t *);
    if (real == NULL) real = REAL(pthread_cond_broadcast);
    pause_sometimes();
    return real(condition);
}

typedef struct start {
    void *(*body)(void *);
    void *argument;
} start;

static void *run_later(void *context)
{
    const start own = *(start *)context;
    free(context);
    pause_sometimes();
    return own.body(own.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (real == NULL) real = REAL(pthread_create);
    start *own = malloc(sizeof *own);
    if (own == NULL) return EAGAIN;
    *own = (start){body, argument};
    const int status = real(thread, attributes, run_later, own);
    if (status != 0) free(own);
    pause_sometimes();
    return status;
}
