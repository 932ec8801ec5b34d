/* measure PROCESSORS SECONDS MEGABYTES OUTPUT COMMAND ARGUMENT…: runs a command on this number of processors (0: all),
 * ends it if it exceeds the time or its own memory exceeds the limit (0: no limit), writes its standard output to the
 * file OUTPUT, and prints its cost in one line:
 *
 *     wall-nanoseconds user-microseconds system-microseconds peak-bytes own-bytes status limit
 *
 * peak-bytes is the largest resident memory, including mapped files; own-bytes excludes these files and is sampled (0:
 * the command was too short, or the system is not Linux); limit is 1 if time ended the command, 2 if memory did,
 * otherwise 0.
 *
 * The number of processors is limited, not the number of threads, because not every program has an option for threads,
 * and such options do not always include all threads.
 *
 * This is a separate program, because the peak that wait4 returns for a child is at least that of its parent (the
 * kernel keeps it across exec), and the benchmark process is large. */
#define _GNU_SOURCE /* wait4, sched_setaffinity */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* The interval between two memory samples. It is short at first, because some commands are short, and then grows,
 * because a sample takes about 40 microseconds of a processor that the command may need. */
enum { min_interval = 5000000, max_interval = 40000000 /* nanoseconds */ };

enum limit { no_limit, time_limit, memory_limit };

/* The running command. The watcher writes own_bytes and limit, which are read only after the watcher ended. */
struct watch {
    pid_t command;
    struct timespec start;
    long long max_nanoseconds;
    long long max_bytes;
    long long own_bytes;
    enum limit limit;
    atomic_bool is_over;
};

static long long microseconds(struct timeval time) { return time.tv_sec * 1000000LL + time.tv_usec; }

static long long nanoseconds_since(struct timespec start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - start.tv_sec) * 1000000000LL + (now.tv_nsec - start.tv_nsec);
}

/* Restricts this process to the first `target` processors that it may use. Has no effect on systems other than
 * Linux. */
static void use_processors(int target)
{
#ifdef __linux__
    cpu_set_t allowed;
    if (target <= 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    for (int processor = 0, kept = 0; processor < CPU_SETSIZE; processor++) {
        if (CPU_ISSET(processor, &allowed) && kept++ >= target) CPU_CLR(processor, &allowed);
    }
    sched_setaffinity(0, sizeof allowed, &allowed);
#else
    (void)target;
#endif
}

/* Returns the resident memory of one process without mapped files. */
static long long own_bytes_of(pid_t process)
{
    char text[64];
    snprintf(text, sizeof text, "/proc/%d/status", (int)process);
    FILE *file = fopen(text, "r");
    if (file == NULL) return 0;
    long long kibibytes = 0;
    char line[128];
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "RssAnon: %lld kB", &kibibytes) == 1) break;
    }
    fclose(file);
    return kibibytes * 1024;
}

/* Returns the same for a process and its children, because some scripts run a program. */
static long long own_bytes_of_all(pid_t process)
{
    long long sum = own_bytes_of(process);
    char text[64];
    snprintf(text, sizeof text, "/proc/%d/task/%d/children", (int)process, (int)process);
    FILE *file = fopen(text, "r");
    if (file == NULL) return sum;
    int child;
    while (fscanf(file, "%d", &child) == 1) sum += own_bytes_of(child);
    fclose(file);
    return sum;
}

static void *watch_it(void *argument)
{
    struct watch *watch = argument;
    long apart = min_interval;
    while (!atomic_load(&watch->is_over)) {
        nanosleep(&(struct timespec){.tv_nsec = apart}, NULL);
        if (apart < max_interval) apart *= 2;
        long long bytes = own_bytes_of_all(watch->command);
        if (bytes > watch->own_bytes) watch->own_bytes = bytes;
        if (watch->limit != no_limit) continue;
        if (watch->max_bytes > 0 && bytes > watch->max_bytes) {
            watch->limit = memory_limit;
        } else if (watch->max_nanoseconds > 0 && nanoseconds_since(watch->start) > watch->max_nanoseconds) {
            watch->limit = time_limit;
        }
        /* Kill the process group, so that children of the command also end. */
        if (watch->limit != no_limit && !atomic_load(&watch->is_over)) kill(-watch->command, SIGKILL);
    }
    return NULL;
}

/* Ends this process when its parent ends. */
static void end_with_parent(void)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

int main(int count, char **arguments)
{
    if (count < 6) {
        fprintf(stderr, "usage: %s PROCESSORS SECONDS MEGABYTES OUTPUT COMMAND ARGUMENT...\n", arguments[0]);
        return 2;
    }
    const char *output = arguments[4];
    char **command = arguments + 5;
    end_with_parent();
    use_processors(atoi(arguments[1]));
    struct watch watch = {
        .max_nanoseconds = atoll(arguments[2]) * 1000000000LL,
        .max_bytes = atoll(arguments[3]) * 1000000LL,
    };
    clock_gettime(CLOCK_MONOTONIC, &watch.start);
    watch.command = fork();
    if (watch.command < 0) {
        perror("fork");
        return 3;
    }
    if (watch.command == 0) {
        end_with_parent();
        setpgid(0, 0);
        /* The errors of the command go to our standard error. */
        if (freopen(output, "w", stdout) != NULL) execvp(command[0], command);
        perror(command[0]);
        _exit(127);
    }
    setpgid(watch.command, watch.command);
    pthread_t watcher;
    int is_watched = pthread_create(&watcher, NULL, watch_it, &watch) == 0;
    int status = 0;
    struct rusage usage;
    if (wait4(watch.command, &status, 0, &usage) < 0) {
        perror("wait4");
        return 3;
    }
    long long wall = nanoseconds_since(watch.start);
    atomic_store(&watch.is_over, true);
    if (is_watched) pthread_join(watcher, NULL);
#ifdef __APPLE__
    long long peak = usage.ru_maxrss;
#else
    long long peak = usage.ru_maxrss * 1024LL;
#endif
    printf("%lld %lld %lld %lld %lld %d %d\n", wall, microseconds(usage.ru_utime), microseconds(usage.ru_stime), peak,
           watch.own_bytes, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), (int)watch.limit);
    return 0;
}
