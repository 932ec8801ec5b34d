/* test.h: the complete test framework. A test is a program that calls CHECK for each condition and ends with `return
   test_result();`. */
#ifndef ASSAY_TEST_H
#define ASSAY_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long test_checks;
static unsigned long test_failures;

/* Enough to identify the failure; a broken loop must not fill the disk. */
enum { test_failures_shown = 20 };

static inline bool test_check(bool holds, const char *file, int line, const char *what)
{
    test_checks++;
    if (holds) return true;
    if (test_failures++ < test_failures_shown) fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
    return false;
}

static inline bool test_check_equal(unsigned long long left, unsigned long long right, const char *file, int line,
                                    const char *what)
{
    bool holds = test_check(left == right, file, line, what);
    if (!holds && test_failures <= test_failures_shown) fprintf(stderr, "    %llu against %llu\n", left, right);
    return holds;
}

#define CHECK(holds) test_check((holds), __FILE__, __LINE__, #holds)
#define CHECK_EQUAL(left, right)                                                                                       \
    test_check_equal((unsigned long long)(left), (unsigned long long)(right), __FILE__, __LINE__, #left " == " #right)

/* The seed of generated tests. ctest takes it from the commit (Scripts/cmake/test-seed.cmake), so that each commit
   tries other cases. A program that runs without ctest has a constant seed. ASSAY_TEST_SEED overrides both;
   test_result() prints the seed of a failed run. */
static uint64_t test_seed_used;

static inline uint64_t test_seed(void)
{
    const char *text = getenv("ASSAY_TEST_SEED");
    if (test_seed_used != 0) return test_seed_used;
    if (text != NULL) test_seed_used = strtoull(text, NULL, 0);
    if (test_seed_used == 0) test_seed_used = 1; /* xorshift64* cannot leave the state 0 */
    printf("seed 0x%llx\n", (unsigned long long)test_seed_used);
    return test_seed_used;
}

/* A test without any checks fails. */
static inline int test_result(void)
{
    printf("%lu checks, %lu failures\n", test_checks, test_failures);
    if (test_failures > 0 && test_seed_used != 0) {
        fprintf(stderr, "generated cases: to repeat this run, set ASSAY_TEST_SEED=0x%llx%s\n",
                (unsigned long long)test_seed_used, getenv("ASSAY_SLOW_TESTS") != NULL ? " ASSAY_SLOW_TESTS=1" : "");
    }
    return test_failures == 0 && test_checks > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Whether tests run in their long form: `make test-all` sets ASSAY_SLOW_TESTS. */
static inline bool test_is_slow(void) { return getenv("ASSAY_SLOW_TESTS") != NULL; }

/* The rounds of a generated test: `all` in the long form, otherwise a sixteenth, so that `make test` stays short. */
static inline unsigned long test_rounds(unsigned long all) { return test_is_slow() ? all : all / 16; }

/* Pseudo-random numbers that depend only on the seed, not on the machine (xorshift64*). */
typedef struct test_random {
    uint64_t state;
} test_random;

/* The generator of one test. Tests of a program have different `number`s, so that each has its own sequence. */
static inline test_random test_random_of(uint64_t number)
{
    uint64_t state = test_seed() + number * 0x9E3779B97F4A7C15u; /* splitmix64 */
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9u;
    state = (state ^ state >> 27) * 0x94D049BB133111EBu;
    state ^= state >> 31;
    return (test_random){state != 0 ? state : 1};
}

static inline uint32_t test_random_below(test_random *random, uint32_t bound)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)(((random->state * 0x2545F4914F6CDD1Du) >> 32) % bound);
}

#endif
