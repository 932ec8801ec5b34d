/* After a process has used the library, its forked children use it as well, on several threads that compete for the
   same locks. Spark's workers and Python's `multiprocessing` do this. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { rows = 40000, rounds = 20, children = 4, max_seconds = 60 };

/* Waits while the library holds a lock that the other threads need. */
static bool continues(void *context, uint64_t done, uint64_t total)
{
    (void)context, (void)done, (void)total;
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    return true;
}

/* Returns the number of rejected rows, which is half of all rows. */
static uint64_t check(const assay_rules *rules, const assay_column *column)
{
    const assay_options options = {.size = sizeof options, .threads = 4, .progress = continues};
    assay_result *result = NULL;
    assay_fault *fault = assay_rules_check_column(rules, 0, column, rows, &options, &result);
    CHECK(fault == NULL);
    if (result == NULL) return 0;
    assay_totals totals;
    assay_result_totals(result, &totals, sizeof totals);
    assay_result_free(result);
    return totals.rejected;
}

/* The number of the rules that busy threads compile. Each has a new pattern, so that children find patterns and types
   half compiled. */
static atomic_uint current;
static atomic_bool is_over;

/* Parses rules and reads the types, the pattern cache and the texts that all threads share. Returns the number of
   rejected values. */
static uint64_t compile_and_check(unsigned number, const assay_column *column)
{
    char text[400];
    snprintf(text, sizeof text,
             "fields: [{name: id, type: integer, constraints: {unique: true, pattern: '[a-z0-9]{1,%u}|x%u'}}, "
             "{name: a, format: email}, {name: b, type: date}, {name: c, type: number}]",
             number % 900 + 1, number);
    assay_rules *rules = must_parse(text);
    assay_result *result = NULL;
    CHECK(assay_rules_check_column(rules, 0, column, 2, NULL, &result) == NULL);
    assay_totals totals = {0};
    assay_result_totals(result, &totals, sizeof totals);
    assay_result_free(result);
    assay_rules_free(rules);
    return totals.rejected;
}

static void *stay_busy(void *column)
{
    while (!atomic_load(&is_over)) compile_and_check(atomic_fetch_add(&current, 1), column);
    return NULL;
}

/* A child inherits the locks of the threads that it does not have. */
static void fork_beside_busy_threads(const assay_column *column, int forks)
{
    pthread_t threads[3];
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        CHECK(pthread_create(&threads[i], NULL, stay_busy, (void *)column) == 0);
    }
    while (atomic_load(&current) < 10) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    int ended = 0;
    for (int i = 0; i < forks && ended == i; i++) {
        const pid_t process = fork();
        if (process == 0) {
            alarm(max_seconds);
            uint64_t rejected = 0;
            /* The rules that other threads compiled at the time of the fork, and new ones. */
            const unsigned number = atomic_load(&current);
            for (unsigned other = 0; other < 4; other++) rejected += compile_and_check(number - 3 + other, column);
            _exit(rejected == 4 ? 0 : 1);
        }
        int status = -1;
        if (waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0) ended++;
    }
    CHECK_EQUAL(ended, forks);
    atomic_store(&is_over, true);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) pthread_join(threads[i], NULL);
}

/* FOLDER [FORKS] */
int main(int count, char **arguments)
{
    static uint8_t bytes[rows];
    static int32_t offsets[rows + 1];
    for (int32_t i = 0; i < rows; i++) {
        bytes[i] = i % 2 == 0 ? '7' : 'x';
        offsets[i + 1] = i + 1;
    }
    const assay_column column = {.size = sizeof column,
                                 .name = "id",
                                 .layout = ASSAY_LAYOUT_OFFSETS32,
                                 .bytes = bytes,
                                 .byte_count = rows,
                                 .offsets = offsets};
    assay_rules *rules = must_parse("fields: [{name: id, type: integer}]");
    CHECK_EQUAL(check(rules, &column), rows / 2);

    for (int child = 0; child < children; child++) {
        const pid_t process = fork();
        if (process == 0) {
            alarm(max_seconds); /* a lock that is never released */
            uint64_t rejected = 0;
            for (int round = 0; round < rounds; round++) rejected += check(rules, &column);
            _exit(rejected == (uint64_t)rounds * rows / 2 && test_result() == 0 ? 0 : 1);
        }
        int status = -1;
        CHECK(waitpid(process, &status, 0) == process);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    assay_rules_free(rules);
    fork_beside_busy_threads(&column, count > 2 ? atoi(arguments[2]) : 2000);
    return test_result();
}
