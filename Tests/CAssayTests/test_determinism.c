/* Threads that share new compiled types must always get the verdicts of Tests/Types/cases.tsv.

       test_determinism                       a few thousand rounds
       test_determinism 200000 4 one          200,000 rounds on 4 threads, all on one processor
       test_determinism 200000 4 each         each thread on its own processor
       test_determinism 200000 4 free         the system places the threads

   Each round compiles a type, so that its DFA and tables, which are built on first use, are built while other
   threads use the type. Each thread judges two values in its own way: as a column of two rows, one by one, or often
   enough for a DFA and its tables. The bytes around the values are random, and differ between threads. Meanwhile,
   other threads compile and free other types, because all share PCRE2's allocator of machine code. With
   -DASSAY_CHAOS=ON, threads pause at random when they share a value. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include "test_pattern_support.h"

#include <pthread.h>
#include <signal.h>
#ifdef __linux__
#include <sched.h>
#endif

/* Threads synchronize after each batch of rounds, because on a busy machine each synchronization takes milliseconds. */
enum { BATCH = 16 };

enum { MAX_CASES = 4096, MAX_THREADS = 16, ROWS = 2100, WORDS = (ROWS + 63) / 64, ROOM = 1 << 20, MARGIN = 64 };

/* One line of cases.tsv: a type with its options, whether the value is valid, and the value. */
typedef struct type_case {
    char *type;
    bool passes;
    uint8_t *value;
    size_t count;
} type_case;

/* In about one of 3,000 runs, the command once rejected 47890 with this type (Docs/reliability.md). */
static char san_marino[] = "postal-code country=SM";
static uint8_t san_marino_values[][8] = {"47890", "47895", "4789", "478900", "57890", "4789x"};

static type_case cases[MAX_CASES];
static size_t case_count;
static size_t formats[MAX_CASES + 1]; /* the first case of each type, and the number of cases at the end */
static size_t format_count;

static void add_case(char *type, bool passes, uint8_t *value, size_t count)
{
    if (!CHECK(case_count < MAX_CASES)) return;
    if (case_count == 0 || strcmp(cases[case_count - 1].type, type) != 0) formats[format_count++] = case_count;
    cases[case_count++] = (type_case){type, passes, value, count};
    formats[format_count] = case_count;
}

/* Replaces \\ and \xHH by bytes, in place. Returns the number of bytes. */
static size_t unescape(char *text)
{
    size_t written = 0;
    for (const char *at = text; *at != 0; at++) {
        unsigned byte = (unsigned char)*at;
        if (at[0] == '\\' && at[1] == '\\') {
            at++;
        } else if (at[0] == '\\' && sscanf(at, "\\x%2x", &byte) == 1) {
            at += 3;
        }
        text[written++] = (char)byte;
    }
    return written;
}

static void read_cases(void)
{
    static char text[1 << 20];
    FILE *file = fopen(ASSAY_TYPE_CASES, "rb");
    if (!CHECK(file != NULL)) return;
    const size_t count = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    if (!CHECK(count < sizeof text - 1)) return;
    for (size_t i = 0; i < sizeof san_marino_values / sizeof san_marino_values[0]; i++) {
        const size_t length = strlen((char *)san_marino_values[i]);
        add_case(san_marino, i < 2, san_marino_values[i], length);
    }
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = 0;
        char *sign = strchr(line, '\t');
        if (line[0] == '#' || sign == NULL) continue;
        *sign++ = 0;
        add_case(line, *sign == '+', (uint8_t *)sign + 2, unescape(sign + 2));
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Rounds
 * ------------------------------------------------------------------------------------------------------------- */

/* A type and two of its values, which all threads judge. */
typedef struct round_work {
    assay_check *check;
    const type_case *values[2];
} round_work;

typedef enum way { TWO_ROWS, ONE_BY_ONE, MANY_ROWS, MANY_ONE_BY_ONE, AMONG_OTHERS, WAYS } way;
static const char *const way_names[] = {"two rows", "one by one", "2,100 rows", "2,100 one by one",
                                        "beside other types"};

/* The verdicts of one thread in one round. */
typedef struct round_result {
    way way;
    size_t wrong; /* verdicts */
    assay_verdict found[2];
} round_result;

typedef struct worker {
    pthread_t thread;
    unsigned number;
    test_random random;
    assay_scratch *scratch;
    uint8_t *bytes;
    assay_cell *cells;
    const round_work *work; /* of the current round */
    round_result *result;
    round_result results[BATCH];
} worker;

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    unsigned waiting, expected, times;
} barrier = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};

static round_work works[BATCH];
static unsigned batch; /* the number of rounds in the batch */
static bool is_over;
static volatile sig_atomic_t is_interrupted;

/* Ctrl-C ends the rounds and shows their number. */
static void interrupt(int number)
{
    (void)number;
    is_interrupted = 1;
}

/* Waits until all threads have arrived. */
static void meet(void)
{
    pthread_mutex_lock(&barrier.mutex);
    const unsigned time = barrier.times;
    if (++barrier.waiting == barrier.expected) {
        barrier.waiting = 0;
        barrier.times++;
        pthread_cond_broadcast(&barrier.condition);
    }
    while (barrier.times == time) pthread_cond_wait(&barrier.condition, &barrier.mutex);
    pthread_mutex_unlock(&barrier.mutex);
}

static assay_verdict expected(const type_case *value) { return value->passes ? ASSAY_PASS : ASSAY_FAIL; }

static void note(worker *self, unsigned value, assay_verdict verdict)
{
    if (verdict == expected(self->work->values[value])) return;
    self->result->found[value] = verdict;
    self->result->wrong++;
}

/* Checks `rows` rows that alternate between the two values, with random bytes before, between and after them. */
static void evaluate_column(worker *self, size_t rows)
{
    size_t used = test_random_below(&self->random, MARGIN);
    for (size_t row = 0; row < rows; row++) {
        const type_case *value = self->work->values[row & 1];
        if (row >= 2 && used + value->count + 2 * MARGIN > ROOM) {
            self->cells[row] = self->cells[row - 2];
            continue;
        }
        self->bytes[used++] = (uint8_t)('0' + test_random_below(&self->random, 75));
        if (value->count > 0) memcpy(self->bytes + used, value->value, value->count);
        self->cells[row] = (assay_cell){(uint32_t)used, (uint32_t)value->count};
        used += value->count;
    }
    for (size_t i = 0; i < MARGIN; i++) self->bytes[used + i] = (uint8_t)('0' + test_random_below(&self->random, 75));
    uint64_t failed[WORDS], undecided[WORDS];
    assay_check_column(self->work->check, self->scratch, self->bytes, self->cells, rows, NULL, failed, undecided);
    for (size_t row = 0; row < rows; row++) {
        const bool is_undecided = undecided[row / 64] >> row % 64 & 1;
        const bool has_failed = failed[row / 64] >> row % 64 & 1;
        note(self, row & 1, is_undecided ? ASSAY_UNDECIDED : has_failed ? ASSAY_FAIL : ASSAY_PASS);
    }
}

static void evaluate_values(worker *self, size_t times)
{
    uint8_t *copies[2];
    for (unsigned i = 0; i < 2; i++) {
        const type_case *value = self->work->values[i];
        copies[i] = malloc(value->count + 1);
        if (copies[i] == NULL) abort();
        if (value->count > 0) memcpy(copies[i], value->value, value->count);
        copies[i][value->count] = (uint8_t)('0' + test_random_below(&self->random, 10));
    }
    for (size_t time = 0; time < times; time++) {
        const size_t count = self->work->values[time & 1]->count;
        note(self, time & 1, assay_check_value(self->work->check, self->scratch, copies[time & 1], count));
    }
    free(copies[0]);
    free(copies[1]);
}

static assay_check *compile(size_t format)
{
    static const uint32_t options[] = {0, 0, 0, 0, 0, 0, ASSAY_PATTERN_NO_DFA, ASSAY_PATTERN_NO_JIT};
    static _Thread_local unsigned turn;
    const char *type = cases[formats[format]].type;
    return assay_check_create_builtin((assay_text){(const uint8_t *)type, strlen(type)}, options[turn++ % 8], NULL);
}

/* Half of all threads check two rows. Many rows are rare, because they cost much more than the types. */
static way choose_way(test_random *random)
{
    const way chosen = (way)test_random_below(random, WAYS + 3);
    const bool is_many = chosen == MANY_ROWS || chosen == MANY_ONE_BY_ONE;
    return chosen >= WAYS || (is_many && test_random_below(random, 8) != 0) ? TWO_ROWS : chosen;
}

static void evaluate(worker *self, unsigned index)
{
    self->work = &works[index];
    self->result = &self->results[index];
    self->result->way = choose_way(&self->random);
    if (test_random_below(&self->random, 16) == 0) {
        assay_scratch_free(self->scratch);
        self->scratch = assay_scratch_create(NULL);
        if (self->scratch == NULL) abort();
    }
    switch (self->result->way) {
    case TWO_ROWS:
    case WAYS:
        evaluate_column(self, 2);
        break;
    case ONE_BY_ONE:
        evaluate_values(self, 2);
        break;
    case MANY_ROWS:
        evaluate_column(self, ROWS);
        break;
    case MANY_ONE_BY_ONE:
        evaluate_values(self, ROWS);
        break;
    case AMONG_OTHERS: {
        assay_check *other = compile(test_random_below(&self->random, (uint32_t)format_count));
        evaluate_column(self, 2);
        assay_check_free(other);
        evaluate_column(self, 2);
        break;
    }
    }
}

static void *run(void *context)
{
    worker *self = context;
    for (;;) {
        meet();
        if (is_over) return NULL;
        for (unsigned i = 0; i < batch; i++) evaluate(self, i);
        meet();
    }
}

/* Chooses a type and two of its values, and returns the type. Every sixteenth round is about the postal codes of San
 * Marino. */
static size_t choose(test_random *random, unsigned long round, round_work *work)
{
    const size_t format = round % 16 == 0 ? 0 : test_random_below(random, (uint32_t)format_count);
    const uint32_t count = (uint32_t)(formats[format + 1] - formats[format]);
    for (unsigned i = 0; i < 2; i++) work->values[i] = &cases[formats[format] + test_random_below(random, count)];
    if (format == 0 && round % 32 == 0) work->values[0] = work->values[1] = &cases[0];
    return format;
}

static void show(unsigned long round, const round_work *work, unsigned thread, const round_result *result)
{
    static const char *const verdict_names[] = {"pass", "fail", "undecided"};
    for (unsigned i = 0; i < 2; i++) {
        const type_case *value = work->values[i];
        if (result->found[i] == expected(value)) continue;
        fprintf(stderr, "    round %lu, thread %u, %s: %s: \"%.*s\": %s\n", round, thread, way_names[result->way],
                value->type, (int)value->count, (const char *)value->value, verdict_names[result->found[i]]);
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Threads
 * ------------------------------------------------------------------------------------------------------------- */

static void pin(unsigned number, const char *where)
{
#ifdef __linux__
    cpu_set_t allowed, chosen;
    if (strcmp(where, "free") == 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    unsigned target = strcmp(where, "one") == 0 ? 0 : number % (unsigned)CPU_COUNT(&allowed);
    CPU_ZERO(&chosen);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &allowed) && target-- == 0) CPU_SET(cpu, &chosen);
    }
    sched_setaffinity(0, sizeof chosen, &chosen);
#else
    (void)number, (void)where;
#endif
}

static const char *placement = "free";

static void *begin(void *context)
{
    const worker *self = context;
    pin(self->number, placement);
    return run(context);
}

static void test_rounds_of_threads(unsigned long rounds, unsigned threads)
{
    static worker workers[MAX_THREADS];
    test_random random = test_random_of(0);
    barrier.expected = threads + 1;
    for (unsigned i = 0; i < threads; i++) {
        workers[i] = (worker){.number = i,
                              .random = test_random_of(1 + i),
                              .scratch = assay_scratch_create(NULL),
                              .bytes = malloc(ROOM),
                              .cells = malloc(ROWS * sizeof(assay_cell))};
        const bool has_memory = workers[i].scratch != NULL && workers[i].bytes != NULL && workers[i].cells != NULL;
        if (!has_memory || pthread_create(&workers[i].thread, NULL, begin, &workers[i]) != 0) abort();
    }
    unsigned long of_san_marino = 0;
    unsigned long round = 0;
    for (; round < rounds && !is_interrupted; round += batch) {
        batch = rounds - round < BATCH ? (unsigned)(rounds - round) : BATCH;
        for (unsigned i = 0; i < batch; i++) {
            const size_t format = choose(&random, round + i, &works[i]);
            of_san_marino += format == 0;
            works[i].check = compile(format);
            if (!CHECK(works[i].check != NULL)) abort();
            for (unsigned j = 0; j < threads; j++) {
                workers[j].results[i] = (round_result){
                    .found = {expected(works[i].values[0]), expected(works[i].values[1])},
                };
            }
        }
        meet();
        meet();
        for (unsigned i = 0; i < batch; i++) {
            for (unsigned j = 0; j < threads; j++) {
                const round_result *result = &workers[j].results[i];
                if (!CHECK_EQUAL(result->wrong, 0)) show(round + i, &works[i], j, result);
            }
            assay_check_free(works[i].check);
        }
    }
    is_over = true;
    meet();
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
        assay_scratch_free(workers[i].scratch);
        free(workers[i].bytes);
        free(workers[i].cells);
    }
    printf("%lu rounds of %zu types, %lu of them of %s, on %u threads (%s)\n", round, format_count, of_san_marino,
           san_marino, threads, placement);
}

int main(int count, char **arguments)
{
    const unsigned long rounds = count > 1 ? strtoul(arguments[1], NULL, 10) : test_rounds(16000);
    const unsigned long threads = count > 2 ? strtoul(arguments[2], NULL, 10) : 4;
    if (count > 3) placement = arguments[3];
    signal(SIGINT, interrupt);
    read_cases();
    if (CHECK(threads >= 1 && threads <= MAX_THREADS) && CHECK(format_count > 100)) {
        test_rounds_of_threads(rounds, (unsigned)threads);
    }
    return test_result();
}
