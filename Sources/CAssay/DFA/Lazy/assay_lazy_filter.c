/* Finds the filter of a search: bytes that every match contains, so that SIMD can skip text without them.
 *
 *     \b[a-z]+@example\.(?:com|org)        the automaton; = marks the instructions on every path to the match:
 *
 *        = ── [a-z] ── = ── = ── = ── … ── = ─┬ c o m ┬ =
 *             loop     @    e    x         .  └ o r g ┘
 *                      ▲ the first four bytes from here on: "@exa"; before them, any number of a to z
 *
 * Every match passes the marked instructions. Each instruction is tried as the beginning of the filter's bytes, and the
 * rarest bytes are chosen. Assertions and look-arounds count as holding everywhere, because a filter may find places
 * without a match, but must not miss a match. */
#include "DFA/Lazy/assay_lazy_finder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SOURCES_MAX = 16,
    /* Larger automata usually consist of many words, which share only their beginning. */
    INSTRUCTIONS_MAX = 1 << 14,
    /* The maximum number of instructions to try, and of prefixes in all trials. */
    TRIALS_MAX = 64,
    TRIAL_PREFIXES_MAX = 2048,
};

/* A filter whose checks take more nanoseconds for each byte of text costs more than it saves. */
static const double check_nanoseconds_max = 1;
/* The rough time in nanoseconds in which a candidate is compared with words, or a DFA checks it, and the maximum number
 * of bytes that it is assumed to check before the candidate. */
static const double word_nanoseconds = 8;
static const double run_nanoseconds = 20;
static const double run_bytes_max = 200;
/* If a match that ends at the end of the value can have only bytes that are rarer in text, its beginning is looked for
 * from there. */
static const double other_bytes_min = 0.5;
/* The rough chance of a link at a place in texts and logs. */
static const double link_chance = 1.0 / 1024;

/* Bytes that each match contains if it takes a certain path through the automaton. */
typedef struct factor {
    prefix_list prefixes;
    double cost;   /* the time of checks, for each byte of text */
    uint32_t item; /* the instruction at which they begin */
    size_t before_max;
    bool is_exact; /* exactly before_max bytes are before them */
    uint64_t before[4];
} factor;

static bool emit(finder *in, const prefix *found)
{
    if (in->trial.count == PREFIXES_MAX || in->prefixes_left == 0) return false;
    in->prefixes_left--;
    in->trial.items[in->trial.count++] = *found;
    return true;
}

/* Adds the prefixes of up to `max` bytes from an instruction on, after those of `before`. Returns false if there are
   too many. Recursion is at most prefix_bytes deep. */
static bool extend(finder *in, const prefix *before, uint32_t max, uint32_t from)
{
    if (before->count == max) return emit(in, before);
    lazy_find_next(in, from);
    const uint32_t count = in->set->found_count;
    if (count > 4 * PREFIXES_MAX) return false;
    uint32_t next[4 * PREFIXES_MAX];
    memcpy(next, in->set->found, count * sizeof *next);
    for (uint32_t i = 0; i < count; i++) {
        const thompson_instruction *at = &in->code[next[i]];
        if (at->kind == THOMPSON_MATCH && !emit(in, before)) return false;
        if (at->kind != THOMPSON_CLASS) continue;
        const class_bytes *bytes = lazy_bytes_of(in, at->label);
        for (size_t length = 1; length <= 4; length++) {
            if (!bytes->has[length]) continue;
            prefix longer = *before;
            for (size_t k = 0; k < length && longer.count < max; k++) {
                memcpy(longer.sets[longer.count++], bytes->sets[length][k], sizeof longer.sets[0]);
            }
            if (!extend(in, &longer, max, at->next)) return false;
        }
    }
    return true;
}

/* Whether a prefix may be a part of a link. These are frequent in texts although their bytes are not. */
static bool is_frequent(const prefix *it)
{
    static const char *const strings[] = {"https://www.", "http://", "file://"};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        const size_t length = strlen(strings[i]);
        for (size_t from = 0; from + it->count <= length; from++) {
            uint32_t k = 0;
            while (k < it->count && set_has(it->sets[k], (uint8_t)strings[i][from + k])) k++;
            if (k == it->count) return true;
        }
    }
    return false;
}

/* Returns the probability that one of the prefixes is at a place. Prefixes may overlap, so the sum of their
 * probabilities is only one bound; another is the probability of any of their bytes in each position. */
static double chance_of(const prefix_list *prefixes)
{
    double chance = 0;
    uint64_t any[prefix_bytes][4] = {{0}};
    uint32_t shortest = prefix_bytes;
    for (uint32_t i = 0; i < prefixes->count; i++) {
        const prefix *it = &prefixes->items[i];
        double here = 1;
        for (uint32_t k = 0; k < it->count; k++) {
            here *= lazy_chance_of_set(it->sets[k]);
            set_unite(any[k], it->sets[k]);
        }
        chance += here;
        if (it->count < shortest) shortest = it->count;
    }
    double bound = 1;
    for (uint32_t k = 0; k < shortest; k++) bound *= lazy_chance_of_set(any[k]);
    return chance < bound ? chance : bound;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Instructions that every match passes
 * ------------------------------------------------------------------------------------------------------------- */

/* Finds a path from `source` to the match, breadth first. Returns false if there is no path. */
static bool find_path(finder *in, uint32_t source)
{
    memset(in->place, 0, in->count * sizeof *in->place);
    for (uint32_t i = 0; i < in->count; i++) in->parent[i] = regex_none;
    uint32_t *queue = in->path;
    uint32_t end = 0;
    in->parent[source] = source;
    queue[end++] = source;
    for (uint32_t i = 0; i < end && in->parent[in->match] == regex_none; i++) {
        for (uint32_t edge = 0; edge < 2; edge++) {
            const uint32_t to = lazy_edge(in, queue[i], edge);
            if (to == regex_none || in->parent[to] != regex_none) continue;
            in->parent[to] = queue[i];
            queue[end++] = to;
        }
    }
    if (in->parent[in->match] == regex_none) return false;
    uint32_t count = 1;
    for (uint32_t at = in->match; at != source; at = in->parent[at]) count++;
    in->path_count = count;
    for (uint32_t at = in->match; count > 0; at = in->parent[at]) {
        in->path[--count] = at;
        in->place[at] = count + 1;
    }
    return true;
}

/* Marks the instructions that are reachable from an instruction of the path without passing another instruction of the
 * path, adds the bytes that they read, and returns the last reachable place of the path. */
static uint32_t explore(finder *in, uint32_t from, uint32_t segment, uint64_t bytes[4])
{
    uint32_t far = in->place[from] - 1;
    uint32_t depth = 0;
    in->segment[from] = segment;
    in->stack[depth++] = (visit){from, 0};
    while (depth > 0) {
        visit *top = &in->stack[depth - 1];
        if (top->edge == 0 && in->code[top->item].kind == THOMPSON_CLASS) {
            set_unite(bytes, lazy_bytes_of(in, in->code[top->item].label)->any);
        }
        const uint32_t to = lazy_edge(in, top->item, top->edge++);
        if (to == regex_none) {
            depth--;
        } else if (in->place[to] > 0) {
            if (in->place[to] - 1 > far) far = in->place[to] - 1;
        } else if (in->segment[to] == 0) {
            in->segment[to] = segment;
            in->stack[depth++] = (visit){to, 0};
        }
    }
    return far;
}

/* Whether the text between two consecutive instructions that each match passes always has the same length: it is empty,
 * or one character of a class whose characters have equally many bytes. */
static bool has_one_length(finder *in, uint32_t from, uint32_t to)
{
    const thompson_instruction *at = &in->code[from];
    if (at->kind == THOMPSON_SPLIT || at->next != to) return false;
    if (at->kind != THOMPSON_CLASS) return true;
    const bool *has = lazy_bytes_of(in, at->label)->has;
    return has[1] + has[2] + has[3] + has[4] == 1;
}

/* Returns the rough time in nanoseconds in which a DFA checks a candidate. The run begins with the text that a match
 * can have before the candidate. */
static double check_time(size_t before_max, const uint64_t before[4])
{
    double bytes = (double)before_max;
    if (before_max == SIZE_MAX) {
        const double chance = lazy_chance_of_set(before);
        bytes = chance < 1 ? 1 / (1 - chance) : run_bytes_max;
    }
    return run_nanoseconds + (bytes < run_bytes_max ? bytes : run_bytes_max);
}

/* Tries the bytes from an instruction on, and keeps them if they are rarer than those of *best. */
static void try_instruction(finder *in, uint32_t item, size_t before_max, bool is_exact, const uint64_t before[4],
                            factor *best)
{
    const prefix empty = {.count = 0};
    uint32_t bytes = prefix_bytes;
    for (in->trial.count = 0; bytes > 0 && !extend(in, &empty, bytes, item); bytes /= 2) in->trial.count = 0;
    if (bytes == 0) return;
    double cost = chance_of(&in->trial) * check_time(before_max, before);
    for (uint32_t i = 0; i < in->trial.count; i++) {
        if (!is_frequent(&in->trial.items[i])) continue;
        cost += link_chance * run_nanoseconds; /* once, so that the rarest part of a link is kept */
        break;
    }
    if (cost >= best->cost) return;
    best->prefixes = in->trial;
    best->cost = cost;
    best->item = item;
    best->before_max = before_max;
    best->is_exact = is_exact;
    memcpy(best->before, before, sizeof best->before);
}

/* Finds the rarest bytes of each match that begins at `source`. Returns false if there are no such bytes. */
static bool find_factor(finder *in, uint32_t source, factor *best)
{
    best->cost = (double)INFINITY;
    if (!find_path(in, source)) return false;
    memset(in->segment, 0, in->count * sizeof *in->segment);
    memset(in->color, 0, in->count * sizeof *in->color);
    uint64_t before[4] = {0};
    size_t before_max = 0;
    bool is_exact = true;
    uint32_t far = 0;
    uint32_t passed = source; /* the last instruction so far that each match passes */
    uint32_t segment = 0;
    uint32_t trials = 0;
    for (uint32_t i = 0; i + 1 < in->path_count && trials < TRIALS_MAX; i++) {
        const uint32_t item = in->path[i];
        if (far == i) {
            is_exact = is_exact && (i == 0 || has_one_length(in, passed, item));
            if (i > 0 && before_max != SIZE_MAX) {
                const size_t more = lazy_longest_between(in, passed, item, segment);
                before_max = more == SIZE_MAX ? SIZE_MAX : before_max + more;
            }
            try_instruction(in, item, before_max, is_exact, before, best);
            trials++;
            passed = item;
            segment++;
        }
        const uint32_t reached = explore(in, item, segment, before);
        if (reached > far) far = reached;
    }
    return best->cost < (double)INFINITY;
}

/* ---------------------------------------------------------------------------------------------------------------
 * The filter
 * ------------------------------------------------------------------------------------------------------------- */

static int by_bytes(const void *one, const void *other)
{
    return memcmp(((const prefix *)one)->sets, ((const prefix *)other)->sets, sizeof((const prefix *)one)->sets);
}

/* By table, and by bucket or, at the end, for any bucket: the probability that the table accepts a byte of text. */
typedef struct table_chances {
    double of[prefix_bytes][prefix_buckets + 1];
} table_chances;

static table_chances chances_of(const assay_prefix_filter *filter)
{
    table_chances chances;
    for (uint32_t table = 0; table < prefix_bytes; table++) {
        uint64_t sets[prefix_buckets + 1][4] = {{0}};
        for (size_t byte = 0; byte < 256; byte++) {
            unsigned buckets = filter->lower[table][byte % 16] & filter->upper[table][byte / 16];
            if (buckets != 0) set_add(sets[prefix_buckets], byte);
            for (; buckets != 0; buckets &= buckets - 1) set_add(sets[__builtin_ctz(buckets)], byte);
        }
        for (unsigned i = 0; i <= prefix_buckets; i++) chances.of[table][i] = lazy_chance_of_set(sets[i]);
    }
    return chances;
}

/* Returns the probability that these tables stop at a place. It is higher than that of the prefixes, because a bucket
 * mixes their nibbles. Buckets are treated here like prefixes in chance_of. */
static double chance_of_stop(const table_chances *chances, const uint32_t *tables, uint32_t count)
{
    double chance = 0;
    double bound = 1;
    for (unsigned bucket = 0; bucket <= prefix_buckets; bucket++) {
        double here = 1;
        for (uint32_t i = 0; i < count; i++) here *= chances->of[tables[i]][bucket];
        if (bucket < prefix_buckets) {
            chance += here;
        } else {
            bound = here;
        }
    }
    return chance < bound ? chance : bound;
}

static void swap_tables(assay_prefix_filter *filter, uint32_t one, uint32_t other)
{
    const assay_prefix_filter before = *filter;
    filter->place[one] = before.place[other];
    filter->place[other] = before.place[one];
    memcpy(filter->lower[one], before.lower[other], sizeof before.lower[other]);
    memcpy(filter->lower[other], before.lower[one], sizeof before.lower[one]);
    memcpy(filter->upper[one], before.upper[other], sizeof before.upper[other]);
    memcpy(filter->upper[other], before.upper[one], sizeof before.upper[one]);
}

/* A comparison that finds at least the bytes that a table accepts: byte | fold == value. */
typedef struct comparison {
    uint8_t fold;
    uint8_t value;
    double chance; /* that it finds a byte of text */
} comparison;

static comparison comparison_of(const assay_prefix_filter *filter, uint32_t table)
{
    unsigned all = 0xFF;
    unsigned any = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        if ((filter->lower[table][byte % 16] & filter->upper[table][byte / 16]) == 0) continue;
        all &= byte;
        any |= byte;
    }
    const unsigned fold = any & ~all;
    uint64_t found[4] = {0};
    for (unsigned byte = 0; byte < 256; byte++) {
        if ((byte | fold) == any) set_add(found, byte);
    }
    return (comparison){(uint8_t)fold, (uint8_t)any, lazy_chance_of_set(found)};
}

/* Returns the probability of a stop in a block of 64 places. `chance`: of a stop at a place. */
static double chance_of_block(double chance)
{
    double none = 1 - chance;
    for (int i = 0; i < 6; i++) none *= none;
    return 1 - none;
}

/* The time of a block of 64 places by a first stage, in table lookups. `chance`: of a stop at a place. */
static double cost_of_stage(uint32_t tables, bool compared, double chance)
{
    return tables * (compared ? 0.5 : 1) + chance_of_block(chance) * (0.5 + (double)prefix_bytes);
}

/* The first stage of one table, or of two different ones, in this order. */
typedef struct stage_choice {
    uint32_t tables[2];
    uint32_t count; /* 0: PREFIX_ALL */
    bool compares;
    double chance; /* of a stop at a place */
} stage_choice;

static stage_choice best_stage(const table_chances *chances, const comparison comparisons[prefix_bytes])
{
    stage_choice best = {.count = 0};
    double min = prefix_bytes;
    for (uint32_t one = 0; one < prefix_bytes; one++) {
        for (uint32_t other = 0; other < prefix_bytes; other++) {
            stage_choice tried = {.tables = {one, other}, .count = other == one ? 1 : 2};
            double compared = 1;
            for (uint32_t i = 0; i < tried.count; i++) compared *= comparisons[tried.tables[i]].chance;
            const double looked_up = chance_of_stop(chances, tried.tables, tried.count);
            const double by_tables = cost_of_stage(tried.count, false, looked_up);
            const double by_comparison = cost_of_stage(tried.count, true, compared);
            tried.compares = by_comparison < by_tables;
            tried.chance = tried.compares ? compared : looked_up;
            const double cost = tried.compares ? by_comparison : by_tables;
            if (cost >= min) continue;
            min = cost;
            best = tried;
        }
    }
    return best;
}

/* Chooses the first stage, and moves its tables to the front. Returns the probability that it stops in a block. */
static double choose_stage(assay_prefix_filter *filter, const table_chances *chances)
{
    comparison comparisons[prefix_bytes];
    for (uint32_t table = 0; table < prefix_bytes; table++) comparisons[table] = comparison_of(filter, table);
    const stage_choice best = best_stage(chances, comparisons);
    filter->stage = PREFIX_ALL;
    if (best.count > 0) {
        const uint32_t one = best.tables[0];
        const uint32_t other = best.tables[1];
        filter->stage = best.count == 1 ? (best.compares ? PREFIX_ONE_COMPARED : PREFIX_ONE)
                                        : (best.compares ? PREFIX_PAIR_COMPARED : PREFIX_PAIR);
        swap_tables(filter, 0, one);
        if (best.count == 2) swap_tables(filter, 1, other == 0 ? one : other);
    }
    for (uint32_t i = 0; i < best.count; i++) {
        filter->fold[i] = comparisons[best.tables[i]].fold;
        filter->value[i] = comparisons[best.tables[i]].value;
    }
    /* These tables accept any byte, so they may look at another place, within the text. */
    for (uint32_t table = 0; table < prefix_bytes; table++) {
        if (filter->place[table] >= filter->longest) filter->place[table] = 0;
    }
    return best.count > 0 ? chance_of_block(best.chance) : 0;
}

/* Fills the tables. `places`: the places of the bytes of the only prefix; NULL: each prefix is a string. */
static void fill(assay_prefix_filter *filter, const prefix_list *prefixes, const uint8_t places[prefix_bytes])
{
    filter->shortest = prefix_bytes;
    for (uint8_t i = 0; i < prefix_bytes; i++) filter->place[i] = places != NULL ? places[i] : i;
    for (uint32_t i = 0; i < prefixes->count; i++) {
        const prefix *it = &prefixes->items[i];
        const uint32_t number = prefixes->count <= prefix_buckets ? i : i * prefix_buckets / prefixes->count;
        const uint8_t bucket = (uint8_t)(1u << number);
        if (it->count < filter->shortest) filter->shortest = (uint8_t)it->count;
        if (it->count > filter->longest) filter->longest = (uint8_t)it->count;
        for (uint32_t position = 0; position < prefix_bytes; position++) {
            for (size_t byte = 0; byte < 256; byte++) {
                if (position < it->count && !set_has(it->sets[position], byte)) continue;
                filter->lower[position][byte % 16] |= bucket;
                filter->upper[position][byte / 16] |= bucket;
            }
        }
    }
    for (uint32_t i = 0; i < prefix_bytes && places != NULL; i++) {
        if (places[i] >= filter->longest) filter->longest = places[i] + 1;
    }
    if (places != NULL) filter->shortest = filter->longest;
}

/* Divides the set of a place into two, if a bucket would accept other bytes: those of the first upper nibble, with
 * other ones that have the same lower nibbles, and the rest. Returns false if a bucket accepts exactly the set. */
static bool divide_set(const uint64_t set[4], uint64_t part[4], uint64_t rest[4])
{
    uint32_t first = 0;
    bool has_rest = false;
    memset(part, 0, 4 * sizeof *part);
    memset(rest, 0, 4 * sizeof *rest);
    for (uint32_t upper = 0; upper < 16; upper++) {
        const uint32_t shift = upper % 4 * 16;
        const uint32_t lowers = (uint32_t)(set[upper / 4] >> shift) & 0xFFFF;
        if (first == 0) first = lowers;
        uint64_t *to = lowers == first ? part : rest;
        to[upper / 4] |= (uint64_t)lowers << shift;
        has_rest |= lowers != 0 && lowers != first;
    }
    return has_rest;
}

/*     [;|&]\s     one bucket    lower nibbles of ; | & with any of their upper nibbles: also a blank
 *                 three buckets, while there are enough */
static void use_all_buckets(prefix_list *prefixes)
{
    for (uint32_t place = 0; place < prefix_bytes; place++) {
        for (uint32_t i = 0; i < prefixes->count && prefixes->count < prefix_buckets; i++) {
            prefix *it = &prefixes->items[i];
            uint64_t part[4];
            uint64_t rest[4];
            if (place >= it->count || !divide_set(it->sets[place], part, rest)) continue;
            prefix *other = &prefixes->items[prefixes->count++];
            *other = *it;
            memcpy(it->sets[place], part, sizeof part);
            memcpy(other->sets[place], rest, sizeof rest);
        }
    }
}

/* Constructs the filter of a list of prefixes; each match must have at least one. Returns its rough time in nanoseconds
 * for each byte of text, of the scan, the stops of its first stage and the checks of candidates, measured with searches
 * for one to 5,000 words; INFINITY if the filter would stop too often. */
static double fill_filter(lazy_filter *filter, bool is_words, prefix_list *prefixes, const uint8_t places[prefix_bytes])
{
    const double lookups_per_nanosecond = 100;
    const double stop = 8.0 / 64; /* a branch that the processor predicts wrongly, and all tables, for a block */
    assay_prefix_filter *bytes = &filter->bytes;
    use_all_buckets(prefixes);
    qsort(prefixes->items, prefixes->count, sizeof *prefixes->items, by_bytes);
    fill(bytes, prefixes, places);
    const table_chances chances = chances_of(bytes);
    const double stops = choose_stage(bytes, &chances);
    filter->kind = FILTER_BYTES;
    const double chance = chance_of_stop(&chances, (const uint32_t[prefix_bytes]){0, 1, 2, 3}, prefix_bytes);
    const double check =
        is_words && filter->is_exact ? word_nanoseconds : check_time(filter->before_max, filter->before);
    if (bytes->shortest == 0 || chance * check > check_nanoseconds_max) return (double)INFINITY;
    const double lookups = prefix_stage_compares(bytes->stage) ? 1 : prefix_stage_tables(bytes->stage);
    return lookups / lookups_per_nanosecond + stops * stop + chance * check;
}

/* Replaces the prefixes by one that has the bytes of all in each place. */
static void unite_prefixes(prefix_list *prefixes)
{
    prefix *all = &prefixes->items[0];
    for (uint32_t i = 1; i < prefixes->count; i++) {
        const prefix *it = &prefixes->items[i];
        if (it->count < all->count) all->count = it->count;
        for (uint32_t place = 0; place < all->count; place++) set_unite(all->sets[place], it->sets[place]);
    }
    prefixes->count = 1;
}

/* Fills *filter. If several prefixes share a bucket, one prefix in all buckets may stop less often. */
static double make_filter(lazy_filter *filter, bool is_words, prefix_list *prefixes)
{
    lazy_filter united = *filter;
    const bool shares_buckets = prefixes->count > prefix_buckets;
    const double cost = fill_filter(filter, is_words, prefixes, NULL);
    if (!shares_buckets) return cost;
    unite_prefixes(prefixes);
    const double other = fill_filter(&united, is_words, prefixes, NULL);
    if (other < cost) *filter = united;
    return other < cost ? other : cost;
}

/* Finds the instructions at which the paths to the match divide at the beginning. Returns their number; 0: too many. */
static uint32_t find_sources(const finder *in, uint32_t start, uint32_t sources[SOURCES_MAX])
{
    uint32_t count = 1;
    sources[0] = start;
    for (uint32_t i = 0; i < count;) {
        const thompson_instruction *at = &in->code[sources[i]];
        if (at->kind != THOMPSON_SPLIT) {
            i++;
            continue;
        }
        if (count == SOURCES_MAX) return 0;
        /* A loop that may exit immediately leads back to its split. */
        for (uint32_t k = 0; k < count; k++) {
            if (sources[k] == at->next || sources[k] == at->other) return 0;
        }
        sources[count++] = at->other;
        sources[i] = at->next;
    }
    return count;
}

/* Combines the factors of several paths. Returns the cost of the filter; INFINITY if a path has no factor. */
static double join_factors(finder *in, const uint32_t *sources, uint32_t count, bool is_words, factor *found,
                           prefix_list *joined, lazy_filter *filter)
{
    *filter = (lazy_filter){.is_exact = true, .has_start = true};
    joined->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!find_factor(in, sources[i], found)) return (double)INFINITY;
        filter->is_exact &= found->is_exact && (i == 0 || found->before_max == filter->before_max);
        const size_t before = found->before_max;
        const bool has_one_place =
            before < lazy_beginning_max && before <= in->places_entered && in->entered[found->item] == 1u << before;
        filter->has_start &= has_one_place && (i == 0 || before == filter->before_max);
        if (found->prefixes.count > PREFIXES_MAX - joined->count) return (double)INFINITY;
        memcpy(joined->items + joined->count, found->prefixes.items, found->prefixes.count * sizeof *joined->items);
        joined->count += found->prefixes.count;
        if (found->before_max > filter->before_max) filter->before_max = found->before_max;
        set_unite(filter->before, found->before);
    }
    return make_filter(filter, is_words, joined);
}

/* The filter of the bytes with which every match ends. Returns its cost. */
static double filter_by_suffix(finder *in, bool is_words, prefix_list *suffix, lazy_filter *filter)
{
    *filter = (lazy_filter){.kind = FILTER_BYTES};
    suffix->count = 1;
    if (!lazy_find_suffix(in, &suffix->items[0])) return (double)INFINITY;
    lazy_measure(in, &filter->before_max, filter->before);
    if (filter->before_max != SIZE_MAX) filter->before_max -= suffix->items[0].count;
    return make_filter(filter, is_words, suffix);
}

/* Returns the place with the rarest bytes, among those that are not chosen and less than prefix_span_max from the
 * chosen ones, which are `first` to `last`; lazy_beginning_max if there is no such place. */
static uint32_t rarest_place(const double chances[lazy_beginning_max], uint32_t count, uint32_t first, uint32_t last,
                             uint32_t chosen)
{
    uint32_t best = lazy_beginning_max;
    for (uint32_t place = 0; place < count; place++) {
        const uint32_t from = place < first ? place : first;
        const uint32_t to = place > last ? place : last;
        if ((chosen >> place & 1) != 0 || (chosen != 0 && to - from >= prefix_span_max)) continue;
        if (best == lazy_beginning_max || chances[place] < chances[best]) best = place;
    }
    return best;
}

/* The filter of the rarest bytes at the first places of matches, which need not be neighbors:
 *
 *     \(\d{3}\) \d{3}-\d{4}      ( at 0, ) at 4, - at 9, and the blank
 *
 * Returns its cost. */
static double filter_by_places(const lazy_beginning *beginning, bool is_words, prefix_list *rarest, lazy_filter *filter)
{
    uint64_t sets[lazy_beginning_max][4] = {{0}};
    double chances[lazy_beginning_max];
    for (uint32_t place = 0; place < beginning->count; place++) {
        for (size_t byte = 0; byte < 256; byte++) {
            if ((beginning->places_of[byte] >> place & 1) != 0) set_add(sets[place], byte);
        }
        chances[place] = lazy_chance_of_set(sets[place]);
    }
    uint32_t first = lazy_beginning_max;
    uint32_t last = 0;
    uint32_t chosen = 0; /* a bit for each place */
    uint8_t places[prefix_bytes];
    prefix *bytes = &rarest->items[0];
    rarest->count = 1;
    for (bytes->count = 0; bytes->count < prefix_bytes; bytes->count++) {
        const uint32_t place = rarest_place(chances, beginning->count, first, last, chosen);
        if (place == lazy_beginning_max) break;
        chosen |= 1u << place;
        if (place < first) first = place;
        if (place > last) last = place;
        memcpy(bytes->sets[bytes->count], sets[place], sizeof sets[place]);
        places[bytes->count] = (uint8_t)place;
    }
    for (uint32_t i = 0; i < prefix_bytes; i++) places[i] = i < bytes->count ? (uint8_t)(places[i] - first) : 0;
    *filter = (lazy_filter){.before_max = first, .is_exact = true, .has_start = true};
    return fill_filter(filter, is_words, rarest, places);
}

/* The filter of strings at the beginning of matches. Returns its cost; INFINITY: no such strings, or no memory. */
static double filter_by_grams(finder *in, bool is_words, lazy_filter *filter)
{
    /* In nanoseconds, on the machine that measured make_filter. */
    const double lookup = 0.45;
    const double window = 6;
    const double check = is_words ? word_nanoseconds : run_nanoseconds;
    *filter = (lazy_filter){.kind = FILTER_GRAMS, .is_exact = true, .has_start = true};
    lazy_windows windows = {.items = NULL};
    double cost = (double)INFINITY;
    if (lazy_collect_windows(in, &windows)) {
        filter->grams = lazy_grams_create(windows.items, windows.count, windows.bytes);
    }
    if (filter->grams != NULL) {
        const uint32_t stride = lazy_grams_stride(filter->grams);
        double hits = 0;
        for (uint32_t i = 0; i < stride; i++) hits += lazy_chance_of_windows(&windows, i, windows.bytes - stride + 1);
        cost = lookup / stride + (hits < 1 ? hits : 1) * window +
               lazy_chance_of_windows(&windows, 0, windows.bytes) * check;
    }
    free(windows.items);
    return cost;
}

/* Keeps a filter if it costs less than *best. */
static void keep_cheaper(lazy_filter *best, double *min, lazy_filter *other, double cost)
{
    if (cost < *min) {
        free(best->grams);
        *best = *other;
        *min = cost;
    } else {
        free(other->grams);
    }
}

static void find(finder *in, bool is_words, const lazy_beginning *beginning, factor *found, prefix_list *joined,
                 lazy_filter filters[2])
{
    /* A filter that takes more than this, per byte, does not save time; and one that takes less need not be compared
     * with others. */
    const double max = 0.7;
    const double little = 0.015;
    /* The estimates are too rough to prefer bytes at distant places, which are not as independent, for less. */
    const double notable = 0.9;
    lazy_filter other;
    double min = (double)INFINITY;
    if (in->count <= INSTRUCTIONS_MAX) {
        double cost = join_factors(in, &in->start, 1, is_words, found, joined, &other);
        keep_cheaper(&filters[0], &min, &other, cost);
        uint32_t sources[SOURCES_MAX];
        const uint32_t count = min > little ? find_sources(in, in->start, sources) : 0;
        if (count > 1) {
            cost = join_factors(in, sources, count, is_words, found, joined, &other);
            keep_cheaper(&filters[0], &min, &other, cost);
        }
    }
    if (beginning != NULL) {
        const double cost = filter_by_places(beginning, is_words, joined, &other);
        if (cost < notable * min) keep_cheaper(&filters[0], &min, &other, cost);
    }
    if (min > little) {
        const double cost = filter_by_suffix(in, is_words, joined, &other);
        keep_cheaper(&filters[0], &min, &other, cost);
    }
    const bool has_shuffle = assay_kernels_current()->find_candidate != NULL;
    if (min > 2 * little || !has_shuffle) {
        const double cost = filter_by_grams(in, is_words, &other);
        if (cost > max) {
            free(other.grams);
        } else if (!has_shuffle && min < (double)INFINITY) {
            filters[1] = other;
        } else {
            keep_cheaper(&filters[0], &min, &other, cost);
        }
    }
    if (min == (double)INFINITY) filters[0].kind = FILTER_NONE;
}

/* Whether a match can begin only at the beginning of the value. */
static bool begins_at_beginning(finder *in, const assay_regex *regex)
{
    assay_instruction_set_clear(in->set);
    assay_instruction_set_add(in->set, in->code, in->start);
    for (uint32_t i = 0; i < in->set->found_count; i++) {
        const thompson_instruction *at = &in->code[in->set->found[i]];
        if (at->kind != THOMPSON_ASSERTION) return false;
        const regex_assertion *it = &regex->assertions[at->label];
        if (!it->negated || it->ahead != regex_none || it->behind != regex->any) return false;
    }
    return true;
}

/* Looks for the filters of an automaton. Text before the last characters of a match at the end of the value is skipped
 * only if their number is limited, or if few bytes can be among them. */
static void find_filters(finder *in, const assay_regex *regex, factor *found, prefix_list *joined, lazy_conjunct *part)
{
    lazy_filter *filters = part->filters;
    const bool is_words = part->words != NULL;
    if (begins_at_beginning(in, regex)) return;
    if (lazy_ends_at_end(in, regex)) {
        lazy_filter *filter = &filters[0];
        lazy_measure(in, &filter->before_max, filter->before);
        filter->kind = FILTER_END;
        if (filter->before_max != SIZE_MAX || lazy_chance_of_set(filter->before) < other_bytes_min) return;
        *filter = (lazy_filter){.kind = FILTER_NONE};
    }
    part->beginning = lazy_find_beginning(in);
    if (part->beginning != NULL && regex->conjunct_count > 1) part->beginning->is_match = false;
    find(in, is_words, part->beginning, found, joined, filters);
}

bool lazy_find_filters(const assay_lazy_program *program, const assay_regex *regex, assay_lazy_caches *room,
                       lazy_conjunct *part)
{
    const uint32_t count = part->of.nfa.count;
    if (part->of.nfa.lookbehind_count > 0) return true;
    if (!assay_instruction_set_reserve(&room->set, count)) return false;
    finder *in = calloc(1, sizeof *in);
    factor *found = malloc(sizeof *found);
    prefix_list *joined = malloc(sizeof *joined);
    class_bytes *classes = calloc(regex_classes_max, sizeof *classes);
    uint32_t *numbers = malloc(count * 4 * sizeof *numbers);
    size_t *longest = malloc(count * sizeof *longest);
    uint8_t *color = malloc(count);
    uint32_t *entered = malloc(count * sizeof *entered);
    visit *stack = malloc((count + 1) * sizeof *stack);
    const bool has_room = in != NULL && found != NULL && joined != NULL && classes != NULL && numbers != NULL &&
                          longest != NULL && color != NULL && entered != NULL && stack != NULL;
    if (has_room) {
        *in = (finder){
            .symbols = &program->symbols,
            .code = part->of.nfa.code,
            .count = count,
            .start = part->of.nfa.conjuncts[0].start,
            .match = part->of.nfa.conjuncts[0].match,
            .set = &room->set,
            .classes = classes,
            .parent = numbers,
            .path = numbers + count,
            .place = numbers + 2 * (size_t)count,
            .segment = numbers + 3 * (size_t)count,
            .longest = longest,
            .color = color,
            .entered = entered,
            .stack = stack,
            .prefixes_left = TRIAL_PREFIXES_MAX,
        };
        find_filters(in, regex, found, joined, part);
        for (int i = 0; i < 2; i++) part->filters[i].context = part->of.restarts ? 0 : 1;
    }
    free(in);
    free(found);
    free(joined);
    free(classes);
    free(numbers);
    free(longest);
    free(color);
    free(entered);
    free(stack);
    return has_room;
}
