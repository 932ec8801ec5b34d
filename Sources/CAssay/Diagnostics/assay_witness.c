/* Searches for values that take a pattern long to check, by experiments. The search reads only letters from the
 * pattern's text; PCRE2's callouts report the places in the pattern to which a text leads.
 *
 *     (\d+)+\1x     text   0      places {\d+ )+ \1}     a graph of texts by their places: a cycle in it is a pump
 *                          00     the same places
 *                                                        0, 00, 0000 … then !     steps 14, 40, 338 … measured
 *
 * In terms of automata (Weideman, van der Merwe, Berglund, Watson, "Analyzing matching time behavior of backtracking
 * regular expression matchers by using ambiguity of NFA", 2016), a set of places is a state of the subset construction,
 * and a pump that takes long proves that the automaton is ambiguous. They find ambiguity by construction, for regular
 * patterns. PCRE2's patterns are not regular, so the ambiguity is measured. */
#include "Patterns/assay_pcre2.h"

#include "Bytes/assay_ascii.h"
#include "Bytes/assay_scalars.h"
#include "Bytes/assay_utf8.h"

#include <stdlib.h>

#ifdef ASSAY_PCRE2

enum {
    MAX_LETTERS = 64,
    MAX_MINIMA = 4,
    MAX_NODES = 160,
    MAX_EDGES = 12, /* of a node */
    MAX_PREFIX = 64,
    MAX_PUMP = 48,
    MAX_SUFFIX = 5,
    MAX_CANDIDATES = 6,
    LONGEST_VALUE = 64 << 10,
    /* Steps of single runs, and of all runs of a search. */
    EXPLORING_STEPS = 2000,
    SCREENING_STEPS = 20000,
    MEASURING_STEPS = 1000000,
    TOTAL_STEPS = 20000000,
    HEAP_KIB = 20480,
    /* Lengths in bytes for the first comparison. */
    SHORT_VALUE = 48,
};

_Static_assert((int)MAX_PREFIX + MAX_PUMP + MAX_SUFFIX <= (int)ASSAY_WITNESS_BYTES, "a witness has room for its parts");

typedef struct trial_letter {
    uint8_t bytes[4];
    uint8_t count;
} trial_letter;

/* An edge of the graph: a letter and its number of repetitions. */
typedef struct text_edge {
    uint16_t target;
    uint8_t letter;
    uint8_t times;
} text_edge;

/* The first text found that leads to a set of places. */
typedef struct text_node {
    uint64_t places; /* a hash of the set */
    text_edge edges[MAX_EDGES];
    uint8_t edge_count;
    uint8_t count;
    uint8_t text[MAX_PREFIX];
} text_node;

typedef struct pumped_value {
    double growth;
    uint8_t prefix_count;
    uint8_t pump_count;
    uint8_t suffix_count;
    uint8_t text[ASSAY_WITNESS_BYTES];
} pumped_value;

typedef struct witness_search {
    assay_meter meter; /* first: assay_metered_charge is given this struct as its meter */
    const assay_pattern *pattern;
    const assay_metered *metered;
    bool has_dfa; /* a DFA checks values without characters above U+FFFF */
    pcre2_match_data *data;
    pcre2_match_context *context;
    uint64_t steps_left;
    uint64_t work;   /* ticks of ordinary checks, in addition to those steps */
    uint32_t run;    /* the number of this run */
    uint32_t *seen;  /* by byte of the compiled text: the last run that had this place at its end */
    uint64_t places; /* of this run */
    uint8_t *value;  /* a buffer for the longest value */
    trial_letter letters[MAX_LETTERS];
    size_t letter_count;
    uint32_t minima[MAX_MINIMA];
    size_t minimum_count;
    text_node nodes[MAX_NODES];
    size_t node_count;
    pumped_value candidates[MAX_CANDIDATES]; /* by growth, descending */
    size_t candidate_count;
} witness_search;

/* ---------------------------------------------------------------------------------------------------------------
 * Runs
 * ------------------------------------------------------------------------------------------------------------- */

static void spend(witness_search *search, uint64_t steps)
{
    search->steps_left -= steps < search->steps_left ? steps : search->steps_left;
}

/* Runs a value and returns its steps, or `max` if it was stopped by then. Also charges the work before the first
 * step. */
static uint64_t run(witness_search *search, const uint8_t *value, size_t count, uint64_t max)
{
    spend(search, 1 + assay_metered_interpreted_step(search->metered) / ASSAY_WORK_STEP);
    if (max > search->steps_left) max = search->steps_left;
    search->meter.left = max * ASSAY_WORK_STEP;
    /* An item is charged after it has run, so a single item over the whole value must be affordable. */
    if ((uint64_t)search->pattern->interpreted.costs.byte * count > search->meter.left) return max;
    pcre2_set_match_limit(search->context, (uint32_t)(max > 0 ? max : 1));
    const int rc =
        assay_metered_interpret(search->metered, &search->meter, value, count, 0, search->data, search->context);
    uint64_t steps = max - search->meter.left / ASSAY_WORK_STEP;
    if (rc < PCRE2_ERROR_NOMATCH) steps = max; /* a limit */
    spend(search, steps);
    return steps;
}

static int count_steps(pcre2_callout_block *block, void *context) { return assay_metered_charge(block, context); }

/* Records the places that the match reaches at the end of the text, and makes PCRE2 search for other ways to the
 * end. */
static int note_place(pcre2_callout_block *block, void *context)
{
    witness_search *search = context;
    const int rc = assay_metered_charge(block, context);
    if (rc != 0) return rc;
    if (block->current_position < block->subject_length) return 0;
    const size_t place = block->pattern_position;
    if (search->seen[place] != search->run) {
        search->seen[place] = search->run;
        uint64_t hash = (place + 1) * UINT64_C(0x9E3779B97F4A7C15); /* sums of these hashes identify sets */
        hash = (hash ^ (hash >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
        search->places += hash ^ (hash >> 32);
    }
    return 1;
}

/* Returns a hash of the places to which a text leads; 0: no match begins with it. */
static uint64_t places_of(witness_search *search, const uint8_t *text, size_t count)
{
    search->run++;
    search->places = 0;
    run(search, count > 0 ? text : assay_empty_value, count, EXPLORING_STEPS);
    return search->places;
}

/* ---------------------------------------------------------------------------------------------------------------
 * The graph of texts
 * ------------------------------------------------------------------------------------------------------------- */

static void add_letter(witness_search *search, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < search->letter_count; i++) {
        const trial_letter *other = &search->letters[i];
        if (other->count == count && memcmp(other->bytes, bytes, count) == 0) return;
    }
    if (search->letter_count == MAX_LETTERS) return;
    trial_letter *added = &search->letters[search->letter_count++];
    added->count = (uint8_t)count;
    memcpy(added->bytes, bytes, count);
}

static size_t scalar_length(const uint8_t *text, size_t count)
{
    size_t length = 1;
    while (length < count && length < 4 && is_continuation(text[length])) length++;
    return length;
}

/* Chooses letters that the pattern may distinguish: those of its text, and one or two of each kind. Characters above
 * U+FFFF are first, because a DFA may leave them to PCRE2. */
static void choose_letters(witness_search *search, const assay_pattern *pattern)
{
    static const char *const above[] = {"\U0001D4B3", "\U00010400", "\U0001D7D8", "\U0001F600"};
    static const char *const usual[] = {"a", "0", "A", " ", "-", ".", "_", "\n", "!", "\u00E9", "\u4E2D"};
    for (size_t i = 0; search->has_dfa && i < sizeof above / sizeof *above; i++) {
        add_letter(search, (const uint8_t *)above[i], strlen(above[i]));
    }
    const uint8_t *text = pattern->text;
    for (size_t at = 0, length = 0; at < pattern->count; at += length) {
        length = scalar_length(text + at, pattern->count - at);
        const bool is_word = length > 1 || is_letter(text[at]) || is_digit(text[at]) || text[at] == '_';
        if (is_word || search->letter_count < MAX_LETTERS / 2) add_letter(search, text + at, length);
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        /* The usual letters displace those of long texts, such as lists of words. */
        if (search->letter_count == MAX_LETTERS) search->letter_count -= sizeof usual / sizeof *usual - i;
        add_letter(search, (const uint8_t *)usual[i], strlen(usual[i]));
    }
}

static size_t append(uint8_t *text, const trial_letter *letter, size_t times)
{
    for (size_t i = 0; i < times; i++) memcpy(text + i * letter->count, letter->bytes, letter->count);
    return times * letter->count;
}

/* Follows an edge from a node by a letter. Returns whether any match begins with the resulting text. */
static bool follow(witness_search *search, text_node *from, size_t letter_index, uint32_t times)
{
    const trial_letter *letter = &search->letters[letter_index];
    uint8_t text[MAX_PREFIX];
    if (from->count + times * letter->count > MAX_PREFIX) return true; /* not known */
    memcpy(text, from->text, from->count);
    const size_t count = from->count + append(text + from->count, letter, times);
    const uint64_t places = places_of(search, text, count);
    if (places == 0) return false;
    size_t target = 0;
    while (target < search->node_count && search->nodes[target].places != places) target++;
    if (target == search->node_count) {
        if (target == MAX_NODES) return true;
        text_node *added = &search->nodes[search->node_count++];
        added->places = places;
        added->count = (uint8_t)count;
        memcpy(added->text, text, count);
    }
    for (size_t i = 0; i < from->edge_count; i++) {
        if (from->edges[i].target == target) return true;
    }
    if (from->edge_count < MAX_EDGES) {
        from->edges[from->edge_count++] =
            (text_edge){.target = (uint16_t)target, .letter = (uint8_t)letter_index, .times = (uint8_t)times};
    }
    return true;
}

/* Explores breadth first, so that texts are short. */
static void explore(witness_search *search)
{
    pcre2_set_callout(search->context, note_place, search);
    search->nodes[0].places = places_of(search, assay_empty_value, 0);
    search->node_count = 1;
    for (size_t i = 0; i < search->node_count; i++) {
        text_node *from = &search->nodes[i];
        for (size_t j = 0; j < search->letter_count && search->steps_left > TOTAL_STEPS / 2; j++) {
            bool leads_on = follow(search, from, j, 1);
            /* X{8} has no places inside, so it needs eight letters at once. */
            for (size_t k = 0; !leads_on && k < search->minimum_count; k++) {
                leads_on = follow(search, from, j, search->minima[k]);
            }
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Pumps
 * ------------------------------------------------------------------------------------------------------------- */

static size_t build(witness_search *search, const pumped_value *candidate, size_t repeats)
{
    const uint8_t *part = candidate->text;
    uint8_t *at = search->value;
    memcpy(at, part, candidate->prefix_count);
    at += candidate->prefix_count;
    part += candidate->prefix_count;
    for (size_t i = 0; i < repeats; i++, at += candidate->pump_count) memcpy(at, part, candidate->pump_count);
    memcpy(at, part + candidate->pump_count, candidate->suffix_count);
    return (size_t)(at - search->value) + candidate->suffix_count;
}

static uint64_t steps_of(witness_search *search, const pumped_value *candidate, size_t repeats, uint64_t max)
{
    const size_t count = build(search, candidate, repeats);
    return run(search, search->value, count, max);
}

/* Keeps a candidate if doubling the length more than doubles the steps. Linear growth less than doubles them, because
 * some steps occur only once. */
static void screen(witness_search *search, pumped_value *candidate)
{
    const size_t repeats = (SHORT_VALUE + (size_t)candidate->pump_count - 1) / candidate->pump_count;
    const uint64_t once = steps_of(search, candidate, repeats, SCREENING_STEPS);
    if (once < SCREENING_STEPS) {
        const uint64_t twice = steps_of(search, candidate, 2 * repeats, SCREENING_STEPS);
        candidate->growth = (double)twice / (double)(once > 0 ? once : 1);
    } else {
        candidate->growth = SCREENING_STEPS; /* too many to be compared: measured below */
    }
    if (candidate->growth < 2.05) return;
    const assay_plan *plan = assay_pattern_plan_so_far(search->pattern);
    assay_dfa *dfa = plan != NULL ? plan->dfa : NULL;
    if (dfa != NULL && assay_dfa_match(dfa, search->value, build(search, candidate, repeats)) != DFA_UNKNOWN) return;
    size_t place = search->candidate_count;
    while (place > 0 && search->candidates[place - 1].growth < candidate->growth) place--;
    if (place == MAX_CANDIDATES) return;
    if (search->candidate_count < MAX_CANDIDATES) search->candidate_count++;
    memmove(&search->candidates[place + 1], &search->candidates[place],
            (search->candidate_count - 1 - place) * sizeof *candidate);
    search->candidates[place] = *candidate;
}

/* Writes the shortest path from one node to another after `count` bytes of a pump. Returns the new length; 0: no path
 * is short enough. */
static size_t write_way(const witness_search *search, size_t from, size_t to, uint8_t *pump, size_t count)
{
    uint16_t before[MAX_NODES];
    text_edge by[MAX_NODES];
    bool reached[MAX_NODES] = {false};
    uint16_t queue[MAX_NODES];
    size_t end = 0;
    queue[end++] = (uint16_t)from;
    reached[from] = true;
    for (size_t i = 0; i < end && !reached[to]; i++) {
        const text_node *node = &search->nodes[queue[i]];
        for (size_t j = 0; j < node->edge_count; j++) {
            const text_edge edge = node->edges[j];
            if (reached[edge.target]) continue;
            reached[edge.target] = true;
            before[edge.target] = queue[i];
            by[edge.target] = edge;
            queue[end++] = edge.target;
        }
    }
    if (!reached[to]) return 0;
    uint16_t way[MAX_NODES];
    size_t length = 0;
    for (size_t at = to; at != from; at = before[at]) way[length++] = (uint16_t)at;
    while (length > 0) {
        const text_edge edge = by[way[--length]];
        const trial_letter *letter = &search->letters[edge.letter];
        if (count + (size_t)edge.times * letter->count > MAX_PUMP) return 0;
        count += append(pump + count, letter, edge.times);
    }
    return count;
}

/* Tries each cycle through each node, with each of a few ends. */
static void pump(witness_search *search)
{
    static const char *const usual[] = {"", "\x01", "!", "\n"};
    /* A DFA checks values without characters above U+FFFF. */
    static const char *const above[] = {"", "\U0001F600", "\x01\U0001F600", "!\U0001F600"};
    const char *const *suffixes = search->has_dfa ? above : usual;
    pcre2_set_callout(search->context, count_steps, search);
    for (size_t i = 0; i < search->node_count; i++) {
        const text_node *node = &search->nodes[i];
        for (size_t j = 0; j < node->edge_count; j++) {
            const text_edge edge = node->edges[j];
            const trial_letter *letter = &search->letters[edge.letter];
            uint8_t pump[MAX_PUMP];
            if ((size_t)edge.times * letter->count > MAX_PUMP) continue;
            const size_t first = append(pump, letter, edge.times);
            const size_t count = edge.target == i ? first : write_way(search, edge.target, i, pump, first);
            if (count == 0) continue;
            for (size_t k = 0; k < sizeof usual / sizeof *usual; k++) {
                if (search->steps_left < TOTAL_STEPS / 4) return; /* the rest is for measuring */
                pumped_value candidate = {.prefix_count = node->count, .pump_count = (uint8_t)count};
                memcpy(candidate.text, node->text, node->count);
                memcpy(candidate.text + node->count, pump, count);
                candidate.suffix_count = (uint8_t)strlen(suffixes[k]);
                memcpy(candidate.text + node->count + count, suffixes[k], candidate.suffix_count);
                screen(search, &candidate);
            }
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Measuring
 * ------------------------------------------------------------------------------------------------------------- */

static double ratio(uint64_t more, uint64_t less) { return (double)more / (double)(less > 0 ? less : 1); }

/* Counts the steps of 1, 2, 4 … pumps while the budget allows it, and decides by the last three counts. In exponential
 * growth, two more pumps multiply the steps by a constant factor at any length; in polynomial growth, the factor
 * decreases. */
static void measure(witness_search *search, const pumped_value *candidate, assay_witness *witness)
{
    uint64_t steps[3] = {0};
    size_t repeats = 1, counted = 0;
    for (;; repeats *= 2) {
        if (candidate->prefix_count + repeats * candidate->pump_count + candidate->suffix_count > LONGEST_VALUE) break;
        if (search->steps_left < MEASURING_STEPS) break;
        const uint64_t found = steps_of(search, candidate, repeats, MEASURING_STEPS);
        if (found >= MEASURING_STEPS) break;
        steps[0] = steps[1];
        steps[1] = steps[2];
        steps[2] = found;
        counted++;
    }
    if (counted < 3) return;
    const size_t last = repeats / 2;
    const double power = ratio(steps[2], steps[1]); /* 2 to the power of the degree */
    if (power < 2.83) return;
    const double early = ratio(steps_of(search, candidate, last / 2 + 2, MEASURING_STEPS), steps[1]);
    const double late = ratio(steps_of(search, candidate, last + 2, 8 * MEASURING_STEPS), steps[2]);
    /* The logarithm of the late ratio is more than three quarters of that of the early one; for a polynomial it is
     * half. */
    const bool is_exponential = late * late * late * late > early * early * early;
    uint32_t degree = 0;
    for (double rest = power * 1.414; !is_exponential && rest >= 2; rest /= 2) degree++;
    const assay_growth growth = is_exponential ? ASSAY_GROWTH_EXPONENTIAL : ASSAY_GROWTH_POLYNOMIAL;
    if (growth < witness->growth || (growth == witness->growth && degree <= witness->degree)) return;
    *witness = (assay_witness){
        .growth = growth,
        .degree = degree,
        .repeats = (uint32_t)(last / 4),
        .steps = {steps[0], steps[1], steps[2]},
        .prefix_count = candidate->prefix_count,
        .pump_count = candidate->pump_count,
        .suffix_count = candidate->suffix_count,
    };
    memcpy(witness->text, candidate->text, sizeof witness->text);
}

/* Whether an ordinary check of a value with `repeats` pumps is undecided. */
static bool is_undecided(witness_search *search, const pumped_value *candidate, size_t repeats, assay_scratch *scratch)
{
    const size_t count = build(search, candidate, repeats);
    search->work += assay_work_max(&scratch->limits, &search->pattern->interpreted.costs, count);
    return assay_pattern_match(search->pattern, scratch, search->value, count) == ASSAY_UNDECIDED;
}

/* Finds the length from which the values of a witness are undecided: doubles the number of pumps up to the first
 * undecided value, then bisects. */
static bool find_undecided(witness_search *search, assay_witness *witness)
{
    pumped_value candidate = {
        .prefix_count = (uint8_t)witness->prefix_count,
        .pump_count = (uint8_t)witness->pump_count,
        .suffix_count = (uint8_t)witness->suffix_count,
    };
    memcpy(candidate.text, witness->text, sizeof candidate.text);
    assay_scratch *scratch = assay_scratch_create(NULL);
    if (scratch == NULL) return false;
    const size_t max = (LONGEST_VALUE - witness->prefix_count - witness->suffix_count) / witness->pump_count;
    size_t decided = 0, undecided = 1;
    while (undecided <= max && !is_undecided(search, &candidate, undecided, scratch)) {
        decided = undecided;
        undecided *= 2;
    }
    while (undecided <= max && undecided - decided > 1) {
        const size_t middle = decided + (undecided - decided) / 2;
        if (is_undecided(search, &candidate, middle, scratch)) {
            undecided = middle;
        } else {
            decided = middle;
        }
    }
    if (undecided <= max) witness->undecided = (uint32_t)build(search, &candidate, undecided);
    assay_scratch_free(scratch);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * The whole search
 * ------------------------------------------------------------------------------------------------------------- */

static bool find(witness_search *search, assay_witness *witness)
{
    const assay_pattern *pattern = search->pattern;
    /* The compiled text may be wrapped. */
    const size_t count = pattern->count + strlen(SEARCH_PREFIX) + 32;
    search->seen = calloc(count + 1, sizeof *search->seen);
    search->value = malloc(LONGEST_VALUE + ASSAY_WITNESS_BYTES);
    search->data = pcre2_match_data_create(1, NULL);
    search->context = pcre2_match_context_create(NULL);
    if (search->seen == NULL || search->value == NULL || search->data == NULL || search->context == NULL) return false;
    pcre2_set_heap_limit(search->context, HEAP_KIB);
    search->steps_left = TOTAL_STEPS;
    search->minimum_count = assay_metered_minima(search->metered, pattern->count, MAX_PUMP, search->minima, MAX_MINIMA);
    choose_letters(search, pattern);
    explore(search);
    pump(search);
    for (size_t i = 0; i < search->candidate_count && witness->growth < ASSAY_GROWTH_EXPONENTIAL; i++) {
        measure(search, &search->candidates[i], witness);
    }
    if (witness->growth == ASSAY_GROWTH_NOT_FOUND) return true;
    if (!find_undecided(search, witness)) return false;
    /* Values that a DFA checks take linear time, even if PCRE2 would take longer. */
    if (search->has_dfa && witness->undecided == 0) *witness = (assay_witness){.growth = ASSAY_GROWTH_NOT_FOUND};
    return true;
}

bool assay_pattern_find_witness(const assay_pattern *pattern, assay_witness *witness)
{
    *witness = (assay_witness){.growth = ASSAY_GROWTH_NOT_FOUND};
    const assay_pattern_dfa dfa = assay_pattern_get_dfa(pattern);
    const bool has_dfa = dfa.states > 0 || dfa.instructions > 0;
    if (dfa.states > 0 && !dfa.leaves_above_bmp) return true;
    const assay_metered *metered = assay_metered_of(pattern);
    if (metered == NULL || !assay_metered_has_code(metered)) return has_dfa && metered != NULL;
    witness_search *search = calloc(1, sizeof *search);
    if (search == NULL) return false;
    search->pattern = pattern;
    search->metered = metered;
    search->has_dfa = has_dfa;
    const bool is_done = find(search, witness);
    witness->work = search->work + (TOTAL_STEPS - search->steps_left) * ASSAY_WORK_STEP;
    pcre2_match_data_free(search->data);
    pcre2_match_context_free(search->context);
    free(search->seen);
    free(search->value);
    free(search);
    return is_done;
}
#endif
