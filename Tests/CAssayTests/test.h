/* test.h: the whole test framework. A test is a program: CHECK what must hold, then `return test_result();`. */
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

/* Enough to see what is wrong; a broken loop must not fill the disk. */
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

/* A test that checked nothing has not passed. */
static inline int test_result(void)
{
    printf("%lu checks, %lu failures\n", test_checks, test_failures);
    return test_failures == 0 && test_checks > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Whether tests run in their long form: `make test-all` sets ASSAY_SLOW_TESTS. */
static inline bool test_is_slow(void) { return getenv("ASSAY_SLOW_TESTS") != NULL; }

/* The rounds of a generated test: `all` in the long form, otherwise an eighth, so that `make test` stays short. */
static inline unsigned long test_rounds(unsigned long all) { return test_is_slow() ? all : all / 8; }

/* Pseudo-random numbers that are the same on every machine (xorshift64*). */
typedef struct test_random {
    uint64_t state;
} test_random;

static inline uint32_t test_random_below(test_random *random, uint32_t bound)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)(((random->state * 0x2545F4914F6CDD1Du) >> 32) % bound);
}

#endif
