/* assay-measure PROCESSORS COMMAND ARGUMENT…: runs a command on so many processors (0: on all) and says what it cost, in
 * one line:
 *
 *     wall-nanoseconds user-microseconds system-microseconds peak-bytes status
 *
 * A number of processors, since not every program has an option for its number of threads, and of those that have one
 * not all mean all of their threads.
 *
 * A program of its own because the peak that wait4 gives for a child is at least that of the process which started it
 * (the kernel carries it over exec), and the benchmarks themselves are large. */
#define _GNU_SOURCE /* wait4, sched_setaffinity */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long microseconds(struct timeval time) { return time.tv_sec * 1000000LL + time.tv_usec; }

/* Leaves this process the first of the processors it may use. Elsewhere than on Linux it changes nothing. */
static void use_processors(int wanted)
{
#ifdef __linux__
    cpu_set_t allowed;
    if (wanted <= 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    for (int processor = 0, kept = 0; processor < CPU_SETSIZE; processor++) {
        if (CPU_ISSET(processor, &allowed) && kept++ >= wanted) CPU_CLR(processor, &allowed);
    }
    sched_setaffinity(0, sizeof allowed, &allowed);
#else
    (void)wanted;
#endif
}

int main(int count, char **arguments)
{
    if (count < 3) {
        fprintf(stderr, "usage: %s PROCESSORS COMMAND ARGUMENT...\n", arguments[0]);
        return 2;
    }
    char **command = arguments + 2;
    use_processors(atoi(arguments[1]));
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return 3;
    }
    if (child == 0) {
        /* What the command prints belongs to nobody; its errors go where ours do. */
        if (freopen("/dev/null", "w", stdout) != NULL) execv(command[0], command);
        perror(command[0]);
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) < 0) {
        perror("wait4");
        return 3;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
#ifdef __APPLE__
    long long peak = usage.ru_maxrss;
#else
    long long peak = usage.ru_maxrss * 1024LL;
#endif
    printf("%lld %lld %lld %lld %d\n", (end.tv_sec - start.tv_sec) * 1000000000LL + (end.tv_nsec - start.tv_nsec),
           microseconds(usage.ru_utime), microseconds(usage.ru_stime), peak,
           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}
