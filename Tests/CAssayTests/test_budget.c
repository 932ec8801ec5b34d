/* Budgets: until a budget is spent, the verdicts are those without a budget. All later values are undecided and
   marked. */
#include "Patterns/assay_pcre2.h"
#include "test_hostile.h"
#include "test_pattern_support.h"

#include <time.h>

enum { ROWS = 300, WORDS = (ROWS + 63) / 64 };

typedef struct values {
    uint8_t *bytes;
    assay_cell cells[ROWS];
} values;

/* Values of many lengths, mostly of letters and digits. */
static values make_values(test_random *random, uint32_t longest)
{
    values made = {.bytes = malloc(ROWS * longest + 1)};
    uint32_t at = 0;
    for (size_t row = 0; row < ROWS; row++) {
        const uint32_t count = test_random_below(random, longest + 1);
        made.cells[row] = (assay_cell){at, count};
        for (uint32_t i = 0; i < count; i++) made.bytes[at++] = (uint8_t) "aab1-b a"[test_random_below(random, 8)];
    }
    return made;
}

typedef struct verdicts {
    uint64_t failed[WORDS];
    uint64_t undecided[WORDS];
    size_t first_over;
} verdicts;

static verdicts evaluate(const assay_check *check, const values *column, assay_budget *budget)
{
    verdicts found;
    assay_scratch *scratch = assay_scratch_create(NULL);
    if (budget != NULL) assay_scratch_set_budget(scratch, budget);
    assay_check_column(check, scratch, column->bytes, column->cells, ROWS, NULL, found.failed, found.undecided);
    found.first_over = assay_scratch_take_first_over(scratch);
    CHECK_EQUAL(assay_scratch_take_first_over(scratch), SIZE_MAX);
    assay_scratch_free(scratch);
    return found;
}

static bool bit(const uint64_t *mask, size_t row) { return (mask[row / 64] >> (row % 64) & 1) != 0; }

/* Each call creates its own check, so that it does not reuse the DFA of an earlier one. */
typedef struct check_kind {
    const char *pattern; /* NULL: a built-in type */
    const char *builtin;
    uint32_t options;
} check_kind;

static const check_kind kinds[] = {
    {"[a-z]+(-[0-9a-z]+)*", NULL, 0},
    {"(a|b)\\1.*", NULL, 0},
    {"(?:a|b|1)*(?<=b1)-.*", NULL, 0},
    {"(a+)+\\1b", NULL, 0},
    {"b1(?=-)", NULL, ASSAY_PATTERN_SEARCH},
    {"(?:(a)|b|.)*\\1", NULL, ASSAY_PATTERN_NO_JIT},
    {"a.*b", NULL, ASSAY_PATTERN_NO_DFA},
    {NULL, "email", 0},
    {NULL, "slug", 0},
};

static assay_check *create(const check_kind *kind, assay_pattern **pattern)
{
    *pattern = NULL;
    if (kind->builtin != NULL) {
        return assay_check_create_builtin((assay_text){(const uint8_t *)kind->builtin, strlen(kind->builtin)}, 0, NULL);
    }
    *pattern = assay_pattern_create((const uint8_t *)kind->pattern, strlen(kind->pattern), kind->options, 0, NULL);
    return assay_check_create_pattern(*pattern);
}

static verdicts evaluate_fresh(const check_kind *kind, const values *column, assay_budget *budget)
{
    assay_pattern *pattern;
    assay_check *check = create(kind, &pattern);
    const verdicts found = evaluate(check, column, budget);
    assay_check_free(check);
    assay_pattern_free(pattern);
    return found;
}

/* Under budgets of all sizes. */
static void test_cut(void)
{
    test_random random = test_random_of(1);
    static const uint32_t longest[] = {12, 300, 3000};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (size_t l = 0; l < sizeof longest / sizeof longest[0]; l++) {
            const values column = make_values(&random, longest[l]);
            const verdicts right = evaluate_fresh(&kinds[k], &column, NULL);
            CHECK_EQUAL(right.first_over, SIZE_MAX);
            assay_budget *full = assay_budget_create(UINT64_MAX, UINT64_MAX);
            const verdicts generous = evaluate_fresh(&kinds[k], &column, full);
            CHECK(memcmp(generous.failed, right.failed, sizeof right.failed) == 0);
            CHECK(memcmp(generous.undecided, right.undecided, sizeof right.undecided) == 0);
            CHECK_EQUAL(generous.first_over, SIZE_MAX);
            CHECK_EQUAL(assay_budget_ended_by(full), ASSAY_BUDGET_LEFT);
            const uint64_t used = assay_budget_used(full);
            CHECK(used > 0);
            assay_budget_free(full);
            const unsigned parts = test_is_slow() ? 40 : 4;
            for (unsigned part = 0; part < parts; part++) {
                const uint64_t ticks = used / parts * part;
                assay_budget *budget = assay_budget_create(ticks, UINT64_MAX);
                assay_budget *same = assay_budget_create(ticks, UINT64_MAX);
                const verdicts found = evaluate_fresh(&kinds[k], &column, budget);
                const verdicts again = evaluate_fresh(&kinds[k], &column, same);
                CHECK(memcmp(&found, &again, sizeof found) == 0);
                for (size_t row = 0; row < ROWS; row++) {
                    const bool is_over = row >= found.first_over && bit(found.undecided, row);
                    CHECK(!(bit(found.failed, row) && bit(found.undecided, row)));
                    if (is_over) continue;
                    CHECK(bit(found.failed, row) == bit(right.failed, row));
                    CHECK(bit(found.undecided, row) == bit(right.undecided, row));
                }
                if (ticks == 0) CHECK_EQUAL(found.first_over, 0);
                if (found.first_over < ROWS) CHECK_EQUAL(assay_budget_ended_by(budget), ASSAY_BUDGET_WORK);
                assay_budget_free(budget);
                assay_budget_free(same);
            }
            free(column.bytes);
        }
    }
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Hostile patterns and values: a tick takes about a nanosecond at most, so that a budget bounds the time. */
static void test_hostile(void)
{
    FILE *file = fopen(ASSAY_HOSTILE_PATTERNS, "r");
    if (!CHECK(file != NULL)) return;
    hostile_case hostile;
    while (hostile_next(file, &hostile)) {
        assay_pattern *pattern =
            assay_pattern_create((const uint8_t *)hostile.pattern, strlen(hostile.pattern), hostile.options, 0, NULL);
        if (pattern == NULL) {
            hostile_free(&hostile);
            continue;
        }
        assay_check *check = assay_check_create_pattern(pattern);
        size_t count = 0;
        uint8_t *value = hostile_value(&hostile, 8000, &count);
        values column = {.bytes = value};
        for (size_t row = 0; row < ROWS; row++) column.cells[row] = (assay_cell){0, (uint32_t)count};
        assay_budget *budget = assay_budget_create(UINT64_C(20000000), UINT64_MAX);
        const double start = seconds();
        (void)evaluate(check, &column, budget);
        const double took = seconds() - start;
        CHECK(assay_budget_used(budget) <= UINT64_C(20000000));
        /* Sanitizers and loaded machines are slower. Without a bound, it would take more than a second. */
        if (!CHECK(took < 2)) fprintf(stderr, "    %s: %f s\n", hostile.name, took);
        if (getenv("ASSAY_SHOW") != NULL) {
            printf("%s: %.4f s, %llu ticks\n", hostile.name, took, (unsigned long long)assay_budget_used(budget));
        }
        assay_budget_free(budget);
        free(value);
        assay_check_free(check);
        assay_pattern_free(pattern);
        hostile_free(&hostile);
    }
    fclose(file);
}

/* An expired deadline ends all work immediately. */
static void test_deadline(void)
{
    test_random random = test_random_of(1);
    const values column = make_values(&random, 100);
    assay_budget *budget = assay_budget_create(UINT64_MAX, 0);
    const verdicts found = evaluate_fresh(&kinds[0], &column, budget);
    CHECK_EQUAL(found.first_over, 0);
    for (size_t row = 0; row < ROWS; row++) CHECK(bit(found.undecided, row));
    CHECK_EQUAL(assay_budget_ended_by(budget), ASSAY_BUDGET_TIME);
    assay_budget_free(budget);
    free(column.bytes);
}

/* The remainder of a lease returns to the budget, so that scratches can share a small one. */
static void test_leases(void)
{
    assay_budget *budget = assay_budget_create(100000, UINT64_MAX);
    assay_scratch *one = assay_scratch_create(NULL);
    assay_scratch *other = assay_scratch_create(NULL);
    assay_scratch_set_budget(one, budget);
    assay_scratch_set_budget(other, budget);
    CHECK(assay_scratch_spend(one, 10));
    CHECK(assay_scratch_spend(other, 10));
    CHECK(assay_budget_used(budget) > 20);
    assay_scratch_end_lease(one);
    assay_scratch_set_budget(other, NULL);
    CHECK_EQUAL(assay_budget_used(budget), 20);
    CHECK(assay_budget_spend(budget, 99980));
    CHECK_EQUAL(assay_budget_ended_by(budget), ASSAY_BUDGET_LEFT);
    CHECK(assay_scratch_spend(other, UINT64_MAX));
    CHECK(!assay_scratch_spend(one, 1));
    CHECK_EQUAL(assay_budget_ended_by(budget), ASSAY_BUDGET_WORK);
    CHECK(!assay_scratch_spend(one, 1));
    CHECK(!assay_budget_spend(budget, 0));
    assay_scratch_free(one);
    assay_scratch_free(other);
    assay_budget_free(budget);
}

int main(void)
{
    test_leases();
    test_deadline();
    test_cut();
    test_hostile();
    return test_result();
}
