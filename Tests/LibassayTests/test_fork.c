/* After a process has used the library, its forked children use it as well, on several threads that compete for the
   same locks. Spark's workers and Python's `multiprocessing` do this. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { rows = 40000, rounds = 20, children = 4, max_seconds = 100 };

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

int main(void)
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
    return test_result();
}
