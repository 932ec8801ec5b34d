/* Matches the values of Tests/Hostile/patterns.tsv one by one, so that the cost of each can be counted.
 *
 *     hostile PATTERNS.tsv BYTES [EVERY]
 *
 * Prints a line per value: full match or search, verdict, milliseconds of processor time, name. EVERY 3: every third
 * pattern. Under callgrind, each match is dumped under `full` or `search` and the name. */
#include "../../Tests/CAssayTests/test_hostile.h"

#include <time.h>

#include "support.h"

static void match(const hostile_case *hostile, bool search, size_t bytes)
{
    const uint32_t options = hostile->options | (search ? ASSAY_PATTERN_SEARCH : 0);
    assay_pattern *pattern =
        assay_pattern_create((const uint8_t *)hostile->pattern, strlen(hostile->pattern), options, 0, NULL);
    assay_scratch *scratch = assay_scratch_create(NULL);
    size_t count = 0;
    uint8_t *value = hostile_value(hostile, bytes, &count);
    if (pattern == NULL || scratch == NULL) fail("a pattern that does not compile");
    /* Makes the machine code now, because the first match would otherwise include it. */
    assay_pattern_jit_size(pattern);
    CALLGRIND_DUMP_STATS_AT("preparation");
    const clock_t start = clock();
    const assay_verdict verdict = assay_pattern_match(pattern, scratch, value, count);
    const double milliseconds = (double)(clock() - start) * 1000 / CLOCKS_PER_SEC;
    char name[256];
    snprintf(name, sizeof name, "%s %s", search ? "search" : "full", hostile->name);
    CALLGRIND_DUMP_STATS_AT(name);
    const char *const words[] = {"pass", "fail", "undecided"};
    printf("%s\t%s\t%.1f\t%s\n", search ? "search" : "full", words[verdict], milliseconds, hostile->name);
    free(value);
    assay_scratch_free(scratch);
    assay_pattern_free(pattern);
}

int main(int count, char **arguments)
{
    if (count < 3) fail("usage: hostile PATTERNS.tsv BYTES [EVERY]");
    FILE *file = fopen(arguments[1], "r");
    if (file == NULL) fail("cannot read its input");
    const size_t bytes = strtoul(arguments[2], NULL, 10);
    const size_t every = count > 3 ? strtoul(arguments[3], NULL, 10) : 1;
    hostile_case hostile;
    for (size_t i = 0; hostile_next(file, &hostile); i++) {
        if (i % every == 0) {
            match(&hostile, false, bytes);
            match(&hostile, true, bytes);
        }
        hostile_free(&hostile);
    }
    fclose(file);
    return 0;
}
